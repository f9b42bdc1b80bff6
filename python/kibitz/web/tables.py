"""The tables of the lab: games in memory while somebody looks at them, engines that move, clocks that run."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.web.games import Ending, PlayedGame
from kibitz.web.inputs import read_algorithm
from kibitz.web.jobs import Caps, Job, Jobs
from kibitz.web.storage import DataDirectory, new_id

__all__ = ["Table", "Tables", "best_of", "engine_caps"]

_FOLDER = "games"
_KEPT_GAMES = 5_000
"""Files of games beyond which the oldest are removed."""
_IN_MEMORY = 200
"""Games that stay in memory when nobody looks at them."""


def engine_caps(text: str, jobs: Jobs) -> Caps:
    """What one search of an engine may use: as long as it says, or half a minute."""
    seconds = read_algorithm(text, jobs.largest.threads).seconds
    most = 25.0 if seconds is None else min(seconds, jobs.largest.seconds - 5)
    return Caps(seconds=most + 5, memory_mb=jobs.largest.memory_mb, threads=jobs.largest.threads)


def best_of(job: Job, game: PlayedGame) -> dict[str, Any]:
    """The report of a search that has ended, with a move; `kb.Error` says why there is none."""
    if job.state == "failed":
        # A message may show the whole position, hidden cards included; these do not.
        plain = game.open or job.error_kind in ("NotSupported", "BadParameter", "Timeout", "MemoryError", "Crash")
        raise kb.Error(job.error if plain else "its search failed")
    if not job.result or job.result["best"] is None:
        raise kb.Error("it found no move")
    found: dict[str, Any] = job.result
    return found


class Table:
    """One game with those who look at it.

    - `paused`: engines do not move;
    - `speed`: seconds that a move of an engine takes at least where no people play;
    - `message`: why an engine did not move.
    """

    def __init__(self, name: str, game: PlayedGame, tables: Tables) -> None:
        self.name = name
        self.game = game
        self.paused = not game.people
        self.speed = 0.5
        self.message: str | None = None
        self._tables = tables
        self._watchers: dict[object, Callable[[], None]] = {}
        self._driver: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._version = 0
        self._turn_began = time.monotonic()

    def watch(self, who: object, changed: Callable[[], None]) -> None:
        """Calls `changed` whenever the table is another."""
        self._watchers[who] = changed
        self._set_flag()
        self._go_on()

    def leave(self, who: object) -> None:
        """Forgets a watcher; engines stop when nobody looks on."""
        self._watchers.pop(who, None)

    @property
    def watched(self) -> bool:
        """Whether anybody looks on."""
        return bool(self._watchers)

    def time_left(self, seat: int) -> float:
        """The seconds on a seat's clock."""
        game = self.game
        running = game.turn == seat and not self.paused
        return max(0.0, game.left[seat] - (time.monotonic() - self._turn_began if running else 0.0))

    def play(self, text: str, seats: frozenset[int]) -> None:
        """Plays a move of a person who may play for these seats."""
        if self.game.turn not in seats:
            raise kb.IllegalMove("it is not your turn")
        try:
            self._move(text)
        except kb.IllegalMove:
            # The exception's own message would show the whole position, hidden cards included.
            raise kb.IllegalMove(f"{text[:40]!r} is not a legal move here") from None
        self.changed()

    def undo(self, seats: frozenset[int]) -> bool:
        """Takes a move back, if this game allows it."""
        return self.game.take_back and self._turn_page(lambda: self.game.undo(seats))

    def redo(self, seats: frozenset[int]) -> bool:
        """Plays what was taken back again."""
        return self.game.take_back and self._turn_page(lambda: self.game.redo(seats))

    def resign(self, seat: int) -> None:
        """Gives up for a seat."""
        self.game.end(Ending("resigned", seat))
        self.changed()

    def pause(self, paused: bool) -> None:
        """Lets the engines rest, or go on."""
        if self.game.clock and isinstance(turn := self.game.turn, int) and not self.paused and paused:
            self.game.left[turn] = self.time_left(turn)
        self.paused = paused
        self.message = None
        self._turn_began = time.monotonic()
        self.changed()

    def changed(self) -> None:
        """Writes the game, tells all who look on, and lets the engines move."""
        self._version += 1
        self._tables.save(self)
        self._set_flag()
        for tell in list(self._watchers.values()):
            tell()
        self._go_on()

    def _turn_page(self, turn: Callable[[], bool]) -> bool:
        if not turn():
            return False
        if not self.game.people:
            self.paused = True
        self._turn_began = time.monotonic()
        self.changed()
        return True

    def _move(self, text: str, report: dict[str, Any] | None = None) -> None:
        game = self.game
        seat = game.turn
        spent = time.monotonic() - self._turn_began
        game.play(text, report, spent if report is None else report.get("seconds"))
        if game.clock and isinstance(seat, int):
            game.left[seat] = max(0.0, game.left[seat] - spent) + game.clock.increment
        self._turn_began = time.monotonic()
        self.message = None

    def _set_flag(self) -> None:
        """The flag falls when the time of whoever is to move is over."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        seat = self.game.turn
        if self.game.clock and isinstance(seat, int) and not self.paused and self.watched:
            version = self._version

            def fall() -> None:
                if self._version == version:
                    self.game.left[seat] = 0.0
                    self.game.end(Ending("time", seat))
                    self.changed()

            self._flag = asyncio.get_running_loop().call_later(self.time_left(seat), fall)

    def _go_on(self) -> None:
        """Starts the engines, unless they are at it."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        while self.watched and not self.paused:
            turn = self.game.turn
            if turn == "chance":
                if not self.game.people:
                    await asyncio.sleep(self.speed)
                if self.game.turn == "chance":
                    self.game.roll()
                    self._turn_began = time.monotonic()
                    self.changed()
            elif turn is not None and self.game.seats[turn].engine is not None:
                await self._think(turn)
            else:
                return

    async def _think(self, seat: int) -> None:
        """Asks the engine of a seat for its move, and plays it if the position is still the same."""
        version = self._version
        began = time.monotonic()
        engine = read_algorithm(self.game.seats[seat].engine or "")
        own = getattr(engine, "seed", None)
        if own is not None:
            # Engines play another game each time, and the same one with the same seed.
            engine = engine.replace(seed=derive(self.game.seed, own, "move", len(self.game.moves)))
        try:
            player = f"{self.name} {seat}" if getattr(engine, "reuse", False) else None
            job = await self._tables.ask(self.game, engine.spec, self.game.owner, player)
            while not job.over:
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(job.finished(), 0.25)
                if self._version != version or not self.watched:
                    await job.stop()
                    return
            report = best_of(job, self.game)
        except kb.Error as error:
            self.message = f"{self.game.seats[seat].name} cannot move: {' '.join(str(error).split())}"
            self.paused = True
            self.changed()
            return
        if not self.game.people:
            await asyncio.sleep(max(0.0, self.speed - (time.monotonic() - began)))
        if self._version == version:
            self._move(report["best"], report)
            self.changed()


class Tables:
    """All tables: made, found by their name, written after every move."""

    def __init__(self, data: DataDirectory, jobs: Jobs) -> None:
        self._data = data
        self._jobs = jobs
        self._open: dict[str, Table] = {}

    def add(self, game: PlayedGame) -> Table:
        """A table for a new game."""
        self._data.prune(_FOLDER, _KEPT_GAMES)
        table = Table(new_id(), game, self)
        self._remember(table)
        self.save(table)
        return table

    def find(self, name: str) -> Table | None:
        """The table of a link, from memory or from its file; `None` where there is none."""
        if name in self._open:
            return self._open[name]
        data = self._data.read(_FOLDER, name)
        if data is None:
            return None
        table = Table(name, PlayedGame.from_dict(data), self)
        self._remember(table)
        return table

    def save(self, table: Table) -> None:
        """Writes a game. One that cannot be written can still be played."""
        try:
            self._data.write(_FOLDER, table.name, table.game.as_dict())
        except OSError as error:
            table.message = f"This game could not be written to the disk: {error.strerror}."

    async def ask(self, game: PlayedGame, engine: str, visitor: str, player: str | None = None) -> Job:
        """A search of the position on the board; that of a `player` may go on with what the last one left."""
        now = game.now
        payload = {"game": game.game, "position": str(now), "past": list(now.past), "algorithm": engine}
        if player is not None:
            payload["session"] = player
        return await self._jobs.submit(visitor, "search", payload, engine_caps(engine, self._jobs))

    def _remember(self, table: Table) -> None:
        self._open[table.name] = table
        unwatched = [each for each in self._open.values() if not each.watched and each is not table]
        for each in unwatched[: max(0, len(self._open) - _IN_MEMORY)]:
            del self._open[each.name]
