"""Every game can be played by clicking on its picture, with no code for any of them."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import kibitz as kb
import pytest
from kibitz.draw import Clicks
from playing import GAMES

#: What is said and not done on the board: passes, dice, bids, cards to bet on, and the set-up of an army.
SAID = {
    "backgammon": r"pass|roll|double|take|drop|beaver",
    "chance-breakthrough": r"roll",
    "chinese-checkers": r"pass",
    "crossings": r"pass",
    "dice": r"pass",
    "epaminondas": r"pass",
    "kuhn-poker": r"check|bet|call|fold",
    "nim": r"\d+:\d+",
    "othello": r"pass",
    "pip-race": r"roll|step",
    "spades": r"\d+",
    "stratego": r"[1-9SBF]",
}

#: Where one way may belong to several moves, which a menu tells apart by their notation.
SHARED = ("fanoron", "backgammon")


def positions(spec: str, plies: int, seed: int) -> list[kb.Position]:
    """The positions of a random game in which a player is to move."""
    rng = random.Random(seed)
    position = kb.game(spec).start()
    found = []
    while len(found) < plies and not position.over:
        if position.turn != "chance":
            found.append(position)
        position = position.play(rng.choice(position.moves))
    return found


def viewbox(svg: str) -> tuple[float, ...]:
    box = ElementTree.fromstring(svg).get("viewBox")
    assert box is not None
    return tuple(map(float, box.split()))


def through(clicks: Clicks, cells: tuple[str, ...]) -> Clicks:
    for cell in cells:
        clicks = clicks.click(cell)
    return clicks


@pytest.mark.parametrize("spec", GAMES)
def test_cells_lie_inside_the_picture_and_have_names_of_their_own(spec: str) -> None:
    for position in positions(spec, 6, seed=1):
        left, top, width, height = viewbox(position.svg())
        cells = position.cells()
        assert len({cell.name for cell in cells}) == len(cells)
        for cell in cells:
            assert left <= cell.x < cell.x + cell.width <= left + width, cell
            assert top <= cell.y < cell.y + cell.height <= top + height, cell


@pytest.mark.parametrize("spec", GAMES)
def test_every_legal_move_can_be_clicked_or_is_a_button(spec: str) -> None:
    name = spec.partition(":")[0]
    for position in positions(spec, 12, seed=2):
        clicks = Clicks.of(position)
        moves = {position.notation(move) for move in position.moves}
        clicked = {way.move for way in clicks.ways}
        assert clicked | set(clicks.buttons) == moves
        assert not clicked & set(clicks.buttons)
        for button in clicks.buttons:
            assert re.fullmatch(SAID.get(name, "nothing"), button), f"{button} is not made on the picture"
            assert clicks.choose(button).move == button
        cells = {cell.name for cell in position.cells()}
        for way in clicks.ways[:: max(1, len(clicks.ways) // 40)]:
            assert set(way.cells) <= cells
            done = through(clicks, way.cells)
            assert done.move == way.move or way.move in done.choices, f"{way} leads to {done.move} or {done.choices}"
            if done.move is None and not name.startswith(SHARED):
                assert done.choices == (way.move,), "a menu tells these apart"
                assert done.next, "something else can be clicked, or the move is decided"


def test_a_game_can_be_won_by_clicks_alone() -> None:
    rng = random.Random(5)
    position = kb.game("fanorona").start()
    while not position.over:
        clicks = Clicks.of(position)
        while clicks.move is None:
            options = [*sorted(clicks.next), *clicks.choices]
            chosen = rng.choice(options)
            clicks = clicks.choose(chosen) if chosen in clicks.choices else clicks.click(chosen)
        position = position.play(clicks.move)
    assert position.result is not None


def test_a_click_that_leads_nowhere_changes_nothing() -> None:
    clicks = Clicks.of(kb.game("breakthrough").start())
    for cell in ("a7", "d4", "z9", "", "c2-d3"):
        assert clicks.click(cell) == clicks
    assert clicks.choose("c2-d3") == clicks
    decided = clicks.click("c2").click("d3")
    assert decided.move == "c2-d3"
    assert decided.click("a2") == decided
    assert decided.cleared() == clicks


def test_another_piece_can_be_taken_instead_and_the_same_one_put_down() -> None:
    clicks = Clicks.of(kb.game("breakthrough").start())
    assert clicks.click("c2").click("f2").clicked == ("f2",)
    assert clicks.click("c2").click("h8").clicked == ("c2",)
    assert clicks.click("c2").click("c2").clicked == ()


def test_capture_choices_of_fanorona_are_a_menu() -> None:
    position = kb.game("fanorona").start()
    clicks = Clicks.of(position).click("d3").click("e3")
    assert clicks.move is None
    assert set(clicks.choices) == {"d3-e3A", "d3-e3W"}
    assert clicks.choose("d3-e3W").move == "d3-e3W"


def test_a_capture_that_may_go_on_is_ended_by_a_second_click() -> None:
    position = kb.game("fanorona").start().play("d3-e3W")
    longer = next(way for way in Clicks.of(position).ways if len(way.cells) > 2)
    begun = through(Clicks.of(position), longer.cells[:2])
    assert begun.move is None
    assert len(begun.choices) == 1
    assert longer.cells[2] in begun.next
    assert begun.click(longer.cells[1]).move == begun.choices[0]


def test_a_phalanx_is_moved_by_its_tail() -> None:
    position = kb.game("epaminondas").start()
    assert position.clicks("[A11,A12]-A9") == [["A12", "A9"]]
    assert Clicks.of(position).click("A12").click("A9").move == "[A11,A12]-A9"


def test_a_checker_may_run_step_by_step_or_at_once_and_the_dice_in_any_order() -> None:
    position = kb.game("backgammon").position("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5 / A 31")
    clicks = Clicks.of(position)
    for cells in (("8", "5", "6", "5"), ("6", "5", "8", "5")):
        assert through(clicks, cells).move == "8/5 6/5"
    assert through(clicks, ("24", "20")).move == "24/20"
    assert "24/20" in {way.move for way in clicks.ways if len(way.cells) == 4}
    # the picture has A's numbers, the notation those of the mover
    other = kb.game("backgammon").position("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5 / B 31")
    assert through(Clicks.of(other), ("17", "20", "19", "20")).move == "8/5 6/5"


def test_any_block_of_a_group_removes_it() -> None:
    position = kb.game("samegame").start()
    ways = position.clicks("0,0")
    assert len(ways) > 1
    assert all(Clicks.of(position).click(cell).move == "0,0" for (cell,) in ways)


def test_the_l_is_clicked_in_any_order_and_the_neutral_piece_may_stay() -> None:
    clicks = Clicks.of(kb.game("l-game").start())
    begun = through(clicks, ("c4", "c2", "d2", "c3"))
    assert begun.move is None
    assert begun.choices == ("c2d2c3c4",)
    assert begun.click("c3").move == "c2d2c3c4"
    assert through(begun, ("d1", "a1")).move == "c2d2c3c4+d1-a1"


def test_nothing_can_be_clicked_when_nobody_is_to_move() -> None:
    assert Clicks.of(kb.game("backgammon").start()) == Clicks(())
    over = kb.game("tic-tac-toe").start()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        over = over.play(move)
    assert Clicks.of(over) == Clicks(())


class Doors(kb.Game):
    """A game in Python with a picture of two doors and a window that nobody names."""

    def start(self) -> str:
        return ""

    def turn(self, state: str) -> int | None:
        return 0 if len(state) < 2 else None

    def moves(self, state: str) -> list[str]:
        return ["left", "right", "wait"]

    def play(self, state: str, move: str) -> str:
        return state + move[0]

    def result(self, state: str) -> float:
        return 1.0 if state == "lr" else -1.0

    def svg(self, state: str) -> str:
        return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50"></svg>'

    def cells(self, state: str) -> list[tuple[str, int, int, int, int]]:
        return [("left", 0, 0, 40, 50), ("right", 60, 0, 40, 50)]


def test_a_game_in_python_names_its_own_cells() -> None:
    start = Doors().start()
    assert [cell.name for cell in start.cells()] == ["left", "right"]
    clicks = Clicks.of(start)
    assert clicks.buttons == ("wait",)
    assert clicks.click("right").move == "right"
    assert Clicks.of(start.play("left")).click("left").move == "left"


@pytest.mark.parametrize(
    "cells", [[("a", 0, 0, 1)], [("a", 0, 0, 1, 1)] * 2, [("", 0, 0, 1, 1)], 7, [("a", 0, 0, 1, "x")]]
)
def test_cells_that_are_none_are_refused(cells: object) -> None:
    class Broken(Doors):
        def cells(self, state: str) -> object:  # type: ignore[override]
            return cells

    with pytest.raises(kb.GameError, match=r"cells\(\) gives a list of tuples"):
        Broken().start().cells()


def test_a_game_in_python_without_a_picture_has_buttons() -> None:
    from nim import Nim  # type: ignore[import-not-found]

    position = Nim().start()
    clicks = Clicks.of(position)
    assert position.cells() == []
    assert clicks.ways == ()
    assert set(clicks.buttons) == {position.notation(move) for move in position.moves}
