"""SP-MCTS on random boards of SameGame: its playouts (table 3.1), and exploitation against exploration (table 3.2)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import kibitz as kb
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_order, mean_interval, moments
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

__all__ = ["EXPERIMENTS", "PLAYOUTS", "SETTINGS"]

PLAYOUTS = ("random", "tabu-random", "tabu-color-random")
SETTINGS: tuple[Literal["exploitation", "balanced", "exploration"], ...] = ("exploitation", "balanced", "exploration")

MEMORY_MB = 2048
"""Enough for ten million nodes."""

Sizes = dict[int, int]
"""How many boards are searched with so many nodes."""

SIZES_3_1: dict[Scale, Sizes] = {
    "quick": {2_000: 8},
    "standard": {100_000: 40, 1_000_000: 6},
    "full": {10_000_000: 250},
}
SIZES_3_2: dict[Scale, Sizes] = {
    "quick": {2_000: 8},
    "standard": {100_000: 40, 1_000_000: 6},
    "full": {100_000: 250, 1_000_000: 250, 5_000_000: 250},
}

EARLY = "searches with raw points end early: a line that is followed again and again adds no node"


def _units(sizes: Sizes, searches: dict[str, kb.SpMcts]) -> list[dict[str, Any]]:
    return [
        unit(index, search.replace(tree_nodes=nodes, memory_mb=MEMORY_MB), name=name, limit=nodes, scale=scale)
        for nodes, boards in sizes.items()
        for scale, (name, search), index in itertools.product(RESULT_SCALES, searches.items(), range(boards))
    ]


def _units_3_1(scale: Scale) -> list[dict[str, Any]]:
    searches = {name: kb.SpMcts(preset="balanced", playout=name) for name in PLAYOUTS}
    return _units(SIZES_3_1[scale], searches)


def _units_3_2(scale: Scale) -> list[dict[str, Any]]:
    searches: dict[str, kb.SpMcts] = {name: kb.SpMcts(preset=name) for name in SETTINGS}
    return _units(SIZES_3_2[scale], searches)


def _why(scale: float) -> str:
    return EARLY if scale == 1 else "the scale of the results in the thesis is not known"


def _order(label: str, published: dict[str, float], results: Sequence[Any], why: str, **what: Any) -> Row:
    """The order of the published means."""
    means: dict[str, float] = {}
    intervals: dict[str, Interval] = {}
    for name in published:
        found = moments(list(of_boards(results, name=name, **what).values()))
        means[name], intervals[name] = found[0], mean_interval(*found)
    return by_order(label, published, means, intervals, why=why)


def _rows_3_1(scale: Scale, results: Sequence[Any]) -> list[Row]:
    known = {row["strategy"]: float(row["mean"]) for row in data.read("schadd-table-3-1")}
    rows = []
    for nodes, divisor in itertools.product(SIZES_3_1[scale], RESULT_SCALES):
        place: dict[str, Any] = {"limit": nodes, "scale": divisor}
        title = f"{nodes:,} nodes, {divided(divisor)}"
        found = {name: of_boards(results, name=name, **place) for name in PLAYOUTS}
        same = nodes == 10_000_000
        rows += [
            mean(f"{title}, {name}: mean score", known[name] if same else None, found[name], why=_why(divisor))
            for name in PLAYOUTS
        ]
        for less, more in itertools.pairwise(PLAYOUTS):
            gain = known[more] - known[less] if same else None
            rows.append(difference(f"{title}: {more} − {less}", gain, found[more], found[less], why=_why(divisor)))
        rows.append(_order(f"{title}: order of the strategies", known, results, _why(divisor), **place))
    return rows


def _rows_3_2(scale: Scale, results: Sequence[Any]) -> list[Row]:
    known = {(int(row["nodes"]), row["setting"]): row for row in data.read("schadd-table-3-2")}
    rows = []
    for nodes, divisor in itertools.product(SIZES_3_2[scale], RESULT_SCALES):
        place: dict[str, Any] = {"limit": nodes, "scale": divisor}
        title = f"{nodes:,} nodes, {divided(divisor)}"

        def published(setting: str, column: str, nodes: int = nodes) -> float | None:
            return float(known[nodes, setting][column]) if (nodes, setting) in known else None

        for name in SETTINGS:
            for column, words in (("score", "mean score"), ("depth", "mean depth"), ("deepest", "deepest node")):
                found = of_boards(results, column, name=name, **place)
                rows.append(mean(f"{title}, {name}: {words}", published(name, column), found, why=_why(divisor)))
            in_tree = of_boards(results, "nodes", name=name, **place)
            rows.append(mean(f"{title}, {name}: nodes when it ended", None, in_tree))
        base = of_boards(results, name="exploitation", **place)
        for name in SETTINGS[1:]:
            one, other = published(name, "score"), published("exploitation", "score")
            gain = None if one is None or other is None else one - other
            label = f"{title}: {name} − exploitation"
            rows.append(difference(label, gain, of_boards(results, name=name, **place), base, why=_why(divisor)))
    return rows


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    names = list(dict.fromkeys(each["name"] for each in results))
    limits = sorted({each["limit"] for each in results})
    figure, panels = plots.panels([("", f"mean score, {nodes:,} nodes") for nodes in limits], "SP-MCTS in SameGame")
    for axes, nodes in zip(panels, limits, strict=True):
        found = {
            divided(scale): [
                moments(list(of_boards(results, name=n, limit=nodes, scale=scale).values())) for n in names
            ]
            for scale in RESULT_SCALES
        }
        ends = {
            title: [(end.low, end.high) for end in (mean_interval(*each) for each in some)]
            for title, some in found.items()
        }
        plots.bars(axes, names, {title: [each[0] for each in some] for title, some in found.items()}, ends)
        axes.tick_params(axis="x", labelrotation=15)
    return figure


_NOTE = (
    "Random boards of our own, the same for all searches, so that differences are those on equal boards. The "
    "thesis does not say on which scale results enter the formula: both raw points and points divided by 60 are "
    "measured. A search also ends when 1,000 playouts have added no node."
)

EXPERIMENTS = (
    Experiment(
        id="schadd-table-3-1",
        title="SP-MCTS in SameGame by the strategy of its playouts",
        paper=THESIS,
        table="Table 3.1",
        units=_units_3_1,
        run=run,
        summarize=_rows_3_1,
        plot=_plot,
        seconds={"quick": 2, "standard": 1500, "full": 400_000},
        seed=SEED,
        note=f"C = 0.5 and D = 10,000; published for ten million nodes. {_NOTE}",
    ),
    Experiment(
        id="schadd-table-3-2",
        title="SP-MCTS in SameGame: exploitation against exploration",
        paper=THESIS,
        table="Table 3.2",
        units=_units_3_2,
        run=run,
        summarize=_rows_3_2,
        plot=_plot,
        seconds={"quick": 2, "standard": 1500, "full": 400_000},
        seed=SEED,
        note=f"C and D are 0.1 and 32, 0.5 and 10,000, 1 and 20,000. {_NOTE}",
    ),
)
