"""Hostile input: a clear message, the server goes on, and its memory stays bounded."""

from __future__ import annotations

import random
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path

import kibitz as kb
import pytest
from conftest import Server
from machine import milliseconds
from person import begin, click, moves
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.xdist_group("web")

_MB = 1 << 20


def answers(server: Server, path: str) -> tuple[int, str]:
    """The status and the text of an address, taken as it is."""
    request = urllib.request.Request(server.address + path)
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, response.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode("utf-8", "replace")


@pytest.mark.parametrize(
    "path",
    [
        "/play/../../../../etc/passwd",
        "/play/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/play/%2e%2e%2fsecret",
        "/play/%00",
        "/play/" + "a" * 5000,
        "/play/deadbeefdeadbeef?key=" + "x" * 5000,
        "/play?game=../../etc/passwd",
        "/play?game=nim.py:Nim&engine=alphabeta:database=/etc/passwd",
        "/_nicegui/../../../../etc/passwd",
        "/secret",
        "/games",
    ],
)
def test_no_address_is_a_path_of_the_host(server: Server, path: str) -> None:
    status, text = answers(server, path)
    assert status < 500
    assert "root:" not in text
    assert "Traceback" not in text
    assert (server.data / "secret").read_text() not in text


def test_a_malformed_position_is_explained(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/play?game=breakthrough")
    for text in ("nonsense", "\u0000\u202e", "<script>alert(1)</script>", "8/8/8/8/8/8/8/8 w" * 50):
        page.get_by_label("Start from a position").fill(text)
        page.locator("[data-start]").click()
        message = page.locator(".q-notification").first
        expect(message).to_contain_text("bad position")
        assert "Traceback" not in message.inner_text()
        message.get_by_role("button", name="Close").click()
        expect(page.locator(".q-notification")).to_have_count(0)
    assert "/play?" in page.url


def test_a_malformed_game_text_is_explained(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/play")
    page.get_by_text("Open a game from its text").click()
    page.get_by_label("Text of the game").fill("1. e4 e5")
    page.locator("[data-read]").click()
    expect(page.locator(".q-notification").first).to_contain_text("not a game record")


def test_a_parameter_out_of_range_is_explained_in_the_form(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/play?game=breakthrough")
    page.get_by_text("Parameters", exact=True).click()
    page.get_by_label("rows").fill("999")
    expect(page.locator(".lab-error").first).to_contain_text("rows")
    page.locator("[data-start]").click()
    expect(page.locator(".q-notification").first).to_contain_text("rows")


def test_a_paste_of_ten_megabytes_is_refused(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/play?game=breakthrough")
    area = page.get_by_label("Start from a position")
    area.wait_for()
    before = server.memory_mb()
    area.evaluate("""(area) => {
        const data = new DataTransfer();
        data.setData('text/plain', 'x'.repeat(10 << 20));
        area.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
    }""")
    expect(page.locator(".q-notification")).to_contain_text("too long; nothing was pasted")
    assert area.input_value() == ""
    # The same past the page's own check, in a field that the browser need not draw.
    area.evaluate("""(area) => {
        area.style.display = 'none';
        area.removeAttribute('maxlength');
        area.value = 'x'.repeat(10 << 20);
        area.dispatchEvent(new Event('input', {bubbles: true}));
    }""")
    expect(page.locator("#too_long_message_popup")).to_be_visible(timeout=milliseconds(15_000))
    assert server.memory_mb() - before < 150
    assert answers(server, "/play")[0] == 200


def test_two_hundred_jobs_of_one_visitor(
    new_context: Callable[..., BrowserContext], page: Page, new_server: Callable[..., Server]
) -> None:
    server = new_server()
    begin(page, server.address, "breakthrough", engine="uct:seconds=5")
    before = server.memory_mb()
    page.evaluate("""() => {
        const hint = [...document.querySelectorAll('button')].find((each) => each.innerText.includes('Hint'));
        for (let number = 0; number < 200; number += 1) hint.click();
    }""")
    expect(page.locator(".q-notification").first).to_contain_text(
        "of your jobs are waiting already; at most 20 may", timeout=milliseconds(60_000)
    )
    assert server.memory_mb() - before < 200
    other = new_context().new_page()
    begin(other, server.address, "connect-four")
    click(other, random.Random(1))
    assert len(moves(other)) == 2


def test_names_are_text_and_not_markup(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/play?game=connect-four&engine=random")
    page.get_by_label("Player 1", exact=True).fill("<img src=x onerror=window.broken=1>")
    page.locator("[data-start]").click()
    page.wait_for_url("**/play/*key=*")
    page.locator("[data-cell]").first.click()
    expect(page.locator(".lab-list-of-moves li")).to_have_count(2)
    assert page.evaluate("window.broken") is None
    assert page.locator(".lab-main img").count() == 0


def test_a_lab_with_a_token_asks_for_it(new_server: Callable[..., Server], page: Page) -> None:
    server = new_server("--token", "open-sesame")
    assert answers(server, "/play")[0] == 401
    page.goto(f"{server.address}/play")
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_label("Token")).to_be_visible()
    page.get_by_label("Token").fill("open-sesame")
    page.get_by_role("button", name="Enter").click()
    page.goto(f"{server.address}/play")
    expect(page.locator("[data-start]")).to_be_visible()
    assert "open-sesame" not in page.url


def test_other_machines_need_a_token(tmp_path: Path) -> None:
    from kibitz.web.app import serve

    with pytest.raises(kb.BadParameter, match="protect the lab with --token"):
        serve(host="0.0.0.0", data=tmp_path)
