"""A game as a text for people and programs."""

from __future__ import annotations

import json
import re
from typing import Any, cast

from kibitz.arena.playing import GameRecord, MoveRecord, Origin
from kibitz.errors import StoreError

__all__ = ["FIRST_LINE", "game_text", "move_text", "parse_game_text", "parse_game_texts"]

FIRST_LINE = "kibitz game record 1"
_HEADER = ("game", "start", "names", "players", "result", "adjudicated", "index", "block", "seed", "seconds", "key")
_ORIGINS = ("opening", "random", "chance")
_FIGURES = {"seat": int, "value": float, "depth": int, "nodes": int, "seconds": float, "legal": int}
_MOVE = re.compile(r'(\d+)\. ("(?:[^"\\]|\\.)*"|[^\s"{}]+) \{([^{}]*)\}')


def game_text(record: GameRecord) -> str:
    """A game for people and programs: a header of JSON values, and a line for each move with its report in braces."""
    data = {**vars(record), "key": record.spec_key}
    lines = [FIRST_LINE, *(f"{name}: {json.dumps(data[name], ensure_ascii=False)}" for name in _HEADER), ""]
    for number, move in enumerate(record.moves, 1):
        figures = [f"{name} {value!r}" for name in _FIGURES if (value := getattr(move, name)) is not None]
        origin = [move.origin] if move.origin in _ORIGINS else []
        lines.append(f"{number}. {move_text(move.move)} {{{', '.join(origin + figures)}}}")
    return "\n".join(lines) + "\n"


def move_text(move: str) -> str:
    """A move as it is, or as a JSON text where it has spaces, quotes or braces."""
    if re.fullmatch(r'[^\s"{}]+', move):
        return move
    return json.dumps(move).replace("{", "\\u007b").replace("}", "\\u007d")


def parse_game_text(text: str) -> GameRecord:
    """The game of a text that `game_text` wrote; `StoreError` names the line that is wrong."""
    lines = [line.rstrip("\r") for line in text.rstrip("\n").split("\n")]
    data: dict[str, Any] = {}
    moves: list[MoveRecord] = []
    if lines[0] != FIRST_LINE:
        raise StoreError(f"this is not a game record: its first line is not {FIRST_LINE!r}")
    for number, line in enumerate(lines[1:], 2):
        try:
            if number <= 1 + len(_HEADER):
                name, _, value = line.partition(": ")
                if name != _HEADER[number - 2]:
                    raise ValueError(f"{_HEADER[number - 2]} should stand here")
                data[name] = json.loads(value)
            elif line:
                moves.append(_parse_move(line, len(moves) + 1))
        except (ValueError, KeyError, RecursionError) as error:
            raise StoreError(f"line {number} of the game record, {line[:60]!r}, is wrong: {error}") from None
    if len(data) < len(_HEADER):
        raise StoreError(f"the game record ends early: {_HEADER[len(data)]} is missing")
    return _checked(data, moves)


def _parse_move(line: str, number: int) -> MoveRecord:
    found = _MOVE.fullmatch(line)
    if found is None or found[1] != str(number):
        raise ValueError(f'it should be "{number}. MOVE {{…}}"')
    move = json.loads(found[2]) if found[2].startswith('"') else found[2]
    figures: dict[str, Any] = dict.fromkeys(_FIGURES)
    origin = "search"
    for part in found[3].split(", "):
        name, _, value = part.partition(" ")
        if part in _ORIGINS:
            origin = part
        elif name in _FIGURES:
            figures[name] = _FIGURES[name](value)
        else:
            raise ValueError(f"{part!r} means nothing")
    if figures["legal"] is None:
        raise ValueError("the number of legal moves is missing")
    return MoveRecord(move=move, origin=cast(Origin, origin), **figures)


def _checked(data: dict[str, Any], moves: list[MoveRecord]) -> GameRecord:
    """The record of a header, whose values must have the right types."""

    def tuple_of(name: str, *kinds: type) -> tuple[Any, ...]:
        if not isinstance(data[name], list) or not all(isinstance(each, kinds) for each in data[name]):
            raise StoreError(f"{name} of the game record must be a list of {kinds[0].__name__}")
        return tuple(data[name])

    def one(name: str, *kinds: type) -> Any:
        if not isinstance(data[name], kinds) or (isinstance(data[name], bool) and bool not in kinds):
            raise StoreError(f"{name} of the game record must be {kinds[0].__name__}")
        return data[name]

    return GameRecord(
        spec_key=one("key", str),
        index=one("index", int),
        block=one("block", int),
        game=one("game", str),
        names=tuple_of("names", str),
        players=tuple_of("players", str),
        start=one("start", str, type(None)),
        seed=one("seed", int),
        moves=tuple(moves),
        result=tuple_of("result", float, int),
        plies=sum(move.seat is not None for move in moves),
        adjudicated=one("adjudicated", bool),
        seconds=one("seconds", float, int),
    )


def parse_game_texts(text: str) -> list[GameRecord]:
    """The games of a text with one or more of them, such as an export."""
    parts = re.split(rf"(?m)^(?={re.escape(FIRST_LINE)}\r?$)", text)
    if parts[0].strip():
        raise StoreError(f"this is not a game record: its first line is not {FIRST_LINE!r}")
    if len(parts) == 1:
        raise StoreError("there is no game record in it")
    return [parse_game_text(part) for part in parts[1:]]
