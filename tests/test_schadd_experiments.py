"""The experiments with SP-MCTS and NRPA: what a unit measures, and how rows are judged, on a few units each."""

from __future__ import annotations

from typing import Any

import kibitz as kb
import pytest
import test_morpion
from kibitz.experiments import Row, experiment
from kibitz.experiments.rosin_morpion import RECORDS
from kibitz.experiments.schadd_boards import board, difference, mean, of_boards
from kibitz.experiments.schadd_cross_entropy import RANGES
from kibitz.experiments.schadd_standard_set import METHODS, VERSIONS, Size, best, equal_playouts, published
from samegame_rules import Board, score


def rows_by_label(id: str, results: list[Any], scale: Any = "quick") -> dict[str, Row]:
    return {row.label: row for row in experiment(id).summarize(scale, results)}


def test_the_published_scores_add_up_and_those_of_hgsts_are_not_all_possible() -> None:
    table = published()
    totals = {name: sum(scores.values()) for name, scores in table.items()}
    assert list(totals.values()) == [72_816, 73_998, 76_352, 76_764, 77_934, 78_012, 84_414, 84_718]
    # every score of a full board is odd
    even = {name: [p for p, value in scores.items() if value % 2 == 0] for name, scores in table.items()}
    assert even.pop("HGSTS") == [3, 8, 9, 10, 11, 12, 14, 16, 17, 18]
    assert not any(even.values())


@pytest.mark.parametrize("id", ["schadd-table-3-1", "schadd-table-3-2", "schadd-figure-3-2", "schadd-time-control"])
def test_a_unit_is_a_search_of_a_board_and_gives_the_same_result_again(id: str) -> None:
    found = experiment(id)
    units = found.units("quick")
    # every search gets every board, and all of them the same ones
    boards = {unit["board"] for unit in units}
    assert len(units) == len(boards) * len({tuple({**unit, "board": 0, "search": ""}.values()) for unit in units})
    unit = units[-1]
    result = found.run(unit)
    assert result == found.run(unit)
    report = kb.algorithm(unit["search"]).search(board(unit["board"]))
    assert (result["score"], result["playouts"]) == (report.value, report.stats["simulations"])
    assert score(str(board(unit["board"])).partition(" ")[0], list(report.line)) == report.value


def test_the_settings_of_the_tables_are_the_published_ones() -> None:
    for unit in experiment("schadd-table-3-2").units("standard"):
        search = kb.algorithm(unit["search"])
        assert isinstance(search, kb.SpMcts)
        assert (search.preset, search.tree_nodes, search.result_scale) == (unit["name"], unit["limit"], unit["scale"])
    for unit in experiment("schadd-figure-3-2").units("standard"):
        search = kb.algorithm(unit["search"])
        assert isinstance(search, kb.SpMcts)
        assert search.restarts == unit["searches"]
        assert search.tree_nodes == 500_000 // unit["searches"]
    playouts = {
        unit["seconds"]: kb.algorithm(unit["search"]) for unit in experiment("schadd-time-control").units("full")
    }
    assert {seconds: search.simulations for seconds, search in playouts.items() if isinstance(search, kb.SpMcts)} == {
        5: 25_000,
        10: 50_000,
        20: 100_000,
        30: 150_000,
        60: 300_000,
    }


def test_differences_are_those_on_the_same_boards() -> None:
    low = {0: 1000.0, 1: 3000.0, 2: 2000.0}
    high = {index: value + 100 + index for index, value in low.items()}
    row = difference("gain", 101.0, high, low)
    assert row.verdict == "agrees"
    assert row.measured == 101
    assert row.interval is not None
    assert row.interval.high - row.interval.low < 10
    # boards differ by more than that, and a mean knows nothing of the other search
    alone = mean("score", 2000.0, low)
    assert alone.interval is not None
    assert alone.interval.high - alone.interval.low > 1000
    assert difference("gain", 50.0, high, low).verdict == "same direction"
    assert difference("gain", -50.0, high, low).verdict == "differs"


def test_results_are_chosen_by_their_place_in_the_table() -> None:
    results = [{"board": b, "name": n, "score": b + (n == "x")} for b in range(3) for n in "xy"]
    assert of_boards(results, name="x") == {0: 1, 1: 2, 2: 3}
    assert of_boards(results, name="y") == {0: 0, 1: 1, 2: 2}


def test_ten_restarts_are_the_best_or_as_good_or_not() -> None:
    def verdict(gains: dict[int, list[float]]) -> tuple[str, Any]:
        counts = (1, 2, 5, 10, 20, 50)
        results = [
            {"searches": count, "scale": scale, "board": index, "score": 2000 + gains.get(count, [0] * 15)[index]}
            for scale in (1.0, 60.0)
            for count in counts
            for index in range(15)
        ]
        found = rows_by_label("schadd-figure-3-2", results, "standard")
        row = found["500,000 nodes, raw points: number of searches with the highest mean"]
        return row.verdict, row.measured

    assert verdict({10: [900.0] * 15}) == ("agrees", 10)
    assert verdict({10: [900.0] * 15, 20: [901.0 + (-1) ** i * 50 for i in range(15)]}) == ("same direction", 20)
    assert verdict({10: [900.0] * 15, 20: [990.0] * 15}) == ("differs", 20)


def test_a_longer_run_of_restarts_goes_on_from_a_shorter_one() -> None:
    few, many = equal_playouts(Size(100_000, 100)), equal_playouts(Size(100_000, 1_000))
    first = [unit for unit in few if unit["name"] == VERSIONS[0]]
    assert len(first) == 20 * 10
    assert sum(unit["restarts"] for unit in first) == 20 * 100
    assert all(unit in many for unit in first)
    assert {unit["playouts"] for unit in few if unit["name"] != VERSIONS[0]} == {10_000_000}
    assert list(experiment("schadd-table-3-6").units("full")) == many


def test_a_position_of_the_standard_set_is_searched_by_three_versions_and_their_lines_are_kept() -> None:
    found = experiment("schadd-table-3-6")
    results = [found.run(unit) for unit in equal_playouts(Size(300, 10, 2))]
    for each in results:
        start = str(kb.game("samegame", position=each["position"]).start()).partition(" ")[0]
        moves = each["moves"].split()
        assert score(start, moves) == each["score"]
        assert each["cleared"] == _cleared(start, moves)
    top = best([*results, {**results[0], "score": 9999}])
    assert top[VERSIONS[0]][1]["score"] == 9999
    assert top[VERSIONS[1]][1]["score"] == results[2]["score"]


def _cleared(start: str, moves: list[str]) -> bool:
    after = Board(start)
    for move in moves:
        column, row = move.split(",")
        after.remove(int(column), int(row))
    return not after.columns


def test_totals_are_judged_only_with_as_many_playouts_as_in_the_thesis() -> None:
    table = published()

    def results(restarts: int, more: float = 0.0) -> list[dict[str, Any]]:
        return [
            {
                "name": name,
                "position": position,
                "score": table[name][position] + more + (-1) ** position,
                "cleared": True,
                "playouts": 1e8,
                **({"restarts": restarts} if name == VERSIONS[0] else {}),
            }
            for name in VERSIONS
            for position in range(1, 21)
        ]

    exact = rows_by_label("schadd-table-3-6", results(1_000), "full")
    assert {row.verdict for row in exact.values()} == {"agrees", "measured"}
    assert exact["SP-MCTS(1): total"].published == 73_998
    assert exact["positions on which SP-MCTS(1) beats DBS"].published == 11
    better = rows_by_label("schadd-table-3-6", results(1_000, 200.0), "full")
    assert better["SP-MCTS(3): total"].verdict == "differs"
    fewer = rows_by_label("schadd-table-3-6", results(10, -500.0))
    assert fewer["SP-MCTS(3): total"].verdict == "measured"
    assert fewer["order of the versions"].verdict == "agrees"


def test_methods_at_equal_time_stand_beside_published_totals() -> None:
    def result(name: str, position: int) -> dict[str, Any]:
        points = {"beam search": 4500.0}.get(name, 4000.0) + position
        place = {"name": name, "position": position, "seconds": 60.0, "threads": 2}
        return {**place, "score": points, "cleared": True, "share": 0.5 if name == "NMCS" else 1.0}

    results = [result(name, position) for name in METHODS for position in range(1, 21)]
    found = rows_by_label("samegame-one-minute", results)
    assert found["beam search, 60 s on 2 threads: total"].measured == 20 * 4500 + 210
    assert found["beam search, 60 s on 2 threads: total"].published == 84_414
    assert "only 50%" in found["NMCS, 60 s on 2 threads: total"].why
    assert found["beam search − SP-MCTS, total"].measured == 20 * 500
    assert found["beam search above SPURIOUS AI, total"].measured == "yes"
    web = found["beam search above the best scores of players on the web at that time, total"]
    assert (web.published, web.measured) == (87_858, "yes")
    some = rows_by_label("samegame-one-minute", [each for each in results if each["position"] < 4])
    assert not any("on the web" in label for label in some)
    assert {unit["seconds"] for unit in experiment("samegame-one-minute").units("full")} == {60.0}
    assert {unit["seconds"] for unit in experiment("samegame-ten-minutes").units("full")} == {600.0}
    assert len(experiment("samegame-ten-minutes").units("full")) == 20 * len(METHODS)


def test_the_cross_entropy_method_stays_in_its_ranges_and_is_compared_on_other_boards() -> None:
    found = experiment("schadd-cross-entropy")
    unit = {**found.units("quick")[0], "samples": 4, "elite": 2, "boards": 1, "playouts": 100, "validate": 3}
    result = found.run(unit)
    for name, text in RANGES.items():
        low, high = map(float, text.split(":")[:2])
        assert low <= result["parameters"][name] <= high
    assert len(result["gains"]) == 3
    assert len(result["elite fitness"]) == unit["iterations"]
    rows = {row.label: row for row in found.summarize("quick", [result])}
    assert rows["time per game, raw points: c"].published == 5.96
    assert rows["time per game, raw points: threshold"].published == 13


def test_lengths_of_morpion_are_those_of_games_by_the_words_of_the_rules() -> None:
    found = experiment("rosin-morpion")
    assert all(len({unit["seed"] for unit in found.units(scale)}) >= 10 for scale in ("quick", "standard", "full"))
    results = [
        found.run({"variant": variant, "level": 1, "iterations": 50, "seed": seed})
        for variant in RECORDS
        for seed in (1, 2)
    ]
    for each in results:
        assert test_morpion.score(each["variant"], each["line"]) == each["moves"]
    rows = rows_by_label("rosin-morpion", results)
    lengths = sorted(int(each["moves"]) for each in results if each["variant"] == "5D")
    assert rows["5D, 50 playouts: longest game"].measured == lengths[-1]
    assert rows["5D, 50 playouts: longest game"].published == 82
    assert rows["5D, 50 playouts: mean length over 2 seeds"].measured == sum(lengths) / 2
