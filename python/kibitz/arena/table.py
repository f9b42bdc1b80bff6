"""The table of a match: what its games say about its players."""

from __future__ import annotations

import dataclasses
import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kibitz.arena.playing import GameRecord
from kibitz.arena.ratings import Rating, rate
from kibitz.arena.statistics import (
    Interval,
    Sprt,
    SprtState,
    WinDrawLoss,
    elo,
    elo_interval,
    los,
    mean_interval,
    pentanomial,
    score_interval,
    shares,
)

__all__ = ["MatchResult", "Standing", "Tally"]


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A player in the table.

    - `total`, `seats`: wins, draws, losses and points in all games, and those of each seat;
    - `score`, `interval`: points a game with a 95 % interval from the variation between blocks, and `par`, the score
      of equally strong players;
    - `wilson`: the interval of the share of wins among decisive games;
    - `elo`, `elo_interval`: the difference to the opponents; `None` where `par` is not ½;
    - `los`: how sure it is that the player is above par;
    - `result`, `result_interval`: the result a game, in units of the game, for each of the player's seats;
    - `moves`: the moves that it searched, with the average `depth`, `nodes` and `seconds` of those searches;
    - `rating`: where more than two players sit in every combination;
    - `block_scores`: the score in each complete block, in their order.
    """

    name: str
    player: str
    total: WinDrawLoss
    seats: tuple[WinDrawLoss, ...]
    score: float
    interval: Interval
    par: float
    wilson: Interval
    elo: float | None
    elo_interval: Interval | None
    los: float
    result: float
    result_interval: Interval
    moves: int
    depth: float
    nodes: float
    seconds: float
    rating: Rating | None = None
    block_scores: tuple[float, ...] = dataclasses.field(default=(), repr=False)


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """What a match has shown so far; `complete` when it has played all it had to.

    `plies` and `branching` are averages of the length of games and of the moves there were to choose from; `repeated`
    counts games that are an earlier one move by move, and `adjudicated` those that the limit of plies ended; `chance`
    tells whether it had a part.
    """

    game: str
    standings: tuple[Standing, ...]
    games: int
    planned: int
    blocks: int
    plies: float
    branching: float
    adjudicated: int
    repeated: int
    chance: bool
    seed: int
    sprt: SprtState | None = None
    store: str | None = None
    run: str | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play: all games are there, or the sequential test has decided."""
        return self.games >= self.planned or (self.sprt is not None and self.sprt.decision is not None)

    def __getitem__(self, name: str) -> Standing:
        for each in self.standings:
            if each.name == name:
                return each
        raise KeyError(name)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know before believing the intervals."""
        found = []
        if self.repeated > self.games / 2 and not self.chance:
            found.append(
                f"{self.repeated} of {self.games} games repeat an earlier one move by move; if the players choose "
                "without randomness that tells nothing new, and the intervals are too narrow: give the match openings"
            )
        if self.adjudicated > self.games / 20:
            found.append(
                f"{self.adjudicated} of {self.games} games were ended by the limit of plies and count as draws"
            )
        return tuple(found)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON."""
        data = {**dataclasses.asdict(self), "complete": self.complete, "warnings": list(self.warnings)}
        for each in data["standings"]:
            del each["block_scores"]
        return data

    def rows(self) -> list[tuple[str, ...]]:
        """The points as texts, the heading first; scores and Elo differences with their 95 % intervals.

        Where there are ratings, they stand in the place of Elo.
        """
        rated = any(each.rating for each in self.standings)
        lines: list[tuple[str, ...]] = [("player", "games", "+", "=", "−", "score", "rating" if rated else "Elo")]
        for each in self.standings:
            total = each.total
            rating = f"{each.rating.mu:.1f} ± {2 * each.rating.sigma:.1f}" if each.rating else "–"
            counts = (f"{count:,}" for count in (total.games, total.wins, total.draws, total.losses))
            lines.append((each.name, *counts, _score(each), rating if rated else _elo(each)))
        return lines

    def effort_rows(self) -> list[tuple[str, ...]]:
        """The result a game and the effort a move as texts, the heading first."""
        lines: list[tuple[str, ...]] = [("player", "result a game", "depth", "nodes a move", "time a move")]
        for each in self.standings:
            result = "–" if math.isnan(each.result) else f"{each.result:+.3f}"
            if math.isfinite(each.result_interval.low):
                result += f" ({each.result_interval.low:+.3f} to {each.result_interval.high:+.3f})"
            effort = (f"{each.depth:.1f}", f"{each.nodes:,.0f}", _time(each.seconds)) if each.moves else ("–",) * 3
            lines.append((each.name, result, *effort))
        return lines

    def __str__(self) -> str:
        lines = [f"{self.game}: {self.summary}", *_aligned(self.rows()), "", *_aligned(self.effort_rows())]
        return "\n".join([*lines, *(f"note: {each}" for each in self.warnings)])

    @property
    def summary(self) -> str:
        """The games in one line."""
        count = f"{self.games:,}" if self.complete else f"{self.games:,} of {self.planned:,}"
        text = f"{count} games, {self.plies:.1f} plies and {self.branching:.1f} moves to choose from on average"
        if self.sprt is not None:
            means = {None: "undecided", "accept": "elo1 accepted", "reject": "elo0 accepted"}
            bounds = f"{self.sprt.lower:.2f}, {self.sprt.upper:.2f}"
            text += f"; SPRT {means[self.sprt.decision]} (LLR {self.sprt.llr:.2f} in [{bounds}])"
        return text


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) if number == 0 else cell.rjust(width) for number, (cell, width) in enumerate(cells))
        for cells in (list(zip(row, widths, strict=True)) for row in rows)
    ]


def _score(each: Standing) -> str:
    if not each.total.games:
        return "–"
    return f"{100 * each.score:.1f} % ({100 * each.interval.low:.1f} to {100 * each.interval.high:.1f})"


def _elo(each: Standing) -> str:
    if each.elo is None or each.elo_interval is None or math.isnan(each.elo):
        return "–"
    return f"{_signed(each.elo)} ({_signed(each.elo_interval.low)} to {_signed(each.elo_interval.high)})"


def _signed(points: float) -> str:
    return f"{points:+.0f}" if math.isfinite(points) else f"{points:+}".replace("inf", "∞")


def _time(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{1e6 * seconds:.0f} µs"
    return f"{1e3 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


_Outcome = tuple[tuple[int, ...], tuple[float, ...]]
"""The kind of player in each seat, and the points of each."""


class _Game(NamedTuple):
    """What the table needs of a game, in little memory, since there may be a million of them.

    `searches` has four numbers for each kind: its searches, and the sums of their depths, nodes and seconds.
    """

    block: int
    kinds: tuple[int, ...]
    shares: tuple[float, ...]
    result: tuple[float, ...]
    plies: int
    chosen: int
    legal: int
    adjudicated: bool
    line: int
    searches: array[float]


class Tally:
    """Counts the games of a match in any order, each once, and makes the table."""

    def __init__(
        self,
        *,
        game: str,
        names: Sequence[str],
        players: Sequence[str],
        seats: int,
        block_size: int,
        planned: int,
        seed: int,
        sprt: Sprt | None = None,
    ) -> None:
        self.planned = planned
        self._game = game
        self._seed = seed
        self._names = tuple(names)
        self._players = tuple(players)
        self._kind = {name: kind for kind, name in enumerate(names)}
        self._seats = seats
        self._block_size = block_size
        self._games: dict[int, _Game] = {}
        self._chance = False
        self._outcomes: dict[_Outcome, _Outcome] = {}
        self._in_block: defaultdict[int, int] = defaultdict(int)
        self._sprt = sprt
        self._pairs: dict[int, list[float]] = defaultdict(list)
        self._tested = 0
        self._counts: tuple[int, ...] = (0,) * 5
        self._state = sprt.state((0,) * 5) if sprt else None

    @property
    def games(self) -> int:
        """The number of games counted."""
        return len(self._games)

    @property
    def decided(self) -> bool:
        """Whether the sequential test has ended the match."""
        return self._state is not None and self._state.decision is not None

    def add(self, record: GameRecord) -> None:
        """Counts a game. One that was counted already, or is not planned, changes nothing."""
        if record.index in self._games or not 0 <= record.index < self.planned:
            return
        kinds = tuple(self._kind[name] for name in record.names)
        sums = array("d", bytes(32 * len(self._names)))
        chosen = legal = 0
        for move in record.moves:
            if move.seat is None:
                self._chance = True
                continue
            chosen += 1
            legal += move.legal
            if move.origin == "search":
                own = 4 * kinds[move.seat]
                sums[own] += 1
                sums[own + 1] += move.depth or 0
                sums[own + 2] += move.nodes or 0
                sums[own + 3] += move.seconds or 0.0
        # Few are different from each other: equal ones are one object.
        outcome = (kinds, shares(record.result))
        kinds, points = self._outcomes.setdefault(outcome, outcome)
        found = _Game(
            block=record.block,
            kinds=kinds,
            shares=points,
            result=record.result,
            plies=record.plies,
            chosen=chosen,
            legal=legal,
            adjudicated=record.adjudicated,
            line=hash((kinds, tuple(move.move for move in record.moves))),
            searches=sums,
        )
        self._games[record.index] = found
        self._in_block[record.block] += 1
        if self._sprt is not None and not self.decided:
            self._test(found)

    def _test(self, game: _Game) -> None:
        """Goes on with the sequential test, block by block in their order, whatever the order in which they end."""
        self._pairs[game.block].append(game.shares[game.kinds.index(0)])
        while not self.decided and len(self._pairs.get(self._tested, ())) == self._block_size:
            pair = self._pairs.pop(self._tested)
            more = pentanomial([math.fsum(pair) / len(pair)])
            self._counts = tuple(map(sum, zip(self._counts, more, strict=True)))
            self._tested += 1
            assert self._sprt is not None
            self._state = self._sprt.state(self._counts)

    def outcomes(self) -> list[tuple[tuple[str, ...], tuple[float, ...]]]:
        """The names of the players and their results, game by game in their order."""
        return [
            (tuple(self._names[kind] for kind in game.kinds), game.result) for _, game in sorted(self._games.items())
        ]

    def result(self, *, store: str | None = None, run: str | None = None) -> MatchResult:
        """The table. What was played after the sequential test had decided does not count."""
        last = self._tested if self.decided else math.inf
        games = [game for _, game in sorted(self._games.items()) if game.block < last]
        whole = [game for game in games if self._in_block[game.block] == self._block_size]
        chosen = sum(game.chosen for game in games)
        return MatchResult(
            game=self._game,
            seed=self._seed,
            standings=self._standings(games, whole),
            games=len(games),
            planned=self.planned,
            blocks=len({game.block for game in whole}),
            plies=_mean(game.plies for game in games),
            branching=sum(game.legal for game in games) / chosen if chosen else math.nan,
            adjudicated=sum(game.adjudicated for game in games),
            repeated=len(games) - len({game.line for game in games}),
            chance=self._chance,
            sprt=self._state,
            store=store,
            run=run,
        )

    def _standings(self, games: list[_Game], whole: list[_Game]) -> tuple[Standing, ...]:
        if self._seats == 1:
            games = _best_of_blocks(games)
            whole = [game for game in games if self._in_block[game.block] == self._block_size]
        ratings = self._ratings(games)
        found = [self._standing(kind, games, whole, ratings) for kind in range(len(self._names))]
        return tuple(sorted(found, key=lambda each: -each.score if each.total.games else 0.0))

    def _standing(self, kind: int, games: list[_Game], whole: list[_Game], ratings: dict[str, Rating]) -> Standing:
        par = 1 / (len(self._names) if self._seats == 1 else min(len(self._names), self._seats))
        points: list[float] = []
        seats: list[list[float]] = [[] for _ in range(self._seats)]
        for game in games:
            if kind in game.kinds:
                points.append(_of(kind, game.kinds, game.shares))
                for seat, each in enumerate(game.kinds):
                    if each == kind:
                        seats[seat].append(game.shares[seat])
        scores: defaultdict[int, list[float]] = defaultdict(list)
        results: defaultdict[int, list[float]] = defaultdict(list)
        for game in whole:
            if kind in game.kinds:
                scores[game.block].append(_of(kind, game.kinds, game.shares))
                results[game.block] += [each for seat, each in enumerate(game.result) if game.kinds[seat] == kind]
        total = WinDrawLoss.of(points)
        of_blocks = [_mean(each) for each in scores.values()]
        interval = score_interval(of_blocks) if of_blocks else Interval(0.0, 1.0)
        even = math.isclose(par, 0.5)
        moves, depth, nodes, seconds = (
            math.fsum(game.searches[4 * kind + figure] for game in games) for figure in range(4)
        )
        name = self._names[kind]
        own = [_mean(each) for each in results.values()]
        return Standing(
            name=name,
            player=self._players[kind],
            total=total,
            seats=tuple(map(WinDrawLoss.of, seats)),
            score=total.score,
            interval=interval,
            par=par,
            wilson=total.wilson(),
            elo=(elo(total.score) if total.games else math.nan) if even else None,
            elo_interval=elo_interval(interval) if even else None,
            los=los(of_blocks, par) if of_blocks and par < 1 else 0.5,
            result=_mean(each for game in games for seat, each in enumerate(game.result) if game.kinds[seat] == kind),
            result_interval=mean_interval(own),
            moves=int(moves),
            depth=depth / moves if moves else math.nan,
            nodes=nodes / moves if moves else math.nan,
            seconds=seconds / moves if moves else math.nan,
            rating=ratings.get(name),
            block_scores=tuple(of_blocks),
        )

    def _ratings(self, games: list[_Game]) -> dict[str, Rating]:
        """Ratings where there are more than two players and none has two seats."""
        if len(self._names) < 3 or not 2 <= self._seats <= len(self._names):
            return {}
        return rate((tuple(self._names[kind] for kind in game.kinds), game.result) for game in games)


def _of(kind: int, kinds: tuple[int, ...], each: tuple[float, ...]) -> float:
    return math.fsum(value for seat, value in enumerate(each) if kinds[seat] == kind)


def _best_of_blocks(games: list[_Game]) -> list[_Game]:
    """Games of one player: the point of a block goes to whoever did best in it."""
    in_block: defaultdict[int, list[_Game]] = defaultdict(list)
    for game in games:
        in_block[game.block].append(game)
    return [
        game._replace(shares=(share,))
        for block in in_block.values()
        for game, share in zip(block, shares([each.result[0] for each in block]), strict=True)
    ]


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else math.nan
