"""Where the nodes of a tree stand: leaves side by side, parents above the middle of their children."""

from __future__ import annotations

from typing import NamedTuple

from kibitz.draw.node_text import move_text, value_text, window_text
from kibitz.tree import Tree, TreeNode

__all__ = ["CHARACTER", "LEVEL", "MARGIN", "RADIUS", "Layout", "Place"]

LEVEL, MARGIN, RADIUS, CHARACTER = 84, 24, 15, 6.2
"""Pixels: between levels, around everything, of a node, and of a small letter."""

STUBS = 3
"""So many pruned moves are shown with their names, and the number of the others."""


class Place(NamedTuple):
    """Where a node or the end of a branch that was not searched stands, with the number of its node if it is one."""

    x: float
    y: float
    number: int | None
    above: int | None
    label: str


class Layout:
    """The places of all nodes below some roots, and `edge`, the right end of them.

    Without `windows` leaves need no room for what stands above them.
    """

    def __init__(self, tree: Tree, roots: tuple[int, ...] | None = None, *, windows: bool = True) -> None:
        self.tree = tree
        self._windows = windows
        self.below: list[list[int]] = [[] for _ in tree.nodes]
        for number, node in enumerate(tree.nodes):
            if node.parent is not None:
                self.below[node.parent].append(number)
        self.places: list[Place] = []
        self.at: dict[int, Place] = {}
        self.edge = float(MARGIN)
        for root in tree.roots if roots is None else roots:
            self._place(root, 0)
            self.edge += MARGIN

    @property
    def depth(self) -> float:
        """The lower end of all nodes."""
        return max(place.y for place in self.places) + RADIUS + MARGIN + 10

    def _place(self, root: int, level: int) -> None:
        """Places a node and all below it; a stack of its own, since a corridor may be deeper than Python's."""
        todo: list[tuple[int, int, bool]] = [(root, level, False)]
        spans: dict[int, list[float]] = {}
        while todo:
            number, level, done = todo.pop()
            node = self.tree.nodes[number]
            if not done:
                spans[number] = []
                todo.append((number, level, True))
                todo += [(child, level + 1, False) for child in reversed(self.below[number])]
                continue
            for label in stubs(node):
                width = max(30.0, CHARACTER * len(label) + 12)
                spans[number].append(self._slot(width, level + 1, None, number, label))
            if spans[number]:
                x = (spans[number][0] + spans[number][-1]) / 2
                self._put(Place(x, _height(level), number, node.parent, move_text(node)))
            else:
                x = self._slot(_width(node, self._windows), level, number, node.parent, move_text(node))
            if node.parent is not None and node.parent in spans:
                spans[node.parent].append(x)

    def _slot(self, width: float, level: int, number: int | None, above: int | None, label: str) -> float:
        x = self.edge + width / 2
        self.edge += width
        self._put(Place(x, _height(level), number, above, label))
        return x

    def _put(self, place: Place) -> None:
        self.places.append(place)
        if place.number is not None:
            self.at[place.number] = place


def _height(level: int) -> float:
    return MARGIN + RADIUS + 12 + LEVEL * level


def _width(node: TreeNode, windows: bool) -> float:
    """The room that a leaf needs for what is written at it."""
    widest = max(len(value_text(node)) + 2, len(move_text(node)))
    if windows:
        widest = max(widest, len(window_text(node)), len(node.end))
    return max(CHARACTER * widest + 14, 2.0 * RADIUS + 8)


def stubs(node: TreeNode) -> list[str]:
    """The names of the branches of a node that were not searched; those of a table's or a selective method's cut are
    not drawn.
    """
    if node.end not in ("cut", "futility", "probe-cut", "prob-cut", "probe") or not node.pruned:
        return []
    named = [str(move) for move in node.pruned[:STUBS]]
    more = len(node.pruned) - STUBS
    return [*named, f"+{more}"] if more > 0 else named
