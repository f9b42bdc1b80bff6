"""Servers, browsers and visitors for the tests of the lab."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lab_server import Server, launching
from machine import milliseconds
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

# other tests run at the same time, and five seconds are few on a busy machine
PATIENCE = milliseconds(30_000)
expect.set_options(timeout=PATIENCE)

_STILL = """document.addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style');
    style.textContent = '* { transition-duration: 0s !important; animation-duration: 0s !important; }';
    document.head.append(style);
})"""
"""Switches the animations of a page off."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that most tests share."""
    found = Server(tmp_path_factory.mktemp("lab"))
    yield found
    found.end()


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Servers for one test, with a data directory of their own."""
    made: list[Server] = []

    def make(*more: str, port: int | None = None) -> Server:
        made.append(Server(tmp_path / "lab", *more, port=port))
        return made[-1]

    yield make
    for each in made:
        each.tell()
        with contextlib.suppress(ProcessLookupError):
            each.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(**launching())
        yield made
        made.close()


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Browsers that know nothing of each other: each is another visitor."""
    made: list[BrowserContext] = []

    def make(**options: object) -> BrowserContext:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        # what moves while it is clicked is missed now and then on a busy machine
        context.add_init_script(_STILL)
        made.append(context)
        return context

    yield make
    for each in made:
        each.close()


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Iterator[Page]:
    """A page of a new visitor; an error in a script of the page fails the test."""
    errors: list[str] = []
    made = new_context().new_page()
    # at the end: what is raised while Playwright tells of an event ends Playwright, and nobody learns why
    made.on("pageerror", lambda error: errors.append(f"{error.message}\n{error.stack}"))
    yield made
    assert not errors, f"scripts of the page failed: {errors}"
