"""Solutions: saved, loaded and verified; whatever is wrong with a file is said, and never crashes."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.cli import app
from samegame_rules import score
from typer.testing import CliRunner, Result

GAMES = Path(__file__).parent.parent / "crates" / "kibitz-games" / "tests" / "samegame" / "games.txt"


def published() -> dict[int, tuple[int, list[str]]]:
    """The complete games on the standard set: score and moves by position."""
    lines = [line.split("|") for line in GAMES.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {int(number): (int(made), moves.split()) for number, made, moves in lines}


@pytest.fixture
def solution() -> kb.PuzzleSolution:
    return kb.PuzzleSolution("samegame:position=1", None, published()[1][1])


def kibitz(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.mark.parametrize("number", published())
def test_complete_games_of_the_standard_set_verify(number: int) -> None:
    made, moves = published()[number]
    found = kb.PuzzleSolution(f"samegame:position={number}", None, moves)
    assert found.verify() == found.score == made
    assert score(str(found.start).partition(" ")[0], found.moves) == made


def test_a_solution_survives_a_file(solution: kb.PuzzleSolution, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    solution.save(path)
    again = kb.PuzzleSolution.load(path)
    assert again == solution
    assert hash(again) == hash(solution)
    assert again.verify() == 1659
    assert list(tmp_path.iterdir()) == [path]
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["kibitz"] == "solution"
    assert data["game"] == "samegame:position=1"
    assert data["score"] == 1659
    assert repr(again) == "<solution of samegame:position=1: 1659 points in 74 moves>"


def test_a_solution_may_start_anywhere() -> None:
    game = kb.game("samegame", rows=2, cols=3, colours=2)
    start = game.position("011/001")
    found = kb.PuzzleSolution(game, start, ["0,1", "0,0"])
    assert found.verify() == 1002
    assert [str(each) for each in found.positions()] == ["011/001 0", ".1./11. 1", ".../... 2"]


def test_a_picture_numbers_the_moves(solution: kb.PuzzleSolution) -> None:
    picture = solution.svg()
    assert ">74</text>" in picture
    assert ">75</text>" not in picture
    assert "over, 1659 points" in picture


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: kb.PuzzleSolution("samegame", None, ["0,15"]), "move 1 of 1, '0,15', is not legal"),
        (lambda: kb.PuzzleSolution("samegame", None, []), "not over after 0 moves; 52"),
        (lambda: kb.PuzzleSolution("othello", None, []), "2 players"),
        (
            lambda: kb.PuzzleSolution("samegame:rows=1,cols=2,colours=1", None, ["0,0"], 7).verify(),
            "make 1000 points, not 7",
        ),
        (lambda: kb.PuzzleSolution("samegame", kb.game("nim").start(), []), "starts in a position of nim"),
    ],
)
def test_what_is_wrong_is_said(make: Any, reason: str) -> None:
    with pytest.raises(kb.BadSolution, match=reason):
        make()


def change(data: dict[str, Any], **fields: Any) -> str:
    return json.dumps({key: value for key, value in {**data, **fields}.items() if value is not ...})


DAMAGES: dict[str, tuple[dict[str, Any], str]] = {
    "score": ({"score": 1660}, "the moves make 1659 points, not 1660"),
    "no number": ({"score": "1659"}, "score must be a number"),
    "a truth": ({"score": True}, "score must be a number"),
    "a huge number": ({"score": 10**400}, "score must be a number"),
    "kind": ({"kibitz": "game"}, "must begin"),
    "no moves": ({"moves": ...}, "moves is missing"),
    "moves of numbers": ({"moves": [1, 2]}, "moves must be a list of texts"),
    "moves as a text": ({"moves": "0,0"}, "moves must be a list of texts"),
    "more": ({"time": 3}, "'time' means nothing there"),
    "another game": ({"game": "chess"}, "no game 'chess'"),
    "parameters": ({"game": "samegame:position=99"}, "out of range"),
    "start": ({"start": "01/10 0"}, "bad position"),
    "start of no text": ({"start": 5}, "start must be a text"),
    "a short line": ({"moves": ["8,4"]}, "not over after 1 moves"),
    "an illegal move": ({"moves": ["14,14"]}, "move 1 of 1, '14,14', is not legal"),
    "a move off the board": ({"moves": ["99,0"]}, "is not legal"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_command_refuses_a_damaged_file(damage: str, solution: kb.PuzzleSolution, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    solution.save(path)
    fields, reason = DAMAGES[damage]
    path.write_text(change(json.loads(path.read_text(encoding="utf-8")), **fields), encoding="utf-8")
    found = kibitz("verify", "samegame", path)
    assert found.exit_code == 2
    assert reason in found.output
    assert "Traceback" not in found.output


def test_no_damage_to_a_file_crashes_the_reader(solution: kb.PuzzleSolution, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    solution.save(path)
    whole = path.read_bytes()
    draw = random.Random(5)
    refused = 0
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(data)) if data else 0
            kind = draw.randrange(4)
            if kind == 0:
                del data[place:]
            elif kind == 1 and data:
                data[place] = draw.randrange(256)
            elif kind == 2:
                data[place:place] = draw.choice([b"\\", b'"', b"[", b"9", b"\xff", b"{}", b"0,0", b"null", b"-"])
            else:
                del data[place : place + draw.randint(1, 9)]
        path.write_bytes(bytes(data))
        try:
            kb.PuzzleSolution.load(path).verify()
        except kb.BadSolution:
            refused += 1
    assert refused > 350


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[" * 100_000, '{"kibitz": "solution"}', "\x00", '{"kibitz": NaN}', "9" * 5000]
)
def test_texts_that_are_no_solutions_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(kb.BadSolution, match="is not a solution"):
        kb.PuzzleSolution.load(path)


def test_a_wrong_solution_is_not_saved(tmp_path: Path) -> None:
    wrong = kb.PuzzleSolution("samegame:rows=1,cols=2,colours=1", None, ["0,0"], 7)
    with pytest.raises(kb.BadSolution, match="not 7"):
        wrong.save(tmp_path / "one.json")
    assert not list(tmp_path.iterdir())


def test_the_command_verifies_files_and_adds_them_up(tmp_path: Path) -> None:
    paths = []
    for number, (_, moves) in published().items():
        paths.append(tmp_path / f"{number}.json")
        kb.PuzzleSolution(f"samegame:position={number}", None, moves).save(paths[-1])
    found = kibitz("verify", "samegame", *paths)
    assert found.exit_code == 0
    assert "2 solutions verified; 6,002 points in all" in found.output
    found = kibitz("verify", "samegame", *paths, "--json")
    assert json.loads(found.output)["total"] == 6002
    picture = tmp_path / "one.svg"
    assert kibitz("verify", "samegame:position=1", paths[0], "--svg", picture).exit_code == 0
    assert ">74</text>" in picture.read_text(encoding="utf-8")


def test_the_command_wants_solutions_of_the_game_that_it_is_told(solution: kb.PuzzleSolution, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    solution.save(path)
    for game in ("samegame:position=2", "morpion"):
        found = kibitz("verify", game, path)
        assert found.exit_code == 2
        assert "is a solution of samegame:position=1, not of" in " ".join(found.output.split())
    missing = kibitz("verify", "samegame", tmp_path / "none.json")
    assert missing.exit_code == 2
    assert "cannot use" in missing.output
