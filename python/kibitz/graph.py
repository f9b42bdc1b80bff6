"""The complete graph of a small game, and what can be counted on it.

J. Donkers, J. van den Herik and J. Uiterwijk (*Dao: A Benchmark Game*, Computers and Games 2004) know the graph of Dao
and so how much of it a search really touches. Any native game that numbers all of its positions has such a graph.

>>> import kibitz as kb
>>> graph = kb.graph(kb.game("do-guti"))
>>> len(graph), graph.position(graph.root).play("TL-C") in graph
(16, True)
>>> [int(count) for count in graph.levels()]
[1, 1, 1, 1, 2, 3, 4, 2]
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.errors import BadParameter, NotSupported

if TYPE_CHECKING:
    from kibitz._core import Graph, Position
    from kibitz.game import Game

__all__ = ["GameGraph", "TableStudy", "Visits", "graph"]

_TYPES = {
    "slice": "<u4",
    "rank": "<u8",
    "first": "<u4",
    "to": "<u4",
    "turned": "<u4",
    "values": "<i4",
    "ended": "u1",
}
_LOSS, _WIN = 1, 3


@dataclass(frozen=True, kw_only=True)
class Visits:
    """What a minimax search visits: one count a node of the graph, the root not among the visits.

    - `all`: by the pieces on the board, whoever is to move;
    - `first`, `second`: with the first player to move, and with the second;
    - `evaluated`: evaluations of leaves, by the pieces on the board.
    """

    all: Any
    first: Any
    second: Any
    evaluated: Any


@dataclass(frozen=True, kw_only=True)
class TableStudy(Visits):
    """What an alpha-beta search with a transposition table visits, and what the table was good for.

    `change`, `hit` and `nothing` count look-ups that found their position: the window became narrower, the value was
    known well enough, or neither; the entries of `deep` of them had been searched deep enough. `filled` entries were in
    use at the end; `value` is the root's, for the player to move.
    """

    value: int
    change: int
    hit: int
    nothing: int
    deep: int
    filled: int


@dataclass(frozen=True, eq=False)
class GameGraph:
    """The graph of a game: a node for each position up to symmetry, with the player to move as the first player.

    Every array has one entry a node, but for `to`:

    - `first` and `to`: the moves of node `n` lead to `to[first[n]:first[n + 1]]`, one entry a move, so that two moves
      may lead to the same node;
    - `ended`: 0 where the game goes on, 1 where the player to move has lost, 2 for a draw, 3 for a win;
    - `turned`: the node of the same board with the other player to move;
    - `values`: the game's evaluation for the player to move, in the units of the search;
    - `slice` and `rank`: where the position stands in the tables of the game; `root` is the node of the start.
    """

    game: Game
    root: int
    slice: Any
    rank: Any
    first: Any
    to: Any
    ended: Any
    turned: Any
    values: Any
    _native: Graph

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<graph of {self.game}: {len(self):,} positions>"

    def position(self, node: int) -> Position:
        """The position that stands for a node."""
        if not 0 <= node < len(self):
            raise BadParameter(f"no node {node}: the graph has {len(self):,}")
        found = self.game._rules.unrank(self.game, int(self.slice[node]), int(self.rank[node]))
        assert found is not None
        return found

    def node(self, position: Position) -> int:
        """The node of a position."""
        import numpy as np

        place = position.place if position.game == self.game else None
        if place is not None:
            start, end = np.searchsorted(self.slice, [place[0], place[0] + 1])
            node = int(start + np.searchsorted(self.rank[start:end], place[1]))
            if node < end and self.rank[node] == place[1]:
                return node
        raise BadParameter(f"{position} is no position of this graph")

    def __contains__(self, position: Position) -> bool:
        try:
            self.node(position)
        except BadParameter:
            return False
        return True

    @functools.cached_property
    def over(self) -> Any:
        """Where the game is over."""
        return self.ended != 0

    @functools.cached_property
    def moves(self) -> Any:
        """The number of moves between two nodes, as a sparse matrix."""
        import numpy as np
        from scipy.sparse import csr_matrix

        ones = np.ones(len(self.to))
        # two moves between the same nodes are added up
        matrix = csr_matrix((ones, self.to, self.first), shape=(len(self), len(self)))
        matrix.sum_duplicates()
        return matrix

    @functools.cached_property
    def edges(self) -> Any:
        """Which nodes a move joins: 1 where there is one or more, as a sparse matrix."""
        matrix = self.moves.copy()
        matrix.data[:] = 1
        return matrix

    @functools.cached_property
    def distances(self) -> Any:
        """The least number of moves from the root to each node, −1 where there is no way."""
        return self._steps(self.edges, [self.root])

    @functools.cached_property
    def distances_by_side(self) -> Any:
        """The same with the first player to move (row 0) and with the second (row 1), both from the root."""
        import numpy as np
        from scipy.sparse import bmat

        both = bmat([[None, self.edges], [self.edges, None]], format="csr")
        return np.reshape(self._steps(both, [self.root]), (2, len(self)))

    def levels(self) -> Any:
        """How many nodes are first reached after 0, 1, 2, … moves."""
        import numpy as np

        return np.bincount(self.distances[self.distances >= 0])

    @staticmethod
    def _steps(matrix: Any, roots: list[int]) -> Any:
        import numpy as np

        found = np.full(matrix.shape[0], -1)
        backward = matrix.T.tocsr()
        front = np.zeros(matrix.shape[0])
        front[roots] = 1
        step = 0
        while front.any():
            found[front > 0] = step
            step += 1
            front = ((backward @ front) > 0) & (found < 0)
            front = front.astype(float)
        return found

    @functools.cached_property
    def reached(self) -> Any:
        """Which nodes a game can come to."""
        return self.distances >= 0

    def smallest_cycles(self, most: int = 4) -> Any:
        """The length of the smallest directed cycle through each node, 0 where none has at most `most` moves."""
        import numpy as np

        if most not in range(1, 5):
            raise BadParameter(f"most={most}: cycles of 1 to 4 moves can be found")
        edges = self.edges
        found = np.zeros(len(self), dtype=int)
        two = edges @ edges if most > 2 else edges
        # a way out and a way back that meet in the middle
        for length, out, back in ((4, two, two), (3, two, edges), (2, edges, edges)):
            if length <= most:
                found[np.asarray(out.multiply(back.T).sum(axis=1)).ravel() > 0] = length
        found[edges.diagonal() > 0] = 1
        return found

    def random_walks(self, count: int, seed: int) -> Any:
        """The lengths of games in which every move is drawn by lot, all legal moves equally likely."""
        import numpy as np

        generator = np.random.default_rng(seed)
        degree = np.diff(self.first.astype(np.int64))
        lengths = np.zeros(count, dtype=np.int64)
        at = np.full(count, self.root)
        playing = np.arange(count)
        while len(playing):
            playing = playing[~self.over[at[playing]]]
            nodes = at[playing]
            pick = (generator.random(len(nodes)) * degree[nodes]).astype(np.int64)
            at[playing] = self.to[self.first[nodes] + pick]
            lengths[playing] += 1
        return lengths

    def random_lengths(self, least: float = 1e-12) -> Any:
        """The probability of each length of such a game, exactly, up to where less than `least` is left."""
        import numpy as np
        from scipy.sparse import diags

        degree = np.diff(self.first.astype(np.int64))
        step = (diags(1 / np.maximum(degree, 1)) @ self.moves).T.tocsr()
        where = np.zeros(len(self))
        where[self.root] = 1
        found = []
        while (left := float(where.sum())) > least:
            ends = float(where[self.over].sum())
            found.append(ends)
            if len(found) > 100_000:
                raise NotSupported(f"random games of {self.game} do not end: {left:.3g} are left after 100,000 moves")
            where[self.over] = 0
            where = step @ where
        return np.array(found)

    def visits(self, depth: int) -> Visits:
        """What minimax of a fixed depth visits from the root, counted without walking the tree."""
        import numpy as np

        back = self.moves.T.tocsr()
        sides = np.zeros((2, len(self)))
        leaves = np.zeros((2, len(self)))
        where = np.zeros(len(self))
        where[self.root] = 1
        for ply in range(1, depth + 1):
            where[self.over] = 0
            where = back @ where
            sides[ply % 2] += where
            leaves[ply % 2] += np.where(self.over, where, 0) if ply < depth else where
        return Visits(all=self._by_board(sides), first=sides[0], second=sides[1], evaluated=self._by_board(leaves))

    def _by_board(self, sides: Any) -> Any:
        """Counts with either player to move, by the pieces on the board."""
        import numpy as np

        total = sides[0].copy()
        np.add.at(total, self.turned, sides[1])
        return total

    def table_study(
        self, *, depth: int, bits: int | None, seed: int = 0, values: Any = None, same_depth: bool = False
    ) -> TableStudy:
        """What alpha-beta with a table of `2**bits` entries visits from the root; no `bits`, no table.

        It is the search of Donkers, van den Herik and Uiterwijk: moves in the order of the rules, the move of the table
        first, iterative deepening where there is a table, of whose entries the deeper one is kept. `values` are the
        static values of the nodes for the player to move, by default the game's, with wins above and losses below all
        of them; `seed` is that of the keys. With `same_depth` only entries of the wanted depth count, and the value is
        that of minimax.
        """
        import numpy as np

        if values is None:
            reach = 2 * int(np.abs(self.values).max()) + 1
            values = np.where(self.ended == _WIN, reach, np.where(self.ended == _LOSS, -reach, self.values))
        given = np.ascontiguousarray(values, dtype="<i4").tobytes()
        found = self._native.table_study(given, depth=depth, bits=bits, seed=seed, same_depth=same_depth)
        for name in ("all", "first", "second", "evaluated"):
            found[name] = np.frombuffer(found[name], dtype="<u4")
        return TableStudy(**found)


def graph(game: Game) -> GameGraph:
    """The complete graph of a native game that numbers all of its positions, such as `dao`."""
    import numpy as np

    native = game._rules.graph()
    arrays = {name: np.frombuffer(data, dtype=_TYPES[name]) for name, data in native.arrays().items()}
    return GameGraph(game, native.root, **arrays, _native=native)
