"""The frame of every page: navigation, colours, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources

from nicegui import app, ui

import kibitz as kb
from kibitz.draw.board import KEYBOARD

__all__ = ["NAVIGATION", "apologise", "explain", "frame", "heading", "message_of"]

NAVIGATION: list[tuple[str, str, str, str]] = [
    ("Play", "/play", "sports_esports", "Any game, against engines and people"),
    ("Analyse", "/analyse", "insights", "Several searches of one position, side by side"),
    ("Think", "/think", "account_tree", "Watch a search think, node by node"),
    ("Arena", "/arena", "emoji_events", "Matches, tournaments and stored games"),
    ("Reproductions", "/reproductions", "menu_book", "Published tables, measured again"),
    ("Solve", "/solve", "verified", "Proofs and endgame databases"),
]
"""Name, address, icon and summary of the pages, in the order in which they are shown."""

_PRIMARY = "#3b5b7a"

_SHELL = '<div id="lab-shell" aria-hidden="true">kibitz</div>'
"""What is painted at once, until the scripts of the page have drawn the page itself."""


@contextmanager
def frame(title: str, *, wide: bool = False) -> Iterator[None]:
    """Draws the navigation around a page; its content goes into the body of the `with`."""
    ui.page_title(f"{title} · kibitz")
    ui.colors(primary=_PRIMARY, secondary="#8a6d45", accent="#b4582c", positive="#3f7d58", negative="#a8423f")
    for sheet in ("lab.css", "pages.css"):
        ui.add_css(resources.files("kibitz.web").joinpath(sheet).read_text(encoding="utf-8"), shared=False)
    # in the page itself, since keys may be pressed before the server is connected
    ui.add_head_html(f"<script>{KEYBOARD}</script>")
    ui.add_body_html(_SHELL)
    dark = ui.dark_mode(value=app.storage.user.get("dark"))
    here = ui.context.client.page.path
    with ui.header().classes("lab-header"), ui.row(wrap=False).classes("lab-bar"):
        ui.link("kibitz", "/").classes("lab-name").props('aria-label="kibitz, the first page"')
        with ui.element("nav").classes("lab-nav").props('aria-label="Pages"'):
            for name, address, _, _ in NAVIGATION:
                link = ui.link(name, address).classes("lab-link")
                if here.startswith(address):
                    link.classes("lab-here").props("aria-current=page")
        _theme(dark)
        _menu(here)
    with ui.element("div").classes("lab-main lab-wide" if wide else "lab-main"):
        yield


def _theme(dark: ui.dark_mode) -> None:
    """The button that goes from the system's choice to light and dark."""
    order: list[bool | None] = [None, False, True]
    names = {None: ("brightness_auto", "as the system"), False: ("light_mode", "light"), True: ("dark_mode", "dark")}

    def turn() -> None:
        dark.value = order[(order.index(dark.value) + 1) % 3]
        app.storage.user["dark"] = dark.value
        button.props(f"icon={names[dark.value][0]}")
        tip.text = f"Colours: {names[dark.value][1]}"

    button = ui.button(icon=names[dark.value][0], on_click=turn).props(
        'flat round dense color=white aria-label="Change between light and dark"'
    )
    with button:
        tip = ui.tooltip(f"Colours: {names[dark.value][1]}")


def _menu(here: str) -> None:
    """The pages behind a button, where the window is too narrow for their names."""
    with ui.button(icon="menu").props('flat round dense color=white aria-label="Pages"').classes("lab-menu"), ui.menu():
        for name, address, icon, _ in NAVIGATION:
            with ui.menu_item(on_click=lambda address=address: ui.navigate.to(address)).props(
                "active" if here.startswith(address) else ""
            ):
                with ui.item_section().props("avatar"):
                    ui.icon(icon)
                ui.item_section(name)


def heading(text: str, level: int = 1) -> None:
    """A heading."""
    with ui.element(f"h{level}"):
        ui.label(text)


def message_of(error: Exception) -> str:
    """What went wrong, in a line that fits on a page."""
    text = " ".join(str(error).split())
    return text if len(text) <= 400 else text[:400] + "…"


def apologise(error: Exception) -> None:  # noqa: ARG001
    """The page in place of one that could not be drawn. What went wrong is in the server's log, not here."""
    with frame("Error"):
        heading("Something went wrong")
        ui.label("This page could not be drawn. The server's log says why.").props("role=alert")
        ui.link("To the first page", "/")


def explain(error: Exception) -> None:
    """Tells the visitor what went wrong. Anything but an error of kibitz is ours, and is not explained to strangers."""
    if isinstance(error, kb.Error):
        ui.notify(message_of(error), type="negative", multi_line=True, close_button="Close", timeout=10_000)
    else:
        raise error
