"""Updates of a file in random and in sorted order, and what sorting costs: why databases are built in passes."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "PAPER", "random_blocks", "sorted_blocks"]

PAPER = (
    "P.-h. Wu, P.-Y. Liu and T.-s. Hsu, *An External-Memory Retrograde Analysis Algorithm*, Computers and Games 2004"
)

BLOCK = 10_240
MILLION = 1 << 20

MACHINE = "other disks and four orders of magnitude more memory around them; only the direction can be the same"


def random_blocks(updates: int, records: int, block: int = BLOCK) -> float:
    """Expected blocks that updates in random order read: neighbours in one block share an access."""
    return updates - (updates - 1) * block / records


def sorted_blocks(updates: int, records: int, block: int = BLOCK) -> float:
    """Expected blocks that sorted and combined updates read: the distinct ones."""
    distinct = records * -math.expm1(updates * math.log1p(-1 / records))
    # the chance that all of the distinct records lie outside of a block, by the logarithms of factorials
    free = records - block
    if distinct > free:
        return records / block
    outside = (
        math.lgamma(free + 1)
        - math.lgamma(free - distinct + 1)
        - math.lgamma(records + 1)
        + math.lgamma(records - distinct + 1)
    )
    return records / block * -math.expm1(outside)


def _deviation(name: str, updates: int, records: int) -> float:
    """The standard deviation of the number of blocks of a run; for sorted updates an upper bound."""
    if name == "wu-random-updates":
        share = BLOCK / records
        return math.sqrt(updates * share * (1 - share))
    blocks = records / BLOCK
    touched = sorted_blocks(updates, records) / blocks
    return math.sqrt(blocks * touched * max(1 - touched, 0.0))


def _folder() -> tempfile.TemporaryDirectory[str]:
    """A directory on the disk: the usual one for short-lived files may lie in memory."""
    disk = Path("/var/tmp")
    return tempfile.TemporaryDirectory(prefix="kibitz-", dir=disk if disk.is_dir() else None)


def _updates(unit: dict[str, Any]) -> dict[str, Any]:
    with _folder() as folder:
        sorting, updating, blocks = _core.disk_updates(
            Path(folder) / "records",
            records=unit["millions"] * MILLION,
            block=BLOCK,
            updates=unit["updates"],
            sorted=unit["sorted"],
            direct=unit["direct"],
            seed=unit["seed"],
        )
    return {**unit, "sorting": sorting, "updating": updating, "blocks": blocks}


def _sort(unit: dict[str, Any]) -> dict[str, Any]:
    with _folder() as folder:
        whole, merge = _core.disk_sort(
            folder, count=unit["items"] * MILLION, capacity=unit["memory"] * MILLION, seed=unit["seed"]
        )
    return {**unit, "sort": whole, "merge": merge}


SEEDS = {"quick": 2, "standard": 5, "full": 10}
MOST_RANDOM = {"quick": 1_000, "standard": 10_000, "full": 1_000_000}
"""Updates in random order that the disk itself is asked for; the paper's million take half an hour on the disk."""


def _update_units(name: str, scale: Scale, *, is_sorted: bool) -> list[dict[str, Any]]:
    most = {"quick": 10_000, "standard": 10_000_000, "full": 10_000_000}[scale] if is_sorted else MOST_RANDOM[scale]
    return [
        {
            "updates": int(row["updates"]),
            "millions": int(row["millions"]),
            "sorted": is_sorted,
            "direct": True,
            "seed": seed,
        }
        for row in data.read(name)
        if int(row["updates"]) <= most
        for seed in range(1, SEEDS[scale] + 1)
    ]


def _update_rows(name: str, results: Sequence[Any]) -> list[Row]:
    found: dict[tuple[int, int], list[Any]] = {}
    for result in results:
        found.setdefault((result["updates"], result["millions"]), []).append(result)
    rows = []
    for row in data.read(name):
        key = (int(row["updates"]), int(row["millions"]))
        runs = found.get(key, [])
        updates, millions = key
        label = f"{updates:,} updates of {millions}·2²⁰ records"
        model = sorted_blocks if name == "wu-sequential-updates" else random_blocks
        expected = model(updates, millions * MILLION)
        # a published average lies near the model: it is rounded, and of few runs
        published = float(row["blocks"])
        near = math.isclose(published, expected, rel_tol=0.005, abs_tol=2)
        rows.append(
            Row(
                label=f"{label}: blocks by the model",
                published=published,
                measured=round(expected, 1),
                verdict="agrees" if near else "differs",
                why="" if near else "the average of the paper is more than half a percent off the model",
            )
        )
        if not runs:
            continue
        mean = math.fsum(each["blocks"] for each in runs) / len(runs)
        # how far one run may lie from the mean of ours, by the model, and half a block for rounding
        reach = 3.3 * _deviation(name, updates, millions * MILLION) * math.sqrt(1 + 1 / len(runs)) + 0.5
        rows.append(by_interval(f"{label}: blocks", published, mean, Interval(mean - reach, mean + reach)))
        seconds = [each["updating"] for each in runs]
        rows.append(
            Row(
                label=f"{label}: seconds (published {row['seconds']})",
                measured=round(math.fsum(seconds) / len(seconds), 4),
                verdict="measured",
            )
        )
    return rows


def _random_units(scale: Scale) -> list[dict[str, Any]]:
    return _update_units("wu-random-updates", scale, is_sorted=False)


def _random_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    return _update_rows("wu-random-updates", results)


def _sequential_units(scale: Scale) -> list[dict[str, Any]]:
    return _update_units("wu-sequential-updates", scale, is_sorted=True)


def _sequential_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    return _update_rows("wu-sequential-updates", results)


def _both_units(scale: Scale) -> list[dict[str, Any]]:
    sizes = {"quick": [25], "standard": [25, 40, 100], "full": [25, 40, 100]}[scale]
    counts = {"quick": [2_000], "standard": [100_000], "full": [100_000, 1_000_000]}[scale]
    return [
        {"updates": updates, "millions": millions, "sorted": order, "direct": direct, "seed": seed}
        for millions in sizes
        for updates in counts
        for direct in (True, False)
        for order in (True, False)
        for seed in range(1, {"quick": 1, "standard": 2, "full": 3}[scale] + 1)
    ]


def _both_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    published = {(int(row["updates"]), int(row["millions"])): row for row in data.read("wu-sort-and-update")}
    times: dict[tuple[int, int, bool, bool], list[float]] = {}
    for each in results:
        key = (each["updates"], each["millions"], each["direct"], each["sorted"])
        times.setdefault(key, []).append(each["sorting"] + each["updating"])
    rows = []
    for updates, millions, direct, is_sorted in times:
        if is_sorted:
            continue
        slow = min(times[updates, millions, direct, False])
        fast = min(times[updates, millions, direct, True])
        where = "the disk itself" if direct else "through the cache of the system"
        label = (
            f"{updates:,} updates of {millions}·2²⁰ records, {where}: time of random order over that of sorting first"
        )
        theirs = published.get((updates, millions))
        ratio = slow / fast
        if theirs is None or not theirs["random"]:
            rows.append(Row(label=label, measured=round(ratio, 2), verdict="measured"))
            continue
        paper = float(theirs["random"]) / (float(theirs["sort"]) + float(theirs["sequential"]))
        same = ratio > 1
        rows.append(
            Row(
                label=label,
                published=round(paper, 1),
                measured=round(ratio, 2),
                verdict="same direction" if same else "differs",
                why=MACHINE if same else f"{MACHINE}; here the whole file is in the cache",
            )
        )
        rows.append(Row(label=f"{label}: seconds, sorted", measured=round(fast, 4), verdict="measured"))
        rows.append(Row(label=f"{label}: seconds, random", measured=round(slow, 4), verdict="measured"))
    return rows


def _sort_units(scale: Scale) -> list[dict[str, Any]]:
    sizes = {"quick": [(1, 1), (4, 1)], "standard": [(1, 50), (10, 50), (100, 50), (100, 100)], "full": []}[scale]
    if scale == "full":
        sizes = [
            (int(row["items"]), int(row["memory"])) for row in data.read("wu-external-sort") if row["bytes"] == "4"
        ]
    return [{"items": items, "memory": memory, "seed": 1} for items, memory in sizes]


def _sort_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    published = {
        (int(row["items"]), int(row["memory"])): row for row in data.read("wu-external-sort") if row["bytes"] == "4"
    }
    rows = []
    each_item: dict[bool, list[float]] = {True: [], False: []}
    for each in results:
        label = f"{each['items']}·2²⁰ items, {each['memory']}·2²⁰ in memory"
        theirs = published.get((each["items"], each["memory"]))
        note = f" (published {theirs['sort']}, merge {theirs['merge']})" if theirs else ""
        rows.append(Row(label=f"{label}: seconds{note}", measured=round(each["sort"], 3), verdict="measured"))
        rows.append(Row(label=f"{label}: of it the merge", measured=round(each["merge"], 3), verdict="measured"))
        each_item[each["items"] > each["memory"]].append(each["sort"] / (each["items"] * MILLION))
    if each_item[True] and each_item[False]:
        ratio = max(each_item[True]) / max(each_item[False])
        within = ratio > 1
        rows.append(
            Row(
                label="an external sort takes so many times as long an item as one in memory",
                published="2 to 3",
                measured=round(ratio, 2),
                verdict="agrees" if 2 <= ratio <= 3 else "same direction" if within else "differs",
                why="" if 2 <= ratio <= 3 else MACHINE,
            )
        )
    return rows


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    figure, axes = plots.new(x="updates", y="seconds")
    for number, (direct, is_sorted) in enumerate(((True, False), (True, True), (False, False), (False, True))):
        runs = [each for each in results if each["direct"] == direct and each["sorted"] == is_sorted]
        label = f"{'sorted' if is_sorted else 'random'}, {'disk' if direct else 'cache'}"
        axes.plot(
            [each["millions"] for each in runs],
            [each["sorting"] + each["updating"] for each in runs],
            "o",
            color=plots.COLOURS[number],
            label=label,
        )
    axes.set_xlabel("records of the file, 2²⁰")
    axes.set_yscale("log")
    plots.legend(axes)
    return figure


NOTE = (
    "Blocks do not depend on the machine and are compared; seconds are those of this disk. It is asked without the "
    "cache of the system between (`O_DIRECT`), since files of 25 to 100 MB would never leave it today."
)

EXPERIMENTS = (
    Experiment(
        id="wu-random-updates",
        title="Updates of a file in random order",
        paper=PAPER,
        table="the table of random disk updating",
        units=_random_units,
        run=_updates,
        summarize=_random_rows,
        seconds={"quick": 8, "standard": 120, "full": 20_000},
        seed=1,
        note=NOTE,
    ),
    Experiment(
        id="wu-sequential-updates",
        title="Updates of a file that are sorted and combined",
        paper=PAPER,
        table="the table of sequential disk updating",
        units=_sequential_units,
        run=_updates,
        summarize=_sequential_rows,
        seconds={"quick": 8, "standard": 200, "full": 400},
        seed=1,
        note=NOTE,
    ),
    Experiment(
        id="wu-external-sort",
        title="The cost of sorting on disk",
        paper=PAPER,
        table="the table of external sorting, items of 4 bytes",
        units=_sort_units,
        run=_sort,
        summarize=_sort_rows,
        seconds={"quick": 5, "standard": 150, "full": 6_000},
        seed=1,
        note="The items here are numbers of 8 bytes in memory and, as differences, of one or two on the disk.",
    ),
    Experiment(
        id="wu-sort-and-update",
        title="Sorting first against random order",
        paper=PAPER,
        table="the table of sorting and updating",
        units=_both_units,
        run=_updates,
        summarize=_both_rows,
        plot=_plot,
        seconds={"quick": 5, "standard": 200, "full": 4_000},
        seed=1,
        note=NOTE,
    ),
)
