"""Lines of Action: the corner cases of its rules, and repetition."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import kibitz as kb
import pytest
from kibitz.arena.playing import GameSpec, play
from kibitz.experiments import loa_positions
from playing import after

GAME = kb.game("lines-of-action")

#: White's only piece that could move is walled in.
STUCK = ".....b../b....bw./.....bw./b....bb./..b...../b....b../wb....../.b...... w"

#: Four moves that lead back to the start.
SHUFFLE = "b1-b3 a2-c2 b3-b1 c2-a2"


def test_the_moves_of_the_first_pieces() -> None:
    moves = GAME.start().moves
    assert len(moves) == 36
    by_piece = {piece: {move for move in moves if move.startswith(piece)} for piece in ("b1", "c1", "d1")}
    assert by_piece == {
        "b1": {"b1-b3", "b1-d3", "b1-h1"},
        "c1": {"c1-c3", "c1-e3", "c1xa3"},
        "d1": {"d1-d3", "d1-b3", "d1-f3"},
    }
    assert {move for move in moves if "x" in move} == {"c1xa3", "f1xh3", "c8xa6", "f8xh6"}


def test_seven_pieces_in_line_move_seven_squares() -> None:
    position = GAME.position("b......./......b./.....b../....b..w/...b..../..b...../.b....../b......w b")
    assert "a1-h8" in position.moves
    # six and an enemy piece on the last square are seven as well
    position = GAME.position("b......w/......../.....b../....b..w/...b..../..b...../.b....../b......w b")
    assert "a1xh8" in position.moves


@pytest.mark.parametrize(("colour", "jumps"), [("w", True), ("b", False)])
def test_a_piece_jumps_over_its_own_side_only(colour: str, jumps: bool) -> None:
    position = GAME.position(f"w......./.{colour}....../......../.......w/......../......../.b....../.......b w")
    assert ("a8-d5" in position.moves) is jumps


def test_a_single_piece_is_connected_so_that_a_capture_can_lose() -> None:
    end = after(GAME.position("......../......../......../......../..b.w.../......../......../b......w b"), "c4xe4")
    assert end.result == (-1, 1)


@pytest.mark.parametrize(("rule", "result"), [("draw", (0, 0)), ("mover", (1, -1))])
def test_a_move_that_connects_both_sides(rule: str, result: tuple[float, float]) -> None:
    game = kb.game("lines-of-action", simultaneous=rule)
    end = after(game.position("......../......../......../.....b../..b.w.../......../......../.......w b"), "c4xe4")
    assert end.result == result
    assert game.position(str(end)).result == result


def test_a_player_without_a_move_passes() -> None:
    position = GAME.position(STUCK)
    assert position.moves == ["pass"]
    passed = position.play("pass")
    assert passed.turn == 0
    assert str(passed) == STUCK[:-1] + "b"
    assert "pass" not in passed.moves
    assert kb.AlphaBeta(depth=3).search(position).best == "pass"


@pytest.mark.parametrize("rule", ["draw", "mover"])
@pytest.mark.parametrize("side", ["b", "w"])
def test_the_game_is_drawn_when_neither_side_can_move(side: str, rule: str) -> None:
    # every piece would have to jump over an enemy, to land on its own side or to leave the board; b7 and a6 are alone,
    # so that neither side is connected
    board = "......../.b.w.b../w.w.w.w./.b.w.b../b.b.b.b./.b.w.b../w.w.w.w./.b.w.b.."
    game = kb.game("lines-of-action", simultaneous=rule)
    position = game.position(f"{board} {side}")
    assert (position.over, position.moves, position.result) == (True, [], (0, 0))
    # with one piece less there are moves again
    assert game.position(f"{board.replace('.b.w.b..', '.b.w....', 1)} {side}").moves != []


def test_a_pass_is_refused_while_there_is_a_move() -> None:
    with pytest.raises(kb.IllegalMove):
        GAME.start().play("pass")


def test_moves_are_understood_without_the_sign() -> None:
    assert GAME.start().play("c1a3") == GAME.start().play("c1xa3")


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    start = GAME.start()
    twice = after(start, SHUFFLE)
    assert (twice, twice.over, twice.turn) == (start, False, 0)
    line = after(twice, "b1-b3 a2-c2 b3-b1")
    assert not line.over
    end = line.play("c2-a2")
    assert (end.over, end.turn, end.result, end.moves) == (True, None, (0, 0), [])
    assert (end.evaluate(0), end.evaluate(1)) == (0, 0)
    with pytest.raises(kb.IllegalMove, match="over"):
        end.play("b1-b3")


def test_any_position_of_the_game_counts_and_not_only_the_start() -> None:
    position = after(GAME.start(), "d1-d3 h7-f7")
    end = after(position, f"{SHUFFLE} {SHUFFLE}")
    assert end.result == (0, 0)
    assert not after(position, f"{SHUFFLE} b1-b3 a2-c2 b3-b1").over


def test_the_same_board_with_the_other_player_to_move_is_another_position() -> None:
    board = "......../......../......../b...b.../...b..../......../......../w......w"
    assert GAME.position(f"{board} b").key != GAME.position(f"{board} w").key


def test_equality_keys_and_texts_ignore_the_past() -> None:
    start, again = GAME.start(), after(GAME.start(), SHUFFLE)
    assert (start == again, hash(start) == hash(again), start.key == again.key) == (True, True, True)
    assert str(start) == str(again)
    assert (len(start.past), len(again.past)) == (0, 4)
    assert again.past[0] == start.key


def test_a_text_has_no_past() -> None:
    end = after(GAME.start(), f"{SHUFFLE} {SHUFFLE}")
    assert end.over
    assert not GAME.position(str(end)).over


def test_a_pickle_keeps_the_past() -> None:
    line = after(GAME.start(), f"{SHUFFLE} b1-b3 a2-c2 b3-b1")
    copy = pickle.loads(pickle.dumps(line))
    assert (copy, copy.past) == (line, line.past)
    assert copy.play("c2-a2").result == (0, 0)
    end = pickle.loads(pickle.dumps(line.play("c2-a2")))
    assert (end.over, end.result) == (True, (0, 0))


def test_games_without_a_rule_of_repetition_keep_no_past() -> None:
    position = kb.game("othello").start()
    assert position.play("d3").play("c3").past == ()


def test_searches_counts_and_random_games_know_that_repetition_has_ended_the_game() -> None:
    end = after(GAME.start(), f"{SHUFFLE} {SHUFFLE}")
    for algorithm in (kb.AlphaBeta(depth=3), kb.Uct(simulations=10), kb.Random()):
        report = algorithm.search(end)
        assert (report.best, report.pv, report.value, report.proven) == (None, (), 0, True)
    assert (kb.perft(end, 0), kb.perft(end, 1), kb.perft(end, 3)) == (1, 0, 0)
    found = kb.playouts(end, 10)
    assert (found.count, found.mean, found.plies) == (10, (0, 0), 0)


def test_counts_and_random_games_from_a_position_ignore_its_past() -> None:
    twice = after(GAME.start(), SHUFFLE)
    assert kb.perft(twice, 4) == kb.perft(GAME.start(), 4) == 1_563_208
    assert kb.playouts(twice, 50, seed=3).mean == kb.playouts(GAME.start(), 50, seed=3).mean


@dataclass(frozen=True, kw_only=True)
class Shuffler(kb.Algorithm):
    """Moves one piece back and forth."""

    name: ClassVar[str] = "shuffler"

    def search(self, position: kb.Position, **changes: Any) -> kb.Report:
        best = next(move for move in SHUFFLE.split() if move in position.moves)
        return kb.Report(best=best, value=0.0, pv=(best,), nodes=1, depth=0, seconds=0.0, stats={})


def test_two_players_who_shuffle_back_and_forth_draw() -> None:
    record = play(GameSpec(GAME, (Shuffler(), Shuffler()), ("one", "other")))
    assert (record.result, record.plies, record.adjudicated) == ((0, 0), 8, False)
    assert [made.move for made in record.moves] == 2 * SHUFFLE.split()


def test_an_opening_counts_as_part_of_the_game() -> None:
    record = play(GameSpec(GAME, (Shuffler(), Shuffler()), ("one", "other"), opening=tuple(SHUFFLE.split())))
    assert (record.result, record.plies) == ((0, 0), 8)


def test_random_games_end_by_the_rules() -> None:
    found = kb.playouts(GAME.start(), 200, seed=1)
    assert found.cut == 0
    assert 100 < found.plies < 400
    assert kb.Uct(simulations=200, seed=1).search(GAME.start()).stats["playouts_cut"] == 0


@pytest.mark.parametrize("name", ["tuning", "validation"])
def test_sets_of_positions_are_legal_distinct_and_undecided(name: Literal["tuning", "validation"]) -> None:
    found = loa_positions.positions(name)
    assert len(found) == len(set(map(str, found))) == loa_positions.COUNTS[name]
    for position in found:
        assert not position.over
        assert len(position.moves) > 1
        assert not kb.AlphaBeta(depth=2).search(position).proven


def test_positions_for_experiments_are_kept_apart() -> None:
    tuning, validation = map(loa_positions.positions, ("tuning", "validation"))
    assert not set(map(str, tuning)) & set(map(str, validation))
    assert loa_positions.curve() == tuning[:50]


def test_positions_for_experiments_are_made_from_their_seed() -> None:
    first, again = (list(itertools.islice(loa_positions.make("tuning"), 2)) for _ in range(2))
    assert first == again
    assert all(not GAME.position(text).over for text in first)
    others = list(itertools.islice(loa_positions.make("tuning", avoid=first[:1]), 1))
    assert others == first[1:]
