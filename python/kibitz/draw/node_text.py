"""What is written at the nodes of a tree: moves, windows, values."""

from __future__ import annotations

import math

from kibitz.tree import TreeNode

__all__ = ["move_text", "number_text", "proof_text", "value_text", "window_text"]


def move_text(node: TreeNode) -> str:
    """What led to a node."""
    if node.probability is not None:
        return f"{node.move}: {node.probability:.3g}"
    if node.move is not None:
        return str(node.move)
    return "" if node.parent is None else "pass"


def number_text(value: float) -> str:
    """A value in four digits."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    # no negative zero
    return f"{value + 0.0:.4g}".replace("-", "−")


def value_text(node: TreeNode) -> str:
    """The value, with a sign before it where it is a bound or, in a sampled tree, proven; or the answer of a proof."""
    if node.proof is not None:
        return {1.0: "yes", -1.0: "no"}.get(node.value, "?")
    if node.visits and node.bound != "exact":
        # a mean of few results is not known to four digits
        return f"{node.value + 0.0:.3g}".replace("-", "−")
    proven = "=" if node.visits else ""
    return {"lower": "≥", "upper": "≤"}.get(node.bound, proven) + number_text(node.value)


def window_text(node: TreeNode) -> str:
    """What stands above a node: its window, its visits, or its proof and disproof number."""
    if node.proof is not None:
        return proof_text(node)
    if node.visits:
        return f"{node.visits:,}"
    return f"[{number_text(node.alpha)}, {number_text(node.beta)}]"


def proof_text(node: TreeNode) -> str:
    """The proof and the disproof number of a node."""
    return " | ".join(number_text(number) for number in (node.proof, node.disproof) if number is not None)
