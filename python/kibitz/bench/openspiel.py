"""OpenSpiel, the peer of most measurements. It is not a dependency of kibitz: without it only ours is measured."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import itertools
from collections.abc import Callable
from typing import Any

NAME = "OpenSpiel C++"
MISSING = "pyspiel not installed"

GAMES = {
    "breakthrough": "breakthrough",
    "othello": "othello",
    "connect-four": "connect_four",
    "tic-tac-toe": "tic_tac_toe",
}
"""The games that both have, by our name and theirs, with the same default rules."""

MEGABYTES = 2000
"""The memory that its trees may use: more than any search here needs."""


def installed() -> bool:
    """Whether OpenSpiel can be imported."""
    return importlib.util.find_spec("pyspiel") is not None


def load(name: str) -> Any:
    """One of its games."""
    import pyspiel

    return pyspiel.load_game(name)


def rollouts(name: str, count: int) -> Callable[[], object]:
    """A call that plays `count` random games in C++: one simulation whose leaf is evaluated by that many rollouts."""
    import pyspiel

    game = load(name)
    evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, MEGABYTES, False, 1, False)
    start = game.new_initial_state()
    return lambda: bot.mcts_search(start)


def mcts(game: Any, c: float, simulations: int) -> Callable[[], object]:
    """A call of its C++ MCTS with one random rollout a simulation and no proven values, with a new seed every time.

    Its results lie between -1 and 1 and ours between 0 and 1, so the same exploration is twice the constant.
    """
    import pyspiel

    start = game.new_initial_state()
    seeds = itertools.count(1)

    def search() -> object:
        seed = next(seeds)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 2 * c, simulations, MEGABYTES, False, seed, False)
        return bot.mcts_search(start)

    return search


def version() -> str | None:
    """The version that is installed."""
    if not installed():
        return None
    try:
        return importlib.metadata.version("open_spiel")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
