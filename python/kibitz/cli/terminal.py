"""The terminal: consoles, numbers, JSON, and bars for work that is counted or only estimated."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn, TimeElapsedColumn
from rich.progress_bar import ProgressBar
from rich.text import Text

# Without emoji: the names of players, moves and positions may well contain `:x:`, and are printed as they are.
out = Console(highlight=False, emoji=False)
err = Console(highlight=False, emoji=False, stderr=True)


def print_json(value: Any) -> None:
    """Prints plain data as JSON that every reader accepts: numbers without end become null."""
    out.print(json.dumps(_finite(value), indent=2, ensure_ascii=False), markup=False, soft_wrap=True)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def reason(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"cannot use {error.filename}: {error.strerror.lower()}; choose another file"
    return " ".join(str(error).split())


def amount(number: float) -> str:
    """A large number at a glance: 8.1 M."""
    if not math.isfinite(number):
        return "–"
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.1f} {letter}"
    return f"{number:.0f}"


def counted(number: int, noun: str) -> str:
    """A number of things: 1 node, 2 nodes."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """A time at a glance: 12 µs, 3.4 ms, 1.25 s."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def span(seconds: float) -> str:
    """A stretch of time as on a watch: 0:42, 1:03:20."""
    if not math.isfinite(seconds):
        return "–"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class _Clock(BarColumn):
    """A bar that follows the clock, for a single call that reports nothing until it returns."""

    def render(self, task: Task) -> ProgressBar:
        known = task.total is not None
        return ProgressBar(
            total=task.total if known else 100,
            completed=min(task.elapsed or 0.0, task.total or 0.0),
            width=40,
            pulse=not known,
            animation_time=task.get_time(),
        )


class _Left(ProgressColumn):
    def render(self, task: Task) -> Text:
        if task.total is None:
            return Text("")
        return Text(f"of about {duration(max(task.total, task.elapsed or 0.0))}", style="dim")


@contextmanager
def working(label: str, seconds: float | None = None, console: Console = err) -> Iterator[None]:
    """Shows a bar while the body runs, against the time that it is expected to take, if anything is."""
    if not console.is_terminal:
        yield
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), _Clock(), TimeElapsedColumn(), _Left())
    with Progress(*columns, console=console, transient=True) as bar:
        bar.add_task(label, total=seconds)
        yield


def counting(console: Console, transient: bool = True) -> Progress:
    """A bar for work that is counted, with the time left."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", markup=False, style="dim"),
        console=console,
        transient=transient,
        disable=transient and not console.is_terminal,
    )
