"""A match or a tournament, with its table after every game. What was played is in the store, whatever happens."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kibitz.arena.match import match
from kibitz.arena.openings import Openings, RandomPlies
from kibitz.arena.table import MatchResult, Tally
from kibitz.arena.tournament import Tournament
from kibitz.web.inputs import read_algorithm, read_game

_PAUSE = 0.3
"""Seconds between two tables; games of weak players take less than a millisecond."""


def run(payload: dict[str, Any], report: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Plays what the store at `path` does not have yet of the match that `plan` describes."""
    plan = payload["plan"]
    game = read_game(plan["game"])
    threads = payload["caps"]["threads"]
    players = {name: read_algorithm(text, threads) for name, text in plan["players"].items()}
    openings = RandomPlies(plan["openings"]) if plan["openings"] else Openings()
    told = 0.0

    def tell(table: dict[str, Any]) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= _PAUSE:
            told = now
            report({"type": "table", **table})

    if plan["kind"] == "match":
        found = match(
            game,
            players,
            games=plan["games"],
            seed=plan["seed"],
            openings=openings,
            max_plies=plan["max_plies"],
            sprt=tuple(plan["sprt"]) if plan.get("sprt") else None,
            store=Path(payload["path"]),
            run="match",
            workers=0,
            progress=lambda tally: tell(_table(tally.result())),
        )
        return _table(found)
    planned = Tournament(
        name="tournament",
        game=game,
        players=players,
        kind=plan["kind"],
        challengers=tuple(plan.get("challengers", ())),
        games=plan["games"],
        seed=plan["seed"],
        openings=openings,
        max_plies=plan["max_plies"],
    )
    return _tournament(planned, Path(payload["path"]), tell)


def _tournament(planned: Tournament, path: Path, tell: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    meetings: dict[tuple[str, str], MatchResult] = {}
    total = len(planned.pairs) * planned.games

    def count(pair: tuple[str, str], tally: Tally) -> None:
        meetings[pair] = tally.result()
        tell(
            {
                "rows": [list(cells) for cells in meetings[pair].rows()],
                "points": _points(meetings, list(planned.players)),
                "games": sum(each.games for each in meetings.values()),
                "planned": total,
                "summary": f"{pair[0]} – {pair[1]}",
                "warnings": [],
            }
        )

    found = planned.play(store=path, workers=0, progress=count)
    heading = ["player", "games", "+", "=", "−", "score", "Elo"]
    rows = [
        [
            place.name,
            f"{place.total.games:,}",
            f"{place.total.wins:,}",
            f"{place.total.draws:,}",
            f"{place.total.losses:,}",
            f"{100 * place.total.score:.1f} % ({100 * place.interval.low:.1f} to {100 * place.interval.high:.1f})",
            f"{place.elo:+.0f} ({place.elo_interval.low:+.0f} to {place.elo_interval.high:+.0f})".replace("inf", "∞"),
        ]
        for place in found.places
    ]
    return {
        "rows": [heading, *rows],
        "cross": _cross(found, list(planned.players)),
        "points": _points(found.meetings, list(planned.players)),
        "games": sum(result.games for result in found.meetings.values()),
        "planned": sum(result.planned for result in found.meetings.values()),
        "summary": f"{planned.kind} of {len(planned.players)} players at {planned.game}",
        "warnings": sorted({each for result in found.meetings.values() for each in result.warnings}),
        "complete": True,
    }


def _points(meetings: Mapping[tuple[str, str], MatchResult], names: list[str]) -> dict[str, float | None]:
    """The score of each player in all games so far."""
    found: dict[str, float | None] = {}
    for name in names:
        totals = [result[name].total for pair, result in meetings.items() if name in pair]
        games = sum(total.games for total in totals)
        found[name] = sum(total.score * total.games for total in totals if total.games) / games if games else None
    return found


def _cross(found: Any, names: list[str]) -> list[list[str]]:
    """Everybody's score against everybody."""

    def cell(first: str, second: str) -> str:
        score = None if first == second else found.score(first, second)
        return "" if score is None else f"{100 * score:.0f} %"

    return [["", *names], *([first, *(cell(first, second) for second in names)] for first in names)]


def _table(found: MatchResult) -> dict[str, Any]:
    scores = [
        {
            "name": each.name,
            "score": _finite(each.score),
            "low": _finite(each.interval.low),
            "high": _finite(each.interval.high),
            "par": each.par,
        }
        for each in found.standings
    ]
    return {
        "rows": [list(cells) for cells in found.rows()],
        "effort": [list(cells) for cells in found.effort_rows()],
        "scores": scores,
        "points": {each["name"]: each["score"] for each in scores},
        "games": found.games,
        "planned": found.planned,
        "summary": found.summary,
        "warnings": list(found.warnings),
        "complete": found.complete,
    }


def _finite(value: float) -> float | None:
    """What JSON can write."""
    return value if math.isfinite(value) else None
