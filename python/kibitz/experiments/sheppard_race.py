"""Compensation for the luck of the dice in a backgammon race, where exact winning chances are known."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.arena.compensation import evaluation
from kibitz.arena.mixed import Mixed, expectation
from kibitz.arena.statistics import Interval
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, exactly, joint_level, mean_interval, moments
from kibitz.experiments.sheppard_racks import PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "pips"]

RACES = ((100, 100), (100, 110), (60, 60), (30, 30))
UNIT = 1000
"""Races in a unit."""


def pips(roll: str) -> int:
    """The pips of a roll as the game writes it; doublets count four times.

    >>> pips("31"), pips("44")
    (4, 16)
    """
    high, low = int(roll[0]), int(roll[1])
    return 4 * high if high == low else high + low


def _units(scale: Scale) -> list[dict[str, Any]]:
    races = {"quick": 4, "standard": 400, "full": 4000}[scale]
    measured = [
        {"kind": "pips", "first": first, "second": second, "seed": seed, "races": UNIT}
        for first, second in RACES
        for seed in range(1, races + 1)
    ]
    valued = [
        {"kind": "evaluation", "first": 100, "second": 100, "seed": seed, "races": 50} for seed in range(1, races + 1)
    ]
    exact = [{"kind": "exact", "first": first, "second": second} for first, second in RACES]
    return [*exact, *measured, *valued]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    game = kb.game("pip-race", first=unit["first"], second=unit["second"])
    place = {"kind": unit["kind"], "race": [unit["first"], unit["second"]]}
    if unit["kind"] == "exact":
        uniform = Mixed()
        return {**place, "wins": (expectation(game.start(), (uniform, uniform))[0] + 1) / 2}
    dice = random.Random(unit["seed"])
    start: kb.Position = game.start()
    outcomes = start.play("roll").outcomes
    rolls, chances = [text for text, _ in outcomes], [chance for _, chance in outcomes]
    sums = [0.0] * 5
    for _ in range(unit["races"]):
        luck = 0.0
        position = start
        while position.result is None:
            sign = 1 if position.turn == 0 else -1
            roll = dice.choices(rolls, chances)[0]
            rolling = position.play("roll")
            position = rolling.play(roll)
            if unit["kind"] == "pips":
                luck += sign * (pips(roll) - 49 / 6)
            else:
                worth = [evaluation(rolling.play(each), 0) for each in rolls]
                luck += worth[rolls.index(roll)] - math.fsum(p * v for p, v in zip(chances, worth, strict=True))
        result = position.result[0]
        for number, each in enumerate((result, luck, result * result, result * luck, luck * luck)):
            sums[number] += each
    return {**place, "count": unit["races"], "sums": sums}


class Moments:
    """Results and luck of many races, from their sums."""

    def __init__(self, results: Sequence[Any]) -> None:
        self.count = sum(result["count"] for result in results)
        y, x, yy, xy, xx = (math.fsum(result["sums"][number] for result in results) for number in range(5))
        self.mean = y / self.count
        self.variance = yy / self.count - (y / self.count) ** 2
        covariance = xy / self.count - x * y / self.count**2
        of_luck = xx / self.count - (x / self.count) ** 2
        self.coefficient = covariance / of_luck
        self.left = self.variance - covariance**2 / of_luck
        self.factor = self.variance / self.left
        # Without a fitted coefficient, for values in units of the result.
        self.left_of_one = self.variance - 2 * covariance + of_luck
        self.compensated = self.mean - self.coefficient * x / self.count


def _jackknife(results: Sequence[Any], name: str, level: float) -> tuple[float, Interval]:
    """A figure of all races with its interval, from leaving one unit out at a time (M. Quenouille, J. Tukey)."""
    whole = getattr(Moments(results), name)
    count = len(results)
    parts = [getattr(Moments([*results[:k], *results[k + 1 :]]), name) for k in range(count)]
    pseudo = [count * whole - (count - 1) * part for part in parts]
    mean, deviation, _ = moments(pseudo)
    return whole, mean_interval(mean, deviation, count, level)


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    level = joint_level(3 * len(RACES))
    average = math.fsum(chance * pips(text) for text, chance in kb.game("pip-race").start().play("roll").outcomes)
    rows.append(exactly("mean pips of a roll", 8.166666, average, places=5))
    for first, second in RACES:
        race = f"{first}–{second}"
        mine = [result for result in results if result["race"] == [first, second]]
        exact = next(result["wins"] for result in mine if result["kind"] == "exact")
        if (first, second) == (100, 110):
            rows.append(
                Row(
                    label=f"{race}: chance to win with a lead of 10 %",
                    published="about 0.75",
                    measured=exact,
                    verdict="agrees" if abs(exact - 0.75) < 0.02 else "differs",
                    why="" if abs(exact - 0.75) < 0.02 else "the exact chance is further from the rule of thumb",
                )
            )
        played = [result for result in mine if result["kind"] == "pips"]
        mean, interval = _jackknife(played, "compensated", level)
        wins = Interval((interval.low + 1) / 2, (interval.high + 1) / 2)
        rows.append(by_interval(f"{race}: chance to win, exact and compensated", exact, (mean + 1) / 2, wins))
        found = Moments(played)
        for name, label in (("coefficient", "best K"), ("variance", "variance"), ("left", "variance that is left")):
            value, interval = _jackknife(played, name, level)
            rows.append(Row(label=f"{race}: {label}", measured=value, interval=interval, verdict="measured"))
        rows.append(_factor(f"{race}: times fewer races", played, level, found.factor))
    valued = [result for result in results if result["kind"] == "evaluation"]
    value, interval = _jackknife(valued, "factor", level)
    rows.append(
        Row(
            label="100–100: times fewer races, the game's evaluation as value",
            measured=value,
            interval=interval,
            verdict="measured",
        )
    )
    return rows


def _factor(label: str, played: Sequence[Any], level: float, factor: float) -> Row:
    _, interval = _jackknife(played, "factor", level)
    inside = interval.high >= 2 and interval.low <= 4
    return Row(
        label=label,
        published="2 to 4",
        measured=factor,
        interval=interval,
        verdict="agrees" if inside else "differs",
        why="" if inside else "the paper speaks of whole games of backgammon, this is the race at their end",
    )


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    figure, axes = plots.new(x="K", y="variance")
    for colour, (first, second) in zip(plots.COLOURS, RACES, strict=False):
        mine = [result for result in results if result["kind"] == "pips" and result["race"] == [first, second]]
        found = Moments(mine)
        curve = (found.variance - found.left) / found.coefficient**2
        ks = [number / 1000 for number in range(0, 101, 2)]
        variances = [found.left + curve * (k - found.coefficient) ** 2 for k in ks]
        axes.plot(ks, variances, color=colour, label=f"{first}–{second}")
    axes.set_ylim(bottom=0)
    plots.legend(axes)
    return figure


EXPERIMENTS = (
    Experiment(
        id="sheppard-race",
        title="Compensation for the luck of the dice in a race",
        paper=PAPER,
        table="Section on compensation",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 2, "standard": 100, "full": 1000},
        seed=1,
        note="The paper gives the compensator K·(pips − 49/6), the rule that a lead of 10 % wins three times in four, "
        "and says that rollouts become two to four times faster; it has no table of races. Results are +1 and −1, and "
        "the side that rolls first is named first.",
    ),
)
