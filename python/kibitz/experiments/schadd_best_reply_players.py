"""The players of Schadd and Winands' comparison of best-reply search, and one game among them.

The paper has 250 to 5,000 milliseconds a move at about a million nodes a second. Here a move has so many nodes, so that
a game is a pure function of its unit: who sits where, the nodes, and its number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import kibitz as kb
from kibitz.arena.playing import GameSpec, derive, play
from kibitz.arena.seating import schedule
from kibitz.arena.statistics import shares

__all__ = ["NAMES", "PAPER", "SEED", "Settings", "game_units", "play_unit", "player"]

PAPER = (
    "M. Schadd and M. Winands, *Best-Reply Search for Multi-Player Games*, IEEE Transactions on Computational "
    "Intelligence and AI in Games 3 (2011), 57–66"
)
SEED = 2011

NAMES = {"bestreply": "best-reply", "paranoid": "paranoid", "maxn": "maxⁿ"}

Settings = Literal["basic", "advanced"]
"""Without and with transposition table, killers and history; the static order is part of both, and so is deepening."""

_POINTS = 1_200_000
"""What a win is in Chinese Checkers and Focus, where a move or a capture is 1,000."""
_BALLS = 12_000 / 40
"""What a win is in Rolit."""

NOISE = {
    # whole numbers from 0 to 5
    "chinese-checkers": math.sqrt(35 / 12) / _POINTS,
    "focus": math.sqrt(35 / 12) / _POINTS,
    # up to a tenth of a ball
    "rolit": 0.1 / math.sqrt(12) / _BALLS,
}
"""The standard deviation of the random term that the paper adds to each player's evaluation, in units of a result."""


def player(kind: str, game: str, players: int, nodes: int, settings: Settings = "advanced") -> kb.Algorithm:
    """A player of the paper.

    It has a seed, so that the arena draws another one, and with it another random term, for every search: with one
    term for a whole game players of Chinese Checkers may walk in circles for ever.
    """
    table = 0 if settings == "basic" else 16 if nodes <= 250_000 else 64
    if kind == "maxn":
        # nothing is cut, so that killers and history would order for nothing; ties go against the player at the root
        return kb.MaxN(
            nodes=nodes,
            ties="worst",
            pruning="none",
            tt_mb=table,
            hash_move=False,
            killers=False,
            history=False,
            noise=NOISE[game],
            seed=SEED,
        )
    search = {"bestreply": kb.BestReply, "paranoid": kb.Paranoid}[kind]
    advanced = settings == "advanced"
    return search(
        nodes=nodes,
        tt_mb=table,
        hash_move=advanced,
        killers=advanced,
        history=advanced,
        # an evaluation less all others: as many independent terms as players
        noise=NOISE[game] * math.sqrt(players),
        seed=SEED,
    )


def game_units(
    game: str, players: int, kinds: Sequence[str], nodes: int, games: int, settings: Settings = "advanced"
) -> list[dict[str, Any]]:
    """The games of a cell: all ways in which the kinds mix, equally often, at least `games`.

    >>> [len(game_units("focus", players, ["bestreply", "maxn"], 250_000, 1000)) for players in (3, 4, 6)]
    [1002, 1008, 1054]
    >>> len(game_units("focus", 3, ["bestreply", "paranoid", "maxn"], 250_000, 1000))
    1002
    """
    return [
        {
            "game": game,
            "nodes": nodes,
            "settings": settings,
            "kinds": list(kinds),
            "seats": [kinds[kind] for kind in seating.players],
            "number": number,
        }
        for number, seating in enumerate(schedule(len(kinds), players, games))
    ]


def play_unit(unit: dict[str, Any]) -> dict[str, Any]:
    """A game: the points of each kind, its searches and the sum of their depths, and the length.

    A winner has a point; a draw is shared by everybody in Focus and by those with the most balls in Rolit.
    """
    seats: list[str] = unit["seats"]
    found = {
        kind: player(kind, unit["game"], len(seats), unit["nodes"], unit["settings"]) for kind in dict.fromkeys(seats)
    }
    record = play(
        GameSpec(
            game=kb.game(unit["game"], players=len(seats), **unit.get("options", {})),
            players=tuple(found[kind] for kind in seats),
            names=tuple(seats),
            seed=derive(SEED, unit["number"]),
        )
    )
    points = dict.fromkeys(found, 0.0)
    for kind, share in zip(seats, shares(record.result), strict=True):
        points[kind] += share
    searches = dict.fromkeys(found, 0)
    depths = dict.fromkeys(found, 0)
    for move in record.moves:
        # of a forced move or a decided game there is nothing to see
        if move.seat is not None and move.legal > 1 and move.nodes and move.nodes >= unit["nodes"]:
            searches[seats[move.seat]] += 1
            depths[seats[move.seat]] += move.depth or 0
    return {**unit, "points": points, "searches": searches, "depths": depths, "plies": record.plies}
