"""Work over processes: every unit once, whatever happens to the processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.arena import executor
from kibitz.arena.executor import execute


def double(unit: int) -> int:
    return 2 * unit


def fail_at_five(unit: int) -> int:
    if unit == 5:
        raise kb.IllegalMove("five is not legal")
    return unit


def die_once(unit: tuple[int, str]) -> int:
    """Kills its own process the first time a unit that is a multiple of seven comes."""
    number, folder = unit
    mark = Path(folder) / str(number)
    if number % 7 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), 9)
    return number


def die_at_three(unit: int) -> int:
    if unit == 3:
        os._exit(9)
    return unit


class Awkward(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def raise_awkward(unit: int) -> int:
    raise Awkward(unit, 2)


def return_lock(unit: int) -> Any:
    import threading

    return threading.Lock()


def talk(unit: int) -> int:
    print("a game may print what it likes")
    return unit


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_every_unit_is_done_once(workers: int) -> None:
    found = list(execute(double, range(2000), workers=workers))
    assert sorted(found) == [(unit, 2 * unit) for unit in range(2000)]


def test_units_are_taken_as_they_are_needed() -> None:
    taken = []

    def units() -> Any:
        for unit in range(10**9):
            taken.append(unit)
            yield unit

    results = execute(double, units(), workers=1)
    for _ in range(10):
        next(results)
    results.close()
    assert len(taken) < 10**6


@pytest.mark.parametrize("workers", [0, 2])
def test_what_a_unit_raises_comes_out_and_ends_the_work(workers: int) -> None:
    with pytest.raises(kb.IllegalMove, match="five is not legal") as caught:
        list(execute(fail_at_five, range(10**6), workers=workers))
    if workers:
        assert "fail_at_five" in str(caught.value.__cause__)


def test_an_exception_that_cannot_travel_is_told_in_words() -> None:
    with pytest.raises(kb.Error, match="Awkward: 0 and 2"):
        list(execute(raise_awkward, range(1), workers=1))


def test_a_result_that_cannot_travel_is_an_error() -> None:
    with pytest.raises(kb.Error, match="cannot be sent"):
        list(execute(return_lock, range(1), workers=1))


def test_a_process_that_dies_is_replaced_and_its_units_done(tmp_path: Path) -> None:
    units = [(number, str(tmp_path)) for number in range(30)]
    assert sorted(execute(die_once, units, workers=2)) == [(number, number) for number in range(30)]
    assert len(list(tmp_path.iterdir())) == 5


def test_a_unit_that_always_kills_its_process_is_named() -> None:
    with pytest.raises(kb.Error, match=r"died 4 times \(exit code 9\) at unit 3: 3"):
        list(execute(die_at_three, range(5), workers=2))


def test_a_process_that_cannot_start_is_no_lack_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kibitz.py").write_text("raise ImportError('a broken kibitz')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(kb.Error, match=r"died 4 times \(exit code 1\).*standard error"):
        list(execute(double, range(5), workers=1))
    assert "a broken kibitz" in capfd.readouterr().err


def test_ctrl_c_before_all_threads_have_started_is_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Interrupted(threading.Thread):
        def start(self) -> None:
            if started:
                raise KeyboardInterrupt
            started.append(self)
            super().start()

    monkeypatch.setattr(threading, "Thread", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(execute(double, range(5), workers=2))
    assert not started[0].is_alive()


def test_closing_does_not_wait_for_units_that_never_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "_PATIENCE", 0.2)
    never = threading.Event()

    def units() -> Any:
        yield 1
        never.wait(30)

    results = execute(double, units(), workers=2)
    assert next(results) == (0, 2)
    began = time.monotonic()
    results.close()
    assert time.monotonic() - began < 10
    never.set()


def test_what_units_raise_comes_out() -> None:
    def units() -> Any:
        yield 1
        raise kb.BadParameter("there is no second unit")

    with pytest.raises(kb.BadParameter, match="no second unit"):
        list(execute(double, units(), workers=2))


def test_what_a_unit_prints_harms_nothing() -> None:
    assert sorted(execute(talk, range(100), workers=2)) == [(unit, unit) for unit in range(100)]


def test_classes_of_a_script_without_a_guard_travel(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import kibitz as kb\n"
        "class Race(kb.Game):\n"
        "    players = 2\n"
        "    def start(self): return (0, 0)\n"
        "    def turn(self, state): return None if state[0] >= 3 else state[1]\n"
        "    def moves(self, state): return [1, 2]\n"
        "    def play(self, state, move): return (state[0] + move, 1 - state[1])\n"
        "    def result(self, state): return (1, -1) if state[1] == 1 else (-1, 1)\n"
        "found = kb.match(Race(), ['random', 'alphabeta'], games=10, workers=2)\n"
        "print(found.games)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "10\n", done.stderr


def test_processes_go_with_their_parent(tmp_path: Path) -> None:
    code = (
        "import os, sys, time; sys.path.insert(0, sys.argv[1])\n"
        "from kibitz.arena.executor import execute\n"
        "from sleeping import sleep\n"
        "for _ in execute(sleep, range(4), workers=2): pass\n"
    )
    (tmp_path / "sleeping.py").write_text(
        "import os, pathlib, time\n"
        "def sleep(unit):\n"
        "    (pathlib.Path(__file__).parent / f'{os.getpid()}.pid').touch()\n"
        "    time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    deadline = time.monotonic() + 30
    while len(list(tmp_path.glob("*.pid"))) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    workers = [int(mark.stem) for mark in tmp_path.glob("*.pid")]
    while any(alive(pid) for pid in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        # A killed orphan may wait as a zombie for whoever adopted it.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("wrong", [-1, 5000, True, 1.5, "two"])
def test_absurd_numbers_of_workers_are_refused(wrong: Any) -> None:
    with pytest.raises(kb.BadParameter, match="workers"):
        execute(double, [1], workers=wrong)


def test_unknown_places_are_refused() -> None:
    with pytest.raises(kb.BadParameter, match="ray"):
        execute(double, [1], on="moon")
