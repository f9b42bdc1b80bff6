"""The statistics of ProbCut and Multi-ProbCut: how well a shallow search foretells a deep one.

M. Buro, *ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm*, ICCA Journal 18 (1995), and
*Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello* (1997). The model is

    deep value = slope · shallow value + offset + error,

with an error of mean 0 and the same `deviation` everywhere, fitted by least squares for each pair of depths and, for
Multi-ProbCut, for each stage of the game.

>>> import kibitz as kb
>>> fit = kb.probcut.fit("othello", pairs=[(1, 3)], positions=60, seed=1, workers=0)
>>> [(line.shallow, line.deep, line.positions > 40, line.usable) for line in fit.lines]
[(1, 3, True, True)]
>>> kb.MultiProbCut(depth=5, checks=fit.checks()).search(kb.game("othello").start()).depth
5

`kb.ProbCut.fit` and `kb.MultiProbCut.fit` do both at once.
"""

from __future__ import annotations

import functools
import math
import random
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb

if TYPE_CHECKING:
    import os

    from matplotlib.figure import Figure

    from kibitz.plots import Size

__all__ = ["Fit", "Line", "fit", "shipped"]

SHIPPED = Path(__file__).parent / "fits"
"""The fits that come with the package: `ALGORITHM-GAME.toml`."""

SEARCHER = kb.AlphaBeta(tt_mb=8, same_depth=True)
"""What searches: values at exactly the depth asked for, a table that is made quickly."""

RANDOM = 0.2
"""The share of random moves in the games from which positions are taken."""

FOLDS = 5
"""How often the positions are divided to see how a fit does on positions that it has not seen."""

LONGEST = 2000
"""Where games that do not end are cut, in plies."""


class Line(NamedTuple):
    """The regression of one pair of depths in one stage. Values are in units of the result, for the player to move.

    `stage` counts from 0; `correlation` is Pearson's; `covered` is the share of positions whose deep value lay within
    1.5 deviations of what the positions of the other folds foretold; 0.87 if the errors are normal.
    """

    stage: int
    shallow: int
    deep: int
    slope: float
    offset: float
    deviation: float
    correlation: float
    positions: int
    covered: float

    @property
    def usable(self) -> bool:
        """Whether a greater shallow value foretells a greater deep one, which is what ProbCut needs."""
        return self.slope > 0 and math.isfinite(self.deviation)

    def foretold(self, shallow: float) -> float:
        """The deep value that a shallow one foretells."""
        return self.slope * shallow + self.offset


@dataclass(frozen=True, kw_only=True)
class Fit:
    """The regressions of a game.

    `stages` are the values of `position.progress` at which a stage begins, the first of them 0; `proven` counts pairs
    of values that were left out because one was proven, which a deeper search cannot change. `samples` has the pairs
    of values behind each line; a fit that was loaded has none. `chance_plies` says whether chance nodes counted as
    plies, in a game that has some.
    """

    game: str
    seed: int
    stages: tuple[int, ...]
    lines: tuple[Line, ...]
    proven: int = 0
    chance_plies: bool | None = None
    samples: tuple[tuple[tuple[float, float], ...], ...] = field(default=(), repr=False, compare=False)

    def stage(self, progress: int) -> int:
        """The stage of a position with this `position.progress`."""
        return bisect_right(self.stages, progress) - 1

    def checks(self, threshold: float = 1.5, stage: int | None = None) -> tuple[tuple[float, ...], ...]:
        """The checks of all stages, or of one, for `checks=`; the shallow ones of a height first.

        Each is `(height, depth, threshold, slope, offset, deviation)`, followed by the least and the greatest progress
        of its stage if there are several and all of them are asked for.
        `threshold` is how many deviations a foretold value must lie outside of the window: 1.5, as published, cuts
        wrongly about once in fifteen times if the errors are normal.
        """
        if stage is not None and not 0 <= stage < len(self.stages):
            raise kb.BadParameter(f"stage={stage!r} must be a whole number below {len(self.stages)}")
        if not threshold >= 0:
            raise kb.BadParameter(f"threshold={threshold!r} must be zero or more")
        everywhere = stage is not None or len(self.stages) == 1
        ends = (*(start - 1 for start in self.stages[1:]), math.inf)
        used = [line for line in self.lines if line.usable and stage in (None, line.stage)]
        return tuple(
            (line.deep, line.shallow, float(threshold), line.slope, line.offset, line.deviation)
            + (() if everywhere else (self.stages[line.stage], ends[line.stage]))
            for line in sorted(used, key=lambda line: (line.deep, line.shallow, line.stage))
        )

    def __str__(self) -> str:
        head = ("stage", "depths", "positions", "slope", "offset", "deviation", "correlation", "covered")
        rows: list[tuple[str, ...]] = [head]
        for line in self.lines:
            numbers = (line.slope, line.offset, line.deviation, line.correlation, line.covered)
            shown = tuple(f"{number:.3g}" for number in numbers)
            rows.append((str(line.stage), f"{line.shallow} -> {line.deep}", str(line.positions), *shown))
        widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the fit as a TOML file."""
        writer = "ProbCut; written by kibitz.probcut"
        if self.chance_plies is not None:
            writer = "ChanceProbCut; written by kibitz.chanceprobcut"
        text = f"# How well shallow searches foretell deep ones, for {writer}.\n"
        text += (
            f"game = {_quoted(self.game)}\nseed = {self.seed}\nstages = {list(self.stages)}\nproven = {self.proven}\n"
        )
        if self.chance_plies is not None:
            text += f"chance_plies = {str(self.chance_plies).lower()}\n"
        for line in self.lines:
            text += "\n[[line]]\n" + "".join(f"{name} = {value!r}\n" for name, value in line._asdict().items())
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise kb.Error(f"cannot write {path}: {error.strerror}") from error

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Fit:
        """Reads a fit that `save` has written."""
        from kibitz.arena.tournament import _toml

        try:
            data = _toml(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise kb.Error(f"cannot read {path}: {error.strerror}") from error
        except ValueError as error:
            raise kb.Error(f"{path} is not a TOML file: {error}") from error
        try:
            lines = tuple(Line(**{name: kind(each[name]) for name, kind in _KINDS.items()}) for each in data["line"])
            stages = tuple(map(int, data["stages"]))
            found = cls(
                game=str(data["game"]),
                seed=int(data["seed"]),
                stages=stages,
                lines=lines,
                proven=int(data["proven"]),
                chance_plies=bool(data["chance_plies"]) if "chance_plies" in data else None,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise kb.Error(f"{path} is not a fit of ProbCut: {error!r} is missing or wrong") from error
        _check_stages(stages)
        if not all(0 <= line.stage < len(stages) for line in lines):
            raise kb.Error(f"{path} is not a fit of ProbCut: a line belongs to a stage that is not there")
        return found

    def figure(self, size: Size = "paper") -> Figure:
        """Deep values against shallow ones with the line and its deviation; one panel a pair of depths and stage."""
        from kibitz import plots

        labels = [(f"value at depth {line.shallow}", f"value at depth {line.deep}") for line in self.lines]
        figure, panels = plots.panels(labels, size=size)
        for number, (axes, line) in enumerate(zip(panels, self.lines, strict=True)):
            points = self.samples[number] if self.samples else ()
            xs = sorted({shallow for shallow, _ in points}) or [-1.0, 1.0]
            ends = [xs[0], xs[-1]]
            if points:
                shallow, deep = zip(*points, strict=True)
                axes.scatter(shallow, deep, s=4, color=plots.COLOURS[6], alpha=0.35, linewidths=0)
            low, middle, high = ([line.foretold(x) + share * line.deviation for x in ends] for share in (-1.5, 0, 1.5))
            plots.band(axes, ends, low, middle, high)
            stage = f", stage {line.stage}" if len(self.stages) > 1 else ""
            axes.set_title(f"depth {line.shallow} → {line.deep}{stage}, r = {line.correlation:.3f}")
        return figure

    def plot(self, path: str | os.PathLike[str], size: Size = "paper") -> None:
        """Writes the figure as SVG, PNG or PDF, by the ending of the name."""
        from kibitz import plots

        plots.save(self.figure(size), path)


_KINDS: dict[str, Any] = {
    name: int if name in ("stage", "shallow", "deep", "positions") else float for name in Line._fields
}


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _check_stages(stages: Sequence[int]) -> None:
    whole = all(isinstance(ply, int) and not isinstance(ply, bool) for ply in stages)
    if not stages or not whole or stages[0] != 0 or sorted(set(stages)) != list(stages):
        raise kb.BadParameter(f"stages={stages!r} are where a stage begins: rising, the first of them 0")


class _Unit(NamedTuple):
    """A position to look for and to search; a pure function of it gives the values."""

    game: kb.Game
    player: kb.Algorithm
    quick: kb.Algorithm
    depths: tuple[int, ...]
    seed: int
    number: int


class _Values(NamedTuple):
    """How far a position has come and its value at each depth; `None` where the value is proven."""

    progress: int
    values: tuple[float | None, ...]


def _sample(unit: _Unit) -> _Values:
    """Plays a game, mostly by a quick search, and searches one of its positions to every depth."""
    rng = random.Random(f"{unit.seed} {unit.number}")
    position = chosen = unit.game.start()
    seen = 0
    for _ in range(LONGEST):
        if position.turn is None:
            break
        if position.turn == "chance":
            outcomes, probabilities = zip(*position.outcomes, strict=True)
            position = position.play(rng.choices(outcomes, probabilities)[0])
            continue
        # each position of the game is chosen with the same probability, without knowing how many will come
        if rng.randrange(seen + 1) == 0:
            chosen = position
        seen += 1
        moves = position.moves
        report = None if rng.random() < RANDOM else unit.quick.search(position, seed=rng.getrandbits(32))
        position = position.play(rng.choice(moves) if report is None else report.best)
    found = [unit.player.search(chosen, depth=depth) for depth in unit.depths]
    return _Values(chosen.progress or 0, tuple(None if report.proven else report.value for report in found))


def fit(
    game: kb.Game | str,
    pairs: Sequence[tuple[int, int]] = ((4, 8),),
    *,
    positions: int = 1000,
    stages: Sequence[int] = (0,),
    player: kb.AlphaBeta = SEARCHER,
    seed: int = 0,
    workers: int | None = None,
) -> Fit:
    """Fits the lines of a game: one for each pair of depths, shallow and deep, and each stage.

    As many games as there are `positions` are played, a fifth of the moves at random and the others by a search of two
    plies, and one position of each is searched to all depths. `stages` are the values of `position.progress` at which a
    stage begins: discs on the board of othello, pieces captured in breakthrough. `player` may have extensions of its
    own; the depths replace its limit. The same seed gives the same fit, whatever the number of `workers` (processes; 0
    for this one).
    """
    return regress(game, pairs, player, player.replace(depth=2), positions, stages, seed, workers)


def regress(
    game: kb.Game | str,
    pairs: Sequence[tuple[int, int]],
    player: kb.Algorithm,
    quick: kb.Algorithm,
    positions: int,
    stages: Sequence[int],
    seed: int,
    workers: int | None,
) -> Fit:
    """The fit of a player's values, in positions of games that are played by a quick one."""
    from kibitz.arena.executor import execute

    chosen = kb.game(game) if isinstance(game, str) else game
    pairs, starts = _pairs(pairs), tuple(stages)
    _check_stages(starts)
    if not isinstance(positions, int) or isinstance(positions, bool) or not 10 <= positions <= 10_000_000:
        raise kb.BadParameter(f"positions={positions!r} must be a whole number from 10 to 10,000,000")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise kb.BadParameter(f"seed={seed!r} must be a whole number, zero or more")
    depths = tuple(sorted({depth for pair in pairs for depth in pair}))
    # a clear refusal here, not out of a process
    quick.search(_first(chosen))
    if len(starts) > 1 and chosen.start().progress is None:
        raise kb.BadParameter(f"stages={starts}: {chosen.name} does not say how far it has come, so it has one stage")
    units = (_Unit(chosen, player, quick, depths, seed, number) for number in range(positions))
    values: list[_Values] = [_Values(0, ())] * positions
    for number, found in execute(_sample, units, workers=workers):
        values[number] = found
    lines, samples, proven = [], [], 0
    for stage, shallow, deep in ((stage, *pair) for stage in range(len(starts)) for pair in pairs):
        here = [each.values for each in values if bisect_right(starts, each.progress) - 1 == stage]
        both = [(each[depths.index(shallow)], each[depths.index(deep)]) for each in here]
        points = tuple((low, high) for low, high in both if low is not None and high is not None)
        proven += len(both) - len(points)
        lines.append(_line(stage, shallow, deep, points))
        samples.append(points)
    name = chosen.spec if isinstance(chosen, kb.NativeGame) else chosen.name
    return Fit(game=name, seed=seed, stages=starts, lines=tuple(lines), proven=proven, samples=tuple(samples))


def _first(game: kb.Game) -> kb.Position:
    """The first position of a game in which a player moves."""
    position: kb.Position = game.start()
    for _ in range(LONGEST):
        if position.turn != "chance":
            break
        position = position.play(position.outcomes[0][0])
    return position


def shipped(algorithm: str, game: kb.Game) -> tuple[tuple[float, ...], ...]:
    """The checks that come with the package for an algorithm and a native game with its default parameters."""
    found = shipped_fit(algorithm, game)
    return found.checks() if found is not None else ()


def shipped_fit(algorithm: str, game: kb.Game) -> Fit | None:
    """The fit that comes with the package for an algorithm and a native game with its default parameters."""
    if not isinstance(game, kb.NativeGame) or game.spec != game.name:
        return None
    return _shipped(f"{algorithm}-{game.name}.toml")


@functools.cache
def _shipped(name: str) -> Fit | None:
    path = SHIPPED / name
    return Fit.load(path) if path.exists() else None


def _pairs(pairs: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    for pair in pairs:
        whole = len(pair) == 2 and all(isinstance(depth, int) and not isinstance(depth, bool) for depth in pair)
        if not whole or not 1 <= pair[0] < pair[1] <= 1000:
            raise kb.BadParameter(f"pairs has {pair!r}: each is (shallow, deep), as in (4, 8)")
    if not pairs or len(set(pairs)) != len(pairs):
        raise kb.BadParameter("pairs must be some pairs (shallow, deep), all different")
    return tuple((shallow, deep) for shallow, deep in pairs)


def _line(stage: int, shallow: int, deep: int, points: Sequence[tuple[float, float]]) -> Line:
    """The regression of some pairs of values; not usable where there are too few of them, or all are the same."""
    slope, offset, deviation, correlation = _regression(points)
    inside = sum(
        abs(high - (a * low + b)) <= 1.5 * sigma for held, (a, b, sigma, _) in _folds(points) for low, high in held
    )
    covered = inside / len(points) if len(points) > 2 * FOLDS else math.nan
    return Line(stage, shallow, deep, slope, offset, deviation, correlation, len(points), covered)


def _folds(
    points: Sequence[tuple[float, float]],
) -> Iterator[tuple[Sequence[tuple[float, float]], tuple[float, float, float, float]]]:
    """Each fold, with the regression of all others."""
    if len(points) <= 2 * FOLDS:
        return
    for fold in range(FOLDS):
        rest = [point for number, point in enumerate(points) if number % FOLDS != fold]
        yield points[fold::FOLDS], _regression(rest)


def _regression(points: Sequence[tuple[float, float]]) -> tuple[float, float, float, float]:
    """Slope, offset, deviation of the errors and correlation."""
    from scipy import stats

    if len(points) < 3 or len({low for low, _ in points}) < 2:
        return (0.0, 0.0, math.inf, math.nan)
    found = stats.linregress(*zip(*points, strict=True))
    slope, offset, correlation = float(found.slope), float(found.intercept), float(found.rvalue)
    errors = math.fsum((high - slope * low - offset) ** 2 for low, high in points)
    return (slope, offset, math.sqrt(errors / (len(points) - 2)), correlation)
