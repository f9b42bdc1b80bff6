"""Gaps, against a checker that keeps the rows as lists of cards."""

from __future__ import annotations

import random

import kibitz as kb
import pytest

RANKS = "A23456789TJQK"


class Table:
    """The cards of a position, moved by the words of the rules."""

    def __init__(self, text: str, common: bool) -> None:
        rows = text.split("/")
        if common:
            rows[-1] = rows[-1].rsplit(" ", 1)[0]
        self.rows = [row.split() for row in rows]
        self.common = common

    def play(self, move: str) -> None:
        card, cell = move.split("-")
        row, column = int(cell[1]) - 1, ord(cell[0]) - ord("a")
        assert self.rows[row][column] == "--"
        if column == 0:
            assert self.common
            assert card[0] == "2"
        else:
            left = self.rows[row][column - 1]
            assert left != "--"
            assert card == RANKS[RANKS.index(left[0]) + 1] + left[1]
        from_row = next(cards for cards in self.rows if card in cards)
        from_row[from_row.index(card)] = "--"
        self.rows[row][column] = card

    def in_place(self) -> int:
        total = 0
        for cards in self.rows:
            wanted = RANKS[1:] if self.common else RANKS
            count = 0
            while count < len(cards) and cards[count] == wanted[count : count + 1] + cards[0][1]:
                count += 1
            total += count - (0 if self.common else 1)
        return total


@pytest.mark.parametrize("variant", ["basic", "common"])
@pytest.mark.parametrize("ranks", [4, 7, 13])
def test_every_game_is_one_by_the_words_of_the_rules(variant: str, ranks: int) -> None:
    chance = random.Random(ranks)
    for seed in range(15):
        position = kb.game("gaps", variant=variant, ranks=ranks, seed=seed).start()
        table = Table(str(position), variant == "common")
        while not position.over:
            move = chance.choice(position.moves)
            table.play(move)
            position = position.play(move)
            assert Table(str(position), variant == "common").rows == table.rows
        assert position.result == (table.in_place(),)


def test_the_deal_is_that_of_the_linear_congruential_generator() -> None:
    cards = [RANKS[rank] + suit for suit in "SHDC" for rank in range(4)]
    x = 6
    for i in range(15, 0, -1):
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        j = (x >> 33) % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    rows = [["--" if card[0] == "A" else card for card in cards[4 * row : 4 * row + 4]] for row in range(4)]
    text = "/".join(" ".join(["A" + "SHDC"[i], *row]) for i, row in enumerate(rows))
    assert str(kb.game("gaps", ranks=4, seed=6).start()) == text


def test_a_deal_is_solved_in_the_terminal_and_in_the_arena() -> None:
    start = kb.game("gaps", ranks=4, seed=4).start()
    report = kb.IncrementalTranspositions(stop_at_best=True).search(start)
    assert report.value == 12
    assert "12 of 12 cards in place; solved" in _after(start, report.pv).board()
    table = kb.match("gaps:ranks=4,seed=4", [kb.IncrementalTranspositions()], games=1, seed=1, workers=0)
    assert table.standings[0].result == 12


def _after(position: kb.Position, moves: tuple[str, ...]) -> kb.Position:
    for move in moves:
        position = position.play(move)
    return position
