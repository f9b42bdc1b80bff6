"""Search algorithms as frozen, keyword-only objects, and the report that every search returns."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from kibitz._core import Memory, Position
from kibitz.database import database_for
from kibitz.errors import BadParameter, CorruptDatabase
from kibitz.game import parse_call
from kibitz.options import Options, seen_with
from kibitz.session import Session
from kibitz.tree import Tree, tree_of

__all__ = [
    "Algorithm",
    "Child",
    "FlatMonteCarlo",
    "Iteration",
    "Playouts",
    "Random",
    "Report",
    "Simulation",
    "algorithm",
    "algorithms",
    "perft",
    "playouts",
]


class Iteration(NamedTuple):
    """One completed step of a search: a depth of iterative deepening, or a power of two of simulations."""

    depth: int
    value: float
    nodes: int
    seconds: float
    pv: tuple[Any, ...]


class Child(NamedTuple):
    """A move of the root with what the search found out about it.

    `error` is what the search expects to lose by not playing this move; `None` for the move played, and where the
    method does not estimate it.
    """

    move: Any
    visits: int
    value: float
    error: float | None = None


@dataclass(frozen=True)
class Report:
    """The answer of a search.

    `value` is in units of the game's result and in the view of the player to move (of the first player when the game is
    over or chance is to move); `values` has the value of each player, where the search has one for everybody; `bound`
    says whether it is exact, a bound or an estimate; `proven` says that it is the game-theoretic value. `nodes` counts
    positions visited, the root included. `stats` holds counters that belong to the algorithm; `depths` counts the
    simulations that left the tree of a Monte-Carlo search at each depth, or the nodes of an exhaustive one. `tree` has
    the nodes of the last iteration, or the most visited ones, where the search had `trace=`; `tree(2)` is its top.
    """

    best: Any
    value: float = math.nan
    pv: tuple[Any, ...] = ()
    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0
    stats: Mapping[str, float] = field(default_factory=dict)
    bound: Literal["exact", "lower", "upper", "estimate"] = "exact"
    values: tuple[float, ...] = ()
    proven: bool = False
    history: tuple[Iteration, ...] = field(default=(), repr=False)
    children: tuple[Child, ...] = field(default=(), repr=False)
    depths: tuple[int, ...] = field(default=(), repr=False)
    tree: Tree | None = field(default=None, repr=False)

    @property
    def line(self) -> tuple[Any, ...]:
        """The principal variation; of a search of one player, all moves of the best game."""
        return self.pv

    @property
    def nps(self) -> float:
        """Nodes per second."""
        return self.nodes / self.seconds if self.seconds > 0 else math.inf

    def _repr_html_(self) -> str:
        from kibitz.draw.report import report_html

        return report_html(self)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON; moves become texts."""

        def plain(value: Any) -> Any:
            return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)

        return {
            **vars(self),
            "best": plain(self.best),
            "pv": [plain(move) for move in self.pv],
            "stats": dict(self.stats),
            "depths": list(self.depths),
            "values": list(self.values),
            "history": [{**step._asdict(), "pv": [plain(move) for move in step.pv]} for step in self.history],
            "children": [{**child._asdict(), "move": plain(child.move)} for child in self.children],
            "tree": None if self.tree is None else self.tree.as_dict(),
        }


def _iteration(step: Mapping[str, Any]) -> Iteration:
    return Iteration(step["depth"], step["value"], step["nodes"], step["seconds"], tuple(step["pv"]))


_Self = TypeVar("_Self", bound="Algorithm")

_LIMITS = ("depth", "nodes", "simulations", "seconds")
_NOT_NATIVE = (*_LIMITS, "options")


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """What all search algorithms share: limits, `search`, and a text form such as `alphabeta:depth=8`.

    `options` are options of the game that this player searches with, where they differ from the position's:
    `kb.AlphaBeta(depth=3, options={"evaluation": "schadd"})`, or `alphabeta:depth=3,options.evaluation=schadd`.
    """

    name: ClassVar[str]
    nodes: int | None = None
    seconds: float | None = None
    options: Mapping[str, Any] = Options()

    def __post_init__(self) -> None:
        own = vars(self)
        if not isinstance(self.options, Options):
            object.__setattr__(self, "options", Options(self.options))
        if self.options and type(self).search is not Algorithm.search:
            raise BadParameter(f"{type(self).__name__} searches by itself, so it cannot take options of the game")
        for name, kind in _kinds(type(self)):
            _check(name, own[name], kind)

    def search(
        self, position: Position, *, progress: Callable[[Iteration], object] | None = None, **changes: Any
    ) -> Report:
        """Searches a position. Keyword arguments replace fields for this search; `progress` is told of each step."""
        return self._search(position, progress, changes, None)

    def session(self) -> Session:
        """The algorithm for one game, in which a search may go on with what the last one left."""
        return Session(self)

    def _search(
        self,
        position: Position,
        progress: Callable[[Iteration], object] | None,
        changes: Mapping[str, Any],
        memory: Memory | None,
    ) -> Report:
        _position(position, "search")
        chosen = self.replace(**changes) if changes else self
        if chosen.options:
            position = seen_with(chosen.options, position)
        fields = chosen._fields(position)
        database = fields.get("database")
        if database is not None:
            database = database_for(database, position.game)
            fields["database"] = database._native
        limits = chosen._limits()

        def tell(step: Mapping[str, Any]) -> None:
            if progress is not None:
                progress(_iteration(step))

        found = position._search(self.name, fields, progress=tell if progress else None, memory=memory, **limits)
        if database is not None and database.damage is not None:
            raise CorruptDatabase(database.damage)
        found["pv"] = tuple(found["pv"])
        found["history"] = tuple(map(_iteration, found["history"]))
        found["children"] = tuple(map(Child._make, found["children"]))
        if "tree" in found:
            found["tree"] = tree_of(found["tree"])
        return Report(**found)

    def _fields(self, position: Position) -> dict[str, Any]:  # noqa: ARG002
        """What the native search of a position is told besides the limits."""
        return {name: value for name, value in vars(self).items() if name not in _NOT_NATIVE}

    def _limits(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name in _LIMITS}

    def replace(self: _Self, **changes: Any) -> _Self:
        """The same algorithm with other parameters."""
        known = {each.name for each in dataclasses.fields(self)}
        for name in changes:
            if name not in known:
                have = ", ".join(sorted(known))
                raise BadParameter(f"{type(self).__name__} has no parameter {name!r}; it has {have}")
        return dataclasses.replace(self, **changes)

    @property
    def spec(self) -> str:
        """The algorithm as the command line writes it: `alphabeta:depth=8`."""
        given = [
            f"{each.name}={_write(value)}"
            for each in dataclasses.fields(self)
            if (value := getattr(self, each.name)) != each.default and each.name != "options"
        ]
        given += [f"options.{name}={_write(value)}" for name, value in self.options.items()]
        return self.name + (":" + ",".join(given) if given else "")

    def __str__(self) -> str:
        return self.spec


def _write(value: Any) -> str:
    if isinstance(value, tuple):
        return "+".join("/".join(map(str, row)) if isinstance(row, tuple) else str(row) for row in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


_LOWEST: dict[str, float] = {
    "candidates": 1,
    "changes": 1,
    "etc_depth": 1,
    "expansion_threshold": 1,
    "first_guess": -(1 << 31),
    "first_width": 1,
    "game_length": 1,
    "horizon": 1,
    "iterations": 1,
    "memory_mb": 1,
    "minimum": 2,
    "most": 2,
    "multi_cut_cuts": 1,
    "nodes": 1,
    "offset": -(1 << 31),
    "playouts": 1,
    "probes": 1,
    "replies": 1,
    "restarts": 1,
    "simulations": 1,
    "step": 1,
    "table": 1,
    "threads": 1,
    "tree_nodes": 2,
    "widening": 1,
    "width": 1,
}
_HIGHEST: dict[str, float] = {
    "candidates": 1 << 32,
    "depth": 1000,
    "epsilon": 1,
    "etc_depth": 1000,
    "expansion_threshold": (1 << 32) - 1,
    "first_guess": 1 << 31,
    "first_width": 1 << 30,
    "futility_depth": 1000,
    "history_ageing": 1,
    "horizon": 5000,
    "implicit_minimax": 1,
    "insert": 1,
    "iterations": (1 << 32) - 1,
    "last_good_reply": 2,
    "late_move_depth": 1000,
    "late_move_reduction": 1000,
    "late_moves": 1000,
    "leave_out": 1,
    "level": 20,
    "memory_mb": 1 << 20,
    "minimum": 1 << 32,
    "most": 1 << 20,
    "multi_cut": 1000,
    "multi_cut_cuts": 1000,
    "multi_cut_reduction": 1000,
    "null_move": 1000,
    "offset": 1 << 31,
    "per_parent": (1 << 32) - 1,
    "playout_bound": 1,
    "playouts": (1 << 32) - 1,
    "probes": 1000,
    "quality": 1,
    "quiescence": 200,
    "rank_cut": 1,
    "rank_cut_reduction": 1000,
    "razoring_depth": 1000,
    "repetitions": (1 << 32) - 1,
    "replies": 1000,
    "samples": 1_000_000,
    "singular": 1000,
    "step": 1000,
    "threads": 1024,
    "trace": 1_000_000,
    "tree_depth": 1000,
    "tree_values": 1 << 20,
    "tree_width": 255,
    "tt_mb": 1 << 20,
    "widen_after": 1 << 32,
    "widening": 1 << 20,
    "width": 1 << 30,
}

_UNBOUNDED = {"t", "threshold"}
"""Numbers that may be infinite."""


def _shown(value: object) -> str:
    """A value for a message, however long its text is."""
    try:
        text = repr(value)
    except ValueError:
        return "a huge number"
    return text if len(text) <= 40 else text[:40] + "…"


_CHECKED = {"int", "float", "bool", "str", "None"}
"""The types of parameters that we know."""


class _Kind(NamedTuple):
    """What a field may be, read from its annotation."""

    text: str
    names: frozenset[str]
    words: tuple[str, ...]

    @property
    def only_words(self) -> bool:
        """Whether it must be one of the words."""
        return bool(self.words) and self.text.startswith("Literal") and "|" not in self.text

    @property
    def rows(self) -> bool:
        """Whether it is a table of numbers."""
        return self.text == "tuple[tuple[float, ...], ...]"

    @property
    def row(self) -> bool:
        """Whether it is a row of whole numbers."""
        return self.text == "tuple[int, ...]"

    def asked(self) -> str:
        """What is asked for, in words."""
        if self.rows:
            return "a tuple of tuples of numbers"
        if self.row:
            return "a tuple of whole numbers, zero or more"
        known = {"int": "a whole number", "float": "a number", "bool": "true or false", "None": "None"}
        return " or ".join(known.get(part.strip(), part.strip()) for part in self.text.split("|"))


_KINDS: dict[type[Algorithm], tuple[tuple[str, _Kind], ...]] = {}


def _kinds(algorithm: type[Algorithm]) -> tuple[tuple[str, _Kind], ...]:
    """The fields of an algorithm with what they may be, read once."""

    def kind(written: Any) -> _Kind:
        # The annotation itself, in a module that does not postpone their evaluation.
        text = written.__name__ if isinstance(written, type) else str(written)
        words = re.findall(r"[\"']([^\"']+)[\"']", text)
        return _Kind(text, frozenset(part.strip() for part in text.split("|")), tuple(words))

    if algorithm not in _KINDS:
        _KINDS[algorithm] = tuple((each.name, kind(each.type)) for each in dataclasses.fields(algorithm))
    return _KINDS[algorithm]


def _numbers(row: tuple[Any, ...]) -> bool:
    """Whether all of them are numbers; one of them may be infinite."""
    return all(isinstance(each, (int, float)) and not isinstance(each, bool) and each == each for each in row)


def _check(name: str, value: Any, kind: _Kind) -> None:
    """Refuses a value of the wrong type or out of range, in words. Types of a player's own are its own business."""
    wrong = None
    if not kind.words and not kind.rows and not kind.row and not kind.names <= _CHECKED:
        return
    if value is None:
        if "None" not in kind.names:
            wrong = "is not allowed"
    elif (isinstance(value, str) and kind.words) or kind.only_words:
        if value not in kind.words:
            wrong = f"is not one of {', '.join(kind.words)}"
    elif isinstance(value, tuple):
        rows = kind.rows and all(isinstance(row, tuple) and _numbers(row) for row in value)
        row = kind.row and all(isinstance(each, int) and not isinstance(each, bool) and each >= 0 for each in value)
        if not rows and not row:
            wrong = f"must be {kind.asked()}"
    elif isinstance(value, bool):
        if "bool" not in kind.names:
            wrong = "must be a number"
    elif isinstance(value, int):
        low, high = _LOWEST.get(name, 0), _HIGHEST.get(name, (1 << 64) - 1)
        if "int" not in kind.names and "float" not in kind.names:
            wrong = f"must be {kind.asked()}"
        elif not low <= value <= high:
            wrong = f"is out of range: {low} to {high}"
    elif isinstance(value, float):
        if "float" not in kind.names:
            wrong = "must be a whole number"
        elif value == math.inf and name in _UNBOUNDED:
            return
        elif not (math.isfinite(value) and value >= min(_LOWEST.get(name, 0), 0)):
            wrong = "must be a finite number" + ("" if _LOWEST.get(name, 0) < 0 else ", zero or more")
        elif value > (high := _HIGHEST.get(name, math.inf)):
            wrong = f"is out of range: {_LOWEST.get(name, 0)} to {high}"
    elif not (isinstance(value, str) and "str" in kind.names):
        wrong = f"must be {kind.asked()}"
    if wrong is not None:
        raise BadParameter(f"{name}={_shown(value)} {wrong}")


@dataclass(frozen=True, kw_only=True)
class Random(Algorithm):
    """Picks every legal move with the same probability; the choice depends on `seed` and on the position.

    The yardstick below everything. Of a game with hidden cards it sees no more than the player to move.
    """

    name: ClassVar[str] = "random"
    seed: int = 0


def _some_simulations(limits: dict[str, Any]) -> dict[str, Any]:
    # Not a default of the field: `uct:seconds=2` and `Uct().search(pos, seconds=2)` must not keep it.
    return limits if any(value is not None for value in limits.values()) else {**limits, "simulations": 10_000}


@dataclass(frozen=True, kw_only=True)
class Simulation(Algorithm):
    """Tries every move on the same random continuations and gives the trials to the moves in question.

    B. Sheppard, *Efficient Control of Selective Simulations*, Computers and Games 2004. It plays any number of players,
    games of chance and games with hidden information, of which it guesses what it cannot see. The best mean is played.

    - `candidates`: how many moves take part in the beginning, the best by the evaluation after them; `None` for all;
    - `widen_after`: the next move joins when every other one has as many trials; 0 for never;
    - `scheduler`: the next trial goes to the move with the greatest `expected-loss`, with the smallest `ratio` of lead
      to deviation, with the highest upper confidence bound (`ucb1`), or to all in turn (`round-robin`);
    - `minimum`, `epsilon`: the trials that every move gets first, and the share of trials for random moves;
    - `c`: the weight of exploration with `ucb1`, for results scaled to [0, 1];
    - `sigmas`: prune a move that is worse by more than so many standard deviations, and stop when one is left;
    - `tolerance`: stop when the moves in question differ by no more than this share of the range of results;
    - `bound`: stop when the simulations that are left cannot change the answer;
    - `horizon`: evaluate after so many plies instead of playing to the end;
    - `compensate`: take the luck of chance, as the evaluation measures it, out of every outcome;
    - `memory_mb`: what the outcomes may use; the search ends when it is full;
    - `threads`: as many simulations side by side, each with its own continuations, added up at the end.

    Without limits it stops after 10,000 simulations. `None` switches a rule off.
    """

    name: ClassVar[str] = "simulation"
    simulations: int | None = None
    candidates: int | None = None
    widen_after: int = 20
    scheduler: Literal["expected-loss", "ratio", "round-robin", "ucb1"] = "expected-loss"
    minimum: int = 8
    epsilon: float = 0.05
    c: float = math.sqrt(2)
    sigmas: float | None = 6.0
    tolerance: float | None = 0.001
    bound: bool = True
    horizon: int | None = None
    compensate: bool = False
    memory_mb: int = 256
    seed: int = 0
    threads: int = 1

    def _limits(self) -> dict[str, Any]:
        return _some_simulations(super()._limits())


@dataclass(frozen=True, kw_only=True)
class FlatMonteCarlo(Algorithm):
    """Plays random games after every move and takes the move with the best mean: Monte Carlo without a tree.

    B. Abramson, *Expected-Outcome: A General Model of Static Evaluation*, IEEE PAMI 1990; B. Brügmann, *Monte Carlo
    Go*, 1993. With `ucb1`, flat UCB (P. Auer, N. Cesa-Bianchi and P. Fischer, *Finite-time Analysis of the Multiarmed
    Bandit Problem*, 2002). It is `Simulation` with everything selective switched off, so it also plays games with
    hidden information and tries all moves on the same continuations.

    - `allocation`: every move as often as the others (`uniform`), or the next game to the move with the highest upper
      confidence bound (`ucb1`);
    - `c`: the weight of exploration with `ucb1`, for results scaled to [0, 1];
    - `horizon`: evaluate after so many plies instead of playing to the end;
    - `memory_mb`: what the outcomes may use; the search ends when it is full;
    - `threads`: as many searches side by side, each with its own games, added up at the end.

    Without limits it stops after 10,000 simulations.
    """

    name: ClassVar[str] = "flatmontecarlo"
    simulations: int | None = None
    allocation: Literal["uniform", "ucb1"] = "uniform"
    c: float = math.sqrt(2)
    horizon: int | None = None
    memory_mb: int = 256
    seed: int = 0
    threads: int = 1

    def _limits(self) -> dict[str, Any]:
        return _some_simulations(super()._limits())


_ALGORITHMS: dict[str, type[Algorithm]] = {each.name: each for each in (Random, FlatMonteCarlo, Simulation)}
"""All algorithms by name; the modules of the families add their own."""


def algorithms() -> list[str]:
    """The names of the algorithms, as the command line knows them."""
    return sorted(_ALGORITHMS)


def _read(value: str, kind: str) -> Any:
    if value.lower() in ("true", "yes") and "bool" in kind:
        return True
    if value.lower() in ("false", "no") and "bool" in kind:
        return False
    if value.lower() == "none" and "None" in kind:
        return None
    if kind.startswith("tuple") and value.endswith(".toml"):
        from kibitz.probcut import Fit

        return Fit.load(value).checks()
    if kind == "tuple[int, ...]":
        return tuple(_number(each) for each in value.split("+"))
    if kind.startswith("tuple"):
        return tuple(tuple(_number(each) for each in row.split("/")) for row in value.split("+"))
    return _number(value)


def _number(text: str) -> Any:
    """The number of a text; anything else as it is."""
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text


def algorithm(text: str) -> Algorithm:
    """The algorithm of a text such as `alphabeta:depth=8,tt_mb=64`.

    >>> algorithm("alphabeta:depth=8,etc=false").etc
    False
    """
    if not isinstance(text, str):
        raise TypeError(f"an algorithm is given as text, not as {type(text).__name__}")
    name, given = parse_call(text)
    if name not in _ALGORITHMS:
        raise BadParameter(f"no algorithm {name!r}; there are {', '.join(algorithms())}")
    chosen = _ALGORITHMS[name]
    kinds = {each.name: str(each.type) for each in dataclasses.fields(chosen)}
    values = {key: _read(value, kinds.get(key, "")) for key, value in given.items() if not key.startswith("options.")}
    options = {key[8:]: _read(value, "bool") for key, value in given.items() if key.startswith("options.")}
    return chosen().replace(**values, **({"options": options} if options else {}))


@dataclass(frozen=True)
class Playouts:
    """What many random games gave: mean, standard deviation and best of each player's result, and the mean length.

    `branching` is the mean number of legal moves over all positions of the players, if it was asked for.
    """

    count: int
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    best: tuple[float, ...]
    plies: float
    branching: float | None
    cut: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Games per second."""
        return self.count / self.seconds if self.seconds > 0 else math.inf


def _whole(name: str, value: int, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadParameter(f"{name}={_shown(value)} must be a whole number from {low} to {high}")
    return value


def _word(name: str, value: str) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise BadParameter(f"{name}={_shown(value)} must be a word")
    return value


def _probability(name: str, value: float) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise BadParameter(f"{name}={_shown(value)} must be a number from 0 to 1")
    return value


def _position(position: Position, function: str) -> Position:
    if not isinstance(position, Position):
        raise TypeError(f"{function}() takes a position, such as game.start(), not {type(position).__name__}")
    return position


def perft(position: Position, depth: int, threads: int = 1) -> int:
    """The number of lines of exactly `depth` moves: the proof of a move generator.

    >>> import kibitz as kb
    >>> kb.perft(kb.game("breakthrough").start(), 3)
    11132
    """
    return _position(position, "perft")._perft(_whole("depth", depth, 0, 1000), _whole("threads", threads, 1, 1024))


def playouts(
    position: Position,
    n: int,
    seed: int = 0,
    threads: int = 1,
    *,
    strategy: str = "random",
    epsilon: float = 0.0,
    branching: bool = False,
) -> Playouts:
    """Plays `n` uniformly random games, or games by one of `position.game.strategies`.

    - `epsilon`: the probability of a random move in place of the strategy's;
    - `branching`: also counts the legal moves.

    The result depends on the seed, not on the number of threads.
    """
    found = _position(position, "playouts")._playouts(
        _whole("n", n, 1, 1 << 62),
        _whole("seed", seed, 0, (1 << 64) - 1),
        _whole("threads", threads, 1, 1024),
        _word("strategy", strategy),
        _probability("epsilon", epsilon),
        bool(branching),
    )
    return Playouts(**found)
