"""Dice and ChanceBreakthrough: the native games beside a second program, and through the Python API."""

from __future__ import annotations

import random

import chance_rules as rules
import kibitz as kb
import pytest


@pytest.mark.parametrize("spec", ["dice:size=4", "dice:size=3,full=pass", "dice:size=5,k=3"])
@pytest.mark.parametrize("seed", range(5))
def test_every_position_of_random_games_of_dice_has_as_many_continuations(spec: str, seed: int) -> None:
    position = kb.game(spec).start()
    params = position.game.params
    second = rules.Dice(params["size"], params["k"], params["full"] == "pass")
    lot = random.Random(seed)
    while not position.over:
        assert len(position.moves) == len(list(second.children(_dice(position))))
        position = position.play(lot.choice(position.moves))
    assert not list(second.children(_dice(position)))


def _dice(position: kb.Position) -> tuple[rules.Board, int, int]:
    grid, side, *die = str(position).split()
    rolled = -1 if not die else -2 if die[0] == "full" else int(die[0]) - 1
    return tuple(reversed(grid.split("/"))), "CR".index(side), rolled


@pytest.mark.parametrize("seed", range(10))
def test_every_position_of_random_games_of_chance_breakthrough_has_the_same_continuations(seed: int) -> None:
    position = kb.game("chance-breakthrough", rows=6, cols=5).start()
    second = rules.ChanceBreakthrough(6, 5)
    lot = random.Random(seed)
    while not position.over:
        ours = sorted(map(_breakthrough, (position.play(move) for move in position.moves)))
        assert ours == sorted(second.children(_breakthrough(position)))
        position = position.play(lot.choice(position.moves))
    assert not list(second.children(_breakthrough(position)))


def _breakthrough(position: kb.Position) -> tuple[rules.Board, int, bool]:
    grid, side, *rolls = str(position).split()
    return tuple(reversed(grid.split("/"))), "wb".index(side), bool(rolls)


def test_a_roll_hits_every_square_equally_often() -> None:
    outcomes = dict(kb.game("chance-breakthrough").start().play("roll").outcomes)
    assert (len(outcomes), outcomes.pop("roll=-")) == (33, 0.5)
    assert set(outcomes.values()) == {1 / 64}


def test_exact_values_of_small_dice_are_found_by_a_search() -> None:
    for params, value in (({}, 6079 / 17496),):
        start = kb.game("dice", size=3, **params).start()
        report = kb.Star2(depth=18).search(start)
        assert report.value == pytest.approx(value, abs=1e-9)


def test_players_meet_in_the_arena() -> None:
    for game in ("dice:size=4", "chance-breakthrough:rows=5,cols=4"):
        found = kb.match(game, {"a": "star2:depth=1", "b": "random"}, games=20, seed=1, workers=0)
        assert found.games == 20


def test_bad_parameters_are_refused() -> None:
    for game, params in (
        ("dice", {"size": 3, "k": 4}),
        ("dice", {"k": 1}),
        ("chance-breakthrough", {"rows": 12, "cols": 12}),
    ):
        with pytest.raises(kb.BadParameter):
            kb.game(game, **params)
