"""What an experiment is: a published table as data, the units that measure it again, and how to judge them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from kibitz.arena.statistics import Interval
from kibitz.errors import BadParameter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["SCALES", "Experiment", "Row", "Scale", "SelfCheck", "Value", "Verdict", "read_scale"]

Scale = Literal["quick", "standard", "full"]
SCALES: tuple[Scale, ...] = ("quick", "standard", "full")
"""`quick` takes at most ten core-seconds, `standard` a quarter of an hour on two cores, `full` is the paper's own."""


def read_scale(text: str) -> Scale:
    """The scale of a text."""
    for scale in SCALES:
        if scale == text:
            return scale
    raise BadParameter(f"no scale {text!r}; there are {', '.join(SCALES)}")


Verdict = Literal["agrees", "same direction", "differs", "holds", "fails", "measured"]
"""`holds` and `fails` are for self-checks; `measured` is a number that nobody has published."""

Value = float | str | None


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of a report: what was published beside what was measured, and what that means.

    `interval` is where the published value may lie if it is true, given what was measured. Whatever is not agreement
    says why. The functions of `kibitz.experiments.judging` make rows.
    """

    label: str
    published: Value = None
    measured: Value = None
    interval: Interval | None = None
    verdict: Verdict
    why: str = ""

    def __post_init__(self) -> None:
        if self.verdict in ("same direction", "differs", "fails") and not self.why:
            raise BadParameter(f"the row {self.label!r} is judged {self.verdict!r} and must say why")

    def as_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        interval = None if self.interval is None else [self.interval.low, self.interval.high]
        return {**vars(self), "interval": interval}


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A published table and how to measure it again.

    - `id`: how the command line names it, such as `rutko-table-3`; `title`;
    - `paper`: its citation; `table`: where in it;
    - `units(scale)`: what is to be run, each unit plain JSON data with everything in it, its seed too; units that two
      scales share are run once;
    - `run(unit)`: a pure function of a unit, at the top level of its module so that other processes find it; its result
      is plain JSON data;
    - `summarize(scale, results)`: the rows, from the results in the order of the units;
    - `plot(results)`: a figure, if one says more than the rows;
    - `seconds`: the core-seconds expected at each scale;
    - `seed`: the first seed of the units, `None` where nothing is random;
    - `version`: to be raised when a unit means something else than before, so that stored results do not count;
    - `note`: what a reader of the report has to know, such as what the paper leaves open.
    """

    id: str
    title: str
    paper: str
    table: str
    units: Callable[[Scale], Sequence[Any]]
    run: Callable[[Any], Any]
    summarize: Callable[[Scale, Sequence[Any]], Sequence[Row]]
    seconds: Mapping[Scale, float]
    plot: Callable[[Sequence[Any]], Figure] | None = None
    seed: int | None = None
    version: int = 1
    note: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", self.id):
            raise BadParameter(f"the id {self.id!r} of an experiment is lower-case words joined by hyphens")
        if set(self.seconds) != set(SCALES):
            raise BadParameter(f"{self.id} needs the expected core-seconds of the scales {', '.join(SCALES)}")


@dataclass(frozen=True, kw_only=True)
class SelfCheck:
    """A statement that must hold without exception, such as "alpha-beta equals minimax", over many cases.

    `cases(scale)` are its units, `check(case)` returns nothing where the statement holds and otherwise a sentence
    about the case where it fails. It is run and reported as an experiment whose table has one row.
    """

    id: str
    statement: str
    cases: Callable[[Scale], Sequence[Any]]
    check: Callable[[Any], str | None]
    seconds: Mapping[Scale, float]
    paper: str = "An identity"
    seed: int | None = None
    version: int = 1
    note: str = ""

    def experiment(self) -> Experiment:
        """The self-check as an experiment."""
        return Experiment(
            id=self.id,
            title=self.statement,
            paper=self.paper,
            table="self-check",
            units=self.cases,
            run=self.check,
            summarize=self.judge,
            seconds=self.seconds,
            seed=self.seed,
            version=self.version,
            note=self.note,
        )

    def judge(self, scale: Scale, failures: Sequence[str | None]) -> list[Row]:  # noqa: ARG002
        """One row: in how many cases the statement holds, and the first case where it does not."""
        bad = [each for each in failures if each is not None]
        return [
            Row(
                label=self.statement,
                published=f"all {len(failures):,}",
                measured=f"{len(failures) - len(bad):,} of {len(failures):,} cases",
                verdict="fails" if bad else "holds",
                why=f"it fails in {len(bad):,}; the first: {bad[0]}" if bad else "",
            )
        ]
