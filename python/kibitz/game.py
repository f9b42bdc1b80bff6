"""Games: the native ones by name, and the base class of games written in Python."""

from __future__ import annotations

import dataclasses
import functools
import threading
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz import _core
from kibitz._core import Position
from kibitz.errors import BadParameter, BadPosition, GameError, UnknownGame

__all__ = ["Game", "GameInfo", "NativeGame", "Parameter", "Position", "game", "games", "parse_call"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a native game."""

    name: str
    default: Any
    doc: str
    range: tuple[int, int] | None = None
    words: tuple[str, ...] = ()

    def allowed(self) -> str:
        """What the parameter may be, in words."""
        if self.words:
            return ", ".join(self.words)
        if self.range:
            return f"{self.range[0]} to {self.range[1]}"
        return "true or false"


@dataclass(frozen=True)
class GameInfo:
    """What `games()` tells about a native game."""

    name: str
    summary: str
    rules: str
    parameters: tuple[Parameter, ...]
    preset_of: str | None = None


class Game:
    """A game. `kibitz.game(name)` gives a native one; subclass it to write one in Python.

    A subclass has these methods on states of its own making (tuples are a good choice; a state is never changed):

    - `start(self)`: the state at the start;
    - `turn(self, state)`: the player to move (0, 1, …), `"chance"`, or `None` when the game is over;
    - `moves(self, state)`: the legal moves, at least one unless the game is over; a move is any hashable object whose
      `str` is its notation;
    - `play(self, state, move)`: the state after a move or an outcome of chance;
    - `result(self, state)`: one number a player when the game is over (a single number is the first player's);

    and, if it likes, `evaluate(self, state)` (one number for the player to move, or one a player),
    `bounds(self, state)` (a pair between which the value for the player to move lies for sure),
    `progress(self, state)` (how far the game has come, such as stones placed, for the stages of Multi-ProbCut),
    `chance(self, state)` (pairs of outcome and probability), `key(self, state)`, `str(self, state)` and
    `parse(self, text)`, `board(self, state)`, `svg(self, state)` and `cells(self, state)` (tuples of name, x, y, width
    and height: the parts of the picture that the notation of moves names, for playing by clicks). The attributes
    `players` (2) and `results` (the least and the greatest result, (-1, 1)) may be set on the class or on the instance.

    On an instance, `start()` returns a `Position`, as for every game; the state is its attribute `state`. Inside the
    author's own `start`, `super().start()` is the state of the parent.
    """

    players: int = 2
    results: tuple[float, float] = (-1.0, 1.0)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        # `start` is the one name that the author of a game and its user share: the author returns a state, the user
        # gets a position.
        super().__init_subclass__(**kwargs)
        written = next(base.__dict__["start"] for base in cls.__mro__ if "start" in base.__dict__)
        if not getattr(written, "_kibitz", False):
            setattr(cls, "start", _Start(written))  # noqa: B010

    @property
    def name(self) -> str:
        """The name of the game."""
        return type(self).__name__

    @functools.cached_property
    def _rules(self) -> _core.Rules:
        return _core.adapt(self)

    @property
    def hidden(self) -> bool:
        """Whether anything is hidden from a player."""
        return self._rules.hidden

    @property
    def strategies(self) -> tuple[str, ...]:
        """The names of the strategies of playouts: `random`, and what the game has of its own."""
        return ("random", *self._rules.strategies)

    @property
    def potentials(self) -> tuple[str, ...]:
        """The names of the potentials by which a beam search orders positions; where there are none, the evaluation."""
        return self._rules.potentials

    def start(self) -> Any:
        """The position at the start."""
        return self._rules.start(self)

    start._kibitz = True  # type: ignore[attr-defined]

    def _start(self) -> Any:
        """The state at the start, as the author's method returns it."""
        if type(self).start is Game.start:
            raise GameError(f"{self.name} has no method start(): it must return the state at the start")
        asking: set[int] = _authors.__dict__.setdefault("asking", set())
        asking.add(id(self))
        try:
            return self.start()
        finally:
            asking.discard(id(self))

    def position(self, text: str) -> Position:
        """The position of a text, as `str(position)` writes it."""
        if not isinstance(text, str):
            raise TypeError(f"a position is given as text, not as {type(text).__name__}")
        try:
            return self._rules.read(self, text)
        except UnicodeEncodeError:
            raise BadPosition("bad position: it is not a valid text") from None

    def _hold(self, state: Any) -> Position:
        """The position of a state, as it comes out of a pickle."""
        return self._rules.hold(self, state)

    def _recall(self, text: str, past: tuple[int, ...]) -> Position:
        """The position of a text with the keys of those before it, as it comes out of a pickle."""
        return self._rules.read(self, text, list(past))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_rules"}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__getstate__() == other.__getstate__()

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    def __str__(self) -> str:
        return self.name


def canonical(value: Any) -> str:
    """A text that is the same for equal states, in whatever order sets and dicts write their contents."""
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(canonical, value))) + "}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(sorted(f"{canonical(key)}: {canonical(value[key])}" for key in value)) + "}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(canonical, value)) + ")"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [f"{each.name}={canonical(getattr(value, each.name))}" for each in dataclasses.fields(value)]
        return f"{type(value).__name__}({', '.join(fields)})"
    return repr(value)


_authors = threading.local()
"""The games whose author is being asked for the first state, on this thread."""


class _Start:
    """A `start` for both: the author's own method and its `super().start()` see states, everybody else positions.

    An object and not a closure, so that a class of a script can be sent to another process by value.
    """

    _kibitz = True

    def __init__(self, written: Callable[[Any], Any]) -> None:
        self._written = written
        functools.update_wrapper(self, written)

    def __get__(self, game: Game | None, kind: type[Game] | None = None) -> Any:
        return self if game is None else types.MethodType(self, game)

    def __call__(self, game: Game) -> Any:
        if id(game) in getattr(_authors, "asking", ()):
            return self._written(game)
        return game._rules.start(game)


class NativeGame(Game):
    """A game whose rules are native code. Two are equal when their name and parameters are."""

    def __init__(self, name: str, params: dict[str, Any]) -> None:
        games().info(name)
        self._name = name
        try:
            self._native = _core.native(name, params)
        except UnicodeEncodeError:
            raise BadParameter(f"{name}: a parameter is not a valid text") from None
        self._params: dict[str, Any] = self._native.params
        self.players = self._native.players

    @property
    def name(self) -> str:
        """The name in the registry."""
        return self._name

    @property
    def params(self) -> dict[str, Any]:
        """The parameters with their values."""
        return dict(self._params)

    @property
    def _rules(self) -> _core.Rules:
        return self._native

    def start(self) -> Position:
        """The position at the start."""
        return self._native.start(self)

    start._kibitz = True  # type: ignore[attr-defined]

    @property
    def spec(self) -> str:
        """The game as the command line writes it, with the parameters that are not the defaults."""
        given = [(name, self._params[name]) for name, default in _defaults(self._name) if self._params[name] != default]
        return self._name + (":" + ",".join(f"{name}={_write(value)}" for name, value in given) if given else "")

    def __reduce__(self) -> tuple[Any, ...]:
        return (NativeGame, (self._name, self._params))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NativeGame) and (self._name, self._params) == (other._name, other._params)

    def __hash__(self) -> int:
        return hash((self._name, tuple(sorted(self._params.items()))))

    def __repr__(self) -> str:
        return f"<game {self.spec}>"

    def __str__(self) -> str:
        return self.spec


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


@functools.cache
def _infos() -> tuple[GameInfo, ...]:
    def parameter(entry: dict[str, Any]) -> Parameter:
        return Parameter(entry["name"], entry["default"], entry["doc"], entry["range"], tuple(entry["words"]))

    def info(entry: dict[str, Any]) -> GameInfo:
        parameters = tuple(map(parameter, entry["parameters"]))
        return GameInfo(entry["name"], entry["summary"], entry["rules"], parameters, entry["preset_of"])

    return tuple(map(info, _core.listings()))


def _defaults(name: str) -> list[tuple[str, Any]]:
    info = next(info for info in _infos() if info.name == name)
    return [(parameter.name, parameter.default) for parameter in info.parameters]


class _Games(Sequence[str]):
    """The names of the native games; `info(name)` tells more about one."""

    def __init__(self, infos: tuple[GameInfo, ...]) -> None:
        self._infos = infos

    def __getitem__(self, index: Any) -> Any:
        return [info.name for info in self._infos][index]

    def __len__(self) -> int:
        return len(self._infos)

    def __repr__(self) -> str:
        return repr(list(self))

    def __eq__(self, other: object) -> bool:
        return list(self) == other if isinstance(other, list) else NotImplemented

    def info(self, name: str) -> GameInfo:
        """Summary, rules and parameters of a game."""
        for info in self._infos:
            if info.name == name:
                return info
        raise UnknownGame(f"no game {name!r}; there are {', '.join(self)}")


def games() -> _Games:
    """The names of the native games, with `games().info(name)` for the rules and parameters of one.

    >>> import kibitz as kb
    >>> "breakthrough" in kb.games()
    True
    >>> [parameter.name for parameter in kb.games().info("breakthrough").parameters]
    ['rows', 'cols', 'ranks', 'evaluation']
    """
    return _Games(_infos())


def parse_call(text: str) -> tuple[str, dict[str, str]]:
    """The name and parameters of `name:key=value,key=value`.

    >>> parse_call("breakthrough:rows=6,cols=6")
    ('breakthrough', {'rows': '6', 'cols': '6'})
    """
    name, _, rest = text.partition(":")
    params: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key or not value:
            raise BadParameter(f"{part!r} in {text!r} is not key=value; write {name}:key=value,key=value")
        if key in params:
            raise BadParameter(f"{key!r} is given twice in {text!r}")
        params[key] = value
    return name, params


def game(name: str, **params: int | bool | str | Iterable[int]) -> NativeGame:
    """A native game by name, with its parameters. Also understands `"breakthrough:rows=6,cols=6"`.

    A word alone stands for the parameter that can have it: `"epaminondas:puzzle1"` has `setup=puzzle1`.

    >>> import kibitz as kb
    >>> kb.game("breakthrough", rows=6, cols=6)
    <game breakthrough:rows=6,cols=6>
    """
    if not isinstance(name, str):
        raise TypeError(f"a game is given by its name, not by {type(name).__name__}")
    base, given = parse_call(_with_names(name))
    return NativeGame(base, {**given, **params})


def _with_names(text: str) -> str:
    """The text of a game with `key=value` in place of each value that is a word of exactly one parameter."""
    base, colon, rest = text.partition(":")
    if not colon or base not in games():
        return text
    parameters = games().info(base).parameters

    def named(part: str) -> str:
        owners = [parameter.name for parameter in parameters if part in parameter.words]
        return f"{owners[0]}={part}" if len(owners) == 1 else part

    return f"{base}:{','.join(map(named, rest.split(',')))}"
