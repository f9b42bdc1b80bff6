"""The pip race: rules, published chances of winning, and players that know no more than anybody."""

from __future__ import annotations

import functools
import itertools

import kibitz as kb
import pytest
from kibitz.arena.playing import GameSpec, play

ROLLS = [4 * a if a == b else a + b for a, b in itertools.product(range(1, 7), repeat=2)]


@functools.cache
def wins(own: int, other: int, steady: int = 0) -> float:
    """The probability that the player to move wins, with best play where there is a choice."""

    def after(taken: int) -> float:
        return 1.0 if taken >= own else 1.0 - wins(other, own - taken, steady)

    roll = sum(map(after, ROLLS)) / 36
    return max(roll, after(steady)) if steady else roll


@pytest.fixture(scope="module", autouse=True)
def table() -> None:
    """Small numbers first, so that no recursion is deep."""
    for own, other in itertools.product(range(1, 111), repeat=2):
        wins(own, other)


PUBLISHED = {(100, 100): 0.577, (100, 110): 0.742, (60, 60): 0.598, (30, 30): 0.642}


@pytest.mark.parametrize(("pips", "published"), PUBLISHED.items())
def test_chances_of_winning_are_those_of_the_literature(pips: tuple[int, int], published: float) -> None:
    # published with an error of 0.002, from 400,000 simulated races
    assert wins(*pips) == pytest.approx(published, abs=0.002)
    assert f"{wins(*pips):.4f} at {pips[0]} to {pips[1]}" in kb.games().info("pip-race").rules
    start = kb.game("pip-race", first=pips[0], second=pips[1]).start()
    assert start.evaluate() == pytest.approx(2 * wins(*pips) - 1, abs=0.02)
    # five standard errors
    assert kb.playouts(start, 200_000, seed=1).mean[0] == pytest.approx(2 * wins(*pips) - 1, abs=0.0112)


def exact(position: kb.Position) -> float:
    """What the first player wins on average when nobody has a choice, from the rules of the package."""
    if position.result is not None:
        return position.result[0]
    if position.turn == "chance":
        return sum(p * exact(position.play(outcome)) for outcome, p in position.outcomes)
    (move,) = position.moves
    return exact(position.play(move))


@pytest.mark.parametrize("pips", [(1, 1), (9, 4), (12, 14), (16, 9)])
def test_the_rules_give_the_same_values(pips: tuple[int, int]) -> None:
    start = kb.game("pip-race", first=pips[0], second=pips[1]).start()
    assert exact(start) == pytest.approx(2 * wins(*pips) - 1, abs=1e-12)


def test_a_roll_is_a_move_and_then_chance() -> None:
    position = kb.game("pip-race").start()
    assert (position.turn, position.moves) == (0, ["roll"])
    rolling = position.play("roll")
    assert (str(rolling), rolling.turn, len(rolling.outcomes)) == ("100-100 A rolls", "chance", 21)
    assert dict(rolling.outcomes)["44"] == pytest.approx(1 / 36)
    assert dict(rolling.outcomes)["31"] == pytest.approx(1 / 18)
    assert str(rolling.play("44")) == "84-100 B"
    assert str(rolling.play("31")) == "96-100 B"


def test_a_step_is_a_choice_that_is_right_when_it_is_enough() -> None:
    game = kb.game("pip-race", first=12, second=12, steady=6)
    assert game.start().moves == ["roll", "step"]
    assert game.position("6-3 A").play("step").result == (1.0, -1.0)
    # whoever needs more than a step had better roll against an opponent about to win
    assert kb.Uct(simulations=20_000, seed=1).search(game.position("12-1 A")).best == "roll"
    assert kb.Uct(simulations=20_000, seed=1).search(game.position("6-1 A")).best == "step"


@pytest.mark.parametrize(
    "text", ["", "100", "100-100", "101-100 A", "-1-5 A", "0-0 A", "0-5 A", "5-0 A rolls", "5-5 A rolls x", "5-5 C"]
)
def test_texts_that_are_no_positions_are_refused(text: str) -> None:
    with pytest.raises(kb.BadPosition):
        kb.game("pip-race").position(text)


@pytest.mark.parametrize("params", [{"first": 0}, {"second": 1001}, {"steady": 25}, {"steady": -1}, {"pips": 3}])
def test_bad_parameters_are_refused(params: dict[str, int]) -> None:
    with pytest.raises(kb.BadParameter):
        kb.game("pip-race", **params)


def test_matches_count_the_moves_of_the_players_and_not_the_dice() -> None:
    players = (kb.Random(), kb.Simulation(simulations=50))
    record = play(GameSpec(game=kb.game("pip-race"), players=players, names=("A", "B"), seed=3))
    assert not record.adjudicated
    assert sum(record.result) == 0
    rolls = [move for move in record.moves if move.origin == "chance"]
    assert record.plies == len(rolls) == len(record.moves) - len(rolls)
    assert {move.move for move in record.moves if move.origin == "search"} == {"roll"}
