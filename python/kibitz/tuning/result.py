"""What a tuning run found: every iteration, the player, and how it compares with the one that it began with."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.arena.statistics import Interval, mean_interval, score_interval
from kibitz.tuning.space import Range

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kibitz.plots import Size

__all__ = ["Comparison", "Estimate", "Generation", "Sample", "Tuning", "compare"]


class Sample(NamedTuple):
    """Parameters that were tried, and their mean value on the positions of the iteration."""

    parameters: Mapping[str, float]
    fitness: float


@dataclass(frozen=True, kw_only=True)
class Generation:
    """One iteration: what was tried, which were the best, and the distribution after it.

    `mu` and `sigma` are what the next samples are drawn from (of the logarithm, for a range on that scale, `sigma` is
    that of the logarithm); for random guessing and Optuna, which have no such distribution, those of the best samples
    so far. `best` is what the method would recommend now.
    """

    number: int
    samples: tuple[Sample, ...] = field(repr=False)
    elite: tuple[int, ...] = field(repr=False)
    mu: Mapping[str, float]
    sigma: Mapping[str, float]
    best: Mapping[str, float]

    @property
    def fitness(self) -> float:
        """The mean fitness of all samples."""
        return math.fsum(each.fitness for each in self.samples) / len(self.samples)

    @property
    def elite_fitness(self) -> float:
        """The mean fitness of the elite: too good, since luck is what selects it too."""
        return math.fsum(self.samples[number].fitness for number in self.elite) / len(self.elite)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "number": self.number,
            "fitness": self.fitness,
            "elite_fitness": self.elite_fitness,
            "mu": dict(self.mu),
            "sigma": dict(self.sigma),
            "best": dict(self.best),
            "elite": list(self.elite),
            "samples": [{"parameters": dict(each.parameters), "fitness": each.fitness} for each in self.samples],
        }


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    interval: Interval

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"mean": self.mean, "interval": [self.interval.low, self.interval.high]}


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The tuned parameters and those given at first, on the same fresh positions, which no sample has seen.

    `difference` is of pairs, position by position. Only when its interval lies above zero has tuning been shown to
    help.
    """

    positions: int
    tuned: Estimate
    given: Estimate
    difference: Estimate

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "positions": self.positions,
            "tuned": self.tuned.as_dict(),
            "given": self.given.as_dict(),
            "difference": self.difference.as_dict(),
        }


def compare(tuned: Sequence[float], given: Sequence[float], bounded: bool) -> Comparison:
    """Compares two sets of values on the same positions; scores are `bounded` by 0 and 1."""
    differences = [a - b for a, b in zip(tuned, given, strict=True)]
    if bounded:
        difference = _score([(1 + each) / 2 for each in differences])
        low, high = (2 * each - 1 for each in (difference.interval.low, difference.interval.high))
        paired = Estimate(2 * difference.mean - 1, Interval(low, high))
        return Comparison(positions=len(tuned), tuned=_score(tuned), given=_score(given), difference=paired)
    return Comparison(
        positions=len(tuned), tuned=_student(tuned), given=_student(given), difference=_student(differences)
    )


def _score(values: Sequence[float]) -> Estimate:
    return Estimate(math.fsum(values) / len(values), score_interval(values))


def _student(values: Sequence[float]) -> Estimate:
    return Estimate(math.fsum(values) / len(values), mean_interval(values))


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """The result of `kb.tune`.

    - `parameters`: what the method recommends; `best`: the player with them (`None` when a function was tuned);
    - `player`: the one that it began with, and `given`: its values of the parameters;
    - `history`: the iterations; `converged`: whether the method ended by itself;
    - `comparison`: the recommended parameters against the given ones on fresh positions.
    """

    objective: str
    method: str
    seed: int
    vary: Mapping[str, Range]
    parameters: Mapping[str, float]
    given: Mapping[str, float]
    best: kb.Algorithm | None
    player: kb.Algorithm | None
    history: tuple[Generation, ...] = field(repr=False)
    converged: bool
    comparison: Comparison | None
    seconds: float = field(compare=False)

    @property
    def mu(self) -> Mapping[str, float]:
        """The means at the end."""
        return self.history[-1].mu

    @property
    def sigma(self) -> Mapping[str, float]:
        """The standard deviations at the end."""
        return self.history[-1].sigma

    @property
    def fitness(self) -> tuple[float, ...]:
        """The mean fitness of each iteration."""
        return tuple(each.fitness for each in self.history)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON."""
        return {
            "objective": self.objective,
            "method": self.method,
            "seed": self.seed,
            "vary": {name: str(each) for name, each in self.vary.items()},
            "parameters": dict(self.parameters),
            "given": dict(self.given),
            "best": None if self.best is None else self.best.spec,
            "player": None if self.player is None else self.player.spec,
            "converged": self.converged,
            "comparison": None if self.comparison is None else self.comparison.as_dict(),
            "history": [each.as_dict() for each in self.history],
            "seconds": self.seconds,
        }

    def plot(self, size: Size = "paper") -> Figure:
        """Each parameter with its mean ± standard deviation over the iterations, and the fitness below."""
        from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

        from kibitz import plots

        labels = [("", name) for name in self.vary] + [("iteration", "fitness")]
        # As wide as the figure: a longer title would be cut off.
        title = textwrap.fill(f"{self.method}: {self.objective}", 48)
        figure, axes = plots.panels(labels, title, size=size, height=0.7)
        numbers = [each.number for each in self.history]
        for panel, (name, span) in zip(axes, self.vary.items(), strict=False):
            middle = [each.mu[name] for each in self.history]
            reach = [each.sigma[name] for each in self.history]
            low, high = (
                [span.to_outer(span.to_inner(mu) + sign * sigma) for mu, sigma in zip(middle, reach, strict=True)]
                for sign in (-1, 1)
            )
            plots.band(panel, numbers, low, middle, high)
            if span.log:
                panel.set_yscale("log")
                panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
                panel.yaxis.set_major_formatter("{x:g}")
                panel.yaxis.set_minor_formatter(NullFormatter())
        for label, values in (
            ("all samples", [each.fitness for each in self.history]),
            ("elite", [each.elite_fitness for each in self.history]),
        ):
            plots.band(axes[-1], numbers, values, values, values, label)
        for panel in axes:
            panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        return figure
