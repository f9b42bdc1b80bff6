"""`kibitz tournament`: round robins and gauntlets from a file."""

from __future__ import annotations

import dataclasses
import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from kibitz.arena.table import Tally
from kibitz.arena.tournament import Tournament, TournamentResult
from kibitz.cli.arguments import Json, On, Workers, read_game
from kibitz.cli.match import StoreFile, Watcher, default_store, limited
from kibitz.cli.terminal import err, out, print_json


def tournament(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament.", show_default=False)],
    store: StoreFile = None,
    workers: Workers = None,
    on: On = "local",
    json: Json = False,
) -> None:
    """Play a tournament, a round robin or a gauntlet, and print its cross table.

    Interrupted in any way, the same command goes on where it was.
    """
    planned = Tournament.read(file, read_game)
    planned = dataclasses.replace(planned, players={name: limited(each) for name, each in planned.players.items()})
    watcher = Watcher(err)

    def tell(pair: tuple[str, str], tally: Tally) -> None:
        number = planned.pairs.index(pair) + 1
        watcher.follow(tally, f"{planned.name}: {pair[0]} – {pair[1]} (meeting {number} of {len(planned.pairs)})")

    with watcher:
        found = planned.play(store=store or default_store(), workers=workers, on=on, progress=tell)
    if json:
        print_json(found.as_dict())
    else:
        out.print(_table(found))
        for warning in sorted({each for result in found.meetings.values() for each in result.warnings}):
            out.print(f"note: {warning}", markup=False, style="yellow", soft_wrap=True)
        kept = next(iter(found.meetings.values()))
        one = shlex.quote(kept.run or "")
        text = f"kept in {kept.store}, a run for each pair; replay them with: kibitz games-of {one}"
        out.print(text, markup=False, style="dim", soft_wrap=True)


def _table(found: TournamentResult) -> Table:
    planned = found.tournament
    names = [place.name for place in found.places]
    rated = any(place.rating for place in found.places)
    table = Table(title=f"{planned.name}: {planned.kind} of {planned.game}", title_justify="left")
    heading = ["", "player", "games", "score", "95 %", "Elo", *(["rating"] if rated else []), *names]
    for column, text in enumerate(heading):
        table.add_column(Text(text), justify="left" if column == 1 else "right", overflow="fold")
    for number, place in enumerate(found.places, 1):
        against = [found.score(place.name, other) for other in names]
        cells = [
            str(number),
            place.name,
            f"{place.total.games:,}",
            f"{100 * place.total.score:.1f} %",
            f"{100 * place.interval.low:.1f} to {100 * place.interval.high:.1f} %",
            f"{place.elo:+.0f}".replace("inf", "∞"),
            *([f"{place.rating.mu:.1f} ± {2 * place.rating.sigma:.1f}" if place.rating else "–"] if rated else []),
            *("" if share is None else f"{100 * share:.1f}" for share in against),
        ]
        table.add_row(*map(Text, cells))
    return table
