"""Comparing players with fewer games: how games are sampled, and what their results say about the difference.

B. Sheppard, *Efficient Control of Selective Simulations*, CG 2004, measures two poker programs with 70 times fewer
games than plain sampling needs. The parts are here and beside this file: duplicate deals and synchronised streams
(`sample`, `duplicate`), class weighting (`weighting`), stratified deals (`openings.Stratified`, `cycles`), compensation
for luck (`compensation`), sampling where the players differ (`focus`) and accounting for mixed strategies (`mixed`).

All results are in units of the game, per game. The paper calls standard deviations "variance"; a speed-up is the
square of their ratio, and so it is here.
"""

from __future__ import annotations

import dataclasses
import math
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import kibitz as kb
from kibitz.arena.openings import Openings
from kibitz.arena.playing import GameRecord, GameSpec, derive
from kibitz.arena.seating import Seating, schedule
from kibitz.arena.statistics import Interval
from kibitz.errors import BadParameter
from kibitz.search import _whole

__all__ = ["Design", "Estimate", "blocks_of", "desynchronised", "duplicate", "mean", "plain", "result_of", "sample"]

Design = Literal["plain", "duplicate", "synchronised"]
"""Independent games; every deal in all seatings; the same with equal random streams of the players too."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A mean with its standard error.

    `observations` are independent of each other (games, or pairs of them), `games` is what they cost, and `freedom`
    counts the degrees of freedom behind the error.
    """

    value: float
    error: float
    observations: int
    games: int
    freedom: float

    def interval(self, level: float = 0.95) -> Interval:
        """Student's interval; it allows everything when there is no freedom left to estimate an error.

        Observations that are all equal have an error of 0, which says what was seen and proves nothing.
        """
        if not 0 < level < 1:
            raise BadParameter(f"level={level} must be a number between 0 and 1")
        if self.freedom <= 0 or not math.isfinite(self.error):
            return Interval(-math.inf, math.inf)
        from scipy.stats import t

        reach = float(t.ppf((1 + level) / 2, self.freedom)) * self.error
        return Interval(self.value - reach, self.value + reach)

    def speed_up(self, other: Estimate) -> float:
        """How many times the games the other method needs for the same error; infinite if there is no error left."""
        if self.error == 0:
            return math.nan if other.error == 0 else math.inf
        return (other.error / self.error) ** 2 * other.games / self.games


def mean(values: Sequence[float], *, games: int | None = None) -> Estimate:
    """The mean of independent observations, each of one game unless `games` says how many there were in all.

    >>> mean([1.0, 0.0, 1.0, 0.0])
    Estimate(value=0.5, error=0.28867513459481287, observations=4, games=4, freedom=3)
    """
    for each in values:
        if not math.isfinite(each):
            raise BadParameter(f"the observation {each} must be a finite number")
    count = len(values)
    if count == 0:
        raise BadParameter("no observations: at least one is needed for a mean")
    value = math.fsum(values) / count
    squares = math.fsum((each - value) ** 2 for each in values)
    error = math.sqrt(squares / (count - 1) / count) if count > 1 else math.inf
    return Estimate(
        value=value, error=error, observations=count, games=count if games is None else games, freedom=count - 1
    )


def result_of(record: GameRecord, name: str) -> float:
    """What a player won in a game; the mean over its seats if it has several."""
    own = [result for result, each in zip(record.result, record.names, strict=True) if each == name]
    if not own:
        raise BadParameter(f"{name!r} does not play in game {record.index}; {', '.join(record.names)} do")
    return sum(own) / len(own)


def blocks_of(records: Iterable[GameRecord]) -> list[list[GameRecord]]:
    """The games by block, blocks and games in order.

    All blocks must be complete, that is of equal size: the seats are balanced in a complete one only. A game that
    comes twice, such as from a retry, counts once.
    """
    blocks: dict[int, dict[str, GameRecord]] = {}
    for record in records:
        blocks.setdefault(record.block, {})[record.spec_key] = record
    if not blocks:
        raise BadParameter("no games: at least one is needed")
    sizes = {block: len(games) for block, games in blocks.items()}
    full = max(sizes.values())
    short = [block for block, size in sizes.items() if size < full]
    if short:
        raise BadParameter(
            f"block {min(short)} has {sizes[min(short)]} of {full} games; leave unfinished blocks out, or finish them"
        )
    return [sorted(blocks[block].values(), key=lambda record: record.index) for block in sorted(blocks)]


def plain(records: Iterable[GameRecord], name: str) -> Estimate:
    """What a player wins a game, from independent games: each one is an observation."""
    blocks = blocks_of(records)
    if len(blocks[0]) > 1:
        raise BadParameter(
            f"the {len(blocks[0])} games of a block share their deal and are not independent: use duplicate()"
        )
    return mean([result_of(block[0], name) for block in blocks])


def duplicate(records: Iterable[GameRecord], name: str) -> Estimate:
    """What a player wins a game, from deals that were played in every seating: each block is one observation.

    1600 games of two players are 800 observations. Luck that helps whoever has the seat cancels inside a block, the
    more so the more alike the players are (Sheppard 2004, section on duplicate trials).
    """
    blocks = blocks_of(records)
    values = [math.fsum(result_of(game, name) for game in block) / len(block) for block in blocks]
    return mean(values, games=sum(map(len, blocks)))


def sample(
    game: kb.Game,
    players: Sequence[kb.Algorithm],
    *,
    games: int,
    seed: int,
    design: Design = "synchronised",
    names: Sequence[str] | None = None,
    openings: Openings | None = None,
    start: str | None = None,
) -> tuple[GameSpec, ...]:
    """The games of a measurement, at least as many as asked for, with every seating equally often.

    - `plain`: every game has a deal and random streams of its own. The seatings come one after another and not in
      turn: in turn they would meet the same part of a stratified cycle each time.
    - `duplicate`: the games of a block, one for each seating, share the deal, but the players' random streams differ.
    - `synchronised`: they share the random streams too, which is what `kibitz.match` does. A stream belongs to the
      block, the ply and the player's own seed; players who shall be synchronised have equal seeds. Two that choose
      alike then play alike, and the block cancels to exactly 0.
    """
    if design not in get_args(Design):
        raise BadParameter(f"design={design!r} is not one of {', '.join(get_args(Design))}")
    _whole("seed", seed, 0, (1 << 64) - 1)
    names = tuple(string.ascii_uppercase[: len(players)]) if names is None else tuple(names)
    if len(names) != len(players) or len(set(names)) != len(names):
        raise BadParameter(f"{len(players)} players need as many distinct names, not {', '.join(names)}")
    places = list(schedule(len(players), game.players, games))
    if design == "plain":
        order = sorted(places, key=lambda place: place.players)
        places = [Seating(number, place.players) for number, place in enumerate(order)]
    drawn = (openings or Openings()).draw(game, places[-1].block + 1, seed=seed, start=start)
    specs = []
    for index, (block, kinds) in enumerate(places):
        spec = GameSpec(
            game,
            tuple(players[kind] for kind in kinds),
            tuple(names[kind] for kind in kinds),
            opening=drawn[block].moves,
            noise=drawn[block].noise,
            start=start,
            seed=derive(seed, "block", block),
            index=index,
            block=block,
        )
        specs.append(desynchronised(spec) if design == "duplicate" else spec)
    return tuple(specs)


def desynchronised(spec: GameSpec) -> GameSpec:
    """The same deal with random streams of the players that no other game has."""

    def own(player: kb.Algorithm) -> kb.Algorithm:
        seed: Any = getattr(player, "seed", None)
        return player if seed is None else player.replace(seed=derive(seed, "stream", spec.index))

    return dataclasses.replace(spec, players=tuple(map(own, spec.players)))
