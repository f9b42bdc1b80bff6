"""The twenty standard positions of SameGame with ten minutes of processor time each, by every method on one thread.

    python benches/samegame_ten_minutes.py benches/results/samegame-ten-minutes.jsonl --jobs 2

`kibitz reproduce samegame-ten-minutes` counts the seconds of the clock, so that it needs a machine of its own. This
counts those of the processor: what else runs makes it longer but not worse. The file gets a line for each search that
has ended, and a run that was broken off goes on. At the end, or with `--jobs 0` at once, it prints the totals.

Ten minutes of a slow processor are worth less than those of a fast one. So each search first counts the random games
a second that its processor makes, and gets as many seconds as it needs for what a processor that makes 265,000, the
one of the first lines, does in ten minutes. Seconds in the file and in the totals are those of that processor.

Simulated annealing is left out: it cools by the clock.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import signal
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.experiments.schadd_standard_set import METHODS, POSITIONS, solution

NAMES = ("NRPA", "beam search", "NMCS", "SP-MCTS")
SEED = 16


GAMES = 100_000
"""Random games for the speed of a processor."""
REFERENCE = 265_000.0
"""Random games a second of the processor whose seconds count."""


class TimeIsUp(Exception):
    """The processor time of a search is used up."""


def speed() -> float:
    """Random games of the first position that this machine makes in a second of the processor."""
    start = kb.game("samegame:position=1").start()
    began = time.process_time()
    kb.playouts(start, GAMES, seed=SEED)
    return GAMES / (time.process_time() - began)


def searched(unit: tuple[str, int, float]) -> dict[str, Any]:
    """The best line of a search after so many seconds of the reference processor, and when its score grew."""
    name, position, seconds = unit
    ((search, _),) = METHODS[name]
    found: list[tuple[float, float]] = []
    line: list[str] = []
    games = speed()
    worth = games / REFERENCE
    began, clock = time.process_time(), time.perf_counter()

    def tell(step: kb.Iteration) -> None:
        if not found or step.value > found[-1][1]:
            found.append((round(worth * (time.process_time() - began), 1), step.value))
            line[:] = map(str, step.pv)

    def stop(*_: object) -> None:
        raise TimeIsUp

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds / worth)
    try:
        # the limit of the clock is far away: without any limit a search would end after some thousand playouts
        endless = search.replace(seconds=1000 * seconds, seed=derive(SEED, position))
        endless.search(kb.game(f"samegame:position={position}").start(), progress=tell)
    except TimeIsUp:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    about = {
        "method": name,
        "position": position,
        "cpu_seconds": round(time.process_time() - began, 1),
        "seconds": round(time.perf_counter() - clock, 1),
        "speed": round(games),
        "worth": round(worth * (time.process_time() - began), 1),
        "grew": found,
    }
    return solution(about, found[-1][1], line)


def main() -> None:
    """Runs what is missing in the file and prints the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--jobs", type=int, default=1, help="searches at once; 0 only prints the totals")
    parser.add_argument("--seconds", type=float, default=600.0, help="time of a search on the reference processor")
    parser.add_argument("--only", help="methods, separated by commas", default=",".join(NAMES))
    given = parser.parse_args()
    names = given.only.split(",")
    if unknown := set(names) - set(NAMES):
        parser.error(f"there is no method {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    if not given.seconds >= 1 or given.jobs < 0:
        parser.error("--seconds is at least 1, and --jobs at least 0")
    lines = given.file.read_text().splitlines() if given.file.exists() else []
    results = [json.loads(line) for line in lines]
    done = {(each["method"], each["position"]) for each in results}
    units = [(name, at, given.seconds) for name in names for at in POSITIONS if (name, at) not in done]
    if given.jobs:
        given.file.parent.mkdir(parents=True, exist_ok=True)
        with multiprocessing.get_context("spawn").Pool(given.jobs, maxtasksperchild=1) as pool:
            for result in pool.imap_unordered(searched, units):
                with given.file.open("a") as file:
                    file.write(json.dumps(result) + "\n")
                results.append(result)
                print(f"{result['method']}, position {result['position']}: {result['score']:,.0f}", flush=True)
    show(results)


def show(results: list[dict[str, Any]]) -> None:
    """The totals of the methods."""
    by_method = defaultdict(list)
    for each in results:
        by_method[each["method"]].append(each)
    for name, each_one in by_method.items():
        total = math.fsum(each["score"] for each in each_one)
        cleared = sum(each["cleared"] for each in each_one)
        at = {minute: math.fsum(score_after(each, 60 * minute) for each in each_one) for minute in (1, 2, 5)}
        curve = ", ".join(f"{score:,.0f} after {minute}" for minute, score in at.items())
        speeds = [each["speed"] for each in each_one if "speed" in each]
        games = f", {min(speeds):,.0f} to {max(speeds):,.0f} random games a second" if speeds else ""
        print(f"{name}: {total:,.0f} on {len(each_one)} positions ({curve} min), {cleared} cleared{games}")


def score_after(result: dict[str, Any], seconds: float) -> float:
    """The best score of a search after so many seconds of the reference processor."""
    return max((score for at, score in result["grew"] if at <= seconds), default=0.0)


if __name__ == "__main__":
    main()
