"""Fanorona solved again: which solver with which database, and 5×9 from nothing to a verified certificate."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale, Verdict
from kibitz.experiments.judging import exactly
from kibitz.experiments.schadd_proof import NAMES, THESIS
from kibitz.solve import Solver

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS"]


@contextmanager
def _tables(game: kb.Game, pieces: int, threads: int) -> Iterator[tuple[kb.Database, float]]:
    """A database in memory, and the seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        began, path = time.perf_counter(), Path(folder) / "tables.kdb"
        kb.build_db(game, path, pieces=pieces, memory="12G", threads=threads)
        yield kb.open_db(path, memory="all"), time.perf_counter() - began


def _solver(text: str, **changes: Any) -> Solver:
    solver = kb.algorithm(text)
    assert isinstance(solver, Solver)
    return solver.replace(**changes)


# The study: solver, database and the numbers of new leaves.

STUDIED = (
    "pn2",
    "pn2:leaf=mobility",
    "pn2:leaf=mobility,solved_mb=64",
    "efpn",
    "efpn:solved_mb=64",
    "efpn:a=4,b=4,solved_mb=64",
    "efpn:levels=1,solved_mb=64,memory_mb=4096",
    "dfpn:leaf=mobility,memory_mb=1024",
    "dfpn:leaf=evaluation,memory_mb=1024",
)

_BOARDS: dict[Scale, tuple[tuple[int, int, tuple[int, ...]], ...]] = {
    "quick": ((3, 9, (4, 5)),),
    "standard": ((7, 5, (5, 6, 7)), (5, 7, (7,))),
    "full": ((7, 5, (4, 5, 6, 7)), (5, 7, (5, 6, 7)), (5, 9, (7, 8))),
}
_MOST: dict[Scale, int] = {"quick": 300_000, "standard": 100_000_000, "full": 5_000_000_000}
"""Nodes after which a question stays open."""


def _study_units(scale: Scale) -> list[dict[str, Any]]:
    return [
        {"rows": rows, "cols": cols, "pieces": pieces, "nodes": _MOST[scale]}
        for rows, cols, sizes in _BOARDS[scale]
        for pieces in sizes
    ]


def _study(unit: dict[str, Any]) -> list[dict[str, Any]]:
    """Both questions about the start by every solver, with the same database."""
    game = kb.game("fanorona", rows=unit["rows"], cols=unit["cols"])
    found = []
    with _tables(game, unit["pieces"], threads=1) as (database, built):
        for text in STUDIED:
            for goal in ("win", "draw"):
                began = time.process_time()
                solution = _solver(text, goal=goal, nodes=unit["nodes"], database=database).solve(game.start())
                found.append(
                    {
                        "solver": text,
                        "goal": goal,
                        "answer": solution.goals[0].answer,
                        "nodes": solution.nodes,
                        "seconds": time.process_time() - began,
                        "built": built,
                    }
                )
    return found


def _study_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    rows = []
    for unit, result in zip(_study_units(scale), results, strict=True):
        board = f"{unit['rows']}×{unit['cols']}, {unit['pieces']} pieces"
        for each in result:
            question = "White wins" if each["goal"] == "win" else "White draws at least"
            answer = {True: "yes", False: "no", None: "open"}[each["answer"]]
            label = f"{board}, {question}, {each['solver']}: nodes"
            why = f"{answer}; {each['seconds']:.2f} s of processor time"
            rows.append(Row(label=label, measured=each["nodes"], verdict="measured", why=why))
        labels = {(each["goal"], each["answer"]) for each in result if each["answer"] is not None}
        clash = len({goal for goal, _ in labels}) < len(labels)
        rows.append(exactly(f"{board}: solvers that contradict each other", "none", "some" if clash else "none"))
    return rows


# 5×9: from nothing to a certificate.

BEST = "efpn:solved_mb=2048,memory_mb=8192"
"""What the study says is quickest."""

MOVE_NODES = 2_000_000_000
"""Nodes for the position after a first move, some of which are harder than the start."""

FRONTIER = 1000
SAMPLE = 0.1

_SOLVED: dict[Scale, tuple[tuple[int, int, int], ...]] = {
    "quick": ((5, 5, 5),),
    "standard": ((5, 5, 5), (7, 5, 6), (5, 7, 7)),
    "full": ((5, 5, 5), (7, 5, 6), (5, 7, 7), (5, 9, 8)),
}


def _solved_units(scale: Scale) -> list[dict[str, Any]]:
    best = BEST if scale == "full" else "efpn:solved_mb=64"
    # the moves of the small boards are a matter of taste, those of 5×9 are published
    return [
        {"rows": rows, "cols": cols, "pieces": pieces, "solver": best, "moves": (rows, cols) != (5, 7)}
        for rows, cols, pieces in _SOLVED[scale]
    ]


def _solve(unit: dict[str, Any]) -> dict[str, Any]:
    """The database, the value, the certificate with both checks, and the value of every first move."""
    game = kb.game("fanorona", rows=unit["rows"], cols=unit["cols"])
    worked = time.process_time()
    with _tables(game, unit["pieces"], threads=2) as (database, built):
        start = game.start()
        solver = _solver(unit["solver"], threads=2, database=database)
        solution = solver.solve(start)
        processor = time.process_time() - worked
        began = time.perf_counter()
        proof = solution.proof(frontier=FRONTIER)
        made = time.perf_counter() - began
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "board.proof"
            proof.save(path)
            size = path.stat().st_size
            began = time.perf_counter()
            verified = kb.verify_proof(path, database=database)
            full = time.perf_counter() - began
            began = time.perf_counter()
            kb.verify_proof(path, database=database, sample=SAMPLE)
            sample = time.perf_counter() - began
        moves = {}
        for move in start.moves if unit["moves"] else ():
            after = solver.solve(start.play(move), nodes=MOVE_NODES)
            moves[start.notation(move)] = {"value": after.value, "nodes": after.nodes, "seconds": after.seconds}
    return {
        "value": NAMES[solution.value],
        "built": built,
        "nodes": solution.nodes,
        "seconds": solution.seconds,
        "processor": processor,
        "goals": [[goal.at_least, goal.answer, goal.nodes, goal.seconds] for goal in solution.goals],
        "curve": [[list(point) for point in goal.curve[:: max(1, len(goal.curve) // 1000)]] for goal in solution.goals],
        "moves_of_proof": proof.size,
        "bytes": size,
        "made": made,
        "verified": verified._asdict(),
        "full": full,
        "sample": sample,
        "moves": moves,
    }


_PUBLISHED_MOVES = {
    "f2-e3A": "draw",
    "d3-e3A": "draw",
    "e2-e3A": "loss (believed)",
    "d3-e3W": "loss (believed)",
    "d2-e3A": "loss (believed)",
}
_TURNED = {"win": "loss", "draw": "draw", "loss": "win", "unknown": "unknown"}


def _judged(label: str, known: str, found: str, why: str) -> Row:
    """A value beside the published one."""
    verdict: Verdict = "agrees" if known.startswith(found) else "differs"
    return Row(label=label, published=known, measured=found, verdict=verdict, why=why)


def _solved_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    published = {(int(line["rows"]), int(line["cols"])): line for line in data.read("schadd-table-4-4")}
    rows = []
    for unit, result in zip(_solved_units(scale), results, strict=True):
        board = f"{unit['rows']}×{unit['cols']}"
        line, checked = published[unit["rows"], unit["cols"]], result["verified"]
        why = "both halves are proven; see fanorona-5x7" if board == "5×7" else ""
        rows.append(_judged(f"{board}: value", line["value"], result["value"], why))
        nodes = f"PN² with {line['pieces']} pieces in the thesis"
        rows.append(
            Row(
                label=f"{board}: nodes",
                published=int(line["nodes"]),
                measured=result["nodes"],
                verdict="measured",
                why=nodes,
            )
        )
        seen = f"{checked['positions']:,} positions, {checked['searched']:,} searched with {checked['nodes']:,} nodes"
        for label, value, why in (
            (f"database of {unit['pieces']} pieces, seconds", round(result["built"], 1), ""),
            ("search, seconds", round(result["seconds"], 1), ""),
            ("database and search, seconds of processor time", round(result["processor"], 1), ""),
            ("moves of the certificate", result["moves_of_proof"], ""),
            ("bytes of the certificate", result["bytes"], ""),
            ("certificate, seconds to make", round(result["made"], 2), ""),
            ("certificate, seconds to verify", round(result["full"], 2), seen),
            (f"certificate, seconds for a sample of {SAMPLE:g}", round(result["sample"], 2), ""),
        ):
            rows.append(Row(label=f"{board}: {label}", measured=value, verdict="measured", why=why))
        for move, found in result["moves"].items():
            known = _PUBLISHED_MOVES.get(move) if board == "5×9" else None
            value, why = _TURNED[found["value"]], f"{found['nodes']:,} nodes"
            label = f"{board}: {move}"
            if value == "unknown":
                rows.append(
                    Row(label=label, published=known, measured=value, verdict="measured", why="open after " + why)
                )
            elif known is None:
                rows.append(Row(label=label, measured=value, verdict="measured", why=why))
            else:
                rows.append(_judged(label, known, value, why))
    return rows


def _solved_plot(results: Sequence[Any]) -> Figure:
    """The number of the root that comes to zero, for both questions of the largest board."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.2))
    axis = figure.subplots()
    last = results[-1]
    for goal, curve in zip(last["goals"], last["curve"], strict=True):
        which = 1 if goal[1] else 2
        asked = "White wins" if goal[0] == "win" else "White draws at least"
        axis.plot([point[0] for point in curve], [point[which] for point in curve], label=asked)
    axis.set_xlabel("nodes made")
    axis.set_ylabel("proof or disproof number")
    axis.legend()
    figure.tight_layout()
    return figure


EXPERIMENTS = (
    Experiment(
        id="fanorona-solvers",
        title="Fanorona: solver, database and leaf numbers against each other",
        paper=THESIS,
        table="an experiment of our own, beside tables 4.5 to 4.7",
        units=_study_units,
        run=_study,
        summarize=_study_rows,
        seconds={"quick": 8, "standard": 900, "full": 40_000},
        note=f"A question is left open after {_MOST['standard']:,} nodes at the scale standard and "
        f"{_MOST['full']:,} at the scale full.",
    ),
    Experiment(
        id="fanorona-solved",
        title="Fanorona solved from nothing to a verified certificate",
        paper=THESIS,
        table="Table 4.4",
        units=_solved_units,
        run=_solve,
        summarize=_solved_rows,
        plot=_solved_plot,
        seconds={"quick": 4, "standard": 150, "full": 14_000},
        note="White moves first, two threads. The certificate leaves out what a search of "
        f"{FRONTIER:,} nodes finds; 5×9 with its database of 8 pieces is at the scale full and takes 12 GB.",
    ),
)
