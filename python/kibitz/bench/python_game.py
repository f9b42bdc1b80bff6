"""A game written in Python under our UCT and under OpenSpiel's C++ MCTS, with the same rule code on both sides."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.bench import openspiel, uct
from kibitz.bench.rows import Asked, Effort, Row, rates
from kibitz.bench.tic_tac_toe import TicTacToe, openspiel_game


def rows(effort: Effort) -> Iterator[Row]:
    """Simulations a second."""
    n = 200 if effort.quick else 2_000
    ours = uct.search(TicTacToe().start(), n)
    theirs = openspiel.mcts(openspiel_game(), uct.C, n) if openspiel.installed() else None
    mine, other = rates(effort, n, ours, theirs)
    yield Row(
        "python",
        f"UCT simulations, tic-tac-toe in Python, n = {n:,}",
        "1/s",
        mine,
        other,
        openspiel.NAME,
        Asked("ratio", least=3.0),
        "same rule code on both sides" if theirs else openspiel.MISSING,
        {"simulations": n, "c": uct.C},
    )
