"""How much of the graph of Dao an alpha-beta search touches, by the size of its transposition table."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.dao_graph import PAPER
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, joint_level, moments, sample_mean, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "paper_values"]

SEED = 1
DEPTH = 8
BITS = tuple(range(22))
"""The sizes of the tables as powers of two; 0 is no table."""

NOISE, WIN = 50, 200
"""Of the evaluation: the greatest number added by lot, and the points of a win."""


def paper_values(graph: kb.GameGraph) -> Any:
    """The evaluation of the paper: the game's, with only 200 points more or less where the game is over."""
    import numpy as np

    return graph.values + np.select([graph.ended == 3, graph.ended == 1], [WIN, -WIN], 0)


@functools.lru_cache(maxsize=1)
def _graph(counted: str, seed: int) -> kb.GameGraph:
    return kb.graph(kb.game("dao", counted=counted, noise=NOISE, seed=seed))


def _units(scale: Scale) -> list[dict[str, Any]]:
    seeds = {"quick": 2, "standard": 100, "full": 1000}[scale]
    bits = (0, 2, 12, 16, 21) if scale == "quick" else BITS
    return [{"counted": "both", "seed": seed, "bits": list(bits)} for seed in range(seeds)]


def _run(unit: dict[str, Any]) -> list[dict[str, Any]]:
    """One random evaluation and hash function with tables of several sizes."""
    import numpy as np

    graph = _graph(unit["counted"], unit["seed"])
    values = paper_values(graph)
    found = []
    for bits in unit["bits"]:
        seed = derive(SEED, unit["seed"], bits)
        study = graph.table_study(depth=DEPTH, bits=bits or None, seed=seed, values=values)
        line: dict[str, Any] = {"bits": bits}
        kinds = {"all": study.all, "white": study.first, "black": study.second, "evaluated": study.evaluated}
        for name, counts in kinds.items():
            nodes = int(np.count_nonzero(counts))
            line[name] = nodes
            line[f"{name}_visits"] = int(counts.sum(dtype=np.int64)) / max(1, nodes)
        line["leaves"] = int(study.evaluated.sum(dtype=np.int64))
        line["look_ups"] = study.change + study.hit + study.nothing
        # what the paper seems to count: see the note
        line.update(hit=study.hit, change=study.deep - study.hit, nothing=line["look_ups"] - study.deep)
        line.update(narrower=study.change, filled=study.filled)
        line["share"] = line["filled"] / (line["white"] + line["black"])
        found.append(line)
    return found


def _by_bits(results: Sequence[Any]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    for unit in results:
        for line in unit:
            found.setdefault(line["bits"], []).append(line)
    return found


def _size(bits: int) -> str:
    return f"{1 << bits:,} entries" if bits else "no table"


def _judged(
    published: dict[int, dict[str, str]], results: Sequence[Any], columns: Sequence[tuple[str, str]]
) -> list[Row]:
    """A row for each size and column: the published number is one search, so it is compared with single searches."""
    found = _by_bits(results)
    compared = [(bits, name) for bits in found if bits in published for name, _ in columns]
    level = joint_level(len(compared))
    rows = []
    for bits, lines in sorted(found.items()):
        for name, label in columns:
            mean, deviation, count = moments([line[name] for line in lines])
            words = f"{_size(bits)}: {label}"
            if bits not in published:
                rows.append(Row(label=words, measured=mean, verdict="measured"))
                continue
            single = sample_mean(mean, deviation, count, of=1, level=level)
            rows.append(
                by_interval(
                    words,
                    float(published[bits][name]),
                    mean,
                    Interval(max(0.0, single.low), single.high),
                    why="the paper's random numbers, its sign of the evaluation and its order of moves are not known",
                )
            )
    return rows


TABLE_5 = (
    ("all", "distinct positions"),
    ("all_visits", "visits a position"),
    ("white", "distinct positions with White to move"),
    ("white_visits", "visits a position with White to move"),
    ("black", "distinct positions with Black to move"),
    ("black_visits", "visits a position with Black to move"),
    ("evaluated", "distinct positions evaluated"),
    ("evaluated_visits", "evaluations a position"),
    ("leaves", "evaluations"),
)
TABLE_6 = (
    ("look_ups", "look-ups that found their position"),
    ("hit", "… and cut off"),
    ("change", "… and were deep enough, but did not cut off"),
    ("nothing", "… and were not deep enough"),
    ("filled", "entries filled"),
)
MINIMAX_LEAVES, POSITIONS = 304_568_204, 108_861
"""Of minimax to the same depth (table 4)."""


def _published(name: str) -> dict[int, dict[str, str]]:
    return {int(line["bits"]): line for line in data.read(name)}


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    found = _by_bits(results)

    def mean(bits: int, name: str) -> float:
        return moments([line[name] for line in found[bits]])[0]

    rows = _judged(_published("dao-table-5"), results, TABLE_5)
    factor = MINIMAX_LEAVES / mean(0, "leaves")
    rows.append(_claim("without a table, minimax evaluates so many times as much", "430", factor, 100 < factor < 1000))
    large = max(found)
    factor = mean(0, "leaves") / mean(large, "leaves")
    rows.append(_claim(f"{_size(large)} cut evaluations by a factor", "about 10", factor, 5 < factor < 20))
    shares = [mean(bits, "all") / POSITIONS for bits in found if bits >= 2]
    text = f"{min(shares):.0%} to {max(shares):.0%}"
    good = max(shares) - min(shares) < 0.15
    rows.append(_claim("share of minimax's positions, from 4 entries up", "about 50 %, at any size", text, good))
    leaves = [mean(bits, "leaves") for bits in sorted(found)]
    falls = all(after < 1.02 * before for before, after in itertools.pairwise(leaves))
    text = "falls with every doubling" if falls else "rises somewhere by more than 2 %"
    label = f"mean evaluations of {len(results)} random hash functions, by the size of the table"
    rows.append(_claim(label, "no local maxima (figure 11)", text, falls))
    return rows + _judged(_published("dao-table-6"), results, TABLE_6)


def _claim(label: str, published: str, measured: float | str, good: bool) -> Row:
    return Row(
        label=label,
        published=published,
        measured=measured if isinstance(measured, str) else shown(measured),
        verdict="agrees" if good else "differs",
        why="" if good else "it is another order of magnitude or another tendency",
    )


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    figure, axes = plots.new(x="bits of the table", y="evaluations")
    found = _by_bits(results)
    bits = sorted(found)
    means = [moments([line["leaves"] for line in found[each]])[0] for each in bits]
    axes.plot(bits, means, "o-", label=f"mean of {len(results)} random evaluations")
    published = _published("dao-table-5")
    axes.plot(list(published), [int(line["leaves"]) for line in published.values()], "x", label="published")
    axes.set_yscale("log")
    plots.legend(axes)
    return figure


EXPERIMENTS = (
    Experiment(
        id="dao-table-5",
        title="What alpha-beta visits in Dao, and what a transposition table is good for",
        paper=PAPER,
        table="Tables 5 and 6, figure 11",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 3, "standard": 105, "full": 1050},
        seed=SEED,
        note="Alpha-beta of 8 plies from the start, with iterative deepening where there is a table; every unit has an "
        "evaluation and hash functions of its own. The paper has one of each, so its numbers are compared with where "
        "single searches lie, all rows of a table jointly at 95 %. The evaluation counts the formations of the player "
        "to move minus those of the opponent; the paper does not say whose it counts. An entry is replaced by one that "
        "is at least as deep. The paper does not say what a look-up is that changes the window, and one that does "
        "nothing; its shares fit entries that were deep enough and did not cut off, and entries that were not deep "
        "enough. The window really becomes narrower much more rarely.",
    ),
)
