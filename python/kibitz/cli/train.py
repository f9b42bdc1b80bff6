"""`kibitz train`: learning an evaluation by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import kibitz as kb
from kibitz import backgammon, rolit
from kibitz.cli.arguments import Json, Threads
from kibitz.cli.terminal import duration, out, print_json, working

_OPPONENTS = ("pips", "linear", "network")


def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game: backgammon or rolit.")],
    out_file: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="What is learned; backgammon goes on with FILE.training."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", "-g", metavar="N", help="All games: 1,000,000 of backgammon, 100,000 of rolit."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Random numbers.")] = 1,
    rate: Annotated[float, typer.Option("--rate", help="Backgammon: the learning rate at the beginning.")] = 0.001,
    lam: Annotated[float, typer.Option("--lambda", help="Backgammon: λ at the beginning.")] = 0.7,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="Rolit: how far the players look ahead.")] = 3,
    every: Annotated[
        int | None,
        typer.Option("--every", metavar="N", help="Tell, and of backgammon save and try, after so many games."),
    ] = None,
    pairs: Annotated[
        int, typer.Option("--pairs", metavar="N", help="Backgammon: pairs of games of a trial; 0 for none.")
    ] = 500,
    threads: Threads = 1,
    json: Json = False,
) -> None:
    """Train the evaluation of a game by self-play; backgammon's is tried against those that come with the program."""
    if game == "rolit":
        _rolit(
            out_file or Path("rolit.tables"),
            100_000 if games is None else games,
            seed,
            depth=depth,
            threads=threads,
            every=every,
            json=json,
        )
        return
    if game != "backgammon":
        raise kb.BadParameter(f"{game} has nothing to learn; backgammon and rolit have")
    if pairs < 0:
        raise kb.BadParameter(f"--pairs {pairs} must be zero or more")
    out_file, games, every = (
        out_file or Path("backgammon.weights"),
        1_000_000 if games is None else games,
        100_000 if every is None else every,
    )
    rows: list[dict[str, float]] = []
    steps = backgammon.train(out_file, games=games, seed=seed, threads=threads, rate=rate, lam=lam, every=every)
    expected = None
    while True:
        with working("training", expected):
            step = next(steps, None)
        if step is None:
            break
        expected = step.seconds - (rows[-1]["seconds"] if rows else 0.0)
        row: dict[str, float] = {"games": step.games, "seconds": step.seconds}
        cells = [f"{step.games:,} games", duration(step.seconds)]
        for opponent in _OPPONENTS if pairs else ():
            with working(f"against {opponent}"):
                found = backgammon.strength(step.weights, opponent, pairs, threads=threads)
            row[opponent], row[f"{opponent}_error"] = found.points, found.error
            cells.append(f"{opponent} {found.points:+.3f} ± {1.96 * found.error:.3f}")
        rows.append(row)
        if not json:
            out.print(", ".join(cells), markup=False, highlight=False, soft_wrap=True)
    if json:
        print_json({"game": game, "file": str(out_file), "games": games, "seed": seed, "steps": rows})
    elif not rows:
        out.print(f"{out_file} has been trained with {games:,} games already", markup=False, soft_wrap=True)


def _rolit(out_file: Path, games: int, seed: int, *, depth: int, threads: int, every: int | None, json: bool) -> None:
    rows: list[dict[str, float]] = []
    steps = rolit.train(
        out_file, games=games, seed=seed, depth=depth, threads=threads, every=10_000 if every is None else every
    )
    expected = None
    while True:
        with working("training", expected):
            step = next(steps, None)
        if step is None:
            break
        expected = step.seconds - (rows[-1]["seconds"] if rows else 0.0)
        rows.append({"games": step.games, "seconds": step.seconds, "known": step.known})
        if not json:
            told = f"{step.games:,} games, {duration(step.seconds)}, {step.known:,} patterns"
            out.print(told, markup=False, highlight=False, soft_wrap=True)
    if json:
        print_json(
            {"game": "rolit", "file": str(out_file), "games": games, "seed": seed, "depth": depth, "steps": rows}
        )
