"""SameGame without a tree: its complexity by random play, and what the strategies of playouts are worth alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.arena.estimators import jackknife
from kibitz.arena.playing import derive
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, by_order, exactly, mean_interval, moments, sample_mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["BATCH", "EXPERIMENTS", "THESIS", "column_states"]

THESIS = (
    "M. P. D. Schadd, *Selective Search in Games of Different Complexity*, PhD thesis, Maastricht University 2011, "
    "chapter 3"
)
SEED = 1
SIDE, COLOURS = 15, 5

BATCH = 500
"""Boards of a unit, with one playout each."""

LENGTH, BRANCHING, TREE, STATES = 64.4, 20.7, 85, 159
"""Published, of a million random games; the sizes are powers of ten."""

ROUNDING = 0.05

HALF_DIGIT = 0.005
"""Of the reference, which has two decimals."""


def column_states() -> int:
    """The ways to fill a column: up to fifteen blocks, each of five colours.

    >>> column_states()
    38146972656
    """
    return sum(COLOURS**height for height in range(SIDE + 1))


def _board(kind: str, index: int) -> kb.Position:
    """A random board; the boards of an experiment are drawn one by one from its seed."""
    start: kb.Position = kb.game("samegame", seed=derive(SEED, kind, index) >> 1).start()
    return start


def _boards(scale: Scale) -> int:
    return {"quick": 2_000, "standard": 100_000, "full": 1_000_000}[scale]


def _complexity_units(scale: Scale) -> list[dict[str, Any]]:
    return [{"first": first, "boards": BATCH} for first in range(0, _boards(scale), BATCH)]


def _complexity_run(unit: dict[str, Any]) -> list[float]:
    """Boards, plies and legal moves of random games, one from each board."""
    plies = legal = 0.0
    for index in range(unit["first"], unit["first"] + unit["boards"]):
        found = kb.playouts(_board("random play", index), 1, derive(SEED, index), branching=True)
        plies += found.plies
        legal += found.plies * (found.branching or 0.0)
    return [unit["boards"], plies, legal]


def _complexity_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    import numpy as np

    rows = np.array(results)
    length = jackknife(rows, lambda boards, plies, _legal: plies / boards)
    branching = jackknife(rows, lambda _boards, plies, legal: legal / plies)
    tree = jackknife(rows, lambda boards, plies, legal: plies / boards * np.log10(legal / plies))

    def judged(label: str, published: float, estimate: Any, rounding: float) -> Row:
        interval = Interval(estimate.low - rounding, estimate.high + rounding)
        return by_interval(label, published, estimate.value, interval)

    games = int(rows[:, 0].sum())
    states = SIDE * math.log10(column_states())
    # Columns close up: of all ways to fill fifteen columns only those without an empty one before another.
    closed = math.log10(sum((column_states() - 1) ** columns for columns in range(SIDE + 1)))
    return [
        judged(f"length, {games:,} random games", LENGTH, length, ROUNDING),
        judged("branching factor", BRANCHING, branching, ROUNDING),
        judged("game tree, log10 of branching^length", TREE, tree, 0.5),
        exactly("state space, log10", STATES, states, places=0),
        Row(label="state space without gaps between columns, log10", measured=closed, verdict="measured"),
    ]


STRATEGIES = ("random", "tabu-random", "tabu-color-random", "tabu-color-clear")
EPSILON = 0.003
"""The share of random moves that the thesis found by hand."""

TRIED: tuple[tuple[str, float], ...] = (*((name, 0.0) for name in STRATEGIES), ("tabu-color-random", EPSILON))

BEST = {"quick": (12, 2_000), "standard": (50, 100_000), "full": (250, 1_000_000)}
"""Boards, and playouts from each of them of which the best counts."""


def _name(strategy: str, epsilon: float) -> str:
    return f"{strategy}, ε = {epsilon:g}" if epsilon else strategy


def _playouts_units(scale: Scale) -> list[dict[str, Any]]:
    boards, playouts = BEST[scale]
    single = _boards(scale) // (1 if scale == "quick" else 5)
    return [
        *(
            {"strategy": strategy, "epsilon": epsilon, "first": first, "boards": BATCH}
            for strategy, epsilon in TRIED
            for first in range(0, single, BATCH)
        ),
        *(
            {"strategy": strategy, "epsilon": epsilon, "board": board, "playouts": playouts}
            for strategy, epsilon in TRIED
            for board in range(boards)
        ),
    ]


def _playouts_run(unit: dict[str, Any]) -> dict[str, Any]:
    """Sums over single playouts of many boards; or the best of many playouts of one board."""
    how: dict[str, Any] = {"strategy": unit["strategy"], "epsilon": unit["epsilon"]}
    if "board" in unit:
        seed = derive(SEED, unit["strategy"], unit["epsilon"], unit["board"])
        found = kb.playouts(_board("best of many", unit["board"]), unit["playouts"], seed, **how)
        return {**unit, "best": found.best[0], "deviation": found.deviation[0]}
    sums = [0.0] * 5
    for index in range(unit["first"], unit["first"] + unit["boards"]):
        seed = derive(SEED, unit["strategy"], unit["epsilon"], index)
        found = kb.playouts(_board("one each", index), 1, seed, branching=True, **how)
        score, plies = found.mean[0], found.plies
        for place, value in enumerate((score, score**2, plies, plies**2, plies * (found.branching or 0.0))):
            sums[place] += value
    return {**unit, "sums": sums}


def _singles(results: Sequence[Any]) -> dict[str, tuple[int, list[float]]]:
    """How many single playouts a strategy has, and their sums."""
    found: dict[str, tuple[int, list[float]]] = {}
    for result in results:
        if "sums" in result:
            name = _name(result["strategy"], result["epsilon"])
            boards, sums = found.get(name, (0, [0.0] * 5))
            both = zip(sums, result["sums"], strict=True)
            found[name] = (boards + result["boards"], [one + other for one, other in both])
    return found


def _branching(name: str, results: Sequence[Any], known: float, more: float) -> Row:
    """The branching factor beside that of the reference, whose games were so many times fewer."""
    import numpy as np

    units = [each["sums"] for each in results if "sums" in each and _name(each["strategy"], each["epsilon"]) == name]
    found = jackknife(np.array(units), lambda _score, _squares, plies, _plies_squares, legal: legal / plies)
    reach = (found.high - found.low) / 2 * math.sqrt(1 + more) + HALF_DIGIT
    interval = Interval(found.value - reach, found.value + reach)
    return by_interval(f"{name}: branching factor", known, found.value, interval, source="reference")


def _deviation(count: int, total: float, squares: float) -> float:
    return math.sqrt(max(0.0, squares - total**2 / count) / (count - 1))


def _bests(results: Sequence[Any]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for result in results:
        if "best" in result:
            found.setdefault(_name(result["strategy"], result["epsilon"]), []).append(result["best"])
    return found


def _playouts_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    reference = {row["strategy"]: row for row in data.read("schadd-samegame-playouts")}
    rows = []
    means: dict[str, float] = {}
    intervals: dict[str, Interval] = {}
    for name, (count, (score, squares, plies, plies_squares, _legal)) in _singles(results).items():
        means[name] = score / count
        deviation = _deviation(count, score, squares)
        intervals[name] = mean_interval(means[name], deviation, count)
        known = reference.get(name)
        if known is None:
            label = f"{name}: mean score of a playout"
            rows.append(Row(label=label, measured=means[name], interval=intervals[name], verdict="measured"))
            continue
        for label, column, value, spread in (
            ("mean score of a playout", "mean", means[name], deviation),
            ("length", "length", plies / count, _deviation(count, plies, plies_squares)),
        ):
            around = sample_mean(value, spread, count, of=int(known["games"]))
            row = by_interval(f"{name}: {label}", float(known[column]), value, around, source="reference")
            rows.append(row)
        rows.append(_branching(name, results, float(known["branching"]), count / int(known["games"])))
    published = {row["strategy"]: float(row["mean"]) for row in data.read("schadd-table-3-1")}
    rows.append(_order("one playout", published, means, intervals))
    bests = {name: moments(found) for name, found in _bests(results).items()}
    boards, playouts = BEST[scale]
    for name, (mean, deviation, count) in bests.items():
        label = f"{name}: best of {playouts:,} playouts, mean of {boards} boards"
        known = reference.get(name)
        if known is not None and known["playouts"] == str(playouts):
            around = sample_mean(mean, deviation, count, of=int(known["boards"]))
            rows.append(by_interval(label, float(known["best"]), mean, around, source="reference"))
            continue
        of_mean = mean_interval(mean, deviation, count)
        rows.append(Row(label=label, measured=mean, interval=of_mean, verdict="measured"))
    around_best = {name: mean_interval(*found) for name, found in bests.items()}
    of_best = {name: found[0] for name, found in bests.items()}
    rows.append(_order(f"best of {playouts:,} playouts", published, of_best, around_best))
    return rows


def _order(what: str, published: dict[str, float], measured: dict[str, float], intervals: dict[str, Interval]) -> Row:
    """The order of table 3.1, which is of searches, by playouts alone."""
    return by_order(
        f"order of the strategies in table 3.1, by {what}",
        published,
        {name: measured[name] for name in published},
        {name: intervals[name] for name in published},
        why="the table is of searches with these playouts, not of playouts alone",
    )


def _playouts_plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    figure, axes = plots.new(x="", y="score")
    singles, bests = _singles(results), _bests(results)
    names = [name for name in singles if name in bests]
    series = {
        "one playout": [singles[name][1][0] / singles[name][0] for name in names],
        "best of many": [moments(bests[name])[0] for name in names],
    }
    plots.bars(axes, names, series, {})
    axes.tick_params(axis="x", labelrotation=15)
    return figure


EXPERIMENTS = (
    Experiment(
        id="schadd-samegame-complexity",
        title="SameGame: length, branching and complexity by random play",
        paper=THESIS,
        table="Section 3.1",
        units=_complexity_units,
        run=_complexity_run,
        summarize=_complexity_rows,
        seconds={"quick": 1, "standard": 10, "full": 100},
        seed=SEED,
        note="Random play is uniform over the legal groups, not over blocks. The published figures have one decimal, "
        "so intervals are those of the measured values and half a unit of it more on both sides.",
    ),
    Experiment(
        id="schadd-samegame-playouts",
        title="SameGame: strategies of playouts without a tree",
        paper=THESIS,
        table="Section 3.3 and the order of table 3.1",
        units=_playouts_units,
        run=_playouts_run,
        summarize=_playouts_rows,
        plot=_playouts_plot,
        seconds={"quick": 5, "standard": 160, "full": 8000},
        seed=SEED,
        note="The thesis compares strategies inside of SP-MCTS only (table 3.1); here they play alone, from random "
        "boards of fifteen by fifteen blocks in five colours, once from each board and many times from a few. "
        "`tabu-color-clear` may also remove all blocks of the tabu colour at once (T. Cazenave 2016), and ε is the "
        "share of random moves. Means and lengths are compared with a program of our own that shares no code with "
        "this one.",
    ),
)
