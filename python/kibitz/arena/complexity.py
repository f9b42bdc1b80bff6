"""How complex a game is: branching, length, the sizes of its tree and of its state space, measured by playing it.

>>> import kibitz as kb
>>> found = kb.complexity(kb.game("tic-tac-toe"), games=200, workers=0)
>>> found.states.complete, found.states.total
(True, 5478)
>>> found.curve[0].moves.value, found.curve[1].moves.value
(9.0, 8.0)
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.arena.estimators import Estimate, Knuth, States, chao, count, jackknife, knuth
from kibitz.arena.executor import execute
from kibitz.arena.openings import Openings, RandomPlies, Schedule
from kibitz.arena.playing import GameSpec, derive, game_name, play
from kibitz.arena.statistics import mean_interval, shares, wilson
from kibitz.errors import BadParameter
from kibitz.game import Game, Position
from kibitz.game import game as read_game
from kibitz.search import Algorithm, Random, _whole, algorithm

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kibitz.plots import Size

__all__ = [
    "Branching",
    "Complexity",
    "Estimate",
    "Knuth",
    "Length",
    "Ply",
    "States",
    "Tree",
    "complexity",
    "figure",
]

_QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(frozen=True, kw_only=True)
class Branching:
    """How many legal moves the players have, by three definitions.

    - `pooled`: over all positions of all games, so that long games weigh more;
    - `by_game`: the mean within each game, then over the games;
    - `geometric`: the geometric mean over all positions: b such that b multiplied by itself once for each ply is the
      number of ways through the game, which the other two exceed.
    """

    pooled: Estimate
    by_game: Estimate
    geometric: Estimate


@dataclass(frozen=True, kw_only=True)
class Length:
    """How many moves the players make in a game, without chance's: the mean, quantiles, and every game's own."""

    mean: Estimate
    quantiles: dict[float, float]
    every: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Ply:
    """The legal moves at a ply (0 is the first move), over the games that came as far."""

    ply: int
    games: int
    moves: Estimate


@dataclass(frozen=True, kw_only=True)
class Tree:
    """The size of the game tree as log10.

    - `power`: b^d of the pooled branching factor and the mean length, as in L. V. Allis, *Searching for Solutions in
      Games and Artificial Intelligence*, University of Limburg (1994); with chance times c^e, the mean number of
      outcomes to the mean number of events, as in M. Schadd, *Selective Search in Games of Different Complexity*,
      Maastricht University (2011);
    - `lines`: the mean over games of Σ log10 bᵢ, the number of ways through a typical game;
    - `knuth`: the number of games from random lines, whoever else played.
    """

    power: Estimate
    lines: Estimate
    knuth: Knuth


@dataclass(frozen=True, kw_only=True)
class Complexity:
    """What `complexity` measured.

    `cut` counts the games that the limit of plies ended and `distinct` those that differ from each other: where they
    are few, a deterministic player repeats itself and the figures are about few lines of play. `wins`
    is the share of games that each seat won alone (nothing for one player) and `draws` that of the others.
    """

    game: str
    player: str
    games: int
    seed: int
    openings: str
    max_plies: int | None
    cut: int
    distinct: int
    branching: Branching
    length: Length
    curve: tuple[Ply, ...]
    wins: tuple[Estimate, ...]
    draws: Estimate | None
    tree: Tree
    states: States
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        data = dataclasses.asdict(self)
        data["length"]["quantiles"] = {f"{share:g}": each for share, each in self.length.quantiles.items()}
        data["states"]["total"] = self.states.total
        return data

    def figure(self, size: Size = "paper") -> Figure:
        """Legal moves by ply, and the distribution of the length."""
        return figure([self], size)


class _Played(NamedTuple):
    """What is left of a game: numbers only, since it travels between processes."""

    legal: tuple[int, ...]
    outcomes: tuple[int, ...]
    name: int
    result: tuple[float, ...]
    cut: bool
    weight: float = math.nan
    keys: frozenset[int] = frozenset()


def _play(unit: tuple[GameSpec, bool]) -> _Played:
    """Plays a game. Of a random line also its weight and the keys of its positions are asked for."""
    spec, is_line = unit
    record = play(spec)
    legal = tuple(each.legal for each in record.moves if each.seat is not None)
    outcomes = tuple(each.legal for each in record.moves if each.seat is None)
    name = derive(*(each.move for each in record.moves))
    played = _Played(legal, outcomes, name, record.result, record.adjudicated)
    if not is_line:
        return played
    position: Position = spec.game.start()
    keys, weight = {position.key}, math.fsum(map(math.log10, legal))
    for made in record.moves:
        if made.seat is None:
            # An outcome is drawn by its probability, not one in so many.
            chances = (share for each, share in position.outcomes if position.notation(each) == made.move)
            weight -= math.log10(next(chances))
        position = position.play(made.move)
        keys.add(position.key)
    return played._replace(weight=weight, keys=frozenset(keys))


def complexity(
    game: Game | str,
    player: Algorithm | str | None = None,
    games: int = 1000,
    seed: int = 1,
    *,
    openings: Openings | int | None = None,
    max_plies: int | None = 2000,
    positions: int = 100_000,
    workers: int | None = None,
    on: str = "local",
    progress: Callable[[int, int], object] | None = None,
) -> Complexity:
    """Measures a game by `games` games in which `player` (`Random`, if `None`) has every seat.

    The size of the tree and the number of positions are properties of the rules and not of a player: they are
    estimated from as many uniformly random lines.

    - `openings`: how games begin, an object of `kibitz.arena.openings` or so many random plies. A player other than
      `Random` would play the same game again and again, so for it the default is `Schedule.halving()`, random moves
      with a probability that falls from ½ to 1 %;
    - `max_plies`: longer games are ended there; the tree is then that of the games cut so, a lower bound;
    - `positions`: positions are counted exactly ply by ply until as many have been visited;
    - `workers`, `on`: see `kibitz.arena.executor.execute`; `progress(done, all)` is called after each game.

    The result depends on the seed, and neither on the workers nor on their order.
    """
    began = time.perf_counter()
    game = read_game(game) if isinstance(game, str) else game
    player = Random() if player is None else algorithm(player) if isinstance(player, str) else player
    if not isinstance(game, Game):
        raise TypeError(f"complexity() takes a game, such as kb.game('othello'), not {type(game).__name__}")
    if not isinstance(player, Algorithm):
        raise TypeError(f"complexity() takes an algorithm as the player, such as kb.Random(), not {player!r}")
    _whole("games", games, 1, 10**7)
    _whole("seed", seed, 0, (1 << 64) - 1)
    _whole("positions", positions, 0, 10**9)
    openings = _openings(openings, player)
    units = _units(game, player, games, seed, openings, max_plies)
    counted = count(game.start(), positions)
    played: list[_Played | None] = [None] * len(units)
    for done, (number, found) in enumerate(execute(_play, units, workers=workers, on=on), 1):
        played[number] = found
        if progress is not None:
            progress(done, len(units))
    every = [each for each in played if each is not None]
    selfplay, lines = every[:games], every[-games:]
    if not any(each.legal for each in selfplay):
        raise BadParameter(f"in {game} no player ever has a move; there is nothing to measure")
    branching, length, power, ways = _averages(selfplay)
    wins, draws = _results(selfplay, game.players)
    by_moves, complete = counted
    return Complexity(
        game=game_name(game),
        player=player.spec,
        games=games,
        seed=seed,
        openings=str(openings),
        max_plies=max_plies,
        cut=sum(each.cut for each in selfplay),
        distinct=len({each.name for each in selfplay}),
        branching=branching,
        length=length,
        curve=_curve(selfplay),
        wins=wins,
        draws=draws,
        tree=Tree(power=power, lines=ways, knuth=knuth([each.weight for each in lines])),
        states=States(by_moves=by_moves, complete=complete, **chao([each.keys for each in lines])),
        seconds=time.perf_counter() - began,
    )


def _openings(given: Openings | int | None, player: Algorithm) -> Openings:
    if given is None:
        return Openings() if isinstance(player, Random) else Schedule.halving()
    if isinstance(given, int) and not isinstance(given, bool):
        return RandomPlies(given) if given else Openings()
    if not isinstance(given, Openings):
        raise BadParameter(f"openings={given!r} must be a number of random plies or an Openings object")
    return given


def _units(
    game: Game, player: Algorithm, games: int, seed: int, openings: Openings, max_plies: int | None
) -> list[tuple[GameSpec, bool]]:
    """The games of the player, and random lines behind them unless the games are such lines themselves."""

    def spec(kind: str, who: Algorithm, index: int, moves: tuple[str, ...], noise: tuple[float, ...]) -> GameSpec:
        return GameSpec(
            game=game,
            players=(who,) * game.players,
            names=(who.name,) * game.players,
            opening=moves,
            noise=noise,
            seed=derive(seed, kind, index),
            max_plies=max_plies,
            index=index,
            block=index,
        )

    lines = [(spec("line", Random(), index, (), ()), True) for index in range(games)]
    if player == Random() and type(openings) is Openings:
        return lines
    begun = openings.draw(game, games, seed=derive(seed, "openings"))
    return [*((spec("game", player, index, *opening), False) for index, opening in enumerate(begun)), *lines]


def _averages(played: Sequence[_Played]) -> tuple[Branching, Length, Estimate, Estimate]:
    import numpy as np

    rows = np.array(
        [
            (
                len(each.legal),
                sum(each.legal),
                math.fsum(map(math.log10, each.legal)),
                len(each.outcomes),
                sum(each.outcomes),
                math.fsum(map(math.log10, each.outcomes)),
            )
            for each in played
        ]
    )
    lengths = rows[:, 0]

    def power(plies: Any, moves: Any, _ways: Any, events: Any, outcomes: Any, _chances: Any) -> Any:
        # Without chance there are no events, and 0/0 outcomes at each of them.
        wide = np.where(events > 0, outcomes / np.where(events > 0, events, 1), 1)
        return plies * np.log10(moves / plies) + events * np.log10(wide)

    means = rows[lengths > 0, 1] / lengths[lengths > 0]
    branching = Branching(
        pooled=jackknife(rows, lambda plies, moves, *_: moves / plies),
        by_game=jackknife(means[:, None], lambda mean: mean),
        geometric=jackknife(rows, lambda plies, _moves, ways, *_: 10 ** (ways / plies)),
    )
    quantiles = np.quantile(lengths, _QUANTILES)
    length = Length(
        mean=jackknife(rows, lambda plies, *_: plies),
        quantiles={share: float(each) for share, each in zip(_QUANTILES, quantiles, strict=True)},
        every=tuple(map(int, lengths)),
    )
    ways = jackknife(rows, lambda _plies, _moves, ways, _events, _outcomes, chances: ways + chances)
    return branching, length, jackknife(rows, power), ways


def _curve(played: Sequence[_Played]) -> tuple[Ply, ...]:
    plies = []
    for ply in range(max(len(each.legal) for each in played)):
        moves = [each.legal[ply] for each in played if len(each.legal) > ply]
        known = mean_interval(moves)
        mean = Estimate(math.fsum(moves) / len(moves), known.low, known.high)
        plies.append(Ply(ply=ply, games=len(moves), moves=mean))
    return tuple(plies)


def _results(played: Sequence[_Played], players: int) -> tuple[tuple[Estimate, ...], Estimate | None]:
    if players == 1:
        return (), None

    def share(count: int) -> Estimate:
        known = wilson(count, len(played))
        return Estimate(count / len(played), known.low, known.high)

    won = [shares(each.result) for each in played]
    wins = [sum(each[seat] == 1 for each in won) for seat in range(players)]
    return tuple(map(share, wins)), share(len(played) - sum(wins))


def figure(measured: Sequence[Complexity], size: Size = "paper") -> Figure:
    """Legal moves by ply and the distribution of the length, for one player or to compare several."""
    from kibitz import plots

    if not measured:
        raise BadParameter("there is nothing to plot; give what complexity() returned")
    title = " and ".join(dict.fromkeys(each.game for each in measured))
    labels = [("ply", "legal moves"), ("length of the game in plies", "games")]
    drawn, (curve, lengths) = plots.panels(labels, title, size=size)
    for each in measured:
        # Where few games are left the mean only shows which ones.
        shown = [ply for ply in each.curve if ply.games >= max(2, each.games / 50)]
        name = each.player if len(measured) > 1 else None
        low, middle, high = ([getattr(ply.moves, end) for ply in shown] for end in ("low", "value", "high"))
        plots.band(curve, [ply.ply + 1 for ply in shown], low, middle, high, label=name)
    if len(measured) == 1:
        plots.histogram(lengths, measured[0].length.every)
    else:
        plots.histogram(lengths, {each.player: each.length.every for each in measured})
        plots.common_legend(drawn)
    curve.set_ylim(bottom=0)
    return drawn
