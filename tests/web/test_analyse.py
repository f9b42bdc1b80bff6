"""The page Analyse, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from conftest import Server
from machine import milliseconds
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.xdist_group("web")


def analyse(page: Page, server: Server, game: str = "tic-tac-toe", position: str = "") -> None:
    page.goto(f"{server.address}/analyse?game={game}&position={position}")
    expect(page.locator("[data-act=start]")).to_have_text("play_arrowStart")


def seconds(page: Page, value: str) -> None:
    page.get_by_label("Seconds, where no limit is set").fill(value)
    page.get_by_label("Seconds, where no limit is set").press("Tab")


def figure(page: Page, line: int, name: str) -> str:
    return page.locator(f"[data-line='{line}'] [data-figure='{name}']").inner_text()


def test_an_analysis_is_started_watched_and_stopped_and_a_reload_loses_nothing(page: Page, server: Server) -> None:
    analyse(page, server, "connect-four")
    seconds(page, "60")
    page.locator("[data-act=start]").click()
    expect(page.locator("[data-act=start]")).to_contain_text("Stop")
    expect(page.locator("[data-line='0'] [data-figure=nodes]")).to_be_visible()
    expect(page.locator("[data-line='1'] [data-figure=nodes]")).to_be_visible()
    expect(page.locator(".kb-arrow").first).to_be_attached()
    before = figure(page, 0, "nodes")
    page.reload()
    expect(page.locator("[data-act=start]")).to_contain_text("Stop")
    page.wait_for_function("window.did_handshake")  # a click that comes sooner is lost
    assert int(figure(page, 0, "nodes").replace(",", "")) >= int(before.replace(",", ""))
    page.locator("[data-act=start]").click()
    expect(page.locator("[data-act=start]")).to_contain_text("Start", timeout=milliseconds(5_000))
    expect(page.locator("[data-line='0']")).to_contain_text("stopped after")
    assert figure(page, 0, "value")


def test_two_visitors_search_at_once_and_see_only_their_own(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    pages = [new_context().new_page() for _ in range(2)]
    for page, position in zip(pages, ("X../OO./XXO X", ""), strict=True):
        analyse(page, server, position=position)
        seconds(page, "1")
        page.locator("[data-act=start]").click()
    for page in pages:
        expect(page.locator("[data-line='0']")).to_contain_text("done in", timeout=milliseconds(20_000))
    assert figure(pages[0], 0, "best") == "c2"
    assert figure(pages[0], 0, "value") == "+0.000 (proven)"
    assert pages[1].locator("[data-field=position]").input_value() == ".../.../... X"


def test_moves_are_made_on_the_board_and_pieces_are_put_where_they_should_be(page: Page, server: Server) -> None:
    analyse(page, server)
    position = page.locator("textarea").first
    page.locator("[data-cell=b2]").click()
    expect(position).to_have_value(".../.X./... O")
    page.get_by_role("button", name="Take back").click()
    expect(position).to_have_value(".../.../... X")
    page.locator("[data-act=edit]").click()
    expect(page.get_by_text("Click on a cell to put something else there")).to_be_visible()
    page.locator("[data-cell=a3]").click()
    # a cross more, so that the other side is to move
    expect(position).to_have_value("X../.../... O")
    # a position that the rules do not allow is not even tried
    position.fill("OOO/.../... X")
    page.locator("[data-act=set]").click()
    expect(page.locator(".lab-error").first).to_contain_text("bad position")
    expect(page.locator("[data-cell=a3]")).to_have_attribute("aria-label", re.compile("^a3: cross"))


def test_a_piece_is_put_elsewhere_where_their_number_is_fixed_and_cards_say_so(page: Page, server: Server) -> None:
    analyse(page, server, "dao")
    position = page.locator("textarea").first
    before = position.input_value()
    page.locator("[data-act=edit]").click()
    expect(page.get_by_text("Click on a piece, and then where it should be")).to_be_visible()
    page.locator("[data-cell=a1]").click()
    page.locator("[data-cell=b1]").click()
    expect(position).not_to_have_value(before)
    expect(page.locator("[data-cell=a1]")).to_have_attribute("aria-label", re.compile("^a1($|: can be clicked)"))
    analyse(page, server, "kuhn-poker")
    page.locator("[data-act=edit]").click()
    expect(page.get_by_text("This game has no board whose cells could be changed")).to_be_visible()


def test_all_moves_are_rated_and_the_best_comes_first(page: Page, server: Server) -> None:
    analyse(page, server, position="X../OO./XXO X")
    page.get_by_text("All moves").click()
    page.locator("[data-act=rate]").click()
    rows = page.locator(".q-table tbody tr")
    expect(rows).to_have_count(3)
    expect(page.get_by_text("3 of 3 moves, done in")).to_be_visible()
    assert [row.split("\t")[:2] for row in rows.all_inner_texts()] == [
        ["c2", "+0.000 ✓"],
        ["b3", "-1.000 ✓"],
        ["c3", "-1.000 ✓"],
    ]
    rows.first.click()
    expect(page.locator("textarea").first).to_have_value("X../OOX/XXO O")


def test_the_course_of_a_game_is_drawn_and_a_bad_move_is_named(page: Page, server: Server) -> None:
    analyse(page, server)
    page.get_by_text("A whole game").click()
    game = page.locator("textarea").nth(1)
    game.fill("1. b2 a3 2. b3 b1 3. z9")
    page.locator("[data-act=course]").click()
    expect(page.locator(".q-notification")).to_contain_text("z9")
    game.fill("1. b2 a3 2. b3 b1 3. a1 c3")
    page.locator("[data-act=course]").click()
    expect(page.get_by_text("7 of 7 positions, done in")).to_be_visible(timeout=milliseconds(20_000))
    expect(page.locator(".analyse-part canvas").last).to_be_visible()


def test_a_wrong_link_is_explained(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/analyse?game=../../etc/passwd")
    expect(page.locator(".q-notification")).to_contain_text("no game")
    expect(page.locator("[data-act=start]")).to_be_visible()
