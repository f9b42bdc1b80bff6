"""The game that the tour writes in Python."""

# What the methods do is told in kibitz.Game, and the tour shows this class as a reader would write it.
# ruff: noqa: D102

from __future__ import annotations

import kibitz as kb

State = tuple[tuple[int, ...], int]
Move = tuple[int, int]


class Nim(kb.Game):
    """Take any number of stones from one pile; who takes the last stone wins."""

    def __init__(self, piles: tuple[int, ...] = (3, 4, 5)) -> None:
        self.piles = piles

    def start(self) -> State:
        return self.piles, 0

    def turn(self, state: State) -> int | None:
        piles, player = state
        return player if any(piles) else None

    def moves(self, state: State) -> list[Move]:
        piles, _ = state
        return [(pile, count) for pile, size in enumerate(piles) for count in range(1, size + 1)]

    def play(self, state: State, move: Move) -> State:
        (piles, player), (pile, count) = state, move
        return (*piles[:pile], piles[pile] - count, *piles[pile + 1 :]), 1 - player

    def result(self, state: State) -> int:
        _, player = state
        return 1 if player == 1 else -1
