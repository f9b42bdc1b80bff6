"""What a visitor works on. It belongs to the server, so that a reload of the page loses nothing of it."""

from __future__ import annotations

import collections
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

from nicegui import background_tasks, ui

import kibitz as kb
from kibitz.web.jobs import Caps, Job
from kibitz.web.lab import Lab, visitor
from kibitz.web.layout import explain

__all__ = ["Desk", "Task", "toggle", "watch"]

T = TypeVar("T")

_VISITORS = 200
"""So many visitors are remembered; the one who has not come for the longest time is forgotten."""


class Desk(Generic[T]):
    """One thing for each visitor, made when it is first asked for."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._things: collections.OrderedDict[str, T] = collections.OrderedDict()

    def mine(self) -> T:
        """The thing of the visitor whose page this is."""
        name = visitor()
        if name not in self._things:
            self._things[name] = self._make()
        self._things.move_to_end(name)
        while len(self._things) > _VISITORS:
            self._things.popitem(last=False)
        return self._things[name]


class Task:
    """One job after another, with what the present one has told; `version` changes whenever there is news."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.error = ""
        self.version = 0

    @property
    def running(self) -> bool:
        """Whether more may come."""
        return self.job is not None and not self.job.over

    @property
    def status(self) -> str:
        """How far the job is, in words; nothing before the first one."""
        job = self.job
        if job is None or self.error:
            return ""
        if job.state == "queued":
            return f"waiting, with {job.ahead} of your jobs before it" if job.ahead else "waiting for a free worker"
        words = {"running": "running for", "done": "done in", "stopped": "stopped after", "failed": "ended after"}
        return f"{words[job.state]} {job.seconds:.1f} s"

    async def start(
        self, lab: Lab, kind: str, payload: dict[str, Any], caps: Caps, heard: Callable[[dict[str, Any]], None]
    ) -> None:
        """Begins a job and ends the one before; `heard` is told every event but errors."""
        await self.stop()
        # what the one before has still to say is not heard any more
        self.job, self.error = None, ""
        self.job = await lab.jobs.submit(visitor(), kind, payload, caps)
        self.version += 1
        background_tasks.create(self._listen(self.job, heard), name=f"job {self.job.number}")

    async def stop(self) -> None:
        """Ends the job, if one is running."""
        if self.job is not None and not self.job.over:
            await self.job.stop()
            self.version += 1

    async def _listen(self, job: Job, heard: Callable[[dict[str, Any]], None]) -> None:
        async for event in job.events():
            if self.job is not job:
                return
            if event["type"] == "error":
                self.error = event["message"]
            else:
                heard(event)
            self.version += 1
        self.version += 1


async def toggle(task: Task, start: Callable[[], Awaitable[None]]) -> None:
    """Ends a task that runs, or starts one; the visitor is told what is wrong."""
    try:
        await (task.stop() if task.running else start())
    except kb.Error as error:
        explain(error)


def watch(version: Callable[[], Any], draw: Callable[[], None], seconds: float = 0.2) -> None:
    """Draws now, and again whenever the version has changed. While nothing happens a page costs a comparison."""
    seen: list[Any] = [version()]
    draw()

    def look() -> None:
        if version() != seen[0]:
            seen[0] = version()
            draw()

    ui.timer(seconds, look)
