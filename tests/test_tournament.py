"""Tournaments in Python: what their final table may claim."""

from __future__ import annotations

from pathlib import Path

import kibitz as kb
from kibitz.arena.openings import RandomPlies
from kibitz.arena.tournament import Tournament
from kibitz.store import Store


def test_opponents_that_play_the_same_games_make_no_interval_narrower() -> None:
    def challenge(*rest: str) -> Tournament:
        players = {"new": kb.Random(seed=1)} | {name: kb.Random() for name in rest}
        return Tournament(
            name="t",
            game=kb.game("othello"),
            players=players,
            kind="gauntlet",
            challengers=("new",),
            openings=RandomPlies(4),
        )

    one, four = (
        challenge(*names).play(workers=0).places for names in (("old",), ("old", "older", "oldest", "ancient"))
    )
    [alone], [often] = ([place for place in places if place.name == "new"] for places in (one, four))
    assert often.total.games == 4 * alone.total.games
    assert often.total.score == alone.total.score
    assert often.interval == alone.interval


def test_meetings_have_runs_of_their_own_whatever_the_names(tmp_path: Path) -> None:
    players = {name: kb.Random(seed=seed) for seed, name in enumerate(("a-b", "c", "a", "b-c"))}
    found = Tournament(name="t", game=kb.game("tic-tac-toe"), players=players, games=4)
    found.play(store=tmp_path / "games.db", workers=0)
    with Store.open(tmp_path / "games.db") as store:
        assert [run.games for run in store.runs()] == [4] * 6


def test_the_table_of_a_tournament_that_is_going_on_has_everybody() -> None:
    players = {name: kb.Random(seed=seed) for seed, name in enumerate("abc")}
    planned = Tournament(name="t", game=kb.game("tic-tac-toe"), players=players, games=20)
    whole = planned.play(workers=0)
    first = planned.result({("a", "b"): whole.meetings["a", "b"]})
    assert {place.name: place.total.games for place in first.places} == {"a": 20, "b": 20, "c": 0}
    assert first.places[-1].name == "c"
    assert first.standing("b", "a") == whole.standing("b", "a")
    assert first.standing("a", "c") is None
    assert [place.interval for place in planned.result(whole.meetings).places] == [p.interval for p in whole.places]
