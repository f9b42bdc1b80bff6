"""The commands of the arena: match, tournament, games-of, export, and show for recorded games."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.cli import app
from kibitz.game_record import game_text, parse_game_texts
from kibitz.store import Store
from typer.testing import CliRunner, Result

EXAMPLES = Path(__file__).parent.parent / "examples"
ROBIN = """
game = "tic-tac-toe"
games = 10
openings = 1
[players]
good = "uct:simulations=300"
fair = {algorithm = "uct", simulations = 20}
poor = "random"
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store that commands use."""
    monkeypatch.setenv("KIBITZ_STORE", str(tmp_path / "games.db"))
    return tmp_path / "games.db"


def run(*args: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(args), catch_exceptions=False, env={"COLUMNS": "120"})
    assert result.exit_code == code, result.output
    return result


def run_json(*args: str) -> Any:
    return json.loads(run(*args, "--json").stdout)


def error(*args: str) -> str:
    lines = run(*args, code=2).stderr.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def one_match(*more: str) -> Any:
    return run_json("match", "tic-tac-toe", "a=random", "b=uct:simulations=20", "-n", "6", "-j", "0", *more)


# match


def test_a_match_prints_a_table_and_keeps_its_games(place: Path) -> None:
    text = run("match", "tic-tac-toe", "random", "uct:simulations=50", "--games", "10", "-j", "0").stdout
    for words in ("random", "uct:simulations=50", "score", "Elo", "time a move", "10 games", "seat 1", "games-of"):
        assert words in text
    with Store.open(place, write=False) as store:
        assert [each.games for each in store.runs()] == [10]


def test_a_match_as_json_is_the_match_in_python(place: Path) -> None:
    found = one_match("--seed", "5", "--openings", "2")
    same = kb.match("tic-tac-toe", {"a": "random", "b": "uct:simulations=20"}, games=6, seed=5, openings=2, workers=0)
    assert found["standings"][0]["name"] == same.standings[0].name
    assert [each["total"] for each in found["standings"]] == [vars(each.total) for each in same.standings]
    assert found["run"] is not None


def test_limits_for_all_and_a_limit_for_who_has_none(place: Path) -> None:
    found = run_json("match", "tic-tac-toe", "alphabeta", "random", "uct", "--simulations", "30", "-n", "6", "-j", "0")
    players = {each["name"]: each["player"] for each in found["standings"]}
    assert set(players.values()) == {"alphabeta:seconds=0.1", "random", "uct:simulations=30"}


def test_openings_may_go_through_all_deals(place: Path) -> None:
    given = ("--openings", "stratified:2", "-n", "12", "-j", "0")
    name = run_json("match", "kuhn-poker", "a=random", "b=random:seed=1", *given)["run"]
    with Store.open(place) as store:
        deals = [tuple(move.move for move in record.moves[:2]) for record in store.records(1)]
    assert len(set(deals)) == 6
    assert "opening" in run("games-of", name, "--game", "0").stdout


def test_nothing_is_kept_when_nothing_should_be(place: Path) -> None:
    assert one_match("--no-store")["run"] is None
    assert not place.exists()


def test_the_sequential_test_is_reported(place: Path) -> None:
    found = run_json(
        "match", "tic-tac-toe", "uct:simulations=200", "random", "--games", "5000", "--sprt", "0,50", "-j", "0"
    )
    assert found["sprt"]["decision"] == "accept"
    assert found["games"] < 300


def test_a_game_in_a_python_file_is_played_by_processes_and_replayed(place: Path) -> None:
    nim = str(EXAMPLES / "nim.py")
    found = run_json("match", f"{nim}:Nim", "random", "alphabeta", "-n", "4", "-j", "2")
    assert found["games"] == 4
    assert "--rules" in error("games-of", found["run"], "--game", "0")
    assert "over after" in run("games-of", found["run"], "--game", "0", "--rules", f"{nim}:Nim").stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("chess960", "random", "random"), "chess960"),
        (("tic-tac-toe", "random", "deep-blue"), "deep-blue"),
        (("tic-tac-toe", "random"), "two players"),
        (("tic-tac-toe", "random", "random", "--games", "0"), "games"),
        (("tic-tac-toe", "random", "random", "--sprt", "5"), "sprt"),
        (("tic-tac-toe", "random", "random", "--sprt", "9,1"), "elo0"),
        (("tic-tac-toe", "random", "random", "--openings", "some"), "openings"),
        (("tic-tac-toe", "random", "random", "--openings", "20"), "openings"),
        (("tic-tac-toe", "random", "random", "--depth", "3"), "depth"),
        (("tic-tac-toe", "a=random", "a=random"), "two players are called"),
        (("tic-tac-toe", "random", "random", "--on", "moon"), "moon"),
        (("tic-tac-toe", "random", "random", "--workers", "-3"), "workers"),
        (("tic-tac-toe", "random", "random", "--store", "/nowhere/games.db"), "/nowhere"),
    ],
)
def test_a_match_that_cannot_be_played_is_one_line(place: Path, args: tuple[str, ...], words: str) -> None:
    assert words in error("match", *args)


def test_a_store_that_cannot_be_written_is_left_alone(place: Path, tmp_path: Path) -> None:
    one_match()
    before = place.read_bytes()
    junk = tmp_path / "junk.db"
    junk.write_text("not a store")
    assert "not a kibitz store" in error("match", "tic-tac-toe", "random", "uct", "-n", "2", "--store", str(junk))
    assert junk.read_text() == "not a store"
    place.chmod(stat.S_IRUSR)
    try:
        if not os.access(place, os.W_OK):
            assert "read-only" in error("match", "tic-tac-toe", "random", "random", "-n", "2")
    finally:
        place.chmod(stat.S_IRUSR | stat.S_IWUSR)
    assert place.read_bytes() == before


def test_ctrl_c_keeps_the_games_and_says_how_to_go_on(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    args = ["match", "breakthrough:rows=5,cols=5", "alphabeta:nodes=2000", "uct:simulations=200", "--games", "3000"]
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *args, "--store", str(place)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not (place.exists() and games_in(place) > 3):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "the same command goes on" in told
    assert games_in(place) > 3


def games_in(place: Path) -> int:
    with Store.open(place, write=False) as store:
        return sum(each.games for each in store.runs())


# tournaments


def test_a_round_robin_has_a_cross_table(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "robin.toml"
    file.write_text(ROBIN)
    text = run("tournament", str(file), "-j", "0").stdout
    assert "round-robin" in text
    assert text.index("good") < text.index("poor")
    found = run_json("tournament", str(file), "-j", "0")
    assert [each["players"] for each in found["meetings"]] == [["good", "fair"], ["good", "poor"], ["fair", "poor"]]
    assert {each["name"]: each["total"] for each in found["places"]}["good"]["points"] == sum(
        standing["total"]["points"]
        for meeting in found["meetings"]
        for standing in meeting["result"]["standings"]
        if standing["name"] == "good"
    )
    assert all(each["rating"] for each in found["places"])
    with Store.open(place) as store:
        assert [(each.name, each.games) for each in store.runs()] == [
            ("robin/good-fair", 10),
            ("robin/good-poor", 10),
            ("robin/fair-poor", 10),
        ]


def test_a_gauntlet_is_the_challengers_against_the_rest(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "gauntlet.toml"
    file.write_text('kind = "gauntlet"\nchallengers = ["good"]\n' + ROBIN)
    found = run_json("tournament", str(file), "-j", "0")
    assert [each["players"] for each in found["meetings"]] == [["good", "fair"], ["good", "poor"]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = ", "not TOML"),
        ("\x00", "not TOML"),
        ("", "game is missing"),
        ('game = "tic-tac-toe"', "players is missing"),
        ('game = "go"\n[players]\na="random"\nb="random"', "go"),
        ('game = 3\n[players]\na="random"\nb="random"', "game must be a text"),
        ('game = "tic-tac-toe"\n[players]\na="random"', "two players"),
        ('game = "tic-tac-toe"\n[players]\na="random"\nb="alphago"', "player 'b'"),
        ('game = "tic-tac-toe"\n[players]\na="random"\nb={algorithm="uct", wings=2}', "wings"),
        ('game = "tic-tac-toe"\n[players]\na="random"\nb=7', "player 'b'"),
        ("gaems = 3\n" + ROBIN, "'gaems'"),
        (ROBIN.replace("games = 10", "games = -1"), "games"),
        (ROBIN.replace("games = 10", 'games = "ten"'), "games"),
        (ROBIN.replace("openings = 1", "openings = [2.0]"), "probabilities"),
        (ROBIN.replace("openings = 1", 'openings = "x"'), "openings"),
        ('kind = "knockout"\n' + ROBIN, "knockout"),
        ('kind = "gauntlet"\n' + ROBIN, "challengers"),
        ('kind = "gauntlet"\nchallengers = ["nobody"]\n' + ROBIN, "nobody"),
        ('challengers = ["good"]\n' + ROBIN, "gauntlet"),
        ("max_plies = 1.5\n" + ROBIN, "max_plies"),
        ("seed = -1\n" + ROBIN, "seed"),
        ("start = 4\n" + ROBIN, "start"),
        ('start = "nonsense"\n' + ROBIN, "position"),
    ],
)
def test_a_malformed_tournament_is_one_line_and_plays_nothing(
    place: Path, tmp_path: Path, text: str, words: str
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    line = error("tournament", str(file), "-j", "0")
    assert words in line
    assert "wrong.toml" in line
    assert not place.exists()


def test_a_tournament_that_is_not_there(place: Path) -> None:
    assert "cannot read" in error("tournament", "nowhere.toml")


# what a store holds


def test_runs_and_games_are_listed_and_replayed(place: Path) -> None:
    name = one_match()["run"]
    assert name in run("games-of").stdout
    assert run_json("games-of")[0]["games"] == 6
    listed = run("games-of", name).stdout
    assert "a +1" in listed or "a -1" in listed
    assert len(run_json("games-of", name)["list"]) == 6
    replayed = run("games-of", name, "--game", "2").stdout
    assert "over after" in replayed
    record = parse_game_texts(run("games-of", name, "--game", "2", "--text").stdout.strip() + "\n")[0]
    assert f"{len(record.moves)}. {record.moves[-1].move}" in replayed
    assert run("games-of", name[:6]).stdout == listed


def test_what_is_not_in_the_store(place: Path, tmp_path: Path) -> None:
    assert "no store" in error("games-of")
    name = one_match()["run"]
    assert "no run" in error("games-of", "elsewhere")
    assert name in error("games-of", name[:-2] + "zz")
    assert "no game 77" in error("games-of", name, "--game", "77")
    assert "suffix" in error("export", name, str(tmp_path / "games.xls"))
    assert "cannot be written" in error("export", name, str(tmp_path / "nowhere" / "games.csv"))


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet", "txt"])
def test_games_are_exported(place: Path, tmp_path: Path, suffix: str) -> None:
    name = one_match()["run"]
    file = tmp_path / f"games.{suffix}"
    assert run_json("export", name, str(file))["games"] == 6
    if suffix == "csv":
        assert len(file.read_text().splitlines()) == 7
    elif suffix == "jsonl":
        assert [json.loads(line)["index"] for line in file.read_text().splitlines()] == list(range(6))
    elif suffix == "txt":
        with Store.open(place) as store:
            assert parse_game_texts(file.read_text()) == list(store.records(1))
    assert "6 games written" in run("export", name, str(file)).stdout


def test_an_exported_game_is_shown(place: Path, tmp_path: Path) -> None:
    name = one_match()["run"]
    file = tmp_path / "games.txt"
    run("export", name, str(file))
    text = run("show", str(file)).stdout
    assert text.count("over after") == 6
    assert run("show", str(file), "--game", "3").stdout.strip() == run("games-of", name, "--game", "3").stdout.strip()
    assert "no game 9" in error("show", str(file), "--game", "9")


def test_a_game_record_that_lies_is_refused(place: Path, tmp_path: Path) -> None:
    one_match()
    with Store.open(place) as store:
        record = next(store.records(1))
    file = tmp_path / "game.txt"
    file.write_text(game_text(record).replace(f"1. {record.moves[0].move} ", "1. z99 "))
    assert "z99" in error("show", str(file))
    file.write_text(game_text(record)[:60])
    assert "game record" in error("show", str(file))


# what is printed


def test_texts_that_look_like_emoji_are_printed_as_they_are(place: Path) -> None:
    assert "--openings stratified:x: write" in error(
        "match", "tic-tac-toe", "random", "uct", "--openings", "stratified:x"
    )
    found = run_json("match", "tic-tac-toe", "random", "uct:simulations=5", "-n", "2", "-j", "0", "--run", ":x: or :o:")
    assert found["run"] == ":x: or :o:"
    assert "kibitz games-of ':x: or :o:' --game 0" in run("games-of", ":x: or :o:").stdout


def test_a_run_has_one_line_in_the_list_of_a_narrow_terminal(place: Path) -> None:
    name = one_match()["run"]
    lines = CliRunner().invoke(app, ["games-of"], env={"COLUMNS": "80"}).stdout.splitlines()
    (line,) = (line for line in lines if name in line)
    assert "tic-tac-toe │" in line
    assert lines.index(line) == len(lines) - 2


def test_a_tournament_says_where_its_games_are_and_writes_infinite_elo(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text('game = "tic-tac-toe:rows=1,cols=4,k=1"\ngames = 2\n[players]\na = "random"\nb = "random:seed=1"\n')
    shown = run("tournament", str(file), "-j", "0").stdout
    assert "kibitz games-of two/a-b" in shown
    file.write_text('game = "connect-four"\ngames = 2\n[players]\na = "alphabeta:depth=4"\nb = "random"\n')
    assert "-∞" in run("tournament", str(file), "-j", "0", "--store", str(tmp_path / "b.db")).stdout


def test_a_player_of_a_tournament_without_a_limit_has_a_tenth_of_a_second_as_in_a_match(
    place: Path, tmp_path: Path
) -> None:
    file = tmp_path / "two.toml"
    file.write_text('game = "tic-tac-toe"\ngames = 2\n[players]\na = "alphabeta"\nb = "random"\nc = "uct:nodes=9"\n')
    places = run_json("tournament", str(file), "-j", "0")["places"]
    assert {each["player"] for each in places} == {"alphabeta:seconds=0.1", "random", "uct:nodes=9"}


def test_a_data_folder_that_cannot_be_made_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("KIBITZ_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert "--store or KIBITZ_STORE" in error(
        "match", "tic-tac-toe", "random", "uct:simulations=5", "-n", "2", "-j", "0"
    )


def test_the_live_table_does_not_stand_still_after_its_first_slow_one() -> None:
    import io

    from kibitz.arena.match import Match
    from kibitz.arena.playing import play
    from kibitz.cli.match import Watcher
    from rich.console import Console

    class Slow(Watcher):
        def _render(self, tally: Any, now: float) -> Any:
            rendered.append(tally.games)
            if len(rendered) == 1:
                time.sleep(0.3)  # as the first one does, which loads SciPy
            return super()._render(tally, now)

    rendered: list[int] = []
    planned = Match.of("tic-tac-toe", ["random", "random:seed=1"], games=40, seed=1)
    tally = planned.tally()
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    with Slow(console) as watcher:
        for spec in planned.specs():
            tally.add(play(spec))
            watcher.tell(tally)
            time.sleep(0.02)
    assert len(rendered) >= 2
    assert "no game has ended yet" in console.file.getvalue()  # type: ignore[attr-defined]
