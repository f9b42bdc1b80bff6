"""Matches: fair, complete, resumable, and honest about what they show."""

from __future__ import annotations

import contextlib
import json
import linecache
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import kibitz as kb
import pytest
from kibitz.arena.match import Match
from kibitz.arena.openings import RandomPlies, Schedule
from kibitz.arena.playing import GameSpec, play
from kibitz.arena.statistics import Sprt, pentanomial, score_interval
from kibitz.cli.arguments import read_game
from kibitz.store import Store


class Pick(kb.Game):
    """Each of `players` picks a number once; the greatest wins, and shares the point."""

    def __init__(self, players: int, most: int = 3) -> None:
        self.players = players
        self.most = most

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, state: tuple[int, ...]) -> int | None:
        return len(state) if len(state) < self.players else None

    def moves(self, state: tuple[int, ...]) -> list[int]:
        return list(range(self.most))

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def result(self, state: tuple[int, ...]) -> tuple[float, ...]:
        best = max(state)
        return tuple(1.0 if each == best else -1.0 for each in state)


class Alone(kb.Game):
    """One player; the result is the sum of two numbers it picks."""

    players: ClassVar[int] = 1
    results: ClassVar[tuple[float, float]] = (0.0, 8.0)

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, state: tuple[int, ...]) -> int | None:
        return 0 if len(state) < 2 else None

    def moves(self, state: tuple[int, ...]) -> list[int]:
        return [0, 1, 2, 3, 4]

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def result(self, state: tuple[int, ...]) -> tuple[float, ...]:
        return (float(sum(state)),)


@dataclass(frozen=True, kw_only=True)
class Corner(kb.Algorithm):
    """A player in Python: it takes the first square of its list that is free."""

    name: ClassVar[str] = "corner"
    squares: tuple[str, ...] = ("a1", "c3", "a3", "c1")

    def search(self, position: kb.Position, **_: Any) -> kb.Report:
        wanted = [square for square in self.squares if square in position.moves]
        return kb.Report(best=(wanted or list(position.moves))[0])


RANDOM = {"a": "random", "b": "random:seed=1"}


# the games of a match


@pytest.mark.parametrize(("seats", "games"), [(2, 1000), (3, 1002), (4, 1008), (6, 1054)])
def test_two_kinds_play_the_designs_of_the_literature(seats: int, games: int) -> None:
    planned = Match.of(Pick(seats), RANDOM, games=1000)
    specs = list(planned.specs())
    assert len(specs) == planned.planned == games
    ways = Counter(spec.names for spec in specs)
    assert len(ways) == 2**seats - 2
    assert set(ways.values()) == {games // (2**seats - 2)}


def test_games_of_a_block_share_opening_and_seed() -> None:
    planned = Match.of("breakthrough:rows=5,cols=5", RANDOM, games=20, openings=3)
    specs = list(planned.specs())
    for first, second in zip(specs[::2], specs[1::2], strict=True):
        assert (first.opening, first.seed, first.block) == (second.opening, second.seed, second.block)
        assert first.names == second.names[::-1]
    assert len({spec.opening for spec in specs}) == len({spec.seed for spec in specs}) == 10
    assert [spec.index for spec in specs] == list(range(20))


def test_more_games_only_add_to_a_match() -> None:
    short, long = (
        [spec.key for spec in Match.of("othello", RANDOM, games=games, openings=4).specs()] for games in (10, 30)
    )
    assert long[:10] == short


def test_a_match_is_named_after_its_game() -> None:
    class Handicap(Pick):
        def __init__(self, komi: float) -> None:
            super().__init__(2)
            self.komi = komi

    for game, word in (("tic-tac-toe", "tic-tac-toe"), (Handicap(6.5), Handicap.__module__.replace("_", "-"))):
        assert Match.of(game, RANDOM).name.rpartition("-")[0] == word


# the table


def test_points_of_a_match_are_those_of_its_games() -> None:
    found = kb.match(Pick(3), RANDOM, games=60, workers=0)
    points: Counter[str] = Counter()
    lengths = []
    for spec in Match.of(Pick(3), RANDOM, games=60).specs():
        record = play(spec)
        winners = [name for name, result in zip(record.names, record.result, strict=True) if result == 1]
        for name in winners:
            points[name] += 1 / len(winners)
        lengths.append(record.plies)
    for name in RANDOM:
        assert found[name].total.points == pytest.approx(points[name])
        assert found[name].total.games == 60
        assert sum(seat.points for seat in found[name].seats) == pytest.approx(points[name])
    assert points.total() == pytest.approx(60)
    assert found.plies == sum(lengths) / 60
    assert found.branching == 3


def test_every_seat_of_a_player_is_counted_for_itself() -> None:
    found = kb.match(Pick(4), RANDOM, games=28, workers=0)
    for standing in found.standings:
        assert [seat.games for seat in standing.seats] == [14] * 4


def test_intervals_come_from_blocks() -> None:
    found = kb.match("tic-tac-toe", RANDOM, games=200, workers=0)
    scores = found["a"].block_scores
    assert len(scores) == found.blocks == 100
    assert found["a"].interval == score_interval(scores)
    assert found["a"].score == pytest.approx(math.fsum(scores) / 100)


def test_a_player_against_itself_scores_exactly_a_half_in_every_pair() -> None:
    for game in ("tic-tac-toe", "kuhn-poker"):
        found = kb.match(game, {"a": "random", "b": "random"}, games=100, workers=0)
        assert set(found["a"].block_scores) == {0.5}
        assert found["a"].result == 0


def test_three_players_at_a_game_of_two_meet_in_pairs_and_are_rated() -> None:
    found = kb.match("tic-tac-toe", ["random", "uct:simulations=200", "random:seed=5"], games=60, workers=0)
    assert [standing.total.games for standing in found.standings] == [40, 40, 40]
    assert found.standings[0].name == "uct:simulations=200"
    assert all(standing.rating is not None for standing in found.standings)
    assert found.standings[0].rating.mu == max(each.rating.mu for each in found.standings if each.rating)  # type: ignore[union-attr]


def test_three_players_at_a_game_of_three_have_a_third_as_par_and_no_elo() -> None:
    found = kb.match(Pick(3, most=2), ["random", "random:seed=1", "random:seed=2"], games=6, workers=0)
    assert {standing.par for standing in found.standings} == {1 / 3}
    assert {standing.elo for standing in found.standings} == {None}
    assert math.fsum(standing.score for standing in found.standings) == pytest.approx(1)


def test_players_alone_are_compared_by_results_on_equal_terms() -> None:
    found = kb.match(Alone(), {"greedy": kb.Minimax(), "any": kb.Random()}, games=20, workers=0)
    assert found["greedy"].result == 8
    assert found["greedy"].total.points + found["any"].total.points == 10
    assert found["greedy"].score > 0.8
    assert found["any"].result < 8


def test_a_player_alone_needs_no_other() -> None:
    found = kb.match(Alone(), ["minimax"], games=5, workers=0)
    assert (found.games, found.standings[0].result) == (5, 8)


def test_averages_of_moves_are_those_of_the_searches() -> None:
    found = kb.match("tic-tac-toe", {"three": "minimax:depth=3", "two": "minimax:depth=2"}, games=2, workers=0)
    depths = {name: [] for name in ("three", "two")}
    nodes = {name: [] for name in ("three", "two")}
    for spec in Match.of("tic-tac-toe", {"three": "minimax:depth=3", "two": "minimax:depth=2"}, games=2).specs():
        record = play(spec)
        for move in record.moves:
            depths[record.names[move.seat or 0]].append(move.depth)
            nodes[record.names[move.seat or 0]].append(move.nodes)
    for name in depths:
        assert found[name].moves == len(depths[name])
        assert found[name].depth == pytest.approx(sum(depths[name]) / len(depths[name]))
        assert found[name].nodes == pytest.approx(sum(nodes[name]) / len(nodes[name]))


def test_matches_that_repeat_themselves_say_so() -> None:
    found = kb.match("tic-tac-toe", {"a": "minimax:depth=2", "b": "minimax:depth=3"}, games=40, workers=0)
    assert found.repeated == 38
    assert "openings" in found.warnings[0]
    assert not kb.match("othello", RANDOM, games=40, workers=0).warnings


def test_the_limit_of_plies_makes_draws() -> None:
    found = kb.match("othello", RANDOM, games=20, max_plies=10, workers=0)
    assert found.adjudicated == found["a"].total.draws == 20
    assert found.plies == 10
    assert "limit of plies" in found.warnings[0]


def test_openings_and_noise_go_into_the_games(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    kb.match("othello", RANDOM, games=10, openings=Schedule((1.0, 1.0, 0.0)), store=place, run="noise", workers=0)
    kb.match("othello", RANDOM, games=10, openings=RandomPlies(4), store=place, run="plies", workers=0)
    with Store.open(place) as store:
        for record in store.records(1):
            assert [move.origin for move in record.moves[:3]] == ["random", "random", "search"]
        starts = {tuple(move.move for move in record.moves[:4]) for record in store.records(2)}
    assert len(starts) == 5


def test_the_table_is_readable() -> None:
    text = str(kb.match("tic-tac-toe", {"x": "alphabeta", "y": "random"}, games=10, workers=0))
    assert "10 games" in text
    assert "player" in text
    assert "time a move" in text
    assert text.count("\n") >= 6


def test_the_result_is_json() -> None:
    found = kb.match("tic-tac-toe", RANDOM, games=10, workers=0).as_dict()
    assert json.loads(json.dumps(found))["games"] == 10


def test_a_player_written_in_python_plays_in_other_processes() -> None:
    players = {"mine": Corner(), "mirror": Corner(squares=("c3", "a1")), "any": "random"}
    found = kb.match("tic-tac-toe", players, games=12)
    assert found["mine"].moves > 0
    assert found["mine"].seconds > 0
    assert found["mine"].player.startswith("corner")
    assert comparable(found) == comparable(kb.match("tic-tac-toe", players, games=12, workers=0))


# the sequential test


def test_the_sequential_test_stops_a_clear_match_early() -> None:
    found = kb.match("tic-tac-toe", {"u": "uct:simulations=200", "r": "random"}, games=10_000, sprt=(0, 50), workers=0)
    assert found.sprt is not None
    assert found.sprt.decision == "accept"
    assert found.complete
    assert found.games < 200
    assert found.sprt == Sprt(0, 50).state(pentanomial(found["u"].block_scores))


def test_what_is_played_after_the_decision_does_not_count() -> None:
    given = {"games": 10_000, "sprt": (0, 50)}
    players = {"u": "uct:simulations=200", "r": "random"}
    alone = kb.match("tic-tac-toe", players, workers=0, **given)
    many = kb.match("tic-tac-toe", players, workers=3, **given)
    assert comparable(alone) == comparable(many)


def test_a_sequential_test_needs_two_players_at_a_game_of_two() -> None:
    for game, players in ((Pick(3), RANDOM), ("tic-tac-toe", ["random", "uct", "alphabeta"])):
        with pytest.raises(kb.BadParameter, match="sequential test"):
            kb.match(game, players, sprt=(0, 10))


# many processes, and the store


def comparable(found: kb.MatchResult) -> dict[str, Any]:
    """The table without what time does to it."""
    data = found.as_dict()
    for standing in data["standings"]:
        del standing["seconds"]
    return {**data, "store": None, "run": None}


def test_the_number_of_processes_does_not_matter() -> None:
    tables = [kb.match("tic-tac-toe", ["uct:simulations=50", "random"], games=40, workers=each) for each in (0, 1, 3)]
    assert comparable(tables[0]) == comparable(tables[1]) == comparable(tables[2])


def test_a_match_in_the_store_is_not_played_again(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    first = kb.match("tic-tac-toe", RANDOM, games=40, store=place, workers=0)
    told = []
    again = kb.match("tic-tac-toe", RANDOM, games=40, store=place, workers=0, progress=told.append)
    assert again == first
    assert len(told) == 1
    with Store.open(place) as store:
        assert [run.games for run in store.runs()] == [40]


def test_a_match_goes_on_with_more_games(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    kb.match("tic-tac-toe", RANDOM, games=10, store=place, workers=0)
    longer = kb.match("tic-tac-toe", RANDOM, games=40, store=place, workers=0)
    assert comparable(longer) == comparable(kb.match("tic-tac-toe", RANDOM, games=40, workers=0))
    shorter = kb.match("tic-tac-toe", RANDOM, games=10, store=place, workers=0)
    assert shorter.games == 10


def test_games_of_other_rules_are_another_match(tmp_path: Path) -> None:
    names = []
    for result in ("(1, -1)", "(-1, 1)"):
        file = tmp_path / "rules.py"
        file.write_text(
            "import kibitz as kb\n"
            "class Coin(kb.Game):\n"
            "    players = 2\n"
            "    def start(self): return 0\n"
            "    def turn(self, state): return None if state else 0\n"
            "    def moves(self, state): return [1]\n"
            "    def play(self, state, move): return 1\n"
            f"    def result(self, state): return {result}\n"
        )
        linecache.clearcache()
        names.append(Match.of(read_game(f"{file}:Coin"), RANDOM).name)
    assert names[0] != names[1]


def test_what_chance_repeats_is_no_warning() -> None:
    found = kb.match("kuhn-poker", RANDOM, games=100, workers=0)
    assert found.repeated > 50
    assert found.warnings == ()


def test_another_match_under_the_same_name_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    kb.match("tic-tac-toe", RANDOM, games=10, store=place, run="mine", workers=0)
    with pytest.raises(kb.StoreError, match="seed"):
        kb.match("tic-tac-toe", RANDOM, games=10, seed=2, store=place, run="mine", workers=0)


def test_a_game_that_another_process_has_stored_first_is_the_one_that_counts(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    last = play(list(Match.of("tic-tac-toe", RANDOM, games=10).specs())[-1])
    other = replace(last, result=(1.0, -1.0) if last.result[0] < 1 else (-1.0, 1.0))
    assert other.result != last.result

    def progress(_: Any) -> None:
        with Store.open(place) as store:
            store.add(1, other)

    found = kb.match("tic-tac-toe", RANDOM, games=10, store=place, workers=0, progress=progress)
    assert found == kb.match("tic-tac-toe", RANDOM, games=10, store=place, workers=0)


def test_a_long_plan_costs_nothing() -> None:
    began = time.monotonic()
    assert Match.of(Pick(3), RANDOM, games=10**9).planned == 10**9 + 2
    assert time.monotonic() - began < 1


def test_a_match_that_cannot_be_played_leaves_no_run(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    with pytest.raises(kb.NotSupported, match="alphabeta"):
        kb.match("kuhn-poker", {"a": "random", "b": "alphabeta"}, games=10, store=place, workers=1)
    with pytest.raises(kb.BadParameter, match="openings"):
        kb.match("tic-tac-toe", RANDOM, games=1000, openings=1, store=place, workers=1)
    with Store.open(place) as store:
        assert store.runs() == ()


KILLED = """
import sys
import kibitz as kb
players = {"deep": "alphabeta:nodes=1500,tt_mb=1", "uct": "uct:simulations=150", "flat": "uct:simulations=40"}
kb.match("breakthrough:rows=5,cols=5", players, games=600, openings=3, seed=7, store=sys.argv[1], workers=2)
"""


def test_a_match_killed_twenty_times_is_the_match_that_was_not(tmp_path: Path) -> None:
    whole, place = tmp_path / "whole.db", tmp_path / "killed.db"
    subprocess.run([sys.executable, "-c", KILLED, str(whole)], check=True, timeout=120)
    dice = random.Random(11)
    counts = [0]
    for _ in range(20):
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(place)])
        # A quarter of them dies before it has played anything, the others soon after a game was written.
        if dice.random() < 0.25:
            time.sleep(dice.uniform(0.0, 0.3))
        else:
            while stored(place) == counts[-1]:
                assert process.poll() is None, "the match must not end before the last kill"
                time.sleep(0.005)
            time.sleep(dice.uniform(0.0, 0.1))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        counts.append(stored(place))
    assert counts == sorted(counts)
    assert len(set(counts)) > 10
    assert counts[-1] < 600, "the kills must come in the middle of the match"
    subprocess.run([sys.executable, "-c", KILLED, str(place)], check=True, timeout=120)
    with Store.open(whole) as first, Store.open(place) as second:
        one, two = ([timeless(record) for record in store.records(1)] for store in (first, second))
    assert len(two) == 600
    assert one == two


def stored(place: Path) -> int:
    """The games in a store that may not be there yet."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{place}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def timeless(record: Any) -> dict[str, Any]:
    moves = [move._replace(seconds=None) for move in record.moves]
    return {**vars(record), "moves": moves, "seconds": None}


def test_a_disk_that_is_full_stops_the_match_and_loses_nothing(tmp_path: Path) -> None:
    code = """
import resource, sys
import kibitz as kb
if len(sys.argv) > 2:
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
found = kb.match("othello", {"a": "random", "b": "random:seed=1"}, games=300, store=sys.argv[1], workers=1)
print(found.games, found["a"].total.points)
"""
    place = tmp_path / "games.db"
    command = [sys.executable, "-c", code, str(place)]
    full = subprocess.run([*command, "300000"], capture_output=True, text=True, timeout=60)
    assert full.returncode != 0
    assert "full" in full.stderr
    with Store.open(place) as store:
        kept = len(list(store.records(1)))
    assert 0 < kept < 300
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    expected = kb.match("othello", RANDOM, games=300, workers=0)
    assert done.stdout.split() == ["300", str(expected["a"].total.points)], done.stderr


# bad input


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"games": 0}, "games"),
        ({"games": 10**12}, "games"),
        ({"games": 1.5}, "games"),
        ({"seed": -1}, "seed"),
        ({"max_plies": 0}, "max_plies"),
        ({"max_plies": 2.5}, "max_plies"),
        ({"max_plies": "9"}, "max_plies"),
        ({"max_plies": 4, "openings": 4}, "ends every game in its opening"),
        ({"openings": "four"}, "openings"),
        ({"openings": -3}, "plies"),
        ({"start": "nonsense"}, "position"),
        ({"start": "XXX/OO./... O"}, "over"),
        ({"sprt": (10, 0)}, "elo"),
        ({"sprt": (10,)}, "sprt"),
        ({"sprt": 10}, "sprt"),
        ({"on": "moon"}, "moon"),
        ({"workers": -1}, "workers"),
        ({"start": 5}, "start"),
        ({"store": 5}, "store"),
        ({"run": 7}, "run"),
        ({"on": 5}, "on="),
    ],
)
def test_absurd_matches_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(kb.Error, match=words):
        kb.match("tic-tac-toe", RANDOM, **given)


@pytest.mark.parametrize(
    "players", [[], ["random"], "random", [1, 2], ["random", "deep-blue"], {"": "random", "b": "uct"}]
)
def test_absurd_players_are_refused(players: Any) -> None:
    with pytest.raises(kb.Error):
        kb.match("tic-tac-toe", players)


def test_equal_players_get_different_names() -> None:
    found = kb.match("tic-tac-toe", ["random", "random"], games=2, workers=0)
    assert {standing.name for standing in found.standings} == {"random", "random #2"}


def test_names_belong_to_the_game_and_not_to_its_play() -> None:
    game = kb.game("tic-tac-toe")
    one, two = (GameSpec(game, (kb.Random(), kb.Random(seed=1)), names, seed=3) for names in (("a", "b"), ("c", "d")))
    assert one.key != two.key
    assert [move.move for move in play(one).moves] == [move.move for move in play(two).moves]
