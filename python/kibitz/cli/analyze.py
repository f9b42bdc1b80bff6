"""`kibitz analyze`: searches of one position, as they think."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Annotated

import typer
from rich import box
from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

import kibitz as kb
from kibitz.cli import comparison
from kibitz.cli.arguments import (
    GameText,
    Json,
    PositionText,
    game_text,
    knows,
    read_algorithms,
    read_game,
    read_position,
)
from kibitz.cli.show import result_text
from kibitz.cli.terminal import amount, counted, duration, err, out, print_json

_DEFAULT = ["alphabeta", "uct"]
_LIMITS = ("depth", "nodes", "simulations", "seconds")
_SECONDS = 2

With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        "-w",
        metavar="ALGO,…",
        help="Algorithms, such as alphabeta:depth=8,tt_mb=64,uct:simulations=5000; may be repeated.",
        show_default=False,
    ),
]


def analyze(
    game: GameText,
    position: PositionText = None,
    algorithms: With = None,
    compare_all: Annotated[
        bool, typer.Option("--all", "-a", help="Compare all algorithms, and those of --with, in one table.")
    ] = False,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Plies, for all that know depth.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Nodes, for all.")] = None,
    simulations: Annotated[
        int | None, typer.Option("--simulations", "-s", help="Simulations, for all that know them.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", "-t", help="Seconds for each.")] = None,
    json: Json = False,
) -> None:
    """Search a position with one or several algorithms (alphabeta and uct), 2 seconds each if nothing limits them.

    With --all every algorithm searches it, 4 plies where nothing else is said, and what they found stands side by side.
    """
    rules = read_game(game)
    pos = read_position(rules, position)
    limits: dict[str, float | None] = {"depth": depth, "nodes": nodes, "simulations": simulations, "seconds": seconds}
    if compare_all and all(value is None for value in limits.values()):
        limits |= {"depth": comparison.DEPTH, "seconds": _SECONDS}
    named = [*(kb.algorithms() if compare_all else []), *(algorithms or ([] if compare_all else _DEFAULT))]
    chosen = read_algorithms(named, **limits)
    if not json:
        out.print(pos.board(), markup=False, soft_wrap=True)
        out.print(Text(f"{game_text(rules, game)}  {pos}", style="dim"), soft_wrap=True)
        if pos.over:
            out.print(f"the game is over: {result_text(pos.result or ())}", markup=False, soft_wrap=True)
            return
    where = {"game": game_text(rules, game), "position": str(pos)}
    if compare_all:
        limited = [each.replace(seconds=_SECONDS) if _endless(each) else each for each in chosen]
        compared = list(comparison.compare(pos, limited))
        if json:
            print_json([{**where, **each.as_dict()} for each in compared])
        else:
            out.print(comparison.table(compared))
        return
    console = err if json else out
    lines = not (json or console.is_terminal)
    blocks = [_Block(each, _print_line if lines else None) for each in chosen]
    live = Live(_Blocks(blocks), console=console, refresh_per_second=8, transient=json)
    with live if console.is_terminal else nullcontext():
        for block in blocks:
            try:
                block.search(pos)
            except kb.NotSupported as error:
                # Who named no algorithm gets what the game allows.
                if algorithms or (block is blocks[-1] and not any(each.report for each in blocks)):
                    raise
                block.refuse(str(error))
    reports = [(block.algorithm, block.report) for block in blocks if block.report]
    if json:
        print_json([{"algorithm": each.spec, **where, **report.as_dict()} for each, report in reports])
        return
    out.print()
    for each, report in reports:
        out.print(_summary(each, report), soft_wrap=True)


def _endless(algorithm: kb.Algorithm) -> bool:
    """Whether nothing limits a search. A random move needs no limit."""
    given = (getattr(algorithm, name) for name in _LIMITS if knows(algorithm, name))
    return not isinstance(algorithm, kb.Random) and all(value is None for value in given)


def _summary(algorithm: kb.Algorithm, report: kb.Report) -> Text:
    certainty = "proven" if report.proven else f"at depth {report.depth}" if report.bound == "exact" else report.bound
    if knows(algorithm, "depth") and not report.depth and not report.proven:
        certainty += ", as no depth was finished; set a smaller depth or a higher limit"
    found = Text.assemble(
        (f"{algorithm.name} ", "bold"),
        ("chance moves" if report.best is None else str(report.best), "bold green"),
        f"  {report.value:+.3f} {certainty}; {counted(report.nodes, 'node')} in {duration(report.seconds)}",
    )
    return found.append("; ").append(" ".join(map(str, report.pv)), "cyan") if report.pv else found


def _print_line(line: Text) -> None:
    """Prints a line at once; the console itself does not ask a text whether it is to be cut."""
    out.print(line, no_wrap=line.no_wrap, overflow=line.overflow)


# The least widths of lines that are printed before the next ones are known; a table has its natural ones.
_WIDTHS = (5, 6, 11, 7, 8)


class _Block:
    """One algorithm with the steps of its search so far, each told as a line if someone asks for lines."""

    def __init__(self, algorithm: kb.Algorithm, tell: Callable[[Text], None] | None) -> None:
        self.title = Text(algorithm.spec, style="bold")
        if _endless(algorithm):
            algorithm = algorithm.replace(seconds=_SECONDS)
            self.title = Text.assemble((algorithm.spec, "bold"), (f"  (no limit was given: {_SECONDS} seconds)", "dim"))
        unit = "simulations" if knows(algorithm, "simulations") else "depth"
        self.columns = (unit, "value", "nodes", "nodes/s", "time", "principal variation")
        self.algorithm = algorithm
        self.tell = tell
        self.steps: list[kb.Iteration] = []
        self.report: kb.Report | None = None
        self.refusal = ""
        self.began: float | None = None

    def search(self, pos: kb.Position) -> None:
        """Searches, and collects the steps as they come."""
        if self.tell:
            self.tell(Text())
            self.tell(self.title)
        self.began = time.perf_counter()
        last = self.algorithm.search(pos, progress=self._add)
        simulations = int(last.stats.get("simulations", 0))
        if not self.steps or (simulations and self.steps[-1].depth != simulations):
            self._add(kb.Iteration(simulations or last.depth, last.value, last.nodes, last.seconds, last.pv))
        self.report = last

    def refuse(self, why: str) -> None:
        """Notes that the algorithm cannot search this game."""
        self.refusal = why
        if self.tell:
            self.tell(Text(why))

    def table(self, rows: int | None) -> RenderableType:
        """The steps, or the last few of them."""
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        *numbers, variation = self.columns
        for column in numbers:
            table.add_column(column, justify="right", no_wrap=True)
        # Rich narrows the columns that may wrap before all others; the texts in this one are cut instead.
        table.add_column(Text(variation, no_wrap=True, overflow="ellipsis"))
        for step in self.steps[-rows:] if rows else self.steps:
            *cells, moves = self._cells(step)
            table.add_row(*cells, Text(moves, "cyan", no_wrap=True, overflow="ellipsis"))
        state = self._state()
        return Group(Text(), self.title, *([] if self.refusal else [table]), *([state] if state else []))

    def _add(self, step: kb.Iteration) -> None:
        self.steps.append(step)
        if self.tell:
            if len(self.steps) == 1:
                self.tell(self._line(self.columns))
            self.tell(self._line(self._cells(step)))

    def _cells(self, step: kb.Iteration) -> tuple[str, ...]:
        return (
            f"{step.depth:,}",
            f"{step.value:+.3f}",
            f"{step.nodes:,}",
            amount(step.nodes / step.seconds) if step.seconds else "–",
            duration(step.seconds),
            " ".join(map(str, step.pv)),
        )

    def _line(self, cells: tuple[str, ...]) -> Text:
        widths = (max(_WIDTHS[0], len(self.columns[0])), *_WIDTHS[1:])
        numbers = [cell.rjust(width) for cell, width in zip(cells[:-1], widths, strict=True)]
        return Text("  ".join([*numbers, cells[-1]]), no_wrap=True, overflow="ellipsis")

    def _state(self) -> Text | None:
        if self.refusal:
            return Text(self.refusal)
        if self.report or self.began is None:
            return None
        elapsed = time.perf_counter() - self.began
        limit = f" of {self.algorithm.seconds:g} s" if self.algorithm.seconds else ""
        return Text(f"thinking {elapsed:.1f} s{limit}")


class _Blocks:
    """All blocks, drawn anew at every refresh so that clocks run; while searching only what fits on the screen."""

    def __init__(self, blocks: list[_Block]) -> None:
        self.blocks = blocks

    def __rich__(self) -> RenderableType:
        done = all(block.report or block.refusal for block in self.blocks)
        rows = None if done else max(3, out.height // len(self.blocks) - 7)
        return Group(*(block.table(rows) for block in self.blocks))
