"""The nodes of a fixed set of searches: a number that changes exactly when the behaviour of a search or of a game does.

As the `bench` of Stockfish: run it before and after a change that is meant to make things faster and nothing else.
"""

from __future__ import annotations

import kibitz as kb

GAMES = {
    "breakthrough": (6, 3),
    "chinese-checkers:players=2": (4, 2),
    "connect-four": (9, 6),
    "crossings": (4, 2),
    "dao": (5, 3),
    "do-guti": (6, 4),
    "epaminondas": (3, 2),
    "fanorona": (5, 3),
    "fish": (6, 3),
    "fish:placement=random,seed=1": (5, 3),
    "focus:players=2": (3, 2),
    "gaps": (8, 6),
    "gomoku": (3, 2),
    "l-game": (3, 2),
    "lines-of-action": (5, 3),
    "morpion": (3, 2),
    "nim": (8, 6),
    "othello": (7, 5),
    "random-tree:width=4,depth=8,seed=1": (8, 8),
    "rolit:players=2": (6, 4),
    "samegame": (3, 2),
    "surakarta": (5, 3),
    "tic-tac-toe": (9, 9),
}
"""The games with a depth for alpha-beta and one for minimax and perft."""

CHANCE = (
    "backgammon",
    "chance-breakthrough",
    "dice:size=4",
    "hearts",
    "kuhn-poker",
    "pip-race:steady=8",
    "spades",
    "stratego",
)
"""Games of chance, which alpha-beta does not search."""


def fingerprint() -> dict[str, int]:
    """The count of each search by its name, and their sum as `total`."""
    counts: dict[str, int] = {}
    for name, (deep, shallow) in GAMES.items():
        start = kb.game(name).start()
        counts[f"perft {name}"] = kb.perft(start, shallow)
        counts[f"minimax {name}"] = kb.Minimax(depth=shallow).search(start).nodes
        counts[f"alphabeta {name}"] = kb.AlphaBeta(depth=deep).search(start).nodes
        counts[f"plain alphabeta {name}"] = (
            kb.AlphaBeta(depth=shallow, tt_mb=0, killers=False, history=False, hints=False, deepening=False)
            .search(start)
            .nodes
        )
        counts[f"uct {name}"] = kb.Uct(simulations=500, seed=1).search(start).nodes
        counts[f"simulation {name}"] = kb.Simulation(simulations=500, seed=1).search(start).nodes
        counts[f"playouts {name}"] = round(kb.playouts(start, 500, seed=1).plies * 500)
    chances = kb.game("random-tree", width=3, depth=6, players=3, seed=1).start()
    counts["uct three players"] = kb.Uct(simulations=500, seed=1).search(chances).nodes
    for name in CHANCE:
        start = kb.game(name).start()
        counts[f"simulation {name}"] = kb.Simulation(simulations=500, seed=1).search(start).nodes
    counts["playouts kuhn-poker"] = round(kb.playouts(kb.game("kuhn-poker").start(), 500, seed=1).plies * 500)
    for name in ("gaps", "morpion"):
        start = kb.game(name).start()
        counts[f"incrementaltranspositions {name}"] = kb.IncrementalTranspositions(depth=5).search(start).nodes
    counts["total"] = sum(counts.values())
    return counts
