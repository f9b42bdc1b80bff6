"""\\*-minimax in backgammon: tables 1 to 5 of Hauk, Buro and Schaeffer.

Their evaluation was GNU Backgammon 0.14 of 2004 and their positions came from its training; both are our own here.
Search effort is compared in leaves, since almost all of their time was evaluation.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import kibitz as kb
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, joint_level, mean_interval, moments, wilson
from kibitz.experiments.relative_history import ratio
from kibitz.experiments.schadd_chance import play

__all__ = ["EXPERIMENTS", "PAPER", "contact_position"]

PAPER = "T. Hauk, M. Buro and J. Schaeffer, *\\*-Minimax Performance in Backgammon*, Computers and Games 2004, 51–66"

SEED = 2004

GAMES = {"win": "backgammon:gammons=false", "gammons": "backgammon"}
"""Every win one point, so that values lie between −1 and 1; and with gammons and backgammons, between −3 and 3."""

BAR = 25


def contact_position(game: kb.Game, number: int) -> kb.Position:
    """The position of this number: after a throw, in a game of two quick players, with contact and a choice."""
    quick = kb.Star2(depth=1, tt_mb=0)
    for attempt in itertools.count():
        rng = random.Random(f"{SEED} {number} {attempt}")
        wanted = rng.randrange(2, 40)
        here: kb.Position = game.start()
        played = 0
        while here.turn is not None:
            if here.turn == "chance":
                here = here.play(_thrown(rng, here))
                continue
            if played >= wanted and len(here.moves) > 1:
                break
            random_move = rng.random() < 0.1
            here = here.play(rng.choice(here.moves) if random_move else quick.search(here).best)
            played += 1
        if here.turn is not None and _contact(str(here)):
            return here
    raise AssertionError


def _thrown(rng: random.Random, here: kb.Position) -> Any:
    outcomes, probabilities = zip(*here.outcomes, strict=True)
    return rng.choices(outcomes, probabilities)[0]


def _contact(text: str) -> bool:
    """Whether any checker still has to pass an enemy one: the rearmost points add up to more than 25."""
    rearmost = []
    for side in text.split(" / ")[:2]:
        points = [point.partition(":")[0] for point in side.split()]
        rearmost.append(max(BAR if point == "bar" else int(point) for point in points))
    return sum(rearmost) > BAR


# Tables 1 and 2

METHODS: dict[str, kb.Algorithm] = {
    "expectimax": kb.Expectimax(deepening=False),
    "star1": kb.Star1(tt_mb=128),
    "star2": kb.Star2(tt_mb=128),
}


def _cost_units(scale: Scale) -> list[dict[str, Any]]:
    counts = {"quick": {3: 20}, "standard": {3: 100, 5: 100}, "full": {3: 500, 5: 500}}[scale]
    return [
        {"rules": rules, "depth": depth, "number": number}
        for depth, count in counts.items()
        for rules in GAMES
        for number in range(count)
    ]


def _run_cost(unit: dict[str, Any]) -> dict[str, Any]:
    """What each method visits in one position."""
    here = contact_position(kb.game(GAMES[unit["rules"]]), unit["number"])
    found = {name: method.search(here, depth=unit["depth"]) for name, method in METHODS.items()}
    stats = found["star2"].stats
    return {
        **unit,
        "leaves": {name: report.stats["leaves"] for name, report in found.items()},
        "nodes": {name: report.nodes for name, report in found.items()},
        "probings": stats.get("probings", 0),
        "probe_cuts": stats.get("probe_cuts", 0),
        "same": max(abs(report.value - found["expectimax"].value) for report in found.values()) < 1e-9,
    }


def _cost_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    known = {int(row["depth"]): row for row in data.read("hauk-search-cost")}
    rows = []
    for depth in sorted({result["depth"] for result in results}):
        for rules in GAMES:
            here = [result for result in results if (result["depth"], result["rules"]) == (depth, rules)]
            for name in ("star1", "star2"):
                leaves, all_leaves = ([result["leaves"][each] for result in here] for each in (name, "expectimax"))
                share, interval = ratio(leaves, all_leaves, joint_level(4))
                published = float(known[depth][name]) / float(known[depth]["expectimax"])
                label = f"depth {depth}, {rules}: leaves of {name}, share of Expectimax's"
                why = "published are seconds of another evaluation and order of moves"
                rows.append(by_interval(label, round(published, 3), share, interval, par=1, why=why))
            probings, cuts = (sum(result[each] for result in here) for each in ("probings", "probe_cuts"))
            if probings:
                label = f"depth {depth}, {rules}: share of the probing phases that cut"
                published = float(known[depth]["probe_efficiency"]) / 100
                why = "another evaluation and order of moves; here nothing is probed where no cut is possible"
                rows.append(by_interval(label, published, cuts / probings, wilson(cuts, probings), par=0.45, why=why))
            nodes = {name: sum(result["nodes"][name] for result in here) / len(here) for name in METHODS}
            rows.append(
                Row(
                    label=f"depth {depth}, {rules}: mean nodes of Expectimax / Star1 / Star2, {len(here)} positions",
                    measured=" / ".join(f"{count:,.0f}" for count in nodes.values()),
                    verdict="measured",
                )
            )
    same = all(result["same"] for result in results)
    rows.append(
        Row(
            label="all methods find the value of Expectimax",
            published="always",
            measured="always" if same else "not always",
            verdict="holds" if same else "fails",
            why="" if same else "a table with entries of other depths changed a value, or there is a mistake",
        )
    )
    return rows


# Table 3


def _odd_even_units(scale: Scale) -> list[dict[str, Any]]:
    count, deep = {"quick": (40, 3), "standard": (1600, 5), "full": (6400, 5)}[scale]
    return [{"number": number, "depths": list(range(1, deep + 1, 2))} for number in range(count)]


def _run_odd_even(unit: dict[str, Any]) -> list[float]:
    here = contact_position(kb.game(GAMES["gammons"]), unit["number"])
    return [kb.Star2(depth=depth, same_depth=True).search(here).value for depth in unit["depths"]]


def _odd_even_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    known = {(int(row["trial"]), int(row["deep"])): row for row in data.read("hauk-odd-even")}
    rows = []
    for place, deep in enumerate((3, 5), start=1):
        if len(results[0]) <= place:
            continue
        differences = [values[0] - values[place] for values in results]
        why = "another evaluation, and positions of quick games with contact"
        for column, values in (("mean", differences), ("absolute", [abs(each) for each in differences])):
            mean, deviation, count = moments(values)
            interval = mean_interval(mean, deviation, count)
            for trial in (1, 2):
                label = (
                    f"depth 1 − depth {deep}, trial {trial}: {'mean' if column == 'mean' else 'mean absolute value'}"
                )
                rows.append(by_interval(label, float(known[trial, deep][column]), mean, interval, par=0, why=why))
    return rows


# Tables 4 and 5


def _player(unit: dict[str, Any], depth: int) -> kb.Algorithm:
    if unit["table"] == 4:
        return kb.MoveFilter(depth=depth)
    # the noise of the paper is that of a probability, a point is twice as much
    return kb.Star2(depth=depth, tt_mb=16, noise=2 * unit["noise"], noise_seed=SEED)


def _run_pair(unit: dict[str, Any]) -> dict[str, Any]:
    """Two games with the same dice and the players exchanged: how many the deeper one won."""
    game = kb.game(GAMES["win"])
    row, column = _player(unit, unit["row"]), _player(unit, unit["column"])
    results = [play(game, players, unit["seed"])[side] for side, players in ((1, (row, column)), (0, (column, row)))]
    return {**unit, "won": sum(result > 0 for result in results)}


def _pair_units(table: int, counts: dict[Scale, dict[tuple[int, int], int]]) -> Any:
    def units(scale: Scale) -> list[dict[str, Any]]:
        noises = (0.0,) if table == 4 else (0.0, 0.015, 0.03)
        return [
            {"table": table, "noise": noise, "row": row, "column": column, "seed": SEED + number}
            for noise in noises
            for (row, column), pairs in counts[scale].items()
            for number in range(pairs)
        ]

    return units


def _pair_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    table = results[0]["table"]
    known = {
        (float(row["noise"]), int(row["row"]), int(row["column"])): row
        for row in data.read("hauk-matches")
        if int(row["table"]) == table
    }
    rows = []
    for place in dict.fromkeys((each["noise"], each["row"], each["column"]) for each in results):
        here = [each["won"] for each in results if (each["noise"], each["row"], each["column"]) == place]
        won, games = sum(here), 2 * len(here)
        # the games of a pair share their dice, so that a pair is what is independent
        mean, deviation, count = moments([each / 2 for each in here])
        interval = mean_interval(mean, deviation, count, joint_level(len(known)))
        label = f"noise {place[0]}, depth {place[2]} against depth {place[1]}: share won, {games:,} games"
        published = float(known[place]["percent"]) / 100
        why = "another evaluation"
        rows.append(by_interval(label, published, won / games, interval, par=0.5, why=why))
    return rows


EXPERIMENTS = (
    Experiment(
        id="hauk-search-cost",
        title="Expectimax, Star1 and Star2 in backgammon: search effort and probes",
        paper=PAPER,
        table="Tables 1 and 2",
        units=_cost_units,
        run=_run_cost,
        summarize=_cost_rows,
        seconds={"quick": 8, "standard": 1400, "full": 7000},
        seed=SEED,
        note=(
            "Published are mean times, which were proportional to leaves. L and U are not published: [−1, 1] and "
            "[−3, 3] here."
        ),
    ),
    Experiment(
        id="hauk-odd-even",
        title="Root values of backgammon at depths 1, 3 and 5",
        paper=PAPER,
        table="Table 3",
        units=_odd_even_units,
        run=_run_odd_even,
        summarize=_odd_even_rows,
        seconds={"quick": 5, "standard": 450, "full": 1800},
        seed=SEED,
    ),
    Experiment(
        id="hauk-table-4",
        title="The search of GNU Backgammon against itself at depths 1, 3 and 5",
        paper=PAPER,
        table="Table 4",
        units=_pair_units(
            4,
            {
                "quick": {(1, 3): 4},
                "standard": {(1, 3): 1000, (1, 5): 150, (3, 5): 150},
                "full": {(1, 3): 9000, (1, 5): 9000, (3, 5): 9000},
            },
        ),
        run=_run_pair,
        summarize=_pair_rows,
        seconds={"quick": 5, "standard": 600, "full": 25_000},
        seed=SEED,
        note=(
            "Percentages are those of the deeper player, who heads the column. The filters are GNU Backgammon's; the "
            "paper gives none."
        ),
    ),
    Experiment(
        id="hauk-table-5",
        title="Star2 against itself at depths 1, 3 and 5, with a noisy evaluation",
        paper=PAPER,
        table="Table 5",
        units=_pair_units(
            5,
            {
                "quick": {(1, 3): 2},
                "standard": {(1, 3): 400, (1, 5): 15, (3, 5): 15},
                "full": {(1, 3): 2000, (1, 5): 2000, (3, 5): 2000},
            },
        ),
        run=_run_pair,
        summarize=_pair_rows,
        seconds={"quick": 8, "standard": 1800, "full": 200_000},
        seed=SEED,
        note="Percentages are those of the deeper player, who heads the column. Every win is one point.",
    ),
)
