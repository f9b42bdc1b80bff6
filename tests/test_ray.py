"""The same match on a Ray cluster, also when a worker dies in the middle."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.arena.executor import execute

ray: Any = pytest.importorskip("ray")

# One cluster: all of them in one process of the tests.
pytestmark = pytest.mark.xdist_group("ray")

PLAYERS = {"deep": "alphabeta:nodes=1500,tt_mb=1", "uct": "uct:simulations=150"}


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


def table(found: kb.MatchResult) -> dict[str, Any]:
    data = found.as_dict()
    for standing in data["standings"]:
        del standing["seconds"]
    return data


def play(on: str, games: int = 60, **more: Any) -> kb.MatchResult:
    return kb.match("breakthrough:rows=5,cols=5", PLAYERS, games=games, openings=3, seed=4, on=on, **more)


@pytest.mark.usefixtures("cluster")
def test_a_match_on_ray_is_the_match_on_one_machine() -> None:
    assert table(play("ray")) == table(play("local"))


@pytest.mark.usefixtures("cluster")
def test_a_worker_that_is_killed_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    marks = [(number, str(tmp_path)) for number in range(40)]
    found = dict(execute(pid_of, marks, on="ray", workers=2))
    assert sorted(found) == list(range(40))
    killed: list[int] = []

    def kill() -> None:
        deadline = time.monotonic() + 20
        while not killed and time.monotonic() < deadline:
            for pid in ray_workers():
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                break
            time.sleep(0.01)

    told: list[int] = []

    def progress(tally: Any) -> None:
        told.append(tally.games)
        if len(told) == 10:
            threading.Thread(target=kill).start()

    survived = play("ray", games=120, progress=progress)
    assert killed, "a worker must have been killed in the middle"
    assert len(told) == 120
    assert table(survived) == table(play("local", games=120))


def pid_of(unit: tuple[int, str]) -> int:
    time.sleep(0.01)
    return os.getpid()


def ray_workers() -> list[int]:
    """The processes of Ray on this machine that are at work on a task."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            name = (entry / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        if name.startswith("ray::_do"):
            found.append(int(entry.name))
    return found


def raise_value_error(unit: int) -> int:
    raise ValueError(f"unit {unit}")


@pytest.mark.usefixtures("cluster")
def test_what_a_unit_raises_on_ray_comes_out() -> None:
    with pytest.raises(ValueError, match="unit 0"):
        list(execute(raise_value_error, range(1), on="ray"))


def test_a_cluster_that_is_not_there_is_a_clear_error() -> None:
    ray.shutdown()
    with pytest.raises(kb.Error, match="cannot reach the Ray cluster"):
        list(execute(pid_of, [(0, "")], on="ray://127.0.0.1:1"))
