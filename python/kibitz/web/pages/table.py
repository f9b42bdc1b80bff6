"""One game: the board to click on, the moves, the clocks, and what can be done besides moving."""

from __future__ import annotations

from nicegui import Client, app, events, ui

import kibitz as kb
from kibitz.draw.board import LAST, Arrow, board, trace
from kibitz.draw.clicks import Clicks
from kibitz.web.board_input import CLICK
from kibitz.web.engines import default_engine
from kibitz.web.games import PlayedGame, Seat
from kibitz.web.jobs import Job
from kibitz.web.lab import Lab, visitor
from kibitz.web.layout import explain, frame, heading, message_of
from kibitz.web.pages.moves import ended, moves_html
from kibitz.web.pages.share import share
from kibitz.web.tables import Table, best_of

_MOST_BUTTONS = 80
"""Moves beyond which a list of buttons is a field to type into as well."""


def register(lab: Lab) -> None:
    """Adds the page."""

    @ui.page("/play/{name}")
    def table(name: str, key: str = "") -> None:
        key = key if isinstance(key, str) else ""
        try:
            found = lab.tables.find(name)
            why = "There is no such game."
        except kb.Error as error:
            found, why = None, message_of(error)
        with frame("Play", wide=True):
            if found is None:
                heading("Play")
                ui.label(why).props("role=alert")
                ui.link("Begin a game", "/play")
                return
            mine = key or app.storage.user.get("games", {}).get(name, "")
            _TableView(lab, found, mine)


class _TableView:
    """The page of one visitor at one table.

    - `_seats`: for whom this visitor may play;
    - `_shown`: through whose eyes the board is drawn, in a game that hides something;
    - `_looking`: the number of moves after which the position is shown, while the visitor looks back.
    """

    def __init__(self, lab: Lab, table: Table, key: str) -> None:
        self._lab = lab
        self._table = table
        self._key = key
        self._seats = table.game.seats_of(key)
        self._is_host = key == table.game.host_key
        self._shown: int | None = next(iter(self._seats)) if len(self._seats) == 1 else None
        self._looking: int | None = None
        self._hint: Arrow | None = None
        self._asked: Job | None = None
        self._clicks = Clicks(())
        self._at: tuple[object, ...] = ()
        self._draw()
        self.refresh()
        client = ui.context.client
        table.watch(self, lambda: self._told(client))
        client.on_delete(self._leave)

    async def _leave(self) -> None:
        """Nobody looks on any more: what was asked for is of no use."""
        self._table.leave(self)
        if self._asked is not None:
            await self._asked.stop()

    def _told(self, client: Client) -> None:
        with client:
            self.refresh()

    @property
    def _game(self) -> PlayedGame:
        return self._table.game

    # What is drawn once.

    def _draw(self) -> None:
        game = self._game
        with ui.row().classes("lab-title"):
            heading(game.game.partition(":")[0])
            ui.label(game.game.partition(":")[2].replace(",", ", ")).classes("lab-soft lab-small")
        self._status = ui.label().classes("lab-status").props("role=status aria-live=polite")
        self._note = ui.label().classes("lab-error").props("role=alert")
        with ui.element("div").classes("lab-table"):
            with ui.element("section").classes("lab-board-side").props('aria-label="Board"'):
                self._board = ui.html(sanitize=False).classes("lab-board")
                self._board.on("click", self._clicked, js_handler=CLICK)
                self._cover = ui.column().classes("lab-cover")
                self._browse()
                self._choices = ui.element("div").classes("lab-moves")
            with ui.element("section").classes("lab-side").props('aria-label="Game"'):
                self._players = ui.element("div").classes("lab-players")
                self._names: list[ui.label] = []
                self._clocks: list[ui.label] = []
                with self._players:
                    for seat in game.seats:
                        self._player(seat)
                self._buttons()
                self._list = ui.html(sanitize=False).classes("lab-list-of-moves")
                self._list.on("click", self._look_at, js_handler=_LOOK)
        if game.clock:
            ui.timer(1.0, self._tick)

    def _player(self, seat: Seat) -> None:
        with ui.element("div").classes("lab-player"):
            self._names.append(ui.label(seat.name))
            if seat.engine is not None:
                ui.label(seat.engine).classes("lab-soft lab-small lab-grow")
            self._clocks.append(ui.label().classes("lab-clock"))

    def _browse(self) -> None:
        with ui.row().classes("lab-browse"):
            for icon, words, step in (
                ("first_page", "To the beginning", None),
                ("chevron_left", "One move back", -1),
                ("chevron_right", "One move on", 1),
                ("last_page", "To the game", 0),
            ):
                ui.button(icon=icon, on_click=lambda step=step: self._step(step)).props(
                    f'flat dense round aria-label="{words}"'
                )
            self._place = ui.label().classes("lab-soft lab-small")

    def _buttons(self) -> None:
        def button(text: str, icon: str, act: object) -> ui.button:
            return ui.button(text, icon=icon, on_click=act).props("flat dense no-caps")  # type: ignore[arg-type]

        with ui.row().classes("lab-buttons"):
            self._undo = button("Undo", "undo", self._take_back)
            self._redo = button("Redo", "redo", self._play_again)
            self._ask = button("Hint", "lightbulb", self._get_hint)
            self._give_up = button("Resign", "flag", self._resign)
            self._pause = button("Pause", "pause", self._toggle)
            button("Share", "share", self._share)
        with ui.row().classes("lab-speed") as self._speed_row:
            ui.label("Seconds a move").classes("lab-soft lab-small")
            ui.slider(min=0, max=3, step=0.1, value=self._table.speed, on_change=self._set_speed).props(
                'label aria-label="Seconds a move" dense'
            )

    # What changes.

    def refresh(self) -> None:
        """Draws all that may have changed."""
        game = self._game
        if self._looking is not None and self._looking >= len(game.moves):
            self._looking = None  # somebody has taken back what was looked at
        at = (id(game.now), len(game.moves), game.over, self._shown)
        if at != self._at:
            self._at = at
            self._hint = None
            yours = not game.over and game.turn in self._seats
            self._clicks = Clicks.of(game.now) if yours else Clicks(())
        self._draw_board()
        self._draw_choices()
        self._status.text = self._state()
        self._note.text = self._table.message or ""
        self._list.content = moves_html(game, None if self._covered else self._shown, self._looking)
        for number, label in enumerate(self._names):
            label.classes(replace="lab-turn" if game.turn == number else "")
        self._tick()
        own = self._may_act
        self._undo.set_enabled(own and game.take_back and bool(game.moves or game.ending))
        self._redo.set_enabled(own and game.take_back and bool(game.undone))
        self._ask.set_enabled(game.turn in self._seats and not self._covered)
        self._give_up.set_enabled(
            not game.over and bool(self._seats) and (len(self._seats) == 1 or game.turn in self._seats)
        )
        engines = len(game.people) < len(game.seats)
        self._pause.set_visibility(engines and own and not game.over)
        self._pause.text = "Go on" if self._table.paused else "Pause"
        self._pause.props(f"icon={'play_arrow' if self._table.paused else 'pause'}")
        self._speed_row.set_visibility(not game.people and not game.over)

    @property
    def _may_act(self) -> bool:
        """Whether this visitor is more than somebody who looks on."""
        return bool(self._seats) or self._is_host

    @property
    def _covered(self) -> bool:
        """Whether the board must wait until the next person at this screen is the only one who looks."""
        game = self._game
        return not game.open and len(self._seats) > 1 and game.turn in self._seats and game.turn != self._shown

    def _draw_board(self) -> None:
        game = self._game
        count = len(game.moves) if self._looking is None else self._looking
        self._place.text = "" if self._looking is None else f"after move {count} of {len(game.moves)}"
        if self._cover.default_slot.children:
            self._cover.clear()
        blind = not game.open and (self._covered or self._shown is None)
        self._cover.set_visibility(blind)
        self._board.set_visibility(not blind)
        if blind:
            self._board.content = ""
            self._draw_cover()
            return
        position = game.positions[count]
        live = self._looking is None and game.turn in self._seats
        viewer = None if game.open else self._shown
        # What was played last is in the way once the next move has begun.
        last = Arrow(()) if live and self._clicks.clicked else self._last(count, viewer)
        arrows = [last] if len(last.cells) > 1 else []
        if self._hint is not None and live:
            arrows = [self._hint]
        drawing = board(
            position,
            player=viewer,
            clicks=self._clicks if live else None,
            last=last.cells,
            arrows=arrows,
            label=f"Board of {game.game}",
        )
        self._board.content = drawing.svg

    def _last(self, count: int, viewer: int | None) -> Arrow:
        """The move that led to a position, where whoever looks on may know it and the board shows it."""
        text = self._game.notation(count - 1, viewer) if count else None
        before = self._game.positions[count - 1] if count else None
        if text is None or before is None or before.turn == "chance":
            return Arrow(())
        return trace(before, text, colour=LAST)

    def _draw_cover(self) -> None:
        game = self._game
        with self._cover:
            ui.icon("visibility_off", size="40px")
            if not self._covered or not isinstance(game.turn, int):
                ui.label("What the players hold is hidden until the game is over.")
                return
            name = game.seats[game.turn].name
            ui.label(f"{name} is next. Hand over the screen.")
            ui.button(f"I am {name}: show my side", on_click=self._uncover).props("no-caps unelevated data-uncover")

    def _uncover(self) -> None:
        if self._covered and isinstance(self._game.turn, int):
            self._shown = self._game.turn
            self.refresh()

    def _draw_choices(self) -> None:
        """Buttons for moves that are not made on the board, and for those that share their cells."""
        if self._choices.default_slot.children:
            self._choices.clear()
        if self._looking is not None or self._covered or self._game.turn not in self._seats:
            return
        texts = [*self._clicks.choices, *([] if self._clicks.clicked else self._clicks.buttons)]
        with self._choices:
            for text in texts[:_MOST_BUTTONS]:
                button = ui.button(text, on_click=lambda text=text: self._choose(text))
                button.props("no-caps outline dense").props["data-move"] = text
            if len(texts) > _MOST_BUTTONS:
                field = ui.input(f"A move ({len(texts)} are legal)").props("outlined dense maxlength=200")
                field.on("keydown.enter", lambda: self._choose(str(field.value or "")))

    def _state(self) -> str:
        game = self._game
        if game.turn is None:
            return ended(game)
        if game.turn == "chance":
            return "Chance is to move."
        seat = game.seats[game.turn]
        if seat.engine is not None:
            return f"{seat.name} rests." if self._table.paused else f"{seat.name} thinks …"
        if game.turn in self._seats:
            several = len(self._clicks.choices) > 1
            words = "Choose one of the moves." if several else "Your move."
            return words if len(self._seats) == 1 else f"{seat.name}: {words[0].lower()}{words[1:]}"
        return f"{seat.name} is to move."

    def _tick(self) -> None:
        if not self._game.clock:
            return
        for number, label in enumerate(self._clocks):
            seconds = self._table.time_left(number)
            label.text = f"{int(seconds // 60)}:{int(seconds % 60):02}"

    # What the visitor does.

    def _clicked(self, event: events.GenericEventArguments) -> None:
        if self._looking is not None or self._covered or self._game.turn not in self._seats:
            return
        if isinstance(event.args, str) and len(event.args) < 100:
            self._follow(self._clicks.click(event.args))

    def _choose(self, text: str) -> None:
        if not self._covered:
            self._follow(self._clicks.choose(text))

    def _follow(self, clicks: Clicks) -> None:
        if clicks.move is None:
            self._clicks = clicks
            self._draw_board()
            self._draw_choices()
            self._status.text = self._state()
            return
        try:
            self._table.play(clicks.move, self._seats)
        except kb.Error as error:
            self._clicks = self._clicks.cleared()
            explain(error)

    def _step(self, step: int | None) -> None:
        count = len(self._game.moves)
        now = count if self._looking is None else self._looking
        after = 0 if step is None else count if step == 0 else min(max(now + step, 0), count)
        self._looking = None if after >= count else after
        self.refresh()

    def _look_at(self, event: events.GenericEventArguments) -> None:
        if isinstance(event.args, int) and 0 <= event.args <= len(self._game.moves):
            self._looking = None if event.args == len(self._game.moves) else event.args
            self.refresh()

    def _take_back(self) -> None:
        self._looking = None
        if not (self._may_act and self._table.undo(self._seats)):
            ui.notify("There is nothing to take back.")

    def _play_again(self) -> None:
        self._looking = None
        if not (self._may_act and self._table.redo(self._seats)):
            ui.notify("There is nothing to play again.")

    async def _get_hint(self) -> None:
        game = self._game
        if game.turn not in self._seats or self._covered:
            return
        engine = next((seat.engine for seat in game.seats if seat.engine), None) or default_engine(game.rules)
        at, position = self._at, game.now
        self._ask.props("loading")
        try:
            job = self._asked = await self._lab.tables.ask(game, engine, visitor())
            await job.finished()
            report = best_of(job, game)
        except kb.Error as error:
            explain(error)
            return
        finally:
            self._ask.props(remove="loading")
        if at == self._at:
            text = report["best"]
            self._hint = trace(position, text)
            self._draw_board()
            self._status.text = f"{engine.partition(':')[0]} would play {text} ({report['value']:+.3g} for you)."

    def _resign(self) -> None:
        turn = self._game.turn
        seat = turn if turn in self._seats else next(iter(self._seats), None)
        if not isinstance(seat, int):
            return

        def do() -> None:
            dialog.close()
            self._table.resign(seat)

        with ui.dialog() as dialog, ui.card().classes("lab-card"):
            ui.label(f"{self._game.seats[seat].name} gives up. Is that so?")
            with ui.row().classes("lab-buttons"):
                ui.button("Resign", on_click=do).props("no-caps unelevated color=negative data-resign")
                ui.button("Play on", on_click=dialog.close).props("no-caps flat")
        dialog.on("hide", dialog.delete)
        dialog.open()

    def _toggle(self) -> None:
        if self._may_act:
            self._table.pause(not self._table.paused)

    def _set_speed(self, event: events.ValueChangeEventArguments[float | None]) -> None:
        if self._may_act and isinstance(event.value, (int, float)):
            self._table.speed = min(max(float(event.value), 0.0), 10.0)

    def _share(self) -> None:
        share(self._table, host=self._is_host)


_LOOK = """(event) => {
    const move = event.target.closest('[data-move-number]');
    if (move) emit(Number(move.dataset.moveNumber));
}"""
