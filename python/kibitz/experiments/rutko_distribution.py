"""The distribution of minimax values in random trees, computed: Table 5 of Rutko's thesis and its separation values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import exactly
from kibitz.experiments.rutko_statistics import THESIS
from kibitz.random_trees import value_distribution

__all__ = ["EXPERIMENTS"]

WIDTH, DEPTH = 2, 14
LEVELS = (1, 2, 3, 14)

TABLE_5 = {
    1: (0.02484375, 0.00061721, 0.00123404, 0.0),
    2: (0.049375, 0.00243789, 0.00486984, 0.0),
    3: (0.07359375, 0.00541604, 0.01080275, 0.0),
    80: (1.0, 1.0, 1.0, 1.0),
}
"""P(value < x) at the levels 1 (least), 2 (greatest), 3 and 14 (the root), with F(x) = x/80 at the leaves."""

SEPARATION = {"first": 30, "then, both below": 29, "then, both at or above": 31}
"""The separation values of the thesis, from the same distribution."""


def _units(scale: Scale) -> list[dict[str, int]]:  # noqa: ARG001
    # As in the thesis, and for the 81 values that leaves from 0 to 80 really have.
    return [{"values": 80}, {"values": 81}]


def _run(unit: dict[str, int]) -> dict[str, Any]:
    values = unit["values"]
    levels = [value_distribution(width=WIDTH, depth=DEPTH, values=values, level=level) for level in LEVELS]
    children = value_distribution(width=WIDTH, depth=DEPTH, values=values, level=DEPTH - 1)
    first = children.separation_value(WIDTH)
    brackets = {"first": (0, values), "then, both below": (0, first), "then, both at or above": (first, values)}
    return {
        "table": [[level.below(x) for level in levels] for x in TABLE_5],
        "separation": {name: children.separation_value(WIDTH, *bracket) for name, bracket in brackets.items()},
        "probability": {
            name: [children.separation(WIDTH, SEPARATION[name], *bracket), _best(children, bracket)]
            for name, bracket in brackets.items()
        },
    }


def _best(children: Any, bracket: tuple[int, int]) -> float:
    best: float = children.separation(WIDTH, children.separation_value(WIDTH, *bracket), *bracket)
    return best


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    thesis, exact = results
    rows = [
        exactly(f"x = {x}, level {level}", published, measured, places=8)
        for (x, line), found in zip(TABLE_5.items(), thesis["table"], strict=True)
        for level, published, measured in zip(LEVELS, line, found, strict=True)
    ]
    for name, value in SEPARATION.items():
        rows.append(exactly(f"separation value with F(x) = x/80, {name}", value, thesis["separation"][name]))
    for name, value in SEPARATION.items():
        found = exact["separation"][name]
        theirs, best = exact["probability"][name]
        why = (
            f"leaves from 0 to 80 have 81 values where the thesis divides by 80; {found} separates with probability "
            f"{best:.4f}, {value} with {theirs:.4f}"
        )
        rows.append(exactly(f"separation value with F(x) = x/81, {name}", value, found, why=why))
    return rows


EXPERIMENTS = (
    Experiment(
        id="rutko-table-5",
        title="Exact distribution of values in random trees, and separation values",
        paper=THESIS,
        table="Table 5",
        units=_units,
        run=_run,
        summarize=_rows,
        seconds={"quick": 0.1, "standard": 0.1, "full": 0.1},
        note="Width 2, depth 14. Nothing is random: values must be the same to the eight decimals that are printed.",
    ),
)
