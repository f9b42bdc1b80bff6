"""UBFM and B* as Python sees them; what they compute is proven by the tests of the crate."""

from __future__ import annotations

from typing import Any

import kibitz as kb
import pytest


class Sums(kb.Game):
    """Each move adds 0 to 4 for the first player, who wants much; the second wants little. Bounds are what is left."""

    results = (0.0, 24.0)

    def __init__(self, honest: bool = True) -> None:
        self.honest = honest

    def start(self) -> Any:
        return (0, 0)

    def turn(self, state: Any) -> Any:
        return None if state[0] == 6 else state[0] % 2

    def moves(self, state: Any) -> Any:
        return [0, 1, 2]

    def play(self, state: Any, move: Any) -> Any:
        ply, total = state
        return (ply + 1, total + (7 * ply + 3 * total + 5 * move) % 5)

    def result(self, state: Any) -> Any:
        return (state[1], 24 - state[1])

    def bounds(self, state: Any) -> Any:
        ply, total = state
        low, high = total, total + 4 * (6 - ply)
        if not self.honest:
            return (high + 1, low)
        return (low, high) if ply % 2 == 0 else (24 - high, 24 - low)


def test_a_game_in_python_gives_bounds() -> None:
    position = Sums().start()
    exact = kb.Minimax().search(position)
    report = kb.BStar().search(position)
    values = {child.move: child.value for child in exact.children}
    assert values[report.best] == exact.value
    assert report.stats["separated"] == 1
    assert report.stats["pessimistic"] <= exact.value <= report.stats["optimistic"]

    # one look at each move: what is known after that is what the game says
    first = kb.BStar(nodes=4).search(position)
    after = [position.game.bounds(position.play(move).state) for move in (0, 1, 2)]
    assert first.stats["pessimistic"] == max(24 - high for _, high in after)
    assert first.stats["optimistic"] == max(24 - low for low, _ in after)


def test_bounds_that_are_none_are_refused_in_words() -> None:
    with pytest.raises(kb.GameError, match=r"bounds\(\) returned .*pessimistic"):
        kb.BStar().search(Sums(honest=False).start())


def test_random_trees_of_sums_are_searched_faster_with_their_bounds() -> None:
    spec = "random-tree:width=4,depth=7,range=700"
    for seed in range(10):
        position = kb.game(f"{spec},leaves=sum,seed={seed}").start()
        exact = kb.Minimax().search(position)
        values = {child.move: child.value for child in exact.children}
        report = kb.BStar().search(position)
        assert values[report.best] == exact.value
        assert report.nodes < exact.nodes / 4


def test_ubfm_solves_and_says_so() -> None:
    report = kb.Ubfm().search(kb.game("tic-tac-toe").start())
    assert (report.value, report.proven, report.bound) == (0.0, True, "exact")
    report = kb.Ubfm(simulations=100).search(kb.game("breakthrough").start())
    assert (report.proven, report.bound, report.stats["simulations"]) == (False, "estimate", 100)
    assert sum(child.visits for child in report.children) == 100
    assert report.best == max(report.children, key=lambda child: child.visits).move


def test_ubfm_searches_games_written_in_python() -> None:
    position = Sums().start()
    report = kb.Ubfm().search(position)
    assert report.proven
    assert report.value == kb.Minimax().search(position).value


def test_parameters_are_checked() -> None:
    with pytest.raises(kb.BadParameter, match="safest, best"):
        kb.Ubfm(decision="robust")  # type: ignore[arg-type]
    with pytest.raises(kb.BadParameter, match="margin"):
        kb.BStar(margin=-1.0)
    with pytest.raises(kb.NotSupported, match="chance"):
        kb.Ubfm().search(kb.game("pip-race").start())
    assert kb.algorithm("bstar:strategy=prove-best,margin=0.5") == kb.BStar(strategy="prove-best", margin=0.5)
