"""A match or a tournament, with its table after every game. What was played is in the store, whatever happens."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kibitz.arena.match import match
from kibitz.arena.openings import Openings, RandomPlies
from kibitz.arena.statistics import Interval
from kibitz.arena.table import MatchResult, Standing, Tally
from kibitz.arena.tournament import Place, Tournament
from kibitz.store import Store
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

    def tell(table: Callable[[], dict[str, Any]]) -> None:
        nonlocal told
        if time.monotonic() - told >= _PAUSE:
            report({"type": "table", **table()})
            told = time.monotonic()

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
            progress=lambda tally: tell(lambda: _table(tally.result())),
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


def _tournament(
    planned: Tournament, path: Path, tell: Callable[[Callable[[], dict[str, Any]]], None]
) -> dict[str, Any]:
    meetings: dict[tuple[str, str], MatchResult] = {}
    now: list[tuple[tuple[str, str], Tally]] = []

    def count(pair: tuple[str, str], tally: Tally) -> None:
        # a meeting that is over is counted once and not after every game of the others
        if now and now[0][0] != pair:
            meetings[now[0][0]] = now[0][1].result()
        now[:] = [(pair, tally)]
        # what was played before a pause is counted again meeting by meeting: the table waits until all of it is there
        if sum(result.games for result in meetings.values()) + tally.games >= played:
            tell(lambda: _crosstable(planned, {**meetings, pair: tally.result()}, f"{pair[0]} – {pair[1]} play"))

    with Store.open(path) as store:
        played = sum(run.games for run in store.runs())
        found = planned.play(store=store, workers=0, progress=count)
    return _crosstable(planned, found.meetings, f"{planned.kind} of {len(planned.players)} players at {planned.game}")


def _crosstable(planned: Tournament, meetings: Mapping[tuple[str, str], MatchResult], summary: str) -> dict[str, Any]:
    """The table of all players, and everybody's score against everybody, after the games so far."""
    found = planned.result(meetings)
    names = list(planned.players)
    games = sum(result.games for result in meetings.values())
    # all meetings have as many games
    total = len(planned.pairs) * next(iter(meetings.values())).planned
    heading = ["player", "games", "+", "=", "−", "score", "Elo"]
    cross = [[first, *(_meeting(found.standing(first, second)) for second in names)] for first in names]
    return {
        "rows": [heading, *map(_row, found.places)],
        "cross": [["", *names], *cross],
        "scores": [_score(place.name, place.total.score, place.interval, 0.5) for place in found.places],
        "points": {place.name: _finite(place.total.score) for place in found.places},
        "games": games,
        "planned": total,
        "meetings": len(meetings),
        "summary": summary,
        "warnings": sorted({each for result in meetings.values() for each in result.warnings}),
        "complete": games >= total,
    }


def _row(place: Place) -> list[str]:
    total = place.total
    counts = [place.name, *(f"{count:,}" for count in (total.games, total.wins, total.draws, total.losses))]
    if not total.games:
        return [*counts, "–", "–"]
    elo = f"{place.elo:+.0f} ({place.elo_interval.low:+.0f} to {place.elo_interval.high:+.0f})".replace("inf", "∞")
    return [*counts, f"{100 * total.score:.1f} % ({_percent(place.interval)})", elo]


def _meeting(found: Standing | None) -> str:
    if found is None or not found.total.games:
        return ""
    return f"{100 * found.score:.0f} % ({_percent(found.interval)})"


def _percent(interval: Interval) -> str:
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"


def _score(name: str, score: float, interval: Interval, par: float) -> dict[str, Any]:
    ends = {"low": _finite(interval.low), "high": _finite(interval.high)}
    return {"name": name, "score": _finite(score), **ends, "par": par}


def _table(found: MatchResult) -> dict[str, Any]:
    scores = [_score(each.name, each.score, each.interval, each.par) for each in found.standings]
    return {
        "rows": [list(cells) for cells in found.rows()],
        "effort": [list(cells) for cells in found.effort_rows()],
        "scores": scores,
        "points": {each["name"]: each["score"] for each in scores},
        "games": found.games,
        "planned": found.planned,
        "meetings": 1,
        "summary": found.summary,
        "warnings": list(found.warnings),
        "complete": found.complete,
    }


def _finite(value: float) -> float | None:
    """What JSON can write."""
    return value if math.isfinite(value) else None
