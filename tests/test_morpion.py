"""Morpion Solitaire, against a checker that knows only dots and lines as points."""

from __future__ import annotations

import random
import re
from pathlib import Path

import kibitz as kb
import pytest

CROSSES = {
    5: "...XXXX.../...X..X.../...X..X.../XXXX..XXXX/X........X/X........X/XXXX..XXXX/...X..X.../...X..X.../...XXXX...",
    4: "..XXX../..X.X../XXX.XXX/X.....X/XXX.XXX/..X.X../..XXX..",
}
STEPS = {"-": (1, 0), "|": (0, 1), "\\": (1, 1), "/": (1, -1)}
VARIANTS = ("5T", "5D", "4T", "4D")

Point = tuple[int, int]


def line_of(move: str, dots: int) -> tuple[Point, str, tuple[Point, ...]]:
    """The new dot, the direction and the points of a move."""
    found = re.fullmatch(r"\((-?\d+),(-?\d+)\)([-|/\\])([+-]?\d)", move)
    assert found is not None, move
    x, y, sign, middle = int(found[1]), int(found[2]), found[3], int(found[4])
    dx, dy = STEPS[sign]
    first = middle - dots // 2
    return (x, y), sign, tuple((x + (first + i) * dx, y + (first + i) * dy) for i in range(dots))


def score(variant: str, moves: list[str]) -> int:
    """The number of moves, each of them checked by the words of the rules."""
    size, touching = int(variant[0]), variant[1] == "T"
    rows = CROSSES[size].split("/")
    dots = {(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "X"}
    drawn: list[tuple[str, set[Point]]] = []
    for move in moves:
        dot, sign, points = line_of(move, size)
        assert dot in points
        assert dot not in dots
        assert set(points) - {dot} <= dots, move
        shared = max((len(line & set(points)) for other, line in drawn if other == sign), default=0)
        assert shared <= (1 if touching else 0), move
        dots.add(dot)
        drawn.append((sign, set(points)))
    return len(moves)


def random_game(variant: str, seed: int) -> tuple[kb.Position, list[str]]:
    chance = random.Random(seed)
    position, moves = kb.game("morpion", variant=variant).start(), []
    while not position.over:
        moves.append(chance.choice(position.moves))
        position = position.play(moves[-1])
    return position, moves


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_is_one_by_the_words_of_the_rules(variant: str) -> None:
    for seed in range(20):
        end, moves = random_game(variant, seed)
        assert end.result == (score(variant, moves),)
        assert kb.game("morpion", variant=variant).position(str(end)) == end


def test_a_checker_refuses_what_the_rules_refuse() -> None:
    _, moves = random_game("5D", 1)
    with pytest.raises(AssertionError):
        score("5D", [moves[0], moves[0]])
    touching = [random_game("5T", seed)[1] for seed in range(10)]
    refused = 0
    for line in touching:
        try:
            score("5D", line)
        except AssertionError:
            refused += 1
    assert refused > 5


@pytest.mark.parametrize(("variant", "moves"), [("5T", 28), ("5D", 28), ("4T", 40), ("4D", 40)])
def test_the_start_has_the_known_number_of_moves(variant: str, moves: int) -> None:
    assert len(kb.game("morpion", variant=variant).start().moves) == moves


def test_moves_may_be_written_with_blanks_as_by_pentasol() -> None:
    start = kb.game("morpion").start()
    assert start.play("(3,-1) | +2") == start.play("(3,-1)|+2")
    with pytest.raises(kb.IllegalMove, match="not a legal move here"):
        start.play("(0,0)-0")
    with pytest.raises(kb.BadPosition, match="move 2"):
        kb.game("morpion").position("(3,-1)|+2 (3,-1)|+2")


def test_a_line_of_moves_is_drawn_with_numbers() -> None:
    _, moves = random_game("5T", 3)
    start = kb.game("morpion").start()
    picture = start.svg_of_line(moves)
    assert picture is not None
    assert [picture.count(f">{i}</text>") for i in range(1, len(moves) + 1)] == [1] * len(moves)
    middle = start
    for move in moves[:10]:
        middle = middle.play(move)
    rest = middle.svg_of_line(moves[10:])
    assert rest is not None
    assert ">10</text>" not in rest
    assert ">11</text>" in rest
    with pytest.raises(kb.IllegalMove):
        start.svg_of_line(moves[:1] * 2)
    with pytest.raises(kb.IllegalMove, match="nobody's turn"):
        start.svg_of_line([*moves, moves[0]])
    assert kb.game("othello").start().svg_of_line([]) is None


SOLUTIONS = sorted((Path(__file__).parent.parent / "solutions").glob("morpion-*.json"))
BEST = {"5T": 150, "5D": 80, "4T": 62, "4D": 35}


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_our_solutions_are_games_by_the_words_of_the_rules(path: Path) -> None:
    solution = kb.PuzzleSolution.load(path)
    variant = solution.game.params["variant"]
    assert solution.verify() == score(variant, list(solution.moves)) >= BEST[variant]
    assert f">{len(solution.moves)}</text>" in solution.svg()


def test_every_variant_has_a_solution() -> None:
    assert {path.stem.split("-")[1].upper() for path in SOLUTIONS} == set(VARIANTS)


def test_every_search_for_one_player_plays_it() -> None:
    for player in (kb.Uct(simulations=50), kb.AlphaBeta(depth=1), kb.Random(), kb.IncrementalTranspositions(nodes=500)):
        report = player.search(kb.game("morpion", variant="4D").start())
        assert report.best in kb.game("morpion", variant="4D").start().moves
    table = kb.match("morpion:variant=4D", [kb.Random()], games=3, seed=1, workers=0)
    assert 15 < table.standings[0].result < 35
