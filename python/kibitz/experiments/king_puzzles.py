"""Abbott's puzzles of Epaminondas in King's thesis, solved by alpha-beta and by Monte-Carlo search.

The diagrams are lost. Two puzzles were rebuilt from their printed solutions, so that the printed key move is the only
one that wins in time (`setup=puzzle1` and `puzzle2` of the game); the printed line of the third contradicts itself, and
it stays lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import kibitz as kb
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import exactly
from kibitz.experiments.king_players import FEATURES, POINTS, huct, uct
from kibitz.experiments.king_states import THESIS

__all__ = ["EXPERIMENTS", "PUZZLES", "Puzzle", "winning"]

SEED = 2014


class Puzzle(NamedTuple):
    """A puzzle: White wins in so many turns of both sides, and only by the key move."""

    turns: int
    key: str
    moves: int

    @property
    def plies(self) -> int:
        """The horizon: White has won at the start of the turn that follows."""
        return 2 * self.turns


PUZZLES = {"puzzle1": Puzzle(3, "[H3,H4,H5]-H2", 29), "puzzle2": Puzzle(2, "L12-M12", 26)}

PLAYERS = {"UCT": uct, "HUCT": huct}
SOLVER = "UCT with proofs"

SIZES: dict[Scale, tuple[int, int, int]] = {
    "quick": (2000, 3, 1),
    "standard": (500_000, 10, 10),
    "full": (100_000_000, 5, 10),
}
"""Simulations of UCT and HUCT, how often they run, and how often the search that proves runs."""

MOST = 2_000_000
"""Simulations of the search that proves, unless it has proven the root before."""


def _start(puzzle: str) -> kb.Position:
    weights = {feature: POINTS * sign for feature, sign in FEATURES.items()}
    return kb.game("epaminondas", setup=puzzle, **weights).start()


def winning(position: kb.Position, plies: int) -> list[str]:
    """The moves after which the player to move has won within so many plies, whatever the opponent does."""
    found = []
    for move in position.moves:
        after = position.play(move)
        if after.result is not None:
            won = after.result[0 if position.turn == 0 else 1] == 1
        else:
            report = kb.AlphaBeta(depth=plies - 1).search(after)
            # In the view of the opponent, who is to move then.
            won = report.proven and report.value == -1
        if won:
            found.append(position.notation(move))
    return found


def _units(scale: Scale) -> list[dict[str, Any]]:
    simulations, runs, proofs = SIZES[scale]
    units: list[dict[str, Any]] = []
    for puzzle in PUZZLES:
        units.append({"puzzle": puzzle, "player": "exhaustive"})
        units.append({"puzzle": puzzle, "player": "alpha-beta"})
        for seed in range(SEED, SEED + runs):
            units += [{"puzzle": puzzle, "player": name, "simulations": simulations, "seed": seed} for name in PLAYERS]
        for seed in range(SEED, SEED + proofs):
            units.append({"puzzle": puzzle, "player": SOLVER, "simulations": MOST, "seed": seed})
    return units


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """The move, whether it is proven to win, nodes and seconds; or all moves that win in time and a turn earlier."""
    puzzle, position = PUZZLES[unit["puzzle"]], _start(unit["puzzle"])
    if unit["player"] == "exhaustive":
        earlier = winning(position, puzzle.plies - 2)
        return {**unit, "moves": len(position.moves), "wins": winning(position, puzzle.plies), "earlier": earlier}
    player: kb.Algorithm = kb.king(depth=puzzle.plies)
    if unit["player"] == SOLVER:
        player = kb.Uct(simulations=unit["simulations"], seed=unit["seed"])
    elif unit["player"] in PLAYERS:
        player = PLAYERS[unit["player"]](unit["simulations"], seed=unit["seed"])
    report = player.search(position)
    move = report.best if isinstance(report.best, str) else position.notation(report.best)
    return {
        **unit,
        "move": move,
        "proven": report.proven and report.value == 1,
        "nodes": report.nodes,
        "seconds": report.seconds,
    }


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    for number, (name, puzzle) in enumerate(PUZZLES.items(), 1):
        mine = [result for result in results if result["puzzle"] == name]
        (every,) = (result for result in mine if result["player"] == "exhaustive")
        rows.append(exactly(f"puzzle {number}: legal moves of the rebuilt position", puzzle.moves, every["moves"]))
        label = f"puzzle {number}: moves that win within {puzzle.turns} turns"
        rows.append(exactly(label, puzzle.key, ", ".join(every["wins"])))
        rows.append(exactly(f"puzzle {number}: moves that win a turn earlier", 0, len(every["earlier"])))
        rows.append(_alpha_beta(number, puzzle, next(each for each in mine if each["player"] == "alpha-beta")))
        for player in PLAYERS:
            rows.append(_simulated(number, puzzle, player, [each for each in mine if each["player"] == player]))
        rows.append(_proven(number, puzzle, [each for each in mine if each["player"] == SOLVER]))
    return rows


def _alpha_beta(number: int, puzzle: Puzzle, found: dict[str, Any]) -> Row:
    solved = found["move"] == puzzle.key and found["proven"] and found["seconds"] < 60
    return Row(
        label=f"puzzle {number}: alpha-beta, depth {puzzle.plies}",
        published="solved in less than a minute",
        measured=f"{found['move']}, {found['nodes']:,} nodes, {found['seconds']:.3f} s",
        verdict="agrees" if solved else "differs",
        why="" if solved else "it does not play the key move as a proven win within a minute",
    )


def _simulated(number: int, puzzle: Puzzle, player: str, found: Sequence[dict[str, Any]]) -> Row:
    solved = sum(each["move"] == puzzle.key for each in found)
    seconds = sum(each["seconds"] for each in found) / len(found)
    return Row(
        label=f"puzzle {number}: {player}, {found[0]['simulations']:,} simulations",
        published="not in 6 hours",
        measured=f"{solved} of {len(found)} runs play {puzzle.key}, {seconds:.2f} s each",
        verdict="differs" if solved else "agrees",
        why="the position is rebuilt and has fewer pieces than the lost diagram may have had" if solved else "",
    )


def _proven(number: int, puzzle: Puzzle, found: Sequence[dict[str, Any]]) -> Row:
    solved = [each for each in found if each["proven"]]
    keys = sum(each["move"] == puzzle.key for each in solved)
    text = f"{len(solved)} of {len(found)} runs prove a win, {keys} of them by {puzzle.key}"
    if solved:
        nodes, seconds = (sum(each[name] for each in solved) / len(solved) for name in ("nodes", "seconds"))
        text += f"; {nodes:,.0f} nodes, {seconds:.2f} s"
    return Row(label=f"puzzle {number}: MCTS-Solver (`kb.Uct` with proofs)", measured=text, verdict="measured")


EXPERIMENTS = (
    Experiment(
        id="king-puzzles",
        title="Abbott's puzzles of Epaminondas",
        paper=THESIS,
        table="Figures 2.14 and 2.15, section on puzzles",
        units=_units,
        run=_run,
        summarize=_rows,
        seconds={"quick": 3, "standard": 120, "full": 20_000},
        seed=SEED,
        note="Puzzles 1 and 2 are rebuilt from their printed solutions; the third cannot be. UCT and HUCT are those of "
        "the thesis, which prove nothing; what proofs add stands beside them. A proven win may take more turns than "
        "the puzzle asks for.",
    ),
)
