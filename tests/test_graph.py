"""The complete graphs of small games, and the experiments on Dao that count on them."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import kibitz as kb
import numpy as np
import pytest
from kibitz.cli import app
from kibitz.experiments import experiment
from kibitz.experiments.dao_graph import solved, tables
from kibitz.experiments.dao_tables import paper_values
from typer.testing import CliRunner


@pytest.fixture(scope="module")
def dao() -> kb.GameGraph:
    return kb.graph(kb.game("dao"))


def steps(graph: kb.GameGraph) -> tuple[Any, Any]:
    """Values (1 a loss of the player to move, 3 a win, 0 a draw) and distances, step by step as in the paper.

    At each step a position is won from which a move leads to a lost one, and lost if all moves lead to won ones, as far
    as the steps before know.
    """
    values = graph.ended.copy()
    distances = np.zeros(len(graph), dtype=int)
    degree = np.asarray(graph.edges.sum(axis=1)).ravel()
    for step in range(1, 1000):
        left = (values == 0) & (degree > 0)
        wins = left & (graph.edges @ (values == 1).astype(float) > 0)
        losses = left & (graph.edges @ (values == 3).astype(float) == degree)
        if not (wins.any() or losses.any()):
            break
        values[wins], values[losses] = 3, 1
        distances[wins | losses] = step
    return values, distances


@pytest.mark.parametrize("name", ["dao", "do-guti", "l-game"])
def test_retrograde_analysis_finds_what_the_steps_of_the_paper_find(name: str) -> None:
    graph = kb.graph(kb.game(name))
    for found, wanted in zip(solved(graph), steps(graph), strict=True):
        assert (found == wanted).all()


@pytest.mark.parametrize("name", ["dao", "do-guti", "l-game"])
def test_nodes_and_positions_go_both_ways(name: str) -> None:
    graph = kb.graph(kb.game(name))
    generator = random.Random(1)
    for node in [0, len(graph) - 1, graph.root, *(generator.randrange(len(graph)) for _ in range(50))]:
        position = graph.position(node)
        assert graph.node(position) == node
        assert position in graph
        assert position.over == bool(graph.over[node])
        after = [graph.node(position.play(move)) for move in position.moves]
        assert after == list(graph.to[graph.first[node] : graph.first[node + 1]])
    assert graph.position(graph.root).place == graph.game.start().place
    with pytest.raises(kb.BadParameter, match="no node"):
        graph.position(len(graph))
    with pytest.raises(kb.BadParameter, match="no position of this graph"):
        graph.node(kb.game("tic-tac-toe").start())


def test_a_game_that_numbers_no_positions_has_no_graph() -> None:
    with pytest.raises(kb.NotSupported, match="does not number"):
        kb.graph(kb.game("othello"))
    assert kb.game("othello").start().place is None


def _distances(graph: kb.GameGraph) -> dict[str, int]:
    """Moves from the start, by playing; a position and its place are told apart by the place."""
    start = graph.game.start()
    found = {start.place: 0}
    queue = deque([start])
    while queue:
        position = queue.popleft()
        for move in position.moves:
            after = position.play(move)
            if after.place not in found:
                found[after.place] = found[position.place] + 1
                queue.append(after)
    return {str(place): distance for place, distance in found.items()}


@pytest.mark.parametrize("name", ["do-guti", "l-game"])
def test_distances_are_those_of_playing(name: str) -> None:
    graph = kb.graph(kb.game(name, repetition=0))
    played = _distances(graph)
    assert len(played) == int(graph.reached.sum())
    for node in np.flatnonzero(graph.reached):
        assert played[str(graph.position(int(node)).place)] == graph.distances[node]


def test_smallest_cycles_are_those_of_a_search(dao: kb.GameGraph) -> None:
    found = dao.smallest_cycles()
    generator = random.Random(2)
    for node in [*(generator.randrange(len(dao)) for _ in range(20)), *np.flatnonzero(found == 2)[:5]]:
        front, length = {int(node)}, 0
        for ply in range(1, 5):
            front = {int(to) for each in front for to in dao.to[dao.first[each] : dao.first[each + 1]]}
            if int(node) in front:
                length = ply
                break
        assert found[node] == length


def test_the_graph_of_dao_is_the_published_one() -> None:
    verdicts = {each.id: [row.verdict for row in rows] for each, rows in tables()}
    assert verdicts["dao-graph"].count("differs") == 1  # the average branching factor, of unknown definition
    assert set(verdicts["dao-table-1"]) == {"agrees"}
    assert verdicts["dao-table-2"].count("differs") == 3  # one number, and both averages
    assert verdicts["dao-table-3"].count("differs") == 3  # steps 0 and 3, and the totals
    assert set(verdicts["dao-table-4"]) == {"agrees"}


def test_do_guti_is_the_published_one() -> None:
    each = experiment("do-guti-graph")
    rows = each.summarize("quick", [each.run(unit) for unit in each.units("quick")])
    assert [row.verdict for row in rows].count("agrees") == 10
    assert [row.measured for row in rows if row.verdict == "measured"] == ["13, 2, 15"] * 2


def test_random_games_have_the_exact_distribution_of_lengths(dao: kb.GameGraph) -> None:
    exact = dao.random_lengths(1e-8)
    mean = float(exact @ np.arange(len(exact)))
    assert mean == pytest.approx(74.985, abs=0.001)
    assert not exact[:5].any()
    assert exact.sum() == pytest.approx(1, abs=1e-7)
    played = dao.random_walks(20_000, 3)
    assert played.mean() == pytest.approx(mean, abs=5 * played.std() / np.sqrt(20_000))
    found = kb.playouts(kb.game("dao").start(), 20_000, 5)
    assert found.plies == pytest.approx(mean, abs=5 * played.std() / np.sqrt(20_000))
    assert list(dao.random_walks(100, 3)) == list(dao.random_walks(100, 3))


def test_what_minimax_visits_is_what_perft_counts(dao: kb.GameGraph) -> None:
    start = kb.game("dao").start()
    visits = dao.visits(5)
    assert int((visits.first + visits.second).sum()) == sum(kb.perft(start, depth) for depth in range(1, 6))
    assert int(visits.all.sum()) == int((visits.first + visits.second).sum())
    # no game ends before five plies, so that the leaves are the lines of five
    assert int(visits.evaluated.sum()) == kb.perft(start, 5)


@pytest.mark.parametrize("bits", [None, 0, 3, 12])
def test_alpha_beta_on_the_graph_has_the_value_of_the_search_of_the_game(bits: int | None) -> None:
    game = kb.game("dao", noise=50, seed=4)
    graph = kb.graph(game)
    values = np.select([graph.ended == 3, graph.ended == 1], [10_000, -10_000], graph.values)
    for depth in (1, 2, 3, 4, 5):
        study = graph.table_study(depth=depth, bits=bits, values=values, same_depth=True)
        report = kb.Minimax(depth=depth).search(game.start())
        assert study.value == round(10_000 * report.value)


def test_a_table_study_refuses_what_it_cannot_do(dao: kb.GameGraph) -> None:
    for bad in ({"bits": 40}, {"depth": 1000}, {"values": [1, 2, 3]}):
        given: dict[str, Any] = {"depth": 2, "bits": 4, **bad}
        with pytest.raises(kb.BadParameter):
            dao.table_study(**given)


def test_tables_5_and_6_are_those_of_single_searches() -> None:
    each = experiment("dao-table-5")
    units = [{**unit, "bits": [0, 2, 16]} for unit in each.units("quick")]
    results = [each.run(unit) for unit in units]
    assert results[0] != results[1]
    for unit in results:
        none, small, large = unit
        assert none["look_ups"] == none["filled"] == 0
        assert small["filled"] == 4
        assert none["leaves"] > large["leaves"]
        assert small["look_ups"] < large["look_ups"]
    rows = each.summarize("quick", results)
    assert sum(row.verdict == "agrees" for row in rows) > len(rows) / 2


def test_the_evaluation_of_the_paper_gives_wins_only_200_points(dao: kb.GameGraph) -> None:
    values = paper_values(dao)
    assert set(values[dao.ended == 3] - dao.values[dao.ended == 3]) == {200}
    assert set(values[dao.ended == 1] - dao.values[dao.ended == 1]) == {-200}
    assert (values == dao.values)[~dao.over].all()


def test_the_solution_of_the_l_game() -> None:
    graph = kb.graph(kb.game("l-game"))
    values, distances = steps(graph)
    assert (len(graph), int((values == 3).sum()), int((values == 1).sum())) == (2296, 1006, 29)
    assert values[graph.root] == 0
    assert list(np.bincount(distances[values == 1])[::2]) == [15, 3, 3, 5, 3]
    assert list(np.bincount(distances[values == 3])[1::2]) == [768, 27, 81, 11, 119]


def test_the_published_line_of_dao_wins_in_eleven_plies(dao: kb.GameGraph) -> None:
    values, distances = steps(dao)
    position = kb.game("dao").position(".WW./...B/..WB/.WBB W")
    line = ["c4-c3", "d3-c4", "b4-a4", "c4-a2", "b1-b4", "a2-a3", "a4-b3", "a3-a1", "c2-d3", "c1-b1", "d3-c4"]
    for left, move in zip(range(11, 0, -1), line, strict=True):
        node = dao.node(position)
        assert (values[node], distances[node]) == (3 if left % 2 else 1, left)
        position = position.play(move)
    assert position.result == (1.0, -1.0)


def test_longest_wins_and_losses_of_dao(dao: kb.GameGraph) -> None:
    values, distances = steps(dao)
    game = kb.game("dao")
    longest = [
        ".BBB/.W.B/W..W/W...",
        "BBB./BW../W..W/..W.",
        ".BBB/WW.B/...W/W...",
        ".BBB/WW.B/.W.W/....",
        ".BBB/W.WB/...W/.W..",
        ".BBB/W.WB/W..W/....",
    ]
    nodes = {dao.node(game.position(f"{board} W")) for board in longest}
    assert nodes == set(np.flatnonzero(distances == 11))
    assert set(values[list(nodes)]) == {3}
    lost = {dao.node(game.position(f"{board} W")) for board in ("..../B.../WBBB/WWW.", "..../B..B/WBB./WWW.")}
    assert lost == set(np.flatnonzero(distances == 10))
    unreached = {dao.node(game.position(f"{board} W")) for board in ("..B./.WBB/..B./.WWW", "..../W.W./WBBW/B.B.")}
    assert unreached == set(np.flatnonzero(~dao.reached & ~dao.over))


def test_games_end_by_repetition_unless_they_are_told_not_to() -> None:
    for name, there_and_back in (("dao", "a4-a2 d4-d2 a2-a4 d2-d4"), ("do-guti", None)):
        for times in (2, 3, 0):
            position = kb.game(name, repetition=times).start()
            moves = there_and_back.split() if there_and_back else None
            played = 0
            seen = {str(position): 1}
            while not position.over and played < 60:
                move = moves[played % len(moves)] if moves else position.moves[-1]
                position = position.play(move)
                played += 1
                seen[str(position)] = seen.get(str(position), 0) + 1
                if times and seen[str(position)] == times:
                    assert position.result == (0.0, 0.0)
            if name == "dao":
                assert played == {2: 4, 3: 8, 0: 60}[times]
    with pytest.raises(kb.BadParameter, match="repetition=1"):
        kb.game("l-game", repetition=1)


def test_the_command_line_prints_the_published_tables_of_dao() -> None:
    ran = CliRunner().invoke(app, ["solve", "dao"])
    assert ran.exit_code == 0, ran.output
    words = ran.output.split()
    for number in ("113,028", "20,909", "304,568,204"):
        assert any(number in word for word in words), number
    for table in ("Table 1", "Table 2", "Table 3", "Table 4"):
        assert table in ran.output
