"""`kibitz show`: a position, or a game that was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

import kibitz as kb
from kibitz.arena.playing import GameRecord
from kibitz.cli.arguments import Json, PositionText, game_text, read_game, read_position
from kibitz.cli.replay import record_dict, replay
from kibitz.cli.terminal import out, print_json
from kibitz.game_record import FIRST_LINE, parse_game_texts


def show(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="A game, such as othello, a class nim.py:Nim, or a game record.", show_default=False
        ),
    ],
    position: PositionText = None,
    number: Annotated[
        int | None, typer.Option("--game", "-g", metavar="N", help="The number of a recorded game.", show_default=False)
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--rules", metavar="GAME", help="The game of a record, if it is in Python.", show_default=False),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture of the board.", show_default=False)
    ] = None,
    json: Json = False,
) -> None:
    """Show a position: the board, whose turn it is, the moves, the result. Or replay a game record."""
    if (records := _records(game)) is not None:
        _replay(records, number, source, json)
        return
    rules = read_game(game)
    pos = read_position(rules, position)
    if svg is not None:
        svg.write_text(pos.svg(), encoding="utf-8")
    if json:
        print_json({"game": game_text(rules, game), **as_dict(pos)})
        return
    out.print(pos.board(), markup=False, soft_wrap=True)
    out.print()
    out.print(Text.assemble(("position ", "bold"), str(pos)), soft_wrap=True)
    for label, text in describe(pos):
        out.print(Text.assemble((f"{label} ", "bold"), text))
    if svg is not None:
        out.print(Text.assemble(("picture ", "bold"), str(svg)), soft_wrap=True)


def _records(place: str) -> list[GameRecord] | None:
    """The games of a file, if there is one and it is of game records."""
    try:
        with Path(place).open(encoding="utf-8") as file:
            if file.readline().rstrip() != FIRST_LINE:
                return None
            return parse_game_texts(FIRST_LINE + "\n" + file.read())
    except (OSError, UnicodeDecodeError, ValueError):
        return None


def _replay(records: list[GameRecord], number: int | None, rules: str | None, json: bool) -> None:
    if number is not None:
        records = [record for record in records if record.index == number]
        if not records:
            raise kb.BadParameter(f"there is no game {number} in it")
    if json:
        print_json([record_dict(record) for record in records])
        return
    for record in records:
        replay(record, rules)
        out.print()


def describe(pos: kb.Position) -> list[tuple[str, str]]:
    """Turn, moves and result of a position as pairs of label and text."""
    if pos.over:
        return [("over: ", result_text(pos.result or ()))]
    if pos.turn == "chance":
        outcomes = pos.outcomes
        listed = "  ".join(f"{pos.notation(move)} {probability:.4g}" for move, probability in outcomes)
        return [("turn    ", "chance"), ("outcomes", f"({len(outcomes)}) {listed}")]
    moves = pos.moves
    return [("turn    ", f"player {pos.turn}"), ("moves   ", f"({len(moves)}) {'  '.join(map(pos.notation, moves))}")]


def result_text(result: tuple[float, ...]) -> str:
    """A result in words."""
    scores = ", ".join(f"player {player}: {score:g}" for player, score in enumerate(result))
    if len(result) < 2:
        return f"the score is {result[0]:g}" if result else "no result"
    best = max(result)
    winners = [player for player, score in enumerate(result) if score == best]
    if len(winners) == len(result):
        return f"a draw ({scores})"
    names = " and ".join(map(str, winners))
    return f"players {names} win ({scores})" if len(winners) > 1 else f"player {names} wins ({scores})"


def as_dict(pos: kb.Position) -> dict[str, Any]:
    """A position as plain data."""
    return {
        "position": str(pos),
        "turn": pos.turn,
        "over": pos.over,
        "moves": [pos.notation(move) for move in pos.moves],
        "outcomes": [[pos.notation(move), probability] for move, probability in pos.outcomes],
        "result": pos.result,
        "key": f"{pos.key:016x}",
        "board": pos.board(),
    }
