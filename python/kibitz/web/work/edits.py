"""What can be put where: the positions that differ from one in a cell or two, found out by asking the rules.

No game is known here. The text of the position is changed a little, in every way that could make sense, and a change
that the game reads is an edit of the cells that then hold something else:

- a character is another one: a piece comes, goes or changes;
- a number in a word is one more or one less, a word is left out, or one that other positions have is put in: so
  backgammon counts its checkers;
- where not every cell can be changed alone, since the number of pieces is fixed or full, two characters or two words
  change places: a piece goes somewhere else.

Where the number of pieces says who is to move, the last word may change with it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import kibitz as kb
from kibitz.web.inputs import read_game, read_position

LONGEST = 400
"""Characters of the longest text that is changed."""
_MOST_WORDS = 150
"""Words that are tried in a new place; a game with more of them counts something."""
_BETWEEN = " /|,;:\n"
"""What stands between the signs of pieces."""

Holds = dict[str, str]


class Edit(NamedTuple):
    """The cells that change, what they then hold, in words, and the text of that position."""

    cells: tuple[str, ...]
    label: str
    text: str


def run(payload: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> list[Edit]:  # noqa: ARG001
    """The edits of `position` of `game`."""
    return edits(read_position(read_game(payload["game"]), payload["position"]))


def edits(position: kb.Position) -> list[Edit]:
    """All edits of a position that change one cell or two."""
    text = str(position)
    before = _holds(position)
    found: dict[str, Edit] = {}

    def tell(changed: str) -> bool:
        """Whether the game reads a text as an edit; the first text of an edit is the nearest."""
        try:
            after = _holds(position.game.position(changed))
        except kb.Error:
            return False
        cells = tuple(name for name in before if after.get(name) != before[name])
        if after.keys() != before.keys() or not 1 <= len(cells) <= 2:
            return False
        label = ", ".join(f"{name}: {after[name] or 'empty'}" for name in cells)
        found.setdefault(label, Edit(cells, label, changed))
        return True

    if not before or len(text) > LONGEST:
        return []
    seen = _texts(position)
    for way in itertools.chain(_signs(text, seen), _words(text, seen)):
        any(map(tell, way))
    alone = {edit.cells[0] for edit in found.values() if len(edit.cells) == 1}
    if len(alone) < len(before):
        for changed in _exchanges(text):
            tell(changed)
    return list(found.values())


def _holds(position: kb.Position) -> Holds:
    return {cell.name: cell.holds for cell in position.cells()}


def _texts(position: kb.Position) -> list[str]:
    """The texts of a few random games, to see what positions of the game are written with."""
    texts = [str(position)]
    for seed in range(4):
        at = position.game.start()
        for ply in range(60):
            texts.append(str(at))
            if at.over:
                break
            moves = at.moves
            at = at.play(moves[(seed * 7919 + ply * 104_729) % len(moves)])
    return texts


def _signs(text: str, seen: list[str]) -> Iterator[Iterator[str]]:
    """Another character in every place; with the last word as it is or, if the game does not read that, another."""
    signs = sorted(set("".join(each.rpartition(" ")[0] for each in seen)) - set(_BETWEEN))
    body, _, side = text.rpartition(" ")
    words = {each.rpartition(" ")[2] for each in seen} - {side}
    # a word that counts something is no side
    ends = [side, *(sorted(words) if len(words) < 6 else ())]
    for place, sign in itertools.product(range(len(body)), signs):
        if body[place] not in (sign, *_BETWEEN):
            changed = f"{body[:place]}{sign}{body[place + 1 :]}"
            yield (f"{changed} {end}" for end in ends)


def _words(text: str, seen: list[str]) -> Iterator[Iterator[str]]:
    """A word that counts one more or less, that is left out, or that is new at the beginning of a part."""
    places = [each.span() for each in re.finditer(r"\S*\d\S*", text)]
    for begin, end in places:
        word, rest = text[begin:end], text[end:]
        last = list(re.finditer(r"\d+", word))[-1]
        for count in (int(last[0]) - 1, int(last[0]) + 1):
            yield iter((f"{text[:begin]}{word[: last.start()]}{count}{word[last.end() :]}{rest}",))
        yield iter((f"{text[:begin]}{rest.lstrip()}",))
    known = sorted({word for each in seen for word in re.findall(r"\S*\d\S*", each)})
    if len(known) <= _MOST_WORDS:
        for begin, word in itertools.product((0, *(each.end() for each in re.finditer(r"/ ", text))), known):
            yield iter((f"{text[:begin]}{word} {text[begin:]}",))


def _exchanges(text: str) -> Iterator[str]:
    """Two characters or two words in each other's places."""
    body, _, side = text.rpartition(" ")
    for one, other in itertools.combinations(range(len(body)), 2):
        if body[one] != body[other] and body[one] not in _BETWEEN and body[other] not in _BETWEEN:
            yield f"{body[:one]}{body[other]}{body[one + 1 : other]}{body[one]}{body[other + 1 :]} {side}"
    words = [each for each in re.finditer(r"[^\s/]+", text) if len(each[0]) > 1]
    for first, second in itertools.combinations(words, 2):
        if first[0] != second[0]:
            between = text[first.end() : second.start()]
            yield f"{text[: first.start()]}{second[0]}{between}{first[0]}{text[second.end() :]}"
