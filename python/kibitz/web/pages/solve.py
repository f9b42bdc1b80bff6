"""Solve: proofs with the numbers of their root, and endgame databases: built, counted, looked into."""

from __future__ import annotations

from typing import Any, cast

from nicegui import events, ui

import kibitz as kb
from kibitz.database import Distances, Value
from kibitz.web.charts import lines, redraw
from kibitz.web.databases import FOLDER, SUFFIX, database_name, databases, databases_of
from kibitz.web.desk import Desk, Task, toggle, watch
from kibitz.web.forms import AlgorithmForm, GameForm, text_area
from kibitz.web.inputs import read_game, read_position
from kibitz.web.jobs import Caps
from kibitz.web.lab import Lab
from kibitz.web.layout import explain, frame, heading
from kibitz.web.sheets import sheet

__all__ = ["register"]

_SOLVERS = ["proofnumber", "pn2", "dfpn", "efpn"]
_PROOF = Caps(seconds=1800.0, memory_mb=2048, threads=1)
_BUILD = Caps(seconds=1800.0, memory_mb=2048, threads=1)
_ANSWERS = {True: "yes", False: "no", None: "not answered"}
_LARGEST_BUILD_MB = 2_000
"""Megabytes of all databases together; disks are not for visitors to fill."""


class Proof:
    """A proof of a visitor: the question, its curve so far and its answer."""

    def __init__(self) -> None:
        self.task = Task()
        self.game, self.position, self.solver = "tic-tac-toe", "", "proofnumber"
        self.points: dict[str, list[tuple[int, int, int]]] = {}
        self.result: dict[str, Any] | None = None

    async def start(self, lab: Lab) -> None:
        """Begins anew."""
        self.points, self.result = {}, None
        payload: dict[str, Any] = {"game": self.game, "position": self.position, "algorithm": self.solver}
        known = databases_of(lab.data, read_game(self.game))
        if known:
            payload["database"] = str(known[0][1].path)
        await self.task.start(lab, "solve", payload, _PROOF, self._hear)

    def _hear(self, event: dict[str, Any]) -> None:
        if event["type"] == "numbers":
            point = (event["nodes"], event["proof"], event["disproof"])
            self.points.setdefault(event["at_least"], []).append(point)
        elif event["type"] == "result":
            self.result = event["result"]
            for goal in event["result"]["goals"]:
                self.points[goal["at_least"]] = [tuple(point) for point in goal["curve"]]


class Building:
    """A database that a visitor builds."""

    def __init__(self) -> None:
        self.task = Task()
        self.name = ""
        self.step: dict[str, Any] | None = None
        self.result: dict[str, Any] | None = None

    async def start(self, lab: Lab, game: str, pieces: int | None, distances: Distances) -> None:
        """Builds, or goes on with what was built."""
        rules = read_game(game)
        if not isinstance(rules, kb.NativeGame):
            raise kb.NotSupported("databases are of native games")
        used = sum(path.stat().st_size for path in lab.data.folder(FOLDER).rglob("*") if path.is_file()) >> 20
        if used > _LARGEST_BUILD_MB:
            raise kb.BadParameter(f"the databases take {used:,} MB already; remove some before building more")
        self.name, self.step, self.result = database_name(rules, pieces, distances), None, None
        payload = {
            "game": game,
            "pieces": pieces,
            "distances": distances,
            "path": str(lab.data.file(FOLDER, self.name, SUFFIX)),
        }
        await self.task.start(lab, "database", payload, _BUILD, self._hear)

    def _hear(self, event: dict[str, Any]) -> None:
        if event["type"] == "building":
            self.step = event
        elif event["type"] == "result":
            self.result = event["result"]


def register(lab: Lab) -> None:
    """Adds the page."""
    proofs: Desk[Proof] = Desk(Proof)
    buildings: Desk[Building] = Desk(Building)

    @ui.page("/solve")
    def solve(game: str = "", position: str = "") -> None:
        mine = proofs.mine()
        with frame("Solve", wide=True):
            heading("Solve")
            if isinstance(game, str) and game:
                try:
                    read_position(read_game(game), position)
                    mine.game, mine.position = game, position
                except kb.Error as error:
                    explain(error)
            with ui.element("div").classes("solve-grid"):
                _ProofView(lab, mine)
                with ui.element("div").classes("analyse-side"):
                    _BuildView(lab, buildings.mine())
                    _Browser(lab)


class _ProofView:
    """A question, its curve and its answer."""

    def __init__(self, lab: Lab, mine: Proof) -> None:
        self._lab, self._mine = lab, mine
        with ui.element("section").classes("lab-card lab-stack"):
            heading("Proof", level=2)
            ui.label("Can the player to move win? And if not, can the draw be held?").classes("lab-soft")
            self._game = GameForm(mine.game, self._preview, picture=False)
            self._text = text_area("Position (empty: the start)", rows=2).props("data-field=position")
            self._text.value = mine.position
            self._text.on_value_change(self._preview)
            self._error = ui.label().classes("lab-error").props("role=alert")
            self._board = ui.html(sanitize=False).classes("lab-preview")
            self._solver = AlgorithmForm(_SOLVERS, mine.solver, threads=1, label="Solver")
            self._go = ui.button("Solve", icon="verified", on_click=self._toggle)
            self._go.props("unelevated no-caps data-act=solve")
            self._status = ui.label().classes("lab-soft lab-small").props("role=status")
            self._answer = ui.label().classes("solve-answer").props("data-figure=value")
            self._chart = ui.echart(lines({}, x="nodes", y="numbers")).classes("lab-chart")
            self._goals = ui.html(sanitize=False)
        self._preview()
        watch(lambda: (mine.task.version, self._clock()), self.draw)

    def _clock(self) -> int:
        job = self._mine.task.job
        return 0 if job is None else round(2 * job.seconds)

    def _preview(self) -> None:
        try:
            position = read_position(self._game.game, str(self._text.value or ""))
        except kb.Error as error:
            self._error.text = str(error)
            return
        self._error.text = ""
        self._board.content = position.svg()

    async def _toggle(self) -> None:
        await toggle(self._mine.task, self._start)
        self.draw()

    async def _start(self) -> None:
        mine = self._mine
        mine.game, mine.solver = self._game.text, self._solver.text
        mine.position = str(read_position(self._game.game, str(self._text.value or "")))
        await mine.start(self._lab)

    def draw(self) -> None:
        """The numbers so far, or the answer."""
        mine = self._mine
        self._go.text = "Stop" if mine.task.running else "Solve"
        self._go.props(f"icon={'stop' if mine.task.running else 'verified'}")
        self._status.text = mine.task.status
        self._answer.text = mine.task.error or _answer(mine.result)
        self._answer.classes(replace="lab-error" if mine.task.error else "solve-answer")
        self._goals.content = _goals(mine.result)
        shown = {name: points for name, points in mine.points.items() if points}
        self._chart.set_visibility(bool(shown))
        if shown:
            series: dict[str, list[tuple[float, float | None]]] = {}
            for name, points in shown.items():
                # zero and infinity, the ends of a proof, are not on a logarithmic axis
                for place, number in ((1, "proof"), (2, "disproof")):
                    series[f"{name}: {number}"] = [
                        (max(point[0], 1), point[place] if 0 < point[place] < 2**32 - 1 else None) for point in points
                    ]
            redraw(self._chart, lines(series, x="nodes", y="proof and disproof number", log_x=True, log_y=True))


def _answer(result: dict[str, Any] | None) -> str:
    if result is None:
        return ""
    if result["value"] == "unknown":
        return f"Unknown ({result['reason']}) after {result['nodes']:,} nodes"
    line = f": {' '.join(result['pv'])}" if result["pv"] else ""
    words = {"win": "The player to move wins", "draw": "It is a draw", "loss": "The player to move loses"}
    return f"{words[result['value']]}{line}"


def _goals(result: dict[str, Any] | None) -> str:
    if result is None:
        return ""
    rows = [["question", "answer", "nodes", "seconds"]]
    for goal in result["goals"]:
        question = "can the player to move win?" if goal["at_least"] == "win" else "can a draw be held?"
        rows.append([question, _ANSWERS[goal["answer"]], f"{goal['nodes']:,}", f"{goal['seconds']:.2f}"])
    return sheet(rows, texts=(0, 1), name="goals", narrow=True)


class _BuildView:
    """A database to build, with its progress."""

    def __init__(self, lab: Lab, mine: Building) -> None:
        self._lab, self._mine = lab, mine
        with ui.element("section").classes("lab-card lab-stack"):
            heading("Build an endgame database", level=2)
            self._game = GameForm("fanorona:rows=3,cols=3", picture=False)
            with ui.element("div").classes("lab-fields"):
                self._pieces = ui.number("pieces at most", value=4, min=1, max=40, step=1)
                self._pieces.props("outlined dense clearable data-field=pieces")
                self._distances = ui.select(["none", "win", "conversion"], label="distances", value="win")
                self._distances.props("outlined dense options-dense")
            self._go = ui.button("Build", icon="construction", on_click=self._toggle)
            self._go.props("unelevated no-caps data-act=build")
            self._bar = ui.linear_progress(value=0, show_value=False).props('aria-label="Progress"')
            self._status = ui.label().classes("lab-soft lab-small").props("role=status data-figure=building")
            self._error = ui.label().classes("lab-error").props("role=alert")
        watch(lambda: (mine.task.version, round(mine.task.job.seconds) if mine.task.job else 0), self.draw)

    async def _toggle(self) -> None:
        await toggle(self._mine.task, self._start)
        self.draw()

    async def _start(self) -> None:
        pieces = self._pieces.value
        distances = cast(Distances, self._distances.value)
        await self._mine.start(self._lab, self._game.text, None if pieces is None else int(pieces), distances)

    def draw(self) -> None:
        """How far the build is."""
        mine = self._mine
        self._go.text = "Stop" if mine.task.running else "Build"
        self._error.text = mine.task.error
        self._bar.set_visibility(mine.task.running)
        if mine.step is not None:
            self._bar.value = round(mine.step["share"], 3)
        text = mine.task.status
        if mine.task.running and mine.step is not None:
            text += (
                f": group {mine.step['group']} of {mine.step['groups']} ({mine.step['slices']}), {mine.step['phase']}"
            )
        if mine.result is not None:
            text = f"{mine.name}: {mine.result['positions']:,} positions in {mine.result['bytes']:,} bytes"
        self._status.text = text


class _Browser:
    """The databases that there are: their figures, and positions in them."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._first = 0
        with ui.element("section").classes("lab-card lab-stack") as self._card:
            heading("Databases", level=2)
            self._none = ui.label("None has been built yet.").classes("lab-soft")
            self._name = ui.select([], label="Database", on_change=self._chosen)
            self._name.props("outlined dense options-dense data-field=database")
            self._figures = ui.html(sanitize=False)
            with ui.element("div").classes("lab-fields"):
                self._slice = ui.select([], label="material", on_change=self._again).props(
                    "outlined dense options-dense"
                )
                self._value = ui.select(
                    ["any", "win", "draw", "loss"], value="any", label="value", on_change=self._again
                )
                self._value.props("outlined dense options-dense data-field=value")
                self._longest = ui.switch("the longest only", on_change=self._again)
            self._positions = ui.element("div").classes("solve-positions")
            with ui.row().classes("lab-buttons"):
                self._more = ui.button("More", on_click=self._further).props("flat dense no-caps data-act=more")
                ui.button("Remove this database", icon="delete", on_click=self._remove).props("flat dense no-caps")
        watch(lambda: tuple(lab.data.names(FOLDER, SUFFIX)), self.draw, 1.0)

    def _database(self) -> kb.Database | None:
        return dict(databases(self._lab.data)).get(str(self._name.value))

    def draw(self) -> None:
        """The names of all databases."""
        names = [name for name, _ in databases(self._lab.data)]
        self._none.set_visibility(not names)
        for part in (self._name, self._slice, self._value, self._longest, self._more):
            part.set_visibility(bool(names))
        kept = self._name.value if self._name.value in names else (names[0] if names else None)
        self._name.set_options(names, value=kept)
        self._chosen()

    def _chosen(self) -> None:
        found = self._database()
        self._figures.content = "" if found is None else _stats(found)
        self._slice.set_options([each.name for each in found.stats.slices] if found else [], value=None)
        self._longest.set_enabled(found is not None and found.distances != "none")
        self._again()

    def _again(self, _: events.ValueChangeEventArguments[Any] | None = None) -> None:
        self._first = 0
        self._positions.clear()
        self._show()

    def _further(self) -> None:
        self._show()

    def _show(self) -> None:
        found = self._database()
        if found is None:
            return
        value = cast("Value | None", None if self._value.value == "any" else self._value.value)
        try:
            page = list(
                found.browse(
                    self._slice.value,
                    value=value,
                    longest=bool(self._longest.value) and found.distances != "none",
                    first=self._first,
                    count=6,
                )
            )
        except kb.Error as error:
            explain(error)
            return
        self._more.set_enabled(len(page) == 6)
        if page:
            self._first = page[-1].rank + 1
        with self._positions:
            for each in page:
                with ui.element("figure").props("data-position"):
                    ui.html(each.position.svg(), sanitize=False).classes("lab-preview")
                    plies = "" if each.distance is None else f" in {each.distance}"
                    with ui.element("figcaption"):
                        ui.label(f"{each.value}{plies}").classes("lab-small")

    def _remove(self) -> None:
        name = self._name.value
        if isinstance(name, str):
            self._lab.data.file(FOLDER, name, SUFFIX).unlink(missing_ok=True)
            self.draw()


def _stats(found: kb.Database) -> str:
    stats = found.stats
    rows = [["material", "positions", "win", "draw", "loss", "longest"]]
    for each in stats.slices[:60]:
        figures = (each.positions, each.win_positions, each.draw_positions, each.loss_positions, each.longest)
        rows.append([each.name, *(f"{figure:,}" for figure in figures)])
    rows.append(["all", f"{stats.positions:,}", *_sums(stats), ""])
    size = f"<p class='lab-soft lab-small'>{stats.bytes:,} bytes on disk, {stats.unpacked:,} unpacked.</p>"
    return sheet(rows, name="slices", narrow=True) + size


def _sums(stats: kb.Stats) -> list[str]:
    return [
        f"{sum(getattr(each, f'{value}_positions') for each in stats.slices):,}" for value in ("win", "draw", "loss")
    ]
