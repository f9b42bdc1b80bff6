"""Self-checks: identities between algorithms that hold without exception, on many random cases."""

from __future__ import annotations

import random
from typing import Any

import kibitz as kb
from kibitz.experiments.experiment import Scale, SelfCheck

__all__ = ["EXPERIMENTS"]

# Alpha-beta equals minimax

VARIANTS = (
    kb.AlphaBeta(),
    kb.AlphaBeta(tt_exact=True),
    kb.AlphaBeta(tt_mb=1, replacement="always"),
    kb.AlphaBeta(deepening=False, tt_mb=0, etc=False, killers=False, history=False, hints=False),
)


def _trees(scale: Scale) -> list[dict[str, int]]:
    count = {"quick": 400, "standard": 20_000, "full": 200_000}[scale]
    return [{"seed": seed} for seed in range(1, count + 1)]


def _same_as_minimax(case: dict[str, int]) -> str | None:
    pick = random.Random(case["seed"])
    width, depth = pick.choice([(2, 8), (2, 9), (3, 5), (3, 6), (4, 4), (5, 4), (7, 3), (12, 2)])
    game = kb.game(
        "random-tree",
        width=width,
        depth=depth,
        range=pick.choice([1, 2, 10, 80, 800]),
        players=pick.choice([1, 2, 2, 2]),
        # With fewer states than nodes paths meet, and the table has something to say.
        states=pick.choice([0, 0, 3, 8, 20]),
        seed=case["seed"],
    )
    exact = kb.Minimax().search(game.start()).value
    for variant in VARIANTS:
        found = variant.search(game.start()).value
        if found != exact:
            return f"{game}: {variant} finds {found:g}, minimax {exact:g}"
    return None


# The solver of UCT

SMALL = (("tic-tac-toe", 1), ("tic-tac-toe", 2), ("connect-four:rows=4,cols=4", 6), ("connect-four:rows=4,cols=4", 8))
"""Games and the number of random moves after which UCT can prove what is left."""


def _positions(scale: Scale) -> list[dict[str, Any]]:
    count = {"quick": 100, "standard": 5_000, "full": 50_000}[scale]
    return [{"game": game, "plies": plies, "seed": seed} for seed in range(1, count + 1) for game, plies in SMALL]


def _proves_the_value(case: dict[str, Any]) -> str | None:
    pick = random.Random(case["seed"])
    position: kb.Position = kb.game(case["game"]).start()
    for _ in range(case["plies"]):
        after = position.play(pick.choice(position.moves))
        # A game that is over proves nothing.
        position = position if after.over else after
    found = kb.Uct(simulations=200_000, seed=case["seed"]).search(position)
    exact = kb.AlphaBeta().search(position)
    if not found.proven:
        return f"{case['game']} {position}: nothing is proven after 200,000 simulations"
    if found.value != exact.value:
        return f"{case['game']} {position}: UCT proves {found.value:g}, alpha-beta {exact.value:g}"
    return None


# The Star family equals Expectimax

STARS = (
    kb.Star1(tt_mb=0),
    kb.Star2(tt_mb=0, deepening=False),
    kb.Star2(same_depth=True),
    kb.Star25(probes=2, schedule="sequential", same_depth=True),
)


def _same_as_expectimax(case: dict[str, int]) -> str | None:
    pick = random.Random(case["seed"])
    depth = pick.choice([2, 3, 4])
    game = kb.game(
        "random-tree",
        width=pick.randrange(1, 5),
        depth=depth,
        events=pick.randrange(1, 5),
        chance=pick.choice(["uniform", "random"]),
        range=pick.choice([4, 20, 1000]),
        players=pick.choice([1, 2, 2, 2]),
        states=pick.choice([0, 0, 6]),
        seed=case["seed"],
    )
    plies = pick.randrange(1, 2 * depth)
    exact = kb.Expectimax(depth=plies).search(game.start()).value
    for variant in STARS:
        found = variant.search(game.start(), depth=plies).value
        if abs(found - exact) > 1e-9 * (1 + abs(exact)):
            return f"{game}: {variant} to depth {plies} finds {found:g}, Expectimax {exact:g}"
    return None


EXPERIMENTS = (
    SelfCheck(
        id="alphabeta-equals-minimax",
        statement="Alpha-beta with and without its enhancements has minimax's value on random trees and graphs",
        cases=_trees,
        check=_same_as_minimax,
        seconds={"quick": 0.3, "standard": 12, "full": 120},
        seed=1,
    ),
    SelfCheck(
        id="star-equals-expectimax",
        statement="Star1, Star2 and Star2.5 have Expectimax's value on random trees and graphs with chance nodes",
        cases=_trees,
        check=_same_as_expectimax,
        seconds={"quick": 0.5, "standard": 20, "full": 200},
        paper="B. Ballard, *The \\*-minimax search procedure for trees containing chance nodes*, 1983",
        seed=1,
    ),
    SelfCheck(
        id="uct-solver-equals-alphabeta",
        statement="UCT proves small positions, with alpha-beta's value",
        cases=_positions,
        check=_proves_the_value,
        seconds={"quick": 1, "standard": 40, "full": 400},
        paper="M. Winands, Y. Björnsson and J.-T. Saito, *Monte-Carlo Tree Search Solver*, CG 2008",
        seed=1,
    ),
)
