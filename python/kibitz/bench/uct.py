"""UCT simulations a second with random rollouts, at the size of one move of a game and at the size of an analysis."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import kibitz as kb
from kibitz.bench import openspiel
from kibitz.bench.playouts import ASKED
from kibitz.bench.rows import Asked, Effort, Row, rates

C = math.sqrt(2)
"""The constant of exploration, for results between 0 and 1."""


def search(position: kb.Position, simulations: int) -> Callable[[], object]:
    """A call of our UCT without proven values, with a new seed every time."""
    seeds = itertools.count(1)
    method = kb.Uct(simulations=simulations, solver=False, c=C)
    return lambda: method.search(position, seed=next(seeds))


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each size and each game that both have."""
    for n in (1_000,) if effort.quick else (1_000, 20_000):
        for name, their_name in openspiel.GAMES.items():
            ours = search(kb.game(name).start(), n)
            theirs = openspiel.mcts(openspiel.load(their_name), C, n) if openspiel.installed() else None
            mine, other = rates(effort, n, ours, theirs)
            yield Row(
                "uct",
                f"UCT simulations, {name}, n = {n:,}",
                "1/s",
                mine,
                other,
                openspiel.NAME,
                Asked("ratio", least=ASKED[name]),
                "" if theirs else openspiel.MISSING,
                {"simulations": n, "c": C},
            )
