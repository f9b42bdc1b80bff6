"""Exhaustive search of games of one player, and proofs that the end of a line of moves cannot be played better."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

from kibitz._core import Position
from kibitz.errors import BadParameter
from kibitz.search import _ALGORITHMS, Algorithm

__all__ = ["IncrementalTranspositions", "Tail", "TailStep"]


class TailStep(NamedTuple):
    """The search behind the first `played` moves of a line: its best value, its nodes, and whether it was complete."""

    played: int
    value: float
    nodes: int
    seconds: float
    complete: bool


@dataclass(frozen=True)
class Tail:
    """What is known about the end of a line of moves.

    `value` is the result of the line; `steps` are the searches, the shortest end first; `better` is a line from the
    same start with a higher result, if one was found.
    """

    moves: tuple[Any, ...]
    value: float
    steps: tuple[TailStep, ...]
    better: tuple[Any, ...] | None

    @property
    def optimal_from(self) -> int | None:
        """The fewest first moves after which the line is proven to be optimal; `None` if nothing is proven."""
        proven = [step.played for step in self.steps if step.complete and step.value <= self.value]
        return min(proven, default=None)


@dataclass(frozen=True, kw_only=True)
class IncrementalTranspositions(Algorithm):
    """Searches everything in a game of one player, and most positions once, without a table.

    B. Helmstetter and T. Cazenave, *Incremental Transpositions*, Computers and Games 2004. A node has a set of moves
    that lead to positions already searched; below another move those of the set that commute with it need not be tried,
    either. For games that know which of their moves commute. In Morpion Solitaire no position is visited twice.

    - `sets`: pass the sets; without them it is plain depth-first search, for any game of one player;
    - `table`: the positions that were entered are not entered again while they are kept: one in each of so many
      entries, the newest, as in the paper, or all of them (`exact`); `None` for no table;
    - `stop_at_best`: end with the first line that has the greatest possible result;
    - `memory_mb`: what the table and the lines may use; the search ends when it is full;
    - `threads`: as many threads share the tree, without a table.

    `report.depths` counts the nodes at each depth. `report.stats` has `leaves`, the moves that were not tried because
    of the sets (`by_sets`), and positions not entered because of the table or because they are on the way (`by_table`).
    Without limits it searches until everything has been searched or the memory is full.
    """

    name: ClassVar[str] = "incrementaltranspositions"
    depth: int | None = None
    sets: bool = True
    table: int | Literal["exact"] | None = None
    stop_at_best: bool = False
    memory_mb: int = 512
    threads: int = 1

    def tail(
        self, position: Position, moves: Sequence[Any], *, progress: Callable[[TailStep], object] | None = None
    ) -> Tail:
        """How far back the end of a line of moves from a position is proven to be optimal.

        Searches everything behind all moves of the line but the last, behind all but the last two, and so on, until a
        search finds something better, the limits of this algorithm (for all searches together) are reached, or the
        whole line has been searched.
        """
        line = [position]
        for move in moves:
            line.append(line[-1].play(move))
        if not line[-1].over or line[-1].result is None:
            raise BadParameter(f"the line of {len(moves)} moves does not lead to the end of the game")
        value = line[-1].result[0]
        steps: list[TailStep] = []
        better = None
        nodes, end = self.nodes, None if self.seconds is None else time.monotonic() + self.seconds
        for played in range(len(moves) - 1, -1, -1):
            seconds = None if end is None else end - time.monotonic()
            if (nodes is not None and nodes < 1) or (seconds is not None and seconds <= 0):
                break
            report = dataclasses.replace(self, nodes=nodes, seconds=seconds).search(line[played])
            nodes = None if nodes is None else nodes - report.nodes
            steps.append(TailStep(played, report.value, report.nodes, report.seconds, report.proven))
            if progress is not None:
                progress(steps[-1])
            if report.value > value and report.bound != "estimate":
                better = (*moves[:played], *report.pv)
                break
            if not report.proven:
                break
        return Tail(tuple(moves), value, tuple(steps), better)


_ALGORITHMS.update({IncrementalTranspositions.name: IncrementalTranspositions})
