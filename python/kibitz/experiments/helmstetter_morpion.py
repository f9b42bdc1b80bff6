"""Incremental transpositions on Morpion Solitaire: positions by depth, ends of records, and the speed of the search."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.helmstetter_gaps import PAPER
from kibitz.experiments.judging import by_order, exactly

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "records"]

VARIANTS = ("5T", "5D", "4T", "4D")
WITH_TABLE = 4
"""The depth to which a search with a table is compared."""


def _depths(scale: Scale) -> list[Any]:
    depth = {"quick": 5, "standard": 8, "full": 10}[scale]
    return [{"variant": variant, "depth": depth} for variant in VARIANTS]


def _depths_run(unit: dict[str, Any]) -> dict[str, Any]:
    start = kb.game("morpion", variant=unit["variant"]).start()
    search = kb.IncrementalTranspositions(depth=unit["depth"])
    shallow = search.replace(depth=WITH_TABLE)
    return {
        **unit,
        "positions": list(search.search(start).depths),
        "sets": shallow.search(start).nodes,
        "table": shallow.search(start, table="exact").nodes,
        "table alone": shallow.search(start, table="exact", sets=False).nodes,
    }


def _depths_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    published = {(row["variant"], int(row["depth"])): int(row["positions"]) for row in data.read("helmstetter-depths")}
    rows = []
    for each in results:
        variant = each["variant"]
        for depth, positions in enumerate(each["positions"]):
            label = f"{variant}: positions at depth {depth}"
            if (variant, depth) in published:
                rows.append(exactly(label, published[variant, depth], positions))
            else:
                rows.append(Row(label=label, measured=positions, verdict="measured"))
        rows.append(exactly(f"{variant}: nodes to depth {WITH_TABLE} with a table, too", each["sets"], each["table"]))
        label = f"{variant}: nodes to depth {WITH_TABLE} with a table alone"
        rows.append(exactly(label, each["sets"], each["table alone"]))
    return rows


def records() -> dict[str, list[str]]:
    """Long games of our own, found by nested rollout policy adaptation, by variant."""
    lines: dict[str, list[str]] = {}
    for row in data.read("morpion-records"):
        lines.setdefault(row["variant"], []).append(row["move"])
    return lines


def _tails(scale: Scale) -> list[Any]:
    nodes, left = {
        "quick": (200_000, {"5T": 50, "5D": 26}),
        "standard": (100_000_000, {"5T": 90, "5D": 42}),
        "full": (100_000_000_000, {"5T": 120, "5D": 60}),
    }[scale]
    return [
        {"variant": variant, "moves": line, "played": played, "nodes": nodes}
        for variant, line in records().items()
        for played in range(len(line) - 1, max(len(line) - 1 - left[variant], -1), -1)
    ]


def _tail_run(unit: dict[str, Any]) -> dict[str, Any]:
    position = kb.game("morpion", variant=unit["variant"]).start()
    for move in unit["moves"][: unit["played"]]:
        position = position.play(move)
    search = kb.IncrementalTranspositions(nodes=unit["nodes"])
    report = search.search(position)
    # as many positions as the memory of a table holds
    small = report.proven and report.nodes <= 1_000_000
    return {
        "variant": unit["variant"],
        "length": len(unit["moves"]),
        "played": unit["played"],
        "nodes": report.nodes,
        "complete": report.proven,
        "longest": report.value if report.bound != "estimate" else 0,
        "with table": search.search(position, table="exact").nodes if small else None,
    }


def _optimal_from(results: Sequence[Any]) -> int | None:
    """The fewest first moves behind which everything was searched and nothing longer was found."""
    found = None
    for each in sorted(results, key=lambda each: -each["played"]):
        if not each["complete"] or each["longest"] > each["length"]:
            break
        found = each["played"]
    return found


def _tail_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    for variant in dict.fromkeys(each["variant"] for each in results):
        some = [each for each in results if each["variant"] == variant]
        length = some[0]["length"]
        longest = max(each["longest"] for each in some)
        optimal = _optimal_from(some)
        searched = [each for each in some if optimal is not None and each["played"] >= optimal]
        rows += [
            Row(
                label=f"{variant}: longer games found behind a line of {length} moves",
                published="none",
                measured="none" if longest <= length else f"{longest:.0f} moves",
                verdict="agrees" if longest <= length else "differs",
                why="" if longest <= length else "the line was not the best from there on, unlike those of the paper",
            ),
            Row(
                label=f"{variant}: optimal from move",
                published="61 of 170, 42 of 136" if variant == "5T" else None,
                measured=f"{optimal} of {length}" if optimal is not None else "none",
                verdict="measured",
            ),
            Row(
                label=f"{variant}: nodes of the largest complete search",
                published=3.97e13 if variant == "5T" else None,
                measured=max((each["nodes"] for each in searched), default=0),
                verdict="measured",
            ),
        ]
        tables = [each for each in some if each["with table"] is not None]
        same = sum(each["nodes"] == each["with table"] for each in tables)
        rows.append(exactly(f"{variant}: searches with as many nodes with a table", len(tables), same))
    return rows


def _tail_plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    figure, axes = plots.new(x="moves left", y="nodes of a complete search")
    for variant in dict.fromkeys(each["variant"] for each in results):
        some = [each for each in results if each["variant"] == variant and each["complete"]]
        axes.plot([each["length"] - each["played"] for each in some], [each["nodes"] for each in some], label=variant)
    axes.set_yscale("log")
    plots.legend(axes)
    return figure


SEARCHES: dict[str, dict[str, Any]] = {
    "plain": {"sets": False},
    "sets": {},
    "table": {"sets": False, "table": 1 << 22},
    "both": {"table": 1 << 22},
}


def _speeds(scale: Scale) -> list[Any]:
    rounds, nodes = {"quick": (3, 500_000), "standard": (9, 10_000_000), "full": (15, 50_000_000)}[scale]
    return [{"round": each, "nodes": nodes} for each in range(1, rounds + 1)]


def _speed_run(unit: dict[str, Any]) -> dict[str, Any]:
    deal = kb.game("gaps", seed=2).start()
    cross = kb.game("morpion").start()
    speeds = {
        name: kb.IncrementalTranspositions(nodes=unit["nodes"], **options).search(deal).nps
        for name, options in SEARCHES.items()
    }
    return {"gaps": speeds, "morpion": kb.IncrementalTranspositions(nodes=unit["nodes"]).search(cross).nps}


def _speed_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    published = {(row["game"], row["search"]): float(row["positions"]) for row in data.read("helmstetter-speed")}
    speeds = {name: sorted(each["gaps"][name] for each in results) for name in SEARCHES}
    rows = [
        Row(
            label=f"Gaps, {name}: positions a second",
            published=published["gaps", name],
            measured=round(median(values)),
            verdict="measured",
        )
        for name, values in speeds.items()
    ]
    rows.append(
        Row(
            label="Morpion, sets: positions a second",
            published=published["morpion", "sets"],
            measured=round(median(each["morpion"] for each in results)),
            verdict="measured",
        )
    )
    rows.append(
        by_order(
            "Gaps: from the slowest to the fastest",
            {name: published["gaps", name] for name in SEARCHES},
            {name: median(values) for name, values in speeds.items()},
            {name: Interval(values[0], values[-1]) for name, values in speeds.items()},
            why="another machine with other memory",
        )
    )
    return rows


EXPERIMENTS = (
    Experiment(
        id="helmstetter-depths",
        title="Every position of Morpion Solitaire is visited once: positions by depth",
        paper=PAPER,
        table="the statement that only permutations transpose",
        units=_depths,
        run=_depths_run,
        summarize=_depths_rows,
        seconds={"quick": 4, "standard": 60, "full": 3000},
        note="The paper gives no counts by depth; these are from a study of it. That a table changes nothing is its "
        "own result.",
    ),
    Experiment(
        id="helmstetter-tail",
        title="How far back the end of a long game is optimal",
        paper=PAPER,
        table="Figures 8 and 9",
        units=_tails,
        run=_tail_run,
        summarize=_tail_rows,
        plot=_tail_plot,
        seconds={"quick": 8, "standard": 1200, "full": 100_000},
        note="The games of the paper are printed only as pictures; these are our own, found by nested rollout policy "
        "adaptation. A search is complete within its limit of nodes or says nothing. The paper's longest took two "
        "months.",
    ),
    Experiment(
        id="helmstetter-speed",
        title="Positions a second with sets, with a table, with both and with none",
        paper=PAPER,
        table="the text on timing",
        units=_speeds,
        run=_speed_run,
        summarize=_speed_rows,
        seconds={"quick": 6, "standard": 200, "full": 1500},
        note="Speeds depend on the machine, and on what else it does; their order is the statement.",
    ),
)
