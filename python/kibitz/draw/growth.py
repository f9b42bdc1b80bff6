"""How a tree grows, in words: from its stages, one simulation or one expansion after the other."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.draw.lesson import Lesson, Mark, Step
from kibitz.draw.node_text import number_text, value_text, window_text
from kibitz.tree import Tree, TreeNode

__all__ = ["grow"]

_Way = tuple[str, ...]
"""The moves from the root to a node: its name in all stages."""


def grow(stages: Sequence[Tree]) -> Lesson:
    """The lesson of the stages of a tree."""
    ways: dict[_Way, int] = {}
    nodes: list[TreeNode] = []
    found = [_by_way(stage) for stage in stages]
    for stage in found:
        for way, node in stage.items():
            if way not in ways:
                ways[way] = len(nodes)
                nodes.append(node)
            # the last stage says most about a node, and the widest text makes the room for all of them
            nodes[ways[way]] = node._replace(parent=ways[way[:-1]] if way else None)
    steps: list[Step] = []
    for number, stage in enumerate(found):
        before = found[number - 1] if number else {}
        steps.append(_step(before, stage, ways))
    last = found[-1][()]
    steps.append(Step("end", _end(last), 0, (0,), {}, seen=len(found[-1])))
    return Lesson(Tree(tuple(nodes), stages[-1].missing), tuple(steps))


def _by_way(stage: Tree) -> dict[_Way, TreeNode]:
    ways: list[_Way] = []
    for node in stage.nodes:
        ways.append(() if node.parent is None else (*ways[node.parent], str(node.move)))
    return dict(zip(ways, stage.nodes, strict=True))


def _step(before: dict[_Way, TreeNode], stage: dict[_Way, TreeNode], ways: dict[_Way, int]) -> Step:
    """What has changed from one stage to the next."""
    changed = [way for way, node in stage.items() if _figures(before.get(way)) != _figures(node)]
    fresh = [way for way in changed if way not in before]
    marks = {ways[way]: _mark(stage[way]) for way in changed}
    root = stage[()]
    if root.visits:
        # a simulation visits one position on each level
        goal = max((way for way in changed if _one_more(before.get(way), stage[way])), key=len, default=())
        text = _simulated(before.get(()), root, goal, bool(fresh))
    else:
        goal = min(fresh, key=len, default=())[:-1] if before else ()
        text = _expanded(root, goal, [stage[way] for way in fresh], bool(before), changed, stage)
    path = tuple(ways[goal[:length]] for length in range(len(goal) + 1))
    return Step("grow", text, ways[goal], path, marks, seen=len(stage))


def _figures(node: TreeNode | None) -> tuple[float | None, ...] | None:
    return None if node is None else (node.visits, node.value, node.proof, node.disproof)


def _one_more(before: TreeNode | None, node: TreeNode) -> bool:
    return node.visits > (0 if before is None else before.visits)


def _mark(node: TreeNode) -> Mark:
    return Mark(window_text(node), value_text(node), done=node.bound == "exact" or node.end == "over")


def _moves(way: _Way) -> str:
    return " ".join(way)


def _simulated(before: TreeNode | None, root: TreeNode, goal: _Way, new: bool) -> str:
    earlier = 0 if before is None else before.visits
    if root.visits - earlier != 1:
        return f"{root.visits - earlier} more simulations: the moves that do well get most of them."
    mean = 0.0 if before is None else before.value
    result = number_text(round(root.value * root.visits - mean * earlier, 6))
    new_one = ", and the position at its end joins the tree" if new and goal else ""
    if before is None:
        return (
            f"Simulation 1 goes {_moves(goal)}{new_one}. From there a random game is played, with the result {result} "
            "for MAX. Every position on the way counts one visit and takes the result into its mean."
        )
    if earlier < 3:
        why = "no move is tried again before each was tried once, then the best sum of mean and bonus decides"
        return f"Simulation {root.visits} goes {_moves(goal)}{new_one}: {why}. The random game gives {result}."
    return (
        f"Simulation {root.visits} goes {_moves(goal)}, where mean plus bonus for few visits is greatest{new_one}. "
        f"The random game gives {result}."
    )


def _expanded(
    root: TreeNode,
    goal: _Way,
    fresh: list[TreeNode],
    later: bool,
    changed: list[_Way],
    stage: dict[_Way, TreeNode],
) -> str:
    numbers = f"{number_text(root.proof or 0.0)} and {number_text(root.disproof or 0.0)}"
    if not later:
        begin = f"The root has been expanded: {len(fresh) - 1} moves. " if len(fresh) > 1 else "The root is a leaf. "
        proof = "1 leaf" if root.proof == 1 else f"{number_text(root.proof or 0.0)} leaves"
        return (
            f"{begin}To prove it, at least {proof} must be won, to disprove it at least "
            f"{number_text(root.disproof or 0.0)} must be lost: these are its two numbers."
        )
    if not fresh:
        return f"The numbers change on the way to the root: {numbers}."
    where = f"the position after {_moves(goal)}" if goal else "the root"
    settled = [each for each in fresh if each.value]
    ended = ""
    if settled:
        one = " It is settled at once." if len(fresh) == 1 else " One of them is settled at once."
        ended = one if len(settled) == 1 else f" {len(settled)} of them are settled at once."
    solved = [way for way in changed if way in stage and stage[way].value and way == goal]
    answer = f" That settles it: {value_text(stage[goal])}." if solved else ""
    noun = "child" if len(fresh) == 1 else "children"
    return (
        f"The most-proving node is {where}: there the least work may settle the root. It gets {len(fresh)} {noun}."
        f"{ended}{answer} The numbers on the way are made again; the root has {numbers}."
    )


def _end(root: TreeNode) -> str:
    if root.visits:
        proven = ", which is proven" if root.bound == "exact" else ""
        return f"Done: {root.visits:,} simulations, with a mean of {number_text(root.value)}{proven}."
    if not root.value:
        return "The search ends here; the root is not settled yet."
    answer = "yes, the player to move can force it" if root.value > 0 else "no, the opponent can prevent it"
    return f"Done. The question is answered: {answer}."
