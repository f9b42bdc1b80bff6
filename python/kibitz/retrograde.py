"""Retrograde analysis: strong solutions of small games, the value of every position."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from kibitz import _core
from kibitz._core import Position
from kibitz.database import BuildStep, Database, build_db
from kibitz.errors import BadParameter
from kibitz.game import Game, NativeGame
from kibitz.proof import Proof
from kibitz.search import Algorithm, Iteration, Report
from kibitz.solve import Solution

__all__ = ["Perfect", "Retrograde", "RetrogradeStep", "SliceCounts", "StrongMove", "StrongSolution"]

Value = Literal["win", "draw", "loss", "unknown"]

_ORDER = {"loss": 0, "unknown": 1, "draw": 2, "win": 3}


class RetrogradeStep(NamedTuple):
    """How far a solution has come: positions `done` of `total` in one pass over a group of slices.

    `fraction` is the share of all groups, a guess within a group, since nobody knows how many passes it takes. `eta` is
    a guess at the seconds that are left; `None` at the beginning, and where the positions are still being found.
    """

    slices: str
    phase: str
    done: int
    total: int
    fraction: float
    seconds: float
    eta: float | None


class StrongMove(NamedTuple):
    """A move with its value for the player who makes it, and the distance in plies to the end of the game or to the
    conversion; `None` for a draw, and where distances are not known."""

    move: Any
    value: Value
    distance: int | None


@dataclass(frozen=True)
class SliceCounts:
    """How many positions of a slice are won, drawn and lost for the player to move.

    `classes` counts symmetric positions once, `positions` all of them. `wins` and `losses` are counted by distance,
    symmetric positions once; they are empty where distances were not asked for.
    """

    name: str
    win: int
    draw: int
    loss: int
    positions: tuple[int, int, int]
    wins: tuple[int, ...] = field(default=(), repr=False)
    losses: tuple[int, ...] = field(default=(), repr=False)

    @property
    def classes(self) -> int:
        """All positions, symmetric ones once."""
        return self.win + self.draw + self.loss


def _added(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    longer, shorter = sorted((one, other), key=len, reverse=True)
    return tuple(a + (shorter[i] if i < len(shorter) else 0) for i, a in enumerate(longer))


@dataclass(frozen=True)
class StrongSolution(Solution):
    """The value of every position of a game, or of all that can be reached.

    `value` is that of the start for the player to move, `"unknown"` with a `reason` if the memory did not suffice;
    `nodes` counts the positions, symmetric ones once; `best` and `pv` are optimal play from the start. `slices` has
    the counts by material, `wins` and `losses` those by distance.
    """

    slices: tuple[SliceCounts, ...] = field(default=(), repr=False)
    _strong: _core.Strong | None = field(default=None, repr=False, compare=False)

    @property
    def win(self) -> int:
        """Positions won for the player to move, symmetric ones once."""
        return sum(counts.win for counts in self.slices)

    @property
    def draw(self) -> int:
        """Positions drawn, symmetric ones once."""
        return sum(counts.draw for counts in self.slices)

    @property
    def loss(self) -> int:
        """Positions lost for the player to move, symmetric ones once."""
        return sum(counts.loss for counts in self.slices)

    @property
    def wins(self) -> tuple[int, ...]:
        """The positions won in 0, 1, 2, … plies."""
        total: tuple[int, ...] = ()
        for counts in self.slices:
            total = _added(total, counts.wins)
        return total

    @property
    def losses(self) -> tuple[int, ...]:
        """The positions lost in 0, 1, 2, … plies."""
        total: tuple[int, ...] = ()
        for counts in self.slices:
            total = _added(total, counts.losses)
        return total

    def _look(self, position: Position) -> tuple[Value, int | None]:
        if self._strong is None:
            raise BadParameter(f"nothing is known: {self.reason}")
        if position.over:
            raise BadParameter(
                f"the game is over, with the result {position.result}: it has no value for a player to move"
            )
        known = self._strong.look(position)
        if known is None:
            raise BadParameter(f"the position {position} is not among those that were solved")
        return known

    def value_of(self, position: Position) -> Value:
        """The value of a position for the player to move."""
        return self._look(position)[0]

    def distance(self, position: Position) -> int | None:
        """The plies to the end of the game, or to the conversion, when the winner hurries and the loser delays; `None`
        for a draw, and where distances were not asked for."""
        return self._look(position)[1]

    def moves(self, position: Position) -> list[StrongMove]:
        """The moves of a position, the best first: the shortest win, or a draw, or the longest loss."""
        self._look(position)
        assert self._strong is not None
        moves = [StrongMove(*known) for known in self._strong.moves(position)]

        def order(move: StrongMove) -> tuple[int, int]:
            distance = move.distance or 0
            return -_ORDER[move.value], -distance if move.value == "loss" else distance

        return sorted(moves, key=order)

    def proof(self, frontier: int = 0) -> Proof:  # noqa: ARG002
        """Tables are no strategy that others could check move by move; `moves` knows all moves of every position."""
        raise BadParameter("a strong solution has no proof of one position: ask a solver such as kb.Pn2")

    def play(self) -> Perfect:  # type: ignore[override]
        """A player that plays best in every position, for `kibitz.match` or against people."""
        return Perfect(solution=self)

    def __reduce__(self) -> tuple[Any, ...]:
        # The tables stay behind.
        given = [getattr(self, each.name) for each in dataclasses.fields(self)]
        return (StrongSolution, (*given[:-3], None, *given[-2:-1], None))

    def best_move(self, position: Position) -> Any:
        """A best move of a position."""
        return self.moves(position)[0].move

    def line(self, position: Position, plies: int = 200) -> tuple[Any, ...]:
        """Optimal play from a position to the end of the game; a draw ends where a position comes again."""
        played: list[Any] = []
        seen = {position.key}
        while not position.over and len(played) < plies:
            move = self.best_move(position)
            played.append(move)
            position = position.play(move)
            if position.key in seen:
                break
            seen.add(position.key)
        return tuple(played)


@dataclass(frozen=True, kw_only=True)
class Perfect(Algorithm):
    """Plays by a strong solution: the shortest win, a draw, or the longest loss. `solution.play()` makes one."""

    name: ClassVar[str] = "perfect"
    solution: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.solution, StrongSolution):
            raise BadParameter("a perfect player needs the strong solution of a game: kb.Retrograde(game).solve()")

    def _search(
        self,
        position: Position,
        progress: Callable[[Iteration], object] | None,  # noqa: ARG002
        changes: Mapping[str, Any],  # noqa: ARG002
        memory: _core.Memory | None,  # noqa: ARG002
    ) -> Report:
        best = self.solution.moves(position)[0]
        value = {"win": 1.0, "draw": 0.0, "loss": -1.0}[best.value]
        return Report(best=best.move, value=value, pv=(best.move,), nodes=1, depth=best.distance or 0, proven=True)


@dataclass(frozen=True)
class Retrograde:
    """Retrograde analysis: from the ends of the game backward to the value of every position.

    The four families of algorithms are those of P.-h. Wu, P.-Y. Liu and T.-s. Hsu, *An External-Memory Retrograde
    Analysis Algorithm*, Computers and Games 2004; they make the same tables.

    - `positions`: `"all"` positions of a game that ranks them (Fanorona, Dao), symmetric ones once, or those that are
      `"reachable"` from the start; every other game, one written in Python too, is solved by its reachable positions;
    - `algorithm`: `"automatic"`, one pass forward and then backward; `"forward"` (I), passes over everything until
      nothing changes; `"layered"` (II), backward with a check of the predecessors of wins; `"queue"` (III), a queue
      with counts of successors; `"layered-counting"` (IV). For positions by rank;
    - `distances`: `"win"`, plies to the end of the game, `"conversion"`, plies to the first move that changes the
      material for good, or `None`. Reachable positions always have distances to the end;
    - `pieces`: at most so many pieces on the board; `None` for the whole game;
    - `memory_mb`: what the tables may take; more is an unknown value with the reason;
    - `threads`: for positions by rank; `None` for one a processor.

    Endless play is a draw, as it is by the rules of games that end with a repeated position.
    """

    name: ClassVar[str] = "retrograde"

    game: Game
    positions: Literal["all", "reachable"] = "all"
    algorithm: Literal["automatic", "forward", "layered", "queue", "layered-counting"] = "automatic"
    distances: Literal["win", "conversion"] | None = "win"
    pieces: int | None = None
    memory_mb: int = 1024
    threads: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.game, Game):
            raise BadParameter(f"game is a game such as kb.game('dao'), not {self.game!r}")
        if self.positions not in ("all", "reachable"):
            raise BadParameter(f"positions are 'all' or 'reachable', not {self.positions!r}")
        for field_name in ("pieces", "memory_mb", "threads"):
            number = getattr(self, field_name)
            if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 1):
                raise BadParameter(f"{field_name} is a whole number of at least 1, not {number!r}")
        if self.memory_mb > 1 << 30:
            raise BadParameter(f"memory_mb={self.memory_mb}: that is more than there is")

    def solve(self, *, progress: Callable[[RetrogradeStep], object] | None = None, **changes: Any) -> StrongSolution:
        """Solves the game strongly. Keyword arguments replace fields; `progress` is told of each step."""
        if changes:
            unknown = changes.keys() - {known.name for known in dataclasses.fields(self)}
            if unknown:
                raise BadParameter(f"Retrograde has no option {', '.join(sorted(unknown))}")
            return dataclasses.replace(self, **changes).solve(progress=progress)
        rules = self.game._rules
        # rules in Python are asked by one thread
        threads = self.threads or (isinstance(self.game, NativeGame) and os.cpu_count()) or 1
        strong = rules.strong(
            algorithm=self.algorithm,
            distances=self.distances,
            threads=threads,
            memory=self.memory_mb << 20,
            reachable=self.positions == "reachable",
            pieces=self.pieces,
            progress=_teller(progress) if progress else None,
        )
        if strong.reason is not None:
            return StrongSolution("unknown", 0, strong.seconds, reason=strong.reason)
        slices = tuple(_counts(counts) for counts in strong.counts())
        nodes = sum(counts.classes for counts in slices)
        start = self.game.start()
        solution = StrongSolution("unknown", nodes, strong.seconds, position=start, slices=slices, _strong=strong)
        known = None if start.over else strong.look(start)
        if known is None:
            reason = "the game is over at its start" if start.over else "the start has more pieces than were solved"
            return dataclasses.replace(solution, reason=reason)
        line = solution.line(start)
        return dataclasses.replace(solution, value=known[0], best=line[0], pv=line)

    def build(
        self,
        path: str | os.PathLike[str],
        *,
        pieces: int | None = None,
        memory: str | int | None = None,
        distances: Literal["none", "win", "conversion"] = "none",
        progress: Callable[[BuildStep], object] | None = None,
    ) -> Database:
        """Builds the endgame database of all positions with at most so many pieces; see `kibitz.build_db`.

        `pieces` and `memory` are those of this object where they are not given.
        """
        return build_db(
            self.game,
            path,
            pieces=self.pieces if pieces is None else pieces,
            memory=self.memory_mb << 20 if memory is None else memory,
            distances=distances,
            threads=self.threads,
            algorithm=self.algorithm,
            progress=progress,
        )


def _counts(counts: Mapping[str, Any]) -> SliceCounts:
    win, draw, loss = counts["classes"]
    return SliceCounts(
        counts["slice"], win, draw, loss, counts["positions"], tuple(counts["wins"]), tuple(counts["losses"])
    )


def _teller(progress: Callable[[RetrogradeStep], object]) -> Callable[..., None]:
    begin = time.monotonic()

    def tell(slices: str, phase: str, number: int, done: int, total: int, ranks: tuple[int, int]) -> None:
        seconds = time.monotonic() - begin
        # half of the work of a group is its first pass, a quarter its second, and so on
        within = 1 - 0.5 ** (number - 1) + 0.5**number * (done / total if total else 0)
        exploring = phase == "positions"
        fraction = 0.0 if exploring or not ranks[1] else min(1.0, (ranks[0] + within * total) / ranks[1])
        eta = seconds * (1 - fraction) / fraction if fraction > 0.01 and seconds > 1 else None
        progress(RetrogradeStep(slices, phase, done, total, fraction, seconds, eta))

    return tell
