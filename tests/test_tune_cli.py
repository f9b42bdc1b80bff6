"""`kibitz tune`: what it prints, plots and stores, and its errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.cli import app
from typer.testing import CliRunner

FOUR = kb.game("connect-four", rows=4, cols=4, k=3)
CLIMB = Path(__file__).with_name("tuned.py")

COMMAND = [
    *("tune", "connect-four:rows=4,cols=4,k=3", "uct:simulations=8", "--vary", "c=0:3", "--vary", "simulations=2:9"),
    *("--against", "random", "--samples", "6", "--elite", "2", "--positions", "3", "--iterations", "2"),
    *("--validate", "8", "--workers", "0"),
]


def command(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


def test_the_command_tunes_plots_and_stores(tmp_path: Path) -> None:
    plot, store = tmp_path / "run.svg", tmp_path / "runs.db"
    done = command(*COMMAND, "--json", "--plot", str(plot), "--store", str(store))
    assert done.exit_code == 0, done.output
    data = json.loads(done.output)
    assert data["player"] == "uct:simulations=8"
    assert kb.algorithm(data["best"]) == kb.Uct(**data["parameters"])
    found = kb.tune(
        FOUR,
        kb.Uct(simulations=8),
        vary={"c": (0, 3), "simulations": (2, 9)},
        against=kb.Random(),
        samples=6,
        elite=2,
        positions=3,
        iterations=2,
        validate=8,
        workers=0,
    )
    assert found.best == kb.algorithm(data["best"])
    assert plot.read_text().startswith("<svg")
    assert store.exists()
    again = command(*COMMAND, "--json", "--store", str(store))
    assert {**json.loads(again.output), "seconds": 0} == {**data, "seconds": 0}


def test_the_command_prints_the_iterations_and_the_comparison() -> None:
    done = command(*COMMAND, "--method", "random")
    assert done.exit_code == 0, done.output
    assert "recommended: uct:" in done.output
    assert "on 8 fresh positions" in done.output
    assert "difference" in done.output


def test_the_command_tunes_a_game_in_python() -> None:
    done = command(
        *("tune", f"{CLIMB}:Climb", "uct:simulations=5", "--vary", "c=0:3", "--instances", "seed", "--json"),
        *(
            "--samples",
            "4",
            "--elite",
            "2",
            "--positions",
            "2",
            "--iterations",
            "1",
            "--validate",
            "2",
            "--workers",
            "0",
        ),
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["comparison"]["positions"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--vary", "c"], "--vary c: write NAME=LOW:HIGH"),
        (["--vary", "c=0:3", "--vary", "c=0:4"], "--vary c is given twice"),
        (["--vary", "depth=0:3"], "has no parameter 'depth'; its numbers are c,"),
        (["--vary", "c=3:0"], "empty"),
        (["--vary", "c=0:3"], "name an opponent"),
        (["--vary", "c=0:3", "--against", "random", "--elite", "200"], "elite=200 is more than samples=100"),
        (["--vary", "c=0:3", "--against", "random", "--plot", "run.txt"], "cannot tell the format"),
        ([], "Missing option '--vary'"),
    ],
)
def test_errors_of_the_command_are_one_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    done = command("tune", "tic-tac-toe", "uct:simulations=5", *arguments)
    assert done.exit_code == 2
    assert message in done.output
    assert len(done.output.strip().splitlines()) == 1


def test_a_player_without_a_limit_gets_a_tenth_of_a_second() -> None:
    settings = ("--samples", "2", "--elite", "1", "--positions", "1", "--iterations", "1", "--validate", "2", "-j", "0")
    vary = ("--vary", "etc_depth=1:4", "--against", "alphabeta", "--max-plies", "4", "--json")
    done = command("tune", "breakthrough", "alphabeta", *vary, *settings)
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["player"] == "alphabeta:seconds=0.1"
