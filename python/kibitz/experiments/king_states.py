"""Positions of Crossings and Epaminondas: tables A.1 and A.2 of King's thesis, to the last digit.

The thesis counts boards with up to P pieces of each side on N squares, without those of one piece each: a capture needs
two attackers, so the side that captures keeps two pieces. Its program subtracts these N(N−1) boards from every row up
to P pieces instead of once. That was found from its digits; no page says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import exactly

__all__ = ["BOARDS", "EXPERIMENTS", "THESIS", "Board", "variants"]

THESIS = (
    "D. W. King Jr., *Complexity, Heuristic, and Search Analysis for the Games of Crossings and Epaminondas*, Master's "
    "thesis, Air Force Institute of Technology 2014"
)


class Board(NamedTuple):
    """A board of `squares` with up to `pieces` of each side."""

    squares: int
    pieces: int

    def boards(self, total: int, least: int = 0) -> int:
        """Boards with `total` pieces, at least so many of each side."""
        return sum(
            math.comb(self.squares, black) * math.comb(self.squares - black, total - black)
            for black in range(max(least, total - self.pieces), min(self.pieces, total - least) + 1)
        )

    @property
    def singles(self) -> int:
        """Boards with one piece of each side."""
        return self.squares * (self.squares - 1)

    @property
    def most(self) -> int:
        """Pieces of both sides together."""
        return 2 * self.pieces

    def printed(self, total: int) -> int:
        """A row of the thesis: the boards of one piece each are subtracted from all rows up to P."""
        return self.boards(total) - (self.singles if total <= self.pieces else 0)

    def correct(self, total: int) -> int:
        """The row that the thesis describes: they are subtracted where they are, from the boards of two pieces."""
        return self.boards(total) - (self.singles if total == 2 else 0)


BOARDS = {"crossings": Board(64, 16), "epaminondas": Board(168, 28)}


def variants(board: Board) -> dict[str, int]:
    """The total, by the six ways of counting that the thesis' texts, formula and tables allow.

    >>> f"{variants(BOARDS['crossings'])['as the text intends']:.4e}"
    '3.6296e+27'
    """
    rows = range(board.most + 1)
    positive = sum(board.boards(total, 1) for total in rows)
    return {
        "as the program counts": sum(map(board.printed, rows)),
        "sum of the printed rows": sum(map(board.printed, rows[2:])),
        "all boards": sum(map(board.boards, rows)),
        "as the text intends": sum(map(board.correct, rows[2:])),
        "formula as printed": positive,
        "formula as printed, without one piece each": positive - board.singles,
    }


_REASONS = {
    "sum of the printed rows": "the printed total has the rows of no piece and of one piece in it, which are negative",
    "all boards": "the boards of no piece, of one piece and of one piece each are in it",
    "as the text intends": "the boards of one piece each are subtracted once, and not for each number of pieces",
    "formula as printed": "the formula has one piece or more of each side; the text adds that none is possible, too",
    "formula as printed, without one piece each": "as before",
}

_SAID: dict[str, dict[str, int | str]] = {
    "crossings": {"state space": "3.63e+27", "chapter 6": 23, "loose bound": 30, "reduced by": 11},
    "epaminondas": {"state space": "2.41e+61", "loose bound": 80, "reduced by": 19},
}
"""What the text says beside the tables, sizes as powers of ten."""


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """All rows by both ways of counting and the totals by all."""
    board = BOARDS[unit["game"]]
    rows = range(2, board.most + 1)
    return {
        "game": unit["game"],
        "printed": {str(total): board.printed(total) for total in rows},
        "correct": {str(total): board.correct(total) for total in rows},
        "totals": variants(board),
    }


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    (result,) = results
    game = result["game"]
    board = BOARDS[game]
    published = {row["pieces"]: int(row["positions"]) for row in data.read(f"king-table-{_TABLES[game]}")}
    total = published.pop("total")
    rows = []
    for pieces, count in published.items():
        row = exactly(f"{pieces} pieces", f"{count:,}", f"{result['printed'][pieces]:,}")
        correct = result["correct"][pieces]
        if row.verdict == "agrees" and correct != count:
            why = f"correct: {correct:,}; {board.singles:,} boards of one piece each are subtracted here, too"
            row = Row(label=row.label, published=row.published, measured=row.measured, verdict="agrees", why=why)
        rows.append(row)
    for name, count in result["totals"].items():
        rows.append(exactly(f"total, {name}", f"{total:,}", f"{count:,}", why=_REASONS.get(name, "")))
    return rows + _statements(game, board, result["totals"]["as the text intends"])


def _statements(game: str, board: Board, correct: int) -> list[Row]:
    said = _SAID[game]
    loose = board.squares * math.log10(3)
    rows = [
        exactly("state space", said["state space"], f"{correct:.2e}"),
        exactly("3 to the number of squares, log10", said["loose bound"], math.floor(loose)),
    ]
    if "chapter 6" in said:
        why = "a slip: the tables and chapter 5 have 27"
        rows.append(
            exactly("state space in chapter 6, log10", said["chapter 6"], math.floor(math.log10(correct)), why=why)
        )
    reduced = round(loose - math.log10(correct))
    why = f"3^{board.squares} is 10^{loose:.1f} and the state space 10^{math.log10(correct):.1f}"
    rows.append(exactly("loose bound reduced by a power of ten", said["reduced by"], reduced, why=why))
    return rows


_TABLES = {"crossings": "a1", "epaminondas": "a2"}


def _crossings(scale: Scale) -> list[dict[str, str]]:  # noqa: ARG001
    return [{"game": "crossings"}]


def _epaminondas(scale: Scale) -> list[dict[str, str]]:  # noqa: ARG001
    return [{"game": "epaminondas"}]


def _experiment(game: str, table: str) -> Experiment:
    return Experiment(
        id=f"king-table-{_TABLES[game]}",
        title=f"Positions of {game.capitalize()} by the number of pieces",
        paper=THESIS,
        table=table,
        units=_crossings if game == "crossings" else _epaminondas,
        run=_run,
        summarize=_rows,
        seconds={"quick": 0.1, "standard": 0.1, "full": 0.1},
        note="Measured is the way of counting that gives every printed digit, with its error; the correct count stands "
        "beside it where it is another. The first three digits of the total are right.",
    )


EXPERIMENTS = (_experiment("crossings", "Table A.1"), _experiment("epaminondas", "Table A.2"))
