"""The minimax family from Python: counts to the last digit, identities, texts, and every switch reaches the search."""

from __future__ import annotations

import pickle
import random
from typing import Any

import kibitz as kb
import pytest
from playing import random_positions

BARE: dict[str, Any] = {
    "deepening": False,
    "etc": False,
    "hash_move": False,
    "killers": False,
    "history": False,
    "hints": False,
}
TABLE: dict[str, Any] = {**BARE, "tt_exact": True, "tt_leaves": True, "same_depth": True}

EXACT: list[kb.AlphaBeta | kb.Pvs | kb.NegaScout | kb.NegaCStar | kb.Sss | kb.Dual | kb.Mtd] = [
    kb.AlphaBeta(),
    kb.AlphaBeta(aspiration=0.02),
    kb.Pvs(),
    kb.NegaScout(),
    kb.NegaScout(wide=True),
    kb.NegaCStar(),
    kb.Sss(),
    kb.Dual(),
    kb.Mtd(),
    kb.Mtd(first_guess=0.3),
]

#: D. Rutko, Fuzzified Game Tree Search (2012), listings with their errata put right: leaves and nodes on the random
#: tree with seed 0, width 2, depth 14 and values 0 to 80. All shapes are tested in Rust.
COUNTS = {
    kb.AlphaBeta(tt_mb=0, **BARE): (1977, 4907),
    kb.NegaScout(tt_mb=0, **BARE): (2749, 7059),
    kb.NegaScout(**TABLE): (1716, 4814),
    kb.NegaCStar(**TABLE): (1591, 4454),
    kb.Sss(**TABLE): (1588, 6311),
    kb.Dual(**TABLE): (1487, 4710),
    kb.Mtd(first_guess=31, **TABLE): (1370, 3648),
    kb.BestNode(next_guess="linear", variant="plain", **TABLE): (2024, 5866),
    kb.BestNode(next_guess="linear", **TABLE): (1893, 5509),
}


@pytest.mark.parametrize("method", COUNTS, ids=str)
def test_counts_are_those_of_the_deterministic_tree(method: kb.Algorithm) -> None:
    start = kb.game("random-tree", width=2, depth=14, range=80).start()
    report = method.search(start, depth=14)
    assert (report.stats["leaves"], report.nodes) == COUNTS[method]


@pytest.mark.parametrize("variant", ["plain", "raise", "candidate"])
def test_the_analytic_guess_is_that_of_the_exact_distribution(variant: str) -> None:
    published = {"plain": (1640, 4293), "raise": (1331, 3486), "candidate": (1364, 3519)}
    start = kb.game("random-tree", width=2, depth=14, range=80).start()
    method = kb.algorithm(
        f"bestnode:depth=14,variant={variant},next_guess=analytic,tree_width=2,tree_depth=14,tree_values=81"
    )
    report = method.search(start, **TABLE)
    assert (report.stats["leaves"], report.nodes) == published[variant]
    assert report.bound in ("lower", "exact")


@pytest.mark.parametrize("method", [*EXACT, kb.BestNode(), kb.BestNode(variant="raise")], ids=str)
def test_every_member_equals_minimax_on_real_games(method: Any) -> None:
    pick = random.Random(str(method))
    for game, depth in (("breakthrough:rows=5,cols=4", 4), ("othello:size=4", 5), ("connect-four:rows=4,cols=4", 5)):
        for position in random_positions(kb.game(game), 4, pick.randrange(1000)):
            if position.turn is None:
                continue
            exact = kb.Minimax(depth=depth).search(position)
            fail, history = pick.choice(["soft", "hard"]), pick.choice([True, False, "relative", "butterfly"])
            found = method.search(position, depth=depth, same_depth=True, fail=fail, history=history)
            best = [child.move for child in exact.children if child.value == exact.value]
            assert found.best in best, (game, position.text, found)
            assert found.value == exact.value or (found.bound == "lower" and found.value < exact.value)


def test_one_thread_is_deterministic_and_a_pickle_is_the_same_search() -> None:
    start = kb.game("othello").start()
    for method in (*EXACT, kb.BestNode(), kb.mia()):
        first = method.search(start, depth=6)
        again = pickle.loads(pickle.dumps(method)).search(start, depth=6)
        assert (first.value, first.best, first.nodes, first.stats) == (
            again.value,
            again.best,
            again.nodes,
            again.stats,
        )


def test_texts_go_both_ways_even_for_tables_of_numbers() -> None:
    methods: list[kb.Algorithm] = [
        kb.Mtd(first_guess=31, depth=14),
        kb.Mtd(first_guess=-0.25),
        kb.AlphaBeta(
            fail="hard", history="relative", checks=((8, 4, 1.5, 1.0, 0.0, 0.02), (6, 2, 1.5, 1.1, -0.5, 0.03))
        ),
        kb.BestNode(next_guess="statistical", samples=((2.0, 8.0), (3.0, 5.0)), quality=0.8, offset=-1.0),
        kb.mia(depth=9),
    ]
    for method in methods:
        assert kb.algorithm(method.spec) == method


BAD = [
    ({"history": "relatve"}, "history='relatve' is not one of plain, relative, butterfly"),
    ({"history": 3}, "history=3 must be"),
    ({"fail": "medium"}, "is not one of soft, hard"),
    ({"checks": ((4, 4, 1, 1, 0, 0),)}, "depth below height"),
    ({"checks": ((4, 2, 1, 0, 0, 0),)}, "a positive slope"),
    ({"checks": (1, 2)}, "must be a tuple of tuples of numbers"),
    ({"futility": -1.0}, "futility=-1.0 must be a finite number, zero or more"),
    ({"step": 0}, "step=0 is out of range"),
]


@pytest.mark.parametrize(("given", "message"), BAD, ids=[str(given) for given, _ in BAD])
def test_bad_parameters_are_refused_in_words(given: dict[str, Any], message: str) -> None:
    with pytest.raises(kb.BadParameter, match=message):
        kb.AlphaBeta(**given)


def test_guesses_that_lack_something_say_what() -> None:
    with pytest.raises(kb.BadParameter, match="tree_width"):
        kb.BestNode(next_guess="analytic")
    with pytest.raises(kb.BadParameter, match="samples"):
        kb.BestNode(next_guess="statistical")
    with pytest.raises(kb.BadParameter, match="first_guess='next' is not one of previous"):
        kb.algorithm("mtd:first_guess=next")
    with pytest.raises(kb.BadParameter, match="quality"):
        kb.BestNode(quality=1.5)


#: A change of each switch, and the counter that shows it.
SWITCHES: list[tuple[dict[str, Any], str]] = [
    ({"null_move": 2}, "null_move_cuts"),
    ({"null_move": 1, "null_adaptive": True}, "null_move_cuts"),
    ({"multi_cut": 6, "multi_cut_cuts": 2}, "multi_cuts"),
    ({"multi_cut": 6, "multi_cut_cuts": 2, "multi_cut_everywhere": True}, "multi_cuts"),
    ({"late_moves": 3}, "reductions"),
    ({"futility": 0.02, "futility_depth": 2}, "futile"),
    ({"razoring": 0.02}, "razored"),
    ({"rank_cut": 0.2}, "reductions"),
    ({"checks": ((4, 2, 1.0, 1.0, 0.0, 0.01),)}, "prob_cuts"),
    ({"singular": 4, "singular_margin": 0.01}, "extensions"),
]


@pytest.mark.parametrize(("switch", "counter"), SWITCHES, ids=[str(switch) for switch, _ in SWITCHES])
def test_every_selective_method_is_counted_when_it_is_switched_on(switch: dict[str, Any], counter: str) -> None:
    start = kb.game("breakthrough", rows=6, cols=6).start()
    assert counter not in kb.Pvs(depth=7).search(start).stats
    assert kb.Pvs(depth=7, **switch).search(start).stats[counter] > 0


@pytest.mark.parametrize(
    "switch",
    [
        {"countermoves": True},
        {"history": "relative"},
        {"history": "butterfly"},
        {"history_gain": "one"},
        {"history": "relative", "history_tried": "square"},
        {"history_shared": True},
        {"history_ageing": 0.0},
        {"credit_fail_low": True},
        {"credit_table": True},
        {"hash_move": False},
        {"aspiration": 0.01},
        {"step": 2},
        {"fail": "hard"},
    ],
    ids=str,
)
def test_switches_of_order_and_window_change_the_count_and_not_the_value(switch: dict[str, Any]) -> None:
    start = kb.game("breakthrough", rows=6, cols=6).start()
    plain = kb.AlphaBeta(depth=8, same_depth=True).search(start)
    changed = kb.AlphaBeta(depth=8, same_depth=True, **switch).search(start)
    assert changed.value == plain.value
    assert changed.nodes != plain.nodes


def test_leaves_in_the_table_are_evaluated_once() -> None:
    start = kb.game("connect-four").start()
    without = kb.AlphaBeta(depth=7, tt_exact=True).search(start)
    stored = kb.AlphaBeta(depth=7, tt_exact=True, tt_leaves=True).search(start)
    assert stored.value == without.value
    assert stored.stats["leaves"] < without.stats["leaves"]


def test_limits_end_every_member() -> None:
    start = kb.game("othello").start()
    for method in (*EXACT, kb.BestNode(), kb.mia()):
        assert method.search(start, nodes=5000).nodes == 5000
        assert method.search(start, seconds=0.05).seconds < 1
