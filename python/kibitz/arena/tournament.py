"""Tournaments: round robins and gauntlets of matches between pairs of players, described in a TOML file."""

from __future__ import annotations

import dataclasses
import itertools
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import kibitz as kb
from kibitz.arena.match import Match, match
from kibitz.arena.openings import Openings, RandomPlies, Schedule
from kibitz.arena.ratings import Rating, rate
from kibitz.arena.statistics import Interval, WinDrawLoss, elo, elo_interval, score_interval
from kibitz.arena.table import MatchResult, Standing, Tally
from kibitz.store import Store

__all__ = ["Place", "Tournament", "TournamentResult"]

Kind = Literal["round-robin", "gauntlet"]


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """A tournament before it is played.

    In a round robin every two players meet, in a gauntlet every challenger meets all who are not. A meeting is a match
    of `games` games; at a game of three or more the two fill all seats in all ways that mix them. All meetings have the
    same openings.
    """

    name: str
    game: kb.Game
    players: Mapping[str, kb.Algorithm]
    kind: Kind = "round-robin"
    challengers: tuple[str, ...] = ()
    games: int = 100
    seed: int = 1
    openings: Openings = dataclasses.field(default_factory=Openings)
    start: str | None = None
    max_plies: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("round-robin", "gauntlet"):
            raise kb.BadParameter(f"kind={self.kind!r} is not one of round-robin, gauntlet")
        if len(self.players) < 2:
            raise kb.BadParameter(f"a tournament needs two players or more, not {len(self.players)}")
        if self.game.players < 2:
            raise kb.BadParameter(f"{self.game} is for one player; compare players at it with kibitz match")
        for name in self.challengers:
            if name not in self.players:
                raise kb.BadParameter(
                    f"there is no player {name!r} for challengers; there are {', '.join(self.players)}"
                )
        if self.kind == "gauntlet" and not 0 < len(set(self.challengers)) < len(self.players):
            raise kb.BadParameter("a gauntlet needs challengers, and somebody who is none")
        if self.kind == "round-robin" and self.challengers:
            raise kb.BadParameter('challengers belong to a gauntlet; write kind = "gauntlet"')
        for pair in self.pairs:
            self._match(pair)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Who meets whom."""
        if self.kind == "gauntlet":
            rest = [name for name in self.players if name not in self.challengers]
            return tuple(itertools.product(dict.fromkeys(self.challengers), rest))
        return tuple(itertools.combinations(self.players, 2))

    def run_of(self, pair: tuple[str, str]) -> str:
        """The name of the run of a meeting in the store."""
        # The names of players may have the sign between them too.
        equal = [each for each in self.pairs if "-".join(each) == "-".join(pair)]
        number = equal.index(pair) + 1
        return f"{self.name}/{'-'.join(pair)}" + (f" #{number}" if number > 1 else "")

    def _match(self, pair: tuple[str, str]) -> Match:
        return Match(
            game=self.game,
            players=tuple((name, self.players[name]) for name in pair),
            games=self.games,
            seed=self.seed,
            openings=self.openings,
            start=self.start,
            max_plies=self.max_plies,
        )

    def play(
        self,
        *,
        store: Store | str | Path | None = None,
        workers: int | None = None,
        on: str = "local",
        progress: Callable[[tuple[str, str], Tally], object] | None = None,
    ) -> TournamentResult:
        """Plays what is not in the store yet, meeting by meeting."""
        if store is not None and not isinstance(store, Store):
            with Store.open(store) as opened:
                return self.play(store=opened, workers=workers, on=on, progress=progress)
        results: dict[tuple[str, str], MatchResult] = {}
        outcomes: list[tuple[tuple[str, ...], tuple[float, ...]]] = []
        for pair in self.pairs:
            last: list[Tally] = []

            def tell(tally: Tally, pair: tuple[str, str] = pair, last: list[Tally] = last) -> None:
                last[:] = [tally]
                if progress is not None:
                    progress(pair, tally)

            results[pair] = match(
                self.game,
                {name: self.players[name] for name in pair},
                games=self.games,
                seed=self.seed,
                openings=self.openings,
                start=self.start,
                max_plies=self.max_plies,
                store=store,
                run=self.run_of(pair),
                workers=workers,
                on=on,
                progress=tell,
            )
            outcomes += last[0].outcomes()
        return self.result(results, outcomes)

    def result(
        self,
        results: Mapping[tuple[str, str], MatchResult],
        outcomes: Sequence[tuple[tuple[str, ...], tuple[float, ...]]] = (),
    ) -> TournamentResult:
        """The table of the meetings that there are, of which the last may be going on; with ratings by outcomes."""
        return TournamentResult(self, results, self._places(results, outcomes))

    def _places(
        self,
        results: Mapping[tuple[str, str], MatchResult],
        outcomes: Sequence[tuple[tuple[str, ...], tuple[float, ...]]],
    ) -> tuple[Place, ...]:
        # A game rates players that sit in one seat each.
        ratings = rate(outcomes) if self.game.players == 2 and len(self.players) > 2 else {}
        found = []
        for name in self.players:
            own = [result[name] for pair, result in results.items() if name in pair]
            total = sum((each.total for each in own), WinDrawLoss())
            # All meetings have the same openings and random numbers, so that games against different opponents are
            # not independent of each other: what varies is the mean over the meetings, from opening to opening. A
            # meeting that is going on has not played the last openings yet.
            columns = itertools.zip_longest(*(result.block_scores for result in own))
            played = [[score for score in column if score is not None] for column in columns]
            scores = [math.fsum(each) / len(each) for each in played]
            interval = score_interval(scores, sizes=list(map(len, played))) if scores else Interval(0.0, 1.0)
            found.append(
                Place(
                    name=name,
                    player=self.players[name].spec,
                    total=total,
                    interval=interval,
                    elo=elo(total.score) if total.games else math.nan,
                    elo_interval=elo_interval(interval),
                    rating=ratings.get(name),
                )
            )
        return tuple(sorted(found, key=lambda place: -place.total.score if place.total.games else 0.0))

    @classmethod
    def read(cls, path: str | Path, game: Callable[[str], kb.Game] = kb.game) -> Tournament:
        """The tournament of a TOML file; `game` reads the text of a game."""
        path = Path(path)
        try:
            data = _toml(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise kb.BadParameter(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
        except ValueError as error:
            raise kb.BadParameter(f"{path} is not TOML: {' '.join(str(error).split())}") from error
        try:
            return cls.of(data, name=path.stem, game=game)
        except kb.Error as error:
            raise type(error)(f"{path}: {error}") from error

    @classmethod
    def of(cls, data: Mapping[str, Any], *, name: str, game: Callable[[str], kb.Game] = kb.game) -> Tournament:
        """The tournament of the data of a file."""
        known = {each.name for each in dataclasses.fields(cls)}
        for key in data:
            if key not in known:
                raise kb.BadParameter(f"{key!r} means nothing here; there are {', '.join(sorted(known))}")
        for key in ("game", "players"):
            if key not in data:
                raise kb.BadParameter(f"{key} is missing")
        given = dict(data)
        given.setdefault("name", name)
        for key, kind, words in (("game", str, "a text"), ("players", dict, "a table"), ("name", str, "a text")):
            if not isinstance(given[key], kind):
                raise kb.BadParameter(f"{key} must be {words}, not {given[key]!r}")
        given["game"] = game(given["game"])
        given["players"] = {each: _player(each, player) for each, player in given["players"].items()}
        if "openings" in given:
            given["openings"] = _openings(given["openings"])
        challengers = given.get("challengers", [])
        if not isinstance(challengers, list) or not all(isinstance(each, str) for each in challengers):
            raise kb.BadParameter(f"challengers must be a list of names, not {challengers!r}")
        given["challengers"] = tuple(challengers)
        for key in ("start", "kind"):
            if key in given and not isinstance(given[key], str):
                raise kb.BadParameter(f"{key} must be a text, not {given[key]!r}")
        if "max_plies" in given and (isinstance(given["max_plies"], bool) or not isinstance(given["max_plies"], int)):
            raise kb.BadParameter(f"max_plies must be a whole number, not {given['max_plies']!r}")
        return cls(**given)


def _toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib

        return tomllib.loads(text)
    import tomli

    return tomli.loads(text)


def _player(name: str, given: object) -> kb.Algorithm:
    """A player from its text, or from a table with the algorithm and its parameters."""
    try:
        if isinstance(given, str):
            return kb.algorithm(given)
        if isinstance(given, dict) and isinstance(given.get("algorithm"), str):
            parameters = {key: value for key, value in given.items() if key != "algorithm"}
            return kb.algorithm(given["algorithm"]).replace(**parameters)
    except kb.Error as error:
        raise type(error)(f"player {name!r}: {error}") from error
    raise kb.BadParameter(
        f'player {name!r} must be a text such as "uct:simulations=500", or a table with an algorithm, not {given!r}'
    )


def _openings(given: object) -> Openings:
    if isinstance(given, int) and not isinstance(given, bool):
        return RandomPlies(given) if given else Openings()
    if isinstance(given, list) and all(isinstance(each, int | float) and not isinstance(each, bool) for each in given):
        return Schedule(tuple(map(float, given)))
    raise kb.BadParameter(f"openings must be a number of random plies or a list of probabilities, not {given!r}")


@dataclass(frozen=True, kw_only=True)
class Place:
    """A player in the table: all its games together."""

    name: str
    player: str
    total: WinDrawLoss
    interval: Interval
    elo: float
    elo_interval: Interval
    rating: Rating | None = None


@dataclass(frozen=True)
class TournamentResult:
    """The meetings of a tournament, and its table."""

    tournament: Tournament
    meetings: Mapping[tuple[str, str], MatchResult]
    places: tuple[Place, ...]

    def score(self, first: str, second: str) -> float | None:
        """What a player scored against another; `None` if they did not meet."""
        found = self.standing(first, second)
        return None if found is None else found.score

    def standing(self, first: str, second: str) -> Standing | None:
        """How a player did against another; `None` if they did not meet."""
        for pair in ((first, second), (second, first)):
            if pair in self.meetings:
                return self.meetings[pair][first]
        return None

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON."""
        return {
            "name": self.tournament.name,
            "kind": self.tournament.kind,
            "places": [dataclasses.asdict(place) for place in self.places],
            "meetings": [{"players": list(pair), "result": result.as_dict()} for pair, result in self.meetings.items()],
        }
