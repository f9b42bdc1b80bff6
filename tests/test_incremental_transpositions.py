"""Incremental transpositions: published counts that need optimised code, ends of lines, and the options."""

from __future__ import annotations

import csv
from pathlib import Path

import kibitz as kb
import pytest
from test_morpion import random_game, score

DATA = Path(__file__).resolve().parent.parent / "crates" / "kibitz-search" / "tests" / "data" / "gaps.csv"


def deals() -> list[list[str]]:
    with DATA.open(newline="") as file:
        return [row for row in csv.reader(file) if not row[0].startswith("#")]


@pytest.mark.parametrize("row", deals(), ids=lambda row: f"{row[0]} ranks, seed {row[1]}")
def test_every_deal_has_the_nodes_of_the_literature(row: list[str]) -> None:
    start = kb.game("gaps", ranks=int(row[0]), seed=int(row[1])).start()
    exact = kb.IncrementalTranspositions(table="exact").search(start)
    assert exact.nodes == int(row[2])
    assert exact.proven
    assert (exact.value == 4 * (int(row[0]) - 1)) == (row[5] == "yes")
    for count, search in ((row[3], kb.IncrementalTranspositions()), (row[4], kb.IncrementalTranspositions(sets=False))):
        if count.startswith(">"):
            limit = 1_000_000  # the whole bound of the study takes seconds
            report = search.search(start, nodes=limit)
            assert not report.proven
        elif count != "-":
            assert search.search(start).nodes == int(count)


def test_a_table_smaller_than_the_positions_costs_more_without_sets() -> None:
    start = kb.game("gaps", ranks=7, seed=4).start()
    plain = kb.IncrementalTranspositions(sets=False, table=512).search(start).nodes
    both = kb.IncrementalTranspositions(table=512).search(start).nodes
    assert 995 < both < 2 * 995 < 20 * both < plain


def test_the_end_of_a_line_is_proven_optimal_or_improved() -> None:
    improved = proven = 0
    for seed in range(8):
        _, moves = random_game("4D", seed)
        start = kb.game("morpion", variant="4D").start()
        seen: list[kb.TailStep] = []
        tail = kb.IncrementalTranspositions(nodes=100_000).tail(start, moves, progress=seen.append)
        assert tail.value == len(moves)
        assert tuple(seen) == tail.steps
        assert [step.played for step in tail.steps] == list(range(len(moves) - 1, len(moves) - 1 - len(tail.steps), -1))
        assert sum(step.nodes for step in tail.steps) <= 100_000
        assert all(step.complete for step in tail.steps[:-1])
        if tail.better is not None:
            improved += 1
            assert score("4D", list(tail.better)) > len(moves)
        if tail.optimal_from is not None:
            proven += 1
            assert any(step.played == tail.optimal_from and step.complete for step in tail.steps)
    assert improved > 2
    assert proven > 2


def test_a_line_that_is_not_a_game_has_no_end() -> None:
    _, moves = random_game("4D", 1)
    start = kb.game("morpion", variant="4D").start()
    with pytest.raises(kb.BadParameter, match="end of the game"):
        kb.IncrementalTranspositions().tail(start, moves[:-1])
    with pytest.raises(kb.IllegalMove):
        kb.IncrementalTranspositions().tail(start, moves[:1] * 2)


def test_options_are_checked() -> None:
    start = kb.game("gaps").start()
    with pytest.raises(kb.BadParameter, match="table"):
        kb.IncrementalTranspositions(table="big")  # type: ignore[arg-type]
    with pytest.raises(kb.BadParameter, match="table"):
        kb.IncrementalTranspositions(table=0)
    with pytest.raises(kb.NotSupported, match="threads=1"):
        kb.IncrementalTranspositions(table=8, threads=2).search(start)
    with pytest.raises(kb.NotSupported, match="one player"):
        kb.IncrementalTranspositions().search(kb.game("othello").start())
    assert kb.algorithm("incrementaltranspositions:table=1024,sets=false") == kb.IncrementalTranspositions(
        table=1024, sets=False
    )
    assert kb.algorithm("incrementaltranspositions:table=exact").spec == "incrementaltranspositions:table=exact"


class Takeaway(kb.Game):
    """Take one or two stones; each one taken alone is a point."""

    players = 1
    results = (0, 12)

    def start(self) -> tuple[int, int]:
        return 12, 0

    def moves(self, state: tuple[int, int]) -> list[int]:
        return [n for n in (1, 2) if n <= state[0]]

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] - move, state[1] + (move == 1)

    def turn(self, state: tuple[int, int]) -> int | None:
        return 0 if state[0] else None

    def result(self, state: tuple[int, int]) -> int:
        return state[1]


def test_a_game_in_python_is_searched_without_sets() -> None:
    start = Takeaway().start()
    with pytest.raises(kb.NotSupported, match="sets=False"):
        kb.IncrementalTranspositions().search(start)
    plain = kb.IncrementalTranspositions(sets=False).search(start)
    exact = kb.IncrementalTranspositions(sets=False, table="exact").search(start)
    assert (plain.value, plain.pv) == (12, (1,) * 12)
    assert exact.value == 12
    # one node for each way to take stones, and one for each number of them left with each number of points
    assert plain.nodes == sum(len(level) for level in _lines(12))
    assert exact.nodes == len({(left, points) for level in _lines(12) for left, points in level})


def _lines(stones: int) -> list[list[tuple[int, int]]]:
    levels = [[(stones, 0)]]
    while levels[-1]:
        levels.append([(left - n, points + (n == 1)) for left, points in levels[-1] for n in (1, 2) if n <= left])
    return levels
