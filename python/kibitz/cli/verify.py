"""`kibitz verify`: solutions of puzzles, played again move by move, and proofs, played against everything."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

import kibitz as kb
from kibitz.cli.arguments import Json, read_game
from kibitz.cli.db import opened
from kibitz.cli.terminal import counted, duration, out, print_json, working


def verify(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="The game of the files, such as samegame, samegame:position=3 or fanorona.",
            show_default=False,
        ),
    ],
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Files of solutions or of proofs.", show_default=False)
    ],
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture of the only solution.", show_default=False),
    ] = None,
    database: Annotated[
        Path | None,
        typer.Option("--database", metavar="FILE", help="The database that a proof rests on.", show_default=False),
    ] = None,
    sample: Annotated[
        float, typer.Option("--sample", metavar="P", help="Search only this part of what a proof leaves out.")
    ] = 1.0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Draw another part.")] = 0,
    json: Json = False,
) -> None:
    """Play the moves of saved solutions, or those of proofs against everything; a wrong one is an error."""
    if all(kb.Proof.is_one(path) for path in files):
        _proofs(game, files, database, sample, seed, json)
        return
    if svg is not None and len(files) > 1:
        raise kb.BadParameter("--svg draws one solution; give one file")
    found = [(path, _verified(game, path)) for path in files]
    if svg is not None:
        svg.write_text(found[0][1].svg(), encoding="utf-8")
    total = math.fsum(solution.score for _, solution in found)
    if json:
        rows = [
            {"file": str(path), "game": str(each.game), "moves": len(each.moves), "score": each.score}
            for path, each in found
        ]
        print_json({"solutions": rows, "total": total})
        return
    table = Table()
    for column in ("file", "game"):
        table.add_column(column, overflow="fold")
    for column in ("moves", "score"):
        table.add_column(column, justify="right")
    for path, each in found:
        table.add_row(str(path), str(each.game), str(len(each.moves)), f"{each.score:,g}")
    out.print(table)
    sum_of = f"; {total:,.10g} points in all" if len(found) > 1 else ""
    out.print(f"{counted(len(found), 'solution')} verified{sum_of}", soft_wrap=True)


def _proofs(game: str, files: list[Path], database: Path | None, sample: float, seed: int, json: bool) -> None:
    rows: list[dict[str, Any]] = []
    for path in files:
        proof = kb.Proof.load(path)
        if not _same(proof.game, game):
            raise kb.BadProof(f"{path} is a proof of {proof.game}, not of {game}")
        try:
            began = time.perf_counter()
            with working("check"):
                believed = None if database is None else opened(str(database), proof.game)[0]
                found = kb.verify_proof(proof, database=believed, sample=sample, seed=seed)
            took = time.perf_counter() - began
        except kb.BadProof as error:
            raise kb.BadProof(f"{path}: {error}") from None
        about = {"file": str(path), "game": str(proof.game), "value": proof.value, "claim": proof.claim}
        rows.append({**about, **found._asdict(), "seconds": took})
    if json:
        print_json({"proofs": rows})
        return
    for row in rows:
        out.print(
            f"{row['file']}: {row['game']} is {row['claim']} for the player to move; "
            f"{row['positions']:,} positions checked, {row['from_database']:,} of them by the database, "
            f"in {duration(row['seconds'])}",
            soft_wrap=True,
        )
        if row["frontier"]:
            out.print(
                f"  {row['frontier']:,} positions have no move, {row['searched']:,} of them were searched: "
                f"{counted(row['nodes'], 'node')}",
                soft_wrap=True,
            )
            if row["searched"] < row["frontier"]:
                out.print("  the others were believed: this is a sample and no full check", soft_wrap=True)


def _same(found: kb.Game, wanted: str) -> bool:
    """Whether a file is about the game that was asked for; a name alone stands for all parameters."""
    game = read_game(wanted)
    return found == game if ":" in wanted else found.name == game.name


def _verified(game: str, path: Path) -> kb.PuzzleSolution:
    solution = kb.PuzzleSolution.load(path)
    if not _same(solution.game, game):
        raise kb.BadSolution(f"{path} is a solution of {solution.game}, not of {game}")
    try:
        solution.verify()
    except kb.BadSolution as error:
        raise kb.BadSolution(f"{path}: {error}") from None
    return solution
