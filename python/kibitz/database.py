"""Endgame databases: built by retrograde analysis, opened, asked, checked, and used by searches.

>>> import tempfile, kibitz as kb
>>> with tempfile.TemporaryDirectory() as folder:
...     database = kb.build_db(kb.game("fanorona", rows=3, cols=3), f"{folder}/small.kdb", pieces=4, distances="win")
...     hardest = next(database.browse("2-1", value="win", longest=True))
...     hardest.value, database.best(hardest.position) in hardest.position.moves
('win', True)
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from kibitz import _core
from kibitz.errors import BadParameter, CorruptDatabase, NotSupported
from kibitz.game import Game, NativeGame
from kibitz.game import game as game_of

if TYPE_CHECKING:
    from kibitz._core import Position

__all__ = ["Browsed", "BuildStep", "Database", "Known", "SliceStats", "Stats", "build_db", "bytes_of", "open_db"]

Value = Literal["win", "draw", "loss"]
Distances = Literal["none", "win", "conversion"]

_CACHE = 64 << 20
"""The memory of a database that is opened without saying how much."""


class Known(NamedTuple):
    """What a database knows of a position.

    `value` is for the player to move; `distance` is in plies, where the database has distances and nobody can hold a
    draw.
    """

    value: Value
    distance: int | None


class Browsed(NamedTuple):
    """A position of a database."""

    position: Position
    value: Value
    distance: int | None
    rank: int


class BuildStep(NamedTuple):
    """How far a build has come.

    `group` of `groups` is being solved, with the slices of these names; `share` is the part of all work that is done,
    by the number of positions, as far as that can be known.
    """

    group: int
    groups: int
    slices: str
    phase: str
    share: float


@dataclass(frozen=True)
class SliceStats:
    """One slice: positions up to symmetry by value, and with all mirror images.

    `size` counts ranks, some of which may belong to no position; `longest` is the greatest distance.
    """

    name: str
    size: int
    win: int
    draw: int
    loss: int
    win_positions: int
    draw_positions: int
    loss_positions: int
    longest: int

    @property
    def classes(self) -> int:
        """Positions up to symmetry."""
        return self.win + self.draw + self.loss

    @property
    def positions(self) -> int:
        """Positions with all mirror images."""
        return self.win_positions + self.draw_positions + self.loss_positions


@dataclass(frozen=True)
class Stats:
    """A whole database: its slices, and its size on disk and unpacked in bytes."""

    game: str
    pieces: int | None
    distances: Distances
    bytes: int
    unpacked: int
    slices: tuple[SliceStats, ...]

    @property
    def classes(self) -> int:
        """Positions up to symmetry."""
        return sum(each.classes for each in self.slices)

    @property
    def positions(self) -> int:
        """Positions with all mirror images."""
        return sum(each.positions for each in self.slices)


_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def bytes_of(size: str | int, name: str = "memory") -> int:
    """A number of bytes: 500_000_000, "500M" or "12G".

    >>> bytes_of("12G") == 12 << 30
    True
    """
    if isinstance(size, int) and not isinstance(size, bool):
        found = size
    else:
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", str(size).lower())
        if match is None:
            raise BadParameter(f"{name}={size!r} is not a size; write 500M or 12G")
        found = int(float(match[1]) * _UNITS[match[2]])
    if not 1 << 20 <= found < 1 << 60:
        raise BadParameter(f"{name}={size!r} is out of range: at least 1M")
    return found


class Database:
    """An endgame database. `kibitz.open_db` opens one.

    - `memory`: what may lie in memory unpacked ("64M"); `"all"` for everything at once, which makes the file
      be read and checked on opening, and asking a look into memory.

    The file must not be changed while it is open. Two are equal when they are the same file with the same game.
    """

    def __init__(self, path: str | os.PathLike[str], *, game: Game | None = None, memory: str | int | None = None):
        self.path = Path(path)
        self.memory = memory
        if memory is None:
            cache: int | None = _CACHE
        else:
            cache = None if memory == "all" else bytes_of(memory)
        self._native = _core.Database(self.path, cache)
        self._header: dict[str, Any] = self._native.header()
        self.game: Game = self._own_game() if game is None else game
        self._fitting: set[Game] = set()
        self._check(self.game)

    def _own_game(self) -> NativeGame:
        name = self._header["game"]
        try:
            return game_of(name, **dict(self._header["parameters"]))
        except Exception as error:
            raise CorruptDatabase(f"{self.path} is a database of {name}, which cannot be made here: {error}") from None

    def _check(self, game: Game) -> None:
        """Raises unless the database is one of this game."""
        if game not in self._fitting:
            self._native.check(game._rules, game.name)
            self._fitting.add(game)

    @property
    def pieces(self) -> int | None:
        """The greatest number of pieces; `None` for all positions."""
        pieces: int | None = self._header["pieces"]
        return pieces

    @property
    def distances(self) -> Distances:
        """What distances count: nothing (`none`), plies to the `win`, or to the `conversion`."""
        metric: Distances = self._header["metric"]
        return metric

    @property
    def stats(self) -> Stats:
        """Slices, values and sizes."""
        known = SliceStats.__dataclass_fields__
        slices = tuple(SliceStats(**{name: each[name] for name in known}) for each in self._header["slices"])
        return Stats(
            str(self.game), self.pieces, self.distances, self._header["bytes"], self._header["unpacked"], slices
        )

    def probe(self, position: Position) -> Known | None:
        """The value of a position for the player to move, and its distance; `None` if it is not in the database."""
        self._check(_position(position).game)
        found = self._native.probe(position)
        return None if found is None else Known(*found)

    def best(self, position: Position) -> Any:
        """The best move, with distances the shortest win or the longest defence; `None` if the database cannot tell."""
        if _position(position).turn is None:
            return None
        mover = position.turn
        rated = []
        for move in position.moves:
            after = position.play(move)
            value: tuple[int, int] | None
            if after.result is not None and isinstance(mover, int):
                score = after.result[mover]
                value = (0, 0) if score == 0 else (1, -1) if score > 0 else (-1, 1)
            else:
                value = _rating(self.probe(after))
            if value is not None:
                rated.append((value, move))
        best = max(rated, key=lambda each: each[0], default=None)
        # what is not known may be better than anything but a win
        if best is None or (len(rated) < len(position.moves) and best[0][0] < 1):
            return None
        return best[1]

    def verify(self, *, threads: int | None = None, progress: Callable[[float], object] | None = None) -> int:
        """Checks every block, and every value and distance against those of all successors.

        Returns the number of positions; raises `CorruptDatabase` where anything is wrong. `progress` is told the share
        that is done.
        """

        def tell(step: Mapping[str, int]) -> None:
            if progress is not None:
                progress(step["done"] / max(step["total"], 1))

        return self._native.verify(
            self.game._rules, threads=_threads(threads), progress=None if progress is None else tell
        )

    def browse(
        self,
        slice: str | None = None,
        *,
        value: Value | None = None,
        longest: bool = False,
        first: int = 0,
        count: int = 10,
    ) -> Iterator[Browsed]:
        """Positions of a slice (of all of them) with a value, from a rank on.

        With `longest` only those with the greatest distance.
        """
        chosen = [each for each in self._header["slices"] if slice is None or each["name"] == slice]
        if not chosen:
            names = ", ".join(each["name"] for each in self._header["slices"])
            raise BadParameter(f"no slice {slice!r}; there are {names}")
        if longest and self.distances == "none":
            raise NotSupported(f"{self.path} has no distances; build it with distances='win'")
        top = max(each["longest"] for each in chosen)
        # the longest win may be a ply shorter than the longest loss
        for distance in range(top, -1, -1) if longest else (None,):
            found = False
            for each in self._page(chosen, value, distance, first, count):
                found = True
                yield each
            if found:
                return

    def _page(
        self, chosen: list[dict[str, Any]], value: Value | None, distance: int | None, first: int, count: int
    ) -> Iterator[Browsed]:
        for each in chosen:
            page = self._native.page(
                self.game._rules,
                self.game,
                each["number"],
                value=value,
                distance=distance,
                first=first,
                count=count,
            )
            for rank, position in page:
                known = self.probe(position)
                if known is not None:
                    yield Browsed(position, known.value, known.distance, rank)
            count -= len(page)
            if count <= 0:
                return

    @property
    def damage(self) -> str | None:
        """What a search has found to be damaged."""
        return self._native.damage

    def __repr__(self) -> str:
        return f"<database {self.path} of {self.game}>"

    def __str__(self) -> str:
        return str(self.path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Database) and (self.path, self.memory, self.game) == (
            other.path,
            other.memory,
            other.game,
        )

    def __hash__(self) -> int:
        return hash((self.path, self.memory))

    def __reduce__(self) -> tuple[Any, ...]:
        # found by its path, and opened where it is needed
        return (_reopen, (str(self.path.resolve()), self.game, self.memory))


def _reopen(path: str, game: Game, memory: str | int | None) -> Database:
    return open_db(path, game=game, memory=memory)


def _rating(known: Known | None) -> tuple[int, int] | None:
    """How good a position is for the one who has moved there: a shorter win or a longer defence is better."""
    if known is None:
        return None
    distance = known.distance or 0
    return {"loss": (1, -distance), "draw": (0, 0), "win": (-1, distance)}[known.value]


def _position(position: Position) -> Position:
    if not isinstance(position, _core.Position):
        raise TypeError(f"a database is asked for a position, not for {type(position).__name__}")
    return position


def _threads(threads: int | None) -> int:
    if threads is None:
        return max(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 1)
    if not isinstance(threads, int) or isinstance(threads, bool) or not 1 <= threads <= 1024:
        raise BadParameter(f"threads={threads!r} must be a whole number from 1 to 1024")
    return threads


def open_db(path: str | os.PathLike[str], *, game: Game | None = None, memory: str | int | None = None) -> Database:
    """Opens an endgame database. `game` is needed only for a game that is not native."""
    return Database(path, game=game, memory=memory)


_OPEN: dict[tuple[str, float, int], Database] = {}


def database_for(database: str | Database, game: Game) -> Database:
    """The database of an option of a search, opened once and checked against the game."""
    if isinstance(database, str):
        place = Path(database)
        if place.is_dir():
            raise BadParameter(f"database={database!r:.60} is not a file")
        status = place.stat()
        key = (str(place.resolve()), status.st_mtime, status.st_size)
        if key not in _OPEN:
            _OPEN.clear()
            _OPEN[key] = Database(database, game=game)
        database = _OPEN[key]
    if not isinstance(database, Database):
        raise BadParameter(f"database={database!r:.60} is neither a path nor an open database")
    database._check(game)
    return database


def build_db(
    game: Game,
    path: str | os.PathLike[str],
    *,
    pieces: int | None = None,
    memory: str | int = "2G",
    distances: Distances = "none",
    threads: int | None = None,
    algorithm: Literal["automatic", "forward", "layered", "queue", "layered-counting"] = "automatic",
    progress: Callable[[BuildStep], object] | None = None,
) -> Database:
    """Builds the endgame database of all positions with at most so many pieces, and opens it.

    A group of slices that needs more than `memory` is solved on disk, with the same result. What an interrupted build
    has finished lies beside `path` in a directory `….building`, and a database with fewer pieces at `path` itself; both
    are used. `algorithm` is the family of algorithms of the survey by Wu, Liu and Hsu (2004) that solves what fits into
    memory; all give the same file.
    """
    if not isinstance(game, Game):
        raise TypeError(f"a database is built for a game, such as kb.game('fanorona'), not for {type(game).__name__}")
    if distances not in ("none", "win", "conversion"):
        raise BadParameter(f"distances={distances!r} is not one of none, win, conversion")
    if pieces is not None and (not isinstance(pieces, int) or isinstance(pieces, bool) or not 1 <= pieces < 1 << 31):
        raise BadParameter(f"pieces={pieces!r} must be a whole number, 1 or more")
    place = Path(path)
    if not place.name:
        raise BadParameter(f"path={str(path)!r} is not the name of a file")
    share = 0.0

    def tell(step: Mapping[str, Any]) -> None:
        nonlocal share
        done = step["finished"] + step["size"] * _share_of_group(step)
        share = max(share, min(done / max(step["positions"], 1), 1.0))
        if progress is not None:
            progress(BuildStep(step["group"], step["groups"], step["slices"], step["phase"], share))

    with _alone(place):
        _core.build_database(
            game._rules,
            game.name,
            place,
            pieces=pieces,
            metric=distances,
            memory=bytes_of(memory),
            threads=_threads(threads),
            algorithm=algorithm,
            progress=None if progress is None else tell,
        )
    return Database(place, game=game)


def _share_of_group(step: Mapping[str, Any]) -> float:
    """How much of the work on a group is done. How many passes or layers follow is not known; they get short."""
    inside: float = step["done"] / max(step["total"], 1)
    number: int = step["number"]
    if step["phase"] == "moves":
        return 0.6 * inside
    if step["phase"] == "layers":
        return 0.6 + 0.3 * (1 - 0.95**number)
    if step["phase"] == "file":
        return 0.9 + 0.1 * inside
    return 1 - 0.5 ** max(number - 1, 0) * (1 - 0.5 * inside)


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keeps two builds of one database apart. The lock ends with the process, however that does."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    lock = path.with_name(path.name + ".lock")
    with lock.open("w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise NotSupported(f"{path} is being built by another process") from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)
