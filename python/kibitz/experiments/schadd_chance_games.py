"""The size of Stratego, Dice and ChanceBreakthrough: length, branching, events of chance, and numbers of positions."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from math import comb, factorial, perm
from typing import Any

import kibitz as kb
from kibitz import stratego
from kibitz.arena.estimators import jackknife
from kibitz.arena.playing import derive
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, exactly

__all__ = ["EXPERIMENTS", "breakthrough_positions", "game_statistics", "stratego_positions"]

THESIS = (
    "M. P. D. Schadd, *Selective Search in Games of Different Complexity*, PhD thesis, Maastricht University 2011, "
    "chapter 5"
)
SEED = 5

SPECS = {
    "stratego": "stratego:white=free,black=free",
    "dice": "dice:size=11",
    "dice, k = 6": "dice:size=11,k=6",
    "chance-breakthrough": "chance-breakthrough",
}
NOISE = {"stratego": 5, "dice": 100, "dice, k = 6": 100, "chance-breakthrough": 5}
"""The random term of each evaluation, as in the thesis: half a Scout, a tenth of a checker, five points."""

NODES: dict[str, int] = {"stratego": 1000, "dice": 3000, "dice, k = 6": 3000, "chance-breakthrough": 3000}
"""The nodes of a search. The thesis has human games of Stratego, and does not say how its Dice players searched."""

GAMES: dict[Scale, dict[tuple[str, str], int]] = {
    "quick": {("stratego", "star2"): 2, ("dice", "star2"): 4, ("chance-breakthrough", "star2"): 4},
    "standard": {
        ("stratego", "star2"): 200,
        ("stratego", "random"): 400,
        ("dice", "star2"): 400,
        ("dice", "random"): 1000,
        ("dice, k = 6", "star2"): 400,
        ("chance-breakthrough", "star2"): 400,
        ("chance-breakthrough", "random"): 1000,
    },
    "full": {(game, player): 4500 if game == "stratego" else 1000 for game in SPECS for player in ("star2", "random")},
}
BATCH = 2


def _units(scale: Scale) -> list[dict[str, Any]]:
    return [
        {"game": game, "player": player, "first": first, "games": BATCH}
        for (game, player), games in GAMES[scale].items()
        for first in range(0, games, BATCH)
    ]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    return game_statistics(unit["game"], unit["player"], unit["first"], unit["games"])


def _start(game: str, index: int) -> kb.Position:
    if game == "stratego":
        return stratego.start(stratego.drawn(derive(SEED, index, 0)), stratego.drawn(derive(SEED, index, 1)))
    return kb.game(SPECS[game]).start()


def _choose(game: str, player: str, position: kb.Position, seed: int) -> Any:
    if player == "random":
        return random.Random(seed).choice(position.moves)
    options = {"noise": NOISE[game], "seed": seed >> 1}
    return (
        kb.Star2(nodes=NODES[game], tt_mb=1, chance_plies=game.startswith("dice"), options=options)
        .search(position)
        .best
    )


def game_statistics(game: str, player: str, first: int, games: int) -> dict[str, Any]:
    """Sums over games of a player against itself: plies, legal moves, chance nodes and their outcomes, draws.

    The chance nodes of Stratego are the attacks on pieces that the attacker has not seen, those of ChanceBreakthrough
    the rolls that are made; `pieces` are there at each ply, which with one more are the events of a roll that a search
    meets.
    """
    sums = {"plies": 0, "moves": 0, "nodes": 0, "events": 0, "draws": 0, "pieces": 0}
    for index in range(first, first + games):
        lot = random.Random(derive(SEED, game, player, index))
        position = _start(game, index)
        while not position.over:
            if position.turn == "chance":
                sums["nodes"] += 1
                sums["events"] += len(position.outcomes)
                outcomes, weights = zip(*position.outcomes, strict=True)
                position = position.play(lot.choices(outcomes, weights)[0])
                continue
            sums["plies"] += 1
            sums["moves"] += len(position.moves)
            move = _choose(game, player, position, lot.getrandbits(62))
            if game == "chance-breakthrough":
                sums["pieces"] += len(position.play("roll").outcomes) - 1
            elif game == "stratego" and "x" in move:
                known = position.game.position(position.view()).play(move)
                if known.turn == "chance":
                    sums["nodes"] += 1
                    sums["events"] += len(known.outcomes)
            position = position.play(move)
        sums["draws"] += position.result == (0, 0)
    return {"game": game, "player": player, "games": games, **sums}


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    import numpy as np

    published = {row["game"]: row for row in data.read("schadd-chance-games")}
    rows = []
    groups: dict[tuple[str, str], list[Any]] = {}
    for result in results:
        groups.setdefault((result["game"], result["player"]), []).append(result)
    for (game, player), units in groups.items():
        table = published[game.partition(",")[0]]
        games = sum(unit["games"] for unit in units)
        columns = ("games", "plies", "moves", "nodes", "events", "draws")
        sums = np.array([[unit[column] for column in columns] for unit in units], dtype=float)
        estimates = {
            "length": jackknife(sums, lambda games, plies, *_: plies / games),
            "branching": jackknife(sums, lambda _games, plies, moves, *_: moves / plies),
            "events": jackknife(
                sums, lambda _games, _plies, _moves, nodes, events, _draws: events / np.maximum(nodes, 1)
            ),
        }
        if game == "stratego":
            estimates["attacks"] = jackknife(sums, lambda games, _plies, _moves, nodes, *_: nodes / games)
        name = f"{game}, {player}, {games:,} games"
        why = _WHY[game.partition(",")[0]]
        for column, estimate in estimates.items():
            value = float(table[column])
            # published as whole numbers
            interval = Interval(estimate.low - 0.5, estimate.high + 0.5)
            rows.append(by_interval(f"{name}: {_LABELS[column]}", value, estimate.value, interval, why=why))
        if game == "chance-breakthrough":
            met = sum(unit["pieces"] for unit in units) / sum(unit["plies"] for unit in units) + 1
            rows.append(Row(label=f"{name}: events of a roll at any ply", measured=round(met, 2), verdict="measured"))
            made = sum(unit["nodes"] for unit in units) / games
            rows.append(Row(label=f"{name}: rolls in a game", measured=round(made, 2), verdict="measured"))
        draws = sum(unit["draws"] for unit in units) / games
        rows.append(Row(label=f"{name}: share of draws", measured=round(draws, 4), verdict="measured"))
    for row in published.values():
        rows.append(
            exactly(f"{row['game']}: game tree of these figures, log10", float(row["tree"]), _tree(row), places=0)
        )
    rows.append(exactly("dice on 11 by 11: 3^121, log10", 58.0, 121 * math.log10(3), places=0))
    rows.append(
        exactly("chance-breakthrough: positions, reference", 39755670348077029794725914, breakthrough_positions())
    )
    rows.append(
        exactly(
            "stratego: positions by formula 5.8, log10",
            115.0,
            math.log10(stratego_positions()),
            places=0,
            why="the formula with all numbers of pieces from none to all gives less than the thesis says",
        )
    )
    return rows


_WHY = {
    "stratego": "the games of the source are those of people",
    "dice": "neither the strength of the players nor the rule for full lines is published",
    "chance-breakthrough": "the source has five seconds a move, and does not say where it counts events",
}
_LABELS = {
    "length": "plies",
    "branching": "legal moves",
    "events": "events of a chance node",
    "attacks": "attacks on unknown pieces",
}


def _tree(row: dict[str, str]) -> float:
    """The logarithm of the size of the game tree as the thesis multiplies it up."""
    length, branching, events = (float(row[name]) for name in ("length", "branching", "events"))
    if row["game"] == "chance-breakthrough":
        return length * math.log10(branching + events)
    nodes = float(row["attacks"]) if row["game"] == "stratego" else length
    return length * math.log10(branching) + nodes * math.log10(events)


def breakthrough_positions() -> int:
    """Boards with up to 16 pieces a side, White's not on Black's first row and Black's not on White's."""
    private, shared, most = 8, 48, 16
    return sum(
        comb(private, white_home) * comb(shared, white) * comb(private, black_home) * comb(shared - white, black)
        for white_home in range(private + 1)
        for white in range(most - white_home + 1)
        for black_home in range(private + 1)
        for black in range(most - black_home + 1)
    )


def stratego_positions() -> int:
    """Formula 5.8: a Flag on each side, any of the Bombs beside it, and any of the pieces that move anywhere else."""
    bombs, home, squares = 6, 39, 90
    # the coefficient of x^n is the sum over all choices of n pieces of one over the orders of equal ones
    ways = [Fraction(1)]
    for count in (1, 1, 2, 3, 4, 4, 4, 5, 8, 1) * 2:
        longer = [Fraction(0)] * (len(ways) + count)
        for pieces, value in enumerate(ways):
            for more in range(count + 1):
                longer[pieces + more] += value / factorial(more)
        ways = longer
    total = Fraction(0)
    for own in range(bombs + 1):
        for other in range(bombs + 1):
            left = squares - own - other
            placements = sum((value * perm(left, pieces) for pieces, value in enumerate(ways)), Fraction(0))
            total += comb(home, own) * comb(home, other) * placements
    return int(1600 * total)


EXPERIMENTS = (
    Experiment(
        id="schadd-chance-games",
        title="The size of Stratego, Dice and ChanceBreakthrough",
        paper=THESIS,
        table="section 5.5",
        units=_units,
        run=_run,
        summarize=_rows,
        seconds={"quick": 5, "standard": 500, "full": 3500},
        seed=SEED,
        note=(
            "The thesis has 4,500 human games of Stratego, 1,000 computer games of Dice on 11 by 11 cells and 1,000 "
            "games of ChanceBreakthrough at five seconds a move. Here Star2 plays itself with a few thousand nodes a "
            "move and the random terms of the thesis, Stratego from set-ups drawn by lot with a walled Flag; 200 moves "
            "of Stratego without a capture are a draw."
        ),
    ),
)
