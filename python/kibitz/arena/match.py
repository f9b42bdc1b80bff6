"""Matches: any players at any game, seats balanced, openings shared, every game stored as it ends."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import kibitz as kb
from kibitz.arena.executor import cores, execute
from kibitz.arena.openings import Opening, Openings, RandomPlies
from kibitz.arena.playing import GameSpec, code_of, derive, game_name, parameters, play
from kibitz.arena.seating import Seating, blocks, rounds_for, schedule
from kibitz.arena.statistics import Sprt
from kibitz.arena.table import MatchResult, Tally
from kibitz.store import Store

__all__ = ["Match", "match"]

Players = Mapping[str, kb.Algorithm | str] | Sequence[kb.Algorithm | str]


@dataclass(frozen=True, kw_only=True)
class Match:
    """A match before it is played: the players with their names, the game, and how its games begin and end.

    The games are a pure function of it, except for players that are limited by time.
    """

    game: kb.Game
    players: tuple[tuple[str, kb.Algorithm], ...]
    games: int = 1000
    seed: int = 1
    openings: Openings = field(default_factory=Openings)
    start: str | None = None
    max_plies: int | None = None

    @classmethod
    def of(cls, game: kb.Game | str, players: Players, **given: Any) -> Match:
        """A match from what people write: names of games and algorithms as texts, a number of random plies."""
        openings = given.pop("openings", None)
        if openings is None:
            openings = Openings()
        elif isinstance(openings, int) and not isinstance(openings, bool):
            openings = RandomPlies(openings) if openings else Openings()
        elif not isinstance(openings, Openings):
            raise kb.BadParameter(f"openings={openings!r} must be a number of random plies or an Openings object")
        rules = kb.game(game) if isinstance(game, str) else game
        if not isinstance(rules, kb.Game):
            raise kb.BadParameter(f"the game {game!r} must be a kb.Game or the text of one, such as 'othello'")
        return cls(game=rules, players=_named(players), openings=openings, **given)

    def __post_init__(self) -> None:
        for name, least, most in (("games", 1, 10**9), ("seed", 0, (1 << 64) - 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise kb.BadParameter(f"{name}={value!r} must be a whole number from {least} to {most}")
        if self.max_plies is not None and (isinstance(self.max_plies, bool) or not isinstance(self.max_plies, int)):
            raise kb.BadParameter(f"max_plies={self.max_plies!r} must be a whole number")
        if isinstance(self.openings, RandomPlies) and 0 < (self.max_plies or 0) <= self.openings.plies:
            raise kb.BadParameter(
                f"max_plies={self.max_plies} ends every game in its opening of {self.openings.plies} random plies; "
                "allow more plies, or take shorter openings"
            )
        if self.start is not None and not isinstance(self.start, str):
            raise kb.BadParameter(f"start={self.start!r} must be the text of a position")
        blocks(len(self.players), self.game.players)
        self._spec(0, Seating(0, (0,) * self.game.players), Opening())
        if self.start is not None and self.game.position(self.start).over:
            raise kb.BadParameter(f"the game is over in the position {self.start!r}; start from another one")

    @property
    def planned(self) -> int:
        """The number of games: `games`, rounded up to whole rounds."""
        seatings = sum(map(len, blocks(len(self.players), self.game.players)))
        return seatings * rounds_for(self.games, seatings)

    @property
    def block_size(self) -> int:
        """The number of games that share an opening."""
        return len(blocks(len(self.players), self.game.players)[0])

    def specs(self) -> Iterator[GameSpec]:
        """The games in their order. The openings are drawn before this returns."""
        openings = self.openings.draw(self.game, self.planned // self.block_size, seed=self.seed, start=self.start)
        seatings = enumerate(schedule(len(self.players), self.game.players, self.games))
        return (self._spec(index, seating, openings[seating.block]) for index, seating in seatings)

    def _spec(self, index: int, seating: Seating, opening: Opening) -> GameSpec:
        seated = [self.players[kind] for kind in seating.players]
        return GameSpec(
            game=self.game,
            players=tuple(player for _, player in seated),
            names=tuple(name for name, _ in seated),
            opening=opening.moves,
            start=self.start,
            # The games of a block have the same seed: the same chance and, for equal players, the same moves.
            seed=derive(self.seed, "block", seating.block),
            max_plies=self.max_plies,
            index=index,
            block=seating.block,
            noise=opening.noise,
        )

    @property
    def spec(self) -> dict[str, Any]:
        """What must be equal for a match to be resumed. More games, or other stopping, only go on with it.

        The version of kibitz and the code of games and players in Python belong to it: games of two programs do not
        make one match.
        """
        return {
            "kind": "match",
            "version": kb.__version__,
            "code": code_of(self.game, *(player for _, player in self.players)),
            "game": game_name(self.game),
            "players": [[name, player.name, parameters(player)] for name, player in self.players],
            "seed": self.seed,
            "openings": repr(self.openings),
            "start": self.start,
            "max_plies": self.max_plies,
        }

    @property
    def name(self) -> str:
        """A name for the run: the game, and a few letters that tell it from others."""
        digest = hashlib.sha256(json.dumps(self.spec, sort_keys=True).encode()).hexdigest()[:6]
        place = re.split(r"[(:]", self.spec["game"])[0]
        word = re.sub(r"[^A-Za-z0-9]+", "-", place.rpartition(".")[2]).strip("-")
        return f"{word or 'match'}-{digest}"

    def tally(self, sprt: Sprt | None = None) -> Tally:
        """An empty table for it."""
        seats = self.game.players
        if sprt is not None and (seats != 2 or len(self.players) != 2):
            raise kb.BadParameter(
                f"a sequential test compares two players at a game of two, not {len(self.players)} at one of {seats}"
            )
        return Tally(
            game=game_name(self.game),
            names=[name for name, _ in self.players],
            players=[player.spec for _, player in self.players],
            seats=seats,
            block_size=self.block_size,
            planned=self.planned,
            seed=self.seed,
            sprt=sprt,
        )


def _named(players: Players) -> tuple[tuple[str, kb.Algorithm], ...]:
    """The players with distinct names: those of a mapping, else their texts, numbered where they are equal."""
    if isinstance(players, str) or not isinstance(players, Mapping | Sequence):
        raise kb.BadParameter(f"players={players!r} must be a list of algorithms, or a mapping from names to them")
    given = players.items() if isinstance(players, Mapping) else ((None, each) for each in players)
    found: dict[str, kb.Algorithm] = {}
    for name, each in given:
        player = kb.algorithm(each) if isinstance(each, str) else each
        if not isinstance(player, kb.Algorithm):
            raise kb.BadParameter(
                f"the player {each!r} must be an algorithm or its text, such as 'uct:simulations=500'"
            )
        if name is not None and (not isinstance(name, str) or not name.strip()):
            raise kb.BadParameter(f"the name {name!r} of a player must be a text")
        base, number = name or player.spec, 1
        while (text := base if number == 1 else f"{base} #{number}") in found:
            number += 1
        found[text] = player
    return tuple(found.items())


def match(
    game: kb.Game | str,
    players: Players,
    *,
    games: int = 1000,
    seed: int = 1,
    openings: Openings | int | None = None,
    start: str | None = None,
    max_plies: int | None = None,
    sprt: Sprt | tuple[float, float] | None = None,
    store: Store | str | Path | None = None,
    run: str | None = None,
    workers: int | None = None,
    on: str = "local",
    progress: Callable[[Tally], object] | None = None,
) -> MatchResult:
    """Plays a match and returns its table.

    Players sit in every way that a fair design asks for (see `kibitz.arena.seating`): two players of a game of two
    exchange their seats, with one opening for both games. The number of games is rounded up to whole rounds of it.

    - `openings`: so many random plies, distinct for each block of games, or an object of `kibitz.arena.openings`;
    - `max_plies`: the game is a draw when the players have made as many moves;
    - `sprt`: elo0 and elo1 of a sequential test that ends the match as soon as it decides;
    - `store`, `run`: the file that every game is written to as it ends, and the name there; the same match goes on
      where it was, after a crash or with more games;
    - `workers`, `on`: see `kibitz.arena.executor.execute`; by default every core has a game;
    - `progress` is told of the table after every game.

    >>> table = match("tic-tac-toe", {"careful": "alphabeta", "careless": "random"}, games=20, workers=0)
    >>> table["careful"].total.losses
    0
    """
    planned = Match.of(game, players, games=games, seed=seed, openings=openings, start=start, max_plies=max_plies)
    if sprt is not None and not isinstance(sprt, Sprt):
        if not isinstance(sprt, Sequence) or len(sprt) != 2:
            raise kb.BadParameter(f"sprt={sprt!r} must be two Elo differences, such as (0, 10)")
        sprt = Sprt(*sprt)
    for what, value in (("run", run), ("on", on)):
        if value is not None and not isinstance(value, str):
            raise kb.BadParameter(f"{what}={value!r} must be a text")
    if store is not None and not isinstance(store, Store | str | Path):
        raise kb.BadParameter(f"store={store!r} must be a file or a Store")
    tally = planned.tally(sprt)
    name = run or planned.name
    with contextlib.ExitStack() as stack:
        if store is not None and not isinstance(store, Store):
            store = stack.enter_context(Store.open(store))
        place = {} if store is None else {"store": str(store.path), "run": name}
        number = None if store is None else store.find(name, planned.spec)
        done: set[str] = set()
        if store is not None and number is not None:
            for record in store.records(number):
                done.add(record.spec_key)
                tally.add(record)
            if progress is not None and done:
                progress(tally)
        if tally.decided or tally.games >= tally.planned:
            return tally.result(**place)
        missing = (spec for spec in planned.specs() if spec.key not in done)
        if workers is None and on == "local":
            workers = max(1, cores() // max(getattr(player, "threads", 1) for _, player in planned.players))
        results = execute(play, missing, workers=workers, on=on)
        with contextlib.closing(results):
            for _, record in results:
                if store is not None:
                    # Only with its first game: what cannot be played leaves nothing behind.
                    number = store.run(name, planned.spec) if number is None else number
                    if not store.add(number, record):
                        # Another process plays the same match and was faster: what is in the store counts.
                        record = store.game(number, record.spec_key)
                tally.add(record)
                if progress is not None:
                    progress(tally)
                if tally.decided:
                    break
        return tally.result(**place)
