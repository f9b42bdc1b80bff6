"""`kibitz complexity`: how large a game is, measured by playing it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.progress import Progress, TaskID
from rich.table import Table

import kibitz as kb
from kibitz.cli.analyze import With
from kibitz.cli.arguments import GameText, Json, On, Workers, game_text, read_algorithms, read_game
from kibitz.cli.match import limited
from kibitz.cli.terminal import counted, counting, duration, err, out, print_json, span

if TYPE_CHECKING:
    from kibitz.arena.estimators import Estimate
    from kibitz.experiments.literature import Figure


def complexity(
    game: GameText,
    players: With = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", help="Games of each player.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="S", help="Seed of everything.")] = 1,
    random_plies: Annotated[
        int | None,
        typer.Option(
            "--random-plies",
            metavar="K",
            help="Games begin with K random moves, no two with the same position "
            "(none for random; for others random moves with a probability that falls from 1/2 to 1 %).",
            show_default=False,
        ),
    ] = None,
    max_plies: Annotated[int, typer.Option("--max-plies", metavar="N", help="Longer games are ended there.")] = 2000,
    positions: Annotated[
        int, typer.Option("--positions", metavar="N", help="Positions visited to count them exactly.")
    ] = 100_000,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Plots moves and lengths, .svg, .png or .pdf.", show_default=False),
    ] = None,
    size: Annotated[Literal["paper", "slide"], typer.Option("--size", help="What the plot is for.")] = "paper",
    workers: Workers = None,
    on: On = "local",
    json: Json = False,
) -> None:
    """Measure branching, length, game tree and state space of a game by self-play (of random, if nobody is named)."""
    from kibitz import plots
    from kibitz.arena.complexity import figure
    from kibitz.experiments.literature import published

    rules = read_game(game)
    algorithms = [limited(each) for each in read_algorithms(players or ["random"])]
    if plot is not None:
        plots.check(plot)
    measured: list[kb.Complexity] = []
    with counting(err) as bar:
        for player in algorithms:
            task = bar.add_task(player.spec, total=games, note="")
            found = kb.complexity(
                rules,
                player,
                games,
                seed,
                openings=random_plies,
                max_plies=max_plies,
                positions=positions,
                workers=workers,
                on=on,
                progress=_progress(bar, task),
            )
            measured.append(found)
    if plot is not None:
        plots.save(figure(measured, size), plot)
    if json:
        print_json(
            {
                "game": game_text(rules, game),
                "measured": [each.as_dict() for each in measured],
                "published": [each._asdict() for each in published(rules)],
            }
        )
        return
    out.print(_of_play(game_text(rules, game), measured))
    out.print(_of_rules(measured[0]))
    if known := published(rules):
        out.print(_published(known))
    for each in measured:
        for line in _remarks(each):
            out.print(line, style="yellow", markup=False)
    out.print(
        f"{duration(sum(each.seconds for each in measured))}" + (f"; plot in {plot}" if plot else ""), markup=False
    )


def _progress(bar: Progress, task: TaskID) -> Callable[[int, int], None]:
    began = time.perf_counter()

    def show(done: int, every: int) -> None:
        left = (time.perf_counter() - began) / done * (every - done)
        bar.update(task, completed=done, total=every, note=f"about {span(left)} left")

    return show


def _of_play(game: str, measured: list[kb.Complexity]) -> Table:
    """What depends on who plays: a column for each player."""
    table = Table(title=f"Complexity of {game}, {counted(measured[0].games, 'game')} each", title_justify="left")
    table.add_column("with 95 % intervals")
    for each in measured:
        table.add_column(each.player, justify="right")
    for row in zip(*map(_rows, measured), strict=True):
        table.add_row(row[0][0], *(text for _, text in row))
    return table


def _rows(found: kb.Complexity) -> Iterator[tuple[str, str]]:
    branching, length, tree = found.branching, found.length, found.tree
    yield "branching factor, over all positions", _estimate(branching.pooled)
    yield "branching factor, mean of each game's mean", _estimate(branching.by_game)
    yield "branching factor, geometric mean", _estimate(branching.geometric)
    yield "length in plies", _estimate(length.mean)
    quantiles = (length.quantiles[share] for share in (0.0, 0.05, 0.5, 0.95, 1.0))
    yield "length: least, 5 %, median, 95 %, most", ", ".join(f"{each:.4g}" for each in quantiles)
    yield "legal moves at ply 1, 11, 21, 31, 41, 51", ", ".join(_at(found, ply) for ply in range(0, 51, 10))
    for seat, share in enumerate(found.wins):
        yield f"games won by player {seat}", _share(share)
    if found.draws is not None:
        yield "draws", _share(found.draws)
    yield "game tree b^d, log10", _estimate(tree.power)
    yield "game tree, mean line, log10", _estimate(tree.lines)


def _at(found: kb.Complexity, ply: int) -> str:
    return f"{found.curve[ply].moves.value:.0f}" if ply < len(found.curve) else "–"


def _estimate(found: Estimate) -> str:
    if not math.isfinite(found.high - found.low):
        return f"{found.value:.2f}"
    return f"{found.value:.2f} ± {(found.high - found.low) / 2:.2f}"


def _share(found: Estimate) -> str:
    return f"{100 * found.value:.1f} % [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def _of_rules(found: kb.Complexity) -> Table:
    """What is a property of the rules, whoever plays, and how far each figure may be trusted."""
    table = Table(title="Of the rules, whoever plays", title_justify="left")
    for column in ("", "kind", "figure"):
        table.add_column(column)
    knuth, states = found.tree.knuth, found.states
    weight = f"{knuth.effective:.1f} of {counted(knuth.lines, 'random line')} decide it"
    table.add_row("possible games (Knuth)", "estimate", f"10^{knuth.value:.2f} (± {knuth.error:.0%}; {weight})")
    table.add_row("", "95 % lower bound", f"10^{knuth.low:.2f}")
    moves = counted(len(states.by_moves) - 1, "move")
    kind, extent = ("exact", "all there are") if states.complete else ("exact in part", f"within {moves} of the start")
    table.add_row("positions", kind, f"{states.total:,}, {extent}")
    if not states.complete:
        bound = states.at_least
        interval = "" if math.isinf(bound.high) else f" [{bound.low:.2g}, {bound.high:.2g}]"
        table.add_row("", "lower bound (Chao)", f"{bound.value:.2g}{interval}; {states.seen:,} were seen")
    return table


def _published(known: Sequence[Figure]) -> Table:
    """What the literature says, to be read beside what was measured."""
    table = Table(title="Published", title_justify="left")
    for column in ("", "figure", "source"):
        table.add_column(column)
    for each in known:
        table.add_row(each.label, each.text, each.source)
    return table


def _remarks(found: kb.Complexity) -> Iterator[str]:
    if found.cut:
        yield f"{found.player}: {counted(found.cut, 'game')} of {found.games:,} ended at --max-plies {found.max_plies}"
    if found.distinct < found.games / 2 and found.player != kb.Random().spec:
        yield (
            f"{found.player}: only {counted(found.distinct, 'game')} of {found.games:,} differ: the figures are about "
            "few lines of play; give the player a seed, or the games --random-plies"
        )
