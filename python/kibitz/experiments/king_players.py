"""The games and players of King's thesis, as far as they are published, and games between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import kibitz as kb
from kibitz.arena.openings import Schedule
from kibitz.arena.playing import GameRecord, GameSpec, derive, play

__all__ = [
    "COLOURS",
    "FEATURES",
    "GAMES",
    "HUCT_C",
    "MAX_PLIES",
    "UCT_C",
    "Weights",
    "alpha_beta",
    "columns",
    "crossings",
    "game",
    "huct",
    "phalanx_moves",
    "play_one",
    "scaled",
    "seat",
    "uct",
]

GAMES = ("crossings", "epaminondas")
COLOURS = ("White", "Black")

FEATURES = {
    **dict.fromkeys(("mobility", "material", "crossing", "centre", "defence", "territory"), 1),
    "edge": -1,
    **dict.fromkeys(("phalanx", "largest", "distance", "longest", "capture", "captures", "haul"), 1),
}
"""The fourteen features of the evaluation with their signs. No weights are published; a plain sum is the likeliest."""

POINTS = 10
"""Of a feature in the plain sum, so that fractions of a feature count."""

MAX_PLIES = 400
"""The thesis has draws in Epaminondas and no rule for any; here longer games are drawn, and repeated positions."""

Weights = Literal["plain", "shipped"]


def game(name: str, weights: Weights = "plain") -> kb.Game:
    """One of the two games, evaluated by the plain sum of the features or with the weights that it has here."""
    if weights == "shipped":
        return kb.game(name)
    return kb.game(name, **{feature: POINTS * sign for feature, sign in FEATURES.items()})


def alpha_beta(depth: int) -> kb.AlphaBeta:
    """The thesis' alpha-beta; to depth 2 with a small table, which takes longer to clear than to fill."""
    return kb.king(depth=depth, tt_mb=8 if depth > 2 else 1)


UCT_C, HUCT_C = 0.445, 0.667
"""The constants of the thesis, for results from −1 to 1."""


def scaled(c: float) -> float:
    """A constant of exploration for results in [0, 1] that does the same as `c` for results in [−1, 1].

    A mean x of the one is (1 + X)/2 of the other, so X + C·√(ln n/nⱼ) has its greatest value where x + (C/2)·√(ln n/nⱼ)
    has it.

    >>> scaled(UCT_C)
    0.2225
    """
    return c / 2


def uct(simulations: int, **changes: Any) -> kb.Uct:
    """UCT as in the thesis: nothing is proven, and the move with the highest mean is played."""
    return kb.Uct(simulations=simulations, c=scaled(UCT_C), solver=False, final_move="max").replace(**changes)


def huct(simulations: int, **changes: Any) -> kb.Huct:
    """HUCT as in the thesis: the evaluation after a move is added to its value for good, squashed to [−1, 1]."""
    return kb.Huct(simulations=simulations, c=scaled(HUCT_C), solver=False, final_move="max").replace(**changes)


def seat(colour: str) -> int:
    """The seat of a colour; White moves first."""
    return COLOURS.index(colour)


def play_one(
    rules: kb.Game,
    players: Sequence[kb.Algorithm],
    *parts: object,
    openings: bool = False,
    max_plies: int | None = MAX_PLIES,
) -> GameRecord:
    """A game whose seed is derived from the parts; with `openings`, moves are random as the thesis has it.

    That is with probability ½ at first, halved after each move down to 1 %.
    """
    return play(
        GameSpec(
            game=rules,
            players=tuple(players),
            names=tuple(each.name for each in players),
            seed=derive(*parts),
            noise=Schedule.halving().probabilities if openings else (),
            max_plies=max_plies,
        )
    )


def phalanx_moves(record: GameRecord, rules: kb.Game) -> int:
    """How many of the legal moves of all positions of a game move two pieces or more."""
    position: kb.Position = rules.start()
    found = 0
    for made in record.moves:
        found += sum(position.notation(move).startswith("[") for move in position.moves)
        position = position.play(made.move)
    return found


class Square(NamedTuple):
    """A square by its column and row, as `H12` names it."""

    column: str
    row: int


def _squares(move: str) -> list[Square]:
    return [Square(column, int(row)) for column, row in re.findall(r"([A-Z])(\d+)", move)]


def columns(name: str) -> str:
    """The letters of the columns.

    >>> columns("crossings")
    'ABCDEFGH'
    """
    return "ABCDEFGHIJKLMN"[: 8 if name == "crossings" else 14]


def crossings(name: str, record: GameRecord) -> list[dict[str, int]]:
    """How many pieces of White and of Black entered the row farthest from them, by column.

    The lead piece is the first that a move names, and its landing square the last.
    """
    found: list[dict[str, int]] = [{}, {}]
    far = (1, 8 if name == "crossings" else 12)
    for made in record.moves:
        squares = _squares(made.move)
        if made.seat is None or not squares:
            continue
        lead, landing = squares[0], squares[-1]
        if landing.row == far[made.seat] and lead.row != far[made.seat]:
            counts = found[made.seat]
            counts[landing.column] = counts.get(landing.column, 0) + 1
    return found
