"""Fanorona: what Python sees of its rules, repetition, players, and the experiments of Schadd's thesis about it."""

from __future__ import annotations

import pickle
from typing import Any

import kibitz as kb
import pytest
from kibitz.experiments import experiment
from kibitz.experiments.experiment import Row
from kibitz.experiments.schadd_fanorona import RANDOM, Player, database_positions, statistics
from playing import after

GAME = kb.game("fanorona")


def test_the_five_first_moves() -> None:
    assert set(GAME.start().moves) == {"d2-e3A", "d3-e3A", "d3-e3W", "e2-e3A", "f2-e3A"}


@pytest.mark.parametrize(("preset", "size"), [("fanoron-telo", 3), ("fanoron-dimy", 5)])
def test_small_boards_have_names(preset: str, size: int) -> None:
    assert str(kb.game(preset).start()) == str(kb.game("fanorona", rows=size, cols=size).start())


def test_the_board_as_text_and_as_a_picture() -> None:
    assert GAME.start().board().splitlines()[2] == "  3  b w b w . b w b w"
    picture = GAME.start().svg("d2-e3A")
    assert picture.count('class="move"') == 1
    assert picture.count('r="21"') == 2


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("e2-e3", "must capture"),
        ("d3-e3W-d3W", "has been on d3"),
        ("e2-e3W", "captures nothing by withdrawal"),
        ("a1-b2A", "not empty"),
    ],
)
def test_an_illegal_move_is_told_why(move: str, why: str) -> None:
    with pytest.raises(kb.IllegalMove, match=why):
        GAME.start().play(move)


@pytest.mark.parametrize(
    ("params", "why"),
    [
        ({"rows": 4}, "odd"),
        ({"rows": 13, "cols": 13}, "at most 127 points"),
        ({"cols": 1}, "3"),
        ({"strong": "edges"}, "corners, centre"),
    ],
)
def test_a_board_that_cannot_be_is_refused(params: dict[str, Any], why: str) -> None:
    with pytest.raises(kb.BadParameter, match=why):
        kb.game("fanorona", **params)


def test_the_first_repetition_is_a_draw_and_pickles_keep_the_past() -> None:
    lone = "w......../........./........./........./........b {}"
    shuffle = "a5-a4 i1-i2 a4-a5 i2-i1"
    position = pickle.loads(pickle.dumps(after(GAME.position(lone.format("w")), " ".join(shuffle.split()[:3]))))
    assert position.result is None
    position = after(position, "i2-i1")
    assert (position.over, position.result, position.moves) == (True, (0, 0), [])
    thrice = kb.game("fanorona", repetition=3)
    position = after(thrice.position(lone.format("w")), shuffle)
    assert not position.over
    assert after(position, shuffle).result == (0, 0)


def test_a_large_board_plays_to_the_end() -> None:
    position = kb.game("fanorona", rows=11, cols=11).start()
    for _ in range(400):
        if position.over:
            break
        position = position.play(kb.AlphaBeta(depth=1).search(position).best)
    assert position.over


def test_three_by_three_is_won_in_eleven_plies_as_published() -> None:
    start = kb.game("fanorona", rows=3, cols=3).start()
    assert kb.AlphaBeta(depth=10, tt_mb=1).search(start).value < 1
    report = kb.AlphaBeta(depth=11, tt_mb=1).search(start)
    assert report.value == 1
    for move, value in (("c1-b2A", -1), ("c2-b2A", -1), ("a1-b2A", 1), ("b1-b2A", 1)):
        assert kb.AlphaBeta(depth=12, tt_mb=1).search(start.play(move)).value == value, move


def test_statistics_of_a_game_add_up() -> None:
    found = statistics(RANDOM, 0, 3)
    positions = sum(each[0] for each in found["pieces"])
    legal = sum(each[1] for each in found["pieces"])
    assert found["sizes"][0] == [positions, legal]
    assert found["plies"][0] == 3 * 44
    assert found["plies"] == sorted(found["plies"], reverse=True)
    assert statistics(RANDOM, 0, 3) == found
    assert statistics(Player(600), 0, 1) != statistics(Player(600), 1, 1)


def test_positions_by_pieces_are_those_of_the_formula() -> None:
    from math import comb

    assert all(database_positions(45, m) == comb(45, m) * (2**m - 2) for m in range(2, 16))


def _judged(id: str) -> dict[str, Row]:
    found = experiment(id)
    return {row.label: row for row in found.summarize("quick", [found.run(unit) for unit in found.units("quick")])}


def test_table_4_2_differs_only_where_it_is_rounded() -> None:
    found = _judged("schadd-table-4-2")
    assert [label for label, row in found.items() if row.verdict == "differs"] == [
        "positions of 15 pieces",
        "gigabytes of all up to 9 pieces at 2 bits",
    ]


def test_random_play_is_that_of_another_program() -> None:
    found = _judged("schadd-table-4-1")
    references = [row for label, row in found.items() if label.endswith("another program")]
    assert len(references) == 28
    # 5 % of the intervals may miss by chance, and neighbouring rows are of the same games
    assert sum(row.verdict == "agrees" for row in references) >= 23
