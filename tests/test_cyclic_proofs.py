"""Proofs in games that go round in circles: no solver ever claims what retrograde analysis denies."""

from __future__ import annotations

import random

import kibitz as kb
import pytest
from kibitz.solve import Solver

SOLVERS: list[Solver] = [
    kb.ProofNumber(),
    kb.Pn2(),
    kb.DfPn(),
    kb.EfPn(),
    kb.ProofNumber(leaf="mobility", solved_mb=1),
    kb.Pn2(solved_mb=1),
]

CIRCLES = [
    ("l-game", "nB../.B../WBB./WWWn W", "loss", 6),
    ("l-game", ".Bn./.B../WBB./WWWn W", "loss", 6),
    ("l-game", ".Bn./.B.n/WBB./WWW. W", "loss", 8),
    ("l-game", "BBB./nnB./W.../WWW. W", "win", 9),
    ("l-game", ".BBB/.Bnn/W.../WWW. W", "win", 9),
    ("l-game", "BBB./nnB./.W../.WWW W", "win", 9),
    ("l-game", ".BBB/.Bnn/.W../.WWW W", "win", 9),
    ("l-game", "BBB./nnB./WWW./W... W", "win", 9),
    ("l-game", ".BBB/.Bnn/WWW./W... W", "win", 9),
    ("l-game", ".BBB/.Bnn/WWW./..W. W", "win", 9),
    ("l-game", "BBB./.WB./.WWW/n..n W", "win", 9),
    ("dao", "..../B..B/WBB./WWW. W", "loss", 10),
    ("dao", "...B/B.../WBBW/WW.. W", "loss", 8),
    ("dao", "..BB/...B/WW.W/B..W W", "win", 7),
    ("dao", "B.../W.../.BBB/WWW. W", "loss", 6),
    ("dao", "B..B/W..B/W.WB/W... W", "win", 5),
    ("dao", ".B../.W../BW../BBWW W", "win", 9),
    ("dao", "...B/.W../BW../BBWW W", "win", 7),
    ("dao", "...B/BW.B/.W.B/..WW W", "win", 7),
    ("dao", "B..B/BW../BW../..WW W", "win", 5),
    ("dao", "B..B/BW../BWW./...W W", "win", 5),
    ("dao", ".BBB/.W../...W/WW.B W", "win", 5),
    ("dao", "..BB/BW.B/...W/W.W. W", "win", 9),
    ("dao", "B..B/BW../B..W/.W.W W", "win", 5),
    ("dao", "..BB/.W.B/...W/BW.W W", "win", 7),
    ("dao", ".BBB/.W.B/W..W/W... W", "win", 11),
    ("dao", "BBB./BW../W..W/..W. W", "win", 11),
    ("dao", "B..B/BW../BW.W/..W. W", "win", 5),
    ("dao", ".BBB/WW../..WB/...W W", "win", 7),
    ("dao", "B.BB/W.W./..WB/..W. W", "win", 7),
    ("dao", "BB../BWW./W.../.B.W W", "win", 7),
    ("dao", "BB../BWWB/W..W/.... W", "win", 9),
    ("dao", "W.../.BB./...W/BBWW W", "loss", 6),
    ("dao", "W.../...W/BW.B/.WBB W", "win", 9),
]
"""Won and lost positions with their distances in plies. A depth-first proof-number search that counts a position of its
own path as no win, and keeps what follows from it in its table for all paths, finds nothing here in 50,000 nodes:
`cargo run --release -p kibitz-solve --example ghi_positions`."""


@pytest.fixture(scope="module")
def known() -> dict[str, kb.StrongSolution]:
    return {name: kb.Retrograde(kb.game(name)).solve() for name in ("dao", "do-guti", "l-game")}


@pytest.mark.parametrize("solver", SOLVERS, ids=str)
def test_circles_mislead_no_solver(solver: Solver, known: dict[str, kb.StrongSolution]) -> None:
    for name, text, value, distance in CIRCLES:
        position = kb.game(name).position(text)
        assert (known[name].value_of(position), known[name].distance(position)) == (value, distance)
        assert solver.solve(position, nodes=3000).value in (value, "unknown"), text


@pytest.mark.parametrize("solver", SOLVERS, ids=str)
def test_no_solver_is_wrong_about_positions_of_dao(solver: Solver, known: dict[str, kb.StrongSolution]) -> None:
    graph = kb.graph(kb.game("dao"))
    generator = random.Random(3)
    decided = 0
    positions = [graph.position(generator.randrange(len(graph))) for _ in range(300)]
    positions = [position for position in positions if not position.over]
    for position in positions:
        value, wanted = solver.solve(position, nodes=1000).value, known["dao"].value_of(position)
        assert value in (wanted, "unknown"), position
        decided += value != "unknown"
    # a sixth of the positions is won at once or in three plies
    assert decided > len(positions) / 10


@pytest.mark.parametrize("solver", SOLVERS, ids=str)
def test_every_position_of_do_guti_is_solved(solver: Solver, known: dict[str, kb.StrongSolution]) -> None:
    graph = kb.graph(kb.game("do-guti"))
    for node in range(len(graph)):
        position = graph.position(node)
        if not position.over:
            assert solver.solve(position, nodes=10_000).value == known["do-guti"].value_of(position), position
