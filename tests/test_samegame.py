"""SameGame from Python: against rules written a second time, with its strategies, pictures and experiments."""

from __future__ import annotations

import random
import re

import kibitz as kb
import pytest
from kibitz.experiments import Row, experiment
from kibitz.experiments.literature import published
from kibitz.experiments.schadd_samegame import BATCH
from samegame_rules import Board, score

PENALTIES = {"literal": (1, True), "singleton-free": (0, True), "none": (1, False)}


def rows(position: kb.Position) -> str:
    return str(position).partition(" ")[0]


def random_game(position: kb.Position, seed: int) -> tuple[list[str], kb.Position]:
    """Moves of a random game, each written as some block of its group."""
    draw = random.Random(seed)
    moves: list[str] = []
    while not position.over:
        moves.append(draw.choice(position.moves))
        position = position.play(moves[-1])
    return moves, position


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize(
    "size",
    [
        "position=1",
        "rows=15,cols=15",
        "rows=1,cols=20,colours=2",
        "rows=16,cols=1,colours=3",
        "rows=16,cols=20,colours=9",
    ],
)
def test_scores_are_those_of_the_rules_written_a_second_time(size: str, penalty: str) -> None:
    for seed in range(5):
        parameters = size if size == "position=1" else f"{size},seed={seed}"
        game = kb.game(f"samegame:{parameters},penalty={penalty}")
        moves, end = random_game(game.start(), seed)
        singleton, counts = PENALTIES[penalty]
        assert end.result == (score(rows(game.start()), moves, singleton=singleton, penalty=counts),)


def test_every_position_of_a_game_is_that_of_the_rules_written_a_second_time() -> None:
    for seed in range(5):
        position = kb.game("samegame", rows=12, cols=13, colours=4, seed=seed).start()
        board = Board(rows(position))
        draw = random.Random(seed)
        while not position.over:
            groups = list(board.groups())
            assert position.moves == [f"{min(group)[0]},{min(group)[1]}" for group in groups]
            named = draw.choice(sorted(draw.choice(groups)))
            position = position.play(f"{named[0]},{named[1]}")
            board.remove(*named)
            assert board.columns == Board(rows(position)).columns
            assert str(position).endswith(f" {board.points}")
        assert not list(board.groups())


def test_the_standard_positions_are_twenty() -> None:
    starts = {rows(kb.game("samegame", position=number).start()) for number in range(1, 21)}
    assert len(starts) == 20
    assert all(len(start) == 15 * 16 - 1 for start in starts)
    with pytest.raises(kb.BadParameter, match="out of range: 0 to 20"):
        kb.game("samegame", position=21)
    with pytest.raises(kb.BadParameter, match="15 rows, 15 columns and 5 colours"):
        kb.game("samegame", position=3, colours=4)


def test_seeds_give_different_boards_and_the_same_one_again() -> None:
    starts = [rows(kb.game("samegame", seed=seed).start()) for seed in (1, 2, 1)]
    assert starts[0] == starts[2] != starts[1]


def test_playouts_by_a_strategy_score_more_than_random_ones() -> None:
    game = kb.game("samegame:position=2")
    assert game.strategies == ("random", "tabu-color-random", "tabu-color-clear", "tabu-random")
    found = {name: kb.playouts(game.start(), 2000, strategy=name) for name in game.strategies}
    assert found["random"].mean[0] < found["tabu-random"].mean[0] < found["tabu-color-random"].mean[0]
    mixed = kb.playouts(game.start(), 2000, strategy="tabu-color-random", epsilon=1.0)
    assert mixed.mean[0] == pytest.approx(
        found["random"].mean[0], abs=6 * 2**0.5 * found["random"].deviation[0] / 2000**0.5
    )


def test_playouts_do_not_depend_on_threads_and_count_moves_when_asked() -> None:
    start = kb.game("samegame:position=2").start()
    one, two = (kb.playouts(start, 1000, 7, threads, strategy="tabu-color-clear") for threads in (1, 2))
    assert (one.mean, one.best, one.plies) == (two.mean, two.best, two.plies)
    assert one.branching is None
    assert one.best[0] > one.mean[0]
    counted = kb.playouts(start, 200, 7, branching=True).branching
    assert counted is not None
    assert 10 < counted < len(start.moves)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"strategy": "greedy"}, 'no strategy "greedy" in this game; there is random, tabu-color-random'),
        ({"strategy": 3}, "must be a word"),
        ({"strategy": "tabu-random", "epsilon": 1.5}, "from 0 to 1"),
        ({"strategy": "tabu-random", "epsilon": float("nan")}, "from 0 to 1"),
    ],
)
def test_a_strategy_that_does_not_exist_is_refused(options: dict[str, object], reason: str) -> None:
    with pytest.raises(kb.BadParameter, match=re.escape(reason)):
        kb.playouts(kb.game("samegame").start(), 10, **options)  # type: ignore[arg-type]


def test_other_games_have_the_random_strategy_only() -> None:
    assert kb.game("nim").strategies == ("random",)
    with pytest.raises(kb.BadParameter, match=r"there is random$"):
        kb.playouts(kb.game("nim").start(), 10, strategy="tabu-random")


def test_a_picture_shows_the_group_of_a_move() -> None:
    start = kb.game("samegame:position=20").start()
    largest = max(start.moves, key=lambda move: int(str(start.play(move)).split(" ")[1]))
    marked = re.search('<path d="([^"]*)" class="move"', start.svg(largest))
    assert marked is not None
    assert marked[1].count("M") == 11
    assert 'class="move"' not in start.svg()


def test_algorithms_of_two_kinds_find_the_optimum_of_a_small_board() -> None:
    game = kb.game("samegame", rows=5, cols=5, colours=3)
    position = game.position("BCAAC/CBBAB/AACCB/BCCCB/ABCBC")
    assert kb.Minimax().search(position).value == 1057
    assert kb.AlphaBeta().search(position).value == 1057
    report = kb.Uct(simulations=20_000, seed=1).search(position)
    assert report.value == pytest.approx(1057, abs=300)


def test_published_complexity_stands_beside_boards_of_the_usual_size() -> None:
    assert [figure.text for figure in published(kb.game("samegame:position=4"))] == ["20.7", "64.4", "85", "10^159"]
    assert published(kb.game("samegame", colours=4)) == ()


def judged(id: str) -> dict[str, Row]:
    found = experiment(id)
    return {row.label: row for row in found.summarize("quick", [found.run(unit) for unit in found.units("quick")])}


def test_random_play_has_the_published_length_and_branching() -> None:
    found = judged("schadd-samegame-complexity")
    assert {row.verdict for row in found.values()} == {"agrees", "measured"}
    assert sum(row.verdict == "agrees" for row in found.values()) == 4


def test_strategies_stand_in_the_published_order_without_a_tree() -> None:
    found = judged("schadd-samegame-playouts")
    assert {row.verdict for row in found.values()} <= {"agrees", "same direction", "measured"}
    orders = [row for label, row in found.items() if label.startswith("order")]
    assert [row.verdict for row in orders] == ["agrees", "agrees"]


def test_units_of_a_larger_scale_hold_those_of_a_smaller_one() -> None:
    found = experiment("schadd-samegame-complexity")
    quick, standard = found.units("quick"), found.units("standard")
    assert list(quick) == list(standard[: len(quick)])
    assert sum(unit["boards"] for unit in found.units("full")) == 1_000_000 == BATCH * len(found.units("full"))
