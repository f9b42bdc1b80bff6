"""Proof-number search against retrograde analysis: the same values on the positions of small boards of Fanorona."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import kibitz as kb
from kibitz.experiments.experiment import Scale, SelfCheck
from kibitz.experiments.schadd_proof import THESIS
from kibitz.solve import Solver

__all__ = ["EXPERIMENTS"]

SOLVERS: tuple[Solver, ...] = (
    kb.ProofNumber(memory_mb=64, solved_mb=8),
    kb.Pn2(leaf="mobility", memory_mb=64, solved_mb=8),
    kb.DfPn(leaf="mobility", memory_mb=64),
    kb.EfPn(memory_mb=64, solved_mb=8),
)
NODES = 1_000_000


def _positions(scale: Scale) -> list[dict[str, Any]]:
    count, parts = {"quick": (40, 1), "standard": (2_000, 4), "full": (10_000, 10)}[scale]
    return [{"seed": seed, "count": count // parts} for seed in range(parts)]


def _check_positions(unit: dict[str, Any]) -> str | None:
    """Random positions of 5 by 5 with at most 8 pieces, given the 4-piece database and a million nodes each."""
    game = kb.game("fanorona", rows=5, cols=5)
    dice = random.Random(unit["seed"])
    with tempfile.TemporaryDirectory() as folder:
        judge = kb.build_db(
            game, Path(folder) / "8.kdb", pieces=6 if unit["count"] < 100 else 8, memory="4G", threads=1
        )
        small = kb.build_db(game, Path(folder) / "4.kdb", pieces=4, threads=1)
        most = judge.pieces or 8
        undecided, total = dict.fromkeys(SOLVERS, 0), 0
        while total < unit["count"]:
            own = dice.randint(1, most - 1)
            other = dice.randint(1, most - own)
            points = dice.sample(range(25), own + other)
            board = ["."] * 25
            for i, point in enumerate(points):
                board[point] = "w" if i < own else "b"
            rows = "/".join("".join(board[i : i + 5]) for i in range(0, 25, 5))
            position = game.position(f"{rows} w")
            if position.over:
                continue
            total += 1
            known = judge.probe(position)
            for solver in SOLVERS:
                found = solver.replace(database=small, nodes=NODES).solve(position)
                if found.value == "unknown":
                    undecided[solver] += 1
                elif known is not None and found.value != known.value:
                    return f"{solver.name} says {found.value} of {position}, the database {known.value}"
    for solver, count in undecided.items():
        if count * 100 > total:
            return f"{solver.name} does not decide {count} of {total}"
    return None


def _parts(scale: Scale) -> list[dict[str, Any]]:
    """All positions, and at the scale quick those of some random games."""
    if scale == "quick":
        return [{"games": 3}]
    return [{"part": part, "of": 20} for part in range(20)]


def _reachable(game: kb.Game) -> list[kb.Position]:
    """All positions that the start leads to and that are not over, in the order of their texts."""
    found, waiting = {str(game.start()): game.start()}, [game.start()]
    while waiting:
        position = waiting.pop()
        for move in position.moves:
            after = position.play(move)
            if not after.over and str(after) not in found:
                found[str(after)] = after
                waiting.append(after)
    return [found[text] for text in sorted(found)]


def _some(game: kb.Game, games: int) -> list[kb.Position]:
    """The positions of random games."""
    dice, found = random.Random(1), []
    for _ in range(games):
        position = game.start()
        while not position.over and len(position.past) < 60:
            found.append(position)
            position = position.play(dice.choice(position.moves))
    return found


def _check_three_by_five(unit: dict[str, Any]) -> str | None:
    game = kb.game("fanorona", rows=3, cols=5)
    positions = _some(game, unit["games"]) if "games" in unit else _reachable(game)[unit["part"] :: unit["of"]]
    truth = kb.Retrograde(game, distances=None, threads=1).solve()
    undecided = dict.fromkeys(SOLVERS, 0)
    for position in positions:
        # what was played before would make some repetitions ends of the game
        known = truth.value_of(game.position(str(position)))
        for solver in SOLVERS:
            found = solver.solve(game.position(str(position)), nodes=NODES)
            if found.value == "unknown":
                undecided[solver] += 1
            elif found.value != known:
                return f"{solver.name} says {found.value} of {position}, retrograde analysis {known}"
    for solver, count in undecided.items():
        if count * 100 > len(positions):
            return f"{solver.name} does not decide {count} of {len(positions)}"
    return None


EXPERIMENTS = (
    SelfCheck(
        id="proof-numbers-agree-with-databases",
        statement="PN, PN², df-pn and EF-PN find what databases say of random 5×5 positions, each 99 of 100 at least",
        cases=_positions,
        check=_check_positions,
        paper=THESIS,
        seconds={"quick": 8, "standard": 40, "full": 200},
        seed=0,
    ),
    SelfCheck(
        id="proof-numbers-agree-on-3x5",
        statement="PN, PN², df-pn and EF-PN find what retrograde analysis says of 3×5 positions, each 99 of 100",
        cases=_parts,
        check=_check_three_by_five,
        paper=THESIS,
        seconds={"quick": 5, "standard": 1500, "full": 1500},
        seed=1,
    ),
)
