"""Backgammon beyond its rules: the identifiers of GNU Backgammon, probabilities, and the training of its networks.

>>> import kibitz as kb
>>> from kibitz.backgammon import position_id
>>> position = kb.game("backgammon").position("4HPwATDgc/ABMA A 31")
>>> position_id(position.play("8/5 6/5"))
'sGfwATDgc/ABMA'
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kibitz import _core
from kibitz.errors import BadParameter, BadPosition
from kibitz.game import NativeGame

__all__ = ["Probabilities", "Progress", "Strength", "gnubg_id", "position_id", "probabilities", "strength", "train"]


class Probabilities(NamedTuple):
    """What may become of a game for the player about to throw; a gammon includes backgammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float

    @property
    def equity(self) -> float:
        """The points that the player wins on average, without a cube."""
        gammons = self.win_gammon - self.lose_gammon + self.win_backgammon - self.lose_backgammon
        return 2 * self.win - 1 + gammons


def _text(position: _core.Position | str) -> tuple[str, bool]:
    """The text of a position, and whether Jacoby's rule holds in its game."""
    if isinstance(position, str):
        return position, False
    game = position.game
    if not isinstance(game, NativeGame) or game.name != "backgammon":
        raise BadPosition(f"{position} is not a position of backgammon")
    return str(position), bool(game.params["jacoby"])


def gnubg_id(position: _core.Position | str) -> str:
    """The identifiers of GNU Backgammon: of the checkers, and after a colon of dice and cube in a game for money.

    >>> gnubg_id("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5 / B 31")
    '4HPwATDgc/ABMA:cIkFAAAAAAAE'
    """
    return _core.backgammon_ids(*_text(position))


def position_id(position: _core.Position | str) -> str:
    """The identifier of the checkers, as seen by the player about to throw, who throws or who has thrown.

    >>> position_id("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5 / A rolls")
    '4HPwATDgc/ABMA'
    """
    return gnubg_id(position).split(":")[0]


def probabilities(position: _core.Position | str) -> Probabilities:
    """What the networks and the bear-off databases expect for the player about to throw, dice on the board left out.

    >>> round(probabilities("6:1 / 6:1 / A rolls").win, 4)
    0.8125
    """
    return Probabilities(*_core.backgammon_probabilities(_text(position)[0]))


class Strength(NamedTuple):
    """Points a game, and the standard error over pairs of games with the same dice."""

    points: float
    error: float


def strength(
    weights: bytes | Path | str, opponent: str = "network", pairs: int = 1000, seed: int = 1, threads: int = 1
) -> Strength:
    """Plays a file of weights against the `network`, the `linear` evaluation or the `pips` that come with the program.

    Both look one play ahead. Games come in pairs with the same dice and the sides exchanged; gammons count.
    """
    if pairs < 1 or threads < 1:
        raise BadParameter(f"{pairs} pairs on {threads} threads: both are at least 1")
    data = weights if isinstance(weights, bytes) else Path(weights).read_bytes()
    return Strength(*_core.backgammon_trial(data, opponent, pairs, seed, threads))


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a training has come."""

    games: int
    total: int
    seconds: float
    weights: bytes


def train(
    path: Path | str,
    *,
    games: int = 1_000_000,
    seed: int = 1,
    threads: int = 1,
    rate: float = 0.001,
    lam: float = 0.7,
    every: int = 100_000,
) -> Iterator[Progress]:
    """Trains the weights of backgammon by TD(λ) self-play, writes them to `path`, and tells every so many games.

    The same `games`, `seed`, `rate` and `lam` give the same weights on every machine and any number of threads. What is
    needed to go on is kept beside the file, as `path` with `.training` after it; a training that is there is gone on
    with, whatever the seed. Learning rate and λ fall to nothing in `games` games.
    """
    path = Path(path)
    if games < 1 or every < 1 or threads < 1:
        raise BadParameter("games, every and threads are at least 1")
    if not path.parent.is_dir():
        raise BadParameter(f"there is no folder {path.parent}; choose another file")
    state = path.with_name(path.name + ".training")
    training = _core.BackgammonTraining(seed, state.read_bytes() if state.exists() else None)

    def steps() -> Iterator[Progress]:
        began = time.perf_counter()
        while training.games < games:
            try:
                training.run(every, games, rate, lam, threads)
            finally:
                # Ctrl-C ends it between two batches
                weights = training.weights()
                _replace(state, training.save())
                _replace(path, weights)
            yield Progress(games=training.games, total=games, seconds=time.perf_counter() - began, weights=weights)

    return steps()


def _replace(path: Path, data: bytes) -> None:
    """Writes a file so that it is never half there."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(data)
    new.replace(path)
