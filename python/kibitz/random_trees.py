"""The exact distribution of minimax values in uniform random trees, and the values that separate the root's children.

In a complete tree whose leaves are independent and uniform on 0 … R, the probability that a node's value is below x
follows from the level beneath it: a player who takes the greatest of w children is below x when all of them are, F^w,
and one who takes the least is not below x when none of them is, 1 − (1 − F)^w. J. Pearl, *Heuristics* (1984),
chapter 8; D. Rutko, *Fuzzified Game Tree Search* (2012), uses it to choose the separation values of best-node search.

Every probability is kept together with that of the opposite, so that both tails are as accurate as the middle.

>>> children = value_distribution(width=2, depth=14, values=81, level=13)
>>> children.separation_value(2)
30
>>> f"{children.separation(2, 30):.4f}"
'0.4902'
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kibitz.errors import BadParameter
from kibitz.search import _whole

__all__ = ["ValueDistribution", "value_distribution"]


@dataclass(frozen=True)
class ValueDistribution:
    """P(value < x) and P(value ≥ x) for every whole x from 0 to the number of values."""

    less: tuple[float, ...]
    rest: tuple[float, ...]

    @property
    def values(self) -> int:
        """The number of values: they are 0 to one less."""
        return len(self.less) - 1

    def below(self, x: int) -> float:
        """P(value < x)."""
        return self.less[_whole("x", x, 0, self.values)]

    def between(self, low: int, high: int) -> float:
        """P(low ≤ value < high)."""
        _whole("low", low, 0, _whole("high", high, 0, self.values))
        # The difference of small numbers loses less than that of numbers near 1.
        if self.less[high] <= self.rest[low]:
            return self.less[high] - self.less[low]
        return self.rest[low] - self.rest[high]

    def at(self, x: int) -> float:
        """P(value = x)."""
        return self.between(x, x + 1)

    @property
    def mean(self) -> float:
        """The expected value: the sum of P(value ≥ x) over all x above 0."""
        return math.fsum(self.rest[1:])

    @property
    def tie(self) -> float:
        """The probability that two independent values are the same."""
        return math.fsum(self.at(x) ** 2 for x in range(self.values))

    def separation(self, children: int, x: int, low: int = 0, high: int | None = None) -> float:
        """The probability that exactly one of some independent values, all from `low` to below `high`, reaches x."""
        low, high = self._bracket(children, low, high)
        _whole("x", x, low, high)
        whole = self.between(low, high)
        if whole == 0:
            return 0.0
        return children * (self.between(low, x) / whole) ** (children - 1) * (self.between(x, high) / whole)

    def separation_value(self, children: int, low: int = 0, high: int | None = None) -> int:
        """The x between `low` and `high` that most probably separates one child from the others, the least of several.

        Rutko asks for the greatest entropy of the outcome; since no x separates with more than an even chance, that is
        the same. In a bracket that is too improbable for any number it is the middle.
        """
        low, high = self._bracket(children, low, high)
        if high - low < 2:
            raise BadParameter(f"no value separates children that are all {low}; the search is over")
        if self.between(low, high) == 0:
            return (low + high) // 2
        return max(range(low + 1, high), key=lambda x: self.separation(children, x, low, high))

    def _bracket(self, children: int, low: int, high: int | None) -> tuple[int, int]:
        _whole("children", children, 2, 1000)
        top = _whole("high", self.values if high is None else high, 1, self.values)
        return _whole("low", low, 0, top - 1), top


def value_distribution(*, width: int, depth: int, values: int, level: int | None = None) -> ValueDistribution:
    """The distribution of the value of a node `level` levels above the leaves (the root: as many as the tree is deep).

    The tree has `width` children a node and the greatest value is taken at its root. Leaves have one of `values` values
    from 0 on, each equally likely; Rutko's F(x) = x/80 is `values=80`, leaves from 0 to 80 are 81.
    """
    _whole("width", width, 1, 255)
    _whole("depth", depth, 1, 1000)
    _whole("values", values, 2, 1 << 20)
    level = depth if level is None else _whole("level", level, 0, depth)
    less = [x / values for x in range(values + 1)]
    rest = [(values - x) / values for x in range(values + 1)]
    for above in range(1, level + 1):
        # At the root the greatest value is taken, and the players take turns.
        if (depth - above) % 2 == 0:
            less, rest = [each**width for each in less], [_any(each, width) for each in rest]
        else:
            less, rest = [_any(each, width) for each in less], [each**width for each in rest]
    return ValueDistribution(tuple(less), tuple(rest))


def _any(probability: float, times: int) -> float:
    """1 − (1 − p)^n, without loss where p is small."""
    return 1.0 if probability >= 1 else -math.expm1(times * math.log1p(-probability))
