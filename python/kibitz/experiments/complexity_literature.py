"""The complexity of Othello, Breakthrough and connect four, beside the figures that everybody quotes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.arena.estimators import Estimate, count, jackknife
from kibitz.arena.openings import Schedule
from kibitz.arena.playing import GameSpec, derive, play
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, by_order

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "boards"]

SEED = 1
GAMES = ("connect-four", "othello", "breakthrough")
PLAYERS = {"random": 100, "uct:simulations=100": 4, "alphabeta:nodes=1000,tt_mb=1,seed=1": 4}
STRONGER = {"alphabeta:nodes=20000,tt_mb=4,seed=1": 1}
"""Players with the number of games of a unit, a fraction of a second; the stronger one plays at full scale only."""

ROUNDING = 0.5
"""All published figures are rounded to whole numbers."""

WHY = {
    "connect-four": "Allis's figures are round and without a sample; length and branching depend on the players",
    "othello": "Allis's figures are round and without a sample; passes are plies here",
    "breakthrough": "Schadd's are of ChanceBreakthrough, whose rolls remove pieces, and of a player that searches for "
    "5 seconds",
}


def boards(game: str) -> int:
    """An upper bound on the positions: boards that the pieces allow, without asking whether they can be reached."""
    squares = {
        # In a column stand at most six discs of two colours.
        "connect-four": (2**7 - 1) ** 7,
        # The four squares in the centre are never empty.
        "othello": 2**4 * 3**60,
        # Both have at most sixteen pieces, and none on the other's home row before the game is over. The sum is over
        # white pieces on White's home row and in the middle, then black ones on Black's and in the rest of the middle.
        "breakthrough": sum(
            math.comb(8, home) * math.comb(48, middle) * math.comb(8, other) * math.comb(48 - middle, rest)
            for home in range(9)
            for middle in range(17 - home)
            for other in range(9)
            for rest in range(17 - other)
        ),
    }
    return squares[game]


def _units(scale: Scale) -> list[dict[str, Any]]:
    times = {"quick": 1, "standard": 10, "full": 50}[scale]
    players = {**PLAYERS, **STRONGER} if scale == "full" else PLAYERS
    played = [
        {"game": game, "player": player, "first": number * games, "games": games}
        for game in GAMES
        for player, games in players.items()
        for number in range(times * (20 // games if games < 20 else 2))
    ]
    return [*played, *({"count": game, "limit": 30_000} for game in GAMES)]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """Plies and legal moves of each game; or how many positions are first reached after 0, 1, 2, … moves."""
    if "count" in unit:
        by_moves, _ = count(kb.game(unit["count"]).start(), unit["limit"])
        return {"count": unit["count"], "by_moves": list(by_moves)}
    game, player = kb.game(unit["game"]), kb.algorithm(unit["player"])
    noise = () if isinstance(player, kb.Random) else Schedule.halving().probabilities
    rows = []
    for index in range(unit["first"], unit["first"] + unit["games"]):
        record = play(
            GameSpec(
                game=game,
                players=(player,) * game.players,
                names=(player.name,) * game.players,
                seed=derive(SEED, unit["game"], unit["player"], index),
                noise=noise,
                index=index,
                block=index,
            )
        )
        rows.append([record.plies, sum(each.legal for each in record.moves)])
    return {"game": unit["game"], "player": unit["player"], "rows": rows}


class _Measured(NamedTuple):
    branching: Estimate
    length: Estimate
    tree: Estimate


def _measured(results: Sequence[Any]) -> dict[tuple[str, str], _Measured]:
    import numpy as np

    rows: dict[tuple[str, str], list[list[int]]] = {}
    for result in results:
        if "rows" in result:
            rows.setdefault((result["game"], result["player"]), []).extend(result["rows"])
    return {
        key: _Measured(
            jackknife(np.array(found), lambda plies, moves: moves / plies),
            jackknife(np.array(found), lambda plies, _moves: plies),
            jackknife(np.array(found), lambda plies, moves: plies * np.log10(moves / plies)),
        )
        for key, found in rows.items()
    }


def _published() -> dict[str, dict[str, float]]:
    return {
        row["game"]: {name: float(value) for name, value in row.items() if name != "game"}
        for row in data.read("complexity")
    }


_NAMES = {"branching": "branching factor", "length": "length in plies", "tree": "b^d, log10"}


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    published, measured = _published(), _measured(results)
    rows = []
    for (game, player), found in measured.items():
        for name, label in _NAMES.items():
            estimate: Estimate = getattr(found, name)
            label = f"{game}, {player}: {label}"
            if _is_judged(player):
                interval = Interval(estimate.low - ROUNDING, estimate.high + ROUNDING)
                rows.append(by_interval(label, published[game][name], estimate.value, interval, why=WHY[game]))
            else:
                interval = Interval(estimate.low, estimate.high)
                rows.append(Row(label=label, measured=estimate.value, interval=interval, verdict="measured"))
    players = filter(_is_judged, dict.fromkeys(player for _, player in measured))
    rows += [_order(name, player, published, measured) for player in players for name in _NAMES]
    rows += [_states(result, published) for result in results if "count" in result]
    return rows


def _is_judged(player: str) -> bool:
    """Published figures are of players that know something; weak ones only show how much depends on the player."""
    return player.startswith("alphabeta")


def _order(
    name: str,
    player: str,
    published: Mapping[str, Mapping[str, float]],
    measured: Mapping[tuple[str, str], _Measured],
) -> Row:
    found: dict[str, Estimate] = {game: getattr(measured[game, player], name) for game in GAMES}
    return by_order(
        f"order of the games by {_NAMES[name]}, {player}",
        {game: published[game][name] for game in GAMES},
        {game: each.value for game, each in found.items()},
        {game: Interval(each.low, each.high) for game, each in found.items()},
        why="how long a game lasts depends on the players",
    )


def _states(result: Mapping[str, Any], published: Mapping[str, Mapping[str, float]]) -> Row:
    """A published state space must lie between the positions that were counted and the boards there are."""
    game, by_moves = result["count"], result["by_moves"]
    power = published[game]["states"]
    low, high = math.log10(sum(by_moves)), math.log10(boards(game))
    known = f"{sum(by_moves):,} positions within {len(by_moves) - 1} moves, at most 10^{high:.1f} boards"
    inside = low <= power <= high
    return Row(
        label=f"{game}: state space, log10",
        published=power,
        measured=known,
        interval=Interval(low, high),
        verdict="agrees" if inside else "differs",
        why="" if inside else f"10^{power:g} positions are not between what was counted and what fits on the board",
    )


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    published, measured = _published(), _measured(results)
    figure, panels = plots.panels([("", label) for label in _NAMES.values()], "Complexity, published and measured")
    for axes, name in zip(panels, _NAMES, strict=True):
        series = {"published": [published[game][name] for game in GAMES]}
        intervals: dict[str, list[tuple[float, float] | None]] = {}
        for player in dict.fromkeys(player for _, player in measured):
            found: list[Estimate] = [getattr(measured[game, player], name) for game in GAMES]
            series[player] = [each.value for each in found]
            intervals[player] = [(each.low, each.high) for each in found]
        plots.bars(axes, GAMES, series, intervals)
    plots.common_legend(figure)
    return figure


EXPERIMENTS = (
    Experiment(
        id="complexity-literature",
        title="Complexity of Othello, Breakthrough and connect four",
        paper="L. V. Allis, *Searching for Solutions in Games and Artificial Intelligence*, PhD thesis, University of "
        "Limburg 1994; M. P. D. Schadd, *Selective Search in Games of Different Complexity*, PhD thesis, Maastricht "
        "University 2011",
        table="Allis, chapter 6; Schadd, chapter 5",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 3, "standard": 30, "full": 1200},
        seed=SEED,
        note="The published figures are whole numbers, so an interval is that of the measured value and half a unit "
        "more on both sides. Random play and UCT with few simulations are measured beside it, to show how much depends "
        "on the player. Games of searching players begin with random moves, whose probability falls from 1/2 to "
        "1 % (D. King 2014). Nobody has published length and branching of Breakthrough itself where we could find it; "
        "ChanceBreakthrough is its closest relative.",
    ),
)
