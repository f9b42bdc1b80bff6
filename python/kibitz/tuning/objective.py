"""What is made large: a player's score in games, or a function, both on positions that all samples share."""

from __future__ import annotations

import hashlib
import inspect
import itertools
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import kibitz as kb
from kibitz.arena.openings import RandomPlies
from kibitz.arena.playing import GameSpec, derive, game_name, parameters, play
from kibitz.arena.seating import blocks
from kibitz.arena.statistics import shares
from kibitz.tuning.space import with_parameters

__all__ = ["Against", "Alone", "Called", "Function", "Objective", "Unit", "measure"]

Function = Callable[[Mapping[str, float], int], float]
"""What else can be tuned: a function of parameters and a seed, on which its noise depends; it is made large."""


class Objective(ABC):
    """A value for parameters on a position, which is known by its seed: the same seed is the same position."""

    @abstractmethod
    def value(self, values: Mapping[str, float], seed: int) -> float:
        """The value on one position, a pure function unless a player is limited by time."""

    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """What it is, as plain data: equal for equal objectives, in every process."""

    @property
    @abstractmethod
    def bounded(self) -> bool:
        """Whether values are scores, from 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class _Games(Objective):
    """Games from fresh positions: `plies` random moves, or instances of the game, after the seed of the position.

    `instances` names a parameter of the game that every position sets anew; the seed of a random board, for example.
    """

    game: kb.Game
    player: kb.Algorithm
    plies: int
    instances: str | None = None
    max_plies: int | None = None

    def __post_init__(self) -> None:
        RandomPlies(self.plies)
        if self.max_plies is not None and self.max_plies < 1:
            raise kb.BadParameter(f"max_plies={self.max_plies} must be at least 1")
        if self.instances is not None:
            instance(self.game, self.instances, 0)

    def _score(self, seats: tuple[kb.Algorithm, ...], names: tuple[str, ...], seed: int) -> tuple[float, ...]:
        """The results of a game from the position of a seed."""
        game = self.game if self.instances is None else instance(self.game, self.instances, derive(seed, "instance"))
        (opening,) = RandomPlies(self.plies, repeats=True).draw(game, 1, seed=derive(seed, "opening"))
        spec = GameSpec(game, seats, names, opening.moves, None, derive(seed, "game"), self.max_plies)
        return play(spec).result

    def identity(self) -> dict[str, Any]:
        """What it is, as plain data."""
        return {
            "game": game_name(self.game),
            "player": _identity(self.player),
            "plies": self.plies,
            "instances": self.instances,
            "max_plies": self.max_plies,
        }


@dataclass(frozen=True, kw_only=True)
class Alone(_Games):
    """The result of a player in a game for one, in units of the game."""

    def value(self, values: Mapping[str, float], seed: int) -> float:
        """The value on one position."""
        return self._score((with_parameters(self.player, values),), ("tuned",), seed)[0]

    @property
    def bounded(self) -> bool:
        """Whether values are scores, from 0 to 1."""
        return False


@dataclass(frozen=True, kw_only=True)
class Against(_Games):
    """The points of a player against an opponent: the same position with every mixed seating, as in matches.

    With two seats these are the two ways round; with n all 2ⁿ − 2 that have both kinds, and ½ is par.
    """

    opponent: kb.Algorithm

    def value(self, values: Mapping[str, float], seed: int) -> float:
        """The value on one position."""
        sides = (with_parameters(self.player, values), self.opponent)
        total = []
        seatings = list(itertools.chain.from_iterable(blocks(2, self.game.players)))
        for seating in seatings:
            seats = tuple(sides[side] for side in seating)
            names = tuple(("tuned", "opponent")[side] for side in seating)
            points = shares(self._score(seats, names, seed))
            total += [each for each, side in zip(points, seating, strict=True) if side == 0]
        return min(math.fsum(total) / len(seatings), 1.0)

    def identity(self) -> dict[str, Any]:
        """What it is, as plain data."""
        return {**super().identity(), "against": _identity(self.opponent)}

    @property
    def bounded(self) -> bool:
        """Whether values are scores, from 0 to 1."""
        return True


@dataclass(frozen=True)
class Called(Objective):
    """A function of the user."""

    function: Function

    def value(self, values: Mapping[str, float], seed: int) -> float:
        """The value on one position."""
        found = self.function(dict(values), seed)
        try:
            value = float(found)
        except (TypeError, ValueError):
            value = math.nan
        if not math.isfinite(value):
            given = ", ".join(f"{name}={each:g}" for name, each in values.items())
            raise kb.BadParameter(
                f"the function returned {found!r} at {given}, seed {seed}; it must be a finite number"
            )
        return value

    def identity(self) -> dict[str, Any]:
        """What it is, as plain data."""
        name = getattr(self.function, "__qualname__", None)
        if name is None or "<lambda>" in name:
            raise kb.BadParameter("a store keeps the name of the function; give it one with def")
        return {"function": f"{self.function.__module__}:{name}"}

    @property
    def bounded(self) -> bool:
        """Whether values are scores, from 0 to 1."""
        return False


def _identity(player: kb.Algorithm) -> list[Any]:
    return [player.name, {name: _plain(value) for name, value in parameters(player).items()}]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def instance(game: kb.Game, parameter: str, number: int) -> kb.Game:
    """The game with another value of a parameter, made of a number: another deal, another board."""
    if isinstance(game, kb.NativeGame):
        known = {each.name: each for each in kb.games().info(game.name).parameters}
        numbers = [name for name, each in known.items() if each.range]
        if parameter not in numbers:
            have = ", ".join(numbers) or "none"
            raise kb.BadParameter(f"{game.name} has no parameter {parameter!r} that is a number; it has {have}")
        low, high = known[parameter].range or (0, 0)
        return kb.game(game.name, **{**game.params, parameter: low + number % (high - low + 1)})
    names = list(inspect.signature(type(game)).parameters)
    if parameter not in names or not all(hasattr(game, name) for name in names):
        have = ", ".join(names) or "none"
        raise kb.BadParameter(
            f"{game} cannot be made again with another {parameter!r}: it takes {have}, and must keep what it takes "
            "under the same names"
        )
    # 31 bits are a seed everywhere.
    return type(game)(**{**{name: getattr(game, name) for name in names}, parameter: number >> 33})


class Unit(NamedTuple):
    """A piece of work: an objective for some parameters on some positions."""

    objective: Objective
    parameters: tuple[tuple[str, float], ...]
    seeds: tuple[int, ...]

    @property
    def key(self) -> str:
        """The identity of the piece within a run."""
        text = json.dumps([self.parameters, self.seeds], separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def measure(unit: Unit) -> list[float]:
    """The value on each position of a piece of work."""
    values = dict(unit.parameters)
    return [unit.objective.value(values, seed) for seed in unit.seeds]
