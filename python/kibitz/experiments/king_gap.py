"""An experiment of our own: what closes the gap between Monte-Carlo search and alpha-beta in Epaminondas?

King's thesis ends with the gap: UCT and HUCT lose clearly to alpha-beta at depth 3, and traps are blamed. Five remedies
are added to UCT one at a time, at equal simulations and at equal time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import kibitz as kb
from kibitz.arena.batches import t_test
from kibitz.arena.statistics import Interval, score_interval
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import joint_level
from kibitz.experiments.king_players import COLOURS, alpha_beta, game, play_one, seat, uct

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "UCT", "VARIANTS", "Size", "player"]

SEED = 2014
UCT = "UCT"

VARIANTS: dict[str, dict[str, Any]] = {
    UCT: {},
    "UCT of the thesis": {"final_move": "max"},
    "progressive bias": {"progressive_bias": 0.5},
    "MCTS-Solver": {"solver": True},
    "PN-MCTS": {"solver": True, "proof_numbers": 1.0},
    "implicit minimax": {"implicit_minimax": 0.4},
    "RAVE": {"rave": 1000.0},
}
"""What is added to UCT with the constant of the thesis. Weights are for results in [0, 1].

Progressive bias has H/(n + 1) with the H of HUCT; the others have the parameters of their papers. All but the thesis'
own play the most visited move: where a term keeps the search away from a move, its mean may be that of one lucky game,
and the move with the highest mean, which the thesis plays, is often such a one.
"""

Kind = Literal["simulations", "seconds"]


class Size(NamedTuple):
    """Pairs of games of each variant, the simulations or the seconds of a move, and the depth of alpha-beta."""

    pairs: int
    simulations: int
    seconds: float
    depth: int = 3

    def amount(self, kind: Kind) -> float:
        """Simulations or seconds a move."""
        return self.simulations if kind == "simulations" else self.seconds

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What is equal for all; so little time as the scale quick has is not measured."""
        return ("simulations", "seconds") if self.seconds else ("simulations",)


SIZES: dict[Scale, Size] = {
    "quick": Size(2, 10, 0, 2),
    "standard": Size(16, 1000, 0.1),
    "full": Size(500, 10_000, 1.0),
}


def player(variant: str, kind: Kind, amount: float) -> kb.Uct:
    """A variant with a limit of simulations or seconds a move."""
    changes = {"final_move": "robust", **VARIANTS[variant]}
    if kind == "simulations":
        return uct(int(amount), **changes)
    return uct(1, **changes).replace(simulations=None, seconds=amount)


def _units(scale: Scale) -> list[dict[str, Any]]:
    size = SIZES[scale]
    return [
        {"variant": variant, "kind": kind, "amount": size.amount(kind), "depth": size.depth, "pair": pair}
        for kind in size.kinds
        for variant in VARIANTS
        for pair in range(size.pairs)
    ]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """The points of two games, one with each colour, and the simulations a move."""
    rules, rival = game("epaminondas"), alpha_beta(unit["depth"])
    own = player(unit["variant"], unit["kind"], unit["amount"])
    points = 0.0
    for colour in COLOURS:
        players: list[kb.Algorithm] = [rival, rival]
        players[seat(colour)] = own
        record = play_one(rules, players, SEED, unit["kind"], unit["pair"], colour)
        points += (1 + record.result[seat(colour)]) / 4
    return {**unit, "score": points}


class _Scores:
    """The scores of the pairs of a variant, beside those of UCT."""

    def __init__(self, results: Sequence[Any], variant: str, kind: str) -> None:
        self.pairs: list[float] = [
            result["score"] for result in results if (result["variant"], result["kind"]) == (variant, kind)
        ]

    @property
    def mean(self) -> float:
        return math.fsum(self.pairs) / len(self.pairs)

    def interval(self, level: float = 0.95) -> Interval:
        return score_interval(self.pairs, level)


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    size = SIZES[scale]
    rows = []
    for kind in size.kinds:
        found = {variant: _Scores(results, variant, kind) for variant in VARIANTS}
        limit = f"{size.simulations:,} simulations" if kind == "simulations" else f"{size.seconds:g} s"
        level = joint_level(len(VARIANTS))
        for variant, scores in found.items():
            label = f"{limit} a move, {variant}: score against alpha-beta at depth {size.depth}"
            why = "" if variant == UCT else _change(scores, found[UCT])
            interval = scores.interval(level)
            rows.append(Row(label=label, measured=scores.mean, interval=interval, verdict="measured", why=why))
        rows.append(_which(limit, found))
    return rows


def _change(scores: _Scores, base: _Scores) -> str:
    found = t_test(scores.pairs, base.pairs)
    text = f"{100 * (scores.mean - base.mean):+.0f} points against UCT, p = {found.p:.2g}"
    return text.replace("-", "−", 1)


def _which(limit: str, found: dict[str, _Scores]) -> Row:
    """Which variants are better than UCT beyond doubt (all tests together), and whether the best is a match."""
    base = found[UCT]
    tests = {name: t_test(scores.pairs, base.pairs) for name, scores in found.items() if name != UCT}
    better = [name for name, test in tests.items() if test.statistic > 0 and test.p < 0.05 / len(tests)]
    better.sort(key=lambda name: -found[name].mean)
    text = ", ".join(f"{name} ({found[name].mean:.2f})" for name in better) or "none beyond doubt"
    if better:
        best = found[better[0]].interval()
        text += "; closed" if best.low > 0.5 else "; level with alpha-beta" if best.high >= 0.5 else "; not closed"
    label = f"{limit} a move: what closes the gap to alpha-beta"
    return Row(label=label, measured=text, verdict="measured", why=f"UCT scores {base.mean:.2f}")


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    kinds = list(dict.fromkeys(result["kind"] for result in results))
    labels = [("", f"score, equal {kind}") for kind in kinds]
    figure, panels = plots.panels(labels, "Epaminondas, against alpha-beta")
    for axes, kind in zip(panels, kinds, strict=True):
        found = {variant: _Scores(results, variant, kind) for variant in VARIANTS}
        ends = [scores.interval() for scores in found.values()]
        series = {"score": [scores.mean for scores in found.values()]}
        plots.bars(axes, list(found), series, {"score": [(end.low, end.high) for end in ends]})
        axes.axhline(0.5, color="black", linewidth=0.6)
        axes.set_ylim(0, 1)
    return figure


EXPERIMENTS = (
    Experiment(
        id="king-gap",
        title="What closes the gap to alpha-beta in Epaminondas",
        paper="An experiment of our own, after the last chapter of D. W. King Jr.'s thesis (2014)",
        table="none is published",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 4, "standard": 1500, "full": 300_000},
        seed=SEED,
        note="Progressive bias, MCTS-Solver, PN-MCTS, implicit minimax back-ups and RAVE, each added alone to UCT with "
        "the constant of the thesis, against `kb.king()`. They play the most visited move; the thesis plays the "
        "one with the highest mean, which is measured, too. Both play each colour once in a pair; a draw is half "
        "a point, so that alpha-beta against itself would score 0.5. Intervals are for all variants together.",
    ),
)
