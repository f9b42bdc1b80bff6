"""The first page: where everything is."""

from __future__ import annotations

from nicegui import ui

from kibitz.web.lab import Lab
from kibitz.web.layout import NAVIGATION, frame, heading


def register(lab: Lab) -> None:  # noqa: ARG001
    """Adds the page."""

    @ui.page("/")
    def home() -> None:
        with frame("Lab"):
            heading("A laboratory for selective search in games")
            ui.label("Play, analyse, watch a search think, and run experiments. Everything stays on this machine.")
            with ui.element("div").classes("lab-tiles"):
                for name, address, icon, summary in NAVIGATION:
                    with ui.link(target=address).classes("lab-tile"):
                        ui.icon(icon, size="28px")
                        with ui.element("div"):
                            ui.label(name).classes("lab-tile-name")
                            ui.label(summary).classes("lab-soft")
