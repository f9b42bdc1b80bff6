"""The tree of a search, told while it grows: node by node, or a simulation or an expansion at a time."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import kibitz as kb
from kibitz.draw.lesson import LARGEST
from kibitz.solve import Solver
from kibitz.tree import Tree, TreeNode
from kibitz.web.inputs import read_algorithm, read_game, read_position

STAGES = 60
"""Simulations or expansions that are told one by one; what comes later is more of the same."""
NODES = 400
"""Nodes of a tree that is told; a picture of more would say nothing."""
DEPTH = 12
"""Plies at most, where nothing else limits a search."""
BATCH = 20
"""Nodes that are told at once."""
SECONDS = 5.0
"""How long an iteration may take. Its nodes come when it is complete, and nobody waits longer for a picture."""

_COUNTED = 200_000

Report = Callable[[dict[str, Any]], None]


def run(payload: dict[str, Any], report: Report) -> dict[str, Any]:
    """Searches `position` of `game` with `algorithm` and reports its tree.

    `nodes` are more nodes in the order of their visits, and how many of the iteration are still `missing`; `stage` is
    the tree of one simulation or expansion more. The result has the best move, the value, and how many positions a
    search without any cut would visit.
    """
    game = read_game(payload["game"])
    position = read_position(game, payload["position"])
    algorithm = read_algorithm(payload["algorithm"], payload["caps"]["threads"])
    if position.over:
        raise kb.BadParameter("the game is over in this position: there is nothing to think about")
    if not any(each.name == "trace" for each in dataclasses.fields(algorithm)):
        raise kb.NotSupported(
            f"{algorithm.name} does not write its tree down; choose one of the minimax family, of the family for games "
            "of chance, uct, or proof-number search"
        )
    if isinstance(algorithm, Solver):
        return _proof(algorithm, position, report)
    if any(each.name == "simulations" for each in dataclasses.fields(algorithm)):
        return _simulations(algorithm, position, report)
    return _iterations(algorithm, position, report)


def _proof(solver: Solver, position: kb.Position, report: Report) -> dict[str, Any]:
    if solver.goal == "value":
        # one question makes one tree
        solver = solver.replace(goal="win")
    solver = solver.replace(trace=NODES, memory_mb=16)
    found = solver.solve(position, nodes=1)
    for _ in range(STAGES):
        tree = _stage(report, found.tree)
        if found.goals[-1].answer is not None or len(tree.nodes) >= NODES:
            break
        found = solver.solve(position, nodes=found.nodes + 1)
    return {"best": _text(found.best), "value": found.value, "whole": None}


def _simulations(algorithm: kb.Algorithm, position: kb.Position, report: Report) -> dict[str, Any]:
    # a proven root would end the search before all its simulations, and means would be values
    algorithm = algorithm.replace(nodes=None, seconds=None, trace=NODES, solver=False)
    most = min(getattr(algorithm, "simulations", None) or STAGES, STAGES)
    found = algorithm.search(position, simulations=1)
    for count in range(2, most + 2):
        tree = _stage(report, found.tree)
        if count > most or len(tree.nodes) >= NODES:
            break
        found = algorithm.search(position, simulations=count)
    return {"best": _text(found.best), "value": found.value, "whole": None}


def _iterations(algorithm: kb.Algorithm, position: kb.Position, report: Report) -> dict[str, Any]:
    """Tells one iteration while the next, deeper one is searched; each is the real one, with the table of those before.

    A search gives the tree of its last complete iteration. The same search to a depth less is the iteration before.
    """
    told = 0
    shown: list[kb.Report] = []
    seconds = min(getattr(algorithm, "seconds", None) or SECONDS, SECONDS)
    for depth in _depths(algorithm):
        room = min(NODES, LARGEST - told)
        found = algorithm.search(position, depth=depth, seconds=seconds, trace=room)
        tree = found.tree
        if tree is None or not tree.nodes or tree.nodes[0].depth < depth:
            break
        shown.append(found)
        _nodes(report, tree, told)
        told += len(tree.nodes)
        if tree.missing or told >= LARGEST or found.proven or _finished(tree):
            break
    if not shown:
        raise kb.BadParameter(
            f"no search was complete within {seconds:g} seconds and its own limits: set a smaller depth, or "
            "deepening=true, which is shown from the first depth on"
        )
    last = shown[-1]
    return {"best": _text(last.best), "value": last.value, "whole": _whole(position, shown)}


def _nodes(report: Report, tree: Tree, told: int) -> None:
    """Tells the nodes of an iteration, which follow those that were told already."""

    def moved(node: TreeNode) -> TreeNode:
        return node if node.parent is None else node._replace(parent=node.parent + told)

    for first in range(0, len(tree.nodes), BATCH):
        batch = tree.nodes[first : first + BATCH]
        missing = tree.missing + len(tree.nodes) - first - len(batch)
        report({"type": "nodes", **Tree(tuple(map(moved, batch)), missing).as_dict()})


def _stage(report: Report, tree: Tree | None) -> Tree:
    if tree is None:
        raise kb.NotSupported("this search has no tree to show; choose another algorithm, or one thread")
    report({"type": "stage", "tree": tree.as_dict()})
    return tree


def _depths(algorithm: kb.Algorithm) -> Iterator[int]:
    depth = getattr(algorithm, "depth", None) or DEPTH
    return iter(range(1, depth + 1)) if getattr(algorithm, "deepening", False) else iter((depth,))


def _finished(tree: Tree) -> bool:
    """Whether no line ended at the depth."""
    return not any(node.end == "horizon" for node in tree.nodes)


def _whole(position: kb.Position, shown: list[kb.Report]) -> int | None:
    """How many positions minimax or expectimax visits to the same depths, if that can be counted in a moment."""
    for method in (kb.Minimax, kb.Expectimax):
        total = 0
        try:
            for found in shown:
                total += method(depth=found.depth or DEPTH, nodes=_COUNTED).search(position).nodes
                if total >= _COUNTED:
                    return None
        except kb.NotSupported:
            continue
        return total
    return None


def _text(move: Any) -> str | None:
    return None if move is None else str(move)
