"""`kibitz perft` and `kibitz playouts`: counting lines and playing random games."""

from __future__ import annotations

import math
import time
from typing import Annotated, Any

import typer
from rich.table import Table

import kibitz as kb
from kibitz.cli.arguments import GameText, Json, PositionText, Threads, game_text, read_game, read_position
from kibitz.cli.terminal import amount, counted, duration, out, print_json, working


def perft(
    game: GameText,
    position: PositionText = None,
    depth: Annotated[int, typer.Option("--depth", "-d", metavar="N", help="Moves of the longest lines.")] = 5,
    divide: Annotated[bool, typer.Option("--divide", help="Count the lines of N moves below each move.")] = False,
    threads: Threads = 1,
    json: Json = False,
) -> None:
    """Count the lines of 1, 2, … N moves: the proof of a move generator."""
    rules = read_game(game)
    pos = read_position(rules, position)
    if depth < 0:
        raise kb.BadParameter(f"--depth {depth} must be zero or more")
    if divide:
        _divide(pos, game_text(rules, game), depth, threads, json)
        return
    counts: list[int] = []
    times: list[float] = []
    for each in range(min(depth, 1), depth + 1):
        growth = counts[-1] / counts[-2] if len(counts) > 1 and counts[-2] else 20.0
        with working(f"perft {each}", times[-1] * growth if times else None):
            began = time.perf_counter()
            counts.append(kb.perft(pos, each, threads))
            times.append(time.perf_counter() - began)
    rows = [
        {"depth": each, "nodes": nodes, "seconds": seconds, "nodes_per_second": nodes / seconds}
        for each, nodes, seconds in zip(range(min(depth, 1), depth + 1), counts, times, strict=True)
    ]
    if json:
        print_json({"game": game_text(rules, game), "position": str(pos), "threads": threads, "perft": rows})
        return
    table = Table(title=f"Perft of {game_text(rules, game)}", title_justify="left")
    for column in ("depth", "nodes", "time", "nodes/s"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(str(row["depth"]), f"{row['nodes']:,}", duration(row["seconds"]), amount(row["nodes_per_second"]))
    out.print(table)


def _divide(pos: kb.Position, game: str, depth: int, threads: int, json: bool) -> None:
    """Tells how many of the lines begin with each move, or each outcome of chance: where two generators differ."""
    if depth < 1:
        raise kb.BadParameter(f"--divide needs --depth 1 or more, not {depth}")
    rows: list[dict[str, Any]] = []
    began = time.perf_counter()
    for move in [outcome for outcome, _ in pos.outcomes] if pos.turn == "chance" else pos.moves:
        text = pos.notation(move)
        with working(f"perft {depth - 1} after {text}"):
            rows.append({"move": text, "nodes": kb.perft(pos.play(move), depth - 1, threads)})
        if not json:
            out.print(f"{text}: {rows[-1]['nodes']}", markup=False, soft_wrap=True)
    seconds = time.perf_counter() - began
    total = sum(row["nodes"] for row in rows)
    if json:
        where = {"game": game, "position": str(pos), "threads": threads, "depth": depth}
        print_json({**where, "divide": rows, "total": total, "seconds": seconds})
        return
    out.print(f"\ntotal: {total} ({counted(len(rows), 'move')}, {duration(seconds)})", markup=False)


_PILOT = 20


def playouts(
    game: GameText,
    position: PositionText = None,
    count: Annotated[int, typer.Option("--count", "-n", metavar="N", help="How many games.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", "-s", metavar="S", help="Seed of the random moves.")] = 0,
    strategy: Annotated[
        str, typer.Option("--strategy", metavar="NAME", help="A strategy of the game's own in place of random moves.")
    ] = "random",
    epsilon: Annotated[
        float, typer.Option("--epsilon", metavar="E", help="The probability of a random move beside a strategy.")
    ] = 0.0,
    threads: Threads = 1,
    json: Json = False,
) -> None:
    """Play random games and give the mean result with its 95 % interval."""
    rules = read_game(game)
    pos = read_position(rules, position)
    pilot = kb.playouts(pos, _PILOT, seed, strategy=strategy, epsilon=epsilon)
    with working(counted(count, "random game"), pilot.seconds / _PILOT * count / max(threads, 1)):
        found = kb.playouts(pos, count, seed, threads, strategy=strategy, epsilon=epsilon)
    players: list[dict[str, Any]] = [
        {"player": player, "mean": mean, "deviation": deviation, "interval": _interval(mean, deviation, count)}
        for player, (mean, deviation) in enumerate(zip(found.mean, found.deviation, strict=True))
    ]
    if json:
        measured = {"count": count, "plies": found.plies, "cut": found.cut, "seconds": found.seconds}
        print_json(
            {
                "game": game_text(rules, game),
                "position": str(pos),
                "seed": seed,
                "strategy": strategy,
                "epsilon": epsilon,
                **measured,
                "players": players,
            }
        )
        return
    table = Table(title=f"{counted(count, 'random game')} of {game_text(rules, game)}", title_justify="left")
    for column in ("player", "mean result", "95 % interval", "deviation"):
        table.add_column(column, justify="right")
    for row in players:
        interval = "–" if row["interval"] is None else "{:+.4f} to {:+.4f}".format(*row["interval"])
        table.add_row(str(row["player"]), f"{row['mean']:+.4f}", interval, f"{row['deviation']:.4f}")
    out.print(table)
    out.print(f"{found.plies:.1f} plies a game; {amount(found.per_second)} games/s ({duration(found.seconds)})")
    if found.cut:
        out.print(
            f"{counted(found.cut, 'game')} did not end and {'was' if found.cut == 1 else 'were'} cut", style="yellow"
        )


def _interval(mean: float, deviation: float, count: int) -> tuple[float, float] | None:
    """Student's 95 % interval of a mean."""
    if count < 2:
        return None
    from scipy.special import stdtrit

    margin = float(stdtrit(count - 1, 0.975)) * deviation / math.sqrt(count)
    return mean - margin, mean + margin
