"""A league of all searches of many players at equal time, in the three board games of best-reply search.

Nobody has published such a table. Three players sit together; who they are is drawn so that everybody has as many games
as everybody else, and as many from each seat.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import kibitz as kb
from kibitz.arena.playing import GameSpec, derive, play
from kibitz.arena.ratings import rate
from kibitz.arena.statistics import Interval, mean_interval, shares
from kibitz.experiments.experiment import Experiment, Row, Scale
from kibitz.experiments.judging import joint_level
from kibitz.experiments.schadd_best_reply_players import NOISE

__all__ = ["EXPERIMENTS", "GAMES", "PLAYERS", "tables"]

SEED = 2020
GAMES = ("chinese-checkers", "focus", "rolit")

_SHORT: dict[str, Any] = {"horizon": 6, "verdict": "evaluation", "c": 0.3}
"""Games of Chinese Checkers by random moves do not end, so that UCT is better off with six plies and an evaluation."""

PLAYERS: dict[str, kb.Algorithm] = {
    "best-reply": kb.BestReply(),
    "best-reply, null move": kb.BestReply(null_move=2),
    "best-reply, multi-cut": kb.BestReply(multi_cut=6),
    "best-reply+": kb.BestReplyPlus(),
    "paranoid": kb.Paranoid(),
    "root player only": kb.RootOnly(),
    "maxⁿ": kb.MaxN(),
    "soft-maxⁿ": kb.SoftMaxN(),
    "prob-maxⁿ": kb.ProbMaxN(),
    "MP-Mix": kb.MpMix(),
    "UCT": kb.Uct(),
    "UCT, short": kb.Uct(**_SHORT),
    "UCT, short, paranoid": kb.Uct(**_SHORT, opponents="paranoid"),
    "UCT, short, best-reply": kb.Uct(**_SHORT, opponents="best-reply"),
    "MCTS-OMA-PW": kb.Uct(**_SHORT, opponent_move_abstraction=100.0, widening=4),
}

LONGEST = 600
"""After so many moves a game is shared."""


def tables(round_: int) -> list[tuple[str, str, str]]:
    """Who plays whom in a round: everybody three times, once from each seat, with the same two others."""
    drawn = random.Random(f"{SEED} {round_}").sample(list(PLAYERS), len(PLAYERS))
    found = []
    for place in range(0, len(drawn), 3):
        first, second, third = drawn[place : place + 3]
        found += [(first, second, third), (second, third, first), (third, first, second)]
    return found


def _units(scale: Scale) -> list[dict[str, Any]]:
    # so little time as the scale quick has cannot be measured
    rounds, limit = {
        "quick": (1, {"nodes": 100}),
        "standard": (33, {"seconds": 0.02}),
        "full": (100, {"seconds": 0.5}),
    }[scale]
    return [
        {"game": game, "limit": limit, "round": number, "table": place, "seats": list(seats)}
        for game in GAMES
        for number in range(rounds)
        for place, seats in enumerate(tables(number))
    ]


def _player(name: str, game: str, limit: dict[str, Any]) -> kb.Algorithm:
    found = PLAYERS[name].replace(**limit)
    if isinstance(found, kb.Uct):
        return found
    # a random term like the paper's, or two games would be the same
    return found.replace(noise=NOISE[game], seed=SEED)


def _run(unit: dict[str, Any]) -> dict[str, Any]:
    """A game: the share of everybody in the win."""
    seats = unit["seats"]
    record = play(
        GameSpec(
            game=kb.game(unit["game"], players=3),
            players=tuple(_player(name, unit["game"], unit["limit"]) for name in seats),
            names=tuple(seats),
            seed=derive(SEED, unit["round"], unit["table"]),
            max_plies=LONGEST,
        )
    )
    return {**unit, "shares": list(shares(record.result)), "plies": record.plies}


def _scores(results: Sequence[Any], name: str) -> list[float]:
    return [each["shares"][each["seats"].index(name)] for each in results if name in each["seats"]]


def _interval(scores: Sequence[float]) -> Interval:
    found = mean_interval([*scores, 0.0, 1.0], joint_level(len(PLAYERS)))
    return Interval(max(0.0, found.low), min(1.0, found.high))


def _rows(scale: Scale, results: Sequence[Any]) -> list[Row]:  # noqa: ARG001
    ((kind, amount),) = results[0]["limit"].items()
    limit = f"{amount:g} {kind} a move"
    rows = []
    for game in (*GAMES, "all three"):
        here = [each for each in results if game in (each["game"], "all three")]
        scores = {name: _scores(here, name) for name in PLAYERS}
        order = sorted(PLAYERS, key=lambda name, scores=scores: -math.fsum(scores[name]))  # type: ignore[misc]
        for place, name in enumerate(order, start=1):
            own = scores[name]
            rows.append(
                Row(
                    label=f"{game}, {limit}, place {place}: {name}, share of the wins in {len(own):,} games",
                    measured=math.fsum(own) / len(own),
                    interval=_interval(own),
                    verdict="measured",
                )
            )
        rated = rate((each["seats"], each["shares"]) for each in here)
        text = ", ".join(f"{name} {rating.mu:.0f} ± {2 * rating.sigma:.0f}" for name, rating in list(rated.items())[:3])
        rows.append(Row(label=f"{game}, {limit}: the best three by rating", measured=text, verdict="measured"))
    for game in GAMES:
        plies = [each["plies"] for each in results if each["game"] == game]
        label = f"{game}: mean length in plies"
        rows.append(Row(label=label, measured=round(sum(plies) / len(plies), 1), verdict="measured"))
    return rows


EXPERIMENTS = (
    Experiment(
        id="many-players-league",
        title="A league of all searches of many players",
        paper="An experiment of our own, in the games of M. Schadd and M. Winands (2011)",
        table="none is published",
        units=_units,
        run=_run,
        summarize=_rows,
        seconds={"quick": 3, "standard": 1300, "full": 140_000},
        seed=SEED,
        note="Three players, equal time on one thread; the scale `quick` has equal nodes. Equal strength is a third. "
        "*Short* games of UCT end after six plies with the evaluation. MCTS-OMA-PW is H. Baier and M. Kaisers' (2020). "
        "Intervals are for all players together.",
    ),
)
