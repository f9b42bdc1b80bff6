"""A proof: the value of a position, with the numbers of the root while they change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import kibitz as kb
from kibitz.solve import Solver
from kibitz.web.inputs import read_algorithm, read_game, read_position


def run(payload: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Solves `position` of `game` with the solver `algorithm`; `database` is a file that the server has chosen."""
    game = read_game(payload["game"])
    position = read_position(game, payload["position"])
    solver = read_algorithm(payload["algorithm"], payload["caps"]["threads"])
    if not isinstance(solver, Solver):
        raise kb.BadParameter(f"{solver.name} is no solver: choose proofnumber, pn2, dfpn or efpn")

    def tell(point: kb.RootNumbers) -> None:
        report({"type": "numbers", **point._asdict()})

    found = solver.solve(position, progress=tell, database=payload.get("database"))
    goals = [
        {
            "at_least": goal.at_least,
            "answer": goal.answer,
            "nodes": goal.nodes,
            "seconds": goal.seconds,
            "proof": goal.proof_number,
            "disproof": goal.disproof_number,
            "curve": _thinned(goal.curve),
        }
        for goal in found.goals
    ]
    texts, at = [], position
    for move in found.pv:
        texts.append(at.notation(move))
        at = at.play(move)
    return {
        "value": found.value,
        "reason": found.reason,
        "best": None if found.best is None else position.notation(found.best),
        "pv": texts,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "goals": goals,
    }


def _thinned(curve: tuple[tuple[int, int, int], ...], most: int = 400) -> list[tuple[int, int, int]]:
    """Some points of a curve, the last one included: a screen has no more."""
    step = max(1, len(curve) // most)
    return [*curve[:-1:step], *curve[-1:]]
