"""Comparing players with fewer games: every method says the same as plain sampling, with less noise."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.arena.adjusted import adjusted
from kibitz.arena.compensation import compensate, control, draws_of, evaluation, fortune, luck_of, residuals
from kibitz.arena.match import Match
from kibitz.arena.mixed import Mixed, accounted, expectation
from kibitz.arena.openings import Stratified
from kibitz.arena.playing import GameRecord, GameSpec, MoveRecord, derive, play
from kibitz.arena.variance import Estimate, duplicate, mean, plain, result_of, sample
from kibitz.arena.weighting import class_weighted, effective_size, weighted
from kibitz.store import Store

KUHN = kb.game("kuhn-poker")


def kuhn_player(bluff: float, queens: float = 0) -> Mixed:
    """H. W. Kuhn's equilibria (1950), unless queens are bet, which is a mistake."""
    bets = {"J?": bluff, "Q?": queens, "K?": 3 * bluff, "?J:k": 1 / 3, "?Q:k": queens, "?K:k": 1}
    calls = {"J?:kb": 0, "Q?:kb": bluff + 1 / 3, "K?:kb": 1, "?J:b": 0, "?Q:b": 1 / 3, "?K:b": 1}
    table = {view: {"bet": chance} for view, chance in bets.items()}
    return Mixed.of({**table, **{view: {"call": chance} for view, chance in calls.items()}})


A, B = kuhn_player(1 / 3), kuhn_player(0.1, queens=0.5)


def exact(one: object, other: object) -> float:
    """What the first wins a game, over both seats."""
    start = KUHN.start()
    return (expectation(start, (one, other))[0] + expectation(start, (other, one))[1]) / 2


def records(games: int, **how: Any) -> list[GameRecord]:
    return [play(spec) for spec in sample(KUHN, (A, B), games=games, **how)]


def cards(record: GameRecord) -> tuple[str, str]:
    return record.moves[0].move, record.moves[1].move


def all_in(position: kb.Position, seat: int) -> float:
    """The equity when everybody calls to the end: all cards that are not dealt yet are equally likely."""
    if position.turn == "chance":
        return math.fsum(chance * all_in(position.play(card), seat) for card, chance in position.outcomes)
    first, second = str(position)[:2]
    higher = 1 if "JQK".index(first) > "JQK".index(second) else -1
    return higher if seat == 0 else -higher


# the sample and its estimate


def test_kuhn_players_have_the_published_value() -> None:
    assert expectation(KUHN.start(), (A, A)) == pytest.approx((-1 / 18, 1 / 18))
    assert exact(A, A) == pytest.approx(0, abs=1e-15)
    assert exact(A, B) > 0.005


@pytest.mark.parametrize("player", [A, kb.Random(seed=3), Mixed.of({}, seed=1)], ids=["kuhn", "random", "uniform"])
def test_a_player_against_itself_cancels_exactly_in_every_pair(player: kb.Algorithm) -> None:
    games = [play(spec) for spec in sample(KUHN, (player, player), games=400, seed=5)]
    by_block: dict[int, list[float]] = {}
    for game in games:
        by_block.setdefault(game.block, []).append(result_of(game, "A"))
    assert len(by_block) == 200
    assert all(sum(pair) == 0 for pair in by_block.values())
    assert len({tuple(pair) for pair in by_block.values()}) > 2
    estimate = duplicate(games, "A")
    assert (estimate.value, estimate.error) == (0, 0)


@pytest.mark.parametrize("player", [kb.Random(), kb.Simulation(simulations=20), kb.Uct(simulations=20)], ids=str)
def test_a_player_against_itself_cancels_exactly_in_races_too(player: kb.Algorithm) -> None:
    game = kb.game("pip-race", first=25, second=25, steady=8)
    games = [play(spec) for spec in sample(game, (player, player), games=20, seed=5)]
    pairs = list(zip(games[::2], games[1::2], strict=True))
    assert all(one.result == other.result and one.names != other.names for one, other in pairs)
    assert all([made.move for made in one.moves] == [made.move for made in other.moves] for one, other in pairs)
    assert {one.result[0] for one, _ in pairs} == {1, -1}
    estimate = duplicate(games, "A")
    assert (estimate.value, estimate.error) == (0, 0)


def test_a_match_is_a_synchronised_sample() -> None:
    openings = Stratified(2)
    match = Match.of(KUHN, {"A": A, "B": B}, games=40, seed=9, openings=openings)
    assert tuple(match.specs()) == sample(KUHN, (A, B), games=40, seed=9, openings=openings)


def test_without_synchronised_streams_the_deal_is_shared_and_the_choices_are_not() -> None:
    games = [play(spec) for spec in sample(KUHN, (A, A), games=400, seed=5, design="duplicate")]
    pairs = list(zip(games[::2], games[1::2], strict=True))
    assert all(cards(one) == cards(other) for one, other in pairs)
    unequal = sum(result_of(one, "A") + result_of(other, "A") != 0 for one, other in pairs)
    assert 10 < unequal < 150


def test_a_plain_sample_deals_every_game_anew_and_balances_the_seats() -> None:
    specs = sample(KUHN, (A, B), games=100, seed=1, design="plain")
    assert len({spec.seed for spec in specs}) == len({spec.block for spec in specs}) == 100
    assert Counter(spec.names for spec in specs) == {("A", "B"): 50, ("B", "A"): 50}
    assert {spec.seed for spec in specs}.isdisjoint(
        spec.seed for spec in sample(KUHN, (A, B), games=100, seed=2, design="plain")
    )


def test_a_sample_seats_more_players_like_a_match() -> None:
    game = kb.game("random-tree", width=2, depth=3, players=3)
    specs = sample(game, (kb.Random(), kb.Random(seed=1)), games=10, seed=1)
    assert specs == tuple(Match.of(game, {"A": kb.Random(), "B": kb.Random(seed=1)}, games=10, seed=1).specs())
    found = duplicate([play(spec) for spec in specs], "A")
    assert (found.games, found.observations) == (12, 6)


def test_the_games_of_a_store_are_adjusted_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    players = {"A": A, "B": B}
    kb.match(KUHN, players, games=60, openings=Stratified(2), store=path, run="kuhn", workers=0)
    table = kb.match(KUHN, players, games=120, openings=Stratified(2), store=path, run="kuhn", workers=0)
    with Store.open(path, write=False) as store:
        games = list(store.records(store.runs()[0].id))
    found = adjusted(games, classify=cards_together, weights=DEALS)
    assert found["A"].games == 120
    # Whole cycles have the right proportions already: the weights only make the error smaller.
    assert found["A"].value == pytest.approx(table["A"].result)
    assert found["A"].error < duplicate(games, "A").error


def cards_together(record: GameRecord) -> tuple[str]:
    return ("".join(cards(record)),)


DEALS = {a + b: 1 for a, b in itertools.permutations("JQK", 2)}


@pytest.mark.parametrize(
    "options",
    [{"design": "triple"}, {"names": ("A",)}, {"names": ("A", "A")}, {"games": 0}, {"seed": -1}],
    ids=str,
)
def test_absurd_samples_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(kb.BadParameter):
        sample(KUHN, (A, B), **{"games": 10, "seed": 1, **options})
    for level in (0, 1, math.nan):
        with pytest.raises(kb.BadParameter, match="level"):
            mean([1.0, 2.0]).interval(level)


def test_the_unit_of_observation_is_the_pair() -> None:
    games = records(200, seed=3)
    estimate = duplicate(games, "A")
    assert (estimate.observations, estimate.games, estimate.freedom) == (100, 200, 99)
    pairs = [(result_of(a, "A") + result_of(b, "A")) / 2 for a, b in zip(games[::2], games[1::2], strict=True)]
    centre = sum(pairs) / 100
    assert estimate.value == pytest.approx(centre)
    assert estimate.error == pytest.approx(math.sqrt(sum((each - centre) ** 2 for each in pairs) / 99 / 100))
    with pytest.raises(kb.BadParameter, match="not independent"):
        plain(games, "A")


def test_a_game_that_was_delivered_twice_counts_once_and_unfinished_blocks_are_refused() -> None:
    games = records(20, seed=3)
    assert duplicate([*games, games[4]], "A") == duplicate(games, "A")
    with pytest.raises(kb.BadParameter, match="block 9 has 1 of 2 games"):
        duplicate(games[:-1], "A")
    with pytest.raises(kb.BadParameter, match="no games"):
        duplicate([], "A")
    with pytest.raises(kb.BadParameter, match="'C' does not play"):
        duplicate(games, "C")


def test_student_intervals_cover() -> None:
    dice = random.Random(1)
    hits = sum(0.0 in mean([dice.gauss() for _ in range(8)]).interval() for _ in range(1000))
    assert 0.93 < hits / 1000 < 0.97
    assert mean([1.0]).interval().low == -math.inf


def test_speed_ups_are_squares_of_ratios() -> None:
    def measured(error: float, games: int = 1600) -> Estimate:
        return Estimate(value=0, error=error, observations=games, games=games, freedom=games - 1)

    monte_carlo = measured(0.251)
    for error, published in ((0.075, 11.2), (0.047, 28.5), (0.030, 70.0), (0.153, 2.69), (0.048, 27.3)):
        assert round(measured(error).speed_up(monte_carlo), 1) == pytest.approx(published, abs=0.05)
    assert measured(0.048).speed_up(measured(0.075)) == pytest.approx(2.44, abs=0.005)
    # How many games bring plain sampling to an error: the same question the other way round.
    assert 1600 * measured(0.025).speed_up(monte_carlo) == pytest.approx(161_283, abs=1)
    assert 1600 * measured(0.005).speed_up(monte_carlo) == pytest.approx(4_032_064, abs=1)
    assert measured(0.251, 800).speed_up(monte_carlo) == 2
    assert measured(0).speed_up(monte_carlo) == math.inf


# all methods have one expectation

TRUTH = exact(A, B)


def holds(estimate: Estimate) -> bool:
    """Four standard errors: one in 16,000 of true statements fails, and the seeds are fixed."""
    return abs(estimate.value - TRUTH) < 4 * estimate.error


@pytest.fixture(scope="module")
def independent() -> list[GameRecord]:
    return records(3000, seed=11, design="plain")


def test_plain_sampling_finds_the_exact_difference(independent: list[GameRecord]) -> None:
    assert holds(plain(independent, "A"))
    # and its error is what it should be: results of 1 and 2 chips.
    assert 1 < plain(independent, "A").error * math.sqrt(3000) < 2


def test_duplicate_deals_and_synchronised_streams_find_the_same_with_less_noise(independent: list[GameRecord]) -> None:
    paired, synchronised = (
        duplicate(records(3000, seed=12, design=design), "A") for design in ("duplicate", "synchronised")
    )
    assert holds(paired)
    assert holds(synchronised)
    assert paired.speed_up(plain(independent, "A")) > 1.5
    assert synchronised.speed_up(paired) > 1.2


def test_class_weighting_finds_the_same(independent: list[GameRecord]) -> None:
    found = class_weighted(independent, "A", cards, dict.fromkeys("JQK", 1))
    assert holds(found)
    assert found.covered == 1
    assert 2900 < found.effective < 3000
    # one card explains nothing of the difference by itself, since the seats are balanced: hardly a gain
    assert 0.9 < found.speed_up(plain(independent, "A")) < 3


def test_stratified_deals_find_the_same_and_their_strata_give_the_error() -> None:
    games = records(3000, seed=13, design="plain", openings=Stratified(2))
    assert set(Counter(map(cards, games)).values()) == {500}
    for seats in (("A", "B"), ("B", "A")):
        assert set(Counter(cards(game) for game in games if game.names == seats).values()) == {250}

    # With the deal and the seat given, only the choices vary.
    def stratum(game: GameRecord) -> tuple[str]:
        return ("".join((*cards(game), game.names[0])),)

    strata = {a + b + name: 1 for a, b in itertools.permutations("JQK", 2) for name in "AB"}
    found = class_weighted(games, "A", stratum, strata)
    assert holds(found)
    assert found.value == pytest.approx(plain(games, "A").value)
    assert found.speed_up(plain(games, "A")) > 1.5
    assert adjusted(games, classify=stratum, weights=strata)["A"] == found


def test_compensated_results_find_the_same_with_less_noise(independent: list[GameRecord]) -> None:
    luck = luck_of(all_in)
    for coefficient in (1.0, "leave-one-out", "regression"):
        found = compensate(independent, "A", luck, coefficient=coefficient)  # type: ignore[arg-type]
        assert holds(found)
        assert found.plain == plain(independent, "A")
        assert found.factor > 1.5
    # What is left after the best coefficient is less than after any other.
    best = compensate(independent, "A", luck, coefficient="regression")
    assert all(compensate(independent, "A", luck, coefficient=c).error > best.error for c in (0.5, 1.0, 1.8))
    assert adjusted(independent, luck=luck)["A"].value == pytest.approx(-adjusted(independent, luck=luck)["B"].value)


def variance_within(key: Callable[[int, str], object]) -> float:
    """The exact variance of A's result in Kuhn poker within the classes of seat and cards, seats balanced."""
    classes: dict[object, list[tuple[float, float]]] = {}
    for seat, players in enumerate(((A, B), (B, A))):
        for chance, moves in lines(KUHN.start(), players):
            record = record_of(moves)
            group = classes.setdefault(key(seat, "".join(cards(record))), [])
            group.append((chance / 2, record.result[seat]))
    total = 0.0
    for group in classes.values():
        weight = math.fsum(chance for chance, _ in group)
        centre = math.fsum(chance * result for chance, result in group) / weight
        total += math.fsum(chance * (result - centre) ** 2 for chance, result in group)
    return total


def test_errors_are_those_of_the_exact_variance(independent: list[GameRecord]) -> None:
    # A variance estimated from 3000 games is off by a few percent.
    everything = variance_within(lambda seat, deal: None)
    assert plain(independent, "A").error == pytest.approx(math.sqrt(everything / 3000), rel=0.05)
    first = variance_within(lambda seat, deal: (seat, deal[0]))
    games = records(3000, seed=17, design="plain", openings=Stratified(1))
    strata = {card + name: 1 for card in "JQK" for name in "AB"}
    found = class_weighted(games, "A", lambda game: (cards(game)[0] + game.names[0],), strata)
    assert found.error == pytest.approx(math.sqrt(first / 3000), rel=0.05)
    assert everything / first > 1.5


def test_luck_of_the_deal_cancels_in_duplicate_games_before_any_compensation() -> None:
    games = records(200, seed=3)
    luck = luck_of(all_in)
    assert any(abs(fortune(game, "A", luck)) > 0.9 for game in games)
    found = compensate(games, "A", luck)
    assert found.value == pytest.approx(found.plain.value)
    assert found.coefficient == 0


def test_everything_together_finds_the_same() -> None:
    games = records(3000, seed=14, openings=Stratified(1))
    found = adjusted(
        games, luck=luck_of(all_in), classify=lambda game: (game.moves[0].move,), weights={"J": 1, "Q": 1, "K": 1}
    )
    assert holds(found["A"])
    assert found["A"].speed_up(plain(records(1000, seed=15, design="plain"), "A")) > 4


def test_accounting_for_mixed_strategies_finds_the_same_with_less_noise() -> None:
    specs = sample(KUHN, (A, B), games=4000, seed=16, design="plain")
    drawn = [result_of(play(spec), "A") for spec in specs]
    counted = [accounted(spec)[spec.names.index("A")] for spec in specs]
    found = mean(counted)
    assert holds(found)
    assert found.error < mean(drawn).error
    # Chips change hands: nothing is lost on the way.
    assert all(sum(accounted(spec)) == pytest.approx(0) for spec in specs[:50])


def test_accounting_given_the_deal_has_exactly_the_expectation_and_no_more_variance() -> None:
    start = str(KUHN.position("JQ"))
    specs = [GameSpec(KUHN, (A, B), ("A", "B"), start=start, seed=seed) for seed in range(3000)]
    truth = expectation(KUHN.position("JQ"), (A, B))[0]
    drawn, counted = mean([play(spec).result[0] for spec in specs]), mean([accounted(spec)[0] for spec in specs])
    assert abs(counted.value - truth) < 4 * counted.error
    assert abs(drawn.value - truth) < 4 * drawn.error
    assert counted.error < 0.7 * drawn.error


def test_accounting_asks_for_probabilities() -> None:
    spec = GameSpec(KUHN, (A, kb.Random()), ("A", "B"), seed=1, opening=("K", "Q", "check"))
    with pytest.raises(kb.NotSupported, match="random in seat 1 has no probabilities"):
        accounted(spec)
    assert play(spec).result


# mixed strategies


def test_a_mixed_player_keeps_its_probabilities() -> None:
    position = KUHN.position("JK")
    bets = sum(A.search(position, seed=seed).best == "bet" for seed in range(3000))
    assert abs(bets - 1000) < 5 * math.sqrt(3000 * 2 / 9)
    assert all(A.search(KUHN.position("QK"), seed=seed).best == "check" for seed in range(200))
    assert A.search(KUHN.start()).best is None
    assert Mixed().probabilities(position) == (("check", 0.5), ("bet", 0.5))


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"J?": {"bet": 1.5}}, "at most 1 together"),
        ({"J?": {"bet": -0.5}}, "0 or more"),
        ({"J?": {"bet": math.nan}}, "0 or more"),
        ({"J?": {"raise": 0.5}}, "raise in the view 'J\\?'"),
        ({"J?": {"bet": 0.5, "check": 0.2}}, "must be 1 together, not 0.7"),
    ],
)
def test_a_broken_table_says_what_is_wrong(table: Mapping[str, Mapping[str, float]], words: str) -> None:
    with pytest.raises(kb.BadParameter, match=words):
        Mixed.of(table).search(KUHN.position("JK"))


# weighting


def test_the_effective_size_of_the_papers_example() -> None:
    assert effective_size([0.9] * 1000 + [0.1] * 1000) == pytest.approx(1219.5, abs=0.05)
    found = weighted([1.0] * 1000 + [0.0] * 1000, ["a"] * 1000 + ["b"] * 1000, weights={"a": 9, "b": 1})
    assert found.effective == pytest.approx(1219.5, abs=0.05)
    assert found.value == pytest.approx(0.9)
    assert effective_size([3.0] * 7) == pytest.approx(7)


def test_a_finished_sample_answers_for_another_distribution(independent: list[GameRecord]) -> None:
    # What does A win if the second player never holds a queen? Sampled with it, and weighted.
    found = class_weighted(independent, "A", lambda game: (cards(game)[1],), {"J": 1, "Q": 0, "K": 1})
    start = KUHN.start()
    worth = [
        (expectation(start.play(first).play(second), players)[seat])
        for first, second in (("Q", "J"), ("K", "J"), ("J", "K"), ("Q", "K"))
        for seat, players in enumerate(((A, B), (B, A)))
    ]
    assert abs(found.value - sum(worth) / 8) < 4 * found.error
    assert found.effective < 2100


def test_weighted_intervals_cover_and_the_unweighted_do_not() -> None:
    dice = random.Random(2)
    shares = {"rare": 0.9, "often": 0.1}
    truth, hits, naive = 0.9 * 2.0 + 0.1 * -1.0, 0, 0
    for _ in range(1500):
        classes = ["rare" if dice.random() < 0.3 else "often" for _ in range(60)]
        values = [dice.gauss(2, 1) if name == "rare" else dice.gauss(-1, 3) for name in classes]
        hits += truth in weighted(values, classes, weights=shares).interval()
        naive += truth in mean(values).interval()
    assert 0.93 < hits / 1500 < 0.97
    assert naive < 100


def test_weighting_by_both_seats_covers() -> None:
    # The classes of two partitions of the same games: the errors of the two means are not independent.
    dice = random.Random(3)
    hits = 0
    for _ in range(1500):
        pairs = [(dice.choice("JQK"), dice.choice("JQK")) for _ in range(60)]
        values = ["JQK".index(a) - 0.5 * "JQK".index(b) + dice.gauss() for a, b in pairs]
        ones, others = zip(*pairs, strict=True)
        hits += 0.5 in weighted(values, ones, others, weights=dict.fromkeys("JQK", 1)).interval()
    assert 0.93 < hits / 1500 < 0.985


def test_classes_of_one_lend_their_variance_and_classes_that_are_missing_are_told() -> None:
    found = weighted([0.0, 2.0, 5.0], ["a", "a", "b"], weights={"a": 1, "b": 1, "c": 2})
    assert found.value == 3
    assert found.covered == 0.5
    assert found.error == pytest.approx(math.sqrt(0.25 * 2 / 2 + 0.25 * 2))
    alone = weighted([0.0, 5.0], ["a", "b"], weights={"a": 1, "b": 1})
    assert alone.error == math.inf
    assert alone.interval().high == math.inf


@pytest.mark.parametrize(
    ("values", "classes", "weights", "words"),
    [
        ([], [], {"a": 1}, "no observations"),
        ([1.0], ["a", "b"], {"a": 1, "b": 1}, "have 2 classes"),
        ([1.0], ["b"], {"a": 1}, "class 'b' has no weight"),
        ([1.0], ["a"], {"a": -1}, "zero or more"),
        ([1.0], ["a"], {"a": math.nan}, "zero or more"),
        ([1.0], ["a"], {"a": 0, "b": 1}, "are 0"),
        ([math.nan], ["a"], {"a": 1}, "finite"),
    ],
)
def test_absurd_weights_are_refused(values: Any, classes: Any, weights: Any, words: str) -> None:
    with pytest.raises(kb.BadParameter, match=words):
        weighted(values, classes, weights=weights)


# compensation


def lines(
    position: kb.Position, players: tuple[Mixed, Mixed], chance: float = 1.0
) -> Iterator[tuple[float, list[Any]]]:
    """Every game with its probability."""
    if position.over:
        yield chance, []
        return
    turn = position.turn
    choices = position.outcomes if not isinstance(turn, int) else players[turn].probabilities(position)
    for move, probability in choices:
        made = MoveRecord(
            turn if isinstance(turn, int) else None, position.notation(move), None, None, None, None, len(choices),
            "search" if isinstance(turn, int) else "chance",
        )  # fmt: skip
        for whole, rest in lines(position.play(move), players, chance * probability):
            yield whole, [made, *rest]


def record_of(moves: list[MoveRecord]) -> GameRecord:
    position = KUHN.start()
    for made in moves:
        position = position.play(made.move)
    assert position.result is not None
    return GameRecord(
        spec_key=str(position), index=0, block=0, game="kuhn-poker", names=("A", "B"), players=("", ""), start=None,
        seed=0, moves=tuple(moves), result=position.result, plies=0, adjudicated=False, seconds=0,
    )  # fmt: skip


def test_the_mean_of_luck_is_zero_whatever_the_values_are() -> None:
    values = (all_in, evaluation, lambda position, seat: derive(str(position)) % 97 - 11 * seat)
    games = [(chance, record_of(moves)) for chance, moves in lines(KUHN.start(), (A, B))]
    assert math.fsum(chance for chance, _ in games) == pytest.approx(1)
    for value in values:
        for seat in (0, 1):
            luck = luck_of(value)
            lucks = [(chance, luck(record, seat)) for chance, record in games]
            assert math.fsum(chance * each for chance, each in lucks) == pytest.approx(0, abs=1e-12)
            if value is not evaluation:
                assert any(abs(each) > 0.5 for _, each in lucks)


def test_the_true_value_takes_out_everything_that_chance_does() -> None:
    # With V the exact expectation, what is left is the players' own choices: given the deal, in Kuhn poker.
    luck = luck_of(lambda position, seat: expectation(position, (A, B))[seat])
    worth = expectation(KUHN.start(), (A, B))[0]
    for deal in itertools.permutations("JQK", 2):
        position = KUHN.start().play(deal[0]).play(deal[1])
        games = [
            (p * 6, record_of(moves))
            for p, moves in lines(KUHN.start(), (A, B))
            if tuple(m.move for m in moves[:2]) == deal
        ]
        left = math.fsum(p * (record.result[0] - luck(record, 0)) for p, record in games)
        assert left == pytest.approx(worth)
        assert expectation(position, (A, B))[0] != pytest.approx(worth)


def test_outcomes_of_openings_count_only_on_request() -> None:
    spec = GameSpec(KUHN, (A, B), ("A", "B"), opening=("K", "J"), seed=1)
    assert luck_of(all_in)(play(spec), 0) == 0
    assert luck_of(all_in, openings=True)(play(spec), 0) == pytest.approx(1)


def test_leaving_one_out_has_no_bias_where_regression_has() -> None:
    # All samples of four of a skewed distribution whose luck has mean zero, each with its probability.
    points = [(2.0, 9.0, 0.2), (-1.0, 1.0, 0.3), (-1.0, 0.0, 0.1), (0.0, 0.0, 0.4)]
    assert math.fsum(x * p for x, _, p in points) == pytest.approx(0)
    truth = math.fsum(y * p for _, y, p in points)
    means = {"leave-one-out": 0.0, "regression": 0.0, 1.0: 0.0}
    for drawn in itertools.product(points, repeat=4):
        chance = math.prod(p for *_, p in drawn)
        for how in means:
            found = control([y for _, y, _ in drawn], [x for x, *_ in drawn], coefficient=how)  # type: ignore[arg-type]
            means[how] += chance * found.value
    assert means["leave-one-out"] == pytest.approx(truth)
    assert means[1.0] == pytest.approx(truth)
    assert abs(means["regression"] - truth) > 0.1


def test_left_out_slopes_are_those_of_the_others() -> None:
    import numpy as np

    dice = random.Random(4)
    luck = [dice.gauss() + 50 for _ in range(9)]
    values = [2 * x + dice.gauss() for x in luck]
    left, coefficient = residuals(values, luck)
    assert coefficient == pytest.approx(np.polyfit(luck, values, 1)[0])
    for number in range(9):
        others = [k for k in range(9) if k != number]
        slope = np.polyfit([luck[k] for k in others], [values[k] for k in others], 1)[0]
        assert left[number] == pytest.approx(values[number] - slope * luck[number])


def test_compensated_intervals_cover() -> None:
    dice = random.Random(6)
    hits = 0
    for _ in range(1500):
        luck = [dice.choice((-1, 1)) for _ in range(30)]
        found = control([3 + 2 * x + dice.gauss() for x in luck], luck)
        hits += 3 in found.interval()
    assert 0.93 < hits / 1500 < 0.97


def pips(roll: str) -> int:
    high, low = map(int, roll)
    return 4 * high if high == low else high + low


def test_the_pips_of_a_roll_have_the_published_mean() -> None:
    rolls = kb.game("pip-race").start().play("roll").outcomes
    assert math.fsum(36 * chance * pips(roll) for roll, chance in rolls) == pytest.approx(294)
    assert math.fsum(chance * (pips(roll) - 49 / 6) ** 2 for roll, chance in rolls) == pytest.approx(18.472, abs=5e-4)


def test_a_race_is_compensated_by_the_pips_rolled_and_better_by_the_evaluation() -> None:
    game = kb.game("pip-race", first=30, second=30)
    exact = expectation(game.start(), (Mixed(), Mixed()))[0]
    # 400,000 simulated races gave 0.642, the best K 0.0664 and a factor of 2.5.
    assert (exact + 1) / 2 == pytest.approx(0.642, abs=0.002)
    specs = [GameSpec(game, (kb.Random(),) * 2, ("A", "B"), seed=seed, block=seed) for seed in range(1200)]
    games = [play(spec) for spec in specs]
    rolled = compensate(games, "A", draws_of(pips, 49 / 6))
    assert abs(rolled.value - exact) < 4 * rolled.error
    assert rolled.coefficient == pytest.approx(0.0664, rel=0.1)
    assert 2.0 < rolled.factor < 3.1
    valued = compensate(games[:400], "A", luck_of(evaluation), coefficient=1.0)
    assert abs(valued.value - exact) < 4 * valued.error
    assert valued.factor > 5
    # What one side gains the other loses.
    luck = draws_of(pips, 49 / 6)
    assert all(luck(game, 0) == pytest.approx(-luck(game, 1)) for game in games[:20])


@pytest.mark.parametrize(
    ("values", "luck", "coefficient", "words"),
    [
        ([1.0], [], "regression", "have 0 measures"),
        ([1.0, 2.0], [0.0, math.inf], "regression", "finite"),
        ([1.0, 2.0], [0.0, 1.0], "best", "must be a number or one of"),
        ([1.0, 2.0], [0.0, 1.0], math.nan, "finite"),
        ([], [], 1.0, "no observations"),
    ],
)
def test_absurd_compensation_is_refused(values: Any, luck: Any, coefficient: Any, words: str) -> None:
    with pytest.raises(kb.BadParameter, match=words):
        control(values, luck, coefficient=coefficient)


def test_luck_without_variation_changes_nothing() -> None:
    for luck in ([0.0] * 5, [3.0] * 5):
        found = control([1.0, 2.0, 3.0, 4.0, 5.0], luck)
        assert (found.value, found.coefficient) == (3, 0)
    assert control([1.0, 2.0], [1.0, -1.0]).value == 1.5


def test_values_that_are_no_numbers_and_games_without_a_name_are_refused(independent: list[GameRecord]) -> None:
    with pytest.raises(kb.BadParameter, match="finite"):
        compensate(independent, "A", luck_of(lambda position, seat: math.nan))
    unknown = record_of(next(moves for _, moves in lines(KUHN.start(), (A, B))))
    vars(unknown)["game"] = "somebody:Game"
    with pytest.raises(kb.BadParameter, match="give the game"):
        luck_of(all_in)(unknown, 0)
    assert abs(luck_of(all_in, game=KUHN)(unknown, 0)) == 1


def test_adjusting_needs_both_classes_and_weights(independent: list[GameRecord]) -> None:
    with pytest.raises(kb.BadParameter, match="give both"):
        adjusted(independent, weights={"J": 1})
    assert adjusted(independent)["A"] == plain(independent, "A")
