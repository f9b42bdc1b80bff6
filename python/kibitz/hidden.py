"""Searches of games with hidden information: they see what the player to move sees, and guess the rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from kibitz._core import Position
from kibitz.errors import BadParameter, NotSupported
from kibitz.search import _ALGORITHMS, Algorithm, Child, Iteration, Report, _some_simulations, algorithm

__all__ = ["Determinized", "IsMcts"]


@dataclass(frozen=True, kw_only=True)
class IsMcts(Algorithm):
    """Information-set Monte-Carlo tree search: one tree of what the player sees, every simulation in another world.

    P. Cowling, E. Powley and D. Whitehouse, *Information Set Monte Carlo Tree Search*, IEEE Transactions on
    Computational Intelligence and AI in Games 4 (2012), with a single observer. Before each simulation what the player
    cannot see is guessed anew; a move is judged by how often it was tried among the times that it was legal. Any number
    of players. `report.values` has the mean result of everybody.

    - `c`: the weight of exploration, for results scaled to [0, 1]; 0.7 is published;
    - `memory_mb`: what the tree may use; when it is full it grows no more.

    Without limits it stops after 10,000 simulations.
    """

    name: ClassVar[str] = "ismcts"
    simulations: int | None = None
    c: float = 0.7
    memory_mb: int = 256
    seed: int = 0

    def _limits(self) -> dict[str, Any]:
        return _some_simulations(super()._limits())


@dataclass(frozen=True, kw_only=True)
class Determinized(Algorithm):
    """Guesses what the player cannot see, searches each guess as if all cards were open, and plays what most say.

    D. Levy, *The Million Pound Bridge Program*, 1989; M. Ginsberg, *GIB: Steps Toward an Expert-Level Bridge-Playing
    Program*, IJCAI 1999. Every world has one vote; equal numbers of votes are decided by the mean value. What it cannot
    know is that it will not see the cards later, either (I. Frank and D. Basin, *Search in Games with Incomplete
    Information*, 1998).

    - `inner`: the search of a world, any algorithm: `kb.MaxN(depth=9)`; as text `maxn:depth=9`, and inside of a text
      `determinized:inner=maxn/depth=9,worlds=10`;
    - `worlds`: how many guesses;
    - `nodes`, `seconds`: of all worlds together, in equal parts; otherwise the limits are those of `inner`.

    `report.value` and `report.values` are means over all worlds, `report.children` has the votes as visits.
    """

    name: ClassVar[str] = "determinized"
    inner: Algorithm | str = "uct"
    worlds: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.inner, str):
            # the separators of the text that this one may stand in
            object.__setattr__(self, "inner", algorithm(self.inner.replace("/", ":", 1).replace("/", ",")))
        elif not callable(getattr(self.inner, "search", None)):
            raise BadParameter(f"inner={self.inner!r:.40} is no algorithm; give one such as kb.Uct(simulations=1000)")
        super().__post_init__()
        if self.worlds < 1:
            raise BadParameter(f"worlds={self.worlds} is out of range: there is at least one")

    @property
    def spec(self) -> str:
        """The algorithm as the command line writes it: `determinized:inner=maxn/depth=9,worlds=10`."""
        inner = str(self.inner)
        if "/" in inner:
            raise BadParameter(f"{inner} cannot be written inside of another algorithm")
        given = [f"inner={inner.replace(':', '/').replace(',', '/')}"]
        plain = {"nodes": None, "seconds": None, "worlds": 20, "seed": 0}
        given += [f"{name}={value}" for name, default in plain.items() if (value := getattr(self, name)) != default]
        return f"{self.name}:{','.join(given)}"

    def search(
        self, position: Position, *, progress: Callable[[Iteration], object] | None = None, **changes: Any
    ) -> Report:
        """Searches a position. Keyword arguments replace fields for this search; `progress` is told of each world."""
        if changes:
            return self.replace(**changes).search(position, progress=progress)
        inner = self.inner
        assert not isinstance(inner, str)
        if not isinstance(position, Position):
            raise TypeError(f"Determinized searches positions, not {type(position).__name__}")
        if position.over:
            return inner.search(position)
        if position.turn == "chance":
            raise NotSupported(
                "Determinized searches what the player to move knows where a game hides something; "
                "here chance is to move: use Simulation for a value"
            )
        shares: dict[str, Any] = {}
        if self.nodes is not None:
            shares["nodes"] = max(1, self.nodes // self.worlds)
        if self.seconds is not None:
            shares["seconds"] = self.seconds / self.worlds
        began = time.perf_counter()
        votes: dict[Any, list[float]] = {}
        values: list[float] = []
        tuples: list[tuple[float, ...]] = []
        history: list[Iteration] = []
        nodes = 0
        moves = list(position.moves)
        for world in range(self.worlds):
            guess = position.guess(seed=_seed(self.seed, world))
            found = inner.search(guess, **shares)
            nodes += found.nodes
            values.append(found.value)
            tuples.append(found.values)
            votes.setdefault(found.best, []).append(found.value)
            best = _chosen(votes, moves)
            mean = sum(values) / len(values)
            step = Iteration(world + 1, mean, nodes, time.perf_counter() - began, (best,))
            history.append(step)
            if progress is not None:
                progress(step)
        children = [
            Child(move, len(votes[move]), sum(votes[move]) / len(votes[move])) for move in moves if move in votes
        ]
        return Report(
            best=history[-1].pv[0],
            value=history[-1].value,
            values=tuple(sum(column) / len(column) for column in zip(*tuples, strict=True)),
            pv=history[-1].pv,
            nodes=nodes,
            depth=1,
            seconds=time.perf_counter() - began,
            stats={"worlds": float(self.worlds)},
            bound="estimate",
            history=tuple(history),
            children=tuple(children),
        )


def _seed(seed: int, world: int) -> int:
    """Another seed for each world, so that those of neighbouring seeds are not the same."""
    return (seed * 0x9E3779B97F4A7C15 + world * 0xD1B54A32D192ED03 + 1) % (1 << 64)


def _chosen(votes: dict[Any, list[float]], moves: list[Any]) -> Any:
    """The move with the most votes; of several the one with the greatest mean value, and then the first."""
    listed = [move for move in moves if move in votes] or list(votes)
    return max(listed, key=lambda move: (len(votes[move]), sum(votes[move]) / len(votes[move])))


_ALGORITHMS.update({each.name: each for each in (Determinized, IsMcts)})
