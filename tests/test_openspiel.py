"""The rules against OpenSpiel: the same moves, counts and results from the start and on 200 random positions a game."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import kibitz as kb
import pytest

pyspiel = pytest.importorskip("pyspiel")


class Pair(NamedTuple):
    """One game in both libraries, and how OpenSpiel's actions are written here."""

    ours: str
    theirs: str
    #: The notation of an action of their state, given our position.
    notation: Callable[[Any, int, kb.Position], str]
    start_depth: int
    depth: int


def plain(text: str) -> str:
    """Their breakthrough and ours mark captures differently; the squares say it all."""
    return text.replace("-", "").replace("x", "").replace("*", "")


def square_of_grid(rows: int, cols: int) -> Callable[[Any, int, kb.Position], str]:
    return lambda state, action, position: f"{chr(ord('a') + action % cols)}{rows - action // cols}"


def mirrored(rows: int) -> Callable[[Any, int, kb.Position], str]:
    """OpenSpiel lets the side at the top begin."""

    def notation(state: Any, action: int, position: kb.Position) -> str:
        text = plain(state.action_to_string(state.current_player(), action))
        return f"{text[0]}{rows + 1 - int(text[1])}{text[2]}{rows + 1 - int(text[3])}"

    return notation


def column(state: Any, action: int, position: kb.Position) -> str:
    return str(action + 1)


def own_text(state: Any, action: int, position: kb.Position) -> str:
    return state.action_to_string(state.current_player(), action)


def card_or_bet(state: Any, action: int, position: kb.Position) -> str:
    return "JQK"[action] if position.turn == "chance" else position.moves[action]


def pile_and_take(state: Any, action: int, position: kb.Position) -> str:
    text = state.action_to_string(state.current_player(), action)
    return text.replace("pile:", "").replace(", take:", ":").rstrip(";")


PAIRS = [
    Pair("tic-tac-toe", "tic_tac_toe", square_of_grid(3, 3), 9, 3),
    Pair("mnk:rows=5,cols=4,k=4", "mnk(m=4,n=5,k=4)", square_of_grid(5, 4), 3, 2),
    Pair("connect-four", "connect_four", column, 7, 4),
    Pair("connect-four:rows=5,cols=4", "connect_four(rows=5,columns=4)", column, 7, 3),
    Pair("breakthrough", "breakthrough", mirrored(8), 5, 3),
    Pair("breakthrough:rows=6,cols=6", "breakthrough(rows=6,columns=6)", mirrored(6), 4, 3),
    Pair("breakthrough:rows=7,cols=5", "breakthrough(rows=7,columns=5)", mirrored(7), 4, 2),
    Pair("othello", "othello", own_text, 7, 4),
    Pair("kuhn-poker", "kuhn_poker", card_or_bet, 6, 3),
    Pair("nim:misere=true", "nim(pile_sizes=3;4;5)", pile_and_take, 5, 3),
    Pair("nim:piles=1-3-5-7", "nim(pile_sizes=1;3;5;7,is_misere=false)", pile_and_take, 4, 2),
]
each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.ours)


def their_perft(state: Any, depth: int) -> int:
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(their_perft(state.child(action), depth - 1) for action in actions)


@each_pair
def test_counts_from_the_start_agree(pair: Pair) -> None:
    state, position = pyspiel.load_game(pair.theirs).new_initial_state(), kb.game(pair.ours).start()
    for depth in range(1, pair.start_depth + 1):
        assert kb.perft(position, depth) == their_perft(state, depth)


@each_pair
def test_moves_counts_and_results_agree_on_random_positions(pair: Pair) -> None:
    chance = random.Random(pair.ours)
    game, theirs = kb.game(pair.ours), pyspiel.load_game(pair.theirs)
    counted = 0
    while counted < 200:
        state, position = theirs.new_initial_state(), game.start()
        lengths = kb.playouts(position, 64).plies
        count_at = chance.randrange(int(1.2 * lengths) + 1)
        ply = 0
        while not state.is_terminal():
            assert not position.over
            actions = {plain(pair.notation(state, action, position)): action for action in state.legal_actions()}
            assert {plain(move) for move in position.moves} == set(actions), str(position)
            assert position.turn == ("chance" if state.is_chance_node() else state.current_player())
            if ply == count_at:
                assert kb.perft(position, pair.depth) == their_perft(state, pair.depth), str(position)
                counted += 1
            move = chance.choice(position.moves)
            state.apply_action(actions[plain(move)])
            position = position.play(move)
            ply += 1
        assert position.over
        assert position.result == tuple(state.returns()), str(position)
