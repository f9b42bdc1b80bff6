"""Chinese Checkers against OpenSpiel, whose jumps are put together to moves, and what a user sees of it.

OpenSpiel has the full board, the whole star, pieces that may leave the goal, and a win with ten own pieces in the goal.
What differs: there a chain of jumps is several actions, ended by a pass or by having nowhere to go; it pays the winner
one for each loser and everybody nothing after the last of its moves, where we have 1 and −1 and share a draw.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import kibitz as kb
import pytest

PASS = 726
"""The action that ends a chain of jumps."""


def composed(state: Any) -> dict[str, Any]:
    """The states after all moves of the player to move, by our notation; ways to the same cell are one move."""
    player = state.current_player()
    found: dict[str, Any] = {}
    chains: list[tuple[Any, str, str]] = [(state, "", "")]
    while chains:
        before, first, last = chains.pop()
        for action in before.legal_actions():
            child = before.child(action)
            if action == PASS:
                # the end of a chain where it stands, or a turn without a move
                found[f"{first}-{last}" if first else "pass"] = child
                continue
            start, end = before.action_to_string(player, action).replace("=>", "->").split("->")
            if "hopping" in str(child):
                chains.append((child, first or start, end))
            else:
                found[f"{first or start}-{end}"] = child
    return found


def their_perft(state: Any, depth: int) -> int:
    if state.is_terminal():
        return 0
    moves = composed(state)
    return len(moves) if depth == 1 else sum(their_perft(child, depth - 1) for child in moves.values())


def ours(players: int, plies: int = 1000) -> kb.Game:
    return kb.game("chinese-checkers", players=players, board="full", area="star", leave=True, win="own", plies=plies)


@pytest.mark.parametrize(("players", "depth"), [(2, 4), (3, 4), (4, 3), (6, 3)])
def test_counts_from_the_start_agree_with_openspiel(players: int, depth: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    state = pyspiel.load_game("chinese_checkers", {"players": players}).new_initial_state()
    for each in range(1, depth + 1):
        assert kb.perft(ours(players).start(), each) == their_perft(state, each)


def corners() -> list[set[int]]:
    """The cells of the six corners, clockwise from the top: where six players begin."""
    cells = str(ours(6).start()).split()[0].replace("/", "")
    return [{cell for cell, letter in enumerate(cells) if letter == player} for player in "ABCDEF"]


@cache
def places() -> list[tuple[int, int]]:
    """The row and the column of each cell; cells beside each other in a row are two columns apart."""
    rows = [len(row) for row in str(ours(2).start()).split()[0].split("/")]
    return [(row, 13 - length + 2 * n) for row, length in enumerate(rows) for n in range(length)]


def distance(first: int, second: int) -> int:
    """The steps from one cell to another on an empty board."""
    (row, column), (other_row, other_column) = places()[first], places()[second]
    down, across = abs(row - other_row), abs(column - other_column)
    return down + max(0, (across - down) // 2)


def homeward(position: kb.Position, goal: set[int], tip: int, chance: random.Random) -> str:
    """A move that brings a piece nearer to the cell of the goal that is farthest and not yet its own."""
    assert isinstance(position.turn, int)
    cells = str(position).split()[0].replace("/", "")
    letter = "ABC"[position.turn]
    target = min((cell for cell in goal if cells[cell] != letter), key=lambda cell: distance(cell, tip))

    def gain(move: str) -> float:
        start, end = (int(cell) for cell in move.split("-"))
        near = distance(start, target) - distance(end, target)
        settled = start in goal and distance(start, tip) <= distance(target, tip)
        return near + (10 if end == target else 0) - (20 if settled else 0) + chance.random()

    best: str = max(position.moves, key=gain)
    return best


@pytest.mark.parametrize("players", [2, 3])
def test_moves_and_results_agree_with_openspiel_in_whole_games(players: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    chance = random.Random(players)
    won = 0
    for limit in (60, 400, 400):
        game = ours(players, limit)
        state = pyspiel.load_game("chinese_checkers", {"players": players, "max_moves": limit}).new_initial_state()
        seats = corners()
        homes = [seats[corner] for corner in ((0, 3) if players == 2 else (0, 2, 4))]
        goals = [seats[(seats.index(home) + 3) % 6] for home in homes]
        centre = 60
        tips = [max(goal, key=lambda cell: distance(cell, centre)) for goal in goals]
        position = game.start()
        while not state.is_terminal():
            assert position.turn == state.current_player()
            moves = composed(state)
            assert set(position.moves) == set(moves), str(position)
            if chance.random() < 0.1:
                move = chance.choice(position.moves)
            else:
                move = homeward(position, goals[position.turn], tips[position.turn], chance)
            position, state = position.play(move), moves[move]
        assert position.over
        returns = state.returns()
        if any(returns):
            winner = returns.index(max(returns))
            assert position.result == tuple(1.0 if player == winner else -1.0 for player in range(players))
            won += 1
        else:
            assert position.result == pytest.approx((2 / players - 1,) * players)
    assert won > 0


def test_a_lone_player_needs_seventeen_moves_on_the_small_board() -> None:
    position = kb.game("chinese-checkers", players=3).start()
    assert [position.evaluate(player) for player in range(3)] == pytest.approx([17_000 / 1_200_000] * 3)


def test_there_is_no_game_for_five() -> None:
    with pytest.raises(kb.BadParameter, match="2, 3, 4 or 6 players, not 5"):
        kb.game("chinese-checkers", players=5)
    with pytest.raises(kb.BadParameter, match='no set-up "reserve" for 4 players'):
        kb.game("focus", players=4, setup="reserve")


@pytest.mark.parametrize("game", ["chinese-checkers:players=3,plies=40", "focus:players=3,plies=40"])
def test_more_players_meet_in_the_arena(game: str) -> None:
    table = kb.match(game, [kb.Uct(simulations=20), kb.Random()], games=6, seed=1, workers=0)
    assert table.games == 6
    assert sum(each.total.points for each in table.standings) == pytest.approx(6)
