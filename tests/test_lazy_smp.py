"""Lazy SMP: helping threads change the time and not the value, and one thread is deterministic."""

from __future__ import annotations

import kibitz as kb
import pytest
from playing import random_positions, without_time

#: Games with a depth that takes some ten thousand nodes, so that the helpers have begun; 40 positions of each.
DEPTHS = {
    "breakthrough": 6,
    "fish:placement=random": 6,
    "lines-of-action": 5,
    "othello": 7,
    "random-tree:width=6,depth=8,range=800": 8,
}
#: The plies after which the trees of a game become too small.
PLIES = {"fish:placement=random": 16, "random-tree:width=6,depth=8,range=800": 2}
METHODS = (
    kb.AlphaBeta(),
    kb.Pvs(),
    kb.NegaScout(history="relative"),
    kb.Mtd(),
    kb.NegaCStar(),
    kb.AlphaBeta(deepening=False, aspiration=0.05),
    kb.AlphaBeta(tt_exact=True),
    kb.AlphaBeta(tt_mb=1, step=2),
)


@pytest.mark.parametrize("name", DEPTHS)
def test_two_threads_find_the_value_of_one_at_a_fixed_depth_on_two_hundred_positions(name: str) -> None:
    depth, helped = DEPTHS[name], 0
    for i, position in enumerate(random_positions(kb.game(name), 40, seed=5, plies=PLIES.get(name, 40))):
        method = METHODS[i % len(METHODS)].replace(depth=depth, same_depth=True)
        one = method.search(position)
        two = method.search(position, threads=2)
        assert two.value == one.value, (method, position.text)
        assert (two.bound, two.proven) == (one.bound, one.proven)
        assert two.depth == one.depth or one.proven
        assert two.best in position.moves
        # `nodes` counts all threads, the steps only the first
        helped += two.nodes > two.history[-1].nodes
    assert helped >= 10


@pytest.mark.parametrize("name", DEPTHS)
def test_a_move_found_by_two_threads_has_the_value(name: str) -> None:
    depth = DEPTHS[name] - 1
    for position in random_positions(kb.game(name), 4, seed=6, plies=30):
        found = kb.AlphaBeta(depth=depth, same_depth=True, threads=2).search(position)
        after = position.play(found.best)
        if after.over:
            continue
        reply = kb.AlphaBeta(depth=depth - 1, same_depth=True).search(after).value
        assert found.value == (reply if after.turn == position.turn else -reply)


@pytest.mark.parametrize("name", DEPTHS)
def test_one_thread_is_deterministic(name: str) -> None:
    for position in random_positions(kb.game(name), 4, seed=7, plies=40):
        for method in METHODS:
            first, again = (method.search(position, depth=DEPTHS[name] - 1, threads=1) for _ in range(2))
            assert without_time(first) == without_time(again)


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_any_number_of_threads_keeps_the_limits(threads: int) -> None:
    start = kb.game("othello").start()
    alone = kb.AlphaBeta(depth=8, same_depth=True).search(start).value
    assert kb.AlphaBeta(depth=8, same_depth=True, threads=threads).search(start).value == alone
    assert kb.AlphaBeta(nodes=100_000, threads=threads).search(start).nodes <= 100_000
    assert kb.AlphaBeta(seconds=0.2, threads=threads).search(start).seconds < 2


def test_without_a_table_there_is_nothing_to_share() -> None:
    start = kb.game("othello").start()
    one, two = (kb.AlphaBeta(depth=6, tt_mb=0, threads=threads).search(start) for threads in (1, 2))
    assert (one.value, one.nodes) == (two.value, two.nodes)
