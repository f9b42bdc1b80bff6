"""Analyse: one position, several searches side by side, and what they say as it comes."""

from __future__ import annotations

from typing import Any

from nicegui import events, ui

import kibitz as kb
from kibitz.draw.board import ARROWS, Arrow, line
from kibitz.draw.clicks import Clicks, Way
from kibitz.web.analysis import MOST_SEARCHES, Analysis, Search
from kibitz.web.board_input import BoardInput
from kibitz.web.charts import lines, redraw
from kibitz.web.desk import Desk, watch
from kibitz.web.engines import algorithms_for
from kibitz.web.forms import AlgorithmForm, GameForm, text_area
from kibitz.web.jobs import Caps
from kibitz.web.lab import Lab, visitor
from kibitz.web.layout import explain, frame, heading
from kibitz.web.pages.ratings import CourseView, KnownView, MovesView, value_text

__all__ = ["register"]


def register(lab: Lab) -> None:
    """Adds the page."""
    desk: Desk[Analysis] = Desk(Analysis)

    @ui.page("/analyse")
    async def analyse(game: str = "", position: str = "") -> None:
        mine = desk.mine()
        with frame("Analyse", wide=True):
            heading("Analyse")
            if isinstance(game, str) and game:
                try:
                    mine.setup.set(game, position)
                except kb.Error as error:
                    explain(error)
            with ui.element("div").classes("analyse-grid"):
                with ui.element("section").classes("lab-card lab-stack"):
                    _Place(lab, mine)
                with ui.element("div").classes("analyse-side"):
                    try:
                        names = await algorithms_for(mine.setup.game, lab.jobs, visitor())
                    except kb.Error as error:
                        # nobody had time to find out: all are offered, and one that cannot search says so
                        explain(error)
                        names = kb.algorithms()
                    _Searches(lab, mine, names)
                    MovesView(lab, mine, names)
                    CourseView(lab, mine, names)
                    KnownView(lab, mine)


class _Place:
    """The board: moves for everybody, arrows of the searches, and ways to another position.

    An edit is clicked as a move is: a cell that changes, or two. `_edits` has the texts of the positions after them.
    """

    def __init__(self, lab: Lab, mine: Analysis) -> None:
        self._lab, self._mine = lab, mine
        self._edits: dict[str, str] = {}
        self._clicks: Clicks | None = None
        self._board = BoardInput(self._moved)
        with ui.row().classes("lab-buttons"):
            ui.button("Take back", icon="undo", on_click=lambda: mine.setup.take_back()).props("flat dense no-caps")
            ui.button("To the start", icon="first_page", on_click=lambda: mine.setup.take_back(0)).props(
                "flat dense no-caps"
            )
            self._edit = ui.switch("Edit", on_change=self._toggle).props("data-act=edit")
        self._hint = ui.label().classes("lab-soft lab-small")
        self._text = text_area("Position", rows=2).classes("lab-full").props("data-field=position")
        self._error = ui.label().classes("lab-error").props("role=alert")
        ui.button("Set this position", on_click=self._set).props("outline dense no-caps data-act=set")
        with ui.expansion("Another game", icon="casino").classes("lab-more"):
            self._form = GameForm(mine.setup.game, picture=False)
            ui.button("Take this game", on_click=self._take).props("outline dense no-caps data-act=game")
        self._shown = -1
        watch(lambda: mine.version, self.draw)

    def draw(self) -> None:
        """Shows the position with the lines of all searches."""
        mine = self._mine
        position = mine.setup.position
        arrows: list[Arrow] = []
        if mine.up_to_date:
            for place, search in enumerate(mine.searches):
                now = search.now
                if now is not None and now["pv"]:
                    arrows += line(position, now["pv"], most=3, colour=ARROWS[place % len(ARROWS)])
        last: tuple[str, ...] = ()
        if mine.setup.moves and mine.setup.positions[-2].turn != "chance":
            ways = mine.setup.positions[-2].clicks(mine.setup.moves[-1])
            last = tuple(ways[0]) if ways else ()
        if self._shown != mine.setup.version:
            self._shown = mine.setup.version
            self._text.value = str(position)
            if self._edit.value:
                self._clicks = Clicks(())
                ui.timer(0.01, self._find_edits, once=True)
        self._board.show(position, clicks=self._clicks, last=last, arrows=arrows)

    def _moved(self, move: str) -> None:
        setup = self._mine.setup
        try:
            if self._clicks is None:
                setup.play(move)
            else:
                setup.set(setup.game, self._edits[move])
        except kb.Error as error:
            explain(error)
        self.draw()

    def _set(self) -> None:
        try:
            self._mine.setup.set(self._mine.setup.game, str(self._text.value or ""))
        except kb.Error as error:
            self._error.text = str(error)
            return
        self._error.text = ""
        self.draw()

    def _take(self) -> None:
        try:
            self._mine.setup.set(self._form.text)
        except kb.Error as error:
            explain(error)
            return
        # the algorithms to choose from may be others
        ui.navigate.to("/analyse")

    async def _toggle(self) -> None:
        self._clicks = Clicks(()) if self._edit.value else None
        self._hint.text = ""
        self.draw()
        if self._edit.value:
            await self._find_edits()

    async def _find_edits(self) -> None:
        setup = self._mine.setup
        version = setup.version
        payload = {"game": setup.game, "position": str(setup.position)}
        try:
            job = await self._lab.jobs.submit(visitor(), "edits", payload, Caps(seconds=20, memory_mb=256))
            found = await job.wait() or []
        except kb.Error as error:
            explain(error)
            return
        if version != setup.version or not self._edit.value:
            return
        self._edits = {label: text for _, label, text in found}
        # in either order: what goes from one cell to another also comes from there
        orders = {(label, tuple(order)) for cells, label, _ in found for order in (cells, cells[::-1])}
        self._clicks = Clicks(tuple(Way(label, order) for label, order in sorted(orders)))
        self._hint.text = _hint(found)
        self.draw()


def _hint(found: list[Any]) -> str:
    """How to edit, by what can be edited."""
    if not found:
        return "This game has no board whose cells could be changed one by one: edit the text below."
    if any(len(cells) == 1 for cells, _, _ in found):
        return "Click on a cell to put something else there; a dot on another one says that both can change together."
    return "Click on a piece, and then where it should be: their number does not change in this game."


class _Searches:
    """The searches side by side, with a chart of their values."""

    def __init__(self, lab: Lab, mine: Analysis, names: list[str]) -> None:
        self._lab = lab
        self._mine = mine
        self._names = names
        with ui.element("section").classes("lab-card lab-stack"):
            with ui.row().classes("lab-title"):
                heading("Searches", level=2)
                ui.space()
                self._go = ui.button("Start", icon="play_arrow", on_click=self._toggle)
                self._go.props("unelevated no-caps data-act=start")
            self._forms = ui.element("div")
            self._form_list()
            self._table = ui.element("div").classes("analyse-lines")
            self._chart = ui.echart(lines({}, x="nodes", y="value")).classes("lab-chart")
        watch(lambda: (mine.version, self._clock()), self.draw)

    def _clock(self) -> int:
        """So that times go on while nothing else does."""
        return sum(round(2 * search.task.job.seconds) for search in self._mine.searches if search.task.job)

    def _form_list(self) -> None:
        mine = self._mine
        self._forms.clear()
        with self._forms:
            for place, search in enumerate(mine.searches):
                with ui.row(wrap=False).classes("analyse-form"):
                    with ui.expansion(search.algorithm).classes("lab-more") as row:
                        row.props(f'dense data-search={place} header-class="analyse-{place}"')
                        self._form(row, search)
                    if len(mine.searches) > 1:
                        ui.button(icon="close", on_click=lambda search=search: self._remove(search)).props(
                            'flat round dense aria-label="Remove this search"'
                        )
            with ui.row().classes("lab-buttons"):
                if len(mine.searches) < MOST_SEARCHES:
                    ui.button("Another search", icon="add", on_click=self._add).props("flat dense no-caps")
                seconds = ui.number("Seconds, where no limit is set", value=mine.seconds, min=0.1, max=500, step=1)
                seconds.props("outlined dense").classes("analyse-seconds").on_value_change(self._limit)

    def _form(self, row: ui.expansion, search: Search) -> None:
        name = search.name if search.name in self._names else self._names[0]
        if name != search.name:
            search.algorithm = name
            row.text = name

        def changed() -> None:
            search.algorithm = form.text
            row.text = form.text

        form = AlgorithmForm(self._names, search.algorithm, changed, threads=self._lab.jobs.largest.threads)

    def _limit(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if isinstance(event.value, int | float) and 0.1 <= event.value <= 500:
            self._mine.seconds = float(event.value)

    async def _remove(self, search: Search) -> None:
        await search.task.stop()
        if search in self._mine.searches and len(self._mine.searches) > 1:
            self._mine.searches.remove(search)
        self._form_list()
        self.draw()

    def _add(self) -> None:
        if len(self._mine.searches) < MOST_SEARCHES:
            self._mine.searches.append(Search(self._names[0]))
        self._form_list()

    async def _toggle(self) -> None:
        try:
            if self._mine.running:
                await self._mine.stop()
            else:
                await self._mine.start(self._lab)
        except kb.Error as error:
            explain(error)
        self.draw()

    def draw(self) -> None:
        """The last step of every search, and how its value went."""
        mine = self._mine
        self._go.text = "Stop" if mine.running else "Start"
        self._go.props(f"icon={'stop' if mine.running else 'play_arrow'}")
        self._table.clear()
        with self._table:
            for place, search in enumerate(mine.searches):
                if search.task.job is not None:
                    _result(place, search)
        series = {
            f"{place + 1} {search.name}": [(max(step["nodes"], 1), step["value"]) for step in search.steps]
            for place, search in enumerate(mine.searches)
            if search.steps
        }
        self._chart.set_visibility(bool(series))
        if series:
            chart = lines(series, x="nodes", y="value for the player to move", log_x=True, colours=ARROWS)
            redraw(self._chart, chart)


def _result(place: int, search: Search) -> None:
    now, task = search.now, search.task
    with ui.element("div").classes(f"analyse-line analyse-{place}").props(f"data-line={place}"):
        ui.label(search.algorithm).classes("analyse-name")
        ui.label(task.error or task.status).classes("lab-error" if task.error else "lab-soft lab-small")
        if now is None:
            return
        unit = "simulations" if search.name in ("uct", "huct", "ismcts", "simulation", "flatmontecarlo") else "depth"
        rate = now["nodes"] / now["seconds"] if now["seconds"] else 0.0
        best = (search.report or {}).get("best") or (now["pv"][0] if now["pv"] else None)
        proven = " (proven)" if (search.report or {}).get("proven") else ""
        figures = (
            ("best", str(best or "–")),
            ("value", value_text(now["value"]) + proven),
            (unit, f"{now['depth']:,}"),
            ("nodes", f"{now['nodes']:,}"),
            ("nodes/s", f"{rate:,.0f}"),
            ("seconds", f"{now['seconds']:.2f}"),
        )
        with ui.element("dl").classes("lab-figures"):
            for name, text in figures:
                with ui.element("div"):
                    ui.element("dt").props(f'innerHTML="{name}"')
                    with ui.element("dd").props(f'data-figure="{name}"'):
                        ui.label(text)
        if now["pv"]:
            ui.label(" ".join(now["pv"])).classes("lab-mono lab-small analyse-pv").props("data-figure=pv")
