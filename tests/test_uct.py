"""UCT finds what minimax finds, plays what it has proven, counts its visits and stays within its memory."""

from __future__ import annotations

import random

import kibitz as kb
import pytest
from playing import exact_values, random_positions

SIMULATIONS = 200_000


def tree(number: int) -> kb.NativeGame:
    pick = random.Random(number)
    width, depth = pick.choice([(2, 4), (2, 6), (3, 4), (3, 6), (4, 4), (4, 5), (5, 4), (6, 3), (8, 2)])
    states = pick.choice([0, 0, 10])
    return kb.game("random-tree", width=width, depth=depth, range=80, seed=number, states=states)


def best_moves(position: kb.Position) -> list[str]:
    exact = kb.Minimax().search(position)
    return [child.move for child in exact.children if child.value == exact.value]


@pytest.mark.parametrize("chunk", range(10))
def test_uct_picks_a_best_move_on_random_trees(chunk: int) -> None:
    for number in range(chunk * 30, chunk * 30 + 30):
        position = tree(number).start()
        report = kb.Uct(simulations=SIMULATIONS, seed=number).search(position)
        assert report.best in best_moves(position), position.game
        assert report.proven
        assert report.value == kb.Minimax().search(position).value


@pytest.mark.parametrize("final_move", ["robust", "max", "secure"])
def test_uct_without_proofs_picks_a_best_move_too(final_move: str) -> None:
    for number in range(20):
        position = kb.game("random-tree", width=2, depth=2 + number % 5, range=80, seed=number + 1).start()
        report = kb.Uct(simulations=SIMULATIONS, solver=False, final_move=final_move).search(position)
        assert report.best in best_moves(position), position.game
        assert not report.proven
        assert report.bound == "estimate"
        assert report.stats["simulations"] == SIMULATIONS
        assert abs(report.value - kb.Minimax().search(position).value) < 4


def keeps_the_win(position: kb.Position, move: str) -> bool:
    """Whether alpha-beta finds that the player to move still wins after the move."""
    child = position.play(move)
    if child.result is not None:
        return child.result[position.turn] == 1.0
    value = kb.AlphaBeta(nodes=500_000, tt_mb=4).search(child).value
    return (value if child.turn == position.turn else -value) == 1.0


@pytest.mark.parametrize(
    "name", ["tic-tac-toe", "mnk:rows=5,cols=5,k=4", "connect-four", "breakthrough:rows=5,cols=5", "othello:size=4"]
)
def test_a_proven_win_is_played(name: str) -> None:
    won = 0
    for i, position in enumerate(random_positions(kb.game(name), 100, seed=5)):
        if kb.AlphaBeta(depth=3, tt_mb=0).search(position).value != 1.0:
            continue
        won += 1
        final_move = ("robust", "max", "secure")[i % 3]
        report = kb.Uct(simulations=20_000, final_move=final_move, memory_mb=16).search(position)
        assert (report.value, report.proven, report.bound) == (1.0, True, "exact"), str(position)
        assert keeps_the_win(position, report.best), str(position)
        assert report.best in [child.move for child in report.children if child.value == 1.0]
    assert won >= 5


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize(
    "name", ["tic-tac-toe", "connect-four", "othello", "breakthrough", "random-tree:players=4,depth=8"]
)
def test_visits_add_up_and_values_are_in_range(name: str, solver: bool) -> None:
    position = kb.game(name).start()
    report = kb.Uct(simulations=3_000, solver=solver).search(position)
    assert sum(child.visits for child in report.children) == report.stats["simulations"] <= 3_000
    assert sorted(child.move for child in report.children) == sorted(position.moves)
    low, high = (0, 80) if name.startswith("random-tree") else (-1, 1)
    assert all(low <= child.value <= high for child in report.children)
    assert low <= report.value <= high
    assert [child.visits for child in report.children] == sorted((c.visits for c in report.children), reverse=True)
    assert report.best == report.pv[0]
    assert [step.depth for step in report.history] == [1024, 2048]


def test_fewer_simulations_than_moves_still_give_a_move() -> None:
    position = kb.game("gomoku").start()
    for simulations in (1, 2, 10):
        report = kb.Uct(simulations=simulations).search(position)
        assert report.best in position.moves
        assert sum(child.visits for child in report.children) == simulations


def test_final_moves_are_what_they_say() -> None:
    position = kb.game("breakthrough").start()
    found = {
        rule: kb.Uct(simulations=3_000, final_move=rule, solver=False, seed=2).search(position)
        for rule in ("robust", "max", "secure")
    }
    children = found["robust"].children
    assert all(report.children == children for report in found.values())
    visits, values = (
        {child.move: value(child) for child in children} for value in (lambda c: c.visits, lambda c: c.value)
    )
    assert visits[found["robust"].best] == max(visits.values())
    assert values[found["max"].best] == max(values.values())


@pytest.mark.parametrize("name", ["othello", "breakthrough", "gomoku"])
def test_memory_is_bounded_and_the_search_goes_on(name: str) -> None:
    position = kb.game(name).start()
    report = kb.Uct(simulations=20_000, memory_mb=1).search(position)
    assert report.stats["memory_full"] == 1
    assert 0.5 < report.stats["tree_mb"] <= 1
    assert report.stats["simulations"] == 20_000
    assert sum(child.visits for child in report.children) == 20_000
    assert kb.Uct(simulations=20_000).search(position).stats["memory_full"] == 0


def test_more_exploration_spreads_the_visits() -> None:
    position = kb.game("connect-four").start()

    def most(c: float) -> int:
        return kb.Uct(simulations=5_000, c=c, solver=False).search(position).children[0].visits

    assert most(0.1) > most(1.0) > most(10.0)


CHANCE = "random-tree:width=3,depth=3,chance={},events=3,seed={},range=80,players={}"


@pytest.mark.parametrize("kind", ["uniform", "random"])
@pytest.mark.parametrize("players", [1, 2, 3])
def test_values_of_chance_trees_converge(kind: str, players: int) -> None:
    for seed in range(1, 6):
        position = kb.game(CHANCE.format(kind, seed, players)).start()
        exact = exact_values(position)[0]
        report = kb.Uct(simulations=SIMULATIONS, solver=seed % 2 == 1).search(position)
        assert abs(report.value - exact) < 2.5, position.game
        assert exact_values(position.play(report.best))[0] > exact - 1.5
        assert not report.proven


def test_a_search_may_begin_at_a_chance_node() -> None:
    position = kb.game(CHANCE.format("random", 1, 2)).start().play("0")
    assert position.turn == "chance"
    report = kb.Uct(simulations=SIMULATIONS).search(position)
    assert report.best is None
    assert abs(report.value - exact_values(position)[0]) < 2.5
    for child in report.children:
        probability = dict(position.outcomes)[child.move]
        assert abs(child.visits / SIMULATIONS - probability) < 0.01


@pytest.mark.parametrize("players", [3, 4])
def test_several_players_play_for_themselves(players: int) -> None:
    for seed in range(1, 9):
        position = kb.game("random-tree", width=3, depth=players, range=10_000, seed=seed, players=players).start()
        values = {move: exact_values(position.play(move))[0] for move in position.moves}
        report = kb.Uct(simulations=SIMULATIONS).search(position)
        assert values[report.best] == max(values.values()), position.game


def test_one_player_maximises() -> None:
    for seed in range(1, 9):
        position = kb.game("random-tree", width=4, depth=4, range=1_000, seed=seed, players=1).start()
        best = exact_values(position)[0]
        report = kb.Uct(simulations=20_000).search(position)
        assert (report.value, report.proven) == (best, True)
        assert exact_values(position.play(report.best))[0] == best
        sampled = kb.Uct(simulations=20_000, solver=False).search(position)
        assert exact_values(position.play(sampled.best))[0] > 0.98 * best


def test_a_finished_game_has_a_value_and_no_move() -> None:
    for text, value in (("XXX/OO./...", 1.0), ("XX./OOO/X..", -1.0), ("XOX/XXO/OXO", 0.0)):
        report = kb.Uct().search(kb.game("tic-tac-toe").position(text))
        assert (report.best, report.value, report.proven, report.pv) == (None, value, True, ())
