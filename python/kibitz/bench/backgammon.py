"""Backgammon: full generations of plays a second beside OpenSpiel, and what the evaluations cost."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from typing import Any

import kibitz as kb
from kibitz.bench import openspiel
from kibitz.bench.rows import Asked, Effort, Row, rate, side_by_side

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5 / A rolls"
GENERATIONS = 21 + 447 * 21
"""How often the plays of a throw are made when two turns from the start are counted."""

LEAVES = {"network": 1_000_000.0, "linear": None, "pips": None}
"""The evaluations, and how many leaves a second were asked for."""

CONTACT = "24:2 13:4 10:1 8:3 6:5 / 24:1 20:1 13:5 8:3 6:5 / A 42"


def rows(effort: Effort) -> Iterator[Row]:
    """One row for the generation of plays, one for the leaves of a search with each evaluation."""
    start = kb.game("backgammon", evaluation="pips").position(START)
    count = 10 if effort.quick else 200
    theirs = _generations(count) if openspiel.installed() else None
    mine, other = side_by_side(
        effort.rounds,
        functools.partial(rate, GENERATIONS, functools.partial(kb.perft, start, 4), effort.seconds),
        functools.partial(rate, count, theirs, effort.seconds) if theirs else None,
    )
    yield Row(
        "backgammon",
        "all plays of a throw",
        "1/s",
        mine,
        other,
        openspiel.NAME,
        Asked("ratio", least=20.0),
        "" if theirs else openspiel.MISSING,
    )
    for evaluation, least in LEAVES.items():
        position = kb.game("backgammon", evaluation=evaluation).position(CONTACT)
        search = kb.Expectimax(depth=3)
        leaves = int(search.search(position).stats["leaves"])
        act = functools.partial(search.search, position)
        mine, _ = side_by_side(effort.rounds, functools.partial(rate, leaves, act, effort.seconds), None)
        asked = None if least is None else Asked("ours", least=least)
        yield Row(
            "backgammon", f"leaves of Expectimax, {evaluation}", "1/s", mine, asked=asked, note=f"{leaves:,} leaves"
        )


def _generations(count: int) -> Callable[[], object]:
    """A call that lists all plays in so many of OpenSpiel's states after a throw; doublets are two of its turns."""
    chance = random.Random(1)
    game = openspiel.load("backgammon")
    states: list[Any] = []
    while len(states) < count:
        state = game.new_initial_state()
        while not state.is_terminal():
            thrown = state.is_chance_node()
            state.apply_action(chance.choice(state.legal_actions()))
            if thrown:
                states.append(state.clone())
    states = chance.sample(states, count)

    def generate() -> None:
        for state in states:
            actions = state.legal_actions()
            player = state.current_player()
            dice = str(state).split("Dice: ")[1][:2]
            for action in actions if dice[0] == dice[1] else ():
                child = state.child(action)
                if not child.is_terminal() and child.current_player() == player:
                    child.legal_actions()

    return generate
