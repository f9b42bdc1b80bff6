"""One game of one player: what a search may keep for the next one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kibitz._core import Memory, Position

if TYPE_CHECKING:
    from kibitz.search import Algorithm, Iteration, Report

__all__ = ["Session"]


class Session:
    """An algorithm that plays a game; `algorithm.session()` begins one.

    Algorithms keep nothing between searches. A session does, for those that ask for it (`Uct` with `reuse=True`, which
    goes on with its tree when the next position follows from the last one by the moves played). A game played again
    in a new session is the same game.

    >>> import kibitz as kb
    >>> session = kb.Uct(simulations=1000, reuse=True).session()
    >>> pos = kb.game("connect-four").start()
    >>> first = session.search(pos)
    >>> second = session.search(pos.play(first.pv[0]).play(first.pv[1]))
    >>> sum(child.visits for child in second.children) > second.stats["simulations"]
    True
    """

    def __init__(self, algorithm: Algorithm) -> None:
        self.algorithm = algorithm
        self._memory = Memory()

    def search(
        self, position: Position, *, progress: Callable[[Iteration], object] | None = None, **changes: Any
    ) -> Report:
        """Searches a position of the game, as `Algorithm.search` does."""
        if getattr(self.algorithm, "reuse", False):
            return self.algorithm._search(position, progress, changes, self._memory)
        # A player in Python may not know `progress`.
        told = {} if progress is None else {"progress": progress}
        return self.algorithm.search(position, **told, **changes)

    def __repr__(self) -> str:
        return f"{self.algorithm!r}.session()"
