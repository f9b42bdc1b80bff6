"""A person at a board: begins games, clicks on cells and buttons, and reads what the page says."""

from __future__ import annotations

import random
import re
from pathlib import Path
from urllib.parse import urlencode

import kibitz as kb
from kibitz.game_record import parse_game_text
from playwright.sync_api import Page

_TARGETS = """() => {
    const shown = [];
    const onwards = document.querySelectorAll('.lab-board .kb-on[aria-label*="can be clicked"]');
    for (const cell of onwards.length ? onwards : document.querySelectorAll('.lab-board .kb-on')) {
        const box = cell.getBoundingClientRect();
        shown.push([cell.dataset.cell, box.x + box.width / 2, box.y + box.height / 2]);
    }
    const moves = [...document.querySelectorAll('.lab-moves [data-move]')].map((each) => each.dataset.move);
    return {cells: shown, moves: moves, page: window.labPage(), status: window.labStatus()};
}"""

_READING = """
window.labStatus = () => document.querySelector('.lab-status')?.innerText ?? '';
window.labPage = () => (document.querySelector('.lab-board')?.innerHTML ?? '')
    + (document.querySelector('.lab-moves')?.innerHTML ?? '') + window.labStatus();
window.labReady = (before) => {
    const page = window.labPage();
    if (page === before || page === '') return false;
    return /your move|choose one|game is over|is next|is to move|cannot move/i.test(window.labStatus());
};
"""


def begin(page: Page, address: str, game: str, *, engine: str = "random", people: int = 1) -> str:
    """Begins a game on the page Play, with people in the first seats; returns the address of the table."""
    page.goto(f"{address}/play?{urlencode({'game': game, 'engine': engine})}")
    for seat in range(kb.game(game).players):
        if (seat < people) != (seat == 0):
            page.locator(f"[data-seat='{seat}']").get_by_text("Person" if seat < people else "Engine").click()
    page.locator("[data-start]").click()
    page.wait_for_url("**/play/*key=*")
    wait(page)
    return page.url


def wait(page: Page, before: str = "") -> None:
    """Waits until the page is another and it is a person's turn again, or the game is over."""
    page.evaluate(_READING)
    page.wait_for_function("(before) => window.labReady(before)", arg=before)


def status(page: Page) -> str:
    """What the page says about the game."""
    return page.locator(".lab-status").inner_text()


def is_over(page: Page) -> bool:
    """Whether the page says so."""
    return "game is over" in status(page)


def click(page: Page, dice: random.Random) -> bool:
    """One random legal click, with the mouse; false when there is nothing to click on."""
    found = page.evaluate(_TARGETS)
    choices = [("move", move) for move in found["moves"]] + [("cell", cell) for cell in found["cells"]]
    if not choices:
        return False
    kind, target = dice.choice(choices)
    if kind == "move":
        page.locator(f".lab-moves [data-move={quoted(target)}]").first.click()
    else:
        page.mouse.click(target[1], target[2])
    wait(page, found["page"])
    return True


def quoted(text: str) -> str:
    """A text inside of a CSS selector."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def moves(page: Page) -> list[str]:
    """The moves on the list."""
    return page.locator(".lab-list-of-moves li b").all_inner_texts()


def text_of_game(page: Page) -> str:
    """The text that the page offers for sharing."""
    page.get_by_role("button", name="Share").click()
    text = page.locator("textarea[data-text]").input_value()
    page.get_by_role("button", name="Close").click()
    page.locator("textarea[data-text]").wait_for(state="detached")
    return text


def replayed(text: str) -> kb.Position:
    """The last position of a game's text."""
    record = parse_game_text(text)
    game = kb.game(record.game)
    position = game.start() if record.start is None else game.position(record.start)
    for move in record.moves:
        position = position.play(move.move)
    return position


def stored(data: Path, url: str) -> kb.Position:
    """The position of a game as the server has written it down."""
    import json

    name = re.search(r"/play/([0-9a-f]+)", url)
    assert name is not None
    saved = json.loads((data / "games" / f"{name[1]}.json").read_text())
    game = kb.game(saved["game"])
    position = game.start() if saved["start"] is None else game.position(saved["start"])
    for row in saved["moves"]:
        position = position.play(row[1])
    return position
