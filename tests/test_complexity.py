"""Complexity is right on games that can be counted, and its intervals and bounds are what they say."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from typing import Any

import kibitz as kb
import numpy as np
import pytest
from kibitz.arena.complexity import figure
from kibitz.arena.estimators import chao, count, jackknife, knuth
from kibitz.arena.openings import Openings, RandomPlies
from kibitz.cli import app
from kibitz.experiments.complexity_literature import EXPERIMENTS, PLAYERS, _states, boards
from scipy import stats
from typer.testing import CliRunner

TIC_TAC_TOE = kb.game("tic-tac-toe")


class Coin(kb.Game):
    """Nine times in ten there is one move, else there are three."""

    def start(self):
        return "coin"

    def turn(self, state):
        return "chance" if state == "coin" else None if "!" in state else 0

    def moves(self, state):
        return {"coin": ["short", "long"], "short": ["a"], "long": ["a", "b", "c"]}[state]

    def chance(self, state):
        return [("short", 0.9), ("long", 0.1)]

    def play(self, state, move):
        return move if state == "coin" else f"{state}{move}!"

    def result(self, state):
        return 1


class Loop(kb.Game):
    """A walk around a circle of five places that never ends."""

    players = 1

    def start(self):
        return 0

    def turn(self, state):
        return 0

    def moves(self, state):
        return [1, 4]

    def play(self, state, move):
        return (state + move) % 5

    def result(self, state):
        return 0


class Over(kb.Game):
    def start(self):
        return ()

    def turn(self, state):
        return None

    def moves(self, state):
        return []

    def play(self, state, move):
        return state

    def result(self, state):
        return 0


def measure(
    game: kb.Game | str, player: kb.Algorithm | str | None = None, games: int = 200, **more: Any
) -> kb.Complexity:
    return kb.complexity(game, player, games, **{"workers": 0, **more})


def number_of_games(position: kb.Position) -> int:
    @functools.cache
    def below(position: kb.Position) -> int:
        return 1 if position.over else sum(below(position.play(move)) for move in position.moves)

    return below(position)


@pytest.mark.parametrize(("width", "depth"), [(2, 9), (3, 6), (5, 2), (1, 4)])
def test_a_uniform_tree_has_its_width_as_branching_factor_and_its_size_exactly(width, depth):
    found = measure(kb.game("random-tree", width=width, depth=depth), games=50)
    size = depth * math.log10(width)
    for each in dataclasses.astuple(found.branching):
        assert each == pytest.approx((width, width, width), abs=1e-9)
    assert dataclasses.astuple(found.length.mean) == (depth, depth, depth)
    for each in (found.tree.power, found.tree.lines):
        assert dataclasses.astuple(each) == pytest.approx((size, size, size), abs=1e-9)
    assert found.tree.knuth.value == pytest.approx(size, abs=1e-9)
    assert found.tree.knuth.error == 0
    assert found.tree.knuth.effective == pytest.approx(50)
    assert [ply.moves.value for ply in found.curve] == [width] * depth


def test_tic_tac_toe_has_5478_positions_and_255168_games():
    found = measure(TIC_TAC_TOE, games=3000)
    assert found.states.complete
    assert found.states.by_moves == (1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78)
    assert found.states.total == 5478
    games = 10**found.tree.knuth.value
    assert games == pytest.approx(255_168, rel=4 * found.tree.knuth.error)
    assert found.tree.knuth.error < 0.02
    assert [ply.moves.value for ply in found.curve[:5]] == [9, 8, 7, 6, 5]
    assert found.curve[5].games < found.curve[4].games == 3000


@pytest.mark.parametrize("piles", [(2, 2), (1, 2, 3), (3, 3)])
def test_knuths_mean_is_the_number_of_games_of_nim(piles):
    game = kb.game("nim", piles=piles)
    found = measure(game, games=2000).tree.knuth
    assert 10**found.value == pytest.approx(number_of_games(game.start()), rel=4 * found.error)
    assert found.error < 0.1


def test_outcomes_of_chance_weigh_by_their_probability_and_not_by_their_number():
    found = measure(Coin(), games=4000)
    assert 10**found.tree.knuth.value == pytest.approx(4, rel=4 * found.tree.knuth.error)
    assert found.tree.knuth.error < 0.05
    assert 10 ** measure("kuhn-poker", games=2000).tree.knuth.value == pytest.approx(30, rel=0.05)
    assert found.states.by_moves == (1, 2, 4)


def test_chance_multiplies_the_tree():
    found = measure("kuhn-poker", games=500)
    # Two cards are dealt, one of three and one of the two that are left; every decision is between two moves.
    chance = 2 * math.log10((3 + 2) / 2)
    assert found.tree.power.value == pytest.approx(found.length.mean.value * math.log10(2) + chance)
    assert found.tree.lines.value == pytest.approx(found.length.mean.value * math.log10(2) + math.log10(6))


@pytest.mark.parametrize("game", ["connect-four", "breakthrough:rows=5,cols=4", "othello:size=4"])
def test_the_definitions_fit_together(game):
    found = measure(game, games=100)
    plies = sum(ply.games for ply in found.curve)
    assert found.branching.pooled.value == pytest.approx(sum(p.games * p.moves.value for p in found.curve) / plies)
    assert found.length.mean.value == pytest.approx(plies / 100) == pytest.approx(np.mean(found.length.every))
    assert found.tree.lines.value == pytest.approx(
        found.length.mean.value * math.log10(found.branching.geometric.value)
    )
    assert found.tree.lines.value < found.tree.power.value
    assert found.draws is not None
    assert sum(each.value for each in (*found.wins, found.draws)) == pytest.approx(1)
    assert list(found.length.quantiles.values()) == sorted(found.length.quantiles.values())
    assert found.length.quantiles[0.0] == min(found.length.every)


def test_positions_are_counted_as_far_as_the_limit_allows():
    # J. Tromp's counts of connect four, OEIS A212693.
    counts = (1, 7, 49, 238, 1120, 4263)
    found = measure("connect-four", games=10, positions=20_000).states
    assert (found.by_moves, found.complete) == (counts, False)
    assert count(kb.game("connect-four").start(), 10) == ((1, 7), False)
    assert count(kb.game("connect-four").start(), 0) == ((1,), False)


def test_a_game_that_goes_in_circles_is_counted_and_cut():
    found = measure(Loop(), games=20, max_plies=30)
    assert (found.states.by_moves, found.states.complete) == ((1, 2, 2), True)
    assert found.cut == 20
    assert set(found.length.every) == {30}
    assert found.tree.knuth.value == pytest.approx(30 * math.log10(2))
    assert (found.wins, found.draws) == ((), None)


def test_chaos_bound_is_the_formula_and_lies_below_the_truth():
    lines = [frozenset({0, 1, 2}), frozenset({0, 1, 3}), frozenset({0, 4, 5}), frozenset({0, 6, 7})]
    # Six positions occur once, one twice, eight in all.
    assert chao(lines)["at_least"].value == 8 + 3 / 4 * 6 * 5 / (2 * 2)
    bounds = [measure(TIC_TAC_TOE, games=300, seed=seed, positions=0).states for seed in range(10)]
    assert all(each.seen <= each.at_least.low <= each.at_least.value <= each.at_least.high for each in bounds)
    assert all(each.at_least.value > 1.5 * each.seen for each in bounds)
    assert np.mean([each.at_least.value for each in bounds]) < 5478


def test_the_interval_of_chaos_bound_covers_what_other_samples_give():
    found = [measure(TIC_TAC_TOE, games=300, seed=seed, positions=0).states.at_least for seed in range(40)]
    middle = np.mean([each.value for each in found])
    assert sum(each.low <= middle <= each.high for each in found) >= 34


def test_the_jackknife_is_students_interval_for_a_mean():
    values = np.random.default_rng(1).normal(3, 2, 40)
    found = jackknife(values[:, None], lambda mean: mean)
    known = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.value, found.low, found.high) == pytest.approx((values.mean(), known.low, known.high))


def test_intervals_of_ratios_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(2)
    hits, runs = 0, 2000
    for _ in range(runs):
        lengths = rng.integers(5, 60, 100)
        moves = lengths * rng.normal(8, 1, 100)
        found = jackknife(np.column_stack([lengths, moves]), lambda plies, moves: moves / plies)
        hits += found.low <= 8 <= found.high
    assert 0.935 <= hits / runs <= 0.965


def test_knuths_bound_holds_however_skew_the_lines_are():
    rng = np.random.default_rng(3)
    # The mean of 10^N(0, 3) is e^(σ²/2) with σ = 3 ln 10, twenty powers of ten above the median.
    truth = (3 * math.log(10)) ** 2 / 2 / math.log(10)
    found = [knuth(rng.normal(0, 3, 100)) for _ in range(500)]
    assert all(each.low == pytest.approx(each.value - math.log10(20)) for each in found)
    assert np.mean([each.low <= truth for each in found]) >= 0.95
    assert np.median([each.effective for each in found]) < 3
    assert knuth([400.0, 500.0]).value == pytest.approx(500 - math.log10(2))


def test_the_result_depends_on_the_seed_and_not_on_the_workers():
    def data(**more: Any) -> dict[str, Any]:
        return {**measure("connect-four", "uct:simulations=20", 12, **more).as_dict(), "seconds": 0}

    assert data(workers=0) == data(workers=2) == data(workers=1)
    assert data(seed=1) != data(seed=2)


def test_the_order_in_which_games_end_changes_nothing(monkeypatch):
    def backwards(function, units, **_):
        return reversed([(number, function(unit)) for number, unit in enumerate(units)])

    # The player's games and the random lines must not be mistaken for each other.
    forwards = measure("connect-four", "alphabeta:depth=1,tt_mb=0", 10)
    monkeypatch.setattr("kibitz.arena.complexity.execute", backwards)
    again = measure("connect-four", "alphabeta:depth=1,tt_mb=0", 10)
    assert {**again.as_dict(), "seconds": 0} == {**forwards.as_dict(), "seconds": 0}


def test_the_tree_and_the_positions_are_those_of_the_rules_whoever_plays():
    random, uct = measure(TIC_TAC_TOE, games=50), measure(TIC_TAC_TOE, kb.Uct(simulations=200), 50)
    assert (random.tree.knuth, random.states) == (uct.tree.knuth, uct.states)
    assert uct.draws is not None
    assert random.draws is not None
    assert uct.draws.low > random.draws.value


def test_openings_keep_a_deterministic_player_from_playing_one_game():
    player = kb.AlphaBeta(depth=2, tt_mb=0)
    assert measure("connect-four", player, 20, openings=Openings()).distinct == 1
    assert measure("connect-four", player, 20).distinct > 3
    assert measure("connect-four", player, 20, openings=3).distinct == 20
    both = [measure("connect-four", player, 20, openings=each).as_dict() for each in (2, RandomPlies(2))]
    assert {**both[0], "seconds": 0} == {**both[1], "seconds": 0}


def test_one_game_allows_everything():
    found = measure(TIC_TAC_TOE, games=1)
    assert (found.branching.pooled.low, found.branching.pooled.high) == (-math.inf, math.inf)
    assert found.tree.knuth.error == math.inf
    assert found.states.at_least.high == math.inf


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"games": 0}, "games=0 must be"),
        ({"games": 2.5}, "games=2.5 must be"),
        ({"seed": -1}, "seed=-1 must be"),
        ({"positions": -1}, "positions=-1 must be"),
        ({"max_plies": 0}, "max_plies=0 must be"),
        ({"openings": "many"}, "number of random plies"),
        ({"openings": -1}, "plies=-1"),
        ({"workers": -1}, "workers=-1"),
        ({"on": "moon"}, "'local', 'ray'"),
        ({"player": "stockfish"}, "no algorithm 'stockfish'"),
        ({"game": "ludo"}, "no game 'ludo'"),
        ({"game": Over()}, "nothing to measure"),
    ],
)
def test_bad_input_says_what_to_do(given, message):
    with pytest.raises(kb.Error, match=message):
        kb.complexity(**{"game": "nim", "games": 5, "workers": 0, **given})


def test_things_that_are_no_games_or_players_are_refused():
    with pytest.raises(TypeError, match="takes a game"):
        kb.complexity(TIC_TAC_TOE.start())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes an algorithm"):
        kb.complexity(TIC_TAC_TOE, 5)  # type: ignore[arg-type]


def test_the_figure_shows_curve_and_lengths_of_every_player():
    found = [measure("connect-four", player, 30) for player in ("random", "uct:simulations=10")]
    curve, lengths = found[0].figure().axes
    assert list(curve.get_lines()[0].get_ydata()) == [ply.moves.value for ply in found[0].curve if ply.games >= 2]
    assert sum(bar.get_height() for bar in lengths.patches) == 30
    drawn = figure(found, "slide")
    assert [text.get_text() for text in drawn.legends[0].get_texts()] == ["random", "uct:simulations=10"]
    with pytest.raises(kb.BadParameter, match="nothing to plot"):
        figure([])


def run(*args: str, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["complexity", *args, "--workers", "0"], env={"COLUMNS": "160"})
    assert result.exit_code == code, result.output
    return result


def test_the_command_prints_json(tmp_path):
    plot = tmp_path / "plot.svg"
    data = json.loads(run("tic-tac-toe", "--games", "40", "--json", "--plot", str(plot), "--with", "random,uct").stdout)
    assert data["game"] == "tic-tac-toe"
    random, uct = data["measured"]
    assert (random["player"], uct["player"]) == ("random", "uct")
    assert random["states"]["total"] == 5478
    assert random["branching"]["pooled"] == measure(TIC_TAC_TOE, games=40).as_dict()["branching"]["pooled"]
    assert len(random["length"]["every"]) == random["games"] == 40
    assert plot.read_text().startswith("<svg")


def test_the_command_prints_tables_and_remarks():
    text = run("tic-tac-toe", "-n", "60").stdout
    for part in ("branching factor, geometric mean", "games won by player 1", "5,478, all there are", "10^5."):
        assert part in text
    text = run("connect-four", "-n", "20", "--max-plies", "12", "--positions", "100", "--random-plies", "0").stdout
    assert "57, within 2 moves of the start" in text
    assert "lower bound (Chao)" in text
    assert "ended at --max-plies 12" in text
    text = run("connect-four", "-n", "20", "--with", "alphabeta:depth=1,tt_mb=0", "--random-plies", "0").stdout
    assert "only 1 game of 20 differ" in text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ludo"], "ludo"),
        (["nim", "--games", "0"], "games=0"),
        (["nim", "--plot", "plot.gif"], ".svg, .png or .pdf"),
        (["nim", "--plot", "nowhere/plot.svg"], "no folder nowhere"),
        (["nim", "--with", "stockfish"], "stockfish"),
        (["nim", "--on", "moon"], "ray"),
        (["nim", "--size", "poster"], "paper"),
    ],
)
def test_the_command_fails_with_one_line(args, message):
    result = run(*args, code=2)
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_boards_of_breakthrough_are_counted_as_published():
    # 10^25 in M. Schadd's thesis of 2011: white pieces on rows 1 to 7, black ones on rows 2 to 8, up to sixteen each.
    assert boards("breakthrough") == 39_755_670_348_077_029_794_725_914
    assert math.log10(boards("othello")) == pytest.approx(4 * math.log10(2) + 60 * math.log10(3))
    assert boards("connect-four") > 4_531_985_219_092


def test_the_literature_is_compared_with_every_player_and_the_order_of_the_games_holds():
    (experiment,) = EXPERIMENTS
    units = experiment.units("quick")
    assert json.loads(json.dumps(units)) == units
    results = [experiment.run(unit) for unit in units if unit.get("first", 0) < 8]
    assert json.loads(json.dumps(results)) == results
    rows = {row.label: row for row in experiment.summarize("quick", results)}
    othello = rows["othello, random: length in plies"]
    assert (othello.published, othello.verdict) == (None, "measured")
    assert 59 < othello.measured < 62
    player = next(each for each in PLAYERS if each.startswith("alphabeta"))
    assert rows[f"othello, {player}: length in plies"].published == 58
    assert rows[f"othello, {player}: branching factor"].verdict == "differs"
    assert rows[f"order of the games by branching factor, {player}"].verdict == "agrees"
    assert rows["breakthrough: state space, log10"].verdict == "agrees"
    assert len(rows) == 3 * 3 * 3 + 3 + 3
    assert experiment.plot is not None
    assert len(experiment.plot(results).axes) == 3
    assert {*map(str, units)} <= {*map(str, experiment.units("standard"))} <= {*map(str, experiment.units("full"))}


def test_a_state_space_outside_of_what_is_possible_differs():
    row = _states({"count": "othello", "by_moves": [1, 4, 12]}, {"othello": {"states": 31.0}})
    assert row.verdict == "differs"
    assert "not between" in row.why


def test_the_command_limits_a_player_that_has_no_limit() -> None:
    given = ("--with", "alphabeta", "--games", "2", "--max-plies", "6", "--positions", "100", "-j", "0", "--json")
    done = CliRunner().invoke(app, ["complexity", "breakthrough", *given])
    assert done.exit_code == 0, done.output
    assert "alphabeta:seconds=0.1" in done.output
