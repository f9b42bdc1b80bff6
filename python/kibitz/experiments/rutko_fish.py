"""Search effort in Hey! That's My Fish!: figures 39 to 44 of Rutko's thesis.

Whole games are played with alpha-beta's move, and in every position of them every algorithm searches: all of them
without a table, from a random set-up, with the moves in the order in which the game makes them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

import kibitz as kb
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, joint_level, mean_interval, moments, sample_mean
from kibitz.experiments.rutko_statistics import THESIS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["BARE", "EXPERIMENTS", "Deepened", "layout"]

BARE: dict[str, Any] = {
    **dict.fromkeys(("deepening", "etc", "hash_move", "killers", "history", "hints"), False),
    "tt_mb": 0,
}
"""No table and no ordering of moves."""


def layout(seed: int) -> kb.Position:
    """Tiles and penguins by lot. The thesis does not say how its games began; theirs are as long as such games."""
    start: kb.Position = kb.game("fish", placement="random", seed=seed).start()
    return start


@dataclass(frozen=True, kw_only=True)
class Deepened(kb.Algorithm):
    """Iterative deepening as it was published: depths of one parity, each the guess of the next, and nothing else.

    `player` is MTD(f) or best-node search; its guess at the first depth is the static value, and a quality is that of
    the last depth. Unlike the deepening that all searches have, this one leaves the moves in their order.
    """

    name: ClassVar[str] = "deepened"
    player: kb.Mtd | kb.BestNode
    depth: int

    def search(self, position: kb.Position, **changes: Any) -> kb.Report:
        """The report of the last depth, with the nodes and leaves of all."""
        early = self.player.replace(quality=1.0) if isinstance(self.player, kb.BestNode) else self.player
        guess: Any = "previous"
        nodes = leaves = 0
        for depth in range(2 - self.depth % 2, self.depth + 1, 2):
            chosen = (self.player if depth == self.depth else early).replace(depth=depth, first_guess=guess, **changes)
            report = chosen.search(position)
            guess = report.value
            nodes += report.nodes
            leaves += int(report.stats["leaves"])
        return kb.Report(
            best=report.best,
            value=report.value,
            bound=report.bound,
            nodes=nodes,
            depth=self.depth,
            stats={"leaves": leaves},
        )


PAR = "MTD(f)"
KNOWN = ("Alpha-Beta", "NegaScout", "NegaC*")
VARIANTS = ("BNS-P", "BNS-R", "BNS-C", "BNS-C, guess - 1")


@functools.cache
def players(depth: int) -> Mapping[str, kb.Algorithm]:
    """The algorithms by name. What says nothing else of MTD(f) and best-node search deepens."""
    mtd, bns = kb.Mtd(depth=depth, **BARE), kb.BestNode(depth=depth, **BARE)
    ordered: dict[str, Any] = {"deepening": True, "step": 2}
    return {
        "Alpha-Beta": kb.AlphaBeta(depth=depth, **BARE),
        "NegaScout": kb.NegaScout(depth=depth, **BARE),
        "NegaC*": kb.NegaCStar(depth=depth, **BARE),
        "MTD(f), not deepened": mtd,
        PAR: Deepened(player=mtd, depth=depth),
        "MTD(f), best move first": mtd.replace(**ordered),
        "BNS-P": Deepened(player=bns.replace(variant="plain"), depth=depth),
        "BNS-R": Deepened(player=bns.replace(variant="raise"), depth=depth),
        "BNS-C, not deepened": bns,
        "BNS-C": Deepened(player=bns, depth=depth),
        "BNS-C, best move first": bns.replace(**ordered),
        "BNS-C, guess - 1": Deepened(player=bns.replace(offset=-1.0), depth=depth),
    }


# Units

MOVES = (0, 10, 20, 30, 40)
"""The moves of a game at which legal moves are counted and depths reached."""

NODES = 2_000_000
"""Enough for six plies at the start of a game, as in the thesis."""


def _units(scale: Scale) -> list[dict[str, int]]:
    games: dict[int, int] = {"quick": {4: 8}, "standard": {4: 300, 5: 60, 6: 12}, "full": {4: 1000, 5: 300, 6: 100}}[
        scale
    ]
    reached = {"quick": 1, "standard": 40, "full": 200}[scale]
    return [
        *({"depth": depth, "seed": seed} for depth, count in games.items() for seed in range(1, count + 1)),
        *({"nodes": NODES, "seed": seed} for seed in range(1, reached + 1)),
    ]


def _run(unit: dict[str, int]) -> dict[str, Any]:
    return _depths_reached(unit) if "nodes" in unit else _game(unit)


def _game(unit: dict[str, int]) -> dict[str, Any]:
    """The leaves of every algorithm at every move of a game, the legal moves, and moves that were not the best."""
    depth = unit["depth"]
    position, legal, wrong = layout(unit["seed"]), [], 0
    leaves: dict[str, list[int]] = {name: [] for name in (*players(depth), "MTD(f), oracle", "BNS-C, oracle")}
    while not position.over:
        legal.append(len(position.moves))
        reports = {name: player.search(position) for name, player in players(depth).items()}
        exact = reports["Alpha-Beta"]
        for name, player in (("MTD(f), oracle", "MTD(f), not deepened"), ("BNS-C, oracle", "BNS-C, not deepened")):
            reports[name] = players(depth)[player].search(position, first_guess=exact.value)
        for name, report in reports.items():
            leaves[name].append(int(report.stats["leaves"]))
            wrong += not _is_best(position, report, exact, depth)
        position = position.play(exact.best)
    return {"depth": depth, "leaves": leaves, "legal": legal, "wrong": wrong}


def _is_best(position: kb.Position, report: kb.Report, exact: kb.Report, depth: int) -> bool:
    """Whether the move found has the value of the position; the proven bound says so, or another search."""
    if report.bound != "lower" or report.value == exact.value:
        return report.value == exact.value
    return value_of(position, report.best, depth) == exact.value


def value_of(position: kb.Position, move: Any, depth: int) -> float:
    """The value of a move at a depth, for the player who makes it."""
    after, mover = position.play(move), cast("int", position.turn)
    if after.result is not None:
        return after.result[mover]
    value = kb.AlphaBeta(depth=depth - 1, **BARE).search(after).value
    return value if after.turn == mover else -value


def _depths_reached(unit: dict[str, int]) -> dict[str, Any]:
    """The depths that MTD(f) completes at some moves of a game."""
    position, reached = layout(unit["seed"]), {}
    for number in range(max(MOVES) + 1):
        if position.over:
            break
        if number in MOVES:
            search = kb.Mtd(nodes=unit["nodes"], **{**BARE, "deepening": True})
            reached[str(number)] = search.search(position).depth
        position = position.play(players(4)["NegaScout"].search(position).best)
    return {"nodes": unit["nodes"], "reached": reached}


# What the games say


class Games:
    """The games of one depth."""

    def __init__(self, results: Sequence[Any]) -> None:
        self.results = results
        self.games = len(results)
        self.wrong = sum(result["wrong"] for result in results)
        self.lengths = [len(result["legal"]) for result in results]

    def leaves(self, name: str, moves: int | None = None) -> list[int]:
        """The leaves of each game, or of its first moves."""
        return [sum(result["leaves"][name][:moves]) for result in self.results]

    def percent(
        self, name: str, of: str = PAR, *, moves: int | None = None, level: float = 0.95
    ) -> tuple[float, Interval]:
        """The leaves of all games in percent of those of another algorithm in the same games, with its interval."""
        mine, theirs = self.leaves(name, moves), self.leaves(of, moves)
        ratio = sum(mine) / sum(theirs)
        mean = sum(theirs) / self.games
        _, deviation, _ = moments([x - ratio * y for x, y in zip(mine, theirs, strict=True)])
        reach = mean_interval(100 * ratio, 100 * deviation / mean, self.games, level)
        return 100 * ratio, reach

    def legal(self, number: int) -> list[int]:
        """The legal moves after so many moves, in the games that are as long."""
        return [result["legal"][number] for result in self.results if len(result["legal"]) > number]


def _by_depth(results: Sequence[Any]) -> dict[int, Games]:
    parts: dict[int, list[Any]] = {}
    for result in results:
        if "depth" in result:
            parts.setdefault(result["depth"], []).append(result)
    return {depth: Games(part) for depth, part in parts.items()}


def _within(label: str, low: float, high: float, values: Sequence[float], level: float) -> Row:
    """Agreement is a mean, with its interval, that reaches the published range."""
    mean, deviation, count = moments(values)
    interval = mean_interval(mean, deviation, count, level)
    inside = interval.high >= low and interval.low <= high
    return Row(
        label=label,
        published=f"{low:g} to {high:g}",
        measured=mean,
        interval=interval,
        verdict="agrees" if inside else "differs",
        why="" if inside else "the thesis does not say how its games began, nor how many games it looked at",
    )


def _moves(games: Games, level: float) -> Iterator[Row]:
    yield _within("figure 39: moves of a game", 40, 50, games.lengths, level)
    for number, low, high in ((0, 30, 50), (20, 10, 30), (40, 0, 10)):
        yield _within(f"figure 39: legal moves after {number} moves", low, high, games.legal(number), level)
    for after, expected in _reference("legal", None):
        mean, deviation, count = moments(games.legal(int(after)))
        interval = sample_mean(mean, deviation, count, of=40, level=level)
        yield by_interval(
            f"our reference: legal moves after {after} moves", expected, mean, interval, source="reference"
        )


def _reached(results: Sequence[Any]) -> Iterator[Row]:
    found = [result["reached"] for result in results if "reached" in result]
    depths = {number: [each[str(number)] for each in found if str(number) in each] for number in MOVES}
    means = {number: moments(values)[0] for number, values in depths.items() if values}
    yield Row(
        label=f"figure 39: depth of MTD(f) with {NODES:,} nodes, after " + ", ".join(map(str, means)) + " moves",
        published="6 at the start, 10 in the middle, 14 at the end",
        measured=" / ".join(f"{mean:.1f}" for mean in means.values()),
        verdict="measured",
        why="the thesis does not say what bounded its searches",
    )


def _reference(kind: str, depth: int | None) -> list[tuple[str, float]]:
    return [
        (row["name"], float(row["value"]))
        for row in data.read("rutko-fish-reference")
        if row["kind"] == kind and row["depth"] == ("" if depth is None else str(depth))
    ]


def _deepening(depth: int, games: Games, level: float) -> Iterator[Row]:
    for name, how in ((PAR, ""), ("BNS-C", ""), ("MTD(f), best move first", ", and the best move first")):
        percent, interval = games.percent(name, f"{name.split(',')[0]}, not deepened", level=level)
        saved, reach = 100 - percent, Interval(100 - interval.high, 100 - interval.low)
        label = f"figure 40: leaves saved by deepening, {name.split(',')[0]}{how}, depth {depth}, %"
        agrees = reach.high >= 9 and reach.low <= 11
        yield Row(
            label=label,
            published="9 to 11",
            measured=saved,
            interval=reach,
            verdict="agrees" if agrees else "same direction" if reach.low > 0 else "differs",
            why=""
            if agrees
            else "without deepening the first guess is the current difference here; theirs is not told",
        )


def _compared(depth: int, games: Games, level: float) -> Iterator[Row]:
    unsure = "how good it is depends on the guess; see the rows with the value itself as the guess (oracle)"
    for name in ("BNS-C", "BNS-C, guess - 1"):
        for published, moves, part in ((90, None, "whole game"), (85, 3, "first three moves")):
            percent, interval = games.percent(name, moves=moves, level=level)
            wide = Interval(interval.low - 2.5, interval.high + 2.5)
            label = f"figures 41 to 44: {name}, leaves, % of {PAR}, {part}, depth {depth}"
            yield by_interval(label, published, percent, wide, par=100, why=unsure)
    percent, interval = games.percent("BNS-C, oracle", "MTD(f), oracle", level=level)
    wide = Interval(interval.low - 2.5, interval.high + 2.5)
    yield by_interval(
        f"finding: BNS-C, leaves, % of {PAR}, both with the value itself as the guess, depth {depth}",
        90,
        percent,
        wide,
        par=100,
        why="the published 10 % are what good guesses give",
    )
    known = {name: games.percent(name, level=level)[0] for name in KNOWN}
    best = min(known, key=known.__getitem__)
    holds = known[best] >= 100
    yield Row(
        label=f"figures 41 to 44: known algorithms, leaves, % of {PAR}, depth {depth}",
        published=f"{PAR} has the fewest",
        measured=", ".join(f"{name} {value:.1f}" for name, value in known.items()),
        verdict="agrees" if holds else "differs",
        why="" if holds else f"{best} has fewer here, over {games.games} games; the thesis shows one",
    )
    yield Row(
        label=f"moves that are not the best, depth {depth}",
        published="none",
        measured=f"{games.wrong} in {sum(games.lengths) * len(games.results[0]['leaves']):,} searches",
        verdict="fails" if games.wrong else "holds",
        why="a search that prunes nothing but what it may has minimax's move" if games.wrong else "",
    )


def _compared_with_reference(depth: int, games: Games, level: float) -> Iterator[Row]:
    """Two samples of games: the reference has as many as its file says, so the interval allows for both."""
    counts = {row["depth"]: int(row["games"]) for row in data.read("rutko-fish-reference") if row["kind"] == "percent"}
    for name, expected in _reference("percent", depth):
        percent, interval = games.percent(name, level=level)
        grow = math.sqrt(1 + games.games / counts[str(depth)])
        wide = Interval(percent - grow * (percent - interval.low), percent + grow * (interval.high - percent))
        label = f"our reference: {name}, leaves, % of {PAR}, depth {depth}"
        yield by_interval(label, expected, percent, wide, par=100, source="reference")


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    found = _by_depth(results)
    level = joint_level(30 * len(found))
    rows = [*_moves(found[4], level), *_reached(results)]
    for depth, games in found.items():
        rows += _deepening(depth, games, level)
        rows += _compared(depth, games, level)
        rows += _compared_with_reference(depth, games, level)
    return rows


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    found = _by_depth(results)
    labels = [*(("move", f"leaves, % of {PAR}\ndepth {depth}") for depth in found), ("move", "legal moves")]
    figure, (*others, last) = plots.panels(labels, height=1.2)
    for axes, games in zip(others, found.values(), strict=True):
        numbers = list(range(1, max(games.lengths) + 1))
        for colour, name in zip(plots.COLOURS, (*KNOWN, "BNS-R", "BNS-C", "BNS-C, guess - 1"), strict=False):
            shares = [100 * sum(games.leaves(name, k)) / sum(games.leaves(PAR, k)) for k in numbers]
            axes.plot(numbers, shares, label=name, color=colour)
        axes.axhline(100, color="black", linewidth=0.6)
    games = found[min(found)]
    numbers = [number for number in range(max(games.lengths)) if games.legal(number)]
    last.plot(numbers, [moments(games.legal(number))[0] for number in numbers])
    plots.common_legend(figure)
    return figure


EXPERIMENTS = (
    Experiment(
        id="rutko-fish",
        title="Search effort in Hey! That's My Fish!",
        paper=THESIS,
        table="Figures 39 to 44",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 3, "standard": 270, "full": 1500},
        seed=1,
        note="The figures are lost; published is what the prose says, mostly of one game of 47 moves. Here it is the "
        "sum over many games, and an interval tells how much games differ. *Our reference* is not published: it was "
        "computed by us for the specification of this experiment by an independent program, from other layouts. "
        "Seconds, which two of the figures show, depend on the machine and are not measured.",
    ),
)
