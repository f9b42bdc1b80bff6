"""A person at a board: begins games, clicks on cells and buttons, and reads what the page says."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import kibitz as kb
from kibitz.game_record import parse_game_text
from kibitz.web.games import PlayedGame, Seat
from kibitz.web.storage import DataDirectory, new_id
from machine import milliseconds
from playwright.sync_api import Page

_SCRIPT = """(before) => new Promise((done, fail) => {
    const status = () => document.querySelector('.lab-status')?.innerText ?? '';
    const buttons = () =>
        [...document.querySelectorAll('.lab-moves [data-move]')].map((each) => each.dataset.move);
    // without what changes under the mouse and the keyboard alone
    const page = () => (document.querySelector('.lab-board')?.innerHTML ?? '').replace(/ tabindex="-?\\d"/g, '')
        + buttons().join() + document.querySelectorAll('.lab-list-of-moves li').length + status();
    const turn = /your move|choose one|game is over|is next|player . is to move|cannot move/i;
    const targets = () => {
        const onwards = document.querySelectorAll('.lab-board .kb-on[aria-label*="can be clicked"]');
        const all = onwards.length ? onwards : document.querySelectorAll('.lab-board .kb-on');
        const cells = [...all].map((cell) => {
            const box = cell.getBoundingClientRect();
            return [cell.dataset.cell, box.x + box.width / 2, box.y + box.height / 2];
        });
        return {cells: cells, moves: buttons(), page: page(), status: status()};
    };
    const said = () => status() || document.body.innerText.slice(0, 500) || 'nothing';
    const late = setTimeout(() => fail(new Error(`${location.href} says: ${said()}`)), PATIENCE);
    const look = () => {
        if (page() !== before && turn.test(status())) {
            clearTimeout(late);
            observer.disconnect();
            done(targets());
            return true;
        }
        return false;
    };
    const observer = new MutationObserver(look);
    if (!look()) observer.observe(document.documentElement, {childList: true, subtree: true, characterData: true});
})""".replace("PATIENCE", str(milliseconds(15_000)))


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


def sit_down(page: Page, address: str, data: Path, game: str, *, engine: str = "random") -> str:
    """Opens a game that lies in the data directory already: the first seat against engines."""
    rules = kb.game(game)
    seats = [Seat("Player 1"), *(Seat(f"{engine} {number}", engine) for number in range(1, rules.players))]
    found = PlayedGame(game, seats, seed=1)
    name = new_id()
    DataDirectory(data).write("games", name, found.as_dict())
    page.goto(f"{address}/play/{name}?key={found.host_key}")
    return page.url


def wait(page: Page, before: str = "") -> dict[str, Any]:
    """Waits until the page is another and it is a person's turn, or the game is over; says what can be clicked."""
    if not before:
        # a page that is about to be left, or one that is only being loaded, would take the script with it
        page.locator(".lab-status").wait_for(state="attached")
    return dict(page.evaluate(_SCRIPT, before))


def status(page: Page) -> str:
    """What the page says about the game."""
    return page.locator(".lab-status").inner_text()


def click(page: Page, dice: random.Random, found: dict[str, Any] | None = None) -> dict[str, Any]:
    """One random legal click, with the mouse, on what was found; says what can be clicked next."""
    found = found or wait(page)
    choices = [("move", move) for move in found["moves"]] + [("cell", cell) for cell in found["cells"]]
    assert choices, f"nothing to click on: {found['status']}"
    kind, target = dice.choice(choices)
    if kind == "move":
        page.locator(f".lab-moves [data-move={quoted(target)}]").first.click()
    else:
        page.mouse.click(target[1], target[2])
    return wait(page, found["page"])


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
