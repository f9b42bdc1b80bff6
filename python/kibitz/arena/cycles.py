"""Cycles that cover a distribution exactly: every class as often as its weight says, in an order that is even early on.

B. Sheppard, *Efficient Control of Selective Simulations*, CG 2004, deals the 169 kinds of hole cards of Hold'em in a
cycle of 663 hands: sample by such a cycle and nothing is left to the luck of the deal.

>>> cycle({"strong": 6, "fair": 4, "weak": 2}).segments
(('strong', 'weak', 'fair'), ('strong', 'fair', 'strong'))
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from kibitz.errors import BadParameter
from kibitz.search import _shown

__all__ = ["LONGEST", "Cycle", "cycle", "riffle", "whole_weights"]

Item = TypeVar("Item")

LONGEST = 1_000_000
"""A cycle that is longer than this is never completed, and promises nothing before its end."""


def riffle(items: Sequence[Item]) -> tuple[Item, ...]:
    """A perfect riffle of the two halves, which puts strong and weak next to each other in a sorted sequence.

    Sheppard says "one shuffle" and no more; this is the shuffle that needs no dice.

    >>> riffle("ABCDE")
    ('A', 'D', 'B', 'E', 'C')
    """
    half = (len(items) + 1) // 2
    pairs = itertools.zip_longest(items[:half], items[half:], fillvalue=_NOTHING)
    return tuple(item for pair in pairs for item in pair if item is not _NOTHING)  # type: ignore[misc]


_NOTHING = object()


@dataclass(frozen=True)
class Cycle(Generic[Item]):
    """A sequence to go through again and again; `segments` are its parts."""

    segments: tuple[tuple[Item, ...], ...]

    @functools.cached_property
    def items(self) -> tuple[Item, ...]:
        """The whole sequence."""
        return tuple(itertools.chain.from_iterable(self.segments))

    def __len__(self) -> int:
        return sum(map(len, self.segments))

    def __getitem__(self, number: int) -> Item:
        return self.items[number % len(self)]


def cycle(weights: Mapping[Item, int]) -> Cycle[Item]:
    """The shortest cycle in which each class comes as often as its weight says, in proportion.

    The classes come sorted, strongest first. Weights lose their common factor, so that Hold'em's 6, 4 and 12 become 3,
    2 and 6. The first segment has every class once. So has the last, in the same order, if all weights allow it. The
    middle has what is left, the copies of a class beside each other. Each segment is riffled on its own.
    """
    if not weights:
        raise BadParameter("no classes: a cycle needs one or more")
    for item, weight in weights.items():
        if not isinstance(weight, int) or isinstance(weight, bool) or weight < 1:
            raise BadParameter(
                f"the weight of {_shown(item)} is {_shown(weight)}; it must be a whole number, 1 or more"
            )
    factor = math.gcd(*weights.values())
    counts = {item: weight // factor for item, weight in weights.items()}
    if (length := sum(counts.values())) > LONGEST:
        raise BadParameter(f"the cycle would have {length} entries, more than {LONGEST}; take fewer or rounder weights")
    ends = 2 if min(counts.values()) >= 2 else 1
    every = riffle(tuple(counts))
    rest = riffle([item for item, count in counts.items() for _ in range(count - ends)])
    return Cycle(tuple(filter(None, (every, rest, every if ends == 2 else ()))))


def whole_weights(probabilities: Sequence[Fraction]) -> list[int]:
    """Whole numbers in the proportion of probabilities.

    >>> whole_weights([Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)])
    [1, 2, 3]
    """
    scale = math.lcm(*(each.denominator for each in probabilities))
    return [int(each * scale) for each in probabilities]
