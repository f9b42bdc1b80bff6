"""Lines of play counted a second, on one thread."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import kibitz as kb
from kibitz.bench.rows import Effort, Row, rates

DEPTHS = {
    "backgammon": (4, 5),
    "breakthrough": (4, 6),
    "chance-breakthrough": (4, 5),
    "chinese-checkers": (3, 4),
    "connect-four": (7, 9),
    "crossings": (3, 4),
    "dao": (5, 6),
    "dice": (7, 9),
    "do-guti": (20, 40),
    "epaminondas": (2, 3),
    "fanorona": (4, 6),
    "fish:placement=random": (3, 4),
    "focus": (2, 3),
    "gaps": (8, 11),
    "gomoku": (2, 3),
    "hearts": (3, 4),
    "kuhn-poker": (5, 5),
    "l-game": (3, 4),
    "lines-of-action": (3, 5),
    "morpion": (3, 4),
    "nim": (6, 8),
    "othello": (7, 9),
    "pip-race": (6, 10),
    "random-tree:width=5,depth=10": (6, 9),
    "rolit": (6, 8),
    "samegame": (2, 3),
    "spades": (3, 4),
    "stratego": (4, 5),
    "surakarta": (3, 5),
    "tic-tac-toe": (9, 9),
}
"""The games with the depth of a quick look and of a measurement."""


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each game."""
    for name, (quick, full) in DEPTHS.items():
        depth = quick if effort.quick else full
        start = kb.game(name).start()
        lines = kb.perft(start, depth)
        mine, _ = rates(effort, lines, functools.partial(kb.perft, start, depth), None)
        note = f"{lines:,} lines"
        yield Row("perft", f"perft {depth}, {name}", "1/s", mine, note=note, details={"depth": depth, "lines": lines})
