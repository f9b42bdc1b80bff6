"""Searches of one player from Python and on the command line; what they compute is proven by the tests of the crate."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
import test_gaps
import test_morpion
from kibitz.cli import app
from kibitz.cli.optimise import _Watcher
from kibitz.single_player import PRESETS
from rich.console import Console
from samegame_rules import score
from typer.testing import CliRunner, Result

SEARCHES = [
    "spmcts:simulations=300",
    "spmcts:simulations=300,preset=cem-move",
    "spmcts:simulations=300,restarts=3,threads=2",
    "nestedmontecarlo:level=1,simulations=300",
    "nestedmontecarlo:level=2,simulations=300,threads=2,playout=random",
    "nestedrollout:level=2,iterations=10",
    "nestedrollout:level=2,simulations=300,threads=2,playouts=3",
    "simulatedannealing:simulations=300",
    "simulatedannealing:simulations=300,threads=2,playout=random",
    "beamsearch:width=20",
    "beamsearch:nodes=300000,threads=2,refine=true,width=10,noise=5",
]
EXACT = ["beamsearch:width=100000", "astar", "idastar", "idastar:tt_mb=1"]


class Walk(kb.Game):
    """Seven steps up or down; a step up pays the height reached, so that going down first may pay."""

    players = 1
    results = (-100.0, 100.0)

    def start(self) -> Any:
        return (0, 0, 0)

    def turn(self, state: Any) -> Any:
        return None if state[0] == 7 else 0

    def moves(self, state: Any) -> Any:
        return ["up", "down", "stay"]

    def play(self, state: Any, move: Any) -> Any:
        steps, height, points = state
        gain = {"up": height, "down": -(height % 3), "stay": 1}[move]
        return (steps + 1, height + {"up": 1, "down": -1, "stay": 0}[move], points + gain)

    def result(self, state: Any) -> Any:
        return (float(state[2]),)


class Broken(Walk):
    def play(self, state: Any, move: Any) -> Any:
        if state[0] == 4:
            raise ZeroDivisionError("the fifth step")
        return super().play(state, move)


def best(game: kb.Game, position: kb.Position) -> float:
    if position.result is not None:
        return position.result[0]
    return max(best(game, position.play(move)) for move in position.moves)


@pytest.mark.parametrize("spec", SEARCHES)
def test_lines_make_what_the_report_says(spec: str) -> None:
    start = kb.game("samegame", position=11).start()
    told: list[kb.Iteration] = []
    report = kb.algorithm(spec).search(start, progress=told.append)
    rows = str(start).partition(" ")[0]
    assert score(rows, list(report.line)) == report.value
    assert kb.PuzzleSolution(start.game, start, report.line).verify() == report.value
    assert [step.value for step in told] == sorted(step.value for step in told)
    assert told[-1].value == report.value
    assert told[-1].pv == report.line == report.pv
    assert report.bound == "lower"
    assert not report.proven
    assert report.value % 2 == 1


@pytest.mark.parametrize("variant", ["5D", "4T"])
@pytest.mark.parametrize("spec", SEARCHES)
def test_lines_of_morpion_are_games_by_the_words_of_the_rules(spec: str, variant: str) -> None:
    start = kb.game("morpion", variant=variant).start()
    report = kb.algorithm(spec).search(start)
    assert test_morpion.score(variant, list(report.line)) == report.value


@pytest.mark.parametrize("spec", [*SEARCHES, "incrementaltranspositions:nodes=100000"])
def test_lines_of_gaps_are_games_by_the_words_of_the_rules(spec: str) -> None:
    start = kb.game("gaps", ranks=7, seed=4).start()
    report = kb.algorithm(spec).search(start)
    table = test_gaps.Table(str(start), common=False)
    for move in report.pv:
        table.play(str(move))
    assert table.in_place() == report.value


WHOLE_GAME = [
    {"result_scale": 60.0},
    {"deviation": False},
    {"d": 1e6},
    {"w": 2.0},
    {"threshold": 1},
    {"control": "move"},
    {"restarts": 5},
    {"playout": "tabu-color-clear"},
]
MOVE_BY_MOVE = [
    {"game_length": 10.0},
    {"keep_tree": True},
    {"final_move": "top"},
    {"final_move": "max"},
    {"final_move": "robust"},
]


@pytest.mark.parametrize(
    ("control", "change"),
    [*(("game", change) for change in WHOLE_GAME), *(("move", change) for change in MOVE_BY_MOVE)],
    ids=str,
)
def test_every_parameter_of_sp_mcts_changes_what_is_found(control: Any, change: dict[str, Any]) -> None:
    starts = [kb.game("samegame", position=number).start() for number in (1, 2, 3)]
    usual = kb.SpMcts(simulations=3000, control=control)
    changed = usual.replace(**change)
    assert [usual.search(start).line for start in starts] != [changed.search(start).line for start in starts]


def test_a_beam_that_refines_makes_a_narrow_pass_first_and_so_knows_a_game_soon() -> None:
    start = kb.game("samegame:rows=8,cols=8,colours=4").start()
    search = kb.BeamSearch(refine=True, nodes=30_000)
    assert search.search(start).bound == "lower"
    assert search.search(start, first_width=300).bound == "estimate"


@pytest.mark.parametrize("spec", [*SEARCHES, *EXACT])
def test_games_written_in_python_are_searched(spec: str) -> None:
    game = Walk()
    search = kb.algorithm(spec)
    if "threads=" in spec:
        with pytest.raises(kb.NotSupported, match="one thread"):
            search.search(game.start())
        search = search.replace(threads=1)
    report = search.search(game.start())
    assert kb.PuzzleSolution(game, None, report.line).verify() == report.value
    assert report.value <= best(game, game.start())
    if spec in EXACT:
        assert report.value == best(game, game.start())
        assert report.proven


@pytest.mark.parametrize("spec", [*SEARCHES, *EXACT])
def test_an_exception_of_the_rules_is_raised_and_nothing_ruined_is_told(spec: str) -> None:
    told: list[kb.Iteration] = []
    with pytest.raises(ZeroDivisionError, match="the fifth step"):
        kb.algorithm(spec).replace(**({"threads": 1} if "threads=" in spec else {})).search(
            Broken().start(), progress=told.append
        )
    assert not told


@pytest.mark.parametrize("name", kb.games())
@pytest.mark.parametrize(
    "spec", ["spmcts", "nestedmontecarlo", "nestedrollout", "simulatedannealing", "beamsearch", "astar", "idastar"]
)
def test_every_game_of_one_player_is_searched_and_no_other(name: str, spec: str) -> None:
    game = kb.game(name)
    search = kb.algorithm(spec).replace(nodes=2_000)
    if game.players == 1:
        assert search.search(game.start()).best in game.start().moves
    else:
        with pytest.raises(kb.NotSupported, match="games of one player"):
            search.search(game.start())


def test_presets_are_the_published_parameters() -> None:
    start = kb.game("samegame", position=5).start()
    for name, values in PRESETS.items():
        preset = kb.SpMcts(preset=name, simulations=400)  # type: ignore[arg-type]
        spelled = kb.SpMcts(simulations=400, **values)
        assert preset.search(start).line == spelled.search(start).line
    assert PRESETS["cem-game"]["c"] == 5.96
    assert PRESETS["cem-move"]["w"] == 0.28
    assert [kb.schadd(version).spec for version in (1, 2, 3)] == [
        "spmcts:tree_nodes=100000,restarts=1000",
        "spmcts:control=move",
        "spmcts:preset=cem-move",
    ]
    # what is given beside a preset replaces it
    assert kb.SpMcts(preset="cem-game", c=0.0)._fields(start)["c"] == 0.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: kb.SpMcts(result_scale=0), "greater than 0"),
        (lambda: kb.SpMcts(preset="wild"), "not one of"),  # type: ignore[arg-type]
        (lambda: kb.NestedRollout(level=99), "out of range"),
        (lambda: kb.NestedRollout(iterations=0), "out of range"),
        (lambda: kb.BeamSearch(width=0), "out of range"),
        (lambda: kb.schadd(4), "versions 1, 2 and 3"),
    ],
)
def test_parameters_without_meaning_are_refused(make: Any, message: str) -> None:
    with pytest.raises(kb.BadParameter, match=message):
        make()


def test_names_that_the_game_does_not_know_are_refused() -> None:
    start = kb.game("samegame").start()
    with pytest.raises(kb.NotSupported, match="tabu-color-random"):
        kb.SpMcts(playout="wild").search(start)
    with pytest.raises(kb.NotSupported, match="gathering"):
        kb.BeamSearch(potential="wild").search(start)


def test_limits_in_seconds_hold() -> None:
    start = kb.game("samegame").start()
    for search in (kb.SpMcts(), kb.NestedMonteCarlo(level=5), kb.NestedRollout(level=6), kb.BeamSearch(), kb.AStar()):
        begin = time.perf_counter()
        report = search.search(start, seconds=0.3)
        assert time.perf_counter() - begin < 3
        assert report.best in start.moves


SAVED = sorted((Path(__file__).parent.parent / "solutions").glob("samegame-*.json"))


def test_there_is_a_solution_of_every_standard_position() -> None:
    assert {kb.PuzzleSolution.load(path).game.spec for path in SAVED} == {
        f"samegame:position={n}" for n in range(1, 21)
    }


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_saved_solutions_are_verified_by_the_rules_written_a_second_time(path: Path) -> None:
    solution = kb.PuzzleSolution.load(path)
    assert solution.verify() == score(str(solution.start).partition(" ")[0], list(solution.moves))


MEASURED = sorted((Path(__file__).parent.parent / "benches/results").glob("samegame-*.jsonl"))


@pytest.mark.parametrize("path", MEASURED, ids=lambda path: path.stem)
def test_measured_games_are_verified_by_the_rules_written_a_second_time(path: Path) -> None:
    for each in map(json.loads, path.read_text().splitlines()):
        start = kb.game(f"samegame:position={each['position']}").start()
        assert score(str(start).partition(" ")[0], each["moves"].split()) == each["score"]
        assert "grew" not in each or each["grew"][-1][1] == each["score"]


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["optimise", *args], catch_exceptions=False, env={"COLUMNS": "160"})
    assert result.exit_code == code, result.output
    return result


def test_optimise_finds_prints_and_saves(tmp_path: Path) -> None:
    path = tmp_path / "solution.json"
    text = run("samegame:position=3", "-w", "beamsearch:width=20", "--save", str(path)).stdout
    solution = kb.PuzzleSolution.load(path)
    assert f"{solution.verify():,g} points in {len(solution.moves)} moves" in text
    assert str(path) in " ".join(text.split())
    assert " ".join(solution.moves) in " ".join(text.split())
    # a better solution is never overwritten
    before = path.read_bytes()
    text = run("samegame:position=3", "-w", "nestedmontecarlo:level=0,simulations=1", "--save", str(path)).stdout
    assert path.read_bytes() == before
    assert "keeps its solution" in text
    found = json.loads(run("samegame:position=3", "-w", "beamsearch:width=20", "--json").stdout)
    assert found["score"] == solution.score
    assert found["moves"] == list(solution.moves)


def test_optimise_proves_what_an_exact_search_has_seen() -> None:
    board = "BBCBA/BCDAC/DDCDA/AADCB/CDDAB"
    text = run("samegame:rows=5,cols=5,colours=4", board, "-w", "astar").stdout
    assert "1,029 points" in text
    assert "proven" in text


def test_optimise_has_a_search_of_its_own_for_each_game() -> None:
    for game in ("samegame:rows=5,cols=5", "morpion:variant=4D", "gaps:ranks=3", "random-tree:players=1,depth=6"):
        assert " points in " in run(game, "--seconds", "0.2", "--threads", "2", "--seed", "1").stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("othello",), "2 players"),
        (("samegame", "-w", "astar", "--threads", "2"), "--threads means nothing"),
        (("samegame", "--save", "no/such/folder/x.json"), "no folder"),
        (("samegame:rows=1,cols=2,colours=2", "01"), "nothing to optimise"),
    ],
)
def test_optimise_refuses_what_has_no_meaning(args: tuple[str, ...], message: str) -> None:
    assert message in " ".join(run(*args, code=2).stderr.split())


def test_optimise_keeps_what_is_no_solution_of_the_same_game(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    run("samegame:position=3", "-w", "beamsearch:width=5", "--save", str(path))
    message = run("samegame:position=4", "-w", "beamsearch:width=5", "--save", str(path), code=2).stderr
    assert "choose another file" in " ".join(message.split())


def test_the_best_score_and_the_time_left_are_shown_while_it_searches() -> None:
    search = kb.SpMcts(seconds=1000.0)
    watcher = _Watcher([search], lines=False)
    console = Console(width=200)

    def shown() -> str:
        with console.capture() as capture:
            console.print(watcher)
        return capture.get()

    assert "best nothing yet" in shown()
    kb.SpMcts(simulations=100).search(kb.game("samegame").start(), progress=watcher.tell)
    assert f"best {watcher.value:,g} points in {len(watcher.line)} moves" in shown()
    # of 1,000 seconds
    assert re.search(r", 16:[34]\d left", shown())


@pytest.mark.parametrize(
    "game", ["samegame:rows=2,cols=3,colours=2,seed=1", "gaps:ranks=3,seed=1", "morpion:variant=4D"]
)
def test_puzzles_are_played_in_the_terminal(game: str) -> None:
    position, typed = kb.game(game).start(), []
    while not position.over:
        typed.append(position.notation(position.moves[0]))
        position = position.play(position.moves[0])
    command = ["play", game, "--side", "both", "--with", "nestedrollout:level=1,simulations=5"]
    result = CliRunner().invoke(app, command, input="hint\n" + "\n".join(typed) + "\n", catch_exceptions=False)
    assert result.exit_code == 0
    assert "nestedrollout would play" in result.stdout
    assert "The game is over" in result.stdout


def test_ctrl_c_keeps_the_best_line(tmp_path: Path) -> None:
    path = tmp_path / "best.json"
    main = "from kibitz.cli import main; main()"
    command = [sys.executable, "-c", main, "optimise", "samegame:position=3", "--seconds", "100", "--threads", "2"]
    process = subprocess.Popen(
        [*command, "--save", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stdout is not None
    # the first line tells of the first game
    assert " points in " in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, (out, err)
    assert "interrupted" in err
    solution = kb.PuzzleSolution.load(path)
    assert solution.verify() > -10_000
    assert f"{solution.score:,g} points" in out
