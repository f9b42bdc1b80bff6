"""Set-ups for Stratego: the library, a check, set-ups drawn by lot, and openings for matches.

A set-up is four rows of ten signs, the front row first, as its owner sees them: `1` is the Marshal, `9` a Scout, `S`
the Spy, `B` a Bomb and `F` the Flag.

>>> from kibitz import stratego
>>> stratego.setups()["schadd-white"].rows[0]
'9673964569'
>>> stratego.start(white="blitz", black=stratego.drawn(seed=1)).turn
0
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

import kibitz as kb
from kibitz.arena.openings import Opening, Openings

__all__ = ["SetUps", "Setup", "drawn", "setup", "setups", "start"]

ARMY = "1" + "2" + "33" + "444" + "5555" + "6666" + "7777" + "88888" + "99999999" + "S" + "BBBBBB" + "F"
"""The signs of all pieces of a player."""

_LETTERS = dict(zip("MGCJPLRNTSBF", "123456789SBF", strict=True))
_COLUMNS, _ROWS = 10, 4


@dataclass(frozen=True)
class Setup:
    """Where the pieces of a player stand: four rows, the front row first, as the player sees them."""

    rows: tuple[str, str, str, str]

    def __str__(self) -> str:
        return "\n".join(" ".join(row) for row in self.rows)

    @property
    def placement(self) -> tuple[str, ...]:
        """The pieces in the order in which `stratego:white=free` has them placed: the back row first."""
        return tuple(sign for row in reversed(self.rows) for sign in row)


@cache
def setups() -> dict[str, Setup]:
    """The library: the set-ups that the parameters `white` and `black` of the game know, by name."""
    words = next(each for each in kb.games().info("stratego").parameters if each.name == "white").words
    return {name: _of_game(name) for name in words or () if name != "free"}


def _of_game(name: str) -> Setup:
    grid = str(kb.game("stratego", white=name).start()).split()[0].split("/")
    front, second, third, back = ("".join(_LETTERS[letter] for letter in row) for row in grid[-_ROWS:])
    return Setup((front, second, third, back))


def setup(text: str | Setup) -> Setup:
    """The set-up of a name of the library or of a text; `BadPosition` says what is wrong with a text.

    A text has forty signs, with any spaces and line breaks between them.
    """
    if isinstance(text, Setup):
        text = "".join(text.rows)
    elif text in setups():
        return setups()[text]
    signs = "".join(text.split())
    if len(signs) != _COLUMNS * _ROWS:
        known = ", ".join(setups())
        raise kb.BadPosition(f"a set-up has 40 pieces, not {len(signs)}; or it is a name: {known}")
    rows = [signs[first : first + _COLUMNS] for first in range(0, len(signs), _COLUMNS)]
    made = Setup((rows[0], rows[1], rows[2], rows[3]))
    # the rules of the game say which pieces there are and how many of each
    _placed(kb.game("stratego", white="free").start(), made)
    return made


def _placed(position: kb.Position, made: Setup) -> kb.Position:
    """The position after a player has placed a set-up."""
    for place, sign in enumerate(made.placement):
        try:
            position = position.play(sign)
        except kb.IllegalMove as error:
            row, col = _ROWS - place // _COLUMNS, place % _COLUMNS + 1
            raise kb.BadPosition(f"piece {col} of row {row}: {error}") from None
    return position


def start(white: str | Setup, black: str | Setup, **params: Any) -> kb.Position:
    """The position in which both players have set up, in the game with these parameters.

    Each side is a name of the library, a `Setup`, or the text of one.
    """
    position = kb.game("stratego", white="free", black="free").start()
    for made in (setup(white), setup(black)):
        position = _placed(position, made)
    return kb.game("stratego", **params).position(str(position))


def drawn(seed: int, *, walled: bool = True) -> Setup:
    """A set-up drawn by lot.

    A `walled` Flag stands in the back row with Bombs on all sides, the front row has no Bomb that closes a lane, and
    the rest is as it falls; otherwise everything is.
    """
    lot = random.Random(seed)
    cells: dict[tuple[int, int], str] = {}
    pieces = list(ARMY)
    if walled:
        flag = lot.randrange(_COLUMNS)
        cells[_ROWS - 1, flag] = "F"
        around = [(_ROWS - 1, flag - 1), (_ROWS - 1, flag + 1), (_ROWS - 2, flag)]
        cells.update({cell: "B" for cell in around if 0 <= cell[1] < _COLUMNS})
        rest = [(row, col) for row in range(1, _ROWS) for col in range(_COLUMNS) if (row, col) not in cells]
        lot.shuffle(rest)
        cells.update(dict.fromkeys(rest[: ARMY.count("B") - list(cells.values()).count("B")], "B"))
        for sign in cells.values():
            pieces.remove(sign)
    lot.shuffle(pieces)
    free = iter(pieces)
    rows = ["".join(cells.get((row, col)) or next(free) for col in range(_COLUMNS)) for row in range(_ROWS)]
    return setup(Setup((rows[0], rows[1], rows[2], rows[3])))


@dataclass(frozen=True)
class SetUps(Openings):
    """Openings of `stratego:white=free,black=free`: each block begins with another pair of set-ups.

    They are pairs of different set-ups of the library, in an order drawn by lot, and when these are used up pairs that
    are `drawn`; with `library=False` all are.
    """

    library: bool = True

    def draw(self, game: kb.Game, blocks: int, *, seed: int, start: str | None = None) -> tuple[Opening, ...]:
        """An opening for each block."""
        params = game.params if isinstance(game, kb.NativeGame) else {}
        if start is not None or game.name != "stratego" or {params["white"], params["black"]} != {"free"}:
            raise kb.BadParameter("set-ups are openings of stratego:white=free,black=free from its start")
        pairs = islice(self._pairs(seed), blocks)
        return tuple(Opening(moves=white.placement + black.placement) for white, black in pairs)

    def _pairs(self, seed: int) -> Iterator[tuple[Setup, Setup]]:
        lot = random.Random(seed)
        if self.library:
            known = list(setups().values())
            pairs = [(white, black) for white in known for black in known if white != black]
            lot.shuffle(pairs)
            yield from pairs
        while True:
            yield drawn(lot.getrandbits(32)), drawn(lot.getrandbits(32))
