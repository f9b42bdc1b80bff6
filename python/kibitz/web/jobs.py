"""Jobs: all work that takes time runs in worker processes, with caps, a fair queue and a stop.

A worker (`kibitz.web.workers`) is a process of its own, used for one job after another. Every visitor has a queue; the
queues take turns, so that nobody waits for all the jobs of somebody else. Some workers are kept free for short jobs: a
move of an engine never waits for a proof.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import itertools
import json
import os
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import kibitz as kb
from kibitz.web.workers import STOP_SECONDS, Worker

__all__ = ["Caps", "Job", "Jobs", "Refused", "State"]

State = Literal["queued", "running", "done", "stopped", "failed"]

_KEPT_EVENTS = 5_000
"""Events of a job that can still be read; older ones are forgotten."""
_SHORT_SECONDS = 30.0
"""A job that may take no longer is short."""


class Refused(kb.Error):
    """A job that is not even queued; the message says why."""


@dataclass(frozen=True)
class Caps:
    """What a job may use. It is killed after `seconds`; `threads` is a bound on its algorithms' own parameter."""

    seconds: float = 60.0
    memory_mb: int = 1024
    threads: int = 1


class Job:
    """A job of a visitor: what it does, how far it is, and what it has told so far."""

    def __init__(self, number: int, visitor: str, kind: str, payload: dict[str, Any], caps: Caps, jobs: Jobs) -> None:
        self.number = number
        self.visitor = visitor
        self.kind = kind
        self.payload = payload
        self.caps = caps
        self.state: State = "queued"
        self.result: Any = None
        self.error: str | None = None
        self.error_kind: str | None = None
        self.began: float | None = None
        self.ended: float | None = None
        self._jobs = jobs
        self._worker: Worker | None = None
        self._stopping = False
        self._log: collections.deque[dict[str, Any]] = collections.deque(maxlen=_KEPT_EVENTS)
        self._told = 0
        self._news = asyncio.Condition()

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("done", "stopped", "failed")

    @property
    def ahead(self) -> int:
        """How many jobs of this visitor come before it in the queue."""
        return self._jobs._ahead(self)

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return 0.0 if self.began is None else (self.ended or time.monotonic()) - self.began

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """All that the job tells, from its beginning to its end, for any number of listeners.

        The last event has the type `result` (with `result`), `stopped` or `error` (with `message`). A listener that is
        too slow misses the oldest events, never the last.
        """
        told = 0
        while True:
            async with self._news:
                await self._news.wait_for(lambda told=told: self._told > told or self.over)  # type: ignore[misc]
                first = self._told - len(self._log)
                new = list(itertools.islice(self._log, max(told - first, 0), None))
                told = self._told
                over = self.over
            for event in new:
                yield event
            if over and told == self._told:
                return

    async def wait(self) -> Any:
        """The result; `kb.Error` when it failed, `None` when it was stopped without one."""
        async with self._news:
            await self._news.wait_for(lambda: self.over)
        if self.state == "failed":
            raise kb.Error(self.error)
        return self.result

    async def stop(self) -> None:
        """Takes it out of the queue, or asks it to end and then ends it. Returns when it is over."""
        self._stopping = True
        if self.state == "queued":
            self._jobs._leave(self)
            await self._tell({"type": "stopped"}, "stopped")
        elif not self.over:
            if self._worker is not None:
                await self._worker.stop(self.number)
            # A worker that is only being started hears of the stop together with the job.
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.finished(), STOP_SECONDS)
            if self._worker is not None:
                self._worker.kill()
            await self.finished()

    async def finished(self) -> None:
        """Returns when the job is over, however it ended."""
        async with self._news:
            await self._news.wait_for(lambda: self.over)

    async def _tell(self, event: dict[str, Any], state: State | None = None) -> None:
        async with self._news:
            if self.over:
                return
            self._log.append(event)
            self._told += 1
            if state is not None:
                self.state = state
                if self.over:
                    self.ended = time.monotonic()
            self._news.notify_all()

    async def _fail(self, message: str, kind: str = "Error") -> None:
        self.error, self.error_kind = message, kind
        await self._tell({"type": "error", "message": message, "error": kind}, "failed")


class Jobs:
    """The queue and the workers.

    - `workers`: processes at most; two of them are for short jobs (30 seconds at most), and for visitors who have no
      other job running;
    - `queued`: jobs that one visitor may have waiting; all visitors together may have 25 times as many;
    - `at_once`: jobs of one visitor that run side by side;
    - `largest`: caps that no job may exceed.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        queued: int = 20,
        at_once: int = 4,
        largest: Caps | None = None,
        games: Sequence[str] = (),
    ) -> None:
        cores = os.cpu_count() or 1
        self.workers = max(3, workers if workers is not None else 2 * cores + 2)
        self.queued = queued
        self.at_once = at_once
        self.largest = largest or Caps(seconds=3600.0, memory_mb=2048, threads=cores)
        self._games = tuple(games)
        self._numbers = itertools.count(1)
        self._queues: collections.OrderedDict[str, collections.deque[Job]] = collections.OrderedDict()
        self._running: set[Job] = set()
        self._idle: list[Worker] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def submit(self, visitor: str, kind: str, payload: dict[str, Any], caps: Caps | None = None) -> Job:
        """Queues a job, or refuses it."""
        caps = caps or Caps()
        for name in ("seconds", "memory_mb", "threads"):
            most = getattr(self.largest, name)
            if not 0 < getattr(caps, name) <= most:
                raise Refused(f"a job may use at most {most:g} {name.replace('_mb', ' (MB)')}")
        waiting = self._queues.get(visitor, ())
        if len(waiting) >= self.queued:
            raise Refused(
                f"{len(waiting)} of your jobs are waiting already; at most {self.queued} may: stop some, or wait"
            )
        if self._closed or sum(map(len, self._queues.values())) >= 25 * self.queued:
            raise Refused("the lab is busy: too many jobs are waiting; try again in a minute")
        job = Job(next(self._numbers), visitor, kind, json.loads(json.dumps(payload)), caps, self)
        self._queues.setdefault(visitor, collections.deque()).append(job)
        self._begin()
        return job

    def jobs_of(self, visitor: str) -> list[Job]:
        """The jobs of a visitor that run or wait."""
        running = [job for job in self._running if job.visitor == visitor]
        return sorted(running, key=lambda job: job.number) + list(self._queues.get(visitor, ()))

    async def warm_up(self, count: int = 2) -> None:
        """Starts workers before anybody needs one."""
        for _ in range(count):
            self._rest(await Worker.start(self._games))

    async def close(self) -> None:
        """Stops all jobs and ends all workers."""
        self._closed = True
        waiting = [job for queue in self._queues.values() for job in queue]
        await asyncio.gather(*(job.stop() for job in [*waiting, *self._running]))
        while self._tasks:
            # A spare that was being started begins another task: its own end.
            await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._idle))
        self._idle.clear()

    def _ahead(self, job: Job) -> int:
        queue = self._queues.get(job.visitor, ())
        return queue.index(job) if job in queue else 0

    def _leave(self, job: Job) -> None:
        queue = self._queues.get(job.visitor)
        if queue is not None and job in queue:
            queue.remove(job)
            if not queue:
                del self._queues[job.visitor]

    def _next(self) -> Job | None:
        """The first job that may run: visitors take turns, and long jobs leave room for short ones."""
        if len(self._running) >= self.workers:
            return None
        long = sum(job.caps.seconds > _SHORT_SECONDS for job in self._running)
        own = collections.Counter(job.visitor for job in self._running)
        for visitor, queue in self._queues.items():
            if own[visitor] >= self.at_once:
                continue
            for job in queue:
                if job.caps.seconds <= _SHORT_SECONDS or long < self.workers - 2 or not own[visitor]:
                    self._leave(job)
                    if visitor in self._queues:
                        self._queues.move_to_end(visitor)
                    return job
        return None

    def _begin(self) -> None:
        while (job := self._next()) is not None:
            self._running.add(job)
            job.state = "running"
            self._do(self._run(job))

    async def _run(self, job: Job) -> None:
        worker = None
        try:
            session = job.payload.get("session")
            worker = self._take(session) or await Worker.start(self._games)
            worker.session = session or worker.session
            self._start_spare()
            job._worker = worker
            job.began = time.monotonic()
            if await self._follow(job, worker):
                self._rest(worker)
                worker = None
        except Exception as error:
            # A process that cannot be started, or an answer beyond all bounds.
            await job._fail(f"the job could not be run ({type(error).__name__})")
        finally:
            job._worker = None
            self._running.discard(job)
            if worker is not None:
                worker.kill()
                await worker.close()
            self._begin()

    def _take(self, session: str | None) -> Worker | None:
        """A waiting worker: the one that knows the player, else rather one that no player would miss."""
        if not self._idle:
            return None
        chosen = min(
            self._idle, key=lambda worker: (session is None or worker.session != session, worker.session or "")
        )
        self._idle.remove(chosen)
        return chosen

    async def _follow(self, job: Job, worker: Worker) -> bool:
        """Passes on what a worker tells of its job. True when the worker can go on to another."""
        caps = job.caps
        try:
            asked = {"job": job.number, "kind": job.kind, "payload": job.payload, "caps": vars(caps)}
            await worker.write(asked)
            if job._stopping:
                await worker.stop(job.number)
            deadline = time.monotonic() + caps.seconds
            while True:
                message = await asyncio.wait_for(worker.read(), max(deadline - time.monotonic(), 0.001))
                if message is None:
                    break
                del message["job"]
                if message["type"] == "error":
                    await job._fail(message["message"], message["error"])
                    return True
                if message["type"] == "result":
                    job.result = message["result"]
                    await job._tell(message, "stopped" if job._stopping else "done")
                    return True
                if message["type"] == "stopped":
                    await job._tell(message, "stopped")
                    return True
                await job._tell(message)
        except asyncio.TimeoutError:
            await job._fail(f"it took more than the {caps.seconds:g} seconds that this job may take", "Timeout")
            return False
        except ConnectionError:
            pass
        if job._stopping:
            await job._tell({"type": "stopped"}, "stopped")
        else:
            # Native code that gets no memory ends its process at once.
            await job._fail(
                f"its process ended: most likely it needed more than the {caps.memory_mb} MB of memory "
                "that this job may use",
                "Crash",
            )
        return False

    def _start_spare(self) -> None:
        """Starts the worker that the next job will need, if it would have to wait for one."""
        if not self._idle and len(self._running) < self.workers and not self._closed:
            self._do(self.warm_up(1))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _rest(self, worker: Worker) -> None:
        """Keeps a worker for the next job, or ends it when enough are waiting."""
        if len(self._idle) < max(2, self.workers // 2) and not self._closed:
            self._idle.append(worker)
        else:
            self._do(worker.close())
