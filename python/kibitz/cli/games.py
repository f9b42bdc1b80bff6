"""`kibitz games`: what can be played."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

import typer
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table

import kibitz as kb
from kibitz.cli.arguments import Json
from kibitz.cli.terminal import out, print_json


def games(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A game to tell more about.", show_default=False)
    ] = None,
    json: Json = False,
) -> None:
    """List the games, or tell the rules and parameters of one."""
    if name is not None:
        info = kb.games().info(name)
        print_json(dataclasses.asdict(info)) if json else _one(info)
        return
    infos = [kb.games().info(each) for each in kb.games()]
    if json:
        print_json([dataclasses.asdict(info) for info in infos])
        return
    table = Table("game", "what it is", "parameters", title="Games", title_justify="left", show_lines=True)
    for info in infos:
        table.add_row(
            f"[bold]{info.name}[/]", escape(info.summary), escape(" ".join(map(_assignment, info.parameters)))
        )
    out.print(table)
    out.print("More about one: kibitz games NAME. Parameters are written breakthrough:rows=6,cols=6.", style="dim")


def _one(info: kb.GameInfo) -> None:
    out.print(f"[bold]{info.name}[/]: {escape(info.summary)}")
    if info.preset_of:
        out.print(f"The rules are those of {info.preset_of}.", style="dim")
    out.print()
    out.print(Markdown(info.rules))
    out.print()
    if info.parameters:
        table = Table("parameter", "default", "allowed", "what it is", title="Parameters", title_justify="left")
        for parameter in info.parameters:
            row = (parameter.name, _plain(parameter.default), parameter.allowed(), parameter.doc)
            table.add_row(*map(escape, row))
        out.print(table)
    out.print(kb.game(info.name).start().board(), markup=False)


def _assignment(parameter: kb.Parameter) -> str:
    return f"{parameter.name}={_plain(parameter.default)}"


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
