"""Options of a game that one player sees differently from the others, such as the weights of its evaluation."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from kibitz._core import Position
from kibitz.errors import BadParameter, Error
from kibitz.game import Game, NativeGame

__all__ = ["Options", "seen_with"]


class Options(Mapping[str, Any]):
    """Names and values that never change, so that a player which has them can be hashed and sent to other processes.

    >>> Options({"evaluation": "schadd"})
    {'evaluation': 'schadd'}
    """

    __slots__ = ("_given",)

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        if given is not None and not isinstance(given, Mapping):
            raise BadParameter(f"options must be names with values, {{'evaluation': 'schadd'}}, not {given!r:.40}")
        for name, value in (given or {}).items():
            if not isinstance(name, str) or not isinstance(value, (bool, int, str, tuple)):
                raise BadParameter(f"options.{name}={value!r:.40} must be a whole number, a word, true or false")
        self._given: dict[str, Any] = dict(sorted((given or {}).items()))

    def __getitem__(self, name: str) -> Any:
        return self._given[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __hash__(self) -> int:
        return hash(tuple(self._given.items()))

    def __repr__(self) -> str:
        return repr(self._given)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Options, (self._given,))


def seen_with(options: Mapping[str, Any], position: Position) -> Position:
    """The same position in the game with these options. They may change how it is judged, not how it is written."""
    game = _with_options(position.game, Options(options))
    try:
        return game._recall(str(position), position.past)
    except Error as error:
        raise BadParameter(f"{game} cannot read a position of {position.game}: {error}") from None


@functools.lru_cache(maxsize=64)
def _with_options(game: Game, options: Options) -> NativeGame:
    if not isinstance(game, NativeGame):
        raise BadParameter(f"options are those of a native game; {game.name} is written in Python")
    return NativeGame(game.name, {**game.params, **options})
