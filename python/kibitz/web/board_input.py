"""A board on which a visitor makes moves for everybody, or edits; and buttons for what is not made on the board."""

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
    """The picture of a position to click on; `moved` is told the notation of each move."""

    def __init__(self, moved: Callable[[str], None]) -> None:
        self._moved = moved
        self._position: kb.Position | None = None
        self._given: Clicks | None = None
        self._clicks = Clicks(())
        self._last: Sequence[str] = ()
        self._arrows: Sequence[Arrow] = ()
        self._board = ui.html(sanitize=False).classes("lab-board")
        self._board.on("click", self._clicked, js_handler=CLICK)
        self._choices = ui.element("div").classes("lab-moves")

    def show(
        self,
        position: kb.Position,
        *,
        clicks: Clicks | None = None,
        last: Sequence[str] = (),
        arrows: Sequence[Arrow] = (),
    ) -> None:
        """Draws a position, with nothing clicked if it is another one than before.

        With `clicks` something else than the legal moves is clicked on it; `moved` is told what.
        """
        if position != self._position or clicks is not self._given:
            self._position, self._given = position, clicks
            self._clicks = Clicks.of(position) if clicks is None else clicks
        self._last, self._arrows = last, arrows
        self._draw()

    def _draw(self) -> None:
        position = self._position
        if position is None:
            return
        drawn = board(position, clicks=self._clicks, last=self._last, arrows=self._arrows)
        self._board.content = drawn.svg
        self._choices.clear()
        texts = [*self._clicks.choices, *([] if self._clicks.clicked else self._clicks.buttons)]
        if position.turn == "chance" and self._given is None:
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
        after = self._clicks.click(cell)
        if after.move is not None:
            self._clicks = self._clicks.cleared()
            self._moved(after.move)
        else:
            self._clicks = after
            self._draw()
