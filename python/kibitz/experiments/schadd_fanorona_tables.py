"""How many positions of Fanorona's endgame tables are won, drawn and lost."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import kibitz as kb
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import exactly

__all__ = ["EXPERIMENTS", "turned_into_themselves"]

THESIS = (
    "M. P. D. Schadd, *Selective Search in Games of Different Complexity*, PhD thesis, Maastricht University 2011, "
    "chapter 4"
)
ROWS, COLS = 5, 9
POINTS = ROWS * COLS
VALUES = ("win", "draw", "loss")


def turned_into_themselves(game: kb.Game, own: int, other: int) -> Iterator[kb.Position]:
    """The positions with so many pieces of either side that half a turn of the board does not change, White to move."""
    centre = POINTS // 2
    if own % 2 and other % 2:
        return
    for mine in itertools.combinations(range(centre), own // 2):
        free = [point for point in range(centre) if point not in mine]
        for theirs in itertools.combinations(free, other // 2):
            board = ["."] * POINTS
            for points, piece in ((mine, "w"), (theirs, "b")):
                for point in points:
                    board[point] = board[POINTS - 1 - point] = piece
            if own % 2:
                board[centre] = "w"
            elif other % 2:
                board[centre] = "b"
            rows = ("".join(board[first : first + COLS]) for first in range(0, POINTS, COLS))
            yield game.position("/".join(rows) + " w")


def _run(unit: dict[str, Any]) -> list[dict[str, Any]]:
    """All tables of at most so many pieces."""
    game = kb.game("fanorona", rows=ROWS, cols=COLS)
    solution = kb.Retrograde(game, pieces=unit["pieces"], distances=None, memory_mb=4096).solve()
    found = []
    for counts in solution.slices:
        own, other = map(int, counts.name.split("-"))
        classes: dict[object, str] = {}
        for position in turned_into_themselves(game, own, other):
            # a position that blocks the side to move has no value for it, but it is lost
            value = "loss" if position.over else solution.value_of(position)
            classes[position.place] = value
        turned = Counter(classes.values())
        found.append(
            {
                "slice": counts.name,
                "classes": [counts.win, counts.draw, counts.loss],
                "positions": list(counts.positions),
                "turned": [turned[value] for value in VALUES],
            }
        )
    return found


def _units(scale: Scale) -> list[dict[str, Any]]:
    return [{"pieces": {"quick": 4, "standard": 6, "full": 7}[scale]}]


def _table_3(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    measured = {line["slice"]: line for line in results[0]}
    rows = []
    for published in data.read("schadd-table-4-3"):
        name = published["slice"]
        if name not in measured:
            continue
        line = measured[name]
        for index, value in enumerate(VALUES):
            kept = line["classes"][index] - line["turned"][index]
            rows.append(exactly(f"{name}: {value}", int(published[value]), kept))
            rows.append(Row(label=f"{name}: {value}, all classes", measured=line["classes"][index], verdict="measured"))
    return rows


EXPERIMENTS = (
    Experiment(
        id="schadd-table-4-3",
        title="Win, draw and loss in the endgame tables of Fanorona",
        paper=THESIS,
        table="Table 4.3",
        units=_units,
        run=_run,
        summarize=_table_3,
        seconds={"quick": 2, "standard": 90, "full": 900},
        note=(
            "The thesis says that symmetric positions were removed. Its numbers are those of the classes of symmetric "
            "positions without the classes that half a turn of the board does not change; the rows *all classes* have "
            "these, too."
        ),
    ),
)
