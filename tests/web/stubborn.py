"""A game that thinks for ever and will not be interrupted."""

import contextlib
import time

import kibitz as kb


class Stubborn(kb.Game):
    """Two moves, and an evaluation that never ends."""

    def start(self) -> int:
        return 0

    def turn(self, state: int) -> int:
        return state % 2

    def moves(self, state: int) -> list[str]:
        return ["left", "right"]

    def play(self, state: int, move: str) -> int:
        return state + 1

    def result(self, state: int) -> float:
        return 0.0

    def evaluate(self, state: int) -> float:
        while True:
            with contextlib.suppress(KeyboardInterrupt):
                time.sleep(0.05)
