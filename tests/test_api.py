"""The names and meanings that users and later work rely on."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle

import kibitz as kb
import pytest
from playing import GAMES, after, random_positions

ALGORITHMS = [kb.AlphaBeta, kb.BStar, kb.Minimax, kb.Random, kb.Simulation, kb.Ubfm, kb.Uct]
each_algorithm = pytest.mark.parametrize("algorithm", ALGORITHMS)
START = kb.game("tic-tac-toe").start()


def test_every_public_name_exists() -> None:
    assert set(kb.__all__) == {name for name in kb.__all__ if hasattr(kb, name)}
    for name in ("games", "game", "Minimax", "AlphaBeta", "Uct", "Random", "perft", "playouts", "Report", "Game"):
        assert name in kb.__all__
    position = kb.game("tic-tac-toe").start()
    for name in ("moves", "play", "turn", "over", "result", "outcomes", "board", "svg", "key"):
        assert hasattr(position, name)


def test_games_are_listed_with_their_parameters() -> None:
    assert {
        "breakthrough",
        "connect-four",
        "dao",
        "do-guti",
        "fish",
        "gaps",
        "gomoku",
        "kuhn-poker",
        "l-game",
        "lines-of-action",
        "mnk",
        "morpion",
        "othello",
        "random-tree",
        "tic-tac-toe",
    } <= set(kb.games())
    assert list(kb.games()) == sorted(kb.games())
    for name in kb.games():
        info = kb.games().info(name)
        assert info.summary
        assert info.rules
        assert all(parameter.doc and parameter.allowed() for parameter in info.parameters)
        defaults = {parameter.name: parameter.default for parameter in info.parameters}
        assert kb.game(name).params == defaults
        assert kb.game(name, **defaults) == kb.game(name)
    with pytest.raises(kb.UnknownGame):
        kb.games().info("chess")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_the_same_by_text_and_by_keywords(name: str) -> None:
    game = kb.game(name)
    assert kb.game(game.spec) == game
    assert kb.game(game.name, **game.params) == game
    assert hash(kb.game(game.spec)) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == game
    assert game.spec in repr(game)
    assert game != kb.game("nim", piles=[1])


def test_games_differ_by_their_parameters() -> None:
    assert kb.game("breakthrough") != kb.game("breakthrough", rows=6)
    assert kb.game("breakthrough").start() != kb.game("breakthrough", ranks=1).start()
    assert kb.game("breakthrough").start() == kb.game("breakthrough", rows=8).start()
    assert kb.game("breakthrough").start() != str(kb.game("breakthrough").start())


def test_algorithms_are_called_as_their_classes_in_lower_case() -> None:
    assert [type(kb.algorithm(name)).__name__.lower() for name in kb.algorithms()] == kb.algorithms()


def test_playing_leaves_a_position_as_it_is() -> None:
    text = str(START)
    child = START.play("b2")
    assert (str(START), str(child)) == (text, ".../.X./... O")
    with pytest.raises(AttributeError):
        START.turn = 1
    with pytest.raises(AttributeError):
        START.anything = 1
    START.moves.clear()
    assert len(START.moves) == 9


def test_turn_over_and_result() -> None:
    assert (START.turn, START.over, START.result) == (0, False, None)
    assert START.play("a1").turn == 1
    won = after(START, "a1 a2 b1 b2 c1")
    assert (won.turn, won.over, won.result, won.moves) == (None, True, (1.0, -1.0), [])
    assert all(isinstance(number, float) for number in won.result)
    assert kb.game("random-tree", players=3, depth=1).start().play("0").result.__len__() == 3
    assert kb.game("kuhn-poker").start().turn == "chance"


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_equal_hashable_printable_and_picklable(name: str) -> None:
    game = kb.game(name)
    for position in random_positions(game, 10, seed=4):
        again = game.position(str(position))
        assert again == position
        assert again == position
        assert {again: 1}[position] == 1
        assert again.key == position.key
        assert pickle.loads(pickle.dumps(position)) == position
        assert copy.copy(position) == copy.deepcopy(position) == position
        assert str(position) in repr(position)
        assert game.name in repr(position)
        assert position.game == game
        assert position.state is None


def test_positions_have_no_order() -> None:
    with pytest.raises(TypeError):
        START.play("a1") > START  # noqa: B015


def test_moves_may_be_given_as_text_with_spaces() -> None:
    position = kb.game("breakthrough").start()
    assert position.play("b2-b3") == position.play(" b2-b3 ") == position.play("b2b3")
    assert position.notation("b2b3") == "b2-b3"


MISTAKES = [
    (kb.IllegalMove, lambda: START.play("d4"), "'?\"?d4.* not a legal move"),
    (kb.IllegalMove, lambda: START.play("a1").play("a1"), r"position .*X\.\."),
    (kb.IllegalMove, lambda: START.play(7), "not a legal move"),
    (kb.IllegalMove, lambda: START.play(None), "pos.moves"),
    (kb.IllegalMove, lambda: after(START, "a1 a2 b1 b2 c1").play("c3"), "over"),
    (kb.BadPosition, lambda: START.game.position("XXX"), 'bad position "XXX"'),
    (kb.BadPosition, lambda: START.game.position(""), "bad position"),
    (kb.BadPosition, lambda: START.game.position("XXX/.../... O"), "X has 3 and O has 0"),
    (kb.UnknownGame, lambda: kb.game("go"), "no game 'go'; there are backgammon, breakthrough, "),
    (kb.UnknownGame, lambda: kb.game(""), "there are"),
    (kb.BadParameter, lambda: kb.game("othello", sizes=8), "size"),
    (kb.BadParameter, lambda: kb.game("othello", size=9), "size=9 is out of range: 4 to 8"),
    (kb.BadParameter, lambda: kb.game("othello", size="big"), "size=big"),
    (kb.BadParameter, lambda: kb.game("othello", size=5), "size"),
    (kb.BadParameter, lambda: kb.game("othello", result="money"), "win, discs"),
    (kb.BadParameter, lambda: kb.game("mnk", k=4), "k=4"),
    (kb.BadParameter, lambda: kb.game("othello:size"), "is not key=value"),
    (kb.BadParameter, lambda: kb.game("othello:size=6,size=8"), "twice"),
    (kb.BadParameter, lambda: kb.algorithm("alpha"), "no algorithm 'alpha'; there are alphabeta, astar, "),
    (kb.BadParameter, lambda: kb.algorithm("uct:depth=3"), "Uct has no parameter 'depth'"),
    (kb.BadParameter, lambda: kb.Uct().search(START, sims=3), "Uct has no parameter 'sims'"),
    (kb.BadParameter, lambda: kb.Uct(final_move="best").search(START), "robust, max, secure"),
    (kb.BadParameter, lambda: kb.AlphaBeta(replacement="never").search(START), "two-deep"),
    (kb.BadParameter, lambda: START.evaluate(2), "no player 2"),
    (kb.BadParameter, lambda: START.evaluate(-1), "no player -1"),
    (kb.NotSupported, lambda: kb.AlphaBeta().search(kb.game("random-tree", players=3).start()), "Uct"),
    (kb.NotSupported, lambda: kb.Minimax().search(kb.game("random-tree", players=6).start()), "one or two players"),
    (kb.NotSupported, lambda: kb.AlphaBeta().search(kb.game("random-tree:chance=uniform").start()), "chance.*Uct"),
    (kb.NotSupported, lambda: kb.Minimax().search(kb.game("random-tree:chance=random").start()), "chance"),
    (kb.NotSupported, lambda: kb.AlphaBeta(tt_mb=1 << 20, depth=1).search(START), "lower tt_mb"),
    (TypeError, lambda: kb.Uct().search(START.game), "takes a position"),
    (TypeError, lambda: START.game.position(3), "text"),
    (TypeError, lambda: kb.game(3), "name"),
    (TypeError, lambda: kb.AlphaBeta(8), "positional"),
]


@pytest.mark.parametrize(("error", "act", "message"), MISTAKES)
def test_mistakes_are_explained(error: type[Exception], act, message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        act()
    assert raised.type is error
    assert "\n" not in str(raised.value)


def test_errors_are_one_hierarchy() -> None:
    for error in (kb.BadParameter, kb.BadPosition, kb.GameError, kb.IllegalMove, kb.NotSupported, kb.UnknownGame):
        assert issubclass(error, kb.Error)
    assert issubclass(kb.UnknownGame, LookupError)
    assert issubclass(kb.IllegalMove, ValueError)


def test_a_report_has_all_its_fields() -> None:
    report = kb.AlphaBeta(depth=4).search(START)
    assert report.best in START.moves
    assert (report.pv[0], len(report.pv), report.depth) == (report.best, 4, 4)
    assert report.nodes > 10
    assert report.seconds > 0
    assert report.nps == report.nodes / report.seconds
    assert report.stats["leaves"] > 0
    assert report.bound == "exact"
    assert not report.proven
    assert [step.depth for step in report.history] == [1, 2, 3, 4]
    assert json.loads(json.dumps(report.as_dict()))["best"] == report.best
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.value = 1.0


def test_the_principal_variation_can_be_played() -> None:
    for name in ("breakthrough", "othello", "connect-four", "nim"):
        for algorithm in (kb.AlphaBeta(depth=5), kb.Minimax(depth=3), kb.Uct(simulations=2_000)):
            position = kb.game(name).start()
            for move in algorithm.search(position).pv:
                position = position.play(move)


def test_values_are_in_the_view_of_the_player_to_move() -> None:
    game = kb.game("tic-tac-toe")
    values = {"XX./OO./... X": 1.0, "XX./OO./..X O": 1.0, "XXO/X../O.O X": -1.0, "XX./XO./..O O": -1.0}
    for algorithm in (kb.Minimax(), kb.AlphaBeta(), kb.Uct(simulations=5_000)):
        assert {text: algorithm.search(game.position(text)).value for text in values} == values
    for algorithm in (kb.Minimax(), kb.AlphaBeta()):  # one player maximises the score
        one = kb.game("random-tree", players=1, width=3, depth=3, seed=5).start()
        ends = [after(one, f"{a} {b} {c}") for a in "012" for b in "012" for c in "012"]
        assert algorithm.search(one).value == max(end.result[0] for end in ends)


def test_progress_is_told_of_every_step() -> None:
    steps: list[kb.Iteration] = []
    report = kb.AlphaBeta(depth=5).search(START, progress=steps.append)
    assert tuple(steps) == report.history
    steps.clear()
    report = kb.Uct(simulations=5_000, solver=False).search(kb.game("othello").start(), progress=steps.append)
    assert tuple(steps) == report.history
    assert [step.depth for step in steps] == [1024, 2048, 4096]


def test_limits_are_keyword_arguments_of_the_object_or_of_the_search() -> None:
    position = kb.game("breakthrough").start()
    assert kb.AlphaBeta().search(position, depth=3).depth == 3
    assert kb.AlphaBeta(depth=3).search(position).depth == 3
    assert kb.AlphaBeta(nodes=777).search(position).nodes == 777
    assert kb.Minimax(nodes=777).search(position).nodes == 777
    assert kb.Uct(simulations=77).search(position).stats["simulations"] == 77
    assert kb.Uct(nodes=7_777).search(position).nodes >= 7_777
    assert kb.Uct(seconds=0.05).search(position).seconds < 1


@each_algorithm
def test_algorithms_are_frozen_keyword_only_printable_and_picklable(algorithm: type[kb.Algorithm]) -> None:
    plain = algorithm()
    assert plain == algorithm()
    assert hash(plain) == hash(algorithm())
    assert pickle.loads(pickle.dumps(plain)) == plain
    assert algorithm.__name__ in repr(plain)
    assert algorithm.__doc__
    with pytest.raises(dataclasses.FrozenInstanceError):
        plain.seconds = 1.0
    with pytest.raises(TypeError):
        algorithm(1)
    with pytest.raises(TypeError):
        algorithm(no_such_parameter=1)


SPECS = [
    kb.AlphaBeta(),
    kb.AlphaBeta(depth=8, tt_mb=16, etc=False, replacement="two-big", seconds=1.5),
    kb.AlphaBeta(depth=8, deepening=False, tt_exact=True, same_depth=True, killers=False, history=False, hints=False),
    kb.Minimax(depth=3, seed=0),
    kb.Minimax(nodes=5),
    kb.Random(seed=(1 << 64) - 1),
    kb.Simulation(),
    kb.Simulation(candidates=5, scheduler="ratio", sigmas=None, tolerance=None, bound=False, horizon=3, epsilon=0.5),
    kb.Simulation(widen_after=0, minimum=2, sigmas=4, tolerance=0.25, compensate=True, memory_mb=1, threads=2, nodes=9),
    kb.Uct(),
    kb.Uct(c=0.1, simulations=7, solver=False, final_move="secure", memory_mb=3, seed=4),
    kb.Uct(seconds=0.25),
    kb.Uct(c=1e-300, nodes=5),
]


@pytest.mark.parametrize("algorithm", SPECS, ids=str)
def test_the_text_of_an_algorithm_gives_it_back(algorithm: kb.Algorithm) -> None:
    assert kb.algorithm(algorithm.spec) == algorithm
    assert str(algorithm) == algorithm.spec
    assert algorithm.spec.partition(":")[0] in kb.algorithms()
    assert algorithm.replace() == algorithm


ABSURD = [
    -1,
    -(2**70),
    2**64,
    2**200,
    0.5,
    -0.5,
    math.nan,
    math.inf,
    -math.inf,
    "",
    "x",
    "1",
    b"1",
    [],
    {},
    object(),
    True,
    (),
]


@pytest.mark.parametrize(
    ("algorithm", "name"),
    [(algorithm, field.name) for algorithm in ALGORITHMS for field in dataclasses.fields(algorithm)],
)
def test_absurd_parameters_are_refused_or_harmless(algorithm: type[kb.Algorithm], name: str) -> None:
    limits = {"nodes": 50} | ({"simulations": 5} if algorithm in (kb.BStar, kb.Simulation, kb.Ubfm, kb.Uct) else {})
    messages: list[str] = []
    missing: list[str] = []
    for value in [None, 0, 1, *ABSURD]:
        try:
            report = algorithm(**(limits | {name: value})).search(START)
        except kb.BadParameter as refused:
            messages.append(str(refused))
        except FileNotFoundError:
            missing.append(name)
        else:
            assert report.best in START.moves
    assert messages
    assert all(name in message for message in messages)
    assert set(missing) <= {"database"}


@pytest.mark.parametrize("value", [-1, 0.5, math.nan, "3", None, [], 1001, 10**30])
def test_absurd_depths_of_perft_are_refused(value: object) -> None:
    with pytest.raises(kb.BadParameter, match="depth"):
        kb.perft(START, value)


@pytest.mark.parametrize("value", [0, -1, 0.5, math.nan, "3", None, 1025, 10**30])
def test_absurd_threads_are_refused(value: object) -> None:
    for act in (lambda: kb.perft(START, 3, value), lambda: kb.playouts(START, 3, 0, value)):
        with pytest.raises(kb.BadParameter, match="threads"):
            act()


@pytest.mark.parametrize("value", [0, -1, 0.5, math.nan, "3", None])
def test_absurd_numbers_of_playouts_are_refused(value: object) -> None:
    with pytest.raises(kb.BadParameter, match="n="):
        kb.playouts(START, value)


def test_playouts_tell_means_deviations_and_lengths() -> None:
    # of 255,168 games with uniformly random moves: X wins 0.5849, O wins 0.2881, draws 0.1270
    found = kb.playouts(START, 200_000, seed=3)
    assert found.count == 200_000
    assert found.mean[0] == pytest.approx(0.5849 - 0.2881, abs=0.01)
    assert found.mean[0] == -found.mean[1]
    assert found.deviation[0] == pytest.approx(math.sqrt(1 - 0.1270 - found.mean[0] ** 2), abs=0.01)
    assert 5 < found.plies < 9
    assert found.cut == 0
    assert found.per_second == found.count / found.seconds


def test_perft_counts_lines() -> None:
    assert [kb.perft(START, depth) for depth in range(4)] == [1, 9, 72, 504]
    assert kb.perft(START, 9) == 127_872
    assert kb.perft(START, 10) == kb.perft(START, 1000) == 0
