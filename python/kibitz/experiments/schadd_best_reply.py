"""Best-reply search against maxⁿ and paranoid: tables I to VI of Schadd and Winands.

Published percentages are recomputed from the counts: with six players the printed ones are points divided by 1,008, the
number of games of four players, instead of 1,054. A published percentage is that of about a thousand games, so it is
compared with what as many games of ours would give.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, by_order, joint_level, moments, sample_mean
from kibitz.experiments.schadd_best_reply_players import (
    NAMES,
    PAPER,
    SEED,
    Settings,
    game_units,
    play_unit,
    player,
)

__all__ = ["EXPERIMENTS", "expected_share"]

CELLS = (
    ("chinese-checkers", 3),
    ("chinese-checkers", 4),
    ("chinese-checkers", 6),
    ("focus", 3),
    ("focus", 4),
    ("rolit", 3),
    ("rolit", 4),
)

MILLISECONDS = {250_000: 250, 1_000_000: 1000}
"""The published time that so many nodes stand for, at the paper's million a second."""


class Size(NamedTuple):
    """The nodes of a move, and how many games a cell has at least."""

    nodes: int
    games: int


SIZES: dict[Scale, tuple[Size, ...]] = {
    "quick": (Size(200, 1),),
    "standard": (Size(10_000, 500),),
    "full": (Size(250_000, 1000), Size(1_000_000, 1000)),
}


def _milliseconds(nodes: int) -> int:
    return MILLISECONDS.get(nodes, 250)


def _why(nodes: int) -> str:
    if nodes in MILLISECONDS:
        return "nodes instead of time, and other tables or set-ups where the paper does not give them"
    return f"{nodes:,} nodes a move, where the paper has about 250,000"


def expected_share(shares: Sequence[float], of: float, level: float) -> Interval:
    """Where the share of another match, of so many games, is expected.

    A won and a lost game are added (A. Agresti and B. Coull 1998), or a match without a loss would be certain.
    """
    mean, deviation, count = moments([*shares, 0.0, 1.0])
    found = sample_mean(mean, deviation, count, of=round(of), level=level)
    return Interval(max(0.0, found.low), min(1.0, found.high))


def _of_cell(results: Sequence[Any], **fields: Any) -> list[Any]:
    return [each for each in results if all(each[name] == value for name, value in fields.items())]


def _match_row(
    here: Sequence[Any], kind: str, against: str, published: tuple[float, float], rows: int, extra: str = ""
) -> Row:
    """The share of a kind in a cell beside the published points of it and of the others."""
    unit = here[0]
    own = [each["points"][kind] for each in here]
    share, games = math.fsum(own) / len(own), sum(published)
    label = (
        f"{unit['game']}, {len(unit['seats'])} players, {unit['nodes']:,} nodes{extra}: "
        f"{NAMES[kind]} against {against}, {len(here):,} games"
    )
    interval = expected_share(own, games, joint_level(rows))
    par = 1 / len(unit["kinds"])
    return by_interval(label, round(published[0] / games, 4), share, interval, par=par, why=_why(unit["nodes"]))


# Tables I and II


def _validation_units(table: int, games: dict[Scale, dict[int, int]]) -> Callable[[Scale], list[Any]]:
    """Only 250 milliseconds are published."""

    def units(scale: Scale) -> list[Any]:
        nodes = SIZES[scale][0].nodes
        found = []
        for row in data.read("schadd-best-reply-validation"):
            if int(row["table"]) == table:
                players = int(row["players"])
                settings: Settings = "basic" if row["settings"] == "basic" else "advanced"
                kinds = ["paranoid", row["opponent"]]
                found += game_units(row["game"], players, kinds, nodes, games[scale][players], settings)
        return found

    return units


def _validation_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    opponent = results[0]["kinds"][1]
    published = [row for row in data.read("schadd-best-reply-validation") if row["opponent"] == opponent]
    rows = []
    for row in published:
        here = [
            each
            for each in _of_cell(results, game=row["game"], settings=row["settings"])
            if len(each["seats"]) == int(row["players"])
        ]
        points = float(row["paranoid"]), float(row["other"])
        extra = f", {row['settings']} settings"
        rows.append(_match_row(here, "paranoid", NAMES[opponent], points, len(published), extra))
    return rows


def _run_identity(unit: dict[str, Any]) -> dict[str, Any]:
    """A game of two players; and whether both searches give the same answer along it."""
    found = play_unit(unit)
    name, nodes, settings = unit["game"], unit["nodes"], unit["settings"]
    here: kb.Position = kb.game(name, players=2).start()
    same = searched = 0
    both = [player(kind, name, 2, nodes, settings) for kind in unit["kinds"]]
    for ply in range(IDENTITY_PLIES):
        if here.over:
            break
        seed = derive(SEED, unit["number"], "identity", ply)
        answers = [each.search(here, seed=seed) for each in both]
        same += len({(each.best, each.value, each.nodes, each.depth) for each in answers}) == 1
        searched += 1
        here = here.play(answers[0].best)
    return {**found, "same": same, "searched": searched}


IDENTITY_PLIES = 8
"""How far both searches of two players are compared in each game."""


def _identity_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    same, searched = (sum(each[name] for each in results) for name in ("same", "searched"))
    return [
        *_validation_rows(scale, results),
        Row(
            label="positions of two players in which both find the same move and value with the same nodes",
            published=f"all {searched:,}",
            measured=f"{same:,} of {searched:,}",
            verdict="holds" if same == searched else "fails",
            why="" if same == searched else "with two players both are alpha-beta",
        ),
    ]


# Table III


def _depth_units(scale: Scale) -> list[Any]:
    """Games in which all three kinds have seats."""
    games = {"quick": 1, "standard": 36, "full": 100}[scale]
    return [
        unit
        for size in SIZES[scale]
        for name, players in CELLS
        # neighbouring seatings are much alike where there are many
        for unit in game_units(name, players, list(NAMES), size.nodes, 7 * games)[::7][:games]
    ]


def _depth_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    published = {
        (row["game"], int(row["players"]), int(row["milliseconds"])): row
        for row in data.read("schadd-best-reply-depths")
    }
    rows = []
    for size in SIZES[scale]:
        for name, players in CELLS:
            here = [each for each in _of_cell(results, game=name, nodes=size.nodes) if len(each["seats"]) == players]
            known = published[name, players, _milliseconds(size.nodes)]
            label = f"{name}, {players} players, {size.nodes:,} nodes"
            depths = {}
            for kind in NAMES:
                searches = sum(each["searches"].get(kind, 0) for each in here)
                total = sum(each["depths"].get(kind, 0) for each in here)
                if searches:
                    depths[kind] = total / searches
                    rows.append(
                        Row(
                            label=f"{label}: depth of {NAMES[kind]}, {searches:,} searches",
                            published=float(known[kind]),
                            measured=round(depths[kind], 2),
                            verdict="measured",
                            why="" if size.nodes in MILLISECONDS else _why(size.nodes),
                        )
                    )
            printed = {NAMES[kind]: float(known[kind]) for kind in depths}
            own = {NAMES[kind]: depth for kind, depth in depths.items()}
            about = {kind: Interval(depth - 0.25, depth + 0.25) for kind, depth in own.items()}
            rows.append(by_order(f"{label}: order of the depths", printed, own, about))
    return rows


# Tables IV and V


def _match_units(opponent: str) -> Callable[[Scale], list[Any]]:
    def units(scale: Scale) -> list[Any]:
        return [
            unit
            for size in SIZES[scale]
            for name, players in CELLS
            for unit in game_units(name, players, ["bestreply", opponent], size.nodes, size.games)
            # a round of six players is too long for seconds
            if scale != "quick" or unit["number"] < QUICK_GAMES
        ]

    return units


QUICK_GAMES = 14


def _match_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    opponent = results[0]["kinds"][1]
    table = [row for row in data.read("schadd-best-reply-matches") if row["opponent"] == opponent]
    published = {(row["game"], int(row["players"]), int(row["milliseconds"])): row for row in table}
    rows = []
    for size in SIZES[scale]:
        for name, players in CELLS:
            here = [each for each in _of_cell(results, game=name, nodes=size.nodes) if len(each["seats"]) == players]
            known = published[name, players, _milliseconds(size.nodes)]
            points = float(known["bestreply"]), float(known["other"])
            rows.append(_match_row(here, "bestreply", NAMES[opponent], points, len(CELLS)))
    lengths = {name: moments([each["plies"] for each in _of_cell(results, game=name)]) for name, _ in CELLS}
    rows += [
        Row(label=f"{name}: mean length of all games in plies", measured=round(length[0], 1), verdict="measured")
        for name, length in lengths.items()
    ]
    rows.append(_erratum(table))
    return rows


def _erratum(table: Sequence[dict[str, str]]) -> Row:
    """By how many games the printed percentages of six players were divided."""
    six = [row for row in table if row["players"] == "6"]
    played = {round(float(row["bestreply"]) + float(row["other"])) for row in six}
    divisors = [
        games
        for games in range(900, 1200)
        if all(abs(100 * float(row["bestreply"]) / games - float(row["percent"])) <= 0.05 for row in six)
    ]
    (games,) = played
    fits = games in divisors
    return Row(
        label="six players: games by which the printed percentages were divided",
        published=games,
        measured=" or ".join(map(str, divisors)),
        verdict="agrees" if fits else "differs",
        why="" if fits else "an erratum: four players have 1,008 games; percentages here are points over games",
    )


# Table VI


def _three_units(scale: Scale) -> list[Any]:
    return [
        unit
        for size in SIZES[scale]
        for name in ("chinese-checkers", "focus", "rolit")
        for unit in game_units(name, 3, list(NAMES), size.nodes, size.games)
    ]


def _three_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    published = {(row["game"], int(row["milliseconds"])): row for row in data.read("schadd-best-reply-three")}
    rows = []
    for size in SIZES[scale]:
        for name in ("chinese-checkers", "focus", "rolit"):
            here = _of_cell(results, game=name, nodes=size.nodes)
            known = published[name, _milliseconds(size.nodes)]
            points = {kind: float(known[kind]) for kind in NAMES}
            games = sum(points.values())
            for kind, own in points.items():
                rows.append(_match_row(here, kind, "the two others", (own, games - own), 9))
            shares = {kind: [each["points"][kind] for each in here] for kind in NAMES}
            rows.append(
                by_order(
                    f"{name}, {size.nodes:,} nodes: order of the three",
                    {NAMES[kind]: own for kind, own in points.items()},
                    {NAMES[kind]: math.fsum(own) / len(own) for kind, own in shares.items()},
                    {NAMES[kind]: expected_share(own, games, 0.95) for kind, own in shares.items()},
                    why=_why(size.nodes),
                )
            )
    return rows


# Rolit with other evaluations

EVALUATIONS = ("patterns", "discs")


def _evaluation_units(scale: Scale) -> list[Any]:
    """Games of Rolit like those of table IV, with each evaluation."""
    size = {"quick": Size(200, 6), "standard": Size(10_000, 500), "full": Size(50_000, 1000)}[scale]
    return [
        {**unit, "options": {"evaluation": evaluation}}
        for evaluation in EVALUATIONS
        for name, players in CELLS
        if name == "rolit"
        for unit in game_units(name, players, ["bestreply", "maxn"], size.nodes, size.games)
    ]


def _evaluation_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    published = {
        int(row["players"]): (float(row["bestreply"]), float(row["other"]))
        for row in data.read("schadd-best-reply-matches")
        if (row["game"], row["opponent"], row["milliseconds"]) == ("rolit", "maxn", "250")
    }
    rows = []
    for evaluation in EVALUATIONS:
        for players, points in published.items():
            here = [
                each for each in _of_cell(results, options={"evaluation": evaluation}) if len(each["seats"]) == players
            ]
            rows.append(_match_row(here, "bestreply", "maxⁿ", points, 4, f", evaluation={evaluation}"))
    return rows


NOTE = (
    "All ways in which all kinds have seats are played equally often, draws are shared as in the paper, the random "
    "term of the evaluation is drawn again for every search. Equal nodes stand for the paper's equal time."
)

EXPERIMENTS = (
    Experiment(
        id="best-reply-table-1",
        title="Paranoid against maxⁿ in Chinese Checkers",
        paper=PAPER,
        table="Table I",
        units=_validation_units(1, {"quick": {2: 4, 3: 6}, "standard": {2: 500, 3: 504}, "full": {2: 1000, 3: 600}}),
        run=play_unit,
        summarize=_validation_rows,
        seconds={"quick": 2, "standard": 420, "full": 17_000},
        seed=SEED,
        note=NOTE + " With two players maxⁿ is not minimax, since both make large what they have themselves.",
    ),
    Experiment(
        id="best-reply-table-2",
        title="Paranoid against best-reply search with two players",
        paper=PAPER,
        table="Table II",
        units=_validation_units(2, {"quick": {2: 4}, "standard": {2: 200}, "full": {2: 1000}}),
        run=_run_identity,
        summarize=_identity_rows,
        seconds={"quick": 1, "standard": 280, "full": 35_000},
        seed=SEED,
        note=NOTE + " With two players both are the same search, so that half of the points is expected exactly.",
    ),
    Experiment(
        id="best-reply-table-3",
        title="Average depth of maxⁿ, paranoid and best-reply search",
        paper=PAPER,
        table="Table III",
        units=_depth_units,
        run=play_unit,
        summarize=_depth_rows,
        seconds={"quick": 1, "standard": 95, "full": 32_000},
        seed=SEED,
        note="Depths that were completed, in searches that used up their nodes, of games in which all three have seats."
        " Published are depths by time, so that ours are beside them and not judged; their order is, where it is more "
        "than half a ply.",
    ),
    Experiment(
        id="best-reply-table-4",
        title="Best-reply search against maxⁿ",
        paper=PAPER,
        table="Table IV",
        units=_match_units("maxn"),
        run=play_unit,
        summarize=_match_rows,
        seconds={"quick": 4, "standard": 1200, "full": 300_000},
        seed=SEED,
        note=NOTE,
    ),
    Experiment(
        id="best-reply-table-5",
        title="Best-reply search against paranoid",
        paper=PAPER,
        table="Table V",
        units=_match_units("paranoid"),
        run=play_unit,
        summarize=_match_rows,
        seconds={"quick": 6, "standard": 1400, "full": 350_000},
        seed=SEED,
        note=NOTE,
    ),
    Experiment(
        id="best-reply-table-6",
        title="Best-reply search, paranoid and maxⁿ in one game",
        paper=PAPER,
        table="Table VI",
        units=_three_units,
        run=play_unit,
        summarize=_three_rows,
        seconds={"quick": 1, "standard": 400, "full": 100_000},
        seed=SEED,
        note=NOTE + " Equal strength is a third. The published row of Chinese Checkers with 5,000 milliseconds adds up "
        "to 1,017 games of 1,002.",
    ),
    Experiment(
        id="best-reply-rolit-evaluations",
        title="Best-reply search against maxⁿ in Rolit, by the evaluation",
        paper=PAPER,
        table="Table IV, Rolit",
        units=_evaluation_units,
        run=play_unit,
        summarize=_evaluation_rows,
        seconds={"quick": 2, "standard": 360, "full": 3600},
        seed=SEED,
        note=NOTE + " The tables of patterns of the paper were learned from games of people, ours from games that the "
        "program played against itself. With balls that are counted best-reply search is as far ahead as published; "
        "with our tables it is not: how much the search matters depends on what it is given.",
    ),
)
