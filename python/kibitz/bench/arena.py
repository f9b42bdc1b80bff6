"""The arena: what it costs beside the thinking of the players, and how many short games it gets through."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import kibitz as kb
from kibitz.arena.executor import cores
from kibitz.bench.rows import Asked, Effort, Row, Sample

SHORT_GAMES = Asked("ours", least=20_000 / 60)
"""Random games of tic-tac-toe a second on two cores, each of them written to the store."""
OVERHEAD = Asked("ours", most=0.02)
"""The share of the time that is not the players', at 50 ms a move."""
_MOVE_SECONDS = 0.05


def rows(effort: Effort) -> Iterator[Row]:
    """Short games a second and the overhead of long ones; both with the start of the processes and the store."""
    workers = min(2, cores())
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "games.db"
        games = 2_000 if effort.quick else 100_000
        players = {"a": kb.Random(), "b": kb.Random(seed=1)}
        begin = time.perf_counter()
        kb.match("tic-tac-toe", players, games=games, store=place, workers=workers)
        spent = time.perf_counter() - begin
        note = f"{games:,} games in {spent:.1f} s over {workers} processes, {games / spent * 60:,.0f} a minute"
        what = "random tic-tac-toe games through the arena"
        yield Row("arena", what, "1/s", Sample((games / spent,)), asked=SHORT_GAMES, note=note)
        yield _overhead(effort.quick, workers, place)


def _overhead(quick: bool, workers: int, place: Path) -> Row:
    """Games of equal length, so that no process waits for another at the end. A quick look is mostly their start."""
    games, plies = (2, 10) if quick else (60, 40)
    players = {"a": kb.AlphaBeta(seconds=_MOVE_SECONDS), "b": kb.AlphaBeta(seconds=_MOVE_SECONDS, history=False)}
    begin = time.perf_counter()
    found = kb.match("breakthrough", players, games=games, openings=4, max_plies=plies, store=place, workers=workers)
    spent = (time.perf_counter() - begin) * workers
    thought = sum(each.moves * each.seconds for each in found.standings)
    number = sum(each.moves for each in found.standings)
    note = f"{number:,} moves at 50 ms over {workers} processes in {spent / workers:.1f} s, processes' start included"
    share = Sample((1 - thought / spent,))
    return Row(
        "arena", "overhead of the arena at 50 ms a move", "share", share, asked=None if quick else OVERHEAD, note=note
    )
