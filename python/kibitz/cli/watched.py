"""A solver at work, with the numbers of its root on the screen."""

from __future__ import annotations

import time
from contextlib import nullcontext

from rich.live import Live
from rich.text import Text

import kibitz as kb
from kibitz.cli.terminal import amount, err, span
from kibitz.solve import Solver


def watched(solver: Solver, pos: kb.Position, about: str = "") -> kb.Solution:
    """The solution of a position; Ctrl-C leaves the last numbers on the screen. `about` tells it from others."""
    watcher = _Watcher(solver, about)
    try:
        with Live(watcher, console=err, refresh_per_second=8, transient=True) if err.is_terminal else nullcontext():
            return solver.solve(pos, progress=watcher.tell)
    except KeyboardInterrupt:
        err.print(watcher.__rich__(), soft_wrap=True)
        raise


class _Watcher:
    """The numbers of the root while a search goes on."""

    def __init__(self, solver: Solver, about: str) -> None:
        self.solver = solver
        self.name = f"{solver.name} {about}".strip()
        self.began = time.perf_counter()
        self.point: kb.RootNumbers | None = None

    def tell(self, point: kb.RootNumbers) -> None:
        """Takes the numbers of the root."""
        self.point = point

    def __rich__(self) -> Text:
        elapsed = time.perf_counter() - self.began
        if self.point is None:
            return Text(f"{self.name}  {span(elapsed)}")
        asked = "a win?" if self.point.at_least == "win" else "a draw at least?"
        speed = amount(self.point.nodes / self.point.seconds) if self.point.seconds > 0 else "–"
        limit = "" if self.solver.seconds is None else f" of {span(self.solver.seconds)}"
        return Text.assemble(
            (f"{self.name}  ", "bold"),
            (asked, "bold green"),
            f"  proof {self.point.proof:,}  disproof {self.point.disproof:,}",
            f"  {amount(self.point.nodes)} nodes, {speed}/s  {span(elapsed)}{limit}",
        )
