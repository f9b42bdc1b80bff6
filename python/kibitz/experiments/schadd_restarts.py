"""SP-MCTS on random boards of SameGame: several short searches against a long one (figure 3.2)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.arena.statistics import Interval
from kibitz.experiments.experiment import Experiment, Row, Scale, Verdict
from kibitz.experiments.judging import mean_interval, moments
from kibitz.experiments.schadd_boards import (
    RESULT_SCALES,
    SEED,
    difference,
    divided,
    mean,
    of_boards,
    run,
    unit,
)
from kibitz.experiments.schadd_samegame import THESIS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS"]

TOTAL = 500_000
BEST, BEST_SCORE, GAIN_OF_TWO = 10, 2970.0, 140.0
"""Published: the number of searches with the highest mean, that mean, and what two searches gain over one."""


class Size(NamedTuple):
    """The nodes of all searches together, how many searches share them, and the boards."""

    total: int
    searches: tuple[int, ...]
    boards: int


SIZES: dict[Scale, Size] = {
    "quick": Size(2_000, (1, 2, 5, 10), 8),
    "standard": Size(TOTAL, (1, 2, 5, 10, 20, 50), 15),
    "full": Size(TOTAL, (1, 2, 3, 5, 10, 20, 50, 100), 250),
}


def _units(scale: Scale) -> list[dict[str, Any]]:
    size = SIZES[scale]
    return [
        unit(
            index,
            kb.SpMcts(preset="exploitation", restarts=count, tree_nodes=size.total // count),
            searches=count,
            total=size.total,
            scale=divisor,
        )
        for divisor, count, index in itertools.product(RESULT_SCALES, size.searches, range(size.boards))
    ]


def _best(title: str, found: dict[int, dict[int, float]], *, judged: bool) -> Row:
    """The number of searches with the highest mean; ten may be as good, as far as the boards can tell."""
    means = {count: moments(list(scores.values()))[0] for count, scores in found.items()}
    best = max(means, key=means.__getitem__)
    verdict: Verdict = "agrees" if judged else "measured"
    why = ""
    if best != BEST and judged:
        apart = moments([found[best][index] - found[BEST][index] for index in found[best]])
        interval: Interval = mean_interval(*apart)
        verdict = "differs" if interval.low > 0 else "same direction"
        doubt = "" if interval.low > 0 else ", but not beyond doubt"
        why = f"{best} searches score {apart[0]:.0f} points more than {BEST}{doubt}"
    label = f"{title}: number of searches with the highest mean"
    return Row(label=label, published=BEST, measured=best, verdict=verdict, why=why)


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    size = SIZES[scale]
    same = size.total == TOTAL
    rows = []
    for divisor in RESULT_SCALES:
        title = f"{size.total:,} nodes, {divided(divisor)}"
        found = {count: of_boards(results, searches=count, scale=divisor) for count in size.searches}
        why = "the scale of the results in the thesis is not known"
        for count, scores in found.items():
            known = BEST_SCORE if same and count == BEST else None
            rows.append(mean(f"{title}: mean score of {count} searches", known, scores, why=why))
        gain = GAIN_OF_TWO if same else None
        rows.append(difference(f"{title}: two searches − one", gain, found[2], found[1], why=why))
        rows.append(difference(f"{title}: ten searches − one", None, found[BEST], found[1]))
        rows.append(_best(title, found, judged=same))
    return rows


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    figure, axes = plots.new(x="searches that share the nodes", y="mean score")
    counts = sorted({each["searches"] for each in results})
    for divisor in RESULT_SCALES:
        means = [moments(list(of_boards(results, searches=count, scale=divisor).values())) for count in counts]
        ends = [mean_interval(*each) for each in means]
        line = axes.plot(counts, [each[0] for each in means], marker="o", label=divided(divisor))
        axes.fill_between(counts, [e.low for e in ends], [e.high for e in ends], alpha=0.15, color=line[0].get_color())
    axes.set_xscale("log")
    plots.legend(axes)
    return figure


EXPERIMENTS = (
    Experiment(
        id="schadd-figure-3-2",
        title="SP-MCTS in SameGame: several short searches against a long one",
        paper=THESIS,
        table="Figure 3.2",
        units=_units,
        run=run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 2, "standard": 1500, "full": 40_000},
        seed=SEED,
        note="C = 0.1 and D = 32. The nodes are shared evenly, and the best score of all searches counts. Of the "
        "figure only the numbers in the text are left: the maximum of 2,970 points with ten searches, and "
        "140 points that two gain over one. With raw points a long search follows one line and ends before "
        "its nodes are used up, which is what restarts cure.",
    ),
)
