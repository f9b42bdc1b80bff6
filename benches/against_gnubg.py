"""Plays one of our searches against GNU Backgammon at 0-ply: cubeless games for money, gammons count.

    GNUBG_MATCH='{"player": "expectimax:depth=1", "pairs": 5000, "seed": 1}' gnubg -t -q -r -p benches/against_gnubg.py

The script runs inside of GNU Backgammon, whose Python must find kibitz (PYTHONPATH). Games come in pairs with the same
dice and the sides exchanged. The luck of a throw is what our network says after it less what it said before it, with
the best play of either; it is nothing on average whatever the network knows, so that points without luck have the same
mean and a smaller variance. The file `out` gets a line for each pair, so that a run that was broken off goes on.
"""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path
from typing import Any

import gnubg  # type: ignore[import-not-found]
import kibitz as kb
from kibitz.experiments.backgammon_plays import after, board_of_text

DEFAULTS: dict[str, Any] = {
    "player": "expectimax:depth=1",
    "game": "backgammon",
    "pairs": 100,
    "first": 0,
    "seed": 1,
    "out": None,
}


for command in ("set automatic game off", "set automatic roll off", "set player 0 human", "set player 1 human"):
    gnubg.command(command)
# with Jacoby's rule it would not play for gammons, since nobody doubles
gnubg.command("set jacoby off")
gnubg.command("new session")
CUBE = gnubg.cubeinfo()
ZERO_PLY = gnubg.evalcontext(0, 0, 1, 0, 0.0)
EXPECTED = kb.Expectimax(deepening=False)


def their_move(position: kb.Position) -> str:
    """Its best play at 0-ply without the cube."""
    state = str(position).split(" / ")[2]
    player = "AB".index(state[0])
    board = board_of_text(str(position))
    gnubg.command(f"set dice {state[2]} {state[3]}")
    mine, other = ((*side[1:],) for side in (board[player], board[1 - player]))
    places = gnubg.findbestmove((other, mine), CUBE, ZERO_PLY)
    steps = [(places[i], places[i] - places[i + 1]) for i in range(0, len(places), 2) if places[i]]
    wanted = after(board, player, tuple(steps))
    for move in position.moves:
        if board_of_text(str(position.play(move))) == wanted:
            return move
    raise AssertionError(f"{position}: {places} is no play")


def luck_of(before: kb.Position, after: kb.Position) -> float:
    """What a throw is worth to the first player, in whose view values before a throw are."""
    value = EXPECTED.search(after, depth=1).value
    return (value if after.turn == 0 else -value) - EXPECTED.search(before, depth=2).value


def play(game: kb.Game, engine: kb.Algorithm, seat: int, dice: random.Random) -> tuple[float, float]:
    """The points that the engine wins in the seat with these dice, and how many of them are luck."""
    position = game.start()
    luck = 0.0
    while position.result is None:
        if position.turn == "chance":
            first, second = dice.randint(1, 6), dice.randint(1, 6)
            while len(position.moves) == 30 and first == second:
                first, second = dice.randint(1, 6), dice.randint(1, 6)
            before, position = position, position.play(f"{first}{second}")
            if len(before.moves) != 30:
                # before the opening throw nobody knows who begins
                luck += luck_of(before, position) * (1 if seat == 0 else -1)
        elif len(position.moves) == 1:
            position = position.play(position.moves[0])
        elif position.turn == seat:
            position = position.play(engine.search(position).best)
        else:
            position = position.play(their_move(position))
    return position.result[seat], luck


def mean_of(values: list[float]) -> str:
    """The mean with its 95 % interval."""
    mean = sum(values) / len(values)
    error = (sum((each - mean) ** 2 for each in values) / max(len(values) - 1, 1) / len(values)) ** 0.5
    return f"{mean:+.4f} ± {1.96 * error:.4f}"


def main() -> None:
    """Plays the pairs that are missing and prints the mean with its interval."""
    options = DEFAULTS | json.loads(os.environ.get("GNUBG_MATCH", "{}"))
    game, engine = kb.game(options["game"]), kb.algorithm(options["player"])
    out = Path(options["out"] or f"against-gnubg-{engine.name}.jsonl")
    done = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    known = {line["pair"] for line in done}
    began = time.perf_counter()
    for pair in range(options["first"], options["first"] + options["pairs"]):
        if pair in known:
            continue
        games = [play(game, engine, seat, random.Random(f"{options['seed']} {pair}")) for seat in (0, 1)]
        done.append({"pair": pair, "points": [points for points, _ in games], "luck": [luck for _, luck in games]})
        with out.open("a") as file:
            file.write(json.dumps(done[-1]) + "\n")
    raw = [sum(line["points"]) / 2 for line in done]
    without = [(sum(line["points"]) - sum(line["luck"])) / 2 for line in done]
    taken = time.perf_counter() - began
    print(f"{engine.spec}: {2 * len(done)} games, {mean_of(raw)} points a game, {mean_of(without)} without luck")
    print(f"{taken:.0f} s")


main()
