"""Reports of searches as HTML, for notebooks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Any

from kibitz.errors import BadParameter
from kibitz.search import Report

__all__ = ["report_html"]

CHILDREN, LINE = 12, 24
"""So many moves of the root and of the principal variation are shown."""


def report_html(report: Report) -> str:
    """Tables of what was found and of the moves at the root, where the search has them, and the tree if it is small."""
    sign = {"exact": "", "lower": "≥ ", "upper": "≤ ", "estimate": "≈ "}[report.bound]
    line = " ".join(map(str, report.pv[:LINE])) + (" …" if len(report.pv) > LINE else "")
    rows = [
        ("best", "—" if report.best is None else str(report.best)),
        ("value", f"{sign}{_number(report.value)}{', proven' if report.proven else ''}"),
        ("line", line or "—"),
        ("depth", str(report.depth)),
        ("nodes", f"{report.nodes:,}"),
        ("time", f"{report.seconds:.3g} s" + (f", {report.nps:,.0f} nodes/s" if math.isfinite(report.nps) else "")),
    ]
    if len(report.values) > 2:
        rows.insert(2, ("values", ", ".join(map(_number, report.values))))
    parts = [_table(rows)]
    if report.children:
        best = sorted(report.children, key=lambda child: -child.visits)[:CHILDREN]
        shown = [("move", "visits", "value"), *((str(c.move), f"{c.visits:,}", _number(c.value)) for c in best)]
        parts.append(_table(shown, heading=True))
    tree = None if report.tree is None else report.tree._repr_svg_()
    return f'<div class="kb-report">{"".join(parts)}{tree or ""}</div>'


def tree_svg(tree: Any) -> str | None:
    """The picture of a tree, unless it is too large for one."""
    from kibitz.draw.tree import tree as draw

    try:
        return draw(tree).svg
    except BadParameter:
        return None


def _number(value: float) -> str:
    return "—" if math.isnan(value) else f"{value:.4g}"


def _table(rows: Iterable[tuple[str, ...]], *, heading: bool = False) -> str:
    """A table whose first row, or else whose first column, has headings."""

    def cell(words: str, row: int, column: int) -> str:
        name = "th" if (row if heading else column) == 0 else "td"
        return f"<{name}>{escape(words)}</{name}>"

    lines = ["".join(cell(words, i, j) for j, words in enumerate(row)) for i, row in enumerate(rows)]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
