"""Ctrl-C stops all work within a tenth of a second, and native work leaves the interpreter to other threads."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import kibitz as kb
import pytest

SCRIPT = """
import os, signal, sys, threading, time
import kibitz as kb
from nim import Nim

signal.signal(signal.SIGINT, signal.default_int_handler)  # even where the run began in the background

position = {position}
sent = []

def press():
    time.sleep(0.25)
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=press, daemon=True).start()
try:
    {work}
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0])
else:
    sys.exit("the work ended by itself")
# everything works as before
assert kb.AlphaBeta(depth=2).search(kb.game("tic-tac-toe").start()).best
"""

NATIVE = ["breakthrough", "gomoku", "othello", "random-tree:width=8,depth=20", "nim:piles=1000-1000-1000"]
WORK = [
    "kb.Minimax().search(position)",
    "kb.Minimax(depth=30, seed=1).search(position)",
    "kb.AlphaBeta().search(position)",
    "kb.AlphaBeta(depth=40, deepening=False, tt_mb=0).search(position)",
    "kb.AlphaBeta(depth=40, tt_exact=True).search(position)",
    "kb.Uct(simulations=10**12).search(position)",
    "kb.Uct(seconds=100, solver=False, memory_mb=1).search(position)",
    "kb.Minimax(depth=30, threads=3).search(position)",
    "kb.AlphaBeta(threads=2).search(position)",
    "kb.Simulation(seconds=100, sigmas=None, tolerance=None, memory_mb=4096).search(position)",
    "kb.Ubfm(seconds=100, memory_mb=4096).search(position)",
    "kb.BStar(seconds=100, memory_mb=4096).search(position)",
    "kb.Uct(seconds=100, threads=2).search(position)",
    "kb.perft(position, 12)",
    "kb.perft(position, 12, threads=2)",
    "kb.playouts(position, 10**9)",
    "kb.playouts(position, 10**9, threads=2)",
]
IN_PYTHON = [
    "kb.Minimax().search(position)",
    "kb.AlphaBeta().search(position)",
    "kb.Simulation(simulations=10**9, sigmas=None, tolerance=None).search(position)",
    "kb.Ubfm(memory_mb=4096).search(position)",
    "kb.BStar(memory_mb=4096).search(position)",
    "kb.Uct(simulations=10**9).search(position)",
    "kb.perft(position, 12)",
    "kb.playouts(position, 10**9)",
]
CASES = [(f"kb.game({NATIVE[i % len(NATIVE)]!r}).start()", work) for i, work in enumerate(WORK)]
CASES += [("kb.game('breakthrough').start()", work) for work in WORK]
CASES += [("Nim((9, 9, 9, 9)).start()", work) for work in IN_PYTHON]
ALONE = [
    "kb.SpMcts(seconds=100, c=1000.0)",
    "kb.SpMcts(seconds=100, threads=2, restarts=None, tree_nodes=1000)",
    "kb.NestedMonteCarlo(level=6)",
    "kb.NestedRollout(level=6)",
    "kb.NestedRollout(seconds=100, threads=2)",
    "kb.BeamSearch(width=1000000)",
    "kb.BeamSearch(width=1000000, threads=2)",
    "kb.BeamSearch(seconds=100, refine=True)",
    "kb.AStar(memory_mb=4096)",
    "kb.IdaStar()",
]
CASES += [("kb.game('samegame').start()", f"{search}.search(position)") for search in ALONE]
CASES += [
    ("kb.game('morpion').start()", "kb.IncrementalTranspositions().search(position)"),
    ("kb.game('morpion').start()", "kb.IncrementalTranspositions(threads=2).search(position)"),
    ("kb.game('gaps:variant=common,plies=0').start()", "kb.IncrementalTranspositions(memory_mb=4096).search(position)"),
]


def seconds_to_stop(position: str, work: str) -> float:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent / "examples")}
    code = SCRIPT.format(position=position, work=work)
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return float(run.stdout)


@pytest.mark.parametrize(("position", "work"), CASES)
def test_ctrl_c_stops_the_work_within_a_tenth_of_a_second(position: str, work: str) -> None:
    # a busy machine may be slow once, but not three times in a row
    assert any(seconds_to_stop(position, work) < 0.1 for _ in range(3))


def test_a_progress_callback_that_raises_ends_the_search() -> None:
    def stop(step: kb.Iteration) -> None:
        if step.nodes > 2_000:
            raise ZeroDivisionError("enough")

    for algorithm in (kb.AlphaBeta(), kb.Uct(simulations=10**9)):
        with pytest.raises(ZeroDivisionError, match="enough"):
            algorithm.search(kb.game("breakthrough").start(), progress=stop)


def work() -> None:
    kb.Minimax(nodes=20_000_000).search(kb.game("breakthrough").start())


def elapsed(threads: int) -> float:
    """The time of so many searches at once."""
    workers = [threading.Thread(target=work) for _ in range(threads)]
    begin = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.perf_counter() - begin


def test_two_searches_run_at_the_same_time() -> None:
    if (os.cpu_count() or 1) < 2:
        assert elapsed(2) > 0
        return
    # other work on the machine may get in the way of some attempts
    assert any(elapsed(2) < 1.6 * elapsed(1) for _ in range(10))


def test_other_threads_go_on_during_a_search() -> None:
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    kb.Minimax(seconds=0.5).search(kb.game("breakthrough").start())
    done.set()
    counter.join()
    assert counted > 50


@pytest.mark.parametrize(
    "algorithm",
    [kb.Minimax(), kb.AlphaBeta(), kb.BStar(), kb.Simulation(sigmas=None, tolerance=None), kb.Ubfm(), kb.Uct()],
)
def test_time_limits_are_kept(algorithm: kb.Algorithm) -> None:
    position = kb.game("breakthrough").start()
    reports = [algorithm.search(position, seconds=0.2) for _ in range(3)]
    assert min(report.seconds for report in reports) < 0.25
    assert all(report.seconds >= 0.19 and report.best in position.moves for report in reports)
