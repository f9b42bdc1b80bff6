"""A search told step by step: for every step a sentence, the node it is about, and what is known at every node.

>>> import kibitz as kb
>>> search = kb.AlphaBeta(deepening=False, tt_mb=0, killers=False, history=False, trace=100)
>>> report = search.search(kb.game("random-tree", width=3, depth=2, range=20, seed=2).start())
>>> lesson = kb.draw.lesson(report)
>>> print(lesson.steps[0].text)
MAX is to move. Every value can still matter: the window is open on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kibitz.draw.tree import Drawing
from kibitz.errors import BadParameter
from kibitz.search import Report
from kibitz.tree import Tree

__all__ = ["Kind", "Lesson", "Mark", "Span", "Step", "growing", "lesson"]

Kind = Literal["enter", "leaf", "back", "cut", "again", "grow", "end"]
"""What happens: a node is entered or is a leaf, a value comes back, branches are cut, a move is searched a second time,
a tree grows, or the search ends."""


class Mark(NamedTuple):
    """What is written at a node at a moment: its window or its numbers, and its value as far as it is known."""

    above: str
    inside: str
    done: bool = False


class Span(NamedTuple):
    """The values that still matter at a node, from `low` to `high`; `value` is the one that came back last."""

    low: float
    high: float
    value: float | None = None


@dataclass(frozen=True)
class Step:
    """One step: a sentence for the reader, and what it changes in the picture.

    - `focus`: the node that it is about; `path`: the nodes from the root to it;
    - `marks`: what is written at the nodes that change, from now on;
    - `reason`: the node where the bound comes from that a cut rests on;
    - `span`: the window there, where the search has one;
    - `seen`: how many positions have been looked at so far.
    """

    kind: Kind
    text: str
    focus: int
    path: tuple[int, ...]
    marks: dict[int, Mark] = field(default_factory=dict)
    reason: int | None = None
    span: Span | None = None
    seen: int = 0


@dataclass(frozen=True)
class Lesson:
    """The steps of a search in its tree. A search of several passes has a root for each, shown one after the other."""

    tree: Tree
    steps: tuple[Step, ...]

    @property
    def grows(self) -> bool:
        """Whether it is told how the tree grew, not how it was visited."""
        return bool(self.steps) and self.steps[0].kind == "grow"

    def root(self, step: int) -> int:
        """The root of the pass that a step belongs to."""
        return self.steps[step].path[0]

    def marks(self, step: int) -> dict[int, Mark]:
        """What stands at the nodes after a step; nodes that are not in it have not been seen in this pass."""
        root, found = self.root(step), {}
        for each in self.steps[: step + 1]:
            if each.path[0] == root:
                found.update(each.marks)
        return found

    def cuts(self, step: int) -> frozenset[int]:
        """The nodes whose branches have been cut by then."""
        return frozenset(each.focus for each in self.steps[: step + 1] if each.kind == "cut")

    def next(self, step: int, kind: Kind) -> int | None:
        """The next step of a kind."""
        return next((number for number in range(step + 1, len(self.steps)) if self.steps[number].kind == kind), None)

    def picture(self, step: int) -> Drawing:
        """The tree at a step, as a document of its own."""
        from kibitz.draw.lesson_picture import document

        if not 0 <= step < len(self.steps):
            raise BadParameter(f"there is no step {step}: the lesson has {len(self.steps)}, from 0 on")
        return Drawing(document(self, step))


LARGEST = 1000
"""Nodes of a tree that is told step by step; nobody would follow more."""


def lesson(report: Report | Tree) -> Lesson:
    """The steps of a search of the minimax family, or of the family for games of chance, that had `trace=`.

    The steps follow the visits: nothing is searched again or made up.
    """
    from kibitz.draw.telling import tell

    tree = report if isinstance(report, Tree) else report.tree
    if tree is None:
        raise BadParameter("the report has no tree: search with trace=1000, as in kb.AlphaBeta(depth=3, trace=1000)")
    if not tree.nodes:
        raise BadParameter("the tree is empty: no iteration was completed, or the game was over")
    if len(tree.nodes) + tree.missing > LARGEST:
        raise BadParameter(
            f"the tree has {len(tree.nodes) + tree.missing:,} nodes, of which nobody would follow more than "
            f"{LARGEST:,}: search less deep"
        )
    if tree.missing:
        raise BadParameter(f"{tree.missing:,} nodes were not written down: search with trace={LARGEST}")
    if tree.nodes[0].visits or tree.nodes[0].proof is not None:
        raise BadParameter("a tree that grew is told from its stages: kb.draw.growing([tree, …])")
    return tell(tree)


def growing(stages: Sequence[Tree]) -> Lesson:
    """The steps of a Monte-Carlo or a proof-number search from its trees, each a simulation or an expansion larger."""
    from kibitz.draw.growth import grow

    if not stages or not all(stage.nodes for stage in stages):
        raise BadParameter("there is nothing to tell: a stage has no nodes")
    if any(not stage.nodes[0].visits and stage.nodes[0].proof is None for stage in stages):
        raise BadParameter("only trees of Monte-Carlo and proof-number searches grow; others are told by lesson()")
    if len(stages[-1].nodes) > LARGEST:
        raise BadParameter(f"the tree has {len(stages[-1].nodes):,} nodes, more than {LARGEST:,}: search less")
    return grow(stages)
