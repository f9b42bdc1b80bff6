"""The matches and tournaments of the lab: their plans as JSON, their games in a store each."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import kibitz as kb
from kibitz.arena.match import Match
from kibitz.arena.openings import Openings, RandomPlies
from kibitz.arena.playing import GameRecord
from kibitz.arena.tournament import Tournament
from kibitz.store import Run, Store
from kibitz.web.desk import Task
from kibitz.web.inputs import read_algorithm, read_game
from kibitz.web.jobs import Caps
from kibitz.web.lab import Lab
from kibitz.web.storage import new_id

__all__ = ["KINDS", "ArenaRun", "ArenaRuns"]

FOLDER, SUFFIX = "arena", ".sqlite"
KINDS = {"match": "match", "round-robin": "round robin", "gauntlet": "gauntlet"}
_KEPT = 500
MOST_GAMES = 100_000
_WRITTEN = 3.0
"""Seconds after which the table is written again; the games are in the store anyway."""


class ArenaRun:
    """A match or a tournament. Everybody in the lab sees it; whoever pauses it loses nothing.

    `table` is the last one that was told, `course` the score of each player after so many games.
    """

    def __init__(self, name: str, plan: dict[str, Any], path: Path) -> None:
        self.name = name
        self.plan = plan
        self.path = path
        self.task = Task()
        self._written = 0.0
        self.table: dict[str, Any] | None = plan.pop("table", None)
        self.course: dict[str, list[list[float]]] = plan.pop("course", {})

    @property
    def title(self) -> str:
        """The run in a line."""
        players = " – ".join(self.plan["players"])
        return f"{players} at {self.plan['game']}"

    async def start(self, lab: Lab) -> None:
        """Plays what is missing."""
        caps = Caps(seconds=lab.jobs.largest.seconds, memory_mb=lab.jobs.largest.memory_mb, threads=1)

        def heard(event: dict[str, Any]) -> None:
            if event["type"] in ("table", "result"):
                found = event if event["type"] == "table" else event["result"]
                self.table = {key: value for key, value in found.items() if key != "type"}
                for name, score in found["points"].items():
                    if score is not None:
                        points = self.course.get(name, [])
                        self.course[name] = _thinned([*points, [found["games"], score]])
            late = time.monotonic() - self._written > _WRITTEN
            if self.table is not None and (late or event["type"] != "table"):
                self._written = time.monotonic()
                lab.data.write(FOLDER, self.name, {**self.plan, "table": self.table, "course": self.course})

        await self.task.start(lab, "match", {"plan": self.plan, "path": str(self.path)}, caps, heard)

    def runs(self) -> tuple[Run, ...]:
        """The meetings in the store; none before the first game has ended."""
        if not self.path.exists():
            return ()
        with Store.open(self.path, write=False) as store:
            return store.runs()

    def games(self, meeting: int, first: int = 0, count: int = 25) -> list[GameRecord]:
        """Some games of a meeting, in their order."""
        if not self.path.exists():
            return []
        with Store.open(self.path, write=False) as store:
            found = []
            for place, record in enumerate(store.records(meeting)):
                if place >= first + count:
                    break
                if place >= first:
                    found.append(record)
            return found


def _thinned(points: list[list[float]], most: int = 300) -> list[list[float]]:
    """Every other point, when there are more than a chart can show."""
    return points if len(points) < 2 * most else [*points[:-1:2], points[-1]]


class ArenaRuns:
    """All runs of the data directory."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._known: dict[str, ArenaRun] = {}

    def names(self) -> list[str]:
        """The names of the runs, the newest first."""
        return self._lab.data.names(FOLDER)

    def find(self, name: str) -> ArenaRun | None:
        """The run of a name."""
        if name not in self._known:
            plan = self._lab.data.read(FOLDER, name)
            if plan is None:
                return None
            self._known[name] = ArenaRun(name, plan, self._lab.data.file(FOLDER, name, SUFFIX))
        return self._known[name]

    def new(self, plan: dict[str, Any]) -> ArenaRun:
        """A run of a plan, which is read and checked as a job will do it."""
        check(plan)
        if len(self.names()) >= _KEPT:
            raise kb.BadParameter(f"there are {_KEPT} runs already; remove some before beginning another")
        name = new_id()
        self._lab.data.write(FOLDER, name, plan)
        self._known[name] = ArenaRun(name, dict(plan), self._lab.data.file(FOLDER, name, SUFFIX))
        return self._known[name]

    def remove(self, name: str) -> None:
        """Removes a run with its games."""
        self._known.pop(name, None)
        self._lab.data.remove(FOLDER, name)
        path = self._lab.data.file(FOLDER, name, SUFFIX)
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)


def check(plan: dict[str, Any]) -> None:
    """Raises where a plan cannot be played."""
    game = read_game(plan["game"])
    players = {name: read_algorithm(text, 1) for name, text in plan["players"].items()}
    if not 1 <= plan["games"] <= MOST_GAMES:
        raise kb.BadParameter(f"games={plan['games']} is out of range: 1 to {MOST_GAMES:,}")
    openings = RandomPlies(plan["openings"]) if plan["openings"] else Openings()
    given: dict[str, Any] = {
        "games": plan["games"],
        "seed": plan["seed"],
        "openings": openings,
        "max_plies": plan["max_plies"],
    }
    if plan["kind"] == "match":
        Match.of(game, players, **given)
    else:
        challengers = tuple(plan.get("challengers", ()))
        Tournament(name="tournament", game=game, players=players, kind=plan["kind"], challengers=challengers, **given)
