"""Rolit beyond its rules: how its tables of patterns are learned."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kibitz import _core
from kibitz.errors import BadParameter

__all__ = ["Progress", "train"]


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a training has come.

    - `games`, `total`: games played, and to be played;
    - `seconds`: time taken;
    - `known`: how many of the 511,272 entries have occurred.
    """

    games: int
    total: int
    seconds: float
    known: int


def train(
    path: Path | str,
    *,
    games: int = 100_000,
    seed: int = 1,
    depth: int = 3,
    threads: int = 1,
    every: int = 10_000,
) -> Iterator[Progress]:
    """Learns the tables of patterns from games of Othello, and writes them to `path` when all are played.

    Alpha-beta plays against itself, `depth` moves ahead and the last eight squares to the end, after four to sixteen
    random moves. An entry is the mean result of the games with its pattern. The same `games`, `seed` and `depth` give
    the same file on every machine and any number of threads.
    """
    path = Path(path)
    if games < 1 or every < 1 or threads < 1:
        raise BadParameter("games, every and threads are at least 1")
    if not path.parent.is_dir():
        raise BadParameter(f"there is no folder {path.parent}; choose another file")
    training = _core.RolitTraining(seed, depth)

    def steps() -> Iterator[Progress]:
        began = time.perf_counter()
        while training.games < games:
            training.run(min(every, games - training.games), threads)
            if training.games == games:
                path.write_bytes(training.tables())
            seconds = time.perf_counter() - began
            yield Progress(games=training.games, total=games, seconds=seconds, known=training.known)

    return steps()
