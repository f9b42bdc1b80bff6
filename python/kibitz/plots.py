"""Plots with one look, readable in a paper and on a slide.

Matplotlib is used through its objects only: no pyplot, no window, nothing global is left changed. The same data give
the same bytes.

>>> figure, axes = new(x="ply", y="moves")
>>> band(axes, [1, 2, 3], low=[3, 4, 2], middle=[4, 5, 3], high=[5, 6, 4], label="legal moves")
>>> svg(figure)[:4]
'<svg'
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from kibitz.errors import BadParameter, Error

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "COLOURS",
    "Size",
    "band",
    "bars",
    "check",
    "common_legend",
    "histogram",
    "legend",
    "new",
    "panels",
    "save",
    "svg",
]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""The palette of M. Okabe and K. Ito, *Color Universal Design* (2008), in the order of use: told apart by everybody.

Their yellow is left out: it is hardly seen on white.
"""

Size = Literal["paper", "slide"]
"""One column of a paper in 8 points, or a slide in 20."""

Interval = tuple[float, float]


class _Style(NamedTuple):
    width: float
    height: float
    points: float
    line: float


_STYLES: dict[str, _Style] = {"paper": _Style(3.5, 2.3, 8, 1.0), "slide": _Style(13.3, 6.5, 20, 2.5)}
_FORMATS = ("svg", "png", "pdf")
_BINS = 40
"""The most bars of a histogram."""


@contextmanager
def _look(size: str = "paper") -> Iterator[None]:
    """Matplotlib's own defaults with our look, whatever the user's matplotlibrc says, for the time of the body."""
    import matplotlib
    from cycler import cycler

    style = _STYLES[size]
    with matplotlib.rc_context():
        matplotlib.rcParams.update(
            {
                **{name: value for name, value in matplotlib.rcParamsDefault.items() if name != "backend"},
                "font.size": style.points,
                "axes.titlesize": style.points,
                "axes.labelsize": style.points,
                "xtick.labelsize": style.points,
                "ytick.labelsize": style.points,
                "figure.titlesize": style.points,
                "axes.linewidth": 0.6 * style.line,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "axes.prop_cycle": cycler(color=COLOURS),
                "axes.axisbelow": True,
                "axes.grid": True,
                "grid.color": "#dddddd",
                "grid.linewidth": 0.5 * style.line,
                "xtick.major.width": 0.6 * style.line,
                "ytick.major.width": 0.6 * style.line,
                "lines.linewidth": style.line,
                "lines.markersize": 3 * style.line,
                "patch.linewidth": 0.5 * style.line,
                # Identifiers in an SVG are hashes of what they name, and letters are outlines: the same bytes
                # everywhere, and no font is needed where it is read.
                "svg.hashsalt": "kibitz",
                "svg.fonttype": "path",
                "pdf.fonttype": 42,
            }
        )
        yield


def new(
    title: str | None = None, *, x: str = "", y: str = "", size: Size = "paper", height: float = 1.0
) -> tuple[Figure, Axes]:
    """A figure with one pair of axes; `height` stretches it for tall tables of bars."""
    figure, (axes,) = panels([(x, y)], title, size=size, height=height)
    return figure, axes


def panels(
    labels: Sequence[tuple[str, str]], title: str | None = None, *, size: Size = "paper", height: float = 1.0
) -> tuple[Figure, list[Axes]]:
    """A figure with several pairs of axes below each other (side by side on a slide), each with its labels x and y."""
    if size not in _STYLES:
        raise BadParameter(f"no size {size!r} of a plot; there are {', '.join(_STYLES)}")
    from matplotlib.figure import Figure

    style, count = _STYLES[size], len(labels)
    below = size == "paper"
    with _look(size):
        figsize = (style.width, style.height * height * (count if below else 1))
        figure = Figure(figsize=figsize, layout="constrained")
        # Artists that are made later ask the figure for its style.
        figure._kibitz_size = size  # type: ignore[attr-defined]
        grid = figure.subplots(count if below else 1, 1 if below else count, squeeze=False)
        every: list[Axes] = list(grid.flat)
        for axes, (x, y) in zip(every, labels, strict=True):
            axes.set_xlabel(x)
            axes.set_ylabel(y)
        if title is not None:
            figure.suptitle(title)
    return figure, every


def _size(axes: Axes) -> str:
    return getattr(axes.get_figure(root=True), "_kibitz_size", "paper")


def band(
    axes: Axes,
    xs: Sequence[float],
    low: Sequence[float],
    middle: Sequence[float],
    high: Sequence[float],
    label: str | None = None,
) -> None:
    """A line with its interval as a band of the same colour. Values that are not finite are gaps."""
    with _look(_size(axes)):
        (line,) = axes.plot(xs, middle, label=label)
        axes.fill_between(xs, low, high, color=line.get_color(), alpha=0.25, linewidth=0)
        legend(axes)


def bars(
    axes: Axes,
    names: Sequence[str],
    series: Mapping[str, Sequence[float]],
    intervals: Mapping[str, Sequence[Interval | None]] | None = None,
) -> None:
    """Bars in groups: a group for each name, in it a bar for each series, with the intervals that are known.

    Names that are long are written aslant.
    """
    with _look(_size(axes)):
        width = 0.8 / max(1, len(series))
        for number, (label, values) in enumerate(series.items()):
            places = [index + (number - (len(series) - 1) / 2) * width for index in range(len(names))]
            axes.bar(places, values, 0.92 * width, label=label if len(series) > 1 else None, color=_colour(number))
            known = (intervals or {}).get(label, ())
            for place, value, interval in zip(places, values, known, strict=bool(known)):
                if interval is not None and math.isfinite(value):
                    # Matplotlib wants lengths of at least zero; an interval need not hold its value.
                    lengths = [[max(0.0, value - interval[0])], [max(0.0, interval[1] - value)]]
                    axes.errorbar(place, value, lengths, color="black", capsize=2)
        slanted = sum(map(len, names)) > 40
        turned: dict[str, Any] = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
        axes.set_xticks(range(len(names)), list(names), **turned)
        axes.grid(visible=False, axis="x")
        legend(axes)


def histogram(axes: Axes, values: Sequence[float] | Mapping[str, Sequence[float]], label: str | None = None) -> None:
    """A histogram, or several with the same bars over each other if `values` maps labels to them.

    Whole numbers get bars of a whole width, centred on them, so that no bar stands for more numbers than another.
    """
    several = isinstance(values, Mapping)
    series = dict(values) if isinstance(values, Mapping) else {label or "": values}
    edges = _edges([value for each in series.values() for value in each])
    with _look(_size(axes)):
        for number, (name, each) in enumerate(series.items()):
            colour = _colour(number)
            axes.hist(each, edges, label=name or None, color=colour, alpha=0.4 if several else 0.8)
            if several:
                axes.hist(each, edges, color=colour, histtype="step", linewidth=_STYLES[_size(axes)].line)
        axes.grid(visible=False, axis="x")
        legend(axes)


def _edges(values: Sequence[float]) -> list[float]:
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if not all(float(value).is_integer() for value in values):
        return [low + (high - low) * number / _BINS for number in range(_BINS + 1)]
    step = int(high - low) // _BINS + 1
    return [edge - 0.5 for edge in range(int(low), int(high) + step + 1, step)]


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def legend(axes: Axes) -> None:
    """A legend without a frame, as soon as anything has a label."""
    if axes.get_legend_handles_labels()[1]:
        with _look(_size(axes)):
            # However long the labels are, the axes keep their size.
            axes.legend(frameon=False).set_in_layout(False)


def common_legend(figure: Figure) -> None:
    """One legend below all panels in place of one in each, with the labels of the first."""
    handles, labels = figure.axes[0].get_legend_handles_labels()
    for axes in figure.axes:
        if (own := axes.get_legend()) is not None:
            own.remove()
    if labels:
        with _look(getattr(figure, "_kibitz_size", "paper")):
            figure.legend(handles, labels, loc="outside lower center", frameon=False)


def svg(figure: Figure) -> str:
    """The figure as an `<svg>` element that needs nothing else, to be put into a page as it is."""
    return _bytes(figure, "svg").decode()


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Writes the figure; the suffix says as what: .svg, .png or .pdf."""
    target = check(path)
    content = _bytes(figure, target.suffix[1:].lower())
    try:
        target.write_bytes(content)
    except OSError as error:
        raise _unwritable(target, error.strerror) from None


def check(path: str | os.PathLike[str]) -> Path:
    """The path of a plot, or an `Error` that says why none can be written there: ask before a long computation."""
    target = Path(path)
    if target.suffix[1:].lower() not in _FORMATS:
        raise BadParameter(f"cannot tell the format of the plot {str(target)!r}; name it .svg, .png or .pdf")
    if target.is_dir():
        raise _unwritable(target, "it is a folder")
    if not target.parent.is_dir():
        raise _unwritable(target, f"there is no folder {target.parent}")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise _unwritable(target, "permission denied")
    return target


def _unwritable(target: Path, why: str | None) -> Error:
    return Error(f"cannot write the plot {target}: {(why or 'the system refuses').lower()}; choose another file")


def _bytes(figure: Figure, kind: str) -> bytes:
    # No date, no version: the same figure is the same file.
    metadata: dict[str, dict[str, Any]] = {
        "svg": {"Creator": None, "Date": None, "Format": None, "Type": None},
        "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
        "png": {"Software": None},
    }
    with _look(getattr(figure, "_kibitz_size", "paper")):
        stream = io.BytesIO()
        figure.savefig(stream, format=kind, dpi=300 if kind == "png" else "figure", metadata=metadata[kind])
    content = stream.getvalue()
    # The declarations before the element have no place inside a page, and an image does without them.
    return content[content.index(b"<svg") :] if kind == "svg" else content
