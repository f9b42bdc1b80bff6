"""Retrograde analysis: positions a second on one thread, and the time to solve a small game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import kibitz as kb
from kibitz.bench.rows import Asked, Effort, Row, Sample
from kibitz.bench.tic_tac_toe import TicTacToe

ANCHORS = "Pentago 2.1 million a thread, checkers about 2 million a machine, awari 34 thousand a processor"


def _solved(effort: Effort, solve: Callable[[], kb.StrongSolution]) -> tuple[Sample, Sample]:
    """Positions a second, symmetric ones once, and seconds."""
    solve()
    found = [solve() for _ in range(effort.rounds)]
    rates = Sample(tuple(solution.nodes / solution.seconds for solution in found))
    return rates, Sample(tuple(solution.seconds for solution in found))


def rows(effort: Effort) -> Iterator[Row]:
    """Positions a second of a large game, of a small one and of one in Python, and the time of the small one."""
    pieces = 3 if effort.quick else 5
    fanorona = kb.Retrograde(kb.game("fanorona"), pieces=pieces, distances=None, threads=1)
    rate, _ = _solved(effort, fanorona.solve)
    what = f"retrograde analysis, fanorona 5x9 up to {pieces} pieces, positions"
    yield Row("solve", what, "1/s", rate, note=ANCHORS)
    rate, seconds = _solved(effort, kb.Retrograde(kb.game("dao"), threads=1).solve)
    yield Row("solve", "retrograde analysis, dao with distances, positions", "1/s", rate)
    yield Row("solve", "dao strongly solved", "s", seconds, asked=Asked("ours", most=1.0))
    rate, _ = _solved(effort, kb.Retrograde(TicTacToe()).solve)
    yield Row("solve", "retrograde analysis, tic-tac-toe in Python, positions", "1/s", rate)
