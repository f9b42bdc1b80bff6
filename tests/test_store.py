"""The store: nothing is lost, nothing is counted twice, and a bad file is refused untouched."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kibitz import store as module
from kibitz.arena.playing import GameRecord, GameSpec, MoveRecord, play
from kibitz.errors import StoreError
from kibitz.export import export_csv, export_jsonl, export_parquet
from kibitz.game_record import game_text, parse_game_text
from kibitz.store import Store

GAME = kb.game("tic-tac-toe")


def games(count: int, game: kb.Game = GAME) -> list[GameRecord]:
    players, names = (kb.Random(),) * game.players, tuple("ABCDEF"[: game.players])
    return [play(GameSpec(game, players, names, seed=each, index=each, block=each // 2)) for each in range(count)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


@pytest.fixture
def full(path: Path) -> Path:
    """A store with a run of twenty games, closed."""
    with Store.open(path) as store:
        run = store.run("first", {"games": 20})
        for record in games(20):
            assert store.add(run, record)
    return path


# what goes in comes out


def test_games_come_back_as_they_were(path: Path) -> None:
    records = games(10) + games(3, kb.game("kuhn-poker")) + games(2, kb.game("random-tree", players=3, depth=4))
    records.append(dataclasses.replace(records[0], spec_key="other", seed=(1 << 64) - 1, start="…", index=99))
    with Store.open(path) as store:
        run = store.run("all", {})
        for record in records:
            store.add(run, record)
    with Store.open(path, create=False) as store:
        assert sorted(store.records(run), key=lambda each: each.spec_key) == sorted(
            records, key=lambda each: each.spec_key
        )
        assert store.done(run) == {each.spec_key for each in records}


def test_games_come_in_the_order_of_their_index_across_batches(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BATCH", 3)
    records = games(10)
    with Store.open(path) as store:
        run = store.run("a", {})
        for record in random.Random(1).sample(records, len(records)):
            store.add(run, record)
        assert list(store.records(run)) == records


def test_a_game_is_counted_once(full: Path) -> None:
    (record, *_) = games(1)
    with Store.open(full) as store:
        assert store.add(1, record) is False
        other = store.run("second", {})
        assert store.add(other, record) is True
        assert [run.games for run in store.runs()] == [20, 1]


def test_a_run_is_resumed_by_name_and_spec(full: Path) -> None:
    with Store.open(full) as store:
        assert store.run("first", {"games": 20}) == 1
        assert store.run("second", {"b": [1, 2], "a": None}) == 2
        assert store.run("second", {"a": None, "b": [1, 2]}) == 2
        with pytest.raises(StoreError, match=r"another run 'first'.*games is 20, here 30.*choose another name"):
            store.run("first", {"games": 30})
        first, second = store.runs()
    assert (first.id, first.name, first.spec, first.version) == (1, "first", {"games": 20}, kb.__version__)
    assert second.spec == {"a": None, "b": [1, 2]}
    with Store.open(full) as store, pytest.raises(StoreError, match="JSON"):
        store.run("third", {"a": object()})


def test_a_run_that_does_not_exist_and_values_that_cannot_be_stored_are_refused(full: Path) -> None:
    (record,) = games(1)
    with Store.open(full) as store:
        with pytest.raises(StoreError, match="no such run"):
            store.add(7, record)
        with pytest.raises(StoreError, match="cannot be stored"):
            store.add(1, dataclasses.replace(record, spec_key="x", game="\ud800"))
        with pytest.raises(StoreError, match="cannot be stored"):
            store.add(1, dataclasses.replace(record, spec_key="x", index=1 << 70))
        assert store.runs()[0].games == 20
    with pytest.raises(StoreError, match="closed"):
        store.runs()


def test_a_reader_reads_while_a_writer_writes(full: Path) -> None:
    with Store.open(full) as writer, Store.open(full, write=False) as reader:
        assert len(list(reader.records(1))) == 20
        writer.add(1, dataclasses.replace(games(1)[0], spec_key="new"))
        assert len(list(reader.records(1))) == 21
        with pytest.raises(StoreError, match="cannot be written"):
            reader.add(1, games(1)[0])


def test_two_writers_take_turns(full: Path) -> None:
    records = [dataclasses.replace(games(1)[0], spec_key=str(each)) for each in range(20)]
    with Store.open(full) as one, Store.open(full) as other:
        for number, record in enumerate(records):
            (one if number % 2 else other).add(1, record)
        assert one.runs() == other.runs()
        assert one.runs()[0].games == 40


# bad files


def refused(path: Path, words: str, **options: Any) -> None:
    """Opening fails with these words and changes nothing in the folder."""

    def content() -> dict[str, bytes]:
        return {each.name: each.read_bytes() for each in path.parent.iterdir() if each.is_file()}

    before = content()
    with pytest.raises(StoreError, match=words) as caught:
        Store.open(path, **options)
    assert path.name in str(caught.value)
    # The index of the log is a cache of it, which a reader may have to build.
    left = {name: data for name, data in content().items() if not name.endswith("-shm")}
    assert left == {name: data for name, data in before.items() if not name.endswith("-shm")}


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\x00", bytes(4096), b"index,block\n" * 50])
def test_what_is_not_a_store_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refused(path, "is not a kibitz store")
    refused(path, "is not a kibitz store", write=False)


def test_a_database_of_another_program_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE games (a)")
    connection.close()
    refused(path, "is not a kibitz store")


def test_a_folder_and_a_file_that_is_not_there_are_refused(tmp_path: Path, path: Path) -> None:
    refused(tmp_path, "is a folder")
    refused(path, "there is no store", create=False)
    refused(path, "there is no store", write=False)
    with pytest.raises(StoreError, match="No such file"):
        Store.open(tmp_path / "nowhere" / "matches.db")
    path.symlink_to(tmp_path / "gone")
    refused(path, "there is no store")


def test_a_newer_version_is_refused(full: Path) -> None:
    connection = sqlite3.connect(full)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    refused(full, "has version 99.*use a newer kibitz")


def test_a_newer_version_that_is_only_in_the_log_is_refused(full: Path) -> None:
    code = (
        f"import sqlite3, os, signal; c = sqlite3.connect({str(full)!r}); "
        "c.execute('PRAGMA user_version = 99'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    assert full.with_name(full.name + "-wal").stat().st_size > 0
    refused(full, "has version 99")


@pytest.mark.parametrize("share", [0.03, 0.3, 0.5, 0.95])
def test_a_truncated_store_is_refused(full: Path, share: float) -> None:
    data = full.read_bytes()
    full.write_bytes(data[: int(len(data) * share)])
    refused(full, "damaged|not a kibitz store")


def test_a_damaged_store_is_refused_or_reads_back_right(full: Path) -> None:
    data = full.read_bytes()
    pages = len(data) // 4096
    dice = random.Random(5)
    for page in range(1, pages):
        full.write_bytes(data[: page * 4096] + dice.randbytes(4096) + data[(page + 1) * 4096 :])
        refused(full, "damaged")
    full.write_bytes(data[:100] + dice.randbytes(4000) + data[4100:])
    refused(full, "damaged")


def test_a_byte_that_has_changed_never_changes_a_game(full: Path) -> None:
    with Store.open(full) as store:
        expected = list(store.records(1))
    data = full.read_bytes()
    dice = random.Random(6)
    noticed = 0
    for _ in range(300):
        place = dice.randrange(len(data))
        full.write_bytes(data[:place] + bytes([data[place] ^ 1 << dice.randrange(8)]) + data[place + 1 :])
        try:
            with Store.open(full, write=False) as store:
                found = list(store.records(1))
                keys = store.done(1)
        except StoreError:
            noticed += 1
        else:
            assert found == expected
            assert keys == {each.spec_key for each in expected}
        for each in full.parent.iterdir():
            each.unlink()
    assert noticed > 50  # much of a small file is room for more


def test_a_row_that_makes_no_sense_is_an_error(full: Path) -> None:
    connection = sqlite3.connect(full)
    connection.execute("UPDATE games SET moves = '[[1' WHERE \"index\" = 3")
    connection.commit()
    connection.close()
    with Store.open(full) as store, pytest.raises(StoreError, match="damaged"):
        list(store.records(1))


def as_nobody(work: Callable[[], object]) -> int:
    """Does something in a child that permissions bind, even if the tests run as root."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            work()
            code = 0
        except BaseException as error:
            os.write(2, repr(error).encode())
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("place", ["file", "folder"])
def test_a_read_only_store_is_refused_for_writing_and_can_be_read(full: Path, place: str) -> None:
    folder = Path(tempfile.mkdtemp())  # the folders of pytest are for their owner alone
    full = Path(shutil.copy(full, folder))
    full.chmod(0o444 if place == "file" else 0o666)
    folder.chmod(0o777 if place == "file" else 0o555)

    def work() -> None:
        refused(full, "read-only")
        with Store.open(full, write=False) as store:
            assert len(list(store.records(1))) == 20
        if place == "folder":
            with pytest.raises(StoreError, match="Permission denied"):
                Store.open(folder / "new.db")

    try:
        assert as_nobody(work) == 0
    finally:
        folder.chmod(0o777)
        shutil.rmtree(folder)


# versions


def test_an_older_store_is_migrated_once_and_keeps_its_games(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    added = ("ALTER TABLE runs ADD COLUMN note TEXT", "CREATE TABLE notes (text TEXT)")
    monkeypatch.setattr(module, "_MIGRATIONS", (*module._MIGRATIONS, added))
    for _ in range(2):
        with Store.open(full) as store:
            assert store._connection.execute("PRAGMA user_version").fetchone() == (len(module._MIGRATIONS),)
            assert store._connection.execute("SELECT note FROM runs").fetchall() == [(None,)]
            assert len(store.done(1)) == 20


def test_a_migration_that_fails_changes_nothing(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = ("CREATE TABLE notes (text TEXT)", "CREATE TABLE notes (text TEXT)")
    monkeypatch.setattr(module, "_MIGRATIONS", (*module._MIGRATIONS, broken))
    with pytest.raises(StoreError, match="already exists"):
        Store.open(full)
    monkeypatch.undo()
    with Store.open(full) as store:
        assert len(store.done(1)) == 20
        assert store._connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'notes'").fetchone() == (0,)


# disasters


def test_a_full_disk_is_told_and_loses_nothing(path: Path) -> None:
    records = games(200)
    with Store.open(path) as store:
        run = store.run("a", {})
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 5}")
        with pytest.raises(StoreError, match="the disk is full"):
            _ = [store.add(run, record) for record in records]
        written = len(store.done(run))
        assert 0 < written < 200
        assert list(store.records(run)) == records[:written]
        store._connection.execute("PRAGMA max_page_count = 1000000")
        for record in records:
            store.add(run, record)
    with Store.open(path) as store:
        assert list(store.records(run)) == records


FILL = """
import dataclasses, resource, sys
import kibitz as kb
from kibitz.arena.playing import GameSpec, play
from kibitz.store import Store
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
record = play(GameSpec(kb.game("tic-tac-toe"), (kb.Random(), kb.Random()), ("A", "B")))
store = Store.open(sys.argv[1])
run = store.run("a", {})
for number in range(1000):
    try:
        store.add(run, dataclasses.replace(record, spec_key=str(number), index=number))
    except kb.StoreError as error:
        print(number, error)
        break
store.close()
"""


def test_a_disk_that_takes_no_more_is_told_and_loses_nothing(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FILL, str(path)], capture_output=True, text=True, check=True)
    number, _, message = done.stdout.strip().partition(" ")
    assert "everything written so far is kept" in message
    with Store.open(path) as store:
        assert store.done(1) == {str(each) for each in range(int(number))}
    assert int(number) > 10


ADD = """
import dataclasses, sys
import kibitz as kb
from kibitz.arena.playing import GameSpec, play
from kibitz.store import Store
record = play(GameSpec(kb.game("tic-tac-toe"), (kb.Random(), kb.Random()), ("A", "B")))
with Store.open(sys.argv[1]) as store:
    run = store.run("a", {})
    done = store.done(run)
    for number in range(10**9):
        if str(number) not in done:
            store.add(run, dataclasses.replace(record, spec_key=str(number), index=number))
            print(number, flush=True)
"""


def test_a_killed_process_loses_nothing_and_counts_nothing_twice(path: Path) -> None:
    dice = random.Random(3)
    told: set[int] = set()
    for _ in range(6):
        child = subprocess.Popen([sys.executable, "-c", ADD, str(path)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(dice.uniform(0, 0.2))
        child.send_signal(signal.SIGKILL)
        lines = [first, *child.stdout.read().splitlines(keepends=True)]
        child.wait()
        child.stdout.close()
        new = {int(line) for line in lines if line.endswith("\n")}
        assert not new & told
        told |= new
        with Store.open(path) as store:
            numbers = [record.index for record in store.records(1)]
            assert len(store.done(1)) == len(numbers)
        # A game may be committed that the child had no time to tell of.
        assert numbers == list(range(len(numbers)))
        assert told <= set(numbers)
        told = set(numbers)
    assert len(told) > 100


def test_a_process_killed_while_it_creates_a_store_leaves_none_or_a_whole_one(tmp_path: Path) -> None:
    code = "import sys; from kibitz.store import Store\nprint(flush=True)\nStore.open(sys.argv[1]).run('a', {})"
    dice = random.Random(4)
    for number in range(6):
        path = tmp_path / f"{number}.db"
        child = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(dice.uniform(0, 0.02))
        child.kill()
        child.wait()
        child.stdout.close()
        with Store.open(path) as store:
            assert store.run("a", {}) == 1


# export


def test_a_table_has_a_row_for_each_game(full: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    with Store.open(full) as store:
        assert export_csv(store, 1, out) == 20
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, record in zip(rows, games(20), strict=True):
        assert (int(row["index"]), row["key"], row["game"]) == (record.index, record.spec_key, "tic-tac-toe")
        assert (row["name_0"], row["name_1"], row["player_1"]) == ("A", "B", "random")
        assert (float(row["result_0"]), float(row["result_1"])) == record.result
        assert row["moves"].split() == [move.move for move in record.moves]


def test_moves_with_spaces_are_told_apart_in_a_table(full: Path, tmp_path: Path) -> None:
    texts = ["go north", "a1", 'say "x  y"', "{}", " ", "ü"]
    moves = tuple(MoveRecord(0, text, None, None, None, None, 1, "search") for text in texts)
    with Store.open(full) as store:
        run = store.run("second", {})
        store.add(run, dataclasses.replace(games(1)[0], moves=moves))
        export_csv(store, run, tmp_path / "games.csv")
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        words = next(csv.DictReader(file))["moves"].split()
    assert [json.loads(word) if word.startswith('"') else word for word in words] == texts


def test_json_lines_hold_everything(full: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    with Store.open(full) as store:
        assert export_jsonl(store, 1, out) == 20
        (record, *_) = store.records(1)
    (first, *_) = map(json.loads, out.read_text().splitlines())
    assert first["moves"][0] == record.moves[0]._asdict()
    assert set(first) == {field.name for field in dataclasses.fields(GameRecord)}
    assert first["result"] == list(record.result)


def test_parquet_holds_everything(full: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "games.parquet"
    with Store.open(full) as store:
        assert export_parquet(store, 1, out) == 20
        records = list(store.records(1))
    for row, record in zip(parquet.read_table(out).to_pylist(), records, strict=True):
        assert row == json.loads(json.dumps({**vars(record), "moves": [each._asdict() for each in record.moves]}))


def test_parquet_without_pyarrow_is_a_clear_error(full: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with Store.open(full) as store, pytest.raises(StoreError, match="pip install"):
        export_parquet(store, 1, tmp_path / "games.parquet")


def test_an_export_that_cannot_be_written_is_a_clear_error_and_leaves_no_part(full: Path, tmp_path: Path) -> None:
    with Store.open(full) as store:
        for export in (export_csv, export_jsonl):
            with pytest.raises(StoreError, match="cannot be written"):
                export(store, 1, tmp_path / "nowhere" / "games")
            with pytest.raises(StoreError, match="cannot be written"):
                export(store, 1, tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == [full.name]


# a game as a text


def test_a_game_record_is_readable() -> None:
    game = kb.game("tic-tac-toe")
    spec = GameSpec(game, (kb.Minimax(), kb.Minimax()), ("A", "B"), start="XX./OO./...", opening=("a1",))
    lines = game_text(play(spec)).splitlines()
    assert lines[:4] == [
        "kibitz game record 1",
        'game: "tic-tac-toe"',
        'start: "XX./OO./..."',
        'names: ["A", "B"]',
    ]
    assert "result: [-1.0, 1.0]" in lines
    assert lines[-2] == "1. a1 {opening, seat 0, legal 5}"
    assert lines[-1].startswith("2. c2 {seat 1, value 1.0, depth ")


@pytest.mark.parametrize("game", ["tic-tac-toe", "kuhn-poker", "random-tree:players=3,depth=4"])
def test_game_records_come_back_as_they_were(game: str) -> None:
    for record in games(5, kb.game(game)):
        text = game_text(record)
        assert parse_game_text(text) == record
        assert parse_game_text(text.replace("\n", "\r\n")) == record
        position = kb.game(game).start()
        for move in parse_game_text(text).moves:
            position = position.play(move.move)
        assert position.result == record.result


texts = st.text(min_size=1)
moves = st.builds(
    MoveRecord,
    seat=st.none() | st.integers(0, 5),
    move=texts,
    value=st.none() | st.floats(allow_nan=False),
    depth=st.none() | st.integers(0),
    nodes=st.none() | st.integers(0),
    seconds=st.none() | st.floats(0, allow_infinity=False),
    legal=st.integers(1),
    origin=st.sampled_from(["search", "opening", "random", "chance"]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(moves), texts, st.none() | st.text(), st.lists(texts))
def test_any_game_record_comes_back(made: list[MoveRecord], game: str, start: str | None, names: list[str]) -> None:
    record = dataclasses.replace(
        games(1)[0],
        moves=tuple(made),
        plies=sum(move.seat is not None for move in made),
        game=game,
        start=start,
        names=tuple(names),
    )
    assert parse_game_text(game_text(record)) == record


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 600), st.integers(0, 600), st.text(max_size=5))
def test_a_broken_game_record_raises_nothing_else(first: int, length: int, new: str) -> None:
    text = game_text(games(1)[0])
    with contextlib.suppress(StoreError):
        parse_game_text(text[:first] + new + text[first + length :])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("kibitz game record 1", "kibitz game record 2", "not a game record"),
        ('game: "tic-tac-toe"', "game: tic-tac-toe", "line 2"),
        ('names: ["A", "B"]', 'names: "A"', "names .* must be a list of str"),
        ("seed: 0", "seed: true", "seed .* must be int"),
        ("block: 0", "", "line 9.*block should stand here"),
        ("1. ", "3. ", "line 14"),
        ("legal 9", "legal nine", "line 14"),
        ("legal 9", "lawful 9", "line 14.*'lawful 9' means nothing"),
        ("seat 0, ", "seat 0 ", "line 14"),
    ],
)
def test_a_broken_game_record_names_the_line(old: str, new: str, words: str) -> None:
    text = game_text(games(1)[0])
    assert old in text
    with pytest.raises(StoreError, match=words):
        parse_game_text(text.replace(old, new, 1))
    with pytest.raises(StoreError, match="ends early"):
        parse_game_text("\n".join(text.splitlines()[:5]))
