"""Fanorona solved again: which solver with which database, and 5×9 from nothing to a verified certificate."""

from __future__ import annotations

import random
import sys
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
_MIDDLE_GAMES: dict[Scale, tuple[tuple[int, int, int, int, int], ...]] = {
    "quick": ((3, 9, 4, 8, 3),),
    "standard": ((5, 9, 5, 12, 10), (5, 9, 6, 12, 10), (5, 9, 6, 16, 10)),
    "full": tuple((5, 9, pieces, left, 20) for left in (12, 14, 16) for pieces in (5, 6, 7)),
}
"""Rows, columns, pieces of the database, pieces on the board and how many positions."""
SEED = 11

_MOST: dict[Scale, int] = {"quick": 100_000, "standard": 100_000_000, "full": 5_000_000_000}
"""Nodes after which a question stays open."""


def _study_units(scale: Scale) -> list[dict[str, Any]]:
    whole = [
        {"rows": rows, "cols": cols, "pieces": pieces, "nodes": _MOST[scale]}
        for rows, cols, sizes in _BOARDS[scale]
        for pieces in sizes
    ]
    middle = [
        {"rows": rows, "cols": cols, "pieces": pieces, "nodes": _MOST[scale] // 10, "left": left, "positions": count}
        for rows, cols, pieces, left, count in _MIDDLE_GAMES[scale]
    ]
    return whole + middle


def _middle_games(game: kb.Game, left: int, count: int) -> list[kb.Position]:
    """Positions of random games with about so many pieces left, and as many of one side as of the other or one more."""
    chance = random.Random(SEED)
    found: list[kb.Position] = []
    while len(found) < count:
        position = game.start()
        while not position.over and _pieces(position) > left:
            position = position.play(chance.choice(position.moves))
        board = str(position).split()[0]
        if not position.over and abs(board.count("w") - board.count("b")) <= 1 and _pieces(position) >= left - 1:
            found.append(position)
    return found


def _pieces(position: kb.Position) -> int:
    board = str(position).split()[0]
    return board.count("w") + board.count("b")


def _study(unit: dict[str, Any]) -> list[dict[str, Any]]:
    """Both questions about the start, or about positions of the middle game, by every solver with one database."""
    game = kb.game("fanorona", rows=unit["rows"], cols=unit["cols"])
    starts = _middle_games(game, unit["left"], unit["positions"]) if "left" in unit else [game.start()]
    found = []
    with _tables(game, unit["pieces"], threads=1) as (database, built):
        for text in STUDIED:
            for goal in ("win", "draw"):
                solver = _solver(text, goal=goal, nodes=unit["nodes"], database=database)
                began = time.process_time()
                # a solution keeps what its proof is made of, a whole table for df-pn
                goals = [solver.solve(start).goals[0] for start in starts]
                found.append(
                    {
                        "solver": text,
                        "goal": goal,
                        "answers": [each.answer for each in goals],
                        "nodes": sum(each.nodes for each in goals),
                        "seconds": time.process_time() - began,
                        "built": built,
                    }
                )
    return found


def _study_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    rows = []
    for unit, result in zip(_study_units(scale), results, strict=True):
        board = f"{unit['rows']}×{unit['cols']}, {unit['pieces']} pieces"
        who = "White"
        if "left" in unit:
            board, who = f"{board}, {unit['positions']} positions of {unit['left']}", "the player to move"
        for each in result:
            question = "wins" if each["goal"] == "win" else "draws at least"
            label = f"{board}, {who} {question}, {each['solver']}: nodes"
            why = f"{_told(each['answers'])}; {each['seconds']:.2f} s of processor time"
            rows.append(Row(label=label, measured=each["nodes"], verdict="measured", why=why))
        clash = any(
            len({each["answers"][at] for each in result if each["goal"] == goal} - {None}) > 1
            for goal in ("win", "draw")
            for at in range(unit.get("positions", 1))
        )
        rows.append(exactly(f"{board}: solvers that contradict each other", "none", "some" if clash else "none"))
    return rows


def _told(answers: Sequence[bool | None]) -> str:
    """The answer to one question, or how many there are to several."""
    if len(answers) == 1:
        return {True: "yes", False: "no", None: "open"}[answers[0]]
    return f"{answers.count(True)} yes, {answers.count(False)} no, {answers.count(None)} open"


# 5×9: from nothing to a certificate.

BEST = "efpn:solved_mb=2048,memory_mb=8192"
"""What the study says is quickest."""

MOVE_NODES = 3_000_000_000
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


def _peak_mb() -> float:
    """The most memory that this process has had."""
    # not every system has it
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


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
        "probes": sum(goal.probes for goal in solution.goals),
        "peak_mb": _peak_mb(),
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
            ("probes of the database", result["probes"], ""),
            ("most memory of database, search and proof, MB", round(result["peak_mb"]), ""),
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
        version=2,
        seconds={"quick": 8, "standard": 1_500, "full": 60_000},
        note=f"A question is left open after {_MOST['standard']:,} nodes at the scale standard and "
        f"{_MOST['full']:,} at the scale full; one about the middle game after a tenth of that. "
        "The middle games come from random play.",
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
        version=2,
        seconds={"quick": 4, "standard": 150, "full": 16_000},
        note="White moves first, two threads. The certificate leaves out what a search of "
        f"{FRONTIER:,} nodes finds; 5×9 with its database of 8 pieces is at the scale full and takes 12 GB.",
    ),
)
