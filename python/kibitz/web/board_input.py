"""A board on which a visitor makes moves for everybody, and buttons for what is not made on the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nicegui import events, ui

import kibitz as kb
from kibitz.draw.board import Arrow, board
from kibitz.draw.clicks import Clicks

__all__ = ["CLICK", "BoardInput"]

CLICK = """(event) => {
    const cell = event.target.closest('[data-cell]');
    if (cell) emit(cell.dataset.cell);
}"""
"""Tells the server which cell was clicked."""

_BUTTONS = 60
"""Moves beyond which a list of buttons helps nobody."""


class BoardInput:
    """The picture of a position to click on; `moved` is told the notation of each move.

    With `picked` a click is not a move: it is told the cell, whatever the rules say.
    """

    def __init__(self, moved: Callable[[str], None], picked: Callable[[str], None] | None = None) -> None:
        self._moved = moved
        self._picked = picked
        self._position: kb.Position | None = None
        self._clicks = Clicks(())
        self._last: Sequence[str] = ()
        self._arrows: Sequence[Arrow] = ()
        self.editing = False
        self._board = ui.html(sanitize=False).classes("lab-board")
        self._board.on("click", self._clicked, js_handler=CLICK)
        self._choices = ui.element("div").classes("lab-moves")

    def show(self, position: kb.Position, *, last: Sequence[str] = (), arrows: Sequence[Arrow] = ()) -> None:
        """Draws a position, with nothing clicked if it is another one than before."""
        if position != self._position:
            self._position = position
            self._clicks = Clicks.of(position)
        self._last, self._arrows = last, arrows
        self._draw()

    def _draw(self) -> None:
        position = self._position
        if position is None:
            return
        # while a position is edited every cell can be clicked
        clicks = Clicks(()) if self.editing else self._clicks
        drawn = board(position, clicks=clicks, last=self._last, arrows=self._arrows)
        self._board.content = drawn.svg
        self._choices.clear()
        if self.editing:
            return
        texts = [*self._clicks.choices, *([] if self._clicks.clicked else self._clicks.buttons)]
        if position.turn == "chance":
            texts = [position.notation(move) for move in position.moves]
        with self._choices:
            for text in texts[:_BUTTONS]:
                ui.button(text, on_click=lambda text=text: self._moved(text)).props("outline dense no-caps")
            if len(texts) > _BUTTONS:
                ui.label(f"and {len(texts) - _BUTTONS} more").classes("lab-soft lab-small")

    def _clicked(self, event: events.GenericEventArguments) -> None:
        cell = event.args
        if not isinstance(cell, str):
            return
        if self.editing:
            if self._picked is not None:
                self._picked(cell)
            return
        after = self._clicks.click(cell)
        if after.move is not None:
            self._clicks = self._clicks.cleared()
            self._moved(after.move)
        else:
            self._clicks = after
            self._draw()
