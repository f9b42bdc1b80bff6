"""Solvers: how fast they are, and how long they take."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.bench import database, proof, retrograde
from kibitz.bench.rows import Effort, Row


def rows(effort: Effort) -> Iterator[Row]:
    """The rows of every solver."""
    yield from proof.rows(effort)
    yield from retrograde.rows(effort)
    yield from database.rows(effort)
