"""The tree of a search as it was visited."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

__all__ = ["Tree", "TreeNode"]


class TreeNode(NamedTuple):
    """A visit of a node. Values are in units of the result and in the view of the player to move at the root.

    `parent` is the number of the node above, `None` for a root; `move` led here, `None` at a root and for a null move;
    `player` is to move, nobody when the game is over and where `chance` is to move; `probability` is that of the
    outcome which led here, where the method knows it. It was searched with the window from `alpha` to `beta`, which is
    a `null_window` if no value lies inside, and `again` if the same move had been searched before. `end` says why it
    was left (`cut`, `table`, `etc`, `over`, `database`, `horizon`, `repetition`, `null-move`, `prob-cut`, `multi-cut`,
    `razoring`, `futility`; of a chance node also `probe-cut`), nothing if all moves were searched; `pruned` are the
    moves that were not. A node that was only probed says `probe`.

    In the tree of a Monte-Carlo search `visits` counts the simulations that went through a position, there are no
    windows, and a value is a mean or, where `bound` is exact, proven; with more than two players it is in the view of
    the one who moved there. `end` is `leaf` where the tree ends, `chance` or `over`.

    In the tree of a proof-number search `proof` and `disproof` are the numbers of a position, and the value is 1 where
    the question is answered with yes, −1 where with no, and 0 where it is open.
    """

    parent: int | None
    move: Any
    player: int | None
    depth: int
    alpha: float
    beta: float
    null_window: bool
    again: bool
    value: float
    bound: Literal["exact", "lower", "upper", "estimate"]
    end: str
    pruned: tuple[Any, ...]
    visits: int = 0
    chance: bool = False
    probability: float | None = None
    proof: float | None = None
    disproof: float | None = None


@dataclass(frozen=True)
class Tree:
    """The nodes of the last iteration in the order of their visits, a root for each pass over it.

    Of a Monte-Carlo search they are the most visited positions, of a proof-number search those nearest to the root, the
    root first.

    `missing` counts the nodes beyond the limit `trace=` of the search. `tree(depth)` is the tree down to a depth.
    """

    nodes: tuple[TreeNode, ...]
    missing: int = 0

    @property
    def roots(self) -> tuple[int, ...]:
        """The numbers of the roots."""
        return tuple(number for number, node in enumerate(self.nodes) if node.parent is None)

    def children(self, number: int) -> tuple[int, ...]:
        """The numbers of the nodes below a node, in the order of their visits."""
        return tuple(each for each, node in enumerate(self.nodes) if node.parent == number)

    def __call__(self, depth: int) -> Tree:
        """The nodes that are at most so many moves below a root."""
        below: list[int] = []
        kept: dict[int, int] = {}
        for number, node in enumerate(self.nodes):
            below.append(0 if node.parent is None else below[node.parent] + 1)
            if below[number] <= depth:
                kept[number] = len(kept)
        moved = (
            node if node.parent is None else node._replace(parent=kept[node.parent])
            for number, node in enumerate(self.nodes)
            if number in kept
        )
        return Tree(tuple(moved), self.missing)

    def _repr_svg_(self) -> str | None:
        """The picture, for a notebook; nothing where there are too many nodes for one."""
        from kibitz.draw.report import tree_svg

        return tree_svg(self)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON; moves become texts, and infinite ends of windows `None`."""

        def plain(name: str, value: Any) -> Any:
            if name in ("alpha", "beta"):
                return value if abs(value) < float("inf") else None
            if name in ("proof", "disproof") and value is not None:
                return value if value < float("inf") else "infinite"
            if name == "pruned":
                return [str(move) for move in value]
            return str(value) if name == "move" and value is not None else value

        nodes = [{name: plain(name, value) for name, value in node._asdict().items()} for node in self.nodes]
        return {"nodes": nodes, "missing": self.missing}


def tree_of_dict(data: Mapping[str, Any]) -> Tree:
    """The tree that `Tree.as_dict` wrote; moves stay texts."""
    ends = {"alpha": -math.inf, "beta": math.inf}

    def plain(name: str, value: Any) -> Any:
        if name in ends and value is None:
            return ends[name]
        if name in ("proof", "disproof") and value == "infinite":
            return math.inf
        return tuple(value) if name == "pruned" else value

    nodes = (TreeNode(**{name: plain(name, value) for name, value in node.items()}) for node in data["nodes"])
    return Tree(tuple(nodes), data["missing"])


def tree_of(found: Mapping[str, Any]) -> Tree:
    """The tree that the native module reports."""
    return Tree(tuple(TreeNode(**node) for node in found["nodes"]), found["missing"])
