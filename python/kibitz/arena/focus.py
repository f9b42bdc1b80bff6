"""Sampling where it matters: trials go to the classes in which the variance of a weighted mean falls most.

B. Sheppard, *Efficient Control of Selective Simulations*, CG 2004, section on focusing on differences, which proposes
the rule without having tried it: where two plays come to the same, and their difference has no variance, more trials
say nothing. Class weighting undoes the bias of the allocation. In the paper's bear-off position any double of the
opponent makes both plays equal, so that the 5/6 of the rolls that are no doubles are all that has to be sampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

from kibitz.arena.weighting import Weighted, weighted
from kibitz.errors import BadParameter
from kibitz.search import _shown, _whole

__all__ = ["Allocation", "focus", "gain"]

Class = TypeVar("Class", bound=Hashable)


def gain(weight: float, variance: float, trials: int) -> float:
    """By how much one more trial of a class lowers the variance of the mean: w²s²(1/n − 1/(n + 1))."""
    return weight * weight * variance / (trials * (trials + 1))


class Allocation(Generic[Class]):
    """What was seen in each class, and where the next trial goes.

    The variance of a class is not known before it is sampled, and a few equal outcomes do not prove that there is none.
    So every class gets at least `least` trials first, and at all times at least the share `coverage` of its weight.
    """

    def __init__(self, weights: Mapping[Class, float], *, least: int = 4, coverage: float = 0.1) -> None:
        total = math.fsum(weights.values()) if weights else 0.0
        if not total > 0 or not all(math.isfinite(each) and each >= 0 for each in weights.values()):
            raise BadParameter("weights must be finite numbers, zero or more, and not all zero")
        _whole("least", least, 2, 10**9)
        if not 0 <= coverage <= 1:
            raise BadParameter(f"coverage={_shown(coverage)} must be a number from 0 to 1")
        self.weights: dict[Class, float] = {name: each / total for name, each in weights.items() if each > 0}
        self.least, self.coverage = least, coverage
        self.values: dict[Class, list[float]] = {name: [] for name in self.weights}
        self._spread: dict[Class, tuple[float, float]] = dict.fromkeys(self.weights, (0.0, 0.0))
        self.trials = 0

    def variance(self, name: Class) -> float:
        """The variance seen in a class."""
        count = len(self.values[name])
        return self._spread[name][1] / (count - 1) if count > 1 else math.inf

    def following(self) -> Class:
        """The class of the next trial."""
        for name, values in self.values.items():
            if len(values) < self.least:
                return name
        behind = {
            name: self.coverage * weight * (self.trials + 1) - len(self.values[name])
            for name, weight in self.weights.items()
        }
        needy = max(behind, key=behind.__getitem__)
        if behind[needy] > 0:
            return needy
        gains = {
            name: gain(weight, self.variance(name), len(self.values[name])) for name, weight in self.weights.items()
        }
        best = max(gains, key=gains.__getitem__)
        if gains[best] > 0:
            return best
        # Nothing varies anywhere: in proportion to the weights, like a stratified sample.
        return max(self.weights, key=lambda name: self.weights[name] * (self.trials + 1) - len(self.values[name]))

    def add(self, name: Class, value: float) -> None:
        """Counts the outcome of a trial."""
        if name not in self.values:
            raise BadParameter(f"there is no class {_shown(name)} among the weights")
        if not math.isfinite(value):
            raise BadParameter(f"the outcome {value} must be a finite number")
        self.values[name].append(value)
        self.trials += 1
        middle, squares = self._spread[name]
        step = value - middle
        middle += step / len(self.values[name])
        self._spread[name] = (middle, squares + step * (value - middle))

    def estimate(self) -> Weighted:
        """The weighted mean over all classes. A class without trials would bias it, and is refused."""
        missing = [name for name, values in self.values.items() if not values]
        if missing:
            raise BadParameter(f"class {_shown(missing[0])} has no trial yet: every class needs {self.least}")
        classes = [name for name, values in self.values.items() for _ in values]
        return weighted([value for values in self.values.values() for value in values], classes, weights=self.weights)


def focus(
    weights: Mapping[Class, float],
    trial: Callable[[Class, int], float],
    trials: int,
    *,
    least: int = 4,
    coverage: float = 0.1,
) -> Allocation[Class]:
    """Spends trials where they help most; `trial(class, number)` is the outcome of a class's trial of that number.

    With fixed numbers of trials a weighted mean has no bias. Here the numbers depend on the variances seen so far,
    which leaves a small bias where a class is skewed; more coverage makes it smaller.
    """
    allocation = Allocation(weights, least=least, coverage=coverage)
    if trials < least * len(allocation.weights):
        raise BadParameter(f"{len(allocation.weights)} classes need {least} trials each; {trials} are too few")
    for _ in range(trials):
        name = allocation.following()
        allocation.add(name, trial(name, len(allocation.values[name])))
    return allocation
