"""The complexity of Crossings and Epaminondas by self-play, as in chapter 5 of King's thesis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.arena.estimators import jackknife
from kibitz.arena.statistics import Interval
from kibitz.arena.statistics import mean_interval as interval_of_mean
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, exactly, moments, sample_mean, wilson
from kibitz.experiments.king_players import (
    GAMES,
    MAX_PLIES,
    alpha_beta,
    columns,
    crossings,
    game,
    phalanx_moves,
    play_one,
)
from kibitz.experiments.king_states import THESIS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "Player"]

SEED = 2014

WHY = "the weights of the evaluation and the rule for draws are not published"


class Player(NamedTuple):
    """Alpha-beta at a depth with a kind of weights, or random play at depth 0."""

    depth: int
    weights: str = "plain"

    @property
    def label(self) -> str:
        """How the rows name it."""
        return f"alpha-beta, depth {self.depth}, {self.weights} weights" if self.depth else "random"


SIZES: dict[str, dict[Scale, dict[Player, int]]] = {
    "crossings": {
        "quick": {Player(3): 4, Player(0): 20},
        "standard": {Player(5): 48, Player(3): 200, Player(3, "shipped"): 200, Player(0): 1000},
        "full": {Player(5): 1000, Player(3): 1000, Player(3, "shipped"): 1000, Player(0): 20_000},
    },
    "epaminondas": {
        "quick": {Player(2): 6, Player(0): 12},
        "standard": {Player(3): 200, Player(2): 100, Player(3, "shipped"): 100, Player(0): 200},
        "full": {Player(3): 1000, Player(2): 1000, Player(3, "shipped"): 1000, Player(0): 2000},
    },
}
"""Games of each player at each scale. The first is the one that is judged: its depth is the thesis' where it can be."""

STEP = 4
"""Games in a unit."""


def _units(name: str, scale: Scale) -> list[dict[str, Any]]:
    return [
        {"game": name, "depth": player.depth, "weights": player.weights, "first": first, "games": STEP}
        for player, games in SIZES[name][scale].items()
        for first in range(0, games, STEP)
    ]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """Of each game the legal moves at each ply, the winner, and the columns on which pieces crossed."""
    name, depth = unit["game"], unit["depth"]
    rules = game(name, unit["weights"])
    player: kb.Algorithm = alpha_beta(depth) if depth else kb.Random()
    played = []
    for index in range(unit["first"], unit["first"] + unit["games"]):
        record = play_one(
            rules,
            (player, player),
            SEED,
            name,
            depth,
            unit["weights"],
            index,
            openings=depth > 0,
            max_plies=MAX_PLIES if depth else None,
        )
        played.append(
            {
                "legal": [each.legal for each in record.moves],
                "phalanx": phalanx_moves(record, rules) if depth else 0,
                "result": record.result[0],
                "crossings": crossings(name, record),
            }
        )
    return {"game": name, "depth": depth, "weights": unit["weights"], "played": played}


def _by_player(results: Sequence[Any]) -> dict[Player, list[dict[str, Any]]]:
    found: dict[Player, list[dict[str, Any]]] = {}
    for result in results:
        found.setdefault(Player(result["depth"], result["weights"]), []).extend(result["played"])
    return found


def _lengths(played: Sequence[Any]) -> list[float]:
    return [len(each["legal"]) for each in played]


def _branching(played: Sequence[Any]) -> list[float]:
    """The mean of each game: the thesis' deviation and standard error show that it averages these."""
    return [math.fsum(each["legal"]) / len(each["legal"]) for each in played]


def _rows(name: str, scale: Scale, results: Sequence[Any]) -> list[Row]:
    found = _by_player(results)
    judged = next(iter(SIZES[name][scale]))
    rows = _judged(name, judged, found[judged])
    for player, played in found.items():
        if player != judged and player.depth:
            rows += _measured(player, played)
    rows += _random(name, found[Player(0)])
    return rows + _exact(name)


def _judged(name: str, player: Player, played: Sequence[Any]) -> list[Row]:
    import numpy as np

    (table,) = (each for each in data.read("king-complexity") if each["game"] == name)
    why = WHY if player.depth == int(table["depth"]) else f"played at depth {player.depth}, not {table['depth']}; {WHY}"
    rows = []
    for column, label, values in (
        ("length", "length in plies", _lengths(played)),
        ("branching", "branching factor", _branching(played)),
    ):
        published, (mean, deviation, count) = float(table[column]), moments(values)
        interval = sample_mean(mean, deviation, count, of=int(table["games"]))
        rows.append(
            by_interval(f"{player.label}: {label}", published, mean, _rounded(interval, table[column]), why=why)
        )
        squares = np.array([[value, value * value] for value in values])
        spread = jackknife(squares, lambda first, second: np.sqrt(np.maximum(second - first**2, 0)))
        interval = _rounded(Interval(max(0.0, spread.low), spread.high), table[f"{column}_deviation"])
        published = float(table[f"{column}_deviation"])
        label = f"{player.label}: deviation of the {label}"
        rows.append(by_interval(label, published, spread.value, interval, why=why))
    pairs = np.array(list(zip(_lengths(played), _branching(played), strict=True)))
    tree = jackknife(pairs, lambda plies, moves: plies * np.log10(moves))
    interval = Interval(tree.low - 0.5, tree.high + 0.5)
    rows.append(by_interval(f"{player.label}: b^d, log10", float(table["tree"]), tree.value, interval, why=why))
    rows += [_most(player, played, float(table["branching"])), _twice(player, played, float(table["branching"]))]
    rows += [_advantage(name, player, played), _peak(player, played, int(table["peak"]))]
    return [*rows, _columns(name, player, played)]


def _most(player: Player, played: Sequence[Any], published: float) -> Row:
    """The published mean is hard to believe where hardly any position has as many moves."""
    most = max(max(each["legal"]) for each in played)
    share = sum(legal >= published for each in played for legal in each["legal"]) / sum(_lengths(played))
    return Row(
        label=f"{player.label}: most legal moves in any position",
        measured=most,
        verdict="measured",
        why=f"{100 * share:.1f} % of the positions have as many as the published mean of {published:.0f}",
    )


def _twice(player: Player, played: Sequence[Any], published: float) -> Row:
    """A conjecture of ours: the thesis' program counts the moves of phalanxes twice.

    It also says that Epaminondas has a hundred moves more than Crossings at the first ply; that is 54, and 90 if the
    moves of two pieces and more count twice.
    """
    values = [(sum(each["legal"]) + each["phalanx"]) / len(each["legal"]) for each in played]
    mean, deviation, count = moments(values)
    interval = sample_mean(mean, deviation, count, of=1000)
    near = abs(mean / published - 1) < 0.15
    return Row(
        label=f"{player.label}: branching factor if the moves of phalanxes counted twice",
        published=published,
        measured=mean,
        interval=interval,
        verdict="measured",
        why=f"a conjecture of ours: it {'would' if near else 'does not'} explain the published mean",
    )


def _rounded(interval: Interval, text: str) -> Interval:
    """An interval and half a unit of the last printed digit more."""
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return Interval(interval.low - half, interval.high + half)


def _advantage(name: str, player: Player, played: Sequence[Any]) -> Row:
    wins, losses = (sum(each["result"] == result for each in played) for result in (1, -1))
    interval = wilson(wins, wins + losses)
    said, holds = {
        "crossings": ("little advantage for either side", interval.low < 0.6 and interval.high > 0.4),
        "epaminondas": ("White slightly better", interval.high > 0.5),
    }[name]
    drawn = len(played) - wins - losses
    return Row(
        label=f"{player.label}: games won by White among those that are not drawn ({drawn} of {len(played)} are)",
        published=said,
        measured=wins / (wins + losses) if wins + losses else math.nan,
        interval=interval,
        verdict="agrees" if holds else "differs",
        why="" if holds else f"White wins {wins} of {wins + losses}; {WHY}",
    )


def _curve(played: Sequence[Any], share: float) -> list[list[int]]:
    """The legal moves at each ply that this share of the games has reached."""
    curve: list[list[int]] = []
    for ply in range(max(len(each["legal"]) for each in played)):
        moves = [each["legal"][ply] for each in played if len(each["legal"]) > ply]
        if len(moves) < max(2, share * len(played)):
            break
        curve.append(moves)
    return curve


def _peak(player: Player, played: Sequence[Any], published: int) -> Row:
    means = [math.fsum(moves) / len(moves) for moves in _curve(played, 0.5)]
    peak = max(range(len(means)), key=means.__getitem__)
    # "About" is a reading of a curve, good to a third.
    near = abs(peak + 1 - published) <= published / 3
    return Row(
        label=f"{player.label}: ply with the most legal moves",
        published=f"about {published}",
        measured=f"{peak + 1}, {means[peak]:.0f} moves after {means[0]:.0f} at the first ply",
        verdict="agrees" if near else "differs",
        why="" if near else f"among plies that half of the games reach; {WHY}",
    )


def _by_column(name: str, played: Sequence[Any]) -> list[dict[str, int]]:
    return [
        {column: sum(each["crossings"][side].get(column, 0) for each in played) for column in columns(name)}
        for side in (0, 1)
    ]


def _columns(name: str, player: Player, played: Sequence[Any]) -> Row:
    from scipy.stats import chisquare

    white, black = _by_column(name, played)
    both = {column: white[column] + black[column] for column in white}
    total = sum(both.values())
    most = sorted(both, key=lambda column: -both[column])
    shares = ", ".join(f"{column} {100 * both[column] / max(1, total):.0f} %" for column in most[:4])
    text = f"{shares} of {total}"
    if total:
        text += f"; uniform: p = {float(chisquare(list(both.values())).pvalue):.2g}"
    label = f"{player.label}: columns on which most pieces cross"
    if name == "crossings":
        return Row(label=label, measured=text, verdict="measured")
    if set(most[:2]) == {"D", "K"}:
        return Row(label=label, published="D and K", measured=text, verdict="agrees")
    above = all(both[column] > total / len(both) for column in "DK")
    return Row(
        label=label,
        published="D and K",
        measured=text,
        verdict="same direction" if above else "differs",
        why=f"D has {both['D']} and K {both['K']}, the mean is {total / len(both):.0f}; {WHY}",
    )


def _measured(player: Player, played: Sequence[Any]) -> list[Row]:
    rows = []
    for label, values in (("length in plies", _lengths(played)), ("branching factor", _branching(played))):
        mean, _, _ = moments(values)
        interval = interval_of_mean(values)
        rows.append(Row(label=f"{player.label}: {label}", measured=mean, interval=interval, verdict="measured"))
    return rows


_REFERENCE = {"crossings": (100.9, 82.7, 20_000), "epaminondas": (424.7, 183.7, 2000)}
"""Of random play, computed by an independent program: mean length, mean number of moves over all positions, games."""


def _random(name: str, played: Sequence[Any]) -> list[Row]:
    import numpy as np

    length, branching, games = _REFERENCE[name]
    mean, deviation, count = moments(_lengths(played))
    interval = sample_mean(mean, deviation, count, of=games)
    rows = [by_interval("random, our reference: length in plies", length, mean, interval, source="reference")]
    sums = np.array([(len(each["legal"]), sum(each["legal"])) for each in played])
    moves = jackknife(sums, lambda plies, legal: legal / plies)
    # The reference has a standard error of its own.
    wide = math.sqrt(1 + count / games)
    reach = wide * (moves.high - moves.low) / 2
    interval = Interval(moves.value - reach, moves.value + reach)
    label = "random, our reference: legal moves, over all positions"
    return [*rows, by_interval(label, branching, moves.value, interval, source="reference")]


def _exact(name: str) -> list[Row]:
    """What the thesis computes from its own figures."""
    (table,) = (each for each in data.read("king-complexity") if each["game"] == name)
    power = round(float(table["length"])) * math.log10(round(float(table["branching"])))
    rows = [exactly("b^d of the published means, log10", int(table["tree"]), math.floor(power))]
    if table["tree_6"]:
        why = f"a slip: 110^39 is 10^{power:.1f}"
        rows.append(exactly("b^d in chapter 6, log10", int(table["tree_6"]), math.floor(power), why=why))
    first = [len(game(each).start().moves) for each in GAMES]
    why = f"{first[0]} moves in Crossings and {first[1]} in Epaminondas"
    rows.append(exactly("first move: how many moves more in Epaminondas", 100, first[1] - first[0], why=why))
    return rows


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    found = _by_player(results)
    name = results[0]["game"]
    judged = next(iter(found))
    labels = [("ply", "legal moves"), ("length of the game in plies", "games"), ("column on which pieces cross", "")]
    figure, (curves, lengths, heat) = plots.panels(labels, name.capitalize())
    highest = []
    for player, played in found.items():
        curve = [interval_of_mean(moves) for moves in _curve(played, 0.1)]
        low, high = [each.low for each in curve], [each.high for each in curve]
        middle = [(each.low + each.high) / 2 for each in curve]
        highest.append(max(middle))
        plots.band(curves, range(1, len(curve) + 1), low, middle, high, label=player.label)
    curves.set_xlim(0, 100)
    # Intervals of few long games would make it flat.
    curves.set_ylim(0, 1.2 * max(highest))
    plots.histogram(lengths, {player.label: _lengths(played) for player, played in found.items() if player.depth})
    sides = _by_column(name, found[judged])
    heat.imshow([list(side.values()) for side in sides], cmap="Blues", aspect="auto")
    heat.set_xticks(range(len(columns(name))), list(columns(name)))
    heat.set_yticks([0, 1], ["White", "Black"])
    heat.grid(visible=False)
    plots.common_legend(figure)
    return figure


def _experiment(name: str, seconds: dict[Scale, float]) -> Experiment:
    return Experiment(
        id=f"king-complexity-{name}",
        title=f"Complexity of {name.capitalize()} by self-play",
        paper=THESIS,
        table="Chapter 5 and figures 5.1 to 5.6",
        units=partial(_units, name),
        run=_run,
        summarize=partial(_rows, name),
        plot=_plot,
        seconds=seconds,
        seed=SEED,
        note="`kb.king()` against itself; moves are random with a probability that falls from 1/2 to 1 %. The "
        "evaluation is the plain sum of the thesis' fourteen features, since no weights are published; with "
        "those that the game has here it is measured beside it. Games of 400 plies and positions that occur three "
        "times are drawn; the thesis has draws and names no rule. The last panel is the heat map of the columns on "
        "which pieces reach the opponent's home row.",
    )


EXPERIMENTS = (
    _experiment("crossings", {"quick": 3, "standard": 1500, "full": 30_000}),
    _experiment("epaminondas", {"quick": 2, "standard": 1400, "full": 10_000}),
)
