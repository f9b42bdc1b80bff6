"""Tables of figures as HTML; on a narrow screen each row becomes a small card, so that nothing has to be scrolled."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["sheet"]

_VERDICTS = {
    "agrees": "good",
    "holds": "good",
    "same direction": "fair",
    "differs": "bad",
    "fails": "bad",
    "measured": "plain",
}


def sheet(rows: Sequence[Sequence[str]], *, texts: Sequence[int] = (0,), name: str = "", narrow: bool = False) -> str:
    """A table whose first row is the heading; the columns `texts` are words and the others figures.

    A `narrow` one fits on a phone as it is.
    """
    if not rows:
        return ""
    heading, *body = rows
    head = "".join(f"<th{_kind(place, texts)}>{escape(cell)}</th>" for place, cell in enumerate(heading))
    lines = "".join(
        "<tr>"
        + "".join(
            f'<td data-name="{escape(heading[place])}"{_kind(place, texts)}>{_cell(cell)}</td>'
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in body
    )
    mark = f' data-sheet="{escape(name)}"' if name else ""
    kind = "lab-sheet" if narrow else "lab-sheet lab-stacked"
    return f'<table class="{kind}"{mark}><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>'


def _kind(place: int, texts: Sequence[int]) -> str:
    return ' class="text"' if place in texts else ""


def _cell(cell: str) -> str:
    kind = _VERDICTS.get(cell)
    return f'<span class="verdict {kind}">{escape(cell)}</span>' if kind else escape(cell)
