"""The rules against OpenSpiel: the same moves, counts and results from the start and on random positions of a game."""

from __future__ import annotations

import random
import re
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


LINES_OF_ACTION = kb.game("lines-of-action", simultaneous="mover")


def board_of(position: kb.Position) -> str:
    """The position without the side to move: in OpenSpiel the second occurrence of a board ends the game."""
    return str(position)[:-2]


def perft_without_repetition(position: kb.Position, depth: int, seen: frozenset[str]) -> int:
    """Our count by its rules: no move after a board that was there before, and no pass."""
    if position.over or board_of(position) in seen or position.moves == ["pass"]:
        return 0
    if depth == 1:
        return len(position.moves)
    seen = seen | {board_of(position)}
    return sum(perft_without_repetition(position.play(move), depth - 1, seen) for move in position.moves)


def test_lines_of_action_agrees_from_the_start_to_depth_five() -> None:
    # Black's first moves with b1, c1 and d1 are a quarter of all: reflected and turned they are the others. Within five
    # moves a board can come again after four only, and OpenSpiel ends the game there; we go on with 36 moves, 4 of them
    # captures.
    state, position = pyspiel.load_game("lines_of_action").new_initial_state(), LINES_OF_ACTION.start()
    lines, captures, repeated = 4 * [0], 4 * [0], 0

    def count(state: Any, depth: int) -> None:
        nonlocal repeated
        actions = state.legal_actions()
        lines[depth] += len(actions)
        captures[depth] += sum("x" in state.action_to_string(action) for action in actions) if depth < 3 else 0
        for action in actions if depth < 3 else []:
            child = state.child(action)
            repeated += child.is_terminal()
            if not child.is_terminal():
                count(child, depth + 1)

    for action in state.legal_actions():
        if state.action_to_string(action)[:2] in ("b1", "c1", "d1"):
            count(state.child(action), 0)
    assert 4 * repeated == 784
    assert [kb.perft(position, depth) for depth in (1, 2, 3, 4)] == [36, *(4 * each for each in lines[:3])]
    assert kb.perft(position, 5) == 4 * lines[3] + 784 * 36
    assert [4 * each for each in captures[:3]] == [156, 5980, 219_140]


def test_lines_of_action_agrees_on_random_positions() -> None:
    chance = random.Random(2)
    theirs = pyspiel.load_game("lines_of_action")
    counted = both = 0
    while counted < 500 or both < 5:
        state, position = theirs.new_initial_state(), LINES_OF_ACTION.start()
        seen: frozenset[str] = frozenset()
        count_at = chance.randrange(150)
        for ply in range(300):
            assert position.turn == state.current_player()
            actions = {state.action_to_string(action): action for action in state.legal_actions()}
            assert set(position.moves) == set(actions), str(position)
            if ply == count_at and counted < 500:
                assert perft_without_repetition(position, 2, seen) == their_perft(state, 2), str(position)
                plain_count = perft_without_repetition(position, 2, frozenset())
                assert kb.perft(position, 2) == plain_count
                counted += 1
            seen |= {board_of(position)}
            move = chance.choice(position.moves)
            state.apply_action(actions[move])
            position = position.play(move)
            if board_of(position) in seen or position.moves == ["pass"]:
                assert state.is_terminal()
                break
            assert position.over == state.is_terminal()
            if position.over:
                assert position.result == tuple(state.returns()), str(position)
                both += 1
                break


def points_of(move: str) -> frozenset[tuple[int, int]]:
    """The dots of a line of Morpion Solitaire, as their rows and columns."""
    from test_morpion import line_of

    return frozenset((y + 3, x + 3) for x, y in line_of(move, 4)[2])


def test_morpion_agrees_from_the_start_and_on_random_games() -> None:
    game, theirs = kb.game("morpion", variant="4D"), pyspiel.load_game("morpion_solitaire")
    for depth in (1, 2, 3):
        assert kb.perft(game.start(), depth) == their_perft(theirs.new_initial_state(), depth)
    chance = random.Random(1)
    for _ in range(30):
        position, state = game.start(), theirs.new_initial_state()
        while not state.is_terminal():
            lines = {}
            for action in state.legal_actions():
                points = re.findall(r"\[(\d+),(\d+)\]", state.action_to_string(0, action))
                lines[frozenset((int(row), int(col)) for row, col in points)] = action
            # a line of four dots lacks one of them, so that it is the whole move
            moves = {points_of(move): move for move in position.moves}
            assert moves.keys() == lines.keys(), str(position)
            line = chance.choice(sorted(moves, key=sorted))
            state.apply_action(lines[line])
            position = position.play(moves[line])
        assert position.over
        assert position.result == tuple(state.returns())
