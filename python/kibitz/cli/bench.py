"""`kibitz bench`: how fast everything is, side by side with others."""

from __future__ import annotations

import dataclasses
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

import kibitz as kb
from kibitz.cli.arguments import Json
from kibitz.cli.terminal import amount, counting, duration, err, out, print_json

if TYPE_CHECKING:
    from kibitz.bench import Asked, Effort, Row


def bench(
    subjects: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SUBJECT]…", help="What to measure, such as uct perft (all).", show_default=False),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A first look, in less than 20 seconds.")] = False,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="NAME,…", help="The same with commas: uct,perft.", show_default=False),
    ] = None,
    minimax_rs: Annotated[
        Path, typer.Option("--minimax-rs", metavar="PATH", help="The comparison with the Rust crate minimax.")
    ] = Path("benches/minimax-rs"),
    hand_written: Annotated[
        Path, typer.Option("--hand-written", metavar="PATH", help="The comparison with a search written for one game.")
    ] = Path("benches/hand-written"),
    tracing: Annotated[
        Path, typer.Option("--tracing", metavar="PATH", help="The comparison with searches that cannot be traced.")
    ] = Path("benches/tracing"),
    morpion_solitaire: Annotated[
        Path,
        typer.Option("--morpion-solitaire", metavar="PATH", help="The comparison with the crate morpion-solitaire."),
    ] = Path("benches/morpion-solitaire"),
    wheel: Annotated[bool, typer.Option("--wheel", help="Also build a wheel and tell its size.")] = False,
    build: Annotated[bool, typer.Option("--build", help="Also time a clean release build.")] = False,
    threads: Annotated[
        str | None,
        typer.Option("--threads", metavar="N,…", help="The numbers of threads of `parallel`.", show_default=False),
    ] = None,
    memory_seconds: Annotated[
        float, typer.Option("--memory-seconds", metavar="S", help="How long to watch the memory of a search.", min=0.1)
    ] = 10.0,
    json: Json = False,
) -> None:
    """Measure speed, side by side with OpenSpiel and the Rust crate minimax where they are at hand."""
    from kibitz.bench import GROUPS, Effort, fingerprint

    asked = [*(subjects or ()), *(name.strip() for name in (only or "").split(",") if name.strip())]
    names = list(GROUPS) if subjects is None and only is None else asked
    for name in names:
        if name not in GROUPS:
            raise kb.BadParameter(f"{name}: no such subject; there are {', '.join(GROUPS)}")
    effort = Effort.least() if quick else Effort()
    effort = dataclasses.replace(
        effort,
        minimax_rs=minimax_rs,
        hand_written=hand_written,
        tracing=tracing,
        morpion_solitaire=morpion_solitaire,
        wheel=wheel,
        build=build,
        threads=_counts(threads),
        memory_seconds=memory_seconds,
    )
    rows = list(_measure(names, effort))
    counts = fingerprint()
    if json:
        print_json({"machine": _machine(), "fingerprint": counts, "rows": [row.as_dict() for row in rows]})
        return
    out.print(_table(rows))
    out.print(
        "Medians of several rounds in which both sides take turns, on one thread; in processor time, but threads, "
        "hand-written, minimax-rs, morpion-solitaire, arena (two processes), parallel and package on the clock.",
        style="dim",
    )
    missed = [row.what for row in rows if row.ok is False]
    if missed:
        out.print(f"Not met: {escape('; '.join(missed))}", style="red")
    out.print(f"Fingerprint {counts['total']}: it changes only when a search or a game behaves differently.")


def _counts(text: str | None) -> tuple[int, ...]:
    """The numbers of threads of a text such as `2,4,8`."""
    parts = [part.strip() for part in (text or "").split(",") if part.strip()]
    if not all(part.isdecimal() and 2 <= int(part) <= 1024 for part in parts):
        raise kb.BadParameter(f"--threads {text}: write numbers from 2 to 1024, such as 2,4,8")
    return tuple(map(int, parts))


def _measure(names: list[str], effort: Effort) -> Iterator[Row]:
    from kibitz.bench import GROUPS

    with counting(err) as bar:
        task = bar.add_task("measuring", total=len(names), note="")
        for name in names:
            bar.update(task, description=f"measuring {name}")
            for row in GROUPS[name](effort):
                bar.update(task, note=row.what)
                yield row
            bar.advance(task)


def _machine() -> dict[str, Any]:
    """Where and with what this was measured."""
    from kibitz.bench import openspiel

    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        models = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        processor = models[0] if models else processor
    return {
        "kibitz": kb.__version__,
        "python": platform.python_version(),
        "openspiel": openspiel.version(),
        "system": platform.system(),
        "processor": processor,
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def _table(rows: list[Row]) -> Table:
    machine = _machine()
    title = f"kibitz {machine['kibitz']} on {machine['processor']}, {machine['cores']} cores"
    table = Table(title=escape(title), title_justify="left")
    table.add_column("what", overflow="fold")
    for column in ("ours", "theirs", "ratio", "asked"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("")
    table.add_column("against, and remarks", style="dim", overflow="fold")
    last = ""
    for row in rows:
        if last and row.group != last:
            table.add_section()
        last = row.group
        remarks = ": ".join(filter(None, (row.peer, row.note)))
        table.add_row(
            escape(row.what),
            _value(row.ours.median if row.ours else None, row.unit),
            _value(row.theirs.median if row.theirs else None, row.unit),
            "" if row.ratio is None else f"{row.ratio:.3g}×",
            "" if row.asked is None else _bound(row.asked, row.unit),
            {True: "[green]✓[/]", False: "[red]✗[/]", None: ""}[row.ok],
            escape(remarks),
        )
    return table


def _value(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    if unit == "s":
        return duration(value)
    if unit == "bytes":
        return f"{value / 1e6:.2f} MB"
    return f"{value:.1%}" if unit == "share" else f"{amount(value)}/s"


def _bound(asked: Asked, unit: str) -> str:
    sign, bound = ("≥", asked.least) if asked.least is not None else ("≤", asked.most)
    return f"{sign} {bound:g}×" if asked.of == "ratio" else f"{sign} {_value(bound, unit)}"
