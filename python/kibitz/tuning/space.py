"""What is varied: parameters by name, each in a range, and how a player gets their values."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import kibitz as kb
from kibitz.options import Options

__all__ = ["Range", "Space", "numeric", "parameter", "with_parameters"]

Point = tuple[float, ...]
"""A value for each parameter, on the scale on which it is searched: a logarithm where the range says so."""


@dataclass(frozen=True)
class Range:
    """From `low` to `high`, both included; `integer` takes whole numbers only, `log` searches in the logarithm.

    >>> Range.parse("1:1000:int:log")
    Range(low=1, high=1000, integer=True, log=True)
    """

    low: float
    high: float
    integer: bool = False
    log: bool = False

    def __post_init__(self) -> None:
        for name, value in (("low", self.low), ("high", self.high)):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise kb.BadParameter(f"a range goes from a number to a number; {name}={value!r} is none")
            if self.integer and value != round(value):
                raise kb.BadParameter(f"a range of whole numbers cannot begin or end at {value:g}")
        if self.low >= self.high:
            raise kb.BadParameter(f"the range {self} is empty: the first number must be less than the second")
        if self.log and self.low <= 0:
            raise kb.BadParameter(f"the range {self} has no logarithm at {self.low:g}; begin above 0")

    @classmethod
    def parse(cls, text: str) -> Range:
        """The range of a text: `0:3`, `1:100:int`, `0.01:10:log`."""
        ends, words = text.split(":")[:2], text.split(":")[2:]
        if len(ends) != 2 or not set(words) <= {"int", "log"} or len(set(words)) != len(words):
            raise kb.BadParameter(f"{text!r} is not a range; write LOW:HIGH, LOW:HIGH:int or LOW:HIGH:log")
        return cls(_number(ends[0], text), _number(ends[1], text), "int" in words, "log" in words)

    def __str__(self) -> str:
        ends = (repr(each).removesuffix(".0") for each in (self.low, self.high))
        return ":".join(ends) + ":int" * self.integer + ":log" * self.log

    @property
    def inner(self) -> tuple[float, float]:
        """The ends on the scale of the search."""
        return (math.log(self.low), math.log(self.high)) if self.log else (float(self.low), float(self.high))

    def to_inner(self, value: float) -> float:
        """A value on the scale of the search."""
        return math.log(value) if self.log else float(value)

    def to_outer(self, place: float) -> float:
        """The value at a place on the scale of the search, not rounded; beyond the ends there is nothing."""
        value = math.exp(place) if self.log else place
        return min(max(value, self.low), self.high)

    def value(self, place: float) -> float:
        """The value that a player gets: as `to_outer`, and a whole number where the range says so."""
        value = self.to_outer(place)
        return round(value) if self.integer else float(value)


def _number(text: str, whole: str) -> float:
    try:
        return int(text) if re.fullmatch(r"[+-]?\d+", text.strip()) else float(text)
    except ValueError:
        raise kb.BadParameter(f"{text!r} in the range {whole!r} is not a number") from None


@dataclass(frozen=True)
class Space:
    """The parameters that are varied, in a fixed order."""

    names: tuple[str, ...]
    ranges: tuple[Range, ...]

    @classmethod
    def of(cls, vary: Mapping[str, Range | Sequence[float] | str], player: kb.Algorithm | None) -> Space:
        """Reads ranges, which may be texts or pairs; with a player, its parameters must exist and accept them."""
        if not isinstance(vary, Mapping) or not vary:
            raise kb.BadParameter("nothing to vary: name a parameter and its range, such as c=0:3")
        found = {name: _range(name, each) for name, each in vary.items()}
        if player is not None:
            known = numeric(player)
            for name, each in found.items():
                if name not in known:
                    raise kb.BadParameter(_unknown(player, name, known))
                if known[name] and not each.integer:
                    found[name] = Range(each.low, each.high, integer=True, log=each.log)
                for end in (found[name].low, found[name].high):
                    with_parameters(player, {name: found[name].value(found[name].to_inner(end))})
        return cls(tuple(found), tuple(found.values()))

    def values(self, point: Point) -> dict[str, float]:
        """The values that a player gets at a point."""
        return {name: each.value(x) for name, each, x in zip(self.names, self.ranges, point, strict=True)}

    def rounded(self, point: Point) -> Point:
        """The point that is really played: inside the bounds, whole numbers where the ranges say so."""
        return tuple(each.to_inner(each.value(x)) for each, x in zip(self.ranges, point, strict=True))

    @property
    def centre(self) -> Point:
        """The middle of every range."""
        return tuple((low + high) / 2 for low, high in (each.inner for each in self.ranges))

    @property
    def radius(self) -> Point:
        """Half the width of every range."""
        return tuple((high - low) / 2 for low, high in (each.inner for each in self.ranges))


def _range(name: str, given: Range | Sequence[float] | str) -> Range:
    try:
        if isinstance(given, Range):
            return given
        if isinstance(given, str):
            return Range.parse(given)
        if isinstance(given, Sequence) and len(given) == 2:
            return Range(*given)
    except kb.BadParameter as error:
        raise kb.BadParameter(f"{name}: {error}") from None
    raise kb.BadParameter(f"{name}={given!r} is not a range; write (low, high), a text such as '0:3', or a Range")


def _unknown(player: kb.Algorithm, name: str, known: Mapping[str, bool]) -> str:
    have = ", ".join(sorted(known)) or "none"
    try:
        parameter(player, name)
    except KeyError:
        return f"{type(player).__name__} has no parameter {name!r}; its numbers are {have}"
    if name == "seed":
        return f"seed cannot be tuned, every game has its own; the numbers of {type(player).__name__} are {have}"
    return f"{name} of {type(player).__name__} is not a number; its numbers are {have}"


def numeric(player: object, prefix: str = "") -> dict[str, bool]:
    """The names of a player's numbers, and whether only whole ones are allowed; parts have names like `weights.x`.

    The seed is left out: every search has its own.
    """
    found: dict[str, bool] = {}
    for name, value, kind in _parts(player):
        words = {word.strip() for word in kind.split("|")}
        path = prefix + name
        if dataclasses.is_dataclass(value) or isinstance(value, Mapping):
            found |= numeric(value, path + ".")
        elif path != "seed" and (words & {"int", "float"} and "bool" not in words):
            found[path] = "float" not in words
    return found


def _parts(owner: object) -> list[tuple[str, Any, str]]:
    """What an object is made of: name, value and type."""
    if isinstance(owner, Options):
        return [(name, value, type(value).__name__) for name, value in owner.items()]
    if isinstance(owner, Mapping):
        # Whole numbers in a mapping of weights are an accident of writing.
        return [
            (
                str(name),
                value,
                "bool" if isinstance(value, bool) else "float" if isinstance(value, (int, float)) else "",
            )
            for name, value in owner.items()
        ]
    if dataclasses.is_dataclass(owner):
        parts = []
        for each in dataclasses.fields(owner):
            kind = each.type if isinstance(each.type, str) else getattr(each.type, "__name__", str(each.type))
            parts.append((each.name, getattr(owner, each.name), kind))
        return parts
    return []


def parameter(owner: object, path: str) -> Any:
    """The value of a parameter."""
    name, _, rest = path.partition(".")
    values = {part: value for part, value, _ in _parts(owner)}
    return parameter(values[name], rest) if rest else values[name]


def with_parameters(player: kb.Algorithm, parameters: Mapping[str, float]) -> kb.Algorithm:
    """The player with other values of some parameters, which may be parts of parts."""
    for path, value in parameters.items():
        player = _put(player, path, value)
    return player


def _put(owner: Any, path: str, value: float) -> Any:
    name, _, rest = path.partition(".")
    if isinstance(owner, Mapping):
        return {**owner, name: _put(owner[name], rest, value) if rest else value}
    return dataclasses.replace(owner, **{name: _put(getattr(owner, name), rest, value) if rest else value})
