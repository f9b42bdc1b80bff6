"""Jobs: workers, caps, the queue and the stop button."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import kibitz as kb
import pytest
from kibitz.web import inputs
from kibitz.web.jobs import Caps, Job, Jobs, Refused
from loops import run

pytestmark = pytest.mark.xdist_group("web")

_START = str(kb.game("breakthrough").start())
_T = TypeVar("_T")


def search(algorithm: str, **more: Any) -> dict[str, Any]:
    return {"game": "breakthrough", "position": _START, "algorithm": algorithm, **more}


def with_jobs(work: Callable[[Jobs], Awaitable[_T]], **settings: Any) -> _T:
    """Does something with workers, all of which have ended afterwards."""

    async def do() -> _T:
        jobs = Jobs(**settings)
        try:
            return await work(jobs)
        finally:
            await jobs.close()

    return run(do())


async def ended(job: Job) -> Job:
    await asyncio.wait_for(job.finished(), 30)
    return job


def test_a_job_tells_of_its_progress_and_then_its_result() -> None:
    async def work(jobs: Jobs) -> list[dict[str, Any]]:
        job = await jobs.submit("a", "search", search("alphabeta:depth=3"))
        return [event async for event in job.events()]

    events = with_jobs(work)
    assert [event["type"] for event in events] == ["iteration"] * 3 + ["result"]
    assert events[-1]["result"]["best"] == kb.AlphaBeta(depth=3).search(kb.game("breakthrough").start()).best


def test_a_late_listener_hears_everything() -> None:
    async def work(jobs: Jobs) -> list[str]:
        job = await ended(await jobs.submit("a", "search", search("alphabeta:depth=2")))
        return [event["type"] async for event in job.events()]

    assert with_jobs(work) == ["iteration", "iteration", "result"]


def test_a_player_comes_back_to_the_worker_that_has_its_tree() -> None:
    start = kb.game("connect-four").start()

    async def work(jobs: Jobs) -> tuple[int, int]:
        async def visits(position: kb.Position, player: str) -> tuple[int, list[str]]:
            asked = {"game": "connect-four", "algorithm": "uct:simulations=500,reuse=true,seed=1", "session": player}
            job = await jobs.submit("a", "search", {**asked, "position": str(position), "past": list(position.past)})
            found = await job.wait()
            return sum(child["visits"] for child in found["children"]), found["pv"]

        await jobs.warm_up(3)
        _, line = await visits(start, "one")
        # others take the workers that nobody would miss
        await (await jobs.submit("b", "search", search("alphabeta:depth=1"))).wait()
        await visits(start, "two")
        after = start.play(line[0]).play(line[1])
        return (await visits(after, "one"))[0], (await visits(after, "three"))[0]

    kept, fresh = with_jobs(work, workers=4)
    assert kept > fresh + 10


def test_a_stopped_search_ends_at_once_and_its_worker_goes_on() -> None:
    async def work(jobs: Jobs) -> tuple[str, float, Any]:
        job = await jobs.submit("a", "search", search("uct:seconds=50"))
        while job.began is None:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.3)
        began = time.monotonic()
        await job.stop()
        seconds = time.monotonic() - began
        workers = len(jobs._idle)
        after = await (await jobs.submit("a", "search", search("alphabeta:depth=1"))).wait()
        assert workers >= 1
        return job.state, seconds, after["best"]

    state, seconds, best = with_jobs(work)
    assert state == "stopped"
    assert seconds < 2
    assert best


def test_a_job_that_does_not_listen_is_killed() -> None:
    game = f"{Path(__file__).parent / 'stubborn.py'}:Stubborn"

    async def work(jobs: Jobs) -> tuple[str, float]:
        payload = {"game": "stubborn.py:Stubborn", "position": "0", "algorithm": "alphabeta:depth=1"}
        job = await jobs.submit("a", "search", payload)
        while job.began is None:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        began = time.monotonic()
        await job.stop()
        return job.state, time.monotonic() - began

    state, seconds = with_jobs(work, games=[game])
    assert state == "stopped"
    assert 1.5 < seconds < 6


def test_time_is_capped() -> None:
    async def work(jobs: Jobs) -> Job:
        return await ended(await jobs.submit("a", "search", search("uct:seconds=50"), Caps(seconds=0.5)))

    job = with_jobs(work)
    assert job.state == "failed"
    assert job.error == "it took more than the 0.5 seconds that this job may take"


def test_memory_is_capped() -> None:
    async def work(jobs: Jobs) -> tuple[Job, Job]:
        large = "uct:simulations=3000000,memory_mb=4000"
        hungry = await ended(await jobs.submit("a", "search", search(large), Caps(seconds=30, memory_mb=64)))
        return hungry, await ended(await jobs.submit("a", "search", search("alphabeta:depth=1")))

    hungry, after = with_jobs(work)
    assert hungry.state == "failed"
    assert "memory" in (hungry.error or "") or "MB" in (hungry.error or "")
    assert after.state == "done"


def test_threads_are_capped() -> None:
    async def work(jobs: Jobs) -> Job:
        return await ended(await jobs.submit("a", "search", search("uct:threads=64"), Caps(threads=1)))

    assert with_jobs(work).error == "threads=64 is more than the 1 that this job may use"


def test_no_job_asks_for_more_than_the_lab_allows() -> None:
    async def work(jobs: Jobs) -> None:
        await jobs.submit("a", "search", search("uct"), Caps(memory_mb=10**6))

    with pytest.raises(Refused, match="at most 2048 memory"):
        with_jobs(work)


def test_two_hundred_jobs_of_one_visitor_do_not_delay_another() -> None:
    async def work(jobs: Jobs) -> tuple[int, str, float]:
        taken, refusal = 0, ""
        for _ in range(200):
            try:
                await jobs.submit("greedy", "search", search("uct:seconds=20"))
                taken += 1
            except Refused as error:
                refusal = str(error)
        began = time.monotonic()
        await (await jobs.submit("modest", "search", search("alphabeta:depth=1"))).wait()
        seconds = time.monotonic() - began
        await asyncio.gather(*(job.stop() for job in jobs.jobs_of("greedy")))
        assert not jobs.jobs_of("greedy")
        return taken, refusal, seconds

    taken, refusal, seconds = with_jobs(work)
    assert taken <= 24
    assert refusal == "20 of your jobs are waiting already; at most 20 may: stop some, or wait"
    assert seconds < 10


def test_visitors_take_turns() -> None:
    async def work(jobs: Jobs) -> list[str]:
        order: list[str] = []

        async def follow(visitor: str) -> None:
            job = await jobs.submit(visitor, "search", search("uct:simulations=50"), Caps(seconds=20))
            await job.finished()
            order.append(visitor)

        # a worker that has to be started first takes longer than all jobs of the other visitor
        await jobs.warm_up(2)
        await asyncio.gather(*(follow(visitor) for visitor in ["a"] * 6 + ["b"]))
        return order

    # With one job of a visitor at a time, b comes after the first of a, and not after all of them.
    assert with_jobs(work, at_once=1).index("b") <= 2


_BAD = [
    ({"game": "nim.py:Nim"}, "not key=value"),
    ({"game": "no-such-game"}, "no game 'no-such-game'"),
    ({"position": "nonsense"}, "bad position"),
    ({"position": "x" * 10_000_000}, "bad position"),
    ({"algorithm": "alphabeta:database=/etc/passwd"}, "reads no files"),
    ({"algorithm": "alphabeta:checks=/etc/passwd.toml"}, "reads no files"),
    ({"algorithm": "determinized:inner=proofnumber/checkpoint=x"}, "reads no files"),
]


def test_bad_input_is_a_clear_message() -> None:
    async def work(jobs: Jobs) -> list[Job]:
        made = [await jobs.submit("a", "search", {**search("random"), **payload}) for payload, _ in _BAD]
        return [await ended(job) for job in made]

    for job, (_, message) in zip(with_jobs(work, at_once=1), _BAD, strict=True):
        assert job.state == "failed"
        assert message in (job.error or "")
        assert "Traceback" not in (job.error or "")


def test_no_visitor_can_import_a_file() -> None:
    with pytest.raises(kb.Error):
        inputs.read_game(f"{Path(__file__).parent / 'stubborn.py'}:Stubborn")


def test_the_algorithms_of_a_game_are_those_that_search_it() -> None:
    async def work(jobs: Jobs) -> list[str]:
        return list(await (await jobs.submit("a", "algorithms", {"game": "hearts"})).wait())

    found = with_jobs(work)
    assert {"ismcts", "determinized", "random"} <= set(found)
    assert "alphabeta" not in found
