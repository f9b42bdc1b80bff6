"""`kibitz train`: learning an evaluation by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import kibitz as kb
from kibitz import backgammon
from kibitz.cli.arguments import Json, Threads
from kibitz.cli.terminal import duration, out, print_json, working

_OPPONENTS = ("pips", "linear", "network")


def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game; backgammon is the one that learns.")],
    out_file: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help="The weights; FILE.training is what a training goes on with."),
    ] = Path("backgammon.weights"),
    games: Annotated[int, typer.Option("--games", "-g", metavar="N", help="All games of the training.")] = 1_000_000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Random numbers.")] = 1,
    rate: Annotated[float, typer.Option("--rate", help="The learning rate at the beginning.")] = 0.001,
    lam: Annotated[float, typer.Option("--lambda", help="λ at the beginning.")] = 0.7,
    every: Annotated[int, typer.Option("--every", metavar="N", help="Save and try after so many games.")] = 100_000,
    pairs: Annotated[int, typer.Option("--pairs", metavar="N", help="Pairs of games of a trial; 0 for none.")] = 500,
    threads: Threads = 1,
    json: Json = False,
) -> None:
    """Train the evaluation of a game by self-play, and try it against those that come with the program."""
    if game != "backgammon":
        raise kb.BadParameter(f"{game} has nothing to learn; backgammon has")
    if pairs < 0:
        raise kb.BadParameter(f"--pairs {pairs} must be zero or more")
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
