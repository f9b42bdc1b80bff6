"""A line for every algorithm on every native game that it can search."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

import kibitz as kb
from kibitz.bench.rows import Effort, Row, rates

GAMES = (
    "breakthrough",
    "connect-four",
    "fish:placement=random",
    "gomoku",
    "kuhn-poker",
    "lines-of-action",
    "nim:piles=7-8-9-10",
    "othello",
    "pip-race:steady=8",
    "random-tree:width=6,depth=12",
    "random-tree:width=4,depth=12,players=3",
    "tic-tac-toe",
)
"""The native games, with parameters that keep a search busy."""


def methods(quick: bool) -> dict[str, kb.Algorithm]:
    """Every algorithm, with a limit that takes a fraction of a second."""
    nodes, simulations = (20_000, 500) if quick else (500_000, 10_000)
    return {
        "alphabeta": kb.AlphaBeta(nodes=nodes),
        "bestnode": kb.BestNode(nodes=nodes),
        "bstar": kb.BStar(nodes=nodes),
        "dual": kb.Dual(nodes=nodes),
        "minimax": kb.Minimax(nodes=nodes),
        "mtd": kb.Mtd(nodes=nodes),
        # where a fit is shipped
        "multiprobcut": kb.MultiProbCut(nodes=nodes),
        "negacstar": kb.NegaCStar(nodes=nodes),
        "negascout": kb.NegaScout(nodes=nodes),
        "probcut": kb.ProbCut(nodes=nodes),
        "pvs": kb.Pvs(nodes=nodes),
        "random": kb.Random(),
        "simulation": kb.Simulation(simulations=simulations, sigmas=None, tolerance=None, bound=False),
        "sss": kb.Sss(nodes=nodes),
        "ubfm": kb.Ubfm(nodes=nodes),
        "uct": kb.Uct(simulations=simulations, solver=False),
    }


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each algorithm and game."""
    short = dataclasses.replace(effort, rounds=min(effort.rounds, 3), seconds=effort.seconds / 4)
    for name, method in methods(effort.quick).items():
        for game in GAMES:
            start = kb.game(game).start()
            try:
                report = method.search(start)
            except kb.NotSupported:
                continue
            # a move of Random and a simulation is what these methods count
            work, counted = {
                "random": (1, "moves"),
                "simulation": (int(report.stats.get("simulations", 0)), "simulations"),
                "uct": (int(report.stats.get("simulations", 0)), "simulations"),
            }.get(name, (report.nodes, "nodes"))
            mine, _ = rates(short, work, functools.partial(method.search, start), None)
            details = {"algorithm": method.spec, "game": game, "counted": counted, "nodes": report.nodes}
            yield Row("algorithms", f"{method.spec}, {game}", "1/s", mine, note=f"{counted}/s", details=details)
