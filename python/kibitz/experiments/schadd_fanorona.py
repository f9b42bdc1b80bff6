"""Fanorona by self-play: its length, its branching and what becomes of the pieces; and how many positions it has."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.arena.estimators import Estimate, jackknife
from kibitz.arena.playing import derive
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, exactly, wilson

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["DEPTH", "EXPERIMENTS", "POINTS", "Player", "database_positions", "statistics"]

THESIS = (
    "M. P. D. Schadd, *Selective Search in Games of Different Complexity*, PhD thesis, Maastricht University 2011, "
    "chapter 4"
)
SEED = 4
DEPTH = 4
POINTS = 45
PUBLISHED_GAMES = 10_000
SIZES = tuple(int(row["pieces"]) for row in data.read("schadd-table-4-1"))

PLIES = 60
"""How far the number of pieces is followed."""


class Player(NamedTuple):
    """Alpha-beta by material with so many random points, of which a piece has 100; or random play.

    The search of a player who is `wary` knows that a repeated position is a draw.
    """

    noise: int | None
    wary: bool = False

    @property
    def label(self) -> str:
        """How the rows name it."""
        if self.noise is None:
            return "random play"
        factor = "one piece" if self.noise == PIECE else f"{self.noise / PIECE:g} pieces"
        return f"alpha-beta, random factor below {factor}" + (", wary of repetition" if self.wary else "")


OTHER_DRAW = "each of many intervals misses once in twenty, and the two programs draw their random factors differently"

PIECE = 100
RANDOM, JUDGED = Player(None), Player(PIECE)
"""A factor of less than a piece decides between moves that win as much; all others are variations."""

GAMES: dict[Scale, dict[Player, int]] = {
    "quick": {RANDOM: 600, JUDGED: 30, Player(600): 10, Player(PIECE, wary=True): 5},
    "standard": {
        RANDOM: 10_000,
        JUDGED: 800,
        Player(300): 400,
        Player(600): 400,
        Player(2000): 400,
        Player(PIECE, wary=True): 200,
    },
    "full": {
        RANDOM: 100_000,
        **{Player(noise): 10_000 for noise in (PIECE, 300, 600, 2000)},
        Player(PIECE, wary=True): 2000,
    },
}


def _batch(player: Player) -> int:
    """Games of a unit."""
    return 100 if player == RANDOM else 5


def _units(scale: Scale) -> list[dict[str, Any]]:
    return [
        {"noise": player.noise, "wary": player.wary, "first": first, "games": _batch(player)}
        for player, games in GAMES[scale].items()
        for first in range(0, games, _batch(player))
    ]


def _choose(player: Player, position: kb.Position, seed: int) -> Any:
    if player.noise is None:
        return random.Random(seed).choice(position.moves)
    options = {"noise": player.noise, "seed": seed >> 1}
    if not player.wary:
        # More often than a search of a few plies can see.
        options["repetition"] = 100
    return kb.AlphaBeta(depth=DEPTH, tt_mb=1, options=options).search(position).best


def statistics(player: Player, first: int, games: int) -> dict[str, Any]:
    """Sums over games of a player against itself.

    - `sizes`: for every size of a database that would end the game, the plies and the legal moves before that;
    - `pieces`: for every number of pieces, the positions, their legal moves, and how many of them have a capture;
    - `plies`: the pieces after 0, 1, 2, … plies; a game that is over keeps its own.
    """
    sizes = {size: [0, 0] for size in SIZES}
    pieces = {count: [0, 0, 0] for count in range(POINTS)}
    plies = [0] * (PLIES + 1)
    for index in range(first, first + games):
        position: kb.Position = kb.game("fanorona").start()
        ply = 0
        while True:
            count = _pieces(position)
            if position.over:
                break
            legal = len(position.moves)
            for size, sums in sizes.items():
                if count > size:
                    sums[0] += 1
                    sums[1] += legal
            by_count = pieces[count]
            by_count[0] += 1
            by_count[1] += legal
            by_count[2] += position.moves[0][-1] in "AW"
            if ply <= PLIES:
                plies[ply] += count
            position = position.play(_choose(player, position, derive(SEED, *player, index, ply)))
            ply += 1
        for later in range(ply, PLIES + 1):
            plies[later] += count
    return {
        "noise": player.noise,
        "wary": player.wary,
        "games": games,
        "sizes": [sizes[size] for size in SIZES],
        "pieces": [pieces[count] for count in range(POINTS)],
        "plies": plies,
    }


def _pieces(position: kb.Position) -> int:
    board = str(position).split()[0]
    return board.count("w") + board.count("b")


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    return statistics(Player(unit["noise"], unit["wary"]), unit["first"], unit["games"])


def _by_player(results: Sequence[Any]) -> dict[Player, list[Any]]:
    found: dict[Player, list[Any]] = {}
    for result in results:
        found.setdefault(Player(result["noise"], result["wary"]), []).append(result)
    return found


def _estimates(units: Sequence[Any], place: int) -> dict[str, Estimate]:
    """Length, branching and the logarithm of the game tree with a database of the size at that place."""
    import numpy as np

    rows = np.array([[unit["games"], *unit["sizes"][place]] for unit in units], dtype=float)
    return {
        "length": jackknife(rows, lambda games, plies, _legal: plies / games),
        "branching": jackknife(rows, lambda _games, plies, legal: legal / plies),
        "tree": jackknife(rows, lambda games, plies, legal: plies / games * np.log10(legal / plies)),
    }


_LABELS = {"length": "length", "branching": "branching factor", "tree": "game tree, log10"}


def _beside(label: str, published: str, estimate: Estimate, more: float, why: str, source: str = "published") -> Row:
    """A value beside one of another sample that is as many times smaller, and that is rounded."""
    reach = (estimate.high - estimate.low) / 2 * math.sqrt(1 + more) + 0.5 * 10.0 ** -len(published.partition(".")[2])
    interval = Interval(estimate.value - reach, estimate.value + reach)
    return by_interval(label, float(published), estimate.value, interval, why=why, source=source)


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    table = {int(row["pieces"]): row for row in data.read("schadd-table-4-1")}
    reference = _reference()
    found = _by_player(results)
    rows = []
    for player, units in found.items():
        games = sum(unit["games"] for unit in units)
        more = games / PUBLISHED_GAMES
        why = "the thesis names a search of four plies"
        if player != RANDOM:
            why = "how large the random factor was and how ties were broken is not published"
        for place, size in enumerate(SIZES):
            if player not in (RANDOM, JUDGED) and size not in (SIZES[0], SIZES[-1]):
                continue
            estimates = _estimates(units, place)
            where = f"{player.label}, {games:,} games" + (f", until {size} pieces are left" if size else "")
            for column, label in _LABELS.items():
                rows.append(_beside(f"{where}: {label}", table[size][column], estimates[column], more, why))
            known, known_games = reference.get((player, size), ({}, 1))
            for column, value in known.items():
                label = f"{where}: {_LABELS[column]}, another program"
                found_there = estimates[column]
                rows.append(_beside(label, value, found_there, games / known_games, OTHER_DRAW, source="reference"))
    for player in (JUDGED, RANDOM):
        rows += _figures(player, found[player])
    rows += _sizes()
    return rows


def _reference() -> dict[tuple[Player, int], tuple[dict[str, str], int]]:
    """Length and branching as another program has them, by player and size of the database, and of how many games."""
    columns = ("length", "branching")
    found = {}
    for row in data.read("schadd-fanorona-random"):
        found[RANDOM, int(row["pieces"])] = {column: row[column] for column in columns}, 10_000
    for row in data.read("schadd-fanorona-players"):
        found[Player(int(row["noise"])), int(row["pieces"])] = {column: row[column] for column in columns}, 400
    return found


def _sums(units: Sequence[Any]) -> list[list[int]]:
    """Positions, legal moves and positions with a capture, by the number of pieces."""
    return [[sum(unit["pieces"][count][k] for unit in units) for k in range(3)] for count in range(POINTS)]


def _means(units: Sequence[Any]) -> list[float]:
    """The mean number of pieces after each ply."""
    games = sum(unit["games"] for unit in units)
    return [sum(unit["plies"][ply] for unit in units) / games for ply in range(PLIES + 1)]


def _judged(label: str, published: str, measured: Any, holds: bool, why: str, interval: Interval | None = None) -> Row:
    return Row(
        label=label,
        published=published,
        measured=measured,
        interval=interval,
        verdict="agrees" if holds else "differs",
        why="" if holds else why,
    )


def _figures(player: Player, units: Sequence[Any]) -> list[Row]:
    """What the thesis reads off its figures 4.5 to 4.7."""
    sums, means = _sums(units), _means(units)
    many = [sums[count] for count in range(19, POINTS)]
    positions, captures = sum(each[0] for each in many), sum(each[2] for each in many)
    share = captures / positions
    rows = [
        _judged(
            f"{player.label}: positions of 19 pieces and more that have a capture",
            "to be expected",
            share,
            share > 0.9,
            "captures are not the rule there",
            wilson(captures, positions),
        )
    ]
    quiet = [count for count, (seen, _legal, taken) in enumerate(sums) if seen and 2 * taken < seen]
    border = max(quiet, default=0)
    seen, _legal, taken = sums[border]
    rows.append(
        _judged(
            f"{player.label}: most pieces with which captures are rarer than paikas",
            "12",
            border,
            border == 12,
            f"with {border} pieces {100 * taken / seen:.0f} % of {seen:,} positions have a capture",
        )
    )
    branching = [legal / seen if seen else 0.0 for seen, legal, _taken in sums]
    peaks = [count for count in range(4, 13) if branching[count] == max(branching[count - 2 : count + 3])]
    rows.append(
        _judged(
            f"{player.label}: the branching factor has a local maximum below 13 pieces",
            "yes",
            f"at {peaks[0]} pieces, {branching[peaks[0]]:.1f}" if peaks else "no",
            bool(peaks),
            "it falls or rises all the way",
        )
    )
    rows.append(
        _judged(
            f"{player.label}: pieces left after 21 plies",
            "fewer than 8",
            means[21],
            means[21] < 8,
            "more are left on average; games that are over keep theirs",
        )
    )
    early, late = means[5] - means[15], means[15] - means[25]
    rows.append(
        _judged(
            f"{player.label}: pieces captured from ply 15 to 25, and from ply 5 to 15",
            "slowly after about 15 plies",
            f"{late:.1f} and {early:.1f}",
            late < early / 2,
            "they do not fall much more slowly",
        )
    )
    return rows


def _sizes() -> list[Row]:
    """What follows from the rules alone."""
    states = POINTS * math.log10(3)
    published = {int(row["pieces"]): row for row in data.read("schadd-table-4-1")}
    drops = [float(published[size]["tree"]) for size in SIZES]
    mean = (drops[0] - drops[-1]) / SIZES[-1]
    return [
        exactly("state space, log10 of 3^45", 21, states, places=0),
        _judged(
            "published: how many times smaller the game tree is with each further piece, mean, log10",
            "more than 2",
            mean,
            mean > 2,
            "the table says otherwise",
        ),
    ]


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    labels = [
        ("pieces", "positions with a capture"),
        ("pieces", "branching factor"),
        ("plies", "pieces"),
    ]
    figure, (ratio, branching, left) = plots.panels(labels, "Fanorona, figures 4.5 to 4.7")
    for player, units in _by_player(results).items():
        sums = _sums(units)
        # Curves of a handful of positions would be noise.
        counts = [count for count in range(2, POINTS) if sums[count][0] >= 20]
        ratio.plot(counts, [sums[count][2] / sums[count][0] for count in counts], label=player.label)
        branching.plot(counts, [sums[count][1] / sums[count][0] for count in counts], label=player.label)
        left.plot(range(PLIES + 1), _means(units), label=player.label)
    plots.common_legend(figure)
    return figure


def database_positions(points: int, pieces: int) -> int:
    """Positions with so many pieces of which each side has one at least, the side to move included.

    >>> database_positions(45, 2)
    1980
    """
    return sum(math.comb(points, pieces) * math.comb(pieces, own) for own in range(1, pieces))


BITS = 2
SEVEN, NINE = 7, 9


def _count_units(scale: Scale) -> list[int]:  # noqa: ARG001
    return [int(row["pieces"]) for row in data.read("schadd-table-4-2")]


def _count_run(pieces: int) -> int:
    return database_positions(POINTS, pieces)


def _count_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    rows = []
    counts = dict(zip(_count_units(scale), results, strict=True))
    for row in data.read("schadd-table-4-2"):
        pieces, published = int(row["pieces"]), int(row["positions"])
        rounded = published != counts[pieces] and round(counts[pieces], -2) == published
        why = f"it is {counts[pieces]:,}; the printed number is rounded to hundreds" if rounded else ""
        rows.append(exactly(f"positions of {pieces} pieces", f"{published:,}", f"{counts[pieces]:,}", why=why))
    total = sum(counts[pieces] for pieces in range(2, NINE + 1)) * BITS / 8
    rows.append(
        exactly(
            "gigabytes of all up to 9 pieces at 2 bits",
            119.3,
            total / 2**30,
            places=1,
            why=f"{total / 1e9:.2f} GB of 10^9 bytes, {total / 2**30:.2f} GiB",
        )
    )
    seven = sum(counts[pieces] for pieces in range(2, SEVEN + 1))
    rows.append(Row(label="positions of all up to 7 pieces", measured=f"{seven:,}", verdict="measured"))
    return rows


EXPERIMENTS = (
    Experiment(
        id="schadd-table-4-1",
        title="Fanorona: length, branching and pieces by self-play",
        paper=THESIS,
        table="Table 4.1, figures 4.5 to 4.7",
        units=_units,
        run=_run,
        summarize=_rows,
        plot=_plot,
        seconds={"quick": 4, "standard": 150, "full": 3000},
        seed=SEED,
        note="A database is virtual: a game is stopped when so many pieces are left. The thesis's player searches four "
        "plies with alpha-beta by material and a random factor whose size it does not give; here it is a uniform "
        "number of hundredths of a piece, drawn again for every position and search. The first repetition is a draw; "
        "a player whose search knows that, and is ahead, avoids it, and games become much longer, so that the judged "
        "player does not know. Length and branching stand also beside those of a program that shares no code with "
        "this one. "
        "Intervals allow for chance in both samples. The figures have no numbers in print: what is judged is what the "
        "text reads off them.",
    ),
    Experiment(
        id="schadd-table-4-2",
        title="Fanorona: positions by the number of pieces",
        paper=THESIS,
        table="Table 4.2",
        units=_count_units,
        run=_count_run,
        summarize=_count_rows,
        seconds={"quick": 0.1, "standard": 0.1, "full": 0.1},
        note="Every split of the pieces between the side to move and the other counts; symmetric positions count each.",
    ),
)
