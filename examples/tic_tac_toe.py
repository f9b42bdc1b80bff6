"""Tic-tac-toe in Python: the rules in twenty lines, then UCT plays against alpha-beta."""

from __future__ import annotations

from typing import Any

import kibitz as kb

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class TicTacToe(kb.Game):
    """A state is a text of nine squares, row by row from the top; a move is the number of a square."""

    def start(self) -> Any:
        """The empty board."""
        return "." * 9

    def turn(self, state: str) -> int | None:
        """X, who is player 0, moves when both sides have as many marks."""
        return None if self.winner(state) or "." not in state else 1 - state.count(".") % 2

    def moves(self, state: str) -> list[int]:
        """The empty squares."""
        return [square for square in range(9) if state[square] == "."]

    def play(self, state: str, move: int) -> str:
        """Puts a mark on a square."""
        return state[:move] + "XO"[1 - state.count(".") % 2] + state[move + 1 :]

    def result(self, state: str) -> int:
        """One number is the first player's result."""
        return {"X": 1, "O": -1, "": 0}[self.winner(state)]

    def winner(self, state: str) -> str:
        """The side that has a line."""
        return next((state[a] for a, b, c in LINES if state[a] == state[b] == state[c] != "."), "")

    def board(self, state: str) -> str:
        """Three rows."""
        return "\n".join(" ".join(state[row : row + 3]) for row in (0, 3, 6))


if __name__ == "__main__":
    position = TicTacToe().start()
    players = (kb.Uct(simulations=500, seed=1), kb.AlphaBeta())
    while not position.over:
        position = position.play(players[position.turn].search(position).best)
        print(position.board(), end="\n\n")
    print("results:", position.result)
