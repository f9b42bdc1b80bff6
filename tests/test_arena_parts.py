"""The parts of the arena: one game, who sits where, and how games begin."""

from __future__ import annotations

import dataclasses
import itertools
import json
import pickle
import subprocess
import sys
from collections import Counter
from typing import Any, ClassVar

import kibitz as kb
import numpy as np
import pytest
from kibitz.arena.openings import Opening, Openings, RandomPlies, Schedule
from kibitz.arena.playing import GameRecord, GameSpec, derive, game_name, outcome, play
from kibitz.arena.seating import blocks, rounds_for, schedule
from nim import Nim
from pig_dice import Pig

TIC_TAC_TOE = kb.game("tic-tac-toe")
RANDOM = kb.Random()


def spec(game: kb.Game = TIC_TAC_TOE, player: kb.Algorithm = RANDOM, **changes: Any) -> GameSpec:
    seats = game.players
    return GameSpec(game, (player,) * seats, tuple("ABCDEF"[:seats]), **changes)


def moves_of(record: GameRecord) -> list[str]:
    return [each.move for each in record.moves]


def replayed(record: GameRecord, game: kb.Game) -> kb.Position:
    position = game.start() if record.start is None else game.position(record.start)
    for each in record.moves:
        assert each.legal == len(position.moves)
        assert (each.seat if each.seat is not None else "chance") == position.turn
        position = position.play(each.move)
    return position


def without_time(record: GameRecord) -> GameRecord:
    moves = tuple(each._replace(seconds=None) for each in record.moves)
    return dataclasses.replace(record, moves=moves, seconds=0.0)


# one game


@pytest.mark.parametrize(
    ("game", "player"),
    [
        (TIC_TAC_TOE, RANDOM),
        (kb.game("breakthrough", rows=5, cols=4), kb.Uct(simulations=20)),
        (kb.game("othello", size=4), kb.AlphaBeta(depth=2, tt_mb=1, seed=0)),
        (kb.game("kuhn-poker"), RANDOM),
        (kb.game("random-tree", width=3, depth=6, players=3), kb.Uct(simulations=20)),
        (kb.game("random-tree", width=3, depth=4, players=1), RANDOM),
        (Nim((2, 3, 2)), kb.Minimax(depth=2)),
        (Pig(10), kb.Uct(simulations=20)),
    ],
    ids=lambda each: str(each),
)
def test_a_game_is_a_pure_function_of_its_spec_and_replays_to_its_result(game: kb.Game, player: kb.Algorithm) -> None:
    for seed in range(3):
        one = spec(game, player, seed=seed)
        record = play(one)
        assert without_time(play(pickle.loads(pickle.dumps(one)))) == without_time(record)
        assert replayed(record, game).result == record.result
        assert not record.adjudicated
        assert record.plies == sum(each.seat is not None for each in record.moves)
        assert record.spec_key == one.key
        assert pickle.loads(pickle.dumps(record)) == record
        searched = [each for each in record.moves if each.origin == "search"]
        assert all(each.nodes is not None and each.nodes >= 1 and each.value is not None for each in searched)
        assert {each.origin for each in record.moves} <= {"search", "chance"}


def test_games_with_different_seeds_differ() -> None:
    assert len({tuple(moves_of(play(spec(seed=seed)))) for seed in range(50)}) > 45


def test_every_search_has_a_seed_of_its_own() -> None:
    # The same player in the same position of the same game would else always choose alike.
    start = str(TIC_TAC_TOE.start())
    assert len({moves_of(play(spec(seed=seed, start=start)))[0] for seed in range(60)}) == 9


def test_the_seed_of_a_player_tells_two_of_a_kind_apart() -> None:
    games = [play(spec(player=kb.Random(seed=own), seed=3)) for own in (0, 1)]
    assert moves_of(games[0]) != moves_of(games[1])


def test_a_player_without_a_seed_stays_deterministic() -> None:
    games = [play(spec(player=kb.AlphaBeta(depth=2, tt_mb=1), seed=seed)) for seed in range(3)]
    assert len({tuple(moves_of(game)) for game in games}) == 1


def test_derived_seeds_are_the_same_everywhere() -> None:
    assert derive(1, "move", 0) == DERIVED
    assert len({derive(seed, word, ply) for seed in range(9) for word in "ab" for ply in range(9)}) == 162
    assert derive(1, 23) != derive(12, 3)


DERIVED = 9364856556675018547


def test_chance_is_drawn_by_its_probabilities() -> None:
    class Coin(kb.Game):
        def start(self) -> Any:
            return ""

        def turn(self, state: str) -> int | str | None:
            return None if state else "chance"

        def moves(self, state: str) -> list[str]:
            return ["heads", "tails"]

        def chance(self, state: str) -> list[tuple[str, float]]:
            return [("heads", 0.2), ("tails", 0.8)]

        def play(self, state: str, move: str) -> str:
            return move

        def result(self, state: str) -> int:
            return 1 if state == "heads" else -1

    position = Coin().start()
    heads = sum(outcome(position, derive("coin", number))[0] == "heads" for number in range(2000))
    # Five standard deviations of a binomial with n = 2,000 and p = 0.2 are 89.
    assert abs(heads - 400) < 89


def test_an_opening_is_played_first_and_marked() -> None:
    record = play(spec(opening=("a1", "b2"), seed=1))
    assert moves_of(record)[:2] == ["a1", "b2"]
    assert [each.origin for each in record.moves[:3]] == ["opening", "opening", "search"]
    assert [each.seat for each in record.moves[:3]] == [0, 1, 0]
    assert record.moves[0].value is record.moves[0].nodes is None


def test_a_game_may_begin_anywhere() -> None:
    start = "XX./OO./..."
    record = play(spec(start=start, player=kb.AlphaBeta(tt_mb=1)))
    assert record.plies == 1
    assert record.result == (1.0, -1.0)
    assert record.start == start


def test_an_opening_that_is_not_legal_is_refused() -> None:
    with pytest.raises(kb.IllegalMove):
        play(spec(opening=("a1", "a1")))


def test_at_the_limit_of_plies_everybody_shares() -> None:
    record = play(spec(max_plies=4, opening=("a1",), seed=2))
    assert (record.plies, record.adjudicated, record.result) == (4, True, (0.0, 0.0))
    assert play(spec(max_plies=9, seed=2)).adjudicated is False
    three = play(spec(kb.game("random-tree", players=3, depth=6), max_plies=2))
    assert three.adjudicated
    assert len(set(three.result)) == 1
    assert sum(three.result) == pytest.approx(-1)  # what a winner (1) and two losers (-1) have together
    assert play(spec(kb.game("random-tree", players=1, depth=6), max_plies=2)).result == (-1.0,)
    assert play(spec(max_plies=1, opening=("a1", "b1", "c1"))).plies == 3


def test_noise_makes_random_moves_at_the_same_plies_of_a_block() -> None:
    player = kb.AlphaBeta(depth=1, tt_mb=1)
    always = play(spec(player=player, noise=(1.0,), seed=5))
    assert {each.origin for each in always.moves} == {"random"}
    first = play(spec(player=player, noise=(1.0, 0.0), seed=5))
    assert [each.origin for each in first.moves] == ["random"] + ["search"] * (first.plies - 1)
    halves = [play(spec(player=player, noise=(0.5,), seed=seed, index=index)) for seed in range(9) for index in (0, 1)]
    origins = [tuple(each.origin for each in game.moves) for game in halves]
    assert origins[0::2] == origins[1::2]
    assert 0.25 < sum(line.count("random") for line in origins) / sum(map(len, origins)) < 0.75


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"players": (RANDOM,)}, "2 seats"),
        ({"names": ("A",)}, "2 seats"),
        ({"seed": -1}, "seed"),
        ({"seed": 1 << 64}, "seed"),
        ({"max_plies": 0}, "max_plies"),
        ({"noise": (1.5,)}, "noise"),
        ({"noise": (float("nan"),)}, "noise"),
    ],
)
def test_a_bad_spec_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(kb.BadParameter, match=words):
        dataclasses.replace(spec(), **changes)


def test_a_player_that_cannot_play_is_named_with_seat_position_and_moves() -> None:
    with pytest.raises(kb.NotSupported) as caught:
        play(spec(kb.game("kuhn-poker"), kb.Uct(), seed=1))
    assert "A (uct) in seat 0 of kuhn-poker" in str(caught.value)
    assert isinstance(caught.value.__cause__, kb.NotSupported)
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args

    class Resigns(kb.Random):
        name: ClassVar[str] = "random"

        def search(self, position: kb.Position, **changes: Any) -> kb.Report:  # type: ignore[override]
            found = kb.Random.search(self, position)
            return dataclasses.replace(found, best=None) if len(position.moves) < 9 else found

    two = GameSpec(TIC_TAC_TOE, (RANDOM, Resigns()), ("A", "quitter"), opening=("a1",))
    with pytest.raises(kb.Error, match=r"quitter \(random\) in seat 1 of tic-tac-toe failed: it returned no move.*a1"):
        play(two)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Own(kb.Algorithm):
    """A player in Python that counts in NumPy's numbers, or breaks."""

    name: ClassVar[str] = "own"
    breaks: bool = False

    def search(self, position: kb.Position, **_: Any) -> kb.Report:
        if self.breaks:
            raise ZeroDivisionError("by nothing")
        return kb.Report(best=position.moves[0], value=np.float32(0.5), nodes=np.int64(7), depth=np.int32(2))


def test_what_a_player_in_python_raises_names_it_too() -> None:
    with pytest.raises(kb.Error, match=r"A \(own:breaks=true\) in seat 0.*ZeroDivisionError: by nothing") as caught:
        play(spec(TIC_TAC_TOE, Own(breaks=True)))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_numbers_of_numpy_are_stored_as_numbers() -> None:
    move = play(spec(TIC_TAC_TOE, Own())).moves[0]
    assert json.loads(json.dumps(move))[2:5] == [0.5, 2, 7]


# keys


def test_a_key_depends_on_everything_in_the_spec() -> None:
    base = spec(seed=1)
    others = [
        spec(kb.game("mnk", rows=3, cols=3, k=3), seed=1),
        spec(player=kb.Random(seed=1), seed=1),
        spec(seed=2),
        spec(seed=1, opening=("a1",)),
        spec(seed=1, start="X../.../..."),
        spec(seed=1, max_plies=5),
        spec(seed=1, index=1),
        spec(seed=1, block=1),
        spec(seed=1, noise=(0.5,)),
        dataclasses.replace(base, names=("B", "A")),
        spec(player=kb.Uct(), seed=1),
        spec(player=kb.Uct(c=1.0), seed=1),
    ]
    assert len({each.key for each in (base, *others)}) == 1 + len(others)
    assert spec(seed=1).key == base.key == pickle.loads(pickle.dumps(base)).key


def test_a_key_is_the_same_in_another_process() -> None:
    code = (
        "import kibitz as kb; from kibitz.arena.playing import GameSpec\n"
        "print(GameSpec(kb.game('tic-tac-toe'), (kb.Random(), kb.Random()), ('A', 'B'), seed=1).key)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == spec(seed=1).key


def test_python_games_are_named_by_class_and_arguments() -> None:
    assert game_name(Nim((1, 2))) == "nim:Nim(piles=(1, 2))"
    assert game_name(Pig(10)) != game_name(Pig(20))
    game = Nim((1, 2))
    game.cache = {1: 2}  # type: ignore[attr-defined]
    assert game_name(game) == game_name(Nim((1, 2)))
    assert game_name(kb.game("breakthrough", rows=6)) == "breakthrough:rows=6"

    class Forgetful(Nim):
        def __init__(self, size: int) -> None:
            super().__init__((size, size))

    with pytest.raises(kb.BadParameter, match=r"'size'.*attribute spec"):
        game_name(Forgetful(3))

    class Told(Forgetful):
        spec = "three"

    assert game_name(Told(3)).endswith("Told(three)")


# seating


def seatings(kinds: int, seats: int) -> list[tuple[int, ...]]:
    return [way for block in blocks(kinds, seats) for way in block]


def test_two_kinds_take_the_seats_in_all_mixed_ways() -> None:
    # The numbers of assignments of Schadd and Winands (2011): 6, 14 and 62 for 3, 4 and 6 players.
    assert [len(seatings(2, seats)) for seats in (2, 3, 4, 6)] == [2, 6, 14, 62]
    for seats in (2, 3, 4, 6):
        ways = seatings(2, seats)
        assert set(ways) == set(itertools.product((0, 1), repeat=seats)) - {(0,) * seats, (1,) * seats}


def test_rounds_give_the_published_numbers_of_games() -> None:
    # 6·167, 14·72 and 62·17 are the numbers of games of Schadd and Winands (2011), for 1,000 or more.
    assert {seats: rounds_for(1000, len(seatings(2, seats))) for seats in (3, 4, 6)} == {3: 167, 4: 72, 6: 17}
    assert [len(list(schedule(2, seats, 1000))) for seats in (2, 3, 4, 6)] == [1000, 1002, 1008, 1054]
    # Table 6 there: one player of each of three kinds, all 3! seatings, 1,002 games.
    assert len(list(schedule(3, 3, 1000))) == 1002
    for bad in ((0, 6), (5, 0)):
        with pytest.raises(kb.BadParameter):
            rounds_for(*bad)


def test_distinct_players_take_the_seats_in_all_orders() -> None:
    assert sorted(seatings(3, 3)) == sorted(itertools.permutations(range(3)))
    assert len(seatings(4, 4)) == 24


def test_more_players_than_seats_meet_in_every_order() -> None:
    assert sorted(seatings(4, 2)) == sorted(itertools.permutations(range(4), 2))
    assert sorted(seatings(5, 3)) == sorted(itertools.permutations(range(5), 3))
    assert blocks(3, 2) == (((0, 1), (1, 0)), ((0, 2), (2, 0)), ((1, 2), (2, 1)))


@pytest.mark.parametrize(("kinds", "seats"), [(2, 2), (2, 3), (3, 3), (3, 4), (2, 6), (4, 4), (5, 2), (4, 3), (3, 1)])
def test_every_block_gives_each_of_its_players_every_seat_once(kinds: int, seats: int) -> None:
    every = blocks(kinds, seats)
    ways = seatings(kinds, seats)
    assert len(set(ways)) == len(ways)
    for block in every:
        inside = {kind for way in block for kind in way}
        for seat in range(seats):
            assert Counter(way[seat] for way in block) == dict.fromkeys(inside, 1)
    for kind in range(kinds):
        assert sum(way.count(kind) for way in ways) * kinds == len(ways) * seats


def test_one_player_alone_plays_what_the_others_play() -> None:
    assert blocks(3, 1) == (((0,), (1,), (2,)),)
    assert blocks(1, 1) == (((0,),),)


def test_designs_that_mean_nothing_are_refused() -> None:
    for kinds, seats in ((1, 2), (0, 2), (2, 0), (30, 6), (10, 10)):
        with pytest.raises(kb.BadParameter):
            blocks(kinds, seats)


# openings


def position_after(game: kb.Game, moves: tuple[str, ...]) -> kb.Position:
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def test_no_opening_is_the_start() -> None:
    assert Openings().draw(TIC_TAC_TOE, 3, seed=1) == (Opening(),) * 3


@pytest.mark.parametrize("game", [TIC_TAC_TOE, kb.game("breakthrough"), Nim((3, 4, 5)), kb.game("othello", size=6)])
def test_random_openings_are_distinct_live_and_the_same_for_a_seed(game: kb.Game) -> None:
    openings = RandomPlies(3).draw(game, 40, seed=7)
    assert openings == RandomPlies(3).draw(game, 40, seed=7)
    assert openings[:10] == RandomPlies(3).draw(game, 10, seed=7)
    assert openings != RandomPlies(3).draw(game, 40, seed=8)
    positions = [position_after(game, opening.moves) for opening in openings]
    assert len({position.key for position in positions}) == 40
    assert not any(position.over for position in positions)
    assert {len(opening.moves) for opening in openings} == {3}


def test_openings_are_drawn_until_none_is_left() -> None:
    # 9 · 8 positions after two plies of tic-tac-toe, and 9 · 8/2 · 7 after three.
    assert len(set(RandomPlies(2).draw(TIC_TAC_TOE, 72, seed=1))) == 72
    assert len(set(RandomPlies(3).draw(TIC_TAC_TOE, 252, seed=1))) == 252
    with pytest.raises(kb.BadParameter, match=r"has 72 distinct openings.*73 are needed.*repeats=True"):
        RandomPlies(2).draw(TIC_TAC_TOE, 73, seed=1)
    with pytest.raises(kb.BadParameter, match="has 1 distinct openings"):
        RandomPlies(0).draw(TIC_TAC_TOE, 2, seed=1)


def test_the_last_openings_do_not_depend_on_how_many_are_drawn() -> None:
    every = RandomPlies(2).draw(TIC_TAC_TOE, 72, seed=4)
    assert all(RandomPlies(2).draw(TIC_TAC_TOE, count, seed=4) == every[:count] for count in (60, 68, 71))


def test_openings_may_repeat_where_that_is_allowed() -> None:
    openings = RandomPlies(1, repeats=True).draw(TIC_TAC_TOE, 100, seed=1)
    assert len(openings) == 100
    assert len(set(openings)) == 9


def test_an_opening_never_ends_the_game() -> None:
    nim = kb.game("nim", piles=(1, 2))
    # Of the lines of two plies only 1:1 2:1, 2:1 1:1 and 2:1 2:1 leave something: one stone in the first or the second.
    for seed in range(5):
        live = {position_after(nim, each.moves).key for each in RandomPlies(2).draw(nim, 2, seed=seed)}
        assert len(live) == 2
    with pytest.raises(kb.BadParameter, match="has 2 distinct"):
        RandomPlies(2).draw(nim, 3, seed=0)
    for repeats in (False, True):
        with pytest.raises(kb.BadParameter, match="has 0 distinct"):
            RandomPlies(3, repeats=repeats).draw(nim, 1, seed=0)


def test_openings_draw_chance_between_the_moves() -> None:
    game = Pig(10)
    for opening in RandomPlies(2).draw(game, 10, seed=3):
        record = play(spec(game, opening=opening.moves))
        assert sum(each.seat is not None and each.origin == "opening" for each in record.moves) == 2
    kuhn = kb.game("kuhn-poker")
    assert len(RandomPlies(1).draw(kuhn, 12, seed=1)) == 12  # 3 · 2 deals and two moves
    with pytest.raises(kb.BadParameter, match="has 12 distinct"):
        RandomPlies(1).draw(kuhn, 13, seed=1)


def test_openings_start_where_the_match_does() -> None:
    openings = RandomPlies(1).draw(TIC_TAC_TOE, 4, seed=1, start="XX./OO./...")
    assert {opening.moves for opening in openings} == {("c2",), ("a1",), ("b1",), ("c1",)}  # c3 wins


def test_a_schedule_goes_into_the_game() -> None:
    # King (2014): p(ply) = max(0.01, 0.5^(ply + 1)).
    halving = Schedule.halving()
    assert halving.probabilities == tuple(max(0.01, 0.5 ** (ply + 1)) for ply in range(7))
    (opening, other) = halving.draw(TIC_TAC_TOE, 2, seed=1)
    assert opening == other == Opening((), halving.probabilities)
    record = play(spec(opening=opening.moves, noise=opening.noise, seed=1))
    assert record.result


@pytest.mark.parametrize(
    "make",
    [
        lambda: RandomPlies(-1),
        lambda: Schedule(()),
        lambda: Schedule((0.5, 2.0)),
        lambda: Schedule.halving(0.5, 0.0),
        lambda: Schedule.halving(0.1, 0.5),
    ],
)
def test_bad_openings_are_refused(make: Any) -> None:
    with pytest.raises(kb.BadParameter):
        make()
