"""Solvers by proof numbers as Python sees them; that their answers are right is proven by the tests of the crate."""

from __future__ import annotations

import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.solve import Solver

SOLVERS: list[Solver] = [
    kb.ProofNumber(memory_mb=64),
    kb.ProofNumber(leaf="mobility", delete_solved=True, memory_mb=64),
    kb.Pn2(memory_mb=64),
    kb.Pn2(leaf="evaluation", second="logistic", logistic_a=500.0, logistic_b=100.0, memory_mb=64),
    kb.ProofNumber(leaf="mobility", solved_mb=8, memory_mb=64),
    kb.Pn2(leaf="mobility", solved_mb=8, memory_mb=64),
    kb.EfPn(levels=1, solved_mb=1, memory_mb=64),
    kb.DfPn(memory_mb=16),
    kb.DfPn(leaf="mobility", epsilon=0.0, memory_mb=16),
    kb.EfPn(memory_mb=64),
    kb.EfPn(levels=1, a=3, b=2, threshold=0.01, mobility=False, memory_mb=64),
]


class Stones(kb.Game):
    """One pile, take one, two or three; whoever takes the last stone loses."""

    def __init__(self, stones: int = 10) -> None:
        self.stones = stones

    def start(self) -> Any:
        return (self.stones, 0)

    def turn(self, state: Any) -> int | None:
        return None if state[0] == 0 else int(state[1])

    def moves(self, state: Any) -> list[int]:
        return [take for take in (1, 2, 3) if take <= state[0]]

    def play(self, state: Any, move: int) -> Any:
        return (state[0] - move, 1 - state[1])

    def result(self, state: Any) -> float:
        return 1.0 if state[1] == 0 else -1.0


@pytest.mark.parametrize("solver", SOLVERS, ids=str)
def test_values_are_known_proven_and_verified(solver: Solver) -> None:
    boards = [
        ("tic-tac-toe", "draw"),
        ("connect-four:rows=4,cols=4", "draw"),
        ("fanorona:rows=3,cols=3", "win"),
        ("fanorona:rows=3,cols=5", "win"),
        ("breakthrough:rows=4,cols=4", "loss"),
    ]
    for text, value in boards:
        pos = kb.game(text).start()
        solution = solver.solve(pos)
        assert solution.value == value, text
        assert solution.best in pos.moves
        assert solution.pv[0] == solution.best
        proof = solution.proof()
        assert proof.value == value
        assert kb.verify_proof(proof).positions > 0
        assert len(proof.strategies) == (2 if value == "draw" else 1)
        assert proof.size > 0


def test_a_draw_takes_two_questions_and_a_win_one() -> None:
    draw = kb.Pn2().solve(kb.game("tic-tac-toe").start())
    assert [(goal.at_least, goal.answer) for goal in draw.goals] == [("win", False), ("draw", True)]
    assert draw.nodes == sum(goal.nodes for goal in draw.goals)
    win = kb.Pn2().solve(kb.game("fanorona:rows=3,cols=3").start())
    assert [(goal.at_least, goal.answer) for goal in win.goals] == [("win", True)]
    assert (win.goals[0].proof_number, win.goals[0].disproof_number) == (0, (1 << 32) - 1)
    only = kb.Pn2(goal="draw").solve(kb.game("tic-tac-toe").start())
    assert [(goal.at_least, goal.answer) for goal in only.goals] == [("draw", True)]
    assert (only.value, only.reason) == ("unknown", "only one question was asked")


@pytest.mark.parametrize(("goal", "half", "holder"), [("win", "no win", 1), ("draw", "no loss", 0)])
def test_half_a_draw_has_a_proof_of_one_strategy(goal: str, half: str, holder: int, tmp_path: Path) -> None:
    start = kb.game("tic-tac-toe").start()
    for solver in SOLVERS:
        solution = solver.solve(start, goal=goal)
        assert (solution.value, solution.proven) == ("unknown", half)
        proof = solution.proof()
        assert [(each.holder, each.goal) for each in proof.strategies] == [(holder, "draw")]
        assert (proof.value, proof.claim) == (half, half)
        proof.save(tmp_path / "half.proof")
        assert kb.Proof.load(tmp_path / "half.proof") == proof
        assert kb.verify_proof(tmp_path / "half.proof").positions > proof.size
        for value in ("draw", "win", "no loss" if half == "no win" else "no win"):
            with pytest.raises(kb.BadProof, match="do not prove"):
                kb.verify_proof(kb.Proof(start, value, proof.strategies))


def test_what_is_proven_before_a_limit_has_a_proof() -> None:
    start = kb.game("tic-tac-toe").start()
    whole = kb.Pn2(leaf="mobility").solve(start)
    assert (whole.value, whole.proven) == ("draw", "draw")
    part = kb.Pn2(leaf="mobility", nodes=whole.goals[0].nodes + 100).solve(start)
    assert (part.value, part.proven, part.goals[1].answer) == ("unknown", "no win", None)
    assert kb.verify_proof(part.proof()).positions > 0
    assert kb.Pn2(nodes=10).solve(start).proven is None


def test_curves_begin_at_the_root_and_end_with_the_answer() -> None:
    told: list[kb.RootNumbers] = []
    solution = kb.Pn2().solve(kb.game("fanorona:rows=7,cols=3").start(), progress=told.append)
    nodes = [point[0] for point in solution.curve]
    assert nodes == sorted(nodes)
    assert len(nodes) > 50
    assert solution.curve[-1][1] == 0
    assert max(point[1] for point in solution.curve) > 1
    assert told[-1].proof == 0
    assert told[-1].at_least == "win"


@pytest.mark.parametrize("solver", SOLVERS, ids=str)
def test_limits_end_a_search_with_an_honest_answer(solver: Solver) -> None:
    pos = kb.game("fanorona").start()
    found = solver.solve(pos, nodes=5_000)
    assert (found.value, found.reason) == ("unknown", "node limit")
    assert 5_000 <= found.nodes < 5_500
    assert found.best in pos.moves
    found = solver.solve(pos, seconds=0.05)
    assert (found.value, found.reason) == ("unknown", "time limit")
    with pytest.raises(kb.BadParameter, match="unknown"):
        found.proof()


def test_memory_that_is_too_small_is_an_honest_unknown() -> None:
    pos = kb.game("fanorona").start()
    for solver in (kb.ProofNumber(memory_mb=1), kb.EfPn(levels=1, memory_mb=1)):
        found = solver.solve(pos, nodes=10_000_000)
        assert (found.value, found.reason) == ("unknown", "memory limit")


MEASURE = """
import resource, sys
import kibitz as kb
pos = kb.game("fanorona", rows=5, cols=7).start()
kb.algorithm(sys.argv[1]).solve(pos, nodes=1000)
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
def highest():
    # what getrusage tells begins with the memory of the process that started this one
    lines = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    return int(lines[0].split()[1]) * 1024 if lines else 0
before = resident()
peak = 0
def look(point):
    global peak
    peak = max(peak, resident())
found = kb.algorithm(sys.argv[1]).solve(pos, seconds=float(sys.argv[2]), progress=look)
peak = max(peak, resident(), highest())
print((peak - before) / (1 << 20), found.reason)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    "text", ["proofnumber:memory_mb=64", "pn2:memory_mb=64", "pn2:memory_mb=64,solved_mb=32", "dfpn:memory_mb=64"]
)
def test_memory_limits_hold(text: str) -> None:
    out = subprocess.run(
        [sys.executable, "-c", MEASURE, text, "6"], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    grown, *reason = out.split()
    assert float(grown) <= 1.1 * 64, out
    if text.startswith("proofnumber"):
        assert " ".join(reason) in ("memory limit", "time limit")


def test_one_thread_is_deterministic() -> None:
    pos = kb.game("fanorona:rows=5,cols=5").start()
    for solver in SOLVERS:
        one, two = (solver.solve(pos, nodes=30_000) for _ in range(2))
        assert one.goals[0].curve == two.goals[0].curve
        assert (one.nodes, one.best) == (two.nodes, two.best)


def test_threads_agree() -> None:
    pos = kb.game("fanorona:rows=7,cols=3").start()
    for solver in (kb.Pn2(threads=2, memory_mb=64), kb.DfPn(threads=2, memory_mb=16), kb.EfPn(threads=2, memory_mb=64)):
        solution = solver.solve(pos)
        assert solution.value == "win"
        kb.verify_proof(solution.proof())


def test_games_in_python_are_solved() -> None:
    for stones, value in ((9, "loss"), (10, "win"), (11, "win")):
        for solver in (kb.ProofNumber(), kb.Pn2(), kb.DfPn(), kb.EfPn()):
            solution = solver.solve(Stones(stones).start())
            assert solution.value == value
            kb.verify_proof(solution.proof())
    with pytest.raises(kb.NotSupported, match="one thread"):
        kb.Pn2(threads=2).solve(Stones().start())
    with pytest.raises(kb.BadProof, match="written in Python"):
        kb.Pn2().solve(Stones().start()).proof().save("nowhere")


def test_what_cannot_be_solved_is_refused() -> None:
    for text in ("pip-race", "kuhn-poker", "samegame", "random-tree:players=3"):
        with pytest.raises(kb.NotSupported):
            kb.DfPn(nodes=1000).solve(kb.game(text).start())
    pos = kb.game("tic-tac-toe").start()
    with pytest.raises(TypeError):
        kb.Pn2().solve("x")  # type: ignore[arg-type]
    with pytest.raises(kb.BadParameter):
        kb.Pn2(leaf="two")  # type: ignore[arg-type]
    with pytest.raises(kb.BadParameter):
        kb.EfPn(levels=3)
    over = kb.game("tic-tac-toe").position("XXX/OO./... O")
    with pytest.raises(kb.BadParameter, match="over"):
        kb.Pn2().solve(over)
    assert kb.algorithm("pn2:leaf=mobility,threads=2") == kb.Pn2(leaf="mobility", threads=2)
    assert kb.DfPn().search(pos).value == 0.0


def test_proofs_are_saved_and_damage_is_found(tmp_path: Path) -> None:
    pos = kb.game("breakthrough:rows=4,cols=4").start()
    proof = kb.DfPn().solve(pos).proof()
    path = tmp_path / "small.proof"
    proof.save(path)
    loaded = kb.Proof.load(path)
    assert loaded == proof
    assert kb.verify_proof(path) == kb.verify_proof(proof)
    assert pickle.loads(pickle.dumps(proof)) == proof
    whole = path.read_bytes()
    for position in random.Random(1).sample(range(len(whole)), 30):
        damaged = bytearray(whole)
        damaged[position] ^= 1 << position % 8
        path.write_bytes(damaged)
        with pytest.raises(kb.BadProof):
            kb.Proof.load(path)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(kb.BadProof):
        kb.Proof.load(path)


def test_a_wrong_strategy_is_found_out() -> None:
    pos = kb.game("breakthrough:rows=4,cols=4").start()
    proof = kb.DfPn().solve(pos).proof()
    (strategy,) = proof.strategies
    empty = type(strategy)(strategy.holder, "win", 0, b"\0")
    with pytest.raises(kb.BadProof, match="does not hold: the strategy has no move"):
        kb.verify_proof(kb.Proof(pos, "loss", (empty,)))
    records = strategy.records()
    for damaged in (records[:-1], records + b"\1", b"", b"\xff" * 20, b"\x05\1"):
        with pytest.raises(kb.BadParameter, match="no records"):
            type(strategy)(strategy.holder, "win", 0, damaged)
    with pytest.raises(kb.BadProof, match="do not prove a win"):
        kb.verify_proof(kb.Proof(pos, "win", proof.strategies))
    other = kb.Proof(kb.game("breakthrough:rows=4,cols=3").start(), "loss", proof.strategies)
    with pytest.raises(kb.BadProof):
        kb.verify_proof(other)


def test_a_proof_plays_against_anything_and_never_loses(tmp_path: Path) -> None:
    pos = kb.game("fanorona:rows=3,cols=5").start()
    solution = kb.Pn2(leaf="mobility").solve(pos)
    player = solution.play()
    for seed in range(20):
        now, other = pos, kb.Random(seed=seed)
        while not now.over:
            now = now.play((player if now.turn == 0 else other).search(now).best)
        assert now.result is not None
        assert now.result[0] == 1.0
    players = [solution.play(tmp_path / "3x5.proof"), kb.Random()]
    table = kb.match(kb.game("fanorona:rows=3,cols=5"), players, games=4, seed=1, workers=1)
    assert table is not None
    with pytest.raises(kb.BadProof, match="another process"):
        kb.Proven(proof="#0").search(pos)


def test_lines_end_where_the_value_says() -> None:
    pos = kb.game("fanorona:rows=3,cols=3").start()
    line = kb.DfPn().solve(pos).proof().line()
    for move in line:
        pos = pos.play(move)
    assert pos.result == (1.0, -1.0)


def test_databases_settle_leaves_and_verification_needs_them(tmp_path: Path) -> None:
    game = kb.game("fanorona:rows=5,cols=5")
    database = kb.build_db(game, tmp_path / "5x5.kdb", pieces=5, threads=1)
    for solver in (kb.Pn2(leaf="mobility", database=database), kb.DfPn(leaf="mobility", database=str(database.path))):
        solution = solver.solve(game.start())
        assert solution.value == "draw"
        proof = solution.proof()
        assert kb.verify_proof(proof, database=database).from_database > 0
        with pytest.raises(kb.BadProof, match="must be given"):
            kb.verify_proof(proof)
        proof.save(tmp_path / "5x5.proof")
        assert kb.Proof.load(tmp_path / "5x5.proof").database == proof.database
    with pytest.raises(kb.CorruptDatabase):
        kb.Pn2(database=database).solve(kb.game("fanorona:rows=3,cols=5").start())


@pytest.mark.parametrize("solver", SOLVERS[:3], ids=str)
def test_a_search_that_is_taken_up_is_the_same_search(solver: Solver, tmp_path: Path) -> None:
    game = kb.game("fanorona:rows=7,cols=3")
    pos = game.start()
    kb.build_db(game, tmp_path / "few.kdb", pieces=2)
    solver = solver.replace(database=kb.open_db(tmp_path / "few.kdb"))
    whole = solver.solve(pos)
    assert 0 < whole.goals[0].probes < whole.goals[0].nodes
    path = tmp_path / "search"
    steps, step = 0, whole.nodes // 5
    for nodes in range(step, 100 * step, step):
        steps += 1
        part = solver.solve(pos, nodes=nodes, checkpoint=str(path))
        if part.value != "unknown":
            break
    assert steps > 2
    assert part.value == whole.value
    assert part.goals[0].nodes == whole.goals[0].nodes
    assert part.goals[0].stored == whole.goals[0].stored
    assert part.goals[0].probes == whole.goals[0].probes
    kb.verify_proof(part.proof(), database=solver.database)
    again = solver.solve(pos, checkpoint=str(path))
    assert (again.value, again.nodes) == (part.value, part.nodes)
    assert (again.goals[0].stored, again.goals[0].probes) == (part.goals[0].stored, part.goals[0].probes)
    kb.verify_proof(again.proof(), database=solver.database)


def test_a_search_with_solved_positions_is_taken_up_without_them(tmp_path: Path) -> None:
    pos = kb.game("fanorona:rows=7,cols=3").start()
    path = tmp_path / "search"
    solver = kb.Pn2(leaf="mobility", solved_mb=32, memory_mb=64, checkpoint=str(path))
    assert solver.solve(pos, nodes=20_000).value == "unknown"
    # the table is not in the file
    assert path.stat().st_size < 1 << 18
    solution = solver.solve(pos)
    assert solution.value == "win"
    kb.verify_proof(solution.proof())
    again = solver.solve(pos)
    assert (again.value, again.nodes) == ("win", solution.nodes)
    kb.verify_proof(again.proof(frontier=100))


def test_df_pn_is_taken_up_with_its_table(tmp_path: Path) -> None:
    pos = kb.game("fanorona:rows=7,cols=3").start()
    path = tmp_path / "search"
    solver = kb.DfPn(memory_mb=4, checkpoint=str(path))
    assert solver.solve(pos, nodes=20_000).value == "unknown"
    solution = solver.solve(pos)
    assert solution.value == "win"
    kb.verify_proof(solution.proof())


def test_checkpoints_of_other_searches_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    pos = kb.game("fanorona:rows=5,cols=5").start()
    path = tmp_path / "search"
    solver = kb.Pn2(nodes=20_000, checkpoint=str(path))
    solver.solve(pos)
    for other in (
        solver.replace(leaf="mobility"),
        kb.DfPn(nodes=1000, checkpoint=str(path)),
        solver.replace(goal="win"),
    ):
        with pytest.raises(kb.BadCheckpoint, match="another search"):
            other.solve(pos)
    with pytest.raises(kb.BadCheckpoint, match="another search"):
        solver.solve(pos.play(pos.moves[0]))
    with pytest.raises(kb.BadCheckpoint, match="another search"):
        solver.solve(kb.game("fanorona:rows=5,cols=5,strong=centre,returns=true").start())
    whole = path.read_bytes()
    for position in random.Random(2).sample(range(len(whole)), 40):
        damaged = bytearray(whole)
        damaged[position] ^= 1 << position % 8
        path.write_bytes(damaged)
        with pytest.raises(kb.BadCheckpoint):
            solver.solve(pos)
    for size in (0, 7, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(kb.BadCheckpoint):
            solver.solve(pos)
    with pytest.raises(kb.BadCheckpoint):
        solver.replace(checkpoint=str(tmp_path / "no" / "folder")).solve(pos)


KILLED = """
import sys
import kibitz as kb
pos = kb.game("fanorona:rows=5,cols=7").start()
kb.algorithm(sys.argv[1]).solve(pos, checkpoint=sys.argv[2], checkpoint_seconds=0.0)
"""


@pytest.mark.parametrize("text", ["pn2:memory_mb=64", "pn2:memory_mb=64,solved_mb=8", "dfpn:memory_mb=4"])
def test_a_killed_search_leaves_a_whole_checkpoint(text: str, tmp_path: Path) -> None:
    path = tmp_path / "search"
    before = 0
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", KILLED, text, str(path)])
        deadline = time.time() + 60
        begun = path.stat().st_mtime_ns if path.exists() else 0
        while (not path.exists() or path.stat().st_mtime_ns == begun) and time.time() < deadline:
            time.sleep(0.01)
        time.sleep(random.Random(before).uniform(0.05, 0.3))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert path.exists()
        pos = kb.game("fanorona:rows=5,cols=7").start()
        found = kb.algorithm(text)
        assert isinstance(found, Solver)
        found = found.replace(nodes=1, checkpoint=str(path))
        solution = found.solve(pos)
        assert solution.reason == "node limit"
        assert solution.nodes >= before
        before = solution.nodes


MAIN = "from kibitz.cli import main; main()"


def test_ctrl_c_saves_and_raises(tmp_path: Path) -> None:
    path = tmp_path / "search"
    solver = "pn2:leaf=mobility,checkpoint_seconds=0.2"
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, "solve", "fanorona:rows=5,cols=7", "--with", solver, "--checkpoint", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    deadline = time.time() + 60
    while not path.exists() and time.time() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in error
    pos = kb.game("fanorona:rows=5,cols=7").start()
    found = kb.Pn2(leaf="mobility", nodes=1, checkpoint=str(path)).solve(pos)
    assert (found.reason, found.nodes > 1) == ("node limit", True)


def test_the_command_line_solves_explains_and_plays(tmp_path: Path) -> None:
    def run(*args: str, stdin: str = "", code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-c", MAIN, "solve", *args], input=stdin, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    path = tmp_path / "3x5.proof"
    text = run("fanorona:rows=3,cols=5", "--with", "pn2", "--explain", "--proof", str(path))
    assert "win: player 0" in text
    assert "verified" in text
    assert kb.verify_proof(path).positions > 0
    assert "unknown: node limit" in run("fanorona", "--nodes", "1000", code=1)
    found = json.loads(run("tic-tac-toe", "--json", "--explain"))
    assert (found["value"], len(found["goals"])) == ("draw", 2)
    assert found["line"]
    assert "Player 0 resigns" in run("breakthrough:rows=4,cols=4", "--play", stdin="moves\nresign\n")
    assert "draw" in run("tic-tac-toe", "--with", "proofnumber", "--threads", "2")
    for bad in (
        ["no-game"],
        ["tic-tac-toe", "--with", "uct"],
        ["tic-tac-toe", "--with", "proofnumber", "--threads", "0"],
    ):
        assert "kibitz: " in run(*bad, code=2)


CERTIFICATE = Path(__file__).parents[1] / "docs" / "proofs" / "fanorona-5x7.proof"


def test_the_certificate_of_five_by_seven_is_a_draw_by_two_strategies() -> None:
    proof = kb.Proof.load(CERTIFICATE)
    assert proof.position == kb.game("fanorona", rows=5, cols=7).start()
    assert (proof.value, proof.size, len(proof.strategies)) == ("draw", 28_446, 2)
    # its leaves are in the database of seven pieces, which `kibitz reproduce fanorona-5x7` builds for the same proof
    with pytest.raises(kb.BadProof, match="rests on the database of fanorona:cols=7 with 7 pieces"):
        kb.verify_proof(proof)


def test_the_certificate_of_five_by_nine_is_a_draw_that_leaves_out_what_is_easy() -> None:
    proof = kb.Proof.load(CERTIFICATE.with_name("fanorona-5x9.proof"))
    assert proof.position == kb.game("fanorona", rows=5, cols=9).start()
    assert (proof.value, proof.size, proof.frontier) == ("draw", 32_734, 1000)
    assert {strategy.holder for strategy in proof.strategies} == {0, 1}
    # `kibitz reproduce fanorona-solved --scale full` builds its database, which takes an hour and a half of one core
    with pytest.raises(kb.BadProof, match="rests on the database of fanorona with 8 pieces"):
        kb.verify_proof(proof)


@pytest.mark.parametrize(("move", "size"), [("d3-e3A", 23_131), ("d2-e3A", 104_215)])
def test_the_certificates_of_first_moves_keep_black_from_a_win(move: str, size: int) -> None:
    proof = kb.Proof.load(CERTIFICATE.with_name(f"fanorona-5x9-{move}.proof"))
    assert proof.position == kb.game("fanorona", rows=5, cols=9).start().play(move)
    assert (proof.value, proof.size, proof.frontier) == ("no win", size, 1000)
    (strategy,) = proof.strategies
    assert (strategy.holder, strategy.goal) == (0, "draw")


def test_the_certificate_of_nine_by_five_keeps_white_from_a_win() -> None:
    proof = kb.Proof.load(CERTIFICATE.with_name("fanorona-9x5-white-cannot-win.proof"))
    assert proof.position == kb.game("fanorona", rows=9, cols=5).start()
    assert (proof.value, proof.size, proof.frontier) == ("no win", 21_413, 1000)
    (strategy,) = proof.strategies
    assert (strategy.holder, strategy.goal) == (1, "draw")
    with pytest.raises(kb.BadProof, match="rests on the database of fanorona:rows=9,cols=5 with 8 pieces"):
        kb.verify_proof(proof)


def test_the_command_line_verifies_proofs(tmp_path: Path) -> None:
    from kibitz.cli import app
    from typer.testing import CliRunner

    path = tmp_path / "won.proof"
    kb.Pn2().solve(kb.game("fanorona:rows=3,cols=5").start()).proof().save(path)
    ran = CliRunner().invoke(app, ["verify", "fanorona", str(path)])
    assert ran.exit_code == 0, ran.output
    assert "is a win for the player to move" in ran.output
    found = json.loads(CliRunner().invoke(app, ["verify", "fanorona", str(path), "--json"]).stdout)["proofs"]
    assert found[0]["positions"] > 0
    for arguments in (["fanorona:rows=3,cols=3", str(path)], ["fanorona", str(CERTIFICATE)]):
        ran = CliRunner().invoke(app, ["verify", *arguments])
        assert ran.exit_code != 0
        assert isinstance(ran.exception, kb.BadProof) or "proof" in ran.output


def test_the_command_line_makes_a_small_database_where_none_is_given() -> None:
    from kibitz.cli import app
    from typer.testing import CliRunner

    ran = CliRunner().invoke(app, ["solve", "fanorona:rows=5,cols=5", "--explain", "--json"])
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    assert found["value"] == "draw"
    assert found["proof_size"] > 100
    assert found["line"]
    ran = CliRunner().invoke(app, ["solve", "fanorona:rows=5,cols=5"])
    assert "draw: neither player can force a win" in ran.stdout
    # the database is as large as a moment allows, and so the proof may be another one
    assert re.search(r"the proof of a draw has [\d,]+ positions with a move", ran.stdout)
