"""A server of the lab as its own process, and Debian's Chromium: for the tests, the load test and the pictures."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

__all__ = ["Server", "launching"]

_COMMAND = "import kibitz.cli; kibitz.cli.main()"


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
        deadline = time.monotonic() + 300  # a slow machine takes a minute
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended: {self.log.read_text()[-2000:]}")
            try:
                urllib.request.urlopen(self.address, timeout=5).close()
                return
            except urllib.error.HTTPError:
                return  # it answers, and wants a token
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"the server does not answer: {self.log.read_text()[-2000:]}")

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


def _chromium() -> str:
    """Debian's Chromium, installed where that is possible. Playwright's own download is never used."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]):
            subprocess.run(command, check=False, capture_output=True, timeout=600)
        found = shutil.which("chromium")
    if found is None:
        raise RuntimeError("the web lab is tested and measured in a browser: apt-get install chromium")
    return found


def launching() -> dict[str, Any]:
    """How Playwright launches the browser: `playwright.chromium.launch(**launching())`."""
    return {"executable_path": _chromium(), "args": ["--no-sandbox"]}
