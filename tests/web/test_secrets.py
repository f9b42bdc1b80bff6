"""Hidden information never reaches the page of another seat: neither its document nor its messages."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import kibitz as kb
import pytest
from conftest import Server
from kibitz.web.games import PlayedGame, Seat
from kibitz.web.storage import DataDirectory, new_id
from person import begin, click, moves, stored, wait
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.xdist_group("web")


class Eavesdropper:
    """All that ever reaches a page: the document it is sent and every message of its websocket."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.documents: list[str] = []
        self.messages: list[str] = []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda data: self.messages.append(str(data))))
        page.on("response", self._keep)

    def _keep(self, response: object) -> None:
        if "/play/" in response.url and response.request.resource_type == "document":  # type: ignore[attr-defined]
            self.documents.append(response.text())  # type: ignore[attr-defined]

    def all(self) -> str:
        return "\n".join([*self.documents, *self.messages, self.page.content()])


def dealt(game: kb.Game, seed: int, plies: int = 0) -> kb.Position:
    """A position after the deal and some moves."""
    dice = random.Random(seed)
    position = game.start()
    while position.turn == "chance" or plies > 0:
        plies -= position.turn != "chance"
        position = position.play(dice.choice(position.moves))
    return position


def second_seat(server: Server, game: str, position: kb.Position) -> str:
    """A game of people from a position, and the link to its second seat."""
    found = PlayedGame(game, [Seat(f"Player {number}") for number in range(kb.game(game).players)], start=str(position))
    name = new_id()
    DataDirectory(server.data).write("games", name, found.as_dict())
    return f"{server.address}/play/{name}?key={found.seats[1].key}"


def normal(text: str) -> str:
    """What was heard without what differs between any two pages: names, keys, identities and numbers of clients."""
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID", text)
    text = re.sub(r"[0-9a-f]{16}", "KEY", text)
    return re.sub(r"\b\d{10,}\.?\d*\b", "TIME", text)


@pytest.mark.parametrize(("game", "plies"), [("hearts", 2), ("kuhn-poker", 0), ("stratego", 4), ("spades", 6)])
def test_what_a_player_cannot_see_changes_nothing_of_the_page(
    new_context: Callable[..., BrowserContext], server: Server, game: str, plies: int
) -> None:
    """The second player gets the same from two games that differ only in what is hidden from that player."""
    rules = kb.game(game)
    truth = dealt(rules, 1, plies)
    other = next(
        world
        for seed in range(100)
        if (world := rules.position(str(truth.guess(1, seed=seed)))).view(1) == truth.view(1)
        and str(world) != str(truth)
    )
    pages, context = [], new_context()
    for position in (truth, other):
        ear = Eavesdropper(context.new_page())
        ear.page.goto(second_seat(server, game, position))
        ear.page.wait_for_selector(".lab-board svg")
        ear.page.wait_for_load_state("networkidle")
        pages.append(ear)
    first, second = (normal(ear.page.locator(".lab-main").inner_html()) for ear in pages)
    assert first == second
    for secret, ear in zip((truth, other), pages, strict=True):
        for text in secrets_of(secret, player=1):
            assert text not in ear.all()
    documents = [normal(ear.documents[0]) for ear in pages]
    assert documents[0] == documents[1]


def secrets_of(position: kb.Position, player: int) -> list[str]:
    """Parts of a position's text that the view of a player does not have, long enough not to occur by chance."""
    view = position.view(player)
    parts = [str(position), *(part.strip() for part in re.split(r"[/;]", str(position)))]
    return [part for part in parts if len(part) >= 6 and part not in view]


def test_the_cards_of_others_are_in_no_message(new_context: Callable[..., BrowserContext], server: Server) -> None:
    """A game of Hearts against engines: as long as a card is in another hand, nothing that was heard names it."""
    ear = Eavesdropper(new_context().new_page())
    page = ear.page
    url = begin(page, server.address, "hearts")
    dice = random.Random(6)
    for _ in range(8):
        click(page, dice)
        held = unseen(server, url)
        heard = ear.all()
        for card in held:
            for form in (f'data-cell="{card}"', f'\\"{card}\\"', f"<b>{card}</b>", f"{card}: ", f">{card}<"):
                assert form not in heard
    assert len(moves(page)) >= 8


def unseen(server: Server, url: str) -> set[str]:
    """The cards that are in the hands of the engines."""

    hands = str(stored(server.data, url)).partition(";")[0].split(" / ")
    return {card for hand in hands[1:] for card in hand.split() if card != "-"}


def test_two_people_at_one_screen_do_not_see_each_others_cards(page: Page, server: Server) -> None:
    begin(page, server.address, "kuhn-poker", people=2)
    expect(page.locator(".lab-status")).to_contain_text("Player 1")
    expect(page.locator(".lab-cover")).to_contain_text("Player 1 is next. Hand over the screen.")
    assert page.locator(".lab-board svg").count() == 0
    page.locator("[data-uncover]").click()
    expect(page.locator(".lab-board svg")).to_have_count(1)
    page.locator("[data-move]").first.click()
    expect(page.locator(".lab-cover")).to_contain_text("Player 2 is next. Hand over the screen.")
    assert page.locator(".lab-board svg").count() == 0
    assert page.locator("[data-move]").count() == 0


def test_between_two_people_the_list_has_no_secrets_either(page: Page, server: Server) -> None:
    begin(page, server.address, "stratego:white=free,black=free", people=2)
    page.locator("[data-uncover]").click()
    page.locator("[data-move], .kb-on").first.wait_for()
    found = wait(page)
    for _ in range(40):
        found = click(page, random.Random(1), found)
    expect(page.locator(".lab-cover")).to_contain_text("Player 2 is next")
    assert set(moves(page)) == {"has moved"}


def test_who_looks_on_sees_no_hand(new_context: Callable[..., BrowserContext], page: Page, server: Server) -> None:
    url = begin(page, server.address, "hearts")
    ear = Eavesdropper(new_context().new_page())
    ear.page.goto(url.partition("?")[0])
    ear.page.wait_for_selector(".lab-cover")
    assert ear.page.locator(".lab-board svg").count() == 0
    assert ear.page.locator("[data-cell]").count() == 0
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog")).to_contain_text("when the game is over")
    assert page.locator("textarea[data-text]").count() == 0
