"""Matches in one SQLite file: every game is written as it ends, and none is lost or counted twice.

The file is in WAL mode with `synchronous=NORMAL`. A commit has then handed its pages to the operating system, so that
a killed process loses nothing that `add` has returned from; only a power failure may take the last commits back, whole
games of them, which are played again. `FULL` would wait for the disk at every game and protect nothing else.

Opening looks before it touches: a file that is damaged, foreign or from a newer version is refused unchanged.
"""

from __future__ import annotations

import contextlib
import datetime
import itertools
import json
import os
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

import kibitz as kb
from kibitz.arena.playing import GameRecord, MoveRecord
from kibitz.errors import StoreError

__all__ = ["Run", "Store"]

_MAGIC = b"SQLite format 3\x00"
_APPLICATION = 0x6B696274
"""`kibt`: marks an SQLite file as ours."""

_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            spec TEXT NOT NULL,
            created TEXT NOT NULL,
            version TEXT NOT NULL
        )
        """,
        # A seed has 64 bits without a sign, which no column of numbers holds: it is a text. Names, players, result and
        # moves are JSON, so that a game is one row and one write.
        """
        CREATE TABLE games (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES runs (id),
            key TEXT NOT NULL,
            "index" INTEGER NOT NULL,
            block INTEGER NOT NULL,
            game TEXT NOT NULL,
            names TEXT NOT NULL,
            players TEXT NOT NULL,
            start TEXT,
            seed TEXT NOT NULL,
            result TEXT NOT NULL,
            plies INTEGER NOT NULL,
            adjudicated INTEGER NOT NULL,
            seconds REAL NOT NULL,
            moves TEXT NOT NULL,
            checksum INTEGER NOT NULL,
            UNIQUE (run, key)
        )
        """,
        'CREATE INDEX games_in_order ON games (run, "index", id)',
    ),
    (
        # What units of work other than games gave, as JSON.
        """
        CREATE TABLE results (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES runs (id),
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            checksum INTEGER NOT NULL,
            UNIQUE (run, key)
        )
        """,
    ),
)
"""What brings a store from each version to the next; the version of a store is `PRAGMA user_version`."""

_COLUMNS = 'key, "index", block, game, names, players, start, seed, result, plies, adjudicated, seconds, moves'
"""What is stored of a game, in this order."""
_BATCH = 1000


@dataclass(frozen=True)
class Run:
    """A run in a store, with the number of its games."""

    id: int
    name: str
    spec: dict[str, Any]
    created: str
    version: str
    games: int


class Store:
    """A file of runs and their games, for one writer at a time and any number of readers."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def open(cls, path: str | Path, create: bool = True, write: bool = True) -> Store:
        """Opens a store, or creates it. Without `write` it is only read, and nothing is created."""
        path = Path(path)
        with _clear(path):
            if create and write and not os.path.lexists(path):
                _create(path)
            _inspect(path)
            if not write:
                return cls(path, _reader(path, alone=not os.access(path.resolve().parent, os.W_OK)))
            for place in (path, path.resolve().parent):
                if not os.access(place, os.W_OK):
                    raise StoreError(f"{path} cannot be written: {place} is read-only; change that or copy the store")
            connection = sqlite3.connect(path.resolve(), timeout=30, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = WAL").fetchone()
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("PRAGMA foreign_keys = ON")
                _migrate(connection)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection)

    def close(self) -> None:
        """Closes the file."""
        with _clear(self.path):
            self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def find(self, name: str, spec: Mapping[str, Any]) -> int | None:
        """The number of the run of that name, which must have the same `spec`; `None` if there is no such run."""
        text = _spec_text(name, spec)
        with _clear(self.path):
            found = self._connection.execute("SELECT id, spec FROM runs WHERE name = ?", (name,)).fetchone()
        if found is None:
            return None
        if found[1] != text:
            raise StoreError(
                f"{self.path} has another run {name!r} ({_difference(_read(found[1]), json.loads(text))}); "
                "choose another name or store"
            )
        return int(found[0])

    def run(self, name: str, spec: Mapping[str, Any]) -> int:
        """The number of the run of that name: a new one, or the one to resume, which must have the same `spec`."""
        row = (name, _spec_text(name, spec), _now(), kb.__version__)
        with _clear(self.path), _transaction(self._connection):
            self._connection.execute(
                "INSERT INTO runs (name, spec, created, version) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING", row
            )
        number = self.find(name, spec)
        assert number is not None, "runs are never taken away"
        return number

    def runs(self) -> tuple[Run, ...]:
        """All runs, the oldest first."""
        with _clear(self.path):
            rows = self._connection.execute(
                "SELECT id, name, spec, created, version, (SELECT count(*) FROM games WHERE run = runs.id) "
                "FROM runs ORDER BY id"
            ).fetchall()
            return tuple(Run(row[0], row[1], _read(row[2]), *row[3:]) for row in rows)

    def add(self, run: int, record: GameRecord) -> bool:
        """Writes a game, once: `False` if the run has a game with this key already. It is safe when this returns."""
        row = (
            run,
            record.spec_key,
            record.index,
            record.block,
            record.game,
            json.dumps(record.names),
            json.dumps(record.players),
            record.start,
            str(record.seed),
            json.dumps(record.result),
            record.plies,
            int(record.adjudicated),
            float(record.seconds),
            json.dumps(record.moves, separators=(",", ":")),
        )
        marks = ", ".join("?" * (len(row) + 1))
        with _clear(self.path), _transaction(self._connection):
            made = self._connection.execute(
                f"INSERT INTO games (run, {_COLUMNS}, checksum) VALUES ({marks}) ON CONFLICT (run, key) DO NOTHING",
                (*row, _checksum(row)),
            )
            return made.rowcount == 1

    def done(self, run: int) -> set[str]:
        """The keys of the games that the run has."""
        with _clear(self.path):
            return {key for (key,) in self._connection.execute("SELECT key FROM games WHERE run = ?", (run,))}

    def records(self, run: int) -> Iterator[GameRecord]:
        """The games of a run in the order of their index; games may be added meanwhile."""
        last = (-1 << 63, 0)
        while True:
            with _clear(self.path):
                rows = self._connection.execute(
                    f'SELECT id, checksum, run, {_COLUMNS} FROM games WHERE run = ? AND ("index", id) > (?, ?) '
                    'ORDER BY "index", id LIMIT ?',
                    (run, *last, _BATCH),
                ).fetchall()
                records = [_sound(self.path, row[1], row[2:]) for row in rows]
            yield from records
            if len(rows) < _BATCH:
                return
            last = (rows[-1][4], rows[-1][0])

    def game(self, run: int, key: str) -> GameRecord:
        """The game of a run with this key."""
        with _clear(self.path):
            query = f"SELECT checksum, run, {_COLUMNS} FROM games WHERE run = ? AND key = ?"
            row = self._connection.execute(query, (run, key)).fetchone()
            if row is None:
                raise StoreError(f"{self.path} has no game {key!r} of this run")
            return _sound(self.path, row[0], row[1:])

    def add_result(self, run: int, key: str, value: Any) -> bool:
        """Writes what a unit of work gave, once: `False` if the run has a result with this key already."""
        row = (run, key, json.dumps(value))
        with _clear(self.path), _transaction(self._connection):
            made = self._connection.execute(
                "INSERT INTO results (run, key, value, checksum) VALUES (?, ?, ?, ?) ON CONFLICT (run, key) DO NOTHING",
                (*row, _checksum(row)),
            )
            return made.rowcount == 1

    def results(self, run: int) -> dict[str, Any]:
        """What the units of a run gave, by their keys, in the order they were written."""
        with _clear(self.path):
            query = "SELECT checksum, run, key, value FROM results WHERE run = ? ORDER BY id"
            rows = self._connection.execute(query, (run,)).fetchall()
            if any(_checksum(row[1:]) != row[0] for row in rows):
                raise StoreError(f"{self.path} is damaged: a result has changed; take a copy of it that is sound")
            return {key: _read(value) for _, _, key, value in rows}


def _spec_text(name: str, spec: Mapping[str, Any]) -> str:
    try:
        return json.dumps(spec, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise StoreError(f"the specification of run {name!r} cannot be written as JSON: {error}") from None


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def _checksum(row: tuple[Any, ...]) -> int:
    """SQLite's own checks are of the structure of the file; this one is of what a row says."""
    return zlib.crc32(repr(row).encode())


def _sound(path: Path, checksum: int, row: tuple[Any, ...]) -> GameRecord:
    """The game of a row that begins with its run, if it is as it was written."""
    if _checksum(row) != checksum:
        raise StoreError(f"{path} is damaged: a game has changed; take a copy of it that is sound")
    _, key, index, block, game, names, players, start, seed, result, plies, adjudicated, seconds, moves = row
    return GameRecord(
        spec_key=key,
        index=index,
        block=block,
        game=game,
        names=tuple(_read(names)),
        players=tuple(_read(players)),
        start=start,
        seed=int(seed),
        moves=tuple(MoveRecord(*each) for each in _read(moves)),
        result=tuple(_read(result)),
        plies=plies,
        adjudicated=bool(adjudicated),
        seconds=seconds,
    )


def _read(text: str) -> Any:
    return json.loads(text)


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """The first parameter in which two specifications differ, in words."""
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            return f"there {name} is {old.get(name)!r}, here {new.get(name)!r}"
    return "they differ"


# opening


def _create(path: Path) -> None:
    """Makes a complete store and only then gives it its name, so that no crash leaves half of one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        with contextlib.closing(sqlite3.connect(name, isolation_level=None)) as connection:
            _migrate(connection)
        Path(name).chmod(0o644)
        # Unlike a renaming, a link never replaces what another process has put there meanwhile.
        try:
            os.link(name, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            Path(name).rename(path)
    finally:
        with contextlib.suppress(OSError):
            Path(name).unlink()


def _migrate(connection: sqlite3.Connection) -> None:
    """Brings a store to the newest version, in one step."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == len(_MIGRATIONS):
        return
    with _transaction(connection):
        for statement in itertools.chain.from_iterable(_MIGRATIONS[version:]):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(_MIGRATIONS)}")


def _inspect(path: Path) -> None:
    """Refuses a file that is not a sound store of a version that we know, and leaves it as it is."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder; a store is a file")
    if not path.exists():
        raise StoreError(f"there is no store {path}")
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(_MAGIC) or _number(header, 68) != _APPLICATION:
        raise StoreError(f"{path} is not a kibitz store; choose another file")
    _known(path, _number(header, 60))
    with contextlib.closing(_reader(path, alone=True)) as connection:
        # What a killed process has left in the log counts too.
        _known(path, connection.execute("PRAGMA user_version").fetchone()[0])
        for (answer,) in connection.execute("PRAGMA integrity_check(1)"):
            if answer != "ok":
                raise StoreError(f"{path} is damaged ({_line(answer)}); take a copy of it that is sound")


def _number(header: bytes, offset: int) -> int:
    return int.from_bytes(header[offset : offset + 4], "big")


def _known(path: Path, version: int) -> None:
    if version > len(_MIGRATIONS):
        raise StoreError(
            f"{path} has version {version}, and this kibitz ({kb.__version__}) knows versions up to "
            f"{len(_MIGRATIONS)}; use a newer kibitz"
        )


def _reader(path: Path, alone: bool) -> sqlite3.Connection:
    """A connection that writes nothing. `alone` promises that nobody else does: then there are no side files either."""
    real = path.resolve()
    # Where there is a log, it belongs to the store, and reading it needs its index beside it.
    mode = "mode=ro&immutable=1" if alone and not real.with_name(real.name + "-wal").exists() else "mode=ro"
    return sqlite3.connect(f"{real.as_uri()}?{mode}", uri=True, timeout=30, isolation_level=None)


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk may have ended the transaction already.
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


_REASONS = (
    ("is full", "the disk is full; make room and run the same command again, everything written so far is kept"),
    ("disk I/O", "the disk cannot be written, it may be full; everything written so far is kept"),
    ("locked", "another process is writing to it; wait until it has finished"),
    ("readonly", "it cannot be written; change the permissions, or open it for reading"),
    ("unable to open", "the file cannot be opened; check the permissions of it and of its folder"),
    ("malformed", "it is damaged; take a copy of it that is sound"),
    ("not a database", "it is damaged; take a copy of it that is sound"),
    ("FOREIGN KEY", "it has no such run"),
)


@contextlib.contextmanager
def _clear(path: Path) -> Iterator[None]:
    """Says in our words what SQLite, the system or the decoding of a row complains about."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        reason = next((ours for theirs, ours in _REASONS if theirs in text), "SQLite cannot use it")
        _fail(f"{path}: {reason} ({text})", error)
    except OSError as error:
        _fail(f"{path} cannot be opened: {error.strerror or error}", error)
    except (ValueError, TypeError, OverflowError) as error:
        _fail(f"{path}: a value cannot be stored or read back ({_line(error)})", error)


def _fail(message: str, error: Exception) -> NoReturn:
    raise StoreError(message) from error


def _line(text: object) -> str:
    return " ".join(str(text).split())
