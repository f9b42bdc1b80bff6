"""What a game is shared by: links to its seats, and its text."""

from __future__ import annotations

import json

from nicegui import ui

import kibitz as kb
from kibitz.web.layout import heading, message_of
from kibitz.web.tables import Table

__all__ = ["share"]


def share(table: Table, *, host: bool) -> None:
    """Opens a dialog with the links and the text of a game. Only the host has the keys of other seats."""
    game = table.game
    with ui.dialog() as dialog, ui.card().classes("lab-card lab-dialog"):
        heading("Share", level=2)
        ui.label("Whoever has the link of a seat plays for it.").classes("lab-soft")
        _link("To look on", f"/play/{table.name}")
        if host:
            for number in sorted(game.people):
                seat = game.seats[number]
                _link(f"To play as {seat.name}", f"/play/{table.name}?key={seat.key}")
        try:
            text = game.text()
        except kb.Error as error:
            ui.label(message_of(error)[0].upper() + message_of(error)[1:] + ".").classes("lab-soft")
        else:
            area = ui.textarea("Text of the game", value=text).props("outlined readonly rows=8 data-text")
            area.classes("lab-full lab-mono")
            with ui.row().classes("lab-buttons"):
                ui.button("Copy", icon="content_copy", on_click=lambda: _copy(text)).props("no-caps flat dense")
                ui.button(
                    "Save",
                    icon="download",
                    on_click=lambda: ui.download.content(text, f"{table.name}.txt", "text/plain"),
                ).props("no-caps flat dense")
        ui.button("Close", on_click=dialog.close).props("no-caps flat")
    dialog.on("hide", dialog.delete)
    dialog.open()


def _link(label: str, address: str) -> None:
    with ui.row().classes("lab-link-row"):
        ui.label(label)
        ui.link(address, address).classes("lab-mono lab-small")
        # The browser knows by which name the visitor reaches the lab.
        script = f"navigator.clipboard && navigator.clipboard.writeText(location.origin + {json.dumps(address)})"
        ui.button(icon="content_copy").on("click", js_handler=f"() => {{ {script} }}").props(
            f'flat dense round aria-label="Copy the link: {label}"'
        )


def _copy(text: str) -> None:
    ui.clipboard.write(text)
    ui.notify("Copied.")
