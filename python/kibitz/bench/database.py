"""Endgame databases: how fast they are built and asked, and how large they are."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import kibitz as kb
from kibitz.bench.rows import Asked, Effort, Row, Sample, seconds_of, seconds_on_the_clock


def _forget(path: Path) -> bool:
    """Takes a file out of the memory of the system, so that the next one who reads it asks the disk."""
    if not hasattr(os, "posix_fadvise"):
        return False
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return True


LARGE = (("fanorona:rows=5,cols=5", 9, 480.0), ("fanorona:rows=5,cols=9", 7, 420.0))
"""Databases that take minutes: the board, the pieces, and the seconds that two cores may take."""


def rows(effort: Effort) -> Iterator[Row]:
    """Building on all processors with the file written, and random questions, cold and warm."""
    yield from _questions(effort)
    for spec, pieces, most in () if effort.quick else LARGE:
        with tempfile.TemporaryDirectory(prefix="kibitz-", dir=_disk()) as folder:
            begin = time.perf_counter()
            stats = kb.build_db(kb.game(spec), Path(folder) / "bench.kdb", pieces=pieces, memory="4G").stats
            seconds = time.perf_counter() - begin
            note = f"{stats.bytes / 1e6:.1f} MB, {sum(each.positions for each in stats.slices):,} positions"
            what = f"database of {spec} up to {pieces} pieces, built"
            yield Row("solve", what, "s", Sample((seconds,)), asked=Asked("ours", most=most), note=note)


def _questions(effort: Effort) -> Iterator[Row]:
    pieces = 4 if effort.quick else 6
    game = kb.game("fanorona")
    with tempfile.TemporaryDirectory(prefix="kibitz-", dir=_disk()) as folder:
        path = Path(folder) / "bench.kdb"
        begin = time.perf_counter()
        database = kb.build_db(game, path, pieces=pieces, memory="4G")
        seconds = time.perf_counter() - begin
        stats = database.stats
        what = f"database of fanorona 5x9 up to {pieces} pieces"
        asked = Asked("ours", most=45.0) if pieces == 6 else None
        yield Row("solve", f"{what}, built", "s", Sample((seconds,)), asked=asked)
        note = f"{8 * stats.bytes / stats.classes:.2f} bits a position up to symmetry, {stats.classes:,} of them"
        yield Row("solve", f"{what}, size", "bytes", Sample((float(stats.bytes),)), note=note)

        questions = 2_000 if effort.quick else 20_000
        cold = []
        for seed in range(effort.rounds):
            asked_of_disk = _forget(path)
            # the memory for what is unpacked is the smallest: nearly every question unpacks a block
            fresh = kb.open_db(path, game=game, memory="1M")
            cold.append(questions / seconds_on_the_clock(partial(fresh._native.ask_at_random, questions, seed)))
        where = "the file is out of the cache of the system" if asked_of_disk else "the file may be in the cache"
        yield Row("solve", f"{what}, random questions, cold", "1/s", Sample(tuple(cold)), note=where)

        questions = 200_000 if effort.quick else 2_000_000
        for memory, name in (("1G", "warm cache"), ("all", "all in memory")):
            warm = kb.open_db(path, game=game, memory=memory)
            ask = partial(warm._native.ask_at_random, questions, 1)
            ask()
            rates = tuple(questions / seconds_of(ask) for _ in range(effort.rounds))
            least = Asked("ours", least=5e6)
            yield Row("solve", f"{what}, random questions, {name}", "1/s", Sample(rates), asked=least)


def _disk() -> str | None:
    """Where files lie on the disk: the usual place for short-lived ones may be in memory."""
    return "/var/tmp" if Path("/var/tmp").is_dir() else None
