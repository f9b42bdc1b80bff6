"""The tree of a small search, told while it grows: an iteration, a simulation or an expansion at a time."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import kibitz as kb
from kibitz.draw.lesson import LARGEST
from kibitz.solve import Solver
from kibitz.tree import Tree
from kibitz.web.inputs import read_algorithm, read_game, read_position

STAGES = 60
"""Simulations or expansions that are told one by one; what comes later is more of the same."""
NODES = 400
"""Nodes of a tree that is told; a picture of more would say nothing."""
DEPTH = 12
"""Plies at most, where nothing else limits a search."""

_COUNTED = 200_000

Report = Callable[[dict[str, Any]], None]


def run(payload: dict[str, Any], report: Report) -> dict[str, Any]:
    """Searches `position` of `game` with `algorithm` and reports trees.

    `tree` replaces the one before (a deeper iteration), `stage` follows it (one simulation or expansion more). The
    result has the best move, the value, and how many positions a search without any cut would visit.
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
        tree = _told(report, "stage", found.tree)
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
        tree = _told(report, "stage", found.tree)
        if count > most or len(tree.nodes) >= NODES:
            break
        found = algorithm.search(position, simulations=count)
    return {"best": _text(found.best), "value": found.value, "whole": None}


def _iterations(algorithm: kb.Algorithm, position: kb.Position, report: Report) -> dict[str, Any]:
    shown: kb.Report | None = None
    for depth in _depths(algorithm):
        found = algorithm.search(position, depth=depth, deepening=False, trace=LARGEST)
        size = 0 if found.tree is None else len(found.tree.nodes) + found.tree.missing
        if size > NODES:
            if shown is not None:
                break
            raise kb.BadParameter(
                f"the tree has {size:,} positions, of which a picture shows {NODES} at most: set a smaller depth, or a "
                "position nearer to the end"
            )
        shown = found
        tree = _told(report, "tree", found.tree, depth=depth)
        if found.proven or _finished(tree):
            break
    if shown is None:
        raise kb.BadParameter("there is nothing to show: the depth is 0")
    return {"best": _text(shown.best), "value": shown.value, "whole": _whole(algorithm, position, shown)}


def _told(report: Report, kind: str, tree: Tree | None, **more: Any) -> Tree:
    if tree is None:
        raise kb.NotSupported("this search has no tree to show; choose another algorithm, or one thread")
    report({"type": kind, "tree": tree.as_dict(), **more})
    return tree


def _depths(algorithm: kb.Algorithm) -> Iterator[int]:
    depth = getattr(algorithm, "depth", None) or DEPTH
    return iter(range(1, depth + 1)) if getattr(algorithm, "deepening", False) else iter((depth,))


def _finished(tree: Tree) -> bool:
    """Whether no line ended at the depth."""
    return not any(node.end == "horizon" for node in tree.nodes)


def _whole(algorithm: kb.Algorithm, position: kb.Position, found: kb.Report) -> int | None:
    """How many positions minimax or expectimax visits to the same depth, if that can be counted in a moment."""
    depth = min(getattr(algorithm, "depth", None) or found.depth, found.depth or DEPTH)
    for method in (kb.Minimax, kb.Expectimax):
        try:
            whole = method(depth=depth, nodes=_COUNTED).search(position)
        except kb.NotSupported:
            continue
        return None if whole.nodes >= _COUNTED else whole.nodes
    return None


def _text(move: Any) -> str | None:
    return None if move is None else str(move)
