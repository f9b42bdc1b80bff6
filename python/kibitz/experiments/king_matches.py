"""UCT and HUCT against alpha-beta in Crossings and Epaminondas: tables 5.1 to 5.8 of King's thesis and their figures.

The thesis gives 1, 5, 10 and 15 seconds a move on its machines; here simulations a move in the same ratio are fixed, so
that the games can be repeated anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.arena.batches import Comparison, anova, cut, t_test
from kibitz.arena.statistics import Interval
from kibitz.experiments.experiment import Experiment, Row, Scale, Verdict
from kibitz.experiments.judging import by_interval, by_order, joint_level, moments, wilson
from kibitz.experiments.king_players import COLOURS, alpha_beta, game, huct, play_one, seat, uct
from kibitz.experiments.king_states import THESIS
from kibitz.experiments.king_statistics import SECONDS, rates, t_tests

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EXPERIMENTS", "Played", "Size"]

SEED = 2014
PLAYERS = ("UCT", "HUCT")
ALPHA_BETA = "alpha-beta"

WHY = "simulations a move take the place of seconds, and the weights of the evaluation are not published"
FEW = "not significant with so few games"


class Size(NamedTuple):
    """How much is played.

    - `simulations`: a move for one second of the thesis;
    - `games`: of each player with each colour at each level, in batches of `batch`;
    - `depth`: of alpha-beta.
    """

    simulations: int
    games: int
    batch: int
    depth: int = 3

    def level(self, seconds: int) -> str:
        """How the rows name a level."""
        other = "" if self.depth == 3 else f" and depth {self.depth}"
        return f"{seconds} s, here {seconds * self.simulations:,} simulations{other}"


SIZES: dict[str, dict[Scale, Size]] = {
    "crossings": {"quick": Size(10, 4, 2, 2), "standard": Size(800, 100, 10), "full": Size(10_000, 5000, 100)},
    "epaminondas": {"quick": Size(2, 2, 1, 2), "standard": Size(100, 30, 3), "full": Size(5000, 5000, 100)},
}

TABLES = {
    ("crossings", "White"): ("5.1", "5.2"),
    ("crossings", "Black"): ("5.3", "5.4"),
    ("epaminondas", "White"): ("5.5", "5.6"),
    ("epaminondas", "Black"): ("5.7", "5.8"),
}


def _units(name: str, scale: Scale) -> list[dict[str, Any]]:
    """Batches of games: against alpha-beta at four levels with both colours, and of alpha-beta against itself."""
    size = SIZES[name][scale]
    met = [
        {"player": player, "colour": colour, "seconds": seconds, "simulations": seconds * size.simulations}
        for player in PLAYERS
        for colour in COLOURS
        for seconds in SECONDS
    ]
    alone: dict[str, Any] = {"player": ALPHA_BETA, "colour": "White", "seconds": 0, "simulations": 0}
    return [
        {"game": name, **each, "depth": size.depth, "first": first, "games": size.batch}
        for each in (*met, alone)
        for first in range(0, size.games, size.batch)
    ]


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """The results for the named player, 1, 0 or −1, and the plies of each game."""
    rules, own = game(unit["game"]), seat(unit["colour"])
    rival = alpha_beta(unit["depth"])
    player: kb.Algorithm = rival
    if unit["player"] != ALPHA_BETA:
        player = (uct if unit["player"] == "UCT" else huct)(unit["simulations"])
    players: list[kb.Algorithm] = [rival, rival]
    played = []
    for index in range(unit["first"], unit["first"] + unit["games"]):
        players[own] = player
        # Games of the two Monte-Carlo players have no random moves; two alpha-beta players would repeat one game.
        parts = (SEED, unit["game"], unit["player"], unit["colour"], unit["simulations"], unit["depth"], index)
        record = play_one(rules, players, *parts, openings=player is rival)
        played.append([record.result[own], record.plies])
    return {**{key: unit[key] for key in ("game", "player", "colour", "seconds", "simulations")}, "played": played}


class Played:
    """Games of a player with a colour at a level."""

    def __init__(self, played: Sequence[Sequence[float]], batch: int) -> None:
        self.results = [result for result, _ in played]
        self.plies = [plies for _, plies in played]
        self.batch = batch

    @property
    def games(self) -> int:
        """How many games."""
        return len(self.results)

    def count(self, result: int) -> int:
        """Games won (1), drawn (0) or lost (−1)."""
        return self.results.count(result)

    @property
    def wins(self) -> float:
        """The share of games won."""
        return self.count(1) / self.games

    def interval(self, level: float = 0.95) -> Interval:
        """Wilson's interval of that share."""
        return wilson(self.count(1), self.games, level)

    @property
    def batches(self) -> list[float]:
        """The share of games won in each batch."""
        return cut([float(result == 1) for result in self.results], self.batch)

    def turned(self) -> Played:
        """The same games from the other side."""
        return Played([(-result, plies) for result, plies in zip(self.results, self.plies, strict=True)], self.batch)


Cells = dict[tuple[str, str, int], Played]
"""By player, colour and seconds; alpha-beta against itself has the same games for all seconds."""


def _cells(results: Sequence[Any]) -> Cells:
    collected: dict[tuple[str, str, int], list[Sequence[float]]] = {}
    for result in results:
        collected.setdefault((result["player"], result["colour"], result["seconds"]), []).extend(result["played"])
    batch = len(results[0]["played"])
    cells = {key: Played(played, batch) for key, played in collected.items()}
    alone = cells.pop((ALPHA_BETA, "White", 0))
    for seconds in SECONDS:
        cells[ALPHA_BETA, "White", seconds] = alone
        cells[ALPHA_BETA, "Black", seconds] = alone.turned()
    return cells


def _rows(name: str, scale: Scale, results: Sequence[Any]) -> list[Row]:
    size, cells = SIZES[name][scale], _cells(results)
    rows = []
    for colour in COLOURS:
        rows += _win_rates(name, colour, size, cells)
        rows += [_alpha_beta(name, colour, cells), *(_grows(name, colour, player, cells) for player in PLAYERS)]
        rows += [_difference(name, colour, seconds, size, cells) for seconds in SECONDS]
        rows += [_variance(name, colour, seconds, size, cells) for seconds in SECONDS]
        rows += [_against_its_own(name, colour, player, size, cells) for player in PLAYERS]
        rows += [_by_length(name, colour, player, cells) for player in PLAYERS]
    return rows


def _win_rates(name: str, colour: str, size: Size, cells: Cells) -> list[Row]:
    table, published = TABLES[name, colour][0], rates()
    level = joint_level(len(PLAYERS) * len(SECONDS))
    rows = []
    for seconds in SECONDS:
        for player in PLAYERS:
            cell = cells[player, colour, seconds]
            label = f"Table {table}, {colour}, {player}, {size.level(seconds)}: games won"
            printed = published[name, colour, player, seconds].wins
            rows.append(by_interval(label, printed, cell.wins, cell.interval(level), par=0.5, why=WHY))
    for player in PLAYERS:
        found = [cells[player, colour, seconds] for seconds in SECONDS]
        printed_draws = [published[name, colour, player, seconds].draws for seconds in SECONDS]
        rows.append(
            Row(
                label=f"Table {table}, {colour}, {player}: games drawn at the four levels",
                published=" / ".join(f"{each:.3f}" for each in printed_draws),
                measured=" / ".join(f"{each.count(0) / each.games:.3f}" for each in found),
                verdict="measured",
                why="the thesis names no rule for draws",
            )
        )
    return rows


def _alpha_beta(name: str, colour: str, cells: Cells) -> Row:
    """Alpha-beta against itself has no time limit that matters, so that its four columns are one here."""
    printed = [rates()[name, colour, ALPHA_BETA, seconds].wins for seconds in SECONDS]
    cell = cells[ALPHA_BETA, colour, SECONDS[0]]
    interval = cell.interval()
    low, high = min(printed), max(printed)
    inside = interval.low <= high and interval.high >= low
    same = (interval.low > 0.5) == (low > 0.5) and (interval.high < 0.5) == (high < 0.5)
    return Row(
        label=f"Table {TABLES[name, colour][0]}, {colour}, alpha-beta: games won",
        published=f"{low:.3f} to {high:.3f}",
        measured=cell.wins,
        interval=interval,
        verdict="agrees" if inside else "same direction" if same else "differs",
        why="" if inside else f"{cell.count(0)} of {cell.games} games are drawn; {WHY}",
    )


def _grows(name: str, colour: str, player: str, cells: Cells) -> Row:
    published = {f"{seconds} s": rates()[name, colour, player, seconds].wins for seconds in SECONDS}
    found = {f"{seconds} s": cells[player, colour, seconds] for seconds in SECONDS}
    label = f"{colour}, {player}: win rate by time"
    intervals = {key: cell.interval() for key, cell in found.items()}
    return by_order(label, published, {key: cell.wins for key, cell in found.items()}, intervals, why=WHY)


def _difference(name: str, colour: str, seconds: int, size: Size, cells: Cells) -> Row:
    """HUCT against UCT; t is positive where HUCT wins more, and the thesis prints it without a sign."""
    printed = t_tests()[name, colour, seconds]
    theirs = rates()[name, colour, "HUCT", seconds].wins - rates()[name, colour, "UCT", seconds].wins
    found = t_test(cells["HUCT", colour, seconds].batches, cells["UCT", colour, seconds].batches)
    verdict, why = _judged(printed["different"] == "yes", theirs, found)
    sign = "−" if theirs < 0 else ""
    return Row(
        label=f"Table {printed['table']}, {colour}, {size.level(seconds)}: HUCT against UCT",
        published=f"t(98) = {sign}{printed['t']}, p = {printed['p']}",
        measured=f"t({found.freedom[0]}) = {found.statistic:.2f}, p = {found.p:.2g}".replace("-", "−", 1),
        verdict=verdict,
        why=why,
    )


def _judged(significant: bool, theirs: float, found: Comparison) -> tuple[Verdict, str]:
    ours = found.p < 0.05
    same = theirs * found.statistic > 0
    if significant == ours and (same or not ours):
        return "agrees", ""
    if ours:
        return "differs", f"here {'HUCT' if found.statistic > 0 else 'UCT'} wins more; {WHY}"
    return ("same direction" if same else "measured"), FEW


def _by_tendency(same: bool, sure: bool) -> Verdict:
    """A tendency that is not significant confirms only a direction, and contradicts nothing."""
    if sure:
        return "agrees" if same else "differs"
    return "same direction" if same else "measured"


def _variance(name: str, colour: str, seconds: int, size: Size, cells: Cells) -> Row:
    found = anova(*(cells[player, colour, seconds].batches for player in (ALPHA_BETA, *PLAYERS)))
    # Stated for one of the tables, and without numbers.
    stated = (name, colour) == ("crossings", "White")
    sure = found.p < 0.05
    return Row(
        label=f"{colour}, {size.level(seconds)}: analysis of variance of alpha-beta, UCT and HUCT",
        published="significant" if stated else None,
        measured=f"F({found.freedom[0]}, {found.freedom[1]}) = {found.statistic:.1f}, p = {found.p:.2g}",
        verdict="agrees" if stated and sure else "measured",
        why="" if sure else FEW,
    )


def _against_its_own(name: str, colour: str, player: str, size: Size, cells: Cells) -> Row:
    """Whether Monte-Carlo search does better against alpha-beta than alpha-beta itself, at the highest level."""
    seconds = SECONDS[-1]
    theirs, rival = (rates()[name, colour, each, seconds].wins for each in (player, ALPHA_BETA))
    ours, own = cells[player, colour, seconds], cells[ALPHA_BETA, colour, seconds]
    found = t_test(ours.batches, own.batches)
    same = (theirs - rival) * (ours.wins - own.wins) > 0
    sure = found.p < 0.05

    def text(first: float, second: float) -> str:
        return f"{first:.3f} {'>' if first > second else '<' if first < second else '='} {second:.3f}"

    return Row(
        label=f"{colour}, {size.level(seconds)}: win rate of {player} and of alpha-beta against alpha-beta",
        published=text(theirs, rival),
        measured=f"{text(ours.wins, own.wins)}, p = {found.p:.2g}",
        verdict=_by_tendency(same, sure),
        why="" if same and sure else WHY if sure else FEW,
    )


def _by_length(name: str, colour: str, player: str, cells: Cells) -> Row:
    """The figures pool the levels, and so does this."""
    won, lost = (
        [
            plies
            for seconds in SECONDS
            for result, plies in zip(
                cells[player, colour, seconds].results, cells[player, colour, seconds].plies, strict=True
            )
            if result == wanted
        ]
        for wanted in (1, -1)
    )
    label = f"{colour}, {player}: plies of games won and lost"
    published = "longer games, more wins" if name == "crossings" else "longer games, fewer wins"
    if min(len(won), len(lost)) < 2:
        text = f"{len(won)} won, {len(lost)} lost"
        return Row(label=label, published=published, measured=text, verdict="measured", why="too few to compare")
    found = t_test(won, lost)
    same = (found.statistic > 0) == (name == "crossings")
    sure = found.p < 0.05
    return Row(
        label=label,
        published=published,
        measured=f"{moments(won)[0]:.1f} and {moments(lost)[0]:.1f}, p = {found.p:.2g}",
        verdict=_by_tendency(same, sure),
        why="" if same and sure else WHY if sure else FEW,
    )


def _bins(cells: Cells, player: str, colour: str, count: int = 6) -> list[tuple[float, int, int]]:
    """Games by their length, in bins of equal numbers: the mean length, games won, games."""
    games = sorted(
        (plies, result == 1)
        for seconds in SECONDS
        for result, plies in zip(
            cells[player, colour, seconds].results, cells[player, colour, seconds].plies, strict=True
        )
    )
    parts = [games[len(games) * k // count : len(games) * (k + 1) // count] for k in range(count)]
    return [
        (moments([plies for plies, _ in part])[0], sum(won for _, won in part), len(part)) for part in parts if part
    ]


def _plot(results: Sequence[Any]) -> Figure:
    from kibitz import plots

    name, cells = results[0]["game"], _cells(results)
    simulations = {result["seconds"]: result["simulations"] for result in results if result["seconds"]}
    labels = [
        *((f"simulations a move, {colour}", "games won") for colour in COLOURS),
        *((f"length in plies, {colour}", "games won") for colour in COLOURS),
    ]
    figure, panels = plots.panels(labels, f"{name.capitalize()}, against alpha-beta")
    for axes, colour in zip(panels[:2], COLOURS, strict=True):
        for number, player in enumerate(PLAYERS):
            found = [cells[player, colour, seconds] for seconds in SECONDS]
            ends = [each.interval() for each in found]
            xs = [simulations[seconds] for seconds in SECONDS]
            low, high = [each.low for each in ends], [each.high for each in ends]
            plots.band(axes, xs, low, [each.wins for each in found], high, label=player)
            printed = [rates()[name, colour, player, seconds].wins for seconds in SECONDS]
            label = f"{player}, published, seconds in the same ratio"
            axes.plot(xs, printed, "--", color=plots.COLOURS[number], label=label)
        axes.set_ylim(0, 1)
    for axes, colour in zip(panels[2:], COLOURS, strict=True):
        for player in PLAYERS:
            bins = _bins(cells, player, colour)
            ends = [wilson(won, games) for _, won, games in bins]
            low, high = [each.low for each in ends], [each.high for each in ends]
            middle = [won / games for _, won, games in bins]
            plots.band(axes, [plies for plies, _, _ in bins], low, middle, high, label=player)
        axes.set_ylim(0, 1)
    plots.common_legend(figure)
    return figure


def _experiment(name: str, table: str, seconds: dict[Scale, float]) -> Experiment:
    return Experiment(
        id=f"king-matches-{name}",
        title=f"UCT and HUCT against alpha-beta in {name.capitalize()}",
        paper=THESIS,
        table=table,
        units=partial(_units, name),
        run=_run,
        summarize=partial(_rows, name),
        plot=_plot,
        seconds=seconds,
        seed=SEED,
        note="The thesis gives 1, 5, 10 and 15 seconds a move; here simulations a move in the same ratio are fixed. "
        "Its constants 0.445 (UCT) and 0.667 (HUCT) are for results from −1 to 1; `kb.Uct` scales results to [0, "
        "1], where half of them does the same. Alpha-beta is `kb.king()` at depth 3, or 2 at the scale quick, "
        "with the plain sum of the features; HUCT adds the same evaluation to the value of a move, squashed to "
        "[−1, 1] by tanh, because its scale is not published either. t-tests and analyses of variance are over "
        "the win rates of batches. Alpha-beta against itself has one set of games for all levels, with random "
        "moves as in the games for the complexity.",
    )


EXPERIMENTS = (
    _experiment("crossings", "Tables 5.1 to 5.4, figures 5.9 to 5.12", {"quick": 3, "standard": 1700, "full": 1e7}),
    _experiment("epaminondas", "Tables 5.5 to 5.8, figures 5.15 to 5.18", {"quick": 4, "standard": 1600, "full": 5e7}),
)
