"""`kibitz analyze --all`: every algorithm on one position in one table."""

from __future__ import annotations

import json
import re
from typing import Any

import kibitz as kb
import pytest
from kibitz.cli import app
from typer.testing import CliRunner

SMALL = "breakthrough:rows=5,cols=4"


def run(*args: str, columns: int = 160) -> str:
    found = CliRunner().invoke(app, ["analyze", *args], env={"COLUMNS": str(columns)})
    assert found.exit_code == 0, found.output
    return found.stdout


def run_json(*args: str) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = json.loads(run(*args, "--json"))
    return data


def test_all_algorithms_stand_in_one_table() -> None:
    lines = run(SMALL, "--all", "--nodes", "3000").splitlines()
    (head,) = (line for line in lines if line.startswith("algorithm"))
    assert head.split() == ["algorithm", "value", "best", "nodes", "leaves", "first", "cut", "time", "remarks"]
    named = [line.split()[0] for line in lines[lines.index(head) + 2 :] if line.strip() and not line.startswith(" ")]
    assert named == kb.algorithms()


def test_the_family_agrees_at_the_depth_that_is_searched_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.cli.analyze._SECONDS", 0.5)  # what has no depth takes all of it
    found = {each["algorithm"].partition(":")[0]: each for each in run_json(SMALL, "--all")}
    assert list(found) == kb.algorithms()
    minimax = found["minimax"]
    assert (minimax["depth"], minimax["bound"]) == (4, "exact")
    for name in ("alphabeta", "bestnode", "dual", "mtd", "negacstar", "negascout", "pvs", "sss"):
        assert found[name]["depth"] == 4
        exact = found[name]["bound"] == "exact"
        assert found[name]["value"] == minimax["value"] if exact else found[name]["value"] <= minimax["value"]
        assert found[name]["nodes"] < minimax["nodes"]


def test_the_share_of_first_move_cuts_is_that_of_the_counters() -> None:
    found = run_json("othello", "--all", "--depth", "5", "--seconds", "0.3")
    rated = [each for each in found if each.get("first_move_cut_rate") is not None]
    assert {each["algorithm"].partition(":")[0] for each in rated} >= {"alphabeta", "pvs", "mtd", "bestnode"}
    for each in rated:
        stats = each["stats"]
        assert each["first_move_cut_rate"] == stats["first_move_cuts"] / stats["cuts"]
        assert 0.3 < each["first_move_cut_rate"] <= 1
    text = run("othello", "--all", "--depth", "5", "--seconds", "0.1")
    assert re.search(r"alphabeta .* \d\d\.\d% ", text)


@pytest.mark.parametrize(
    ("game", "able", "why"),
    [
        ("kuhn-poker", set(), "hides something"),
        (
            "random-tree:players=3,depth=5",
            {"determinized", "huct", "maxn", "mpmix", "paranoid", "probmaxn", "softmaxn", "uct"}
            | {"bestreply", "bestreplyplus", "rootonly"},
            "one or two players",
        ),
        (
            "random-tree:chance=uniform,depth=4",
            {"determinized", "expectimax", "huct", "movefilter", "star1", "star2", "star25", "uct"},
            "chance",
        ),
    ],
)
def test_what_cannot_search_a_game_says_why_in_the_table(game: str, able: set[str], why: str) -> None:
    found = run_json(game, "--all", "--nodes", "2000")
    assert {each["algorithm"].partition(":")[0] for each in found} == set(kb.algorithms())
    assert {each["algorithm"].partition(":")[0] for each in found if "refused" not in each} == able | {
        "flatmontecarlo",
        "random",
        "simulation",
    }
    # a search for one player, for two or for many, or of what is hidden says first that it is for other games
    reasons = [each["refused"] for each in found if "refused" in each]
    players = ("games of one player", "games of two players", "games of many players", "games with hidden information")
    assert all(why in reason or any(each in reason for each in players) for reason in reasons)
    assert any(why in reason for reason in reasons)
    assert why in " ".join(run(game, "--all", "--nodes", "2000", columns=300).split())


def test_variants_of_ones_own_join_the_table() -> None:
    own = "pvs:null_move=2,history=relative"
    found = run_json(SMALL, "--all", "--with", own, "--depth", "5", "--seconds", "0.2")
    assert len(found) == len(kb.algorithms()) + 1
    assert found[-1]["stats"]["null_move_cuts"] > 0
    text = run(SMALL, "--all", "--with", own, "--depth", "5", "--seconds", "0.1", columns=200)
    assert "depth 5; history=relative, null_move=2" in text


def test_a_search_that_finished_no_depth_says_so() -> None:
    text = run("gomoku", "--all", "--depth", "5", "--nodes", "1000", columns=200)
    assert re.search(r"minimax .*no depth was finished", text)


def test_a_game_that_is_over_is_not_searched() -> None:
    assert "the game is over" in run("tic-tac-toe", "XXX/OO./... O", "--all")
