"""The statistics of King's thesis: whether its p-values follow from its t, and its statements from its win rates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kibitz.arena.batches import p_value
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, exactly, joint_level
from kibitz.experiments.king_states import THESIS

__all__ = ["BATCH", "BATCHES", "EXPERIMENTS", "FREEDOM", "SECONDS", "Rate", "rates", "t_tests"]

BATCHES, BATCH = 50, 100
"""The thesis cuts 5,000 games into 50 batches of 100."""

FREEDOM = 2 * (BATCHES - 1)

SECONDS = (1, 5, 10, 15)
"""A move, in the tables."""


class Rate(NamedTuple):
    """Shares of games won, lost and drawn against alpha-beta."""

    wins: float
    losses: float
    draws: float


def rates() -> dict[tuple[str, str, str, int], Rate]:
    """Tables 5.1, 5.3, 5.5 and 5.7, by game, colour, algorithm and seconds a move.

    >>> rates()["crossings", "White", "HUCT", 15].wins
    0.53
    """
    return {
        (row["game"], row["colour"], row["algorithm"], int(row["seconds"])): Rate(
            float(row["wins"]), float(row["losses"]), float(row["draws"])
        )
        for row in data.read("king-win-rates")
    }


def t_tests() -> dict[tuple[str, str, int], Mapping[str, str]]:
    """Tables 5.2, 5.4, 5.6 and 5.8 as printed, by game, colour and seconds a move."""
    return {(row["game"], row["colour"], int(row["seconds"])): row for row in data.read("king-t-tests")}


def _half(text: str) -> float:
    """Half a unit of the last digit of a printed number."""
    return 0.5 * 10.0 ** -len(text.partition(".")[2])


def _allowed(row: Mapping[str, str], freedom: int) -> Interval:
    """The p-values that a printed t, rounded, allows, and half a unit of the printed p on both sides."""
    t, slack = abs(float(row["t"])), _half(row["p"])
    most, least = p_value(max(0.0, t - _half(row["t"])), freedom), p_value(t + _half(row["t"]), freedom)
    return Interval(least - slack, most + slack)


def _units(scale: Scale) -> list[dict[str, Any]]:  # noqa: ARG001
    return [{"game": game, "colour": colour, "seconds": seconds} for game, colour, seconds in t_tests()]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """The p of a printed t with the degrees of freedom of batches, of batches in pairs, and of single games."""
    row = t_tests()[unit["game"], unit["colour"], unit["seconds"]]
    freedoms = (FREEDOM, BATCHES - 1, 2 * (BATCHES * BATCH - 1))
    return {
        **unit,
        "p": p_value(float(row["t"]), FREEDOM),
        "fits": {str(freedom): float(row["p"]) in _allowed(row, freedom) for freedom in freedoms},
    }


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    printed = t_tests()
    rows = []
    for result in results:
        row = printed[result["game"], result["colour"], result["seconds"]]
        label = f"Table {row['table']}, {result['seconds']} s: p of t = {row['t']}"
        rows.append(by_interval(label, float(row["p"]), result["p"], _allowed(row, FREEDOM)))
    for freedom in results[0]["fits"]:
        fits = sum(result["fits"][freedom] for result in results)
        rows.append(
            Row(
                label=f"p-values that follow with {int(freedom):,} degrees of freedom",
                measured=f"{fits} of {len(results)}",
                verdict="measured",
                why="the thesis does not name them" if int(freedom) == FREEDOM else "",
            )
        )
    rows += [_from_rates(*key) for key in printed]
    return rows + _statements()


def _from_rates(game: str, colour: str, seconds: int) -> Row:
    """t as the win rates and the number of games let expect it: single games have the variance of a coin."""
    from scipy.stats import chi2

    row = t_tests()[game, colour, seconds]
    first, second = (rates()[game, colour, name, seconds].wins for name in ("UCT", "HUCT"))
    error = math.sqrt((first * (1 - first) + second * (1 - second)) / (BATCHES * BATCH))
    level = joint_level(len(t_tests()))
    low, high = (math.sqrt(chi2.ppf((1 + sign * level) / 2, FREEDOM) / FREEDOM) for sign in (-1, 1))
    # Two win rates with three decimals.
    difference, rounding = abs(first - second), 0.001
    interval = Interval(max(0.0, difference - rounding) / (error * high), (difference + rounding) / (error * low))
    label = f"Table {row['table']}, {seconds} s: t, as {BATCHES * BATCH:,} games with these win rates let expect it"
    return by_interval(label, float(row["t"]), difference / error, interval)


def _statements() -> list[Row]:
    """What the text says of the tables."""
    table = rates()

    def mean(game: str, name: str, colours: Sequence[str]) -> float:
        found = [table[game, colour, name, seconds].wins for colour in colours for seconds in SECONDS]
        return 100 * math.fsum(found) / len(found)

    rows = []
    for seconds, points in ((10, 3), (15, 4)):
        gain = 100 * (
            table["crossings", "White", "HUCT", seconds].wins - table["crossings", "White", "UCT", seconds].wins
        )
        rows.append(exactly(f"Crossings, White, {seconds} s: points that HUCT wins more than UCT", points, round(gain)))
    for name, points in (("UCT", 10), ("HUCT", 13)):
        fall = mean("crossings", name, ("White", "Black")) - mean("epaminondas", name, ("White", "Black"))
        label = f"{name}: whole points that Epaminondas is below Crossings, mean of both colours and all times"
        rows.append(exactly(label, points, math.floor(fall)))
    rising = sum(
        table[game, colour, name, SECONDS[k]].wins < table[game, colour, name, SECONDS[k + 1]].wins
        for game in ("crossings", "epaminondas")
        for colour in ("White", "Black")
        for name in ("UCT", "HUCT")
        for k in range(3)
    )
    rows.append(exactly("steps of time after which the win rate is greater", "24 of 24", f"{rising} of 24"))
    return rows


EXPERIMENTS = (
    Experiment(
        id="king-statistics",
        title="UCT and HUCT in Crossings and Epaminondas: the published statistics",
        paper=THESIS,
        table="Tables 5.2, 5.4, 5.6 and 5.8",
        units=_units,
        run=_run,
        summarize=_rows,
        seconds={"quick": 0.2, "standard": 0.2, "full": 0.2},
        note="Nothing is played: the p-values are computed again from the printed t, which have 98 degrees of freedom, "
        "that is batches of 100 games. Intervals of p are what rounding allows; those of t add the chance in the "
        "variance of 50 + 50 batches, for all sixteen tests together.",
    ),
)
