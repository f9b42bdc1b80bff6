"""One search of one position: a move of an engine, a hint, a line of an analysis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kibitz as kb
from kibitz.session import Session
from kibitz.web.inputs import read_algorithm, read_game

_KEPT_MB = 256
"""A tree that may be larger is not kept until the next move: many workers wait with one."""

_last: tuple[str, Session] | None = None
"""The player whom this worker served last, and what the search left."""


def run(payload: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Searches `position` of `game` with `algorithm`; each iteration is told, the report is the result.

    `past` has the keys of the positions before, for games in which repetitions count. `session` is the player of a game
    whose algorithm has `reuse=True`: if this process made the last search, too, the next one goes on with its tree, as
    in the arena.
    """
    game = read_game(payload["game"])
    position = game._recall(payload["position"], tuple(payload.get("past", ())))
    algorithm = read_algorithm(payload["algorithm"], payload["caps"]["threads"])

    def texts(moves: tuple[Any, ...]) -> list[str]:
        """A line as notation, as far as it can be played on from the position."""
        found: list[str] = []
        at = position
        for move in moves:
            if at.over:
                break
            try:
                found.append(move if isinstance(move, str) else at.notation(move))
                at = at.play(move)
            except kb.Error:
                break
        return found

    def tell(step: kb.Iteration) -> None:
        report({"type": "iteration", **step._asdict(), "pv": texts(step.pv)})

    found = _session(payload.get("session"), algorithm).search(position, progress=tell, **_seed(algorithm))
    best = found.best
    text = best if best is None or isinstance(best, str) else position.notation(best)
    children = [{**child._asdict(), "move": position.notation(child.move)} for child in found.children]
    return {**found.as_dict(), "best": text, "pv": texts(found.pv), "children": children}


def _session(player: str | None, algorithm: kb.Algorithm) -> Session:
    global _last
    if player is None or getattr(algorithm, "memory_mb", 0) > _KEPT_MB:
        return algorithm.session()
    if _last is None or _last[0] != player:
        _last = (player, algorithm.session())
    return _last[1]


def _seed(algorithm: kb.Algorithm) -> dict[str, Any]:
    """Every move of a game has a seed of its own."""
    seed = getattr(algorithm, "seed", None)
    return {} if seed is None else {"seed": seed}
