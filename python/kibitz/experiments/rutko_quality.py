"""Nearly optimal search in Hey! That's My Fish!: figures 46 and 47 of Rutko's thesis, quality against speed.

Best-node search stops at a move that is probably the best, if less than full quality is asked for.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import kibitz as kb
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, joint_level, mean_interval, moments, sample_count, sample_mean
from kibitz.experiments.rutko_fish import BARE, Deepened, layout, value_of
from kibitz.experiments.rutko_statistics import THESIS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "QUALITIES", "player"]

QUALITIES = tuple(range(90, -1, -10))
"""Expected quality in percent; 100 is the exact search."""

THEIR_MOVES = 47
"""The moves of the game that the thesis shows."""


@functools.cache
def player(depth: int, quality: int) -> Deepened:
    """BNS-R, of all variants the one nearest to the published curve, with a quality in percent."""
    return Deepened(player=kb.BestNode(variant="raise", quality=quality / 100, depth=depth, **BARE), depth=depth)


def _reference(kind: str) -> dict[int, dict[str, float]]:
    return {
        int(row["expected"]): {name: float(value) for name, value in row.items() if name != "kind" and value}
        for row in data.read("rutko-quality-reference")
        if row["kind"] == kind
    }


# Figure 46: the moves of games


def _game_units(scale: Scale) -> list[dict[str, int]]:
    games: dict[int, int] = {"quick": {4: 10}, "standard": {4: 200, 6: 30}, "full": {4: 1000, 6: 200}}[scale]
    return [{"depth": depth, "seed": seed} for depth, count in games.items() for seed in range(1, count + 1)]


def _game_run(unit: dict[str, int]) -> dict[str, Any]:
    """For every quality the nodes of a whole game, its wrong moves and what they lose. The exact search plays."""
    depth = unit["depth"]
    position, moves, nodes = layout(unit["seed"]), 0, 0
    found = {quality: [0, 0, 0.0] for quality in QUALITIES}
    while not position.over:
        full = player(depth, 100).search(position)
        best = value_of(position, full.best, depth)
        known = {str(full.best): best}
        moves += 1
        nodes += full.nodes
        for quality, sums in found.items():
            report = player(depth, quality).search(position)
            move = str(report.best)
            if move not in known:
                known[move] = value_of(position, report.best, depth)
            sums[0] += report.nodes
            sums[1] += known[move] < best
            sums[2] += best - known[move]
        position = position.play(full.best)
    return {"depth": depth, "moves": moves, "nodes": nodes, "found": {str(each): sums for each, sums in found.items()}}


class Curve:
    """What games of one depth say of one quality."""

    def __init__(self, results: Sequence[Any], quality: int) -> None:
        sums = [result["found"][str(quality)] for result in results]
        self.games = len(results)
        self.moves: int = sum(result["moves"] for result in results)
        self.wrong: int = sum(each[1] for each in sums)
        self.lost: float = sum(each[2] for each in sums)
        full = [result["nodes"] for result in results]
        self.saving = 100 - 100 * sum(each[0] for each in sums) / sum(full)
        # Of the ratio of two sums, the deviation of one game.
        mean = sum(full) / len(full)
        rests = [each[0] - (1 - self.saving / 100) * nodes for each, nodes in zip(sums, full, strict=True)]
        self.deviation = 100 * moments(rests)[1] / mean

    @property
    def actual(self) -> float:
        """The share of moves that were a best one, in percent."""
        return 100 - 100 * self.wrong / self.moves

    @property
    def error(self) -> float:
        """Fish lost by a wrong move."""
        return self.lost / self.wrong if self.wrong else 0.0


def _curves(results: Sequence[Any]) -> dict[int, dict[int, Curve]]:
    depths = sorted({result["depth"] for result in results})
    return {
        depth: {each: Curve([result for result in results if result["depth"] == depth], each) for each in QUALITIES}
        for depth in depths
    }


ONE_GAME = "the thesis shows one game"


def _right(curve: Curve, of: int, level: float) -> Interval:
    """Where the actual quality of another sample of moves is expected, in percent."""
    right = sample_count(curve.moves - curve.wrong, curve.moves, of=of, level=level)
    return Interval(100 * right.low / of, 100 * right.high / of)


def _game_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    curves = _curves(results)
    level = joint_level(12 * len(curves))
    for depth, curve in curves.items():
        for line in data.read("rutko-quality"):
            found, name = curve[int(line["expected"])], f"expected quality {line['expected']} %, depth {depth}"
            if line["saving"]:
                reach = sample_mean(found.saving, found.deviation, found.games, of=1, level=level)
                rows.append(
                    by_interval(
                        f"{name}: nodes saved, %", float(line["saving"]), found.saving, reach, par=0, why=ONE_GAME
                    )
                )
            if line["actual"]:
                reach = _right(found, THEIR_MOVES, level)
                rows.append(
                    by_interval(
                        f"{name}: actual quality, %", float(line["actual"]), found.actual, reach, par=100, why=ONE_GAME
                    )
                )
            if line["error"]:
                rows.append(_error(name, float(line["error"]), found))
        rows += [_on_the_curve(depth, curve, actual, saving) for actual, saving in ((98, 30), (95, 40))]
        rows += _monotone(depth, curve)
    if 6 in curves:
        rows += _game_reference(curves[6])
    return rows


def _error(name: str, published: float, found: Curve) -> Row:
    near = abs(found.error - published) <= 0.15
    return Row(
        label=f"{name}: fish lost by a wrong move",
        published=f"about {published:g}",
        measured=found.error,
        verdict="agrees" if near else "same direction" if 1 <= found.error <= 1.5 else "differs",
        why="" if near else ONE_GAME,
    )


def _on_the_curve(depth: int, curve: dict[int, Curve], actual: float, saving: float) -> Row:
    """The saving at an actual quality, between the two expected ones around it."""
    points = sorted(((each.actual, each.saving) for each in curve.values()), reverse=True)
    points.insert(0, (100.0, 0.0))
    measured = points[-1][1]
    for (high, less), (low, more) in itertools.pairwise(points):
        if low <= actual <= high:
            measured = less + (more - less) * ((high - actual) / (high - low) if high > low else 1.0)
            break
    near = abs(measured - saving) <= 10
    return Row(
        label=f"nodes saved at an actual quality of {actual:g} %, depth {depth}, %",
        published=saving,
        measured=measured,
        verdict="agrees" if near else "same direction",
        why="" if near else f"{ONE_GAME}, in which a single wrong move is 2 %",
    )


def _monotone(depth: int, curve: dict[int, Curve]) -> Iterator[Row]:
    savings = [curve[quality].saving for quality in QUALITIES]
    yield Row(
        label=f"nodes saved at the expected qualities 90 to 0 %, depth {depth}, %",
        measured=" / ".join(f"{each:.1f}" for each in savings),
        verdict="measured",
    )
    yield Row(
        label=f"actual quality at the expected qualities 90 to 0 %, depth {depth}, %",
        measured=" / ".join(f"{curve[quality].actual:.2f}" for quality in QUALITIES),
        verdict="measured",
    )


def _game_reference(curve: dict[int, Curve]) -> Iterator[Row]:
    level = joint_level(2 * len(QUALITIES))
    for quality, line in _reference("game").items():
        found, name = curve[quality], f"our reference: expected quality {quality} %, depth 6"
        reach = sample_mean(found.saving, found.deviation, found.games, of=20, level=level)
        yield by_interval(f"{name}: nodes saved, %", line["saving"], found.saving, reach, par=0, source="reference")
        reach = _right(found, 20 * THEIR_MOVES, level)
        yield by_interval(
            f"{name}: actual quality, %", line["actual"], found.actual, reach, par=100, source="reference"
        )


def _game_plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    figure, (top, bottom) = plots.panels([("expected quality, %", "%"), ("actual quality, %", "nodes saved, %")])
    for colour, (depth, curve) in zip(plots.COLOURS, _curves(results).items(), strict=False):
        top.plot(
            QUALITIES, [curve[each].actual for each in QUALITIES], color=colour, label=f"actual quality, depth {depth}"
        )
        top.plot(
            QUALITIES, [curve[each].saving for each in QUALITIES], "--", color=colour, label=f"saved, depth {depth}"
        )
        bottom.plot(
            [curve[each].actual for each in QUALITIES],
            [curve[each].saving for each in QUALITIES],
            "o-",
            color=colour,
            label=f"depth {depth}",
        )
    bottom.plot([98, 95, 75], [30, 40, 75], "x", color=plots.COLOURS[6], label="thesis")
    for axes in (top, bottom):
        axes.invert_xaxis()
        plots.legend(axes)
    return figure


# Figure 47: matches


def _match_units(scale: Scale) -> list[dict[str, int]]:
    layouts: dict[int, int] = {"quick": {4: 6}, "standard": {4: 200, 6: 100}, "full": {4: 1000, 6: 400}}[scale]
    return [
        {"depth": depth, "quality": quality, "layout": seed}
        for depth, count in layouts.items()
        for quality in QUALITIES
        for seed in range(1, count + 1)
    ]


def _match_run(unit: dict[str, int]) -> dict[str, Any]:
    """Two games on one layout, with seats exchanged."""
    depth = unit["depth"]
    game = kb.game("fish", placement="random", seed=unit["layout"])
    players = {"quality": player(depth, unit["quality"]), "full": player(depth, 100)}
    table = kb.match(game, players, games=2, workers=0)
    mine, theirs = table["quality"], table["full"]
    return {
        "depth": depth,
        "quality": unit["quality"],
        "score": mine.score,
        "difference": mine.result,
        "nodes": [round(mine.nodes * mine.moves), round(theirs.nodes * theirs.moves)],
    }


class Pairs:
    """What pairs of games on one layout say of one quality."""

    def __init__(self, results: Sequence[Any]) -> None:
        self.layouts = len(results)
        scores = [100 * result["score"] for result in results]
        self.score = moments(scores)[0]
        # With a pair won and one lost more, so that a few even pairs leave some doubt (A. Agresti and B. Coull, 1998).
        self.score_deviation = moments([*scores, 0.0, 100.0])[1]
        self.difference, self.difference_deviation, _ = moments([result["difference"] for result in results])
        mine, theirs = (sum(result["nodes"][seat] for result in results) for seat in (0, 1))
        self.saving = 100 - 100 * mine / theirs
        rests = [result["nodes"][0] - mine / theirs * result["nodes"][1] for result in results]
        self.saving_deviation = 100 * moments(rests)[1] / (theirs / len(results))

    def interval(self, name: str, of: int, level: float) -> Interval:
        """Where a figure of another series, of so many layouts, is expected."""
        return sample_mean(getattr(self, name), getattr(self, f"{name}_deviation"), self.layouts, of=of, level=level)


def _pairs(results: Sequence[Any]) -> dict[int, dict[int, Pairs]]:
    depths = sorted({result["depth"] for result in results})
    return {
        depth: {
            quality: Pairs([each for each in results if (each["depth"], each["quality"]) == (depth, quality)])
            for quality in QUALITIES
        }
        for depth in depths
    }


def _match_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    rows = []
    pairs = _pairs(results)
    level = joint_level(4 * len(pairs))
    for depth, found in pairs.items():
        for line in data.read("rutko-quality-match"):
            each, name = found[int(line["expected"])], f"expected quality {line['expected']} %, depth {depth}"
            reach = each.interval("score", 100, level)
            rows.append(by_interval(f"{name}: score, %", float(line["score"]), each.score, reach))
            if line["saving"]:
                reach = each.interval("saving", 100, level)
                wide = Interval(reach.low - 2.5, reach.high + 2.5)
                rows.append(by_interval(f"{name}: nodes saved, %", float(line["saving"]), each.saving, wide, par=0))
        rows.append(_degrades(depth, found))
        rows += _series(depth, found)
    if 6 in pairs:
        rows += _match_reference(pairs[6])
    return rows


def _degrades(depth: int, found: dict[int, Pairs]) -> Row:
    worst = found[0]
    interval = mean_interval(worst.score, worst.score_deviation, worst.layouts)
    loses = interval.high < 50
    return Row(
        label=f"expected quality 0 %, depth {depth}: score, %",
        published="considerably below 50",
        measured=worst.score,
        interval=interval,
        verdict="agrees" if loses else "differs" if interval.low > 50 else "measured",
        why="" if loses else "the games say the opposite" if interval.low > 50 else "too few games to tell",
    )


def _series(depth: int, found: dict[int, Pairs]) -> Iterator[Row]:
    shown: tuple[tuple[str, Callable[[Pairs], float]], ...] = (
        ("score, %", lambda each: each.score),
        ("difference of fish", lambda each: each.difference),
        ("nodes saved, %", lambda each: each.saving),
    )
    for name, figure in shown:
        yield Row(
            label=f"{name}, at the expected qualities 90 to 0 %, depth {depth}",
            measured=" / ".join(f"{figure(found[quality]):.1f}" for quality in QUALITIES),
            verdict="measured",
        )


def _match_reference(found: dict[int, Pairs]) -> Iterator[Row]:
    level = joint_level(3 * len(QUALITIES))
    for quality, line in _reference("match").items():
        for name, unit in (("score", ", %"), ("difference", " of fish"), ("saving", ", %")):
            each = found[quality]
            label = f"our reference: expected quality {quality} %, depth 6: {name}{unit}"
            reach = each.interval(name, 100, level)
            yield by_interval(label, line[name], getattr(each, name), reach, par=0, source="reference")


def _match_plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    labels = [("expected quality, %", "score, %"), ("expected quality, %", "nodes saved, %")]
    figure, (top, bottom) = plots.panels(labels)
    for depth, found in _pairs(results).items():
        errors = [1.96 * each.score_deviation / math.sqrt(each.layouts) for each in found.values()]
        scores = [each.score for each in found.values()]
        low, high = ([x + sign * e for x, e in zip(scores, errors, strict=True)] for sign in (-1, 1))
        plots.band(top, QUALITIES, low, scores, high, label=f"depth {depth}")
        bottom.plot(QUALITIES, [each.saving for each in found.values()], label=f"depth {depth}")
    for axes in (top, bottom):
        axes.invert_xaxis()
        plots.legend(axes)
    return figure


EXPERIMENTS = (
    Experiment(
        id="rutko-quality",
        title="Nearly optimal search: quality against speed",
        paper=THESIS,
        table="Figure 46",
        units=_game_units,
        run=_game_run,
        summarize=_game_rows,
        plot=_game_plot,
        seconds={"quick": 2, "standard": 220, "full": 1500},
        seed=1,
        note="Hey! That's My Fish!, BNS-R with iterative deepening, no table; asked after every child whether to stop. "
        "The exact search plays the games, so that all qualities see the same positions. "
        "The figure is lost; published is what the prose says of one game of 47 moves, so an interval is where such a "
        "game is expected after what was measured. *Our reference* is not published: it was computed by us for the "
        "specification of this experiment by an independent program.",
    ),
    Experiment(
        id="rutko-quality-match",
        title="Nearly optimal search: matches against full quality",
        paper=THESIS,
        table="Figure 47",
        units=_match_units,
        run=_match_run,
        summarize=_match_rows,
        plot=_match_plot,
        seconds={"quick": 3, "standard": 1200, "full": 5000},
        seed=1,
        note="Hey! That's My Fish!, BNS-R with iterative deepening, no table, as before. Two games a layout with seats "
        "exchanged; a tie is half a point. The thesis has 100 layouts at depth 6. *Our reference* is not published: it "
        "was computed by us for the specification of this experiment by an independent program.",
    ),
)
