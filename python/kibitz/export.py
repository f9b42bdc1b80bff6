"""The games of a run as files for other programs: CSV, JSON Lines, Parquet, and texts that people can read."""

from __future__ import annotations

import contextlib
import csv
import importlib
import itertools
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from kibitz.arena.playing import GameRecord
from kibitz.errors import StoreError
from kibitz.game_record import game_text, move_text
from kibitz.store import Store

__all__ = ["FORMATS", "export_csv", "export_jsonl", "export_parquet", "export_text"]

_BATCH = 1000


def export_csv(store: Store, run: int, path: str | Path) -> int:
    """Writes a row for each game and returns their number; names, players and results have a column a seat.

    The moves are words in one column; a move with spaces, quotes or braces is a JSON text without spaces.
    """
    seats = max((len(record.names) for record in store.records(run)), default=0)
    per_seat = [f"{what}_{seat}" for what in ("name", "player", "result") for seat in range(seats)]

    def row(record: GameRecord) -> list[object]:
        each = [*record.names, *record.players, *record.result]
        moves = " ".join(move_text(move.move).replace(" ", "\\u0020") for move in record.moves)
        place = [record.index, record.block, record.spec_key, record.game, record.start, record.seed]
        return [*place, *each, record.plies, int(record.adjudicated), record.seconds, moves]

    with _writing(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        before, after = ["index", "block", "key", "game", "start", "seed"], ["plies", "adjudicated", "seconds", "moves"]
        writer.writerow([*before, *per_seat, *after])
        return _count(writer.writerow(row(record)) for record in store.records(run))


def _data(record: GameRecord) -> dict[str, Any]:
    return {**vars(record), "moves": [move._asdict() for move in record.moves]}


def export_jsonl(store: Store, run: int, path: str | Path) -> int:
    """Writes an object with everything, each move's report too, on a line for each game; returns their number."""
    with _writing(path) as file:
        return _count(file.write(json.dumps(_data(record)) + "\n") for record in store.records(run))


def export_parquet(store: Store, run: int, path: str | Path) -> int:
    """Writes a Parquet file with a row for each game, moves nested, and returns their number; needs pyarrow."""
    try:
        pa: Any = importlib.import_module("pyarrow")
        pq: Any = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise StoreError("Parquet needs pyarrow; install it with: pip install 'kibitz[parquet]'") from None
    move = {"seat": pa.int8(), "move": pa.string(), "value": pa.float64(), "depth": pa.int32(), "nodes": pa.uint64()}
    move |= {"seconds": pa.float64(), "legal": pa.int32(), "origin": pa.string()}
    schema = pa.schema(
        {
            "spec_key": pa.string(),
            "index": pa.int64(),
            "block": pa.int64(),
            "game": pa.string(),
            "names": pa.list_(pa.string()),
            "players": pa.list_(pa.string()),
            "start": pa.string(),
            "seed": pa.uint64(),
            "moves": pa.list_(pa.struct(list(move.items()))),
            "result": pa.list_(pa.float64()),
            "plies": pa.int32(),
            "adjudicated": pa.bool_(),
            "seconds": pa.float64(),
        }
    )
    count = 0
    with _writing(path, "wb") as file, pq.ParquetWriter(file, schema) as writer:
        records = store.records(run)
        while batch := [_data(record) for record in itertools.islice(records, _BATCH)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def _count(written: Iterable[object]) -> int:
    return sum(1 for _ in written)


@contextlib.contextmanager
def _writing(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """A file that appears when it is complete."""
    path = Path(path)
    name = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
        with os.fdopen(handle, mode, **text) as file:
            yield file
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        if name is not None:
            with contextlib.suppress(OSError):
                Path(name).unlink()


def export_text(store: Store, run: int, path: str | Path) -> int:
    """Writes the texts of all games, one after the other, and returns their number; `kibitz show` replays them."""
    with _writing(path) as file:
        return _count(file.write(game_text(record) + "\n") for record in store.records(run))


FORMATS: dict[str, Callable[[Store, int, str | Path], int]] = {
    ".csv": export_csv,
    ".jsonl": export_jsonl,
    ".parquet": export_parquet,
    ".txt": export_text,
}
"""The formats by the suffix of a file."""
