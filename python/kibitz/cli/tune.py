"""`kibitz tune`: the numbers of a player that make it score most."""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

import kibitz as kb
from kibitz.cli.arguments import GameText, Json, On, Workers, game_text, read_game
from kibitz.cli.match import LIMITS, limited
from kibitz.cli.terminal import counted, duration, err, out, print_json, span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kibitz.tuning import Comparison, Estimate, Generation, Progress, Range, Tuning

_ROWS = 15
"""The iterations that are shown while the run goes on: a terminal is not higher."""


def tune(
    game: GameText,
    player: Annotated[
        str,
        typer.Argument(metavar="PLAYER", help="The player, such as uct:simulations=200.", show_default=False),
    ],
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary",
            metavar="NAME=LOW:HIGH",
            help="A parameter with its range, c=0:3; :int for whole numbers, :log for the logarithm. Repeat it.",
            show_default=False,
        ),
    ],
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="PLAYER", help="The opponent; a game for one has none.", show_default=False),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", "-m", metavar="METHOD", help="cross-entropy, random, cma or optuna.")
    ] = "cross-entropy",
    samples: Annotated[int, typer.Option("--samples", metavar="N", help="Samples of an iteration.")] = 100,
    elite: Annotated[int, typer.Option("--elite", metavar="N", help="The best samples, which are learned from.")] = 10,
    positions: Annotated[
        int, typer.Option("--positions", metavar="N", help="Fresh positions of an iteration, for all samples.")
    ] = 30,
    iterations: Annotated[int, typer.Option("--iterations", "-n", metavar="N", help="Iterations at most.")] = 20,
    smoothing: Annotated[
        float, typer.Option("--smoothing", metavar="X", help="The share of the elite in the new distribution.")
    ] = 1.0,
    tolerance: Annotated[
        float, typer.Option("--tolerance", metavar="X", help="End when all deviations are this share of the range.")
    ] = 0.01,
    plies: Annotated[
        int | None,
        typer.Option("--plies", metavar="N", help="Random moves to a position (2, alone 0).", show_default=False),
    ] = None,
    instances: Annotated[
        str | None,
        typer.Option(
            "--instances",
            metavar="NAME",
            help="A parameter of the game drawn anew for each position.",
            show_default=False,
        ),
    ] = None,
    max_plies: Annotated[
        int | None,
        typer.Option("--max-plies", metavar="N", help="A game of so many moves is a draw.", show_default=False),
    ] = None,
    validate: Annotated[
        int, typer.Option("--validate", metavar="N", help="Positions of the comparison at the end; 0 for none.")
    ] = 250,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="S", help="Seed of everything.")] = 0,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE", help="Keeps all work; the same command goes on.", show_default=False),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="A plot of the run, .svg, .png or .pdf.", show_default=False),
    ] = None,
    workers: Workers = None,
    on: On = "local",
    json: Json = False,
) -> None:
    """Tune numbers of a player by the cross-entropy method, CMA-ES or Optuna."""
    from kibitz import plots
    from kibitz.tuning.space import Space

    rules = read_game(game)
    ranges = _ranges(vary)
    engine = kb.algorithm(player)
    if not LIMITS & set(ranges):
        engine = limited(engine)
    opponent = None if against is None else limited(kb.algorithm(against))
    space = Space.of(ranges, engine)
    if plot is not None:
        plots.check(plot)
    try:
        with _live(dict(zip(space.names, space.ranges, strict=True))) as progress:
            found = kb.tune(
                rules,
                engine,
                vary=ranges,
                against=opponent,
                method=method,
                samples=samples,
                elite=elite,
                positions=positions,
                iterations=iterations,
                seed=seed,
                smoothing=smoothing,
                tolerance=tolerance,
                plies=plies,
                instances=instances,
                max_plies=max_plies,
                validate=validate,
                store=store,
                workers=workers,
                on=on,
                progress=progress,
            )
    except KeyboardInterrupt:
        if store is not None:
            err.print("what is done is kept, and the same command goes on", markup=False)
        raise
    if plot is not None:
        plots.save(found.plot(), plot)
    if json:
        print_json({"game": game_text(rules, game), **found.as_dict()})
        return
    _print(found)
    if plot is not None:
        out.print(f"plot: {plot}", markup=False, soft_wrap=True)


def _ranges(texts: Sequence[str]) -> dict[str, str]:
    """The ranges of all options `--vary`, by name."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, ends = text.partition("=")
        if not (name and equals and ends):
            raise kb.BadParameter(f"--vary {text}: write NAME=LOW:HIGH, such as c=0:3")
        if name in found:
            raise kb.BadParameter(f"--vary {name} is given twice")
        found[name] = ends
    return found


@contextmanager
def _live(vary: Mapping[str, Range]) -> Iterator[Callable[[Progress], object] | None]:
    """The iterations so far and the time left, while the run goes on."""
    if not err.is_terminal:
        yield None
        return
    began = time.perf_counter()
    shown = 0.0
    with Live(console=err, transient=True, auto_refresh=False) as live:

        def show(progress: Progress) -> None:
            nonlocal shown
            now = time.perf_counter()
            if now < shown + 0.25:
                return
            shown, spent = now, now - began
            left = progress.total - progress.done
            rest = f", at most {span(spent / progress.fresh * left)} left" if progress.fresh else ""
            line = f"{progress.done:,} of {progress.total:,} pieces of work, {span(spent)} so far{rest}"
            live.update(Group(_table(progress.history[-_ROWS:], vary), Text(line, style="dim")), refresh=True)

        yield show


def _table(history: Sequence[Generation], vary: Mapping[str, Range]) -> Table:
    table = Table()
    for column in ("iteration", "mean", "elite", *vary):
        table.add_column(column, justify="right", no_wrap=column not in vary)
    for each in history:
        cells = [_distribution(each, name, where) for name, where in vary.items()]
        table.add_row(str(each.number), f"{each.fitness:.4g}", f"{each.elite_fitness:.4g}", *cells)
    return table


def _distribution(generation: Generation, name: str, where: Range) -> str:
    """Mean and deviation of a parameter; on a logarithmic scale the deviation is a factor."""
    mu, sigma = generation.mu[name], generation.sigma[name]
    if where.log:
        from math import exp

        return f"{mu:.4g} ×/÷ {exp(min(sigma, 700)):.3g}"
    return f"{mu:.4g} ± {sigma:.2g}"


def _print(found: Tuning) -> None:
    out.print(f"{found.method}: {found.objective}", markup=False, soft_wrap=True)
    out.print(_table(found.history, found.vary))
    end = "converged" if found.converged else "ended"
    out.print(
        f"{end} after {counted(len(found.history), 'iteration')}, {duration(found.seconds)}; recommended: {found.best}",
        markup=False,
        soft_wrap=True,
    )
    if found.comparison is not None:
        _print_comparison(found, found.comparison)


def _print_comparison(found: Tuning, comparison: Comparison) -> None:
    def shown(values: Mapping[str, Any]) -> str:
        return ", ".join(f"{name}={_value(value)}" for name, value in values.items())

    def row(name: str, values: str, estimate: Estimate) -> None:
        interval = f"{estimate.interval.low:.4g} to {estimate.interval.high:.4g}"
        table.add_row(name, values, f"{estimate.mean:.4g}", interval)

    table = Table(title=f"on {counted(comparison.positions, 'fresh position')}", title_justify="left")
    table.add_column("")
    table.add_column("parameters", overflow="fold")
    for column in ("mean", "95 % interval"):
        table.add_column(column, justify="right", no_wrap=True)
    row("tuned", shown(found.parameters), comparison.tuned)
    row("given", shown(found.given), comparison.given)
    row("difference", "", comparison.difference)
    out.print(table)
    if comparison.difference.interval.low > 0:
        out.print("tuning helped", style="green")
    elif comparison.difference.interval.high < 0:
        out.print("the given parameters are better", style="red")
    else:
        out.print("no difference is shown; more positions may show one", style="yellow")


def _value(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
