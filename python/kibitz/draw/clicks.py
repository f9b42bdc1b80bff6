"""Making moves by clicking on the cells of a picture, for every game in the same way.

A move has *ways*: sequences of cells that somebody clicks to make it. A click keeps the moves that go on with that
cell; when one move is left and all of its cells are clicked, it is decided. Several moves may share a way (approach and
withdrawal in Fanorona), or one may end where another goes on (a capture that may be continued): then the texts of the
moves are offered as choices. A move that is not made on the picture (a pass, a bid) is a button.

>>> import kibitz as kb
>>> clicks = Clicks.of(kb.game("breakthrough").start())
>>> sorted(clicks.next)[:3]
['a2', 'b2', 'c2']
>>> clicks.click("c2").next == {"b3", "c3", "d3"}
True
>>> clicks.click("c2").click("d3").move
'c2-d3'
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from kibitz._core import Position

__all__ = ["Clicks", "Way"]


class Way(NamedTuple):
    """The notation of a move and the cells that are clicked to make it."""

    move: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Clicks:
    """How far somebody has got with clicking a move. It never changes; `click` returns what comes next.

    - `ways`: every way to make a legal move, and `buttons`: the moves that are not made on the picture;
    - `clicked`: the cells so far;
    - `move`: the notation of the move that is decided, `None` as long as something can be chosen.
    """

    ways: tuple[Way, ...]
    buttons: tuple[str, ...] = ()
    clicked: tuple[str, ...] = ()
    move: str | None = None

    @classmethod
    def of(cls, position: Position) -> Clicks:
        """The moves of a position, with nothing clicked. At a chance node and when the game is over there are none."""
        if position.over or position.turn == "chance":
            return cls(())
        paths = position.paths()
        ways = tuple(Way(move, tuple(cells)) for move, all_ways in paths for cells in all_ways)
        return cls(ways, tuple(move for move, all_ways in paths if not all_ways))

    @cached_property
    def _open(self) -> tuple[Way, ...]:
        """The ways that begin with what was clicked."""
        count = len(self.clicked)
        return tuple(way for way in self.ways if way.cells[:count] == self.clicked)

    @cached_property
    def next(self) -> frozenset[str]:
        """The cells that can be clicked to go on."""
        if self.move is not None:
            return frozenset()
        count = len(self.clicked)
        return frozenset(way.cells[count] for way in self._open if len(way.cells) > count)

    @cached_property
    def first(self) -> frozenset[str]:
        """The cells that begin a move."""
        return frozenset(way.cells[0] for way in self.ways)

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The moves whose cells are all clicked, for buttons, while none of them is decided."""
        if self.move is not None or not self.clicked:
            return ()
        return tuple(dict.fromkeys(way.move for way in self._open if way.cells == self.clicked))

    def click(self, cell: str) -> Clicks:
        """What a click makes of it.

        A cell that goes on is taken. A second click on the last cell plays the move that ends there, or takes the cell
        back if there is none. A cell that begins another move begins anew. Any other click changes nothing.
        """
        if self.move is not None:
            return self
        if cell in self.next:
            return self._settled((*self.clicked, cell))
        if self.clicked and cell == self.clicked[-1]:
            if len(self.choices) == 1:
                return self.choose(self.choices[0])
            return self if self.choices else replace(self, clicked=self.clicked[:-1])
        if cell in self.first:
            return self._settled((cell,))
        return self

    def choose(self, move: str) -> Clicks:
        """Decides for one of the choices or buttons; anything else changes nothing."""
        return replace(self, move=move) if move in self.choices or move in self.buttons else self

    def cleared(self) -> Clicks:
        """The same moves with nothing clicked."""
        return replace(self, clicked=(), move=None)

    def _settled(self, clicked: tuple[str, ...]) -> Clicks:
        after = replace(self, clicked=clicked)
        # what is known already need not be looked for again among thousands of ways
        after.__dict__["first"] = self.first
        if len(clicked) > 1:
            after.__dict__["_open"] = tuple(way for way in self._open if way.cells[: len(clicked)] == clicked)
        moves = {way.move for way in after._open}
        # other ways of the same move may go on; they lead nowhere else
        decided = moves.pop() if len(moves) == 1 and after.choices else None
        return after if decided is None else replace(after, move=decided)
