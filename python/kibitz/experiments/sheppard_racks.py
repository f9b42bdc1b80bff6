"""Racks with the most under-represented tile first: Table 1 of Sheppard's paper needs no lexicon."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.arena.racks import deviations, racks
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, exactly, joint_level, mean_interval, moments, sample_mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "PAPER"]

PAPER = "B. Sheppard, *Efficient Control of Selective Simulations*, Computers and Games (CG 2004)"

RACKS = 2718
RULES = ("absolute", "relative", "none")


class Tile(NamedTuple):
    """A line of Table 1, with the number of unseen tiles behind it."""

    tile: str
    unseen: int
    expected: float
    actual: float
    difference: float


def published() -> list[Tile]:
    """Table 1."""
    return [
        Tile(row["tile"], int(row["unseen"]), *(float(row[name]) for name in ("expected", "actual", "difference")))
        for row in data.read("sheppard-table-1")
    ]


def _units(scale: Scale) -> list[dict[str, Any]]:
    seeds = {"quick": 30, "standard": 1000, "full": 10_000}[scale]
    return [{"rule": rule, "seed": seed, "racks": RACKS} for seed in range(1, seeds + 1) for rule in RULES]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """The deviation of each tile's number from the expected one, in percent of racks."""
    pool = {each.tile: each.unseen for each in published()}
    found = deviations(pool, racks(pool, unit["racks"], seed=unit["seed"], rule=unit["rule"]))
    return {"rule": unit["rule"], "deviations": {tile: actual - due for tile, (due, actual) in found.items()}}


def _by_rule(results: Sequence[Any]) -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = {rule: [] for rule in RULES}
    for result in results:
        found[result["rule"]].append(result["deviations"])
    return found


def _extremes(found: dict[str, float]) -> tuple[float, float, float]:
    values = found.values()
    return max(values), min(values), math.sqrt(math.fsum(each * each for each in values) / len(values))


NAMES = ("largest deviation", "smallest deviation", "root mean square deviation")


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    table = published()
    total = sum(each.unseen for each in table)
    runs = _by_rule(results)
    level = joint_level(len(table) + 4)
    rows = [
        exactly("tiles in all racks", 7 * RACKS, sum(round(each.actual * RACKS / 100) for each in table)),
        *(exactly(f"{each.tile}: expected, %", each.expected, 700 * each.unseen / total, places=2) for each in table),
    ]

    def predicted(values: Sequence[float]) -> tuple[float, Interval]:
        # The table is one run: where would another one lie?
        mean, deviation, count = moments(values)
        return mean, sample_mean(mean, deviation, count, of=1, level=level)

    for each in table:
        due = 700 * each.unseen / total
        mean, interval = predicted([due + run[each.tile] for run in runs["absolute"]])
        rows.append(by_interval(f"{each.tile}: actual, %", each.actual, mean, interval))
    theirs = _extremes({each.tile: each.actual - 700 * each.unseen / total for each in table})
    for number, name in enumerate(NAMES):
        mean, interval = predicted([_extremes(run)[number] for run in runs["absolute"]])
        rows.append(by_interval(f"{name}, %", round(theirs[number], 3), mean, interval))
    blank = 7 / total
    rows.append(
        exactly(
            "plain sampling: deviation of the blank, %", 0.51, 100 * math.sqrt(blank * (1 - blank) / RACKS), places=2
        )
    )
    for rule, words in (("relative", "relative deficit"), ("none", "plain sampling")):
        for number, name in enumerate(NAMES):
            mean, deviation, count = moments([_extremes(run)[number] for run in runs[rule]])
            interval = mean_interval(mean, deviation, count)
            rows.append(Row(label=f"{words}: {name}, %", measured=mean, interval=interval, verdict="measured"))
    return rows


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    table = published()
    total = sum(each.unseen for each in table)
    runs = _by_rule(results)
    figure, axes = plots.new(x="tile", y="actual − expected, %")
    xs = range(len(table))
    for rule, colour in (("none", plots.COLOURS[4]), ("absolute", plots.COLOURS[0])):
        spread = [moments([run[each.tile] for run in runs[rule]])[1] for each in table]
        label = {"none": "plain sampling, one deviation", "absolute": "most missing tile first"}[rule]
        axes.fill_between(xs, [-each for each in spread], spread, color=colour, alpha=0.35, linewidth=0, label=label)
    axes.plot(
        xs, [each.actual - 700 * each.unseen / total for each in table], "x", color=plots.COLOURS[6], label="paper"
    )
    axes.set_xticks(list(xs), [each.tile for each in table])
    plots.legend(axes)
    return figure


EXPERIMENTS = (
    Experiment(
        id="sheppard-table-1",
        title="Racks of tiles with the most under-represented one first",
        paper=PAPER,
        table="Table 1",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 3, "standard": 90, "full": 900},
        seed=1,
        note="The paper does not say whether a tile is under-represented by number or in proportion. The table is the "
        "single run of another program, so that its numbers are compared with where one more run would lie. Expected "
        "numbers are exact.",
    ),
)
