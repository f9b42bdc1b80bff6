"""`kibitz games-of` and `kibitz export`: what a store holds."""

from __future__ import annotations

import difflib
import shlex
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

import kibitz as kb
from kibitz.arena.playing import GameRecord
from kibitz.cli.arguments import Json
from kibitz.cli.match import StoreFile, default_store
from kibitz.cli.replay import record_dict, replay
from kibitz.cli.terminal import counted, out, print_json
from kibitz.export import FORMATS
from kibitz.game_record import game_text
from kibitz.store import Run, Store


def games_of(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="A run; without one they are listed.", show_default=False)
    ] = None,
    number: Annotated[
        int | None, typer.Option("--game", "-g", metavar="N", help="Replay this game.", show_default=False)
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="GAME", help="A game in Python: nim.py:Nim.", show_default=False),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print the game record instead of boards.")] = False,
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """List the runs of a store and the games of a run, or replay a game."""
    with Store.open(store or default_store(), create=False, write=False) as opened:
        if run is None:
            _list_runs(opened, json)
            return
        found = find_run(opened, run)
        if number is None:
            _list_games(opened, found, json)
            return
        record = next((each for each in opened.records(found.id) if each.index == number), None)
    if record is None:
        raise kb.BadParameter(f"run {found.name} has no game {number}; its {found.games} games are numbered from 0")
    if json:
        print_json(record_dict(record))
    elif text:
        out.print(game_text(record), markup=False, soft_wrap=True)
    else:
        replay(record, rules)


def find_run(store: Store, name: str) -> Run:
    """The run of a name, or of its beginning where that is enough."""
    runs = store.runs()
    exact = [each for each in runs if each.name == name]
    close = exact or [each for each in runs if each.name.startswith(name)]
    if len(close) == 1:
        return close[0]
    if close:
        raise kb.BadParameter(f"{len(close)} runs begin with {name!r}: {', '.join(each.name for each in close)}")
    near = difflib.get_close_matches(name, [each.name for each in runs], 3)
    hint = f"did you mean {', '.join(near)}?" if near else "kibitz games-of lists them"
    raise kb.BadParameter(f"{store.path} has no run {name!r}; {hint}")


def _list_runs(store: Store, json: bool) -> None:
    runs = store.runs()
    if json:
        print_json([vars(each) for each in runs])
        return
    if not runs:
        out.print(f"{store.path} has no runs yet; kibitz match makes one", markup=False)
        return
    table = Table(title=str(store.path), title_justify="left")
    for column in ("run", "games", "created", "game"):
        table.add_column(column, justify="right" if column == "games" else "left", overflow="fold")
    for each in runs:
        created = f"{datetime.fromisoformat(each.created).astimezone():%Y-%m-%d %H:%M}"
        table.add_row(*map(Text, (each.name, f"{each.games:,}", created, str(each.spec.get("game", "")))))
    out.print(table)


def _list_games(store: Store, run: Run, json: bool) -> None:
    if json:
        print_json({**vars(run), "list": [_line(record) for record in store.records(run.id)]})
        return
    out.print(f"{run.name}: {counted(run.games, 'game')} of {run.spec.get('game', '?')}", markup=False)
    for record in store.records(run.id):
        seats = " – ".join(f"{name} {result:+g}" for name, result in zip(record.names, record.result, strict=True))
        note = " (adjudicated)" if record.adjudicated else ""
        out.print(f"{record.index:>6}  {seats}  {record.plies} plies{note}", markup=False, soft_wrap=True)
    if run.games:
        command = f"kibitz games-of {shlex.quote(run.name)} --game 0"
        out.print(f"replay one with: {command}", markup=False, style="dim", soft_wrap=True)


def _line(record: GameRecord) -> dict[str, Any]:
    names = ("index", "block", "names", "result", "plies", "adjudicated", "seconds")
    return {name: getattr(record, name) for name in names}


def export(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run of the store.", show_default=False)],
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="The file: .csv, .jsonl, .parquet or .txt.", show_default=False),
    ],
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """Write the games of a run to a file: CSV, JSON Lines, Parquet, or texts that kibitz show replays."""
    write = FORMATS.get(file.suffix.lower())
    if write is None:
        raise kb.BadParameter(f"{file}: the format is told by the suffix, one of {', '.join(FORMATS)}")
    with Store.open(store or default_store(), create=False, write=False) as opened:
        count = write(opened, find_run(opened, run).id, file)
    if json:
        print_json({"file": str(file), "games": count})
    else:
        out.print(f"{counted(count, 'game')} written to {file}", markup=False, soft_wrap=True)
