"""SP-MCTS on random boards of SameGame: time for a game or for each move, and tuned parameters (tables 3.3 and 3.5)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import moments
from kibitz.experiments.schadd_boards import (
    RESULT_SCALES,
    SEED,
    difference,
    divided,
    mean,
    of_boards,
    run,
    unit,
)
from kibitz.experiments.schadd_samegame import THESIS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "FINAL_MOVES", "PLAYERS", "PLAYOUTS_A_SECOND"]

PLAYOUTS_A_SECOND = 5_000
"""Of the thesis' machine, which made 100,000 in about 20 seconds: seconds are not the same on any other."""

PLAYERS: dict[str, kb.SpMcts] = {
    "per game": kb.SpMcts(preset="exploitation"),
    "per move": kb.SpMcts(preset="exploitation", control="move"),
    "per game, tuned": kb.SpMcts(preset="cem-game"),
    "per move, tuned": kb.SpMcts(preset="cem-move"),
}

FINAL_MOVES: dict[str, kb.SpMcts] = {
    "highest result": PLAYERS["per move"].replace(final_move="top"),
    "highest mean": PLAYERS["per move"].replace(final_move="max"),
    "most visits": PLAYERS["per move"].replace(final_move="robust"),
    "best line, tree kept": PLAYERS["per move"].replace(keep_tree=True),
}
"""What the thesis leaves open: which move is played between two searches, and whether the tree behind it is kept."""

PAIRS = (("per move", "per game"), ("per move, tuned", "per move"))
"""Who is better than whom in the thesis."""


class Size(NamedTuple):
    """Seconds of the thesis, and the boards; the moves between searches are compared with the fewest seconds."""

    seconds: tuple[float, ...]
    boards: int


SIZES: dict[Scale, Size] = {
    "quick": Size((0.4,), 8),
    "standard": Size((5, 10, 20), 40),
    "full": Size((5, 10, 20, 30, 60), 250),
}


def _units(scale: Scale) -> list[dict[str, Any]]:
    size = SIZES[scale]
    tables = [(seconds, PLAYERS if place else PLAYERS | FINAL_MOVES) for place, seconds in enumerate(size.seconds)]
    return [
        unit(
            index,
            search.replace(simulations=round(seconds * PLAYOUTS_A_SECOND)),
            name=name,
            seconds=seconds,
            scale=divisor,
        )
        for seconds, players in tables
        for divisor, (name, search), index in itertools.product(RESULT_SCALES, players.items(), range(size.boards))
    ]


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    known = {(float(row["seconds"]), row["player"]): row for row in data.read("schadd-time-control")}
    size = SIZES[scale]
    rows = []
    for seconds, divisor in itertools.product(size.seconds, RESULT_SCALES):
        place: dict[str, Any] = {"seconds": seconds, "scale": divisor}
        title = f"{seconds * PLAYOUTS_A_SECOND:,.0f} playouts, {divided(divisor)}"

        def published(player: str, column: str, seconds: float = seconds) -> float | None:
            text = known[seconds, player][column] if (seconds, player) in known else ""
            return float(text) if text else None

        def scores(player: str, place: dict[str, Any] = place) -> dict[int, float]:
            return of_boards(results, name=player, **place)

        why = "playouts stand for seconds, and the scale of the results is not known"
        for name in PLAYERS:
            rows.append(mean(f"{title}, {name}: mean score", published(name, "score"), scores(name), why=why))
        for name in ("per move", "per move, tuned"):
            for column, words in (("depth", "mean depth"), ("deepest", "deepest node")):
                found = of_boards(results, column, name=name, **place)
                label = f"{title}, {name}: {words}"
                unsaid = "the thesis does not say over which trees of a game"
                rows.append(mean(label, published(name, column), found, why=unsaid))
        for more, less in PAIRS:
            one, other = published(more, "score"), published(less, "score")
            gain = None if one is None or other is None else one - other
            rows.append(difference(f"{title}: {more} − {less}", gain, scores(more), scores(less), why=why))
        if seconds == size.seconds[0]:
            rows += [
                difference(
                    f"{title}, per move: {name} − next move of the best line", None, scores(name), scores("per move")
                )
                for name in FINAL_MOVES
            ]
    return rows


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    labels = [("playouts", f"mean score, {divided(divisor)}") for divisor in RESULT_SCALES]
    figure, panels = plots.panels(labels, "SP-MCTS in SameGame")
    budgets = sorted({each["seconds"] for each in results})
    for axes, divisor in zip(panels, RESULT_SCALES, strict=True):
        for name in PLAYERS:
            found = [of_boards(results, name=name, seconds=seconds, scale=divisor) for seconds in budgets]
            playouts = [seconds * PLAYOUTS_A_SECOND for seconds in budgets]
            axes.plot(playouts, [moments(list(each.values()))[0] for each in found], marker="o", label=name)
        axes.set_xscale("log")
        plots.legend(axes)
    return figure


EXPERIMENTS = (
    Experiment(
        id="schadd-time-control",
        title="SP-MCTS in SameGame: time for a game or for each move, parameters by hand or tuned",
        paper=THESIS,
        table="Tables 3.3 and 3.5",
        units=_units,
        run=run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 4, "standard": 1300, "full": 40_000},
        seed=SEED,
        note="A second of the thesis is 5,000 playouts here. Move by move each search gets a share of 1 / 64.4. "
        "The next move is that of the best line known, which the thesis does not say; other choices are "
        "compared with it. A search of a whole game with raw points ends early, when 1,000 playouts have "
        "added no node.",
    ),
)
