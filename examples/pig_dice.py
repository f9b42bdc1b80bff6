"""Pig, a game of chance in Python: roll a die and collect, or hold before a one takes everything away."""

from __future__ import annotations

from typing import Any, NamedTuple

import kibitz as kb


class State(NamedTuple):
    """What both players have, the player to move, what this turn has brought, and whether the die is rolling."""

    scores: tuple[int, int]
    player: int = 0
    turn_total: int = 0
    rolling: bool = False


class Pig(kb.Game):
    """The first to reach `goal` points wins. A roll of 2 to 6 adds to the turn's total; a 1 loses it."""

    def __init__(self, goal: int = 20) -> None:
        self.goal = goal

    def start(self) -> Any:
        """Nobody has anything."""
        return State((0, 0))

    def turn(self, state: State) -> int | str | None:
        """Chance has its turn while the die is rolling."""
        if max(state.scores) >= self.goal:
            return None
        return "chance" if state.rolling else state.player

    def moves(self, state: State) -> list[str]:
        """There is nothing to hold before the first roll."""
        return ["roll", "hold"] if state.turn_total else ["roll"]

    def chance(self, state: State) -> list[tuple[int, float]]:
        """A fair die."""
        return [(face, 1 / 6) for face in range(1, 7)]

    def play(self, state: State, move: str | int) -> State:
        """A move is `roll` or `hold`; an outcome of chance is the face of the die."""
        if move == "roll":
            return state._replace(rolling=True)
        if move == 1:
            return State(state.scores, 1 - state.player)
        if move == "hold":
            return self.hold(state)
        added = state._replace(turn_total=state.turn_total + int(move), rolling=False)
        return self.hold(added) if state.scores[state.player] + added.turn_total >= self.goal else added

    def hold(self, state: State) -> State:
        """The player to move keeps the turn's total."""
        own, other = state.scores[state.player] + state.turn_total, state.scores[1 - state.player]
        return State((own, other) if state.player == 0 else (other, own), 1 - state.player)

    def result(self, state: State) -> int:
        """Whoever has reached the goal wins."""
        return 1 if state.scores[0] >= self.goal else -1


if __name__ == "__main__":
    position = Pig().start()
    for face in (3, 5, 2, 6):
        position = position.play("roll").play(face)
        report = kb.Uct(simulations=4000).search(position)
        print(f"{position.state.turn_total:3} points in this turn: {report.best}")
