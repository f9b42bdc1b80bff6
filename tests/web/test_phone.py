"""Every page in a real browser: none has to be scrolled sideways on a phone, and none asks another machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kibitz.web.pages
import pytest
from conftest import Server
from kibitz.experiments import experiments
from kibitz.web.databases import FOLDER, SUFFIX, database_name
from kibitz.web.inputs import read_game
from kibitz.web.storage import DataDirectory, new_id
from kibitz.web.work import database, match
from person import sit_down
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.xdist_group("web")

CAPS = {"threads": 1, "memory_mb": 256, "seconds": 60}
WIDTH = 390


def routes() -> set[str]:
    """The addresses of all pages, as the code of the lab has them."""
    folder = Path(kibitz.web.pages.__file__).parent
    found = (re.findall(r'@ui\.page\("([^"]+)"', path.read_text(encoding="utf-8")) for path in folder.glob("*.py"))
    return {address for addresses in found for address in addresses}


def run_of(server: Server, kind: str) -> str:
    """A match or a tournament that has been played; its name."""
    data, name = DataDirectory(server.data), new_id()
    plan: dict[str, Any] = {
        "kind": kind,
        "game": "tic-tac-toe",
        "players": {"Mississippi" * 3: "random:seed=1", "W" * 40: "alphabeta:depth=2", "C": "random"},
        "games": 2,
        "openings": 0,
        "seed": 1,
        "max_plies": 100,
        "sprt": None,
        "challengers": [],
    }
    if kind == "match":
        del plan["players"]["C"]
    path = str(data.file("arena", name, ".sqlite"))
    table = match.run({"plan": plan, "path": path, "caps": CAPS}, lambda event: None)
    data.write("arena", name, {**plan, "table": table, "course": {"C": [[1, 0.5], [2, 0.7]]}})
    return name


def build(server: Server) -> None:
    """A database for the page Solve."""
    rules = read_game("fanorona:rows=3,cols=3")
    path = DataDirectory(server.data).file(FOLDER, database_name(rules, 4, "win"), SUFFIX)  # type: ignore[arg-type]
    given = {"game": "fanorona:rows=3,cols=3", "pieces": 4, "distances": "win", "path": str(path), "caps": CAPS}
    database.run(given, lambda event: None)


def fits(page: Page, address: str) -> None:
    expect(page.locator(".lab-main h1").first).to_be_visible()
    # everything that can be unfolded is
    page.evaluate("document.querySelectorAll('.q-expansion-item--collapsed .q-item').forEach((each) => each.click())")
    page.wait_for_timeout(150)
    wide = page.evaluate(
        """(width) => [...document.querySelectorAll('.lab-main *, .q-dialog *')]
            .filter((each) => each.getBoundingClientRect().right > width + 1 && each.checkVisibility())
            .filter((each) => !each.closest('.think-picture'))  // a large tree has a scroll bar of its own
            .slice(0, 3).map((each) => each.outerHTML.slice(0, 120))""",
        WIDTH,
    )
    assert not wide, f"{address}: {wide}"
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH, address


def test_no_page_is_wider_than_a_phone_or_needs_the_network(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    build(server)
    page = new_context(viewport={"width": WIDTH, "height": 844}, color_scheme="dark").new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    experiment = max(experiments(), key=lambda each: len(each.id)).id
    addresses = {
        "/": ["/"],
        "/play": ["/play", "/play?game=chinese-checkers&engine=uct:simulations=500,reuse=true,c=0.7,fpu=1"],
        "/analyse": ["/analyse?game=epaminondas", "/analyse?game=hearts"],
        "/think": ["/think?lesson=first", "/think?lesson=uct"],
        "/arena": ["/arena"],
        "/arena/{name}": [f"/arena/{run_of(server, kind)}" for kind in ("match", "round-robin")] + ["/arena/none"],
        "/reproductions": ["/reproductions"],
        "/reproductions/{name}": [f"/reproductions/{experiment}"],
        "/solve": ["/solve"],
    }
    assert {*addresses, "/play/{name}"} == routes()
    for each in (address for group in addresses.values() for address in group):
        page.goto(server.address + each)
        fits(page, each)
        if page.locator("[data-game]").count():
            page.locator("[data-game]").first.click()
            fits(page, f"a game of {each}")
    for game in ("epaminondas", "spades"):
        fits(page, sit_down(page, server.address, server.data, game))
    page.get_by_role("button", name="Share").click()
    fits(page, "the dialog Share")
    assert asked
    assert not [url for url in asked if not url.startswith((server.address, "data:", "blob:"))]
