"""Searches of one player for the best line of a puzzle: what counts is the best game seen and not the value of a move.

`report.value` is the score of the best game, `report.line` all of its moves. Each better game is told to `progress` as
soon as it is found, so that whoever interrupts a search has the best of what it has seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from kibitz._core import Position
from kibitz.errors import BadParameter
from kibitz.game import Game
from kibitz.search import _ALGORITHMS, Algorithm, _some_simulations

__all__ = [
    "AStar",
    "BeamSearch",
    "IdaStar",
    "NestedMonteCarlo",
    "NestedRollout",
    "SimulatedAnnealing",
    "SpMcts",
    "schadd",
    "suited",
]

_MANUAL: dict[str, Any] = {"c": 0.1, "d": 32.0, "threshold": 10, "w": 0.02, "epsilon": 0.003, "control": "game"}

PRESETS: dict[str, dict[str, Any]] = {
    "exploitation": _MANUAL,
    "balanced": {**_MANUAL, "c": 0.5, "d": 10_000.0},
    "exploration": {**_MANUAL, "c": 1.0, "d": 20_000.0},
    "cem-game": {"c": 5.96, "d": 67.98, "threshold": 13, "w": 0.49, "epsilon": 0.00007, "control": "game"},
    "cem-move": {"c": 4.31, "d": 96.67, "threshold": 11, "w": 0.28, "epsilon": 0.00007, "control": "move"},
}
"""The published parameters of SP-MCTS: table 3.2 of the thesis, and those of the cross-entropy method, table 3.4."""


@dataclass(frozen=True, kw_only=True)
class SpMcts(Algorithm):
    """Single-player Monte-Carlo tree search: follows the mean, the deviation and the best result behind a move.

    M. Schadd, M. Winands, J. van den Herik, G. Chaslot and J. Uiterwijk, *Single-Player Monte-Carlo Tree Search*,
    Computers and Games 2008; M. Schadd, M. Winands, M. Tak and J. Uiterwijk, *Single-player Monte-Carlo tree search for
    SameGame*, Knowledge-Based Systems 34 (2012). The move with the greatest v + C·√(ln n / nᵢ) +
    √((Σr² − nᵢ·v² + D) / nᵢ) is followed, where v is the mean plus W times the best result.

    - `preset`: the published parameters: `exploitation`, `balanced` and `exploration` are set by hand, `cem-game` and
      `cem-move` by the cross-entropy method; `c`, `d`, `threshold`, `w`, `epsilon` and `control` replace single ones;
    - `c`, `d`, `w`: the constants C, D and W; `deviation=False` leaves out the third term;
    - `threshold`: T, below so many visits the playout strategy chooses the move, inside of the tree too;
    - `playout`, `epsilon`: the playout strategy of the game by name, `random` or its first (`None`), and the
      probability of a random move instead;
    - `result_scale`: results are divided by this before they enter the formula. The published constants may belong to
      results on another scale than the game's points, but the thesis gives none;
    - `untried`: moves that are not in the tree are tried at `random`, or those first that the strategy prefers
      (`preferred`); `plan`: the strategy settles its plan, such as a tabu colour, at the `leaf` or at the `root`;
    - `control`: one search with the whole budget (`game`), or one before each `move` of a game of `game_length` moves;
      then `final_move` is the next move of the `best-line` known, the one with the highest result (`top`) or mean
      (`max`), or with the most visits (`robust`), and `keep_tree` goes on with the tree behind it;
    - `tree_nodes`: a search ends with so many nodes in memory; `memory_mb`: or when these are full. It also ends when
      1,000 playouts have added none;
    - `restarts`: so many searches with different random numbers share the budget and the `threads`; `None` for as many
      as the limits allow, each until its tree is full.

    Without limits it stops after 10,000 playouts.
    """

    name: ClassVar[str] = "spmcts"
    simulations: int | None = None
    preset: Literal["exploitation", "balanced", "exploration", "cem-game", "cem-move"] = "exploitation"
    c: float | None = None
    d: float | None = None
    deviation: bool = True
    w: float | None = None
    threshold: int | None = None
    playout: str | None = None
    epsilon: float | None = None
    result_scale: float = 1.0
    untried: Literal["random", "preferred"] = "random"
    plan: Literal["leaf", "root"] = "leaf"
    control: Literal["game", "move"] | None = None
    game_length: float = 64.4
    final_move: Literal["best-line", "top", "max", "robust"] = "best-line"
    keep_tree: bool = False
    tree_nodes: int | None = None
    restarts: int | None = 1
    memory_mb: int = 256
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.result_scale <= 0:
            raise BadParameter(f"result_scale={self.result_scale} must be greater than 0")

    def _fields(self, position: Position) -> dict[str, Any]:
        fields = super()._fields(position)
        published = PRESETS[fields.pop("preset")]
        return {**fields, **{name: value for name, value in published.items() if fields[name] is None}}

    def _limits(self) -> dict[str, Any]:
        limits = super()._limits()
        return limits if self.tree_nodes is not None else _some_simulations(limits)


@dataclass(frozen=True, kw_only=True)
class NestedMonteCarlo(Algorithm):
    """Nested Monte-Carlo search: tries every move with a search of the level below, and follows the best game seen.

    T. Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009. A search of level 0 is a playout.

    - `level`: the level of the search; each one more costs some hundred times as much;
    - `memorise`: follow the best game of the whole search; without it, the best one of the last round;
    - `playout`, `epsilon`: the playout strategy of the game by name, `random` or its first (`None`), and the
      probability of a random move instead;
    - `restarts`: so many searches with different random numbers; `None` for as many as the limits allow, and one for
      each thread without limits;
    - `threads`: so many searches at a time.
    """

    name: ClassVar[str] = "nestedmontecarlo"
    simulations: int | None = None
    level: int = 2
    memorise: bool = True
    playout: str | None = None
    epsilon: float = 0.0
    restarts: int | None = None
    seed: int = 0
    threads: int = 1


@dataclass(frozen=True, kw_only=True)
class NestedRollout(Algorithm):
    """Nested rollout policy adaptation (NRPA): learns, level by level, to play the moves of the best game seen.

    C. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, IJCAI 2011; generalized with a bias by T.
    Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020; stabilized by T. Cazenave, J.-B. Sevestre and M.
    Toulemont, 2021; with limited repetitions by T. Cazenave, 2024. A move is known by its code, which the game gives.

    - `level`, `iterations`: a search makes so many searches of the level below; a search of level 0 is a playout;
    - `alpha`: the step of the adaptation;
    - `playouts`: so many before each adaptation on the lowest level (stabilized NRPA);
    - `bias`: the weight of the bias, where the game has one (generalized NRPA);
    - `repetitions`: a search ends when its best game was found again more often than this; `None` for never;
    - `playout`: playouts choose from the moves that this strategy of the game would make; `random` for all moves,
      `None` for the first strategy of the game;
    - `restarts`: so many searches with different random numbers; `None` for as many as the limits allow, and one for
      each thread without limits;
    - `threads`: so many searches at a time.
    """

    name: ClassVar[str] = "nestedrollout"
    simulations: int | None = None
    level: int = 3
    iterations: int = 100
    alpha: float = 1.0
    playouts: int = 1
    bias: float = 1.0
    repetitions: int | None = None
    playout: str | None = None
    restarts: int | None = None
    seed: int = 0
    threads: int = 1


@dataclass(frozen=True, kw_only=True)
class SimulatedAnnealing(Algorithm):
    """Simulated annealing: changes one line again and again, and keeps worse lines now and then while it is hot.

    S. Kirkpatrick, C. Gelatt and M. Vecchi, *Optimization by Simulated Annealing*, Science 220 (1983). A change makes
    one more move somewhere in the line, makes a move at another time, or leaves one out. The moves behind it are made
    as far as they are still there, where the game knows what a move is: in SameGame a block, wherever it has fallen. A
    playout ends the game. A worse line is kept with probability e^(-loss / temperature).

    - `changes`: of the shortest annealing; the lengths are this times 1, 1, 2, 1, 1, 2, 4, … (M. Luby, A. Sinclair and
      D. Zuckerman, *Optimal Speedup of Las Vegas Algorithms*, 1993);
    - `hot`, `cold`: the temperature at the beginning and at the end; `None` for what the game says, and for an eighth;
    - `insert`, `leave_out`: the shares of changes that make one more move and that leave one out;
    - `playout`: how other moves are chosen, a strategy of the game; `random` for uniformly random moves, `None` for its
      first strategy; with probability `epsilon` such a move is any;
    - `restarts`: so many annealings with different random numbers; `None` for as many as the limits allow, and one for
      each thread without limits. The last one cools down as fast as the limits ask for;
    - `threads`: so many annealings at a time.
    """

    name: ClassVar[str] = "simulatedannealing"
    simulations: int | None = None
    changes: int = 300_000
    hot: float | None = None
    cold: float | None = None
    insert: float = 0.5
    leave_out: float = 0.05
    playout: str | None = None
    epsilon: float = 0.1
    restarts: int | None = None
    seed: int = 0
    threads: int = 1


@dataclass(frozen=True, kw_only=True)
class BeamSearch(Algorithm):
    """Beam search: layer by layer, only the positions with the highest potential are expanded.

    B. Lowerre, *The Harpy Speech Recognition System*, thesis, Carnegie Mellon 1976. Of positions from which the game
    goes on in the same way only the one with the most points is kept.

    - `width`: how many positions of a layer are expanded; `None`: `first_width`, then twice as many in each pass, until
      the limits are reached (1,024 without any). A beam that drops nothing proves its result;
    - `potential`: by which positions are ordered, by its name in the game; `None` for the first, or the evaluation;
    - `layers`: positions after equally many `moves`, or with the same `progress` of the game where it knows one;
    - `per_parent`: at most so many children of one position; 0 for all;
    - `noise`: a random number up to this is added to each potential, another one in each pass;
    - `refine`: passes of one width (300) that begin at random positions of the best line known so far, until the
      limits are reached; each on a thread of its own, which first makes one of the `first_width` from the beginning;
    - `memory_mb`: for positions; where they do not fit the beam is made narrower;
    - `threads`: expand positions together. Without `refine` the result does not depend on their number.
    """

    name: ClassVar[str] = "beamsearch"
    width: int | None = None
    first_width: int = 64
    potential: str | None = None
    layers: Literal["moves", "progress"] = "progress"
    per_parent: int = 0
    noise: float = 0.0
    refine: bool = False
    memory_mb: int = 1024
    seed: int = 0
    threads: int = 1


@dataclass(frozen=True, kw_only=True)
class AStar(Algorithm):
    """A\\*: expands the position with the highest upper bound, so that the first finished game among them is the best.

    P. Hart, N. Nilsson and B. Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968.
    The bound is the one that the game knows; with a poor one it is breadth-first search, for small puzzles only.

    - `memory_mb`: for positions; the search ends when it is full.

    Without limits it searches until the best game is proven or the memory is full. `report.stats` has the
    `upper_bound` of what could still be found.
    """

    name: ClassVar[str] = "astar"
    memory_mb: int = 1024


@dataclass(frozen=True, kw_only=True)
class IdaStar(Algorithm):
    """IDA\\*: searches depth first for a game that reaches an upper bound, which it lowers after each failure.

    R. Korf, *Depth-First Iterative-Deepening: An Optimal Admissible Tree Search*, Artificial Intelligence 27 (1985). It
    needs no memory, and searches again with each bound.

    - `tt_mb`: memory for positions that were searched in vain with the same bound; 0 for none, as published.

    Without limits it searches until the best game is proven. `report.stats` has the `upper_bound` of what could still
    be found.
    """

    name: ClassVar[str] = "idastar"
    tt_mb: int = 0


def schadd(version: int = 1, **changes: Any) -> SpMcts:
    """The three programs of the thesis that introduced SP-MCTS, for its table of twenty positions of SameGame.

    M. Schadd, *Selective Search in Games of Different Complexity*, thesis, Maastricht 2011, table 3.6: version 1 makes
    1,000 searches of 100,000 nodes with the parameters found by hand, version 2 spends its time move by move, and
    version 3 does so with the parameters of the cross-entropy method. The thesis gave each two hours a position:
    versions 2 and 3 need a limit. Keyword arguments replace fields: `kb.schadd(2, seconds=60)`.

    >>> schadd(3, seconds=60).spec
    'spmcts:seconds=60,preset=cem-move'
    """
    if version not in (1, 2, 3):
        raise BadParameter(f"there are versions 1, 2 and 3 of SP-MCTS, not {version!r}")
    program = {
        1: SpMcts(restarts=1000, tree_nodes=100_000),
        2: SpMcts(control="move"),
        3: SpMcts(preset="cem-move"),
    }[version]
    return program.replace(**changes)


_SUITED: dict[str, tuple[tuple[Algorithm, float], ...]] = {
    "gaps": ((NestedRollout(level=3), 1.0),),
    "morpion": ((NestedRollout(level=4), 1.0),),
    "samegame": ((SimulatedAnnealing(), 1.0),),
}


def suited(game: Game) -> tuple[tuple[Algorithm, float], ...]:
    """What did best on a game for one player within a minute on two cores: searches with their shares of the time.

    `kibitz optimise` runs them one after the other unless it is told which searches to use.
    """
    return _SUITED.get(game.name, ((NestedRollout(), 1.0),))


_ALGORITHMS.update(
    {
        each.name: each
        for each in (AStar, BeamSearch, IdaStar, NestedMonteCarlo, NestedRollout, SimulatedAnnealing, SpMcts)
    }
)
