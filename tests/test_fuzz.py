"""Whatever is typed, only documented exceptions come out: 10,000 positions and 10,000 moves a game, and calls too."""

from __future__ import annotations

import random
import string

import kibitz as kb
import pytest
from kibitz.game import parse_call
from playing import GAMES, random_positions

COUNT = 10_000
ALPHABET = string.printable + "XOwbox.-:/ 0123456789" * 3 + "é→𝔘\u0000\u202e\U0010ffff٣½Ⅷ"


def noise(chance: random.Random, longest: int = 30) -> str:
    if chance.random() < 0.2:
        return "".join(chr(chance.randrange(1, 0xD800)) for _ in range(chance.randrange(longest)))
    return "".join(chance.choice(ALPHABET) for _ in range(chance.randrange(longest)))


def mutated(text: str, chance: random.Random) -> str:
    """A text with a few letters changed, added, removed, swapped or repeated."""
    letters = list(text)
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        at = chance.randrange(len(letters) + 1)
        kind = chance.randrange(5)
        if kind == 0:
            letters[at : at + 1] = [chance.choice(ALPHABET)]
        elif kind == 1:
            letters.insert(at, chance.choice(ALPHABET))
        elif kind == 2:
            del letters[at : at + chance.choice([1, 1, 4, 100])]
        elif kind == 3 and len(letters) > 1:
            a, b = chance.randrange(len(letters)), chance.randrange(len(letters))
            letters[a], letters[b] = letters[b], letters[a]
        else:
            letters[at:at] = letters[at : at + 5] * chance.choice([1, 1, 1000])
    return "".join(letters)


def fuzzed(samples: list[str], chance: random.Random) -> str:
    return noise(chance) if chance.random() < 0.3 else mutated(chance.choice(samples), chance)


@pytest.mark.parametrize("name", GAMES)
def test_fuzzed_positions_are_read_or_refused(name: str) -> None:
    chance = random.Random(name)
    game = kb.game(name)
    samples = [str(position) for position in random_positions(game, 20, seed=1)]
    messages: list[str] = []
    for _ in range(COUNT):
        text = fuzzed(samples, chance)
        try:
            position = game.position(text)
        except kb.BadPosition as refused:
            messages.append(str(refused))
        else:  # then it is a position like any other
            assert game.position(str(position)) == position
            for move in position.moves[:2]:
                position.play(move)
    assert all(message.startswith("bad position") for message in messages)


@pytest.mark.parametrize("name", GAMES)
def test_fuzzed_moves_are_played_or_refused(name: str) -> None:
    chance = random.Random(name)
    game = kb.game(name)
    positions = random_positions(game, 20, seed=2)
    samples = [move for position in positions for move in position.moves]
    messages: list[str] = []
    for i in range(COUNT):
        position = positions[i % len(positions)]
        text = fuzzed(samples, chance)
        try:
            after = position.play(text)
        except kb.IllegalMove as refused:
            messages.append(str(refused))
        else:
            assert after in [position.play(move) for move in position.moves]
    assert all("legal" in message for message in messages)


CALLS = [*GAMES, "uct:simulations=100,c=0.5", "alphabeta:depth=8,tt_mb=64,etc=false", "minimax:seed=3", "random:seed=1"]


@pytest.mark.parametrize("read", [kb.game, kb.algorithm, parse_call], ids=lambda read: read.__name__)
def test_fuzzed_calls_are_read_or_refused(read) -> None:
    chance = random.Random(read.__name__)
    messages: list[str] = []
    for _ in range(COUNT):
        text = fuzzed(CALLS, chance)
        try:
            found = read(text)
        except kb.Error as refused:
            messages.append(str(refused))
        else:
            if read is not parse_call:
                assert read(found.spec) == found
    assert all(messages)


def test_fuzzed_values_of_parameters_are_taken_or_refused() -> None:
    chance = random.Random(1)
    absurd = [
        None,
        True,
        -1,
        0,
        1,
        3,
        2**31,
        2**63,
        2**64,
        -(2**70),
        0.5,
        float("nan"),
        float("inf"),
        "",
        "x",
        "3",
        b"3",
    ]
    absurd += [[], [1, 2], (3,), {}, object(), [None], ["1"], [2**64]]
    messages: list[tuple[str, str]] = []
    for name in kb.games():
        for parameter in kb.games().info(name).parameters:
            for value in absurd:
                try:
                    game = kb.game(name, **{parameter.name: value})
                except kb.BadParameter as refused:
                    messages.append((parameter.name, str(refused)))
                else:
                    position = game.start()
                    assert game.position(str(position)) == position
                    assert chance.choice(position.moves or [None]) is not None or position.over
    assert all(name in message for name, message in messages)
