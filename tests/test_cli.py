"""The command line: every command, its JSON, its errors, and a game at the prompt."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.cli import app
from kibitz.cli.arguments import read_algorithms, split_algorithms
from kibitz.cli.measure import _interval
from kibitz.cli.record import Record
from kibitz.cli.show import result_text
from kibitz.cli.terminal import counted
from typer.testing import CliRunner, Result

SMALL = "breakthrough:rows=5,cols=4"


def run(*args: str, stdin: str = "", code: int = 0, columns: int = 160) -> Result:
    result = CliRunner().invoke(app, list(args), input=stdin, catch_exceptions=False, env={"COLUMNS": str(columns)})
    assert result.exit_code == code, result.output
    return result


def run_json(*args: str, stdin: str = "") -> Any:
    return json.loads(run(args[0], "--json", *args[1:], stdin=stdin).stdout)


def error(*args: str, stdin: str = "") -> str:
    """The one line of a command that fails as it should."""
    result = run(*args, stdin=stdin, code=2)
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("kibitz: ")
    return lines[0]


def subprocess_run(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **options)


def test_version_and_help() -> None:
    assert run("--version").stdout == f"kibitz {kb.__version__}\n"
    for args in ((), ("--help",), ("-h",)):
        text = run(*args).stdout
        for command in ("games", "show", "perft", "playouts", "analyze", "play", "demo"):
            assert command in text


@pytest.mark.parametrize("command", ["games", "show", "perft", "playouts", "analyze", "play", "demo"])
def test_every_command_that_prints_a_result_has_json(command: str) -> None:
    assert "--json" in run(command, "--help").stdout


def test_importing_kibitz_does_not_import_the_command_line() -> None:
    check = "import sys, kibitz; print([m for m in ('typer', 'rich', 'scipy', 'numpy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_games_lists_all() -> None:
    text = run("games").stdout
    assert all(name in text for name in kb.games())
    assert [entry["name"] for entry in run_json("games")] == list(kb.games())


@pytest.mark.parametrize("name", list(kb.games()))
def test_games_tells_about_each(name: str) -> None:
    info = kb.games().info(name)
    text = run("games", name, columns=400).stdout
    assert all(parameter.doc in text for parameter in info.parameters)
    assert run_json("games", name)["rules"] == info.rules


@pytest.mark.parametrize("name", list(kb.games()))
def test_show_every_game(name: str) -> None:
    pos = kb.game(name).start()
    assert str(pos) in run("show", name).stdout
    data = run_json("show", name)
    assert data["position"] == str(pos)
    assert data["turn"] == pos.turn
    assert data["moves"] == [str(move) for move in pos.moves]
    assert data["key"] == f"{pos.key:016x}"
    # The text of a position can be given back.
    assert run_json("show", name, "--", str(pos)) == data


def test_show_tells_outcomes_and_results(tmp_path: Path) -> None:
    assert "(3) J 0.3333" in run("show", "kuhn-poker").stdout
    assert "player 0 wins" in run("show", "tic-tac-toe", "XXX/OO./... O").stdout
    assert "a draw" in run("show", "tic-tac-toe", "XOX/XXO/OXO O").stdout
    picture = tmp_path / "board.svg"
    run("show", "othello", "--svg", str(picture))
    assert picture.read_text().startswith("<svg")


def test_perft_counts_what_the_library_counts() -> None:
    data = run_json("perft", "breakthrough", "--depth", "4", "--threads", "2")
    assert [row["nodes"] for row in data["perft"]] == [22, 484, 11132, 256036]
    assert "256,036" in run("perft", "breakthrough", "-d", "4").stdout
    assert [row["nodes"] for row in run_json("perft", "nim", "--depth", "0")["perft"]] == [1]


@pytest.mark.parametrize("spec", ["breakthrough", "kuhn-poker"])
def test_perft_divided_is_the_count_below_each_move(spec: str) -> None:
    pos = kb.game(spec).start()
    moves = pos.moves or [outcome for outcome, _ in pos.outcomes]
    below = {pos.notation(move): kb.perft(pos.play(move), 2) for move in moves}
    data = run_json("perft", spec, "--depth", "3", "--divide", "--threads", "2")
    assert {row["move"]: row["nodes"] for row in data["divide"]} == below
    assert data["total"] == kb.perft(pos, 3)
    *lines, empty, total = run("perft", spec, "-d", "3", "--divide").stdout.splitlines()
    assert lines == [f"{move}: {count}" for move, count in below.items()]
    assert empty == ""
    assert total.startswith(f"total: {data['total']} ({len(moves)} moves, ")


def test_perft_divided_of_one_move_and_of_none() -> None:
    assert "total: 1 (1 move, " in run("perft", "nim:piles=1", "-d", "1", "--divide").stdout
    assert run_json("perft", "nim:piles=1", "0 B", "-d", "1", "--divide")["total"] == 0


def test_playouts_give_the_mean_with_its_interval() -> None:
    data = run_json("playouts", SMALL, "-n", "500", "--seed", "7")
    expected = kb.playouts(kb.game(SMALL).start(), 500, seed=7)
    assert [row["mean"] for row in data["players"]] == list(expected.mean)
    low, high = data["players"][0]["interval"]
    assert low < expected.mean[0] < high
    assert data["plies"] == expected.plies
    assert run_json("playouts", SMALL, "-n", "1")["players"][0]["interval"] is None
    assert "95 % interval" in run("playouts", SMALL, "-n", "500").stdout


def test_the_interval_of_a_mean_is_students() -> None:
    from scipy.stats import t

    assert _interval(0.25, 2.0, 30) == pytest.approx(t.interval(0.95, 29, loc=0.25, scale=2 / 30**0.5))


def test_lists_of_algorithms_are_split_where_a_name_follows() -> None:
    assert split_algorithms(["alphabeta:depth=8,tt_mb=64,uct:simulations=10,random,minimax"]) == [
        "alphabeta:depth=8,tt_mb=64",
        "uct:simulations=10",
        "random",
        "minimax",
    ]
    assert split_algorithms(["uct", "uct:c=1,random"]) == ["uct", "uct:c=1", "random"]


def test_limits_go_to_the_algorithms_that_know_them() -> None:
    chosen = read_algorithms(["alphabeta,uct"], depth=5, simulations=70)
    assert [each.spec for each in chosen] == ["alphabeta:depth=5", "uct:simulations=70"]
    with pytest.raises(kb.BadParameter, match="--depth means nothing to uct; use --"):
        read_algorithms(["uct"], depth=5)


def test_a_limit_in_seconds_leaves_simulations_free() -> None:
    assert kb.algorithm("uct:seconds=2").spec == "uct:seconds=2"
    assert kb.Uct().search(kb.game(SMALL).start()).stats["simulations"] == 10_000


def test_analyze_reports_each_algorithm() -> None:
    args = ("analyze", SMALL, "--with", "alphabeta:depth=3,tt_mb=1,uct:simulations=3000", "--with", "minimax:depth=3")
    data = run_json(*args)
    assert [entry["algorithm"] for entry in data] == [
        "alphabeta:depth=3,tt_mb=1",
        "uct:simulations=3000",
        "minimax:depth=3",
    ]
    assert data[0]["value"] == data[2]["value"]
    assert data[0]["position"] == str(kb.game(SMALL).start())
    assert [step["depth"] for step in data[0]["history"]] == [1, 2, 3]
    text = run(*args).stdout
    assert "principal variation" in text
    assert "3,000" in text
    assert f"minimax {data[2]['best']}" in text


def test_analyze_without_algorithms_takes_those_that_the_game_allows() -> None:
    data = run_json("analyze", SMALL, "--seconds", "0.05")
    assert [entry["algorithm"] for entry in data] == ["alphabeta:seconds=0.05", "uct:seconds=0.05"]
    data = run_json("analyze", "random-tree:players=3,depth=4", "--seconds", "0.05")
    assert [entry["algorithm"] for entry in data] == ["uct:seconds=0.05"]
    text = " ".join(run("analyze", "random-tree:players=3,depth=4", "--seconds", "0.05", columns=60).stdout.split())
    refused = "AlphaBeta searches games of one or two players; this one has 3: use MaxN, Paranoid, BestReply or Uct"
    assert f"alphabeta:seconds=0.05 {refused} uct:" in text
    assert "use IsMcts" in error("analyze", "kuhn-poker")


@pytest.mark.parametrize("name", ["alphabeta", "minimax", "uct"])
def test_analyze_gives_two_seconds_to_an_algorithm_without_a_limit(name: str) -> None:
    # A game that is solved at once, so that nobody waits.
    text = run("analyze", "nim:piles=1-1", "--with", name).stdout
    assert f"{name}:seconds=2  (no limit was given: 2 seconds)" in text
    assert run_json("analyze", "nim:piles=1-1", "--with", name)[0]["algorithm"] == f"{name}:seconds=2"
    text = run("analyze", "nim:piles=1-1", "--with", name, "--nodes", "50").stdout
    assert "no limit was given" not in text
    assert f"{name}:nodes=50\n" in text


def test_analyze_without_a_limit_ends() -> None:
    began = time.perf_counter()
    text = run("analyze", "connect-four", "--with", "minimax").stdout
    assert 1.9 < time.perf_counter() - began < 30
    assert "no depth was finished" in text


def test_a_random_move_needs_no_limit() -> None:
    text = run("analyze", "nim", "--with", "random").stdout
    assert "no limit" not in text
    assert "; 1 node in " in text


def test_analyze_writes_each_iteration_into_a_pipe_when_it_is_finished() -> None:
    args = ["analyze", "othello", "--with", "alphabeta:seconds=120"]
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        lines = iter(process.stdout.readline, "")
        assert next(line for line in lines if line.startswith("depth "))
        assert [int(next(lines).split()[0]) for _ in range(3)] == [1, 2, 3]
        assert process.poll() is None, "the lines came only at the end"
    finally:
        process.kill()
        process.communicate()


STEP = r" *[\d,]+  +[+-]\d\.\d{3} +[\d,]+ +[\d.]+( [kMGT])? +[\d.]+ (µs|ms|s)  \S.*"


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("game", ["breakthrough", "connect-four"])
def test_only_the_variation_is_cut_to_the_width(
    game: str, terminal: bool, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if terminal:
        monkeypatch.setattr("kibitz.cli.analyze.out._force_terminal", True)
        monkeypatch.setattr("kibitz.cli.analyze.out._color_system", None)
    monkeypatch.setenv("TERM", "xterm")
    args = ("analyze", game, "--with", "alphabeta:depth=8,tt_mb=1,uct:simulations=40000")
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", run(*args, columns=columns).stdout.rpartition("\x1b[2K")[2])
    steps = [line for line in text.splitlines() if re.match(r" +[\d,]+  +[+-]\d", line)]
    assert len(steps) == 8 + 7, text  # depths 1 to 8; 1,024, 2,048, … 32,768 and 40,000 simulations
    assert all(re.fullmatch(STEP, line) for line in steps), text
    assert max(map(len, steps)) <= columns
    assert any("…" in line for line in steps) or columns == 80
    titles = [line for line in text.splitlines() if "nodes/s" in line]
    assert len(titles) == 2
    assert all(" value " in line and " time  princ" in line for line in titles)


@pytest.mark.parametrize("algorithm", ["alphabeta", "uct"])
def test_analyze_of_a_finished_game_says_its_result(algorithm: str) -> None:
    text = run("analyze", "tic-tac-toe", "XXX/OO./... O", "--with", algorithm).stdout
    assert text.endswith("the game is over: player 0 wins (player 0: 1, player 1: -1)\n")
    assert "nodes" not in text
    assert run_json("analyze", "tic-tac-toe", "XXX/OO./... O", "--with", algorithm)[0]["best"] is None


def test_analyze_when_chance_moves() -> None:
    text = run("analyze", "random-tree:chance=uniform,depth=4", "--with", "uct:simulations=50").stdout
    assert not [line for line in text.splitlines() if line.rstrip().endswith(";")]


@pytest.mark.parametrize(("number", "expected"), [(0, "0 nodes"), (1, "1 node"), (2000, "2,000 nodes")])
def test_numbers_and_nouns_agree(number: int, expected: str) -> None:
    assert counted(number, "node") == expected


def test_several_winners_win() -> None:
    assert result_text((1.0, 1.0, -2.0)) == "players 0 and 1 win (player 0: 1, player 1: 1, player 2: -2)"
    assert "1 random game of nim" in run("playouts", "nim", "-n", "1").stdout


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("show", "chess"), "no game"),
        (("show", "breakthrough:rows=99"), "rows"),
        (("show", "breakthrough:rows"), "key=value"),
        (("show", "breakthrough", "nonsense"), "bad position"),
        (("show",), "kibitz show --help"),
        (("games", "chess"), "no game"),
        (("dance",), "kibitz --help"),
        (("perft", "nim", "--depth", "x"), "kibitz perft --help"),
        (("perft", "nim", "--depth", "-1"), "zero or more"),
        (("perft", "nim", "--threads", "0"), "threads"),
        (("perft", "nim", "--depth", "0", "--divide"), "--divide needs --depth 1 or more"),
        (("playouts", "nim", "-n", "0"), "must be a whole number"),
        (("playouts", "nim", "--seed", "-1"), "seed"),
        (("analyze", "nim", "--with", "magic"), "no algorithm"),
        (("analyze", "nim", "--with", ""), "needs an algorithm"),
        (("analyze", "nim", "--with", "uct:depth=3"), "no parameter"),
        (("analyze", "nim", "--with", "uct", "--depth", "3"), "means nothing"),
        (("play", "nim", "--side", "2"), "--side 2"),
        (("play", "nim", "--side", "white"), "--side white"),
        (("show", "nim", "--svg", "no/such/folder/a.svg"), "no such file"),
        (("show", "no_such_module:Game"), "no game and no Python module"),
        (("show", "no_such_module:Game:goal=7"), "no game and no Python module"),
        (("show", "missing.py:Game"), "cannot read missing.py"),
        (("show", "missing.py:Game:goal=7"), "cannot read missing.py;"),
        (("--nonsense",), "kibitz --help"),
    ],
)
def test_errors_are_one_line_that_says_what_to_do(args: tuple[str, ...], expected: str) -> None:
    assert expected in error(*args)


PILES = """
import kibitz as kb

class Piles(kb.Game):
    def start(self): return (2, 1), 0
    def turn(self, state): return state[1] if any(state[0]) else None
    def moves(self, state): return [f"{i}-{n}" for i, pile in enumerate(state[0]) for n in range(1, pile + 1)]
    def play(self, state, move):
        i, n = map(int, move.split("-"))
        return tuple(pile - n * (i == j) for j, pile in enumerate(state[0])), 1 - state[1]
    def result(self, state): return -1 if state[1] == 0 else 1
"""


def test_a_game_in_a_python_file_is_a_game_like_any_other(tmp_path: Path) -> None:
    file = tmp_path / "random.py"  # a name that the standard library also has
    file.write_text(PILES)
    for spec in (f"{file}:Piles", str(file)):
        assert run_json("show", spec)["moves"] == ["0-1", "0-2", "1-1"]
    assert run_json("perft", str(file), "--depth", "2")["perft"][1]["nodes"] == 5  # 2 + 1 + 2 replies
    (report,) = run_json("analyze", f"{file}:Piles", "--with", "alphabeta:tt_mb=1")
    assert (report["best"], report["value"], report["proven"]) == ("0-1", 1.0, True)
    text = run("play", f"{file}:Piles", "--with", "alphabeta:tt_mb=1", stdin="0-1\n0-1\n1-1\n").stdout
    assert "player 0 wins" in text


COUNT = """
import kibitz as kb

class Count(kb.Game):
    def __init__(self, goal, step=1, *, fast=False, name="it"):
        if goal < 0: raise ValueError("a goal is zero or more")
        self.goal, self.given = goal, (goal, step, fast, name)
    def start(self): return 0
    def turn(self, state): return state % 2 if state < self.goal else None
    def moves(self, state): return [1]
    def play(self, state, move): return state + move
    def result(self, state): return 1
    def board(self, state): return repr(self.given)
"""


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("goal=7", (7, 1, False, "it")),
        ("goal=7,step=2.5,fast=true,name=a-b", (7, 2.5, True, "a-b")),
        ("goal=-0,step=1e3,fast=False,name='7'", (0, 1000.0, False, "7")),
        ("goal=7,name=x.py:y=z", (7, 1, False, "x.py:y=z")),
    ],
)
def test_a_game_in_python_takes_parameters(tmp_path: Path, parameters: str, expected: tuple[Any, ...]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(COUNT)
    for spec in (f"{file}:Count:{parameters}", f"{file}:{parameters}"):
        assert run_json("show", spec)["board"] == repr(expected)
    saved = tmp_path / "game.json"
    spec = f"{file}:Count:goal=3"
    played = run_json("play", spec, "--side", "both", stdin=f"1\nsave {saved}\n1\nload {saved}\n")
    assert (played["game"], played["moves"]) == (spec, ["1"])
    assert "1 move\n" in run("play", spec, "--side", "both", stdin=f"load {saved}\n").stdout


@pytest.mark.parametrize(
    ("source", "name", "expected"),
    [
        ("class", "", "SyntaxError"),
        ("1 / 0", "", "ZeroDivisionError: division by zero"),
        ("x = 1", "", "a game is a subclass of kibitz.Game"),
        (PILES, "Other", "write "),
        (PILES + "class Other(Piles): pass", "", "needs the name of a class"),
        (PILES + "class Other(Piles):\n    def __init__(self, n): pass", "Other", "needs n; write "),
        (PILES + "class Other(Piles):\n    def __init__(self): 1 / 0", "Other", "Other() of "),
        (PILES, "Piles:goal=7", "has no parameter 'goal'; it takes none"),
        (COUNT, "Count:gaol=7", "has no parameter 'gaol'; it takes goal, step, fast, name"),
        (COUNT, "Count:goal", "'goal' in 'Count:goal' is not key=value"),
        (COUNT, "Count:goal=7,goal=8", "given twice"),
        (COUNT, "Count:goal=-7", "Count(goal=-7) of "),
        (COUNT, "Other:goal=7", "has no game 'Other'"),
        ("import no_such_thing", "", "No module named 'no_such_thing'"),
    ],
)
def test_a_bad_python_file_is_one_line(tmp_path: Path, source: str, name: str, expected: str) -> None:
    file = tmp_path / "own.py"
    file.write_text(source)
    assert expected in error("show", f"{file}:{name}" if name else str(file))


def test_an_exception_in_a_game_of_the_user_comes_out_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        PILES.replace(
            "def result(self, state):", "def result(self, state): raise KeyError('mine')\n    def _(self, state):"
        )
    )
    with pytest.raises(KeyError, match="mine"):
        run("playouts", str(file), "-n", "10")


FAST = ("--with", "uct:simulations=50")


def test_play_at_the_prompt(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    script = f"""\
        help
        moves
        a2-a3
        hint
        board
        undo
        undo
        a2-a9

        b2-b3
        save {file}
        quit
        """
    text = run("play", SMALL, *FAST, stdin=textwrap.dedent(script)).stdout
    assert "take back your last move" in text
    assert "a2-a3  b2-b3" in text
    assert "uct would play" in text
    assert "there is nothing to take back" in text
    assert "'a2-a9' is not a legal move here" in text
    assert "player 1 (uct): " in text
    saved = json.loads(file.read_text())
    assert (saved["game"], saved["position"]) == ("breakthrough:rows=5,cols=4", None)
    assert saved["moves"][0] == "b2-b3"
    assert len(saved["moves"]) == 2
    assert not [each for each in tmp_path.iterdir() if each != file], "a temporary file is left"
    played = run_json("play", SMALL, *FAST, stdin=f"a2-a3\nload {file}\n")
    assert played["moves"] == saved["moves"]
    assert played["result"] is None


def test_play_to_the_end() -> None:
    played = run_json("play", "nim:piles=2-1", "--with", "alphabeta:tt_mb=1", stdin="1:1\n1:1\n2:1\n")
    assert len(played["moves"]) == 3
    assert played["result"] == [1.0, -1.0]
    played = run_json("play", "nim:piles=2-1", "2-0 B", "--side", "both", stdin="1:1\n1:1\n")
    assert played["position"] == "2-0 B"
    assert played["result"] == [1.0, -1.0]
    assert run_json("play", "nim", stdin="resign\n")["resigned"] == 0


def test_watching_engines_needs_no_input() -> None:
    args = ("play", "connect-four", "--side", "none", "--with", "uct:simulations=50", "--with", "random")
    assert run_json(*args) == run_json(*args)
    text = run(*args).stdout
    assert "player 0 (uct)" in text
    assert "player 1 (random)" in text
    assert "The game is over" in text


def test_play_with_chance_and_three_players() -> None:
    args = ("play", "random-tree:players=3,chance=uniform,depth=4", "--side", "0", *FAST)
    first = run_json(*args, stdin="0\n1\n")
    assert first["result"] is not None
    assert first == run_json(*args, stdin="0\n1\n")
    # A move taken back and played again meets the same luck.
    assert first == run_json(*args, stdin="0\nundo\n0\n1\n")
    rolls = {tuple(run_json(*args, "--seed", str(seed), stdin="0\n1\n")["moves"]) for seed in range(8)}
    assert len(rolls) > 1


@pytest.mark.parametrize("seed", range(6))
def test_play_shows_no_hidden_card(seed: int) -> None:
    args = ("play", "kuhn-poker", "--seed", str(seed))
    script = "board\nnonsense\nhint\nmoves\nbet\n"
    cards = run_json(*args, stdin=script)["moves"][:2]
    text = run(*args, stdin=script).stdout
    own, other = cards
    assert f"you see {own}?" in text
    before = text.partition("> bet")[0]
    assert other not in before.replace("Type", "").replace(own + "?", "")
    assert "The game is over" in text


def test_the_end_of_the_input_ends_the_game() -> None:
    assert run("play", SMALL, *FAST, stdin="").exit_code == 0
    assert run("play", SMALL, *FAST, stdin="a2-a3").exit_code == 0


GOOD = {"format": "kibitz game 1", "game": SMALL, "position": None, "moves": ["a2-a3"]}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[1, 2]", "does not say"),
        ({**GOOD, "format": "kibitz game 9"}, "does not say"),
        ({**GOOD, "game": "chess"}, "neither this one nor known"),
        ({**GOOD, "game": 7}, "missing"),
        ({**GOOD, "position": "nonsense"}, "bad position"),
        ({**GOOD, "moves": "a2-a3"}, "not a list"),
        ({**GOOD, "moves": [["a2-a3"]]}, "not a list"),
        ({**GOOD, "moves": ["a2-a3", "a2-a3"]}, "move 2, 'a2-a3', is not legal"),
    ],
)
def test_a_corrupt_file_is_one_line_and_the_game_goes_on(tmp_path: Path, content: Any, expected: str) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    text = run("play", SMALL, *FAST, stdin=f"load {file}\nmoves\n").stdout
    (line,) = [line for line in text.splitlines() if "is not a saved game" in line]
    assert expected in line
    assert "a2-a3" in text.partition(line)[2]


def test_save_and_load_say_what_is_wrong_with_the_file(tmp_path: Path) -> None:
    text = run("play", SMALL, *FAST, stdin=f"save\nload\nload {tmp_path}/none\nsave {tmp_path}/none/x\n").stdout
    assert "save needs the name of a file" in text
    assert "load needs the name of a file" in text
    for name in ("none", "none/x"):
        assert f"cannot use {tmp_path}/{name}: no such file or directory; choose another file\n" in text
    text = run("play", SMALL, *FAST, stdin=f"save {tmp_path}\nsave ~no-such-user/x\nsave a\0b\nmoves\n").stdout
    assert f"cannot use {tmp_path}: is a directory" in text
    assert "cannot use ~no-such-user/x: no such file" in text
    assert "save needs the name of a file" in text
    assert "a2-a3" in text
    assert not list(tmp_path.parent.glob(f".{tmp_path.name}.*")), "a temporary file is left"
    other = tmp_path / "other.json"
    Record("random-tree:players=3").save(other)
    assert "is a game of 3 players" in run("play", SMALL, *FAST, stdin=f"load {other}\n").stdout


def test_loading_never_runs_code(tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n{PILES}")
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**GOOD, "game": f"{trap}:Piles"}))
    assert "neither this one nor known" in run("play", SMALL, *FAST, stdin=f"load {file}\n").stdout
    assert not (tmp_path / "sprung").exists()


def test_the_demo_runs_and_its_numbers_agree() -> None:
    text = run("demo", "--quick").stdout
    for part in ("1. Positions", "2. A game", "3. What each", "4. A match", "5. A pub", "6. A game", "7. Where"):
        assert part in text
    assert "All agree on the value." in text
    data = run_json("demo", "--quick")
    nodes = data["nodes"]
    assert len({row["value"] for row in nodes}) == 1
    assert nodes[0]["search"] == "minimax"
    assert all(row["nodes"] < nodes[0]["nodes"] for row in nodes[1:])
    best = data["match"]["standings"][0]
    assert 0 <= best["interval"]["low"] <= best["score"] <= best["interval"]["high"] <= 1
    assert best["total"]["points"] / data["match"]["games"] == best["score"]
    assert {row["verdict"] for row in data["reproduce"]["rows"]} <= {"agrees", "same direction", "differs", "measured"}
    assert data["python"]["agree"] == data["python"]["starts"] == 64


def test_the_command_as_a_process(tmp_path: Path) -> None:
    done = subprocess_run("show", "tic-tac-toe", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["turn"] == 0
    done = subprocess_run("show", "chess")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    done = subprocess_run("play", SMALL, *FAST, input="a2-a3\nquit\n", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.count("player 0> ") == 2
    assert done.stderr == ""


@pytest.mark.parametrize(
    "args", [("analyze", "othello", "--with", "alphabeta:seconds=60"), ("perft", "othello", "--depth", "30")]
)
def test_ctrl_c_ends_with_one_line_and_130(args: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", "from kibitz.cli import main; print(flush=True); main()", *args]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a test run in the background may have inherited that Ctrl-C is ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    assert (process.returncode, stderr) == (130, "kibitz: interrupted\n")
