"""Tic-tac-toe in plain Python: one set of rules, as a game of kibitz and as a game of OpenSpiel."""

from __future__ import annotations

import functools
from typing import Any

import kibitz as kb

START = "." * 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def winner(board: str) -> int | None:
    """The player who has a line."""
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return "XO".index(board[a])
    return None


def turn(board: str) -> int | None:
    """The player to move, or `None` at the end."""
    if "." not in board or winner(board) is not None:
        return None
    return (9 - board.count(".")) % 2


def moves(board: str) -> list[int]:
    """The empty squares."""
    return [square for square, mark in enumerate(board) if mark == "."]


def play(board: str, square: int) -> str:
    """The board with one more mark."""
    return board[:square] + "XO"[(9 - board.count(".")) % 2] + board[square + 1 :]


def result(board: str) -> tuple[float, float]:
    """1 for a win, -1 for a loss."""
    won = winner(board)
    if won is None:
        return (0.0, 0.0)
    return (1.0, -1.0) if won == 0 else (-1.0, 1.0)


class TicTacToe(kb.Game):
    """The game for kibitz."""

    def start(self) -> Any:
        """The empty board."""
        return START

    def turn(self, state: str) -> int | None:
        """The player to move."""
        return turn(state)

    def moves(self, state: str) -> list[int]:
        """The legal moves."""
        return moves(state)

    def play(self, state: str, move: int) -> str:
        """The board after a move."""
        return play(state, move)

    def result(self, state: str) -> tuple[float, float]:
        """The result of a finished game."""
        return result(state)


@functools.cache
def openspiel_game() -> Any:
    """The game for OpenSpiel. As here, whose turn it is is asked once a position."""
    import pyspiel

    kind = pyspiel.GameType(
        short_name="kibitz_bench_tic_tac_toe",
        long_name="Tic-tac-toe in Python, from the benchmark of kibitz",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=9,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=9,
    )

    class Rules(pyspiel.Game):  # type: ignore[misc]
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})

        def new_initial_state(self, _state: Any = None) -> Any:
            return State(self)

    class State(pyspiel.State):  # type: ignore[misc]
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.board = START
            self.to_move: int | None = 0

        def current_player(self) -> Any:
            return pyspiel.PlayerId.TERMINAL if self.to_move is None else self.to_move

        def _legal_actions(self, _player: int) -> list[int]:
            return moves(self.board)

        def _apply_action(self, action: int) -> None:
            self.board = play(self.board, action)
            self.to_move = turn(self.board)

        def is_terminal(self) -> bool:
            return self.to_move is None

        def returns(self) -> tuple[float, float]:
            return result(self.board)

        def __str__(self) -> str:
            return self.board

    pyspiel.register_game(kind, Rules)
    return pyspiel.load_game("kibitz_bench_tic_tac_toe")
