"""Lazy SMP: the time to a depth on two threads beside one, on the clock."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator

import kibitz as kb
from kibitz.arena.executor import cores
from kibitz.bench.rows import Asked, Effort, Row, Sample, undisturbed

DEPTHS = {"breakthrough": 9, "connect-four": 19, "fish:placement=random": 9, "lines-of-action": 7, "othello": 11}
"""The games, with the depth that is searched from positions of the middle game."""

SPEED_UP = Asked("ratio", least=1.5)
"""How many times faster two threads are at least, in the geometric mean over all positions."""

_BUSY = 0.9
"""Below this share of processor time in the time on the clock, a search on one thread was kept waiting."""


def middle_game(game: kb.Game, seed: int) -> kb.Position:
    """A position of a game that begins with random moves and goes on with sensible ones; it is not decided."""
    pick, player = random.Random(seed), kb.AlphaBeta(depth=2)
    while True:
        position: kb.Position = game.start()
        for ply in range(16):
            if position.over:
                break
            position = position.play(pick.choice(position.moves) if ply < 6 else player.search(position).best)
        if not position.over and not kb.AlphaBeta(depth=4).search(position).proven:
            return position


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each game and one for all of them."""
    positions, rounds, less = (1, 1, 4) if effort.quick else (3, 3, 0)
    if cores() < 2:
        yield Row("threads", "alpha-beta on two threads", "s", peer="one thread", note="needs two cores")
        return
    logarithms: list[float] = []
    for name, deepest in DEPTHS.items():
        method, game = kb.AlphaBeta(depth=deepest - less), kb.game(name)
        starts = [middle_game(game, seed) for seed in range(positions)]
        pairs = [_in_turns(method, start, rounds) for start in starts]
        # the least time of several is the one that others disturbed least
        logarithms += [math.log(min(alone) / min(helped)) for alone, helped, _ in pairs]
        one = Sample(tuple(map(sum, zip(*(each for each, _, _ in pairs), strict=True))))
        two = Sample(tuple(map(sum, zip(*(each for _, each, _ in pairs), strict=True))))
        share = min(share for *_, share in pairs)
        busy = "" if share >= _BUSY else f"; THE MACHINE IS BUSY: one thread had {share:.0%} of a core"
        what = (
            f"{name}, depth {method.depth}, {positions} positions" if positions > 1 else f"{name}, depth {method.depth}"
        )
        note = f"lazy SMP, time to depth on the clock{busy}"
        yield Row("threads", what, "s", two, one, "one thread", note=note, details={"share": share})
    mean = math.exp(sum(logarithms) / len(logarithms))
    yield Row(
        "threads",
        f"geometric mean of {len(logarithms)} positions, relative to one thread",
        "s",
        Sample((1 / mean,)),
        Sample((1.0,)),
        "one thread",
        # a quick look ends before the threads have begun
        asked=None if effort.quick else SPEED_UP,
        note="least time of each position",
        details={"speed_ups": [math.exp(each) for each in logarithms]},
    )


def _in_turns(method: kb.AlphaBeta, start: kb.Position, rounds: int) -> tuple[list[float], list[float], float]:
    """The times on one and on two threads, and the least share of a core that the one thread had."""
    one, two, share = [], [], 1.0
    with undisturbed():
        for _ in range(rounds):
            began = time.process_time()
            seconds = method.search(start).seconds
            share = min(share, (time.process_time() - began) / max(seconds, 1e-9))
            one.append(seconds)
            two.append(method.search(start, threads=2).seconds)
    return one, two, share
