"""The Monte-Carlo family beyond plain UCT: threads, memory, trees that are used again, and trees that are shown."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ElementTree

import kibitz as kb
import pytest
from kibitz.arena.playing import GameSpec, play
from kibitz.bench import memory
from nim import Nim
from playing import without_time


def visits(report: kb.Report) -> int:
    return sum(child.visits for child in report.children)


@pytest.mark.parametrize("parallel", ["root", "tree", "leaf"])
@pytest.mark.parametrize("name", ["othello", "random-tree:players=3,depth=9", "random-tree:chance=random,depth=6"])
def test_visits_add_up_on_several_threads(name: str, parallel: str) -> None:
    # Threads that share a leaf wait for each other at every simulation.
    simulations = 300 if parallel == "leaf" else 3_000
    player = kb.Uct(simulations=simulations, threads=3, parallel=parallel, solver=False)
    report = player.search(kb.game(name).start())
    assert visits(report) == report.stats["simulations"] == simulations


@pytest.mark.parametrize("parallel", ["root", "tree", "leaf"])
def test_one_thread_of_any_kind_is_the_sequential_search(parallel: str) -> None:
    position = kb.game("breakthrough").start()
    found = kb.Uct(simulations=1_500, parallel=parallel).search(position)
    assert without_time(found) == without_time(kb.Uct(simulations=1_500).search(position))


@pytest.mark.parametrize("parallel", ["tree", "leaf"])
def test_threads_find_a_forced_win(parallel: str) -> None:
    position = kb.game("connect-four").position("......./......./......./......./..OO.../..XX... X")
    report = kb.Uct(simulations=100_000, threads=3, parallel=parallel).search(position)
    assert (report.value, report.proven) == (1.0, True)


def test_a_limit_of_time_holds_on_several_threads() -> None:
    for parallel in ("tree", "root", "leaf"):
        report = kb.Uct(seconds=0.2, threads=3, parallel=parallel).search(kb.game("othello").start())
        assert 0.15 < report.seconds < 1.5


def test_depths_count_where_simulations_left_the_tree() -> None:
    report = kb.Uct(simulations=2_000).search(kb.game("breakthrough").start())
    assert sum(report.depths) == 2_000
    assert (report.depths[0], len(report.depths) - 1) == (0, report.stats["deepest"])
    assert report.as_dict()["depths"] == list(report.depths)


def test_tuned_bounds_choose_otherwise_and_still_well() -> None:
    position = kb.game("random-tree", width=4, depth=4, range=1_000, seed=3, players=1).start()
    plain, tuned = (kb.Uct(simulations=20_000, solver=False, selection=rule).search(position) for rule in RULES)
    assert plain.children != tuned.children
    exact = {child.move: child.value for child in kb.Minimax().search(position).children}
    assert exact[tuned.best] > 0.98 * max(exact.values())


RULES = ("ucb1", "ucb1-tuned")


def test_the_tree_has_the_most_visited_positions() -> None:
    position = kb.game("connect-four").start()
    report = kb.Uct(simulations=3_000, trace=60).search(position)
    tree = report.tree
    assert tree is not None
    assert len(tree.nodes) == 60
    assert tree.missing == report.stats["tree_nodes"] - 60
    root = tree.nodes[0]
    assert (root.parent, root.move, root.visits, root.player) == (None, None, 3_000, 0)
    below = {tree.nodes[number].move: tree.nodes[number] for number in tree.children(0)}
    for child in report.children:
        if child.move in below:
            assert (below[child.move].visits, below[child.move].value) == (child.visits, pytest.approx(child.value))
    for node in tree.nodes[1:]:
        assert node.parent is not None
        assert node.visits <= tree.nodes[node.parent].visits
    least = min(node.visits for node in tree.nodes)
    assert all(child.visits <= least for child in report.children if child.move not in below)


def test_a_tree_can_be_cut_at_a_depth() -> None:
    report = kb.Uct(simulations=3_000, trace=200).search(kb.game("connect-four").start())
    assert report.tree is not None
    cut = report.tree(1)
    assert len(cut.nodes) == 8
    assert len(report.tree(0).nodes) == 1
    assert report.tree(99) == report.tree
    for number, node in enumerate(report.tree(2).nodes):
        assert node.parent is None or node.parent < number


def test_values_of_the_tree_take_the_view_of_the_root() -> None:
    won = kb.game("tic-tac-toe").position("XX./OO./... X")
    report = kb.Uct(simulations=200, trace=50).search(won)
    assert report.tree is not None
    assert (report.tree.nodes[0].value, report.tree.nodes[0].bound) == (1.0, "exact")
    over = [node for node in report.tree.nodes if node.end == "over"]
    assert over
    assert all(node.bound == "exact" for node in over)
    for node in over:
        if node.parent == 0:
            assert node.value == (1.0 if node.move == report.best else node.value)


def test_a_monte_carlo_tree_is_drawn_with_its_visits() -> None:
    report = kb.Uct(simulations=1_000, trace=500).search(kb.game("tic-tac-toe").start())
    assert report.tree is not None
    picture = kb.draw.tree(report.tree(1))
    texts = ["".join(each.itertext()) for each in ElementTree.fromstring(picture.svg).iter()]
    assert any(text == "1,000" for text in texts)
    for child in report.children:
        assert any(text == f"{child.visits:,}" for text in texts)
    with pytest.raises(kb.BadParameter, match=r"report.tree\(2\)"):
        kb.draw.tree(report)


def test_a_session_goes_on_with_its_tree() -> None:
    player = kb.Uct(simulations=2_000, reuse=True, solver=False)
    session = player.session()
    position = kb.game("connect-four").start()
    first = session.search(position)
    assert without_time(first) == without_time(player.search(position))
    after = position.play(first.pv[0]).play(first.pv[1])
    second = session.search(after)
    assert second.stats["simulations"] == 2_000
    assert visits(second) > 2_000 == visits(player.search(after))
    # Another game begins: nothing is left of the last one.
    assert without_time(session.search(position)) == without_time(first)


def test_without_reuse_a_session_keeps_nothing() -> None:
    session = kb.Uct(simulations=500).session()
    position = kb.game("connect-four").start()
    assert without_time(session.search(position)) == without_time(session.search(position))
    assert session.algorithm.spec == "uct:simulations=500"


@pytest.mark.parametrize("game", [kb.game("tic-tac-toe"), kb.game("connect-four"), Nim()], ids=str)
def test_games_with_reused_trees_are_the_same_games_again(game: kb.Game) -> None:
    players = (kb.Uct(simulations=150, reuse=True), kb.Uct(simulations=100, reuse=True, seed=3))
    spec = GameSpec(game, players, ("a", "b"), seed=5)

    def essence() -> list[tuple[object, ...]]:
        return [(move.seat, move.move, move.value, move.nodes) for move in play(spec).moves]

    first = essence()
    play(dataclasses.replace(spec, seed=6))
    assert essence() == first


def test_eight_megabytes_hold() -> None:
    found = memory.growth(8, 20.0)
    stats = found["stats"]
    assert isinstance(stats, dict)
    assert isinstance(found["growth"], int)
    assert stats["recycled"] >= 3
    assert found["growth"] <= 8 << 20


def test_a_search_with_little_memory_still_improves() -> None:
    error = {2_000: 0.0, 40_000: 0.0}
    same = 0
    for seed in range(1, 9):
        position = kb.game("random-tree", width=12, depth=6, leaves="sum", range=80, seed=seed).start()
        exact = kb.AlphaBeta(depth=6).search(position).value
        player = kb.Uct(memory_mb=1, solver=False, c=0.5)
        for simulations in error:
            report = player.search(position, simulations=simulations)
            error[simulations] += abs(report.value - exact)
        assert report.stats["recycled"] >= 5
        same += report.best == player.search(position, simulations=40_000, memory_mb=256).best
    assert error[40_000] < error[2_000]
    assert same >= 7


@pytest.mark.parametrize(
    "wrong",
    [
        {"parallel": "both"},
        {"selection": "ucb2"},
        {"expansion_threshold": 0},
        {"first_play_urgency": -1.0},
        {"final_move": "best"},
        {"reuse": 1},
        {"trace": -1},
    ],
)
def test_bad_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(kb.BadParameter, match=next(iter(wrong))):
        kb.Uct(**wrong)


def test_a_game_in_python_runs_on_one_thread() -> None:
    with pytest.raises(kb.NotSupported, match="one thread"):
        kb.Uct(simulations=10, threads=2, parallel="tree").search(Nim().start())
