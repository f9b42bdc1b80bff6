"""`kb.mia()`, the engine of the relative history heuristic: it plays, and it is the sum of its parts."""

from __future__ import annotations

import dataclasses

import kibitz as kb
import pytest
from kibitz.experiments.loa_positions import positions

#: What cuts on suspicion, or looks beyond the horizon.
SELECTIVE = {"null_move": 0, "null_adaptive": False, "multi_cut": 0, "quiescence": 0}


def test_it_is_principal_variation_search_with_the_published_parts() -> None:
    # Winands et al. (2004): 2^21 entries in pairs of 32 bytes are 128 MB
    parts = {
        "tt_mb": 128,
        "replacement": "two-deep",
        "etc": True,
        "etc_depth": 3,
        "hash_move": True,
        "killers": True,
        "history": "relative",
        "history_gain": "square",
        "history_tried": "power",
        "credit_fail_low": True,
        "credit_table": True,
        "null_move": 2,
        "null_adaptive": True,
        "multi_cut": 10,
        "multi_cut_cuts": 3,
        "multi_cut_reduction": 2,
        "multi_cut_everywhere": True,
        "quiescence": 16,
    }
    assert kb.mia() == kb.Pvs(**parts)
    assert {name: value for name, value in dataclasses.asdict(kb.mia(depth=7)).items() if name in parts} == parts
    assert kb.mia(depth=7).depth == 7


def test_without_its_selective_parts_it_finds_the_value_of_minimax() -> None:
    for position in positions("validation")[:6]:
        exact = kb.Minimax(depth=3).search(position)
        found = kb.mia(depth=3, same_depth=True, **SELECTIVE).search(position)
        assert found.value == exact.value
        assert found.best in [child.move for child in exact.children if child.value == exact.value]


@pytest.mark.parametrize(
    ("off", "counter"),
    [({"null_move": 0}, "null_move_cuts"), ({"multi_cut": 0}, "multi_cuts"), ({"quiescence": 0}, "quiescence_nodes")],
)
def test_every_selective_part_works_and_can_be_switched_off(off: dict[str, int], counter: str) -> None:
    found = [kb.mia(depth=6).search(position) for position in positions("tuning")[:3]]
    assert all(report.stats[counter] > 0 for report in found)
    for position in positions("tuning")[:3]:
        assert counter not in kb.mia(depth=6, **off).search(position).stats


def test_its_order_needs_fewer_nodes_than_none() -> None:
    ordered, plain = (
        sum(
            kb.mia(depth=5, **SELECTIVE, history=history).search(position).nodes for position in positions("tuning")[:8]
        )
        for history in ("relative", False)
    )
    assert ordered < plain


def test_it_plays_and_wins() -> None:
    players = {"mia": kb.mia(depth=3, tt_mb=4), "random": kb.Random()}
    table = kb.match("lines-of-action", players, games=6, seed=1, workers=0)
    assert table["mia"].score == 1
