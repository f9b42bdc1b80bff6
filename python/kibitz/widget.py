"""The widget of `kb.play_widget`: a page that a kernel keeps up to date.

anywidget is the one dependency: a page in a notebook can only reach the kernel through the widget protocol, which it
speaks in every notebook front end, with no code for any of them.
"""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from kibitz._core import Position
from kibitz.draw.board import KEYBOARD
from kibitz.notebook import Table

__all__ = ["PlayWidget"]

SCRIPT = (
    KEYBOARD
    + """
function render({ model, el }) {
  const draw = () => { el.innerHTML = model.get("page"); };
  draw();
  model.on("change:page", draw);
  el.addEventListener("click", (event) => {
    const target = event.target.closest("[data-cell], [data-move], [data-action]");
    if (target) model.send({ ...target.dataset, ply: model.get("ply") });
  });
}
export default { render };
"""
)


class PlayWidget(anywidget.AnyWidget):
    """A board in a notebook; `kb.play_widget` makes one."""

    _esm = SCRIPT
    page = traitlets.Unicode().tag(sync=True)
    ply = traitlets.Int().tag(sync=True)

    def __init__(self, table: Table) -> None:
        self._table = table
        super().__init__(page=table.page(), ply=len(table.moves))
        self.on_msg(self._heard)

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._table.position

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far."""
        return self._table.moves

    def _heard(self, _: object, message: Any, __: object) -> None:
        if isinstance(message, dict):
            self._table.hear(message)
            with self.hold_sync():
                self.page, self.ply = self._table.page(), len(self._table.moves)
