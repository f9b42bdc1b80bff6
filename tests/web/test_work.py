"""What the jobs of the pages do, without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.draw.lesson import Lesson, growing
from kibitz.draw.telling import tell
from kibitz.store import Store
from kibitz.tree import Tree, tree_of_dict
from kibitz.web.lessons import LESSONS
from kibitz.web.position_setup import PositionSetup, moves_of_text
from kibitz.web.work import course, database, edits, lines, match, reproduce, search, solve, think

CAPS = {"threads": 1, "memory_mb": 256, "seconds": 60}
DRAWN = {"game": "tic-tac-toe", "position": "X../OO./XXO X"}


def told(work: Any, **payload: Any) -> tuple[Any, list[dict[str, Any]]]:
    events: list[dict[str, Any]] = []
    return work.run({**payload, "caps": CAPS}, events.append), events


def visits(events: list[dict[str, Any]]) -> Lesson:
    """The lesson of all nodes that a search of the minimax family has told so far."""
    told = [tree_of_dict(event) for event in events]
    return tell(Tree(tuple(node for tree in told for node in tree.nodes), told[-1].missing))


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
    grows = events[0]["type"] == "stage"
    made = growing([tree_of_dict(event["tree"]) for event in events]) if grows else visits(events)
    said = "\n".join(step.text for step in made.steps)
    for sentence in SAID[example.name]:
        assert sentence in said
    assert result["best"] is not None or example.name == "proof"
    # nobody follows more in two minutes
    assert len(made.steps) <= 61
    if result["whole"] is not None and example.name in ("first", "deeper", "tic-tac-toe"):
        assert made.steps[-1].seen < result["whole"]


@pytest.mark.parametrize("algorithm", ["alphabeta", "negascout", "mtd", "bestnode", "star2"])
def test_nodes_are_told_in_their_order_from_the_first_depth_on(algorithm: str) -> None:
    chance = "random-tree:width=3,depth=3,chance=uniform,events=2,range=20,seed=1"
    game, depth = (chance, 5) if algorithm == "star2" else ("tic-tac-toe", 4)
    _, events = told(think, game=game, position="", algorithm=f"{algorithm}:depth={depth}")
    assert {event["type"] for event in events} == {"nodes"}
    assert all(len(event["nodes"]) <= think.BATCH for event in events)
    made = visits(events)
    roots = [made.tree.nodes[number].depth for number in made.tree.roots]
    assert roots == sorted(roots)
    assert set(roots) == set(range(1, depth + 1))
    # what was told once stays as it is: more nodes only go on with it
    before: tuple[Any, ...] = ()
    for count in range(1, len(events) + 1):
        steps = visits(events[:count]).steps
        assert steps[: len(before)] == before
        assert len(steps) > len(before)
        before = steps
    assert any(step.kind == "cut" for step in made.steps)
    assert "Depth 3 is done" in {step.text[:15] for step in made.steps} or algorithm in ("mtd", "bestnode")


def test_a_deepening_search_is_told_iteration_by_iteration_as_it_was() -> None:
    _, events = told(think, game="tic-tac-toe", position="", algorithm="alphabeta:depth=3")
    nodes = visits(events).tree.nodes
    last = kb.AlphaBeta(depth=3, trace=think.NODES).search(kb.game("tic-tac-toe").start()).tree
    assert last is not None
    # with the moves that the table knows to be good first
    values = [(node.alpha, node.beta, node.value, node.end) for node in nodes[-len(last.nodes) :]]
    assert values == [(node.alpha, node.beta, node.value, node.end) for node in last.nodes]


def test_of_a_large_search_the_first_nodes_are_told() -> None:
    _, events = told(think, game="tic-tac-toe", position="", algorithm="alphabeta:depth=9,deepening=false")
    made = visits(events)
    assert len(made.tree.nodes) == think.NODES
    assert made.tree.missing > 0
    # the last node is only entered, and nothing above it is done
    assert made.steps[-1].seen == think.NODES - 1
    assert not any(step.kind == "end" for step in made.steps)


def test_what_cannot_be_watched_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(think, "SECONDS", 0.05)
    with pytest.raises(kb.BadParameter, match="set a smaller depth"):
        told(think, game="connect-four", position="", algorithm="alphabeta:depth=40,deepening=false")
    with pytest.raises(kb.NotSupported, match="does not write its tree down"):
        told(think, game="tic-tac-toe", position="", algorithm="minimax:depth=2")
    with pytest.raises(kb.BadParameter, match="nothing to think about"):
        told(think, game="tic-tac-toe", position="XXX/OO./... O", algorithm="alphabeta")


def test_a_player_that_reuses_its_tree_goes_on_with_it() -> None:
    asked = {"game": "connect-four", "algorithm": "uct:simulations=500,reuse=true,seed=1", "session": "a game 0"}
    start = kb.game("connect-four").start()
    first, _ = told(search, **asked, position=str(start))
    after = start.play(first["pv"][0]).play(first["pv"][1])

    def visits_of(**changes: str) -> int:
        found, _ = told(search, **{**asked, **changes}, position=str(after), past=list(after.past))
        return sum(child["visits"] for child in found["children"])

    assert visits_of() > 510
    # another player, and one without a tree to go on with, begin afresh
    assert visits_of(session="a game 1") <= 500
    assert visits_of(algorithm="uct:simulations=500,seed=1") <= 500


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


THREE = {"A": "random:seed=1", "B": "alphabeta", "C": "minimax:depth=2"}


def test_a_round_robin_has_its_whole_table_after_every_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "_PAUSE", 0.0)
    plan = {**PLAN, "kind": "round-robin", "players": THREE, "games": 6, "openings": 2}
    path = str(tmp_path / "arena.sqlite")
    result, events = told(match, plan=plan, path=path)
    assert [event["games"] for event in events] == list(range(1, 19))
    assert {event["planned"] for event in events} == {18}
    for event in events:
        assert sorted(row[0] for row in event["rows"][1:]) == ["A", "B", "C"]
        assert [row[0] for row in event["cross"][1:]] == ["A", "B", "C"]
        for each in event["scores"]:
            assert each["score"] is None or each["low"] <= each["score"] <= each["high"]
    # who has not played yet has an empty row, and everybody else a score with its interval
    assert {row[0]: row[5] for row in events[0]["rows"][1:]}["C"] == "–"
    assert " to " in {row[0]: row[1:] for row in events[-1]["cross"][1:]}["A"][1]
    assert result["complete"]
    assert result["rows"] == events[-1]["rows"]
    # it goes on with the table that it had, and its games are never fewer than before
    again, events = told(match, plan=plan, path=path)
    assert {event["games"] for event in events} == {18}
    assert again["rows"] == result["rows"]
    assert events[-1]["cross"] == result["cross"]


def test_a_gauntlet_has_the_challenger_against_all(tmp_path: Path) -> None:
    plan = {**PLAN, "kind": "gauntlet", "players": THREE, "challengers": ["A"], "games": 2}
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


def held(position: kb.Position) -> dict[str, str]:
    return {cell.name: cell.holds or "empty" for cell in position.cells()}


@pytest.mark.parametrize(
    ("game", "cells", "least"),
    [
        ("tic-tac-toe", 1, 9),
        ("othello", 1, 64),
        ("connect-four", 1, 7),
        ("dao", 2, 16),
        ("chinese-checkers", 2, 49),
        ("backgammon", 2, 20),
        ("focus", 1, 30),
        ("gaps", 2, 40),
        ("nim", 0, 0),
    ],
)
def test_positions_are_edited_without_knowing_the_game(game: str, cells: int, least: int) -> None:
    start = kb.game(game).start()
    found, _ = told(edits, game=game, position="")
    assert len({name for edit in found for name in edit.cells}) >= least
    assert not found or min(len(edit.cells) for edit in found) == cells
    before = held(start)
    for edit in found:
        after = held(start.game.position(edit.text))
        assert [name for name in before if after[name] != before[name]] == list(edit.cells)
        assert edit.label == ", ".join(f"{name}: {after[name]}" for name in edit.cells)


def test_a_piece_more_lets_the_other_side_move() -> None:
    found, _ = told(edits, game="tic-tac-toe", position="")
    assert {edit.label: edit.text for edit in found}["b2: cross"] == ".../.X./... O"


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
