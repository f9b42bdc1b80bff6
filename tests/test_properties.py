"""What holds for every game on every line of play."""

from __future__ import annotations

import itertools
import random as chance
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import kibitz as kb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playing import GAMES, playthrough, random_positions, reachable

each_game = pytest.mark.parametrize("name", GAMES)
choices = st.randoms(use_true_random=False)
# the simplest game, with the first choice every time, is a long one where dice fall
few = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.large_base_example])


def test_every_game_is_tried() -> None:
    assert {name.partition(":")[0] for name in GAMES} == set(kb.games())


@each_game
@few
@given(random=choices)
def test_a_playthrough_is_consistent(name: str, random) -> None:
    game = kb.game(name)
    position = game.start()
    for position in playthrough(game, random.randrange):
        assert game.position(str(position)) == position
        assert game.position(str(position)).key == position.key
        assert position.over == (position.turn is None) == (position.result is not None) == (position.moves == [])
        assert len(set(position.moves)) == len(position.moves)
        if position.turn == "chance":
            assert [move for move, _ in position.outcomes] == position.moves
            assert sum(p for _, p in position.outcomes) == pytest.approx(1)
            assert all(p > 0 for _, p in position.outcomes)
        else:
            assert position.outcomes == []
            assert position.turn is None or 0 <= position.turn < game.players
    assert position.over
    assert len(position.result) == game.players
    assert game.players != 2 or sum(position.result) == 0


@each_game
@few
@given(random=choices)
def test_listed_moves_can_be_played_and_others_cannot(name: str, random) -> None:
    game = kb.game(name)
    position, other = random_positions(game, 2, seed=random.randrange(1 << 30))
    for move in position.moves:
        assert position.notation(move) == move
        assert position.play(move) != position
        assert position.play(f" {move}\n") == position.play(move)
    # Breakthrough also takes its moves without the sign between the squares
    listed = {*position.moves, *(move.replace("-", "").replace("x", "") for move in position.moves)}
    # and SameGame any block of a group, backgammon the parts of a play in any order
    others = [] if game.name in ("backgammon", "samegame") else other.moves
    for move in [*others, "", "x", "a0", "0", "-1", "z99", position.moves[0] * 2, "é"]:
        if move not in listed:
            with pytest.raises(kb.IllegalMove, match=r"legal|over"):
                position.play(move)


@each_game
@few
@given(random=choices)
def test_nothing_happens_after_the_end(name: str, random) -> None:
    line = list(playthrough(kb.game(name), random.randrange))
    end, last = line[-1], line[-2]
    assert (end.over, end.turn, end.moves, end.outcomes) == (True, None, [], [])
    for move in last.moves:
        with pytest.raises(kb.IllegalMove, match="over"):
            end.play(move)
    assert kb.perft(end, 0) == 1
    assert kb.perft(end, 1) == kb.perft(end, 3) == 0
    found = kb.playouts(end, 10)
    assert found.plies == 0
    assert found.mean == pytest.approx(end.result)
    searches: list[kb.Algorithm] = [kb.Random(), kb.Simulation(simulations=10)]
    searches += [] if name == "kuhn-poker" else [kb.Uct(simulations=10)]
    for algorithm in searches:
        report = algorithm.search(end)
        assert (report.best, report.pv, report.value, report.proven) == (None, (), end.result[0], True)


@each_game
@settings(few, max_examples=10)
@given(random=choices)
def test_equal_positions_have_equal_keys_and_others_have_not(name: str, random) -> None:
    game = kb.game(name)
    seed = random.randrange(1 << 30)
    positions = random_positions(game, 10, seed)
    positions += [position.play(move) for position in positions[:5] for move in position.moves[:50]]
    texts = {str(position): position for position in positions}
    keys = {position.key for position in positions}
    assert len(keys) == len(texts)
    for position in positions:
        same = texts[str(position)]
        assert (position == same, hash(position) == hash(same), position.key == same.key) == (True, True, True)


TRANSPOSING = [
    "breakthrough",
    "breakthrough:rows=12,cols=10,ranks=3",
    "connect-four",
    "connect-four:rows=9,cols=10,k=5",
    "gomoku",
    "lines-of-action",
    "mnk:rows=10,cols=10,k=4,exact=true",
    "nim:piles=30-0-200",
    "tic-tac-toe",
]


@pytest.mark.parametrize("name", TRANSPOSING)
def test_two_orders_of_moves_that_meet_have_one_key(name: str) -> None:
    # a, x, b and b, x, a: wherever both orders are legal and lead to one text, it is one position with one key
    random = chance.Random(name)
    met = 0
    for _ in range(300):
        start = kb.game(name).start()
        for _ in range(random.randrange(4)):
            start = start.play(random.choice(start.moves))
        first, second, third = moves_from(start, random)
        ends = [end_of(start, moves) for moves in ((first, second, third), (third, second, first))]
        if None not in ends and str(ends[0]) == str(ends[1]):
            met += first != third
            assert ends[0] == ends[1]
            assert ends[0].key == ends[1].key
            assert hash(ends[0]) == hash(ends[1])
    assert met > 30


def moves_from(position: kb.Position, random: chance.Random) -> list[str]:
    moves = []
    for _ in range(3):
        moves.append(random.choice(position.moves or ["none"]))
        position = position if position.over else position.play(moves[-1])
    return moves


def end_of(position: kb.Position, moves: tuple[str, ...]) -> kb.Position | None:
    try:
        for move in moves:
            position = position.play(move)
    except kb.IllegalMove:
        return None
    return position


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim:piles=3-4-5", "connect-four:rows=3,cols=3,k=3", "kuhn-poker"])
def test_all_positions_of_small_games_have_different_keys(name: str) -> None:
    positions = reachable(kb.game(name).start())
    assert len({position.key for position in positions.values()}) == len(positions)
    if name == "tic-tac-toe":  # a standard fact
        assert len(positions) == 5478
        assert sum(position.over for position in positions.values()) == 958


@each_game
def test_pictures_are_drawn(name: str) -> None:
    game = kb.game(name)
    for position in [game.start(), *random_positions(game, 5, seed=3), *itertools.islice(ends(game), 2)]:
        root = ElementTree.fromstring(position.svg())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert position._repr_svg_() == position.svg()
        assert position.board().strip()
        assert len(position.board().splitlines()) > 1


def ends(game: kb.Game) -> Iterator[kb.Position]:
    for seed in itertools.count():
        yield list(playthrough(game, chance.Random(seed).randrange))[-1]


@each_game
@few
@given(random=choices)
def test_evaluations_stay_inside_the_range_of_results(name: str, random) -> None:
    game = kb.game(name)
    for position in playthrough(game, random.randrange):
        values = [position.evaluate(player) for player in range(game.players)]
        if position.over:
            assert tuple(values) == position.result
        else:
            assert game.players != 2 or values[0] == -values[1]
            if isinstance(position.turn, int):
                assert position.evaluate() == values[position.turn]
