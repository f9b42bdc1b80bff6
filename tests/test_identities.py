"""Alpha-beta equals minimax, whatever is switched on; solved games have their values, counts are those published."""

from __future__ import annotations

import itertools
import random

import kibitz as kb
import pytest
from playing import random_positions

#: Every combination of the switches. The replacement scheme matters only to a table that fills up, so it goes round.
SWITCHES = [
    dict(
        deepening=deepening,
        **table,
        etc=etc,
        killers=killers,
        history=history,
        hints=hints,
    )
    for deepening, table, etc, killers, history, hints in itertools.product(
        (False, True), ({"tt_mb": 0}, {"tt_mb": 1}, {"tt_exact": True}), *[(False, True)] * 4
    )
]
SCHEMES = ("two-deep", "always", "depth-preferred", "two-big")
NOTHING = {"deepening": False, "tt_mb": 0, "etc": False, "killers": False, "history": False, "hints": False}

TREES, CHUNKS = 2000, 20


def random_tree(number: int) -> kb.NativeGame:
    """One of many trees: narrow and wide, one or two players, plain trees and graphs, few and many different values."""
    pick = random.Random(number)
    width, depth = pick.choice([(2, 3), (2, 6), (2, 9), (3, 3), (3, 5), (4, 4), (5, 3), (7, 2), (12, 2), (1, 5)])
    return kb.game(
        "random-tree",
        width=width,
        depth=depth,
        range=pick.choice([1, 2, 10, 80, 800, 1_000_000]),
        seed=pick.choice([0, number + 1]),
        players=pick.choice([1, 2, 2, 2]),
        states=pick.choice([0, 0, 3, 8, 20]),
    )


def agree(found: kb.Report, exact: kb.Report, context: object) -> None:
    """Same value, and a move that has it."""
    assert found.value == exact.value, context
    assert found.bound == "exact", context
    assert found.best in [child.move for child in exact.children if child.value == exact.value], context
    assert found.pv[0] == found.best, context


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_alpha_beta_with_every_combination_of_switches_equals_minimax_on_random_trees(chunk: int) -> None:
    for number in range(chunk, TREES, CHUNKS):
        position = random_tree(number).start()
        exact = kb.Minimax().search(position)
        assert exact.proven
        for i, switches in enumerate(SWITCHES):
            same_depth, scheme = (number + i // 2) % 2 == 0, SCHEMES[(number + i) % 4]
            algorithm = kb.AlphaBeta(**switches, same_depth=same_depth, replacement=scheme)
            found = algorithm.search(position)
            agree(found, exact, (position.game, algorithm))
            assert found.proven


BOARDS = [
    ("tic-tac-toe", range(1, 10)),
    ("mnk:rows=4,cols=4", range(1, 6)),
    ("connect-four:rows=4,cols=4", range(1, 9)),
    ("breakthrough:rows=5,cols=4", range(1, 6)),
    ("breakthrough:rows=4,cols=4,ranks=1", range(1, 7)),
    ("othello:size=4", range(1, 8)),
    ("othello:size=4,result=discs", range(1, 8)),
    ("nim", range(1, 7)),
]


@pytest.mark.parametrize(("name", "depths"), BOARDS, ids=lambda value: value if isinstance(value, str) else "")
def test_alpha_beta_with_the_same_depth_equals_minimax_of_that_depth_on_small_boards(name: str, depths: range) -> None:
    game = kb.game(name)
    for position in [game.start(), *random_positions(game, 3, seed=1)]:
        for depth in depths:
            exact = kb.Minimax(depth=depth).search(position)
            for i, switches in enumerate(SWITCHES):
                algorithm = kb.AlphaBeta(depth=depth, **switches, same_depth=True, replacement=SCHEMES[(depth + i) % 4])
                agree(algorithm.search(position), exact, (str(position), algorithm))


ENDGAMES = [
    "tic-tac-toe",
    "mnk:rows=4,cols=4",
    "connect-four:rows=4,cols=4",
    "breakthrough:rows=4,cols=3,ranks=1",
    "breakthrough:rows=5,cols=3,ranks=1",
    "othello:size=4,result=discs",
    "nim:piles=2-3-4",
    "nim:piles=1-2-4,misere=true",
]


@pytest.mark.parametrize("name", ENDGAMES)
def test_alpha_beta_searched_to_the_end_equals_minimax_on_small_boards(name: str) -> None:
    searched = 0
    for position in random_positions(kb.game(name), 60, seed=2):
        exact = kb.Minimax(nodes=100_000).search(position)
        if not exact.proven or exact.nodes < 50 or searched == 6:
            continue
        searched += 1
        for i, switches in enumerate(SWITCHES):
            algorithm = kb.AlphaBeta(**switches, replacement=SCHEMES[i % 4])
            found = algorithm.search(position)
            agree(found, exact, (str(position), algorithm))
            assert found.proven
    assert searched >= 3


def test_a_search_stopped_by_nodes_keeps_the_last_complete_depth() -> None:
    position = kb.game("breakthrough:rows=6,cols=6").start()
    report = kb.AlphaBeta(nodes=20_000, same_depth=True).search(position)
    assert report.nodes == 20_000
    assert report.value == kb.Minimax(depth=report.depth).search(position).value
    assert [step.depth for step in report.history] == list(range(1, report.depth + 1))


# J. Tromp, "John's Connect Four Playground": 4x4, 4x5 and 5x4 are draws. The second player wins 4x4 Othello by 11 to 3.
SOLVED = [
    ("tic-tac-toe", 0.0),
    ("mnk:rows=4,cols=3", 1.0),
    ("connect-four:rows=4,cols=4", 0.0),
    ("connect-four:rows=5,cols=4", 0.0),
    ("connect-four:rows=4,cols=5", 0.0),
    ("othello:size=4", -1.0),
    ("othello:size=4,result=discs", -8.0),
    ("nim", 1.0),
    ("nim:piles=1-2-3", -1.0),
    ("nim:piles=1-1-1,misere=true", -1.0),
]


@pytest.mark.parametrize(("name", "value"), SOLVED)
def test_solved_games_have_their_known_values(name: str, value: float) -> None:
    report = kb.AlphaBeta().search(kb.game(name).start())
    assert (report.value, report.proven) == (value, True)


# The counts below are from Schadd, Selective Search in Games of Different Complexity (2011), and standard facts.
def test_minimax_visits_every_line_of_tic_tac_toe() -> None:
    report = kb.Minimax().search(kb.game("tic-tac-toe").start())
    assert (report.value, report.nodes, report.stats["leaves"]) == (0.0, 549_946, 255_168)


def test_plain_alpha_beta_visits_18297_nodes_of_tic_tac_toe() -> None:
    report = kb.AlphaBeta(**NOTHING).search(kb.game("tic-tac-toe").start())
    assert (report.nodes, report.stats["leaves"]) == (18_297, 7_330)


def test_one_move_draws_and_two_lose() -> None:
    position = kb.game("tic-tac-toe").position("XOX/XO./O..")
    report = kb.Minimax().search(position)
    assert {child.move: child.value for child in report.children} == {"b1": 0.0, "c2": -1.0, "c1": -1.0}
    assert (report.nodes, report.best, report.value) == (14, "b1", 0.0)
    assert kb.AlphaBeta(**NOTHING).search(position).nodes in range(10, 15)


# D. Rutko, Fuzzified Game Tree Search (2012): leaves and nodes of alpha-beta on the trees of seed 0.
LEAVES_AND_NODES = [
    (2, 4, 15, 30),
    (3, 4, 58, 96),
    (2, 14, 1977, 4907),
    (3, 10, 5797, 10523),
    (4, 8, 6178, 9802),
    (5, 6, 2728, 3945),
]


@pytest.mark.parametrize(("width", "depth", "leaves", "nodes"), LEAVES_AND_NODES)
def test_plain_alpha_beta_visits_the_known_nodes_of_random_trees(
    width: int, depth: int, leaves: int, nodes: int
) -> None:
    position = kb.game("random-tree", width=width, depth=depth).start()
    report = kb.AlphaBeta(**NOTHING).search(position)
    assert (report.stats["leaves"], report.nodes) == (leaves, nodes)
    minimax = kb.Minimax().search(position)
    assert minimax.stats["leaves"] == width**depth
    assert report.value == minimax.value


def test_every_enhancement_has_an_effect() -> None:
    position = kb.game("breakthrough", rows=6, cols=6).start()
    full = kb.AlphaBeta(depth=6, etc_depth=2)
    nodes = full.search(position).nodes
    for change in (
        {"deepening": False},
        {"tt_mb": 0},
        {"etc": False},
        {"killers": False},
        {"history": False},
        {"hints": False},
    ):
        assert full.search(position, **change).nodes != nodes, change
    assert nodes < full.search(position, **NOTHING).nodes < kb.Minimax(depth=5).search(position).nodes


def test_replacement_schemes_differ_on_a_small_table() -> None:
    position = kb.game("connect-four").start()
    nodes = {scheme: kb.AlphaBeta(depth=11, tt_mb=1, replacement=scheme).search(position).nodes for scheme in SCHEMES}
    assert len(set(nodes.values())) == len(SCHEMES)
    assert max(nodes.values()) > kb.AlphaBeta(depth=11, tt_mb=64).search(position).nodes


def test_a_seed_breaks_ties_at_random() -> None:
    # every move loses
    position = kb.game("nim:piles=2-4-6").start()
    for algorithm in (kb.AlphaBeta(), kb.Minimax(depth=6)):
        assert len({algorithm.search(position, seed=seed).best for seed in range(30)}) > 5
