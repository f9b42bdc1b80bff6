"""Values of random trees, measured: Tables 2, 3 and 4 of Rutko's thesis, and the exact expectation of more shapes."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import (
    by_interval,
    homogeneous,
    joint_level,
    mean_interval,
    moments,
    sample_count,
    sample_mean,
    wilson,
)
from kibitz.random_trees import ValueDistribution, value_distribution

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "THESIS"]

THESIS = "D. Rutko, *Fuzzified Game Tree Search*, doctoral thesis, University of Latvia, Riga 2012"

TREES = 250
"""A unit is as many trees: a tenth of a second."""

SEPARATING = range(24, 37)
"""The values of Table 4."""

# Exact values are wanted and nothing else: in a tree without transpositions, whose moves no hint can order, the parts
# beyond bare alpha-beta only cost time.
SEARCH = kb.AlphaBeta(deepening=False, tt_mb=0, etc=False, killers=False, history=False, hints=False)


def sub_trees(width: int, depth: int, range: int, seed: int) -> list[int]:
    """The values of the root's children for the player at the root."""
    game = kb.game("random-tree", width=width, depth=depth, range=range, seed=seed)
    start: kb.Position = game.start()
    return [-round(SEARCH.search(start.play(move)).value) for move in start.moves]


# Tables 2, 3 and 4

Joint = Mapping[tuple[int, int], int]
"""How many trees have which larger and smaller value of the two sub-trees."""


def _table_units(scale: Scale) -> list[dict[str, int]]:
    trees = {"quick": 4_000, "standard": 200_000, "full": 2_000_000}[scale]
    return [{"first": first, "trees": TREES} for first in range(1, trees, TREES)]


def _table_run(unit: dict[str, int]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for seed in range(unit["first"], unit["first"] + unit["trees"]):
        low, high = sorted(sub_trees(2, 14, 80, seed))
        found[f"{high} {low}"] += 1
    return dict(sorted(found.items()))


def published() -> Joint:
    """Table 3."""
    return {(int(row["larger"]), int(row["smaller"])): int(row["trees"]) for row in data.read("rutko-table-3")}


def _joined(results: Sequence[Mapping[str, int]]) -> Joint:
    found: Counter[tuple[int, int]] = Counter()
    for result in results:
        for pair, count in result.items():
            high, low = pair.split()
            found[int(high), int(low)] += count
    return found


def _marginal(joint: Joint, key: Callable[[tuple[int, int]], int]) -> dict[int, int]:
    found: Counter[int] = Counter()
    for pair, count in joint.items():
        found[key(pair)] += count
    return found


_larger, _smaller = operator.itemgetter(0), operator.itemgetter(1)


def _separated(joint: Joint, x: int, low: int = 0, high: int = 81) -> int:
    """The trees with both values from `low` to below `high`, one of them below x and the other not."""
    return sum(count for (larger, smaller), count in joint.items() if low <= smaller < x <= larger < high)


def _counts(joint: Joint) -> dict[str, int]:
    """What the thesis counts, by name."""
    return {
        "ties": sum(count for (larger, smaller), count in joint.items() if larger == smaller),
        **{f"Table 4, separated by {x}": _separated(joint, x) for x in SEPARATING},
        "both below 30": sum(count for (larger, _), count in joint.items() if larger < 30),
        **{f"both below 30, separated by {x}": _separated(joint, x, high=30) for x in (28, 29)},
        "both 30 or more": sum(count for (_, smaller), count in joint.items() if smaller >= 30),
        **{f"both 30 or more, separated by {x}": _separated(joint, x, low=30) for x in (31, 32)},
    }


def _table_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    theirs, ours = published(), _joined(results)
    counts, measured = _counts(theirs), _counts(ours)
    trees, theirs_trees = sum(ours.values()), sum(theirs.values())
    level = joint_level(len(counts) + 4)

    def test(label: str, key: Callable[[tuple[int, int]], int]) -> Row:
        return homogeneous(label, _marginal(theirs, key), _marginal(ours, key), level=level)

    their_mean, *_ = moments(_marginal(theirs, _larger))
    mean, deviation, _ = moments(_marginal(ours, _larger))
    return [
        test("Table 2, values of roots", _larger),
        test("Table 3, smaller values", _smaller),
        test("Table 3, pairs", lambda pair: 100 * pair[0] + pair[1]),
        by_interval(
            "mean root value",
            their_mean,
            mean,
            sample_mean(mean, deviation, trees, of=theirs_trees, level=level),
        ),
        *(
            by_interval(
                f"{label}, of {theirs_trees:,} trees",
                count,
                measured[label] * theirs_trees / trees,
                sample_count(measured[label], trees, of=theirs_trees, level=level),
            )
            for label, count in counts.items()
        ),
    ]


def _table_plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    theirs, ours = published(), _joined(results)
    children = value_distribution(width=2, depth=14, values=81, level=13)
    root = value_distribution(width=2, depth=14, values=81)
    trees = sum(ours.values())
    figure, (top, bottom) = plots.panels(
        [("value of the root", "trees of 1000"), ("separation value", "trees of 1000")]
    )
    measured = _marginal(ours, _larger)
    xs = range(23, 39)
    top.plot(xs, [1000 * root.at(x) for x in xs], label="exact", color=plots.COLOURS[0])
    top.plot(xs, [1000 * measured.get(x, 0) / trees for x in xs], "o", label="measured", color=plots.COLOURS[1])
    thesis = _marginal(theirs, _larger)
    top.plot(xs, [thesis.get(x, 0) for x in xs], "x", label="thesis", color=plots.COLOURS[6])

    bottom.plot(xs, [1000 * children.separation(2, x) for x in xs], label="exact", color=plots.COLOURS[0])
    bottom.plot(xs, [1000 * _separated(ours, x) / trees for x in xs], "o", label="measured", color=plots.COLOURS[1])
    bottom.plot(xs, [_separated(theirs, x) for x in xs], "x", label="thesis", color=plots.COLOURS[6])
    for axes in (top, bottom):
        axes.set_xticks(xs[1::2])
        plots.legend(axes)
    return figure


# All shapes against the exact distribution

SHAPES = ((2, 14), (3, 10), (4, 8), (5, 6))
RANGES = (80, 800)


def _children(width: int, depth: int, range: int) -> ValueDistribution:
    return value_distribution(width=width, depth=depth, values=range + 1, level=depth - 1)


def _shape_units(scale: Scale) -> list[dict[str, Any]]:
    trees = {"quick": 500, "standard": 20_000, "full": 500_000}[scale]
    return [
        {"width": width, "depth": depth, "range": top, "first": first, "trees": TREES, "separating": separating}
        for width, depth in SHAPES
        for top in RANGES
        for separating in [
            list(SEPARATING) if (width, top) == (2, 80) else [_children(width, depth, top).separation_value(width)]
        ]
        for first in range(1, trees, TREES)
    ]


def _shape_run(unit: dict[str, Any]) -> dict[str, Any]:
    """How often each value of the root occurs, and how often each separation value has one child at or above it."""
    roots: Counter[int] = Counter()
    separated: Counter[int] = Counter()
    for seed in range(unit["first"], unit["first"] + unit["trees"]):
        values = sub_trees(unit["width"], unit["depth"], unit["range"], seed)
        roots[max(values)] += 1
        separated.update(x for x in unit["separating"] if sum(value >= x for value in values) == 1)
    return {
        "shape": [unit["width"], unit["depth"], unit["range"]],
        "roots": {str(value): roots[value] for value in sorted(roots)},
        "separated": {str(x): separated[x] for x in unit["separating"]},
    }


def _shape_sums(results: Sequence[Any]) -> dict[tuple[int, int, int], tuple[Counter[int], Counter[int]]]:
    sums: dict[tuple[int, int, int], tuple[Counter[int], Counter[int]]] = {}
    for result in results:
        width, depth, top = result["shape"]
        roots, separated = sums.setdefault((width, depth, top), (Counter(), Counter()))
        roots.update({int(value): count for value, count in result["roots"].items()})
        separated.update({int(x): count for x, count in result["separated"].items()})
    return sums


def _shape_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    sums = _shape_sums(results)
    level = joint_level(sum(1 + len(separated) for _, separated in sums.values()))
    rows = []
    for (width, depth, top), (roots, separated) in sums.items():
        name = f"width {width}, depth {depth}, leaves 0 to {top}"
        mean, deviation, trees = moments(roots)
        exact = value_distribution(width=width, depth=depth, values=top + 1).mean
        rows.append(by_interval(f"{name}: mean root value", exact, mean, mean_interval(mean, deviation, trees, level)))
        children = _children(width, depth, top)
        for x, count in sorted(separated.items()):
            exact = 1000 * children.separation(width, x)
            share = wilson(count, trees, level)
            interval = Interval(1000 * share.low, 1000 * share.high)
            rows.append(by_interval(f"{name}: separated by {x}, of 1,000 trees", exact, 1000 * count / trees, interval))
    return rows


EXPERIMENTS = (
    Experiment(
        id="rutko-table-3",
        title="Values of both sub-trees of random trees",
        paper=THESIS,
        table="Tables 2, 3 and 4",
        units=_table_units,
        run=_table_run,
        summarize=_table_rows,
        plot=_table_plot,
        seconds={"quick": 1, "standard": 45, "full": 450},
        seed=1,
        note="Width 2, depth 14, leaves from 0 to 80. The thesis counts 1,000 trees, so an interval is where a sample "
        "of 1,000 trees is expected after what was measured; all intervals hold together with 95 %.",
    ),
    Experiment(
        id="rutko-expectation",
        title="Random trees against the exact distribution of their values",
        paper=THESIS + "; J. Pearl, *Heuristics*, Addison-Wesley 1984, chapter 8",
        table="formulas behind Table 5",
        units=_shape_units,
        run=_shape_run,
        summarize=_shape_rows,
        seconds={"quick": 1.5, "standard": 60, "full": 1500},
        seed=1,
        note="In the place of published values stands the expectation of the thesis's formulas for leaves from 0 to "
        "the range, computed by `kibitz.random_trees`; all intervals hold together with 95 %.",
    ),
)
