"""`kibitz solve` of a whole game: the value of every position, by retrograde analysis."""

from __future__ import annotations

from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

import kibitz as kb
from kibitz.cli.terminal import err, out, print_json, span

__all__ = ["is_small", "solve_strongly"]

SMALL = 10_000_000
"""Games with at most so many ranks are solved strongly without being asked."""


def is_small(game: kb.Game) -> bool:
    """Whether a game ranks its positions, they are few, and no move is for good, so that proofs are hard to find."""
    return game._rules.ranks(SMALL) is not None


def solve_strongly(
    game: kb.Game, name: str, memory_mb: int | None, threads: int | None, explain: bool, json: bool
) -> kb.StrongSolution:
    """Solves a game and prints its value and the counts of its positions."""
    given: dict[str, Any] = {"memory_mb": memory_mb, "threads": threads}
    solver = kb.Retrograde(game, **{option: value for option, value in given.items() if value is not None})
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[left]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("retrograde", total=1.0, left="")

        def tell(step: kb.RetrogradeStep) -> None:
            left = "" if step.eta is None else f"about {span(step.eta)} left"
            if step.phase == "positions":
                bar.update(task, description=f"{step.total:,} positions found", total=None, left="")
            else:
                bar.update(task, description=f"{step.slices} {step.phase}", completed=step.fraction, left=left)

        solution = solver.solve(progress=tell)
    if json:
        print_json(
            {
                "game": name,
                "algorithm": "retrograde",
                "value": solution.value,
                "reason": solution.reason,
                "nodes": solution.nodes,
                "seconds": solution.seconds,
                "best": None if solution.best is None else str(solution.best),
                "line": [str(move) for move in solution.pv] if explain else [],
                "win": solution.win,
                "draw": solution.draw,
                "loss": solution.loss,
                "wins": list(solution.wins),
                "losses": list(solution.losses),
            }
        )
        return solution
    words = {
        "win": "win for the player who begins",
        "draw": "draw: neither player can force a win",
        "loss": "loss for the player who begins",
        "unknown": f"unknown: {solution.reason}",
    }[solution.value]
    style = "bold green" if solution.value != "unknown" else "bold yellow"
    out.print(Text(words, style=style), soft_wrap=True)
    if not solution.nodes:
        return solution
    out.print(
        f"{solution.nodes:,} positions, symmetric ones once, in {solution.seconds:.2f} s; for the player to move "
        f"{solution.win:,} wins, {solution.draw:,} draws, {solution.loss:,} losses",
        soft_wrap=True,
    )
    table = Table("plies to the end", "wins", "losses")
    wins, losses = solution.wins, solution.losses
    for plies in range(max(len(wins), len(losses))):
        found = [counts[plies] if plies < len(counts) else 0 for counts in (wins, losses)]
        if any(found):
            table.add_row(str(plies), *(f"{count:,}" for count in found))
    for column in table.columns:
        column.justify = "right"
    if table.row_count:
        out.print(table)
    if explain and solution.pv:
        out.print(Text(" ".join(map(str, solution.pv)), style="cyan"), soft_wrap=True)
    if isinstance(game, kb.NativeGame) and game.name == "dao":
        _print_published()
    return solution


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
