"""Search effort on random trees: figures 36, 37 and 48 to 55 of Rutko's thesis.

The figures are lost; what the prose says of them is compared with what is measured. Beside it stands a reference that
was computed by us for the specification of this experiment, by an independent program.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import kibitz as kb
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, joint_level, mean_interval
from kibitz.experiments.rutko_statistics import RANGES, SHAPES, THESIS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "MODES", "Effort", "Setting", "compare", "counted", "players", "reference"]

MODES = {80: (31, 26, 22, 20), 800: (309, 258, 225, 204)}
"""The first guess of MTD(f), by range and shape: the most probable value of the root. The thesis names 31."""

WIDTHS = tuple(width for width, _ in SHAPES)
BEST_NODE = ("BNS-P, linear", "BNS-P", "BNS-R", "BNS-C", "BNS-C, guess + 1")
PAR = "MTD(f)"
"""What everything is compared with."""

THEIR_TREES = 10_000

Fail = Literal["soft", "hard"]


def counted(*, fail: Fail, table: bool) -> dict[str, Any]:
    """The parameters of a search whose counts are the published ones.

    Moves from left to right, nothing but the table if there is one. It forgets nothing and has an entry for leaves,
    too: a leaf counts when it is evaluated. Every call of the search counts as a node, also one that the table answers.
    """
    parts = ("deepening", "etc", "hash_move", "killers", "history", "hints")
    return {
        **dict.fromkeys(parts, False),
        "tt_mb": 0,
        "tt_exact": table,
        "tt_leaves": True,
        "same_depth": True,
        "fail": fail,
    }


def players(width: int, depth: int, top: int, *, fail: Fail, table: bool) -> dict[str, kb.Algorithm]:
    """The algorithms of the thesis, by name, for trees of a shape with leaves from 0 to `top`.

    NegaScout is always fail-soft: its rule that the last two plies need no second search presumes it.
    """
    given: dict[str, Any] = {"depth": depth, **counted(fail=fail, table=table)}
    tree: dict[str, Any] = {"tree_width": width, "tree_depth": depth, "tree_values": top + 1}
    analytic = kb.BestNode(next_guess="analytic", **tree, **given)
    return {
        "Alpha-Beta": kb.AlphaBeta(**given),
        "NegaScout": kb.NegaScout(**{**given, "fail": "soft"}),
        "NegaC*": kb.NegaCStar(**given),
        "SSS*": kb.Sss(**given),
        "DUAL*": kb.Dual(**given),
        PAR: kb.Mtd(first_guess=float(MODES[top][SHAPES.index((width, depth))]), **given),
        "BNS-P, linear": analytic.replace(variant="plain", next_guess="linear"),
        "BNS-P": analytic.replace(variant="plain"),
        "BNS-R": analytic.replace(variant="raise"),
        "BNS-C": analytic,
        "BNS-C, guess + 1": analytic.replace(offset=1.0),
    }


# Units


def _trees(scale: Scale, width: int, top: int, fail: Fail) -> tuple[int, int]:
    """How many trees, and how many of them are a unit."""
    # With fail-hard and a wide range, SSS* and DUAL* come to the value in steps of one: ten times the work.
    unit = 40 if top == 80 else 10 if fail == "hard" else 20
    if scale == "quick":
        return unit, unit
    if scale == "full" or (width, top) == (2, 80):
        return THEIR_TREES, unit
    return 2_000 if top == 80 else 200 if fail == "hard" else 1_000, unit


def _units(scale: Scale) -> list[dict[str, Any]]:
    kinds: tuple[Fail, Fail] = ("soft", "hard")
    return [
        {"width": width, "depth": depth, "range": top, "fail": fail, "table": table, "first": first, "trees": unit}
        for width, depth in SHAPES
        for top in RANGES
        for fail in kinds
        for table in (True, False)
        for count, unit in [_trees(scale, width, top, fail)]
        for first in range(1, count, unit)
    ]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """For every algorithm the sums of its leaves x and nodes y, of x², y², x·m and y·n, where MTD(f) has m and n."""
    width, depth, top = unit["width"], unit["depth"], unit["range"]
    chosen = players(width, depth, top, fail=unit["fail"], table=unit["table"])
    sums = {name: [0] * 6 for name in chosen}
    for seed in range(unit["first"], unit["first"] + unit["trees"]):
        start = kb.game("random-tree", width=width, depth=depth, range=top, seed=seed).start()
        counts = {}
        for name, player in chosen.items():
            report = player.search(start)
            counts[name] = (int(report.stats["leaves"]), report.nodes)
        m, n = counts[PAR]
        for name, (x, y) in counts.items():
            for number, each in enumerate((x, y, x * x, y * y, x * m, y * n)):
                sums[name][number] += each
    return {"setting": [width, top, unit["fail"], unit["table"]], "trees": unit["trees"], "sums": sums}


# What the sums say


@dataclass(frozen=True)
class Setting:
    """Shape, range of the leaves, kind of alpha-beta, and whether there is a table."""

    width: int
    top: int
    fail: Fail
    table: bool


class Effort:
    """The leaves or nodes of all algorithms in one setting, as means and in percent of MTD(f)."""

    def __init__(self, results: Sequence[Any], count: str) -> None:
        first = ("leaves", "total").index(count)
        self.trees: int = sum(result["trees"] for result in results)
        self._sums: dict[str, list[int]] = {
            name: [sum(result["sums"][name][first + step] for result in results) for step in (0, 2, 4)]
            for name in results[0]["sums"]
        }

    def mean(self, name: str) -> float:
        """The average of a tree."""
        return self._sums[name][0] / self.trees

    def percent(self, name: str) -> float:
        """In percent of MTD(f)."""
        return 100 * self.mean(name) / self.mean(PAR)

    def deviation(self, name: str) -> float:
        """The standard deviation of a tree's count."""
        return math.sqrt(self._covariance(name, name) * self.trees / max(1, self.trees - 1))

    def percent_deviation(self, name: str) -> float:
        """The standard deviation of one tree in the ratio: it falls with the root of the number of trees."""
        ratio = self.percent(name) / 100
        variance = self._covariance(name, name) - 2 * ratio * self._covariance(name, PAR)
        variance = max(0.0, variance + ratio**2 * self._covariance(PAR, PAR))
        return 100 * math.sqrt(variance * self.trees / max(1, self.trees - 1)) / self.mean(PAR)

    def _covariance(self, name: str, other: str) -> float:
        x, square, product = self._sums[name]
        both = square if name == other else product
        return both / self.trees - (x / self.trees) * self.mean(other)


Efforts = Mapping[tuple[Setting, str], Effort]


def _efforts(results: Sequence[Any]) -> Efforts:
    parts: dict[Setting, list[Any]] = {}
    for result in results:
        parts.setdefault(Setting(*result["setting"]), []).append(result)
    return {(setting, count): Effort(part, count) for setting, part in parts.items() for count in ("leaves", "total")}


def reference() -> list[dict[str, Any]]:
    """The figures that were computed for the specification, by row: one for each algorithm with the four shapes."""
    return [
        {**row, "range": int(row["range"]), "trees": int(row["trees"]), "table": row["table"] == "yes"}
        for row in data.read("rutko-effort-reference")
    ]


def _texts(numbers: Sequence[float]) -> str:
    return " / ".join(f"{number:.1f}" for number in numbers)


def compare(given: Mapping[str, Any], width: int, effort: Effort) -> tuple[float, float, float]:
    """The reference at a width, what was measured, and how far apart they may be.

    That is 1.5 %, or three standard errors of the difference if they are more: the reference is a sample, too.
    """
    name, expected = given["algorithm"], float(given[f"w{width}"])
    if given["unit"] == "percent":
        measured, deviation = effort.percent(name), effort.percent_deviation(name)
    else:
        measured, deviation = effort.mean(name), effort.deviation(name)
    error = deviation * math.sqrt(1 / effort.trees + 1 / given["trees"])
    return expected, measured, max(0.015 * expected, 3 * error)


def _reference_rows(efforts: Efforts) -> Iterator[Row]:
    for given in reference():
        settings = [Setting(width, given["range"], given["fail"], given["table"]) for width in WIDTHS]
        found = {at.width: compare(given, at.width, efforts[at, given["count"]]) for at in settings}
        wrong = [
            f"width {width}: {measured:.1f} is more than {allowed:.1f} away from {expected:.1f}"
            for width, (expected, measured, allowed) in found.items()
            if abs(measured - expected) > allowed
        ]
        table = "table" if given["table"] else "no table"
        unit = f"{given['count']}, % of {PAR}" if given["unit"] == "percent" else given["count"]
        yield Row(
            label=f"our reference: {given['algorithm']}, {unit}, R = {given['range']}, {table}, fail-{given['fail']}",
            published=_texts([expected for expected, _, _ in found.values()]),
            measured=_texts([measured for _, measured, _ in found.values()]),
            verdict="differs" if wrong else "agrees",
            why="; ".join(wrong),
        )


def _published(efforts: Efforts) -> Iterator[Row]:
    lines = data.read("rutko-effort")
    level = joint_level(len(lines))
    for line in lines:
        name = "BNS-C" if line["algorithm"] == "BNS" else line["algorithm"]
        width, count = int(line["width"]), line["count"]
        effort = efforts[Setting(width, 80, "hard", True), count]
        percent, within = effort.percent(name), float(line["within"])
        sampled = mean_interval(percent, effort.percent_deviation(name), effort.trees, level)
        yield by_interval(
            f"{line['algorithm']}, {count}, % of {PAR}, width {width}",
            float(line["percent"]),
            percent,
            Interval(sampled.low - within, sampled.high + within),
            par=100,
            why="the thesis prints neither the guesses for this shape nor the range of the leaves",
        )


def _only_one_below(efforts: Efforts) -> Row:
    others = [name for name in players(2, 14, 80, fail="hard", table=True) if name not in (*BEST_NODE, PAR)]
    shares = [efforts[Setting(width, 80, "hard", True), "leaves"] for width in WIDTHS]
    mine = [each.percent("BNS-C") for each in shares]
    theirs = [min(each.percent(name) for name in others) for each in shares]
    holds = max(mine) < 100 < min(theirs)
    return Row(
        label=f"table: leaves in % of {PAR} at widths 2 to 5, BNS-C against the best of the others",
        published="only BNS is below 100",
        measured=f"{_texts(mine)} against {_texts(theirs)}",
        verdict="agrees" if holds else "differs",
        why="" if holds else "not at every width",
    )


def _best_without_table(efforts: Efforts, count: str) -> Row:
    shares = [efforts[Setting(width, 80, "hard", False), count] for width in WIDTHS]
    others = [name for name in players(2, 14, 80, fail="hard", table=False) if name not in BEST_NODE]
    mine = [each.percent("BNS-C") for each in shares]
    theirs = [min(each.percent(name) for name in others) for each in shares]
    holds = all(own < best for own, best in zip(mine, theirs, strict=True))
    return Row(
        label=f"no table: {count} in % of {PAR} at widths 2 to 5, BNS-C against the best of the others",
        published="BNS has the fewest",
        measured=f"{_texts(mine)} against {_texts(theirs)}",
        verdict="agrees" if holds else "differs",
        why="" if holds else "not at every width",
    )


# The finding in words, each from what was measured


def _findings(efforts: Efforts) -> Iterator[Row]:
    """Which variant has the published advantage, with which alpha-beta, and where it vanishes."""

    def percent(name: str, count: str, width: int, top: int, fail: Fail) -> float:
        return efforts[Setting(width, top, fail, True), count].percent(name)

    def finding(label: str, published: str | None, measured: str, why: str) -> Row:
        return Row(label=f"finding: {label}", published=published, measured=measured, verdict="measured", why=why)

    variants = ("BNS-P, linear", "BNS-P", "BNS-R", "BNS-C")
    leaves = {name: percent(name, "leaves", 2, 80, "soft") for name in variants}
    nearest = min(leaves, key=lambda name: abs(leaves[name] - 88))
    yield finding(
        "which variant has the published 88 % of leaves at width 2",
        "88",
        ", ".join(f"{name} {value:.1f}" for name, value in leaves.items()),
        f"{nearest} is the nearest, with the analytic guess; BNS-P is the listing as printed",
    )
    for name, published in (("SSS*", "about 700"), ("DUAL*", "about 300"), ("BNS-C", "about 80")):
        kinds: tuple[Fail, Fail] = ("soft", "hard")
        totals = {fail: percent(name, "total", 2, 80, fail) for fail in kinds}
        near = min(totals, key=lambda fail: abs(math.log(totals[fail] / float(published.split()[-1]))))
        yield finding(
            f"under which alpha-beta {name} has the published total at width 2",
            published,
            ", ".join(f"fail-{fail} {value:.1f}" for fail, value in totals.items()),
            f"nearest with fail-{near}; with fail-hard MTD(f) itself goes in steps of one and needs more nodes",
        )
    fine = {width: percent("BNS-C", "leaves", width, 800, "soft") for width in WIDTHS}
    coarse = {width: percent("BNS-C", "leaves", width, 80, "soft") for width in WIDTHS}
    gone = [width for width in WIDTHS if fine[width] > 97]
    yield finding(
        "where the advantage of BNS-C in leaves vanishes, widths 2 to 5",
        None,
        f"R = 800: {_texts(list(fine.values()))}; R = 80: {_texts(list(coarse.values()))}",
        f"with leaves from 0 to 800 less than 3 % is left at width {', '.join(map(str, gone))}" if gone else "nowhere",
    )


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    efforts = _efforts(results)
    return [
        *_published(efforts),
        _only_one_below(efforts),
        *(_best_without_table(efforts, count) for count in ("leaves", "total")),
        *_findings(efforts),
        *_reference_rows(efforts),
    ]


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    efforts = _efforts(results)
    shown = (
        ("leaves", 80, "soft", True),
        ("total", 80, "hard", True),
        ("leaves", 80, "soft", False),
        ("leaves", 800, "soft", True),
    )
    names = [name for name in players(2, 14, 80, fail="soft", table=True) if name not in (PAR, BEST_NODE[-1])]
    titles = [
        f"{count}, % of {PAR}\nR = {top}, fail-{fail}, {'table' if table else 'no table'}"
        for count, top, fail, table in shown
    ]
    figure, panels = plots.panels([("", title) for title in titles], height=1.2)
    for axes, (count, top, fail, table) in zip(panels, shown, strict=True):
        settings = {f"width {width}": Setting(width, top, fail, table) for width in WIDTHS}  # type: ignore[arg-type]
        series = {label: [efforts[at, count].percent(name) for name in names] for label, at in settings.items()}
        plots.bars(axes, names, series)
        axes.axhline(100, color="black", linewidth=0.6)
        if max(map(max, series.values())) > 250:
            axes.set_yscale("log")
            ticks = (50, 100, 200, 500, 1000)
            axes.set_yticks(ticks, list(map(str, ticks)))
            axes.minorticks_off()
    plots.common_legend(figure)
    return figure


EXPERIMENTS = (
    Experiment(
        id="rutko-effort",
        title="Search effort on random trees",
        paper=THESIS,
        table="Figures 36, 37 and 48 to 55",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 6, "standard": 400, "full": 3500},
        seed=1,
        note="The figures are lost and the thesis prints no table of them; published is what its prose says. It does "
        "not say which alpha-beta was used (its listing is fail-hard, and so are the rows compared with it), nor which "
        "range of leaves, nor which form of best-node search: BNS-P is the listing, BNS-R and BNS-C change the value "
        "while the moves are tested, as one remark of the thesis allows; they are readings of a text that leaves much "
        "open, and agreement does not prove that the author ran the same. Rows named *our reference* are not published "
        "but were computed by us for the specification of this experiment by an independent program, and agreement is "
        "to 1.5 % or three standard errors, whichever is more. Their four numbers are the widths 2, 3, 4 and 5.",
    ),
)
