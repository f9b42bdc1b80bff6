"""`kibitz bench`: it measures what it says, and what is not installed is a remark and no failure."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from kibitz import bench
from kibitz.bench import openspiel, rows, tic_tac_toe
from kibitz.cli import app
from typer.testing import CliRunner

ROOT = Path(__file__).parents[1]


def run(*arguments):
    return CliRunner().invoke(app, ["bench", *arguments])


@pytest.fixture(scope="module")
def quick():
    """A quick run of everything; what tracing costs takes two more builds of the searches, and is left out."""
    ran = run("--quick", "--json", "--minimax-rs", str(ROOT / "benches/minimax-rs"), "--tracing", "nowhere")
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.stdout)


@pytest.mark.xdist_group("bench")
def test_a_quick_run_measures_every_subject(quick):
    found = quick
    assert set(found) == {"machine", "fingerprint", "rows"}
    assert {row["group"] for row in found["rows"]} == set(bench.GROUPS)
    keys = {"group", "what", "unit", "ours", "theirs", "peer", "ratio", "asked", "ok", "note", "details"}
    assert all(set(row) == keys for row in found["rows"])
    for row in found["rows"]:
        assert row["ours"] is not None or row["note"], row
        assert row["ours"] is None or row["ours"]["min"] <= row["ours"]["median"] <= row["ours"]["max"]


@pytest.mark.xdist_group("bench")
def test_every_algorithm_has_a_line(quick):
    import kibitz as kb

    assert list(bench.algorithms.methods(quick=True)) == kb.algorithms()
    rows = [row for row in quick["rows"] if row["group"] == "algorithms"]
    measured = {row["details"]["algorithm"].partition(":")[0] for row in rows}
    assert measured == set(kb.algorithms())


def test_every_native_game_is_measured():
    import kibitz as kb

    games = {name for name in kb.games() if kb.games().info(name).preset_of is None}
    presets = {kb.games().info(name).preset_of for name in ("gomoku", "tic-tac-toe")}
    fingerprint = bench.fingerprint.__globals__
    fingerprinted = (*fingerprint["GAMES"], *fingerprint["CHANCE"])
    for measured in (bench.algorithms.GAMES, bench.perft.DEPTHS, fingerprinted):
        named = {name.partition(":")[0] for name in measured} | presets
        assert games - named <= {"chance-breakthrough", "dice", "kuhn-poker", "pip-race", "stratego"}


def test_without_openspiel_its_columns_are_empty(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    ran = run("playouts", "uct", "--quick", "--json", "--only", "alphabeta,python")
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)["rows"]
    assert all(row["theirs"] is None and row["ours"] is not None for row in found)
    alone = [row for row in found if not row["peer"]]
    assert sum(row["note"] == "pyspiel not installed" for row in found) == len(found) - len(alone)


@pytest.mark.parametrize("subject", ["minimax-rs", "hand-written", "tracing", "morpion-solitaire"])
def test_without_the_sources_the_row_says_how_to_get_them(tmp_path, subject):
    ran = run("--quick", "--json", "--only", subject, f"--{subject}", str(tmp_path))
    (row,) = json.loads(ran.stdout)["rows"]
    assert row["ours"] is None
    assert "run in a clone of kibitz" in row["note"]


def test_a_search_written_by_hand_must_search_the_same_tree(monkeypatch):
    def printed(nodes):
        sides = {"kibitz": (7, [0.5, 0.25]), "hand-written": (nodes, [0.2])}
        return [
            {"position": "start", "depth": 3, "side": side, "value": 2, "best": "a2-a3", "nodes": n, "seconds": seconds}
            for side, (n, seconds) in sides.items()
        ]

    for nodes, note in [(7, "the same value, move and 7 nodes"), (8, "DIFFERENT TREES")]:
        found = printed(nodes)
        monkeypatch.setattr(bench.hand_written, "measured", lambda *_, found=found, **__: found)
        (row,) = bench.hand_written.rows(bench.Effort.least())
        assert row.note == note
        assert row.ours is not None
        assert max(row.ours.values) == 28


def test_the_crate_morpion_solitaire_is_compared_by_positions_a_second(monkeypatch):
    found = [
        {"variant": "5T", "side": side, "seconds": [2.0, 1.0], "positions": [positions, positions], "best": [90, 94]}
        for side, positions in (("kibitz", 400), ("morpion-solitaire", 100))
    ]
    monkeypatch.setattr(bench.morpion_solitaire, "measured", lambda *_, **__: found)
    (row,) = bench.morpion_solitaire.rows(bench.Effort.least())
    assert row.ours is not None
    assert row.ours.values == (200, 400)
    assert (row.ratio, row.ok) == (4.0, True)
    assert row.note == "games of 92 against 92 moves"


def test_an_unknown_subject_is_refused():
    ran = run("--only", "chess")
    assert ran.exit_code == 2
    assert "there are playouts, uct" in ran.stderr


def test_the_table_says_what_is_not_met(monkeypatch):
    slow = rows.Row("perft", "a snail", "1/s", rows.Sample((1.0,)), asked=rows.Asked("ours", least=2.0))
    monkeypatch.setitem(bench.GROUPS, "perft", lambda effort: iter([slow]))
    assert "Not met: a snail" in run("--only", "perft").stdout


def test_the_fingerprint_is_the_same_every_time():
    assert bench.fingerprint() == bench.fingerprint()


def test_ratios_say_how_many_times_better_we_are():
    two, eight = rows.Sample((2.0,)), rows.Sample((9.0, 8.0, 1.0))
    assert rows.Row("", "", "1/s", eight, two).ratio == 4.0
    assert rows.Row("", "", "s", two, eight).ratio == 4.0
    assert rows.Row("", "", "s", two, eight, asked=rows.Asked("ratio", least=5.0)).ok is False
    assert rows.Row("", "", "s", two, None, asked=rows.Asked("ratio", least=5.0)).ok is None


def test_both_sides_play_the_same_tic_tac_toe():
    pytest.importorskip("pyspiel")
    native = openspiel.load("tic_tac_toe")

    def perft(state, depth):
        if state.is_terminal():
            return 0
        if depth == 1:
            return len(state.legal_actions())
        return sum(perft(state.child(action), depth - 1) for action in state.legal_actions())

    import kibitz as kb

    ours = tic_tac_toe.TicTacToe().start()
    theirs = tic_tac_toe.openspiel_game().new_initial_state()
    assert kb.perft(ours, 5) == perft(theirs, 5) == perft(native.new_initial_state(), 5)


def test_both_sides_evaluate_breakthrough_alike():
    pytest.importorskip("pyspiel")
    import kibitz as kb

    theirs = openspiel.load("breakthrough").new_initial_state()
    ours = kb.game("breakthrough", evaluation="schadd").start()
    assert bench.alphabeta.value_for_first_player(theirs) == ours.evaluate()
    theirs.apply_action(theirs.legal_actions()[0])
    ours = ours.play(ours.moves[0])
    assert bench.alphabeta.value_for_first_player(theirs) == ours.evaluate(player=0)
