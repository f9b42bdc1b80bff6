"""`kibitz solve` of a whole game: the value of every position, by retrograde analysis."""

from __future__ import annotations

from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

import kibitz as kb
from kibitz.cli.terminal import err, out, print_json, span

__all__ = ["SMALL_MB", "notations", "solved_strongly", "tell_strong"]

SMALL_MB = 256
"""A game whose tables fit into this is solved strongly, if nobody asks for anything else."""


def solved_strongly(game: kb.Game, memory_mb: int | None, threads: int | None) -> kb.StrongSolution:
    """Solves a game strongly and shows how far it has come."""
    given: dict[str, Any] = {"memory_mb": memory_mb, "threads": threads}
    solver = kb.Retrograde(game, **{option: value for option, value in given.items() if value is not None})
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[left]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("retrograde analysis", total=1.0, left="")

        def tell(step: kb.RetrogradeStep) -> None:
            left = "" if step.eta is None else f"about {span(step.eta)} left"
            if step.phase == "positions":
                bar.update(task, description=f"{step.total:,} positions found", total=None, left="")
            else:
                bar.update(task, description=f"{step.slices} {step.phase}", completed=step.fraction, left=left)

        return solver.solve(progress=tell)


def tell_strong(solution: kb.StrongSolution, game: str, pos: kb.Position, explain: bool, json: bool) -> None:
    """Prints the value of a position, the counts of all positions and, if asked for, best play."""
    known = solution.reason is None
    value = solution.value_of(pos) if known else "unknown"
    distance = solution.distance(pos) if known else None
    line = solution.line(pos) if known else ()
    counts = {"win": solution.win, "draw": solution.draw, "loss": solution.loss}
    if json:
        print_json(
            {
                "game": game,
                "position": str(pos),
                "algorithm": "retrograde",
                "value": value,
                "reason": solution.reason,
                "distance": distance,
                "nodes": solution.nodes,
                "seconds": solution.seconds,
                "counts": counts,
                "wins": list(solution.wins),
                "losses": list(solution.losses),
                "best": str(line[0]) if line else None,
                "line": [str(move) for move in line] if explain else [],
            }
        )
        return
    if not known:
        out.print(Text(f"unknown: {solution.reason}", style="bold yellow"), soft_wrap=True)
        return
    how_far = "" if distance is None else f" in {distance} {'ply' if distance == 1 else 'plies'}"
    out.print(
        Text(f"{value}{how_far}: all {solution.nodes:,} positions are solved", style="bold green"), soft_wrap=True
    )
    words = ("won", "drawn", "lost for the player to move")
    out.print(", ".join(f"{count:,} {word}" for word, count in zip(words, counts.values(), strict=True)))
    table = Table()
    for column in ("plies", "won", "lost"):
        table.add_column(column, justify="right")
    for plies in range(max(len(solution.wins), len(solution.losses))):
        row = [each[plies] if plies < len(each) else 0 for each in (solution.wins, solution.losses)]
        if any(row):
            table.add_row(str(plies), *(f"{count:,}" if count else "" for count in row))
    if table.row_count:
        out.print(table)
    out.print(Text.assemble("best move ", (pos.notation(line[0]), "cyan")), soft_wrap=True)
    if explain:
        out.print(Text(" ".join(notations(pos, line)), style="cyan"), soft_wrap=True)
    if isinstance(pos.game, kb.NativeGame) and pos.game.name == "dao":
        _print_published()


def notations(pos: kb.Position, line: tuple[Any, ...]) -> list[str]:
    """The moves of a line as text."""
    texts = []
    for move in line:
        texts.append(pos.notation(move))
        pos = pos.play(move)
    return texts


def _print_published() -> None:
    """The tables of the paper that solved Dao, beside the same numbers counted here."""
    from kibitz.cli.reproduce import table_of
    from kibitz.experiments.dao_graph import PAPER, tables
    from kibitz.experiments.report import plain

    out.print(Text(f"\nPublished by {plain(PAPER)}, and counted here:"), soft_wrap=True)
    for experiment, rows in tables():
        out.print(Text(f"\n{experiment.table}: {experiment.title}", style="bold"), soft_wrap=True)
        out.print(table_of(rows))
        for row in rows:
            if row.verdict == "differs":
                out.print(Text(f"  {row.label}: {row.why}"), soft_wrap=True)
