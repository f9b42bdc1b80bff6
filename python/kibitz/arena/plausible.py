"""How good a generator of plausible moves is: what is lost by looking at its first moves only.

B. Sheppard, *Efficient Control of Selective Simulations*, CG 2004, section on plausible-move generation. A generator is
anything that ranks the moves of a position, best first; its cut is the number of them that a simulation looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import kibitz as kb
from kibitz.arena.statistics import Interval, wilson
from kibitz.arena.variance import Estimate, mean
from kibitz.errors import BadParameter, NotSupported
from kibitz.search import _whole

__all__ = ["Evaluator", "Generator", "HitRate", "by_evaluation", "by_search", "hit_rate", "points_lost"]

Generator = Callable[[kb.Position], Sequence[Any]]
"""The moves of a position, the most plausible first."""
Evaluator = Callable[[kb.Position, Sequence[Any]], Sequence[float]]
"""What each of some moves is worth to the player who makes it."""


@dataclass(frozen=True)
class HitRate:
    """In how many of the positions the expert's move was among the generator's first."""

    hits: int
    positions: int

    @property
    def rate(self) -> float:
        """The share of hits."""
        return self.hits / self.positions

    def interval(self, level: float = 0.95) -> Interval:
        """Wilson's interval of the true rate."""
        return wilson(self.hits, self.positions, level)


def hit_rate(choices: Iterable[tuple[kb.Position, Any]], generator: Generator, *, cut: int) -> HitRate:
    """How often the move that an expert chose is among the generator's first `cut` moves."""
    _whole("cut", cut, 1, 10**9)
    hits = positions = 0
    for position, expert in choices:
        ranked = _ranked(position, generator)
        name = expert if isinstance(expert, str) else position.notation(expert)
        names = list(map(position.notation, ranked))
        if name not in map(position.notation, position.moves):
            raise kb.IllegalMove(f"the expert's move {name} is not legal at {str(position)!r}")
        hits += name in names[:cut]
        positions += 1
    if not positions:
        raise BadParameter("no positions: at least one is needed for a rate")
    return HitRate(hits, positions)


def points_lost(
    positions: Iterable[kb.Position], generator: Generator, evaluator: Evaluator, *, cut: int = 10, longer: int = 50
) -> Estimate:
    """What the cut costs a position on average, in the evaluator's units; it needs no expert.

    The `longer` first moves are evaluated. If the best is within the cut nothing is lost, else the difference to the
    best within the cut. So a generator is not blamed for a best move that hardly differs from the second best. The
    paper's example has a cut of 10 in a list of 50. An evaluator with noise finds more lost than there is: the best of
    many noisy values is too good.
    """
    _whole("cut", cut, 1, 10**9)
    _whole("longer", longer, cut, 10**9)
    losses = []
    for position in positions:
        ranked = _ranked(position, generator)[:longer]
        values = list(evaluator(position, ranked))
        if len(values) != len(ranked):
            raise BadParameter(f"the evaluator gave {len(values)} values for {len(ranked)} moves")
        losses.append(max(values) - max(values[:cut]))
    return mean(losses)


def _ranked(position: kb.Position, generator: Generator) -> list[Any]:
    ranked = list(generator(position))
    if not ranked:
        raise BadParameter(
            f"the generator gave no moves at {str(position)!r}; take positions where somebody is to move"
        )
    return ranked


def by_evaluation(position: kb.Position, moves: Sequence[Any] | None = None) -> list[Any]:
    """The generator that ranks by the game's evaluation after the move, or by the result if the move ends the game."""
    turn = position.turn
    if not isinstance(turn, int):
        return []

    def worth(move: Any) -> float:
        after = position.play(move)
        return after.evaluate(turn) if after.result is None else after.result[turn]

    return sorted(position.moves if moves is None else moves, key=worth, reverse=True)


def by_search(algorithm: kb.Algorithm) -> Evaluator:
    """The evaluator that asks an algorithm once and reads the values of the root's moves in its report."""

    def values(position: kb.Position, moves: Sequence[Any]) -> list[float]:
        report = algorithm.search(position)
        known = {position.notation(child.move): child.value for child in report.children if child.visits}
        missing = [name for name in map(position.notation, moves) if name not in known]
        if missing:
            raise NotSupported(
                f"{algorithm} reports no value of {missing[0]} at {str(position)!r}; take a method that looks at every "
                "move, such as Uct or Simulation, with enough simulations"
            )
        return [known[position.notation(move)] for move in moves]

    return values
