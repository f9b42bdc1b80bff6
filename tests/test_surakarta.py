"""Surakarta: the native game beside a second program, move by move."""

from __future__ import annotations

import kibitz as kb
import pytest
import surakarta_rules as rules
from playing import after

GAME = kb.game("surakarta")


def name(point: rules.Point) -> str:
    return f"{'abcdef'[point[0]]}{point[1] + 1}"


@pytest.mark.parametrize("seed", range(20))
def test_every_move_of_random_games_is_that_of_the_second_program(seed: int) -> None:
    position = GAME.start()
    for ply in range(120):
        if position.over:
            break
        board, side = rules.read(str(position))
        expected = {
            f"{name(start)}{'x' if end in board else '-'}{name(end)}" for start, end in rules.moves(board, side)
        }
        assert set(position.moves) == expected
        position = position.play(position.moves[(seed * 7919 + ply * 104729) % len(position.moves)])


def test_the_third_occurrence_is_a_draw() -> None:
    position = GAME.position("....b./....../....../....../....../.w.... w")
    shuffle = "b1-a1 e6-f6 a1-b1 f6-e6"
    assert not after(position, shuffle).over
    assert after(position, f"{shuffle} {shuffle}").result == (0, 0)


def test_alpha_beta_sees_a_capture_around_the_corner() -> None:
    position = GAME.position("....../....../....../....../....b./.w.... w")
    report = kb.AlphaBeta(depth=2).search(position)
    assert (report.best, report.value) == ("b1xe2", 1)
