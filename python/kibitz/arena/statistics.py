"""What the results of a match mean: points, scores with intervals, Elo differences and the sequential test.

Every distribution is SciPy's. A *block* is a group of games that belong together, such as the two games of an opening
with the seats exchanged, or all seatings of one deal; games of a block are not independent of each other, so intervals
are made of the means of blocks.

>>> shares((1.0, 1.0, -1.0))
(0.5, 0.5, 0.0)
>>> round(elo(0.75), 2)
190.85
>>> Sprt(0, 10).state((98, 382, 674, 450, 151)).decision
'accept'
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from kibitz.errors import BadParameter
from kibitz.search import _shown, _whole

__all__ = [
    "Interval",
    "Sprt",
    "SprtState",
    "WinDrawLoss",
    "elo",
    "elo_interval",
    "expected_score",
    "los",
    "mean_interval",
    "pentanomial",
    "score_interval",
    "shares",
    "wilson",
]

_MOST = 10**9
"""More games than anybody plays, and few enough for double precision."""

_ROUNDING = 1e-9
"""By how much a sum of shares such as 1/3 may miss the number it stands for."""


@dataclass(frozen=True)
class Interval:
    """From `low` to `high`, both included."""

    low: float
    high: float

    def __post_init__(self) -> None:
        for name, value in (("low", self.low), ("high", self.high)):
            if not _is_number(value) or math.isnan(value):
                raise BadParameter(f"{name}={_shown(value)} must be a number")
        if self.low > self.high:
            raise BadParameter(f"an interval from {self.low} to {self.high} is empty")

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def _is_number(value: object) -> bool:
    # NumPy's float64 is a float; its other scalars, and its integers, are not asked for here.
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _between(name: str, value: float, low: float, high: float) -> float:
    """A number that lies strictly between two others."""
    if not _is_number(value) or not low < value < high:
        raise BadParameter(f"{name}={_shown(value)} must be a number between {low:g} and {high:g}")
    return value


def _score(name: str, value: float) -> float:
    """A score: from 0 to 1, both included. Sums of shares may miss the ends by a rounding error."""
    if not _is_number(value) or not -_ROUNDING <= value <= 1 + _ROUNDING:
        raise BadParameter(f"{name}={_shown(value)} must be a number from 0 to 1")
    return min(max(float(value), 0.0), 1.0)


def _blocks(scores: Sequence[float]) -> list[float]:
    blocks = [_score("the score of a block", each) for each in scores]
    if not blocks:
        raise BadParameter("no blocks: at least one is needed for a score")
    return blocks


def shares(results: Sequence[float]) -> tuple[float, ...]:
    """The points of each seat: whoever has the greatest result shares one point with those who have it too.

    With two players a win is 1 and a draw ½ each; with more, k winners get 1/k each, as in M. Schadd and M. Winands,
    *Best Reply Search for Multiplayer Games* (2011).

    >>> shares((3, 7, 7, 7))
    (0.0, 0.3333333333333333, 0.3333333333333333, 0.3333333333333333)
    """
    if not results:
        raise BadParameter("no results: there is one for each seat")
    for each in results:
        if not _is_number(each) or not math.isfinite(each):
            raise BadParameter(f"the result {_shown(each)} must be a finite number")
    best = max(results)
    winners = sum(each == best for each in results)
    return tuple(1 / winners if each == best else 0.0 for each in results)


@dataclass(frozen=True)
class WinDrawLoss:
    """How often a side won, shared the point or lost, and its `points`.

    A draw between k winners is worth 1/k to each, so that points are more than the three counts tell.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0

    @classmethod
    def of(cls, points: Iterable[float]) -> WinDrawLoss:
        """Counts the points of one side game by game; a side of several seats has the sum of their shares."""
        games = [_score("points", each) for each in points]
        wins = sum(each > 1 - _ROUNDING for each in games)
        losses = sum(each < _ROUNDING for each in games)
        return cls(wins, len(games) - wins - losses, losses, math.fsum(games))

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points a game; not a number before the first."""
        return self.points / self.games if self.games else math.nan

    @property
    def counts(self) -> tuple[int, int, int]:
        """Losses, draws and wins, in the order of `Sprt.state`."""
        return (self.losses, self.draws, self.wins)

    def __add__(self, other: WinDrawLoss) -> WinDrawLoss:
        return WinDrawLoss(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.points + other.points,
        )

    def wilson(self, level: float = 0.95) -> Interval:
        """The Wilson interval of the share of wins among decisive games."""
        return wilson(self.wins, self.wins + self.losses, level)


def wilson(wins: int, games: int, level: float = 0.95) -> Interval:
    """The interval of a winning probability from decisive games; without games it is everything.

    E. Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*, JASA 22 (1927): the probabilities
    that a test with the normal approximation would not reject. Unlike the interval around the observed share it stays
    within 0 and 1 and covers well for few games and for lopsided matches.
    """
    _whole("games", games, 0, _MOST)
    _whole("wins", wins, 0, games)
    _between("level", level, 0, 1)
    if games == 0:
        return Interval(0.0, 1.0)
    from scipy.stats import binomtest

    found = binomtest(wins, games).proportion_ci(level, method="wilson")
    return Interval(float(found.low), float(found.high))


def score_interval(scores: Sequence[float], level: float = 0.95, sizes: Sequence[float] | None = None) -> Interval:
    """The interval of the mean score, from the mean score of each block; for draws, pairs and shared wins.

    Only the variation between blocks counts, so what happens inside a block may be as dependent as it likes. A block
    whose games exchange the seats cancels the advantage of moving first, and the interval is as much narrower. Blocks
    are of equal size, or `sizes` says how much each counts; leave out an unfinished one. One block says nothing about
    the variation, so it allows everything.

    It is Wilson's interval with Student's quantile and the variance of the block scores in place of a coin's; surveys
    of clusters do the same with the design effect of L. Kish, *Survey Sampling* (1965), whose variance of a ratio mean
    is for clusters of unequal size. Near even scores that is Student's interval. Student's own is too narrow for
    lopsided matches: at a score of 98 % it covers 89 % with 400 games.

    When all blocks agree there is no variation to measure, but that is no certainty: then the blocks of another score,
    whatever it is, are as frequent as the Wilson interval for none observed allows.
    """
    blocks = _blocks(scores)
    _between("level", level, 0, 1)
    count = len(blocks)
    if count == 1:
        return Interval(0.0, 1.0)
    weights = [1.0] * count if sizes is None else list(sizes)
    if len(weights) != count or not all(_is_number(each) and 0 < each < math.inf for each in weights):
        raise BadParameter(f"sizes={_shown(sizes)} must be a positive number for each of the {count} blocks")
    # equal sizes are the same as none
    largest = max(weights)
    weights = [each / largest for each in weights]
    whole = math.fsum(weights)
    mean = math.fsum(weight * each for weight, each in zip(weights, blocks, strict=True)) / whole
    if max(blocks) - min(blocks) <= _ROUNDING:
        unseen = wilson(0, count, level).high
        return Interval(mean * (1 - unseen), mean + (1 - mean) * unseen)
    from scipy.stats import t

    squares = math.fsum((weight * (each - mean)) ** 2 for weight, each in zip(weights, blocks, strict=True))
    reach = float(t.ppf((1 + level) / 2, count - 1)) * math.sqrt(count / (count - 1) * squares) / whole
    pull = reach**2 / (mean * (1 - mean))
    centre = (mean + pull / 2) / (1 + pull)
    reach = math.sqrt(reach**2 + pull**2 / 4) / (1 + pull)
    return Interval(max(centre - reach, 0.0), min(centre + reach, 1.0))


def mean_interval(values: Sequence[float], level: float = 0.95) -> Interval:
    """Student's interval of a mean, for results that have no least and greatest value; one value allows everything."""
    _between("level", level, 0, 1)
    count = len(values)
    if count < 2:
        return Interval(-math.inf, math.inf)
    from scipy.stats import t

    mean = math.fsum(values) / count
    variance = math.fsum((each - mean) ** 2 for each in values) / (count - 1)
    reach = float(t.ppf((1 + level) / 2, count - 1)) * math.sqrt(variance / count)
    return Interval(mean - reach, mean + reach)


def los(scores: Sequence[float], par: float = 0.5) -> float:
    """The likelihood of superiority: how sure it is, from the scores of blocks, that the true mean is above `par`.

    The normal probability of Σd/√Σd², where d is what a block has above par. For single games that is the usual
    Φ((W − L)/√(W + L)), in which draws do not count. Par is 1/n for one of n distinct players in a game.
    """
    _between("par", par, 0, 1)
    above = [each - par for each in _blocks(scores)]
    spread = math.sqrt(math.fsum(each * each for each in above))
    if spread <= _ROUNDING:
        return 0.5
    from scipy.stats import norm

    return float(norm.cdf(math.fsum(above) / spread))


def elo(score: float) -> float:
    """The Elo difference at which this score is expected; infinite for 0 and 1.

    A. Elo, *The Rating of Chessplayers* (1978), with the logistic curve: 400 points are odds of ten to one.
    """
    score = _score("score", score)
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def elo_interval(interval: Interval) -> Interval:
    """The Elo differences of an interval of scores; ends at or beyond 0 and 1 become infinite."""
    return Interval(elo(min(max(interval.low, 0.0), 1.0)), elo(min(max(interval.high, 0.0), 1.0)))


def expected_score(difference: float) -> float:
    """The score expected at an Elo difference: the inverse of `elo`."""
    if not _is_number(difference) or math.isnan(difference):
        raise BadParameter(f"difference={_shown(difference)} must be a number")
    from scipy.special import expit

    return float(expit(difference * math.log(10) / 400))


def pentanomial(pairs: Iterable[float]) -> tuple[int, int, int, int, int]:
    """How many pairs of games scored 0, ½, 1, 1½ and 2 points, from the mean score of each pair.

    >>> pentanomial([0.5, 1.0, 0.75, 0.5])
    (0, 0, 2, 1, 1)
    """
    counts = [0] * 5
    for pair in pairs:
        quarters = 4 * _score("the score of a pair", pair)
        cell = round(quarters)
        if abs(quarters - cell) > 4 * _ROUNDING:
            raise BadParameter(f"the score of a pair is {_shown(pair)}: two games of win, draw or loss cannot give it")
        counts[cell] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4])


@dataclass(frozen=True)
class SprtState:
    """Where a sequential test stands: the log-likelihood ratio between its bounds, and the decision outside them.

    `accept` says that the difference is `elo1` rather than `elo0`, `reject` the opposite.
    """

    llr: float
    lower: float
    upper: float
    decision: Literal["accept", "reject"] | None


@dataclass(frozen=True)
class Sprt:
    """The sequential probability ratio test of an Elo difference: `elo1` against `elo0`.

    A. Wald, *Sequential Tests of Statistical Hypotheses*, Annals of Mathematical Statistics 16 (1945): play until the
    log-likelihood ratio leaves [log(β/(1 − α)), log((1 − β)/α)]; then `elo1` is accepted with probability at most
    about `alpha` when the truth is `elo0`, and rejected with at most about `beta` when it is `elo1`.

    An Elo difference only fixes the mean score and not how frequent draws are, so each hypothesis is represented by the
    distribution of that mean that explains the results best (the generalised test). M. Van den Bergh's notes for
    Fishtest derive it for multinomial results, and show why pairs of games with exchanged seats are counted as one
    result of five kinds: the games of an opening are correlated, and counting them singly gets the variance wrong.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        _between("elo0", self.elo0, -1000, 1000)
        _between("elo1", self.elo1, -1000, 1000)
        _between("alpha", self.alpha, 0, 0.5)
        _between("beta", self.beta, 0, 0.5)
        if self.elo0 >= self.elo1:
            raise BadParameter(f"elo0={self.elo0} must be less than elo1={self.elo1}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which `elo1` is rejected."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which `elo1` is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def state(self, counts: Sequence[int]) -> SprtState:
        """The state after these results: five counts of pairs (0, ½, 1, 1½, 2 points) or three of games (0, ½, 1).

        Ask after every pair or after any number of them; a later decision does not undo an earlier one.
        """
        llr = self._llr(counts)
        decision: Literal["accept", "reject"] | None = None
        if llr >= self.upper:
            decision = "accept"
        elif llr <= self.lower:
            decision = "reject"
        return SprtState(llr, self.lower, self.upper, decision)

    def _llr(self, counts: Sequence[int]) -> float:
        if len(counts) not in (3, 5):
            raise BadParameter(f"{len(counts)} counts: there are five for pairs of games and three for single games")
        for each in counts:
            _whole("count", each, 0, _MOST)
        if not any(counts):
            return 0.0
        seen = [each or _UNSEEN for each in counts]
        total = sum(seen)
        observed = [each / total for each in seen]
        tilt0, tilt1 = (_tilt(observed, expected_score(each)) for each in (self.elo0, self.elo1))
        return math.fsum(
            each * (math.log1p(low) - math.log1p(high)) for each, low, high in zip(seen, tilt0, tilt1, strict=True)
        )


_UNSEEN = 1e-3
"""The count that stands for none. With an empty cell at an end, no distribution on the others might have the mean."""


def _tilt(observed: Sequence[float], mean: float) -> list[float]:
    """The most likely distribution of a given mean on equally spaced scores from 0 to 1, given frequencies.

    By Lagrange's method its probabilities are oᵢ/(1 + x(aᵢ − mean)) for one x; returned are the x(aᵢ − mean). The mean
    falls as x grows. No probability is above 1, and at the ends of the range that bounds x.
    """
    from scipy.optimize import brentq

    last = len(observed) - 1
    offsets = [cell / last - mean for cell in range(last + 1)]

    def excess(x: float) -> float:
        return sum(each * offset / (1 + x * offset) for each, offset in zip(observed, offsets, strict=True))

    x = brentq(excess, -(1 - observed[-1]) / (1 - mean), (1 - observed[0]) / mean)
    return [x * offset for offset in offsets]
