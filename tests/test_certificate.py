"""Certificates of Fanorona boards: made, verified whole and in part, altered, and found by runs that are killed."""

from __future__ import annotations

import hashlib
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import kibitz as kb
import pytest
from kibitz import _core
from kibitz.cli import app
from kibitz.cli.db import opened
from typer.testing import CliRunner

pytestmark = pytest.mark.xdist_group("certificate")

# The board, the pieces of the database, and the value.
BOARDS = [((5, 5), 5, "draw"), ((7, 5), 5, "win"), ((5, 7), 7, "draw")]


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], kb.Database]:
    folder = tmp_path_factory.mktemp("certificate")
    found = {}
    for (rows, cols), pieces, _ in BOARDS:
        path = folder / f"{rows}x{cols}.kdb"
        kb.build_db(kb.game("fanorona", rows=rows, cols=cols), path, pieces=pieces)
        found[rows, cols] = kb.open_db(path, memory="all")
    return found


def altered(proof: kb.Proof, number: int, records: bytes) -> kb.Proof:
    """The proof with other records of one strategy."""
    parts = list(proof.strategies)
    one = parts[number]
    parts[number] = _core.Strategy(one.holder, one.goal, one.frontier, records)
    return kb.Proof(proof.position, proof.value, tuple(parts), proof.database)


@pytest.mark.parametrize(("board", "value"), [(board, value) for board, _, value in BOARDS])
def test_a_certificate_is_made_verified_and_refused_when_altered(
    board: tuple[int, int], value: str, databases: dict[tuple[int, int], kb.Database], tmp_path: Path
) -> None:
    database = databases[board]
    start = kb.game("fanorona", rows=board[0], cols=board[1]).start()
    solution = kb.Pn2(leaf="mobility", database=database).solve(start)
    assert solution.value == value
    whole, small = solution.proof(), solution.proof(frontier=1000)
    assert small.size < whole.size / 5
    assert (whole.frontier, small.frontier) == (0, 1000)
    path = tmp_path / "small.proof"
    small.save(path)
    assert kb.Proof.load(path) == small

    full = kb.verify_proof(whole, database=database)
    assert (full.frontier, full.nodes) == (0, 0)
    assert full.positions > whole.size
    searched = kb.verify_proof(path, database=database)
    assert searched.searched == searched.frontier > 0
    half = kb.verify_proof(path, database=database, sample=0.5, seed=7)
    assert 0 < half.searched < half.frontier == searched.frontier
    assert half.positions == searched.positions

    chance = random.Random(1)
    refused = 0
    for _ in range(20):
        number = chance.randrange(len(small.strategies))
        records = bytearray(small.strategies[number].records())
        records[chance.randrange(len(records))] ^= 1 << chance.randrange(7)
        try:
            kb.verify_proof(altered(small, number, bytes(records)), database=database)
        except (kb.BadProof, kb.BadParameter):
            refused += 1
    # A rank of a strategy that only has to draw means nothing, and another move may do as well.
    assert refused >= 10
    without = altered(small, 0, _core.Strategy(0, "draw", 0, b"\0").records())
    with pytest.raises(kb.BadProof, match="a search finds none"):
        kb.verify_proof(without, database=database)


KILLED = """
import sys
import kibitz as kb

start = kb.game("fanorona", rows=5, cols=7).start()
solver = kb.Pn2(leaf="mobility", database=kb.open_db(sys.argv[1], memory="all"))
print(solver.solve(start, checkpoint=sys.argv[2], checkpoint_seconds=0.1).value)
"""


def test_a_run_that_is_killed_ten_times_gives_the_verdict_of_one_that_is_not(
    databases: dict[tuple[int, int], kb.Database], tmp_path: Path
) -> None:
    path = tmp_path / "search"
    command = [sys.executable, "-c", KILLED, str(databases[5, 7].path), str(path)]
    chance = random.Random(1)
    for _ in range(10):
        begun = path.stat().st_mtime_ns if path.exists() else 0
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        deadline = time.time() + 60
        while (not path.exists() or path.stat().st_mtime_ns == begun) and time.time() < deadline:
            assert process.poll() is None, "the search must not end before it was killed ten times"
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.15))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert path.exists()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "draw"
    # what was found is in the checkpoint, for the proof
    start = kb.game("fanorona", rows=5, cols=7).start()
    database = databases[5, 7]
    solution = kb.Pn2(leaf="mobility", database=database, checkpoint=str(path)).solve(start)
    assert solution.value == "draw"
    assert kb.verify_proof(solution.proof(frontier=1000), database=database).searched > 0


@pytest.mark.parametrize("goal", ["win", "draw"])
def test_half_of_a_proof_comes_from_a_checkpoint_without_the_table_of_its_search(
    goal: str, databases: dict[tuple[int, int], kb.Database], tmp_path: Path
) -> None:
    database = databases[5, 7]
    start = kb.game("fanorona", rows=5, cols=7).start()
    path = str(tmp_path / "search")
    solver = kb.EfPn(solved_mb=8, database=database, goal=goal, checkpoint=path)
    found = solver.solve(start)
    again = solver.solve(start)
    assert again.nodes == found.nodes
    for solution in (found, again):
        assert solution.proven == {"win": "no win", "draw": "no loss"}[goal]
        proof = solution.proof(frontier=1000)
        assert len(proof.strategies) == 1
        assert kb.verify_proof(proof, database=database).searched > 0


def run(*arguments: str, code: int = 0) -> str:
    ran = CliRunner().invoke(app, list(arguments))
    assert ran.exit_code == code, (ran.output, ran.exception)
    return ran.stdout


def test_the_command_line_builds_solves_certifies_and_verifies(tmp_path: Path) -> None:
    checkpoint, proof = tmp_path / "run", tmp_path / "5x5.proof"
    game = "fanorona:rows=5,cols=5"
    asked = ("solve", game, "--pieces", "5", "--memory", "1G", "--checkpoint", str(checkpoint))
    text = run(*asked, "--proof", str(proof), "--frontier", "200")
    assert "draw: neither player can force a win" in text
    assert "by searches of their own" in text
    (database,) = tmp_path.glob("*.kdb")
    text = run("verify", "fanorona", str(proof), "--database", str(database))
    assert "positions have no move" in text
    assert "sample" not in text
    text = run("verify", "fanorona", str(proof), "--database", str(database), "--sample", "0.25")
    assert "this is a sample and no full check" in text
    found = json.loads(run("verify", "fanorona", str(proof), "--database", str(database), "--json"))["proofs"][0]
    assert found["searched"] == found["frontier"] > 0
    # the same command again finds what is there
    assert json.loads(run(*asked, "--json"))["value"] == "draw"


def test_the_command_line_proves_half_a_draw(tmp_path: Path) -> None:
    path = tmp_path / "half.proof"
    told = run("solve", "tic-tac-toe", "--with", "pn2:goal=win", "--proof", str(path))
    assert "no win: player 1 keeps player 0, who is to move, from it" in told
    assert "the proof of no win has" in told
    told = run("solve", "tic-tac-toe", "--with", "pn2:goal=draw")
    assert "no loss: player 0, who is to move, can at least draw" in told
    assert "tic-tac-toe is no win for the player to move" in run("verify", "tic-tac-toe", str(path))


def test_each_move_has_a_value(tmp_path: Path) -> None:
    found = json.loads(run("solve", "fanorona:rows=3,cols=3", "--each-move", "--json"))
    start = kb.game("fanorona", rows=3, cols=3).start()
    assert [row["move"] for row in found["moves"]] == [start.notation(move) for move in start.moves]
    for row, move in zip(found["moves"], start.moves, strict=True):
        after = start.play(move)
        if not after.over:
            value = kb.ProofNumber().solve(after).value
            assert row["value"] == {"win": "loss", "draw": "draw", "loss": "win"}[value]
    assert "win" in run("solve", "fanorona:rows=3,cols=3", "--each-move")
    # one question about each move: of tic-tac-toe that the other side does not win after it
    half = run("solve", "tic-tac-toe", "--each-move", "--with", "pn2:goal=win", "--json")
    assert {(row["value"], row["reason"]) for row in json.loads(half)["moves"]} == {("no loss", None)}
    checkpoint = str(tmp_path / "moves")
    text = run("solve", "fanorona:rows=5,cols=5", "--each-move", "--nodes", "50", "--checkpoint", checkpoint, code=1)
    assert "unknown" in text
    assert len(list(tmp_path.glob("moves-*"))) == len(kb.game("fanorona", rows=5, cols=5).start().moves)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--pieces", "3", "--database", "x.kdb"),
        ("--pieces", "0"),
        ("--each-move", "--explain"),
        ("--memory", "much"),
        ("--frontier", "-1", "--proof", "x.proof", "--with", "pn2"),
        ("--frontier", "2000000", "--proof", "x.proof", "--with", "pn2"),
    ],
)
def test_options_that_do_not_fit_are_refused(arguments: tuple[str, ...], tmp_path: Path) -> None:
    ran = CliRunner().invoke(app, ["solve", "fanorona:rows=3,cols=3", *arguments])
    assert ran.exit_code == 2
    assert "kibitz: " in ran.output or "Usage" in ran.output
    with pytest.raises(kb.BadParameter, match="from 0 to 1"):
        kb.verify_proof("nothing", sample=2.0)
    with pytest.raises(kb.BadParameter, match="seed"):
        kb.verify_proof("nothing", seed=-1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("frontier", [-1, 10**7, 10**30, "x"])
def test_a_file_that_asks_for_endless_searches_is_refused(frontier: object, tmp_path: Path) -> None:
    path = tmp_path / "small.proof"
    kb.Pn2().solve(kb.game("fanorona", rows=3, cols=3).start()).proof().save(path)
    body = path.read_bytes()[:-32].replace(b'"frontier": 0', f'"frontier": {json.dumps(frontier)}'.encode())
    path.write_bytes(body + hashlib.sha256(body).digest())
    with pytest.raises(kb.BadProof, match="is not a proof"):
        kb.Proof.load(path)


def test_a_database_in_memory_is_a_part_of_the_memory_of_a_search(
    databases: dict[tuple[int, int], kb.Database],
) -> None:
    whole = databases[5, 7]
    unpacked_mb = (whole.stats.classes >> 22) + 1
    game = kb.game("fanorona", rows=5, cols=7)
    small, left = opened(str(whole.path), game, 2 * unpacked_mb - 1)
    assert (small.memory, left) == (None, 2 * unpacked_mb - 1)
    large, left = opened(str(whole.path), game, 2 * unpacked_mb)
    assert (large.memory, left) == ("all", unpacked_mb)
