"""Kuhn poker through the Python API: hidden cards, chance, the value of -1/18 and an equilibrium nobody can beat."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction

import kibitz as kb
import pytest
from playing import reachable

GAME = kb.game("kuhn-poker")
THIRD = Fraction(1, 3)

#: The probability of a bet or a call in each view: H. W. Kuhn, A simplified two-person poker (1950).
SECOND = {"?J:k": THIRD, "?Q:k": 0, "?K:k": 1, "?J:b": 0, "?Q:b": THIRD, "?K:b": 1}


def first(bluff: Fraction) -> dict[str, Fraction]:
    """The first player's equilibria; `bluff`, from 0 to 1/3, is how often a jack bets."""
    return {"J?": bluff, "Q?": 0, "K?": 3 * bluff, "J?:kb": 0, "Q?:kb": bluff + THIRD, "K?:kb": 1}


def value(position: kb.Position, strategy: Mapping[str, Fraction]) -> Fraction:
    """What player 0 wins on average."""
    if position.result is not None:
        return Fraction(position.result[0])
    children = [value(position.play(move), strategy) for move in position.moves]
    if position.turn == "chance":
        probabilities = [Fraction(p).limit_denominator(6) for _, p in position.outcomes]
        return sum(p * child for p, child in zip(probabilities, children, strict=True))
    active = strategy[position.view()]
    return (1 - active) * children[0] + active * children[1]


def views(player: int) -> list[str]:
    return sorted({position.view() for position in reachable(GAME.start()).values() if position.turn == player})


def best_response(player: int, opponent: Mapping[str, Fraction]) -> Fraction:
    """What the best of all pure strategies wins."""
    sign = 1 if player == 0 else -1
    plans = itertools.product((0, 1), repeat=6)
    return max(
        sign * value(GAME.start(), {**opponent, **dict(zip(views(player), plan, strict=True))}) for plan in plans
    )


def test_a_player_has_six_views_and_sees_only_the_own_card() -> None:
    assert views(0) == ["J?", "J?:kb", "K?", "K?:kb", "Q?", "Q?:kb"]
    assert views(1) == ["?J:b", "?J:k", "?K:b", "?K:k", "?Q:b", "?Q:k"]
    position = GAME.position("KJ:kb")
    assert [position.view(player) for player in (0, 1)] == ["K?:kb", "?J:kb"]
    with pytest.raises(kb.BadParameter, match="no player 2"):
        position.view(2)


def test_the_deal_is_fair() -> None:
    position = GAME.start()
    assert position.turn == "chance"
    assert [move for move, _ in position.outcomes] == position.moves == ["J", "Q", "K"]
    assert sum(p for _, p in position.outcomes) == pytest.approx(1)
    assert dict(position.play("Q").outcomes) == {"J": 0.5, "K": 0.5}
    assert position.play("Q").play("J").outcomes == []


@pytest.mark.parametrize("bluff", [Fraction(0), Fraction(1, 6), THIRD])
def test_the_equilibrium_is_worth_minus_one_eighteenth_and_cannot_be_beaten(bluff: Fraction) -> None:
    assert value(GAME.start(), {**first(bluff), **SECOND}) == Fraction(-1, 18)
    assert best_response(1, first(bluff)) == Fraction(1, 18)
    assert best_response(0, SECOND) == Fraction(-1, 18)


def test_a_bluff_too_many_can_be_beaten() -> None:
    assert best_response(1, first(Fraction(1, 3)) | {"J?": Fraction(1, 2)}) > Fraction(1, 18)


@pytest.mark.parametrize("algorithm", [kb.Minimax(), kb.AlphaBeta(), kb.BStar(), kb.Ubfm(), kb.Uct()])
def test_methods_that_would_look_at_hidden_cards_refuse(algorithm: kb.Algorithm) -> None:
    for position in (GAME.start(), GAME.position("KJ")):
        with pytest.raises(kb.NotSupported, match="hidden"):
            algorithm.search(position)


def test_the_random_player_may_be_asked() -> None:
    position = GAME.position("KJ")
    assert kb.Random(seed=1).search(position).best in position.moves
    assert kb.Random().search(GAME.start()).best is None


def test_simulation_may_be_asked_and_plays_what_the_player_can_see() -> None:
    for text, best in (("KJ:b", "fold"), ("KQ:b", "call"), ("JK:b", "call"), ("KQ", "bet")):
        assert kb.Simulation(simulations=2_000).search(GAME.position(text)).best == best
    assert kb.Simulation(simulations=100).search(GAME.start()).best is None


def test_random_games_go_as_they_should() -> None:
    found = kb.playouts(GAME.start(), 100_000, seed=1)
    uniform = dict.fromkeys(views(0) + views(1), Fraction(1, 2))
    assert found.mean[0] == pytest.approx(float(value(GAME.start(), uniform)), abs=0.02)
    assert found.mean[0] == -found.mean[1]
