"""Batches of games compared: Student's t-test between two players and the analysis of variance between several.

Where the sequence of games is cut into batches of equal size, the win rates of the batches are nearly normal, and tests
for means apply. D. King, *Complexity, Heuristic, and Search Analysis for the Games of Crossings and Epaminondas*, Air
Force Institute of Technology (2014), cuts 5,000 games into 50 batches of 100.

>>> rates = cut([1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1], 3)
>>> [round(rate, 2) for rate in rates]
[0.67, 0.33, 0.67, 1.0]
>>> found = t_test(rates, [0.0, 0.33, 0.0, 0.33])
>>> round(found.statistic, 2), found.freedom, round(found.p, 3)
(3.02, (6,), 0.023)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.errors import BadParameter
from kibitz.search import _whole

__all__ = ["Comparison", "anova", "cut", "p_value", "t_test"]


@dataclass(frozen=True)
class Comparison:
    """A comparison of means: t or F, its degrees of freedom, and how probable that much is without a difference."""

    statistic: float
    freedom: tuple[int, ...]
    p: float


def cut(points: Sequence[float], size: int) -> list[float]:
    """The means of successive batches of `size`; what is left over at the end belongs to none."""
    _whole("size", size, 1, 10**9)
    return [math.fsum(points[first : first + size]) / size for first in range(0, len(points) - size + 1, size)]


def p_value(t: float, freedom: int) -> float:
    """The two-sided p of Student's t.

    >>> round(p_value(3.193, 98), 4)
    0.0019
    """
    from scipy.stats import t as student

    _whole("freedom", freedom, 1, 10**9)
    return float(2 * student.sf(abs(t), freedom))


def t_test(first: Sequence[float], second: Sequence[float]) -> Comparison:
    """Student's two-sample test with equal variances, two-sided; t is positive where the first mean is greater.

    Samples without any variation have t = 0 if they are the same, else an infinite one.
    """
    from scipy.stats import ttest_ind

    _samples((first, second))
    freedom = (len(first) + len(second) - 2,)
    if _constant(first) and _constant(second):
        return _without_variation(first[0] - second[0], freedom)
    found = _quietly(ttest_ind, first, second)
    return Comparison(float(found.statistic), freedom, float(found.pvalue))


def anova(*samples: Sequence[float]) -> Comparison:
    """The one-way analysis of variance: whether the means of all samples may be one (R. Fisher, 1925)."""
    from scipy.stats import f_oneway

    if len(samples) < 2:
        raise BadParameter(f"{len(samples)} samples: an analysis of variance compares two or more")
    _samples(samples)
    freedom = (len(samples) - 1, sum(map(len, samples)) - len(samples))
    if all(map(_constant, samples)):
        means = [each[0] for each in samples]
        return _without_variation(max(means) - min(means), freedom)
    found = _quietly(f_oneway, *samples)
    return Comparison(float(found.statistic), freedom, float(found.pvalue))


def _quietly(test: Callable[..., Any], *samples: Sequence[float]) -> Any:
    """Without SciPy's warning about a sample in which all values are the same: batches without a win are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return test(*samples)


def _samples(samples: Sequence[Sequence[float]]) -> None:
    for each in samples:
        if len(each) < 2:
            raise BadParameter(f"a sample of {len(each)}: a test of means needs two batches or more of each")


def _constant(sample: Sequence[float]) -> bool:
    return min(sample) == max(sample)


def _without_variation(difference: float, freedom: tuple[int, ...]) -> Comparison:
    if difference == 0:
        return Comparison(0.0, freedom, 1.0)
    return Comparison(math.copysign(math.inf, difference), freedom, 0.0)
