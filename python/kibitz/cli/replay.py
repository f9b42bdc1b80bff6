"""A recorded game, shown move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import kibitz as kb
from kibitz.arena.playing import GameRecord
from kibitz.cli.arguments import read_game
from kibitz.cli.terminal import counted, out


def replay(record: GameRecord, rules: str | None = None) -> None:
    """Shows a game from its first position to its last."""
    positions = list(replayed(record, rules))
    seats = ", ".join(f"player {seat} is {name}" for seat, name in enumerate(record.names))
    out.print(f"game {record.index} of {record.game}: {seats}", markup=False, style="bold", soft_wrap=True)
    out.print(positions[0].board(), markup=False, soft_wrap=True)
    for number, (move, position) in enumerate(zip(record.moves, positions[1:], strict=True), 1):
        who = "chance" if move.seat is None else record.names[move.seat]
        figures: list[str] = [] if move.origin in ("search", "chance") else [move.origin]
        if move.value is not None:
            figures.append(f"value {move.value:+.3f}, depth {move.depth}, {counted(move.nodes or 0, 'node')}")
        out.print()
        out.print(
            f"{number}. {move.move}  {who}  {', '.join(figures)}".rstrip(), markup=False, style="bold", soft_wrap=True
        )
        out.print(position.board(), markup=False, soft_wrap=True)
    result = ", ".join(f"{name} {each:+g}" for name, each in zip(record.names, record.result, strict=True))
    end = "ended by the limit of plies" if record.adjudicated else "over"
    out.print()
    out.print(
        f"{end} after {counted(record.plies, 'ply').replace('plys', 'plies')}: {result}", markup=False, soft_wrap=True
    )


def replayed(record: GameRecord, rules: str | None = None) -> Iterator[kb.Position]:
    """The positions of a game, every move checked."""
    if rules is None and record.game.partition(":")[0] not in kb.games():
        raise kb.UnknownGame(
            f"the game {record.game!r} is not one of kibitz's own; say where it is with --rules, such as nim.py:Nim"
        )
    game = read_game(rules) if rules else kb.game(record.game)
    position = game.start() if record.start is None else game.position(record.start)
    yield position
    for number, move in enumerate(record.moves, 1):
        try:
            position = position.play(move.move)
        except kb.Error as error:
            raise kb.IllegalMove(f"move {number} of the game record, {move.move!r}, is not legal: {error}") from None
        yield position


def record_dict(record: GameRecord) -> dict[str, Any]:
    """A game as plain data."""
    return {**vars(record), "moves": [move._asdict() for move in record.moves]}
