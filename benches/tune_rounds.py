"""How the weights of Crossings and Epaminondas were found: rounds of `kb.tune`, each against the winner of the last.

    python benches/tune_rounds.py crossings --nodes 1000 --rounds 9
    python benches/tune_rounds.py epaminondas --nodes 600 --rounds 4

It begins with equal weights of 10, and -10 for pieces on the edge. A round is the cross-entropy method with 4
iterations of 48 samples on 14 openings of 4 random plies, both colours; its result takes the place of the champion if
it scores more than 52 % over 150 games. At the end the champion meets the equal weights at depth 3 over 400 games.
"""

from __future__ import annotations

import argparse
import json

import kibitz as kb

WIDTHS = {
    "mobility": 100,
    "material": 400,
    "crossing": 400,
    "centre": 40,
    "defence": 100,
    "territory": 40,
    "edge": 60,
    "phalanx": 100,
    "largest": 100,
    "distance": 100,
    "longest": 100,
    "capture": 100,
    "captures": 100,
    "haul": 100,
}
"""How far from its start a weight is looked for at first."""

EQUAL = {name: -10 if name == "edge" else 10 for name in WIDTHS}


def ranges(champion: dict[str, int], number: int) -> dict[str, tuple[float, float]]:
    """Where a round looks: everywhere at first, then around the champion and nearer to it every third round."""
    if number == 1:
        wide = {name: (-width // 4, width) for name, width in WIDTHS.items()}
        wide["edge"] = (-WIDTHS["edge"], WIDTHS["edge"] // 4)
        return {f"options.{name}": around for name, around in wide.items()}
    share = 2 + number // 3
    return {
        f"options.{name}": (champion[name] - width // share, champion[name] + width // share)
        for name, width in WIDTHS.items()
    }


def score(game: str, new: kb.Algorithm, old: kb.Algorithm, games: int, seed: int, workers: int | None) -> float:
    """What the new player scores against the old one."""
    players = {"new": new, "old": old}
    result = kb.match(game, players, games=games, openings=4, seed=seed, max_plies=400, workers=workers)
    print(result)
    return next(each.score for each in result.standings if each.name == "new")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=["crossings", "epaminondas"])
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--games", type=int, default=400, help="games of the comparison at the end")
    parser.add_argument("--workers", type=int, default=None)
    given = parser.parse_args()
    champion = dict(EQUAL)
    for number in range(1, given.rounds + 1):
        player = kb.AlphaBeta(nodes=given.nodes, tt_mb=1, options=champion)
        found = kb.tune(
            given.game,
            player,
            vary=ranges(champion, number),
            against=player,
            samples=48,
            elite=10,
            positions=14,
            iterations=4,
            smoothing=0.8,
            plies=4,
            max_plies=300,
            validate=0,
            seed=number,
            workers=given.workers,
        )
        new = {name: int(found.parameters[f"options.{name}"]) for name in WIDTHS}
        if score(given.game, player.replace(options=new), player, 150, number, given.workers) > 0.52:
            champion = new
        print(json.dumps(champion), flush=True)
    judge = kb.AlphaBeta(depth=3, tt_mb=1, options=champion)
    score(given.game, judge, judge.replace(options=EQUAL), given.games, 991, given.workers)


if __name__ == "__main__":
    main()
