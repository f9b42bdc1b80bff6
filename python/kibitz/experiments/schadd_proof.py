"""Fanorona solved by PN² with endgame databases: values, database size against search, and the numbers of the root."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import exactly
from kibitz.solve import Solver

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS"]

THESIS = (
    "M. P. D. Schadd, *Selective Search in Games of Different Complexity*, PhD thesis, Maastricht University 2011, "
    "chapter 4"
)
NAMES = {"win": "White", "draw": "Draw", "loss": "Black", "unknown": "unknown"}
ORDER = "node counts depend on the order of moves and on ties, which the thesis does not give"
FACTOR = 4.0
"""A count of nodes within this factor counts as agreement: other orders of moves change it by as much."""


def _solved(unit: dict[str, Any]) -> dict[str, Any]:
    """Solves the start of a board with a database of so many pieces; the proof, if wanted, is verified."""
    game = kb.game("fanorona", rows=unit["rows"], cols=unit["cols"], **unit.get("reading", {}))
    with ExitStack() as stack:
        began, database, positions = time.perf_counter(), None, 0
        if unit["pieces"]:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            kb.build_db(game, Path(folder) / "tables.kdb", pieces=unit["pieces"], memory="8G", threads=1)
            database = kb.open_db(Path(folder) / "tables.kdb", memory="all")
            exactly_so_many = [each for each in database.stats.slices if _count(each.name) == unit["pieces"]]
            positions = sum(each.positions for each in exactly_so_many)
        built = time.perf_counter() - began
        solver = kb.algorithm(unit["solver"])
        assert isinstance(solver, Solver)
        solver = solver.replace(database=database)
        solution = solver.solve(game.start())
        found = {
            "pieces": unit["pieces"],
            "value": NAMES[solution.value],
            "nodes": solution.nodes,
            "seconds": solution.seconds,
            "build_seconds": built,
            "positions": positions,
            "goals": [[goal.at_least, goal.answer, goal.nodes] for goal in solution.goals],
        }
        if unit.get("curve"):
            found["curve"] = [[list(point) for point in _thinned(goal.curve)] for goal in solution.goals]
        if unit.get("proof"):
            proof = solution.proof()
            found["proof"] = proof.size
            found["verified"] = list(kb.verify_proof(proof, database=database))
        return found


def _count(name: str) -> int:
    return sum(map(int, name.split("-")))


def _thinned(curve: Sequence[tuple[int, int, int]], most: int = 1000) -> list[tuple[int, int, int]]:
    step = max(1, len(curve) // most)
    return [*curve[:-1:step], curve[-1]] if curve else []


def _nodes_row(label: str, published: int | None, measured: int) -> Row:
    if published is None:
        return Row(label=label, measured=measured, verdict="measured")
    ratio = measured / published
    near = 1 / FACTOR <= ratio <= FACTOR
    why = "" if near else f"{ratio:.3g} times as many: {ORDER}"
    return Row(label=label, published=published, measured=measured, verdict="agrees" if near else "differs", why=why)


_SMALL = ((3, 3), (3, 5), (5, 3), (3, 7), (7, 3))
_LARGE: dict[Scale, dict[tuple[int, int], int]] = {
    "quick": {},
    "standard": {(5, 5): 7, (3, 9): 6, (9, 3): 6, (7, 5): 7, (5, 7): 7},
    "full": {(5, 5): 9, (3, 9): 8, (9, 3): 8, (7, 5): 7, (5, 7): 7},
}
"""The pieces of the database of each board; the thesis's own at full scale."""


def _units_4(scale: Scale) -> list[dict[str, Any]]:
    boards = {**dict.fromkeys(_SMALL, 0), **_LARGE[scale]}
    return [
        {"rows": rows, "cols": cols, "pieces": pieces, "solver": "pn2", "proof": True}
        for (rows, cols), pieces in boards.items()
    ]


def _table_4(scale: Scale, results: Sequence[Any]) -> list[Row]:
    published = {(int(line["rows"]), int(line["cols"])): line for line in data.read("schadd-table-4-4")}
    found = []
    for unit, result in zip(_units_4(scale), results, strict=True):
        line = published[unit["rows"], unit["cols"]]
        board = f"{unit['rows']}×{unit['cols']}"
        if result["value"] == line["value"]:
            found.append(exactly(f"{board}: value", line["value"], result["value"]))
        else:
            why = f"both halves of the {result['value'].lower()} are proven, and the rules alone verify the proofs"
            found.append(
                Row(
                    label=f"{board}: value",
                    published=line["value"],
                    measured=result["value"],
                    verdict="differs",
                    why=why,
                )
            )
        same = unit["pieces"] == int(line["pieces"])
        label = f"{board}: nodes with {unit['pieces']} pieces"
        found.append(_nodes_row(label, int(line["nodes"]) if same else None, result["nodes"]))
        found.append(Row(label=f"{board}: moves of the verified proof", measured=result["proof"], verdict="measured"))
    return found


def _database_units(rows: int, cols: int, sizes: dict[Scale, Sequence[int]]) -> Callable[[Scale], list[dict[str, Any]]]:
    def units(scale: Scale) -> list[dict[str, Any]]:
        # what nobody has published has another solver, which is quicker
        solver = "pn2:leaf=mobility" if scale == "quick" else "pn2"
        return [{"rows": rows, "cols": cols, "pieces": pieces, "solver": solver} for pieces in sizes[scale]]

    return units


def _database_table(
    name: str, rows: int, cols: int, units: Callable[[Scale], list[dict[str, Any]]], value: str
) -> Callable[[Scale, Sequence[Any]], list[Row]]:
    def summarize(scale: Scale, results: Sequence[Any]) -> list[Row]:
        published = {int(line["pieces"]): line for line in data.read(name)}
        found = []
        for unit, result in zip(units(scale), results, strict=True):
            pieces, line = unit["pieces"], published[unit["pieces"]]
            if pieces:
                exact = comb(rows * cols, pieces) * (2**pieces - 2)
                printed = int(line["positions"])
                if printed == exact:
                    found.append(exactly(f"{pieces} pieces: positions", printed, result["positions"]))
                else:
                    why = f"a misprint: {rows * cols} points taken {pieces} at a time make {exact:,}"
                    found.append(
                        Row(
                            label=f"{pieces} pieces: positions",
                            published=printed,
                            measured=result["positions"],
                            verdict="differs",
                            why=why,
                        )
                    )
            found.append(exactly(f"{pieces} pieces: value", value, result["value"]))
            nodes = int(line["nodes"]) if line["nodes"] and unit["solver"] == "pn2" else None
            found.append(_nodes_row(f"{pieces} pieces: nodes of {unit['solver']}", nodes, result["nodes"]))
            for label, key in (("database", "build_seconds"), ("solving", "seconds")):
                found.append(
                    Row(label=f"{pieces} pieces: {label}, seconds", measured=round(result[key], 3), verdict="measured")
                )
        return found

    return summarize


def _database_plot(name: str) -> Callable[[Sequence[Any]], Figure]:
    """The nodes of the search over the size of the database, published and measured."""

    def plot(results: Sequence[Any]) -> Figure:
        from matplotlib.figure import Figure

        published = [(int(line["pieces"]), int(line["nodes"])) for line in data.read(name) if line["nodes"]]
        measured = sorted((result["pieces"], result["nodes"]) for result in results)
        figure = Figure(figsize=(6, 3.2))
        axis = figure.subplots()
        for points, label, style in ((published, "published", "o--"), (measured, "measured", "s-")):
            axis.plot([x for x, _ in points], [y for _, y in points], style, label=label)
        axis.set_yscale("log")
        axis.set_xlabel("pieces in the database")
        axis.set_ylabel("nodes of PN²")
        axis.legend()
        figure.tight_layout()
        return figure

    return plot


_CURVES: dict[Scale, tuple[tuple[int, int, int], ...]] = {
    "quick": ((7, 3, 0),),
    "standard": ((7, 3, 0), (5, 5, 5), (5, 7, 7), (7, 5, 7)),
    "full": ((7, 3, 0), (5, 5, 5), (5, 7, 7), (7, 5, 7)),
}


def _units_curve(scale: Scale) -> list[dict[str, Any]]:
    return [
        {"rows": rows, "cols": cols, "pieces": pieces, "solver": "pn2", "curve": True}
        for rows, cols, pieces in _CURVES[scale]
    ]


def _falling(curve: Sequence[Sequence[int]], answer: bool) -> list[tuple[int, int]]:
    """The number that comes to zero: the proof number of what is proven, the disproof number of what is disproven."""
    return [(point[0], point[1 if answer else 2]) for point in curve]


def _curve_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    found = []
    for unit, result in zip(_units_curve(scale), results, strict=True):
        for goal, curve in zip(result["goals"], result["curve"], strict=True):
            points = _falling(curve, goal[1])
            peak = max(points, key=lambda point: point[1])
            share = peak[0] / points[-1][0]
            board = f"{unit['rows']}×{unit['cols']}, at least a {goal[0]}"
            label = f"{board}: the peak of {peak[1]:,} after this share of the nodes"
            early = share < 0.5
            why = "" if early else "the peak comes late"
            found.append(
                Row(
                    label=label,
                    published="early",
                    measured=round(share, 3),
                    verdict="agrees" if early else "differs",
                    why=why,
                )
            )
    return found


def _curve_plot(results: Sequence[Any]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 2.6 * len(results)))
    axes = figure.subplots(len(results), 1, squeeze=False)
    for axis, result in zip(axes[:, 0], results, strict=True):
        for goal, curve in zip(result["goals"], result["curve"], strict=True):
            points = _falling(curve, goal[1])
            which = "proof" if goal[1] else "disproof"
            axis.plot([x for x, _ in points], [y for _, y in points], label=f"at least a {goal[0]}: {which} number")
        axis.set_xlabel("nodes made")
        axis.set_ylabel("number of the root")
        axis.legend()
    figure.tight_layout()
    return figure


READINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("the rules of the spec", {}),
    ("the centre strong", {"strong": "centre"}),
    ("no move is a draw", {"stalemate": "draw"}),
    ("a chain may come back to its start", {"returns": True}),
)
"""What the thesis leaves open about 5 by 7: which points are strong (a figure), no move, and the start of a chain."""

_SOLVERS: dict[Scale, tuple[str, ...]] = {
    "quick": (),
    "standard": ("pn2:leaf=mobility",),
    "full": ("pn2:leaf=mobility", "dfpn:leaf=mobility,memory_mb=2048"),
}


def _units_dispute(scale: Scale) -> list[dict[str, Any]]:
    # a small board of which the same is asked keeps the quick scale quick
    if scale == "quick":
        small = {"rows": 5, "cols": 5, "pieces": 4, "reading": {}, "name": "5×5"}
        return [{**small, "solver": solver, "proof": True} for solver in ("pn2:leaf=mobility", "dfpn:leaf=mobility")]
    # with 6 pieces the search takes a hundred times as long
    return [
        {
            "rows": 5,
            "cols": 7,
            "pieces": 7,
            "solver": solver,
            "proof": True,
            "reading": reading,
            "name": name,
        }
        for name, reading in READINGS
        for solver in _SOLVERS[scale]
    ]


def _dispute(scale: Scale, results: Sequence[Any]) -> list[Row]:
    found = []
    for unit, result in zip(_units_dispute(scale), results, strict=True):
        label = f"{unit['rows']}×{unit['cols']}, {unit['name']}, {unit['solver']}"
        published = "Draw" if unit["cols"] == 5 else "Black"
        agrees = result["value"] == published
        why = "" if agrees else f"proven by a strategy of {result['proof']:,} moves, verified by the rules"
        found.append(
            Row(
                label=label,
                published=published,
                measured=result["value"],
                verdict="agrees" if agrees else "differs",
                why=why,
            )
        )
    return found


_UNITS_5 = _database_units(5, 5, {"quick": (5, 6), "standard": (4, 5, 6, 7), "full": (3, 4, 5, 6, 7, 8, 9)})
_UNITS_6 = _database_units(7, 5, {"quick": (5,), "standard": (6,), "full": (4, 5, 6, 7)})
_UNITS_7 = _database_units(3, 9, {"quick": (5,), "standard": (0, 2, 3, 4, 5, 6), "full": (0, 2, 3, 4, 5, 6, 7, 8)})

EXPERIMENTS = (
    Experiment(
        id="schadd-table-4-4",
        title="Boards of Fanorona solved by PN²",
        paper=THESIS,
        table="Table 4.4",
        units=_units_4,
        run=_solved,
        summarize=_table_4,
        seconds={"quick": 3, "standard": 600, "full": 2500},
        note="White moves first. Every proof is verified by the rules and the database. 5×9 is another matter: hours.",
    ),
    Experiment(
        id="schadd-table-4-5",
        title="The size of the database against the search, 5×5",
        paper=THESIS,
        table="Table 4.5",
        units=_UNITS_5,
        run=_solved,
        plot=_database_plot("schadd-table-4-5"),
        summarize=_database_table("schadd-table-4-5", 5, 5, _UNITS_5, "Draw"),
        seconds={"quick": 5, "standard": 60, "full": 1500},
        note="Both questions of a draw are counted together. The nodes of 4 pieces are misprinted as 6,323,71.",
    ),
    Experiment(
        id="schadd-table-4-6",
        title="The size of the database against the search, 7×5",
        paper=THESIS,
        table="Table 4.6",
        units=_UNITS_6,
        run=_solved,
        plot=_database_plot("schadd-table-4-6"),
        summarize=_database_table("schadd-table-4-6", 7, 5, _UNITS_6, "White"),
        seconds={"quick": 6, "standard": 60, "full": 900},
    ),
    Experiment(
        id="schadd-table-4-7",
        title="The size of the database against the search, 3×9",
        paper=THESIS,
        table="Table 4.7",
        units=_UNITS_7,
        run=_solved,
        plot=_database_plot("schadd-table-4-7"),
        summarize=_database_table("schadd-table-4-7", 3, 9, _UNITS_7, "White"),
        seconds={"quick": 4, "standard": 30, "full": 300},
        note="The thesis's search is slower with 4 pieces than with 3, for which it blames the database.",
    ),
    Experiment(
        id="schadd-figure-4-12",
        title="The proof and disproof numbers of the root while a board is solved",
        paper=THESIS,
        table="Figure 4.12",
        units=_units_curve,
        run=_solved,
        summarize=_curve_rows,
        plot=_curve_plot,
        seconds={"quick": 1, "standard": 500, "full": 900},
        note="Published in words: the number that comes to zero peaks early and has a long tail.",
    ),
    Experiment(
        id="fanorona-5x7",
        title="The value of 5×7 under every reading of the rules",
        paper=THESIS,
        table="Table 4.4",
        units=_units_dispute,
        run=_solved,
        summarize=_dispute,
        seconds={"quick": 5, "standard": 900, "full": 2000},
        note="The thesis says that Black wins. The quick scale asks the same of 5×5, about which there is no dispute.",
    ),
)
