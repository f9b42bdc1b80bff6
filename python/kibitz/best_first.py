"""Best-first searches: the tree is in memory and grows where it matters, to no fixed depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from kibitz.search import _ALGORITHMS, Algorithm

__all__ = ["BStar", "Ubfm"]


@dataclass(frozen=True, kw_only=True)
class BStar(Algorithm):
    """B\\*: keeps a pessimistic and an optimistic value of every position and proves a move best, whatever it is worth.

    H. Berliner, *The B\\* Tree Search Algorithm: A Best-First Proof Procedure*, Artificial Intelligence 12 (1979).
    `report.value` is the pessimistic value of the root and a lower bound; `report.stats` has `pessimistic`,
    `optimistic` and whether the best move is `separated` from all others.

    - `strategy`: work on the best move to raise its pessimistic value (`prove-best`), on the best of the others to
      lower its optimistic value (`disprove-rest`), or on whichever Berliner's criterion names (`depths`);
    - `margin`: bounds are the evaluation minus and plus this much; **unsound** unless no evaluation is further off.
      Without it they are the bounds that the game knows, or the range of results;
    - `memory_mb`: what the tree may use; the search ends when it is full.

    Without limits it searches until a move is proven best or the memory is full.
    """

    name: ClassVar[str] = "bstar"
    simulations: int | None = None
    strategy: Literal["depths", "prove-best", "disprove-rest"] = "depths"
    margin: float | None = None
    memory_mb: int = 256


@dataclass(frozen=True, kw_only=True)
class Ubfm(Algorithm):
    """Unbounded best-first minimax with completion: expands the end of the best line, as often as there is time.

    R. Korf and D. Chickering, *Best-First Minimax Search*, Artificial Intelligence 84 (1996); completion and the safest
    decision as in Q. Cohen-Solal, *Learning to Play Two-Player Perfect-Information Games without Knowledge*,
    arXiv:2008.01188 (2020).

    - `completion`: keep positions whose value is known for sure apart, and never enter one again; without it the search
      ends when the best line comes to the end of the game;
    - `decision`: play the `safest` move, which has the most visits, or the `best`, which has the highest value;
    - `memory_mb`: what the tree may use; the search ends when it is full.

    Without limits it searches until the root is resolved or the memory is full.
    """

    name: ClassVar[str] = "ubfm"
    simulations: int | None = None
    completion: bool = True
    decision: Literal["safest", "best"] = "safest"
    memory_mb: int = 256


_ALGORITHMS.update({each.name: each for each in (BStar, Ubfm)})
