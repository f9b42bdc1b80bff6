"""The page on which games begin: the game, the seats, the clock; the visitor's games; games from a text."""

from __future__ import annotations

import secrets
from typing import Any

from nicegui import app, ui

import kibitz as kb
from kibitz.web.engines import algorithms_for, default_engine
from kibitz.web.forms import AlgorithmForm, GameForm, text_area
from kibitz.web.games import Clock, PlayedGame, Seat
from kibitz.web.inputs import check_text, read_algorithm, read_game
from kibitz.web.lab import Lab, visitor
from kibitz.web.layout import explain, frame, heading
from kibitz.web.pages import table

_REMEMBERED = 30
"""Games of a visitor that the page lists."""


def register(lab: Lab) -> None:
    """Adds the pages."""

    @ui.page("/play")
    def play(game: str = "breakthrough", engine: str = "") -> None:
        with frame("Play", wide=True):
            heading("Play")
            _Lobby(lab, game, engine)

    table.register(lab)


def remember(name: str, key: str) -> None:
    """Puts a game on the visitor's own list, with the key to the seats."""
    mine = {**app.storage.user.get("games", {})}
    mine.pop(name, None)
    mine[name] = key
    app.storage.user["games"] = dict(list(mine.items())[-_REMEMBERED:])


class _Seat:
    """Who sits in a seat: a person with a name, or an engine."""

    def __init__(self, lobby: _Lobby, number: int, engine: str | None) -> None:
        self._lobby = lobby
        self._number = number
        self._engine = engine or lobby.engine
        with ui.element("div").classes("lab-seat"):
            self.kind = ui.toggle(
                {False: "Person", True: "Engine"}, value=engine is not None, on_change=self._show
            ).props(f'dense no-caps unelevated aria-label="Who plays as player {number + 1}" data-seat={number}')
            self.name = ui.input(f"Player {number + 1}", value=f"Player {number + 1}").props(
                "outlined dense maxlength=60"
            )
            self.button = ui.button(self._engine, on_click=self._choose).props(
                "flat dense no-caps icon=tune align=left"
            )
            self.button.classes("lab-engine")
        self._show()

    def seat(self) -> Seat:
        """What the form says."""
        if self.kind.value:
            name = self._engine.partition(":")[0]
            # Several engines of one kind are told apart.
            return Seat(f"{name} {self._number + 1}" if self._lobby.game.players > 2 else name, self._engine)
        return Seat(check_text(self.name.value or "", "a name", 60).strip() or "Person")

    def _show(self) -> None:
        self.name.set_visibility(not self.kind.value)
        self.button.set_visibility(bool(self.kind.value))

    async def _choose(self) -> None:
        try:
            game = self._lobby.form.text
            names = await algorithms_for(game, self._lobby.lab.jobs, visitor())
        except kb.Error as error:
            explain(error)
            return

        def done() -> None:
            try:
                self._engine = form.text
            except kb.Error:
                return
            self.button.text = self._engine
            dialog.close()

        with ui.dialog() as dialog, ui.card().classes("lab-card lab-dialog"):
            heading("Engine", level=2)
            chosen = self._engine if self._engine.partition(":")[0] in names else f"{names[0]}:seconds=1"
            form = AlgorithmForm(names, chosen, threads=self._lobby.lab.jobs.largest.threads)
            with ui.row().classes("lab-buttons"):
                ui.button("Take it", on_click=done).props("no-caps unelevated")
                ui.button("Cancel", on_click=dialog.close).props("no-caps flat")
        dialog.on("hide", dialog.delete)
        dialog.open()


class _Lobby:
    """The form of a new game, and the games that there are."""

    def __init__(self, lab: Lab, game: str, engine: str) -> None:
        self.lab = lab
        self._asked_for = _known_engine(engine)
        self._seats: list[_Seat] = []
        with ui.element("div").classes("lab-two"):
            with ui.element("section").classes("lab-card lab-form-card"):
                heading("Game", level=2)
                self.form = GameForm(_known(game), self._changed)
            with ui.column().classes("lab-column"):
                with ui.element("section").classes("lab-card lab-form-card"):
                    heading("Seats", level=2)
                    self._place = ui.column().classes("lab-form")
                    self._options()
                    ui.button("Start the game", on_click=self._start).props("no-caps unelevated size=md data-start")
                self._others()
        self._changed()

    @property
    def game(self) -> kb.Game:
        """The game in the form."""
        return self.form.game

    @property
    def engine(self) -> str:
        """The engine of the link, or the first choice for the game."""
        return self._asked_for or default_engine(self.game)

    def _options(self) -> None:
        with (
            ui.expansion("Clock, seed, start").classes("lab-more").props("dense"),
            ui.element("div").classes("lab-fields"),
        ):
            self._minutes = _number("Minutes each", None, "none")
            self._increment = _number("Seconds added", 0)
            self._seed = _number("Seed", None, "random")
            self._plies = _number("Draw after moves", 1000)
            self._take_back = ui.switch("Moves may be taken back", value=True)
        self._position = text_area("Start from a position (empty: the start)", rows=2).classes("lab-full")

    def _changed(self) -> None:
        """As many seats as the game has: a person first, then engines."""
        game = self.game
        self._place.clear()
        with self._place:
            self._seats = [_Seat(self, number, self.engine if number else None) for number in range(game.players)]

    def _start(self) -> None:
        try:
            game = PlayedGame(
                self.form.text,
                [seat.seat() for seat in self._seats],
                start=check_text(self._position.value or "", "the position").strip() or None,
                seed=secrets.randbits(32) if self._seed.value is None else _whole(self._seed.value, "the seed"),
                clock=self._clock(),
                max_plies=_whole(self._plies.value or 1000, "the number of moves"),
                take_back=bool(self._take_back.value),
                owner=visitor(),
            )
            self._open(game)
        except kb.Error as error:
            explain(error)

    def _clock(self) -> Clock | None:
        if not self._minutes.value:
            return None
        return Clock(60.0 * float(self._minutes.value), float(self._increment.value or 0))

    def _open(self, game: PlayedGame) -> None:
        made = self.lab.tables.add(game)
        remember(made.name, game.host_key)
        ui.navigate.to(f"/play/{made.name}?key={game.host_key}")

    def _others(self) -> None:
        with ui.element("section").classes("lab-card lab-form-card"):
            heading("Your games", level=2)
            games = list(app.storage.user.get("games", {}).items())[::-1]
            if not games:
                ui.label("None yet. A game stays here after every move, also when the server is restarted.").classes(
                    "lab-soft"
                )
            with ui.element("ul").classes("lab-list"):
                for name, key in games[:10]:
                    _line(self.lab, name, key)
            with ui.expansion("Open a game from its text").classes("lab-more").props("dense"):
                text = text_area("Text of the game", rows=5, longest=500_000).classes("lab-full")
                ui.button("Open", on_click=lambda: self._read(text)).props("no-caps outline data-read")

    def _read(self, text: Any) -> None:
        try:
            self._open(PlayedGame.from_text(text.value or "", visitor()))
        except kb.Error as error:
            explain(error)


def _line(lab: Lab, name: str, key: str) -> None:
    try:
        found = lab.tables.find(name)
    except kb.Error:
        found = None
    if found is None:
        return
    game = found.game
    state = "over" if game.over else f"{len(game.moves)} moves"
    with ui.element("li"):
        ui.link(f"{game.game}", f"/play/{name}?key={key}")
        ui.label(f"{' · '.join(seat.name for seat in game.seats)} · {state}").classes("lab-soft lab-small")


def _number(label: str, value: float | None, empty: str = "") -> ui.number:
    return ui.number(label, value=value, placeholder=empty).props("outlined dense")


def _whole(value: Any, what: str) -> int:
    if not isinstance(value, (int, float)) or value != value or value != int(value) or not 0 <= value < 1 << 53:
        raise kb.BadParameter(f"{what} must be a whole number, zero or more")
    return int(value)


def _known_engine(engine: str) -> str | None:
    """The engine of a link, if there is such a one."""
    try:
        return read_algorithm(engine).spec if engine else None
    except kb.Error:
        return None


def _known(game: str) -> str:
    """The game of a link, or the first choice where there is no such game."""
    try:
        read_game(game)
    except kb.Error:
        return "breakthrough"
    return game
