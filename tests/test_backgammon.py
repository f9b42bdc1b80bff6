"""Backgammon through the Python API: OpenSpiel, GNU Backgammon, identifiers, training."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz import backgammon
from kibitz.experiments import backgammon_plays
from typer.testing import CliRunner

GAME = kb.game("backgammon", evaluation="pips")
START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"


@pytest.mark.parametrize("part", range(4))
def test_plays_are_openspiels_on_two_thousand_positions_and_all_throws(part: int) -> None:
    pytest.importorskip("pyspiel")
    chance = random.Random(part)
    compared = 0
    seed = 1_000_000 * (part + 1)
    while compared < 500:
        seed += 1
        states = list(backgammon_plays.positions(seed))
        for state in chance.sample(states, 10):
            assert backgammon_plays.differences(state, GAME) is None
            compared += 1


def test_games_end_as_in_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    chance = random.Random(3)
    seen = set()
    for _ in range(40):
        state = theirs.new_initial_state()
        while not state.is_terminal():
            before = state.clone()
            state.apply_action(chance.choice(state.legal_actions()))
        if max(state.returns()) == 0:
            continue  # broken off after 500 turns
        loser = 0 if state.returns()[1] > 0 else 1
        board = backgammon_plays.board_of(state)
        position = GAME.position(backgammon_plays.text_of(board, loser))
        assert position.over
        assert position.result == tuple(state.returns()), str(before)
        seen.add(max(state.returns()))
    assert {1.0, 2.0} <= seen


GNUBG = os.environ.get("GNUBG") or shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")

SCRIPT = """
import json
import gnubg

for command in (
    "set automatic game off", "set automatic roll off", "set automatic move off", "set automatic bearoff off",
    "set player 0 human", "set player 1 human", "new session", "set confirm new off",
    "set evaluation chequerplay evaluation plies 0", "set evaluation chequerplay evaluation cubeful off",
):
    gnubg.command(command)
found = []
for ids, dice in json.load(open("questions.json")):
    gnubg.command("set gnubgid " + ids)
    gnubg.command("set dice %s %s" % (dice[0], dice[1]))
    shown = gnubg.hint(4000)
    found.append([move["move"] for move in shown["hint"]])
json.dump(found, open("answers.json", "w"))
"""


def test_plays_are_gnu_backgammons_on_five_hundred_positions(tmp_path: Path) -> None:
    if GNUBG is None:
        pytest.skip("GNU Backgammon is not installed (Debian: apt install gnubg); GNUBG may name the program")
    chance = random.Random(5)
    asked: list[kb.Position] = []
    while len(asked) < 500:
        position = GAME.start()
        throws = []
        while not position.over:
            if position.turn != "chance" and len(position.moves) > 1:
                throws.append(position)
            position = position.play(chance.choice(position.moves))
        asked.extend(chance.sample(throws, 10))
    # player 1 is who sits at the bottom there; whose turn it is makes no difference to the plays
    questions = []
    for position in asked:
        state = str(position).split(" / ")[2]
        a, b = str(position).split(" / ")[:2]
        own, other = (a, b) if state[0] == "A" else (b, a)
        rolls = GAME.position(f"{other} / {own} / B rolls")
        questions.append((backgammon.gnubg_id(rolls), state[2:]))
    (tmp_path / "questions.json").write_text(json.dumps(questions))
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [GNUBG, "-t", "-q", "-r", "-p", "script.py"]
    subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=True)
    answers = json.loads((tmp_path / "answers.json").read_text())
    assert len(answers) == len(asked)
    for position, moves in zip(asked, answers, strict=True):
        theirs = {str(position.play(move)) for move in moves}
        ours = {str(position.play(move)) for move in position.moves}
        assert theirs == ours, str(position)


def test_identifiers_are_those_of_gnu_backgammon() -> None:
    opened = GAME.position(f"{START} / A 31").play("8/5 6/5")
    # as the program itself names these positions
    assert backgammon.position_id(opened) == "sGfwATDgc/ABMA"
    assert backgammon.position_id(GAME.position(f"{START} / B rolls")) == "4HPwATDgc/ABMA"
    assert GAME.position("sGfwATDgc/ABMA B rolls") == opened
    thrown = GAME.position(f"{START} / B 31")
    assert backgammon.gnubg_id(thrown) == "4HPwATDgc/ABMA:cIkFAAAAAAAE"
    assert GAME.position(backgammon.gnubg_id(thrown)) == thrown
    cube = kb.game("backgammon", cube=64)
    assert backgammon.gnubg_id(cube.position(f"{START} / B 31 / cube 4 A")) == "4HPwATDgc/ABMA:QokFAAAAAAAE"
    jacoby = kb.game("backgammon", cube=64, jacoby=True)
    assert backgammon.gnubg_id(jacoby.position(f"{START} / B 31")) == "4HPwATDgc/ABMA:cIkFAAAAAAAA"
    with pytest.raises(kb.BadPosition):
        backgammon.position_id(kb.game("nim").start())


def test_probabilities_are_exact_where_the_database_knows_them() -> None:
    known = backgammon.probabilities("6:1 5:1 / 6:1 5:1 / A rolls")
    assert known.win == pytest.approx(105030049 / 136048896, abs=1e-6)
    assert known.equity == pytest.approx(2 * known.win - 1)
    start = backgammon.probabilities(f"{START} / A rolls")
    assert 0.5 < start.win < 0.55
    assert 0.1 < start.win_gammon < 0.2
    with pytest.raises(kb.BadPosition):
        backgammon.probabilities("- / 6:1 / B rolls")


def test_the_network_beats_the_linear_evaluation_which_beats_pips() -> None:
    weights = Path(__file__).parent.parent / "crates/kibitz-games/src/backgammon/weights.bin"
    against = {name: backgammon.strength(weights, name, 300) for name in ("pips", "linear", "network")}
    assert against["network"].points == 0.0
    assert against["linear"].points > 5 * against["linear"].error
    assert against["pips"].points > against["linear"].points > 0


def test_training_is_the_same_on_any_number_of_threads_and_goes_on_where_it_was(tmp_path: Path) -> None:
    def trained(name: str, threads: int, games: tuple[int, ...]) -> bytes:
        for total in games:
            list(backgammon.train(tmp_path / name, games=total, rate=0.001, lam=0.0, threads=threads, every=64))
        return (tmp_path / name).read_bytes()

    one = trained("one", 1, (256,))
    assert trained("two", 2, (256,)) == one
    assert (tmp_path / "one.training").exists()
    assert list(backgammon.train(tmp_path / "one", games=256)) == []
    (tmp_path / "bad.training").write_bytes(b"nothing")
    with pytest.raises(kb.BadParameter):
        backgammon.train(tmp_path / "bad")


def test_training_on_the_command_line(tmp_path: Path) -> None:
    from kibitz.cli import app

    file = str(tmp_path / "weights")
    options = ["--games", "128", "--every", "64", "--pairs", "4", "--out", file]
    result = CliRunner().invoke(app, ["train", "backgammon", *options, "--json"])
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.output)
    assert [step["games"] for step in told["steps"]] == [64, 128]
    assert {"pips", "linear", "network"} <= told["steps"][0].keys()
    again = CliRunner().invoke(app, ["train", "backgammon", *options])
    assert "already" in again.output
    assert CliRunner().invoke(app, ["train", "othello"]).exit_code == 2
