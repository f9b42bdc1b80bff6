"""The relative history heuristic in Lines of Action: tables 1 and 2 and figures 2 to 4 of Winands et al.

The positions of the paper are not printed, so these are positions of our own, 171 for tuning and 156 for validation,
and the evaluation is ours, too. Numbers of nodes are therefore others; what can be compared is their ratio.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, joint_level
from kibitz.experiments.loa_positions import COUNTS, Name, positions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "PAPER", "ratio"]

PAPER = (
    "M. Winands, E. van der Werf, J. van den Herik and J. Uiterwijk, *The Relative History Heuristic*, "
    "Computers and Games 2004"
)

GAINS = ("one", "depth", "square", "power")
WRITTEN = {"zero": "0", "one": "1", "depth": "d", "square": "d²", "power": "2^d"}
BEST = ("square", "power")
"""The increments that the paper found best: d² for a good move and 2^d for a tried one."""

RESAMPLES = 2_000

Setting = dict[str, Any]
"""What is changed in the engine."""


def plain(gain: str) -> Setting:
    """The history heuristic with an increment."""
    return {"history": "plain", "history_gain": gain}


def relative(gain: str, tried: str) -> Setting:
    """The relative history heuristic with its two increments."""
    return {"history": "relative", "history_gain": gain, "history_tried": tried}


# Units: some positions, searched once with each of several settings


@functools.cache
def _positions(name: Name) -> list[kb.Position]:
    return positions(name)


def _units(name: Name, count: int, depth: int, settings: Sequence[Setting]) -> list[dict[str, Any]]:
    """Positions of a set, as many in a unit as are a second or so."""
    step = 10 if depth <= 7 else 3 if depth <= 9 else 1
    return [
        {"set": name, "first": first, "count": min(step, count - first), "depth": depth, "settings": list(settings)}
        for first in range(0, count, step)
    ]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """The nodes up to each depth, for every setting and position: one search with iterative deepening has them all."""
    depth = unit["depth"]
    engines = [kb.mia(depth=depth, **setting) for setting in unit["settings"]]
    chosen = _positions(unit["set"])[unit["first"] : unit["first"] + unit["count"]]
    return {
        "set": unit["set"],
        "depth": depth,
        "settings": unit["settings"],
        "nodes": [[_nodes(engine.search(position), depth) for position in chosen] for engine in engines],
    }


def _nodes(report: kb.Report, depth: int) -> list[int]:
    """Nodes up to depth 1, 2, …; a position that is decided before the last depth needs no more."""
    found = [step.nodes for step in report.history]
    return found + [report.nodes] * (depth - len(found))


# What the nodes say


def ratio(above: Sequence[int], below: Sequence[int], level: float = 0.95) -> tuple[float, Interval]:
    """The ratio of two sums over the same positions, with a bootstrap interval over the positions (B. Efron, 1979)."""
    chance = random.Random(2004)
    pairs = list(zip(above, below, strict=True))
    found = []
    for _ in range(RESAMPLES):
        drawn = chance.choices(pairs, k=len(pairs))
        found.append(sum(x for x, _ in drawn) / sum(y for _, y in drawn))
    found.sort()
    tail = round((1 - level) / 2 * (RESAMPLES - 1))
    return sum(above) / sum(below), Interval(found[tail], found[-1 - tail])


class Searches:
    """The nodes of the settings of an experiment, position by position."""

    def __init__(self, results: Sequence[Any]) -> None:
        self.depth: int = min(result["depth"] for result in results)
        self._nodes: dict[str, list[list[int]]] = {}
        for result in results:
            for setting, nodes in zip(result["settings"], result["nodes"], strict=True):
                self._nodes.setdefault(_key(setting), []).extend(nodes)

    def nodes(self, setting: Setting, depth: int) -> list[int]:
        """The nodes of each position to a depth."""
        return [each[depth - 1] for each in self._nodes[_key(setting)]]

    def total(self, setting: Setting, depth: int) -> int:
        """The nodes of all positions."""
        return sum(self.nodes(setting, depth))

    @property
    def positions(self) -> int:
        """How many positions were searched."""
        return len(next(iter(self._nodes.values())))


def _key(setting: Setting) -> str:
    return ",".join(f"{name}={setting[name]}" for name in sorted(setting))


OTHERS = "the positions and the evaluation are others, so only the direction can be expected"


# Table 1

INCREMENTS = tuple(plain(gain) for gain in WRITTEN)


def _first_units(scale: Scale) -> list[dict[str, Any]]:
    depth = {"quick": 5, "standard": 9, "full": 14}[scale]
    return _units("tuning", COUNTS["tuning"], depth, INCREMENTS)


def _first_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    found = Searches(results)
    table = {row.pop("increment"): {int(depth): int(nodes) for depth, nodes in row.items()} for row in _table(1)}
    depths = [depth for depth in table["zero"] if depth <= found.depth]
    level = joint_level(len(depths) * len(GAINS))
    rows = []
    for depth in depths:
        none = found.nodes(plain("zero"), depth)
        for gain in GAINS:
            measured, interval = ratio(found.nodes(plain(gain), depth), none, level)
            published = table[gain][depth] / table["zero"][depth]
            label = f"depth {depth}: nodes with increment {WRITTEN[gain]}, ratio to no history"
            rows.append(by_interval(label, round(published, 4), measured, interval, par=1, why=OTHERS))
        totals = " / ".join(f"{found.total(plain(gain), depth):,}" for gain in WRITTEN)
        rows.append(
            Row(
                label=f"depth {depth}: nodes with increments 0 / 1 / d / d² / 2^d, {found.positions} positions",
                published=" / ".join(f"{table[gain][depth]:,}" for gain in WRITTEN),
                measured=totals,
                verdict="measured",
                why="other positions and another engine",
            )
        )
    if len(depths) > 1:
        rows.append(_grows(found, table, depths))
    return rows


def _table(number: int) -> list[dict[str, str]]:
    return data.read(f"relative-history-table-{number}")


def _grows(found: Searches, table: dict[str, dict[int, int]], depths: Sequence[int]) -> Row:
    theirs = [100 - 100 * table["power"][depth] / table["zero"][depth] for depth in depths]
    ours = [100 - 100 * found.total(plain("power"), d) / found.total(plain("zero"), d) for d in depths]
    grows = ours == sorted(ours)
    return Row(
        label="nodes saved by history at depths " + ", ".join(map(str, depths)) + ", %",
        published=" < ".join(f"{each:.0f}" for each in theirs),
        measured=" < ".join(f"{each:.0f}" for each in ours) if grows else " / ".join(f"{each:.0f}" for each in ours),
        verdict="agrees" if grows else "differs",
        why="" if grows else "it does not grow with the depth here",
    )


# Table 2

PAIRS = tuple((gain, tried) for gain in GAINS for tried in GAINS)


def _second_units(scale: Scale) -> list[dict[str, Any]]:
    count, depth = {"quick": (20, 6), "standard": (COUNTS["tuning"], 9), "full": (COUNTS["tuning"], 14)}[scale]
    settings = [*(plain(gain) for gain in GAINS), *(relative(gain, tried) for gain, tried in PAIRS)]
    return _units("tuning", count, depth, settings)


def _second_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    found = Searches(results)
    depth = found.depth
    table = {(row["gain"], tried): int(row[tried]) for row in _table(2) for tried in GAINS}
    # Table 1 has the nodes of plain history at the same depth, 14.
    history = {row["increment"]: int(row["14"]) for row in _table(1)}
    reference = found.nodes(plain("power"), depth)
    level = joint_level(len(PAIRS))
    rows = []
    for gain, tried in PAIRS:
        measured, interval = ratio(found.nodes(relative(gain, tried), depth), reference, level)
        published = table[gain, tried] / history["power"]
        label = f"depth {depth}: relative history ({WRITTEN[gain]}, {WRITTEN[tried]}), ratio to plain history 2^d"
        if depth == 14:
            rows.append(by_interval(label, round(published, 4), measured, interval, par=1, why=OTHERS))
            continue
        rows.append(
            Row(
                label=label,
                published=round(published, 4),
                measured=measured,
                interval=interval,
                verdict="same direction" if interval.high < 1 else "measured",
                why="published for depth 14; what relative history saves grows with the depth",
            )
        )
    totals = {pair: found.total(relative(*pair), depth) for pair in PAIRS}
    best = min(totals, key=totals.__getitem__)
    rows.append(
        Row(
            label=f"depth {depth}: the best increments, and how much more the worst of all sixteen need",
            published=_best_and_worst(table),
            measured=_best_and_worst(totals),
            verdict="agrees" if best == BEST else "measured",
            why="" if best == BEST else "the paper calls four pairs about equally good; see the intervals",
        )
    )
    least = min(found.total(plain(gain), depth) for gain in GAINS)
    better = sum(total < least for total in totals.values())
    rows.append(
        Row(
            label=f"depth {depth}: pairs with fewer nodes than every plain history",
            published="16 of 16 at depth 14",
            measured=f"{better} of 16",
            verdict="agrees" if better == 16 else "same direction" if better > 8 else "differs",
            why="" if better == 16 else OTHERS,
        )
    )
    return rows


def _best_and_worst(totals: Mapping[tuple[str, str], int]) -> str:
    best = min(totals, key=totals.__getitem__)
    more = max(totals.values()) / totals[best] - 1
    return f"({WRITTEN[best[0]]}, {WRITTEN[best[1]]}), {100 * more:.1f} %"


# Figures 2, 3 and 4

CURVES: tuple[tuple[str, Name, Setting], ...] = (
    ("figure 2: tuning positions", "tuning", {}),
    ("figure 3: validation positions", "validation", {}),
    ("figure 4: no multi-cut", "tuning", {"multi_cut": 0}),
)

SIZES: dict[Scale, tuple[tuple[int, int], ...]] = {
    "quick": ((12, 7), (12, 7), (8, 7)),
    "standard": ((50, 11), (156, 9), (50, 10)),
    "full": ((171, 14), (156, 15), (171, 12)),
}
"""How many positions, and to which depth, for each curve."""

SAVED = {"figure 2": {14: 12}, "figure 3": {14: 12}, "figure 4": {12: 11}}
"""What the text says of the curves: percent saved at a depth."""

NOTHING = Interval(0.97, 1.03)
"""A ratio that nobody would call a difference in a figure."""


def _curve_units(scale: Scale) -> list[dict[str, Any]]:
    return [
        {**unit, "curve": label}
        for (label, name, changes), (count, depth) in zip(CURVES, SIZES[scale], strict=True)
        for unit in _units(name, count, depth, [{**relative(*BEST), **changes}, {**plain("power"), **changes}])
    ]


def _curve_run(unit: dict[str, Any]) -> dict[str, Any]:
    return {**_run(unit), "curve": unit["curve"]}


def _curves(results: Sequence[Any]) -> Iterator[tuple[str, Searches, Setting, Setting]]:
    for label, _, changes in CURVES:
        part = [result for result in results if result["curve"] == label]
        yield label, Searches(part), {**relative(*BEST), **changes}, {**plain("power"), **changes}


def _curve_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    for label, found, ours, theirs in _curves(results):
        depths = range(3, found.depth + 1)
        level = joint_level(len(depths))
        for depth in depths:
            above, below = found.nodes(ours, depth), found.nodes(theirs, depth)
            measured, interval = ratio(above, below, level)
            mean = sum(x / y for x, y in zip(above, below, strict=True)) / len(above)
            rows.append(_at_depth(label, depth, measured, interval, mean))
    return rows


def _at_depth(label: str, depth: int, measured: float, interval: Interval, mean: float) -> Row:
    name = f"{label}, depth {depth}: nodes of relative history, ratio to history"
    saved = SAVED[label.split(":")[0]].get(depth)
    if saved is not None:
        # "Some 12 %" is a reading of a curve.
        wide = Interval(interval.low - 0.01, interval.high + 0.01)
        return by_interval(name, 1 - saved / 100, measured, wide, par=1, why=OTHERS)
    if depth <= 8:
        same = interval.low <= NOTHING.high and interval.high >= NOTHING.low
        return Row(
            label=name,
            published="no significant difference",
            measured=measured,
            interval=interval,
            verdict="agrees" if same else "differs",
            why="" if same else f"the mean of the positions' ratios is {mean:.3f}; {OTHERS}",
        )
    fewer = interval.high < 1
    return Row(
        label=name,
        published="below 1",
        measured=measured,
        interval=interval,
        verdict="agrees" if fewer else "same direction" if measured < 1 else "differs",
        why="" if fewer else f"not beyond doubt; the mean of the positions' ratios is {mean:.3f}",
    )


def _curve_plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    figure, axes = plots.new(x="depth", y="nodes, ratio to history", height=1.3)
    for label, found, ours, theirs in _curves(results):
        depths = list(range(3, found.depth + 1))
        ratios = [ratio(found.nodes(ours, depth), found.nodes(theirs, depth)) for depth in depths]
        low, high = [each.low for _, each in ratios], [each.high for _, each in ratios]
        plots.band(axes, depths, low, [value for value, _ in ratios], high, label=label)
    axes.axhline(1, color="black", linewidth=0.6)
    return figure


NOTE = (
    "Principal variation search as in MIA IV (`kb.mia()`): table, ETC, null moves, multi-cut, killers and quiescence "
    "search. "
)


def _increments(
    number: int,
    title: str,
    units: Callable[[Scale], Sequence[Any]],
    rows: Callable[[Scale, Sequence[Any]], Sequence[Row]],
    seconds: Mapping[Scale, float],
    note: str,
) -> Experiment:
    """One of the two tables that compare increments."""
    return Experiment(
        id=f"relative-history-table-{number}",
        title=f"{title} in Lines of Action: increments",
        paper=PAPER,
        table=f"Table {number}",
        units=units,
        run=_run,
        summarize=rows,
        seconds=seconds,
        seed=2004,
        note=NOTE + note,
    )


EXPERIMENTS = (
    _increments(
        1,
        "History heuristic",
        _first_units,
        _first_rows,
        {"quick": 4, "standard": 230, "full": 40_000},
        "171 positions of our own from self-play, since the paper's are not printed.",
    ),
    _increments(
        2,
        "Relative history heuristic",
        _second_units,
        _second_rows,
        {"quick": 4, "standard": 700, "full": 120_000},
        "Published are the ratios of depth 14, which takes a day; smaller scales are less deep.",
    ),
    Experiment(
        id="relative-history-curve",
        title="Relative history against history in Lines of Action, by depth",
        paper=PAPER,
        table="Figures 2, 3 and 4",
        units=_curve_units,
        run=_curve_run,
        summarize=_curve_rows,
        plot=_curve_plot,
        seconds={"quick": 2, "standard": 450, "full": 80_000},
        seed=2004,
        note=NOTE
        + "Increments (d², 2^d) against 2^d. The figures have no numbers: the text says that there is no significant "
        "difference to depth 8 (here: none beyond 3 %), some 12 % fewer nodes at depth 14, and without multi-cut 11 % "
        "at depth 12. Intervals are of the bootstrap over positions and hold together with 95 % for a curve.",
    ),
)
