"""Nim in Python: piles of stones, a move takes any number from one pile, whoever takes the last stone wins."""

from __future__ import annotations

from typing import Any

import kibitz as kb

State = tuple[tuple[int, ...], int]


class Nim(kb.Game):
    """A state is the piles and the player to move; the move `2:3` takes three stones from the second pile."""

    def __init__(self, piles: tuple[int, ...] = (3, 4, 5)) -> None:
        self.piles = piles

    def start(self) -> Any:
        """All stones, and the first player to move."""
        return self.piles, 0

    def turn(self, state: State) -> int | None:
        """The player to move while there are stones."""
        piles, player = state
        return player if any(piles) else None

    def moves(self, state: State) -> list[str]:
        """Every number of stones of every pile."""
        return [f"{pile}:{take}" for pile, stones in enumerate(state[0], 1) for take in range(1, stones + 1)]

    def play(self, state: State, move: str) -> State:
        """Takes the stones and passes the turn."""
        piles, player = state
        pile, take = map(int, move.split(":"))
        return (*piles[: pile - 1], piles[pile - 1] - take, *piles[pile:]), 1 - player

    def result(self, state: State) -> tuple[int, int]:
        """The player who would be to move has lost."""
        return (-1, 1) if state[1] == 0 else (1, -1)


if __name__ == "__main__":
    position = Nim().start()
    report = kb.AlphaBeta().search(position)
    print(f"{position}: play {report.best} for a value of {report.value:+.0f}, found in {report.nodes} nodes")
