"""Opponent modelling in Hearts and Spades: tables 3 to 5 of Sturtevant's overview of multi-player search.

A search by maxⁿ gives everybody at the end of a hand what his *type* wants: tricks (MT) or the bid and few overtricks
(mOT) in Spades, few points (mS) or the lead (ML) in Hearts. A player either knows the types of the others or takes all
of them for his own. Hands are open, and every card is the answer of a search to the end of the hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import kibitz as kb
from kibitz.arena.seating import blocks
from kibitz.arena.statistics import shares
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, joint_level, moments, sample_mean
from kibitz.experiments.schadd_best_reply import expected_share
from kibitz.experiments.sturtevant_cards import PAPER, SEED, deal, rules, search

__all__ = ["EXPERIMENTS", "Hand", "hearts_game", "spades_game"]

NAMES = {"tricks": "MT", "overtricks": "mOT", "points": "mS", "lead": "ML"}
NUMBERS = {"tricks": 1, "overtricks": 2, "points": 1, "lead": 2}
"""How the parameter `types` of both games writes a type."""

DECKS = {"spades": ("short", 8), "hearts": ("reduced", 7)}
GAMES = 600
"""The number of games is lost in the paper; this is a hundred for each of the six seatings."""
LONGEST = 500
"""No game has so many hands; one that had would go to whoever is ahead."""


def maxn(cards: int) -> kb.MaxN:
    """The search of a hand with so many cards left, and a table that is no larger than it needs."""
    return search(cards, ties="leftmost", branch_and_bound=True, tt_mb=min(256, max(1, 4 ** (cards - 4))))


class Hand:
    """A hand as the players see it: for every belief about the types a game, its position, and the best line in it.

    Under a rule for ties that does not depend on the player at the root a line stays the best one as long as all follow
    it, so that nothing is searched twice.
    """

    def __init__(self, game: str, cards: int, text: str, beliefs: Sequence[tuple[str, ...]], **state: Any) -> None:
        deck, whole = DECKS[game]
        few = {} if cards == whole else {"cards": cards}
        self.beliefs = beliefs
        self._cards = 3 * cards
        self._positions: dict[tuple[str, ...], kb.Position] = {}
        self._lines: dict[tuple[str, ...], list[Any]] = {}
        for belief in dict.fromkeys(beliefs):
            types = [NUMBERS[each] for each in belief]
            self._positions[belief] = rules(game, deck, types=types, **few, **state).position(text)
            self._lines[belief] = []

    def played(self) -> list[int]:
        """Plays the hand and returns what everybody took: tricks, or points."""
        while True:
            here = next(iter(self._positions.values()))
            if here.turn is None:
                return [int(word) for word in str(here).split("taken ")[1].split(";")[0].split()]
            assert isinstance(here.turn, int)
            self._play(self._card(self.beliefs[here.turn]))

    def _card(self, belief: tuple[str, ...]) -> Any:
        here, line = self._positions[belief], self._lines[belief]
        if len(here.moves) == 1:
            return here.moves[0]
        if not line:
            report = maxn(-(-self._cards // 3)).search(here)
            line += report.pv or (report.best,)
        return line[0]

    def _play(self, card: Any) -> None:
        self._cards -= 1
        for belief, line in self._lines.items():
            self._positions[belief] = self._positions[belief].play(card)
            if line and line[0] == card:
                del line[0]
            else:
                line.clear()


def _beliefs(types: Sequence[str], knows: Sequence[bool]) -> list[tuple[str, ...]]:
    """What each player takes the types of all for."""
    return [tuple(types) if known else (own,) * len(types) for own, known in zip(types, knows, strict=True)]


def spades_game(types: Sequence[str], knows: Sequence[bool], cards: int, *names: object) -> list[int]:
    """The points of a game of Spades: hands until somebody has 200.

    Everybody bids the tricks that maxⁿ gives him if all want tricks, at least one. Ten overtricks cost 100 points.
    """
    deck, whole = DECKS["spades"]
    totals, bags = [0, 0, 0], [0, 0, 0]
    tricks = rules("spades", deck, utility="tricks", **({} if cards == whole else {"cards": cards}))
    for hand in range(LONGEST):
        if max(totals) >= 200:
            break
        text = deal(deck, cards, *names, hand, leader=hand % 3)
        values = maxn(cards).search(tricks.position(text)).values
        bids = [max(1, round(value)) for value in values]
        for player, took in enumerate(Hand("spades", cards, text, _beliefs(types, knows), bids=bids).played()):
            bid = bids[player]
            if took < bid:
                totals[player] -= 10 * bid
                continue
            totals[player] += 10 * bid + took - bid
            bags[player] += took - bid
            if bags[player] >= 10:
                totals[player] -= 100
                bags[player] -= 10
    return totals


def hearts_game(types: Sequence[str], knows: Sequence[bool], cards: int, *names: object) -> list[int]:
    """The points of a game of Hearts: hands until somebody has more than 100."""
    deck, _ = DECKS["hearts"]
    totals = [0, 0, 0]
    for hand in range(LONGEST):
        if max(totals) > 100:
            break
        text = deal(deck, cards, *names, hand, leader=hand % 3)
        took = Hand("hearts", cards, text, _beliefs(types, knows), totals=list(totals)).played()
        if sum(points > 0 for points in took) == 1:
            # a moon
            took = [sum(took) - points for points in took]
        totals = [total + points for total, points in zip(totals, took, strict=True)]
    return totals


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """A game: what both types have at the end, seat by seat, and their shares of the win."""
    first, second = unit["types"]
    types = [unit["types"][kind] for kind in unit["seats"]]
    knows = [unit["knows"][kind] for kind in unit["seats"]]
    names = (*unit["seats"], unit["number"])
    if unit["game"] == "spades":
        totals = spades_game(types, knows, unit["cards"], *names)
        points = shares(totals)
    else:
        totals = hearts_game(types, knows, unit["cards"], *names)
        points = shares([-total for total in totals])
    return {
        **unit,
        "totals": {each: [total for total, own in zip(totals, types, strict=True) if own == each] for each in types},
        "won": {
            each: math.fsum(share for share, own in zip(points, types, strict=True) if own == each)
            for each in (first, second)
        },
    }


def _units(table: int) -> Callable[[Scale], list[dict[str, Any]]]:
    def units(scale: Scale) -> list[dict[str, Any]]:
        game = "spades" if table == 4 else "hearts"
        whole = DECKS[game][1]
        cards, games = {"quick": (4, 1), "standard": (whole, 25), "full": (whole, GAMES // 6)}[scale]
        return [
            {
                "game": game,
                "types": [row["first"], row["second"]],
                "knows": [row["first_knows"] == "1", row["second_knows"] == "1"],
                "seats": list(seats),
                "cards": cards,
                "number": number,
            }
            for row in data.read("sturtevant-models")
            if int(row["table"]) == table
            # table 3: the six ways in which both types have seats
            for block in blocks(2, 3)
            for seats in block
            for number in range(games)
        ]

    return units


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    unit = results[0]
    table = [row for row in data.read("sturtevant-models") if row["game"] == unit["game"]]
    why = (
        f"{unit['cards']} cards a hand"
        if scale == "quick"
        else "the deck, the bids and the rule for ties are not published"
    )
    rows = []
    for row in table:
        knows = [row["first_knows"] == "1", row["second_knows"] == "1"]
        here = [each for each in results if each["knows"] == knows]
        types = (row["first"], row["second"])
        names = [NAMES[each] + ("_m" if known else "") for each, known in zip(types, knows, strict=True)]
        label = f"{names[0]} against {names[1]}, {len(here):,} games of {unit['cards']} cards"
        won = [each["won"][types[0]] for each in here]
        # of a line that does not add up to 100, what both add up to
        printed = float(row["first_wins"]) / (float(row["first_wins"]) + float(row["second_wins"]))
        interval = expected_share(won, GAMES, joint_level(len(table)))
        share = math.fsum(won) / len(won)
        rows.append(by_interval(f"{label}: won by {names[0]}", round(printed, 3), share, interval, par=0.5, why=why))
        for own, name, column in zip(types, names, ("first_average", "second_average"), strict=True):
            # the mean of a game is what is independent
            means = [math.fsum(each["totals"][own]) / len(each["totals"][own]) for each in here]
            mean, interval = (
                moments(means)[0],
                sample_mean(*moments(means), of=GAMES, level=joint_level(2 * len(table))),
            )
            text, printed = f"{label}: average of {name}", float(row[column])
            if scale == "quick":
                # with so few cards a hand brings less
                rows.append(
                    Row(label=text, published=printed, measured=mean, interval=interval, verdict="measured", why=why)
                )
            else:
                rows.append(by_interval(text, printed, mean, interval, why=why))
    return rows


NOTE = (
    "The six seatings of table 3 equally often. _m is a player who knows the types of the others; all others take them "
    "for their own. The number of games is lost in the paper; published numbers are taken for those of 600."
)

EXPERIMENTS = (
    Experiment(
        id="sturtevant-table-4",
        title="Opponent modelling in Spades: tricks against few overtricks",
        paper=PAPER,
        table="Tables 3 and 4",
        units=_units(4),
        run=_run,
        summarize=_rows,
        seconds={"quick": 1, "standard": 750, "full": 3000},
        seed=SEED,
        note=NOTE + " Bids are what maxⁿ promises if all want tricks, at least one.",
    ),
    Experiment(
        id="sturtevant-table-5",
        title="Opponent modelling in Hearts: few points against the lead",
        paper=PAPER,
        table="Table 5",
        units=_units(5),
        run=_run,
        summarize=_rows,
        seconds={"quick": 1, "standard": 1100, "full": 4400},
        seed=SEED,
        note=NOTE,
    ),
)
