"""The page Play, in a real browser."""

from __future__ import annotations

import random
import re
import statistics
from collections.abc import Callable
from pathlib import Path

import kibitz as kb
import pytest
from conftest import Server
from machine import milliseconds
from person import begin, click, moves, quoted, replayed, sit_down, status, stored, text_of_game, wait
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.xdist_group("web")

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TO_THE_END = ["connect-four", "fanoron-telo", "hearts:deck=reduced", "samegame:rows=6,cols=6", "focus:plies=40", "nim"]
"""Columns, captures with a choice, cards that are hidden, a game of one player, stacks, heaps."""


@pytest.fixture(scope="module")
def shared_page(browser: object, server: Server) -> Page:
    """One page for the many games that are only played."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})  # type: ignore[attr-defined]
    context.set_default_timeout(milliseconds(20_000))
    page: Page = context.new_page()
    return page


@pytest.mark.parametrize("game", kb.games())
def test_every_game_opens_draws_and_takes_thirty_clicks(shared_page: Page, server: Server, game: str) -> None:
    page, dice = shared_page, random.Random(game)
    url = sit_down(page, server.address, server.data, game)
    expect(page.locator(".lab-board svg, .lab-cover")).not_to_have_count(0)
    found = wait(page)
    for _ in range(30):
        if "game is over" in found["status"]:
            break
        found = click(page, dice, found)
    assert "cannot move" not in status(page)
    assert not page.locator(".lab-error").inner_text()
    assert len(moves(page)) > 0
    assert stored(server.data, url)


@pytest.mark.parametrize("game", TO_THE_END)
def test_games_of_six_kinds_are_played_to_their_end(shared_page: Page, server: Server, game: str) -> None:
    page, dice = shared_page, random.Random(game)
    url = sit_down(page, server.address, server.data, game)
    found = wait(page)
    while "game is over" not in found["status"]:
        found = click(page, dice, found)
    at_the_end = stored(server.data, url)
    assert at_the_end.over or "Nobody won" in status(page)
    assert replayed(text_of_game(page)) == at_the_end


def test_an_illegal_click_does_nothing(page: Page, server: Server) -> None:
    url = begin(page, server.address, "breakthrough")
    before = stored(server.data, url)
    for cell in ("e5", "b7", "a8"):
        page.locator(f"[data-cell={cell}]").click(force=True)
    page.locator("[data-cell=b2]").click()
    # the board is drawn anew, and a click in between would find nothing
    expect(page.locator("[data-cell=b2]")).to_have_attribute("aria-label", re.compile("selected"))
    page.locator("[data-cell=h5]").click(force=True)
    # what no page would ever send
    page.evaluate("""() => {
        const node = document.querySelector('.lab-board [data-cell]');
        for (const cell of ['z99', '', 'x'.repeat(5000)]) {
            node.dataset.cell = cell;
            node.dispatchEvent(new MouseEvent('click', {bubbles: true}));
        }
    }""")
    page.wait_for_timeout(300)
    assert moves(page) == []
    assert stored(server.data, url) == before
    # b2 is still chosen
    page.locator("[data-cell=b3]").click()
    expect(page.locator(".lab-list-of-moves li").first).to_contain_text("b2-b3")


def board(page: Page) -> str:
    """The board as it is drawn, wherever the keyboard is."""
    return re.sub(r' tabindex="-?\d"', "", page.locator(".lab-board").inner_html())


def test_undo_restores_the_exact_position_and_redo_the_other(page: Page, server: Server) -> None:
    url = begin(page, server.address, "othello")
    dice = random.Random(2)
    positions = [stored(server.data, url)]
    boards = [board(page)]
    for _ in range(3):
        click(page, dice)
        positions.append(stored(server.data, url))
        boards.append(board(page))
    for number in (2, 1, 0):
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".lab-list-of-moves li")).to_have_count(2 * number)
        assert stored(server.data, url) == positions[number]
        assert board(page) == boards[number]
    for number in (1, 2, 3):
        page.get_by_role("button", name="Redo").click()
        expect(page.locator(".lab-list-of-moves li")).to_have_count(2 * number)
        assert stored(server.data, url) == positions[number]


def test_the_text_replays_to_the_same_position_and_opens_as_a_game(page: Page, server: Server) -> None:
    url = begin(page, server.address, "backgammon")
    dice = random.Random(3)
    for _ in range(8):
        click(page, dice)
    text = text_of_game(page)
    position = stored(server.data, url)
    assert replayed(text) == position
    page.goto(f"{server.address}/play")
    page.get_by_text("Open a game from its text").click()
    page.get_by_label("Text of the game").fill(text)
    page.locator("[data-read]").click()
    page.wait_for_url("**/play/*key=*")
    assert page.url != url
    assert stored(server.data, page.url) == position


def test_a_reload_in_the_middle_loses_nothing(page: Page, server: Server) -> None:
    url = begin(page, server.address, "connect-four")
    dice = random.Random(4)
    for _ in range(3):
        click(page, dice)
    before, position = moves(page), stored(server.data, url)
    page.reload()
    wait(page)
    assert moves(page) == before
    assert stored(server.data, url) == position
    page.goto(f"{server.address}/play")
    page.get_by_role("link", name="connect-four").click()
    wait(page)
    assert moves(page) == before


def test_a_server_that_was_killed_offers_the_game_again(
    new_context: Callable[..., BrowserContext], new_server: Callable[..., Server]
) -> None:
    # scripts of a page whose server is gone may fail
    page, first = new_context().new_page(), new_server()
    begin(page, first.address, "connect-four")
    dice = random.Random(5)
    for _ in range(3):
        click(page, dice)
    before = moves(page)
    page.evaluate("window.old = true")
    first.kill()
    second = new_server(port=first.port)
    # The page connects again by itself. It may load itself more than once until the server is there.
    loaded = "!window.old && document.querySelector('.lab-status') && window.did_handshake"
    page.wait_for_function(loaded, timeout=milliseconds(60_000))
    wait(page)
    assert moves(page) == before
    click(page, dice)
    assert len(moves(page)) == len(before) + 2
    page.goto(f"{second.address}/play")
    # the visitor is known by the same cookie
    page.get_by_role("link", name="connect-four").click()
    wait(page)
    assert len(moves(page)) == len(before) + 2


def test_two_browsers_play_one_game(new_context: Callable[..., BrowserContext], server: Server) -> None:
    host, guest = new_context().new_page(), new_context().new_page()
    begin(host, server.address, "connect-four", people=2)
    host.get_by_role("button", name="Share").click()
    link = host.get_by_role("link", name="?key=").nth(1).inner_text()
    host.get_by_role("button", name="Close").click()
    guest.goto(server.address + link)
    guest.wait_for_selector(".lab-status")
    assert status(guest) == "Player 1 is to move."
    # The guest may not move for the host.
    guest.locator(".lab-board").click()
    guest.wait_for_timeout(200)
    assert moves(guest) == []
    host.locator("[data-cell]").first.click()
    expect(guest.locator(".lab-status")).to_have_text("Your move.")
    guest.locator("[data-cell]").first.click()
    expect(host.locator(".lab-list-of-moves li")).to_have_count(2)


def test_the_list_of_moves_leads_back_to_any_position(page: Page, server: Server) -> None:
    url = begin(page, server.address, "othello")
    dice, found = random.Random(8), wait(page)
    for _ in range(3):
        found = click(page, dice, found)
    now = board(page)
    page.get_by_role("button", name="To the beginning").click()
    expect(page.locator("[data-cell]")).to_have_count(0)  # nobody moves in the past
    page.locator("[data-move-number='6']").click()
    expect(page.locator("[data-cell]")).to_have_count(64)
    assert board(page) == now
    # The position that is looked at may be taken back by somebody else.
    page.locator("[data-move-number='5']").click()
    other = page.context.new_page()
    other.goto(url)
    other.get_by_role("button", name="Undo").click()
    expect(page.locator(".lab-list-of-moves li")).to_have_count(4)
    expect(page.locator("[data-cell]")).to_have_count(64)


def test_hint_resign_and_their_undoing(page: Page, server: Server) -> None:
    begin(page, server.address, "breakthrough", engine="uct:simulations=200")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".lab-status")).to_contain_text("uct would play")
    expect(page.locator(".kb-arrow").first).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.locator("[data-resign]").click()
    expect(page.locator(".lab-status")).to_contain_text("Player 1 resigned. The game is over. uct won")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".lab-status")).to_have_text("Your move.")


def test_engines_play_each_other_at_a_chosen_speed(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/play?game=connect-four&engine=random")
    page.locator("[data-seat='0']").get_by_text("Engine").click()
    page.locator("[data-start]").click()
    page.wait_for_url("**/play/*key=*")
    expect(page.locator(".lab-status")).to_have_text("random rests.")
    slider = page.get_by_role("slider")
    slider.focus()
    slider.press("Home")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".lab-status")).to_contain_text("game is over", timeout=milliseconds(20_000))


def test_the_flag_falls(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/play?game=connect-four&engine=random")
    page.get_by_text("Clock, seed, start").click()
    page.get_by_label("Minutes each").fill("0.02")
    # not with the mouse: it can miss the button while the form unfolds
    page.locator("[data-start]").press("Enter")
    page.wait_for_url("**/play/*key=*")
    expect(page.locator(".lab-status")).to_contain_text("Player 1 ran out of time. The game is over. random won")


def test_a_game_is_played_with_the_keyboard_alone(page: Page, server: Server) -> None:
    begin(page, server.address, "breakthrough")
    page.locator("[data-cell][tabindex='0']").focus()
    chosen = page.evaluate("document.activeElement.dataset.cell")
    page.keyboard.press("Enter")
    expect(page.locator(f".kb-cell[data-cell={chosen}]")).to_have_attribute("aria-label", re.compile("selected"))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator(".lab-list-of-moves li").first).to_contain_text(f"{chosen}-")


def test_capture_choices_are_offered_by_their_texts(page: Page, server: Server) -> None:
    # From here d3-c3 may be an approach or a withdrawal.
    game = kb.game("fanorona")
    position, choice = _shared_way(game)
    page.goto(f"{server.address}/play?game=fanorona&engine=random")
    page.get_by_label("Start from a position").fill(str(position))
    page.locator("[data-start]").click()
    page.wait_for_url("**/play/*key=*")
    wait(page)
    for cell in choice[0]:
        page.locator(f"[data-cell={cell}]").click()
    expect(page.locator(".lab-status")).to_have_text("Choose one of the moves.")
    page.locator(f"[data-move={quoted(choice[1][0])}]").click()
    expect(page.locator(".lab-list-of-moves li").first).to_contain_text(choice[1][0])


def _shared_way(game: kb.Game) -> tuple[kb.Position, tuple[list[str], list[str]]]:
    """A position in which two moves of the first player are clicked in the same way."""
    dice = random.Random(1)
    while True:
        position = game.start()
        for _ in range(30):
            if position.over:
                break
            ways: dict[tuple[str, ...], list[str]] = {}
            for move, all_ways in position.paths():
                for way in all_ways:
                    ways.setdefault(tuple(way), []).append(move)
            shared = [(list(way), texts) for way, texts in ways.items() if len(texts) > 1]
            if position.turn == 0 and shared:
                return position, shared[0]
            position = position.play(dice.choice(position.moves))


def test_a_game_in_python_is_played_with_buttons(page: Page, new_server: Callable[..., Server]) -> None:
    server = new_server(f"{EXAMPLES / 'nim.py'}:Nim")
    page.goto(f"{server.address}/play?game=nim.py:Nim&engine=random")
    page.locator("[data-start]").click()
    page.wait_for_url("**/play/*key=*")
    found, dice = wait(page), random.Random(1)
    while "game is over" not in found["status"]:
        assert found["moves"]
        found = click(page, dice, found)


def test_the_first_paint_and_a_click_are_fast(page: Page, server: Server) -> None:
    """Bounds with room for a busy machine; `make bench-web` measures."""
    page.goto(f"{server.address}/play")
    page.wait_for_load_state("load")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert paint < 2000
    begin(page, server.address, "connect-four", people=2)
    seconds = []
    for number in range(10):
        seconds.append(_click_to_update(page, number % 7))
    assert statistics.median(seconds) < 0.5


def _click_to_update(page: Page, column: int) -> float:
    milliseconds: float = page.evaluate(
        """(column) => new Promise((done) => {
            const list = document.querySelector('.lab-list-of-moves');
            const before = list.innerText, began = performance.now();
            new MutationObserver((_, observer) => {
                if (list.innerText !== before) { observer.disconnect(); done(performance.now() - began); }
            }).observe(list, {childList: true, subtree: true, characterData: true});
            document.querySelectorAll('.lab-board .kb-on')[column]
                .dispatchEvent(new MouseEvent('click', {bubbles: true}));
        })""",
        column,
    )
    return milliseconds / 1000
