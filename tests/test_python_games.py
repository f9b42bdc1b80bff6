"""Games in Python: they agree with the native ones, their exceptions come out unchanged, bad ones are told so."""

from __future__ import annotations

import pickle
import random
import runpy
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

import kibitz as kb
import pytest
from conftest import EXAMPLES
from nim import Nim
from pig_dice import Pig
from playing import reachable
from tic_tac_toe import TicTacToe

SEARCHES = [kb.Minimax(), kb.AlphaBeta(), kb.Simulation(simulations=300), kb.Uct(simulations=300), kb.Random()]
WORK: dict[str, Callable[[kb.Position], object]] = {algorithm.name: algorithm.search for algorithm in SEARCHES}
WORK |= {"perft": lambda position: kb.perft(position, 4), "playouts": lambda position: kb.playouts(position, 20)}
each_work = pytest.mark.parametrize("work", WORK.values(), ids=WORK)


# agreement with the native games


def native_square(square: int) -> str:
    return f"{'abc'[square % 3]}{3 - square // 3}"


def native_tic_tac_toe(state: str) -> kb.Position:
    return kb.game("tic-tac-toe").position(f"{state[:3]}/{state[3:6]}/{state[6:]}")


def native_nim(state: tuple[tuple[int, ...], int]) -> kb.Position:
    return kb.game("nim", piles=(2, 3, 2)).position("-".join(map(str, state[0])) + " " + "AB"[state[1]])


def test_nim_in_python_agrees_with_the_native_one_everywhere() -> None:
    for position in reachable(Nim((2, 3, 2)).start()).values():
        native = native_nim(position.state)
        assert (position.turn, position.result, position.moves) == (native.turn, native.result, native.moves)
        assert [kb.perft(position, depth) for depth in (1, 2, 3)] == [kb.perft(native, depth) for depth in (1, 2, 3)]
        for algorithm in (kb.Minimax(), kb.AlphaBeta()):
            found, expected = algorithm.search(position), algorithm.search(native)
            assert (found.value, found.proven) == (expected.value, True)
            assert (found.best, found.pv, found.nodes) == (expected.best, expected.pv, expected.nodes)


def test_tic_tac_toe_in_python_agrees_with_the_native_one_everywhere() -> None:
    positions = reachable(TicTacToe().start())
    assert len(positions) == 5478
    for position in positions.values():
        native = native_tic_tac_toe(position.state)
        assert (position.turn, position.result) == (native.turn, native.result)
        assert {native_square(move) for move in position.moves} == set(native.moves)
        if position.state.count(".") <= 5:
            assert kb.Minimax().search(position).value == kb.Minimax().search(native).value
            assert kb.AlphaBeta(tt_mb=1).search(position).value == kb.Minimax().search(native).value
    start = TicTacToe().start()
    assert [kb.perft(start, depth) for depth in range(7)] == [1, 9, 72, 504, 3024, 15120, 54720]


def test_all_algorithms_play_the_games_in_python() -> None:
    for game in (Nim(), TicTacToe()):
        start = game.start()
        assert kb.AlphaBeta().search(start).value == (1.0 if isinstance(game, Nim) else 0.0)
        report = kb.Uct(simulations=2_000, seed=1).search(start)
        assert sum(child.visits for child in report.children) == report.stats["simulations"]
        assert kb.Random(seed=3).search(start).best in start.moves
        assert kb.playouts(start, 300).count == 300
        for algorithm in (kb.Minimax(depth=3), kb.AlphaBeta(depth=3), kb.Simulation(), kb.Uct(simulations=50)):
            assert algorithm.search(start, nodes=200).best in start.moves


def test_positions_of_games_in_python_print_parse_compare_and_pickle() -> None:
    for game in (Nim(), TicTacToe(), Pig()):
        position = game.start()
        while not position.over:
            assert {position: 1}[position] == 1
            assert position.game is game
            if not isinstance(game, Pig):
                assert game.position(repr(position.state)) == position
                assert game.position(str(position)).key == position.key
            assert position.board()
            assert "<svg" in position.svg()
            position = position.play(random.Random(str(position)).choice(position.moves))
        assert position.moves == []
        with pytest.raises(kb.IllegalMove, match="over"):
            position.play(0)
    again = pickle.loads(pickle.dumps(Nim((1, 2)).start()))
    assert again.state == ((1, 2), 0)


def test_moves_may_be_objects_or_their_texts() -> None:
    start = TicTacToe().start()
    assert start.play(4) == start.play("4") == start.play(" 4 ")
    assert start.notation(4) == "4"
    for wrong in (9, "x", None, 4.5, [], ""):
        with pytest.raises(kb.IllegalMove, match="not a legal move here; legal are 0, 1, 2"):
            start.play(wrong)


def test_a_game_of_chance_in_python() -> None:
    game = Pig(goal=8)
    start = game.start()
    assert start.moves == ["roll"]
    rolling = start.play("roll")
    assert rolling.turn == "chance"
    assert rolling.outcomes == [(face, 1 / 6) for face in range(1, 7)]
    assert rolling.play(1).turn == 1
    assert rolling.play(6).play("hold").turn == 1
    report = kb.Uct(simulations=3_000).search(start)
    assert 0 < report.value < 1
    for algorithm in (kb.Minimax(depth=4), kb.AlphaBeta(depth=4)):
        with pytest.raises(kb.NotSupported, match="chance"):
            algorithm.search(start)
    assert kb.playouts(start, 500, seed=1).mean[0] > 0


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda script: script.stem)
def test_examples_run(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(script), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= 1


# a game that can go wrong in every way


class Countdown(kb.Game):
    """Take one or two; whoever takes the last one wins. `wrong` names a method to replace."""

    def __init__(self, **wrong: Callable[..., Any]) -> None:
        self.wrong = wrong

    def ask(self, name: str, usual: Callable[..., Any], *arguments: Any) -> Any:
        return self.wrong.get(name, usual)(*arguments)

    def start(self) -> Any:
        return self.ask("start", lambda: (5, 0))

    def turn(self, state: Any) -> Any:
        return self.ask("turn", lambda state: None if state[0] == 0 else state[1], state)

    def moves(self, state: Any) -> Any:
        return self.ask("moves", lambda state: [k for k in (1, 2) if k <= state[0]], state)

    def play(self, state: Any, move: Any) -> Any:
        return self.ask("play", lambda state, move: (state[0] - move, 1 - state[1]), state, move)

    def result(self, state: Any) -> Any:
        return self.ask("result", lambda state: 2 * state[1] - 1, state)


class Informed(Countdown):
    def evaluate(self, state: Any) -> Any:
        return self.ask("evaluate", lambda state: 0.5, state)

    def key(self, state: Any) -> Any:
        return self.ask("key", lambda state: state, state)

    def str(self, state: Any) -> Any:
        return self.ask("str", repr, state)

    def parse(self, text: Any) -> Any:
        return self.ask("parse", lambda text: (5, 0), text)

    def board(self, state: Any) -> Any:
        return self.ask("board", repr, state)

    def svg(self, state: Any) -> Any:
        return self.ask("svg", lambda state: "<svg/>", state)

    def chance(self, state: Any) -> Any:
        return self.ask("chance", lambda state: [(1, 0.5), (2, 0.5)], state)


class Mishap(Exception):
    pass


def raises_it(mishap: BaseException, act: Callable[[], object]) -> None:
    """The very same exception comes out, and its traceback leads into the user's method."""
    with pytest.raises(type(mishap)) as raised:
        act()
    assert raised.value is mishap
    frames = traceback.extract_tb(raised.value.__traceback__)
    assert frames[-1].name == "user_method"
    assert frames[0].filename == __file__


def raising(
    mishap: BaseException, when: Callable[..., bool] = lambda *_: True, usual: Any = None
) -> Callable[..., Any]:
    def user_method(*arguments: Any) -> Any:
        if when(*arguments):
            raise mishap
        return usual(*arguments)

    return user_method


USUAL: dict[str, Callable[..., Any]] = {
    "turn": lambda state: None if state[0] == 0 else state[1],
    "play": lambda state, move: (state[0] - move, 1 - state[1]),
    "moves": lambda state: [k for k in (1, 2) if k <= state[0]],
    "result": lambda state: 2 * state[1] - 1,
}


@each_work
@pytest.mark.parametrize("method", ["turn", "moves", "play", "result"])
@pytest.mark.parametrize("kind", [Mishap, KeyboardInterrupt, StopIteration, SystemExit, MemoryError])
def test_exceptions_deep_in_the_game_come_out_unchanged(work: Callable, method: str, kind: type[BaseException]) -> None:
    if work == WORK["random"] or (work == WORK["perft"] and method == "result"):
        return  # they do not ask that far
    mishap = kind("on purpose")
    late = raising(mishap, lambda state, *_: state[0] <= 1, USUAL[method])
    raises_it(mishap, lambda: work(Countdown(**{method: late}).start()))


@pytest.mark.parametrize("method", ["start", "turn"])
def test_exceptions_at_the_start_come_out_unchanged(method: str) -> None:
    mishap = Mishap()
    raises_it(mishap, lambda: Countdown(**{method: raising(mishap)}).start())


ASKED = {
    "moves": lambda position: position.moves,
    "play": lambda position: position.play(1),
    "evaluate": lambda position: position.evaluate(),
    "key": lambda position: position.key,
    "str": str,
    "board": lambda position: position.board(),
    "svg": lambda position: position.svg(),
    "parse": lambda position: position.game.position("anything"),
}


@pytest.mark.parametrize("method", ASKED)
def test_exceptions_of_a_direct_question_come_out_unchanged(method: str) -> None:
    mishap = Mishap()
    position = Informed(**{method: raising(mishap)}).start()
    raises_it(mishap, lambda: ASKED[method](position))


@pytest.mark.parametrize("algorithm", [kb.Minimax(depth=2), kb.AlphaBeta(depth=2)])
def test_exceptions_of_an_evaluation_come_out_unchanged(algorithm: kb.Algorithm) -> None:
    mishap = Mishap()
    raises_it(mishap, lambda: algorithm.search(Informed(evaluate=raising(mishap)).start()))
    mishap = Mishap()
    raises_it(mishap, lambda: kb.AlphaBeta().search(Informed(key=raising(mishap)).start()))


def test_exceptions_of_chance_come_out_unchanged() -> None:
    mishap = Mishap()
    game = Informed(
        turn=lambda state: None if state[0] == 0 else "chance" if state[0] == 3 else state[1], chance=raising(mishap)
    )
    raises_it(mishap, lambda: kb.perft(game.start(), 4))
    raises_it(mishap, lambda: game.start().play(2).outcomes)


def test_a_search_after_an_exception_works() -> None:
    trouble = [True]
    game = Countdown(moves=raising(Mishap(), lambda state: trouble[0] and state[0] < 3, USUAL["moves"]))
    position = game.start()
    for algorithm in (kb.AlphaBeta(), kb.Minimax(), kb.Uct(simulations=100)):
        trouble[0] = True
        with pytest.raises(Mishap):
            algorithm.search(position)
        trouble[0] = False
        assert algorithm.search(position).value == 1.0


# games that break their contract


def endless(**wrong: Callable[..., Any]) -> kb.Game:
    return Countdown(
        **{"turn": lambda state: state[1], "moves": lambda state: [1, 2], "result": lambda state: 0, **wrong}
    )


class Blank:
    """A state without a text of its own."""

    def __init__(self, left: int, player: int) -> None:
        self.left, self.player = left, player

    def __getitem__(self, index: int) -> int:
        return (self.left, self.player)[index]


BROKEN = {
    "turn() returned 2": {"turn": lambda state: 2},
    "turn() returned -1": {"turn": lambda state: -1},
    "turn() returned 'nobody'": {"turn": lambda state: "nobody"},
    "turn() returned 0.0": {"turn": lambda state: 0.0},
    "turn() returned True": {"turn": lambda state: True},
    "there is no method chance": {"turn": lambda state: "chance"},
    "moves() is empty": {"moves": lambda state: []},
    "moves() must return a list": {"moves": lambda state: "12"},
    "moves() must return a list, not": {"moves": lambda state: None},
    "play() returned None": {"play": lambda state, move: None},
    "result() returned (1,)": {"result": lambda state: (1,)},
    "result() returned (1, -1, 0)": {"result": lambda state: (1, -1, 0)},
    "result() returned None": {"result": lambda state: None},
    "result() returned 'win'": {"result": lambda state: "win"},
    "outside of results": {"result": lambda state: (5, -5)},
    "outside of results = (-1, 1)": {"result": lambda state: float("nan")},
    "must always add up to 0": {"result": lambda state: (1, 1)},
}


@pytest.mark.parametrize("message", BROKEN)
def test_a_broken_contract_is_explained(message: str) -> None:
    with pytest.raises(kb.GameError, match="Countdown") as raised:
        kb.Minimax().search(Countdown(**BROKEN[message]).start())
    assert message in str(raised.value)
    with pytest.raises(kb.GameError):
        kb.playouts(Countdown(**BROKEN[message]).start(), 5)


@pytest.mark.parametrize(
    "outcomes",
    [[], [(1, 0.5)], [(1, 0.7), (2, 0.7)], [(1, -0.5), (2, 1.5)], [(1, float("nan"))], [1, 2], None, [(1, "x")], "ab"],
    ids=repr,
)
def test_wrong_probabilities_are_explained(outcomes: Any) -> None:
    def turn(state: Any) -> Any:
        return None if state[0] == 0 else "chance"

    position = Informed(turn=turn, chance=lambda state: outcomes).start()
    for act in (lambda: position.outcomes, lambda: position.moves, lambda: kb.perft(position, 2)):
        with pytest.raises(kb.GameError, match=r"chance\(\)"):
            act()


def test_methods_that_are_missing_are_named() -> None:
    class Half(kb.Game):
        def start(self) -> int:
            return 0

    with pytest.raises(kb.GameError, match=r"Half has no method moves\(\)"):
        Half().start()
    with pytest.raises(kb.GameError, match="start"):
        kb.Game().start()


@pytest.mark.parametrize("players", [0, -1, 65, 2.5, "2", None])
def test_absurd_numbers_of_players_are_refused(players: Any) -> None:
    game = Countdown()
    game.players = players
    with pytest.raises(kb.BadParameter, match="players"):
        game.start()


@pytest.mark.parametrize(
    "results", [(1, -1), (0, 0), (float("nan"), 1), (-float("inf"), 1), 3, None, (1, 2, 3), (0, 1e300), (5, 5 + 1e-9)]
)
def test_absurd_ranges_of_results_are_refused(results: Any) -> None:
    game = Countdown()
    game.results = results
    with pytest.raises(kb.BadParameter, match="results"):
        game.start()


def test_moves_that_are_not_hashable_are_explained_where_it_matters() -> None:
    game = Countdown(
        moves=lambda state: [[k] for k in (1, 2) if k <= state[0]],
        play=lambda state, move: (state[0] - move[0], 1 - state[1]),
    )
    with pytest.raises(kb.GameError, match="not hashable"):
        kb.AlphaBeta().search(game.start())
    assert kb.Minimax().search(game.start()).best == [2]


def test_states_without_a_text_are_explained_where_it_matters() -> None:
    game = Countdown(start=lambda: Blank(5, 0), play=lambda state, move: Blank(state.left - move, 1 - state.player))
    with pytest.raises(kb.GameError, match="__repr__"):
        kb.AlphaBeta().search(game.start())
    assert kb.AlphaBeta(tt_mb=0).search(game.start()).value == 1.0
    assert kb.Minimax().search(game.start()).value == 1.0


@each_work
def test_a_state_changed_in_place_is_noticed(work: Callable[[kb.Position], object]) -> None:
    def play(state: list[int], move: int) -> list[int]:
        state[0] -= move
        state[1] = 1 - state[1]
        return state

    game = Countdown(start=lambda: [5, 0], play=play)
    if work is not WORK["random"]:
        with pytest.raises(kb.GameError, match="in place"):
            work(game.start())


def test_an_endless_game_ends_at_its_limit() -> None:
    position = endless().start()
    for algorithm in (kb.Minimax(depth=4), kb.Minimax(nodes=3_000), kb.AlphaBeta(depth=5), kb.AlphaBeta(nodes=2_000)):
        assert algorithm.search(position).best in (1, 2)
    report = kb.Uct(simulations=5).search(position)
    assert report.stats["playouts_cut"] == 5
    for algorithm in (kb.Minimax(), kb.AlphaBeta(), kb.Simulation(), kb.Uct()):
        assert algorithm.search(position, seconds=0.1).best in (1, 2)
    assert kb.perft(position, 5) == 32
    assert kb.playouts(position, 3).cut == 3


def test_an_endless_game_without_a_limit_is_refused() -> None:
    for algorithm in (kb.Minimax(), kb.AlphaBeta()):
        with pytest.raises(kb.NotSupported, match="give the search a limit"):
            algorithm.search(endless().start())


def test_moves_after_the_end_are_never_asked_for() -> None:
    position = Countdown(moves=lambda state: [1, 2]).start()  # also when nothing is left, and one too many before
    end = position.play(2).play(2).play(1)
    assert (end.over, end.moves, end.result) == (True, [], (1.0, -1.0))


def test_a_turn_that_changes_its_mind_hangs_nothing() -> None:
    fickle = random.Random(1)

    def turn(state: Any) -> Any:
        return None if state[0] <= 0 else fickle.choice([0, 1])

    for work in WORK.values():
        work(Countdown(turn=turn, moves=lambda state: [1, 2]).start())


def test_several_threads_are_refused() -> None:
    for act in (lambda: kb.perft(Nim().start(), 3, threads=2), lambda: kb.playouts(Nim().start(), 3, threads=2)):
        with pytest.raises(kb.NotSupported, match="threads=1"):
            act()


# results and players of every kind


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 1), (-100, 300), (0.25, 0.5), (-1e9, 1e9)])
def test_results_of_any_constant_sum(low: float, high: float) -> None:
    game = Countdown(result=lambda state: (low, high) if state[1] == 0 else (high, low))
    game.results = (low, high)
    start = game.start()
    for algorithm in (kb.Minimax(), kb.AlphaBeta(), kb.Uct(simulations=500)):
        report = algorithm.search(start)
        assert (report.value, report.best, report.proven) == (high, 2, True)
        assert algorithm.search(start.play(2)).value == low
    assert start.play(2).play(2).play(1).result == (high, low)
    found = kb.playouts(start, 200)
    assert low <= found.mean[0] <= high
    assert found.mean[0] + found.mean[1] == pytest.approx(low + high)


def test_one_player_maximises_and_three_play_for_themselves() -> None:
    alone = Countdown(turn=lambda state: 0 if state[0] else None, result=lambda state: (state[1],))
    alone.players, alone.results = 1, (0, 1)
    for algorithm in (kb.Minimax(), kb.AlphaBeta(), kb.Uct(simulations=500)):
        assert algorithm.search(alone.start()).value == 1.0
    table = Countdown(
        play=lambda state, move: (state[0] - move, (state[1] + 1) % 3),
        result=lambda state: tuple(1.0 if player == (state[1] + 2) % 3 else 0.0 for player in range(3)),
    )
    table.players, table.results = 3, (0, 1)
    assert kb.Uct(simulations=2_000).search(table.start()).best in (1, 2)
    with pytest.raises(kb.NotSupported):
        kb.AlphaBeta().search(table.start())


def test_an_evaluation_guides_the_search() -> None:
    game = Informed(
        evaluate=lambda state: 0.9 if state[0] % 2 else -0.9, turn=lambda state: state[1] if state[0] else None
    )
    position = game.start()
    assert position.evaluate() == position.evaluate(0) == 0.9
    assert position.evaluate(1) == -0.9
    assert kb.Minimax(depth=1).search(position).best == 1
    for wrong in (2, "x", None, (1, 1)):
        with pytest.raises(kb.GameError, match=r"evaluate\(\)"):
            kb.AlphaBeta(depth=1).search(Informed(evaluate=lambda state, wrong=wrong: wrong).start())


# searches within searches, and side by side


def test_a_method_may_search_the_same_game() -> None:
    def evaluate(state: Any) -> float:
        inner = Countdown().position(repr(state))
        return kb.AlphaBeta().search(inner).value * 0.5

    game = Informed(evaluate=evaluate)
    assert kb.Minimax(depth=1).search(game.start()).best == 2

    def own_evaluate(state: Any) -> float:
        position = reentrant.position(repr(state))
        return 0.5 * kb.Minimax(depth=1).search(position).value if state[0] < 3 else 0.0

    reentrant = Informed(evaluate=own_evaluate, parse=lambda text: eval(text))
    assert kb.Minimax(depth=1).search(reentrant.start()).best in (1, 2)
    assert kb.AlphaBeta(depth=2).search(reentrant.start()).best in (1, 2)


def test_a_search_that_calls_itself_for_ever_gets_a_recursion_error() -> None:
    game = Informed(evaluate=lambda state: kb.Minimax(depth=1).search(game.start()).value)
    with pytest.raises(RecursionError):
        kb.Minimax(depth=1).search(game.start())


@pytest.mark.parametrize(
    "algorithm", [kb.Minimax(), kb.AlphaBeta(), kb.Simulation(simulations=300), kb.Uct(simulations=300)]
)
def test_two_threads_search_the_same_game_at_once(algorithm: kb.Algorithm) -> None:
    position = TicTacToe().position("'XO.......'")
    expected = algorithm.search(position)
    found: list[kb.Report] = []
    threads = [threading.Thread(target=lambda: found.append(algorithm.search(position))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(report.best, report.value, report.nodes) for report in found] == [
        (expected.best, expected.value, expected.nodes)
    ] * 3


@pytest.mark.parametrize("method", ["moves", "turn", "play", "result"])
def test_a_method_may_give_way_to_other_threads(method: str) -> None:
    def patient(*arguments: Any) -> Any:
        time.sleep(0.001)
        return USUAL[method](*arguments)

    position = Countdown(**{method: patient}).start()
    found: list[float] = []
    threads = [threading.Thread(target=lambda: found.append(kb.AlphaBeta().search(position).value)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert found == [1.0] * 3


def test_games_may_be_dataclasses_and_inherit() -> None:
    code = """
import kibitz as kb
from dataclasses import dataclass
from nim import Nim

@dataclass(frozen=True)
class Sized(Nim):
    piles: tuple = (1, 2)

class Larger(Nim):
    def start(self):
        return (*self.piles, 7), 0

assert Sized((2, 2)).start().state == ((2, 2), 0)
assert Larger((1,)).start().state == ((1, 7), 0)
assert kb.AlphaBeta().search(Larger((1,)).start()).value == 1.0
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=EXAMPLES)
