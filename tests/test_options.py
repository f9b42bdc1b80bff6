"""Players who search with options of their own: another evaluation, other weights."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import kibitz as kb
import pytest
from kibitz.tuning.space import numeric, with_parameters

THREATS = kb.game("breakthrough", rows=6, cols=6)
SCHADD = kb.game("breakthrough", rows=6, cols=6, evaluation="schadd")


def test_a_player_with_options_searches_as_if_the_game_had_them() -> None:
    plain = kb.AlphaBeta(depth=4)
    other = kb.AlphaBeta(depth=4, options={"evaluation": "schadd"})
    position = THREATS.start().play("a2-a3")
    assert other.search(position).value == plain.search(SCHADD.position(str(position))).value
    assert other.search(position).value != plain.search(position).value


def test_options_are_written_and_read() -> None:
    player = kb.algorithm("alphabeta:depth=3,options.evaluation=schadd,options.rows=6")
    assert dict(player.options) == {"evaluation": "schadd", "rows": 6}
    assert player.spec == "alphabeta:depth=3,options.evaluation=schadd,options.rows=6"
    assert kb.algorithm(player.spec) == player
    assert kb.AlphaBeta().spec == "alphabeta"


def test_players_with_options_can_be_compared_hashed_and_sent_elsewhere() -> None:
    one = kb.AlphaBeta(depth=3, options={"cols": 6, "rows": 6})
    same = kb.AlphaBeta(depth=3, options={"rows": 6, "cols": 6})
    assert one == same
    assert hash(one) == hash(same)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != kb.AlphaBeta(depth=3)


def test_past_positions_are_seen_too() -> None:
    game = kb.game("lines-of-action")
    position = game.start()
    for move in ["b1-b3", "a2-c2", "b3-b1", "c2-a2"] * 2:
        position = position.play(move)
    assert position.over
    before = game.start()
    for move in (["b1-b3", "a2-c2", "b3-b1", "c2-a2"] * 2)[:-1]:
        before = before.play(move)
    report = kb.AlphaBeta(depth=1, options={"simultaneous": "mover"}).search(before)
    assert report.nodes == kb.AlphaBeta(depth=1).search(before).nodes


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"evaluation": "nonsense"}, "evaluation"),
        ({"no_such": 1}, "no_such"),
        ({"rows": 7}, "cannot read"),
    ],
)
def test_options_that_the_game_does_not_have_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(kb.BadParameter, match=says):
        kb.AlphaBeta(depth=1, options=options).search(THREATS.start())


@pytest.mark.parametrize("options", [3, "evaluation=schadd", {"rows": 2.5}, {"rows": None}, {3: 4}])
def test_options_of_a_wrong_type_are_refused(options: Any) -> None:
    with pytest.raises(kb.BadParameter, match="options"):
        kb.AlphaBeta(options=options)


def test_options_mean_nothing_for_a_game_in_python() -> None:
    class Coin(kb.Game):
        def start(self) -> int:
            return 2

        def turn(self, state: int) -> int:
            return 0

        def moves(self, state: int) -> list[int]:
            return [1] if state else []

        def play(self, state: int, move: int) -> int:
            return state - move

        def result(self, state: int) -> tuple[float, float] | None:
            return None if state else (1.0, -1.0)

    with pytest.raises(kb.BadParameter, match="written in Python"):
        kb.AlphaBeta(depth=1, options={"rows": 3}).search(Coin().start())


def test_a_player_that_searches_by_itself_takes_no_options() -> None:
    @dataclass(frozen=True, kw_only=True)
    class First(kb.Algorithm):
        name = "first"

        def search(self, position: kb.Position, **changes: Any) -> kb.Report:
            return kb.Report(best=position.moves[0])

    with pytest.raises(kb.BadParameter, match="searches by itself"):
        First(options={"rows": 6})


def test_options_can_be_tuned_as_whole_numbers() -> None:
    player = kb.AlphaBeta(depth=1, options={"rows": 6, "evaluation": "schadd"})
    assert numeric(player)["options.rows"] is True
    assert "options.evaluation" not in numeric(player)
    assert dict(with_parameters(player, {"options.rows": 8}).options) == {"evaluation": "schadd", "rows": 8}


def test_two_evaluations_meet_in_a_match() -> None:
    players = {"threats": kb.AlphaBeta(depth=2), "schadd": kb.AlphaBeta(depth=2, options={"evaluation": "schadd"})}
    result = kb.match(THREATS, players, games=40, openings=4, seed=1, workers=0)
    best, other = result.standings
    assert (best.name, other.name) == ("threats", "schadd")
    assert best.score > 0.6
