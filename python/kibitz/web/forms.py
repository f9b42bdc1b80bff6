"""Forms: the parameters of an algorithm or a game, drawn from their types."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from nicegui import ui

import kibitz as kb
from kibitz.web.fields import LIMITS, Field, fields_of_algorithm, fields_of_game, summary_of_algorithm, text_of
from kibitz.web.inputs import LONGEST_TEXT, game_names, read_algorithm, read_game, served_games
from kibitz.web.layout import message_of

__all__ = ["AlgorithmForm", "GameForm", "text_area"]


class _Inputs:
    """An input for each field, side by side, as many as fit."""

    def __init__(self, fields: Sequence[Field], values: Mapping[str, Any], changed: Callable[[], None]) -> None:
        self._inputs: dict[str, Any] = {}
        with ui.element("div").classes("lab-fields"):
            for field in fields:
                self._inputs[field.name] = _input(field, values.get(field.name, field.default), changed)

    def values(self) -> dict[str, Any]:
        """What stands in the inputs."""
        return {name: each.value for name, each in self._inputs.items()}


def _input(field: Field, value: Any, changed: Callable[[], None]) -> Any:
    label = field.name.replace("_", " ")
    made: Any
    if field.kind == "switch":
        made = ui.switch(label, value=bool(value), on_change=changed)
    elif field.kind == "choice":
        made = ui.select(list(field.words), label=label, value=value, on_change=changed, clearable=field.none)
        made.props("outlined dense options-dense")
    elif field.kind in ("whole", "number"):
        # No bounds here: a browser would change what was typed, and the parser says better what is wrong.
        made = ui.number(label, value=value, on_change=changed, step=1 if field.kind == "whole" else None)
        made.props("outlined dense debounce=300" + (" clearable" if field.none and field.default is not None else ""))
        if field.none and field.default is None:
            made.props('placeholder="no limit"' if field.name in LIMITS else 'placeholder="none"')
    else:
        made = ui.input(label, value=str(value or ""), on_change=changed)
        made.props("outlined dense debounce=300 maxlength=500")
    made.props(f'data-field="{field.name}"')
    if field.doc:
        with made:
            ui.tooltip(field.doc).classes("lab-tip")
    return made


class _Form(ABC):
    """The choice of a name, a sentence about it, its parameters, and what is wrong with them."""

    def __init__(
        self, label: str, names: Sequence[str], name: str, changed: Callable[[], None] | None, *, many: bool = False
    ) -> None:
        self._changed = changed or (lambda: None)
        with ui.column().classes("lab-form"):
            # many names are found by typing
            self._name = ui.select(list(names), label=label, value=name, with_input=many, on_change=self._choose)
            self._name.props("outlined dense options-dense")
            self._summary = ui.label().classes("lab-soft lab-small")
            self._place = ui.column().classes("lab-form")
            self._error = ui.label().classes("lab-error").props("role=alert")

    @property
    def name(self) -> str:
        """What is chosen, without its parameters."""
        return str(self._name.value)

    @property
    @abstractmethod
    def text(self) -> str:
        """What is chosen, as the command line would write it. What is wrong is an exception, and stands in the form."""

    @abstractmethod
    def _draw(self) -> None:
        """Draws what belongs to the name."""

    def _choose(self) -> None:
        self._draw()
        self._check()

    def _check(self) -> None:
        try:
            self.text  # noqa: B018
        except kb.Error:
            return
        self._show()
        self._changed()

    def _show(self) -> None:  # noqa: B027 (most forms have nothing more to show)
        """Shows what was chosen, if there is more of it than the fields."""

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Writes what goes wrong inside into the form, or that nothing does."""
        try:
            yield
        except kb.Error as error:
            self._error.text = message_of(error)
            raise
        self._error.text = ""


class AlgorithmForm(_Form):
    """The choice of an algorithm and its parameters."""

    def __init__(
        self,
        names: Sequence[str],
        text: str,
        changed: Callable[[], None] | None = None,
        *,
        threads: int | None = None,
        label: str = "Algorithm",
    ) -> None:
        chosen = read_algorithm(text)
        self._threads = threads
        self._values: dict[str, Any] = _values(chosen)
        super().__init__(label, names, chosen.name, changed)
        self._name.props("data-field=algorithm")
        self._draw()

    @property
    def text(self) -> str:
        """The algorithm as text."""
        with self._said():
            fields = fields_of_algorithm(self.name)
            return read_algorithm(text_of(self.name, fields, self._entered()), self._threads).spec

    def offer(self, names: Sequence[str]) -> None:
        """Changes which algorithms there are to choose from."""
        kept = self._name.value if self._name.value in names else names[0]
        self._name.set_options(list(names), value=kept)

    def _entered(self) -> dict[str, Any]:
        return {name: value for each in self._inputs for name, value in each.values().items()}

    def _draw(self) -> None:
        fields = fields_of_algorithm(self.name)
        limits = [field for field in fields if field.name in LIMITS]
        rest = [field for field in fields if field.name not in LIMITS]
        self._summary.text = summary_of_algorithm(self.name)
        self._place.clear()
        with self._place:
            self._inputs = [_Inputs(limits, self._values, self._check)]
            with ui.expansion("All parameters").classes("lab-more").props("dense"):
                self._inputs.append(_Inputs(rest, self._values, self._check))

    def _choose(self) -> None:
        # What was chosen for one algorithm, such as the time, holds for the next if it has such a field.
        self._values = {name: value for name, value in self._entered().items() if name in LIMITS}
        super()._choose()


def _values(chosen: kb.Algorithm) -> dict[str, Any]:
    """The values of an algorithm as its form shows them."""
    found: dict[str, Any] = {}
    for field in fields_of_algorithm(chosen.name):
        value = getattr(chosen, field.name)
        if field.name == "options":
            value = ",".join(f"{key}={each}" for key, each in value.items())
        elif field.kind == "choice" and isinstance(value, bool):
            value = str(value).lower()
        elif field.kind == "text":
            value = text_of("", (field,), {field.name: value}).partition("=")[2] or field.default
        found[field.name] = value
    return found


class GameForm(_Form):
    """The choice of a game and its parameters, with a picture of its start."""

    def __init__(self, text: str, changed: Callable[[], None] | None = None, *, picture: bool = True) -> None:
        self._values: dict[str, Any] = {}
        game = read_game(text)
        if isinstance(game, kb.NativeGame):
            self._values = {key: "-".join(map(str, v)) if isinstance(v, tuple) else v for key, v in game.params.items()}
        name = text if text in served_games() else text.partition(":")[0]
        super().__init__("Game", game_names(), name, changed, many=True)
        self._name.props("data-field=game")
        self._picture = ui.html(sanitize=False).classes("lab-preview") if picture else None
        self._draw()
        self._show()

    @property
    def game(self) -> kb.Game:
        """The game. What is wrong with its parameters is an exception, and stands in the form as well."""
        with self._said():
            return read_game(text_of(self.name, fields_of_game(self.name), self._inputs.values()))

    @property
    def text(self) -> str:
        """The game as text."""
        game = self.game
        return game.spec if isinstance(game, kb.NativeGame) else self.name

    def _draw(self) -> None:
        fields = fields_of_game(self.name)
        native = self.name not in served_games()
        self._summary.text = kb.games().info(self.name).summary if native else "A game written in Python"
        self._place.clear()
        with self._place, ui.expansion("Parameters").classes("lab-more").props("dense") as place:
            self._inputs = _Inputs(fields, self._values, self._check)
        place.set_visibility(bool(fields))

    def _choose(self) -> None:
        self._values = {}
        super()._choose()

    def _show(self) -> None:
        if self._picture is not None:
            self._picture.content = self.game.start().svg()


def text_area(label: str, *, rows: int = 3, longest: int = LONGEST_TEXT) -> ui.textarea:
    """A field for a pasted text. What is too long is refused in the browser already, with a word about it."""
    area = ui.textarea(label).props(f'outlined dense rows={rows} maxlength={longest} debounce=200 spellcheck="false"')
    warning = f"The text has more than {longest:,} characters, which is too long; nothing was pasted."
    area.on(
        "paste",
        js_handler=f"""(event) => {{
            const text = event.clipboardData ? event.clipboardData.getData('text') : '';
            if (text.length > {longest}) {{
                event.preventDefault();
                Quasar.Notify.create({{message: {json.dumps(warning)}, type: 'negative'}});
            }}
        }}""",
    )
    return area
