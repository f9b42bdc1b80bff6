"""The statistics of matches agree with published values, and intervals and tests keep what they promise."""

from __future__ import annotations

import math
import subprocess
import sys
from statistics import NormalDist
from typing import Any

import kibitz as kb
import numpy as np
import pytest
from kibitz.arena.ratings import rate
from kibitz.arena.statistics import (
    Interval,
    Sprt,
    WinDrawLoss,
    elo,
    elo_interval,
    expected_score,
    los,
    pentanomial,
    score_interval,
    shares,
    wilson,
)
from scipy.optimize import minimize
from scipy.stats import binom

# Points


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ((1, -1), (1, 0)),
        ((-1, 1), (0, 1)),
        ((0, 0), (0.5, 0.5)),
        ((20.0, 35.0, 35.0), (0, 0.5, 0.5)),
        ((-1, -1, -1), (1 / 3, 1 / 3, 1 / 3)),
        ((0, 0, 0, 1, 0, 0), (0, 0, 0, 1, 0, 0)),
    ],
)
def test_the_winners_share_one_point(results: tuple[float, ...], points: tuple[float, ...]) -> None:
    assert shares(results) == points


def test_wins_draws_and_losses_are_counted_with_their_shares() -> None:
    seats_0_and_2 = [math.fsum(shares(each)[::2]) for each in [(1, 0, 1), (0, 1, 1), (0, 1, 0), (1, 1, 1)]]
    counted = WinDrawLoss.of(seats_0_and_2)
    assert counted == WinDrawLoss(wins=1, draws=2, losses=1, points=1 + 1 / 2 + 2 / 3)
    assert counted.games == 4
    assert counted.score == pytest.approx((1 + 1 / 2 + 2 / 3) / 4)
    assert counted.counts == (1, 2, 1)
    assert counted + WinDrawLoss.of([1.0]) == WinDrawLoss(2, 2, 1, counted.points + 1)
    assert counted.wilson() == wilson(1, 2)


def test_a_point_put_together_from_shares_is_a_win() -> None:
    assert WinDrawLoss.of([sum([1 / 6] * 6), 0.1 + 0.2 + 0.7]).wins == 2


def test_no_games_have_no_score() -> None:
    assert math.isnan(WinDrawLoss().score)
    assert WinDrawLoss().wilson() == Interval(0, 1)


# Intervals


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_agrees_with_the_table_of_newcombe(wins: int, games: int, low: float, high: float) -> None:
    # R. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I,
    # method 3.
    assert wilson(wins, games).low == pytest.approx(low, abs=5e-5)
    assert wilson(wins, games).high == pytest.approx(high, abs=5e-5)


def test_wilson_is_close_to_the_normal_interval_of_a_long_match() -> None:
    # 818 of 1,002 games: 81.64 % ± 2.40 % in the papers on best-reply search.
    found = wilson(818, 1002)
    assert found.low == pytest.approx(0.8164 - 0.0240, abs=0.002)
    assert found.high == pytest.approx(0.8164 + 0.0240, abs=0.002)
    assert 0.8164 - found.low > found.high - 0.8164


def test_wilson_mirrors_and_widens_with_the_level() -> None:
    assert wilson(3, 10).low == pytest.approx(1 - wilson(7, 10).high)
    assert wilson(3, 10, level=0.99).low < wilson(3, 10).low < wilson(3, 10, level=0.5).low
    assert wilson(0, 0) == Interval(0, 1)


def exact_coverage(games: int, chances: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    found = [wilson(wins, games) for wins in range(games + 1)]
    low, high = (np.array([getattr(each, end) for each in found])[:, None] for end in ("low", "high"))
    likely = binom.pmf(np.arange(games + 1)[:, None], games, chances)
    covered: np.ndarray[Any, Any] = np.sum(likely * ((low <= chances) & (chances <= high)), axis=0)
    return covered


def test_wilson_covers_what_it_promises_on_average_and_not_much_less_anywhere() -> None:
    chances = np.linspace(0.05, 0.95, 181)
    coverage = {games: exact_coverage(games, chances) for games in (10, 20, 50, 100, 200)}
    for games, least in {10: 0.83, 20: 0.86, 50: 0.90, 100: 0.92, 200: 0.93}.items():
        assert coverage[games].mean() >= 0.945, games
        assert coverage[games].mean() <= 0.965, games
        assert coverage[games].min() >= least, games


def test_wilson_has_its_known_dip_where_one_player_almost_always_wins() -> None:
    # L. Brown, T. Cai and A. DasGupta, Interval Estimation for a Binomial Proportion, Statistical Science 16 (2001):
    # at p = 0.1765/n the coverage tends to 0.838.
    assert exact_coverage(100, np.array([0.1765 / 100]))[0] == pytest.approx(0.838, abs=0.002)


PAIRS_WITH_DRAWS = (np.array([0, 0.25, 0.5, 0.75, 1]), np.array([0.08, 0.17, 0.35, 0.25, 0.15]))
PAIRS_WITHOUT_DRAWS = (np.array([0, 0.5, 1]), np.array([0.05, 0.45, 0.5]))
LOPSIDED_GAMES = (np.array([0, 0.5, 1]), np.array([0.02, 0.02, 0.96]))
SHARED_WINS_OF_FOUR = (np.array([0, 0.25, 1 / 3, 0.5, 1]), np.array([0.6, 0.05, 0.05, 0.1, 0.2]))


@pytest.mark.parametrize(
    ("law", "blocks"),
    [
        (PAIRS_WITH_DRAWS, 400),
        (PAIRS_WITH_DRAWS, 1000),
        (PAIRS_WITHOUT_DRAWS, 400),
        (LOPSIDED_GAMES, 400),
        (SHARED_WINS_OF_FOUR, 400),
    ],
)
def test_score_intervals_cover_95_percent_from_400_blocks_on(law: tuple[Any, Any], blocks: int) -> None:
    scores, chances = law
    matches = 3000
    drawn = np.random.default_rng(1).choice(scores, size=(matches, blocks), p=chances)
    truth = float(scores @ chances)
    covered = sum(truth in score_interval(match) for match in drawn.tolist()) / matches
    assert 0.94 <= covered <= 0.96


def test_score_intervals_cover_when_the_games_of_a_block_depend_on_each_other() -> None:
    # Openings differ in how well they suit the first player; the three games of a block share one.
    rng = np.random.default_rng(2)
    opening = rng.beta(2, 1, size=(2000, 400, 1))
    blocks = (rng.random((2000, 400, 3)) < opening).mean(axis=2)
    assert 0.94 <= sum(2 / 3 in score_interval(match) for match in blocks.tolist()) / 2000 <= 0.96


def test_score_intervals_cover_when_some_blocks_have_more_games() -> None:
    # Of a tournament that is going on: the first openings were played against more opponents.
    rng = np.random.default_rng(4)
    sizes = [3] * 100 + [2] * 100 + [1] * 200
    opening = rng.beta(2, 1, size=(1500, 400, 1))
    games = rng.random((1500, 400, 3)) < opening
    blocks = [games[:, number, :size].mean(axis=1) for number, size in enumerate(sizes)]
    matches = np.stack(blocks, axis=1).tolist()
    assert 0.935 <= sum(2 / 3 in score_interval(match, sizes=sizes) for match in matches) / 1500 <= 0.965


def test_sizes_of_blocks_say_how_much_they_count() -> None:
    scores = [0.5, 1.0, 0.25, 0.75]
    assert score_interval(scores, sizes=[2, 2, 2, 2]) == score_interval(scores)
    assert score_interval(scores, sizes=[1, 9, 1, 1]).low > score_interval(scores).low
    for sizes in ([1, 2], [1, 1, 1, 0], [1, 1, 1, math.inf]):
        with pytest.raises(kb.BadParameter, match="a positive number for each"):
            score_interval(scores, sizes=sizes)


def test_exchanging_seats_takes_the_advantage_of_moving_first_out_of_the_interval() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random(500) < 0.8, rng.random(500) < 0.3
    pairs = score_interval(((first * 1.0 + second * 1.0) / 2).tolist())
    games = score_interval(np.concatenate([first, second]).astype(float).tolist())
    assert pairs.high - pairs.low < 0.95 * (games.high - games.low)


def test_the_score_interval_of_decisive_games_is_that_of_wilson() -> None:
    found, coin = score_interval([1.0] * 380 + [0.0] * 20), wilson(380, 400)
    assert found.low == pytest.approx(coin.low, abs=2e-4)
    assert found.high == pytest.approx(coin.high, abs=2e-4)


def test_the_score_interval_of_an_even_match_is_that_of_student() -> None:
    # A sample standard deviation of 0.25 over 401 pairs, and 1.9659 for Student's quantile.
    scores = [0.25] * 200 + [0.75] * 200 + [0.5]
    reach = 1.9659 * 0.25 / math.sqrt(401)
    assert score_interval(scores).low == pytest.approx(0.5 - reach, abs=1e-4)
    assert score_interval(scores).high == pytest.approx(0.5 + reach, abs=1e-4)


def test_score_intervals_widen_with_the_level_and_stay_within_0_and_1() -> None:
    scores = [1.0, 1.0, 0.5, 1.0, 0.75]
    assert score_interval(scores).low < score_interval(scores, level=0.5).low
    for level in (0.5, 0.95, 0.999999):
        for match in (scores, [0.0, 1.0], [1.0, 1.0, 0.999], [0.0] * 50 + [0.25]):
            found = score_interval(match, level)
            assert 0 <= found.low < sum(match) / len(match) < found.high <= 1


def test_one_block_allows_everything_and_blocks_that_agree_are_no_certainty() -> None:
    assert score_interval([1.0]) == Interval(0, 1)
    perfect = score_interval([1.0] * 100)
    assert perfect.low == pytest.approx(wilson(100, 100).low)
    assert perfect.high == 1
    even = score_interval([0.5] * 100)
    assert even.low == pytest.approx(1 - even.high)
    assert 0.48 < even.low < 0.49


# Elo


@pytest.mark.parametrize(
    ("score", "difference"), [(0.5, 0.0), (0.75, 190.85), (0.25, -190.85), (10 / 11, 400.0), (0.51, 6.95)]
)
def test_elo_of_known_scores(score: float, difference: float) -> None:
    assert elo(score) == pytest.approx(difference, abs=0.005)
    assert expected_score(elo(score)) == pytest.approx(score)


def test_elo_is_symmetric_and_infinite_at_the_ends() -> None:
    for percent in range(1, 100):
        assert elo(percent / 100) == pytest.approx(-elo(1 - percent / 100))
    assert elo(0) == -math.inf
    assert elo(1) == math.inf
    assert (expected_score(-math.inf), expected_score(math.inf)) == (0, 1)


def test_error_bars_of_elo_are_those_of_the_score() -> None:
    assert elo_interval(Interval(0.25, 0.75)) == Interval(elo(0.25), elo(0.75))
    assert elo_interval(Interval(-0.1, 1.2)) == Interval(-math.inf, math.inf)
    assert elo_interval(wilson(10, 10)).high == math.inf


def test_the_likelihood_of_superiority_is_the_usual_one_for_single_games() -> None:
    # Φ((W − L)/√(W + L)) for 10 wins and 5 losses; draws do not matter.
    usual = NormalDist().cdf((10 - 5) / math.sqrt(10 + 5))
    assert los([1.0] * 10 + [0.0] * 5) == pytest.approx(usual)
    assert los([1.0] * 10 + [0.0] * 5 + [0.5] * 30) == pytest.approx(usual)
    assert los([0.0] * 10 + [1.0] * 5) == pytest.approx(1 - usual)
    assert los([0.5] * 10) == 0.5
    assert los([1.0]) < 0.9


def test_one_of_three_equal_players_is_measured_by_a_par_of_one_third() -> None:
    scores = [1.0, 0.0, 0.0] * 50
    assert los(scores, par=1 / 3) == pytest.approx(0.5)
    assert los(scores) < 0.001


# The sequential test


def numeric_llr(counts: tuple[int, ...], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio by a general optimiser that knows nothing of the closed form."""
    values = np.linspace(0, 1, len(counts))
    total = sum(counts)

    def best(mean: float) -> float:
        found = minimize(
            lambda law: -np.dot(counts, np.log(law)) / total,
            np.full(len(counts), 1 / len(counts)),
            bounds=[(1e-9, 1)] * len(counts),
            constraints=[
                {"type": "eq", "fun": lambda law: law.sum() - 1},
                {"type": "eq", "fun": lambda law: law @ values - mean},
            ],
            options={"ftol": 1e-14, "maxiter": 500},
        )
        return -float(found.fun) * total

    return best(expected_score(elo1)) - best(expected_score(elo0))


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1"),
    [
        ((440, 2910, 5170, 2888, 455), 0, 5),
        ((142, 620, 1122, 699, 188), 0, 5),
        ((10, 5, 2, 5, 10), -2, 1),
        ((300, 400, 350), 0, 10),
        ((30, 1, 90), 100, 300),
    ],
)
def test_the_likelihood_ratio_is_that_of_the_best_distributions(
    counts: tuple[int, ...], elo0: float, elo1: float
) -> None:
    assert Sprt(elo0, elo1).state(counts).llr == pytest.approx(numeric_llr(counts, elo0, elo1), abs=1e-6)


def test_without_draws_the_test_is_the_one_of_wald_for_a_coin() -> None:
    wins, losses, low, high = 320, 280, expected_score(0), expected_score(50)
    coin = wins * math.log(high / low) + losses * math.log((1 - high) / (1 - low))
    assert Sprt(0, 50).state((losses, 0, wins)).llr == pytest.approx(coin, abs=0.01)


def test_the_likelihood_ratio_changes_its_sign_with_the_sides() -> None:
    forward = Sprt(-10, 10).state((3, 10, 30, 14, 5)).llr
    assert forward > 0
    assert Sprt(-10, 10).state((5, 14, 30, 10, 3)).llr == pytest.approx(-forward)
    assert Sprt(-10, 10).state((5, 10, 30, 10, 5)).llr == pytest.approx(0, abs=1e-9)


def test_the_bounds_are_those_of_wald() -> None:
    state = Sprt(0, 5).state((0, 0, 0, 0, 0))
    assert (state.llr, state.decision) == (0, None)
    assert [state.lower, state.upper] == pytest.approx([-2.944, 2.944], abs=5e-4)
    skewed = Sprt(0, 5, alpha=0.01, beta=0.2)
    assert [skewed.lower, skewed.upper] == pytest.approx([math.log(0.2 / 0.99), math.log(80)])


def test_clear_matches_are_decided_and_close_ones_go_on() -> None:
    assert Sprt(0, 20).state((5, 20, 50, 60, 30)).decision == "accept"
    assert Sprt(0, 20).state((30, 60, 50, 20, 5)).decision == "reject"
    assert Sprt(0, 20).state((5, 20, 50, 22, 6)).decision is None


@pytest.mark.parametrize("most", [1, 10**9])
@pytest.mark.parametrize("cells", [3, 5])
def test_empty_cells_and_huge_counts_give_a_finite_ratio(cells: int, most: int) -> None:
    for cell in range(cells):
        counts = [0] * cells
        counts[cell] = most
        for elo0, elo1 in [(-999, 999), (0, 5), (-999, -998), (998, 999)]:
            assert math.isfinite(Sprt(elo0, elo1).state(counts).llr)


DRAWISH_PAIRS = (1, 2, 4, 2, 1)
DECISIVE_PAIRS = (1, 0, 2, 0, 1)
SINGLE_GAMES = (1, 1, 1)


def law_of_mean(weights: tuple[int, ...], mean: float) -> np.ndarray[Any, Any]:
    """Moves weight from the lower half to the mirrored upper half until the mean is right."""
    values = np.linspace(0, 1, len(weights)) - 0.5
    law = np.array(weights) / sum(weights)
    return law * (1 + values * (mean - 0.5) / (law @ values**2))


@pytest.mark.parametrize(
    ("weights", "elo1"), [(DRAWISH_PAIRS, 70), (DECISIVE_PAIRS, 100), (SINGLE_GAMES, 100)], ids=str
)
def test_error_rates_of_the_sequential_test_hold(weights: tuple[int, ...], elo1: float) -> None:
    test, runs = Sprt(0, elo1), 400
    rng = np.random.default_rng(4)

    def decision(law: np.ndarray[Any, Any]) -> str:
        counts = [0] * len(weights)
        for cell in rng.choice(len(law), size=2000, p=law).tolist():
            counts[cell] += 1
            if found := test.state(counts).decision:
                return found
        raise AssertionError("the test does not end")

    noise = 2 * math.sqrt(0.05 * 0.95 / runs)
    accepted = sum(decision(law_of_mean(weights, 0.5)) == "accept" for _ in range(runs))
    rejected = sum(decision(law_of_mean(weights, expected_score(elo1))) == "reject" for _ in range(runs))
    assert accepted / runs <= 0.05 + noise
    assert rejected / runs <= 0.05 + noise


def test_pairs_are_counted_by_their_points() -> None:
    assert pentanomial([0, 0.25, 0.25, 0.5, 0.5, 0.5, 0.75, 1, 1]) == (1, 2, 3, 1, 2)
    assert pentanomial([]) == (0, 0, 0, 0, 0)


# Ratings


def test_a_rating_moves_as_weng_and_lin_say() -> None:
    # Algorithm 4 of the paper for two new players: by hand.
    sigma, beta = 25 / 3, 25 / 6
    c = math.sqrt(2 * (sigma**2 + beta**2))
    found = rate([(("winner", "loser"), (1, -1))])
    assert list(found) == ["winner", "loser"]
    assert found["winner"].mu == pytest.approx(25 + sigma**2 / c / 2)
    assert found["loser"].mu == pytest.approx(25 - sigma**2 / c / 2)
    assert found["winner"].sigma == pytest.approx(sigma * math.sqrt(1 - (sigma / c) ** 3 / 4))
    assert found["winner"].ordinal == pytest.approx(found["winner"].mu - 3 * found["winner"].sigma)


def test_a_tie_of_equals_moves_nobody() -> None:
    assert [each.mu for each in rate([(("a", "b", "c"), (0, 0, 0))]).values()] == pytest.approx([25] * 3)


def test_the_stronger_is_rated_higher_and_the_same_games_give_the_same_ratings() -> None:
    rng = np.random.default_rng(5)
    strength = {"strong": 2.0, "middle": 1.0, "weak": 0.0, "weakest": -1.0}
    games = []
    for _ in range(600):
        names = [str(name) for name in rng.permutation(list(strength))[:3]]
        games.append((names, [strength[name] + float(rng.gumbel()) for name in names]))
    found = rate(games)
    assert list(found) == list(strength)
    assert found == rate(list(games))
    assert found["strong"].sigma < 25 / 3 / 4
    assert rate([]) == {}


# Bad input


@pytest.mark.parametrize(
    "call",
    [
        lambda: wilson(3, 2),
        lambda: wilson(-1, 2),
        lambda: wilson(1.5, 2),  # type: ignore[arg-type]
        lambda: wilson(1, 2, level=1.0),
        lambda: wilson(1, 2, level=math.nan),
        lambda: score_interval([]),
        lambda: score_interval([0.5, 1.5]),
        lambda: score_interval([0.5, math.nan]),
        lambda: score_interval([0.5, 0.7], level=0),
        lambda: score_interval([0.5, "1"]),  # type: ignore[list-item]
        lambda: los([]),
        lambda: los([0.5], par=1),
        lambda: elo(-0.1),
        lambda: elo(math.nan),
        lambda: expected_score(math.nan),
        lambda: Interval(1, 0),
        lambda: Interval(math.nan, 1),
        lambda: shares(()),
        lambda: shares((1, math.nan)),
        lambda: shares((1, None)),  # type: ignore[arg-type]
        lambda: WinDrawLoss.of([2.0]),
        lambda: pentanomial([0.3]),
        lambda: pentanomial([1.25]),
        lambda: Sprt(5, 0),
        lambda: Sprt(0, 0),
        lambda: Sprt(0, math.inf),
        lambda: Sprt(0, 5, alpha=0),
        lambda: Sprt(0, 5, beta=0.5),
        lambda: Sprt(0, 5).state((1, 2)),
        lambda: Sprt(0, 5).state((1, 2, -1)),
        lambda: Sprt(0, 5).state((1, 2, 0.5)),  # type: ignore[arg-type]
        lambda: rate([(("a", "b"), (1,))]),
        lambda: rate([(("a",), (1,))]),
        lambda: rate([(("a", "a", "b"), (1, 0, 0))]),
        lambda: rate([(("a", "b"), (1, math.nan))]),
        lambda: rate([("ab", (1, 0))]),
    ],
)
def test_bad_input_is_a_bad_parameter(call: Any) -> None:
    with pytest.raises(kb.BadParameter):
        call()


def test_scipy_and_openskill_are_loaded_only_when_needed() -> None:
    code = (
        "import sys, kibitz.arena.statistics, kibitz.arena.ratings\n"
        "assert not {'scipy', 'numpy', 'openskill'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
