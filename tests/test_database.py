"""Endgame databases: built, asked, checked, refused when damaged, and used by searches."""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import kibitz as kb
import pytest
from kibitz.database import bytes_of

SMALL = kb.game("fanorona", rows=3, cols=5)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of Fanorona on 3x5 with up to five pieces and distances."""
    path = tmp_path_factory.mktemp("database") / "small.kdb"
    kb.build_db(SMALL, path, pieces=5, distances="win")
    return path


@pytest.fixture(scope="module")
def database(place: Path) -> kb.Database:
    return kb.open_db(place)


def test_a_database_knows_its_game_and_its_slices(database: kb.Database) -> None:
    assert database.game == SMALL
    assert database.pieces == 5
    assert database.distances == "win"
    stats = database.stats
    assert [each.name for each in stats.slices] == [
        "1-1",
        "2-1",
        "1-2",
        "3-1",
        "1-3",
        "2-2",
        "4-1",
        "1-4",
        "3-2",
        "2-3",
    ]
    # every way to put the pieces of a slice on fifteen points
    sizes = {each.name: each.positions for each in stats.slices}
    assert sizes["1-1"] == 15 * 14
    assert sizes["2-1"] == sizes["1-2"] == 15 * 14 // 2 * 13
    assert sizes["3-2"] == 15 * 14 * 13 // 6 * (12 * 11 // 2)
    assert stats.bytes == database.path.stat().st_size


def test_values_agree_with_what_a_search_finds(database: kb.Database) -> None:
    checked = 0
    for value in ("win", "loss"):
        for each in database.browse("2-1", value=value, count=40):
            if each.distance is not None and each.distance <= 5 and not each.position.over:
                report = kb.AlphaBeta(depth=each.distance + 1, tt_mb=1).search(each.position)
                assert report.value == (1.0 if value == "win" else -1.0), str(each.position)
                checked += 1
    assert checked >= 20


def test_the_best_move_keeps_the_value_and_shortens_a_win(database: kb.Database) -> None:
    for each in database.browse("3-2", value="win", longest=False, count=30):
        position = each.position
        move = database.best(position)
        after = position.play(move)
        if after.over:
            assert after.result is not None
            assert after.result[int(position.turn or 0)] == 1.0
            continue
        known = database.probe(after)
        assert known is not None
        assert known.value == "loss"
        assert known.distance is not None
        assert known.distance + 1 == each.distance


def test_a_position_with_more_pieces_is_not_known(database: kb.Database) -> None:
    assert database.probe(SMALL.start()) is None
    assert database.best(SMALL.start()) is None


def test_browse_finds_the_longest_wins(database: kb.Database) -> None:
    longest = max(each.longest for each in database.stats.slices if each.name == "2-1")
    found = list(database.browse("2-1", longest=True, count=3))
    assert found
    assert all(each.distance == longest for each in found)
    values = {each.value for each in found}
    for value in {"win", "loss"} - values:
        # the longest of the other kind is shorter, and found all the same
        (other,) = database.browse("2-1", value="win" if value == "win" else "loss", longest=True, count=1)
        assert other.distance is not None
        assert other.distance < longest
    with pytest.raises(kb.BadParameter, match="no slice '9-9'"):
        next(database.browse("9-9"))


def test_verify_counts_every_position(database: kb.Database) -> None:
    shares: list[float] = []
    assert database.verify(progress=shares.append) == database.stats.classes
    assert all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize("memory", [None, "all", "1M"])
def test_memory_changes_no_answer(place: Path, memory: str | None) -> None:
    database = kb.open_db(place, memory=memory)
    for slice in ("2-1", "2-3"):
        for each in database.browse(slice, count=50):
            assert kb.open_db(place).probe(each.position) == (each.value, each.distance)


def test_a_database_comes_back_from_a_pickle(database: kb.Database) -> None:
    again = pickle.loads(pickle.dumps(database))
    assert again == database
    assert again.stats == database.stats


def test_more_memory_and_less_give_the_same_file(tmp_path: Path, place: Path) -> None:
    kb.build_db(SMALL, tmp_path / "other.kdb", pieces=5, distances="win", memory="1M", threads=1)
    assert (tmp_path / "other.kdb").read_bytes() == place.read_bytes()
    assert [each.name for each in tmp_path.iterdir()] == ["other.kdb"]


BUILD = """
import sys, threading, time
import kibitz as kb

def anonymous():  # without the pages of files, which are the system's to keep or to drop
    (line,) = [line for line in open("/proc/self/status") if line.startswith("RssAnon")]
    return int(line.split()[1]) / 1024

kb.build_db(kb.game("fanorona:rows=3,cols=3"), sys.argv[1], pieces=3, threads=2)
before, peak, done = anonymous(), 0.0, False

def watch():
    global peak
    while not done:
        peak = max(peak, anonymous())
        time.sleep(0.002)

watcher = threading.Thread(target=watch)
watcher.start()
kb.build_db(kb.game("fanorona:rows=5,cols=5"), sys.argv[2], pieces=6, distances="win", memory=sys.argv[3], threads=2)
done = True
watcher.join()
print(peak - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_a_build_keeps_within_its_memory(tmp_path: Path) -> None:
    grown = {}
    for memory in ("64M", "4M"):
        files = [str(tmp_path / f"{memory}-{name}.kdb") for name in ("small", "large")]
        ran = subprocess.run(
            [sys.executable, "-c", BUILD, *files, memory], capture_output=True, text=True, check=True, timeout=300
        )
        grown[memory] = float(ran.stdout)
    assert 4 < grown["64M"] <= 1.1 * 64, grown
    # on disk, with the same result, and for buffers little more than was asked for
    assert grown["4M"] <= 1.1 * 4 + 8, grown
    large = [(tmp_path / f"{memory}-large.kdb").read_bytes() for memory in grown]
    assert large[0] == large[1]


def test_damage_is_refused_on_opening_or_by_verify_or_when_a_search_meets_it(tmp_path: Path, place: Path) -> None:
    sound = place.read_bytes()
    path = tmp_path / "damaged.kdb"
    chance = random.Random(3)
    for _ in range(20):
        at = chance.randrange(len(sound))
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 1 << chance.randrange(8)]) + sound[at + 1 :])
        with pytest.raises(kb.CorruptDatabase):
            kb.open_db(path).verify()
        with pytest.raises(kb.CorruptDatabase):
            kb.open_db(path, memory="all")
    path.write_bytes(sound[:-1])
    with pytest.raises(kb.CorruptDatabase, match="bytes and should have"):
        kb.open_db(path)
    path.write_bytes(b"something else")
    with pytest.raises(kb.CorruptDatabase, match="not an endgame database"):
        kb.open_db(path)


def test_a_search_that_meets_damage_raises(tmp_path: Path) -> None:
    sound = kb.build_db(SMALL, tmp_path / "sound.kdb", pieces=5)
    roots = [each.position for each in sound.browse("3-2", count=50) if not each.position.over]
    # the last block has the values of 2-3, where moves without a capture lead
    content = sound.path.read_bytes()
    path = tmp_path / "damaged.kdb"
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    damaged = kb.open_db(path)
    position = next(sound.browse("2-3", count=1)).position
    with pytest.raises(kb.CorruptDatabase, match="another checksum"):
        damaged.probe(position)
    for method in (kb.AlphaBeta(depth=2, database=kb.open_db(path)), kb.Uct(simulations=50, database=kb.open_db(path))):
        with pytest.raises(kb.CorruptDatabase, match="another checksum"):
            list(map(method.search, roots))


def test_a_database_of_another_game_or_board_is_refused(place: Path) -> None:
    for other in ({"strong": "centre"}, {"returns": True}, {"rows": 5}):
        with pytest.raises(kb.CorruptDatabase, match="does not fit"):
            kb.open_db(place, game=kb.game("fanorona", **{"rows": 3, "cols": 5, **other}))
    with pytest.raises(kb.CorruptDatabase, match="not of dao"):
        kb.open_db(place, game=kb.game("dao"))
    with pytest.raises(kb.CorruptDatabase, match="does not fit"):
        kb.AlphaBeta(depth=2, database=str(place)).search(kb.game("fanorona", rows=3, cols=7).start())
    with pytest.raises(kb.NotSupported, match="does not number its positions"):
        kb.AlphaBeta(depth=2, database=str(place)).search(kb.game("othello").start())


def test_a_database_of_fanorona_serves_the_board_on_its_side(place: Path, tmp_path: Path) -> None:
    standing = kb.game("fanorona", rows=5, cols=3)
    lent, own = kb.open_db(place, game=standing), kb.build_db(standing, tmp_path / "own.kdb", pieces=5, distances="win")
    assert lent.stats.slices == own.stats.slices
    generator = random.Random(3)
    for _ in range(300):
        cells = [*"w" * generator.randint(1, 3), *"b" * generator.randint(1, 2)]
        cells += "." * (15 - len(cells))
        generator.shuffle(cells)
        rows = ["".join(cells[at : at + 3]) for at in range(0, 15, 3)]
        position = standing.position("/".join(rows) + " " + generator.choice("wb"))
        turned = "/".join("".join(row[col] for row in rows) for col in range(3))
        lying = SMALL.position(f"{turned} {str(position)[-1]}")
        assert lent.probe(position) == own.probe(position) == kb.open_db(place).probe(lying)
    found = kb.Pn2(database=str(place)).solve(standing.start())
    assert found.value == kb.Pn2().solve(standing.start()).value == "win"


def test_what_cannot_be_built_says_why(tmp_path: Path) -> None:
    with pytest.raises(kb.NotSupported, match="does not number its positions"):
        kb.build_db(kb.game("othello"), tmp_path / "x.kdb")
    with pytest.raises(kb.BadParameter, match="not a size"):
        kb.build_db(SMALL, tmp_path / "x.kdb", memory="much")
    with pytest.raises(kb.BadParameter, match="pieces"):
        kb.build_db(SMALL, tmp_path / "x.kdb", pieces=0)
    with pytest.raises(kb.NotSupported, match="no slice"):
        kb.build_db(SMALL, tmp_path / "x.kdb", pieces=1)
    with pytest.raises(OSError):
        kb.build_db(SMALL, tmp_path / "absent" / "x.kdb", pieces=2)
    with pytest.raises(FileNotFoundError):
        kb.open_db(tmp_path / "absent.kdb")
    assert list(tmp_path.iterdir()) == []


def test_sizes_are_read_as_people_write_them() -> None:
    assert bytes_of("12G") == bytes_of("12 GB") == bytes_of("12GiB") == 12 << 30
    assert bytes_of("1.5m") == 3 << 19
    assert bytes_of(1 << 20) == 1 << 20
    for wrong in ("", "12X", "-1G", "1k", 5, True):
        with pytest.raises(kb.BadParameter):
            bytes_of(wrong)


def test_alpha_beta_takes_the_value_of_a_database_at_its_leaves(database: kb.Database) -> None:
    """One ply above a database its value is exact, whatever the depth, and fewer nodes prove a win."""
    proven = 0.0
    for each in database.browse("3-2", count=60):
        report = kb.AlphaBeta(depth=2, database=database, tt_mb=1).search(each.position)
        assert report.value == {"win": 1.0, "draw": 0.0, "loss": -1.0}[each.value], str(each.position)
        assert report.proven
        proven += report.stats["database_hits"]
    assert proven > 60


def test_every_driver_of_the_family_agrees_with_the_database(database: kb.Database) -> None:
    for each in database.browse("2-2", count=15):
        wanted = {"win": 1.0, "draw": 0.0, "loss": -1.0}[each.value]
        for method in (kb.Pvs, kb.NegaScout, kb.Mtd, kb.NegaCStar, kb.Sss, kb.Dual):
            assert method(depth=3, database=database, tt_mb=1).search(each.position).value == wanted


@pytest.mark.parametrize("options", [{}, {"parallel": "tree", "threads": 2}, {"score_bounds": True}, {"solver": False}])
def test_uct_proves_by_a_database_what_it_would_have_to_play_out(
    database: kb.Database, options: dict[str, object]
) -> None:
    for each in database.browse("3-2", count=20):
        report = kb.Uct(simulations=400, database=database, **options).search(each.position)  # type: ignore[arg-type]
        wanted = {"win": 1.0, "draw": 0.0, "loss": -1.0}[each.value]
        if "solver" in options:
            assert abs(report.value - wanted) < 0.35, str(each.position)
        else:
            assert (report.proven, report.value) == (True, wanted), str(each.position)


def test_a_database_may_be_given_by_its_path(place: Path) -> None:
    method = kb.algorithm(f"alphabeta:depth=2,database={place}")
    position = next(kb.open_db(place).browse("2-1", value="win", count=1)).position
    assert method.search(position).value == 1.0
    with pytest.raises(kb.BadParameter, match="neither a path nor an open database"):
        kb.AlphaBeta(depth=2, database=3).search(position)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        kb.AlphaBeta(depth=2, database="absent.kdb").search(position)


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from kibitz.cli import main; main()", "db", *arguments]


def test_two_builds_of_one_file_do_not_meet(tmp_path: Path) -> None:
    if os.name == "nt":
        pytest.skip("no advisory locks")
    import fcntl

    with (tmp_path / "a.kdb.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(kb.NotSupported, match="another process"):
            kb.build_db(SMALL, tmp_path / "a.kdb", pieces=3)


def test_the_command_line_builds_counts_asks_checks_and_browses(tmp_path: Path) -> None:
    path = tmp_path / "a.kdb"

    def run(*arguments: str) -> str:
        done = subprocess.run(_command(*arguments), capture_output=True, text=True, check=True)
        return done.stdout

    assert "positions" in run("build", "fanorona:rows=3,cols=3", "-p", "4", "-o", str(path), "-d", "win", "-m", "64M")
    assert "2-2" in run("stats", str(path))
    page = run("browse", str(path), "--slice", "2-1", "--value", "win", "-n", "1", "--json")
    import json

    (row,) = json.loads(page)
    asked = json.loads(run("probe", str(path), row["position"], "--json"))
    assert asked["value"] == "win"
    assert any(move["best"] for move in asked["moves"])
    assert "agree with their successors" in run("verify", str(path))
    path.write_bytes(path.read_bytes()[:-1])
    refused = subprocess.run(_command("stats", str(path)), capture_output=True, text=True)
    assert refused.returncode == 2
    assert "damaged" in refused.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_a_build_and_the_next_one_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.kdb"
    # the second group that is solved is the slow one, so that something is finished when the signal comes
    command = _command("build", "fanorona:rows=5,cols=5", "-p", "7", "-o", str(path), "-m", "256M", "-t", "1")
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    building = tmp_path / "a.kdb.building"
    while not (building.exists() and any(building.glob("*.kdb"))) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    assert process.wait(timeout=30) == 130
    assert time.monotonic() - begin < 5
    finished = sorted(each.name for each in building.glob("*.kdb"))
    assert finished
    assert not path.exists()
    small = kb.build_db(kb.game("fanorona", rows=5, cols=5), path, pieces=3)
    assert small.pieces == 3
