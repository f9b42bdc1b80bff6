"""The minimax family: one search with one node loop, and how its root and its nodes use windows.

Everything here searches to a fixed depth or deepens, and returns the value of minimax unless a selective method is
switched on; best-node search returns the best move and a bound of its value.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

from kibitz._core import Position
from kibitz.database import Database
from kibitz.errors import BadParameter, NotSupported
from kibitz.game import Game
from kibitz.search import _ALGORITHMS, Algorithm

__all__ = [
    "AlphaBeta",
    "BestNode",
    "Dual",
    "Family",
    "Minimax",
    "Mtd",
    "MultiProbCut",
    "NegaCStar",
    "NegaScout",
    "ProbCut",
    "Pvs",
    "Sss",
    "king",
    "mia",
]


@dataclass(frozen=True, kw_only=True)
class Minimax(Algorithm):
    """Minimax to `depth` plies, or to the end of the game: every line, no pruning, no memory.

    C. Shannon, *Programming a Computer for Playing Chess*, Philosophical Magazine 41 (1950). With `seed` the root's
    moves are tried in random order, so that one of several best moves is chosen at random. `threads` share the root's
    moves. It does not deepen: under a limit of nodes or seconds it needs a `depth` that it can finish.
    """

    name: ClassVar[str] = "minimax"
    depth: int | None = None
    seed: int | None = None
    threads: int = 1


@dataclass(frozen=True, kw_only=True)
class Family(Algorithm):
    """What alpha-beta and its relatives share. Every part can be switched off, and all of them combine.

    Table and deepening:

    - `fail`: `soft` returns bounds outside of the window, `hard` clamps them to it, as many listings do;
    - `deepening`, `step`: depth 1, 2, …; with `step=2` only depths of the last one's parity;
    - `tt_mb`: size of the table in megabytes, 0 for none; `tt_exact`: an unbounded table that forgets nothing instead;
    - `tt_leaves`: remember leaves, too, so that none is evaluated twice;
    - `replacement`: `two-deep`, `always`, `depth-preferred` or `two-big`;
    - `same_depth`: use only entries of exactly the depth needed, so that the value is minimax's at that depth;
    - `etc`, `etc_depth`: look all children up first, from this remaining depth on;
    - `seed`: tries the root's moves in random order, so that ties are broken at random;
    - `trace`: write down so many nodes of the last iteration; `kb.draw.tree(report)` draws them;
    - `threads`: the others fill the table that all share (lazy SMP); only one thread is deterministic;
    - `resolution`: count values in buckets of this size; the bucket found is that of the exact value;
    - `database`: an endgame database or its path; a position below the root that it has is worth its value.

    Order of moves:

    - `hash_move`: the table's move first; `killers`: then moves that cut at this ply; `countermoves`: then the reply
      that cut after the same move; `hints`: then the game's own ordering;
    - `history`: `true` (or `plain`), `relative`, `butterfly` or `false` for the rest; a good move gains `history_gain`,
      a tried one `history_tried` (functions of the depth); `history_shared` by both players; `history_ageing` is the
      factor between iterations;
    - `credit_fail_low`: credit the best move of nodes that failed low; `credit_table`: credit moves that cut by the
      table, by ETC or by multi-cut.

    Selective search, all of it off by default:

    - `null_move`: let the opponent move twice, with this reduction; `null_adaptive`: the reductions of MIA IV;
    - `multi_cut`: try so many moves less deep; a node with `multi_cut_cuts` cutoffs is cut; `multi_cut_reduction`;
      `multi_cut_everywhere`: at ALL nodes, too;
    - `late_moves`: moves after so many are searched `late_move_reduction` plies less deep first, from
      `late_move_depth` on;
    - `futility`, `futility_depth`: near the horizon, try only noisy moves when the static value is this much (a ply)
      below alpha; `razoring`, `razoring_depth`: judge such a node at once;
    - `rank_cut`: search less deep by `rank_cut_reduction` when a better move is less probable than this;
    - `checks`: ProbCut, a tuple of `(height, depth, threshold, slope, offset, deviation)` for each shallow search, with
      the least and the greatest `position.progress` added where it belongs to a stage of the game;
    - `singular`, `singular_margin`: from this remaining depth on, extend a move this much better than the others;
    - `quiescence`: follow noisy moves so many plies beyond the horizon.
    """

    depth: int | None = None
    fail: Literal["soft", "hard"] = "soft"
    deepening: bool = True
    step: int = 1
    tt_mb: int = 64
    tt_exact: bool = False
    tt_leaves: bool = False
    replacement: Literal["two-deep", "always", "depth-preferred", "two-big"] = "two-deep"
    same_depth: bool = False
    etc: bool = True
    etc_depth: int = 4
    hash_move: bool = True
    killers: bool = True
    countermoves: bool = False
    history: bool | Literal["plain", "relative", "butterfly"] = True
    history_gain: Literal["zero", "one", "depth", "square", "cube", "power"] = "power"
    history_tried: Literal["zero", "one", "depth", "square", "cube", "power"] = "power"
    history_shared: bool = False
    history_ageing: float = 0.5
    credit_fail_low: bool = False
    credit_table: bool = False
    hints: bool = True
    resolution: float = 0.0
    null_move: int = 0
    null_adaptive: bool = False
    multi_cut: int = 0
    multi_cut_cuts: int = 3
    multi_cut_reduction: int = 2
    multi_cut_everywhere: bool = False
    late_moves: int = 0
    late_move_depth: int = 3
    late_move_reduction: int = 1
    futility: float | None = None
    futility_depth: int = 1
    razoring: float | None = None
    razoring_depth: int = 2
    rank_cut: float = 0.0
    rank_cut_reduction: int = 1
    checks: tuple[tuple[float, ...], ...] = ()
    singular: int = 0
    singular_margin: float = 0.0
    quiescence: int = 0
    seed: int | None = None
    trace: int = 0
    threads: int = 1
    database: str | Database | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for check in self.checks:
            if not sound_check(check):
                raise BadParameter(
                    f"checks has {check}: each is (height, depth, threshold, slope, offset, deviation) with depth "
                    "below height, a positive slope, and neither threshold nor deviation below zero; for a stage of "
                    "the game the least and the greatest progress follow"
                )


def sound_check(check: tuple[float, ...]) -> bool:
    """Whether the numbers of a check make sense."""
    if len(check) not in (6, 8):
        return False
    height, depth, threshold, slope, offset, deviation, *stage = check
    # a stage may have no end
    whole = all(each == math.inf or float(each).is_integer() for each in (height, depth, *stage))
    heights = 0 <= depth < height <= 1000 and 0 < slope < math.inf and math.isfinite(offset)
    return whole and heights and threshold >= 0 and deviation >= 0 and (not stage or 0 <= stage[0] <= stage[1])


@dataclass(frozen=True, kw_only=True)
class AlphaBeta(Family):
    """Alpha-beta with iterative deepening, transposition table, ETC, killer moves and history heuristic.

    D. Knuth and R. Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6 (1975); S. Akl and M. Newborn
    (1977) for killers; J. Schaeffer (1983) for the history heuristic; J. Schaeffer and A. Plaat (1996) for enhanced
    transposition cutoffs; D. Breuker, J. Uiterwijk and J. van den Herik (1994) for the replacement schemes. Every part
    can be switched off. Without limits it searches until the value is proven.

    - `aspiration`: the half width of a window around the value of the last iteration, opened where the value lies
      outside; 0 for none;
    - the rest is what the whole family shares.
    """

    name: ClassVar[str] = "alphabeta"
    aspiration: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Pvs(Family):
    """Principal variation search: once a move has raised alpha, the others are tried with a null window first.

    T. Marsland and M. Campbell, *Parallel Search of Strongly Ordered Game Trees*, Computing Surveys 14 (1982).

    - `aspiration`: as for `AlphaBeta`; the rest is what the whole family shares.
    """

    name: ClassVar[str] = "pvs"
    aspiration: float = 0.0


@dataclass(frozen=True, kw_only=True)
class NegaScout(Family):
    """NegaScout: every move after the first is tried with a null window, and searched again where that is not enough.

    A. Reinefeld, *An Improvement to the Scout Tree Search Algorithm*, ICCA Journal 6 (1983). The last two plies need no
    second search.

    - `wide`: search again with the whole window and not from the value found, as some listings print it;
    - `as_printed`: compare values by their bucket of size `resolution` only, as the listing of H.-J. Chang, M.-T. Tsai
      and T.-s. Hsu (2011) is quoted: **unsound**, its error may be many times the bucket; without it `resolution` is
      sound;
    - `aspiration`: as for `AlphaBeta`; the rest is what the whole family shares.
    """

    name: ClassVar[str] = "negascout"
    wide: bool = False
    as_printed: bool = False
    aspiration: float = 0.0


@dataclass(frozen=True, kw_only=True)
class NegaCStar(Family):
    """NegaC\\*: null windows that halve the range in which the value lies.

    K. Coplan, *A Special-Purpose Machine for an Improved Search Algorithm for Deep Chess Combinations*, Advances in
    Computer Chess 3 (1982), as J.-C. Weill, *The NegaC\\* Search*, ICCA Journal 15 (1992), wrote it.

    The parameters are those that the whole family shares.
    """

    name: ClassVar[str] = "negacstar"


@dataclass(frozen=True, kw_only=True)
class Sss(Family):
    """SSS\\*: null windows that come down from the greatest value.

    G. Stockman, *A Minimax Algorithm Better than Alpha-Beta?*, Artificial Intelligence 12 (1979), as A. Plaat,
    J. Schaeffer, W. Pijls and A. de Bruin, *Best-First Fixed-Depth Minimax Algorithms*, Artificial Intelligence 87
    (1996), wrote it: alpha-beta with memory. Never more leaves than alpha-beta, given a table that forgets nothing.

    The parameters are those that the whole family shares.
    """

    name: ClassVar[str] = "sss"


@dataclass(frozen=True, kw_only=True)
class Dual(Family):
    """DUAL\\*: null windows that go up from the least value, the mirror image of SSS\\*.

    A. Reinefeld, *Spielbaum-Suchverfahren* (1989); as a sequence of null windows A. Plaat et al. (1996).

    The parameters are those that the whole family shares.
    """

    name: ClassVar[str] = "dual"


@dataclass(frozen=True, kw_only=True)
class Mtd(Family):
    """MTD(f): null windows that start at a first guess.

    A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, *Best-First Fixed-Depth Minimax Algorithms*, Artificial
    Intelligence 87 (1996).

    - `first_guess`: a result, or `previous` for the value of the iteration two plies earlier, since odd and even depths
      differ, and the static value before there is one;
    - the rest is what the whole family shares.
    """

    name: ClassVar[str] = "mtd"
    first_guess: float | Literal["previous"] = "previous"


@dataclass(frozen=True, kw_only=True)
class BestNode(Family):
    """Best-node search (fuzzified search): finds the best move, not its value, by comparing the moves with a guess.

    D. Rutko, *Fuzzified Game Tree Search*, University of Latvia (2012). `report.value` is a lower bound of the value,
    and `report.bound` says so.

    - `variant`: `candidate` (the recommended one), `raise`, or `plain`, the listing as printed, which does not give the
      published savings;
    - `next_guess`: how the guess is chosen: `previous` (`first_guess`, then what the search shows), `linear`,
      `analytic` for uniform trees of `tree_width`, `tree_depth` and `tree_values`, or `statistical` from `samples` of
      the values of the root's moves;
    - `first_guess`: a result, or `previous` for the bound of the iteration two plies earlier; `offset` is added to the
      first guess, whatever it comes from;
    - `quality`: below 1, stop at a move that is probably the best: a rule of thumb, and only at the last depth, so give
      a `depth`; `quality_test`: ask after `every-child` or, as printed, only after one that `passed`;
    - the rest is what the whole family shares.
    """

    name: ClassVar[str] = "bestnode"
    variant: Literal["candidate", "raise", "plain"] = "candidate"
    next_guess: Literal["previous", "linear", "analytic", "statistical"] = "previous"
    first_guess: float | Literal["previous"] = "previous"
    offset: float = 0.0
    tree_width: int = 0
    tree_depth: int = 0
    tree_values: int = 0
    samples: tuple[tuple[float, ...], ...] = ()
    quality: float = 1.0
    quality_test: Literal["every-child", "passed"] = "every-child"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.next_guess == "analytic" and (self.tree_width < 1 or self.tree_depth < 1 or self.tree_values < 2):
            raise BadParameter("next_guess=analytic needs tree_width, tree_depth and tree_values, as in 2, 14 and 81")
        if self.next_guess == "statistical" and not self.samples:
            raise BadParameter("next_guess=statistical needs samples: tuples of the values of the root's moves")


_Checked = TypeVar("_Checked", bound="Checked")


@dataclass(frozen=True, kw_only=True)
class Checked(Family):
    """What ProbCut and Multi-ProbCut share: alpha-beta with `checks` that have one `threshold`."""

    threshold: float | None = 1.5

    def _fields(self, position: Position) -> dict[str, Any]:
        return {**super()._fields(position), "checks": self._made(position)}

    def _made(self, position: Position) -> tuple[tuple[float, ...], ...]:
        """The checks that a search of a position makes."""
        checks = self.checks
        if not checks:
            from kibitz import probcut

            checks = probcut.shipped(self.name, position.game)
        if not checks:
            # what no fit would cure comes first
            position._search(self.name, super()._fields(position), depth=1)
            title = type(self).__name__
            raise NotSupported(
                f"{title} must be fitted to {position.game.name} first: kb.{title}.fit(game) samples positions and "
                "returns the algorithm"
            )
        return checks if self.threshold is None else with_threshold(checks, self.threshold)

    @classmethod
    def _fitted(
        cls: type[_Checked],
        game: Game | str,
        pairs: Sequence[tuple[int, int]],
        fields: dict[str, Any],
        **sampling: Any,
    ) -> _Checked:
        """The algorithm with the checks that its own search foretells."""
        from kibitz import probcut

        algorithm = cls().replace(**fields)
        shared = {name: value for name, value in vars(algorithm).items() if name not in _NOT_FITTED}
        player = AlphaBeta(**{**shared, "tt_mb": 8, "same_depth": True})
        found = probcut.fit(game, pairs, player=player, **sampling)
        checks = found.checks()
        if not checks:
            raise NotSupported(
                f"shallow searches of {found.game} foretell nothing: {cls.__name__} needs an evaluation, and positions "
                f"that a search to depth {max(deep for _, deep in pairs)} does not solve"
            )
        return algorithm.replace(checks=checks)


_NOT_FITTED = ("depth", "nodes", "seconds", "checks", "threshold", "seed", "trace", "threads")
"""What a search that is only asked for values has no use for."""


@functools.lru_cache(maxsize=256)
def with_threshold(checks: tuple[tuple[float, ...], ...], threshold: float) -> tuple[tuple[float, ...], ...]:
    """The checks with one threshold for all."""
    return tuple((*check[:2], threshold, *check[3:]) for check in checks)


@dataclass(frozen=True, kw_only=True)
class ProbCut(Checked):
    """ProbCut: alpha-beta that cuts a node when a shallow search says that the deep one will miss the window.

    M. Buro, *ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm*, ICCA Journal 18 (1995). One height
    is checked by one depth, throughout the game: 8 by 4, as published. How well the one foretells the other must be
    known for each game: `kb.ProbCut.fit("breakthrough")` finds out; for othello it is there.

    - `threshold`: how many deviations the foretold value must lie outside of the window; with `inf` nothing is cut, and
      the search is `AlphaBeta`; `None` for what the check says;
    - `checks`: the check, `(height, depth, threshold, slope, offset, deviation)`; empty for the one that is there;
    - the rest is what the whole family shares.
    """

    name: ClassVar[str] = "probcut"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.checks) > 1 or any(len(check) > 6 for check in self.checks):
            raise BadParameter("ProbCut has one check, throughout the game; MultiProbCut has any number, and stages")

    @classmethod
    def fit(
        cls,
        game: Game | str,
        shallow: int = 4,
        deep: int = 8,
        *,
        positions: int = 1000,
        seed: int = 0,
        workers: int | None = None,
        **fields: Any,
    ) -> ProbCut:
        """ProbCut for a game, fitted to sampled positions as `kb.probcut.fit` does.

        `seed` is that of the sample; `fields` are parameters of the algorithm.

        >>> import kibitz as kb
        >>> method = kb.ProbCut.fit("breakthrough:rows=6,cols=6", 1, 3, positions=50, workers=0, depth=5)
        >>> [(height, depth) for height, depth, *_ in method.checks]
        [(3, 1)]
        """
        return cls._fitted(game, ((shallow, deep),), fields, positions=positions, seed=seed, workers=workers)


@dataclass(frozen=True, kw_only=True)
class MultiProbCut(Checked):
    """Multi-ProbCut: ProbCut at many heights, by several depths, with numbers of its own for every stage of the game.

    M. Buro, *Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello*, NEC Research
    Institute (1997). At a node the checks of its height and of the stage of its own position are made from shallow to
    deep. They must be known for each game: `kb.MultiProbCut.fit("breakthrough")` finds them; for othello they are
    there.

    - `threshold`: how many deviations the foretold value must lie outside of the window; with `inf` nothing is cut, and
      the search is `AlphaBeta`; `None` for what each check says, since the published tables have one for each;
    - `checks`: `(height, depth, threshold, slope, offset, deviation)`, and the least and the greatest
      `position.progress` where it belongs to a stage; empty for those that are there;
    - the rest is what the whole family shares.
    """

    name: ClassVar[str] = "multiprobcut"

    @classmethod
    def fit(
        cls,
        game: Game | str,
        pairs: Sequence[tuple[int, int]] = ((1, 3), (2, 4), (3, 5), (2, 6), (4, 6), (3, 7), (4, 8)),
        *,
        stages: Sequence[int] = (0,),
        positions: int = 1000,
        seed: int = 0,
        workers: int | None = None,
        **fields: Any,
    ) -> MultiProbCut:
        """Multi-ProbCut for a game, fitted to sampled positions as `kb.probcut.fit` does.

        `pairs` are depths, shallow and deep; `stages` are the values of `position.progress` at which one begins. `seed`
        is that of the sample; `fields` are parameters of the algorithm.
        """
        return cls._fitted(game, tuple(pairs), fields, stages=stages, positions=positions, seed=seed, workers=workers)


def mia(**changes: Any) -> Pvs:
    """MIA IV, the Lines of Action engine of the relative history heuristic, as far as it is published.

    M. Winands, E. van der Werf, J. van den Herik and J. Uiterwijk, *The Relative History Heuristic*, Computers and
    Games 2004: principal variation search with a table of 2²¹ double entries, ETC more than two plies above the leaves,
    adaptive null moves and multi-cut at CUT and ALL nodes, killers, relative history with increments d² and 2^d, and
    quiescence search. The parameters of multi-cut are not printed; these are Björnsson and Marsland's. Keyword
    arguments replace fields: `kb.mia(depth=8, history="plain")`.
    """
    engine = Pvs(
        tt_mb=128,
        etc_depth=3,
        history="relative",
        history_gain="square",
        history_tried="power",
        credit_fail_low=True,
        credit_table=True,
        null_move=2,
        null_adaptive=True,
        multi_cut=10,
        multi_cut_cuts=3,
        multi_cut_reduction=2,
        multi_cut_everywhere=True,
        quiescence=16,
    )
    return engine.replace(**changes)


def king(**changes: Any) -> AlphaBeta:
    """The alpha-beta player of a thesis on Crossings and Epaminondas, as far as it is published.

    D. King, *Complexity, Heuristic, and Search Analysis for the Games of Crossings and Epaminondas*, Air Force
    Institute of Technology (2014): a fixed depth without deepening, moves ordered by the table, by killers and by
    history, and a table that always keeps the newer entry and remembers leaves. Depth 3 met Monte-Carlo search; depth 5
    played Crossings for its complexity. The size of the table is not printed. Here killers and history begin anew with
    each move of the game. Keyword arguments replace fields: `kb.king(depth=5)`.
    """
    engine = AlphaBeta(depth=3, deepening=False, tt_mb=8, tt_leaves=True, replacement="always", etc=False)
    return engine.replace(**changes)


_ALGORITHMS.update(
    {
        each.name: each
        for each in (AlphaBeta, BestNode, Dual, Minimax, Mtd, MultiProbCut, NegaCStar, NegaScout, ProbCut, Pvs, Sss)
    }
)
