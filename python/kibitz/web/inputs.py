"""What visitors write: games, positions and algorithms, read by the parsers of the command line, but never from files.

The command line may import a Python file or read a fit, a database or a checkpoint. A visitor may not: the only games
in Python are those that `kibitz serve` was started with, and parameters that name files are refused.
"""

from __future__ import annotations

import dataclasses
import functools
import re

import kibitz as kb

__all__ = [
    "FILES",
    "LONGEST_TEXT",
    "check_text",
    "game_names",
    "read_algorithm",
    "read_game",
    "read_position",
    "serve_games",
    "served_games",
]

LONGEST_TEXT = 20_000
"""Characters of the longest text that a visitor may send; the largest positions have a few thousand."""

FILES = ("database", "checkpoint", "proof")
"""Parameters of algorithms that are files of the host."""

_served: dict[str, kb.Game] = {}


def serve_games(texts: list[str]) -> None:
    """Lets visitors play games in Python, `nim.py:Nim`, as whoever started the server chose them.

    Visitors know them by this text without the folders of the file.
    """
    from kibitz.cli.arguments import read_game as read

    for text in texts:
        _served[re.sub(r"^.*[/\\](?=[^/\\]*\.py)", "", text)] = read(text)


def served_games() -> list[str]:
    """The games in Python, as visitors know them."""
    return list(_served)


def game_names() -> list[str]:
    """All games that a visitor may choose."""
    return [*kb.games(), *_served]


def check_text(text: object, what: str = "the text", longest: int = LONGEST_TEXT) -> str:
    """The text, if it is one and not too long."""
    if not isinstance(text, str):
        raise kb.BadParameter(f"{what} must be a text")
    if len(text) > longest:
        raise kb.BadParameter(f"{what} has {len(text):,} characters; at most {longest:,} are read")
    return text


@functools.lru_cache(maxsize=256)
def _native(text: str) -> kb.NativeGame:
    return kb.game(text)


def read_game(text: str) -> kb.Game:
    """The game of a text: a native one, or one that the server was started with."""
    text = check_text(text, "the game", 2_000).strip()
    if text in _served:
        return _served[text]
    return _native(text)


def read_position(game: kb.Game, text: str) -> kb.Position:
    """The position of a text; without one, the start."""
    text = check_text(text, "the position").strip()
    start: kb.Position = game.position(text) if text else game.start()
    return start


def read_algorithm(text: str, threads: int | None = None) -> kb.Algorithm:
    """The algorithm of a text such as `alphabeta:depth=8`, with no file in it, not even inside another algorithm.

    `threads` is how many it may ask for.
    """
    text = check_text(text, "the algorithm", 2_000).strip()
    if ".toml" in text or any(f"{name}=" in text for name in FILES):
        raise kb.BadParameter(f"an algorithm in the web lab reads no files: leave out .toml, {', '.join(FILES)}")
    found = kb.algorithm(text)
    asked = [getattr(each, "threads", 1) for each in (found, getattr(found, "inner", found))]
    if threads is not None and max(asked) > threads:
        raise kb.BadParameter(f"threads={max(asked)} is more than the {threads} that this job may use")
    if any(getattr(found, each.name, None) for each in dataclasses.fields(found) if each.name in FILES):
        raise kb.BadParameter(f"{found.name} needs a file, which the web lab does not read")
    return found
