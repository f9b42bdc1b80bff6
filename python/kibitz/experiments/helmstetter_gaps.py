"""Incremental transpositions on Gaps: figures 5 to 7 of the paper, tables of any size, and the common variant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "PAPER"]

PAPER = 'B. Helmstetter and T. Cazenave, "Incremental Transpositions", Computers and Games 2004, LNCS 3846'

MEMORY = 1024
"""Megabytes that a table may take."""

Search = Callable[..., kb.IncrementalTranspositions]


def _deals(scale: Scale, deals: dict[Scale, int], entries: dict[Scale, int], nodes: dict[Scale, int]) -> list[Any]:
    """The deals of a scale: a quick look has ten ranks, the others the whole deck."""
    ranks = 10 if scale == "quick" else 13
    return [
        {"ranks": ranks, "seed": seed, "entries": entries[scale], "nodes": nodes[scale]}
        for seed in range(1, deals[scale] + 1)
    ]


def _count(unit: dict[str, Any], **options: Any) -> dict[str, Any]:
    """The nodes of a search of a deal, and whether it was complete."""
    start = kb.game("gaps", ranks=unit["ranks"], seed=unit["seed"]).start()
    report = kb.IncrementalTranspositions(nodes=unit["nodes"], memory_mb=MEMORY, **options).search(start)
    return {"nodes": report.nodes, "complete": report.proven}


LARGE = 1 << 25
"""The entries of the paper's large table, more than any of its searches has nodes."""


def _sets_alone(unit: dict[str, Any]) -> dict[str, Any]:
    large = _count(unit, table=unit["entries"])
    alone = _count(unit) if large["complete"] else {"nodes": 0, "complete": False}
    return {"entries": unit["entries"], "below": large, "above": alone}


def _table_alone(unit: dict[str, Any]) -> dict[str, Any]:
    both = _count(unit, table=unit["entries"])
    alone = _count(unit, table=unit["entries"], sets=False) if both["complete"] else {"nodes": 0, "complete": False}
    return {"entries": unit["entries"], "below": both, "above": alone}


def _small_table(unit: dict[str, Any]) -> dict[str, Any]:
    large = _count(unit, table="exact")
    small = _count(unit, table=unit["entries"]) if large["complete"] else {"nodes": 0, "complete": False}
    return {"entries": unit["entries"], "below": large, "above": small}


def _ratio(result: Any) -> float:
    """A lower bound if the larger search was not complete."""
    return float(result["above"]["nodes"] / result["below"]["nodes"])


def _searched(results: Sequence[Any]) -> list[Any]:
    """The deals that could be searched completely with a table and sets, as in the paper."""
    return [result for result in results if result["below"]["complete"]]


def _cut(results: Sequence[Any]) -> str:
    cut = sum(not result["above"]["complete"] for result in results)
    return f"{cut} of {len(results)} searches reached their limit, so that the ratio is a lower bound" if cut else ""


def _reasons(*reasons: str) -> str:
    return "; ".join(reason for reason in reasons if reason)


def _figure_5(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    found = _searched(results)
    ratios = [_ratio(result) for result in found]
    low, high = min(ratios), max(ratios)
    inside = sum(1 <= ratio <= 1000 for ratio in ratios)
    good = low >= 1 and high <= 1000
    reason = f"{len(ratios) - inside} of {len(ratios)} deals lie outside"
    return [
        Row(label="deals", published=1000, measured=len(found), verdict="measured"),
        Row(
            label="N_it / N_tt_it, least and greatest",
            published="between 1 and 1,000",
            measured=f"{shown(low)} to {shown(high)}",
            verdict="agrees" if good else "differs",
            why=_reasons("" if good else reason, _cut(found)),
        ),
        Row(label="N_it / N_tt_it, median", measured=median(ratios), verdict="measured"),
        *_by_size("N_it / N_tt_it", found),
    ]


def _by_size(label: str, results: Sequence[Any]) -> list[Row]:
    """The median ratio by the power of ten of the smaller search."""
    rows = []
    for power in range(1, 8):
        ratios = [_ratio(each) for each in results if 10**power <= each["below"]["nodes"] < 10 ** (power + 1)]
        if ratios:
            words = f"{label}, median of {len(ratios)} deals with 10^{power} to 10^{power + 1} positions"
            rows.append(Row(label=words, measured=median(ratios), verdict="measured"))
    return rows


def _split(results: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Deals that fit into half of the table, and those that need more than twice as many entries as there are."""
    small = [each for each in results if each["below"]["nodes"] <= each["entries"] / 2]
    large = [each for each in results if each["below"]["nodes"] > 2 * each["entries"]]
    return small, large


def _sized(label: str, results: Sequence[Any], *, explodes: bool) -> list[Row]:
    found = _searched(results)
    small, large = _split(found)
    rows = [Row(label="deals", published=3200 if explodes else 5000, measured=len(found), verdict="measured")]
    if small:
        ratio = median(map(_ratio, small))
        rows.append(
            Row(
                label=f"{label}, median of {len(small)} deals that fill less than half of the table",
                published="about 1",
                measured=ratio,
                verdict="agrees" if ratio < 1.5 else "differs",
                why="" if ratio < 1.5 else "positions push each other out of the table long before it is full",
            )
        )
    if large:
        ratio = median(map(_ratio, large))
        good = ratio > 3 if explodes else ratio < 10
        rows.append(
            Row(
                label=f"{label}, median of {len(large)} deals with more than twice as many positions as entries",
                published="explodes" if explodes else "grows far less",
                measured=ratio,
                verdict="agrees" if good else "differs",
                why=_reasons("" if good else "judged by more than 3 and less than 10", _cut(large)),
            )
        )
        rows.append(Row(label=f"{label}, greatest of them", measured=max(map(_ratio, large)), verdict="measured"))
    return rows


def _figure_6(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    return _sized("N_tt / N_tt_it", results, explodes=True)


def _figure_7(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    return _sized("N_tt_it with a small table / with a large one", results, explodes=False)


def _plotted(y: str) -> Callable[[Sequence[Any]], Figure]:
    def plot(results: Sequence[Any]) -> Figure:
        from kibitz import plots

        figure, axes = plots.new(x="nodes with sets and a table", y=y)
        found = _searched(results)
        for complete, marker, label in ((True, ".", "complete"), (False, "^", "at least, cut off")):
            some = [each for each in found if each["above"]["complete"] == complete]
            if some:
                axes.plot(
                    [each["below"]["nodes"] for each in some], list(map(_ratio, some)), marker, label=label, ls=""
                )
        axes.set_xscale("log")
        axes.set_yscale("log")
        plots.legend(axes)
        return figure

    return plot


SIZES = [1, *(1 << power for power in range(4, 21, 2))]
TABLES: dict[Scale, list[tuple[int, int]]] = {
    "quick": [(7, 4), (8, 6)],
    "standard": [(7, 4), (8, 6), (10, 1), (13, 1), (13, 6)],
    "full": [(7, 4), (8, 6), (10, 1), (13, 1), (13, 6), (13, 8), (13, 3), (13, 12)],
}


def _tables(scale: Scale) -> list[Any]:
    nodes = {"quick": 300_000, "standard": 20_000_000, "full": 1_000_000_000}[scale]
    return [
        {"ranks": ranks, "seed": seed, "entries": entries, "nodes": nodes}
        for ranks, seed in TABLES[scale]
        for entries in SIZES
    ]


def _table_run(unit: dict[str, Any]) -> dict[str, Any]:
    return {
        **unit,
        "positions": _count(unit, table="exact"),
        "both": _count(unit, table=unit["entries"]),
        "table": _count(unit, table=unit["entries"], sets=False),
        "sets": _count(unit),
    }


def _bound(count: Any) -> str:
    return ("" if count["complete"] else "> ") + f"{count['nodes']:,}"


def _table_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    for each in results:
        positions, both, table, sets = (each[name]["nodes"] for name in ("positions", "both", "table", "sets"))
        complete = all(each[name]["complete"] for name in ("positions", "both", "sets"))
        ordered = positions <= both <= sets and (both <= table or not each["table"]["complete"])
        rows.append(
            Row(
                label=f"{each['ranks']} ranks, seed {each['seed']}, {each['entries']:,} entries",
                published="distinct ≤ N_tt_it ≤ N_it, and ≤ N_tt",
                measured=f"{_bound(each['positions'])} ≤ {_bound(each['both'])} ≤ {_bound(each['sets'])}; "
                f"{_bound(each['table'])}",
                verdict="holds" if ordered or not complete else "fails",
                why="" if ordered or not complete else "the order of the counts is another one",
            )
        )
    return rows


def _common(scale: Scale) -> list[Any]:
    sizes: dict[Scale, list[tuple[int, int]]] = {
        "quick": [(4, 20), (5, 20)],
        "standard": [(4, 100), (5, 100), (6, 100)],
        "full": [(4, 1000), (5, 1000), (6, 1000), (7, 300)],
    }
    nodes = {"quick": 50_000, "standard": 1_000_000, "full": 10_000_000}[scale]
    return [
        {"ranks": ranks, "seed": seed, "nodes": nodes} for ranks, deals in sizes[scale] for seed in range(1, deals + 1)
    ]


def _common_run(unit: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"ranks": unit["ranks"], "seed": unit["seed"]}
    for variant in ("basic", "common"):
        start = kb.game("gaps", variant=variant, ranks=unit["ranks"], seed=unit["seed"], plies=0).start()
        kept = kb.IncrementalTranspositions(table="exact", memory_mb=MEMORY, nodes=unit["nodes"]).search(start)
        sets = kb.IncrementalTranspositions(memory_mb=MEMORY, nodes=unit["nodes"]).search(start)
        found[variant] = {
            "positions": {"nodes": kept.nodes, "complete": kept.proven},
            "sets": {"nodes": sets.nodes, "complete": sets.proven},
            # without a table only positions that come back on their own line are turned away, where the rules allow it;
            # in the basic variant nothing is, and the search of a deal with a cycle would not end
            "cycles": sets.stats["by_table"] > 0,
            "solved": kept.value == 4 * (unit["ranks"] - 1),
        }
    return found


def _common_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    for ranks in sorted({each["ranks"] for each in results}):
        some = [each for each in results if each["ranks"] == ranks]
        basic, common = ([each[name] for each in some] for name in ("basic", "common"))
        whole = [each for each in common if each["positions"]["complete"]]
        ended = sum(each["sets"]["complete"] for each in basic)
        cycles = sum(each["cycles"] for each in common)
        rows += [
            Row(
                label=f"{ranks} ranks, basic variant: deals without cycles, in which a search that keeps nothing ends",
                published="all",
                measured=f"{ended} of {len(basic)}",
                verdict="agrees" if ended == len(basic) else "differs",
                why="" if ended == len(basic) else "the others reached their limit, which proves nothing",
            ),
            Row(
                label=f"{ranks} ranks, common variant: deals with cycles",
                published="cycles exist",
                measured=f"{cycles} of {len(common)}",
                verdict="agrees" if cycles else "differs",
                why="" if cycles else "no two could change its row in these deals",
            ),
            Row(
                label=f"{ranks} ranks, common variant: deals whose positions were all listed with a table, "
                "and of these with sets alone in as many nodes",
                measured=f"{len(whole)}, {sum(each['sets']['complete'] for each in whole)}",
                verdict="measured",
            ),
            Row(
                label=f"{ranks} ranks: deals solved, basic and common",
                measured=f"{sum(each['solved'] for each in basic)}, {sum(each['solved'] for each in common)}",
                verdict="measured",
            ),
        ]
    return rows


EXPERIMENTS = (
    Experiment(
        id="helmstetter-figure-5",
        title="Sets alone against sets and a large table, on deals of Gaps",
        paper=PAPER,
        table="Figure 5",
        units=lambda scale: _deals(
            scale,
            {"quick": 40, "standard": 200, "full": 1000},
            {"quick": 1 << 18, "standard": LARGE, "full": LARGE},
            {"quick": 2_000_000, "standard": 50_000_000, "full": 10_000_000_000},
        ),
        run=_sets_alone,
        summarize=_figure_5,
        plot=_plotted("times as many nodes with sets alone"),
        seconds={"quick": 6, "standard": 150, "full": 6000},
        seed=1,
        note="The paper gives figures and no table; its deals are not known. Here the deals are those of the seeds 1, "
        "2, 3, …; a quick look has ten ranks instead of thirteen. Searches are complete, not stopped at a solution.",
    ),
    Experiment(
        id="helmstetter-figure-6",
        title="A table alone against a table and sets, when there are more positions than entries",
        paper=PAPER,
        table="Figure 6",
        units=lambda scale: _deals(
            scale,
            {"quick": 40, "standard": 120, "full": 3200},
            {"quick": 1 << 12, "standard": 1 << 17, "full": 1 << 20},
            {"quick": 400_000, "standard": 30_000_000, "full": 2_000_000_000},
        ),
        run=_table_alone,
        summarize=_figure_6,
        plot=_plotted("times as many nodes without sets"),
        seconds={"quick": 6, "standard": 400, "full": 40_000},
        seed=1,
        note="One position an entry, always replaced. The paper's table has 2^20 entries and its deals up to some "
        "million positions; at the standard scale the table has 2^17 entries, so that more deals are larger than it. "
        "The paper prints no numbers: more than three times as many nodes count as an explosion.",
    ),
    Experiment(
        id="helmstetter-figure-7",
        title="Sets and a small table against sets and a large one",
        paper=PAPER,
        table="Figure 7",
        units=lambda scale: _deals(
            scale,
            {"quick": 40, "standard": 200, "full": 5000},
            {"quick": 1 << 12, "standard": 1 << 17, "full": 1 << 20},
            {"quick": 400_000, "standard": 30_000_000, "full": 2_000_000_000},
        ),
        run=_small_table,
        summarize=_figure_7,
        plot=_plotted("times as many nodes with a small table"),
        seconds={"quick": 4, "standard": 100, "full": 10_000},
        seed=1,
        note="As figure 6; the large table forgets nothing. Less than ten times as many nodes, where a table alone "
        "explodes, count as growing far less.",
    ),
    Experiment(
        id="helmstetter-tables",
        title="Tables of one entry to a million, always replaced, with sets and without",
        paper=PAPER,
        table="the tables of all experiments",
        units=_tables,
        run=_table_run,
        summarize=_table_rows,
        seconds={"quick": 6, "standard": 500, "full": 20_000},
        note="A search that reached its limit is shown with >. The order of the counts follows from what the sets and "
        "the table leave out, in the basic variant.",
    ),
    Experiment(
        id="helmstetter-common",
        title="Cycles in the common variant of Gaps",
        paper=PAPER,
        table="the description of the variants",
        units=_common,
        run=_common_run,
        summarize=_common_rows,
        seconds={"quick": 8, "standard": 400, "full": 10_000},
        seed=1,
        note="A deal has a cycle if a search without a table comes back to a position of its own line. The result "
        "counts every card in its place; solved is all of them.",
    ),
)
