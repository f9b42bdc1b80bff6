"""What the jobs of the pages do, without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.draw.lesson import growing, lesson
from kibitz.store import Store
from kibitz.tree import tree_of_dict
from kibitz.web.lessons import LESSONS
from kibitz.web.position_setup import PositionSetup, edits, moves_of_text
from kibitz.web.work import course, database, lines, match, reproduce, solve, think

CAPS = {"threads": 1, "memory_mb": 256, "seconds": 60}
DRAWN = {"game": "tic-tac-toe", "position": "X../OO./XXO X"}


def told(work: Any, **payload: Any) -> tuple[Any, list[dict[str, Any]]]:
    events: list[dict[str, Any]] = []
    return work.run({**payload, "caps": CAPS}, events.append), events


SAID = {
    "first": ["Cut. Here MIN holds MAX to 9 or less, but MAX has 12 already by move 0 at the root."],
    "deeper": ["MIN will not let MAX come here", "MAX will not come here"],
    "tic-tac-toe": ["but MAX has 0 already by c2 at the root"],
    "scout": ["a null window", "is searched again"],
    "mtd": ["Pass 2.", "the table remembers it"],
    "best-node": ["fails the test", "passes the test"],
    "star2": ["A probe of outcome 0"],
    "proof": ["The most-proving node is"],
    "uct": ["Simulation 60 goes"],
}


@pytest.mark.parametrize("example", LESSONS, ids=lambda example: example.name)
def test_every_lesson_shows_what_it_is_about(example: Any) -> None:
    result, events = told(think, game=example.game, position=example.position, algorithm=example.algorithm)
    trees = [tree_of_dict(event["tree"]) for event in events]
    made = growing(trees) if events[0]["type"] == "stage" else lesson(trees[-1])
    said = "\n".join(step.text for step in made.steps)
    for sentence in SAID[example.name]:
        assert sentence in said
    assert result["best"] is not None or example.name == "proof"
    # nobody follows more in two minutes
    assert len(made.steps) <= 61
    if result["whole"] is not None and example.name in ("first", "deeper", "tic-tac-toe"):
        assert made.steps[-1].seen < result["whole"]


def test_a_deepening_search_tells_a_tree_for_every_depth_until_it_is_too_large() -> None:
    _, events = told(think, game="tic-tac-toe", position="", algorithm="alphabeta:depth=9")
    depths = [event["depth"] for event in events]
    assert depths == list(range(1, len(depths) + 1))
    assert len(events[-1]["tree"]["nodes"]) <= think.NODES
    with pytest.raises(kb.BadParameter, match="set a smaller depth"):
        told(think, game="tic-tac-toe", position="", algorithm="alphabeta:depth=9,deepening=false")
    with pytest.raises(kb.NotSupported, match="does not write its tree down"):
        told(think, game="tic-tac-toe", position="", algorithm="minimax:depth=2")
    with pytest.raises(kb.BadParameter, match="nothing to think about"):
        told(think, game="tic-tac-toe", position="XXX/OO./... O", algorithm="alphabeta")


def test_every_move_has_the_value_that_minimax_gives_it() -> None:
    _, events = told(lines, **DRAWN, algorithm="minimax")
    assert {event["move"]: event["value"] for event in events} == {"c2": 0, "b3": -1, "c3": -1}
    assert all(event["proven"] for event in events)
    # where the same player moves again, and where chance comes next, the view does not change
    position = kb.game("pip-race").start()
    while position.turn == "chance":
        position = position.play(position.moves[0])
    _, events = told(lines, game="pip-race", position=str(position), algorithm="expectimax:depth=3")
    best = max(events, key=lambda event: event["value"])
    assert best["value"] == pytest.approx(kb.Expectimax(depth=4).search(position).value)
    with pytest.raises(kb.BadParameter, match="the game is over"):
        told(lines, game="tic-tac-toe", position="XXX/OO./... O", algorithm="minimax")


def test_the_course_of_a_game_is_told_for_the_first_player() -> None:
    moves = ["b2", "b1", "a1", "c3", "a3", "a2", "c1"]
    _, events = told(course, game="tic-tac-toe", start="", moves=moves, algorithm="minimax")
    # a corner is the only answer to the centre
    assert [event["value"] for event in events] == [0, 0, 1, 1, 1, 1, 1, 1][: len(moves) + 1]


def test_a_proof_tells_its_numbers_and_its_answer() -> None:
    result, events = told(solve, game="tic-tac-toe", position="", algorithm="proofnumber")
    assert result["value"] == "draw"
    assert [(goal["at_least"], goal["answer"]) for goal in result["goals"]] == [("win", False), ("draw", True)]
    assert result["goals"][0]["curve"][-1][2] == 0
    assert {event["type"] for event in events} == {"numbers"}
    assert kb.game("tic-tac-toe").position(DRAWN["position"]) is not None
    with pytest.raises(kb.BadParameter, match="is no solver"):
        told(solve, **DRAWN, algorithm="alphabeta")


def test_a_database_is_built_and_a_game_without_one_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "small.kdb")
    result, events = told(database, game="fanorona:rows=3,cols=3", pieces=4, distances="win", path=path)
    assert result["positions"] == 2340
    assert [event["share"] for event in events] == sorted(event["share"] for event in events)
    with pytest.raises(kb.NotSupported, match="no database of it"):
        told(database, game="connect-four", pieces=4, distances="none", path=path)


PLAN = {
    "kind": "match",
    "game": "tic-tac-toe",
    "players": {"A": "random:seed=1", "B": "alphabeta"},
    "games": 6,
    "openings": 0,
    "seed": 1,
    "max_plies": 100,
    "sprt": None,
    "challengers": [],
}


def test_a_match_goes_on_where_it_was(tmp_path: Path) -> None:
    path = str(tmp_path / "arena.sqlite")
    first, _ = told(match, plan=PLAN, path=path)
    assert (first["games"], first["planned"], first["complete"]) == (6, 6, True)
    more, _ = told(match, plan={**PLAN, "games": 10}, path=path)
    assert more["games"] == 10
    with Store.open(path, write=False) as store:
        assert [run.games for run in store.runs()] == [10]
    again, _ = told(match, plan={**PLAN, "games": 10}, path=path)
    assert again["rows"] == more["rows"]


def test_a_gauntlet_has_the_challenger_against_all(tmp_path: Path) -> None:
    players = {**PLAN["players"], "C": "minimax"}  # type: ignore[dict-item]
    plan = {**PLAN, "kind": "gauntlet", "players": players, "challengers": ["A"], "games": 2}
    result, _ = told(match, plan=plan, path=str(tmp_path / "arena.sqlite"))
    assert result["games"] == 4
    assert result["rows"][0][0] == "player"
    cross = {row[0]: row[1:] for row in result["cross"][1:]}
    assert cross["B"][2] == ""  # B and C do not meet


def test_an_experiment_gives_its_rows(tmp_path: Path) -> None:
    from kibitz.experiments import experiments

    chosen = next(each for each in experiments() if each.table == "self-check")
    result, events = told(reproduce, id=chosen.id, scale="quick", path=str(tmp_path / "results.sqlite"))
    assert result["tally"] == "1 holds"
    assert events[-1]["done"] == events[-1]["units"] == result["units"]


def test_positions_are_edited_without_knowing_the_game() -> None:
    found = edits(kb.game("tic-tac-toe").start())
    assert dict(found["b2"]) == {"empty": ".../.../... X", "cross": ".../.X./... O"}
    found = edits(kb.game("othello").start())
    assert len(found) == 64
    for name, ways in found.items():
        for holds, text in ways:
            cells = {cell.name: cell.holds for cell in kb.game("othello").position(text).cells()}
            assert (cells[name] or "empty") == holds


def test_moves_are_read_from_a_record_and_from_a_list() -> None:
    game = kb.game("tic-tac-toe")
    assert moves_of_text(game, "1. b2 a3 2. b3") == ("", ["b2", "a3", "b3"])
    assert moves_of_text(game, "") == ("", [])
    with pytest.raises(kb.BadParameter, match="characters; at most"):
        moves_of_text(game, "a1 " * 200_000)
    with pytest.raises(kb.StoreError, match="ends early"):
        moves_of_text(game, 'kibitz game record 1\ngame: "tic-tac-toe"')


def test_a_position_that_is_set_up_is_checked_before_it_replaces_another() -> None:
    setup = PositionSetup("tic-tac-toe")
    setup.play("b2")
    with pytest.raises(kb.BadPosition):
        setup.set("tic-tac-toe", "nonsense")
    with pytest.raises(kb.IllegalMove):
        setup.set("tic-tac-toe", "", ["b2", "b2"])
    with pytest.raises(kb.UnknownGame):
        setup.set("/etc/passwd")
    assert str(setup.position) == ".../.X./... O"
    setup.take_back()
    setup.take_back()
    assert str(setup.position) == ".../.../... X"
