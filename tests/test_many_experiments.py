"""The experiments about games of many players: who sits where, what is counted, what is published."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import kibitz as kb
import pytest
from kibitz.experiments import data, experiment
from kibitz.experiments.experiment import SCALES
from kibitz.experiments.many_players_league import PLAYERS, tables
from kibitz.experiments.schadd_best_reply import expected_share
from kibitz.experiments.schadd_best_reply_players import game_units, play_unit, player
from kibitz.experiments.sturtevant_cards import DECKS, deal, rules, search
from kibitz.experiments.sturtevant_models import Hand, _beliefs, spades_game

BEST_REPLY = [f"best-reply-table-{number}" for number in range(1, 7)]
CARDS = ["sturtevant-table-1", "sturtevant-table-2", "sturtevant-table-4", "sturtevant-table-5"]


def measured(id: str, units: list[Any]) -> dict[str, Any]:
    found = experiment(id)
    return {row.label: row for row in found.summarize("quick", [found.run(unit) for unit in units])}


def test_printed_percentages_are_points_over_games_but_for_six_players() -> None:
    wrong = Counter(
        int(row["players"])
        for row in data.read("schadd-best-reply-matches")
        if abs(100 * float(row["bestreply"]) / (float(row["bestreply"]) + float(row["other"])) - float(row["percent"]))
        > 0.06
    )
    assert wrong == {6: 6}


def test_printed_games_of_three_add_up_but_for_one_row() -> None:
    sums = [
        round(sum(float(row[kind]) for kind in ("bestreply", "paranoid", "maxn")))
        for row in data.read("schadd-best-reply-three")
    ]
    assert sums == [1002, 1002, 1017, *[1002] * 6]


def test_every_seating_is_played_equally_often() -> None:
    for players, ways, each in ((3, 6, 167), (4, 14, 72), (6, 62, 17)):
        units = game_units("chinese-checkers", players, ["bestreply", "maxn"], 1000, 1000)
        seatings = Counter(tuple(unit["seats"]) for unit in units)
        assert len(seatings) == ways
        assert set(seatings.values()) == {each}
    three = game_units("rolit", 3, ["bestreply", "paranoid", "maxn"], 1000, 1000)
    assert set(Counter(tuple(unit["seats"]) for unit in three).values()) == {167}


@pytest.mark.parametrize("id", [*BEST_REPLY, *CARDS, "many-players-league"])
def test_units_grow_with_the_scale_and_are_plain(id: str) -> None:
    found = experiment(id)
    sizes = [len(found.units(scale)) for scale in SCALES]
    assert 1 <= sizes[0] < sizes[1] <= sizes[2]
    assert found.units("quick") == found.units("quick")


@pytest.mark.parametrize("game", ["chinese-checkers", "focus", "rolit"])
def test_a_game_is_a_function_of_its_unit_and_its_points_add_up_to_one(game: str) -> None:
    unit = game_units(game, 3, ["bestreply", "paranoid", "maxn"], 100, 1)[0]
    found = play_unit(unit)
    assert play_unit(unit) == found
    assert sum(found["points"].values()) == pytest.approx(1)
    assert play_unit({**unit, "number": 7})["plies"] > 0


def test_the_random_term_is_another_one_in_every_search() -> None:
    position = kb.game("focus", players=3).start()
    search_ = player("bestreply", "focus", 3, 300)
    assert len({search_.search(position, seed=seed).value for seed in range(5)}) > 1
    assert len({search_.search(position, seed=1).value for _ in range(3)}) == 1


def test_basic_settings_have_no_table_killers_and_history() -> None:
    found = player("paranoid", "focus", 2, 1000, "basic")
    assert isinstance(found, kb.Paranoid)
    assert (found.tt_mb, found.killers, found.history, found.hints) == (0, False, False, True)


def test_a_share_of_all_games_is_not_certain() -> None:
    interval = expected_share([1.0] * 20, 1000, 0.95)
    assert 0.7 < interval.low < 0.99
    assert interval.high == 1


def test_with_two_players_paranoid_and_best_reply_are_the_same() -> None:
    units = [unit for unit in experiment("best-reply-table-2").units("quick") if unit["number"] == 0]
    rows = measured("best-reply-table-2", units)
    assert rows["positions of two players in which both find the same move and value with the same nodes"].verdict == (
        "holds"
    )


def test_matches_are_compared_with_points_over_games() -> None:
    units = [unit for unit in experiment("best-reply-table-4").units("quick") if unit["number"] < 2]
    rows = measured("best-reply-table-4", units)
    six = rows["chinese-checkers, 6 players, 200 nodes: best-reply against maxⁿ, 2 games"]
    assert six.published == pytest.approx(735 / 1054, abs=1e-4)
    assert rows["six players: games by which the printed percentages were divided"].measured == "1008"


def test_a_deal_is_a_function_of_its_number() -> None:
    assert deal("reduced", 7, 3) == deal("reduced", 7, 3) != deal("reduced", 7, 4)
    cards = deal("reduced", 7, 3).split(";")[0].replace(" / ", " ").split()
    assert sorted(cards) == sorted(DECKS["reduced"])
    for deck, game in (("short", "spades"), ("reduced", "hearts"), ("no-queen", "hearts")):
        text = deal(deck, len(DECKS[deck]) // 3, 1, leader=2)
        utility = {"utility": "tricks"} if game == "spades" else {}
        assert rules(game, deck, **utility).position(text).turn == 2


def test_the_trees_of_the_known_deals_have_their_size() -> None:
    # an independent program has the same counts
    for game, text, nodes in (
        ("spades", "5C AS QS / QC JH 5H / AC KH TH; lead A", 225),
        ("spades", "2D TH 9H 6H / 9C 6C JD JH / TD 6D 4S 3S; lead A", 198),
        ("hearts", "KC JD 7H / KS KH TH / QS JS JH; lead A", 568),
    ):
        utility = {"utility": "tricks"} if game == "spades" else {}
        position = rules(game, "full", **utility).position(text)
        assert search(4, ties="total", pruning="none", tt_mb=0).search(position).nodes == nodes


def test_pruning_changes_no_value_and_saves_nodes() -> None:
    units = [unit for unit in experiment("sturtevant-table-1").units("quick") if unit["number"] < 3]
    results = [experiment("sturtevant-table-1").run(unit) for unit in units]
    assert all(result["same"] for result in results)
    totals = Counter[str]()
    for result in results:
        totals.update(result["nodes"])
    assert totals["pruning"] < totals["table"] < totals["full"]


def test_who_does_not_know_takes_all_for_his_own_type() -> None:
    types = ["tricks", "overtricks", "tricks"]
    assert _beliefs(types, [True, False, False]) == [
        ("tricks", "overtricks", "tricks"),
        ("overtricks",) * 3,
        ("tricks",) * 3,
    ]


def test_everybody_takes_in_a_hand_what_maxn_says_if_all_beliefs_are_true() -> None:
    for number in range(10):
        text = deal("short", 5, number)
        value = search(5, ties="leftmost").search(rules("spades", "short", cards=5, utility="tricks").position(text))
        hand = Hand("spades", 5, text, [("tricks",) * 3] * 3, bids=[1, 1, 1])
        assert tuple(hand.played()) == value.values


def test_a_game_of_spades_ends_with_200_points() -> None:
    totals = spades_game(["tricks", "overtricks", "tricks"], [True, True, False], 4, "test")
    assert max(totals) >= 200
    assert totals == spades_game(["tricks", "overtricks", "tricks"], [True, True, False], 4, "test")


@pytest.mark.parametrize("table", [4, 5])
def test_models_are_compared_line_by_line(table: int) -> None:
    units = experiment(f"sturtevant-table-{table}").units("quick")
    assert len({tuple(unit["seats"]) for unit in units}) == 6
    rows = measured(f"sturtevant-table-{table}", units)
    won = [row for label, row in rows.items() if "won by" in label]
    assert [row.published for row in won] == ([0.47, 0.65, 0.493, 0.632] if table == 4 else [0.455, 0.419, 0.54, 0.491])


def test_in_the_league_everybody_has_every_seat_once_a_round() -> None:
    for number in range(3):
        for seat in range(3):
            assert sorted(table[seat] for table in tables(number)) == sorted(PLAYERS)
    assert tables(0) != tables(1)


def test_a_round_of_the_league() -> None:
    units = [unit for unit in experiment("many-players-league").units("quick") if unit["game"] == "focus"]
    found = experiment("many-players-league")
    results = [found.run(unit) for unit in units]
    assert all(sum(result["shares"]) == pytest.approx(1) for result in results)
    shares = [
        row.measured
        for row in found.summarize(
            "quick", [{**each, "game": game} for each in results for game in ("chinese-checkers", "focus", "rolit")]
        )
        if "place" in row.label
    ]
    assert len(shares) == 4 * len(PLAYERS)


def bench() -> ModuleType:
    path = Path(__file__).parent.parent / "benches" / "many_players_against_openspiel.py"
    spec = importlib.util.spec_from_file_location("many_players_against_openspiel", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_a_game_against_openspiel_is_by_the_rules_of_both() -> None:
    pytest.importorskip("pyspiel")
    module = bench()
    unit = module.Unit(0, 0, (0, 1, 0), "bestreply", 0.002, 4, 60, 2.0)
    game = module.play(unit)
    assert len(game["moves"]) == 60
    assert game["score"] == pytest.approx(2 / 3)
