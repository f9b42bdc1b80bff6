"""Positions of Lines of Action for experiments: from the middle of games that the program played against itself.

The positions of M. Winands et al., *The Relative History Heuristic* (2004), 171 for tuning and 156 for validation, are
not printed in the paper. There are as many here, kept in two files, because what a search plays changes when it gets
better; `make` is how they were made.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from importlib import resources
from typing import Literal

import kibitz as kb

__all__ = ["COUNTS", "SEEDS", "curve", "make", "positions", "written"]

Name = Literal["tuning", "validation"]

COUNTS: dict[Name, int] = {"tuning": 171, "validation": 156}
"""How many positions each set has."""

SEEDS: dict[Name, int] = {"tuning": 2004, "validation": 2005}
"""What each set was made with."""

RANDOM_PLIES = 6
PLIES = range(10, 41)
PLAYER = kb.AlphaBeta(nodes=20_000)


def positions(name: Name) -> list[kb.Position]:
    """One of the two sets of positions.

    >>> [len(positions(name)) for name in ("tuning", "validation")]
    [171, 156]
    """
    text = resources.files("kibitz.experiments.data").joinpath(f"loa-{name}.txt").read_text(encoding="utf-8")
    game = kb.game("lines-of-action")
    return [game.position(line) for line in text.splitlines() if not line.startswith("#")]


def curve() -> list[kb.Position]:
    """The first 50 positions of the tuning set: enough for a curve over depths."""
    return positions("tuning")[:50]


def make(name: Name, avoid: Collection[str] = ()) -> Iterator[str]:
    """The positions of a set, one from each game of self-play.

    A game begins with six random moves and goes on with alpha-beta at 20,000 nodes a move. The position after a random
    number of plies, 10 to 40, is taken, unless the game is over by then, a win or a loss is found within four plies, or
    the position was there before.
    """
    chance = random.Random(SEEDS[name])
    taken = set(avoid)
    left = COUNTS[name]
    while left:
        position = kb.game("lines-of-action").start()
        for ply in range(chance.choice(PLIES)):
            if position.over:
                break
            move = chance.choice(position.moves) if ply < RANDOM_PLIES else PLAYER.search(position).best
            position = position.play(move)
        text = str(position)
        if not position.over and text not in taken and not kb.AlphaBeta(depth=4).search(position).proven:
            taken.add(text)
            left -= 1
            yield text


def written(name: Name, avoid: Collection[str] = ()) -> str:
    """The file of a set."""
    head = (
        f"# {COUNTS[name]} positions of Lines of Action from self-play, one a game: the {name} set of the experiments",
        "# with relative history. Made by kibitz.experiments.loa_positions.make: six random moves, then alpha-beta at",
        f"# 20,000 nodes a move, after 10 to 40 plies, nothing decided within four plies; seed {SEEDS[name]}.",
    )
    return "\n".join([*head, *make(name, avoid)]) + "\n"
