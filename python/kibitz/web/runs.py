"""The matches and tournaments of the lab: their plans as JSON, their games in a store each."""

from __future__ import annotations

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


class ArenaRun:
    """A match or a tournament. Everybody in the lab sees it; whoever pauses it loses nothing."""

    def __init__(self, name: str, plan: dict[str, Any], path: Path) -> None:
        self.name = name
        self.plan = plan
        self.path = path
        self.task = Task()
        self.table: dict[str, Any] | None = plan.get("table")

    @property
    def title(self) -> str:
        """The run in a line."""
        players = " – ".join(self.plan["players"])
        return f"{players} at {self.plan['game']}"

    async def start(self, lab: Lab) -> None:
        """Plays what is missing."""
        caps = Caps(seconds=lab.jobs.largest.seconds, memory_mb=lab.jobs.largest.memory_mb, threads=1)

        def heard(event: dict[str, Any]) -> None:
            if event["type"] == "table":
                self.table = event
            elif event["type"] == "result":
                self.table = event["result"]
            if event["type"] in ("result", "stopped") and self.table is not None:
                table = {key: value for key, value in self.table.items() if key != "type"}
                lab.data.write(FOLDER, self.name, {**self.plan, "table": table})

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

    def course(self) -> dict[str, list[tuple[float, float | None]]]:
        """The score of each player after each game, over all meetings in the order in which they were played."""
        points: dict[str, list[tuple[float, float | None]]] = {name: [] for name in self.plan["players"]}
        totals = {name: [0.0, 0] for name in self.plan["players"]}
        number = 0
        for run in self.runs():
            with Store.open(self.path, write=False) as store:
                for record in store.records(run.id):
                    number += 1
                    for name, result in _scores(record):
                        totals[name][0] += result
                        totals[name][1] += 1
                        points[name].append((number, totals[name][0] / totals[name][1]))
        return {name: _thinned(each) for name, each in points.items() if each}


def _scores(record: GameRecord) -> list[tuple[str, float]]:
    """What each seat's player got, from 0 to 1."""
    from kibitz.arena.statistics import shares

    return list(zip(record.names, shares(record.result), strict=True))


def _thinned(points: list[tuple[float, float | None]], most: int = 300) -> list[tuple[float, float | None]]:
    step = max(1, len(points) // most)
    return [*points[:-1:step], points[-1]]


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
        found = self.find(name)
        assert found is not None
        return found

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
