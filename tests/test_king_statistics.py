"""King's published tables: the data are printed so, the counts are exact, the tests are Student's and Fisher's."""

from __future__ import annotations

import math

import kibitz as kb
import pytest
from kibitz.arena.batches import anova, cut, p_value, t_test
from kibitz.experiments import Row, data, experiment
from kibitz.experiments.king_states import BOARDS, Board, variants
from kibitz.experiments.king_statistics import FREEDOM, rates, t_tests

TOTALS = {
    "crossings": {
        "as the program counts": 3_629_590_441_722_350_978_583_241_845,
        "sum of the printed rows": 3_629_590_441_722_350_978_583_249_780,
        "all boards": 3_629_590_441_722_350_978_583_310_389,
        "as the text intends": 3_629_590_441_722_350_978_583_306_228,
        "formula as printed": 3_629_590_441_720_924_477_681_996_172,
        "formula as printed, without one piece each": 3_629_590_441_720_924_477_681_992_140,
    },
    "epaminondas": {
        "as the program counts": 24080278526707819549851463172086945496984186580573839562868527,
        "sum of the printed rows": 24080278526707819549851463172086945496984186580573839562924302,
        "all boards": 24080278526707819549851463172086945496984186580573839563682151,
        "as the text intends": 24080278526707819549851463172086945496984186580573839563653758,
        "formula as printed": 24080278526707819549851463171933742905895967872898019332401648,
        "formula as printed, without one piece each": 24080278526707819549851463171933742905895967872898019332373592,
    },
}


def rows(id: str) -> dict[str, Row]:
    found = experiment(id)
    return {row.label: row for row in found.summarize("quick", [found.run(unit) for unit in found.units("quick")])}


@pytest.mark.parametrize("game", BOARDS)
def test_the_six_totals_are_those_of_the_specification(game: str) -> None:
    assert variants(BOARDS[game]) == TOTALS[game]


@pytest.mark.parametrize(("game", "table", "count"), [("crossings", "a1", 31), ("epaminondas", "a2", 55)])
def test_every_printed_digit_of_the_appendix_follows_from_the_programs_way_of_counting(
    game: str, table: str, count: int
) -> None:
    board = BOARDS[game]
    printed = {row["pieces"]: int(row["positions"]) for row in data.read(f"king-table-{table}")}
    assert printed.pop("total") == variants(board)["as the program counts"]
    assert {int(pieces): positions for pieces, positions in printed.items()} == {
        pieces: board.printed(pieces) for pieces in range(2, count + 2)
    }
    assert board.correct(2) == board.printed(2)
    off = [pieces for pieces in range(2, count + 2) if board.correct(pieces) != board.printed(pieces)]
    assert off == list(range(3, board.pieces + 1))
    assert {board.correct(pieces) - board.printed(pieces) for pieces in off} == {board.singles}


def test_boards_are_counted_one_by_one() -> None:
    from itertools import product

    board = Board(4, 2)
    every = [place for place in product(".wb", repeat=4) if place.count("w") <= 2 and place.count("b") <= 2]
    assert sum(board.boards(total) for total in range(5)) == len(every)
    both = [place for place in every if "w" in place and "b" in place]
    assert sum(board.boards(total, 1) for total in range(5)) == len(both)
    assert board.singles == sum(place.count(".") == 2 for place in both)


@pytest.mark.parametrize("id", ["king-table-a1", "king-table-a2"])
def test_the_rows_agree_and_name_the_correct_count(id: str) -> None:
    found = rows(id)
    assert {row.verdict for label, row in found.items() if label.endswith("pieces")} == {"agrees"}
    assert found["2 pieces"].why == ""
    assert found["3 pieces"].why.startswith("correct: 333,312" if id.endswith("1") else "correct: 6,209,728")
    assert [label for label, row in found.items() if row.verdict == "differs"][:5] == [
        f"total, {name}" for name in list(TOTALS["crossings"])[1:]
    ]


def test_the_published_tables_are_complete_and_their_shares_sum_to_one() -> None:
    found = rates()
    assert len(found) == 2 * 2 * 3 * 4
    for key, rate in found.items():
        assert sum(rate) == pytest.approx(1, abs=0.0011), key
    # The alpha-beta players meet each other: what White wins Black loses.
    for (game, colour, name, seconds), rate in found.items():
        if name == "alpha-beta" and colour == "White":
            assert found[game, "Black", name, seconds] == (rate.losses, rate.wins, rate.draws)
    assert len(t_tests()) == 16
    assert {row["different"] == "yes" for row in t_tests().values() if float(row["p"]) < 0.05} == {True}
    assert {row["different"] == "no" for row in t_tests().values() if float(row["p"]) >= 0.05} == {True}


def test_every_published_p_follows_with_98_degrees_of_freedom_and_with_no_other_choice() -> None:
    found = rows("king-statistics")
    assert [label for label, row in found.items() if row.verdict not in ("agrees", "measured")] == []
    measured = {label: row.measured for label, row in found.items() if row.verdict == "measured"}
    assert list(measured.values()) == ["16 of 16", "6 of 16", "6 of 16"]


@pytest.mark.parametrize(
    ("t", "p", "places"),
    [(3.193, 0.0019, 4), (3.611, 0.0005, 4), (0.287, 0.775, 3), (2.112, 0.037, 3), (-1.579, 0.118, 3)],
)
def test_p_values_are_students(t: float, p: float, places: int) -> None:
    assert round(p_value(t, FREEDOM), places) == p


def test_batches_are_means_of_equal_numbers_of_games() -> None:
    assert cut([1, 0, 1, 1, 0, 0, 1], 2) == [0.5, 1.0, 0.0]
    assert cut([1, 0], 3) == []
    with pytest.raises(kb.BadParameter, match="size"):
        cut([1], 0)


def test_the_analysis_of_variance_of_two_samples_is_the_square_of_the_t_test() -> None:
    first, second = [0.3, 0.4, 0.35, 0.5], [0.45, 0.5, 0.55]
    t, f = t_test(first, second), anova(first, second)
    assert t.freedom == (5,)
    assert f.freedom == (1, 5)
    assert t.statistic < 0
    assert f.statistic == pytest.approx(t.statistic**2)
    assert f.p == pytest.approx(t.p) == pytest.approx(p_value(t.statistic, 5))


def test_samples_without_variation_are_the_same_or_surely_different() -> None:
    assert t_test([0.0, 0.0], [0.0, 0.0, 0.0]).p == 1
    different = t_test([0.0, 0.0], [1.0, 1.0])
    assert (different.statistic, different.p) == (-math.inf, 0)
    assert anova([0.0, 0.0], [0.0, 0.0], [0.5, 0.5]).p == 0
    one = t_test([0.0, 0.0, 0.0], [0.1, 0.2, 0.3])
    assert one.statistic == pytest.approx(-0.2 / math.sqrt(0.01 / 2 * 2 / 3))
    with pytest.raises(kb.BadParameter, match="two batches or more"):
        t_test([0.5], [0.5, 0.5])
    with pytest.raises(kb.BadParameter, match="compares two or more"):
        anova([0.5, 0.5])
