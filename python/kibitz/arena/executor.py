"""Work over processes, or over a cluster: pure functions of their units, so that doing one again is harmless.

The processes are of our own rather than of `concurrent.futures`: a pool there breaks when one process dies, leaves
orphans when its parent is killed, and imports the main module again, which a script without a guard does not survive.
Here a process that dies is replaced and its unit done again, a process whose parent has gone goes too, and what was
defined in a script or a notebook travels by value (cloudpickle).
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeVar

import kibitz as kb
from kibitz.arena.chunks import Chunks
from kibitz.arena.wire import Answer, read, unpack, write

__all__ = ["cores", "execute"]

Unit = TypeVar("Unit")
Result = TypeVar("Result")

_TRIES = 3
"""A unit whose process dies as often is what kills it."""
_PATIENCE = 5.0
"""So many seconds may a process take to go that has closed its end, or a thread when nobody wants results any more."""


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def execute(
    function: Callable[[Unit], Result], units: Iterable[Unit], *, workers: int | None = None, on: str = "local"
) -> Generator[tuple[int, Result], None, None]:
    """Calls `function` for every unit and yields the number of the unit with the result, in the order they end.

    `workers` processes do it, one for each core if `None`; with 0 it is this process. `on` is `"local"`, `"ray"` (the
    cluster of the environment, else one on this machine) or `"ray://HOST:PORT"`; there `workers` bounds what is under
    way at once. Units are taken from `units` as they are needed. What the function raises comes out here, and ends
    the rest; so does closing the iterator.
    """
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or not 0 <= workers <= 1024):
        raise kb.BadParameter(f"workers={workers!r} must be a whole number from 0 to 1024")
    if on == "local":
        if workers == 0:
            return ((number, function(unit)) for number, unit in enumerate(units))
        return _Pool(function, units, workers or cores()).results()
    if on == "ray" or on.startswith("ray://"):
        from kibitz.arena import cluster

        return cluster.execute(function, units, workers=workers, address=None if on == "ray" else on)
    raise kb.BadParameter(f"on={on!r}: work runs on 'local', 'ray' or 'ray://HOST:PORT'")


class _Pool:
    """A thread for each process: it hands chunks over and passes answers on."""

    def __init__(self, function: Callable[[Any], Any], units: Iterable[Any], workers: int) -> None:
        import cloudpickle

        self._setup: bytes = cloudpickle.dumps(function)
        self._chunks = Chunks(units)
        self._workers = workers
        # Whoever takes the results sets the pace: no more than these wait for it.
        self._answers: queue.Queue[Answer | BaseException | None] = queue.Queue(64 * workers)
        self._closed = threading.Event()
        self._processes: set[_Process] = set()
        self._lock = threading.Lock()

    def results(self) -> Generator[tuple[int, Any], None, None]:
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(self._workers)]
        try:
            for each in threads:
                each.start()
            running = len(threads)
            while running:
                answer = self._answers.get()
                if answer is None:
                    running -= 1
                elif isinstance(answer, BaseException):
                    raise answer
                else:
                    yield from unpack(answer)
        finally:
            self._closed.set()
            with self._lock:
                for process in self._processes:
                    process.kill()
            for each in threads:
                # Ctrl-C may have come before all of them were started, and one may wait for a unit that never comes.
                if each.ident is not None:
                    each.join(_PATIENCE)

    def _serve(self) -> None:
        try:
            with contextlib.ExitStack() as stack:
                process: _Process | None = None
                while not self._closed.is_set() and (chunk := self._chunks.next()):
                    process = self._do(deque(chunk), process, stack)
            self._put(None)
        except _Closed:
            pass
        except BaseException as error:
            with contextlib.suppress(_Closed):
                self._put(error)

    def _do(self, todo: deque[tuple[int, Any]], process: _Process | None, stack: contextlib.ExitStack) -> _Process:
        """Has a process do a chunk, and another one the rest of it when it dies."""
        tries = sent = 0
        careful = False
        while True:
            if process is None:
                process = stack.enter_context(self._start())
            try:
                while todo:
                    if not sent:
                        # After a death one by one, so that it is known which unit it was.
                        batch = [todo[0]] if careful else list(todo)
                        process.send(batch)
                        sent = len(batch)
                    answer = process.receive()
                    sent -= len(answer.numbers)
                    tries = 0
                    for _ in answer.numbers:
                        todo.popleft()
                    self._chunks.took(answer.seconds, len(answer.numbers))
                    self._put(answer)
                return process
            except (EOFError, OSError):
                if self._closed.is_set():
                    raise _Closed from None
                code = process.died()
                process, sent, tries, careful = None, 0, tries + 1, True
                if tries > _TRIES:
                    # Who runs out of memory is killed, and says nothing; who ends by itself has said why.
                    killed = "it may have run out of memory: use fewer workers or smaller tables"
                    raise kb.Error(
                        f"a process died {tries} times (exit code {code}) at unit {todo[0][0]}: {_shown(todo[0][1])}; "
                        + (killed if code < 0 else "see what it wrote to the standard error")
                    ) from None

    def _start(self) -> _Process:
        with self._lock:
            if self._closed.is_set():
                raise _Closed
            process = _Process(self._setup)
            self._processes.add(process)
            return process

    def _put(self, answer: Answer | BaseException | None) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._answers.put(answer, timeout=0.1)
                return
        raise _Closed


class _Closed(Exception):
    """Nobody waits for results any more."""


_WORKER = """
import sys
sys.path[:] = sys.argv[1:]
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
from kibitz.arena import worker
"""
"""A worker imports from where this process does, and not from the current folder unless this process does so too.

Ctrl-C reaches the whole group of a terminal; the parent decides what it means, also while a worker still starts.
"""


class _Process:
    """A process that works; `kibitz.arena.worker` is the other end."""

    def __init__(self, setup: bytes) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WORKER, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with contextlib.suppress(OSError):
            write(self._input, setup)

    @property
    def _input(self) -> Any:
        return self._process.stdin

    def send(self, chunk: list[tuple[int, Any]]) -> None:
        import cloudpickle

        write(self._input, cloudpickle.dumps(chunk))

    def receive(self) -> Answer:
        answer: Answer = pickle.loads(read(self._process.stdout))
        return answer

    def kill(self) -> None:
        self._process.kill()

    def died(self) -> int:
        """The exit code of a process that has gone, or is about to; killing it at once would be the code."""
        try:
            code = self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            return self.end()
        self.end()
        return code

    def end(self) -> int:
        """Ends the process and says with which code."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        return self._process.wait()

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def _shown(unit: object) -> str:
    text = repr(unit)
    return text if len(text) <= 300 else text[:300] + "…"
