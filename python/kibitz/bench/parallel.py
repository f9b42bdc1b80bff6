"""Monte-Carlo search on several threads: simulations a second with one tree, a tree a thread, and one leaf."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import kibitz as kb
from kibitz.arena.executor import cores
from kibitz.bench.rows import Asked, Effort, Row, Sample

GAMES = ("crossings", "othello", "breakthrough")
SPEED_UPS = {2: 1.8, 16: 10.0}
"""How many times more simulations a second one tree for all must give with so many threads, on as many cores."""


def rows(effort: Effort) -> Iterator[Row]:
    """A row for each game, each way to use threads and each number of them, beside one thread; on the clock."""
    threads = effort.threads or tuple(sorted({2, cores()} - {1}))
    for game in GAMES if not effort.quick else GAMES[:1]:
        start = kb.game(game).start()
        for count in threads:
            for parallel in ("tree", "root", "leaf"):
                one = kb.Uct(solver=False, seconds=max(effort.seconds, 0.02))
                many = one.replace(threads=count, parallel=parallel)
                ours, theirs = _rates(effort.rounds, _speed(many, start), _speed(one, start))
                least = SPEED_UPS.get(count) if parallel == "tree" and count <= cores() and not effort.quick else None
                yield Row(
                    "parallel",
                    f"UCT simulations, {parallel}, {count} threads, {game}",
                    "1/s",
                    ours,
                    theirs,
                    "one thread",
                    asked=None if least is None else Asked("ratio", least=least),
                    note=f"{cores()} cores",
                    details={"game": game, "parallel": parallel, "threads": count},
                )


def _speed(method: kb.Uct, start: kb.Position) -> Callable[[], float]:
    def measure() -> float:
        begin = time.perf_counter()
        report = method.search(start)
        return report.stats["simulations"] / (time.perf_counter() - begin)

    return measure


def _rates(rounds: int, ours: Callable[[], float], theirs: Callable[[], float]) -> tuple[Sample, Sample]:
    """Both take turns, so that they meet the same noise."""
    ours(), theirs()
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return Sample(tuple(pair[0] for pair in pairs)), Sample(tuple(pair[1] for pair in pairs))
