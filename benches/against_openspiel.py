"""Plays one of our searches against OpenSpiel's C++ MCTS, both with the same seconds a move and one thread each.

    python benches/against_openspiel.py lines-of-action --games 100 --seconds 1 --workers 2 --out loa.jsonl
    python benches/against_openspiel.py breakthrough --player uct:c=0.5 --games 200 --seconds 0.2

OpenSpiel plays with random rollouts, its solver on and the exploration constant 2 of its examples. Games come in pairs:
the same random opening with the seats exchanged. A game is a line in the file, so a run that was broken off goes on.
OpenSpiel ends a game of Lines of Action when a board comes again; we call that a draw.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

import kibitz as kb


def own_text(state: Any, action: int) -> str:
    return str(state.action_to_string(state.current_player(), action))


def squares(text: str) -> str:
    """The two libraries mark captures differently; the squares say it all."""
    return text.replace("-", "").replace("x", "").replace("*", "")


def mirrored(state: Any, action: int) -> str:
    """OpenSpiel's Breakthrough lets the side at the top begin."""
    text = squares(own_text(state, action))
    return f"{text[0]}{9 - int(text[1])}{text[2]}{9 - int(text[3])}"


GAMES: dict[str, tuple[str, str, Callable[[Any, int], str]]] = {
    "lines-of-action": ("lines-of-action:simultaneous=mover", "lines_of_action", own_text),
    "breakthrough": ("breakthrough", "breakthrough", mirrored),
    "othello": ("othello", "othello", own_text),
}


class Unit(NamedTuple):
    """One game, wholly determined but for the clock."""

    game: str
    player: str
    number: int
    seconds: float
    random_plies: int
    exploration: float


def play(unit: Unit) -> dict[str, Any]:
    """Plays the game and says how it went for us: 1, 0.5 or 0."""
    import pyspiel

    ours, theirs, notation = GAMES[unit.game]
    seat = unit.number % 2
    chance = random.Random(unit.number // 2)
    position = kb.game(ours).start()
    spiel = pyspiel.load_game(theirs)
    state = spiel.new_initial_state()
    engine = kb.algorithm(unit.player).replace(seconds=unit.seconds)
    rollouts = pyspiel.RandomRolloutEvaluator(1, unit.number)

    def bot(ply: int) -> Any:
        # a new one for every move: version 2.0.2 has been seen to crash when one of them searches twice
        seed, limit = unit.number * 1000 + ply, unit.seconds
        return pyspiel.MCTSBot(
            spiel, rollouts, unit.exploration, 10**9, 2000, True, seed, False, max_wall_clock_time=limit
        )

    moves: list[str] = []
    spent = [0.0, 0.0]
    while not state.is_terminal() and not position.over:
        actions = {squares(notation(state, action)): action for action in state.legal_actions()}
        if {squares(move) for move in position.moves} != set(actions):
            raise AssertionError(f"different moves after {' '.join(moves)}")
        begin = time.perf_counter()
        if len(moves) < unit.random_plies:
            move = chance.choice(position.moves)
        elif position.turn == seat:
            move = engine.search(position).best or ""
            spent[0] += time.perf_counter() - begin
        else:
            action = bot(len(moves)).step(state)
            move = next(move for move in position.moves if actions[squares(move)] == action)
            spent[1] += time.perf_counter() - begin
        state.apply_action(actions[squares(move)])
        position = position.play(move)
        moves.append(move)
    score = 0.5 if position.result is None else (1 + position.result[seat]) / 2
    return {**unit._asdict(), "score": score, "seat": seat, "spent": spent, "moves": moves}


def units(arguments: argparse.Namespace, done: set[int]) -> Iterator[Unit]:
    for number in range(arguments.games):
        if number not in done:
            yield Unit(
                arguments.game,
                arguments.player,
                number,
                arguments.seconds,
                arguments.random_plies,
                arguments.exploration,
            )


def report(games: list[dict[str, Any]]) -> None:
    """The score with the interval over pairs of games with one opening."""
    from kibitz.arena import statistics

    by_number = {game["number"]: game["score"] for game in games}
    scores = [by_number[number] for number in sorted(by_number)]
    win, draw = scores.count(1), scores.count(0.5)
    print(f"{len(scores)} games: {win} won, {draw} drawn, {len(scores) - win - draw} lost")
    if len(scores) % 2 == 0:
        pairs = [(a + b) / 2 for a, b in zip(scores[::2], scores[1::2], strict=True)]
        interval = statistics.score_interval(pairs)
        print(f"score {sum(scores) / len(scores):.3f}, 95 % interval {interval.low:.3f} to {interval.high:.3f}")
    spent = [sum(game["spent"][side] for game in games) for side in (0, 1)]
    print(f"seconds: ours {spent[0]:.0f}, theirs {spent[1]:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--player", default="alphabeta", help="ours, as the command line of kibitz writes it")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--random-plies", type=int, default=4)
    parser.add_argument("--exploration", type=float, default=2.0, help="OpenSpiel's constant")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, help="where the games go, and from where a run goes on")
    arguments = parser.parse_args()
    games: list[dict[str, Any]] = []
    if arguments.out is not None and arguments.out.exists():
        games = [json.loads(line) for line in arguments.out.read_text().splitlines()]
    todo = list(units(arguments, {game["number"] for game in games}))
    with ProcessPoolExecutor(arguments.workers, multiprocessing.get_context("spawn")) as pool:
        for future in as_completed([pool.submit(play, unit) for unit in todo]):
            game = future.result()
            games.append(game)
            if arguments.out is not None:
                with arguments.out.open("a") as file:
                    file.write(json.dumps(game) + "\n")
            mean = sum(each["score"] for each in games) / len(games)
            print(f"{len(games)} of {arguments.games}, score {mean:.3f}", flush=True)
    report(games)


if __name__ == "__main__":
    main()
