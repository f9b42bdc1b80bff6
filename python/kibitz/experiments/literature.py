"""What the literature says of the complexity of a game, for whoever has measured it.

>>> import kibitz as kb
>>> [figure.text for figure in published(kb.game("othello"))][:2]
['10', '58']
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import kibitz as kb
from kibitz.experiments import data
from kibitz.experiments.king_states import BOARDS, variants

__all__ = ["Figure", "published"]


class Figure(NamedTuple):
    """A published figure: of what, as a text, and where it stands or what is wrong with it."""

    label: str
    text: str
    source: str


def published(game: kb.Game) -> tuple[Figure, ...]:
    """The published figures of a game; none of another board or set-up than the usual one."""
    if not isinstance(game, kb.NativeGame) or not _is_usual(game):
        return ()
    if game.name in BOARDS:
        return tuple(_king(game.name))
    return tuple(_usual(game.name))


def _is_usual(game: kb.NativeGame) -> bool:
    if game.name == "samegame":
        # Every board of the usual size is as good as another.
        return all(game.params[name] == kb.game("samegame").params[name] for name in ("rows", "cols", "colours"))
    return str(game.start()) == str(kb.game(game.name).start())


_USUAL = {
    "connect-four": "Allis 1994",
    "othello": "Allis 1994",
    "breakthrough": "Schadd 2011, ChanceBreakthrough",
    "samegame": "Schadd 2011, random play",
    "fanorona": "Schadd 2011, four plies",
}


def _usual(game: str) -> Iterator[Figure]:
    for row in data.read("complexity"):
        if row["game"] == game:
            source = _USUAL[game]
            yield Figure("branching factor", row["branching"], source)
            yield Figure("length in plies", row["length"], source)
            yield Figure("game tree b^d, log10", row["tree"], source)
            yield Figure("positions", f"10^{row['states']}", source)


_CURVES = {
    "crossings": "more in the first turns, quickly fewer after about 10",
    "epaminondas": "more until about ply 20, then slowly fewer",
}


def _king(game: str) -> Iterator[Figure]:
    (row,) = (each for each in data.read("king-complexity") if each["game"] == game)
    played = f"King 2014, {int(row['games']):,} games, alpha-beta at depth {row['depth']}"

    def mean(name: str) -> str:
        return f"{float(row[name]):.0f} (deviation {float(row[name + '_deviation']):.0f})"

    yield Figure("branching factor, mean of each game's mean", mean("branching"), played)
    yield Figure("legal moves by ply", _CURVES[game], "King 2014, figures 5.3 and 5.6")
    yield Figure("length in plies", mean("length"), played)
    power = float(row["length"]) * math.log10(float(row["branching"]))
    also = f"; chapter 6 has {row['tree_6']}" if row["tree_6"] else ""
    yield Figure("game tree b^d, log10", row["tree"], f"{power:.1f} by these means{also}")
    board = BOARDS[game]
    totals = variants(board)
    wrong = f"boards of one piece each are subtracted {board.pieces + 1} times"
    yield Figure("positions, at most", _power(totals["as the program counts"]), f"as printed: {wrong}")
    yield Figure("positions, at most", _power(totals["as the text intends"]), "subtracted once, as the text intends")
    yield Figure(
        "positions, loose bound", f"3^{board.squares} = {float(3**board.squares):.2e}", "King 2014, after Allis"
    )


def _power(count: int) -> str:
    return f"{count:,}" if count < 10**30 else f"{float(count):.2e}"
