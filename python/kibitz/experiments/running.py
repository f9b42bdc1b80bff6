"""Running experiments: every unit's result is stored as it ends, so that a run that was killed goes on where it was."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.errors import BadParameter
from kibitz.experiments.experiment import Experiment, Row, Scale, read_scale

if TYPE_CHECKING:
    from kibitz.store import Store

__all__ = ["Outcome", "Progress", "reproduce", "unit_key"]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """An experiment that has been run: its rows, and what they cost.

    `fresh` is how many of the `units` were run now rather than found in the store; `core_seconds` is the processor
    time of all units, whenever they were run.
    """

    experiment: Experiment
    scale: Scale
    rows: tuple[Row, ...]
    results: tuple[Any, ...]
    units: int
    fresh: int
    core_seconds: float

    def as_dict(self) -> dict[str, Any]:
        """The outcome as plain data, without the results of single units."""
        return {
            "id": self.experiment.id,
            "title": self.experiment.title,
            "paper": self.experiment.paper,
            "table": self.experiment.table,
            "version": self.experiment.version,
            "seed": self.experiment.seed,
            "note": self.experiment.note,
            "scale": self.scale,
            "units": self.units,
            "fresh": self.fresh,
            "core_seconds": self.core_seconds,
            "rows": [row.as_dict() for row in self.rows],
        }


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a run is: units done of all, and the seconds left by what the units were expected to cost."""

    experiment: Experiment | None
    done: int
    units: int
    seconds_left: float


@dataclass(frozen=True)
class _Task:
    """A unit that is still to be run, with its place and its share of the expected time."""

    plan: int
    place: int
    key: str
    seconds: float


class _Plan:
    """An experiment under way: its units, their keys, and the results so far."""

    def __init__(self, experiment: Experiment, scale: Scale, store: Store, fresh: bool) -> None:
        self.experiment = experiment
        self.scale: Scale = scale
        self.units = experiment.units(scale)
        if not self.units:
            raise BadParameter(f"{experiment.id} has no units at the scale {scale}")
        self.keys = [unit_key(experiment, unit) for unit in self.units]
        if len(set(self.keys)) < len(self.keys):
            raise BadParameter(f"{experiment.id} has the same unit twice at the scale {scale}; give each its own seed")
        self.run = _run(store, experiment, fresh)
        known = store.results(self.run)
        self.found: dict[str, dict[str, Any]] = {key: known[key] for key in self.keys if key in known}
        self.missing = len(self.keys) - len(self.found)

    def outcome(self) -> Outcome:
        values = [self.found[key] for key in self.keys]
        results = tuple(each["result"] for each in values)
        return Outcome(
            experiment=self.experiment,
            scale=self.scale,
            rows=tuple(self.experiment.summarize(self.scale, results)),
            results=results,
            units=len(results),
            fresh=self.missing,
            core_seconds=math.fsum(each["seconds"] for each in values),
        )


def reproduce(
    chosen: Sequence[Experiment],
    scale: Scale = "quick",
    *,
    store: Store,
    workers: int | None = None,
    on: str = "local",
    fresh: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> Iterator[Outcome]:
    """Runs experiments and yields the outcome of each as it ends.

    Results of units are kept in `store` at once; whatever is there already is not run again, unless `fresh` asks for
    it. `workers` and `on` are those of `kibitz.arena.executor.execute`. What a unit raises comes out here.
    """
    read_scale(scale)
    from kibitz.arena.executor import cores, execute

    plans = [_Plan(each, scale, store, fresh) for each in chosen]
    tasks = [
        _Task(number, place, key, plan.experiment.seconds[scale] / len(plan.keys))
        for number, plan in enumerate(plans)
        for place, key in enumerate(plan.keys)
        if key not in plan.found
    ]
    total = sum(len(plan.keys) for plan in plans)
    left = math.fsum(task.seconds for task in tasks)
    clock = _Clock(left, workers or cores())

    def tell(experiment: Experiment | None, seconds_left: float) -> None:
        if progress is not None:
            done = sum(len(plan.found) for plan in plans)
            progress(Progress(experiment=experiment, done=done, units=total, seconds_left=seconds_left))

    tell(None, clock.left())
    for plan in plans:
        if not plan.missing:
            yield plan.outcome()
    # One pool for everything, so that no core waits for the last unit of each experiment.
    work = ((plans[task.plan].experiment.run, plans[task.plan].units[task.place]) for task in tasks)
    for number, value in execute(_measure, work, workers=workers, on=on) if tasks else ():
        task = tasks[number]
        plan = plans[task.plan]
        store.add_result(plan.run, task.key, value)
        plan.found[task.key] = value
        clock.spent(task.seconds)
        tell(plan.experiment, clock.left())
        if len(plan.found) == len(plan.keys):
            yield plan.outcome()


class _Clock:
    """The time left: the expected time of what is to do, corrected by how the expected time of what is done held."""

    def __init__(self, expected: float, workers: int) -> None:
        self._todo = expected
        self._done = 0.0
        self._start = time.monotonic()
        self._workers = workers

    def spent(self, expected: float) -> None:
        self._todo -= expected
        self._done += expected

    def left(self) -> float:
        pace = (time.monotonic() - self._start) / self._done if self._done > 0 else 1 / self._workers
        return max(0.0, self._todo * pace)


def _measure(task: tuple[Callable[[Any], Any], Any]) -> dict[str, Any]:
    run, unit = task
    before = time.process_time()
    result = run(unit)
    # Through JSON and back, so that a result is the same whether it comes from here or from the store.
    return {"result": json.loads(json.dumps(result)), "seconds": time.process_time() - before}


def unit_key(experiment: Experiment, unit: Any) -> str:
    """The name of a unit in a store: a hash of the experiment's id and version and of the unit."""
    try:
        text = json.dumps([experiment.id, experiment.version, unit], sort_keys=True)
    except (TypeError, ValueError) as error:
        raise BadParameter(f"a unit of {experiment.id} is not plain JSON data: {error}") from None
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _run(store: Store, experiment: Experiment, fresh: bool) -> int:
    """The run of a store that has the results: the last attempt, or a new one when everything is measured again.

    Results of another version of kibitz do not count: it may search differently.
    """
    base = {"experiment": experiment.id, "version": experiment.version, "kibitz": kb.__version__}
    attempts = [
        run.spec["attempt"] for run in store.runs() if {**run.spec, "attempt": None} == {**base, "attempt": None}
    ]
    attempt = max(attempts) + fresh if attempts else 1
    name = f"reproduce {experiment.id} version {experiment.version}, kibitz {kb.__version__}, attempt {attempt}"
    return store.run(name, {**base, "attempt": attempt})
