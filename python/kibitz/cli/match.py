"""`kibitz match`: players against each other, with a table that grows while they play."""

from __future__ import annotations

import os
import re
import shlex
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

import kibitz as kb
from kibitz.arena.openings import Openings, RandomPlies, Schedule, Stratified
from kibitz.arena.statistics import Sprt
from kibitz.arena.table import MatchResult, Tally
from kibitz.cli.arguments import GameText, Json, On, Workers, knows, read_game
from kibitz.cli.terminal import counted, err, out, print_json, span

LIMITS = frozenset({"depth", "nodes", "simulations", "seconds"})
"""What ends a search."""
_SECONDS = 0.1
"""For a move, where a player has no limit at all."""

StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="The file of all games (KIBITZ_STORE, else kibitz/games.db among your data).",
        show_default=False,
    ),
]
Games = Annotated[int, typer.Option("--games", "-n", metavar="N", help="Games, rounded up to whole rounds.")]
Seed = Annotated[int, typer.Option("--seed", "-s", metavar="S", help="Seed of openings, chance and players.")]


def default_store() -> Path:
    """The store of commands that name none."""
    if given := os.environ.get("KIBITZ_STORE"):
        return Path(given)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folder = Path(data) / "kibitz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise kb.StoreError(
            f"the folder {folder} for games cannot be made ({(error.strerror or str(error)).lower()}); "
            "name a file with --store or KIBITZ_STORE"
        ) from error
    return folder / "games.db"


def match(
    game: GameText,
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="A B [C …]",
            help="Players, such as uct:simulations=500, or with a name: fast=alphabeta:nodes=1000.",
            show_default=False,
        ),
    ],
    games: Games = 100,
    seed: Seed = 1,
    openings: Annotated[
        str,
        typer.Option(
            metavar="K",
            help="Random plies before each block; or probabilities of random moves: 0.5,0.25,0; or stratified:K.",
        ),
    ] = "0",
    start: Annotated[str | None, typer.Option(help="The position that games begin with.", show_default=False)] = None,
    max_plies: Annotated[
        int | None,
        typer.Option("--max-plies", metavar="N", help="After as many moves it is a draw.", show_default=False),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1", help="Stop as soon as this test of the first player decides.", show_default=False
        ),
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", help="Plies, for all that know depth.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Nodes a move, for all.")] = None,
    simulations: Annotated[int | None, typer.Option("--simulations", help="Simulations a move, for all.")] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "-t", help="Seconds a move, for all (0.1 for who has no limit).")
    ] = None,
    store: StoreFile = None,
    run: Annotated[
        str | None, typer.Option("--run", metavar="NAME", help="The name of the run in the store.", show_default=False)
    ] = None,
    keep: Annotated[bool, typer.Option("--keep/--no-store", help="Whether to keep the games.")] = True,
    workers: Workers = None,
    on: On = "local",
    json: Json = False,
) -> None:
    """Play a match: seats balanced, openings shared, every game kept as it ends.

    Interrupted in any way, the same command goes on where it was.
    """
    limits = {"depth": depth, "nodes": nodes, "simulations": simulations, "seconds": seconds}
    chosen = read_players(players, {name: value for name, value in limits.items() if value is not None})
    if store is not None and not keep:
        raise kb.BadParameter("--store keeps the games and --no-store does not; choose one")
    watcher = Watcher(err)
    place = (store or default_store()) if keep or store else None
    try:
        with watcher:
            found = kb.match(
                read_game(game),
                chosen,
                games=games,
                seed=seed,
                openings=read_openings(openings),
                start=start,
                max_plies=max_plies,
                sprt=read_sprt(sprt),
                store=place,
                run=run,
                workers=workers,
                on=on,
                progress=watcher.tell,
            )
    except KeyboardInterrupt:
        if watcher.tally is not None:
            kept = "; they are kept, and the same command goes on" if place else ""
            err.print(f"{counted(watcher.tally.games, 'game')} of {watcher.tally.planned:,} played{kept}", markup=False)
        raise
    if json:
        print_json(found.as_dict())
        return
    out.print(table_of(found))
    tell_rest(found)


def tell_rest(found: MatchResult) -> None:
    """What stands below the table of a match."""
    out.print(found.summary, markup=False)
    for seat in range(len(found.standings[0].seats)) if len(found.standings[0].seats) > 1 else ():
        parts = [f"{each.name} {_seat(each.seats[seat])}" for each in found.standings if each.seats[seat].games]
        out.print(f"seat {seat}: {', '.join(parts)}", markup=False, style="dim", soft_wrap=True)
    for warning in found.warnings:
        out.print(f"note: {warning}", markup=False, style="yellow", soft_wrap=True)
    if found.run is not None:
        kept = f"kept as run {found.run} in {found.store}; replay them with: kibitz games-of {shlex.quote(found.run)}"
        out.print(kept, markup=False, style="dim", soft_wrap=True)


def _seat(each: Any) -> str:
    return f"{100 * each.score:.1f} % (+{each.wins} ={each.draws} −{each.losses})"


def table_of(found: MatchResult, title: str | None = None) -> RenderableType:
    """The tables of a match for the terminal: points, and effort."""
    return Group(_table(found.rows(), title or found.game), _table(found.effort_rows()))


def _table(rows: list[tuple[str, ...]], title: str | None = None) -> Table:
    table = Table(title=title and Text(title), title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column, name in enumerate(rows[0]):
        table.add_column(name, justify="left" if column == 0 else "right", overflow="fold", no_wrap=column > 0)
    for row in rows[1:]:
        table.add_row(*(Text(cell) for cell in row))
    return table


class Watcher:
    """Shows the table of a match while it is played, with the time that is left."""

    def __init__(self, console: Any, title: str | None = None) -> None:
        self.tally: Tally | None = None
        self._console = console
        self._title = title
        self._began = time.monotonic()
        self._before = 0
        self._table: RenderableType | None = None
        self._next_line = self._next_table = 0.0
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> Watcher:
        if self._console.is_terminal:
            self._live.__enter__()
            self._live.update(Text("no game has ended yet", style="dim"), refresh=True)
        return self

    def __exit__(self, *what: Any) -> None:
        if self._console.is_terminal:
            self._live.__exit__(*what)

    def follow(self, tally: Tally, title: str) -> None:
        """Takes note of a game of one of several matches."""
        if title != self._title:
            self._title, self.tally, self._next_table = title, None, 0.0
        self.tell(tally)

    def tell(self, tally: Tally) -> None:
        """Takes note of a game."""
        if self.tally is None:
            # What was in the store already was not played now.
            self._before = tally.games
            self._began = time.monotonic()
        self.tally = tally
        now = time.monotonic()
        if self._console.is_terminal and now >= self._next_line:
            self._live.update(self._render(tally, now), refresh=True)
            self._next_line = time.monotonic() + 0.25

    def _render(self, tally: Tally, now: float) -> RenderableType:
        if self._table is None or now >= self._next_table:
            first = self._table is None
            self._table = table_of(tally.result(), self._title)
            # A table of many games takes a while; it may cost a twentieth of the time. The first one loads SciPy.
            self._next_table = now if first else now + 20 * (time.monotonic() - now)
        played, elapsed = tally.games - self._before, now - self._began
        left = elapsed / played * (tally.planned - tally.games) if played else float("inf")
        share = f"{tally.games:,} of {tally.planned:,} games, {span(elapsed)} so far, about {span(left)} left"
        return Group(self._table, Text(share, style="dim"))


def read_players(texts: list[str], limits: dict[str, Any]) -> dict[str, kb.Algorithm]:
    """The players of some texts, with limits for all that know them, and a second's tenth for who has none."""
    found: dict[str, kb.Algorithm] = {}
    for text in texts:
        named = re.fullmatch(r"([^:=]+)=(.+)", text, re.DOTALL)
        player = kb.algorithm(named[2] if named else text)
        own = {name: value for name, value in limits.items() if knows(player, name)}
        player = limited(player.replace(**own))
        base = named[1].strip() if named else player.spec
        if named and base in found:
            raise kb.BadParameter(f"two players are called {base!r}; give them different names")
        number = 1
        while (name := base if number == 1 else f"{base} #{number}") in found:
            number += 1
        found[name] = player
    for name in limits:
        if not any(knows(player, name) for player in found.values()):
            raise kb.BadParameter(f"--{name} means nothing to {', '.join(found)}")
    return found


def limited(player: kb.Algorithm) -> kb.Algorithm:
    """A player as it is, or with a tenth of a second a move if nothing limits it, not even itself."""
    if player.name == "random" or any(value is not None for value in player._limits().values()):
        return player
    return player.replace(seconds=_SECONDS)


def read_openings(text: str) -> Openings:
    """The openings of a text: a number of random plies, or probabilities of random moves."""
    try:
        if re.fullmatch(r"\s*\d+\s*", text):
            return RandomPlies(int(text)) if int(text) else Openings()
        if stratified := re.fullmatch(r"\s*stratified:(\d+)\s*", text):
            return Stratified(int(stratified[1]))
        return Schedule(tuple(float(part) for part in text.split(",")))
    except ValueError:
        raise kb.BadParameter(
            f"--openings {text}: write a number of random plies, probabilities such as 0.5,0.25,0, or stratified:2"
        ) from None


def read_sprt(text: str | None) -> Sprt | None:
    """The sequential test of a text."""
    if text is None:
        return None
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        raise kb.BadParameter(f"--sprt {text}: write two Elo differences, such as 0,10") from None
    return Sprt(elo0, elo1)
