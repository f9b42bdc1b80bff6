"""A stored game, move by move, with what the players thought of it."""

from __future__ import annotations

from nicegui import events, ui

import kibitz as kb
from kibitz.arena.playing import GameRecord
from kibitz.draw.board import board
from kibitz.game_record import game_text
from kibitz.web.charts import lines, redraw
from kibitz.web.inputs import read_game, read_position
from kibitz.web.layout import explain

__all__ = ["Replay"]


class Replay:
    """A dialog that shows one game after another."""

    def __init__(self) -> None:
        self._record: GameRecord | None = None
        self._positions: list[kb.Position] = []
        self._at = 0
        with ui.dialog() as self._dialog, ui.card().classes("lab-card replay-card"):
            self._title = ui.label().classes("lab-tile-name")
            self._board = ui.html(sanitize=False).classes("lab-board replay-board")
            self._move = ui.label().classes("lab-soft").props("role=status data-figure=move")
            with ui.row().classes("think-buttons"):
                for icon, words, step in (
                    ("first_page", "To the beginning", None),
                    ("chevron_left", "One move back", -1),
                    ("chevron_right", "One move on", 1),
                    ("last_page", "To the end", 0),
                ):
                    ui.button(icon=icon, on_click=lambda step=step: self._step(step)).props(
                        f'flat round dense aria-label="{words}"'
                    )
            self._slider = ui.slider(min=0, max=1, value=0, on_change=self._slid).props('aria-label="Move"')
            self._chart = ui.echart(lines({}, x="ply", y="value"), on_point_click=self._point).classes("lab-chart")
            with ui.row().classes("lab-buttons"):
                ui.button("Save the game", icon="download", on_click=self._save).props("flat dense no-caps")
                ui.button("Analyse here", icon="insights", on_click=self._analyse).props("flat dense no-caps")
                ui.space()
                ui.button("Close", on_click=self._dialog.close).props("flat no-caps")

    def open(self, record: GameRecord) -> None:
        """Shows a game from its beginning."""
        try:
            position = read_position(read_game(record.game), record.start or "")
            positions = [position]
            for move in record.moves:
                position = position.play(move.move)
                positions.append(position)
        except kb.Error as error:
            explain(error)
            return
        self._record, self._positions, self._at = record, positions, 0
        self._title.text = f"Game {record.index + 1}: {' – '.join(record.names)}"
        self._slider.props(f"max={max(1, len(record.moves))}")
        self._values(record)
        self._draw()
        self._dialog.open()

    def _values(self, record: GameRecord) -> None:
        """What each player thought the position was worth, in the view of the first player."""
        series: dict[str, list[tuple[float, float | None]]] = {}
        for ply, move in enumerate(record.moves):
            if move.seat is not None and move.value is not None:
                value = move.value if move.seat == 0 else -move.value
                series.setdefault(record.names[move.seat], []).append((ply, value))
        self._chart.set_visibility(bool(series) and len(record.names) == 2)
        redraw(self._chart, lines(series, x="ply", y="value for the first player"))

    def _step(self, step: int | None) -> None:
        end = len(self._positions) - 1
        self._at = 0 if step is None else end if step == 0 else max(0, min(end, self._at + step))
        self._draw()

    def _slid(self, event: events.ValueChangeEventArguments[float | None]) -> None:
        if event.value is not None and int(event.value) != self._at and self._positions:
            self._at = max(0, min(len(self._positions) - 1, int(event.value)))
            self._draw()

    def _point(self, event: events.EChartPointClickEventArguments) -> None:
        if isinstance(event.value, list) and event.value:
            self._at = max(0, min(len(self._positions) - 1, int(event.value[0])))
            self._draw()

    def _draw(self) -> None:
        record = self._record
        if record is None:
            return
        last: tuple[str, ...] = ()
        text = "The start"
        if self._at:
            move, before = record.moves[self._at - 1], self._positions[self._at - 1]
            who = "chance" if move.seat is None else record.names[move.seat]
            text = f"{self._at}. {move.move} ({who}"
            if move.origin == "search" and move.value is not None:
                text += f", value {move.value:+.3f}, depth {move.depth}, {move.nodes or 0:,} nodes"
            text += f", {move.origin})" if move.origin != "search" and move.seat is not None else ")"
            if before.turn != "chance":
                ways = before.clicks(move.move)
                last = tuple(ways[0]) if ways else ()
        if self._at == len(record.moves):
            text += f". Result: {' – '.join(f'{value:g}' for value in record.result)}"
        self._move.text = text
        self._board.content = board(self._positions[self._at], last=last).svg
        self._slider.value = self._at

    def _save(self) -> None:
        if self._record is not None:
            ui.download.content(game_text(self._record), f"game-{self._record.index + 1}.txt", "text/plain")

    def _analyse(self) -> None:
        from urllib.parse import urlencode

        if self._record is not None:
            given = {"game": self._record.game, "position": str(self._positions[self._at])}
            ui.navigate.to(f"/analyse?{urlencode(given)}")
