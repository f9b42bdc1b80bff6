"""Proof-number search on Fanorona: nodes a second, time to a solution, and what threads give."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import kibitz as kb
from kibitz.bench.rows import Asked, Effort, Row, Sample

GROUP = "solve"


def rows(effort: Effort) -> Iterator[Row]:
    """PN² and df-pn on 7 by 5 with the 5-piece database, the boards of table 4.4, and threads."""
    with tempfile.TemporaryDirectory() as folder:
        game = kb.game("fanorona", rows=7, cols=5)
        pieces = 3 if effort.quick else 5
        kb.build_db(game, Path(folder) / "7x5.kdb", pieces=pieces)
        database = kb.open_db(Path(folder) / "7x5.kdb", memory="all")
        yield from _speed(effort, game.start(), database, pieces)
        if not effort.quick:
            yield from _solutions(game.start(), database)
            yield from _threads(effort, game.start(), database)


def _speed(effort: Effort, start: kb.Position, database: kb.Database, pieces: int) -> Iterator[Row]:
    nodes = 200_000 if effort.quick else 40_000_000
    for leaf, least in (("one", 8e6), ("mobility", 3e6)):
        solver = kb.Pn2(leaf=leaf, nodes=nodes, goal="win", database=database)  # type: ignore[arg-type]
        found = [solver.solve(start) for _ in range(effort.rounds)]
        speeds = Sample(tuple(each.nps for each in found))
        asked = None if effort.quick else Asked("ours", least=least)
        what = f"PN² nodes, 7×5 Fanorona, {pieces}-piece database, leaf={leaf}"
        yield Row(GROUP, what, "1/s", speeds, asked=asked)
    solver = kb.DfPn(leaf="mobility", nodes=nodes // 10, goal="win", database=database)
    speeds = Sample(tuple(solver.solve(start).nps for _ in range(effort.rounds)))
    yield Row(GROUP, f"df-pn nodes, 7×5 Fanorona, {pieces}-piece database, leaf=mobility", "1/s", speeds)


def _solutions(start: kb.Position, database: kb.Database) -> Iterator[Row]:
    solvers: list[kb.Solver] = [
        kb.Pn2(leaf="mobility", database=database),
        kb.DfPn(leaf="mobility", database=database),
        kb.EfPn(database=database),
    ]
    for solver in solvers:
        found = solver.solve(start)
        note = f"{found.value}, {found.nodes:,} nodes"
        yield Row(
            GROUP, f"{solver.name} solves 7×5 with the 5-piece database", "s", Sample((found.seconds,)), note=note
        )
    for rows_, cols in ((3, 3), (3, 5), (5, 3), (3, 7), (7, 3), (3, 9)):
        found = kb.Pn2(leaf="mobility").solve(kb.game("fanorona", rows=rows_, cols=cols).start())
        note = f"{found.value}, {found.nodes:,} nodes"
        yield Row(GROUP, f"PN² solves {rows_}×{cols} without a database", "s", Sample((found.seconds,)), note=note)


def _threads(effort: Effort, start: kb.Position, database: kb.Database) -> Iterator[Row]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = sorted(set(effort.threads or (2, cores)))
    solvers: list[kb.Solver] = [kb.DfPn(leaf="mobility", database=database), kb.Pn2(leaf="mobility", database=database)]
    for solver in solvers:
        alone = _wall(solver, start)
        for threads in wanted:
            together = _wall(solver.replace(threads=threads), start)
            efficiency = Sample((alone / together / threads,))
            note = f"time to the solution {alone:.2f} s alone, {together:.2f} s together"
            yield Row(GROUP, f"{solver.name}: efficiency of {threads} threads on 7×5", "share", efficiency, note=note)


def _wall(solver: kb.Solver, start: kb.Position) -> float:
    """The best of three times: what the threads find first is chance."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        solver.solve(start)
        times.append(time.perf_counter() - began)
    return min(times)
