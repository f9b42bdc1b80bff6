"""What each move of a position is worth: a search after every one of them, whatever the algorithm reports itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kibitz as kb
from kibitz.web.inputs import read_algorithm, read_game


def run(payload: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Searches the position after each move of `position` with `algorithm`, and tells a line for each."""
    game = read_game(payload["game"])
    position = game._recall(payload["position"], tuple(payload.get("past", ())))
    algorithm = read_algorithm(payload["algorithm"], payload["caps"]["threads"])
    if position.over:
        raise kb.BadParameter("the game is over in this position")
    mover = position.turn
    if not isinstance(mover, int):
        raise kb.NotSupported("chance is to move: there is no move to choose")
    moves = position.moves
    for number, move in enumerate(moves, 1):
        report({"type": "line", **_line(algorithm, position, mover, move), "done": number, "of": len(moves)})
    return {"moves": len(moves)}


def _line(algorithm: kb.Algorithm, position: kb.Position, mover: int, move: Any) -> dict[str, Any]:
    after = position.play(move)
    text = position.notation(move)
    if after.result is not None:
        return {"move": text, "value": after.result[mover], "pv": [text], "nodes": 1, "depth": 0, "proven": True}
    found = algorithm.search(after)
    if found.values:
        value = found.values[mover]
    elif after.turn == mover:
        value = found.value
    elif after.turn == "chance":
        value = found.value if mover == 0 else -found.value
    else:
        value = -found.value
    line = [text]
    for each in found.pv:
        if after.over:
            break
        line.append(after.notation(each))
        after = after.play(each)
    return {
        "move": text,
        "value": value,
        "pv": line,
        "nodes": found.nodes,
        "depth": found.depth,
        "proven": found.proven,
    }
