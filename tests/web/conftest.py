"""A server of the lab as its own process, and Debian's Chromium."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

# other tests run at the same time, and five seconds are few on a busy machine
expect.set_options(timeout=15_000)

_COMMAND = "import kibitz.cli; kibitz.cli.main()"
_STILL = """document.addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style');
    style.textContent = '* { transition-duration: 0s !important; animation-duration: 0s !important; }';
    document.head.append(style);
})"""
"""Switches the animations of a page off."""


class Server:
    """`kibitz serve` on a free port of the loopback."""

    def __init__(self, data: Path, *more: str, port: int | None = None) -> None:
        self.data = data
        self.port = port or _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = data / "server.log"
        data.mkdir(parents=True, exist_ok=True)
        given = ["serve", "--no-show", "--port", str(self.port), "--data", str(data), *more]
        # NiceGUI does not start a server when it finds itself in a test.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _COMMAND, *given], stdout=log, stderr=log, env=environment
            )
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                pytest.fail(f"the server ended: {self.log.read_text()[-2000:]}")
            try:
                urllib.request.urlopen(self.address, timeout=5).close()
                return
            except urllib.error.HTTPError:
                return  # it answers, and wants a token
            except OSError:
                time.sleep(0.1)
        pytest.fail(f"the server does not answer: {self.log.read_text()[-2000:]}")

    def memory_mb(self) -> float:
        """What the server itself has in memory."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return float(next(line.split()[1] for line in text.splitlines() if line.startswith("VmRSS"))) / 1024

    def kill(self) -> None:
        """As if the machine had lost its power."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def tell(self) -> None:
        """What the server wrote last: pytest shows it where a test fails."""
        print(f"the log of {self.address}: {self.log.read_text()[-2000:] or 'empty'}")

    def end(self) -> None:
        """As with Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


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


def chromium() -> str:
    """Debian's Chromium, installed where that is possible. Playwright's own download is never used."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]):
            subprocess.run(command, check=False, capture_output=True, timeout=600)
        found = shutil.which("chromium")
    if found is None:
        pytest.fail("the tests of the web lab need a browser: apt-get install chromium")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Browsers that know nothing of each other: each is another visitor."""
    made: list[BrowserContext] = []

    def make(**options: object) -> BrowserContext:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})  # type: ignore[arg-type]
        context.set_default_timeout(15_000)
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
