"""Strong solutions by retrograde analysis."""

from __future__ import annotations

import itertools
import random
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import kibitz as kb
import pytest
from kibitz.experiments.schadd_fanorona_tables import turned_into_themselves


class Wander(kb.Game):
    """One piece on a ring, moved in turn; who comes to the point 0 wins."""

    def __init__(self, points: int = 12, steps: tuple[int, ...] = (1, 2, 5)) -> None:
        self.points, self.steps = points, steps

    def start(self) -> tuple[int, int]:
        return (self.points // 2 + 1, 0)

    def turn(self, state: tuple[int, int]) -> int | None:
        return None if state[0] == 0 else state[1]

    def moves(self, state: tuple[int, int]) -> list[int]:
        return list(self.steps)

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return ((state[0] + move) % self.points, 1 - state[1])

    def result(self, state: tuple[int, int]) -> int:
        return 1 if state[1] == 1 else -1


class Twice(kb.Game):
    """Nim in which taking one stone gives another turn: who takes the last stone wins."""

    def start(self) -> tuple[int, int]:
        return (9, 0)

    def turn(self, state: tuple[int, int]) -> int | None:
        return None if state[0] == 0 else state[1]

    def moves(self, state: tuple[int, int]) -> list[int]:
        return [take for take in (1, 2, 3) if take <= state[0]]

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        left = state[0] - move
        # who has made the last move has won, so the end belongs to the other
        again = move == 1 and left > 0 and state[0] % 2 == 0
        return (left, state[1] if again else 1 - state[1])

    def result(self, state: tuple[int, int]) -> int:
        return -1 if state[1] == 0 else 1


def reachable(game: kb.Game) -> list[kb.Position]:
    """All positions, by brute force."""
    found = {game.start()}
    new = list(found)
    while new:
        new = [child for pos in new for move in pos.moves if (child := pos.play(move)) not in found]
        new = list(dict.fromkeys(new))
        found.update(new)
    return list(found)


def truth(positions: list[kb.Position]) -> dict[kb.Position, tuple[str, int | None]]:
    """Values and distances by definition, step by step."""
    known: dict[kb.Position, tuple[str, int | None]] = {}
    # the value of an end is that of its first player here
    ends = {pos: pos.result[0] for pos in positions if pos.over and pos.result is not None}
    live = [pos for pos in positions if not pos.over]
    for step in itertools.count(1):
        new: dict[kb.Position, tuple[str, int | None]] = {}

        def value(pos: kb.Position, child: kb.Position) -> str | None:
            if child in ends:
                result = ends[child] if pos.turn == 0 else -ends[child]
                return "win" if result > 0 else "loss" if result < 0 else "draw"
            if child not in known:
                return None
            other = {"win": "loss", "loss": "win", "draw": "draw"}
            found = known[child][0]
            return found if child.turn == pos.turn else other[found]

        for pos in live:
            if pos in known:
                continue
            values = [value(pos, pos.play(move)) for move in pos.moves]
            if "win" in values:
                new[pos] = ("win", step)
            elif all(found == "loss" for found in values):
                new[pos] = ("loss", step)
        if not new:
            break
        known.update(new)
    return known | {pos: ("draw", None) for pos in live if pos not in known}


@pytest.mark.parametrize(
    "game",
    [
        kb.game("tic-tac-toe"),
        kb.game("fanorona:rows=3,cols=3"),
        kb.game("mnk:rows=2,cols=4,k=3"),
        Wander(),
        Wander(9, (3, 6, 4)),
        Twice(),
    ],
    ids=str,
)
@pytest.mark.parametrize("positions", ["all", "reachable"])
def test_values_and_distances_are_those_of_the_definition(game: kb.Game, positions: Any) -> None:
    solution = kb.Retrograde(game, positions=positions).solve()
    found = truth(reachable(game))
    assert found, "the game has positions"
    for pos, known in found.items():
        assert (solution.value_of(pos), solution.distance(pos)) == known, pos
    assert solution.value == found[game.start()][0]
    assert solution.seconds > 0


def test_three_by_three_fanorona_is_a_win_for_white_in_eleven_plies() -> None:
    game = kb.game("fanorona", rows=3, cols=3)
    solution = kb.Retrograde(game).solve()
    assert solution.value == "win"
    assert solution.distance(game.start()) == len(solution.pv) == 11
    moves = {move.move: (move.value, move.distance) for move in solution.moves(game.start())}
    assert moves["c1-b2A"] == moves["c2-b2A"] == ("win", 11)
    assert moves["a1-b2A"][0] == moves["b1-b2A"][0] == "loss"


def test_reachable_positions_of_three_by_three_fanorona_are_as_many_as_computed_elsewhere() -> None:
    # 682 of the side to move and the other, ends included; in the solution symmetric ones are one
    game = kb.game("fanorona", rows=3, cols=3)
    solution = kb.Retrograde(game, positions="reachable").solve()
    texts = set()
    for pos in reachable(game):
        board, side = str(pos).split()
        texts.add(board if side == "w" else board.translate(str.maketrans("wb", "bw")))
    assert len(texts) == 682
    assert solution.value == "win"
    assert solution.nodes < 682


def test_dao_is_a_draw_with_the_published_numbers_of_positions() -> None:
    everything = kb.Retrograde(kb.game("dao")).solve()
    assert (everything.value, everything.nodes) == ("draw", 113_028)
    reached = kb.Retrograde(kb.game("dao"), positions="reachable").solve()
    assert reached.nodes == 110_867
    assert (reached.win, reached.draw, reached.loss) == (20_909, 86_956, 3_002)
    # table 3 of the paper for the player to move, with its step 3 over reachable positions only
    assert reached.wins == (988, 9_950, 0, 8_086, 0, 1_480, 0, 324, 0, 75, 0, 6)
    assert reached.losses == (1_130, 0, 1_407, 0, 357, 0, 86, 0, 20, 0, 2)


def test_the_other_small_games_of_the_paper_are_draws() -> None:
    assert kb.Retrograde(kb.game("do-guti")).solve().value == "draw"
    assert kb.Retrograde(kb.game("l-game")).solve().value == "draw"


@pytest.mark.parametrize("algorithm", ["automatic", "forward", "layered", "queue", "layered-counting"])
@pytest.mark.parametrize("distances", [None, "win", "conversion"])
def test_algorithms_agree(algorithm: Any, distances: Any) -> None:
    game = kb.game("fanorona", rows=3, cols=5)
    first = kb.Retrograde(game, pieces=5, distances=distances).solve()
    other = kb.Retrograde(game, pieces=5, distances=distances, algorithm=algorithm, threads=2).solve()
    assert other.slices == first.slices
    assert first.value == "unknown"
    assert "pieces" in (first.reason or "")


def test_best_play_keeps_the_value_and_the_distance() -> None:
    game = kb.game("fanorona", rows=3, cols=5)
    solution = kb.Retrograde(game, pieces=6).solve()
    chosen = random.Random(1)
    for text in ("w...b/.w.b./b...w w", "ww..b/..b../.b..w b", "..w../b.b.b/..w.. w"):
        pos = game.position(text)
        value, distance = solution.value_of(pos), solution.distance(pos)
        line = solution.line(pos)
        if value != "draw":
            assert len(line) == distance
        for move in solution.moves(pos):
            child = pos.play(move.move)
            if not child.over:
                assert solution.value_of(child) == {"win": "loss", "loss": "win", "draw": "draw"}[move.value]
        assert chosen.choice(solution.moves(pos)).move in pos.moves


def test_positions_that_half_a_turn_does_not_change_are_all_there() -> None:
    game = kb.game("fanorona")
    for own, other, missing in ((2, 1, 14), (1, 2, 14), (2, 2, 246), (4, 1, 127), (3, 2, 246), (1, 1, 0), (3, 3, 0)):
        assert len({position.place for position in turned_into_themselves(game, own, other)}) == missing


def test_a_limit_of_memory_is_an_honest_unknown() -> None:
    solution = kb.Retrograde(kb.game("fanorona"), pieces=6, memory_mb=1).solve()
    assert solution.value == "unknown"
    assert solution.reason is not None
    assert "memory limit" in solution.reason
    solution = kb.Retrograde(kb.game("connect-four"), memory_mb=2).solve()
    assert solution.value == "unknown"
    assert "memory limit" in (solution.reason or "")
    with pytest.raises(kb.BadParameter, match="memory limit"):
        solution.value_of(kb.game("connect-four").start())


def test_games_that_it_cannot_solve_are_refused() -> None:
    for name in ("kuhn-poker", "samegame", "pip-race"):
        with pytest.raises(kb.NotSupported):
            kb.Retrograde(kb.game(name)).solve()


def test_bad_arguments_are_told() -> None:
    game = kb.game("tic-tac-toe")
    wrong: list[dict[str, Any]] = [
        {"positions": "some"},
        {"memory_mb": 0},
        {"threads": -1},
        {"pieces": 0},
        {"memory_mb": 1 << 40},
    ]
    for options in wrong:
        with pytest.raises(kb.BadParameter):
            kb.Retrograde(game, **options)
    with pytest.raises(kb.BadParameter):
        kb.Retrograde("dao")  # type: ignore[arg-type]
    with pytest.raises(kb.BadParameter, match="algorithm"):
        kb.Retrograde(game, algorithm="magic").solve()  # type: ignore[arg-type]
    with pytest.raises(kb.BadParameter, match="distances"):
        kb.Retrograde(game, distances="mate").solve()  # type: ignore[arg-type]
    with pytest.raises(kb.BadParameter, match="no option"):
        kb.Retrograde(game).solve(speed=1)
    solution = kb.Retrograde(game).solve()
    with pytest.raises(kb.BadParameter, match="another game"):
        solution.value_of(kb.game("dao").start())
    over = kb.game("tic-tac-toe").position("XXX/OO./... O")
    with pytest.raises(kb.BadParameter, match="over"):
        solution.value_of(over)


def test_an_exception_of_a_game_in_python_comes_out() -> None:
    class Broken(Wander):
        def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
            if state[0] == 3:
                raise ZeroDivisionError("three")
            return super().play(state, move)

    with pytest.raises(ZeroDivisionError, match="three"):
        kb.Retrograde(Broken()).solve()


def test_progress_is_told_and_may_raise() -> None:
    steps: list[kb.RetrogradeStep] = []
    game = kb.game("fanorona")
    kb.Retrograde(game, pieces=4, distances=None).solve(progress=steps.append)
    assert steps
    assert all(0 <= step.fraction <= 1 and step.done <= step.total for step in steps)

    def enough(step: kb.RetrogradeStep) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        kb.Retrograde(game, pieces=5, distances=None).solve(progress=enough)


@pytest.mark.parametrize("what", [{"game": "fanorona", "pieces": 7}, {"game": "connect-four", "pieces": None}])
def test_ctrl_c_ends_a_solution(what: dict[str, Any]) -> None:
    solver = kb.Retrograde(kb.game(what["game"]), pieces=what["pieces"], distances=None, memory_mb=4096, threads=2)
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.solve()
    assert time.monotonic() - begin < 5


def run(*arguments: str) -> Any:
    from kibitz.cli import app
    from typer.testing import CliRunner

    return CliRunner().invoke(app, list(arguments))


def test_the_command_line_solves_a_small_game_strongly() -> None:
    import json

    ran = run("solve", "l-game", "--explain")
    assert ran.exit_code == 0, ran.output
    assert "draw" in ran.output
    assert "2,296 positions" in ran.output
    found = json.loads(run("solve", "do-guti", "--json").output)
    assert found["value"] == "draw"
    assert sum(found["counts"].values()) == found["nodes"] == 16
    found = json.loads(run("solve", "tic-tac-toe", "--with", "retrograde", "--json", "--explain").output)
    assert (found["value"], found["nodes"], len(found["line"])) == ("draw", 5478, 9)
    ran = run("solve", "fanorona", "--with", "retrograde", "--memory", "1")
    assert ran.exit_code == 1
    assert "memory limit" in ran.output


def test_the_command_line_refuses_what_has_no_meaning() -> None:
    for arguments in (("--nodes", "10"), ("--seconds", "1"), ("--play",)):
        ran = run("solve", "dao", "--with", "retrograde", *arguments)
        assert ran.exit_code != 0
        assert "whole game" in ran.output + str(ran.exception)


def test_a_perfect_player_never_loses_a_draw() -> None:
    game = kb.game("tic-tac-toe")
    perfect = kb.Retrograde(game).solve().play()
    for seed in range(20):
        pos, chosen = game.start(), random.Random(seed)
        while not pos.over:
            pos = pos.play(perfect.search(pos).best if pos.turn == seed % 2 else chosen.choice(pos.moves))
        assert pos.result is not None
        assert pos.result[seed % 2] >= 0


def test_a_solution_can_be_kept_without_its_tables() -> None:
    import pickle

    solution = kb.Retrograde(kb.game("do-guti")).solve()
    copy = pickle.loads(pickle.dumps(solution))
    assert copy == solution
    assert copy.slices == solution.slices
    with pytest.raises(kb.BadParameter):
        copy.value_of(kb.game("do-guti").start())
    with pytest.raises(kb.BadParameter, match="proof"):
        solution.proof()


@pytest.mark.parametrize(
    "call", ["kb.game('connect-four'), memory_mb=64", "kb.game('mnk', rows=4, cols=4, k=4), memory_mb=64"]
)
def test_the_limit_of_memory_holds(call: str) -> None:
    # the highest mark of a process of its own, less what it had before
    script = f"""
import kibitz as kb
def high(): return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
kb.Retrograde(kb.game("do-guti")).solve()
before = high()
solution = kb.Retrograde({call}).solve()
print(solution.value, solution.reason, high() - before)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(ran.stdout.split()[-1]) <= 1.1 * 64 * 1024, ran.stdout
