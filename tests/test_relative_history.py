"""The experiments with relative history in Lines of Action: units, ratios and what stands in the published column."""

from __future__ import annotations

import functools

import kibitz as kb
import pytest
from kibitz.experiments import Row, experiment
from kibitz.experiments.loa_positions import positions
from kibitz.experiments.relative_history import CURVES, SIZES, Searches, plain, ratio, relative


def test_a_search_of_a_unit_has_the_nodes_of_every_depth() -> None:
    unit = {
        "set": "tuning",
        "first": 4,
        "count": 2,
        "depth": 5,
        "settings": [plain("power"), relative("square", "power")],
    }
    found = experiment("relative-history-table-1").run(unit)
    position = positions("tuning")[4]
    for setting, nodes in zip(unit["settings"], found["nodes"], strict=True):
        assert len(nodes) == 2
        assert nodes[0] == sorted(nodes[0])
        for depth in (1, 4, 5):
            assert nodes[0][depth - 1] == kb.mia(depth=depth, **setting).search(position).nodes


def test_the_settings_of_table_1_differ_in_nothing_but_the_increment_and_0_is_no_history() -> None:
    position = positions("validation")[0]
    assert (
        kb.mia(depth=5, **plain("zero")).search(position).nodes == kb.mia(depth=5, history=False).search(position).nodes
    )
    (settings,) = {tuple(map(repr, unit["settings"])) for unit in experiment("relative-history-table-1").units("quick")}
    assert settings == tuple(repr(plain(gain)) for gain in ("zero", "one", "depth", "square", "power"))


def test_a_ratio_is_that_of_the_sums_and_its_interval_shrinks_with_more_positions() -> None:
    few, narrow = ratio([10, 30, 20, 40], [20, 30, 40, 60])
    assert few == pytest.approx(100 / 150)
    assert narrow.low < few < narrow.high
    many, narrower = ratio([10, 30, 20, 40] * 40, [20, 30, 40, 60] * 40)
    assert many == few
    assert narrower.high - narrower.low < (narrow.high - narrow.low) / 3
    same, none = ratio([3, 5], [6, 10])
    assert (same, none.low, none.high) == (0.5, 0.5, 0.5)


def test_searches_of_several_units_are_joined_position_by_position() -> None:
    results = [
        {"depth": 2, "settings": [plain("one"), plain("zero")], "nodes": [[[1, 2]], [[1, 4]]]},
        {"depth": 2, "settings": [plain("one"), plain("zero")], "nodes": [[[1, 3], [2, 5]], [[1, 6], [2, 9]]]},
    ]
    found = Searches(results)
    assert (found.depth, found.positions) == (2, 3)
    assert found.nodes(plain("zero"), 2) == [4, 6, 9]
    assert found.total(plain("one"), 1) == 4


@functools.cache
def rows(id: str) -> dict[str, Row]:
    """The rows of the first units of the scale quick."""
    chosen = experiment(id)
    units = chosen.units("quick")
    picked = [unit for unit in units if unit["first"] == 0]
    return {row.label: row for row in chosen.summarize("quick", [chosen.run({**unit, "count": 4}) for unit in picked])}


def test_the_published_ratios_are_those_of_table_1() -> None:
    found = rows("relative-history-table-1")
    ratios = {label.split(",")[0]: row.published for label, row in found.items() if "ratio" in label}
    assert ratios == {
        "depth 5: nodes with increment 1": round(1_901_956 / 2_480_001, 4),
        "depth 5: nodes with increment d": round(1_896_429 / 2_480_001, 4),
        "depth 5: nodes with increment d²": round(1_900_055 / 2_480_001, 4),
        "depth 5: nodes with increment 2^d": round(1_878_114 / 2_480_001, 4),
    }
    assert all(row.measured < 1 for label, row in found.items() if "ratio" in label)  # type: ignore[operator]


def test_the_published_ratios_are_those_of_table_2_and_are_not_judged_at_another_depth() -> None:
    found = rows("relative-history-table-2")
    ratios = [row for label, row in found.items() if "ratio" in label]
    assert len(ratios) == 16
    best = found["depth 6: relative history (d², 2^d), ratio to plain history 2^d"]
    assert best.published == round(12_234_575_562 / 13_925_222_389, 4) == 0.8786
    assert {row.verdict for row in ratios} <= {"measured", "same direction"}
    worst = found["depth 6: the best increments, and how much more the worst of all sixteen need"]
    assert worst.published == "(d², 2^d), 6.9 %"


def test_the_curves_are_those_of_the_figures_with_and_without_multi_cut() -> None:
    found = rows("relative-history-curve")
    assert len(found) == 3 * 5
    for label, row in found.items():
        assert row.published == "no significant difference", label
    units = experiment("relative-history-curve").units("standard")
    assert {unit["depth"] for unit in units} == {depth for _, depth in SIZES["standard"]} == {9, 10, 11}
    for label, name, changes in CURVES:
        mine = [unit for unit in units if unit["curve"] == label]
        assert {unit["set"] for unit in mine} == {name}
        assert all(
            setting.get("multi_cut") == changes.get("multi_cut") for unit in mine for setting in unit["settings"]
        )
