"""The pages Arena, Solve and Reproductions, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from conftest import Server
from machine import milliseconds
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.xdist_group("web")


def new_match(page: Page, server: Server, games: int, *players: str, game: str = "tic-tac-toe") -> None:
    page.goto(f"{server.address}/arena?game={game}")
    page.locator("[data-part=new] .q-item").first.click()
    for number, player in enumerate(players):
        if number > 1:
            page.get_by_role("button", name="Another player").click()
        choice = page.get_by_role("combobox", name=f"Player {number + 1}")
        choice.click()
        page.get_by_role("option", name=player, exact=True).click()
    page.locator("[data-field=games]").fill(str(games))


def begin(page: Page) -> None:
    page.locator("[data-act=begin]").click()
    page.wait_for_url("**/arena/*")


def test_a_match_is_begun_and_its_games_are_replayed(page: Page, server: Server) -> None:
    new_match(page, server, 20, "random", "alphabeta")
    # random openings may be lost already
    page.locator("[data-field='random plies at the start']").fill("0")
    begin(page)
    state = page.locator("[data-figure=state]")
    expect(state).to_contain_text("match, 20 of 20 games; done in", timeout=milliseconds(30_000))
    table = page.locator("[data-sheet=table]")
    expect(table).to_contain_text("score")
    # alpha-beta never loses at tic-tac-toe
    losses = table.locator("tr", has_text="B").locator("[data-name='−']")
    expect(losses).to_have_text("0")
    page.locator("[data-game='0']").click()
    move = page.locator("[data-figure=move]")
    expect(move).to_have_text("The start")
    page.get_by_role("button", name="One move on").click()
    expect(move).to_contain_text("1. ")
    page.get_by_role("button", name="To the end").click()
    expect(move).to_contain_text("Result: ")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the game").click()
    assert saved.value.path().read_text(encoding="utf-8").startswith("kibitz game record 1")


def test_a_match_is_paused_and_goes_on_even_after_the_server_was_killed(
    new_context: Callable[..., BrowserContext], new_server: Callable[..., Server]
) -> None:
    # scripts of a page whose server is gone may fail
    page, server = new_context().new_page(), new_server()
    new_match(page, server, 400, "uct", "random", game="connect-four")
    begin(page)
    address = page.url
    state, pause = page.locator("[data-figure=state]"), page.locator("[data-act=pause]")
    expect(state).to_contain_text("of 400 games", timeout=milliseconds(30_000))
    pause.click()
    expect(pause).to_contain_text("Go on")
    played = int(state.inner_text().split(" of 400")[0].rpartition(" ")[2])
    assert 0 < played < 400
    pause.click()
    expect(state).to_contain_text("playing")
    server.kill()
    again = new_server(port=server.port)
    page.goto(address)
    expect(state).to_contain_text("of 400 games")
    expect(page.locator("[data-game='0']")).to_be_visible()
    left = int(state.inner_text().split(" of 400")[0].rpartition(" ")[2])
    assert left >= played
    page.goto(f"{again.address}/arena")
    expect(page.locator("[data-run]")).to_have_count(1)


def games_of(page: Page) -> int:
    return int(page.locator("[data-figure=state]").inner_text().split(" of ")[0].rpartition(" ")[2].replace(",", ""))


def test_the_table_of_a_tournament_grows_with_every_game_and_can_be_paused(page: Page, server: Server) -> None:
    new_match(page, server, 2000, "random", "uct", "random", game="connect-four")
    page.get_by_role("combobox", name="kind").click()
    page.get_by_role("option", name="round robin").click()
    begin(page)
    state, pause = page.locator("[data-figure=state]"), page.locator("[data-act=pause]")
    table, cross = page.locator("[data-sheet=table] tbody tr"), page.locator("[data-sheet=cross] tbody tr")
    # everybody is there from the first game on, with a score and its interval
    expect(state).to_contain_text("of 6,000 games, playing")
    expect(table).to_have_count(3)
    expect(cross).to_have_count(3)
    expect(cross.first.locator("td").nth(2)).to_contain_text(re.compile(r"% \(.* to .*\)"))
    early = games_of(page)
    page.wait_for_function(
        "(before) => !document.querySelector('[data-sheet=table]').innerText.includes(before)", arg=f"\t{early:,}\t"
    )
    pause.click()
    expect(pause).to_contain_text("Go on")
    paused, shown = games_of(page), page.locator("[data-sheet=cross]").inner_text()
    assert early < paused < 6_000
    page.reload()
    expect(state).to_contain_text(f"{paused:,} of 6,000 games")
    assert page.locator("[data-sheet=cross]").inner_text() == shown
    pause.click()
    expect(state).to_contain_text("playing")
    expect(state).not_to_contain_text(f" {paused:,} of")
    assert games_of(page) > paused
    page.locator("[data-act=remove]").click()


def test_what_is_wrong_with_a_match_is_said(page: Page, server: Server) -> None:
    new_match(page, server, 10, "random", "random")
    page.locator("[data-player='1']").fill("A")
    page.locator("[data-act=begin]").click()
    expect(page.locator(".q-notification")).to_contain_text("every player needs a name of its own")
    page.goto(f"{server.address}/arena/..%2F..%2Fsecret")
    expect(page.locator("body")).not_to_contain_text("storage")
    page.goto(f"{server.address}/arena/no-such-match")
    expect(page.get_by_text("There is no such match.")).to_be_visible()


def test_a_position_is_solved_with_its_curve(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/solve?game=tic-tac-toe&position=")
    page.locator("[data-act=solve]").click()
    expect(page.locator("[data-figure=value]")).to_contain_text("It is a draw", timeout=milliseconds(20_000))
    expect(page.locator("[data-sheet=goals] tbody tr")).to_have_count(2)
    expect(page.locator(".lab-chart canvas").first).to_be_visible()
    page.reload()
    expect(page.locator("[data-figure=value]")).to_contain_text("It is a draw")


def test_a_database_is_built_counted_looked_into_and_asked(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/solve")
    page.locator("[data-act=build]").click()
    expect(page.locator("[data-figure=building]")).to_contain_text("2,340 positions", timeout=milliseconds(30_000))
    expect(page.locator("[data-sheet=slices]")).to_contain_text("2-1")
    expect(page.locator("[data-position]")).to_have_count(6)
    page.locator("[data-act=more]").click()
    expect(page.locator("[data-position]")).to_have_count(12)
    page.goto(f"{server.address}/analyse?game=fanorona:rows=3,cols=3&position=w../.../..b w")
    expect(page.locator("[data-database]")).to_contain_text("win in")


def test_a_published_table_is_measured_again(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/reproductions")
    page.locator("[data-field=find]").fill("identit")
    row = page.locator("[data-experiment]").first
    expect(row).to_contain_text("not measured here yet")
    row.click()
    page.locator("[data-act=measure]").click()
    expect(page.locator("[data-figure=tally]")).to_contain_text("Quick: 1 holds", timeout=milliseconds(60_000))
    expect(page.locator(".lab-sheet .verdict")).to_have_text("holds")
    page.goto(f"{server.address}/reproductions/no-such-table")
    expect(page.get_by_role("alert")).to_contain_text("no experiment")
