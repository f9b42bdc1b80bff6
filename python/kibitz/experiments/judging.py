"""Judging: from a published and a measured value to a row that says whether they agree.

A published value is often a sample itself: 509 of the paper's 1000 trees. Measuring more trees than the paper then
does not make its number any better, so it is compared with what a sample *of the paper's size* would give:
`sample_count` and `sample_mean`. A value that was computed, or that stands for the truth, is compared with the interval
of what was measured: `wilson` and `mean_interval`.

>>> by_interval("trees separated by 30", 509, 491, sample_count(4910, 10_000, of=1000)).verdict
'agrees'
>>> exactly("leaves", 1977, 1977).verdict
'agrees'
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from kibitz.arena.statistics import Interval, wilson
from kibitz.errors import BadParameter
from kibitz.experiments.experiment import Row, Value, Verdict

__all__ = [
    "by_interval",
    "by_order",
    "exactly",
    "homogeneous",
    "joint_level",
    "mean_interval",
    "moments",
    "sample_count",
    "sample_mean",
    "shown",
    "wilson",
]

_LEAST_EXPECTED = 5
"""Cochran's rule: cells of which fewer are expected are pooled, or the χ² distribution does not describe the test."""


def shown(value: Value) -> str:
    """A value as a report writes it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}" if abs(value) < 1e15 else f"{value:.4g}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"


def by_interval(
    label: str,
    published: float,
    measured: float,
    interval: Interval,
    *,
    par: float | None = None,
    why: str = "",
    source: str = "published",
) -> Row:
    """Agreement is a published value inside the interval; `source` names one that is not published but a reference.

    Outside of it the direction may still be the same: with a `par`, such as a score of ½ or a ratio of 1, when the
    published value and the whole interval are on the same side of it. `why` is the known reason for a difference.
    """
    if published in interval:
        return Row(label=label, published=published, measured=measured, interval=interval, verdict="agrees")
    side = "below" if published < interval.low else "above"
    reason = f"the {source} {shown(published)} is {side} {_written(interval)}"
    if why:
        reason = f"{reason}: {why}"
    same = par is not None and (min(published, interval.low) > par or max(published, interval.high) < par)
    return Row(
        label=label,
        published=published,
        measured=measured,
        interval=interval,
        verdict="same direction" if same else "differs",
        why=reason,
    )


def _written(interval: Interval) -> str:
    return f"{shown(interval.low)} to {shown(interval.high)}"


def exactly(label: str, published: Value, measured: Value, *, places: int | None = None, why: str = "") -> Row:
    """Agreement is equality; with `places`, to as many decimals as are published."""
    same = measured == published
    if places is not None and isinstance(published, (int, float)) and isinstance(measured, (int, float)):
        measured = round(measured, places)
        same = measured == round(published, places)
    if same:
        return Row(label=label, published=published, measured=measured, verdict="agrees")
    reason = why or f"{shown(measured)} is not {shown(published)}, and there is no chance in it"
    return Row(label=label, published=published, measured=measured, verdict="differs", why=reason)


def by_order(
    label: str,
    published: Mapping[str, float],
    measured: Mapping[str, float],
    intervals: Mapping[str, Interval] | None = None,
    *,
    why: str = "",
) -> Row:
    """Agreement is the same order of names by value, the least first.

    Names that the measurement cannot tell apart, because their intervals overlap, may stand either way round: that is
    still the same direction.
    """
    if set(published) != set(measured):
        raise BadParameter(f"{label}: an order needs the same names on both sides")

    def row(verdict: Verdict, reason: str = "") -> Row:
        orders = [" < ".join(sorted(values, key=values.__getitem__)) for values in (published, measured)]
        return Row(label=label, published=orders[0], measured=orders[1], verdict=verdict, why=reason)

    names = sorted(published, key=published.__getitem__)
    swapped = [
        (low, high)
        for place, low in enumerate(names)
        for high in names[place + 1 :]
        if published[low] < published[high] and measured[low] > measured[high]
    ]
    if not swapped:
        return row("agrees")
    proven = [(low, high) for low, high in swapped if intervals is None or intervals[low].low > intervals[high].high]
    low, high = (proven or swapped)[0]
    reason = f"{low} is measured above {high} ({shown(measured[low])} against {shown(measured[high])})"
    if not proven:
        return row("same direction", f"{reason}, but not beyond doubt")
    return row("differs", f"{reason}: {why}" if why else reason)


def homogeneous(
    label: str, published: Mapping[int, int], measured: Mapping[int, int], *, level: float = 0.95, why: str = ""
) -> Row:
    """Agreement is a χ² test of homogeneity that does not reject: both tables of counts may be of one distribution.

    Neighbouring cells are pooled until at least five counts are expected in each.
    """
    from scipy.stats import chi2_contingency

    table = _pooled(published, measured)
    counts = f"{sum(published.values()):,} counts"
    if len(table) < 2:
        return Row(label=label, published=counts, measured="too few counts for a test", verdict="measured")
    found = chi2_contingency([list(column) for column in zip(*table, strict=True)], correction=False)
    text = f"χ²({found.dof}) = {found.statistic:.1f}, p = {found.pvalue:.2g}"
    if found.pvalue >= 1 - level:
        return Row(label=label, published=counts, measured=text, verdict="agrees")
    reason = f"two samples of one distribution differ as much only with probability {found.pvalue:.2g}"
    return Row(
        label=label,
        published=counts,
        measured=text,
        verdict="differs",
        why=f"{reason}: {why}" if why else reason,
    )


def _pooled(published: Mapping[int, int], measured: Mapping[int, int]) -> list[tuple[int, int]]:
    sums = (sum(published.values()), sum(measured.values()))
    least = _LEAST_EXPECTED * sum(sums) / max(1, min(sums))
    table: list[tuple[int, int]] = []
    first = second = 0
    for cell in sorted({*published, *measured}):
        first += published.get(cell, 0)
        second += measured.get(cell, 0)
        if first + second >= least:
            table.append((first, second))
            first = second = 0
    if table:
        # What is left over at the end belongs to the last cell.
        table[-1] = (table[-1][0] + first, table[-1][1] + second)
    return table


def joint_level(rows: int, level: float = 0.95) -> float:
    """The level of one of several intervals that are to hold all together (C. Bonferroni, 1936)."""
    return 1 - (1 - level) / max(1, rows)


def mean_interval(mean: float, deviation: float, count: int, level: float = 0.95) -> Interval:
    """Student's interval of a true mean, from the mean and standard deviation of `count` values."""
    return _around(mean, deviation, count, math.sqrt(1 / count) if count else math.inf, level)


def sample_mean(mean: float, deviation: float, count: int, *, of: int, level: float = 0.95) -> Interval:
    """Where the mean of another sample, `of` so many values, is expected."""
    return _around(mean, deviation, count, math.sqrt(1 / count + 1 / of) if count else math.inf, level)


def _around(mean: float, deviation: float, count: int, scale: float, level: float) -> Interval:
    from scipy.stats import t

    if count < 2:
        return Interval(-math.inf, math.inf)
    reach = float(t.ppf((1 + level) / 2, count - 1)) * deviation * scale
    return Interval(mean - reach, mean + reach)


def sample_count(count: int, total: int, *, of: int, level: float = 0.95) -> Interval:
    """How many in another sample `of` so many are expected, after `count` in `total`.

    The beta-binomial distribution with Jeffreys' prior: chance in both samples is accounted for.
    """
    from scipy.stats import betabinom

    low, high = betabinom(of, count + 0.5, total - count + 0.5).interval(level)
    return Interval(float(low), float(high))


def moments(values: Mapping[float, int] | Mapping[int, int] | Sequence[float]) -> tuple[float, float, int]:
    """Mean, standard deviation and number of values, given one by one or as a table of counts.

    >>> moments([1.0, 2.0, 3.0]) == moments({1: 1, 2: 1, 3: 1}) == (2.0, 1.0, 3)
    True
    """
    counts = values if isinstance(values, Mapping) else Counter(values)
    total = sum(counts.values())
    if not total:
        return (math.nan, math.nan, 0)
    mean = math.fsum(value * count for value, count in counts.items()) / total
    spread = math.fsum((value - mean) ** 2 * count for value, count in counts.items())
    return (mean, math.sqrt(spread / (total - 1)) if total > 1 else math.nan, total)
