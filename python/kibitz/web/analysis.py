"""An analysis: several searches of one position, every move rated, and the course of a whole game."""

from __future__ import annotations

from typing import Any

import kibitz as kb
from kibitz.cli.arguments import knows
from kibitz.web.desk import Task
from kibitz.web.inputs import read_algorithm
from kibitz.web.jobs import Caps
from kibitz.web.lab import Lab
from kibitz.web.position_setup import PositionSetup

__all__ = ["MOST_SEARCHES", "Analysis", "Search", "limited"]

MOST_SEARCHES = 4
"""Searches side by side; a visitor has no more workers at once."""
_LIMITS = ("depth", "nodes", "simulations", "seconds")
_LONGEST = 600.0


def limited(text: str, seconds: float, threads: int) -> str:
    """The algorithm with a limit of time, unless it has a limit of its own."""
    algorithm = read_algorithm(text, threads)
    given = (getattr(algorithm, name) for name in _LIMITS if knows(algorithm, name))
    endless = not isinstance(algorithm, kb.Random) and all(value is None for value in given)
    return algorithm.replace(seconds=seconds).spec if endless else algorithm.spec


class Search:
    """One algorithm at the position: its steps so far and, when it has ended, its report."""

    def __init__(self, algorithm: str) -> None:
        self.algorithm = algorithm
        self.task = Task()
        self.steps: list[dict[str, Any]] = []
        self.report: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """The algorithm without its parameters."""
        return self.algorithm.partition(":")[0]

    @property
    def now(self) -> dict[str, Any] | None:
        """The last step: the report, if there is one."""
        if self.report is not None:
            simulations = self.report["stats"].get("simulations")
            return {**self.report, "depth": simulations or self.report["depth"]}
        return self.steps[-1] if self.steps else None

    def clear(self) -> None:
        """Forgets what belongs to another position."""
        self.steps, self.report = [], None

    def hear(self, event: dict[str, Any]) -> None:
        """Takes in what the job tells."""
        if event["type"] == "iteration":
            self.steps.append(event)
        elif event["type"] == "result":
            self.report = event["result"]


class Analysis:
    """What one visitor analyses."""

    def __init__(self) -> None:
        self.setup = PositionSetup()
        self.seconds = 5.0
        self.searches = [Search("alphabeta"), Search("uct")]
        self.rating = Task()
        self.rated: list[dict[str, Any]] = []
        self.judging = Task()
        self.course: list[dict[str, Any]] = []
        self.played: tuple[str, list[str]] = ("", [])
        self._of = -1

    @property
    def running(self) -> bool:
        """Whether a search runs."""
        return any(search.task.running for search in self.searches)

    @property
    def version(self) -> tuple[int, ...]:
        """Changes with all that is shown."""
        tasks = (*(search.task for search in self.searches), self.rating, self.judging)
        return (self.setup.version, len(self.searches), *(task.version for task in tasks))

    @property
    def up_to_date(self) -> bool:
        """Whether what was found belongs to the position on the board."""
        return self._of == self.setup.version

    async def start(self, lab: Lab) -> None:
        """Begins all searches anew."""
        position = self.setup.position
        if position.over:
            raise kb.BadParameter("the game is over in this position: there is nothing to search")
        self._of = self.setup.version
        caps = self._caps(lab)
        for search in self.searches:
            search.clear()
            search.task.error = ""
            algorithm = limited(search.algorithm, self.seconds, caps.threads)
            await search.task.start(lab, "search", {**self._payload(), "algorithm": algorithm}, caps, search.hear)

    async def stop(self) -> None:
        """Ends everything."""
        for task in (*(search.task for search in self.searches), self.rating, self.judging):
            await task.stop()

    async def rate(self, lab: Lab, algorithm: str, seconds: float) -> None:
        """Searches after every move."""
        self.rated, self._of = [], self.setup.version
        caps = self._caps(lab)
        text = limited(algorithm, seconds, caps.threads)

        def heard(event: dict[str, Any]) -> None:
            if event["type"] == "line":
                self.rated.append(event)
                self.rated.sort(key=lambda line: -line["value"])

        await self.rating.start(lab, "lines", {**self._payload(), "algorithm": text}, caps, heard)

    async def judge(self, lab: Lab, start: str, moves: list[str], algorithm: str, seconds: float) -> None:
        """Searches every position of a game."""
        self.course, self.played = [], (start, moves)
        caps = self._caps(lab)
        payload = {
            "game": self.setup.game,
            "start": start,
            "moves": moves,
            "algorithm": limited(algorithm, seconds, caps.threads),
        }

        def heard(event: dict[str, Any]) -> None:
            if event["type"] == "ply":
                self.course.append(event)

        await self.judging.start(lab, "course", payload, caps, heard)

    def _payload(self) -> dict[str, Any]:
        position = self.setup.position
        return {"game": self.setup.game, "position": str(position), "past": list(position.past)}

    def _caps(self, lab: Lab) -> Caps:
        return Caps(seconds=min(_LONGEST, lab.jobs.largest.seconds), memory_mb=1024, threads=lab.jobs.largest.threads)
