"""ChanceProbCut in Stratego, Dice and ChanceBreakthrough: chapter 5 of Schadd's thesis.

The positions of the thesis are lost and its evaluations are not printed in full, so both are our own; what can be
compared is the share of the nodes that is saved, its trend with t and with the depth, and the size of the errors.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, joint_level, mean_interval, moments, wilson
from kibitz.experiments.relative_history import ratio
from kibitz.experiments.schadd_samegame import THESIS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "SETTINGS", "position"]

SEED = 2011

RANDOM = 0.1
"""The share of random moves in the games from which positions are taken."""


class Setting(NamedTuple):
    """How a game is searched and where its positions come from.

    `range` is the value of a won game in the thesis, `depths` those of the events at which estimates are made, `moves`
    after how many moves of a game a position is taken, one of these for each position in turn, and `t` the value that
    our matches are played with, which `chosen` gave for our node-reduction run before any match.
    """

    game: str
    match_game: str
    chance_plies: bool
    range: float
    depths: tuple[int, ...]
    moves: tuple[int, ...]
    t: float
    table: dict[int, str]
    match_table: str


SETTINGS = {
    "stratego": Setting(
        "stratego",
        "stratego",
        # the thesis does not count chance nodes as plies here, but its numbers of nodes grow with the depth as ours do
        # where they count (22 times in two plies); where they do not, ours grow a hundred times
        True,
        1000,
        (4, 5),
        (50, 150, 50, 150, 300),
        0.4,
        {7: "5.2", 9: "5.3", 11: "5.4"},
        "5.5",
    ),
    "dice": Setting(
        "dice",
        "dice:size=11",
        True,
        10,
        (7, 9),
        tuple(range(5, 13)),
        3.2,
        {9: "5.6", 11: "5.7", 13: "5.8"},
        "5.9",
    ),
    "chance-breakthrough": Setting(
        "chance-breakthrough",
        "chance-breakthrough",
        False,
        1500,
        (3, 4, 5),
        tuple(range(4, 44, 4)),
        0.05,
        {5: "5.10"},
        "5.11",
    ),
}

THRESHOLDS = {
    "stratego": (12.8, 6.4, 3.2, 1.6, 0.8, 0.4, 0.2, 0.1, 0.05),
    "dice": (3.2, 1.6, 0.8, 0.4, 0.2, 0.1, 0.05),
    "chance-breakthrough": (3.2, 1.6, 0.8, 0.4, 0.2, 0.1, 0.05),
}


def position(name: str, number: int) -> kb.Position:
    """The position of this number: from a game of two quick players, in which nobody has won yet."""
    setting = SETTINGS[name]
    wanted = setting.moves[number % len(setting.moves)]
    quick = kb.Star2(depth=1, tt_mb=0, chance_plies=setting.chance_plies)
    for attempt in range(1000):
        rng = random.Random(f"{SEED} {name} {number} {attempt}")
        here: kb.Position = kb.game(setting.game).start()
        played = 0
        while here.turn is not None:
            if here.turn == "chance":
                outcomes, probabilities = zip(*here.outcomes, strict=True)
                here = here.play(rng.choices(outcomes, probabilities)[0])
                continue
            if played == wanted:
                return here
            if rng.random() < RANDOM:
                here = here.play(rng.choice(here.moves))
            else:
                here = here.play(quick.search(here, seed=rng.getrandbits(32)).best)
            played += 1
    raise kb.Error(f"no game of {name} lasts {wanted} moves")


# Nodes and errors


def _run_nodes(unit: dict[str, Any]) -> dict[str, Any]:
    """The nodes of the full search of a position, and for each t the nodes, the error and the regret."""
    name, depth = unit["game"], unit["depth"]
    setting = SETTINGS[name]
    here = position(name, unit["number"])
    method = kb.ChanceProbCut(depth=depth, chance_plies=setting.chance_plies, depths=setting.depths)
    full = kb.Star2(depth=depth, chance_plies=setting.chance_plies)
    exact = full.search(here)
    found = []
    for t in unit["thresholds"]:
        pruned = method.search(here, t=t)
        value = exact.value
        if pruned.best != exact.best:
            value = full.search(here, only=str(pruned.best)).value
        found.append([pruned.nodes, abs(pruned.value - value), exact.value - value])
    return {"game": name, "depth": depth, "nodes": exact.nodes, "thresholds": unit["thresholds"], "found": found}


Sizes = dict[Scale, tuple[int, int]]
"""To which depth how many positions are searched."""


def _node_units(name: str, sizes: Sizes) -> Callable[[Scale], list[Any]]:
    def units(scale: Scale) -> list[Any]:
        depth, count = sizes[scale]
        return [
            {"game": name, "depth": depth, "number": number, "thresholds": list(THRESHOLDS[name])}
            for number in range(count)
        ]

    return units


@functools.cache
def _published(name: str, depth: int) -> dict[float | None, dict[str, str]]:
    rows = data.read("schadd-chance-nodes")
    return {
        float(row["t"]) if row["t"] else None: row for row in rows if row["game"] == name and int(row["depth"]) == depth
    }


MOST_REGRET = 0.001
"""What pruning may cost on average, of a win, to be played with."""


def chosen(results: Sequence[Any]) -> float:
    """The t that saves most nodes among those with little regret, or the greatest one."""
    thresholds: list[float] = results[0]["thresholds"]

    def total(place: int, part: int) -> float:
        return math.fsum(result["found"][place][part] for result in results)

    harmless = [place for place in range(len(thresholds)) if total(place, 2) <= MOST_REGRET * len(results)]
    return thresholds[min(harmless, key=lambda place: total(place, 0), default=0)]


OTHERS = "the positions and the evaluation are others, so only the direction can be expected"


def _node_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    name, depth = results[0]["game"], results[0]["depth"]
    table, factor = _published(name, depth), SETTINGS[name].range
    full = [result["nodes"] for result in results]
    thresholds = results[0]["thresholds"]
    rows, saved = [], []
    for place, t in enumerate(thresholds):
        nodes = [result["found"][place][0] for result in results]
        share, interval = ratio(nodes, full, joint_level(len(thresholds)))
        saved.append(1 - share)
        label = f"depth {depth}, t = {t}: nodes, share of the search without ChanceProbCut"
        if t in table:
            whole = table[None]
            published = int(table[t]["nodes"]) / int(whole["nodes"])
            rows.append(by_interval(label, round(published, 4), share, interval, par=1, why=OTHERS))
        else:
            rows.append(Row(label=label, measured=share, interval=interval, verdict="measured"))
        for column, words, part in (("error", "mean error of the move's value", 1), (None, "mean regret", 2)):
            errors = [factor * result["found"][place][part] for result in results]
            mean, deviation, count = moments(errors)
            rows.append(
                Row(
                    label=f"depth {depth}, t = {t}: {words}, of {factor:,.0f} for a win",
                    published=float(table[t][column]) if column and t in table else None,
                    measured=mean,
                    interval=mean_interval(mean, deviation, count),
                    verdict="measured",
                    why="" if column is None or t not in table else "another evaluation, so of another size",
                )
            )
    grows = all(less <= more + 0.01 for less, more in itertools.pairwise(saved))
    rows.append(
        Row(
            label=f"depth {depth}: nodes saved as t falls from {thresholds[0]} to {thresholds[-1]}, %",
            published="more and more",
            measured=" / ".join(f"{100 * each:.0f}" for each in saved),
            verdict="agrees" if grows else "differs",
            why="" if grows else "it does not grow by more than one in a hundred everywhere",
        )
    )
    rows.append(
        Row(
            label=f"depth {depth}: the t that saves most nodes with a regret of at most {MOST_REGRET} of a win",
            measured=chosen(results),
            verdict="measured",
        )
    )
    mean = sum(full) / len(full)
    rows.append(
        Row(
            label=f"depth {depth}: mean nodes of a position without ChanceProbCut, {len(full):,} positions",
            published=_mean_nodes(name, table),
            measured=mean,
            verdict="measured",
            why="other positions and another engine" if table else "",
        )
    )
    return rows


POSITIONS = {"stratego": 500, "dice": 1000, "chance-breakthrough": 500}
"""So many positions the thesis has."""


def _mean_nodes(name: str, table: dict[float | None, dict[str, str]]) -> float | None:
    return int(table[None]["nodes"]) / POSITIONS[name] if table else None


def _plot_nodes(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    name, depth = results[0]["game"], results[0]["depth"]
    thresholds = results[0]["thresholds"]
    figure, (nodes, errors) = plots.panels([("t", "share of the nodes"), ("t", "mean error of the move's value")])
    full = sum(result["nodes"] for result in results)
    nodes.plot(
        thresholds,
        [sum(result["found"][place][0] for result in results) / full for place in range(len(thresholds))],
        marker="o",
        label="measured",
        color=plots.COLOURS[0],
    )
    table = _published(name, depth)
    if table:
        whole = int(table[None]["nodes"])
        known = [int(table[t]["nodes"]) / whole for t in thresholds]
        nodes.plot(thresholds, known, marker="s", label="published", color=plots.COLOURS[1])
    mean = [
        SETTINGS[name].range * sum(result["found"][place][1] for result in results) / len(results)
        for place in range(len(thresholds))
    ]
    errors.plot(thresholds, mean, marker="o", color=plots.COLOURS[0])
    for axes in (nodes, errors):
        axes.set_xscale("log")
    nodes.legend()
    nodes.set_title(f"{name}, depth {depth}")
    return figure


# Matches

NODES = 20_000
"""What a player may visit for a move: time would depend on the machine."""


def _run_match(unit: dict[str, Any]) -> dict[str, Any]:
    """Two games with the same dice, once with each player first: how many the one with ChanceProbCut won and lost."""
    setting = SETTINGS[unit["game"]]
    base: dict[str, Any] = {"nodes": unit["nodes"], "chance_plies": setting.chance_plies}
    game = kb.game(setting.match_game)
    fit = kb.probcut.shipped_fit("chanceprobcut", kb.game(setting.game))
    assert fit is not None
    pruning = kb.ChanceProbCut(**base, t=setting.t, depths=setting.depths, checks=fit.checks())
    plain = kb.Star2(**base)
    won = lost = 0
    for first in (True, False):
        players = (pruning, plain) if first else (plain, pruning)
        result = play(game, players, unit["seed"])
        mine = result[0 if first else 1]
        won, lost = won + (mine > 0), lost + (mine < 0)
    return {"game": unit["game"], "won": won, "lost": lost}


def play(game: kb.Game, players: Sequence[kb.Algorithm], seed: int, longest: int = 4000) -> tuple[float, ...]:
    """The results of a game; the dice depend on the seed and on how often they were thrown, not on the moves."""
    rng = random.Random(f"dice {seed}")
    here: kb.Position = game.start()
    for ply in range(longest):
        if here.turn is None:
            assert here.result is not None
            return here.result
        if here.turn == "chance":
            outcomes, probabilities = zip(*here.outcomes, strict=True)
            here = here.play(rng.choices(outcomes, probabilities)[0])
        else:
            here = here.play(players[here.turn].search(here, seed=seed * 4096 + ply).best)
    # nobody wins a game that does not end
    return (0.0,) * len(players)


def _match_units(name: str, pairs: dict[Scale, int], nodes: dict[Scale, int]) -> Callable[[Scale], list[Any]]:
    def units(scale: Scale) -> list[Any]:
        return [{"game": name, "seed": SEED + number, "nodes": nodes[scale]} for number in range(pairs[scale])]

    return units


def _match_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    name = results[0]["game"]
    setting = SETTINGS[name]
    published = {float(row["t"]): row for row in data.read("schadd-chance-matches") if row["game"] == name}
    won, lost = (sum(result[side] for result in results) for side in ("won", "lost"))
    if not won + lost:
        return [Row(label=f"t = {setting.t}: games that somebody won", measured=0, verdict="measured")]
    share, interval = won / (won + lost), wilson(won, won + lost)
    label = f"t = {setting.t}: share of the decided games won by ChanceProbCut"
    if setting.t in published:
        wins, losses = (int(published[setting.t][side]) for side in ("wins", "losses"))
        why = "equal nodes instead of equal time, our evaluation"
        row = by_interval(label, round(wins / (wins + losses), 4), share, interval, par=0.5, why=why)
    else:
        row = Row(label=label, measured=share, interval=interval, verdict="measured")
    draws = 2 * len(results) - won - lost
    return [row, Row(label="games without a winner", measured=draws, verdict="measured")]


def _experiments() -> list[Experiment]:
    nodes_sizes: dict[str, dict[int, tuple[Sizes, dict[Scale, float]]]] = {
        "stratego": {
            7: ({"quick": (5, 1), "standard": (7, 60), "full": (7, 500)}, {"quick": 8, "standard": 400, "full": 3e3}),
            9: ({"quick": (5, 1), "standard": (9, 6), "full": (9, 500)}, {"quick": 8, "standard": 600, "full": 5e4}),
            11: (
                {"quick": (5, 1), "standard": (10, 2), "full": (11, 500)},
                {"quick": 8, "standard": 1500, "full": 1e6},
            ),
        },
        "dice": {
            9: ({"quick": (9, 6), "standard": (9, 500), "full": (9, 1000)}, {"quick": 2, "standard": 25, "full": 50}),
            11: (
                {"quick": (9, 6), "standard": (11, 300), "full": (11, 1000)},
                {"quick": 2, "standard": 70, "full": 240},
            ),
            13: (
                {"quick": (9, 6), "standard": (13, 60), "full": (13, 1000)},
                {"quick": 2, "standard": 180, "full": 3_000},
            ),
        },
        "chance-breakthrough": {
            5: ({"quick": (5, 4), "standard": (5, 300), "full": (5, 500)}, {"quick": 3, "standard": 75, "full": 120})
        },
    }
    found = []
    for name, setting in SETTINGS.items():
        for depth, table in setting.table.items():
            sizes, seconds = nodes_sizes[name][depth]
            found.append(
                Experiment(
                    id=f"schadd-table-{table.replace('.', '-')}",
                    title=f"ChanceProbCut in {name}, depth {depth}: nodes and errors",
                    paper=THESIS,
                    table=f"Table {table}",
                    units=_node_units(name, sizes),
                    run=_run_nodes,
                    summarize=_node_rows,
                    plot=_plot_nodes,
                    seconds=seconds,
                    seed=SEED,
                    note=(
                        "Baseline: Star2 with StarETC, table, history and killers. Errors are those of the chosen move "
                        "against the same move in the full search; the regret is what the choice lost. Smaller scales "
                        f"search to depth {sizes['quick'][0]} (quick) and {sizes['standard'][0]} (standard)."
                    ),
                )
            )
        pairs: dict[Scale, int] = {
            "quick": 1,
            "standard": {"stratego": 60, "dice": 1500, "chance-breakthrough": 1500}[name],
            "full": 3000,
        }
        nodes: dict[Scale, int] = {"quick": 200, "standard": NODES // 4, "full": NODES}
        found.append(
            Experiment(
                id=f"schadd-table-{setting.match_table.replace('.', '-')}",
                title=f"ChanceProbCut against the same player without it: {setting.match_game}",
                paper=THESIS,
                table=f"Table {setting.match_table}",
                units=_match_units(name, pairs, nodes),
                run=_run_match,
                summarize=_match_rows,
                seconds={
                    "quick": 5,
                    "standard": {"stratego": 220, "dice": 500, "chance-breakthrough": 250}[name],
                    "full": {"stratego": 40_000, "dice": 2600, "chance-breakthrough": 1100}[name],
                },
                seed=SEED,
                note=(
                    f"One t, {setting.t}, fixed before any game by our own node-reduction run (standard): the thesis "
                    "tried up to 18 and reports the best, which is biased. Pairs of games with the same dice; a limit "
                    "of nodes, not of time. The lines are those of the default board."
                ),
            )
        )
    return found


EXPERIMENTS = tuple(_experiments())
