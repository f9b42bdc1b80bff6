"""`kibitz solve`: the value of a position, with a proof."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from rich.text import Text

import kibitz as kb
from kibitz.cli.arguments import GameText, Json, PositionText, game_text, knows, megabytes, read_game, read_position
from kibitz.cli.db import built, name_of, opened
from kibitz.cli.each_move import tell_each_move
from kibitz.cli.play import Table as Board
from kibitz.cli.record import Record
from kibitz.cli.strong import SMALL_MB, notations, solved_strongly, tell_strong
from kibitz.cli.terminal import counted, err, out, print_json, working
from kibitz.cli.watched import watched
from kibitz.solve import Solver

_DEFAULT = "efpn:solved_mb=64"
"""Quickest in most games: see docs/fanorona.md. Without an evaluation its numbers are those of mobility."""


def solve(
    game: GameText,
    position: PositionText = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm",
            "--with",
            "-w",
            metavar="ALGO",
            help="proofnumber, pn2, dfpn or efpn, with options as in dfpn:memory_mb=512, or retrograde for all "
            f"positions (retrograde for a small game, else {_DEFAULT}).",
            show_default=False,
        ),
    ] = None,
    database: Annotated[
        Path | None,
        typer.Option("--database", "-d", metavar="FILE", help="An endgame database.", show_default=False),
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", help="Nodes at most.", show_default=False)] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "-s", help="Seconds at most.", show_default=False)
    ] = None,
    pieces: Annotated[
        int | None,
        typer.Option(
            "--pieces",
            "-p",
            metavar="N",
            help="Build a database of up to N pieces first; it stays beside the checkpoint.",
            show_default=False,
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory",
            metavar="SIZE",
            help="What search and database may take, such as 4G; a number is MB.",
            show_default=False,
        ),
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", "-t", metavar="T", help="Threads.", show_default=False)
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint", metavar="FILE", help="Save the search there, and go on from it.", show_default=False
        ),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print the line of the proof.")] = False,
    proof: Annotated[
        Path | None,
        typer.Option("--proof", metavar="FILE", help="Write the proof, after it was verified.", show_default=False),
    ] = None,
    frontier: Annotated[
        int,
        typer.Option(
            "--frontier", metavar="N", help="Leave out of the proof what a search of N nodes finds; see verify."
        ),
    ] = 0,
    each_move: Annotated[bool, typer.Option("--each-move", help="Solve the position after every move.")] = False,
    play: Annotated[bool, typer.Option("--play", help="Play against the proof afterwards.")] = False,
    json: Json = False,
) -> None:
    """Find the value of a position for the player to move, and prove it. Ctrl-C keeps the checkpoint."""
    rules = read_game(game)
    pos = read_position(rules, position)
    given: dict[str, Any] = {
        "database": None if database is None else str(database),
        "nodes": nodes,
        "seconds": seconds,
        "memory_mb": None if memory is None else megabytes(memory),
        "threads": threads,
        "checkpoint": None if checkpoint is None else str(checkpoint),
    }
    if pieces is not None and database is not None:
        raise kb.BadParameter("--pieces builds a database and --database has one: give either")
    if each_move and (proof is not None or play or explain):
        raise kb.BadParameter("--each-move prints a table; --proof, --play and --explain are for one position")
    searches = (database, pieces, nodes, seconds, checkpoint, proof, play or None, each_move or None)
    if algorithm == "retrograde" and any(asked is not None for asked in searches):
        raise kb.BadParameter("retrograde solves a whole game at once: only --memory, --threads and --explain fit")
    # a proof, a database or a limit asks for a search
    plain = algorithm is None and all(asked is None for asked in (*searches, memory, threads))
    if algorithm == "retrograde" or (plain and rules._rules.ranked):
        strong = solved_strongly(rules, SMALL_MB if plain else given["memory_mb"], threads)
        if algorithm == "retrograde" or strong.reason is None:
            tell_strong(strong, game_text(rules, game), pos, explain, json)
            if strong.reason is not None:
                raise typer.Exit(1)
            return
    with ExitStack() as stack:
        if plain and rules._rules.ranked and isinstance(rules, kb.NativeGame):
            given["database"] = _small_database(rules, stack.enter_context(TemporaryDirectory()))
        if pieces is not None:
            folder = Path(stack.enter_context(TemporaryDirectory())) if checkpoint is None else checkpoint.parent
            # what is wrong with the other options is said before hours of building
            memory_mb = _solver(algorithm or _DEFAULT, given).memory_mb
            place = folder / name_of(rules, pieces)
            built(rules, place, pieces, memory=memory_mb << 20, threads=threads or 1)
            given["database"] = str(place)
        solver = _solver(algorithm or _DEFAULT, given)
        if solver.database is not None:
            known, left_mb = opened(solver.database, rules, solver.memory_mb)
            solver = solver.replace(database=known, memory_mb=left_mb)
        if each_move:
            tell_each_move(rules, game, pos, solver, json)
        else:
            _search(rules, game, position, pos, solver, explain, proof, frontier, play, json)


_SECONDS = 1.0
"""How long a database of few pieces may take; the next one takes about ten times as long."""


def _small_database(rules: kb.NativeGame, folder: str) -> str | None:
    """A database of as many pieces as a moment allows, where none was given: much is solved far sooner with it."""
    path, pieces = Path(folder) / "small.kdb", 0
    try:
        with working("database"):
            for pieces in range(2, 9):
                began = time.perf_counter()
                kb.build_db(rules, path, pieces=pieces)
                if time.perf_counter() - began > _SECONDS / 8:
                    break
    except kb.Error:
        # a game whose positions are not counted by pieces
        return None
    err.print(f"with a database of up to {pieces} pieces, made for this", style="dim", soft_wrap=True)
    return str(path)


def _search(
    rules: kb.Game,
    game: str,
    position: str | None,
    pos: kb.Position,
    solver: Solver,
    explain: bool,
    proof: Path | None,
    frontier: int,
    play: bool,
    json: bool,
) -> None:
    if proof is not None and not isinstance(rules, kb.NativeGame):
        raise kb.BadParameter(f"a file could not name {rules}, which is written in Python: leave out --proof")
    solution = watched(solver, pos)
    _tell(solution, game_text(rules, game), pos, explain, proof, frontier, json)
    if _answered(solution) is None:
        raise typer.Exit(1)
    if play:
        _against(solution, game, position)


def _solver(text: str, given: dict[str, Any]) -> Solver:
    """The solver of a text with the options that were given."""
    found = kb.algorithm(text)
    if not isinstance(found, Solver):
        raise kb.BadParameter(f"{found.name} does not solve games; use proofnumber, pn2, dfpn or efpn")
    for name, value in given.items():
        if value is not None and not knows(found, name):
            raise kb.BadParameter(f"--{name.partition('_')[0]} means nothing to {found.name}")
    return found.replace(**{name: value for name, value in given.items() if value is not None})


def _answered(solution: kb.Solution) -> str | None:
    """What was asked for: the value, or with `goal=` the answer to this question."""
    only = solution.solver is not None and solution.solver.goal != "value"
    return solution.proven if only or solution.value != "unknown" else None


def _tell(
    solution: kb.Solution,
    name: str,
    pos: kb.Position,
    explain: bool,
    path: Path | None,
    frontier: int,
    json: bool,
) -> None:
    made = None
    verified = None
    answered = _answered(solution)
    if answered is not None or (solution.proven is not None and path is not None):
        with working("proof"):
            made = solution.proof(frontier)
            if path is not None:
                assert solution.solver is not None
                verified = kb.verify_proof(made, database=solution.solver.database)
                made.save(path)
    line = made.line() if made is not None and explain else ()
    if json:
        print_json(
            {
                "game": name,
                "position": str(pos),
                "algorithm": solution.solver.spec if solution.solver else None,
                "value": solution.value,
                "reason": solution.reason,
                "nodes": solution.nodes,
                "seconds": solution.seconds,
                "best": None if solution.best is None else str(solution.best),
                "goals": [
                    {name: value for name, value in vars(goal).items() if name != "curve"} for goal in solution.goals
                ],
                "proven": solution.proven,
                "proof_size": None if made is None else made.size,
                "line": [str(move) for move in line],
                "verified": None if verified is None else verified._asdict(),
            }
        )
        return
    values = {
        "win": f"win: player {pos.turn}, who is to move, wins",
        "draw": "draw: neither player can force a win",
        "loss": f"loss: player {pos.turn}, who is to move, loses",
        "no win": f"no win: player {1 - int(pos.turn or 0)} keeps player {pos.turn}, who is to move, from it",
        "no loss": f"no loss: player {pos.turn}, who is to move, can at least draw",
    }
    if answered is None:
        out.print(Text(f"unknown: {solution.reason}", style="bold yellow"), soft_wrap=True)
    else:
        out.print(Text(values[answered], style="bold green"), soft_wrap=True)
    for goal in solution.goals:
        answer = {True: "yes", False: "no", None: "open"}[goal.answer]
        numbers = (
            ""
            if goal.answer is not None
            else f", proof number {goal.proof_number:,}, disproof number {goal.disproof_number:,}"
        )
        asked = "win" if goal.at_least == "win" else "draw at least"
        probes = f", {goal.probes:,} of them known to the database," if goal.probes else ""
        out.print(
            f"can he {asked}? {answer}, {counted(goal.nodes, 'node')}{probes} in {goal.seconds:.2f} s{numbers}",
            soft_wrap=True,
        )
    if solution.best is not None and answered is not None:
        out.print(Text.assemble("best move ", (pos.notation(solution.best), "cyan")), soft_wrap=True)
    if made is not None:
        out.print(f"the proof of {made.claim} has {counted(made.size, 'position')} with a move", soft_wrap=True)
    if line:
        out.print(Text(" ".join(notations(pos, line)), style="cyan"), soft_wrap=True)
    if path is not None and verified is not None:
        believed = f", {verified.from_database:,} of them by the database" if verified.from_database else ""
        searched = f", {verified.searched:,} by searches of their own" if verified.searched else ""
        out.print(
            f"saved in {path}, verified: {counted(verified.positions, 'position')}{believed}{searched}",
            markup=False,
            soft_wrap=True,
        )


def _against(solution: kb.Solution, game: str, position: str | None) -> None:
    """A game against the proof: the user takes the side that it beats, or either side of a draw."""
    record = Record(game, position)
    turn = record.now.turn
    user = turn if solution.proven in ("loss", "no win") else 1 - int(turn or 0)
    with working("proof"):
        player = solution.play()
    if sys.stdin.isatty():
        import readline  # noqa: F401  (line editing at the prompt)
    Board(record, frozenset({int(user or 0)}), [player], 0, out).run()
