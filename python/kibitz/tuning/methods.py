"""The methods: each proposes points, is told how good they were, and says where it stands.

Their state is a function of the seed and of what they were told, so that a run is resumed by telling it again.
"""

from __future__ import annotations

import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.tuning.space import Point, Space

__all__ = ["METHODS", "Cma", "CrossEntropy", "Method", "Optuna", "RandomGuessing", "moments"]


def moments(points: Sequence[Point]) -> tuple[Point, Point]:
    """Mean and standard deviation of each coordinate, by the number of points (the maximum-likelihood estimate).

    >>> moments([(1.0,), (3.0,)])
    ((2.0,), (1.0,))
    """
    columns = list(zip(*points, strict=True))
    mean = tuple(math.fsum(column) / len(column) for column in columns)
    deviation = tuple(
        math.sqrt(math.fsum((x - mu) ** 2 for x in column) / len(column))
        for column, mu in zip(columns, mean, strict=True)
    )
    return mean, deviation


def best(fitness: Sequence[float], count: int) -> list[int]:
    """The numbers of the best samples, the best first; of equals the earlier."""
    return sorted(range(len(fitness)), key=lambda number: (-fitness[number], number))[:count]


class Method(ABC):
    """`ask` for points, `tell` their fitness (the more the better), and so on.

    `mean` and `deviation` are the method's distribution on the scale of the search, `choice` is the point that it
    recommends, `converged` says that going on would not change it any more.
    """

    def __init__(
        self, space: Space, *, samples: int, elite: int, seed: int, smoothing: float, tolerance: float
    ) -> None:
        self.space = space
        self.samples = samples
        self.elite = elite
        self.seed = seed
        self.smoothing = smoothing
        self.least = tuple(2 * tolerance * radius for radius in space.radius)
        self.mean: Point = space.centre
        self.deviation: Point = space.radius
        self.converged = False

    @abstractmethod
    def ask(self) -> list[Point]:
        """As many points as there are samples, inside the bounds."""

    @abstractmethod
    def tell(self, points: Sequence[Point], fitness: Sequence[float]) -> None:
        """What the points of the last `ask` were worth."""

    @property
    def choice(self) -> Point:
        """The point that the method recommends."""
        return self.mean


class _Gaussian(Method):
    """Independent normal distributions, a number for each parameter; what falls outside is moved to the bound."""

    def __init__(self, space: Space, **settings: Any) -> None:
        super().__init__(space, **settings)
        self._drawn = 0

    def _draw(self, mean: Point, deviation: Point) -> list[Point]:
        from statistics import NormalDist

        normal = NormalDist()
        points = []
        for _ in range(self.samples):
            point = []
            for axis, (mu, sigma) in enumerate(zip(mean, deviation, strict=True)):
                # The middle of one of 2⁵² cells: never 0 or 1, which no number of standard deviations reaches.
                share = ((derive(self.seed, "sample", self._drawn, axis) >> 12) + 0.5) * 2.0**-52
                point.append(mu + sigma * normal.inv_cdf(share))
            points.append(self.space.rounded(tuple(point)))
            self._drawn += 1
        return points


class CrossEntropy(_Gaussian):
    """The cross-entropy method: sample, keep the elite, fit the distribution to it, again.

    R. Rubinstein, *The Cross-Entropy Method for Combinatorial and Continuous Optimization* (1999); G. Chaslot,
    M. Winands, I. Szita and J. van den Herik, *Cross-Entropy for Monte-Carlo Tree Search*, ICGA Journal 31 (2008); with
    the numbers of M. Schadd, *Selective Search in Games of Different Complexity* (2011), section 3.5. The distribution
    begins with the middle of each range and half its width. The rest is ours: `smoothing` is the share of the elite in
    the new distribution (1: all of it, as published), samples outside the bounds are moved to them, and no deviation
    falls below `tolerance` times the range as long as another has not come down to its own.
    """

    def ask(self) -> list[Point]:
        """The next samples."""
        return self._draw(self.mean, self.deviation)

    def tell(self, points: Sequence[Point], fitness: Sequence[float]) -> None:
        """Learns from the last samples."""
        mean, deviation = moments([points[number] for number in best(fitness, self.elite)])
        share = self.smoothing

        def blend(new: Point, old: Point) -> Point:
            return tuple(share * a + (1 - share) * b for a, b in zip(new, old, strict=True))

        self.mean, deviation = blend(mean, self.mean), blend(deviation, self.deviation)
        self.converged = all(sigma <= least for sigma, least in zip(deviation, self.least, strict=True))
        self.deviation = tuple(map(max, deviation, self.least))


class _Record(Method):
    """A method that recommends the best sample of all; its distribution is that of the best so far."""

    def __init__(self, space: Space, **settings: Any) -> None:
        super().__init__(space, **settings)
        self._points: list[Point] = []
        self._fitness: list[float] = []

    def tell(self, points: Sequence[Point], fitness: Sequence[float]) -> None:
        """Learns from the last samples."""
        self._points += points
        self._fitness += fitness
        self.mean, self.deviation = moments([self._points[number] for number in best(self._fitness, self.elite)])

    @property
    def choice(self) -> Point:
        """The best sample of all."""
        return self._points[best(self._fitness, 1)[0]] if self._points else self.mean


class RandomGuessing(_Record, _Gaussian):
    """Draws every sample from the distribution that the cross-entropy method begins with, and takes the best."""

    def ask(self) -> list[Point]:
        """The next samples."""
        return self._draw(self.space.centre, self.space.radius)


class Cma(Method):
    """The evolution strategy CMA-ES, in which the parameters are correlated, by the package `cma`.

    N. Hansen, *The CMA Evolution Strategy: A Tutorial* (2016). It begins in the middle with a quarter of each range as
    deviation; the elite are the parents. It has converged when every deviation is below `tolerance` times the range.
    """

    def __init__(self, space: Space, **settings: Any) -> None:
        super().__init__(space, **settings)
        cma, numpy = _needed("cma", "CMA-ES"), _needed("numpy", "CMA-ES")
        random = numpy.random.Generator(numpy.random.PCG64(self.seed))
        # The package wants two coordinates or more: one alone gets an idle companion.
        ends = [each.inner for each in space.ranges] + [(-1.0, 1.0)] * (len(space.ranges) == 1)
        options = {
            "popsize": self.samples,
            "CMA_mu": self.elite,
            "CMA_stds": [(high - low) / 4 for low, high in ends],
            "bounds": [[low for low, _ in ends], [high for _, high in ends]],
            # Not a number: the seed of the whole process is left alone, and ours is used.
            "seed": math.nan,
            "randn": lambda *shape: random.standard_normal(shape),
            "verbose": -9,
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._strategy = cma.CMAEvolutionStrategy([(low + high) / 2 for low, high in ends], 1.0, options)
        self.deviation = tuple(radius / 2 for radius in space.radius)
        self._asked: list[Any] = []

    def ask(self) -> list[Point]:
        """The next samples."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._asked = self._strategy.ask()
        return [self.space.rounded(self._own(each)) for each in self._asked]

    def tell(self, points: Sequence[Point], fitness: Sequence[float]) -> None:
        """Learns from the last samples."""
        del points
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._strategy.tell(self._asked, [-each for each in fitness])
            found = self._strategy.result
        self.mean, self.deviation = self._own(found.xfavorite), self._own(found.stds)
        self.converged = all(sigma <= least for sigma, least in zip(self.deviation, self.least, strict=True))

    def _own(self, coordinates: Any) -> Point:
        """Without the idle companion, as plain numbers."""
        return tuple(map(float, coordinates[: len(self.space.ranges)]))


class Optuna(_Record):
    """The tree-structured Parzen estimator of Optuna, asked for a whole iteration at once.

    J. Bergstra, R. Bardenet, Y. Bengio and B. Kégl, *Algorithms for Hyper-Parameter Optimization*, NIPS 2011;
    T. Akiba et al., *Optuna*, KDD 2019. The first iteration is random.
    """

    def __init__(self, space: Space, **settings: Any) -> None:
        super().__init__(space, **settings)
        optuna = _needed("optuna", "Optuna")
        shown = optuna.logging.get_verbosity()
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                # Without the lie, all samples of an iteration would go to the same place.
                sampler = optuna.samplers.TPESampler(
                    seed=self.seed % (1 << 32), n_startup_trials=self.samples, multivariate=True, constant_liar=True
                )
                self._study = optuna.create_study(direction="maximize", sampler=sampler)
        finally:
            optuna.logging.set_verbosity(shown)
        self._trials: list[Any] = []

    def ask(self) -> list[Point]:
        """The next samples."""
        self._trials = [self._study.ask() for _ in range(self.samples)]
        return [
            self.space.rounded(tuple(map(self._suggest, [trial] * len(self.space.names), self.space.names)))
            for trial in self._trials
        ]

    def _suggest(self, trial: Any, name: str) -> float:
        each = self.space.ranges[self.space.names.index(name)]
        if each.integer:
            value = trial.suggest_int(name, int(each.low), int(each.high), log=each.log)
        else:
            value = trial.suggest_float(name, each.low, each.high, log=each.log)
        return each.to_inner(value)

    def tell(self, points: Sequence[Point], fitness: Sequence[float]) -> None:
        """Learns from the last samples."""
        for trial, value in zip(self._trials, fitness, strict=True):
            self._study.tell(trial, value)
        super().tell(points, fitness)


METHODS: dict[str, type[Method]] = {
    "cross-entropy": CrossEntropy,
    "random": RandomGuessing,
    "cma": Cma,
    "optuna": Optuna,
}
"""The methods by name."""


def _needed(package: str, who: str) -> Any:
    """A package of the optional extra, or an error that says how to get it."""
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError:
        raise kb.NotSupported(
            f"{who} needs the package {package}; install it with: pip install 'kibitz[tune]'"
        ) from None
