"""A position to work on: a game, a text, moves made on the board, and pieces put where they should be."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field

import kibitz as kb
from kibitz.web.inputs import check_text, read_game, read_position

__all__ = ["PositionSetup", "edits", "moves_of_text"]

LONGEST_EDITED = 400
"""Characters of the longest text of a position that is edited cell by cell."""
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


def edits(position: kb.Position) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """What can be put into each cell: pairs of what it then holds and the text of that position.

    It is found out by trying: a character of the text is changed, and if the game reads the text and exactly one cell
    then holds something else, that is an edit of this cell. Where the number of pieces says who is to move, so may the
    last word. It needs no knowledge of any game, and it knows only what can be written by one character.
    """
    text = str(position)
    if len(text) > LONGEST_EDITED:
        return {}
    before = {cell.name: cell.holds for cell in position.cells()}
    found: dict[str, dict[str, str]] = {name: {before[name] or "empty": text} for name in before}
    signs, words = _written(position)
    body, _, side = text.rpartition(" ")
    ends = [side, *(word for word in words if word != side)]
    for place, sign in itertools.product(range(len(body)), signs):
        if body[place] == sign:
            continue
        for end in ends:
            changed = f"{body[:place]}{sign}{body[place + 1 :]} {end}"
            try:
                after = {cell.name: cell.holds for cell in position.game.position(changed).cells()}
            except kb.Error:
                continue
            different = [name for name in before if after.get(name) != before[name]]
            if len(different) == 1 and after.keys() == before.keys():
                found[different[0]].setdefault(after[different[0]] or "empty", changed)
                break
    return {name: tuple(ways.items()) for name, ways in found.items() if len(ways) > 1}


def _written(position: kb.Position) -> tuple[str, list[str]]:
    """The characters and the last words that positions of the game are written with, as a few random games show."""
    game = position.game
    texts = [str(position)]
    for seed in range(4):
        at = game.start()
        for ply in range(60):
            texts.append(str(at))
            if at.over:
                break
            moves = at.moves
            at = at.play(moves[(seed * 7919 + ply * 104_729) % len(moves)])
    signs = set("".join(text.rpartition(" ")[0] for text in texts)) - set(" /|,;:\n")
    words = {text.rpartition(" ")[2] for text in texts}
    # a word that counts something is no side
    return "".join(sorted(signs)), sorted(words) if len(words) <= 6 else []
