"""`kibitz solve --each-move`: the value of every move of a position."""

from __future__ import annotations

from typing import Any

import typer
from rich.table import Table

import kibitz as kb
from kibitz.cli.arguments import game_text
from kibitz.cli.terminal import duration, out, print_json
from kibitz.cli.watched import watched
from kibitz.solve import Solver

_REVERSED = {
    "win": "loss",
    "draw": "draw",
    "loss": "win",
    "no win": "no loss",
    "no loss": "no win",
    "unknown": "unknown",
}
"""What is proven of the player to move, for the other one."""


def tell_each_move(rules: kb.Game, game: str, pos: kb.Position, solver: Solver, json: bool) -> None:
    """Solves the position after each move, each with a checkpoint of its own, and prints the values for the mover."""
    if pos.over:
        raise kb.BadParameter(f"the game is over, with the result {pos.result}: there is no move to solve")
    rows = [_solved(pos, number, solver) for number in range(len(pos.moves))]
    if json:
        print_json({"game": game_text(rules, game), "position": str(pos), "algorithm": solver.spec, "moves": rows})
    else:
        table = Table(title=f"every move of player {pos.turn}", title_justify="left")
        table.add_column("move")
        table.add_column("value")
        for column in ("nodes", "time"):
            table.add_column(column, justify="right")
        for row in rows:
            value = row["value"] if row["reason"] is None else f"{row['value']}, {row['reason']}"
            table.add_row(row["move"], value, f"{row['nodes']:,}", duration(row["seconds"]))
        out.print(table)
    if any(row["reason"] is not None for row in rows):
        raise typer.Exit(1)


def _solved(pos: kb.Position, number: int, solver: Solver) -> dict[str, Any]:
    move = pos.moves[number]
    text, after = pos.notation(move), pos.play(move)
    if after.over:
        assert after.result is not None
        own = after.result[int(pos.turn or 0)]
        value = "draw" if own == 0 else "win" if own > 0 else "loss"
        return {"move": text, "value": value, "reason": None, "nodes": 0, "seconds": 0.0, "goals": []}
    if solver.checkpoint is not None:
        solver = solver.replace(checkpoint=f"{solver.checkpoint}-{number + 1}")
    found = watched(solver, after, about=f"{text}, move {number + 1} of {len(pos.moves)}")
    goals = [{name: value for name, value in vars(goal).items() if name != "curve"} for goal in found.goals]
    proven = found.proven or "unknown"
    value = proven if after.turn == pos.turn else _REVERSED[proven]
    # who has asked one question has its answer
    complete = found.value != "unknown" or (solver.goal != "value" and proven != "unknown")
    return {
        "move": text,
        "value": value,
        "reason": None if complete else found.reason,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "goals": goals,
    }
