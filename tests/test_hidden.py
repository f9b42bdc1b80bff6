"""Searches of games with hidden information: nothing leaks, seeds decide, and what they find makes sense."""

from __future__ import annotations

import pickle
from typing import Any

import kibitz as kb
import pytest
from playing import random_positions

GAMES = ["kuhn-poker", "hearts:players=3,cards=5", "hearts:passing=left,opening=club", "spades", "stratego:quiet=30"]

PLAYERS = [
    kb.IsMcts(simulations=200, seed=3),
    kb.Determinized(inner=kb.Uct(simulations=50), worlds=5, seed=3),
    kb.Determinized(inner="flatmontecarlo:simulations=50", worlds=3, seed=4),
]


def plain(report: kb.Report) -> dict[str, Any]:
    """A report without its times."""
    found = report.as_dict()
    del found["seconds"]
    found["history"] = [{**step, "seconds": None} for step in found["history"]]
    return found


@pytest.mark.parametrize("player", PLAYERS, ids=str)
@pytest.mark.parametrize("spec", GAMES)
def test_positions_that_look_the_same_have_the_same_report(spec: str, player: kb.Algorithm) -> None:
    game = kb.game(spec)
    different = 0
    for position in random_positions(game, 6, seed=2):
        if position.turn == "chance":
            continue
        # the text of a guess is a position of the game with hidden cards
        guess = game.position(str(position.guess(seed=5)))
        assert guess.view() == position.view()
        different += guess != position
        assert plain(player.search(position)) == plain(player.search(guess))
    assert different


def test_seeds_decide() -> None:
    position = kb.game("hearts", players=3).position("AS KD QH 9C / KS QD TH 8C / QS JD 9H 7C; lead A")
    for player in PLAYERS:
        assert plain(player.search(position)) == plain(player.search(position))
        assert plain(player.search(position)) != plain(player.search(position, seed=99))


def test_the_inner_search_may_be_text_and_is_written_as_text() -> None:
    player = kb.Determinized(inner=kb.MaxN(depth=5, tt_mb=1), worlds=7)
    assert str(player) == "determinized:inner=maxn/depth=5/tt_mb=1,worlds=7"
    assert kb.algorithm(str(player)) == player
    assert kb.Determinized(inner="maxn:depth=5,tt_mb=1", worlds=7) == player
    assert pickle.loads(pickle.dumps(player)) == player
    with pytest.raises(kb.BadParameter, match="no algorithm"):
        kb.Determinized(inner="nothing")
    with pytest.raises(kb.BadParameter, match="no algorithm"):
        kb.Determinized(inner=3)
    with pytest.raises(kb.BadParameter, match="worlds"):
        kb.Determinized(worlds=0)


def test_limits_are_those_of_all_worlds_together() -> None:
    position = kb.game("hearts", players=3, cards=6).position("AS KD QH 9C / KS QD TH 8C / QS JD 9H 7C; lead A")
    report = kb.Determinized(inner=kb.MaxN(), worlds=10, nodes=2_000).search(position)
    assert report.nodes < 3_000
    assert len(report.history) == 10
    assert sum(child.visits for child in report.children) == 10
    assert kb.Determinized(inner=kb.Uct(), worlds=4, seconds=0.2).search(position).seconds < 2


def test_where_nothing_is_hidden_or_nobody_moves_it_is_said() -> None:
    with pytest.raises(kb.NotSupported, match="use Uct"):
        kb.IsMcts().search(kb.game("nim").start())
    for player in (kb.IsMcts(), kb.Determinized()):
        with pytest.raises(kb.NotSupported, match="chance is to move"):
            player.search(kb.game("kuhn-poker").start())
    same = kb.Determinized(inner=kb.AlphaBeta(), worlds=2).search(kb.game("nim", piles="3-4-5").start())
    assert same.best == kb.AlphaBeta().search(kb.game("nim", piles="3-4-5").start()).best


def test_a_jack_folds_and_a_king_calls() -> None:
    poker = kb.game("kuhn-poker")
    for player in (kb.IsMcts(simulations=3_000), kb.Determinized(inner=kb.Uct(simulations=200), worlds=30)):
        assert player.search(poker.position("JK:kb")).best == "fold"
        assert player.search(poker.position("KJ:kb")).best == "call"
