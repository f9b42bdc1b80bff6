"""Players are tuned by games, alone and against others, and compared with what they were."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import kibitz as kb
import pytest
from kibitz.arena.openings import RandomPlies
from kibitz.arena.playing import GameSpec, derive, play
from kibitz.arena.statistics import mean_interval, score_interval, shares
from kibitz.tuning.objective import Against, Alone, instance
from kibitz.tuning.result import compare
from tuned import FOUR, Climb, noise, small


def test_a_player_is_tuned_alone_by_its_mean_result() -> None:
    player = kb.Uct(simulations=2, seed=1)
    found = kb.tune(
        Climb(),
        player,
        vary={"simulations": "1:60:log"},
        instances="seed",
        samples=10,
        elite=3,
        positions=5,
        iterations=2,
        validate=20,
        workers=0,
    )
    assert isinstance(found.best, kb.Uct)
    assert found.best == player.replace(simulations=found.parameters["simulations"])
    assert found.best.simulations is not None
    # The middle of the range is 8.
    assert found.best.simulations > 20
    assert found.given == {"simulations": 2}
    assert found.comparison is not None
    assert found.comparison.difference.interval.low > 0
    assert isinstance(found.parameters["simulations"], int)


def test_alone_the_value_is_the_result_of_the_game() -> None:
    objective = Alone(game=Climb(), player=kb.Uct(simulations=5), plies=3, instances="seed")
    for seed in range(5):
        board = instance(Climb(), "seed", derive(seed, "instance"))
        (opening,) = RandomPlies(3, repeats=True).draw(board, 1, seed=derive(seed, "opening"))
        spec = GameSpec(board, (kb.Uct(simulations=9),), ("x",), opening.moves, None, derive(seed, "game"))
        assert objective.value({"simulations": 9}, seed) == play(spec).result[0]


@pytest.mark.parametrize("game", [FOUR, kb.game("random-tree", width=3, depth=5, players=3)], ids=str)
def test_against_an_opponent_the_value_is_the_mean_of_all_seatings(game: kb.Game) -> None:
    tuned, other = kb.Uct(simulations=9, c=0.3), kb.Uct(simulations=6)
    objective = Against(game=game, player=tuned.replace(c=2.0), opponent=other, plies=2)
    n = game.players
    for seed in range(4):
        (opening,) = RandomPlies(2, repeats=True).draw(game, 1, seed=derive(seed, "opening"))
        points = []
        for mask in range(1, 2**n - 1):
            ours = [bool(mask >> seat & 1) for seat in range(n)]
            seats = tuple(tuned if mine else other for mine in ours)
            spec = GameSpec(game, seats, ("x",) * n, opening.moves, None, derive(seed, "game"))
            points.append(sum(share for share, mine in zip(shares(play(spec).result), ours, strict=True) if mine))
        assert objective.value({"c": 0.3}, seed) == pytest.approx(sum(points) / len(points))
    assert Against(game=game, player=other, opponent=other, plies=2).value({}, 1) == pytest.approx(0.5)


def test_instances_are_other_games_of_the_same_kind() -> None:
    tree = kb.game("random-tree", width=2, depth=3, players=1)
    made = [instance(tree, "seed", derive(number)) for number in range(20)]
    assert len({str(each) for each in made}) == 20
    assert all(each.players == 1 for each in made)
    assert len({instance(Climb(), "seed", derive(number)).seed for number in range(20)}) == 20  # type: ignore[attr-defined]


def test_the_exploration_of_uct_moves_away_from_an_absurd_value() -> None:
    # Exploration that is far too small loses four games of five against 0.5, and the range has its middle at 0.1; six
    # other seeds end between 0.5 and 1.3.
    found = kb.tune(
        kb.game("connect-four", rows=5, cols=5),
        kb.Uct(simulations=100, c=0.001, solver=False),
        vary={"c": "0.001:10:log"},
        against="uct:simulations=100,c=0.5,solver=false",
        samples=16,
        elite=4,
        positions=12,
        iterations=3,
        validate=50,
        workers=0,
    )
    assert 0.2 < found.parameters["c"] < 5
    assert found.comparison is not None
    assert found.comparison.difference.interval.low > 0


def test_processes_give_what_one_process_gives() -> None:
    settings: dict[str, Any] = {"samples": 8, "elite": 2, "positions": 6, "iterations": 2, "validate": 10}
    runs = [
        kb.tune(FOUR, "uct:simulations=20", vary={"c": (0, 3)}, against="random", workers=workers, **settings)
        for workers in (0, 2)
    ]
    assert runs[0] == runs[1]


def test_a_function_that_no_other_process_can_import_is_tuned_by_processes_too() -> None:
    shift = 3

    def parabola(parameters: Mapping[str, float], seed: int) -> float:
        return -((parameters["x"] - shift) ** 2)

    settings: dict[str, Any] = {"samples": 20, "elite": 5, "positions": 1, "iterations": 3, "validate": 0}
    alone, over = (kb.tune(parabola, vary={"x": (0, 4)}, workers=workers, **settings) for workers in (0, 2))
    assert over == alone
    assert over.parameters["x"] == pytest.approx(3, abs=0.2)


# the comparison


def test_the_comparison_of_scores_is_made_of_pairs() -> None:
    tuned, given = [1.0, 0.75, 0.5, 1.0, 0.5], [0.5, 0.75, 0.0, 1.0, 0.25]
    found = compare(tuned, given, bounded=True)
    assert found.tuned.interval == score_interval(tuned)
    assert found.given.mean == pytest.approx(0.5)
    assert found.difference.mean == pytest.approx(0.25)
    half = score_interval([0.75, 0.5, 0.75, 0.5, 0.625])
    assert found.difference.interval.low == pytest.approx(2 * half.low - 1)
    assert found.difference.interval.high == pytest.approx(2 * half.high - 1)


def test_the_comparison_of_results_is_made_of_pairs() -> None:
    # What the position adds to both does not widen the interval.
    given = [noise("position", number) * 1000 for number in range(50)]
    tuned = [value + 5 + noise("own", number) for number, value in enumerate(given)]
    found = compare(tuned, given, bounded=False)
    assert found.difference.interval == mean_interval([a - b for a, b in zip(tuned, given, strict=True)])
    assert 4 < found.difference.interval.low < 5 < found.difference.interval.high < 6
    assert found.tuned.interval.low < 0 < found.tuned.interval.high


def test_parameters_of_a_function_are_compared_with_given_ones() -> None:
    found = small(given={"n": 7, "rate": 0.1, "x": 1.0}, validate=100)
    assert found.comparison is not None
    assert found.given == {"n": 7, "rate": 0.1, "x": 1.0}
    # They are the best there are.
    assert found.comparison.difference.interval.high < 0.2
    assert small(validate=0).comparison is None
