"""How long the games of Morpion Solitaire are that nested rollout policy adaptation finds, over many seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import mean_interval, moments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "RECORDS", "SIZES", "Size", "sized"]

RECORDS = {"5D": 82, "5T": 178}
"""The longest games known, both found by nested rollout policy adaptation."""


class Size(NamedTuple):
    """The level of a search, how many searches of the level below each makes, and the seeds."""

    level: int
    iterations: int
    seeds: int


SIZES: dict[Scale, Size] = {
    "quick": Size(2, 40, 10),
    "standard": Size(3, 100, 20),
    "full": Size(4, 100, 20),
}


def sized(size: Size) -> list[dict[str, Any]]:
    """One unit a variant and seed."""
    return [
        {"variant": variant, "level": size.level, "iterations": size.iterations, "seed": seed}
        for variant in RECORDS
        for seed in range(1, size.seeds + 1)
    ]


def _units(scale: Scale) -> list[dict[str, Any]]:
    return sized(SIZES[scale])


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """The length of the longest game, and the game."""
    search = kb.NestedRollout(level=unit["level"], iterations=unit["iterations"], restarts=1, seed=unit["seed"])
    start = kb.game("morpion", variant=unit["variant"]).start()
    report = search.search(start)
    solution = kb.PuzzleSolution(start.game, start, report.line, report.value)
    solution.verify()
    return {
        **unit,
        "moves": report.value,
        "line": list(report.line),
        "playouts": report.stats["simulations"],
    }


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    for variant, record in RECORDS.items():
        some = [each for each in results if each["variant"] == variant]
        lengths = sorted(each["moves"] for each in some)
        value, deviation, count = moments(lengths)
        title = f"{variant}, {some[0]['playouts']:,.0f} playouts"
        counts = Counter(int(each) for each in lengths)
        rows += [
            Row(
                label=f"{title}: mean length over {count} seeds",
                measured=value,
                interval=mean_interval(value, deviation, count),
                verdict="measured",
                why=f"standard deviation {deviation:.1f}",
            ),
            Row(
                label=f"{title}: lengths",
                measured=", ".join(f"{length} × {counts[length]}" for length in sorted(counts)),
                verdict="measured",
            ),
            Row(
                label=f"{title}: longest game",
                published=record,
                measured=lengths[-1],
                verdict="measured",
                why="the record is from much longer searches",
            ),
        ]
    return rows


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    figure, panels = plots.panels(
        [("moves", f"games of {variant}") for variant in RECORDS], "NRPA in Morpion Solitaire"
    )
    for axes, variant in zip(panels, RECORDS, strict=True):
        counts = Counter(int(each["moves"]) for each in results if each["variant"] == variant)
        lengths = range(min(counts), max(counts) + 1)
        axes.bar(list(lengths), [counts[length] for length in lengths])
    return figure


EXPERIMENTS = (
    Experiment(
        id="rosin-morpion",
        title="Nested rollout policy adaptation in Morpion Solitaire: lengths over many seeds",
        paper="C. D. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, IJCAI 2011",
        table="the records of 82 and 178 moves",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 2, "standard": 900, "full": 90_000},
        seed=1,
        note="One search a seed, with the step 1 and the 100 iterations a level of the paper, but of a lower level "
        "than the searches that found the records. Every game is played once more by the rules.",
    ),
)
