"""Estimators of how large a game is: means with intervals, the tree from random lines, the positions by counting."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.game import Position

__all__ = ["LEVEL", "Estimate", "Knuth", "States", "chao", "count", "jackknife", "knuth"]

LEVEL = 0.95
"""The confidence of every interval here."""
_BLOCKS = 20


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % interval; one game allows everything."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Knuth:
    """The number of games that the rules allow, as log10, from uniformly random lines.

    A line that had b₁, b₂, … moves to choose from, and was as likely as 1/(b₁·b₂·…), stands for b₁·b₂·… games; their
    mean has the true number as its expectation, whatever the tree looks like (D. Knuth, *Estimating the Efficiency of
    Backtrack Programs*, Mathematics of Computation 29, 1975). Its distribution is extremely skew: nearly always the
    mean is far too small, and rarely far too large. So beside it stand `low`, which is below the true number with a
    probability of 95 % whatever the distribution (Markov's inequality: the mean exceeds twenty times its expectation
    at most once in twenty), the standard error relative to the mean as far as the sample shows it, and the effective
    number of lines (Σw)²/Σw²: near one, a single line decided the mean, and the standard error says nothing.
    """

    value: float
    low: float
    error: float
    effective: float
    lines: int


@dataclass(frozen=True, kw_only=True)
class States:
    """Positions that can be reached from the start, told apart by their keys.

    - `by_moves`: how many are first reached after 0, 1, 2, … moves, those of chance included: exact;
    - `complete`: whether these are all there are; then `total`, their sum, is the state space, else a part of it;
    - `seen`: distinct positions in the random lines;
    - `at_least`: a lower bound on the state space from the positions that occur in one and in two of the lines (A.
      Chao, *Estimating the Population Size for Capture-Recapture Data with Unequal Catchability*, Biometrics 43,
      1987). It is close when the lines meet often, and far below when they hardly do; more lines raise it.
    """

    by_moves: tuple[int, ...]
    complete: bool
    seen: int
    at_least: Estimate

    @property
    def total(self) -> int:
        """All positions that were counted."""
        return sum(self.by_moves)


def jackknife(rows: Any, statistic: Callable[..., Any]) -> Estimate:
    """A smooth function of the means of the columns, with Student's interval around it.

    The error is J. Tukey's jackknife, *Bias and Confidence in Not-quite Large Samples*, Annals of Mathematical
    Statistics 29 (1958): how the function changes when a game is left out. For a mean itself it is the usual one.
    """
    import numpy as np

    count = len(rows)
    total = rows.sum(axis=0)
    value = float(statistic(*(total / count)))
    if count < 2:
        return Estimate(value, -math.inf, math.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        without = np.asarray(statistic(*((total - rows) / (count - 1)).T), dtype=float)
    return _student(value, without)


def _student(value: float, without: Any) -> Estimate:
    """The interval around a value, given what it is without each of the parts of the sample."""
    from scipy.special import stdtrit

    count = len(without)
    error = math.sqrt((count - 1) / count * float(((without - without.mean()) ** 2).sum()))
    reach = float(stdtrit(count - 1, (1 + LEVEL) / 2)) * error
    # Without the only game that has moves the value has no meaning, and nothing is known about its error.
    return (
        Estimate(value, value - reach, value + reach) if math.isfinite(reach) else Estimate(value, -math.inf, math.inf)
    )


def knuth(weights: Sequence[float]) -> Knuth:
    """The number of games, from the log10 of how many each random line stands for."""
    import numpy as np

    # The weights themselves may be too large for a number.
    most = max(weights)
    scaled = 10.0 ** (np.array(weights) - most)
    count, mean = len(weights), float(scaled.mean())
    value = most + math.log10(mean)
    return Knuth(
        value=value,
        low=value + math.log10(1 - LEVEL),
        error=float(scaled.std(ddof=1)) / math.sqrt(count) / mean if count > 1 else math.inf,
        effective=float(scaled.sum() ** 2 / (scaled**2).sum()),
        lines=count,
    )


def count(start: Position, limit: int) -> tuple[tuple[int, ...], bool]:
    """How many positions are first reached after 0, 1, 2, … moves, and whether these are all."""
    seen, layer, counts, visited = {start.key}, [start], [1], 0
    while layer:
        following: list[Position] = []
        for position in layer:
            moves = position.moves
            visited += len(moves)
            if visited > limit:
                return tuple(counts), False
            for move in moves:
                child = position.play(move)
                if child.key not in seen:
                    seen.add(child.key)
                    following.append(child)
        if following:
            counts.append(len(following))
        layer = following
    return tuple(counts), True


def chao(lines: Sequence[frozenset[int]]) -> dict[str, Any]:
    """Distinct positions, and Chao's bound with an interval from leaving out blocks of lines.

    Positions of one line depend on each other, which his own formula for the variance does not allow for.
    """
    import numpy as np

    count = len(lines)
    keys = np.fromiter((key for line in lines for key in line), dtype=np.uint64)
    block = np.repeat(np.arange(count) % _BLOCKS, [len(line) for line in lines])
    _, place, often = np.unique(keys, return_inverse=True, return_counts=True)

    def bound(often: Any, lines: int) -> float:
        once, twice, seen = (int(each.sum()) for each in (often == 1, often == 2, often > 0))
        return seen + (lines - 1) / lines * once * (once - 1) / (2 * (twice + 1))

    seen, value = len(often), bound(often, count)
    if count < 2:
        return {"seen": seen, "at_least": Estimate(value, seen, math.inf)}
    without = []
    for each in range(min(_BLOCKS, count)):
        left = count - len(range(each, count, _BLOCKS))
        without.append(math.log(bound(often - np.bincount(place[block == each], minlength=seen), left)))
    # In the logarithm, since such a bound is known up to a factor.
    known = _student(math.log(value), np.array(without))
    low, high = (math.exp(min(end, 700.0)) for end in (known.low, known.high))
    return {"seen": seen, "at_least": Estimate(value, max(float(seen), low), high)}
