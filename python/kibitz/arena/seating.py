"""Who sits where: designs in which every player has every seat equally often.

M. Schadd and M. Winands, *Best Reply Search for Multiplayer Games*, IEEE Transactions on Computational Intelligence and
AI in Games 3 (2011): two kinds of player take the n seats in all 2ⁿ − 2 ways that mix them, n different players in all
n! ways, and each way is played equally often.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

import kibitz as kb

__all__ = ["Seating", "distinct", "rounds_for", "schedule", "two_kinds"]

Player = TypeVar("Player")


def two_kinds(seats: int) -> tuple[tuple[int, ...], ...]:
    """All ways of seating two kinds of player, 0 and 1, with both present, in a fixed order.

    >>> two_kinds(3)
    ((0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0))
    """
    if seats < 2:
        raise kb.BadParameter(f"two kinds of player need two seats or more, not {seats}")
    return tuple(itertools.product((0, 1), repeat=seats))[1:-1]


def distinct(players: Sequence[Player]) -> tuple[tuple[Player, ...], ...]:
    """All ways of seating players, one in each seat, in a fixed order.

    >>> distinct("AB")
    (('A', 'B'), ('B', 'A'))
    """
    return tuple(itertools.permutations(players))


def rounds_for(games: int, seatings: int) -> int:
    """How often each of `seatings` must be played so that there are at least `games` games.

    >>> rounds_for(1000, 6) * 6
    1002
    """
    if games < 1 or seatings < 1:
        raise kb.BadParameter(f"there must be a game and a seating, not {games} games and {seatings} seatings")
    return -(-games // seatings)


class Seating(NamedTuple):
    """A game's place in a schedule: its block, and who sits where."""

    block: int
    players: tuple[int, ...]


def schedule(seatings: Sequence[tuple[int, ...]], games: int) -> Iterator[Seating]:
    """Whole blocks of games, at least `games` in all; a block plays every seating once.

    Whatever is compared is balanced at the end of every block, so that a match may stop, or go on, after any of them.

    >>> [(block, seats) for block, seats in schedule(two_kinds(2), 3)]
    [(0, (0, 1)), (0, (1, 0)), (1, (0, 1)), (1, (1, 0))]
    """
    for block in range(rounds_for(games, len(seatings))):
        for players in seatings:
            yield Seating(block, players)
