"""`kibitz verify`: solutions, played again move by move."""

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
            help="The game of the solutions, such as samegame or samegame:position=3.",
            show_default=False,
        ),
    ],
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files of solutions.", show_default=False)],
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture of the only solution.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """Play the moves of saved solutions and tell their scores; a wrong one is an error."""
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


def _verified(game: str, path: Path) -> kb.PuzzleSolution:
    solution = kb.PuzzleSolution.load(path)
    wanted = read_game(game)
    # A name alone stands for all parameters.
    same = solution.game == wanted if ":" in game else solution.game.name == wanted.name
    if not same:
        raise kb.BadSolution(f"{path} is a solution of {solution.game}, not of {game}")
    try:
        solution.verify()
    except kb.BadSolution as error:
        raise kb.BadSolution(f"{path}: {error}") from None
    return solution
