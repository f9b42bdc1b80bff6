"""A step of a lesson as SVG: the tree so far, the way to the current node, cut branches, and the window as a line.

All colours are variables of the style sheet, so that a page can have a dark look; a document of its own has them filled
in, because many programs that show SVG know no variables.
"""

from __future__ import annotations

import math
import re
from xml.sax.saxutils import escape

from kibitz.draw.layout import CHARACTER, MARGIN, RADIUS, Layout, Place
from kibitz.draw.lesson import Lesson, Mark, Step
from kibitz.draw.node_text import number_text
from kibitz.tree import TreeNode

__all__ = ["STYLE", "document", "drawn"]

LIGHT = {
    "paper": "#ffffff",
    "ink": "#222222",
    "grey": "#767676",
    "ghost": "#c9c5bf",
    "path": "#0072B2",
    "focus": "#fff3c4",
    "cut": "#D55E00",
    "null": "#0072B2",
    "again": "#B0508C",
    "span": "#0072B2",
}
"""The colours of paper and ink; those that carry a meaning are told apart by everybody (Okabe and Ito)."""

STYLE = """
.lesson { font-family: sans-serif; font-size: 11px; text-anchor: middle; }
.lesson text { fill: var(--ink); }
.lesson .small { font-size: 9px; fill: var(--grey); }
.lesson .edge { stroke: var(--ink); fill: none; }
.lesson .edge.ghost { stroke: var(--ghost); }
.lesson .edge.way { stroke: var(--path); stroke-width: 3; }
.lesson .edge.pruned { stroke: var(--cut); stroke-dasharray: 3 3; }
.lesson .strike { stroke: var(--cut); stroke-width: 2.4; fill: none; }
.lesson .label { font-size: 10px; stroke: var(--paper); stroke-width: 3px; paint-order: stroke; }
.lesson .label.ghost { fill: var(--ghost); }
.lesson .label.pruned { fill: var(--cut); }
.lesson .node { fill: var(--paper); stroke: var(--ink); stroke-width: 1.3; }
.lesson .node.ghost { stroke: var(--ghost); }
.lesson .node.way { stroke: var(--path); stroke-width: 2.2; }
.lesson .node.null { stroke: var(--null); stroke-dasharray: 4 2; }
.lesson .node.again { stroke: var(--again); stroke-width: 3.5; }
.lesson .node.focus { fill: var(--focus); stroke-width: 3; }
.lesson .node.reason { stroke: var(--cut); stroke-width: 3.5; }
.lesson .axis { stroke: var(--grey); }
.lesson .span { stroke: var(--span); stroke-width: 7; stroke-linecap: butt; opacity: 0.55; }
.lesson .end { stroke: var(--span); stroke-width: 2.5; }
.lesson .empty { fill: var(--cut); font-weight: 600; }
.lesson .dot { fill: var(--again); }
"""


def document(lesson: Lesson, step: int) -> str:
    """A step as a document that stands alone."""
    style = re.sub(r"var\(--(\w+)\)", lambda name: LIGHT[name[1]], STYLE)
    return drawn(lesson, step, f'<style>{style}</style><path d="M0 0h9999v9999h-9999z" fill="#ffffff"/>')


def drawn(lesson: Lesson, step: int, before: str = "") -> str:
    """A step as SVG whose colours the page around it has to say."""
    now = lesson.steps[step]
    layout = Layout(lesson.tree, (lesson.root(step),), windows=lesson.grows)
    picture = _Picture(lesson, step, layout)
    width = max(layout.edge, 340.0)
    height = layout.depth + (52 if now.span else 0)
    parts = [*picture.edges(), *picture.nodes()]
    if now.span:
        parts += _line(lesson, now, width, layout.depth + 14)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lesson" role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" data-step="{step}" data-kind="{now.kind}" '
        f'style="--width: {0.8 * width:.0f}px">'
        f"<title>{escape(now.text)}</title>{before}\n" + "\n".join(parts) + "\n</svg>\n"
    )


class _Picture:
    """The tree of a pass at a step."""

    def __init__(self, lesson: Lesson, step: int, layout: Layout) -> None:
        self.lesson = lesson
        self.layout = layout
        self.now = lesson.steps[step]
        self.marks = lesson.marks(step)
        self.cuts = lesson.cuts(step)
        self.first = lesson.tree.nodes[0].player
        self.grows = lesson.grows

    def edges(self) -> list[str]:
        """The branches: searched, on the way, still to come, or cut."""
        out: list[str] = []
        for place in self.layout.places:
            if place.above is None:
                continue
            above = self.layout.at[place.above]
            if place.number is None and place.above in self.cuts:
                out += _branch(above, place, "pruned")
                continue
            # nothing stands above a leaf that the line would have to keep away from
            gap = 14 if place.number is None or self._has_window(place.number) else -4
            if place.number in self.marks:
                out += _branch(above, place, "way" if place.number in self.now.path else "", gap)
            elif self._waits(place):
                out += _branch(above, place, "ghost", gap)
        return out

    def _waits(self, place: Place) -> bool:
        """Whether a branch is there and not searched yet: a search knows the moves of the nodes that it has entered."""
        if self.grows or place.above not in self.marks:
            return False
        # that a move will be searched a second time, nobody knows yet
        return place.number is None or not self.lesson.tree.nodes[place.number].again

    def _has_window(self, number: int) -> bool:
        """Whether something stands above a node: the window of a leaf is that of its parent, and is not used."""
        return self.grows or bool(self.layout.below[number])

    def nodes(self) -> list[str]:
        """The nodes: those that come next as faint outlines."""
        out: list[str] = []
        for number, place in self.layout.at.items():
            node, mark = self.lesson.tree.nodes[number], self.marks.get(number)
            if mark is not None:
                out += self._node(number, node, mark, place)
            elif self._waits(place):
                out.append(_shape(node, node.player == self.first, place, "node ghost", 1))
        return out

    def _node(self, number: int, node: TreeNode, mark: Mark, place: Place) -> list[str]:
        kinds = ["node"]
        kinds += ["null"] * node.null_window + ["again"] * node.again + ["way"] * (number in self.now.path)
        kinds += ["focus"] * (number == self.now.focus) + ["reason"] * (number == self.now.reason)
        about = [mark.above, mark.inside, node.end if mark.done else ""]
        out = [f'<g data-node="{number}"><title>{escape(", ".join(filter(None, about)))}</title>']
        out.append(_shape(node, node.player == self.first, place, " ".join(kinds), len(mark.inside)))
        x, y = place.x, place.y
        if self._has_window(number):
            out.append(f'<text class="small" x="{x:.1f}" y="{y - RADIUS - 4:.1f}">{escape(mark.above)}</text>')
        out.append(f'<text x="{x:.1f}" y="{y + 4:.1f}">{escape(mark.inside)}</text>')
        return [*out, "</g>"]


def _shape(node: TreeNode, square: bool, place: Place, kind: str, letters: int) -> str:
    """The outline of a node: a square of MAX, a circle of MIN, a diamond of chance, a line where nothing follows."""
    x, y = place.x, place.y
    half = RADIUS + 3 * max(0, letters - 4)
    if node.chance:
        corners = f"M{x - half - 8:.1f} {y:.1f}L{x:.1f} {y - RADIUS - 3:.1f}L{x + half + 8:.1f} {y:.1f}"
        return f'<path class="{kind}" d="{corners}L{x:.1f} {y + RADIUS + 3:.1f}Z"/>'
    if node.player is None or node.end == "horizon":
        return f'<rect class="{kind} leaf" x="{x - half:.1f}" y="{y - 11:.1f}" width="{2 * half}" height="22" rx="3"/>'
    if square:
        corner = f'x="{x - half:.1f}" y="{y - RADIUS:.1f}"'
        return f'<rect class="{kind} max" {corner} width="{2 * half}" height="{2 * RADIUS}"/>'
    return f'<ellipse class="{kind} min" cx="{x:.1f}" cy="{y:.1f}" rx="{half + 1}" ry="{RADIUS + 1}"/>'


def _branch(above: Place, place: Place, kind: str, gap: float = 14) -> list[str]:
    """A line that ends so much above a node, with what leads there beside it."""
    x1, y1 = above.x, above.y + RADIUS
    x2, y2 = place.x, place.y - RADIUS - gap
    out = [f'<path class="edge {kind}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>']
    x, y = x1 + 0.62 * (x2 - x1), y1 + 0.62 * (y2 - y1)
    if kind == "pruned":
        middle = (x1 + 0.5 * (x2 - x1), y1 + 0.5 * (y2 - y1))
        strokes = "".join(f"M{middle[0] - 6 + 5 * i:.1f} {middle[1] + 5:.1f}l7 -10" for i in (0, 1))
        out.append(f'<path class="strike" d="{strokes}"/>')
    if place.number is None:
        x, y = x2, y2 + 11
    if place.label:
        out.append(f'<text class="label {kind}" x="{x:.1f}" y="{y + 3:.1f}">{escape(place.label)}</text>')
    return out


def _line(lesson: Lesson, now: Step, width: float, y: float) -> list[str]:
    """The values from the least to the greatest, with those that still matter at the current node as a bar."""
    assert now.span is not None
    known = [node.value for node in lesson.tree.nodes if math.isfinite(node.value)]
    known += [end for end in (now.span.low, now.span.high) if math.isfinite(end)]
    least, most = min(known), max(known)
    room = (most - least or 1.0) * 0.06
    left, right = MARGIN + 6, width - MARGIN - 6

    def at(value: float) -> float:
        inside = min(max(value, least - room), most + room)
        return left + (inside - least + room) / (most - least + 2 * room) * (right - left)

    low, high = now.span.low, now.span.high
    out = [f'<path class="axis" d="M{left} {y:.1f}H{right:.1f}"/>']
    if low < high:
        out.append(f'<path class="span" d="M{at(low):.1f} {y:.1f}H{at(high):.1f}"/>')
    for end, name, side in ((low, "α", -1), (high, "β", 1)):
        text = f"{name} = {number_text(end)}"
        x = min(max(at(end), left + CHARACTER * len(text) / 2), right - CHARACTER * len(text) / 2)
        # the names of two ends that lie close stand on different lines
        lower = side > 0 and abs(at(high) - at(low)) < CHARACTER * 2 * len(text)
        if math.isfinite(end):
            out.append(f'<path class="end" d="M{at(end):.1f} {y - 7:.1f}v14"/>')
        out.append(f'<text x="{x:.1f}" y="{y + (31 if lower else 20):.1f}">{text}</text>')
    if low >= high:
        out.append(f'<text class="empty" x="{width / 2:.1f}" y="{y - 11:.1f}">nothing lies between α and β</text>')
    if now.span.value is not None and math.isfinite(now.span.value):
        out.append(f'<circle class="dot" cx="{at(now.span.value):.1f}" cy="{y:.1f}" r="5"/>')
    return out
