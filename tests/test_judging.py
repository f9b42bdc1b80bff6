"""Verdicts: agreement, direction and difference mean what they say, and intervals cover what they promise."""

from __future__ import annotations

from collections import Counter

import kibitz as kb
import numpy
import pytest
from kibitz.arena.statistics import Interval
from kibitz.experiments import Row
from kibitz.experiments.judging import (
    by_interval,
    by_order,
    exactly,
    homogeneous,
    joint_level,
    mean_interval,
    moments,
    sample_count,
    sample_mean,
)


def test_by_interval_agrees_inside_and_says_why_not_outside() -> None:
    assert by_interval("x", 5, 4, Interval(3, 5)).verdict == "agrees"
    outside = by_interval("x", 6, 4, Interval(3, 5), why="they counted twice")
    assert outside.verdict == "differs"
    assert outside.why == "the published 6 is above 3 to 5: they counted twice"


@pytest.mark.parametrize(
    ("published", "interval", "verdict"),
    [
        (0.9, Interval(0.6, 0.7), "same direction"),
        (0.2, Interval(0.3, 0.4), "same direction"),
        (0.9, Interval(0.4, 0.7), "differs"),
        (0.9, Interval(0.3, 0.4), "differs"),
        (0.5, Interval(0.6, 0.7), "differs"),
    ],
)
def test_the_direction_is_the_same_when_all_is_on_one_side_of_par(
    published: float, interval: Interval, verdict: str
) -> None:
    assert by_interval("score", published, interval.low, interval, par=0.5).verdict == verdict


def test_exactly_compares_as_many_decimals_as_are_published() -> None:
    assert exactly("x", 30, 30).verdict == "agrees"
    assert exactly("x", 0.3333, 1 / 3, places=4).verdict == "agrees"
    assert exactly("x", 0.3334, 1 / 3, places=4).verdict == "differs"
    assert exactly("move", "a2", "a1").why == "a1 is not a2, and there is no chance in it"


def test_by_order_agrees_up_to_what_can_be_told_apart() -> None:
    published = {"MTD(f)": 100.0, "BNS": 88.0, "AlphaBeta": 140.0}
    assert by_order("leaves", published, {"MTD(f)": 10, "BNS": 9, "AlphaBeta": 11}).verdict == "agrees"
    swapped = {"MTD(f)": 9.0, "BNS": 10.0, "AlphaBeta": 11.0}
    row = by_order("leaves", published, swapped)
    assert (row.verdict, row.why) == ("differs", "BNS is measured above MTD(f) (10 against 9)")
    assert (row.published, row.measured) == ("BNS < MTD(f) < AlphaBeta", "MTD(f) < BNS < AlphaBeta")
    wide = {name: Interval(value - 1, value + 1) for name, value in swapped.items()}
    assert by_order("leaves", published, swapped, wide).verdict == "same direction"
    narrow = {name: Interval(value, value) for name, value in swapped.items()}
    assert by_order("leaves", published, swapped, narrow).verdict == "differs"
    with pytest.raises(kb.BadParameter):
        by_order("leaves", published, {"BNS": 1.0})


def test_counts_of_one_distribution_are_homogeneous_and_of_two_are_not() -> None:
    bell = {x: round(1000 * 2.0 ** -abs(x)) for x in range(-8, 9)}
    assert homogeneous("bell", bell, {x: 5 * count for x, count in bell.items()}).verdict == "agrees"
    moved = homogeneous("bell", bell, {x + 1: count for x, count in bell.items()})
    assert moved.verdict == "differs"
    assert "only with probability" in moved.why
    assert homogeneous("nothing", {1: 3}, {1: 2}).verdict == "measured"


def test_homogeneity_rejects_as_often_as_its_level_says() -> None:
    random = numpy.random.default_rng(1)
    rejected = 0
    for _ in range(400):
        one, two = (Counter(random.binomial(14, 0.4, size).tolist()) for size in (200, 1000))
        rejected += homogeneous("binomial", one, two).verdict == "differs"
    assert 4 <= rejected <= 40


def test_another_sample_falls_into_its_interval_as_often_as_it_says() -> None:
    random = numpy.random.default_rng(2)
    inside: Counter[str] = Counter()
    for _ in range(500):
        count = int(random.binomial(3000, 0.3))
        inside["count"] += int(random.binomial(1000, 0.3)) in sample_count(count, 3000, of=1000)
        mean, deviation, total = moments(random.normal(5, 2, 60).tolist())
        inside["mean"] += float(random.normal(5, 2, 20).mean()) in sample_mean(mean, deviation, total, of=20)
        inside["truth"] += 5 in mean_interval(mean, deviation, total)
    assert all(460 <= inside[name] <= 492 for name in ("count", "mean", "truth")), inside


def test_intervals_of_too_little_allow_everything() -> None:
    assert mean_interval(*moments([1.0])) == Interval(-float("inf"), float("inf"))
    assert joint_level(5) == pytest.approx(0.99)


def test_whatever_is_not_agreement_must_say_why() -> None:
    with pytest.raises(kb.BadParameter, match="must say why"):
        Row(label="x", verdict="differs")
