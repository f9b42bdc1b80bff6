"""Who sits where: designs in which every player has every seat equally often.

M. Schadd and M. Winands, *Best Reply Search for Multiplayer Games*, IEEE Transactions on Computational Intelligence and
AI in Games 3 (2011): two kinds of player take the n seats in all 2ⁿ − 2 ways that mix them, n different players in all
n! ways, and each way is played equally often. Both are the ways in which every kind has a seat, and so it is for any
number of kinds up to n; of more kinds than seats every n sit together, in every order.

A *round* plays every seating once. It is made of *blocks*, whose games share opening and random numbers: in a block
every seat has each of its kinds once, so that neither the opening nor the seat favours anybody.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import kibitz as kb

__all__ = ["Block", "Seating", "blocks", "rounds_for", "schedule"]

_MOST = 100_000
"""The most seatings of a round; a design with more could not be played."""

Block = tuple[tuple[int, ...], ...]
"""The seatings of a block: the kind in each seat, for each of its games."""


def blocks(kinds: int, seats: int) -> tuple[Block, ...]:
    """The blocks of a round, in a fixed order.

    >>> blocks(2, 2)
    (((0, 1), (1, 0)),)
    >>> blocks(2, 3)
    (((0, 0, 1), (1, 1, 0)), ((0, 1, 0), (1, 0, 1)), ((0, 1, 1), (1, 0, 0)))
    >>> [len(blocks(2, seats)) * 2 for seats in (3, 4, 6)]
    [6, 14, 62]
    """
    if kinds < 1 or seats < 1 or (kinds < 2 <= seats):
        raise kb.BadParameter(f"a match needs two players or more, not {kinds}")
    if seats == 1:
        # Everybody plays the same position alone.
        return (tuple((kind,) for kind in range(kinds)),)
    ways: Iterator[tuple[int, ...]]
    if kinds > seats:
        _feasible(kinds, seats, itertools.accumulate(range(kinds, kinds - seats, -1), int.__mul__))
        ways = itertools.permutations(range(kinds), seats)
    else:
        _feasible(kinds, seats, itertools.accumulate([kinds] * seats, int.__mul__))
        ways = (way for way in itertools.product(range(kinds), repeat=seats) if len(set(way)) == kinds)
    found: dict[tuple[int, ...], Block] = {}
    seen: set[tuple[int, ...]] = set()
    for way in ways:
        if way not in seen:
            block = _rotated(way) if kinds > seats else _relabelled(way, kinds)
            found[way] = block
            seen.update(block)
    return tuple(found.values())


def _feasible(kinds: int, seats: int, sizes: Iterator[int]) -> None:
    if any(size > _MOST for size in sizes):
        raise kb.BadParameter(f"{kinds} players in {seats} seats sit in too many ways; take fewer players")


def _rotated(way: tuple[int, ...]) -> Block:
    return tuple(way[shift:] + way[:shift] for shift in range(len(way)))


def _relabelled(way: tuple[int, ...], kinds: int) -> Block:
    return tuple(tuple((kind + shift) % kinds for kind in way) for shift in range(kinds))


def rounds_for(games: int, seatings: int) -> int:
    """How often each of `seatings` must be played so that there are at least `games` games.

    >>> rounds_for(1000, 6) * 6
    1002
    """
    if games < 1 or seatings < 1:
        raise kb.BadParameter(f"there must be a game and a seating, not {games} games and {seatings} seatings")
    return -(-games // seatings)


class Seating(NamedTuple):
    """A game's place in a schedule: its block, and the kind of player in each seat."""

    block: int
    players: tuple[int, ...]


def schedule(kinds: int, seats: int, games: int) -> Iterator[Seating]:
    """Whole rounds of games, at least `games` in all.

    >>> list(schedule(2, 2, 3))[1:3]
    [Seating(block=0, players=(1, 0)), Seating(block=1, players=(0, 1))]
    """
    each_round = blocks(kinds, seats)
    rounds = rounds_for(games, sum(map(len, each_round)))
    for number, block in enumerate(itertools.chain.from_iterable(itertools.repeat(each_round, rounds))):
        for players in block:
            yield Seating(number, players)
