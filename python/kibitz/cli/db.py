"""`kibitz db`: endgame databases, built, counted, asked, checked and looked through."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

import kibitz as kb
from kibitz.cli.arguments import GameText, Json, read_game
from kibitz.cli.terminal import amount, counted, duration, err, out, print_json, span
from kibitz.database import BuildStep, bytes_of, database_for

app = typer.Typer(help="Endgame databases: build, stats, probe, verify, browse.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A database.", show_default=False)]
ThreadsOfAll = Annotated[
    int | None, typer.Option("--threads", "-t", metavar="T", help="Threads (one for each core).", show_default=False)
]
Memory = Annotated[str, typer.Option("--memory", "-m", metavar="SIZE", help="What it may take, such as 500M or 12G.")]
Slice = Annotated[
    str | None, typer.Option("--slice", "-s", metavar="NAME", help="Only this slice, such as 3-2.", show_default=False)
]


@contextmanager
def _bar(label: str) -> Iterator[Callable[[float, str], None]]:
    """A bar for a share of the work, with the time that is left."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", markup=False, style="dim"),
    )
    begin = time.monotonic()
    first: float | None = None
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(label, total=1.0, note="")

        def tell(share: float, note: str) -> None:
            nonlocal first
            first = share if first is None else first
            # what was there before this run says nothing about how long the rest takes
            done = share - first
            left = (time.monotonic() - begin) * (1 - share) / done if done > 0.01 else None
            bar.update(task, completed=share, note=note + ("" if left is None else f", about {span(left)} left"))

        yield tell


@app.command()
def build(
    game: GameText,
    pieces: Annotated[
        int | None,
        typer.Option("--pieces", "-p", metavar="N", help="At most so many pieces (all positions).", show_default=False),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where it goes.", show_default=False)
    ] = None,
    memory: Memory = "2G",
    distances: Annotated[
        Literal["none", "win", "conversion"], typer.Option("--distances", "-d", help="Plies to what is kept, too.")
    ] = "none",
    algorithm: Annotated[
        Literal["automatic", "forward", "layered", "queue", "layered-counting"],
        typer.Option("--algorithm", "-a", help="How a group that fits into memory is solved."),
    ] = "automatic",
    threads: ThreadsOfAll = None,
    json: Json = False,
) -> None:
    """Build the database of all positions with few pieces; an interrupted build goes on where it was."""
    rules = read_game(game)
    place = file or Path(name_of(rules, pieces))
    bytes_of(memory)
    begin = time.monotonic()
    options = {"memory": memory, "distances": distances, "threads": threads, "algorithm": algorithm}
    found = built(rules, place, pieces, **options).stats
    took = time.monotonic() - begin
    if json:
        print_json({**_plain(found), "file": str(place), "seconds": took})
        return
    out.print(
        f"{place}: {counted(found.positions, 'position')}, {found.classes:,} up to symmetry, "
        f"in {amount(found.bytes)}B, {duration(took)}",
        soft_wrap=True,
    )


def built(rules: kb.Game, place: Path, pieces: int | None, **options: Any) -> kb.Database:
    """The database of a file, with a bar while it is built."""
    with _bar(f"{place.name}") as tell:

        def progress(step: BuildStep) -> None:
            tell(step.share, f"{step.slices} ({step.group + 1} of {step.groups}), {step.phase}")

        return kb.build_db(rules, place, pieces=pieces, progress=progress, **options)


def opened(database: str | kb.Database, rules: kb.Game, memory_mb: int = 1024) -> tuple[kb.Database, int]:
    """A database, unpacked in memory where that takes at most half of so many megabytes, and what is left of them."""
    found = database_for(database, rules)
    # four positions a byte
    unpacked_mb = (found.stats.classes >> 22) + 1
    if 2 * unpacked_mb > memory_mb:
        return found, memory_mb
    return kb.open_db(found.path, game=rules, memory="all"), memory_mb - unpacked_mb


def name_of(game: kb.Game, pieces: int | None) -> str:
    """A name that tells games and boards apart: fanorona-cols-9-rows-5-7.kdb."""
    text = str(game).replace(":", "-").replace(",", "-").replace("=", "-")
    return f"{text}{'' if pieces is None else f'-{pieces}'}.kdb"


def _plain(stats: Any) -> dict[str, Any]:
    return {
        **vars(stats),
        "positions": stats.positions,
        "classes": stats.classes,
        "slices": list(map(vars, stats.slices)),
    }


@app.command()
def stats(file: File, json: Json = False) -> None:
    """Print how many positions of each slice are won, drawn and lost."""
    found = kb.open_db(file).stats
    if json:
        print_json(_plain(found))
        return
    table = Table(title=f"{found.game}, values for the player to move", title_justify="left")
    table.add_column("slice")
    for column in ("positions", "win", "draw", "loss", "up to symmetry", "win", "draw", "loss"):
        table.add_column(column, justify="right")
    if found.distances != "none":
        table.add_column("longest", justify="right")
    for each in found.slices:
        cells = [
            *(each.positions, each.win_positions, each.draw_positions, each.loss_positions),
            *(each.classes, each.win, each.draw, each.loss),
        ]
        longest = [str(each.longest)] if found.distances != "none" else []
        table.add_row(each.name, *(f"{cell:,}" for cell in cells), *longest)
    out.print(table)
    distances = {"none": "no distances", "win": "plies to the win", "conversion": "plies to the conversion"}
    out.print(
        f"{counted(found.positions, 'position')}, {found.classes:,} up to symmetry; {amount(found.bytes)}B on disk, "
        f"{8 * found.bytes / max(found.classes, 1):.2f} bits a position; {distances[found.distances]}",
        soft_wrap=True,
    )


@app.command()
def probe(
    file: File,
    position: Annotated[str, typer.Argument(metavar="POSITION", help="A position.", show_default=False)],
    json: Json = False,
) -> None:
    """Print the value of a position, and of each of its moves."""
    database = kb.open_db(file)
    here = database.game.position(position)
    known = database.probe(here)
    best = database.best(here)
    moves = []
    for move in here.moves:
        after = here.play(move)
        found = database.probe(after)
        mover = here.turn
        if found is not None:
            # the value is that of the opponent, who is to move then
            value: str | None = {"win": "loss", "draw": "draw", "loss": "win"}[found.value]
            distance = None if found.distance is None else found.distance + 1
        elif after.result is not None and isinstance(mover, int):
            score = after.result[mover]
            value, distance = ("draw" if score == 0 else "win" if score > 0 else "loss"), 1
        else:
            value, distance = None, None
        moves.append({"move": str(move), "value": value, "distance": distance, "best": move == best})
    if json:
        print_json({"value": known and known.value, "distance": known and known.distance, "moves": moves})
        return
    out.print(here.board(), markup=False)
    out.print(_words(known), soft_wrap=True)
    if moves:
        table = Table()
        for column in ("move", "value", "plies"):
            table.add_column(column)
        for each in moves:
            mark = " ←" if each["best"] else ""
            table.add_row(f"{each['move']}{mark}", each["value"] or "?", str(each["distance"] or ""))
        out.print(table)


def _words(known: Any) -> str:
    if known is None:
        return "not in the database"
    plies = "" if known.distance is None else f" in {known.distance} plies"
    return f"{known.value}{plies} for the player to move"


@app.command()
def verify(file: File, threads: ThreadsOfAll = None, memory: Memory = "2G") -> None:
    """Check every block of a database, and every value against those of its successors."""
    database = kb.open_db(file)
    whole = database.stats.unpacked <= bytes_of(memory)
    database = kb.open_db(file, game=database.game, memory="all" if whole else memory)
    begin = time.monotonic()
    with _bar(f"{file.name}") as tell:
        checked = database.verify(threads=threads, progress=lambda share: tell(share, ""))
    out.print(
        f"{file}: {counted(checked, 'position')} up to symmetry agree with their successors, "
        f"{duration(time.monotonic() - begin)}",
        soft_wrap=True,
    )


@app.command()
def browse(
    file: File,
    slice: Slice = None,
    value: Annotated[
        Literal["win", "draw", "loss"] | None,
        typer.Option("--value", "-v", help="Only positions with this value.", show_default=False),
    ] = None,
    longest: Annotated[bool, typer.Option("--longest", help="Only those with the greatest distance.")] = False,
    first: Annotated[int, typer.Option("--from", metavar="RANK", help="From this rank on.", min=0)] = 0,
    count: Annotated[int, typer.Option("--count", "-n", metavar="N", help="So many positions.", min=1)] = 5,
    json: Json = False,
) -> None:
    """Print a page of positions with their boards."""
    database = kb.open_db(file)
    found = list(database.browse(slice, value=value, longest=longest, first=first, count=count))
    if json:
        rows = [{**each._asdict(), "position": str(each.position)} for each in found]
        print_json(rows)
        return
    if not found:
        out.print("there is no such position")
    for each in found:
        plies = "" if each.distance is None else f" in {each.distance} plies"
        out.print(f"rank {each.rank}: {each.value}{plies}   {each.position}", markup=False, soft_wrap=True)
        out.print(each.position.board(), markup=False)
        out.print()
