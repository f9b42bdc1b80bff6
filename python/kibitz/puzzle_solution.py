"""Solutions: lines of play of a game for one, saved, loaded and checked move by move.

>>> import kibitz as kb
>>> game = kb.game("samegame", rows=2, cols=3, colours=2)
>>> solution = kb.PuzzleSolution(game, "011/001", ["0,0", "0,0"])
>>> solution.verify(), solution.score
(1002.0, 1002.0)
"""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kibitz.errors import BadSolution, Error, IllegalMove
from kibitz.game import Game, NativeGame, Position
from kibitz.game import game as read_game

__all__ = ["PuzzleSolution"]

_KIND = "solution"
_KEYS = ("kibitz", "game", "start", "moves", "score")


class PuzzleSolution:
    """A line of play from a position to the end of a game of one player, and the score that it is said to make.

    - `game`: a game, or its text such as `"samegame:position=3"`;
    - `start`: a position or its text; `None` is the start of the game;
    - `moves`: the moves, in the game's notation;
    - `score`: what the line is said to make; `None` stands for what it makes.

    `verify()` plays the moves and compares. A file of a solution is JSON:
    `{"kibitz": "solution", "game": …, "start": …, "moves": […], "score": …}`.
    """

    def __init__(
        self,
        game: Game | str,
        start: Position | str | None,
        moves: Iterable[Any],
        score: float | None = None,
    ) -> None:
        self.game: Game = read_game(game) if isinstance(game, str) else game
        if self.game.players != 1:
            raise BadSolution(f"{self.game} has {self.game.players} players; solutions are of games for one")
        self.start: Position = self._position(start)
        self.moves: tuple[str, ...] = tuple(self._texts(moves))
        self._end: Position | None = None
        self.score: float = self._played() if score is None else score

    def _position(self, start: Position | str | None) -> Position:
        if start is None:
            begin: Position = self.game.start()
            return begin
        if isinstance(start, str):
            return self.game.position(start)
        if start.game != self.game:
            raise BadSolution(f"the solution is of {self.game}, but it starts in a position of {start.game}")
        return start

    @staticmethod
    def _texts(moves: Iterable[Any]) -> Iterator[str]:
        if isinstance(moves, str):
            raise TypeError("the moves are a list of texts, not one text")
        for move in moves:
            yield str(move)

    def positions(self) -> Iterator[Position]:
        """The positions from the start to the end; `BadSolution` names the move that is not legal."""
        position = self.start
        yield position
        for number, move in enumerate(self.moves, 1):
            try:
                position = position.play(move)
            except IllegalMove as error:
                raise BadSolution(f"move {number} of {len(self.moves)}, {move!r}, is not legal: {error}") from None
            yield position

    @property
    def end(self) -> Position:
        """The position after the last move."""
        if self._end is None:
            *_, self._end = self.positions()
        return self._end

    def _played(self) -> float:
        end = self.end
        if end.result is None:
            raise BadSolution(f"the game is not over after {len(self.moves)} moves; {len(end.moves)} are legal there")
        return end.result[0]

    def verify(self) -> float:
        """Plays all moves and returns the score; `BadSolution` tells what is wrong."""
        made = self._played()
        if made != self.score:
            raise BadSolution(f"the moves make {made:g} points, not {self.score:g}")
        return made

    def svg(self) -> str:
        """A picture of the whole line with numbered moves, or of the last position where the game draws no lines."""
        return self.start.svg_of_line(list(self.moves)) or self.end.svg()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, after it was verified; it is complete or not written at all."""
        made = self.verify()
        if not isinstance(self.game, NativeGame):
            raise BadSolution(f"{self.game} is written in Python: a file could not name it")
        data = dict(zip(_KEYS, (_KIND, self.game.spec, str(self.start), list(self.moves), _plain(made)), strict=True))
        path = Path(path)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
            # The file is for others to read, unlike one that mkstemp made.
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PuzzleSolution:
        """The solution of a file, not verified yet; `BadSolution` tells what is wrong with the file."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadSolution(f"{path} is not a solution: {' '.join(str(error).split())}") from None
        try:
            return cls(*_checked(data))
        except Error as error:
            raise BadSolution(f"{path} is not a solution: {error}") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PuzzleSolution) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.moves, self.score))

    def _identity(self) -> tuple[Any, ...]:
        return (self.game, self.start, self.moves, self.score)

    def __repr__(self) -> str:
        return f"<solution of {self.game}: {self.score:g} points in {len(self.moves)} moves>"

    def _repr_svg_(self) -> str:
        return self.svg()


def _plain(score: float) -> int | float:
    return int(score) if float(score).is_integer() else score


def _checked(data: Any) -> tuple[str, str, list[str], float]:
    """Game, start, moves and score of a file, which must have the right types."""
    if not isinstance(data, dict) or data.get("kibitz") != _KIND:
        raise BadSolution('it must begin {"kibitz": "solution", …}')
    for key in _KEYS:
        if key not in data:
            raise BadSolution(f"{key} is missing")
    for key in data:
        if key not in _KEYS:
            raise BadSolution(f"{key!r} means nothing there")
    for key in ("game", "start"):
        if not isinstance(data[key], str):
            raise BadSolution(f"{key} must be a text")
    moves, score = data["moves"], data["score"]
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadSolution("moves must be a list of texts")
    if not isinstance(score, int | float) or isinstance(score, bool) or not math.isfinite(_float(score)):
        raise BadSolution("score must be a number")
    return data["game"], data["start"], moves, _float(score)


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf
