"""Proof-number searches against the complete solution of Dao, a game full of cycles."""

from __future__ import annotations

import functools
from typing import Any

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.experiments.experiment import Scale, SelfCheck

__all__ = ["EXPERIMENTS"]

SEED = 1
BATCH = 250
NODES = 2000


@functools.cache
def _known() -> tuple[kb.GameGraph, kb.StrongSolution]:
    game = kb.game("dao")
    return kb.graph(game), kb.Retrograde(game, threads=1).solve()


def _cases(scale: Scale) -> list[dict[str, int]]:
    """Batches of positions; at the scale full all of them."""
    positions = {"quick": 500, "standard": 20_000, "full": 113_028}[scale]
    return [{"first": first, "positions": BATCH} for first in range(0, positions, BATCH)]


@functools.cache
def _order() -> list[int]:
    import numpy as np

    order: list[int] = np.random.default_rng(derive(SEED, "positions")).permutation(len(_known()[0])).tolist()
    return order


def _check(case: dict[str, Any]) -> str | None:
    graph, solution = _known()
    for node in _order()[case["first"] : case["first"] + case["positions"]]:
        position = graph.position(node)
        if position.over:
            continue
        wanted = solution.value_of(position)
        for solver in (kb.ProofNumber, kb.Pn2, kb.DfPn, kb.EfPn):
            found = solver(nodes=NODES).solve(position).value
            if found not in (wanted, "unknown"):
                return f"{solver.__name__} calls {position} a {found}; it is a {wanted}"
    return None


EXPERIMENTS = (
    SelfCheck(
        id="dao-proofs",
        statement="No proof-number search contradicts the solution of Dao",
        cases=_cases,
        check=_check,
        seconds={"quick": 3, "standard": 60, "full": 320},
        seed=SEED,
        note=f"A case is {BATCH} positions, in an order drawn by lot, each of which ProofNumber, Pn2, DfPn and EfPn "
        f"search with {NODES:,} nodes. Most positions are draws by endless play, so that repetitions are everywhere.",
    ),
)
