"""`kibitz analyze`: searches of one position, as they think."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

import kibitz as kb
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
from kibitz.cli.terminal import amount, duration, err, out, print_json

_DEFAULT = ["alphabeta", "uct"]
_LIMITS = ("depth", "nodes", "simulations", "seconds")

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
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Plies, for all that know depth.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Nodes, for all.")] = None,
    simulations: Annotated[
        int | None, typer.Option("--simulations", "-s", help="Simulations, for all that know them.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", "-t", help="Seconds for each.")] = None,
    json: Json = False,
) -> None:
    """Search a position with one or several algorithms (alphabeta and uct, 2 seconds each, if none is named)."""
    rules = read_game(game)
    pos = read_position(rules, position)
    chosen = read_algorithms(algorithms or _DEFAULT, depth=depth, nodes=nodes, simulations=simulations, seconds=seconds)
    if not algorithms:
        chosen = [each if _limited(each) else each.replace(seconds=2.0) for each in chosen]
    blocks = [_Block(each) for each in chosen]
    console = err if json else out
    if not json:
        out.print(pos.board(), markup=False, soft_wrap=True)
        out.print(Text(f"{game_text(rules, game)}  {pos}", style="dim"), soft_wrap=True)
    live = Live(_Blocks(blocks), console=console, refresh_per_second=8, transient=json)
    with live if console.is_terminal else nullcontext():
        for block in blocks:
            try:
                block.search(pos)
            except kb.NotSupported as error:
                # Who named no algorithm gets what the game allows.
                if algorithms or (block is blocks[-1] and not any(each.report for each in blocks)):
                    raise
                block.refusal = str(error)
    reports = [(block.algorithm, block.report) for block in blocks if block.report]
    if json:
        where = {"game": game_text(rules, game), "position": str(pos)}
        print_json([{"algorithm": each.spec, **where, **report.as_dict()} for each, report in reports])
        return
    if not console.is_terminal:
        out.print(_Blocks(blocks))
    for each, report in reports:
        out.print(_summary(each, report), soft_wrap=True)


def _limited(algorithm: kb.Algorithm) -> bool:
    return any(knows(algorithm, name) and getattr(algorithm, name) is not None for name in _LIMITS)


def _summary(algorithm: kb.Algorithm, report: kb.Report) -> Text:
    certainty = "proven" if report.proven else f"at depth {report.depth}" if report.bound == "exact" else report.bound
    return Text.assemble(
        (f"{algorithm.name} ", "bold"),
        ("nothing to play" if report.best is None else str(report.best), "bold green"),
        f"  {report.value:+.3f} {certainty}; {report.nodes:,} nodes in {duration(report.seconds)}; ",
        (" ".join(map(str, report.pv)), "cyan"),
    )


class _Block:
    """One algorithm with the steps of its search so far."""

    def __init__(self, algorithm: kb.Algorithm) -> None:
        self.algorithm = algorithm
        self.steps: list[kb.Iteration] = []
        self.report: kb.Report | None = None
        self.refusal = ""
        self.began: float | None = None

    def search(self, pos: kb.Position) -> None:
        """Searches, and collects the steps as they come."""
        self.began = time.perf_counter()
        self.report = self.algorithm.search(pos, progress=self.steps.append)
        last = self.report
        self.steps = list(last.history)
        simulations = int(last.stats.get("simulations", 0))
        if not self.steps or (simulations and self.steps[-1].depth != simulations):
            self.steps.append(kb.Iteration(simulations or last.depth, last.value, last.nodes, last.seconds, last.pv))

    def table(self, rows: int | None) -> RenderableType:
        """The steps, or the last few of them."""
        unit = "simulations" if knows(self.algorithm, "simulations") else "depth"
        table = Table(title=self.algorithm.spec, title_justify="left", title_style="bold", caption=self._state())
        table.caption_justify = "left"
        for column in (unit, "value", "nodes", "nodes/s", "time"):
            table.add_column(column, justify="right", no_wrap=True)
        table.add_column("principal variation", no_wrap=True, overflow="ellipsis", style="cyan")
        for step in self.steps[-rows:] if rows else self.steps:
            table.add_row(
                f"{step.depth:,}",
                f"{step.value:+.3f}",
                f"{step.nodes:,}",
                amount(step.nodes / step.seconds) if step.seconds else "–",
                duration(step.seconds),
                Text(" ".join(map(str, step.pv))),
            )
        return table

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
