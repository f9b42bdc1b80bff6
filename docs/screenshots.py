"""The pictures of the web lab in README and docs, made from the real application: `make screenshots`.

It starts a server with an empty data directory, does on every page what a visitor would do, and writes
`docs/images/lab-*.png`. Chromium is Debian's, never Playwright's own download.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "web"))
from lab_server import Server, launching

IMAGES = Path(__file__).parent / "images"
WIDE, TALL, NARROW = ({"width": width, "height": height} for width, height in ((1280, 860), (1280, 1280), (390, 844)))


def play(page: Page) -> None:
    """A game of Othello against an engine, some moves old."""
    page.goto("/play?game=othello&engine=alphabeta:depth=4")
    page.locator("[data-start]").click()
    page.wait_for_url("**/play/*key=*")
    for _ in range(4):
        expect(page.locator(".lab-status")).to_contain_text("our move", timeout=30_000)
        page.locator(".lab-board .kb-on").first.click()
    expect(page.locator(".lab-status")).to_contain_text("our move", timeout=30_000)


def analyse(page: Page) -> None:
    """Two searches of a position of Connect Four."""
    page.goto("/analyse?game=connect-four&position=......./......./......./..OX.../..XO.../.OXXO.. X")
    page.get_by_label("Seconds, where no limit is set").fill("3")
    page.get_by_label("Seconds, where no limit is set").press("Tab")
    page.locator("[data-act=start]").click()
    for line in (0, 1):
        expect(page.locator(f"[data-line='{line}']")).to_contain_text("done in", timeout=30_000)


def think(page: Page) -> None:
    """The first cut of the first lesson."""
    page.goto("/think?lesson=first")
    expect(page.locator("svg.lesson")).to_be_visible()
    page.locator("[data-act=cut]").click()
    expect(page.locator(".think-sentence")).to_contain_text("Cut.")


def arena(page: Page) -> None:
    """A match that has ended."""
    page.goto("/arena?game=connect-four")
    page.locator("[data-part=new] .q-item").first.click()
    page.locator("[data-field=games]").fill("60")
    page.locator("[data-act=begin]").click()
    page.wait_for_url("**/arena/*")
    expect(page.locator("[data-figure=state]")).to_contain_text("done in", timeout=120_000)


def reproductions(page: Page) -> None:
    """A table that was measured at the scale quick."""
    page.goto("/reproductions/rutko-table-5")
    page.locator("[data-act=measure]").click()
    expect(page.locator("[data-figure=tally]")).to_contain_text("Quick", timeout=120_000)


def solve(page: Page) -> None:
    """A proof and a database."""
    page.goto("/solve?game=connect-four:rows=4,cols=4&position=")
    page.locator("[data-act=build]").click()
    expect(page.locator("[data-figure=building]")).to_contain_text("positions", timeout=60_000)
    page.locator("[data-act=solve]").click()
    expect(page.locator("[data-figure=value]")).not_to_be_empty(timeout=120_000)


PAGES: dict[str, Callable[[Page], None]] = {
    "play": play,
    "analyse": analyse,
    "think": think,
    "arena": arena,
    "reproductions": reproductions,
    "solve": solve,
}


def main() -> None:
    """Makes all pictures, or those that are named."""
    chosen = sys.argv[1:] or list(PAGES)
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        try:
            _take(server.address, chosen)
        finally:
            server.end()


def _take(address: str, chosen: list[str]) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launching())
        for name in chosen:
            looks = [("", TALL if name == "solve" else WIDE, "light")]
            # the teaching view is shown as a phone and at night, too
            looks += [("-phone", NARROW, "dark")] if name == "think" else []
            for suffix, size, scheme in looks:
                context = browser.new_context(base_url=address, viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
                page = context.new_page()
                page.set_default_timeout(30_000)
                PAGES[name](page)
                page.wait_for_timeout(600)
                path = IMAGES / f"lab-{name}{suffix}.png"
                page.screenshot(path=path)
                print(path)
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
