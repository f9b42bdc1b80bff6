"""Searches of games of many players, as Python sees them."""

from __future__ import annotations

import pickle
from typing import Any

import kibitz as kb
import pytest
from kibitz.experiments.sturtevant_cards import deal, rules

COALITION = (kb.Paranoid, kb.BestReply, kb.BestReplyPlus, kb.RootOnly)
TUPLES = (kb.MaxN, kb.SoftMaxN, kb.ProbMaxN, kb.MpMix)


def tree(**given: Any) -> kb.Position:
    return kb.game("random-tree", **{"players": 3, "width": 3, "depth": 6, "range": 20, "seed": 1, **given}).start()


@pytest.mark.parametrize("algorithm", [*COALITION, *TUPLES])
def test_every_search_gives_a_legal_move_and_line(algorithm: type[kb.Algorithm]) -> None:
    pos = tree(players=4)
    report = algorithm(nodes=2000).search(pos)
    assert report.best in pos.moves
    assert report.nodes <= 2000
    for move in report.pv:
        assert move in pos.moves
        pos = pos.play(move)


@pytest.mark.parametrize("algorithm", [*COALITION, *TUPLES])
def test_the_same_search_gives_the_same_answer_and_survives_a_pickle(algorithm: type[kb.Algorithm]) -> None:
    search = algorithm().replace(nodes=1500, noise=1.0, seed=7)
    again = pickle.loads(pickle.dumps(search))
    first, second = search.search(tree()), again.search(tree())
    assert (first.best, first.value, first.nodes) == (second.best, second.value, second.nodes)
    assert kb.algorithm(search.spec) == search


def test_maxn_has_a_value_for_everybody_and_the_others_have_one() -> None:
    report = kb.MaxN(depth=6).search(tree())
    assert len(report.values) == 3
    assert report.values[0] == report.value
    assert report.as_dict()["values"] == list(report.values)
    assert kb.Paranoid(depth=6).search(tree()).values == ()
    assert report.proven


def test_prunings_agree_and_cut() -> None:
    pos = tree(width=5, sums="constant")
    plain = kb.MaxN(depth=6, pruning="none", deepening=False, tt_mb=0).search(pos)
    for pruning in ("shallow", "last-branch", "speculative"):
        found = kb.MaxN(depth=6, pruning=pruning, deepening=False, tt_mb=0).search(pos)
        assert found.values == plain.values
        assert found.nodes < plain.nodes


def test_with_two_players_paranoid_and_best_reply_are_alpha_beta() -> None:
    for name in ("random-tree:width=4,depth=8", "connect-four"):
        pos = kb.game(name).start()
        reference = kb.AlphaBeta(depth=6, etc=False).search(pos)
        for algorithm in (kb.Paranoid, kb.BestReply, kb.BestReplyPlus):
            found = algorithm(depth=6).search(pos)
            assert (found.best, found.value, found.nodes) == (reference.best, reference.value, reference.nodes)
            assert found.pv == reference.pv


def test_games_that_never_have_more_than_two_players_are_refused_by_searches_of_tuples() -> None:
    for algorithm in (*TUPLES, kb.RootOnly):
        with pytest.raises(kb.NotSupported, match="two"):
            algorithm(depth=2).search(kb.game("connect-four").start())


def test_chance_is_refused_in_words() -> None:
    pos = tree(chance="uniform", depth=3)
    for algorithm in (*COALITION, *TUPLES):
        with pytest.raises(kb.NotSupported, match="chance"):
            algorithm(depth=4).search(pos)


class Sharing(kb.Game):
    """Three players take one or two of the stones left; whoever takes the last one has all points."""

    players = 3
    results = (0.0, 1.0)

    def start(self) -> Any:
        return (7, 0)

    def turn(self, state: Any) -> Any:
        return state[1] if state[0] else None

    def moves(self, state: Any) -> Any:
        return [1, 2] if state[0] > 1 else [1]

    def play(self, state: Any, move: Any) -> Any:
        return (state[0] - move, (state[1] + 1) % 3)

    def result(self, state: Any) -> Any:
        return [1.0 if (state[1] + 2) % 3 == player else 0.0 for player in range(3)]


def test_a_game_of_three_in_python_is_searched() -> None:
    pos = Sharing().start()
    report = kb.MaxN().search(pos)
    assert sum(report.values) == 1.0
    assert report.proven
    assert kb.Paranoid().search(pos).value <= report.value
    with pytest.raises(kb.NotSupported, match="out of turn"):
        kb.BestReply(depth=2).search(pos)


def test_uct_takes_opponents_for_what_it_is_told() -> None:
    pos = tree(depth=5)
    seen = {
        opponents: kb.Uct(simulations=2000, opponents=opponents).search(pos).value
        for opponents in ("maxn", "paranoid", "best-reply")
    }
    assert seen["paranoid"] < seen["maxn"]
    guided = kb.Uct(simulations=500, opponent_move_abstraction=50.0, widening=2).search(pos)
    assert guided.best in pos.moves


def test_bad_parameters_are_refused() -> None:
    for make in (
        lambda: kb.MaxN(pruning="deep"),  # type: ignore[arg-type]
        lambda: kb.Paranoid(utility="mine"),  # type: ignore[arg-type]
        lambda: kb.SoftMaxN(most=1),
        lambda: kb.ProbMaxN(own=0.0, lead=0.0),
        lambda: kb.BestReply(noise=-1.0),
    ):
        with pytest.raises(kb.BadParameter):
            make()
    with pytest.raises(kb.NotSupported, match="lower tt_mb"):
        kb.MaxN(tt_mb=1 << 20, depth=2).search(tree())


def test_a_match_of_three_gives_every_search_noise_of_its_own() -> None:
    players = [kb.BestReply(depth=2, noise=1.0, seed=0), kb.Paranoid(depth=2), kb.MaxN(depth=2)]
    result = kb.match("random-tree:players=3,width=3,depth=9", players, games=6, seed=1, workers=0)
    assert "bestreply" in str(result)


def test_best_moves_first_find_the_same_value_with_fewer_nodes_after_the_first_search() -> None:
    here = rules("spades", "short", utility="tricks").position(deal("short", 8, 0))
    plain = kb.MaxN(depth=24, deepening=False, killers=False, history=False, hash_move=False, ties="total")
    as_listed, best_first = plain.search(here), plain.replace(best_first=True).search(here)
    assert best_first.values == as_listed.values
    assert best_first.nodes - best_first.stats["nodes_before"] < as_listed.nodes < best_first.nodes


def test_best_moves_first_need_a_table() -> None:
    with pytest.raises(kb.BadParameter, match="tt_mb must not be 0"):
        kb.MaxN(best_first=True, tt_mb=0)
