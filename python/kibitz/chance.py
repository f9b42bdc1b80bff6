"""The \\*-minimax family: searches of games of chance on one skeleton, and the search with a move filter.

All of them but `ChanceProbCut`, `MoveFilter` and what draws `samples` return the value of Expectimax.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from kibitz._core import Position
from kibitz.errors import BadParameter, NotSupported
from kibitz.game import Game
from kibitz.minimax import sound_check, with_threshold
from kibitz.search import _ALGORITHMS, Algorithm

__all__ = ["ChanceProbCut", "Expectimax", "MoveFilter", "Star1", "Star2", "Star25", "StarFamily"]


@dataclass(frozen=True, kw_only=True)
class StarFamily(Algorithm):
    """What Expectimax and the Star algorithms share. Every part can be switched off, and all of them combine.

    Depth and deepening:

    - `depth`, `chance_plies`: plies below the root; a chance node counts as one, or does not. The papers on backgammon
      and Dice count them, so that depth 3 is a move, a roll and a move; those on Stratego and ChanceBreakthrough, where
      chance nodes come irregularly, do not. A chance node right below another one always counts;
    - `deepening`, `step`: some depths one after another, `step` plies apart; `None` for 2 where chance nodes count, so
      that all depths have the parity of the last, and for 1 where they do not.

    Table and order of moves:

    - `tt_mb`: size of the table in megabytes, 0 for none; `tt_exact`: an unbounded table that forgets nothing instead;
      `replacement`: `two-deep`, `always`, `depth-preferred` or `two-big`;
    - `same_depth`: use only entries of exactly the depth needed, so that the value is Expectimax's at that depth;
    - `star_etc`, `etc_depth`: look all events of a chance node up first, where their depth is at least this;
    - `hash_move`: the table's move first; `killers`: then moves that cut at this ply; `hints`: then the game's own
      ordering; `history`: then how often a move was good; `history_ageing` is the factor between iterations. The same
      order says which moves are probed.

    The tree:

    - `samples`: draw so many outcomes at every chance node, with replacement, and search only these; 0 for all. Where
      there are no more outcomes than that, all of them count. What is drawn is a function of the position and `seed`;
    - `noise`, `noise_seed`: add a normally distributed error with this standard deviation, in units of the result, to
      the evaluation; the same position has the same error;
    - `only`: search this move of the root alone;
    - `seed`: tries the root's moves in random order, so that ties are broken at random, and draws the samples;
    - `trace`: write down so many nodes of the last iteration; `kb.draw.tree(report)` draws them.

    Of a game with hidden pieces it searches what the player to move knows, and never sees more.
    """

    depth: int | None = None
    chance_plies: bool = True
    deepening: bool = True
    step: int | None = None
    tt_mb: int = 64
    tt_exact: bool = False
    replacement: Literal["two-deep", "always", "depth-preferred", "two-big"] = "two-deep"
    same_depth: bool = False
    star_etc: bool = True
    etc_depth: int = 1
    hash_move: bool = True
    killers: bool = True
    history: bool = True
    history_ageing: float = 0.5
    hints: bool = True
    samples: int = 0
    noise: float = 0.0
    noise_seed: int = 0
    only: str | None = None
    seed: int | None = None
    trace: int = 0


@dataclass(frozen=True, kw_only=True)
class Expectimax(StarFamily):
    """Expectimax: the best move at a player's node, the average at a chance node, and no pruning at all.

    D. Michie, *Game-Playing and Game-Learning Automata* (1966). It is what the rest of the family is measured against.
    `report.children` has the value of every move of the root.

    - the parameters are what the whole family shares; the table is off.
    """

    name: ClassVar[str] = "expectimax"
    tt_mb: int = 0
    star_etc: bool = False


@dataclass(frozen=True, kw_only=True)
class Star1(StarFamily):
    """Star1: cuts a chance node when no value of the events that are left could bring its average into the window.

    B. Ballard, *The \\*-minimax search procedure for trees containing chance nodes*, Artificial Intelligence 21 (1983),
    for events of any probability and fail-soft as T. Hauk, M. Buro and J. Schaeffer, *Rediscovering \\*-Minimax
    Search*, Computers and Games 2004, have it. Its power comes from the range of values alone.

    - the parameters are what the whole family shares.
    """

    name: ClassVar[str] = "star1"


@dataclass(frozen=True, kw_only=True)
class Star2(StarFamily):
    """Star2: before the events of a chance node are searched, one move of each is probed, which often is enough.

    B. Ballard, *The \\*-minimax search procedure for trees containing chance nodes*, Artificial Intelligence 21 (1983);
    T. Hauk, M. Buro and J. Schaeffer, *\\*-Minimax Performance in Backgammon*, Computers and Games 2004. The listing
    that they print returns wrong values; this is the repaired one.

    - `probes`: the probing factor, how many moves of each event;
    - the rest is what the whole family shares.
    """

    name: ClassVar[str] = "star2"
    probes: int = 1


@dataclass(frozen=True, kw_only=True)
class Star25(StarFamily):
    """Star2.5: several moves of each event are probed.

    B. Ballard, *The \\*-minimax search procedure for trees containing chance nodes*, Artificial Intelligence 21 (1983).

    - `probes`: the probing factor; 1 is Star2;
    - `schedule`: the first move of every event, then the second, and so on (`cyclic`), or all probes of the first event
      before those of the next (`sequential`);
    - the rest is what the whole family shares.
    """

    name: ClassVar[str] = "star25"
    probes: int = 2
    schedule: Literal["cyclic", "sequential"] = "cyclic"


@dataclass(frozen=True, kw_only=True)
class ChanceProbCut(StarFamily):
    """ChanceProbCut: Star2 that cuts a chance node when shallow searches say that its average will miss the window.

    M. Schadd, M. Winands and J. Uiterwijk, *ChanceProbCut: Forward Pruning in Chance Nodes*, CIG 2009; M. Schadd,
    *Selective Search in Games of Different Complexity*, Maastricht University (2011), chapter 5. How well a shallow
    search foretells a deep one must be known for each game: `kb.ChanceProbCut.fit("dice")` finds out; for some games it
    is there. Several checks of one depth make it Multi-ChanceProbCut.

    - `t`: between how many deviations below and above what is foretold a value is believed to lie; with `inf` the
      search is Star2; `None` for what each check says;
    - `depths`: at which depths of the events estimates are made, of those that there are checks for; empty for all;
    - `checks`: `(depth, shallow depth, t, slope, offset, deviation)`, and the least and the greatest
      `position.progress` where it belongs to a stage; empty for those that are there;
    - `safe`: forget estimates that do not cut at once, so that everything else rests on proven bounds;
    - `window`: with which window an event is searched that an estimate is known of: what decides the node and what is
      estimated, both (`intersection`) or either (`wider`, as printed), or only the first (`star1`);
    - `probes`: as for Star2; the rest is what the whole family shares.
    """

    name: ClassVar[str] = "chanceprobcut"
    t: float | None = 1.6
    depths: tuple[int, ...] = ()
    checks: tuple[tuple[float, ...], ...] = ()
    safe: bool = False
    window: Literal["intersection", "star1", "wider"] = "intersection"
    probes: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        for check in self.checks:
            if not sound_check(check):
                raise BadParameter(
                    f"checks has {check}: each is (depth, shallow depth, t, slope, offset, deviation) with a shallow "
                    "depth below the depth, a positive slope, and neither t nor deviation below zero; for a stage of "
                    "the game the least and the greatest progress follow"
                )

    def _fields(self, position: Position) -> dict[str, Any]:
        fields = super()._fields(position)
        del fields["t"], fields["depths"]
        checks = self.checks
        if not checks:
            from kibitz import probcut

            found = probcut.shipped_fit(self.name, position.game)
            if found is not None and found.chance_plies not in (None, self.chance_plies):
                raise NotSupported(
                    f"the fit of {position.game.name} was made with chance_plies={found.chance_plies}: search so, or "
                    "give other checks"
                )
            checks = found.checks() if found is not None else ()
        if not checks:
            # what no fit would cure comes first
            position._search(self.name, fields, depth=1)
            raise NotSupported(
                f"ChanceProbCut must be fitted to {position.game.name} first, to foretell values below chance nodes: "
                "kb.ChanceProbCut.fit(game) samples positions and returns the algorithm"
            )
        if self.depths:
            checks = tuple(check for check in checks if check[0] in self.depths)
        return {**fields, "checks": checks if self.t is None else with_threshold(checks, self.t)}

    @classmethod
    def fit(
        cls,
        game: Game | str,
        pairs: Sequence[tuple[int, int]] = ((1, 3), (3, 5)),
        *,
        stages: Sequence[int] = (0,),
        positions: int = 1000,
        seed: int = 0,
        workers: int | None = None,
        **fields: Any,
    ) -> ChanceProbCut:
        """ChanceProbCut for a game, fitted to sampled positions as `kb.chanceprobcut.fit` does.

        `pairs` are depths of events, shallow and deep; `stages` are the values of `position.progress` at which one
        begins. `seed` is that of the sample; `fields` are parameters of the algorithm.

        >>> import kibitz as kb
        >>> method = kb.ChanceProbCut.fit("pip-race:steady=8", [(2, 4)], positions=40, workers=0, depth=5)
        >>> [(deep, shallow) for deep, shallow, *_ in method.checks]
        [(4, 2)]
        """
        from kibitz import chanceprobcut

        algorithm = cls().replace(**fields)
        player = chanceprobcut.SEARCHER.replace(
            chance_plies=algorithm.chance_plies, noise=algorithm.noise, noise_seed=algorithm.noise_seed
        )
        found = chanceprobcut.fit(
            game, pairs, stages=stages, positions=positions, player=player, seed=seed, workers=workers
        )
        checks = found.checks()
        if not checks:
            raise NotSupported(
                f"shallow searches of {found.game} foretell nothing: ChanceProbCut needs an evaluation, and positions "
                f"that a search to depth {max(deep for _, deep in pairs)} does not solve"
            )
        return algorithm.replace(checks=checks)


@dataclass(frozen=True, kw_only=True)
class MoveFilter(Algorithm):
    """The search of GNU Backgammon: the root's moves deeper and deeper, those far behind dropped on the way.

    As T. Hauk, M. Buro and J. Schaeffer, *\\*-Minimax Performance in Backgammon*, Computers and Games 2004, describe
    it: forward pruning at the nodes of players, none at those of chance. Chance nodes count as plies; the stages go to
    depth 1, 3, 5, … and at last to `depth`.

    - `filters`: `(keep, extra, within)` after each stage: so many moves are kept in any case, and so many more if they
      are at most this much worse than the best, in units of the result; a stage with a negative `keep` is left out, and
      so are those beyond the last filter. The paper gives no numbers; these are GNU Backgammon's setting "normal";
    - `replies`: how many moves a player keeps below the root, by static evaluation; the paper: normally one;
    - `noise`, `noise_seed`: as for Star2; `seed`: breaks ties of the root's moves.
    """

    name: ClassVar[str] = "movefilter"
    depth: int | None = None
    filters: tuple[tuple[float, ...], ...] = ((0, 8, 0.16), (-1, 0, 0), (0, 2, 0.04), (-1, 0, 0))
    replies: int = 1
    noise: float = 0.0
    noise_seed: int = 0
    seed: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for row in self.filters:
            whole = len(row) == 3 and all(abs(each) < 1 << 32 and float(each).is_integer() for each in row[:2])
            if not whole or row[1] < 0 or not row[2] >= 0:
                raise BadParameter(
                    f"filters has {row}: each is (keep, extra, within), two whole numbers and a difference of values, "
                    "of which only keep may be negative, to leave the stage out"
                )


_ALGORITHMS.update({each.name: each for each in (ChanceProbCut, Expectimax, MoveFilter, Star1, Star2, Star25)})
