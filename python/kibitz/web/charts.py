"""Charts in one look, as options of ECharts, readable on light and on dark, in colours that all can tell apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from kibitz.plots import COLOURS

__all__ = ["intervals", "lines", "redraw"]

_TEXT = "#7d838c"
"""Grey that can be read on white and on almost black."""
_LINES = (*COLOURS[:6], "#8a8f98")


def _number(value: float | None) -> float | None:
    """What JSON can write; a gap in the line otherwise."""
    return value if value is not None and math.isfinite(value) else None


def redraw(chart: ui.echart, options: dict[str, Any]) -> None:
    """Shows something else in a chart."""
    chart.options.clear()
    chart.options.update(options)
    chart.update()


def lines(
    series: Mapping[str, Sequence[tuple[float, float | None]]],
    *,
    x: str,
    y: str,
    log_x: bool = False,
    log_y: bool = False,
    colours: Sequence[str] = _LINES,
    bounds: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """A line for each name. Points with a value that is not finite are gaps."""
    return {
        "animation": False,
        "color": list(colours),
        "textStyle": {"color": _TEXT},
        "grid": {"left": 10, "right": 40, "top": 50 if len(series) > 1 else 30, "bottom": 30, "containLabel": True},
        "legend": {"top": 0, "type": "scroll", "textStyle": {"color": _TEXT}, "show": len(series) > 1},
        "tooltip": {"trigger": "axis"},
        "xAxis": _axis(x, log_x, below=True),
        "yAxis": {**_axis(y, log_y), **({} if bounds is None else {"min": bounds[0], "max": bounds[1]})},
        "series": [
            {
                "name": name,
                "type": "line",
                "data": [[px, _number(py)] for px, py in points],
                "showSymbol": len(points) < 60,
                "symbolSize": 6,
                "lineStyle": {"width": 2, "type": ("solid", "dashed", "dotted")[place % 3]},
            }
            for place, (name, points) in enumerate(series.items())
        ],
    }


def intervals(rows: Sequence[tuple[str, float, float, float]], *, x: str, par: float | None = None) -> dict[str, Any]:
    """A value with its interval for each name, and where equally strong players would be."""
    names = [name for name, *_ in rows]
    marks = {} if par is None else {"markLine": _mark(par)}
    return {
        "animation": False,
        "color": list(_LINES),
        "textStyle": {"color": _TEXT},
        "grid": {"left": 10, "right": 26, "top": 10, "bottom": 30, "containLabel": True},
        "xAxis": {**_axis(x, False, below=True), "min": 0, "max": 1},
        "yAxis": {"type": "category", "data": names, "inverse": True, "axisLabel": {"color": _TEXT}},
        "tooltip": {},
        "series": [
            {
                # a bar from low to high: the part up to low is not drawn
                "type": "bar",
                "stack": "interval",
                "silent": True,
                "itemStyle": {"color": "transparent"},
                "data": [_number(low) for _, _, low, _ in rows],
            },
            {
                "type": "bar",
                "stack": "interval",
                "barWidth": 8,
                "itemStyle": {"color": _LINES[0], "opacity": 0.45, "borderRadius": 4},
                "data": [_number(high - low) for _, _, low, high in rows],
            },
            {
                "type": "scatter",
                "symbolSize": 13,
                "itemStyle": {"color": _LINES[1]},
                "data": [[_number(value), name] for name, value, _, _ in rows],
                **marks,
            },
        ],
    }


def _mark(value: float) -> dict[str, Any]:
    return {
        "silent": True,
        "symbol": "none",
        "lineStyle": {"color": _TEXT, "type": "dashed"},
        "label": {"show": False},
        "data": [{"xAxis": value}],
    }


def _axis(name: str, log: bool, below: bool = False) -> dict[str, Any]:
    place: dict[str, Any] = {"nameLocation": "middle", "nameGap": 26} if below else {"nameLocation": "end"}
    return {
        "type": "log" if log else "value",
        "name": name,
        "scale": True,
        "nameTextStyle": {"color": _TEXT, "align": "center" if below else "left"},
        "axisLabel": {"color": _TEXT, "hideOverlap": True},
        "axisLine": {"lineStyle": {"color": _TEXT}},
        "splitLine": {"lineStyle": {"color": _TEXT, "opacity": 0.25}},
        **place,
    }
