"""Arena: matches and tournaments, begun, watched, paused and gone on with; every game can be replayed."""

from __future__ import annotations

import math
from typing import Any

from nicegui import ui

import kibitz as kb
from kibitz.web.charts import intervals, lines, redraw
from kibitz.web.desk import toggle, watch
from kibitz.web.engines import algorithms_for
from kibitz.web.forms import AlgorithmForm, GameForm
from kibitz.web.inputs import read_game
from kibitz.web.jobs import Refused
from kibitz.web.lab import Lab, visitor
from kibitz.web.layout import explain, frame, heading
from kibitz.web.pages.replay import Replay
from kibitz.web.runs import KINDS, ArenaRun, ArenaRuns
from kibitz.web.sheets import sheet

__all__ = ["register"]

_MOST_PLAYERS = 8
_PAGE = 25


def register(lab: Lab) -> None:
    """Adds the pages."""
    runs = ArenaRuns(lab)

    @ui.page("/arena")
    async def arena(game: str = "connect-four") -> None:
        with frame("Arena"):
            heading("Arena")
            names = kb.algorithms()
            try:
                read_game(game)
                names = await algorithms_for(game, lab.jobs, visitor())
            except Refused:
                # nobody had time to find out: all are offered, and one that cannot play says so
                pass
            except kb.Error as error:
                explain(error)
                game = "connect-four"
            _New(lab, runs, game, names)
            _List(runs)

    @ui.page("/arena/{name}")
    def one(name: str) -> None:
        with frame("Arena", wide=True):
            try:
                found = runs.find(name)
            except kb.Error:
                found = None
            if found is None:
                heading("Arena")
                ui.label("There is no such match.").props("role=alert")
                ui.link("All matches", "/arena")
                return
            ui.link("← All matches", "/arena").classes("lab-small")
            _RunView(lab, runs, found)


class _New:
    """The form of a new match."""

    def __init__(self, lab: Lab, runs: ArenaRuns, game: str, names: list[str]) -> None:
        self._lab, self._runs, self._names = lab, runs, names
        self._of = game.partition(":")[0]
        first = "alphabeta:depth=3" if "alphabeta" in names else f"{names[0]}"
        second = "uct:simulations=300" if "uct" in names else f"{names[-1]}"
        self._players: list[tuple[str, str]] = [("A", first), ("B", second)]
        with ui.expansion("A new match", icon="add").classes("lab-card arena-new").props("data-part=new"):
            self._game = GameForm(game, self._other_game, picture=False)
            self._place = ui.column().classes("lab-form")
            self._draw_players()
            with ui.row().classes("lab-buttons"):
                ui.button("Another player", icon="add", on_click=self._add).props("flat dense no-caps")
            with ui.element("div").classes("lab-fields"):
                self._kind = ui.select(KINDS, value="match", label="kind").props("outlined dense options-dense")
                self._games = _number("games", 100, 1, "In a tournament: of every two players.")
                self._openings = _number("random plies at the start", 4, 0, "Both sides play every opening.")
                self._most = _number("plies at most", 300, 1, "A longer game is a draw.")
                self._seed = _number("seed", 1, 0, "The same seed gives the same games.")
                self._sprt = ui.input("SPRT: elo0, elo1", placeholder="0, 10").props("outlined dense")
            ui.button("Begin", icon="play_arrow", on_click=self._begin).props("unelevated no-caps data-act=begin")

    def _other_game(self) -> None:
        # other algorithms may be possible, and a page begins with what is
        if self._game.text.partition(":")[0] != self._of:
            ui.navigate.to(f"/arena?game={self._game.text}")

    def _draw_players(self) -> None:
        self._forms: list[tuple[ui.input, AlgorithmForm]] = []
        self._place.clear()
        with self._place:
            for number, (name, text) in enumerate(self._players):
                with ui.element("div").classes("arena-player"):
                    label = ui.input("Name", value=name).props(f"outlined dense maxlength=40 data-player={number}")
                    with ui.element("div"):
                        form = AlgorithmForm(self._names, text, threads=1, label=f"Player {number + 1}")
                    self._forms.append((label, form))
                    if len(self._players) > 2:
                        ui.button(icon="close", on_click=lambda number=number: self._remove(number)).props(
                            'flat round dense aria-label="Remove this player"'
                        )

    def _read(self) -> None:
        self._players = [(str(label.value or "").strip(), form.text) for label, form in self._forms]

    def _add(self) -> None:
        try:
            self._read()
        except kb.Error as error:
            explain(error)
            return
        if len(self._players) < _MOST_PLAYERS:
            self._players.append((chr(ord("A") + len(self._players)), self._names[0]))
            self._draw_players()

    def _remove(self, number: int) -> None:
        try:
            self._read()
        except kb.Error as error:
            explain(error)
            return
        del self._players[number]
        self._draw_players()

    async def _begin(self) -> None:
        try:
            self._read()
            names = [name for name, _ in self._players]
            if len(set(names)) < len(names) or not all(names):
                raise kb.BadParameter("every player needs a name of its own")
            kind = str(self._kind.value)
            plan: dict[str, Any] = {
                "kind": kind,
                "game": self._game.text,
                "players": dict(self._players),
                "games": _whole(self._games, 100),
                "openings": _whole(self._openings, 0),
                "max_plies": _whole(self._most, 300),
                "seed": _whole(self._seed, 1),
                "sprt": _sprt(str(self._sprt.value or "")) if kind == "match" else None,
                "challengers": names[:1] if kind == "gauntlet" else [],
            }
            run = self._runs.new(plan)
            await run.start(self._lab)
        except kb.Error as error:
            explain(error)
            return
        ui.navigate.to(f"/arena/{run.name}")


def _number(label: str, value: int, low: int, doc: str) -> ui.number:
    made = ui.number(label, value=value, min=low, step=1).props(f'outlined dense data-field="{label}"')
    with made:
        ui.tooltip(doc).classes("lab-tip")
    return made


def _whole(field: ui.number, default: int) -> int:
    value = field.value
    if value is None:
        return default
    if not math.isfinite(value) or value != int(value):
        raise kb.BadParameter(f"{value} must be a whole number")
    return int(value)


def _sprt(text: str) -> list[float] | None:
    if not text.strip():
        return None
    try:
        first, second = (float(part) for part in text.replace(";", ",").split(","))
    except ValueError:
        raise kb.BadParameter(f"SPRT: {text[:40]!r} is not two Elo differences, such as 0, 10") from None
    return [first, second]


class _List:
    """All matches that there are."""

    def __init__(self, runs: ArenaRuns) -> None:
        self._runs = runs
        heading("Matches and tournaments", level=2)
        self._place = ui.element("div").classes("lab-stack")
        watch(self._version, self.draw, 0.5)

    def _version(self) -> tuple[Any, ...]:
        names = self._runs.names()[:_PAGE]
        return tuple((name, run.task.version) for name in names if (run := self._runs.find(name)) is not None)

    def draw(self) -> None:
        """A line for each."""
        self._place.clear()
        with self._place:
            names = self._runs.names()[:_PAGE]
            if not names:
                ui.label("None yet. Begin one above: alpha-beta against UCT at Connect Four takes a minute.").classes(
                    "lab-soft"
                )
            for name in names:
                run = self._runs.find(name)
                if run is None:
                    continue
                with ui.link(target=f"/arena/{name}").classes("repro-row").props(f'data-run="{name}"'):
                    ui.label(run.title).classes("lab-tile-name")
                    ui.label(_state(run)).classes("lab-soft lab-small")


def _state(run: ArenaRun) -> str:
    kind = KINDS.get(run.plan["kind"], run.plan["kind"])
    if run.table is None:
        played = "no game has ended yet"
    else:
        played = f"{run.table['games']:,} of {run.table['planned']:,} games"
    return f"{kind}, {played}" + (", playing" if run.task.running else "")


class _RunView:
    """One match: its table, its plots and its games."""

    def __init__(self, lab: Lab, runs: ArenaRuns, run: ArenaRun) -> None:
        self._lab, self._runs, self._run = lab, runs, run
        self._first = 0
        with ui.row().classes("lab-title"):
            heading(run.title)
        with ui.row().classes("lab-buttons"):
            self._go = ui.button("Pause", icon="pause", on_click=self._toggle).props(
                "unelevated no-caps data-act=pause"
            )
            self._status = ui.label().classes("lab-soft lab-small").props("role=status data-figure=state")
            ui.space()
            ui.button("Remove", icon="delete", on_click=self._remove).props("flat dense no-caps data-act=remove")
        self._bar = ui.linear_progress(value=0, show_value=False).props('aria-label="Games played"')
        self._error = ui.label().classes("lab-error").props("role=alert")
        with ui.element("div").classes("arena-grid") as self._results:
            with ui.element("section").classes("lab-card lab-stack"):
                heading("Table", level=2)
                self._summary = ui.label().classes("lab-soft lab-small")
                self._table = ui.html(sanitize=False)
                self._warnings = ui.label().classes("lab-error")
                self._scores = ui.echart(intervals([], x="score")).classes("arena-scores")
            with ui.element("section").classes("lab-card lab-stack"):
                heading("Course of the score", level=2)
                self._course = ui.echart(lines({}, x="game", y="score")).classes("lab-chart")
        with ui.element("section").classes("lab-card lab-stack"):
            heading("Games", level=2)
            with ui.row().classes("lab-buttons"):
                self._meeting = ui.select({}, label="Meeting", on_change=self._other).props(
                    "outlined dense options-dense"
                )
                ui.button(icon="chevron_left", on_click=lambda: self._turn(-_PAGE)).props(
                    'flat round dense aria-label="Earlier games"'
                )
                ui.button(icon="chevron_right", on_click=lambda: self._turn(_PAGE)).props(
                    'flat round dense aria-label="Later games"'
                )
            self._games = ui.element("div").classes("arena-games")
        self._replay = Replay()
        watch(lambda: run.task.version, self.draw, 0.4)

    async def _toggle(self) -> None:
        await toggle(self._run.task, lambda: self._run.start(self._lab))
        self.draw()

    async def _remove(self) -> None:
        await self._run.task.stop()
        self._runs.remove(self._run.name)
        ui.navigate.to("/arena")

    def draw(self) -> None:
        """The table so far, and the games that have ended."""
        run, table = self._run, self._run.table
        running = run.task.running
        complete = table is not None and bool(table.get("complete"))
        self._go.text = "Pause" if running else "Go on"
        self._go.props(f"icon={'pause' if running else 'play_arrow'}")
        self._go.set_visibility(running or not complete)
        self._status.text = _state(run) + (f"; {run.task.status}" if run.task.status else "")
        self._error.text = run.task.error
        self._results.set_visibility(table is not None)
        if table is not None:
            self._bar.value = table["games"] / max(table["planned"], 1)
            self._summary.text = table["summary"]
            parts = [sheet(table["rows"], name="table")]
            parts += [sheet(table[name], name=name) for name in ("effort", "cross") if table.get(name)]
            self._table.content = "".join(parts)
            self._warnings.text = " ".join(table["warnings"])
            scores = [
                (each["name"], each["score"], each["low"], each["high"])
                for each in table.get("scores", [])
                if None not in (each["score"], each["low"], each["high"])
            ]
            self._scores.set_visibility(bool(scores))
            if scores:
                redraw(self._scores, intervals(scores, x="score", par=table["scores"][0]["par"]))
        course = {name: [(point[0], point[1]) for point in points] for name, points in run.course.items()}
        redraw(self._course, lines(course, x="games", y="score", bounds=(0, 1)))
        # the store is read when there is something new to choose from, not after every game
        if not running or (table is not None and table.get("meetings") != len(self._meeting.options)):
            self._meetings()

    def _meetings(self) -> None:
        try:
            self._read_meetings()
        except kb.Error as error:
            self._error.text = str(error)

    def _read_meetings(self) -> None:
        found = {
            each.id: f"{each.name.removeprefix('tournament/')} ({each.games:,} games)" for each in self._run.runs()
        }
        kept = self._meeting.value if self._meeting.value in found else next(iter(found), None)
        if found != self._meeting.options or kept != self._meeting.value:
            self._meeting.set_options(found, value=kept)
            self._list()

    def _other(self) -> None:
        self._first = 0
        self._list()

    def _turn(self, step: int) -> None:
        self._first = max(0, self._first + step)
        self._list()

    def _list(self) -> None:
        self._games.clear()
        meeting = self._meeting.value
        if not isinstance(meeting, int):
            return
        with self._games:
            for record in self._run.games(meeting, self._first, _PAGE):
                result = " – ".join(f"{value:g}" for value in record.result)
                text = f"{record.index + 1}. {' – '.join(record.names)}: {result}, {record.plies} plies"
                if record.adjudicated:
                    text += ", ended by the limit"
                ui.button(text, on_click=lambda record=record: self._replay.open(record)).props(
                    f"flat dense no-caps align=left data-game={record.index}"
                )
