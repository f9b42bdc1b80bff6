"""The endgame databases of the data directory."""

from __future__ import annotations

import functools
from pathlib import Path

import kibitz as kb
from kibitz.game import parse_call
from kibitz.web.storage import DataDirectory

__all__ = ["FOLDER", "SUFFIX", "database_name", "databases", "databases_of"]

FOLDER, SUFFIX = "databases", ".kdb"


@functools.lru_cache(maxsize=16)
def _opened(path: Path, time: float, size: int) -> kb.Database:  # noqa: ARG001
    return kb.open_db(path, memory="16M")


def databases(data: DataDirectory) -> list[tuple[str, kb.Database]]:
    """All databases by name. A file that is damaged, or half built, is left out."""
    found = []
    for name in data.names(FOLDER, SUFFIX):
        path = data.file(FOLDER, name, SUFFIX)
        try:
            status = path.stat()
            found.append((name, _opened(path, status.st_mtime, status.st_size)))
        except (kb.Error, OSError):
            continue
    return found


def databases_of(data: DataDirectory, game: kb.Game) -> list[tuple[str, kb.Database]]:
    """The databases of a game."""
    return [(name, database) for name, database in databases(data) if database.game == game]


def database_name(game: kb.NativeGame, pieces: int | None, distances: str) -> str:
    """The name of a database: the same game, pieces and distances are the same file, which a build goes on with."""
    words = [game.name, *(f"{key}{value}" for key, value in parse_call(game.spec)[1].items())]
    words += [] if pieces is None else [f"p{pieces}"]
    words += [] if distances == "none" else [distances]
    plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in "-".join(words).lower())
    return plain[:64]
