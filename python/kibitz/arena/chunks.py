"""Units of work in chunks, so that short ones cost little more than themselves."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

__all__ = ["Chunks"]

_SECONDS = 0.2
"""A chunk is about as much work."""
_LONGEST = 4096


class Chunks:
    """The units in chunks, whose size follows the time that units take. Several threads may ask."""

    def __init__(self, units: Iterable[Any]) -> None:
        self._units = enumerate(units)
        self._lock = threading.Lock()
        self._seconds: float | None = None

    def next(self) -> list[tuple[int, Any]]:
        """The next units with their numbers; none when there are no more."""
        with self._lock:
            size = 1 if self._seconds is None else int(_SECONDS / max(self._seconds, 1e-9))
            chunk = []
            for numbered in self._units:
                chunk.append(numbered)
                if len(chunk) >= min(max(size, 1), _LONGEST):
                    break
            return chunk

    def took(self, seconds: float, units: int) -> None:
        """Tells how long some units took."""
        # Without the lock, which a thread holds while it waits for units that may depend on results.
        each, before = seconds / units, self._seconds
        self._seconds = each if before is None else 0.7 * before + 0.3 * each
