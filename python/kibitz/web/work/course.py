"""The course of a game: what a search thinks of every position of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kibitz.web.inputs import read_algorithm, read_game, read_position


def run(payload: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Searches the positions from `start` on, after each of `moves`, and tells the value for the first player."""
    game = read_game(payload["game"])
    position = read_position(game, payload["start"])
    algorithm = read_algorithm(payload["algorithm"], payload["caps"]["threads"])
    moves = payload["moves"]
    for ply in range(len(moves) + 1):
        best, value = None, None
        if position.result is not None:
            value = position.result[0]
        elif position.turn != "chance":
            found = algorithm.search(position)
            best = None if found.best is None else position.notation(found.best)
            value = found.values[0] if found.values else found.value if position.turn == 0 else -found.value
        report({"type": "ply", "ply": ply, "value": value, "best": best, "of": len(moves)})
        if ply < len(moves):
            position = position.play(moves[ply])
    return {"plies": len(moves)}
