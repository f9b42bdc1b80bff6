"""Playouts of nested rollout policy adaptation a second."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import kibitz as kb
from kibitz.bench.rows import Asked, Effort, Row, rates

ASKED = 50_000.0
"""Playouts a second of Morpion Solitaire 5D that draw their moves and learn nothing."""


def rows(effort: Effort) -> Iterator[Row]:
    """Morpion Solitaire without adaptation, which is what drawing costs, and with it."""
    playouts = 500 if effort.quick else 10_000
    start = kb.game("morpion", variant="5D").start()
    for words, alpha, asked in (
        ("adaptation excluded", 0.0, Asked("ours", least=ASKED)),
        ("adaptation included", 1.0, None),
    ):
        search = kb.NestedRollout(alpha=alpha, simulations=playouts, seed=1)
        mine, _ = rates(effort, playouts, functools.partial(search.search, start), None)
        yield Row("nrpa", f"NRPA playouts, morpion:variant=5D, {words}", "1/s", mine, asked=asked)
