"""A game as it was played, and the file it is saved in."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import kibitz as kb
from kibitz.cli.arguments import game_text, read_game, read_position

_FORMAT = "kibitz game 1"


class Record:
    """A game with its moves, chance's included: `positions[i]` is the position before `moves[i]`."""

    def __init__(self, game: str, position: str | None = None) -> None:
        self.rules = read_game(game)
        self.game = game_text(self.rules, game)
        self.start = position
        self.positions = [read_position(self.rules, position)]
        self.moves: list[str] = []

    @property
    def now(self) -> kb.Position:
        """The position on the board."""
        return self.positions[-1]

    @property
    def hidden(self) -> bool:
        """Whether the game hides something from its players."""
        return self.rules._rules.hidden

    def play(self, move: Any) -> str:
        """Plays a move or a text and returns its notation."""
        before = self.now
        after = before.play(move)
        text = move if isinstance(move, str) else before.notation(move)
        self.positions.append(after)
        self.moves.append(text)
        return text

    def undo(self) -> None:
        """Takes the last move back."""
        self.positions.pop()
        self.moves.pop()

    def as_dict(self) -> dict[str, Any]:
        """The record as plain data: game, position it began with (`None` for the game's own start) and moves."""
        return {"format": _FORMAT, "game": self.game, "position": self.start, "moves": self.moves}

    def save(self, path: Path) -> None:
        """Writes the file in one step: an interruption leaves the old one or the new one."""
        try:
            self._write(path)
        except OSError as error:
            # The name of the temporary file would tell the user nothing.
            raise OSError(error.errno, error.strerror, str(path)) from error

    def _write(self, path: Path) -> None:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(self.as_dict(), file, indent=2, ensure_ascii=False)
                file.write("\n")
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise

    @classmethod
    def load(cls, path: Path, current: str) -> Record:
        """Reads a file and plays its moves over. Code is never run for it: a game in Python must be the current one."""

        def bad(why: str) -> kb.Error:
            return kb.Error(f"{path} is not a saved game: {why}; choose a file that save wrote")

        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            raise bad("it is not JSON") from None
        if not isinstance(data, dict) or data.get("format") != _FORMAT:
            raise bad(f"it does not say {_FORMAT!r}")
        game, position, moves = data.get("game"), data.get("position"), data.get("moves")
        if not isinstance(game, str) or not isinstance(position, str | None):
            raise bad("the game or the position is missing")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise bad("the moves are not a list of texts")
        if game != current:
            try:
                kb.game(game)
            except kb.Error:
                raise bad(f"its game {game!r} is neither this one nor known") from None
        try:
            record = cls(game, position)
        except kb.Error as error:
            raise bad(str(error)) from error
        for number, move in enumerate(moves, 1):
            try:
                record.play(move)
            except kb.Error:
                raise bad(f"move {number}, {move!r}, is not legal") from None
        return record
