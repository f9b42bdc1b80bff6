"""Worker processes as the server sees them: started afresh (never forked), JSON in, JSON out, one job after another."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import kibitz as kb

__all__ = ["STOP_SECONDS", "Worker"]

STOP_SECONDS = 2.0
"""How long a job may take to end when it is asked to, before its process is killed."""
_START_SECONDS = 60.0
_LONGEST_LINE = 64 << 20


class Worker:
    """A process, and the pipes through which it is asked and answers.

    `session` is the player of a game whose last search it may go on with.
    """

    def __init__(
        self, process: asyncio.subprocess.Process, asked: asyncio.StreamWriter, answers: asyncio.StreamReader
    ) -> None:
        self._process = process
        self._asked = asked
        self._answers = answers
        self.session: str | None = None

    @classmethod
    async def start(cls, games: Sequence[str]) -> Worker:
        """Starts a process that offers these games in Python, and waits until it is ready."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "kibitz.web.work.process",
            *games,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
            # Ctrl-C is for the server, which ends its workers itself. Fewer arenas: threads cost less of the cap.
            start_new_session=True,
            env={**os.environ, "MALLOC_ARENA_MAX": "2"},
        )
        if process.stdin is None or process.stdout is None:
            raise kb.Error("a worker has no pipes")
        worker = cls(process, process.stdin, process.stdout)
        try:
            await asyncio.wait_for(worker.read(), _START_SECONDS)
        except BaseException:
            worker.kill()
            raise
        return worker

    async def read(self) -> dict[str, Any] | None:
        """The next message, or `None` when the process has ended."""
        line = await self._answers.readline()
        if not line.endswith(b"\n"):
            return None
        message: dict[str, Any] = json.loads(line)
        return message

    async def write(self, message: Mapping[str, Any]) -> None:
        """Asks for something."""
        self._asked.write(json.dumps(message).encode() + b"\n")
        await self._asked.drain()

    async def stop(self, number: int) -> None:
        """Asks a job to end."""
        with contextlib.suppress(ConnectionError):
            await self.write({"stop": number})

    def kill(self) -> None:
        """Ends the process at once."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def close(self) -> None:
        """Ends the process."""
        self._asked.close()
        try:
            await asyncio.wait_for(self._process.wait(), STOP_SECONDS)
        except asyncio.TimeoutError:
            self.kill()
            await self._process.wait()
        # What is left in the pipe; only then its transport is closed.
        with contextlib.suppress(asyncio.TimeoutError, ValueError):
            await asyncio.wait_for(self._answers.read(), STOP_SECONDS)
