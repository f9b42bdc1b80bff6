"""A worker process: jobs in, reports out, a line of JSON each. It ends when its input does."""

from __future__ import annotations

import _thread
import contextlib
import importlib
import json
import os
import queue
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

import kibitz as kb
from kibitz.web import inputs
from kibitz.web.work import KINDS


class _Worker:
    """The job at hand, the input that may stop it, and the output."""

    def __init__(self) -> None:
        self._asked = os.fdopen(os.dup(0), "r", encoding="utf-8")
        self._answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        # What a game prints must not get between the answers, and nothing may read the questions.
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        self._jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._running: int | None = None
        self._stopped: int | None = None
        self._writing = threading.Lock()

    def serve(self) -> None:
        """Works until the input ends."""
        with contextlib.suppress(AttributeError, OSError):
            os.nice(5)  # searches take what is left: the pages come first
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._listen, daemon=True).start()
        self._say({"type": "ready"})
        while True:
            # A stop that comes a moment too late interrupts nothing.
            with contextlib.suppress(KeyboardInterrupt):
                self._work(self._jobs.get())

    def _listen(self) -> None:
        for line in self._asked:
            message = json.loads(line)
            if "stop" in message:
                self._stopped = message["stop"]
                _thread.interrupt_main()
            else:
                self._jobs.put(message)
        os._exit(0)  # whoever asked has gone, and nobody wants the answer

    def _interrupt(self, *_: object) -> None:
        if self._running is not None and self._running == self._stopped:
            raise KeyboardInterrupt

    def _say(self, message: dict[str, Any]) -> None:
        line = json.dumps(message, default=str) + "\n"
        try:
            with self._writing:
                self._answers.write(line)
                self._answers.flush()
        except BrokenPipeError:
            os._exit(0)

    def _work(self, job: dict[str, Any]) -> None:
        _limit_memory(job["caps"]["memory_mb"])
        number = job["job"]
        try:
            try:
                self._running = number
                if self._stopped == number:
                    raise KeyboardInterrupt
                answer = {"type": "result", "result": self._run(job)}
            finally:
                self._running = None
        except KeyboardInterrupt:
            answer = {"type": "stopped"}
        except MemoryError:
            answer = {"type": "error", "error": "MemoryError", "message": _too_much(job["caps"]["memory_mb"])}
        except kb.Error as error:
            answer = {"type": "error", "error": type(error).__name__, "message": " ".join(str(error).split())}
        except Exception as error:
            traceback.print_exc()
            answer = {"type": "error", "error": "Error", "message": f"the job failed ({type(error).__name__})"}
        finally:
            _limit_memory(None)
        self._say({**answer, "job": number})

    def _run(self, job: dict[str, Any]) -> Any:
        kind, number = job["kind"], job["job"]
        if kind not in KINDS:
            raise kb.BadParameter(f"there is no job {kind!r}")
        run = importlib.import_module(f"kibitz.web.work.{kind}").run
        return run({**job["payload"], "caps": job["caps"]}, lambda event: self._say({**event, "job": number}))


def _too_much(megabytes: int) -> str:
    return f"it needs more than the {megabytes} MB of memory that a job may use"


def _limit_memory(megabytes: int | None) -> None:
    """Lets the process have so much more memory than it has now, where the system can say so."""
    try:
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = hard
        if megabytes is not None:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            limit = pages * resource.getpagesize() + (megabytes << 20)
            limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ImportError, OSError, ValueError):
        return  # the wall clock still ends the job


if __name__ == "__main__":
    inputs.serve_games(sys.argv[1:])
    _Worker().serve()
