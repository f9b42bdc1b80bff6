"""A game that is being played: seats, moves, what was taken back, how it ended, and all of it as plain data."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import kibitz as kb
from kibitz.arena.playing import GameRecord, MoveRecord, _shared, derive, outcome
from kibitz.game_record import game_text, parse_game_text
from kibitz.web.inputs import check_text, read_algorithm, read_game, read_position
from kibitz.web.secrecy import kept_from
from kibitz.web.storage import new_id

__all__ = ["MOST_MOVES", "Clock", "Ending", "Played", "PlayedGame", "Seat"]

_FORMAT = "kibitz web game 1"

MOST_MOVES = 10_000
"""No game goes on for longer; its file stays small enough to be written after every move."""


@dataclass(frozen=True)
class Seat:
    """Who sits there: a person, or an engine as text. Whoever knows the key may play for it."""

    name: str
    engine: str | None = None
    key: str = field(default_factory=new_id)


@dataclass(frozen=True)
class Clock:
    """Seconds for the whole game, and those that every move adds."""

    seconds: float
    increment: float = 0.0


@dataclass(frozen=True)
class Ending:
    """An end that the rules do not know: somebody resigns, runs out of time, or the moves are too many."""

    reason: Literal["resigned", "time", "length"]
    seat: int | None = None


@dataclass(frozen=True)
class Played:
    """A move, and the players who did not see which one it was."""

    move: MoveRecord
    kept_from: frozenset[int] = frozenset()


class PlayedGame:
    """The position is always that after `moves`; `undone` has the moves that were taken back, the next one last."""

    def __init__(
        self,
        game: str,
        seats: Sequence[Seat],
        *,
        start: str | None = None,
        seed: int = 0,
        clock: Clock | None = None,
        max_plies: int = 1000,
        take_back: bool = True,
        owner: str = "",
    ) -> None:
        self.rules = read_game(game)
        self.game = self.rules.spec if isinstance(self.rules, kb.NativeGame) else game
        if len(seats) != self.rules.players:
            raise kb.BadParameter(f"{self.game} has {self.rules.players} seats, not {len(seats)}")
        if not 1 <= max_plies <= MOST_MOVES:
            raise kb.BadParameter(f"a game has at most {MOST_MOVES} moves, not {max_plies}")
        if clock is not None and not (0 < clock.seconds <= 1e6 and 0 <= clock.increment <= 1e4):
            raise kb.BadParameter("a clock has more than no time, and an increment of zero or more seconds")
        for seat in seats:
            check_text(seat.name, "a name", 60)
            if seat.engine is not None:
                read_algorithm(seat.engine)
        self.seats = tuple(seats)
        self.start = start or None
        self.seed = seed
        self.clock = clock
        self.left = [clock.seconds if clock else 0.0 for _ in seats]
        self.max_plies = max_plies
        # Who has seen what others did, and then takes back, knows more than before.
        self.take_back = take_back and not (self.hidden and len(self.people) > 1)
        self.owner = owner
        self.host_key = new_id()
        self.created = time.time()
        self.moves: list[Played] = []
        self.undone: list[Played] = []
        self.positions: list[kb.Position] = [read_position(self.rules, start or "")]
        self.ending: Ending | None = None

    @property
    def now(self) -> kb.Position:
        """The position on the board."""
        return self.positions[-1]

    @property
    def turn(self) -> int | Literal["chance"] | None:
        """Whose turn it is; nobody's when the game is over, by the rules or otherwise."""
        return None if self.ending else self.now.turn

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn is None

    @property
    def hidden(self) -> bool:
        """Whether the players do not see everything."""
        return self.rules.hidden

    @property
    def people(self) -> frozenset[int]:
        """The seats of people."""
        return frozenset(number for number, seat in enumerate(self.seats) if seat.engine is None)

    def seats_of(self, key: str | None) -> frozenset[int]:
        """The seats for which a key may play: the host's for all people, a seat's own for this seat."""
        if key == self.host_key:
            return self.people
        return frozenset(number for number in self.people if self.seats[number].key == key)

    def play(self, text: str, report: Mapping[str, Any] | None = None, seconds: float | None = None) -> None:
        """Plays a move of whoever is to move, with the figures of its search if there was one."""
        if self.over:
            raise kb.IllegalMove("the game is over")
        before = self.now
        legal = before.moves
        after = before.play(text)
        seat = before.turn if isinstance(before.turn, int) else None
        known = report or {}
        origin = "chance" if seat is None else "search"
        value = known.get("value")
        known_value = value if value is not None and math.isfinite(value) else None
        figures = (known_value, known.get("depth"), known.get("nodes"), seconds)
        made = MoveRecord(seat, text, *figures, len(legal), cast(Any, origin))
        self._push(Played(made, kept_from(before, text, after)), after)
        self.undone.clear()

    def roll(self) -> None:
        """Lets chance move. Its luck depends on how often it has moved, so that taking back does not change it."""
        event = sum(played.move.seat is None for played in self.moves)
        chosen, _ = outcome(self.now, derive(self.seed, "chance", event))
        self.play(self.now.notation(chosen))

    def _push(self, played: Played, after: kb.Position) -> None:
        self.moves.append(played)
        self.positions.append(after)
        plies = sum(each.move.seat is not None for each in self.moves)
        if plies >= self.max_plies and not after.over:
            self.ending = Ending("length")

    def undo(self, seats: frozenset[int]) -> bool:
        """Takes back the last move of one of these seats and what followed; without seats, the last move of all."""
        if self.ending is not None and self.ending.reason == "resigned":
            self.ending = None
            return True
        wanted = seats or frozenset(range(len(self.seats)))
        turns = [position.turn for position in self.positions[:-1]]
        if not any(turn in wanted for turn in turns):
            return False
        self.ending = None
        while True:
            self.undone.append(self.moves.pop())
            self.positions.pop()
            if self.now.turn in wanted:
                return True

    def redo(self, seats: frozenset[int]) -> bool:
        """Plays again what was taken back, up to the next move of one of these seats."""
        if not self.undone:
            return False
        wanted = seats or frozenset(range(len(self.seats)))
        while self.undone:
            played = self.undone.pop()
            self._push(played, self.now.play(played.move.move))
            if self.now.turn in wanted:
                break
        return True

    def end(self, ending: Ending) -> None:
        """Ends the game where it is."""
        if not self.over:
            self.ending = ending

    @property
    def result(self) -> tuple[float, ...] | None:
        """One number a player, in units of the game; `None` while it is going on."""
        if self.ending is None:
            return self.now.result
        if self.ending.reason == "length" or self.ending.seat is None:
            return _shared(self.rules)
        # Who gives up has the least; the others share what is left, as in a game of two.
        low, high = self.rules.results
        return tuple(low if seat == self.ending.seat else high for seat in range(len(self.seats)))

    @property
    def open(self) -> bool:
        """Whether everybody may see everything: nothing is hidden, nobody has to guess, or it is all over."""
        return not self.hidden or self.over or not self.people

    def notation(self, number: int, viewer: int | None) -> str | None:
        """The text of a move for whoever looks on from a seat, or from none; `None` where they may not know it."""
        played = self.moves[number]
        unknown = played.kept_from if viewer is None else viewer in played.kept_from
        return None if unknown and not self.open else played.move.move

    def text(self) -> str:
        """The game as a text that can be replayed. A hidden game has one when it is over."""
        if not self.open:
            raise kb.Error("the text tells what is hidden: it can be had when the game is over")
        return game_text(self.record())

    def record(self) -> GameRecord:
        """The game as the arena writes it."""
        return GameRecord(
            spec_key="",
            index=0,
            block=0,
            game=self.game,
            names=tuple(seat.name for seat in self.seats),
            players=tuple(seat.engine or "human" for seat in self.seats),
            start=self.start,
            seed=self.seed,
            moves=tuple(played.move for played in self.moves),
            result=self.result or (),
            plies=sum(played.move.seat is not None for played in self.moves),
            adjudicated=self.ending is not None,
            seconds=sum(played.move.seconds or 0.0 for played in self.moves),
        )

    @classmethod
    def from_text(cls, text: str, owner: str = "") -> PlayedGame:
        """The game of a text: people take all seats, and the moves are played."""
        record = parse_game_text(check_text(text, "the game", 2_000_000).strip() + "\n")
        seats = [Seat(name) for name in record.names]
        found = cls(record.game, seats, start=record.start, seed=record.seed, max_plies=MOST_MOVES, owner=owner)
        for number, each in enumerate(record.moves, 1):
            try:
                found.play(each.move, {"value": each.value, "depth": each.depth, "nodes": each.nodes}, each.seconds)
            except kb.IllegalMove:
                raise kb.IllegalMove(f"move {number}, {each.move[:40]!r}, is not legal") from None
        return found

    def as_dict(self) -> dict[str, Any]:
        """The game as plain data."""

        def plain(played: Played) -> list[Any]:
            return [*played.move, sorted(played.kept_from)]

        return {
            "format": _FORMAT,
            "game": self.game,
            "seats": [vars(seat) for seat in self.seats],
            "start": self.start,
            "seed": self.seed,
            "clock": self.clock and vars(self.clock),
            "left": self.left,
            "max_plies": self.max_plies,
            "take_back": self.take_back,
            "owner": self.owner,
            "host_key": self.host_key,
            "created": self.created,
            "moves": list(map(plain, self.moves)),
            "undone": list(map(plain, self.undone)),
            "ending": self.ending and vars(self.ending),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PlayedGame:
        """The game of plain data that `as_dict` made."""

        def played(row: Sequence[Any]) -> Played:
            return Played(MoveRecord(*row[:-1]), frozenset(row[-1]))

        if not isinstance(data, Mapping) or data.get("format") != _FORMAT:
            raise kb.Error("this is not a game of the web lab")
        try:
            found = cls(
                data["game"],
                [Seat(**seat) for seat in data["seats"]],
                start=data["start"],
                seed=data["seed"],
                clock=Clock(**data["clock"]) if data["clock"] else None,
                max_plies=data["max_plies"],
                take_back=data["take_back"],
                owner=data["owner"],
            )
            for row in data["moves"]:
                each = played(row)
                found._push(each, found.now.play(each.move.move))
            found.undone = [played(row) for row in data["undone"]]
            found.left = [float(seconds) for seconds in data["left"]]
            found.host_key, found.created = str(data["host_key"]), float(data["created"])
            found.ending = Ending(**data["ending"]) if data["ending"] else None
        except (KeyError, TypeError, ValueError, kb.Error):
            raise kb.Error("the file of this game is damaged") from None
        return found
