"""A position to work on: a game, a text, and moves made on the board."""

from __future__ import annotations

from dataclasses import dataclass, field

import kibitz as kb
from kibitz.web.inputs import check_text, read_game, read_position

__all__ = ["PositionSetup", "moves_of_text"]

_MOST_MOVES = 2_000


@dataclass
class PositionSetup:
    """The game, where it starts and the moves from there; `version` changes with every one of them."""

    game: str = "connect-four"
    start: str = ""
    moves: list[str] = field(default_factory=list)
    version: int = 0
    _positions: list[kb.Position] = field(default_factory=list, repr=False)

    @property
    def rules(self) -> kb.Game:
        """The game."""
        return read_game(self.game)

    @property
    def positions(self) -> list[kb.Position]:
        """The start and the positions after each move."""
        if not self._positions:
            self._positions = [read_position(self.rules, self.start)]
        for move in self.moves[len(self._positions) - 1 :]:
            self._positions.append(self._positions[-1].play(move))
        return self._positions

    @property
    def position(self) -> kb.Position:
        """The position after all moves."""
        return self.positions[-1]

    def set(self, game: str, start: str = "", moves: list[str] | None = None) -> None:
        """Another game or start. What is wrong is an exception, and nothing has changed."""
        rules = read_game(game)
        positions = [read_position(rules, start)]
        for move in moves or []:
            positions.append(positions[-1].play(move))
        self.game, self.start, self.moves = game, start, list(moves or [])
        self._positions = positions
        self.version += 1

    def play(self, move: str) -> None:
        """Plays a move from here."""
        if len(self.moves) >= _MOST_MOVES:
            raise kb.BadParameter(f"a line of {_MOST_MOVES:,} moves is long enough")
        after = self.position.play(move)
        self.moves.append(move)
        self._positions.append(after)
        self.version += 1

    def take_back(self, to: int | None = None) -> None:
        """Takes back the last move, or all after a number of them."""
        keep = len(self.moves) - 1 if to is None else to
        if 0 <= keep < len(self.moves):
            del self.moves[keep:]
            del self._positions[keep + 1 :]
            self.version += 1


def moves_of_text(game: kb.Game, text: str) -> tuple[str, list[str]]:
    """The start and the moves of a text: a game record of kibitz, or moves one after the other, with numbers or not."""
    from kibitz.game_record import FIRST_LINE, parse_game_text

    text = check_text(text, "the game", 400_000).strip()
    if text.startswith(FIRST_LINE):
        record = parse_game_text(text)
        if read_game(record.game) != game:
            raise kb.BadParameter(f"this is a game of {record.game}; choose that game first")
        return record.start or "", [move.move for move in record.moves]
    words = [word for word in text.split() if not word.rstrip(".").isdecimal() or not word.endswith(".")]
    if len(words) > _MOST_MOVES:
        raise kb.BadParameter(f"the text has {len(words):,} moves; at most {_MOST_MOVES:,} are read")
    return "", words
