"""`kibitz reproduce`: published tables, measured again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

import kibitz as kb
from kibitz.cli.arguments import Json, On, Workers
from kibitz.cli.terminal import counted, counting, err, out, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kibitz.experiments import Experiment, Outcome, Row, Scale
    from kibitz.experiments.running import Progress

_COLOURS = {
    "agrees": "green",
    "holds": "green",
    "same direction": "yellow",
    "differs": "red",
    "fails": "red",
    "measured": "dim",
}


def reproduce(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID…]", help="Experiments; none: list them.", show_default=False)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All experiments.")] = False,
    scale: Annotated[str, typer.Option("--scale", metavar="SCALE", help="quick, standard or full.")] = "quick",
    on: On = "local",
    workers: Workers = None,
    folder: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder of report.html and report.md.")
    ] = Path("reproduction"),
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="Keeps the results (results.sqlite in DIR).", show_default=False),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Measure again what the store already has.")] = False,
    json: Json = False,
) -> None:
    """Measure published tables again and write a report, published against measured.

    Without experiments it lists them. What is done is kept: the same command goes on after an interruption.
    """
    from kibitz.experiments import experiment, experiments
    from kibitz.experiments.experiment import read_scale

    chosen_scale = read_scale(scale)
    if every and ids:
        raise kb.BadParameter("--all runs every experiment; name some or use --all, not both")
    if not every and not ids:
        _list(experiments(), json)
        return
    chosen = experiments() if every else tuple(experiment(id) for id in dict.fromkeys(ids or ()))
    _run(chosen, chosen_scale, on, workers, folder, store or folder / "results.sqlite", fresh, json)


def _list(known: tuple[Experiment, ...], json: bool) -> None:
    from kibitz.arena.executor import cores
    from kibitz.experiments import SCALES
    from kibitz.experiments.report import plain, time_text

    if json:
        fields = ("id", "title", "paper", "table", "seed", "version", "note")
        print_json(
            [
                {**{field: getattr(each, field) for field in fields}, "core_seconds": dict(each.seconds)}
                for each in known
            ]
        )
        return
    table = Table(title="kibitz reproduce ID… --scale quick|standard|full, or --all", title_justify="left")
    table.add_column("experiment", overflow="fold")
    for each in SCALES:
        table.add_column(each, justify="right", no_wrap=True)
    for one in known:
        what = f"[bold]{one.id}[/]\n{escape(one.title)}\n[dim]{escape(plain(one.paper))}: {escape(one.table)}[/]"
        table.add_row(what, *(time_text(one.seconds[each] / cores()) for each in SCALES))
        table.add_section()
    table.add_row("[bold]--all[/]", *(time_text(sum(one.seconds[each] for one in known) / cores()) for each in SCALES))
    out.print(table)
    out.print(f"Expected times, on {counted(cores(), 'core')}.", style="dim")


def _run(
    chosen: tuple[Experiment, ...],
    scale: Scale,
    on: str,
    workers: int | None,
    folder: Path,
    path: Path,
    fresh: bool,
    json: bool,
) -> None:
    from kibitz.experiments.report import Reproduction, tally, write

    # Before anything is measured, so that an hour's work does not end at a folder that cannot be written.
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.md").open("a").close()
    except OSError as error:
        why = (error.strerror or "the system refuses").lower()
        raise kb.Error(f"cannot write a report into {folder}: {why}; choose another folder with --out") from None
    start = time.monotonic()
    outcomes = _outcomes(chosen, scale, on, workers, path, fresh)
    reproduction = Reproduction(outcomes=outcomes, scale=scale, seconds=time.monotonic() - start)
    page, text = write(reproduction, folder)
    if json:
        print_json({**reproduction.as_dict(), "report": {"html": str(page), "markdown": str(text)}, "store": str(path)})
    else:
        for each in outcomes:
            _print(each, in_full=len(outcomes) == 1)
        out.print(
            f"{escape(tally(reproduction.rows))}; {reproduction.seconds:.1f} s on the clock, "
            f"{reproduction.core_seconds:.1f} core-seconds.",
            soft_wrap=True,
        )
        out.print(f"The report is in {page} and {text}.", markup=False, soft_wrap=True)
    if any(row.verdict == "fails" for row in reproduction.rows):
        raise typer.Exit(1)


def _outcomes(
    chosen: tuple[Experiment, ...], scale: Scale, on: str, workers: int | None, path: Path, fresh: bool
) -> tuple[Outcome, ...]:
    """The outcomes in the order asked for, with a bar over all units."""
    from kibitz.experiments import reproduce as measure
    from kibitz.experiments.report import time_text
    from kibitz.store import Store

    done = units = 0
    with Store.open(path) as store, counting(err) as bar:
        task = bar.add_task("measuring", total=None, note="")

        def tell(step: Progress) -> None:
            nonlocal done, units
            done, units = step.done, step.units
            name = f"measuring {step.experiment.id}" if step.experiment else "measuring"
            note = f"about {time_text(step.seconds_left)} left"
            bar.update(task, description=name, total=units, completed=done, note=note)

        try:
            ended = list(measure(chosen, scale, store=store, workers=workers, on=on, fresh=fresh, progress=tell))
        except KeyboardInterrupt:
            again = "the same command without --fresh" if fresh else "the same command"
            err.print(
                f"{done} of {counted(units, 'unit')} are kept in {path}; {again} goes on from there",
                markup=False,
                soft_wrap=True,
            )
            raise
    order = {each.id: place for place, each in enumerate(chosen)}
    return tuple(sorted(ended, key=lambda each: order[each.experiment.id]))


def _print(outcome: Outcome, in_full: bool) -> None:
    """The rows that are not in agreement, with the reason; all of them before, if wanted."""
    from kibitz.experiments.report import tally

    experiment = outcome.experiment
    out.print(f"[bold]{experiment.id}[/]: {escape(experiment.title)} ({escape(tally(outcome.rows))})", soft_wrap=True)
    if in_full:
        out.print(table_of(outcome.rows))
    for row in outcome.rows:
        if row.verdict not in ("agrees", "holds", "measured"):
            out.print(
                f"  [{_COLOURS[row.verdict]}]{row.verdict}[/] {escape(row.label)}: {escape(row.why)}", soft_wrap=True
            )


def table_of(rows: Sequence[Row]) -> Table:
    """Rows as a table: published beside measured, with the verdict."""
    from kibitz.experiments.report import row_texts

    table = Table()
    table.add_column("", overflow="fold")
    columns = ["published", "measured", *(["interval"] if any(row.interval for row in rows) else [])]
    for column in columns:
        table.add_column(column, justify="right", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    for row in rows:
        cells = [escape(each) for each in (row.label, *row_texts(row)[: len(columns)])]
        table.add_row(*cells, f"[{_COLOURS[row.verdict]}]{row.verdict}[/]")
    return table
