"""The parameters of SP-MCTS for SameGame by the cross-entropy method (table 3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import mean_interval, moments
from kibitz.experiments.schadd_boards import RESULT_SCALES, SEED, divided
from kibitz.experiments.schadd_samegame import THESIS

__all__ = ["EXPERIMENTS", "RANGES", "Size"]

RANGES: dict[str, str] = {"c": "0:10", "d": "0:200", "threshold": "1:30:int", "w": "0:1", "epsilon": "0:0.01"}
"""Where parameters are looked for. The thesis does not say; these hold its own values and those by hand."""

GAINS = {"game": "", "move": "the thesis gains 64 points with 25,000 playouts a game"}
"""What is published of the difference between tuned parameters and those by hand; for whole games nothing is."""


class Size(NamedTuple):
    """Samples of an iteration, how many are elite, boards, playouts of a game, iterations, and boards to compare on."""

    samples: int
    elite: int
    boards: int
    playouts: int
    iterations: int
    validate: int


SIZES: dict[Scale, Size] = {
    "quick": Size(8, 3, 3, 400, 3, 12),
    "standard": Size(30, 5, 10, 10_000, 8, 100),
    "full": Size(100, 10, 30, 20_000, 15, 250),
}


def _units(scale: Scale) -> list[dict[str, Any]]:
    return [
        {"control": control, "scale": divisor, **SIZES[scale]._asdict()}
        for control in GAINS
        for divisor in RESULT_SCALES
    ]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """One run of the cross-entropy method in this process, and the comparison with the parameters by hand."""
    search = kb.SpMcts(control=unit["control"], result_scale=unit["scale"], simulations=unit["playouts"])

    def score(parameters: Mapping[str, float], seed: int) -> float:
        start = kb.game("samegame", seed=derive(seed, "board") >> 1).start()
        return search.replace(**parameters, seed=derive(seed, "random numbers")).search(start).value

    found = kb.tune(
        score,
        vary=RANGES,
        samples=unit["samples"],
        elite=unit["elite"],
        positions=unit["boards"],
        iterations=unit["iterations"],
        seed=derive(SEED, unit["control"], unit["scale"]),
        validate=0,
        workers=0,
    )
    manual = {row["parameter"]: float(row["manual"]) for row in data.read("schadd-table-3-4")}
    manual["threshold"] = int(manual["threshold"])
    seeds = [derive(SEED, "validation", index) for index in range(unit["validate"])]
    gains = [score(found.parameters, seed) - score(manual, seed) for seed in seeds]
    return {
        **unit,
        "parameters": dict(found.parameters),
        "sigma": dict(found.history[-1].sigma),
        "elite fitness": [each.elite_fitness for each in found.history],
        "gains": gains,
    }


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    table = {row["parameter"]: row for row in data.read("schadd-table-3-4")}
    rows = []
    for each in results:
        title = f"{each['control']}, {divided(each['scale'])}"
        for name, row in table.items():
            value, sigma = each["parameters"][name], each["sigma"][name]
            rows.append(
                Row(
                    label=f"time per {title}: {name}",
                    published=float(row[each["control"]]),
                    measured=float(f"{value:.3g}"),
                    verdict="measured",
                    why=f"the samples still have a deviation of {sigma:.2g}; by hand {row['manual']}",
                )
            )
        value, deviation, count = moments(each["gains"])
        interval = mean_interval(value, deviation, count)
        label = f"time per {title}: tuned less by hand, {each['playouts']:,} playouts on {count} other boards"
        why = GAINS[each["control"]]
        rows.append(Row(label=label, measured=value, interval=interval, verdict="measured", why=why))
    return rows


EXPERIMENTS = (
    Experiment(
        id="schadd-cross-entropy",
        title="SP-MCTS in SameGame: parameters by the cross-entropy method",
        paper=THESIS,
        table="Table 3.4",
        units=_units,
        run=_run,
        summarize=_rows,
        seconds={"quick": 8, "standard": 1700, "full": 150_000},
        seed=SEED,
        note="A unit is a whole run, since each iteration needs the one before it. The thesis had 100 samples, 10 "
        "elite ones and 30 games of a minute, which is about 300,000 playouts; its ranges and the number of "
        "iterations are not given. Different parameters may be equally good: what counts is the comparison "
        "on other boards.",
    ),
)
