"""Crossings and Epaminondas: counts, random play, puzzles, and what Python adds to the rules."""

from __future__ import annotations

import random
import statistics

import kibitz as kb
import pytest
from kibitz.cli import app
from typer.testing import CliRunner

FEATURES = {
    "mobility",
    "material",
    "crossing",
    "centre",
    "defence",
    "territory",
    "edge",
    "phalanx",
    "largest",
    "distance",
    "longest",
    "capture",
    "captures",
    "haul",
}


def only(name: str, **weights: int) -> kb.NativeGame:
    """The game with these weights and no others."""
    return kb.game(name, **(dict.fromkeys(FEATURES, 0) | weights))


def test_four_moves_of_epaminondas() -> None:
    assert kb.perft(kb.game("epaminondas").start(), 4, threads=2) == 245_799_684


# Means and deviations of 20,000 and 2,000 random games by a program of another author.
@pytest.mark.parametrize(
    ("name", "games", "length", "deviation", "theirs"),
    [("crossings", 20_000, 100.9, 52.8, 20_000), ("epaminondas", 2_000, 424.7, 183.4, 2_000)],
)
def test_random_games_are_as_long_as_those_of_another_program(
    name: str, games: int, length: float, deviation: float, theirs: int
) -> None:
    found = kb.playouts(kb.game(name).start(), games, seed=3)
    error = deviation * (1 / games + 1 / theirs) ** 0.5
    assert abs(found.plies - length) < 4 * error
    # White wins half of them, and the draws are so few that none was seen
    assert abs(found.mean[0]) < 4 * (1 / games + 1 / theirs) ** 0.5 + 0.01


# Mean numbers of moves by ply, as the same program saw them.
CURVES = {
    "crossings": {0: 60.0, 5: 80.9, 10: 89.6, 20: 91.2, 30: 89.7, 40: 87.7, 50: 85.9},
    "epaminondas": {0: 114.0, 5: 150.0, 10: 171.2, 20: 187.8, 30: 196.2, 40: 200.2, 50: 202.7},
}


@pytest.mark.parametrize("name", list(CURVES))
def test_random_games_have_as_many_moves_as_those_of_another_program(name: str) -> None:
    chance = random.Random(4)
    counts: dict[int, list[int]] = {ply: [] for ply in CURVES[name]}
    for _ in range(150):
        position = kb.game(name).start()
        for ply in range(51):
            if position.over:
                break
            if ply in counts:
                counts[ply].append(kb.perft(position, 1))
            position = position.play(chance.choice(position.moves))
    for ply, expected in CURVES[name].items():
        error = statistics.stdev(counts[ply]) / len(counts[ply]) ** 0.5
        assert abs(statistics.fmean(counts[ply]) - expected) <= 4.5 * error, ply


@pytest.mark.parametrize(("name", "depth", "move"), [("puzzle1", 6, "[H3,H4,H5]-H2"), ("puzzle2", 4, "L12-M12")])
def test_alphabeta_solves_the_puzzles(name: str, depth: int, move: str) -> None:
    start = kb.game(f"epaminondas:{name}").start()
    report = kb.AlphaBeta(depth=depth).search(start)
    assert (report.best, report.value) == (move, 1.0)
    # not a ply earlier, and not by any other move
    assert kb.AlphaBeta(depth=depth - 2).search(start).value < 1
    for other in start.moves:
        child = start.play(other)
        if child.result is not None:
            assert child.result[0] < 1
        elif other != move:
            assert kb.AlphaBeta(depth=depth - 1).search(child).value > -1


def test_the_command_line_knows_the_puzzles() -> None:
    ran = CliRunner().invoke(app, ["analyze", "epaminondas:puzzle2", "--with", "alphabeta", "--depth", "4"])
    assert ran.exit_code == 0, ran.output
    assert "L12-M12" in ran.output


def test_a_word_alone_stands_for_its_parameter() -> None:
    game = kb.game("epaminondas:puzzle1,symmetry=false")
    assert game == kb.game("epaminondas", setup="puzzle1", symmetry=False)
    assert game.spec == "epaminondas:setup=puzzle1,symmetry=false"
    with pytest.raises(kb.BadParameter, match="not key=value"):
        kb.game("epaminondas:puzzle3")
    with pytest.raises(kb.BadParameter, match="given twice"):
        kb.game("epaminondas:puzzle1,puzzle2")


def test_a_move_is_drawn_into_the_picture() -> None:
    start = kb.game("epaminondas:puzzle1").start()
    assert start.svg("[H3,H4,H5]-H2") == start.svg("H5-H2") != start.svg()
    assert 'class="move"' in start.svg("H5-H2")
    with pytest.raises(kb.IllegalMove):
        start.svg("H5-G1")
    # a game that draws no moves shows the position
    othello = kb.game("othello").start()
    assert othello.svg(othello.moves[0]) == othello.svg()


def test_the_third_occurrence_is_a_draw() -> None:
    position = kb.game("crossings").start()
    for _ in range(2):
        for move in ("A7-A6", "A2-A3", "A6-A7", "A3-A2"):
            assert not position.over
            position = position.play(move)
    assert position.result == (0, 0)


@pytest.mark.parametrize("name", ["crossings", "epaminondas"])
def test_a_weight_alone_shows_its_feature(name: str) -> None:
    rows = "......../......../......../...ww.../......../..b...../......../........"
    if name == "epaminondas":
        rows = "/".join(["." * 14] * 4 + [f"{row}......" for row in rows.split("/")])
    weights = {parameter.name for parameter in kb.games().info(name).parameters}
    assert weights >= FEATURES
    # White has the pair D5, E5 and Black C3: values are parts of a win, of 10,000 points
    for feature, value in {
        "material": 1,
        "largest": 1,
        "longest": 1,
        "territory": 16 - 8,
        "edge": 0,
        "captures": 0,
    }.items():
        position = only(name, **{feature: 100}).position(f"{rows} w")
        assert position.evaluate(0) == pytest.approx(value / 100), feature
        assert position.evaluate(1) == pytest.approx(-value / 100), feature
    assert only(name).position(f"{rows} w").evaluate() == 0


def test_players_may_weigh_the_features_differently() -> None:
    start = kb.game("crossings").start()
    values = {
        weight: kb.Minimax(depth=2, options={"material": weight}).search(start.play("[G7,H8]-E5")).value
        for weight in (10, 100)
    }
    assert len(set(values.values())) == 1, "no piece can be captured within two moves"
    centre = kb.Minimax(depth=1, options=dict.fromkeys(FEATURES, 0) | {"centre": 100}).search(start)
    # two steps from a corner gain most
    assert centre.best in ("[G7,H8]-E5", "[B7,A8]-D5")
