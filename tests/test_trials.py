"""The control of selective simulations alone, on synthetic outcomes; its invariants are tested in Rust."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import kibitz as kb
import pytest


def noisy(means: list[float], seed: int) -> Callable[[int, int], float]:
    """Outcomes with luck that all moves share and a little of their own."""

    def outcome(move: int, continuation: int) -> float:
        shared = random.Random(f"{seed} {continuation}").gauss(0, 0.2)
        return means[move] + shared + random.Random(f"{seed} {continuation} {move}").gauss(0, 0.03)

    return outcome


def run(trials: kb.Trials, outcome: Callable[[int, int], float], budget: int) -> None:
    while trials.total < budget and (moves := trials.next()):
        for move in moves:
            trials.add(move, outcome(move, trials.index(move)))


def test_the_control_reports_paired_differences() -> None:
    means = [0.5, 0.55, 0.52]
    outcome = noisy(means, 1)
    trials = kb.Trials(3, seed=1, sigmas=None)
    run(trials, outcome, 600)
    stats = trials.stats()
    assert trials.leader == 1
    assert sum(entry["trials"] for entry in stats) == trials.total >= 600
    for move, entry in enumerate(stats):
        own = [outcome(move, i) for i in range(entry["trials"])]
        assert entry["mean"] == pytest.approx(sum(own) / len(own))
        if move != trials.leader:
            n = min(entry["trials"], stats[1]["trials"])
            pairs = [outcome(1, i) - outcome(move, i) for i in range(n)]
            mean = sum(pairs) / n
            sigma = math.sqrt(sum((pair - mean) ** 2 for pair in pairs) / (n - 1) / n)
            z = mean / sigma
            density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
            error = sigma * (density - z * math.erfc(z / math.sqrt(2)) / 2)
            found = (entry["common"], entry["difference"], entry["sigma"])
            assert found == (n, pytest.approx(mean), pytest.approx(sigma))
            assert entry["error"] == pytest.approx(error, rel=1e-6, abs=1e-15)
    assert trials.error == pytest.approx(sum(entry["error"] for entry in stats))
    assert trials.stopped is None


def test_the_control_stops_by_each_of_its_rules() -> None:
    obvious = kb.Trials(2)
    run(obvious, noisy([0.2, 0.6], 2), 10_000)
    assert (obvious.stopped, obvious.leader, obvious.next()) == ("obvious", 1, [])
    assert obvious.stats()[0]["pruned"]
    alike = kb.Trials(2, tolerance=0.02, range=(-9, 9))
    run(alike, noisy([0.5, 0.5], 3), 100_000)
    assert alike.stopped == "difference"
    settled = kb.Trials(2, sigmas=None, range=(0, 1), budget=1_000)
    run(settled, lambda move, _: float(move), 1_000)
    assert settled.stopped == "bound"
    assert settled.total < 1_000


def test_the_control_is_deterministic_and_follows_its_seed() -> None:
    found = []
    for seed in (1, 1, 2):
        trials = kb.Trials(5, seed=seed, sigmas=None)
        run(trials, noisy([0.5, 0.51, 0.52, 0.5, 0.45], 4), 2_000)
        found.append([entry["trials"] for entry in trials.stats()])
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: kb.Trials(0), "moves=0"),
        (lambda: kb.Trials(-3), "moves=-3"),
        (lambda: kb.Trials(1 << 40), "moves="),
        (lambda: kb.Trials(2, minimum=1), "minimum=1"),
        (lambda: kb.Trials(2, epsilon=1.1), "epsilon"),
        (lambda: kb.Trials(2, epsilon=math.nan), "epsilon"),
        (lambda: kb.Trials(2, scheduler="best"), "expected-loss, ratio, round-robin, ucb1"),
        (lambda: kb.Trials(2, sigmas=-1.0), "sigmas"),
        (lambda: kb.Trials(2, tolerance=math.inf), "tolerance"),
        (lambda: kb.Trials(2, range=(1, 0)), "range"),
        (lambda: kb.Trials(2, budget=5), "range="),
        (lambda: kb.Trials(2).index(2), "no move 2"),
        (lambda: kb.Trials(2).add(-1, 0.0), "no move -1"),
        (lambda: kb.Trials(2).add(0, math.nan), "finite"),
        (lambda: kb.Trials(2, range=(0, 1)).add(0, 2.0), "out of range"),
    ],
)
def test_odd_input_to_the_control_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(kb.BadParameter, match=message):
        make()
