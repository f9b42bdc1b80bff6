"""Hearts and Spades through the Python API: OpenSpiel, what players see, open hands."""

from __future__ import annotations

import pickle

import kibitz as kb
import pytest
from kibitz.experiments import card_plays
from playing import random_positions

HANDS = "7H JD KC / KS KH TH / QS JS JH; lead A"
"""A deal of three players and three cards: they take 0, 14 and 3 points."""


def test_hearts_and_spades_are_those_of_openspiel_in_random_hands() -> None:
    pytest.importorskip("pyspiel")
    for seed in range(3_000):
        assert card_plays.hearts_hand(seed) is None
        assert card_plays.spades_hand(seed) is None


def test_a_view_hides_the_other_hands() -> None:
    position = kb.game("hearts", players=3).position(HANDS)
    assert position.game.hidden
    assert position.view(1) == "?3 / KS KH TH / ?3; lead A"
    assert position.play("KC").view(2) == "?2 / ?3 / QS JS JH; lead A; trick KC"
    shown = kb.game("hearts", players=3, hands="open")
    assert not shown.hidden
    assert shown.position(HANDS).view(1) == HANDS


def test_a_guess_looks_the_same_and_is_in_plain_sight() -> None:
    position = kb.game("hearts", players=3).position(HANDS)
    worlds = [position.guess(1, seed=seed) for seed in range(20)]
    assert len({str(world) for world in worlds}) > 15
    for world in worlds:
        assert str(world).split(" / ")[1] == "KS KH TH"
        assert kb.MaxN(depth=3).search(world).best in world.moves
    assert position.guess(1, seed=7) == position.guess(1, seed=7)
    with pytest.raises(kb.NotSupported, match="Determinized"):
        kb.MaxN(depth=3).search(position)


def test_suits_that_ran_out_stay_out() -> None:
    position = kb.game("hearts", players=3).position("KC JD / KS KH TH / QS JS JH; lead A; trick 7C")
    thrown = position.play("TH")
    assert "void - C -" in str(thrown)
    for seed in range(30):
        assert "C" not in str(thrown.guess(0, seed=seed)).split(" / ")[1]


@pytest.mark.parametrize(
    ("spec", "values"),
    [
        ("hearts:players=3,hands=open,moon=false", (17.0, 3.0, 14.0)),
        ("hearts:players=3,hands=open,moon=false,equivalent=false", (17.0, 3.0, 14.0)),
    ],
)
def test_max_n_solves_open_hands(spec: str, values: tuple[float, ...]) -> None:
    report = kb.MaxN(depth=12).search(kb.game(spec).position(HANDS))
    assert report.values == values
    assert report.proven


def test_best_reply_refuses_tricks_and_says_why() -> None:
    with pytest.raises(kb.NotSupported, match="turn"):
        kb.BestReply(depth=2).search(kb.game("hearts", players=3, hands="open").position(HANDS))


def test_positions_are_pickled() -> None:
    for spec in ("hearts", "spades", "rolit"):
        for position in random_positions(kb.game(spec), 5, seed=1):
            assert pickle.loads(pickle.dumps(position)) == position


def test_a_match_is_played_with_hidden_hands() -> None:
    players = [kb.IsMcts(simulations=300), kb.Random(), kb.Random(seed=1), kb.Random(seed=2)]
    result = kb.match(kb.game("hearts"), players, games=24, seed=1)
    assert result.complete
    # four players share 26 points; who thinks takes fewer than a quarter
    thinking = next(each for each in result.standings if each.name.startswith("ismcts"))
    assert thinking.result > 26 - 6.5
