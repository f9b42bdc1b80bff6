"""Random games a second."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import kibitz as kb
from kibitz.bench import openspiel
from kibitz.bench.rows import Asked, Effort, Row, rates

ASKED = {"breakthrough": 20.0, "othello": 20.0, "connect-four": 8.0, "tic-tac-toe": 8.0}
"""How many times faster than OpenSpiel's C++ we have to be."""

ALONE = {"crossings": 30_000.0, "epaminondas": 3_000.0}
"""Games that OpenSpiel does not have: how many random games a second we have to play."""


BY_STRATEGY = {("samegame", "tabu-color-random"): 25_000.0}
"""Games that are played by a strategy of their own: how many games a second were asked for."""

NO_PEER = "no package on PyPI or crates.io plays it"


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each game that both have, and one for each of ours whose speed was asked for."""
    count = 500 if effort.quick else 5_000
    for name, their_name in openspiel.GAMES.items():
        start = kb.game(name).start()
        theirs = openspiel.rollouts(their_name, count) if openspiel.installed() else None
        mine, other = rates(effort, count, functools.partial(kb.playouts, start, count, seed=1), theirs)
        yield Row(
            "playouts",
            f"random playouts, {name}",
            "1/s",
            mine,
            other,
            openspiel.NAME,
            Asked("ratio", least=ASKED[name]),
            "" if theirs else openspiel.MISSING,
        )
    count //= 10
    for name, least in ALONE.items():
        start = kb.game(name).start()
        mine, _ = rates(effort, count, functools.partial(kb.playouts, start, count, seed=1), None)
        yield Row("playouts", f"random playouts, {name}", "1/s", mine, asked=Asked("ours", least=least))
    for (name, strategy), least in BY_STRATEGY.items():
        start = kb.game(name).start()
        play = functools.partial(kb.playouts, start, count, seed=1, strategy=strategy)
        mine, _ = rates(effort, count, play, None)
        what = f"{strategy} playouts, {name}"
        yield Row("playouts", what, "1/s", mine, asked=Asked("ours", least=least), note=NO_PEER)
