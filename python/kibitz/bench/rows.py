"""What a measurement is: samples of ours and theirs, and what was asked for."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal


@dataclass(frozen=True)
class Effort:
    """How long to measure: `rounds` of at least `seconds` each; `quick` is for a first look and for tests.

    `minimax_rs`, `hand_written`, `tracing` and `morpion_solitaire` are where the comparisons with these crates, with a
    search for one game and with one that cannot be traced live; `wheel` and `build` ask for what takes minutes.
    `threads` are the numbers of threads of `parallel`, two and the machine's if empty; `memory_seconds` is how long the
    growth of a search is watched.
    """

    quick: bool = False
    rounds: int = 5
    seconds: float = 0.4
    minimax_rs: Path = Path("benches/minimax-rs")
    hand_written: Path = Path("benches/hand-written")
    tracing: Path = Path("benches/tracing")
    morpion_solitaire: Path = Path("benches/morpion-solitaire")
    wheel: bool = False
    build: bool = False
    threads: tuple[int, ...] = ()
    memory_seconds: float = 10.0

    @classmethod
    def least(cls) -> Effort:
        """The effort of `--quick`."""
        return cls(quick=True, rounds=2, seconds=0.04)


@dataclass(frozen=True)
class Sample:
    """The same quantity, measured several times."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle value."""
        return statistics.median(self.values)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {"median": self.median, "min": min(self.values), "max": max(self.values), "values": list(self.values)}


@dataclass(frozen=True)
class Asked:
    """A bound on our own value or on the ratio to theirs."""

    of: Literal["ours", "ratio"]
    least: float | None = None
    most: float | None = None

    def holds(self, value: float) -> bool:
        """Whether a value is within the bound."""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


@dataclass(frozen=True)
class Row:
    """One line of the table.

    The ratio says how many times better we are: ours over theirs for a rate, theirs over ours for a time. `details` is
    what only the JSON shows.
    """

    group: str
    what: str
    unit: Literal["1/s", "s", "bytes", "share"]
    ours: Sample | None = None
    theirs: Sample | None = None
    peer: str = ""
    asked: Asked | None = None
    note: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        """How many times better ours is than theirs, by the medians."""
        if self.ours is None or self.theirs is None:
            return None
        ours, theirs = self.ours.median, self.theirs.median
        return ours / theirs if self.unit == "1/s" else theirs / ours

    @property
    def ok(self) -> bool | None:
        """Whether what was asked is met; `None` when nothing was asked or it was not measured."""
        if self.asked is None or self.ours is None:
            return None
        value = self.ratio if self.asked.of == "ratio" else self.ours.median
        return None if value is None else self.asked.holds(value)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        asked = self.asked and {"of": self.asked.of, "least": self.asked.least, "most": self.asked.most}
        return {
            "group": self.group,
            "what": self.what,
            "unit": self.unit,
            "ours": self.ours and self.ours.as_dict(),
            "theirs": self.theirs and self.theirs.as_dict(),
            "peer": self.peer,
            "ratio": self.ratio,
            "asked": asked,
            "ok": self.ok,
            "note": self.note,
            "details": self.details,
        }


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keeps the garbage collector of Python out of a measurement, as `timeit` does."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def seconds_of(act: Callable[[], object]) -> float:
    """The processor time that a call takes; unlike the time on the clock it does not count what other programs take."""
    begin = time.process_time()
    act()
    return time.process_time() - begin


def seconds_on_the_clock(act: Callable[[], object]) -> float:
    """The time that a call takes, for calls that start other programs."""
    begin = time.perf_counter()
    act()
    return time.perf_counter() - begin


def rate(work: int, act: Callable[[], object], least: float) -> float:
    """Units of work a second, when a call does `work` of them, over enough calls to take `least` seconds."""
    calls, begin = 0, time.process_time()
    while True:
        act()
        calls += 1
        taken = time.process_time() - begin
        if taken >= least:
            return work * calls / taken


def side_by_side(
    rounds: int, ours: Callable[[], float], theirs: Callable[[], float] | None
) -> tuple[Sample, Sample | None]:
    """Measures both in turns, so that a slow moment of the machine hits both; theirs may be absent."""
    mine: list[float] = []
    other: list[float] = []
    with undisturbed():
        for _ in range(rounds):
            mine.append(ours())
            if theirs is not None:
                other.append(theirs())
    return Sample(tuple(mine)), Sample(tuple(other)) if other else None


def rates(
    effort: Effort, work: int, ours: Callable[[], object], theirs: Callable[[], object] | None
) -> tuple[Sample, Sample | None]:
    """Units of work a second on both sides, when a call of either does `work` of them."""
    return side_by_side(
        effort.rounds,
        lambda: rate(work, ours, effort.seconds),
        None if theirs is None else lambda: rate(work, theirs, effort.seconds),
    )
