"""What an analysis says beyond one search: all moves rated, a whole game judged, databases asked."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

from nicegui import events, ui

import kibitz as kb
from kibitz.web.analysis import Analysis
from kibitz.web.charts import lines, redraw
from kibitz.web.databases import databases_of
from kibitz.web.desk import Task, toggle, watch
from kibitz.web.forms import AlgorithmForm, text_area
from kibitz.web.lab import Lab
from kibitz.web.layout import explain, heading
from kibitz.web.position_setup import moves_of_text

__all__ = ["CourseView", "KnownView", "MovesView", "value_text"]


def value_text(value: float | None) -> str:
    """A value with its sign; a dash where there is none."""
    return "–" if value is None or not math.isfinite(value) else f"{value + 0.0:+.3f}"


class _Order:
    """What is ordered for many positions: the algorithm, the seconds for each, a button, and how far it is."""

    def __init__(
        self, names: list[str], seconds: tuple[str, float], words: str, mark: str, toggle: Callable[[], Awaitable[None]]
    ) -> None:
        self._words, self._usual = words, seconds[1]
        self._form = AlgorithmForm(names, "alphabeta" if "alphabeta" in names else names[0], threads=1)
        with ui.row().classes("lab-buttons"):
            self._seconds = ui.number(seconds[0], value=seconds[1], min=0.01, max=60, step=0.1)
            self._seconds.props("outlined dense").classes("analyse-seconds")
            self._go = ui.button(words, on_click=toggle).props(f"outline no-caps data-act={mark}")
        self._status = ui.label().classes("lab-soft lab-small")
        self._error = ui.label().classes("lab-error").props("role=alert")

    @property
    def algorithm(self) -> str:
        """The algorithm as text."""
        return self._form.text

    @property
    def seconds(self) -> float:
        """The time for a position."""
        return float(self._seconds.value or self._usual)

    def draw(self, task: Task, done: str) -> None:
        """How far the task is; `done` says what it has told."""
        self._go.text = "Stop" if task.running else self._words
        self._error.text = task.error
        self._status.text = done + task.status if task.job else ""


class MovesView:
    """Every move of the position with what it is worth."""

    def __init__(self, lab: Lab, mine: Analysis, names: list[str]) -> None:
        self._lab, self._mine = lab, mine
        with ui.expansion("All moves", icon="format_list_numbered").classes("lab-card analyse-part"):
            ui.label("A search after every move, best first.").classes("lab-soft lab-small")
            self._order = _Order(names, ("Seconds a move", 0.5), "Rate the moves", "rate", self._toggle)
            columns = [
                {"name": "move", "label": "move", "field": "move", "align": "left"},
                {"name": "value", "label": "value", "field": "value"},
                {"name": "depth", "label": "depth", "field": "depth"},
                {"name": "pv", "label": "line", "field": "pv", "align": "left", "classes": "lab-mono analyse-pv"},
            ]
            self._table = ui.table(columns=columns, rows=[], row_key="move", pagination=12).props(
                "flat dense wrap-cells"
            )
            self._table.on("row-click", self._play, args=[[], ["move"], None])
        watch(lambda: mine.version, self.draw)

    async def _toggle(self) -> None:
        await toggle(self._mine.rating, self._start)
        self.draw()

    async def _start(self) -> None:
        await self._mine.rate(self._lab, self._order.algorithm, self._order.seconds)

    def _play(self, event: events.GenericEventArguments) -> None:
        move = event.args[1]["move"] if isinstance(event.args, list) and len(event.args) > 1 else None
        if isinstance(move, str) and self._mine.up_to_date:
            try:
                self._mine.setup.play(move)
            except kb.Error as error:
                explain(error)

    def draw(self) -> None:
        """The table so far."""
        mine = self._mine
        self._order.draw(mine.rating, f"{len(mine.rated)} of {mine.rated[0]['of']} moves, " if mine.rated else "")
        self._table.set_visibility(bool(mine.rated))
        self._table.rows = [
            {
                "move": row["move"],
                "value": value_text(row["value"]) + (" ✓" if row["proven"] else ""),
                "depth": row["depth"],
                "pv": " ".join(row["pv"]),
            }
            for row in mine.rated
        ]


class CourseView:
    """The values of all positions of a game."""

    def __init__(self, lab: Lab, mine: Analysis, names: list[str]) -> None:
        self._lab, self._mine = lab, mine
        with ui.expansion("A whole game", icon="show_chart").classes("lab-card analyse-part"):
            ui.label("Paste a game record or moves; without any, the moves made on the board.").classes(
                "lab-soft lab-small"
            )
            self._text = text_area("Game", rows=4, longest=400_000).classes("lab-full").props("data-field=moves")
            self._order = _Order(names, ("Seconds a position", 0.3), "Draw the course", "course", self._toggle)
            self._chart = ui.echart(lines({}, x="ply", y="value"), on_point_click=self._jump).classes("lab-chart")
        watch(lambda: mine.version, self.draw)

    async def _toggle(self) -> None:
        await toggle(self._mine.judging, self._start)
        self.draw()

    async def _start(self) -> None:
        setup = self._mine.setup
        start, moves = moves_of_text(setup.rules, str(self._text.value or ""))
        if not moves:
            start, moves = setup.start, list(setup.moves)
        # what cannot be played is said before anything is searched
        setup.set(setup.game, start, moves)
        await self._mine.judge(self._lab, start, moves, self._order.algorithm, self._order.seconds)

    def _jump(self, event: events.EChartPointClickEventArguments) -> None:
        start, moves = self._mine.played
        try:
            self._mine.setup.set(self._mine.setup.game, start, moves[: event.data_index])
        except kb.Error as error:
            explain(error)

    def draw(self) -> None:
        """The chart so far."""
        mine = self._mine
        done = f"{len(mine.course)} of {mine.course[0]['of'] + 1} positions, " if mine.course else ""
        self._order.draw(mine.judging, done)
        self._chart.set_visibility(bool(mine.course))
        if mine.course:
            points = [(row["ply"], row["value"]) for row in mine.course]
            redraw(self._chart, lines({"value": points}, x="ply", y="value for the first player"))


class KnownView:
    """What endgame databases know of the position; only where one of this game has been built."""

    def __init__(self, lab: Lab, mine: Analysis) -> None:
        self._lab, self._mine = lab, mine
        self._card = ui.element("section").classes("lab-card")
        watch(lambda: mine.setup.version, self.draw)

    def draw(self) -> None:
        """The answer of every database of this game."""
        found = databases_of(self._lab.data, self._mine.setup.rules)
        self._card.clear()
        self._card.set_visibility(bool(found))
        position = self._mine.setup.position
        with self._card:
            heading("Endgame databases", level=2)
            for name, database in found:
                known = database.probe(position)
                if known is None:
                    text = "does not have this position"
                else:
                    plies = "" if known.distance is None else f" in {known.distance} plies"
                    best = database.best(position)
                    text = f"{known.value}{plies}" + ("" if best is None else f"; best is {position.notation(best)}")
                ui.label(f"{name}: {text}").props(f'data-database="{name}"')
