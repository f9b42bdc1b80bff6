"""The parts of the lab that need no browser: names, keys, games, what a move tells, forms and the guard."""

from __future__ import annotations

import importlib.util
import json
import random
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.cli.serve import serve
from kibitz.web.fields import fields_of_algorithm, fields_of_game, text_of
from kibitz.web.games import Clock, Ending, PlayedGame, Seat
from kibitz.web.guard import Guard
from kibitz.web.inputs import check_text, read_algorithm, read_game
from kibitz.web.storage import DataDirectory
from loops import run

pytestmark = pytest.mark.xdist_group("web")


def played(game: str, moves: int, *, seed: int = 1, people: bool = True) -> PlayedGame:
    """A game of people with random moves."""
    seats = [Seat(f"Player {number}", None if people else "random") for number in range(kb.game(game).players)]
    found = PlayedGame(game, seats, seed=seed)
    dice = random.Random(seed)
    while len(found.moves) < moves and not found.over:
        if found.turn == "chance":
            found.roll()
        else:
            found.play(found.now.notation(dice.choice(found.now.moves)))
    return found


@pytest.mark.parametrize(
    "name", ["../secret", "..", "a/b", "a\\b", "/etc/passwd", "A", "a.json", "", "x\0", "é", "a" * 65]
)
def test_a_name_is_never_a_path(tmp_path: Path, name: str) -> None:
    data = DataDirectory(tmp_path)
    for act in (lambda: data.read("games", name), lambda: data.write("games", name, {}), lambda: data.folder(name)):
        with pytest.raises(kb.BadParameter, match="is not a name"):
            act()


def test_what_is_written_is_read_again_and_the_oldest_goes_first(tmp_path: Path) -> None:
    import os

    data = DataDirectory(tmp_path)
    for number in range(5):
        data.write("games", f"g{number}", {"number": number})
        os.utime(data.file("games", f"g{number}"), (number, number))
    data.prune("games", 2)
    assert data.names("games") == ["g4", "g3"]
    assert data.read("games", "g4") == {"number": 4}
    assert data.read("games", "g0") is None


def test_the_secret_stays_and_is_nobody_elses(tmp_path: Path) -> None:
    first = DataDirectory(tmp_path).secret()
    assert first == DataDirectory(tmp_path).secret()
    assert len(first) == 64
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("game", kb.games())
def test_a_game_survives_as_plain_data_and_as_text(game: str) -> None:
    found = played(game, 25)
    again = PlayedGame.from_dict(json.loads(json.dumps(found.as_dict())))
    assert again.now == found.now
    assert again.as_dict() == found.as_dict()
    if found.open:
        assert PlayedGame.from_text(found.text()).now == found.now


@pytest.mark.parametrize("game", kb.games())
def test_undo_and_redo_restore_the_exact_position(game: str) -> None:
    found = played(game, 25)
    before = [str(position) for position in found.positions]
    while found.undo(frozenset({0})):
        assert str(found.now) == before[len(found.moves)]
    while found.redo(frozenset({0})):
        assert str(found.now) == before[len(found.moves)]
    assert [str(position) for position in found.positions] == before


def test_luck_is_the_same_after_taking_back() -> None:
    found = played("backgammon", 8)
    rolls = [each.move.move for each in found.moves if each.move.seat is None]
    found.undo(frozenset({0}))
    kept = len(found.moves)
    found.play(found.now.notation(found.now.moves[-1]))
    found.roll()
    assert found.moves[kept + 1].move.move == rolls[sum(each.move.seat is None for each in found.moves) - 1]


@pytest.mark.parametrize("game", ["hearts:passing=left", "hearts", "spades", "kuhn-poker", "stratego"])
def test_nobody_but_chance_deals_in_secret(game: str) -> None:
    found = played(game, 60)
    assert all(each.kept_from == frozenset(range(len(found.seats))) for each in found.moves if each.move.seat is None)


def test_a_card_that_is_passed_is_known_to_one_player_only() -> None:
    found = played("hearts:passing=left", 53)
    assert found.moves[52].move.seat == 0
    assert found.moves[52].kept_from == frozenset({1, 2, 3})
    assert found.notation(52, 0) == found.moves[52].move.move
    assert found.notation(52, 1) is None
    assert found.notation(52, None) is None


def test_a_card_that_is_played_is_known_to_all() -> None:
    found = played("hearts", 60)
    cards = [each for each in found.moves if each.move.seat is not None]
    assert cards
    assert not any(each.kept_from for each in cards)


def test_where_a_piece_is_set_up_is_known_to_its_owner_only() -> None:
    found = played("stratego:white=free,black=free", 10)
    assert {each.kept_from for each in found.moves} == {frozenset({1 - found.moves[0].move.seat})}  # type: ignore[operator]


def test_the_text_of_a_hidden_game_waits_for_its_end() -> None:
    found = played("hearts", 60)
    with pytest.raises(kb.Error, match="when the game is over"):
        found.text()
    found.end(Ending("resigned", 0))
    assert PlayedGame.from_text(found.text()).now == found.now


def test_who_resigns_has_the_least() -> None:
    found = played("connect-four", 3)
    found.end(Ending("resigned", 1))
    assert found.result == (1.0, -1.0)
    assert found.over


def test_an_engine_without_a_value_can_be_written_down() -> None:
    found = played("connect-four", 1)
    found.play("4", {"value": float("nan"), "depth": 1, "nodes": 2})
    assert found.moves[-1].move.value is None
    json.dumps(found.as_dict(), allow_nan=False)


def test_two_people_with_secrets_take_nothing_back() -> None:
    people = [Seat("a"), Seat("b")]
    assert not PlayedGame("kuhn-poker", people).take_back
    assert PlayedGame("kuhn-poker", [people[0], Seat("c", "random")]).take_back
    assert PlayedGame("connect-four", people).take_back


def test_a_game_without_end_is_a_draw_at_its_limit() -> None:
    found = PlayedGame("dao", [Seat("a"), Seat("b")], max_plies=4)
    for _ in range(4):
        found.play(found.now.notation(found.now.moves[0]))
    assert found.over
    assert found.result == (0.0, 0.0)
    with pytest.raises(kb.IllegalMove):
        found.play("d1-d3")


def test_a_key_opens_its_seat_and_no_other() -> None:
    found = PlayedGame("hearts", [Seat("a"), Seat("b"), Seat("c", "random"), Seat("d", "random")])
    assert found.seats_of(found.host_key) == {0, 1}
    assert found.seats_of(found.seats[1].key) == {1}
    assert found.seats_of(found.seats[2].key) == set()
    assert found.seats_of("") == found.seats_of(None) == set()


@pytest.mark.parametrize(
    "change", [{"moves": [[0, "z9", None, None, None, None, 1, "search", []]]}, {"game": "chess"}, {"seats": []}]
)
def test_a_damaged_file_is_a_clear_message(change: dict[str, Any]) -> None:
    data = {**played("connect-four", 3).as_dict(), **change}
    with pytest.raises(kb.Error, match="damaged"):
        PlayedGame.from_dict(data)


def test_settings_without_meaning_are_refused() -> None:
    seats = [Seat("a"), Seat("b")]
    with pytest.raises(kb.BadParameter, match="2 seats, not 1"):
        PlayedGame("dao", seats[:1])
    with pytest.raises(kb.BadParameter, match="clock"):
        PlayedGame("dao", seats, clock=Clock(-1))
    with pytest.raises(kb.BadParameter, match="at most 10000 moves"):
        PlayedGame("dao", seats, max_plies=10**9)
    with pytest.raises(kb.BadPosition):
        PlayedGame("dao", seats, start="nonsense")


@pytest.mark.parametrize("name", kb.algorithms())
def test_an_untouched_form_is_the_algorithm_with_its_defaults(name: str) -> None:
    assert read_algorithm(text_of(name, fields_of_algorithm(name), {})) == kb.algorithm(name)


def test_a_filled_form_is_what_the_command_line_would_write() -> None:
    fields = fields_of_algorithm("alphabeta")
    filled = {"depth": 8.0, "etc": False, "tt_mb": 32, "seconds": None, "options": "evaluation=schadd"}
    assert read_algorithm(text_of("alphabeta", fields, filled)) == kb.AlphaBeta(
        depth=8, etc=False, tt_mb=32, options={"evaluation": "schadd"}
    )
    hidden = fields_of_algorithm("simulation")
    assert read_algorithm(text_of("simulation", hidden, {"sigmas": None})) == kb.Simulation(sigmas=None)


@pytest.mark.parametrize("name", kb.games())
def test_an_untouched_form_is_the_game_with_its_defaults(name: str) -> None:
    assert read_game(text_of(name, fields_of_game(name), {})) == kb.game(name)


def test_every_limit_has_a_field_and_no_file_has_one() -> None:
    for name in kb.algorithms():
        names = [field.name for field in fields_of_algorithm(name)]
        assert names[0] == "seconds"
        assert not {"database", "checkpoint", "proof"} & set(names)


def test_without_nicegui_the_command_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(kb.Error, match=r"pip install 'kibitz\[web\]'"):
        serve()


def test_a_text_beyond_the_limit_is_refused() -> None:
    with pytest.raises(kb.BadParameter, match="10,485,760 characters; at most 20,000"):
        check_text("x" * (10 << 20), "the position")


def asked(
    headers: dict[str, str],
    *,
    loopback: bool = True,
    token: str | None = None,
    query: str = "",
    kind: str = "http",
) -> int:
    """The status with which a guarded application answers; that of a websocket that is closed is its code."""
    statuses: list[int] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        if message["type"] in ("http.response.start", "websocket.close"):
            statuses.append(message.get("status") or message["code"])

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "headers": raw, "query_string": query.encode(), "path": "/play"}
    run(Guard(application, loopback, token)(scope, None, send))  # type: ignore[arg-type]
    return statuses[0]


def test_the_loopback_answers_to_its_own_names_only() -> None:
    assert asked({"host": "127.0.0.1:8080"}) == 200
    assert asked({"host": "localhost"}) == 200
    assert asked({"host": "[::1]:8080"}) == 200
    assert asked({"host": "evil.example"}) == 403
    assert asked({}) == 403


def test_a_page_of_another_site_is_refused() -> None:
    assert asked({"host": "127.0.0.1:8080", "origin": "http://127.0.0.1:8080"}) == 200
    assert asked({"host": "127.0.0.1:8080", "origin": "http://evil.example"}) == 403
    assert asked({"host": "127.0.0.1:8080", "origin": "null"}) == 403
    assert asked({"host": "127.0.0.1:8080", "origin": "http://evil.example"}, kind="websocket") == 1008
    assert asked({"host": "lab.example"}, loopback=False, token="secret", kind="websocket") == 1008


def test_without_the_token_nobody_comes_in() -> None:
    host = {"host": "lab.example"}
    assert asked(host, loopback=False, token="secret") == 401
    assert asked(host, loopback=False, token="secret", query="token=wrong") == 401
    assert asked(host, loopback=False, token="secret", query="token=secret") == 303
    assert asked({**host, "cookie": "kibitz_token=secret"}, loopback=False, token="secret") == 401
