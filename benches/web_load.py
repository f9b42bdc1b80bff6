"""The web lab under load: 50 visitors who only look and 10 who play, on the loopback, for five minutes.

    python benches/web_load.py --seconds 300 --idle 50 --playing 10

Prints the first paint, the time from a click to the new board, errors, and the memory of the server. Every visitor is
a page of a real browser (Debian's `chromium`) with cookies of its own; browser and server share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "web"))
from lab_server import Server, launching

GAMES = ("breakthrough", "othello", "connect-four", "fanorona", "chinese-checkers", "backgammon", "hearts", "dao")
CLICK = """(number) => new Promise((done) => {
    const targets = document.querySelectorAll('.lab-board .kb-on, .lab-moves [data-move]');
    if (!targets.length) { done(null); return; }
    const began = performance.now();
    const late = setTimeout(() => { observer.disconnect(); done(null); }, 5000);
    const observer = new MutationObserver(() => {
        clearTimeout(late);
        observer.disconnect();
        done(performance.now() - began);
    });
    // not the buttons, which show a click by themselves
    for (const place of document.querySelectorAll('.lab-board, .lab-list-of-moves'))
        observer.observe(place, {childList: true, subtree: true, characterData: true});
    targets[number % targets.length].dispatchEvent(new MouseEvent('click', {bubbles: true}));
})"""


async def visit(browser: Browser, address: str, errors: list[str]) -> Page:
    context = await browser.new_context(viewport={"width": 1000, "height": 800})
    page = await context.new_page()
    page.on("pageerror", lambda error: errors.append(f"script: {error}"))
    page.on("response", lambda answer: errors.append(answer.url) if answer.status >= 500 else None)
    await page.goto(address, timeout=120_000)
    return page


async def first_paint(page: Page) -> float:
    """Milliseconds until something was painted."""
    return float(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"))


async def play(page: Page, game: str, seed: int, until: float, errors: list[str]) -> list[float]:
    """Clicks about once a second; whoever comes to the end begins again."""
    dice = random.Random(seed)
    milliseconds: list[float] = []
    address = page.url.partition("/play")[0]
    while time.monotonic() < until:
        await page.goto(f"{address}/play?game={game}&engine=uct:seconds=0.2", timeout=60_000)
        await page.locator("[data-start]").click(timeout=60_000)
        await page.wait_for_url("**/play/*key=*", timeout=60_000)
        while time.monotonic() < until:
            await asyncio.sleep(0.5 + dice.random())
            status = await page.locator(".lab-status").inner_text(timeout=60_000)
            if "game is over" in status:
                break
            if "cannot move" in status:
                errors.append(status)
            if "move" not in status and "Choose" not in status:
                continue  # the engine's turn
            took = await page.evaluate(CLICK, dice.randrange(1000))
            if took is not None:
                milliseconds.append(took)
    return milliseconds


async def measure(address: str, idle: int, playing: int, seconds: float) -> dict[str, Any]:
    errors: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**launching())
        alone = await visit(browser, f"{address}/play", errors)
        paint_alone = await first_paint(alone)
        quiet = await play(alone, "breakthrough", 1, time.monotonic() + min(15, seconds), errors)
        await alone.context.close()
        print(f"alone: first paint {paint_alone:.0f} ms, click to update {statistics.median(quiet):.0f} ms", flush=True)
        pages = [await visit(browser, f"{address}/{'play' if number % 2 else ''}", errors) for number in range(idle)]
        players = [await visit(browser, f"{address}/play", errors) for _ in range(playing)]
        paints = [await first_paint(page) for page in [*pages, *players]]
        print(f"{len(paints)} visitors are there; {seconds:g} seconds of playing", flush=True)
        until = time.monotonic() + seconds
        games = [GAMES[number % len(GAMES)] for number in range(playing)]
        played = await asyncio.gather(
            *(
                play(page, game, seed, until, errors)
                for seed, (page, game) in enumerate(zip(players, games, strict=True))
            )
        )
        for page in pages:
            if await page.locator(".lab-main").count() != 1:
                errors.append("an idle page has lost its content")
        await browser.close()
    clicks = sorted(each for one in played for each in one)
    return {
        "first paint alone, ms": round(paint_alone),
        "click to update alone, median ms": round(statistics.median(quiet)),
        "first paint of all visitors, median ms": round(statistics.median(paints)),
        "clicks": len(clicks),
        "click to update under load, median ms": round(statistics.median(clicks)),
        "click to update under load, 95% ms": round(clicks[int(len(clicks) * 0.95)]),
        "errors": errors[:20],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--idle", type=int, default=50)
    parser.add_argument("--playing", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        try:
            before = server.memory_mb()
            found = asyncio.run(measure(server.address, given.idle, given.playing, given.seconds))
            found["server, MB at first"] = round(before)
            found["server, MB at the end"] = round(server.memory_mb())
            found["lines with errors in the server's log"] = len(re.findall("Traceback|ERROR", server.log.read_text()))
            print(json.dumps(found, indent=2))
            sys.exit(1 if found["errors"] or found["lines with errors in the server's log"] else 0)
        finally:
            server.end()


if __name__ == "__main__":
    main()
