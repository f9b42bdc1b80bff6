"""The experiments of the incremental-transpositions paper, on a few units each."""

from __future__ import annotations

import kibitz as kb
import pytest
from kibitz.experiments import experiment
from kibitz.experiments.helmstetter_morpion import records
from test_morpion import score

DEAL = {"ranks": 7, "seed": 4, "nodes": 1_000_000, "entries": 512}


def test_the_counts_of_a_deal_are_those_of_its_searches() -> None:
    # 995 positions, 4,908 nodes with sets alone
    found = experiment("helmstetter-figure-5").run({**DEAL, "entries": 1 << 16})
    assert found["below"] == {"nodes": 995, "complete": True}
    assert found["above"] == {"nodes": 4908, "complete": True}
    found = experiment("helmstetter-figure-6").run(DEAL)
    start = kb.game("gaps", ranks=7, seed=4).start()
    assert found["above"]["nodes"] == kb.IncrementalTranspositions(sets=False, table=512).search(start).nodes
    assert found["below"]["nodes"] == kb.IncrementalTranspositions(table=512).search(start).nodes
    found = experiment("helmstetter-figure-7").run(DEAL)
    assert found["below"]["nodes"] == 995
    assert 995 < found["above"]["nodes"] < 2 * 995


def test_an_explosion_is_seen_where_there_is_one_and_nowhere_else() -> None:
    def result(below: int, above: int, *, complete: bool = True) -> dict[str, object]:
        counts = {"nodes": below, "complete": True}, {"nodes": above, "complete": complete}
        return {"entries": 100, "below": counts[0], "above": counts[1]}

    calm, loud = [result(40, 41), result(300, 330)], [result(40, 41), result(300, 90_000, complete=False)]
    six, seven = experiment("helmstetter-figure-6").summarize, experiment("helmstetter-figure-7").summarize
    assert [row.verdict for row in six("quick", loud)] == ["measured", "agrees", "agrees", "measured"]
    assert [row.verdict for row in six("quick", calm)] == ["measured", "agrees", "differs", "measured"]
    assert [row.verdict for row in seven("quick", calm)] == ["measured", "agrees", "agrees", "measured"]
    assert [row.verdict for row in seven("quick", loud)] == ["measured", "agrees", "differs", "measured"]
    assert "1 of 1 searches reached their limit" in six("quick", loud)[2].why
    five = experiment("helmstetter-figure-5").summarize
    assert five("quick", [result(40, 41), result(300, 90_000)])[1].verdict == "agrees"
    assert five("quick", [result(40, 41_000)])[1].verdict == "differs"


def test_the_order_of_counts_holds_and_a_wrong_one_fails() -> None:
    tables = experiment("helmstetter-tables")
    found = tables.run({**DEAL, "entries": 16, "nodes": 20_000})
    assert [row.verdict for row in tables.summarize("quick", [found])] == ["holds"]
    found["both"] = {"nodes": 5, "complete": True}
    assert [row.verdict for row in tables.summarize("quick", [found])] == ["fails"]


def test_the_common_variant_has_cycles_and_the_basic_one_ends() -> None:
    common = experiment("helmstetter-common")
    results = [common.run({"ranks": 5, "seed": seed, "nodes": 3000}) for seed in (4, 11)]
    assert all(each["common"]["cycles"] and each["basic"]["sets"]["complete"] for each in results)
    assert results[0]["common"]["positions"] == {"nodes": 707, "complete": True}
    assert [row.verdict for row in common.summarize("quick", results)][:2] == ["agrees", "agrees"]


def test_positions_by_depth_agree_with_those_published() -> None:
    depths = experiment("helmstetter-depths")
    rows = depths.summarize("quick", [depths.run({"variant": "4D", "depth": 4})])
    assert [row.verdict for row in rows] == ["agrees"] * 7


@pytest.mark.parametrize("variant", ["5T", "5D"])
def test_our_records_are_games_by_the_words_of_the_rules(variant: str) -> None:
    line = records()[variant]
    assert score(variant, line) == len(line)
    position = kb.game("morpion", variant=variant).start()
    for move in line:
        position = position.play(move)
    assert position.result == (len(line),)


def test_the_end_of_a_record_is_searched_with_and_without_a_table() -> None:
    tail = experiment("helmstetter-tail")
    units = [unit for unit in tail.units("quick") if unit["variant"] == "5D"][:12]
    results = [tail.run(unit) for unit in units]
    assert all(each["complete"] and each["nodes"] == each["with table"] for each in results)
    rows = tail.summarize("quick", results)
    assert [row.verdict for row in rows] == ["agrees", "measured", "measured", "agrees"]
    assert rows[1].measured == f"{units[-1]['played']} of {len(records()['5D'])}"
    # a line that is played badly at its end is not optimal
    better = {**results[-1], "longest": results[-1]["length"] + 1}
    assert tail.summarize("quick", [*results[:-1], better])[0].verdict == "differs"


def test_speeds_are_compared_by_their_order() -> None:
    speed = experiment("helmstetter-speed")
    rows = speed.summarize("quick", [speed.run({"round": 1, "nodes": 20_000})])
    assert len(rows) == 6
    slow = {"gaps": {"plain": 1.0, "sets": 2.0, "table": 3.0, "both": 4.0}, "morpion": 1.0}
    assert speed.summarize("quick", [slow])[-1].verdict == "differs"
