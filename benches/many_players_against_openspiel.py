"""Plays one of our searches against OpenSpiel's C++ MCTS in Chinese Checkers of two or three players at equal time.

    python benches/many_players_against_openspiel.py --players 3 --games 102 --seconds 0.2 --out checkers.jsonl
    python benches/many_players_against_openspiel.py --players 2 --player uct:horizon=6,verdict=evaluation,c=0.3

The rules are OpenSpiel's: the full board, the whole star, pieces may leave the goal, ten own pieces in the goal win.
There a chain of jumps is several actions, and its player has the seconds again for each of them; we have them once a
move, with one thread. It plays with random rollouts, its solver on and the exploration constant 2 of its examples. Both
kinds of player sit in all ways that mix them, equally often; the games of a block have the same random opening. A win
is a point, and a game that nobody has won after the last of its moves is shared. A game is a line in the file, so a
run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, NamedTuple

import kibitz as kb
from kibitz.arena.seating import schedule
from kibitz.arena.statistics import score_interval, shares

PASS = 726
"""The action of OpenSpiel that ends a chain of jumps."""
OURS = 0
MOST_CRASHES = 100


class Unit(NamedTuple):
    """One game, wholly determined but for the clock; `seats` has a zero where we sit."""

    number: int
    block: int
    seats: tuple[int, ...]
    player: str
    seconds: float
    random_plies: int
    plies: int
    exploration: float


def their_move(state: Any, ours: str) -> list[int]:
    """The actions that make a move of ours: a step, or a chain of jumps found by searching for its last cell."""
    player = state.current_player()
    if ours == "pass":
        return [PASS]
    start, end = ours.split("-")
    chains: list[tuple[Any, list[int], str]] = [(state, [], "")]
    seen: set[str] = set()
    while chains:
        before, actions, last = chains.pop()
        for action in before.legal_actions():
            if action == PASS:
                if last == end:
                    return [*actions, PASS]
                continue
            first, there = before.action_to_string(player, action).replace("=>", "->").split("->")
            if (first != start and not actions) or there in seen:
                continue
            child = before.child(action)
            if "hopping" not in str(child):
                if there == end:
                    return [*actions, action]
                continue
            seen.add(there)
            chains.append((child, [*actions, action], there))
    raise AssertionError(f"OpenSpiel has no move {ours}")


def play(unit: Unit) -> dict[str, Any]:
    """Plays the game and says what share of the win is ours."""
    import pyspiel

    players = len(unit.seats)
    chance = random.Random(unit.block)
    game = kb.game(
        "chinese-checkers", players=players, board="full", area="star", leave=True, win="own", plies=unit.plies
    )
    position = game.start()
    spiel = pyspiel.load_game("chinese_checkers", {"players": players, "max_moves": unit.plies})
    state = spiel.new_initial_state()
    engine = kb.algorithm(unit.player).replace(seconds=unit.seconds)
    rollouts = pyspiel.RandomRolloutEvaluator(1, unit.number)
    moves: list[str] = []
    spent = [0.0, 0.0]
    while not position.over:
        seat = position.turn
        assert isinstance(seat, int)
        assert seat == state.current_player()
        begin = time.perf_counter()
        if len(moves) < unit.random_plies or unit.seats[seat] == OURS:
            if len(moves) < unit.random_plies:
                move = chance.choice(position.moves)
            else:
                move = engine.search(position, seed=unit.number * 10_000 + len(moves)).best or ""
                spent[0] += time.perf_counter() - begin
            for action in their_move(state, move):
                state.apply_action(action)
        else:
            first = last = ""
            while True:
                seed = unit.number * 10_000 + len(moves)
                bot = pyspiel.MCTSBot(
                    spiel, rollouts, unit.exploration, 10**9, 2000, True, seed, False, max_wall_clock_time=unit.seconds
                )
                action = bot.step(state)
                if action != PASS:
                    start, last = state.action_to_string(seat, action).replace("=>", "->").split("->")
                    first = first or start
                state.apply_action(action)
                if action == PASS or state.is_terminal() or "hopping" not in str(state):
                    break
            move = f"{first}-{last}" if first else "pass"
            spent[1] += time.perf_counter() - begin
        position = position.play(move)
        moves.append(move)
    assert position.result is not None
    points = shares(position.result)
    score = sum(share for share, kind in zip(points, unit.seats, strict=True) if kind == OURS)
    won = max(points) == 1
    return {**unit._asdict(), "score": score, "won": won, "spent": spent, "moves": moves}


def report(games: list[dict[str, Any]]) -> None:
    """Our score with its interval over blocks of games with one opening."""
    by_block: dict[int, list[float]] = {}
    for game in games:
        by_block.setdefault(game["block"], []).append(game["score"])
    scores = [game["score"] for game in games]
    open_ends = sum(not game["won"] for game in games)
    print(f"{len(games)} games, {open_ends} without a winner: score {sum(scores) / len(scores):.3f}")
    interval = score_interval([sum(block) / len(block) for block in by_block.values()])
    print(f"95 % interval {interval.low:.3f} to {interval.high:.3f}")
    spent = [sum(game["spent"][side] for game in games) for side in (0, 1)]
    print(f"seconds: ours {spent[0]:.0f}, theirs {spent[1]:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=3, choices=(2, 3, 4, 6))
    parser.add_argument("--player", default="bestreply", help="ours, as the command line of kibitz writes it")
    parser.add_argument("--games", type=int, default=102, help="at least so many, in whole rounds of seats")
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--random-plies", type=int, default=4)
    parser.add_argument(
        "--plies", type=int, default=1000, help="OpenSpiel's own number: after so many moves a game is shared"
    )
    parser.add_argument("--exploration", type=float, default=2.0, help="OpenSpiel's constant")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, help="where the games go, and from where a run goes on")
    given = parser.parse_args()
    games: list[dict[str, Any]] = []
    if given.out is not None and given.out.exists():
        games = [json.loads(line) for line in given.out.read_text().splitlines()]
    done = {game["number"] for game in games}
    rest = (given.player, given.seconds, given.random_plies, given.plies, given.exploration)
    units = [
        Unit(number, seating.block, seating.players, *rest)
        for number, seating in enumerate(schedule(2, given.players, given.games))
    ]
    todo = [unit for unit in units if unit.number not in done]
    crashes = 0
    while todo:
        try:
            with ProcessPoolExecutor(given.workers, multiprocessing.get_context("spawn")) as pool:
                for future in as_completed([pool.submit(play, unit) for unit in todo]):
                    game = future.result()
                    games.append(game)
                    if given.out is not None:
                        with given.out.open("a") as file:
                            file.write(json.dumps(game) + "\n")
                    mean = sum(each["score"] for each in games) / len(games)
                    print(f"{len(games)} of {len(units)}, score {mean:.3f}", flush=True)
        except BrokenProcessPool:
            # OpenSpiel 2.0.2 crashes when the time is over before its first simulation, as on a machine with much to
            # do; such a game is played again from its beginning
            crashes += 1
            if crashes > MOST_CRASHES:
                raise
        todo = [unit for unit in todo if unit.number not in {game["number"] for game in games}]
    print(f"{crashes} times a process ended in OpenSpiel's search")
    report(games)


if __name__ == "__main__":
    main()
