"""Search algorithms as frozen, keyword-only objects, and the report that every search returns."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from kibitz._core import Position
from kibitz.errors import BadParameter
from kibitz.game import parse_call

__all__ = [
    "Algorithm",
    "AlphaBeta",
    "Child",
    "Iteration",
    "Minimax",
    "Playouts",
    "Random",
    "Report",
    "Simulation",
    "Uct",
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
    over or chance is to move); `bound` says whether it is exact, a bound or an estimate; `proven` says that it is the
    game-theoretic value. `nodes` counts positions visited, the root included. `stats` holds counters that belong to the
    algorithm.
    """

    best: Any
    value: float
    pv: tuple[Any, ...]
    nodes: int
    depth: int
    seconds: float
    stats: Mapping[str, float]
    bound: Literal["exact", "lower", "upper", "estimate"] = "exact"
    proven: bool = False
    history: tuple[Iteration, ...] = field(default=(), repr=False)
    children: tuple[Child, ...] = field(default=(), repr=False)

    @property
    def nps(self) -> float:
        """Nodes per second."""
        return self.nodes / self.seconds if self.seconds > 0 else math.inf

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON; moves become texts."""

        def plain(value: Any) -> Any:
            return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)

        return {
            **vars(self),
            "best": plain(self.best),
            "pv": [plain(move) for move in self.pv],
            "stats": dict(self.stats),
            "history": [{**step._asdict(), "pv": [plain(move) for move in step.pv]} for step in self.history],
            "children": [{**child._asdict(), "move": plain(child.move)} for child in self.children],
        }


def _iteration(step: Mapping[str, Any]) -> Iteration:
    return Iteration(step["depth"], step["value"], step["nodes"], step["seconds"], tuple(step["pv"]))


_Self = TypeVar("_Self", bound="Algorithm")

_LIMITS = ("depth", "nodes", "simulations", "seconds")


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """What all search algorithms share: limits, `search`, and a text form such as `alphabeta:depth=8`."""

    name: ClassVar[str]
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        own = vars(self)
        for name, kind in _kinds(type(self)):
            _check(name, own[name], kind)

    def search(
        self, position: Position, *, progress: Callable[[Iteration], object] | None = None, **changes: Any
    ) -> Report:
        """Searches a position. Keyword arguments replace fields for this search; `progress` is told of each step."""
        _position(position, "search")
        chosen = self.replace(**changes) if changes else self
        options = {name: value for name, value in vars(chosen).items() if name not in _LIMITS}
        limits = chosen._limits()

        def tell(step: Mapping[str, Any]) -> None:
            if progress is not None:
                progress(_iteration(step))

        found = position._search(self.name, options, progress=tell if progress else None, **limits)
        found["pv"] = tuple(found["pv"])
        found["history"] = tuple(map(_iteration, found["history"]))
        found["children"] = tuple(map(Child._make, found["children"]))
        return Report(**found)

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
            if (value := getattr(self, each.name)) != each.default
        ]
        return self.name + (":" + ",".join(given) if given else "")

    def __str__(self) -> str:
        return self.spec


def _write(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_LOWEST = {
    "candidates": 1,
    "etc_depth": 1,
    "horizon": 1,
    "memory_mb": 1,
    "minimum": 2,
    "nodes": 1,
    "simulations": 1,
    "threads": 1,
}
_HIGHEST: dict[str, float] = {
    "candidates": 1 << 32,
    "depth": 1000,
    "epsilon": 1,
    "etc_depth": 1000,
    "horizon": 5000,
    "memory_mb": 1 << 20,
    "minimum": 1 << 32,
    "threads": 1024,
    "tt_mb": 1 << 20,
    "widen_after": 1 << 32,
}


def _shown(value: object) -> str:
    """A value for a message, however long its text is."""
    try:
        text = repr(value)
    except ValueError:
        return "a huge number"
    return text if len(text) <= 40 else text[:40] + "…"


class _Kind(NamedTuple):
    """What a field may be, read from its annotation."""

    text: str
    names: frozenset[str]
    words: tuple[str, ...]

    def asked(self) -> str:
        """What is asked for, in words."""
        known = {"int": "a whole number", "float": "a number", "bool": "true or false", "None": "None"}
        return " or ".join(known.get(part.strip(), part.strip()) for part in self.text.split("|"))


_KINDS: dict[str, tuple[tuple[str, _Kind], ...]] = {}


def _kinds(algorithm: type[Algorithm]) -> tuple[tuple[str, _Kind], ...]:
    """The fields of an algorithm with what they may be, read once."""

    def kind(text: str) -> _Kind:
        words = re.findall(r"[\"']([^\"']+)[\"']", text)
        return _Kind(text, frozenset(part.strip() for part in text.split("|")), tuple(words))

    if algorithm.name not in _KINDS:
        _KINDS[algorithm.name] = tuple((each.name, kind(str(each.type))) for each in dataclasses.fields(algorithm))
    return _KINDS[algorithm.name]


def _check(name: str, value: Any, kind: _Kind) -> None:
    """Refuses a value of the wrong type or out of range, in words."""
    wrong = None
    if value is None:
        if "None" not in kind.names:
            wrong = "is not allowed"
    elif kind.words:
        if value not in kind.words:
            wrong = f"is not one of {', '.join(kind.words)}"
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
        elif not (math.isfinite(value) and value >= 0):
            wrong = "must be a finite number, zero or more"
        elif value > (high := _HIGHEST.get(name, math.inf)):
            wrong = f"is out of range: {_LOWEST.get(name, 0)} to {high}"
    else:
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
class AlphaBeta(Algorithm):
    """Fail-soft alpha-beta with iterative deepening, transposition table, ETC, killer moves and history heuristic.

    D. Knuth and R. Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6 (1975); S. Akl and M. Newborn
    (1977) for killers; J. Schaeffer (1983) for the history heuristic; J. Schaeffer and A. Plaat (1996) for enhanced
    transposition cutoffs; D. Breuker, J. Uiterwijk and J. van den Herik (1994) for the replacement schemes. Every part
    can be switched off. Without limits it searches until the value is proven.

    - `tt_mb`: size of the table in megabytes, 0 for none; `tt_exact`: an unbounded table that forgets nothing instead;
    - `replacement`: `two-deep`, `always`, `depth-preferred` or `two-big`;
    - `same_depth`: use only entries of exactly the depth needed, so that the value is minimax's at that depth;
    - `etc`, `etc_depth`: look all children up first, from this remaining depth on;
    - `hints`: the game's own ordering of moves;
    - `seed`: tries the root's moves in random order, so that ties are broken at random;
    - `threads`: the others fill the table that all share (lazy SMP); only one thread is deterministic.
    """

    name: ClassVar[str] = "alphabeta"
    depth: int | None = None
    deepening: bool = True
    tt_mb: int = 64
    tt_exact: bool = False
    replacement: Literal["two-deep", "always", "depth-preferred", "two-big"] = "two-deep"
    same_depth: bool = False
    etc: bool = True
    etc_depth: int = 4
    killers: bool = True
    history: bool = True
    hints: bool = True
    seed: int | None = None
    threads: int = 1


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
      to deviation, or to all in turn (`round-robin`);
    - `minimum`, `epsilon`: the trials that every move gets first, and the share of trials for random moves;
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
    scheduler: Literal["expected-loss", "ratio", "round-robin"] = "expected-loss"
    minimum: int = 8
    epsilon: float = 0.05
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
class Uct(Algorithm):
    """Monte-Carlo tree search with upper confidence bounds, for any number of players and for games of chance.

    L. Kocsis and C. Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML 2006; proven values as in M. Winands,
    Y. Björnsson and J.-T. Saito, *Monte-Carlo Tree Search Solver*, CG 2008; final moves as in G. Chaslot et al. (2008).

    - `c`: the weight of exploration; results are scaled to [0, 1], so it means the same in every game;
    - `solver`: prove positions and never visit a proven one again;
    - `final_move`: `robust` (most visits), `max` (highest mean) or `secure` (highest lower bound);
    - `memory_mb`: what the tree may use; a full tree is refined but no longer extended;
    - `threads`: as many trees side by side, added up at the end (root parallelisation).

    Without limits it stops after 10,000 simulations.
    """

    name: ClassVar[str] = "uct"
    simulations: int | None = None
    c: float = math.sqrt(2)
    solver: bool = True
    final_move: Literal["robust", "max", "secure"] = "robust"
    memory_mb: int = 256
    seed: int = 0
    threads: int = 1

    def _limits(self) -> dict[str, Any]:
        return _some_simulations(super()._limits())


_ALGORITHMS: dict[str, type[Algorithm]] = {each.name: each for each in (AlphaBeta, Minimax, Random, Simulation, Uct)}


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
    for convert in (int, float):
        try:
            return convert(value)
        except ValueError:
            continue
    return value


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
    values = {key: _read(value, kinds.get(key, "")) for key, value in given.items()}
    return chosen().replace(**values)


@dataclass(frozen=True)
class Playouts:
    """What many random games gave: mean and standard deviation of each player's result, and the mean length."""

    count: int
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    plies: float
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


def playouts(position: Position, n: int, seed: int = 0, threads: int = 1) -> Playouts:
    """Plays `n` uniformly random games; the result depends on the seed, not on the number of threads."""
    found = _position(position, "playouts")._playouts(
        _whole("n", n, 1, 1 << 62), _whole("seed", seed, 0, (1 << 64) - 1), _whole("threads", threads, 1, 1024)
    )
    return Playouts(**found)
