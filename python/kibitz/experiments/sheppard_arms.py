"""Dynamic move selection: twenty moves with the values of Table 2, and trials where they matter."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, exactly, joint_level, mean_interval, moments
from kibitz.experiments.sheppard_racks import PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS"]

SHARED = 0.2
"""The deviation of what a continuation does to all moves alike; it cancels in differences."""
LEADER = 0.02
"""The deviation of what a continuation does to the leader alone, less than of any difference to it."""


class Move(NamedTuple):
    """A line of Table 2."""

    word: str
    wins: float
    error: float | None
    trials: int


def published() -> list[Move]:
    """Table 2."""
    return [
        Move(row["word"], float(row["wins"]), float(row["error"]) if row["error"] else None, int(row["trials"]))
        for row in data.read("sheppard-table-2")
    ]


@functools.cache
def deviations() -> list[float]:
    """What a continuation does to each move alone, so that differences to the leader deviate as in the paper.

    The error of a move is σ·(φ(z) − z·(1 − Φ(z))) with z = μ/σ, where μ is the difference of the means: that gives σ,
    and σ is the deviation of a difference over the square root of the trials.
    """
    from scipy.optimize import brentq
    from scipy.stats import norm

    def error(sigma: float, gap: float) -> float:
        z = gap / sigma
        return float(sigma * (norm.pdf(z) - z * norm.sf(z)))

    table = published()
    found = [LEADER]
    for each in table[1:]:
        gap = table[0].wins - each.wins
        sigma = brentq(lambda sigma, gap=gap, due=each.error: error(sigma, gap) - due, gap / 8, 100 * gap)
        found.append(math.sqrt(sigma * sigma * each.trials - LEADER**2))
    return found


KINDS = (("expected-loss", "table"), ("ratio", "table"), ("round-robin", "table"), ("expected-loss", "equal"))
"""How trials are given out, and whether the noise of each move is that of the table or the same for all."""
EQUAL = 0.115 / math.sqrt(2)
"""For differences that deviate by 0.115: OOH is 0.046 behind, by the text 3.5 deviations of a mean over 76 trials."""


def _units(scale: Scale) -> list[dict[str, Any]]:
    seeds = {"quick": 120, "standard": 2000, "full": 10_000}[scale]
    trials = sum(each.trials for each in published())
    return [
        {"scheduler": scheduler, "noise": noise, "seed": seed, "trials": trials}
        for seed in range(1, seeds + 1)
        for scheduler, noise in KINDS
    ]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """A simulation of as many trials as the paper's."""
    import numpy as np

    table = published()
    means = [each.wins for each in table]
    own = deviations() if unit["noise"] == "table" else [EQUAL] * len(means)
    dice = np.random.default_rng(unit["seed"])
    most = unit["trials"]
    # Continuations are made as far as they are needed; each is the same for every move, whoever asks first.
    outcomes: list[list[float]] = []

    def extend() -> None:
        shared = dice.normal(0, SHARED, (256, 1))
        outcomes.extend((shared + dice.normal(0, own, (256, len(means))) + means).tolist())

    def behind() -> bool:
        # A move that leads by the luck of its few continuations catches up with the others first, and mostly falls
        # back: the paper's table is not taken in the middle of that either.
        return control.index(control.leader) < max(map(control.index, range(len(means))))

    control = kb.Trials(len(means), seed=unit["seed"], scheduler=unit["scheduler"], minimum=8, sigmas=None)
    while control.total < most or (control.total < 2 * most and behind()):
        for move in control.next():
            index = control.index(move)
            while index >= len(outcomes):
                extend()
            control.add(move, outcomes[index][move])
    stats = control.stats()
    return {
        "kind": [unit["scheduler"], unit["noise"]],
        "leader": control.leader,
        "total": control.total,
        "trials": [each["trials"] for each in stats],
        "errors": [each["error"] for each in stats],
    }


def _of(results: Sequence[Any], scheduler: str, noise: str = "table") -> list[Any]:
    return [result for result in results if result["kind"] == [scheduler, noise]]


def _others(result: Any) -> list[float]:
    """The errors but those of the leader and of the move with the greatest, as the paper compares them."""
    found = sorted(each for move, each in enumerate(result["errors"]) if move != result["leader"])
    return found[:-1]


def _extent(errors: Sequence[float]) -> float:
    return max(errors) / min(errors)


def _quartiles(errors: Sequence[float]) -> float:
    low, _, high = quantiles(errors, n=4)
    return high / low


def _saved(trials: Sequence[int]) -> float:
    return len(trials) * max(trials) / sum(trials)


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    table = published()
    wins = [each.wins for each in table]
    level = joint_level(6)
    ours, ratio, uniform = (_of(results, name) for name in ("expected-loss", "ratio", "round-robin"))
    alike = _of(results, "expected-loss", "equal")
    trials = [each.trials for each in table]
    errors = [each.error for each in table if each.error is not None]
    why = (
        "the paper's values are estimates, printed just after the second move had gained by a streak; here they are "
        "true, and that move, 0.001 behind, takes the trials that would make the other errors smaller"
    )
    rows = [
        exactly("trials", 9381, sum(trials)),
        exactly(
            "trials of a uniform allocation with as many for each as for the best", 47060, len(table) * max(trials)
        ),
        exactly("sum of the errors", 0.0004873, math.fsum(errors), places=7),
    ]

    def compare(label: str, theirs: float, values: Sequence[float], par: float | None = None) -> Row:
        # The paper's table is one run, so it is compared with the range of runs.
        ranked = sorted(values)
        out = round((1 - level) / 2 * len(ranked))
        return by_interval(label, theirs, median(ranked), Interval(ranked[out], ranked[-1 - out]), par=par, why=why)

    rows += [
        compare("times fewer trials than uniform", _saved(trials), [_saved(result["trials"]) for result in ours], 1),
        compare(
            "share of the trials that the three busiest moves have",
            sum(sorted(trials)[-3:]) / sum(trials),
            [sum(sorted(result["trials"])[-3:]) / result["total"] for result in ours],
            3 / len(table),
        ),
        compare("expected loss, the sum of the errors", 0.0004873, [math.fsum(result["errors"]) for result in ours]),
        compare("typical error of the other moves", median(sorted(errors)[:-1]), [median(_others(r)) for r in ours]),
    ]

    def loss(runs: Sequence[Any]) -> tuple[float, float, int]:
        return moments([max(wins) - wins[result["leader"]] for result in runs])

    for words, runs in (
        ("true loss of the move chosen", ours),
        ("the same, moves ranked by μ/σ", ratio),
        ("the same with as many trials, uniform", uniform),
    ):
        mean, deviation, count = loss(runs)
        interval = mean_interval(mean, deviation, count, level)
        if runs is ours:
            good = interval.low <= 0.0005
            rows.append(
                Row(
                    label=words,
                    published="below 0.0005",
                    measured=mean,
                    interval=interval,
                    verdict="agrees" if good else "differs",
                    why=""
                    if good
                    else f"{why}; the two best differ by 0.001 and cannot be told apart in so few trials",
                )
            )
        else:
            rows.append(Row(label=words, measured=mean, interval=interval, verdict="measured"))
    for words, spread in (("greatest over least", _extent), ("upper over lower quartile", _quartiles)):
        theirs, even = spread(sorted(errors)[:-1]), median(spread(_others(result)) for result in uniform)
        found = median(spread(_others(result)) for result in ours)
        rows.append(
            Row(
                label=f"errors of the other moves, {words}",
                published=theirs,
                measured=found,
                verdict="same direction" if found < even else "differs",
                why=f"uniform trials leave a ratio of {even:.2g}; random choices, of which the paper does not say how "
                "many there are, go to hopeless moves too and make their errors smaller than need be",
            )
        )
    for words, value in (("times fewer trials than uniform", _saved(trials)), ("sum of the errors", 0.0004873)):
        figures = [_saved(r["trials"]) if words.startswith("times") else math.fsum(r["errors"]) for r in alike]
        rows.append(compare(f"equal noise of all moves: {words}", value, figures, 1 if value > 1 else None))
    best = sum(result["leader"] == 0 for result in ours)
    rows.append(Row(label="the best move was chosen", measured=f"{best} of {len(ours)}", verdict="measured"))
    return rows


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    table = published()
    ours = _of(results, "expected-loss")
    figure, axes = plots.new(x="move, by value", y="trials")
    xs = range(1, len(table) + 1)
    middle = [median(result["trials"][move] for result in ours) for move in range(len(table))]
    low = [sorted(result["trials"][move] for result in ours)[len(ours) // 10] for move in range(len(table))]
    high = [sorted(result["trials"][move] for result in ours)[-1 - len(ours) // 10] for move in range(len(table))]
    plots.band(axes, list(xs), low, middle, high, label="measured")
    axes.plot(xs, [each.trials for each in table], "x", color=plots.COLOURS[6], label="paper")
    axes.set_yscale("log")
    axes.set_xticks([1, 5, 10, 15, 20])
    plots.legend(axes)
    return figure


EXPERIMENTS = (
    Experiment(
        id="sheppard-table-2",
        title="Trials for twenty moves, where they matter",
        paper=PAPER,
        table="Table 2",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 4, "standard": 60, "full": 300},
        seed=1,
        note="The paper gives neither the position nor the lexicon nor the evaluation. In their place stand twenty "
        "moves with the winning probabilities of its table as true values; a continuation shifts all of them alike, "
        "and each of them by normal noise whose size follows from the errors and trials of the table (or, for "
        "comparison, is the same for all). The table is a single run and is compared with the range of runs, which is "
        "wide; the median is shown.",
    ),
)
