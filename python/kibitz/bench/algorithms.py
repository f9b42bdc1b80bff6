"""A line for every algorithm on every native game that it can search."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

import kibitz as kb
from kibitz.bench.rows import Effort, Row, rates

GAMES = (
    "backgammon",
    "breakthrough",
    "chance-breakthrough",
    "chinese-checkers",
    "connect-four",
    "crossings",
    "dao",
    "dice",
    "do-guti",
    "epaminondas",
    "fanorona",
    "fish:placement=random",
    "focus",
    "gaps",
    "gomoku",
    "hearts",
    "kuhn-poker",
    "l-game",
    "lines-of-action",
    "morpion",
    "nim:piles=7-8-9-10",
    "othello",
    "pip-race:steady=8",
    "random-tree:width=6,depth=12",
    "random-tree:width=4,depth=12,players=3",
    "random-tree:width=6,depth=8,events=6,chance=uniform",
    "rolit",
    "samegame",
    "spades",
    "stratego",
    "surakarta",
    "tic-tac-toe",
)
"""The native games, with parameters that keep a search busy."""


def methods(quick: bool) -> dict[str, kb.Algorithm]:
    """Every algorithm, with a limit that takes a fraction of a second."""
    nodes, simulations = (20_000, 500) if quick else (500_000, 10_000)
    return {
        "alphabeta": kb.AlphaBeta(nodes=nodes),
        "astar": kb.AStar(nodes=nodes),
        "beamsearch": kb.BeamSearch(nodes=nodes),
        "bestnode": kb.BestNode(nodes=nodes),
        "bestreply": kb.BestReply(nodes=nodes),
        "bestreplyplus": kb.BestReplyPlus(nodes=nodes),
        "bstar": kb.BStar(nodes=nodes),
        "chanceprobcut": kb.ChanceProbCut(nodes=nodes),
        "determinized": kb.Determinized(inner=kb.Uct(simulations=max(1, simulations // 20), solver=False)),
        "dfpn": kb.DfPn(nodes=nodes),
        "dual": kb.Dual(nodes=nodes),
        "efpn": kb.EfPn(nodes=nodes),
        "expectimax": kb.Expectimax(nodes=nodes),
        "flatmontecarlo": kb.FlatMonteCarlo(simulations=simulations),
        "huct": kb.Huct(simulations=simulations),
        "idastar": kb.IdaStar(nodes=nodes),
        "incrementaltranspositions": kb.IncrementalTranspositions(nodes=nodes),
        "ismcts": kb.IsMcts(simulations=simulations),
        "maxn": kb.MaxN(nodes=nodes),
        "minimax": kb.Minimax(nodes=nodes),
        "movefilter": kb.MoveFilter(nodes=nodes),
        "mpmix": kb.MpMix(nodes=nodes),
        "mtd": kb.Mtd(nodes=nodes),
        # where a fit is shipped
        "multiprobcut": kb.MultiProbCut(nodes=nodes),
        "negacstar": kb.NegaCStar(nodes=nodes),
        "negascout": kb.NegaScout(nodes=nodes),
        "nestedmontecarlo": kb.NestedMonteCarlo(simulations=simulations),
        "nestedrollout": kb.NestedRollout(simulations=simulations),
        "paranoid": kb.Paranoid(nodes=nodes),
        "pn2": kb.Pn2(nodes=nodes),
        "probcut": kb.ProbCut(nodes=nodes),
        "probmaxn": kb.ProbMaxN(nodes=nodes),
        "proofnumber": kb.ProofNumber(nodes=nodes),
        "pvs": kb.Pvs(nodes=nodes),
        "random": kb.Random(),
        "rootonly": kb.RootOnly(nodes=nodes),
        "simulatedannealing": kb.SimulatedAnnealing(simulations=simulations),
        "simulation": kb.Simulation(simulations=simulations, sigmas=None, tolerance=None, bound=False),
        "softmaxn": kb.SoftMaxN(nodes=nodes),
        "spmcts": kb.SpMcts(simulations=simulations),
        "sss": kb.Sss(nodes=nodes),
        "star1": kb.Star1(nodes=nodes),
        "star2": kb.Star2(nodes=nodes),
        "star25": kb.Star25(nodes=nodes),
        "ubfm": kb.Ubfm(nodes=nodes),
        "uct": kb.Uct(simulations=simulations, solver=False),
    }


def variants(quick: bool) -> dict[str, kb.Algorithm]:
    """What the variants of UCT cost, on games with an evaluation."""
    plain = kb.Uct(simulations=500 if quick else 10_000, solver=False)
    return {
        "back-up max": plain.replace(back_up="max"),
        "back-up mix": plain.replace(back_up="mix"),
        "bias": plain.replace(progressive_bias=1.0),
        "bounds": plain.replace(score_bounds=True),
        "implicit minimax": plain.replace(implicit_minimax=0.2),
        "last good reply": plain.replace(last_good_reply=2),
        "greedy playouts": plain.replace(playout="evaluation"),
        "horizon": plain.replace(horizon=4),
        "mast": plain.replace(playout="mast", epsilon=0.4),
        "playout bound": plain.replace(playout_bound=0.9),
        "proof numbers": plain.replace(proof_numbers=1.0, solver=True),
        "rave": plain.replace(rave=1000.0),
        "solver": plain.replace(solver=True),
        "tuned": plain.replace(selection="ucb1-tuned"),
        "widening": plain.replace(widening=5),
    }


def variants_of_many(quick: bool) -> dict[str, kb.Algorithm]:
    """What UCT's ways to deal with many players cost."""
    plain = kb.Uct(simulations=500 if quick else 10_000, solver=False)
    return {
        "best reply": plain.replace(opponents="best-reply"),
        "opponent-move abstraction": plain.replace(opponent_move_abstraction=50.0, widening=5),
        "paranoid": plain.replace(opponents="paranoid"),
    }


VARIED_OF_MANY = ("random-tree:width=4,depth=12,players=3",)
"""The games on which these are measured."""

VARIED = ("breakthrough", "lines-of-action", "othello")
"""The games on which the variants of UCT are measured."""


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each algorithm and game, then one for each variant of UCT."""
    for method in methods(effort.quick).values():
        for game in GAMES:
            yield from _row(effort, method, game)
    for method in variants(effort.quick).values():
        for game in VARIED:
            yield from _row(effort, method, game)
    for method in variants_of_many(effort.quick).values():
        for game in VARIED_OF_MANY:
            yield from _row(effort, method, game)


def _row(effort: Effort, method: kb.Algorithm, game: str) -> Iterator[Row]:
    """The speed of an algorithm on a game, unless it cannot search it."""
    short = dataclasses.replace(effort, rounds=min(effort.rounds, 3), seconds=effort.seconds / 4)
    start = kb.game(game).start()
    try:
        report = method.search(start)
    except kb.NotSupported:
        return
    # simulations, and moves of Random, are what these methods count
    work, counted = report.nodes, "nodes"
    if "simulations" in report.stats:
        work, counted = int(report.stats["simulations"]), "simulations"
    elif isinstance(method, kb.Random):
        work, counted = 1, "moves"
    mine, _ = rates(short, work, functools.partial(method.search, start), None)
    details = {"algorithm": method.spec, "game": game, "counted": counted, "nodes": report.nodes}
    yield Row("algorithms", f"{method.spec}, {game}", "1/s", mine, note=f"{counted}/s", details=details)
