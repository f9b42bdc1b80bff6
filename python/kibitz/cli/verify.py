"""`kibitz verify`: solutions of puzzles, played again move by move, and proofs, played against everything."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

import kibitz as kb
from kibitz.cli.arguments import Json, read_game
from kibitz.cli.terminal import counted, out, print_json


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
    json: Json = False,
) -> None:
    """Play the moves of saved solutions, or those of proofs against everything; a wrong one is an error."""
    if all(kb.Proof.is_one(path) for path in files):
        _proofs(game, files, database, json)
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


def _proofs(game: str, files: list[Path], database: Path | None, json: bool) -> None:
    rows = []
    for path in files:
        proof = kb.Proof.load(path)
        if not _same(proof.game, game):
            raise kb.BadProof(f"{path} is a proof of {proof.game}, not of {game}")
        try:
            found = kb.verify_proof(proof, database=None if database is None else str(database))
        except kb.BadProof as error:
            raise kb.BadProof(f"{path}: {error}") from None
        rows.append({"file": str(path), "game": str(proof.game), "value": proof.value, **found._asdict()})
    if json:
        print_json({"proofs": rows})
        return
    for row in rows:
        out.print(
            f"{row['file']}: {row['game']} is a {row['value']} for the player to move; "
            f"{row['positions']:,} positions checked, {row['from_database']:,} of them by the database",
            soft_wrap=True,
        )


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
