"""Pruning in Hearts and Spades: tables 1 and 2 of Sturtevant's overview of multi-player search.

Three players, all hands open, searched to the last card. The paper does not say which cards are dealt; the decks here
are those whose mean trees come nearest to its own: Spades with the nine to the ace of each suit, Hearts with all hearts
and the highest cards of the other suits, without the queen of spades (`no-queen`) or with her (`reduced`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import kibitz as kb
from kibitz.arena.statistics import Interval
from kibitz.experiments import data
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import by_interval, mean_interval, moments, sample_mean
from kibitz.experiments.relative_history import ratio
from kibitz.experiments.schadd_best_reply import expected_share

__all__ = ["EXPERIMENTS", "PAPER", "SEED", "deal", "search"]

PAPER = "N. Sturtevant, *Current Challenges in Multi-Player Game Search*, Computers and Games 2004, 285–300"
SEED = 2004
DEALS = 100
"""How many the paper has."""

_HEARTS = [f"{rank}H" for rank in "23456789TJQKA"]
DECKS = {
    "short": [f"{rank}{suit}" for suit in "CDHS" for rank in "9TJQKA"],
    "reduced": [*_HEARTS, "AS", "KS", "QS", "AD", "KD", "QD", "AC", "KC"],
    "no-queen": [*_HEARTS, "AS", "KS", "AD", "KD", "QD", "AC", "KC", "QC"],
}
TABLES = (("spades", "short", 8), ("hearts", "reduced", 7), ("hearts", "no-queen", 7))


def deal(deck: str, cards: int, *names: object, leader: int = 0) -> str:
    """The hands of three players as the text of a position; those of one number are always the same.

    >>> deal("short", 3, 1)
    'QH 9S JH / 9H JD KD / QD KH JC; lead A'
    """
    shuffled = random.Random(" ".join(map(str, (SEED, deck, cards, *names)))).sample(DECKS[deck], 3 * cards)
    hands = (" ".join(shuffled[cards * place : cards * (place + 1)]) for place in range(3))
    return f"{' / '.join(hands)}; lead {'ABC'[leader]}"


def rules(game: str, deck: str, **given: Any) -> kb.Game:
    """A game of three with open hands."""
    return kb.game(game, players=3, deck=deck, hands="open", **given)


def search(cards: int, **given: Any) -> kb.MaxN:
    """Maxⁿ to the last card, with nothing but the given order of moves."""
    plain = {"deepening": False, "killers": False, "history": False, "hash_move": False, "tt_mb": 256}
    return kb.MaxN(depth=3 * cards, **{**plain, **given})


# Table 1

METHODS: dict[str, dict[str, Any]] = {
    "full": {"pruning": "none", "tt_mb": 0},
    "table": {"pruning": "none"},
    "pruning": {"pruning": "speculative"},
    "leftmost": {"pruning": "speculative", "ties": "leftmost"},
    "ordered": {"pruning": "speculative", "best_first": True},
}
WORDS = {
    "full": "the full tree",
    "table": "a table",
    "pruning": "table and speculative pruning",
    "leftmost": "table and speculative pruning, ties to the left",
    "ordered": "table and speculative pruning, best moves first",
}


def _tree_units(scale: Scale) -> list[dict[str, Any]]:
    deals = {"quick": 5, "standard": DEALS, "full": 1500}[scale]
    return [
        # with all their cards a few deals take minutes
        {"game": game, "deck": deck, "cards": cards - 2 if scale == "quick" else cards, "number": number}
        for game, deck, cards in TABLES
        for number in range(deals)
    ]


def _run_tree(unit: dict[str, Any]) -> dict[str, Any]:
    """The nodes of each method on one deal, and whether all of them find the same value and card."""
    utility = {"utility": "tricks"} if unit["game"] == "spades" else {}
    whole = 3 * unit["cards"] == len(DECKS[unit["deck"]])
    game = rules(unit["game"], unit["deck"], **utility, **({} if whole else {"cards": unit["cards"]}))
    here = game.position(deal(unit["deck"], unit["cards"], unit["number"]))
    # ties by a total order of the tuples, as in the paper: a tree has one value
    found = {name: search(unit["cards"], **{"ties": "total", **given}).search(here) for name, given in METHODS.items()}
    return {
        **unit,
        # that which finds the order is not part of what it leads to
        "nodes": {name: report.nodes - report.stats.get("nodes_before", 0) for name, report in found.items()},
        "same": len({report.values for name, report in found.items() if name != "leftmost"}) == 1,
    }


def _tree_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    published = {row["game"]: row for row in data.read("sturtevant-tree-sizes")}
    reference = {(row["game"], row["deck"]): row for row in data.read("sturtevant-tree-reference")}
    rows = []
    for game, deck, cards in TABLES:
        here = [each for each in results if (each["game"], each["deck"]) == (game, deck)]
        label = f"{game}, {deck} deck, {here[0]['cards']} cards, {len(here):,} deals"
        nodes = {name: [each["nodes"][name] for each in here] for name in METHODS}
        if here[0]["cards"] == cards:
            known, other = published[game], reference[game, deck]
            for name, counts in nodes.items():
                if name not in known:
                    continue
                why = "the deck and the key of the table are not published"
                own = sample_mean(*moments(counts), of=DEALS, level=0.99)
                mean = moments(counts)[0]
                rows.append(
                    by_interval(f"{label}: mean nodes of {WORDS[name]}", float(known[name]), mean, own, why=why)
                )
            full = moments(nodes["full"])
            # three standard errors
            near = sample_mean(*full, of=int(other["deals"]), level=0.9973)
            name = f"{label}: mean nodes of the full tree by another program"
            rows.append(by_interval(name, float(other["mean"]), full[0], near, source="reference"))
        else:
            rows += [
                Row(label=f"{label}: mean nodes of {WORDS[name]}", measured=moments(counts)[0], verdict="measured")
                for name, counts in nodes.items()
            ]
        for name, base in (
            ("table", "full"),
            ("pruning", "table"),
            ("leftmost", "table"),
            ("ordered", "pruning"),
        ):
            share, interval = ratio(nodes[name], nodes[base])
            text = f"{label}: nodes of {WORDS[name]}, share of those of {WORDS[base]}"
            if scale == "quick":
                rows.append(Row(label=text, measured=share, interval=interval, verdict="measured"))
            else:
                column = "pruning" if name == "leftmost" else name
                printed = float(published[game][column]) / float(published[game][base])
                why = "the keys of the published table and what it holds are not known"
                rows.append(by_interval(text, round(printed, 5), share, interval, par=1, why=why))
    same = sum(each["same"] for each in results)
    rows.append(
        Row(
            label="deals in which table and pruning change nothing",
            published=f"all {len(results):,}",
            measured=f"{same:,} of {len(results):,}",
            verdict="holds" if same == len(results) else "fails",
            why="" if same == len(results) else "values must not depend on how a tree is searched",
        )
    )
    return rows


# Table 2

ORDERS: dict[str, dict[str, Any]] = {
    "predefined, speculative": {"pruning": "speculative"},
    "random, speculative": {"pruning": "speculative", "hints": False},
    "predefined, approximate-deep": {"pruning": "approximate-deep"},
}


def _order_units(scale: Scale) -> list[dict[str, Any]]:
    cards, deals = {"quick": (5, 20), "standard": (7, DEALS), "full": (7, 1000)}[scale]
    return [{"cards": cards, "number": number} for number in range(deals)]


def _run_order(unit: dict[str, Any]) -> dict[str, Any]:
    """The first card and the nodes of each method on one deal of Hearts."""
    cards = unit["cards"]
    game = rules("hearts", "reduced", **({} if cards == 7 else {"cards": cards}))
    here = game.position(deal("reduced", cards, unit["number"]))
    found = {}
    for name, given in ORDERS.items():
        # with a seed the first cards are tried in random order, and other cards in that of the hand
        seed = {"seed": unit["number"]} if name.startswith("random") else {}
        # equally good moves are broken by the order in which they stand
        found[name] = search(cards, ties="leftmost", **given, **seed).search(here)
    first = next(iter(found.values()))
    return {
        **unit,
        "nodes": {name: report.nodes for name, report in found.items()},
        "changed": {name: report.best != first.best for name, report in found.items()},
    }


def _order_rows(scale: Scale, results: Sequence[Any]) -> list[Row]:
    published = {f"{row['order']}, {row['pruning']}": row for row in data.read("sturtevant-orders")}
    base = next(iter(ORDERS))
    rows = []
    for name in ORDERS:
        nodes = [each["nodes"][name] for each in results]
        mean, deviation, count = moments(nodes)
        rows.append(
            Row(
                label=f"{name} pruning: mean nodes, {count:,} deals of {results[0]['cards']} cards",
                published=float(published[name]["nodes"]),
                measured=mean,
                interval=mean_interval(mean, deviation, count),
                verdict="measured",
                why="the number of cards and the deck are not published",
            )
        )
        if name == base:
            continue
        why = (
            "fewer cards" if scale == "quick" else "the order, the rule for ties and the cards dealt are not published"
        )
        share, interval = ratio(nodes, [each["nodes"][base] for each in results])
        printed = float(published[name]["nodes"]) / float(published[base]["nodes"])
        label = f"{name} pruning: nodes, share of the first line"
        rows.append(_beside(scale, label, round(printed, 3), share, interval, 1, why))
        changed = [float(each["changed"][name]) for each in results]
        mean = moments(changed)[0]
        label = f"{name} pruning: share of the deals with another first card"
        own = expected_share(changed, DEALS, 0.99)
        rows.append(_beside(scale, label, float(published[name]["changed"]), mean, own, 0, why))
    return rows


def _beside(scale: Scale, label: str, printed: float, mean: float, interval: Interval, par: float, why: str) -> Row:
    """A row that is judged only if it has as many cards as were published."""
    if scale == "quick":
        return Row(label=label, published=printed, measured=mean, interval=interval, verdict="measured", why=why)
    return by_interval(label, printed, mean, interval, par=par, why=why)


EXPERIMENTS = (
    Experiment(
        id="sturtevant-table-1",
        title="Tree sizes of Hearts and Spades by pruning",
        paper=PAPER,
        table="Table 1",
        units=_tree_units,
        run=_run_tree,
        summarize=_tree_rows,
        seconds={"quick": 3, "standard": 1600, "full": 24_000},
        seed=SEED,
        note="All nodes are counted, those found in the table and those searched again, too. The table's key has the "
        "exact cards, the leader and what everybody has taken. The order with the best move of every node first is "
        "found by a search without pruning, which is not counted. The paper breaks ties by a total order; then "
        "a sum that just reaches the greatest must not cut, which it may where ties go to the left.",
    ),
    Experiment(
        id="sturtevant-table-2",
        title="Order of moves and approximate deep pruning in Hearts: which card is played",
        paper=PAPER,
        table="Table 2",
        units=_order_units,
        run=_run_order,
        summarize=_order_rows,
        seconds={"quick": 1, "standard": 40, "full": 400},
        seed=SEED,
        note="The random order is one of the first card; in the tree cards are then tried in the order of the hand. "
        "Equally good cards go by the order, so that a change need not be an error.",
    ),
)
