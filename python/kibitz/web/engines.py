"""Engines for a game: which there are, and which is a good first choice."""

from __future__ import annotations

import kibitz as kb
from kibitz.web.inputs import read_game
from kibitz.web.jobs import Caps, Jobs

__all__ = ["algorithms_for", "default_engine"]

_known: dict[str, list[str]] = {}
_MOST_KNOWN = 500


def default_engine(game: kb.Game, seconds: float = 1.0) -> str:
    """The engine that plays a game unless somebody chooses another: one that needs to know nothing but the rules."""
    rules = game._rules
    name = "ismcts" if rules.hidden and not rules.has_belief else "uct"
    return f"{name}:seconds={seconds:g}"


async def algorithms_for(game: str, jobs: Jobs, visitor: str) -> list[str]:
    """The names of the algorithms that search a game. A worker finds out once."""
    if game not in _known:
        job = await jobs.submit(visitor, "algorithms", {"game": game}, Caps(seconds=20))
        found = await job.wait()
        if not found:
            return [default_engine(read_game(game)).partition(":")[0]]
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[game] = found
    return _known[game]
