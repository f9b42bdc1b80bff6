"""The deviation of a measurement of 1600 games with every method of Sheppard's paper, on Kuhn poker."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.arena.compensation import compensate, luck_of
from kibitz.arena.mixed import Mixed, accounted, expectation
from kibitz.arena.openings import Openings, Stratified
from kibitz.arena.playing import GameRecord, GameSpec, play
from kibitz.arena.statistics import Interval
from kibitz.arena.variance import Design, duplicate, plain, sample
from kibitz.arena.weighting import class_weighted
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, joint_level, mean_interval, moments
from kibitz.experiments.sheppard_racks import PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS"]

GAMES = 1600
"""Games of a measurement in the paper; deviations are given for as many."""

PUBLISHED = {
    "duplicate": 11.2,
    "synchronised": 27.3,
    "class weighting": 1.0,
    "stratified": 28.5,
    "compensated": 2.69,
    "combined": 70.0,
}
"""How many times fewer games than plain sampling: squares of the ratios of the paper's deviations, which are 0.251
small bets a hand for plain sampling and then 0.075, 0.048, "essentially the same", 0.047, 0.153 and 0.030."""

LABELS = {
    "plain": "plain sampling",
    "duplicate": "duplicate deals",
    "synchronised": "duplicate deals, synchronised streams",
    "class weighting": "class weighting by the cards of both seats",
    "stratified": "stratified card of the first seat",
    "compensated": "compensated by all-in equity",
    "combined": "stratified, duplicate, synchronised and compensated",
    "accounted": "accounting for mixed strategies",
}


def _player(bets: dict[str, float], calls: dict[str, float]) -> Mixed:
    table = {view: {"bet": chance} for view, chance in bets.items()}
    return Mixed.of({**table, **{view: {"call": chance} for view, chance in calls.items()}})


# Similar players, mostly pure with a fraction of mixed choices, like the paper's. A is one of Kuhn's equilibria, B bets
# a queen now and then, which is a mistake, and bluffs less.
A = _player(
    {"J?": 1 / 3, "Q?": 0, "K?": 1, "?J:k": 1 / 3, "?Q:k": 0, "?K:k": 1},
    {"J?:kb": 0, "Q?:kb": 2 / 3, "K?:kb": 1, "?J:b": 0, "?Q:b": 1 / 3, "?K:b": 1},
)
B = _player(
    {"J?": 1 / 4, "Q?": 1 / 5, "K?": 1, "?J:k": 1 / 4, "?Q:k": 1 / 5, "?K:k": 1},
    {"J?:kb": 0, "Q?:kb": 2 / 3, "K?:kb": 1, "?J:b": 0, "?Q:b": 1 / 3, "?K:b": 1},
)


def equity(position: kb.Position, seat: int) -> float:
    """What a seat wins on average if nobody bets: the paper's all-in equity, 2e − 1, in chips."""
    if position.turn == "chance":
        return math.fsum(chance * equity(position.play(card), seat) for card, chance in position.outcomes)
    first, second = ("JQK".index(card) for card in str(position)[:2])
    return 1.0 if (first > second) == (seat == 0) else -1.0


def cards(record: GameRecord) -> tuple[str, str]:
    """The cards of the seats."""
    return record.moves[0].move, record.moves[1].move


Method = Callable[[Sequence[GameRecord]], float]

LUCK = luck_of(equity, openings=True)
SAMPLES: dict[str, tuple[Design, Openings, dict[str, Method]]] = {
    "plain": (
        "plain",
        Openings(),
        {
            "plain": lambda games: plain(games, "A").value,
            "class weighting": lambda games: class_weighted(games, "A", cards, dict.fromkeys("JQK", 1)).value,
            "compensated": lambda games: compensate(games, "A", LUCK).value,
        },
    ),
    "duplicate": ("duplicate", Openings(), {"duplicate": lambda games: duplicate(games, "A").value}),
    "synchronised": ("synchronised", Openings(), {"synchronised": lambda games: duplicate(games, "A").value}),
    "stratified": ("plain", Stratified(1), {"stratified": lambda games: plain(games, "A").value}),
    "combined": ("synchronised", Stratified(1), {"combined": lambda games: compensate(games, "A", LUCK).value}),
}
"""How games are sampled, and what each method makes of them. Cycles are whole, so that an opening's cards are luck."""


def _units(scale: Scale) -> list[dict[str, Any]]:
    # The deviation of a mean falls with the root of the games, so that a quick look makes many small measurements.
    games, measurements, each = {"quick": (36, 60, 20), "standard": (1596, 400, 10), "full": (1596, 2000, 10)}[scale]
    return [
        {"sample": name, "games": games, "first": first, "measurements": each}
        for name in (*SAMPLES, "accounted")
        for first in range(1, measurements, each)
    ]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, list[float]] = {}
    game = kb.game("kuhn-poker")
    design, openings, methods = SAMPLES["plain" if unit["sample"] == "accounted" else unit["sample"]]
    for seed in range(unit["first"], unit["first"] + unit["measurements"]):
        specs = sample(game, (A, B), games=unit["games"], seed=seed, design=design, openings=openings)
        if unit["sample"] == "accounted":
            values.setdefault("accounted", []).append(_accounted(specs))
            continue
        games = [play(spec) for spec in specs]
        for name, method in methods.items():
            values.setdefault(name, []).append(method(games))
    return {"games": unit["games"], "values": values}


def _accounted(specs: Sequence[GameSpec]) -> float:
    return math.fsum(accounted(spec)[spec.names.index("A")] for spec in specs) / len(specs)


def _lines(position: kb.Position, players: Sequence[Mixed]) -> Iterator[tuple[float, kb.Position]]:
    """Every end of the game with its probability."""
    turn = position.turn
    if turn is None:
        yield 1.0, position
        return
    choices = players[turn].probabilities(position) if isinstance(turn, int) else position.outcomes
    for move, chance in choices:
        for rest, end in _lines(position.play(move), players):
            yield chance * rest, end


class End(NamedTuple):
    """An end of the game: its probability, A's seat, the first card, A's result and its luck."""

    chance: float
    seat: int
    card: str
    result: float
    luck: float


def exact() -> dict[str, float]:
    """The variances of A's result in a game that are known exactly, with the luck of the deal taken out or not."""
    ends = [
        End(chance / 2, seat, str(end)[0], end.result[seat], equity(end, seat))
        for seat, players in enumerate(((A, B), (B, A)))
        for chance, end in _lines(kb.game("kuhn-poker").start(), players)
        if end.result is not None
    ]

    def spread(ends: Sequence[End]) -> float:
        """The sum of squares around the mean."""
        centre = math.fsum(end.chance * end.result for end in ends) / math.fsum(end.chance for end in ends)
        return math.fsum(end.chance * (end.result - centre) ** 2 for end in ends)

    plain = spread(ends)
    covariance = math.fsum(end.chance * end.result * end.luck for end in ends)
    strata = {(end.seat, end.card) for end in ends}
    within = math.fsum(spread([end for end in ends if (end.seat, end.card) == stratum]) for stratum in strata)
    # The equity is +1 or -1 with equal chances: its variance is 1.
    return {"plain": plain, "stratified": within, "compensated": plain - covariance**2}


def _joined(results: Sequence[Any]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for result in results:
        for name, values in result["values"].items():
            found.setdefault(name, []).extend(values)
    return found


def _speed_up(base: Sequence[float], values: Sequence[float], level: float) -> tuple[float, Interval]:
    """The ratio of two variances with the interval of R. Fisher's distribution, for normal measurements."""
    from scipy.stats import f

    (_, one, count), (_, other, others) = moments(base), moments(values)
    ratio = (one / other) ** 2
    low, high = f(count - 1, others - 1).interval(level)
    return ratio, Interval(ratio / float(high), ratio / float(low))


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    found = _joined(results)
    scaling = math.sqrt(results[0]["games"] / GAMES)
    start = kb.game("kuhn-poker").start()
    truth = (expectation(start, (A, B))[0] + expectation(start, (B, A))[1]) / 2
    level = joint_level(len(LABELS))
    known = exact()
    rows = []
    for name, label in LABELS.items():
        mean, deviation, count = moments(found[name])
        row = by_interval(f"{label}: chips a game, exact", truth, mean, mean_interval(mean, deviation, count, level))
        rows.append(row)
    for name, label in LABELS.items():
        deviation = moments(found[name])[1] * scaling
        words = f"{label}: deviation of 1600 games, chips"
        if name in known:
            words = f"{words} (exactly {math.sqrt(known[name] / GAMES):.4f})"
        rows.append(Row(label=words, measured=deviation, verdict="measured"))
    for name, label in LABELS.items():
        if name == "plain":
            continue
        ratio, interval = _speed_up(found["plain"], found[name], level)
        words = f"{label}: times fewer games"
        if name in PUBLISHED:
            why = "Kuhn poker is not Hold'em: three cards instead of 52, one bet, other players"
            rows.append(by_interval(words, PUBLISHED[name], ratio, interval, par=1.0, why=why))
        else:
            rows.append(Row(label=words, measured=ratio, interval=interval, verdict="measured"))
        if name in known:
            rows.append(by_interval(f"{words}, exact", known["plain"] / known[name], ratio, interval))
    return rows


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    found = _joined(results)
    names = [name for name in LABELS if name != "plain"]
    figure, axes = plots.new(x="times fewer games than plain sampling", y="", height=1.2)
    ys = range(len(names), 0, -1)
    for y, name in zip(ys, names, strict=True):
        ratio, interval = _speed_up(found["plain"], found[name], 0.95)
        axes.plot([interval.low, interval.high], [y, y], color=plots.COLOURS[0])
        axes.plot([ratio], [y], "o", color=plots.COLOURS[0], label="Kuhn poker" if y == 1 else None)
        if name in PUBLISHED:
            axes.plot([PUBLISHED[name]], [y], "x", color=plots.COLOURS[6], label="paper, Hold'em" if y == 2 else None)
    axes.set_xscale("log")
    axes.set_yticks(list(ys), names)
    plots.legend(axes)
    axes.set_xlim(right=400)
    return figure


EXPERIMENTS = (
    Experiment(
        id="sheppard-kuhn",
        title="Comparing two poker players with fewer games",
        paper=PAPER,
        table="Figures of the sections on Hold'em",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 3, "standard": 350, "full": 1800},
        seed=1,
        note="Kuhn poker is not Hold'em, and the paper's players are not known: what can agree is which methods help. "
        "Deviations are in chips a game for 1600 games; at the quick scale they are those of smaller measurements, "
        "scaled by the root of the number of games.",
    ),
)
