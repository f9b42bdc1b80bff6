"""Boards with marks, arrows and cells to click on; colours that everybody can tell apart; what notebooks show."""

from __future__ import annotations

import itertools
import math
import re
from xml.etree import ElementTree

import kibitz as kb
import pytest
from kibitz.draw import Arrow, Clicks
from kibitz.draw.board import ARROWS, CHOSEN, LAST
from kibitz.notebook import Table

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: kb.draw.Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(picture.svg)


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in root.iter() if name in (each.get("class") or "").split()]


def test_the_layer_lies_over_the_picture_of_the_game() -> None:
    start = kb.game("breakthrough").start()
    plain = kb.draw.board(start).svg
    assert start.svg().removeprefix("<svg ").removesuffix("</svg>") in plain
    assert "data-cell" not in plain
    assert parsed(kb.draw.board(start)).get("role") == "img"


@pytest.mark.parametrize("name", list(kb.games()))
def test_every_game_has_a_board_with_a_label_for_every_cell(name: str) -> None:
    position = kb.game(name).start()
    while position.turn == "chance":
        position = position.play(position.moves[0])
    root = parsed(kb.draw.board(position, clicks=Clicks.of(position), label="a <board>"))
    targets = of_class(root, "kb-cell")
    assert [each.get("data-cell") for each in targets] == [cell.name for cell in position.cells()]
    assert root.get("aria-label") == "a <board>"
    for target, cell in zip(targets, position.cells(), strict=True):
        label = target.get("aria-label") or ""
        assert label.startswith(cell.name)
        assert cell.holds in label
    if targets:
        assert [each.get("tabindex") for each in targets].count("0") == 1


def test_marks_differ_in_shape_and_not_only_in_colour() -> None:
    start = kb.game("breakthrough").start()
    clicks = Clicks.of(start).click("c2")
    root = parsed(kb.draw.board(start, clicks=clicks, last=["a7", "a6", "z9"]))
    assert [each.tag for each in of_class(root, "kb-last")] == [f"{SVG}path"] * 4
    (chosen,) = of_class(root, "kb-chosen")
    assert chosen.get("fill") == "none"
    dots = of_class(root, "kb-next")
    assert [each.tag for each in dots] == [f"{SVG}circle"] * 3
    labels = {each.get("data-cell"): each.get("aria-label") for each in of_class(root, "kb-cell")}
    assert labels["c2"] == "c2: white, selected"
    assert labels["d3"] == "d3: can be clicked"


def test_arrows_go_from_cell_to_cell_and_have_numbers() -> None:
    start = kb.game("breakthrough").start()
    arrows = kb.draw.line(start, ["a2-a3", "h7-g6", "b2-b3"], most=2)
    assert arrows == (Arrow(("a2", "a3"), "1"), Arrow(("h7", "g6"), "2"))
    root = parsed(kb.draw.board(start, arrows=arrows))
    assert len(of_class(root, "kb-arrow")) == 4
    assert [each.text for each in of_class(root, "kb-number")] == ["1", "2"]
    placed = kb.draw.board(kb.game("othello").start(), arrows=[Arrow(("d3",), '"<1>"')])
    assert [each.tag for each in of_class(parsed(placed), "kb-arrow")] == [f"{SVG}circle"] * 2
    assert [each.text for each in of_class(parsed(placed), "kb-number")] == ['"<1>"']
    assert kb.draw.line(kb.game("kuhn-poker").position("JQ"), ["check"]) == ()


def test_the_circle_of_a_move_lies_where_the_piece_falls() -> None:
    start = kb.game("connect-four").start()
    places = [arrow.at for arrow in kb.draw.line(start, ["4", "4", "3"])]
    # from the lowest row upwards, a cell being 44 wide and high
    assert places == [(176, 264), (176, 220), (132, 264)]
    drawn = kb.draw.board(start, arrows=kb.draw.line(start, ["4"])).svg
    assert '<circle cx="176" cy="264" r="15.84" class="kb-arrow"' in drawn
    # a square has its circle in the middle
    assert [arrow.at for arrow in kb.draw.line(kb.game("othello").start(), ["d3"])] == [None]


def test_a_view_has_nothing_that_the_player_cannot_see() -> None:
    hearts = kb.game("hearts").start()
    while hearts.turn == "chance":
        hearts = hearts.play(hearts.moves[0])
    hands = [set(hand.split()) for hand in str(hearts).split(";")[0].split(" / ")]
    for player in range(4):
        seen = {cell.name for cell in hearts.cells(player)}
        assert seen == hands[player]
        pictures = {hearts.guess(player, seed=seed).svg(player=player) for seed in range(5)}
        # a guess is a game with open hands, whose picture shows everything; the view itself is always the same
        assert hearts.svg(player=player) not in pictures
    stratego = kb.game("stratego").start()
    for player, colour in enumerate(("white", "black")):
        known = [cell.holds for cell in stratego.cells(player) if cell.holds.startswith(colour)]
        hidden = [cell.holds for cell in stratego.cells(player) if cell.holds.startswith(("white", "black"))]
        assert len(known) == 40
        assert all("unknown" not in each for each in known)
        assert sum("unknown" in each for each in hidden) == 40
        assert stratego.svg(player=player).count(">?<") == 40
    poker = kb.game("kuhn-poker").position("JQ")
    assert ">Q<" not in poker.svg(player=0)
    assert ">J<" not in poker.svg(player=1)
    with pytest.raises(kb.BadParameter, match="no player 2"):
        poker.svg(player=2)
    with pytest.raises(kb.BadParameter, match="a move or a player"):
        poker.svg("check", player=0)


#: How colours look to people without one of the three kinds of cones: G. Machado, M. Oliveira and L. Fernandes, *A
#: Physiologically-based Model for Simulation of Color Vision Deficiency*, IEEE TVCG 15 (2009), severity 1.
SEEING = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
Matrix = tuple[tuple[float, ...], ...]


def linear(colour: str) -> tuple[float, ...]:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def through(matrix: Matrix, colour: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)


def lab(colour: tuple[float, ...]) -> tuple[float, float, float]:
    xyz = through(((0.4125, 0.3576, 0.1804), (0.2127, 0.7152, 0.0722), (0.0193, 0.1192, 0.9503)), colour)
    x, y, z = (
        math.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (xyz[0] / 0.9505, xyz[1], xyz[2] / 1.0888)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str, other: str, matrix: Matrix) -> float:
    """In units of CIELAB; 2.3 is just noticeable side by side."""
    seen = [lab(tuple(min(1.0, max(0.0, part)) for part in through(matrix, linear(each)))) for each in (one, other)]
    return math.dist(*seen)


def fills(spec: str, pattern: str) -> set[str]:
    """The fills of what a picture shows, by a pattern of its attributes."""
    return set(re.findall(pattern, kb.game(spec).start().svg()))


PIECE = r'r="13" fill="(#[0-9a-f]{6})"'
PALETTES = {
    "chinese checkers": lambda: fills("chinese-checkers:players=6", PIECE),
    "focus": lambda: fills("focus:players=4", r'rx="4" fill="(#[0-9a-f]{6})"'),
    "rolit": lambda: fills("rolit:players=4", r'<g fill="(#[0-9a-f]{6})" stroke="#[0-9a-f]{6}" stroke-width="2"'),
    "samegame": lambda: fills("samegame", r'z" fill="(#[0-9a-f]{6})"'),
    "marks": lambda: {LAST, CHOSEN, "#e8d9bd", "#c9a878"},
    "arrows": lambda: set(ARROWS),
}


@pytest.mark.parametrize(("palette", "count"), list(zip(PALETTES, (6, 4, 4, 5, 4, 4), strict=True)))
@pytest.mark.parametrize("eyes", SEEING)
def test_colours_are_told_apart_by_everybody(palette: str, count: int, eyes: str) -> None:
    colours = PALETTES[palette]()
    assert len(colours) == count
    least = 20 if palette not in ("marks", "arrows") else 16
    for one, other in itertools.combinations(sorted(colours), 2):
        assert difference(one, other, SEEING[eyes]) > least, f"{one} and {other} to {eyes}"


def test_red_and_green_of_traffic_lights_would_not_pass() -> None:
    assert difference("#c8443c", "#4c9a52", SEEING["deuteranopia"]) < 20


def test_a_report_and_its_tree_are_shown_by_a_notebook() -> None:
    position = kb.game("random-tree", width=2, depth=3).start()
    report = kb.AlphaBeta(deepening=False, tt_mb=0, trace=100).search(position)
    html = report._repr_html_()
    assert f"<th>best</th><td>{report.best}</td>" in html
    assert "<svg" in html
    assert report.tree is not None
    assert report.tree._repr_svg_() == kb.draw.tree(report).svg
    sampled = kb.Uct(simulations=200, trace=1000).search(kb.game("tic-tac-toe").start())
    assert sampled.tree is not None
    assert sampled.tree._repr_svg_() is None, "too many nodes for a picture"
    assert "<svg" not in sampled._repr_html_()
    assert "<th>visits</th>" in sampled._repr_html_()
    assert "<b>" not in kb.Report(best="<b>")._repr_html_()


def test_a_table_is_played_by_clicks_against_an_engine() -> None:
    table = Table(kb.game("tic-tac-toe").start(), {1: kb.AlphaBeta()})
    table.hear({"cell": "a1", "ply": 0})
    assert len(table.moves) == 2
    assert table.moves[0] == "a1"
    before = table.position
    for message in (
        {"cell": "a1", "ply": 2},
        {"cell": "b9", "ply": 2},
        {"cell": "c1", "ply": 0},
        {"cell": 7, "ply": 2},
        {},
    ):
        table.hear(message)
        assert table.position == before
    table.hear({"action": "undo", "ply": 2})
    assert table.moves == ()
    assert 'data-cell="a1"' in table.page()


def test_chance_moves_by_itself_and_the_same_seed_throws_the_same_dice() -> None:
    tables = [Table(kb.game("backgammon").start(), seed=seed) for seed in (1, 1, 2)]
    assert tables[0].moves == tables[1].moves
    assert all(isinstance(table.position.turn, int) for table in tables)
    table = tables[0]
    way = Clicks.of(table.position).ways[0]
    for cell in way.cells:
        table.hear({"cell": cell, "ply": 1})
    assert table.moves[1] == way.move
    assert len(table.moves) == 3, "the dice of the other side have fallen"


def test_a_page_shows_only_what_the_person_to_move_sees() -> None:
    table = Table(kb.game("kuhn-poker").start(), {1: kb.Random()}, seed=3)
    own, other = str(table.position)[:2]
    assert f">{own}<" in table.page()
    assert f">{other}<" not in table.page()
    assert other not in re.sub("<[^>]*>", " ", table.page()).split()


def test_the_widget_passes_clicks_on_and_shows_the_new_board() -> None:
    widget = kb.play_widget(kb.game("breakthrough").start())
    before = widget.page
    widget._handle_custom_msg({"cell": "c2", "ply": 0}, [])
    assert widget.page != before
    widget._handle_custom_msg({"cell": "d3", "ply": 0}, [])
    assert widget.moves == ("c2-d3",)
    assert widget.ply == 1
    assert widget.position == kb.game("breakthrough").start().play("c2-d3")
    assert "c2-d3" in widget.page


def test_a_table_refuses_what_is_no_game() -> None:
    start = kb.game("nim").start()
    with pytest.raises(TypeError, match="position"):
        Table("nim")  # type: ignore[arg-type]
    with pytest.raises(kb.BadParameter, match="no player 2"):
        Table(start, {2: kb.Random()})
    with pytest.raises(kb.BadParameter, match="no algorithm"):
        Table(start, {1: "random"})  # type: ignore[dict-item]
