"""The table of `kibitz analyze --all`: every algorithm on one position, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

import kibitz as kb
from kibitz.cli.arguments import knows
from kibitz.cli.terminal import counting, duration, err

DEPTH = 4
"""The plies that are searched where nobody gives a limit: alpha-beta and its relatives compare at equal depth."""


@dataclass(frozen=True)
class Compared:
    """What an algorithm found, or why it cannot search this game."""

    algorithm: kb.Algorithm
    report: kb.Report | None = None
    refusal: str = ""

    @property
    def first_move_cuts(self) -> float | None:
        """Of the nodes that were cut, the share in which the first move did it."""
        cuts = self.report.stats.get("cuts", 0) if self.report else 0
        return self.report.stats["first_move_cuts"] / cuts if self.report and cuts else None

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON; `refused` is why there is no report."""
        if self.report is None:
            return {"algorithm": self.algorithm.spec, "refused": self.refusal}
        return {"algorithm": self.algorithm.spec, **self.report.as_dict(), "first_move_cut_rate": self.first_move_cuts}


def compare(pos: kb.Position, algorithms: list[kb.Algorithm]) -> Iterator[Compared]:
    """Searches a position with each of some algorithms, and goes on where one cannot."""
    with counting(err) as bar:
        task = bar.add_task("searching", total=len(algorithms), note="")
        for algorithm in algorithms:
            bar.update(task, note=algorithm.name)
            try:
                yield Compared(algorithm, algorithm.search(pos))
            except kb.NotSupported as error:
                yield Compared(algorithm, refusal=str(error))
            bar.advance(task)


def table(rows: list[Compared]) -> Table:
    """The table, with what distinguishes algorithms of the same name in the last column."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    made.add_column("algorithm", no_wrap=True)
    made.add_column("value", justify="right", no_wrap=True)
    made.add_column("best", no_wrap=True)
    for column in ("nodes", "leaves", "first cut", "time"):
        made.add_column(column, justify="right", no_wrap=True)
    made.add_column("remarks", overflow="fold")
    for row in rows:
        name = Text(row.algorithm.name, style="bold")
        if row.report is None:
            made.add_row(name, *6 * [Text("–")], Text(row.refusal, style="dim"))
            continue
        found, rate = row.report, row.first_move_cuts
        made.add_row(
            name,
            f"{_SIGNS.get(found.bound, '')}{found.value:+.3f}",
            Text("chance" if found.best is None else str(found.best), style="bold green"),
            f"{found.nodes:,}",
            f"{found.stats['leaves']:,.0f}" if "leaves" in found.stats else "–",
            "–" if rate is None else f"{rate:.1%}",
            duration(found.seconds),
            Text(_remarks(row.algorithm, found), style="dim"),
        )
    return made


_SIGNS = {"lower": "≥ ", "upper": "≤ ", "estimate": "~ "}


def _remarks(algorithm: kb.Algorithm, report: kb.Report) -> str:
    if knows(algorithm, "depth") and not report.depth and not report.proven:
        reached = "no depth was finished"
    elif "simulations" in report.stats:
        reached = f"{report.stats['simulations']:,.0f} simulations"
    else:
        reached = f"depth {report.depth}" if report.depth else ""
    given = algorithm.spec.partition(":")[2].split(",")
    parameters = ", ".join(each for each in given if each and each.partition("=")[0] not in _LIMITS)
    return "; ".join(filter(None, ("proven" if report.proven else "", reached, parameters)))


_LIMITS = ("depth", "nodes", "seconds", "simulations")
