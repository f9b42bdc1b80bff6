"""`kibitz serve`: the web lab."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

import kibitz as kb
from kibitz.cli.terminal import out


def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]…", help="Games in Python to offer besides the native ones: nim.py:Nim."),
    ] = None,
    port: Annotated[int, typer.Option("--port", metavar="P", help="Port.", min=1, max=65535)] = 8080,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Address; other machines need --token.")
    ] = "127.0.0.1",
    token: Annotated[
        str | None,
        typer.Option("--token", metavar="T", help="What visitors must know.", envvar="KIBITZ_TOKEN"),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="Where games and results are kept.", show_default=False),
    ] = None,
    show: Annotated[bool, typer.Option("--show/--no-show", help="Open a browser.")] = True,
) -> None:
    """Open the web lab: play, analyse, watch a search think, run experiments."""
    if importlib.util.find_spec("nicegui") is None:
        raise kb.Error("the web lab needs NiceGUI; install it with: pip install 'kibitz[web]'")
    from kibitz.web.app import serve as run
    from kibitz.web.storage import default_directory

    out.print(f"The lab is at http://{host}:{port}/ (end it with Ctrl-C).", markup=False)
    run(host=host, port=port, data=data or default_directory(), token=token, games=games or (), show=show)
