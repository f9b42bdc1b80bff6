"""Rutko's experiments on search effort: the counts are the published ones, and what is compared is what is said."""

from __future__ import annotations

import functools
from typing import Any

import kibitz as kb
import pytest
from kibitz.arena.statistics import Interval
from kibitz.experiments import data, experiment
from kibitz.experiments.judging import by_interval
from kibitz.experiments.rutko_effort import WIDTHS, Effort, Setting, compare, players, reference
from kibitz.experiments.rutko_effort import _findings as findings
from kibitz.experiments.rutko_fish import BARE, Deepened, layout, value_of
from kibitz.experiments.rutko_fish import players as fish_players
from kibitz.experiments.rutko_quality import QUALITIES, Pairs, player

SHAPES = {(2, 14): 31, (3, 10): 26, (4, 8): 22, (5, 6): 20}

# Leaves and nodes on the random trees with seed 0, computed for the specification by two independent programs.
WITH_TABLE = {
    "NegaScout": [(1716, 4814), (4494, 8775), (4660, 7859), (2021, 3134)],
    "NegaC*": [(1591, 4454), (4435, 9016), (4898, 8742), (1951, 3161)],
    "SSS*": [(1588, 6311), (3967, 11597), (4726, 12069), (1961, 5605)],
    "DUAL*": [(1487, 4710), (4390, 9320), (4835, 8911), (1947, 3269)],
    "MTD(f)": [(1370, 3648), (3154, 5965), (3936, 6455), (1360, 2046)],
    "BNS-P, linear": [(2024, 5866), (4688, 9837), (7219, 13213), (1860, 3756)],
    "BNS-P": [(1640, 4293), (3627, 6867), (4828, 7874), (1460, 2196)],
    "BNS-R": [(1331, 3486), (3154, 5965), (3745, 6076), (1277, 1901)],
    "BNS-C": [(1364, 3519), (2568, 4801), (3745, 6076), (1277, 1901)],
}
WITHOUT_TABLE = {
    "Alpha-Beta": [(1977, 4907), (5797, 10523), (6178, 9802), (2728, 3945)],
    "NegaScout": [(2749, 7059), (6288, 11616), (5683, 9155), (2640, 3914)],
    "MTD(f)": [(2870, 7423), (4560, 8513), (5590, 9088), (2085, 3110)],
    "BNS-C": [(1364, 3519), (2568, 4801), (3745, 6076), (1277, 1901)],
}


@pytest.mark.parametrize(("table", "counts"), [(True, WITH_TABLE), (False, WITHOUT_TABLE)], ids=["table", "no table"])
def test_the_players_of_the_experiment_have_the_counts_of_the_deterministic_trees(
    table: bool, counts: dict[str, list[tuple[int, int]]]
) -> None:
    for number, (width, depth) in enumerate(SHAPES):
        start = kb.game("random-tree", width=width, depth=depth, range=80, seed=0).start()
        chosen = players(width, depth, 80, fail="soft", table=table)
        for name, expected in counts.items():
            report = chosen[name].search(start)
            assert (report.stats["leaves"], report.nodes) == expected[number], (name, width)


def test_fail_hard_changes_the_nodes_of_all_but_negascout_and_alpha_beta() -> None:
    start = kb.game("random-tree", width=2, depth=14, range=80, seed=1).start()
    soft, hard = (players(2, 14, 80, fail=fail, table=True) for fail in ("soft", "hard"))
    same = {name for name in soft if soft[name].search(start).nodes == hard[name].search(start).nodes}
    assert {"Alpha-Beta", "NegaScout"} <= same
    assert not same & {"SSS*", "DUAL*", "MTD(f)"}


@functools.cache
def width_2(fail: str, table: bool) -> list[Any]:
    """400 of the 10,000 trees of the scale standard."""
    chosen = [
        unit
        for unit in experiment("rutko-effort").units("standard")
        if (unit["width"], unit["range"], unit["fail"], unit["table"]) == (2, 80, fail, table)
    ]
    assert sum(unit["trees"] for unit in chosen) == 10_000
    return [experiment("rutko-effort").run(unit) for unit in chosen[:10]]


@pytest.mark.parametrize(("fail", "table"), [("soft", True), ("hard", True), ("soft", False)])
def test_width_2_has_the_effort_that_was_computed_for_the_specification(fail: str, table: bool) -> None:
    results = width_2(fail, table)
    lines = [each for each in reference() if (each["range"], each["fail"], each["table"]) == (80, fail, table)]
    assert len(lines) >= 9
    for given in lines:
        expected, measured, allowed = compare(given, 2, Effort(results, given["count"]))
        # Three standard errors of 400 trees are still a figure that tells the algorithms apart.
        assert allowed < 0.12 * expected
        assert abs(measured - expected) <= allowed, (given["algorithm"], given["count"], measured, expected)


def test_the_effort_of_a_setting_is_that_of_its_trees() -> None:
    sums = {"MTD(f)": [30, 60, 500, 2000, 500, 2000], "BNS-C": [24, 51, 296, 1305, 380, 1614]}
    effort = Effort([{"trees": 2, "sums": sums}], "leaves")
    # MTD(f) has 10 and 20 leaves, BNS-C 10 and 14.
    assert (effort.mean("MTD(f)"), effort.mean("BNS-C")) == (15, 12)
    assert effort.percent("BNS-C") == 80
    assert effort.deviation("BNS-C") == pytest.approx(8**0.5)
    # What is left of 10 − 0.8·10 and 14 − 0.8·20 is 2 and −2.
    assert effort.percent_deviation("BNS-C") == pytest.approx(100 * 8**0.5 / 15)
    assert effort.percent_deviation("MTD(f)") == 0
    assert Effort([{"trees": 2, "sums": sums}], "total").percent("BNS-C") == 85


def test_the_finding_names_the_variant_the_alpha_beta_and_where_it_vanishes() -> None:
    class Fixed(Effort):
        def __init__(self, percents: dict[str, float]) -> None:
            self.percents = percents

        def percent(self, name: str) -> float:
            return self.percents[name]

    efforts: dict[tuple[Setting, str], Effort] = {}
    for width in WIDTHS:
        for top, bns in ((80, 87.0), (800, 89.0 if width == 2 else 99.0)):
            leaves = {"BNS-P, linear": 141.0, "BNS-P": 99.0, "BNS-R": 92.0, "BNS-C": bns}
            efforts[Setting(width, top, "soft", True), "leaves"] = Fixed(leaves)
        for fail, totals in (("soft", (180.0, 150.0, 86.0)), ("hard", (778.0, 413.0, 78.0))):
            named = dict(zip(("SSS*", "DUAL*", "BNS-C"), totals, strict=True))
            efforts[Setting(width, 80, fail, True), "total"] = Fixed(named)  # type: ignore[arg-type]
    rows = list(findings(efforts))
    assert rows[0].why.startswith("BNS-C is the nearest")
    assert all(row.why.startswith("nearest with fail-hard") for row in rows[1:4])
    assert "at width 3, 4, 5" in rows[4].why


def test_published_is_what_the_thesis_says_and_the_rest_is_named_a_reference() -> None:
    rows = experiment("rutko-effort").summarize("quick", list(map(experiment("rutko-effort").run, quick_units())))
    published = {row.label: row.published for row in rows if isinstance(row.published, float)}
    assert published == {
        "BNS, leaves, % of MTD(f), width 2": 88,
        "BNS, leaves, % of MTD(f), width 5": 96,
        **{f"BNS, total, % of MTD(f), width {width}": 80 for width in WIDTHS},
        "SSS*, total, % of MTD(f), width 2": 700,
        "DUAL*, total, % of MTD(f), width 2": 300,
    }
    computed = [row for row in rows if row.label.startswith("our reference: ")]
    assert len(computed) == len(data.read("rutko-effort-reference")) == 46
    assert computed[0].published == "1292.9 / 3246.0 / 3689.5 / 1413.7"


def quick_units() -> list[dict[str, Any]]:
    """Two trees of every setting."""
    return [{**unit, "trees": 2} for unit in experiment("rutko-effort").units("quick")]


# Hey! That's My Fish!


def test_deepening_sums_the_depths_of_one_parity_and_hands_on_their_value() -> None:
    position = layout(3)
    for bare in (kb.Mtd(depth=4, **BARE), kb.BestNode(depth=4, **BARE)):
        first = bare.search(position, depth=2)
        second = bare.search(position, depth=4, first_guess=first.value)
        found = Deepened(player=bare, depth=4).search(position)
        assert found.nodes == first.nodes + second.nodes
        assert found.stats["leaves"] == first.stats["leaves"] + second.stats["leaves"]
        assert (found.best, found.value) == (second.best, second.value)


def test_the_best_move_has_the_value_of_the_position_and_no_move_a_greater_one() -> None:
    position = layout(1)
    exact = kb.Minimax(depth=3).search(position)
    values = [value_of(position, move, 3) for move in position.moves]
    assert max(values) == exact.value == value_of(position, exact.best, 3)
    assert min(values) < exact.value


def test_a_game_of_fish_counts_every_algorithm_at_every_move_and_finds_no_wrong_move() -> None:
    found = experiment("rutko-fish").run({"depth": 4, "seed": 2})
    assert 30 <= len(found["legal"]) <= 52
    assert found["wrong"] == 0
    assert set(found["leaves"]) == {*fish_players(4), "MTD(f), oracle", "BNS-C, oracle"}
    assert {len(leaves) for leaves in found["leaves"].values()} == {len(found["legal"])}
    # The true value as the guess cannot be improved on by another one in sum over a game.
    assert sum(found["leaves"]["BNS-C, oracle"]) < sum(found["leaves"]["BNS-C"])


def test_full_quality_is_the_exact_search_and_less_quality_saves_nodes() -> None:
    exact = Deepened(player=kb.BestNode(variant="raise", depth=4, **BARE), depth=4)
    nodes = {100: 0, 50: 0, 0: 0}
    for seed in range(1, 6):
        position = layout(seed)
        full, bare = player(4, 100).search(position), exact.search(position)
        assert (full.best, full.nodes) == (bare.best, bare.nodes)
        for quality in nodes:
            nodes[quality] += player(4, quality).search(position).nodes
    assert nodes[100] > nodes[50] > nodes[0]


def test_the_quality_of_a_game_counts_moves_that_lose() -> None:
    found = experiment("rutko-quality").run({"depth": 4, "seed": 1})
    assert set(found["found"]) == {str(quality) for quality in QUALITIES}
    for nodes, wrong, lost in found["found"].values():
        assert nodes <= found["nodes"]
        assert 0 <= wrong <= found["moves"]
        assert lost >= wrong
    assert found["found"]["0"][1] > 0


def test_a_match_on_one_layout_is_two_games_with_seats_exchanged() -> None:
    run = experiment("rutko-quality-match").run
    found = run({"depth": 4, "quality": 0, "layout": 1})
    assert found["score"] in (0, 0.25, 0.5, 0.75, 1)
    assert found["nodes"][0] < found["nodes"][1]
    assert run({"depth": 4, "quality": 0, "layout": 1}) == found


def test_pairs_that_all_end_even_leave_some_doubt() -> None:
    even = Pairs([{"score": 0.5, "difference": 0, "nodes": [80, 100]}] * 10)
    assert (even.score, even.difference, even.saving) == (50, 0, 20)
    interval = even.interval("score", 100, 0.95)
    assert 30 < interval.low < 49 < 51 < interval.high < 70
    assert even.interval("saving", 100, 0.95) == Interval(20, 20)


def test_a_reference_is_not_called_published() -> None:
    row = by_interval("leaves", 3, 1, Interval(0, 2), par=0, source="reference")
    assert row.why == "the reference 3 is above 0 to 2"
    assert by_interval("leaves", 3, 1, Interval(0, 2)).why == "the published 3 is above 0 to 2"
