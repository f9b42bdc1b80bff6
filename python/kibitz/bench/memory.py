"""Bounded memory: how much a process grows while a Monte-Carlo search recycles its nodes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

from kibitz.bench.rows import Asked, Effort, Row, Sample

_SCRIPT = """
import json, resource, sys, threading, time
import kibitz as kb

def now():
    # pages in memory, in the second field; elsewhere than on Linux the most there ever was must do
    try:
        with open("/proc/self/statm") as fields:
            return int(fields.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

megabytes, seconds = int(sys.argv[1]), float(sys.argv[2])
start = kb.game("breakthrough").start()
kb.Uct(simulations=100, memory_mb=1).search(start)
idle, most, done = now(), [0], threading.Event()

def watch():
    while not done.wait(0.01):
        most[0] = max(most[0], now() - idle)

watcher = threading.Thread(target=watch)
watcher.start()
report = kb.Uct(memory_mb=megabytes, seconds=seconds).search(start)
done.set()
watcher.join()
print(json.dumps({"growth": most[0], "stats": dict(report.stats)}))
"""


def growth(megabytes: int, seconds: float) -> dict[str, object]:
    """The bytes by which a new process grows over its idle size while it searches, and the search's counters."""
    command = [sys.executable, "-c", _SCRIPT, str(megabytes), str(seconds)]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def rows(effort: Effort) -> Iterator[Row]:
    """One row; `--memory-seconds 600` makes it ten minutes."""
    megabytes, seconds = (2, 0.5) if effort.quick else (64, effort.memory_seconds)
    found = growth(megabytes, seconds)
    stats = found["stats"]
    assert isinstance(stats, dict)
    assert isinstance(found["growth"], int)
    note = f"after {seconds:g} s, {stats['simulations']:,} simulations, recycled {stats['recycled']} times"
    yield Row(
        "memory",
        f"growth of a process that searches with memory_mb={megabytes}",
        "bytes",
        Sample((float(found["growth"]),)),
        asked=Asked("ours", most=megabytes * 2.0**20),
        note=note,
        details={"megabytes": megabytes, "seconds": seconds, "stats": stats},
    )
