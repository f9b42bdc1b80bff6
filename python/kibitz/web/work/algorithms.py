"""Which algorithms can search a position, found out by asking each for a little."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import kibitz as kb
from kibitz.arena.playing import outcome
from kibitz.web.inputs import read_game

_LITTLE = {"nodes": 50, "simulations": 10, "depth": 1, "seconds": 0.05, "memory_mb": 16, "tt_mb": 1}


def run(payload: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> list[str]:  # noqa: ARG001
    """The names of the algorithms that search the start of `game` once chance has had its turn."""
    game = read_game(payload["game"])
    position = game.start()
    while position.turn == "chance":
        position = position.play(outcome(position, seed=1)[0])
    return [name for name in kb.algorithms() if _searches(name, position)]


def _searches(name: str, position: kb.Position) -> bool:
    algorithm = kb.algorithm(name)
    known = {each.name for each in dataclasses.fields(algorithm)}
    try:
        algorithm.replace(**{limit: value for limit, value in _LITTLE.items() if limit in known}).search(position)
    except kb.Error:
        return False
    return True
