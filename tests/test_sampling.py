"""Samples that are even by design: cycles, stratified openings, racks, focused trials; and plausible moves."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter
from typing import Any

import kibitz as kb
import pytest
from kibitz.arena.cycles import cycle, riffle
from kibitz.arena.focus import Allocation, focus, gain
from kibitz.arena.openings import Stratified
from kibitz.arena.plausible import by_evaluation, by_search, hit_rate, points_lost
from kibitz.arena.playing import GameSpec, play
from kibitz.arena.racks import deviations, racks
from kibitz.arena.variance import mean
from kibitz.experiments import experiment, sheppard_arms, sheppard_racks

KUHN = kb.game("kuhn-poker")


# cycles and stratified openings


def holdem_weights() -> dict[str, int]:
    """The 169 kinds of hole cards with the number of their realisations, pairs first."""
    ranks = "AKQJT98765432"
    pairs = {rank * 2: 6 for rank in ranks}
    suited = {a + b + "s": 4 for a, b in itertools.combinations(ranks, 2)}
    return {**pairs, **suited, **{a + b + "o": 12 for a, b in itertools.combinations(ranks, 2)}}


def test_the_cycle_of_holdem_has_663_hands() -> None:
    weights = holdem_weights()
    assert (len(weights), sum(weights.values())) == (169, 13 * 6 + 78 * 4 + 78 * 12) == (169, 1326)
    found = cycle(weights)
    assert [len(segment) for segment in found.segments] == [169, 325, 169]
    assert len(found) == 663
    counts = Counter(found.items)
    assert all(count == weights[hand] // 2 for hand, count in counts.items())
    assert {counts["AA"], counts["AKs"], counts["AKo"]} == {3, 2, 6}
    first, middle, last = found.segments
    assert len(set(first)) == 169
    assert first == last
    assert Counter(map(len, set(middle))) == {2: 13, 3: 78}
    assert found[663] == found[0]


def test_a_riffle_loses_nothing_and_alternates_the_halves() -> None:
    for size in range(8):
        assert sorted(riffle(range(size))) == list(range(size))
    assert riffle(range(6)) == (0, 3, 1, 4, 2, 5)


@pytest.mark.parametrize("weights", [{}, {"a": 0}, {"a": 1.5}, {"a": True}, {"a": 1, "b": 10**9}])
def test_absurd_cycles_are_refused(weights: Any) -> None:
    with pytest.raises(kb.BadParameter):
        cycle(weights)


def test_whole_cycles_of_kuhn_deals_are_exact() -> None:
    assert len(Stratified(1).cycle(KUHN)) == 3
    assert len(Stratified(2).cycle(KUHN)) == 6
    drawn = Stratified(2).draw(KUHN, 12, seed=1)
    assert set(Counter(opening.moves for opening in drawn).values()) == {2}
    assert len({opening.moves for opening in drawn[:6]}) == 6
    assert Stratified(2).draw(KUHN, 5, seed=7) == drawn[:5]


def test_probabilities_of_chance_and_of_moves_make_the_cycle() -> None:
    class Dice(kb.Game):
        def start(self) -> Any:
            return ()

        def turn(self, state: tuple[str, ...]) -> int | str | None:
            return ["chance", 0, None][len(state)] if state != ("stop",) else None

        def moves(self, state: tuple[str, ...]) -> list[str]:
            return ["stop", "go"] if not state else ["left", "right"]

        def chance(self, state: tuple[str, ...]) -> list[tuple[str, float]]:
            return [("stop", 0.1), ("go", 0.9)]

        def play(self, state: tuple[str, ...], move: str) -> tuple[str, ...]:
            return (*state, move)

        def result(self, state: tuple[str, ...]) -> int:
            return 0

    counts = Counter(Stratified(2).cycle(Dice()).items)
    assert counts == {("stop",): 2, ("go", "left"): 9, ("go", "right"): 9}
    # An opening may end the game: its result is part of the truth.
    finished = play(GameSpec(Dice(), (kb.Random(),) * 2, ("A", "B"), opening=("stop",)))
    assert finished.result == (0, 0)

    class Irrational(Dice):
        def chance(self, state: tuple[str, ...]) -> list[tuple[str, float]]:
            return [("stop", 1 / math.pi), ("go", 1 - 1 / math.pi)]

    with pytest.raises(kb.BadParameter, match="no cycle"):
        Stratified(1).draw(Irrational(), 2, seed=1)


def test_a_random_start_makes_parts_of_cycles_right_on_average() -> None:
    order = Stratified(2).cycle(KUHN).items
    starts = Counter(Stratified(2, random_start=True).draw(KUHN, 4, seed=seed) for seed in range(600))
    assert len(starts) == 6
    assert all(abs(count - 100) < 5 * math.sqrt(600 * 5 / 36) for count in starts.values())
    for drawn in starts:
        place = order.index(drawn[0].moves)
        assert [each.moves for each in drawn] == [order[(place + number) % 6] for number in range(4)]


@pytest.mark.parametrize("moves", [0, -1, True, 2.0])
def test_absurd_numbers_of_moves_are_refused(moves: Any) -> None:
    with pytest.raises(kb.BadParameter, match="moves="):
        Stratified(moves)


def test_too_many_beginnings_are_refused() -> None:
    with pytest.raises(kb.BadParameter, match="stratify fewer moves"):
        Stratified(5).draw(kb.game("breakthrough"), 10, seed=1)


def test_first_rolls_can_be_stratified() -> None:
    game = kb.game("pip-race", first=30, second=30)
    order = Stratified(2).cycle(game)
    assert len(order) == 36
    assert Counter(order.items) == {("roll", f"{a}{b}"): ways for (a, b), ways in rolls().items()}
    # The evaluation puts good and bad rolls in turn.
    assert order[0][1] == "66"
    assert order[1][1] in ("43", "52", "61")


# racks

POOL = dict(
    zip("?ABCDEFGHIJKLMNOPQRSTUVWXYZ", map(int, "191249232911426721546422121"), strict=True)
)  # fmt: skip


def spread(rule: Any, seed: int) -> tuple[float, float, float]:
    """Largest, smallest and root mean square deviation, in percent, of 2718 racks."""
    found = [
        actual - expected for expected, actual in deviations(POOL, racks(POOL, 2718, seed=seed, rule=rule)).values()
    ]
    return max(found), min(found), math.sqrt(sum(each * each for each in found) / len(found))


def test_the_pool_of_table_1_has_93_tiles() -> None:
    assert sum(POOL.values()) == 93
    shown = {tile: round(expected, 2) for tile, (expected, _) in deviations(POOL, racks(POOL, 1, seed=1)).items()}
    assert (shown["?"], shown["A"], shown["P"], shown["N"], shown["O"], shown["R"]) == (
        7.53,
        67.74,
        15.05,
        45.16,
        52.69,
        37.63,
    )
    assert round(100 * math.sqrt(7 / 93 * 86 / 93 / 2718), 2) == 0.51


def test_under_represented_tiles_first_keeps_the_racks_even() -> None:
    absolute = [spread("absolute", seed) for seed in range(6)]
    assert all(0.05 < rms < 0.2 for *_, rms in absolute)
    assert 0.2 < sum(high for high, *_ in absolute) / 6 < 0.5
    assert -0.22 < sum(low for _, low, _ in absolute) / 6 < -0.08
    assert sum(spread("relative", seed)[1] for seed in range(4)) / 4 < -0.2
    assert all(0.5 < spread("none", seed)[2] < 1.5 for seed in range(4))


def test_racks_are_racks() -> None:
    drawn = list(racks(POOL, 50, seed=1))
    assert all(len(rack) == 7 and all(rack.count(tile) <= POOL[tile] for tile in rack) for rack in drawn)
    assert drawn == list(racks(POOL, 50, seed=1)) != list(racks(POOL, 50, seed=2))
    # A rack of the whole pool is always the same.
    assert {tuple(sorted(rack)) for rack in racks({"A": 2, "B": 1}, 5, size=3, seed=1)} == {("A", "A", "B")}


@pytest.mark.parametrize(
    ("pool", "options"),
    [
        ({}, {}),
        ({"A": -1}, {}),
        ({"A": 3}, {}),
        ({"A": 9}, {"size": 0}),
        ({"A": 9}, {"rule": "best"}),
    ],
)
def test_absurd_pools_are_refused(pool: Any, options: Any) -> None:
    with pytest.raises(kb.BadParameter):
        list(racks(pool, 3, seed=1, **options))


# focusing on differences


def rolls() -> dict[tuple[int, int], int]:
    """The 21 rolls of two dice with their ways."""
    return {(a, b): 1 if a == b else 2 for a in range(1, 7) for b in range(1, a + 1)}


def test_doublets_that_change_nothing_need_not_be_rolled() -> None:
    # Two plays in a bear-off: any doublet of the opponent clears the board after both.
    def difference(roll: tuple[int, int], number: int) -> float:
        if roll[0] == roll[1]:
            return 0.0
        return random.Random(str((roll, number))).gauss(sum(roll) / 10, 1)

    weights = rolls()
    assert sum(weights.values()) == 36
    allocation = focus(weights, difference, 3000, least=8, coverage=0.05)
    doublets = {roll for roll in weights if roll[0] == roll[1]}
    spent = sum(len(allocation.values[roll]) for roll in doublets)
    assert spent <= 6 * 8 + 3000 * 0.05 / 6
    truth = sum(ways * sum(roll) / 10 for roll, ways in weights.items() if roll not in doublets) / 36
    found = allocation.estimate()
    assert abs(found.value - truth) < 4 * found.error
    # Conditional on no doublet, times 5/6, it is the same difference.
    others = {roll: ways for roll, ways in weights.items() if roll not in doublets}
    conditional = focus(others, difference, 3000, least=8, coverage=0.05).estimate()
    assert sum(others.values()) / 36 == 5 / 6
    assert abs(conditional.value * 5 / 6 - found.value) < 4 * math.hypot(found.error, conditional.error)


def test_focused_trials_go_where_weight_and_deviation_are() -> None:
    deviation = {"calm": 1.0, "wild": 4.0, "still": 0.0}

    def trial(name: str, number: int) -> float:
        return random.Random(f"{name} {number}").gauss(0, deviation[name])

    allocation = focus({"calm": 0.4, "wild": 0.4, "still": 0.2}, trial, 2000, least=10, coverage=0.05)
    trials = {name: len(values) for name, values in allocation.values.items()}
    # J. Neyman's optimal allocation is in proportion to weight times deviation.
    assert trials["wild"] / trials["calm"] == pytest.approx(4, rel=0.15)
    assert trials["still"] == pytest.approx(20, abs=2)
    even = math.sqrt((0.4 + 16 * 0.4) / 2000)
    assert allocation.estimate().error < 0.85 * even


def test_the_gain_is_the_fall_of_the_variance() -> None:
    assert gain(0.5, 4.0, 10) == pytest.approx(0.25 * 4 * (1 / 10 - 1 / 11))


def test_focused_estimates_cover_and_have_no_visible_bias() -> None:
    values, hits = [], 0
    for run in range(400):
        dice = random.Random(run)

        def trial(name: str, number: int, dice: random.Random = dice) -> float:
            return dice.gauss(1, 1) if name == "a" else dice.gauss(-1, 3)

        found = focus({"a": 3, "b": 1}, trial, 80, least=8).estimate()
        values.append(found.value)
        hits += 0.5 in found.interval()
    overall = mean(values)
    assert abs(overall.value - 0.5) < 4 * overall.error
    assert 0.91 < hits / 400 < 0.98


def test_when_nothing_varies_trials_follow_the_weights() -> None:
    allocation = focus({"a": 3.0, "b": 1.0}, lambda name, number: 1.0, 400)
    assert {name: len(values) for name, values in allocation.values.items()} == {"a": 300, "b": 100}


def test_absurd_allocations_are_refused() -> None:
    for weights in ({}, {"a": 0.0}, {"a": -1.0}, {"a": math.inf}):
        with pytest.raises(kb.BadParameter):
            Allocation(weights)
    for options in ({"least": 1}, {"coverage": 2.0}):
        with pytest.raises(kb.BadParameter):
            Allocation({"a": 1.0}, **options)  # type: ignore[arg-type]
    with pytest.raises(kb.BadParameter, match="too few"):
        focus({"a": 1.0, "b": 1.0}, lambda name, number: 0.0, 5)
    allocation = Allocation({"a": 1.0})
    with pytest.raises(kb.BadParameter, match="no trial yet"):
        allocation.estimate()
    with pytest.raises(kb.BadParameter, match="no class"):
        allocation.add("b", 1.0)
    with pytest.raises(kb.BadParameter, match="finite"):
        allocation.add("a", math.nan)


# plausible moves


def test_a_generator_is_graded_by_what_it_misses() -> None:
    game = kb.game("connect-four", rows=4, cols=4)
    positions = [game.start(), game.start().play("1"), game.start().play("2").play("2")]

    def worth(position: kb.Position, moves: Any) -> list[float]:
        return [{"1": 1.0, "2": 3.0, "3": 7.0, "4": 2.0}[move] for move in moves]

    def in_order(position: kb.Position) -> list[str]:
        return sorted(position.moves)

    assert points_lost(positions, in_order, worth, cut=1).value == 6
    assert points_lost(positions, in_order, worth, cut=2).value == 4
    assert points_lost(positions, in_order, worth, cut=3).value == 0
    # What the longer list has not either is not missed.
    assert points_lost(positions, in_order, worth, cut=1, longer=2).value == 2
    experts = [(positions[0], "2"), (positions[1], "4"), (positions[2], "1")]
    assert [hit_rate(experts, in_order, cut=cut).hits for cut in (1, 2, 3, 4)] == [1, 2, 2, 3]
    assert 1 / 3 in hit_rate(experts, in_order, cut=1).interval()


def test_a_search_grades_the_evaluation() -> None:
    game = kb.game("breakthrough", rows=5, cols=4)
    positions = [game.start()]
    for method in (kb.Uct(simulations=3000, seed=1), kb.Simulation(simulations=3000, seed=1)):
        assert 0 <= points_lost(positions, by_evaluation, by_search(method), cut=1).value < 1
        assert points_lost(positions, by_evaluation, by_search(method), cut=50).value == 0
    with pytest.raises(kb.NotSupported, match="reports no value"):
        points_lost(positions, by_evaluation, by_search(kb.AlphaBeta(depth=1)))


def test_absurd_grades_are_refused() -> None:
    game = kb.game("tic-tac-toe")
    with pytest.raises(kb.BadParameter, match="no positions"):
        hit_rate([], by_evaluation, cut=1)
    with pytest.raises(kb.BadParameter, match="longer"):
        points_lost([game.start()], by_evaluation, lambda position, moves: [0.0] * len(moves), cut=10, longer=5)
    with pytest.raises(kb.IllegalMove, match="z9"):
        hit_rate([(game.start(), "z9")], by_evaluation, cut=1)
    with pytest.raises(kb.BadParameter, match="somebody is to move"):
        points_lost([KUHN.start()], by_evaluation, lambda position, moves: [])
    with pytest.raises(kb.BadParameter, match="gave 0 values"):
        points_lost([game.start()], by_evaluation, lambda position, moves: [])


# the tables of the paper


def test_the_tables_are_copied_right() -> None:
    # The paper's own sums, and what its text says about the tables.
    moves = sheppard_arms.published()
    assert (len(moves), sum(each.trials for each in moves)) == (20, 9381)
    assert math.fsum(each.error or 0 for each in moves) == pytest.approx(0.0004873)
    tiles = sheppard_racks.published()
    assert {each.tile: each.unseen for each in tiles} == POOL
    assert sum(round(each.actual * 2718 / 100) for each in tiles) == 7 * 2718
    for each in tiles:
        due = 700 * each.unseen / 93
        assert round(due, 2) == each.expected
        assert abs(abs(each.actual - due) - each.difference) < 0.0101


def test_the_noise_of_the_arms_is_that_of_the_table() -> None:
    # The text has 3.5 deviations between the first and the last move.
    last = sheppard_arms.published()[-1]
    sigma = math.hypot(sheppard_arms.deviations()[-1], sheppard_arms.LEADER) / math.sqrt(last.trials)
    assert (0.616 - last.wins) / sigma == pytest.approx(3.5, abs=0.3)


@pytest.mark.parametrize("id", ["sheppard-table-1", "sheppard-table-2", "sheppard-race", "sheppard-kuhn"])
def test_units_are_pure_functions_with_plain_results(id: str) -> None:
    chosen = experiment(id)
    unit = min(chosen.units("quick"), key=lambda unit: unit.get("races", 0) or unit.get("first", 0))
    small = {name: min(value, 3) if name in ("races", "measurements") else value for name, value in unit.items()}
    result = chosen.run(small)
    assert json.loads(json.dumps(result)) == result
    assert chosen.run(small) == result
