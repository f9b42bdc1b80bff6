"""Compensation: the luck of chance, measured and subtracted from the results.

B. Sheppard, *Efficient Control of Selective Simulations*, CG 2004, section on compensation; the idea for backgammon is
F. Dahl's (*JellyFish*). At every event of chance the value of what happened, less the mean value of what could have
happened, is luck. Its mean is zero whatever the values are, however long the games, so that subtracting it moves no
expectation; the better the values predict results, the less variance is left. Statisticians call it a control variate.

A value is any function of a position and a seat. `luck_of` makes a measure of luck from it, and `compensate` uses one
on the games of a finished match.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import kibitz as kb
from kibitz.arena.playing import GameRecord
from kibitz.arena.variance import Estimate, blocks_of, mean, result_of
from kibitz.errors import BadParameter

__all__ = [
    "Compensated",
    "Fit",
    "Luck",
    "Value",
    "compensate",
    "control",
    "draws_of",
    "evaluation",
    "fortune",
    "luck_of",
    "residuals",
]

Value = Callable[[kb.Position, int], float]
"""What a position is worth to a seat."""
Luck = Callable[[GameRecord, int], float]
"""How lucky a seat was in a game; zero on average."""

Fit = Literal["leave-one-out", "regression"]
"""How the coefficient is found: for each observation from all others, or for all from all."""

_MEMORY = 1 << 16


def evaluation(position: kb.Position, seat: int) -> float:
    """The game's own evaluation; the result when the game is over."""
    result = position.result
    return position.evaluate(seat) if result is None else result[seat]


def luck_of(value: Value, *, game: kb.Game | None = None, openings: bool = False) -> Luck:
    """The luck of a seat, X = Σ V(what happened) − Σ pₒ V(o) over the events of chance of a game.

    The moves of the record are played again; a game in Python has to be given. Outcomes that an opening fixed count
    only if `openings` says that it drew them by their probabilities, as `RandomPlies(…, repeats=True)` and whole cycles
    of `Stratified` do: a luck whose mean is not zero would move the results.
    """

    @functools.lru_cache(_MEMORY)
    def worth(position: kb.Position, seat: int) -> float:
        found = float(value(position, seat))
        if not math.isfinite(found):
            raise BadParameter(f"the value {found} of {str(position)!r} for seat {seat} must be a finite number")
        return found

    @functools.lru_cache(_MEMORY)
    def expected(position: kb.Position, seat: int) -> float:
        return math.fsum(chance * worth(position.play(each), seat) for each, chance in position.outcomes)

    def luck(record: GameRecord, seat: int) -> float:
        rules = _rules(record.game) if game is None else game
        position = rules.start() if record.start is None else rules.position(record.start)
        total = 0.0
        for made in record.moves:
            after = position.play(made.move)
            if made.seat is None and (openings or made.origin == "chance"):
                total += worth(after, seat) - expected(position, seat)
            position = after
        return total

    return luck


def draws_of(worth: Callable[[str], float], average: float) -> Luck:
    """The luck of a seat from what chance gave it: the worth of its outcomes above average, less that of the others'.

    An outcome belongs to the seat that moved last. For backgammon races the worth is the pips of a roll and their
    average is 49/6; for Scrabble, where Sheppard gives an S 7.75 points, that of the tiles drawn.
    """

    def luck(record: GameRecord, seat: int) -> float:
        total, owner = 0.0, None
        for made in record.moves:
            if made.seat is not None:
                owner = made.seat
            elif made.origin == "chance" and owner is not None:
                total += (worth(made.move) - average) * (1 if owner == seat else -1)
        return total

    return luck


@functools.lru_cache(64)
def _rules(name: str) -> kb.Game:
    try:
        return kb.game(name)
    except kb.Error:
        raise BadParameter(
            f"the rules of {name} are not known by name; give the game: luck_of(value, game=…)"
        ) from None


@dataclass(frozen=True, kw_only=True)
class Compensated(Estimate):
    """A mean with the luck taken out; `coefficient` times the luck was subtracted, and `plain` is the mean without."""

    coefficient: float
    plain: Estimate

    @property
    def factor(self) -> float:
        """How many times smaller the variance has become."""
        return self.speed_up(self.plain)


def control(
    values: Sequence[float],
    luck: Sequence[float],
    *,
    coefficient: float | Fit = "leave-one-out",
    games: int | None = None,
) -> Compensated:
    """The mean of values from which a coefficient times their luck is subtracted.

    A fixed number, such as 1 for a value in units of the result, has no bias. The best number, covariance over variance
    of the luck, is not known beforehand. Found by `regression` from the same observations it biases the mean, by about
    1/n of a deviation for n observations. `leave-one-out` subtracts from each observation with the coefficient of all
    others, which its luck does not depend on: no bias at all, at the price of a little variance when there are few.
    """
    before = mean(values, games=games)
    left, chosen = residuals(values, luck, coefficient)
    after = mean(left, games=games)
    return Compensated(
        value=after.value,
        error=after.error,
        observations=after.observations,
        games=after.games,
        freedom=max(after.freedom - isinstance(coefficient, str), 0),
        coefficient=chosen,
        plain=before,
    )


def residuals(
    values: Sequence[float], luck: Sequence[float], coefficient: float | Fit = "leave-one-out"
) -> tuple[list[float], float]:
    """What is left of each value, and the coefficient (that of all observations, if each has its own)."""
    if len(luck) != len(values):
        raise BadParameter(f"{len(values)} observations have {len(luck)} measures of luck; each has one")
    for each in (*values, *luck):
        if not math.isfinite(each):
            raise BadParameter(f"{each} among the observations and their luck must be a finite number")
    if isinstance(coefficient, str):
        if coefficient not in get_args(Fit):
            raise BadParameter(f"coefficient={coefficient!r} must be a number or one of {', '.join(get_args(Fit))}")
        slope = _slopes(values, luck)
        chosen = slope(None)
        if coefficient == "leave-one-out":
            return [each - slope(number) * luck[number] for number, each in enumerate(values)], chosen
    else:
        if not math.isfinite(coefficient):
            raise BadParameter(f"coefficient={coefficient} must be a finite number")
        chosen = float(coefficient)
    return [each - chosen * own for each, own in zip(values, luck, strict=True)], chosen


def _slopes(values: Sequence[float], luck: Sequence[float]) -> Callable[[int | None], float]:
    """The slope of the regression of values on luck, of all observations or without one of them."""
    # Around the means, or the difference of two large sums would have no digits left.
    centre, middle = math.fsum(values) / len(values), math.fsum(luck) / len(luck)
    ys, xs = [each - centre for each in values], [each - middle for each in luck]
    products = math.fsum(x * y for x, y in zip(xs, ys, strict=True))
    squares = math.fsum(x * x for x in xs)

    def slope(without: int | None) -> float:
        if without is None:
            return products / squares if squares > 0 else 0.0
        rest = len(xs) - 1
        if rest < 2:
            return 0.0
        x, y = xs[without], ys[without]
        # Without one, the sums of the others around their means are -x and -y.
        above = products - x * y - x * y / rest
        below = squares - x * x - x * x / rest
        return above / below if below > 1e-12 * squares else 0.0

    return slope


def compensate(
    records: Iterable[GameRecord], name: str, luck: Luck, *, coefficient: float | Fit = "leave-one-out"
) -> Compensated:
    """What a player wins a game, with the luck of its seats taken out; the observations are blocks of games.

    In duplicate games, luck of the deal has cancelled before: compensation and duplicate deals do the same work there.
    """
    blocks = blocks_of(records)
    results = [math.fsum(result_of(game, name) for game in block) / len(block) for block in blocks]
    lucks = [math.fsum(fortune(game, name, luck) for game in block) / len(block) for block in blocks]
    return control(results, lucks, coefficient=coefficient, games=sum(map(len, blocks)))


def fortune(record: GameRecord, name: str, luck: Luck) -> float:
    """The luck of a player in a game; the mean over its seats if it has several."""
    seats = [seat for seat, each in enumerate(record.names) if each == name]
    return math.fsum(luck(record, seat) for seat in seats) / len(seats)
