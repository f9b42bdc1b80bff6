"""Class weighting: a sample that has too much of one class and too little of another is put right afterwards.

B. Sheppard, *Efficient Control of Selective Simulations*, CG 2004 ("adjust for non-uniformity"); statisticians call it
post-stratification. It also answers a new question with an old sample: give the classes the weights of the new
distribution.

>>> weighted([1.0, 1.0, 0.0, 0.0], ["a", "a", "a", "b"], weights={"a": 1, "b": 3}).value
0.16666666666666666
>>> round(effective_size([0.9 / 1000] * 1000 + [0.1 / 1000] * 1000), 1)
1219.5
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.arena.playing import GameRecord
from kibitz.arena.variance import Estimate, blocks_of, mean, result_of
from kibitz.errors import BadParameter
from kibitz.search import _shown

__all__ = ["Weighted", "class_weighted", "effective_size", "weighted"]


@dataclass(frozen=True, kw_only=True)
class Weighted(Estimate):
    """A class-weighted mean.

    `effective` is the number of evenly weighted observations that are worth as much; `covered` the share of the
    weight whose classes were seen, over which alone the mean is taken.
    """

    effective: float
    covered: float


def effective_size(weights: Sequence[float]) -> float:
    """The effective size of a weighted sample, (Σw)²/Σw² (L. Kish, *Survey Sampling*, 1965).

    Sheppard's example, a thousand observations of each of two classes that should be 9 to 1, is worth 1219.5 for equal
    variances within the classes; the paper's own count of 1100 has no such meaning.
    """
    if not weights or not all(math.isfinite(each) and each >= 0 for each in weights) or not any(weights):
        raise BadParameter("weights must be finite numbers, zero or more, and not all zero")
    return math.fsum(weights) ** 2 / math.fsum(each * each for each in weights)


def weighted(
    values: Sequence[float],
    *partitions: Sequence[Hashable],
    weights: Mapping[Any, float],
    games: int | None = None,
) -> Weighted:
    """The mean of independent observations, with classes that have the weights that are due to them.

    Each partition gives the class of every observation; `weights` are those of the classes, in any unit. With several
    partitions the weighted means are averaged, as Sheppard does for the cards of the two seats. The error is that of
    the sample as it is composed: the variance within classes alone. A class with a single observation shows no
    variance and lends the mean variance of the others; if there is no class with two, the error is infinite.
    """
    count = len(values)
    if count == 0:
        raise BadParameter("no observations: at least one is needed for a mean")
    if not partitions:
        raise BadParameter("no partition: say which class each observation belongs to")
    for name, weight in weights.items():
        if isinstance(weight, bool) or not math.isfinite(weight) or weight < 0:
            raise BadParameter(f"the weight of {_shown(name)} is {_shown(weight)}; it must be a number, zero or more")
    total = math.fsum(weights.values())
    value, covered, freedom, loads = 0.0, 1.0, math.inf, [0.0] * count
    deviations = [0.0] * count  # what an observation has above its class, times its load
    lent = 0.0
    for partition in partitions:
        if len(partition) != count:
            raise BadParameter(f"{count} observations have {len(partition)} classes; each has one")
        sizes = Counter(partition)
        for name in sizes:
            if name not in weights:
                raise BadParameter(f"class {_shown(name)} has no weight; give it one, 0 if it shall not count")
        seen = math.fsum(weights[name] for name in sizes)
        if seen <= 0:
            raise BadParameter("the weights of all classes that were seen are 0")
        covered = min(covered, seen / total)
        shares = {name: weights[name] / seen for name in sizes}
        means, variances = _moments(values, partition, sizes)
        value += math.fsum(shares[name] * means[name] for name in sizes) / len(partitions)
        freedom = min(freedom, _freedom(shares, variances, sizes))
        for number, (each, name) in enumerate(zip(values, partition, strict=True)):
            load = shares[name] / sizes[name] / len(partitions)
            loads[number] += load
            if sizes[name] > 1:
                deviations[number] += load * (each - means[name]) * math.sqrt(sizes[name] / (sizes[name] - 1))
            elif load > 0:
                lent += load * load * variances[name]
    variance = math.fsum(each * each for each in deviations) + lent
    return Weighted(
        value=value,
        error=math.sqrt(variance),
        observations=count,
        games=count if games is None else games,
        freedom=freedom if math.isfinite(variance) else 0.0,
        effective=effective_size(loads),
        covered=covered,
    )


def _moments(
    values: Sequence[float], partition: Sequence[Hashable], sizes: Counter[Hashable]
) -> tuple[dict[Hashable, float], dict[Hashable, float]]:
    """Mean and variance of each class; one with a single observation has the pooled variance of the others."""
    sums, squares = dict.fromkeys(sizes, 0.0), dict.fromkeys(sizes, 0.0)
    for each, name in zip(values, partition, strict=True):
        if not math.isfinite(each):
            raise BadParameter(f"the observation {each} must be a finite number")
        sums[name] += each
    means = {name: total / sizes[name] for name, total in sums.items()}
    for each, name in zip(values, partition, strict=True):
        squares[name] += (each - means[name]) ** 2
    spare = sum(size - 1 for size in sizes.values())
    pooled = math.fsum(squares.values()) / spare if spare else math.inf
    return means, {name: squares[name] / (sizes[name] - 1) if sizes[name] > 1 else pooled for name in sizes}


def _freedom(shares: Mapping[Hashable, float], variances: Mapping[Hashable, float], sizes: Counter[Hashable]) -> float:
    """Satterthwaite's degrees of freedom, for classes of very different sizes and variances."""
    spare = sum(size - 1 for size in sizes.values())
    parts = {name: shares[name] ** 2 * variances[name] / sizes[name] for name in sizes}
    total = math.fsum(parts.values())
    if not 0 < total < math.inf:
        return spare
    return total**2 / math.fsum(part**2 / ((sizes[name] - 1) or spare) for name, part in parts.items())


def class_weighted(
    records: Iterable[GameRecord],
    name: str,
    classify: Callable[[GameRecord], Sequence[Hashable]],
    weights: Mapping[Any, float],
) -> Weighted:
    """What a player wins a game, with the deals weighted by class.

    `classify` gives the classes of a game, one for each partition: for poker the hole cards of each seat. Games of a
    block share their deal; the first of them is asked. Needs independent blocks, single games or duplicate ones.
    """
    blocks = blocks_of(records)
    values = [mean([result_of(game, name) for game in block]).value for block in blocks]
    classes = [tuple(classify(block[0])) for block in blocks]
    if len({len(each) for each in classes}) != 1:
        raise BadParameter("classify() must give equally many classes for every game")
    return weighted(values, *zip(*classes, strict=True), weights=weights, games=sum(map(len, blocks)))
