"""The application: pages, workers and server put together."""

from __future__ import annotations

import importlib
import ipaddress
import os
from collections.abc import Sequence
from pathlib import Path

import kibitz as kb
from kibitz.web import inputs
from kibitz.web.guard import Guard
from kibitz.web.jobs import Jobs
from kibitz.web.storage import DataDirectory
from kibitz.web.tables import Tables

__all__ = ["PAGES", "is_loopback", "serve"]

PAGES = ("home", "play", "analyse", "think", "arena", "reproductions", "solve")
"""The modules of `kibitz.web.pages`, each with `register(lab)`."""


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    data: Path,
    token: str | None = None,
    games: Sequence[str] = (),
    show: bool = True,
) -> None:
    """Serves the lab until it is interrupted."""
    if not is_loopback(host) and not token:
        raise kb.BadParameter(f"--host {host} lets other machines in: protect the lab with --token")
    directory = DataDirectory(data)
    inputs.serve_games(list(games))
    # NiceGUI reads this when it is imported; what it keeps for a visitor belongs into the data directory, too.
    os.environ["NICEGUI_STORAGE_PATH"] = str(directory.folder("visitors"))
    from nicegui import app, ui

    from kibitz.web.lab import Lab
    from kibitz.web.layout import apologise

    jobs = Jobs(games=games)
    lab = Lab(directory, jobs, Tables(directory, jobs))
    for page in PAGES:
        importlib.import_module(f"kibitz.web.pages.{page}").register(lab)
    app.add_middleware(Guard, loopback=is_loopback(host), token=token)
    app.on_page_exception(apologise)
    app.on_startup(lab.jobs.warm_up)
    app.on_shutdown(lab.jobs.close)
    ui.run(
        host=host,
        port=port,
        title="kibitz",
        favicon="♟",
        dark=None,
        reload=False,
        show=show,
        show_welcome_message=False,
        storage_secret=directory.secret(),
        session_middleware_kwargs={"same_site": "lax", "max_age": 365 * 24 * 3600},
        reconnect_timeout=30.0,
        binding_refresh_interval=None,
        # What a visitor who was away for a moment is sent again; boards are large, so that it is not much.
        message_history_length=50,
    )
