"""One published table, measured again. Results of units are kept in a store, so that a run goes on where it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kibitz.experiments import experiment, reproduce
from kibitz.experiments.experiment import read_scale
from kibitz.experiments.report import row_texts, tally
from kibitz.experiments.running import Progress
from kibitz.store import Store


def run(payload: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Runs the experiment `id` at `scale` with the results in the store at `path`."""
    chosen, scale = experiment(payload["id"]), read_scale(payload["scale"])

    def tell(step: Progress) -> None:
        report({"type": "units", "done": step.done, "units": step.units, "seconds_left": step.seconds_left})

    threads = payload["caps"]["threads"]
    with Store.open(Path(payload["path"])) as store:
        # one process needs no others
        workers = 0 if threads == 1 else threads
        (outcome,) = reproduce([chosen], scale, store=store, workers=workers, progress=tell)
    plot = None
    if chosen.plot is not None:
        from kibitz import plots

        plot = plots.svg(chosen.plot(outcome.results))
    rows = [[row.label, *row_texts(row), row.verdict, row.why] for row in outcome.rows]
    return {
        "id": chosen.id,
        "scale": scale,
        "rows": rows,
        "tally": tally(outcome.rows),
        "units": outcome.units,
        "core_seconds": outcome.core_seconds,
        "version": chosen.version,
        "plot": plot,
    }
