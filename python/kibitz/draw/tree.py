"""A small search tree as SVG: windows, bounds, cut branches and second searches, for teaching."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from kibitz.draw.layout import CHARACTER, MARGIN, RADIUS, Layout, Place
from kibitz.draw.node_text import value_text, window_text
from kibitz.errors import BadParameter, Error
from kibitz.search import Report
from kibitz.tree import Tree, TreeNode

__all__ = ["Drawing", "tree"]

INK, GREY, CUT, NULL, AGAIN = "#222222", "#888888", "#D55E00", "#0072B2", "#CC79A7"
"""What is searched, what is not, cuts, null windows and second searches; told apart by everybody (Okabe and Ito)."""


@dataclass(frozen=True)
class Drawing:
    """A picture: `svg` is a complete document; a notebook shows it."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the document to a file."""
        try:
            Path(path).write_text(self.svg, encoding="utf-8")
        except OSError as error:
            raise Error(f"cannot write {path}: {error.strerror}") from error


def tree(report: Report | Tree, *, nodes: int = 200, legend: bool = True) -> Drawing:
    """Draws the tree of a report whose search had `trace=`.

    A square is a node of the player to move at the root, a circle one of the opponent, a diamond one of chance, a bare
    number the end of the game or of the depth. Above each stands its window, inside its value with ≥ or ≤ where it is a
    bound. Values are in the view of the player to move at the root. A struck branch was cut; a dashed node was searched
    with a null window, a thick one again. More than `nodes` nodes are refused: nobody could read them.

    Of a Monte-Carlo search, above each position stands the number of its visits, of a proof-number search its proof and
    disproof number; `kb.draw.tree(report.tree(2))` shows two moves.

    >>> import kibitz as kb
    >>> search = kb.AlphaBeta(deepening=False, tt_mb=0, trace=100)
    >>> picture = kb.draw.tree(search.search(kb.game("random-tree", width=2, depth=3).start()))
    >>> picture.svg.count("<rect class"), picture.svg.startswith("<svg")
    (5, True)
    """
    found = report if isinstance(report, Tree) else getattr(report, "tree", None)
    if found is None:
        if not isinstance(report, Report):
            raise TypeError(f"tree() takes a report or its tree, not {type(report).__name__}")
        raise BadParameter("the report has no tree: search with trace=1000, as in kb.AlphaBeta(depth=3, trace=1000)")
    if not found.nodes:
        raise BadParameter("the tree is empty: no iteration was completed, or the game was over")
    if _sampled(found) and len(found.nodes) > nodes:
        raise BadParameter(
            f"the tree has {len(found.nodes):,} nodes, of which a picture shows {nodes:,} at most: search with "
            f"trace={nodes}, draw report.tree(2), or ask for nodes={len(found.nodes)}"
        )
    total = len(found.nodes) + found.missing
    if not _sampled(found) and (total > nodes or found.missing):
        advice = "search less deep" if total > nodes else f"search with trace={total}"
        if total > nodes and not found.missing:
            advice += f" or ask for nodes={total}"
        raise BadParameter(f"the tree has {total:,} nodes, of which a picture shows {nodes:,} at most: {advice}")
    return Drawing(_Picture(found).svg(legend))


def _sampled(found: Tree) -> bool:
    """Whether it is the tree of a Monte-Carlo or a proof-number search, of which a part is a picture, too."""
    return found.nodes[0].visits > 0 or found.nodes[0].proof is not None


class _Picture:
    """A tree with the place of every node."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.layout = Layout(tree)

    def svg(self, legend: bool) -> str:
        keys = self._legend() if legend else ()
        widest = max((len(text) for _, text in keys), default=0)
        width = max(self.layout.edge, 2 * MARGIN + 24 + CHARACTER * widest)
        depth = self.layout.depth
        height = depth + (18 * len(keys) + 10 if legend else 0)
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" font-family="sans-serif" font-size="11" text-anchor="middle" fill="{INK}">',
            f'<path d="M0 0H{width:.0f}V{height:.0f}H0Z" fill="#ffffff"/>',
        ]
        # edges first, so that nodes lie on top of them
        for place in self.layout.places:
            if place.above is not None:
                out += _branch(self.layout.at[place.above], place)
        out += [line for place in self.layout.places if place.number is not None for line in self._node(place)]
        out += [_key(kind, text, depth + 18 * row) for row, (kind, text) in enumerate(keys)]
        return "\n".join([*out, "</svg>"]) + "\n"

    def _legend(self) -> tuple[tuple[str, str], ...]:
        """What the shapes of the picture mean."""
        if _sampled(self.tree):
            return (*_LEGEND[:2], _VISITS if self.tree.nodes[0].visits else _NUMBERS)
        return (*_LEGEND[:2], _CHANCE, *_LEGEND[2:]) if any(node.chance for node in self.tree.nodes) else _LEGEND

    def _node(self, place: Place) -> list[str]:
        assert place.number is not None
        node = self.tree.nodes[place.number]
        about = f"visits {node.visits:,}" if node.visits else f"depth {node.depth} left"
        title = f"node {place.number}, {about}" + (f", {node.end}" if node.end else "")
        first = self.tree.nodes[0].player
        out = [f"<g><title>{escape(title)}</title>", _shape(node, node.player == first, place.x, place.y)]
        small = f'font-size="9" fill="{NULL if node.null_window else GREY}"'
        out.append(f'<text x="{place.x:.1f}" y="{place.y - RADIUS - 4:.1f}" {small}>{escape(window_text(node))}</text>')
        out.append(f'<text x="{place.x:.1f}" y="{place.y + 4:.1f}">{escape(value_text(node))}</text>')
        if node.end and node.end not in ("cut", "over", "horizon", "leaf"):
            below = place.y + RADIUS + 11
            out.append(f'<text x="{place.x:.1f}" y="{below:.1f}" font-size="9" fill="{CUT}">{escape(node.end)}</text>')
        return [*out, "</g>"]


def _shape(node: TreeNode, square: bool, x: float, y: float) -> str:
    """The outline of a node; the end of the game and of the depth has none."""
    if node.end == "horizon" or (node.player is None and not node.chance):
        return f'<path class="leaf" d="M{x - RADIUS:.1f} {y + RADIUS - 6:.1f}h{2 * RADIUS}" stroke="{GREY}"/>'
    colour = AGAIN if node.again else NULL if node.null_window else INK
    dashes = ' stroke-dasharray="4 2"' if node.null_window else ""
    width = 3.5 if node.again else 1.3
    half = RADIUS + 3 * max(0, len(value_text(node)) - 4)
    style = f'fill="#ffffff" stroke="{colour}" stroke-width="{width}"{dashes}'
    if node.chance:
        corners = f"M{x - half - 10:.1f} {y:.1f}L{x:.1f} {y - RADIUS - 3:.1f}L{x + half + 10:.1f} {y:.1f}"
        return f'<path class="chance" d="{corners}L{x:.1f} {y + RADIUS + 3:.1f}Z" {style}/>'
    if square:
        corner = f'x="{x - half:.1f}" y="{y - RADIUS:.1f}"'
        return f'<rect class="max" {corner} width="{2 * half}" height="{2 * RADIUS}" {style}/>'
    return f'<ellipse class="min" cx="{x:.1f}" cy="{y:.1f}" rx="{half}" ry="{RADIUS}" {style}/>'


def _branch(above: Place, place: Place) -> list[str]:
    """The line from a node to one below it, or to a struck end where nothing was searched."""
    x1, y1 = above.x, above.y + RADIUS
    pruned = place.number is None
    x2, y2 = place.x, place.y - RADIUS - 14
    colour, kind = (GREY, ' class="pruned" stroke-dasharray="2 2"') if pruned else (INK, "")
    out = [f'<path{kind} d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" fill="none"/>']
    # the label lies beside the lower half of the line
    x, y = x1 + 0.62 * (x2 - x1), y1 + 0.62 * (y2 - y1)
    if pruned:
        x, y = x2, y2 + 11
        middle = (x1 + 0.55 * (x2 - x1), y1 + 0.55 * (y2 - y1))
        strokes = "".join(f"M{middle[0] - 5 + 4 * i:.1f} {middle[1] + 4:.1f}l6 -8" for i in (0, 1))
        out.append(f'<path class="cut" d="{strokes}" stroke="{CUT}" stroke-width="1.6"/>')
    if place.label:
        style = (
            f'font-size="10" fill="{GREY if pruned else INK}" stroke="#ffffff" stroke-width="3" paint-order="stroke"'
        )
        out.append(f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(place.label)}</text>')
    return out


_LEGEND: tuple[tuple[str, str], ...] = (
    ("max", "the player to move at the root, whose view all values take"),
    ("min", "the opponent"),
    ("cut", "a branch that was cut"),
    ("null", "searched with a null window"),
    ("again", "searched a second time"),
)


_CHANCE = ("chance", "a node of chance; on its branches stand the probabilities")


_VISITS = ("visits", "above a position the simulations that went through it, inside their mean; = is proven")
_NUMBERS = ("visits", "above a position its proof and its disproof number, inside the answer")


def _key(kind: str, text: str, y: float) -> str:
    x = MARGIN + 8
    drawn: dict[str, Any] = {
        "visits": f'<text x="{x}" y="{y:.1f}" font-size="9" fill="{GREY}">n</text>',
        "max": f'<path d="M{x - 6} {y - 9:.1f}h12v12h-12z" stroke="{INK}" fill="#ffffff"/>',
        "min": f'<circle cx="{x}" cy="{y - 3:.1f}" r="6.5" stroke="{INK}" fill="#ffffff"/>',
        "chance": f'<path d="M{x - 8} {y - 3:.1f}L{x} {y - 10:.1f}L{x + 8} {y - 3:.1f}L{x} {y + 4:.1f}Z" '
        f'stroke="{INK}" fill="#ffffff"/>',
        "cut": f'<path d="M{x - 5} {y + 1:.1f}l6 -8M{x - 1} {y + 1:.1f}l6 -8" stroke="{CUT}" stroke-width="1.6"/>',
        "null": f'<path d="M{x - 6} {y - 9:.1f}h12v12h-12z" stroke="{NULL}" stroke-dasharray="4 2" fill="#ffffff"/>',
        "again": f'<path d="M{x - 6} {y - 9:.1f}h12v12h-12z" stroke="{AGAIN}" stroke-width="3.5" fill="#ffffff"/>',
    }
    return f'{drawn[kind]}<text x="{x + 16}" y="{y:.1f}" font-size="10" text-anchor="start">{escape(text)}</text>'
