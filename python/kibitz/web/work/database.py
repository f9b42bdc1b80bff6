"""An endgame database: built, with its progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kibitz as kb
from kibitz.web.inputs import read_game


def run(payload: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Builds the database of `game` with at most `pieces` pieces into the file `path`, which the server has chosen."""
    game = read_game(payload["game"])
    if not isinstance(game, kb.NativeGame) or not game._rules.ranked:
        raise kb.NotSupported(f"{game} has no ranks of its positions, so there is no database of it")
    caps = payload["caps"]

    def tell(step: kb.database.BuildStep) -> None:
        report({"type": "building", **step._asdict()})

    made = kb.build_db(
        game,
        payload["path"],
        pieces=payload["pieces"],
        distances=payload["distances"],
        # half of what the job may use: the rest is for what is read and written
        memory=max(caps["memory_mb"] // 2, 16) << 20,
        threads=caps["threads"],
        progress=tell,
    )
    return {"positions": made.stats.positions, "bytes": made.stats.bytes}
