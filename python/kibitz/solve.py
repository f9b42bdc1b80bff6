"""Solvers: proof-number search in its forms, and the solution that each returns.

>>> import kibitz as kb
>>> solution = kb.Pn2().solve(kb.game("tic-tac-toe").start())
>>> solution.value, solution.best in solution.position.moves
('draw', True)
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from kibitz._core import Memory, Position
from kibitz.database import Database, database_for
from kibitz.errors import BadParameter, CorruptDatabase
from kibitz.game import NativeGame
from kibitz.options import seen_with
from kibitz.proof import LARGEST_FRONTIER, Proof, Proven, Value, hold
from kibitz.search import _ALGORITHMS, _HIGHEST, _LOWEST, Algorithm, Iteration, Report, _position
from kibitz.tree import Tree, tree_of

__all__ = ["DfPn", "EfPn", "Goal", "Pn2", "ProofNumber", "RootNumbers", "Solution", "Solver"]

_LOWEST.update({"levels": 1, "logistic_b": 1})
_HIGHEST.update({"levels": 2, "a": 1 << 20, "b": 1 << 20})


class RootNumbers(NamedTuple):
    """The numbers of the root at a moment of a search. `at_least` is the question: can the player to move reach it?"""

    at_least: Literal["win", "draw"]
    nodes: int
    proof: int
    disproof: int
    seconds: float


@dataclass(frozen=True)
class Goal:
    """One question: can the player to move force at least that? `answer` is `None` if the search ended before.

    `curve` has the nodes made so far and the proof and disproof numbers of the root, from the beginning to the end.
    `stored` is the size of the tree of a best-first search at its end, and `probes` is how many of the nodes the
    database knew.
    """

    at_least: Literal["win", "draw"]
    answer: bool | None
    nodes: int
    seconds: float
    proof_number: int
    disproof_number: int
    stored: int = 0
    probes: int = 0
    curve: tuple[tuple[int, int, int], ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Solution:
    """What a solver has found out about a position.

    `value` is for the player to move, and `"unknown"` comes with a `reason`; `nodes` counts the positions that were
    made for all questions together. `best` is the move of the proof, or the one that resists longest, and `pv` the line
    as far as it was kept; without a value `best` is what looked best. `goals` are the questions that were asked, and
    `tree` has the nodes of the last one nearest to the root, where the solver had `trace=`.
    """

    value: Literal["win", "draw", "loss", "unknown"]
    nodes: int
    seconds: float
    best: Any = None
    pv: tuple[Any, ...] = ()
    reason: str | None = None
    goals: tuple[Goal, ...] = field(default=(), repr=False)
    tree: Tree | None = field(default=None, repr=False)
    position: Position | None = field(default=None, repr=False, compare=False)
    solver: Solver | None = field(default=None, repr=False, compare=False)
    _kept: Memory | None = field(default=None, repr=False, compare=False)

    @property
    def curve(self) -> tuple[tuple[int, int, int], ...]:
        """The nodes and the proof and disproof numbers of the root while the last question was searched."""
        return self.goals[-1].curve if self.goals else ()

    @property
    def nps(self) -> float:
        """Nodes per second."""
        return self.nodes / self.seconds if self.seconds > 0 else float("inf")

    @property
    def proven(self) -> Value | None:
        """What is certain: the value, or the half of a draw that was answered if only one was; `None` if nothing is."""
        if self.value != "unknown":
            return self.value
        halves: dict[tuple[str, bool | None], Value] = {("win", False): "no win", ("draw", True): "no loss"}
        return next((halves[key] for goal in self.goals if (key := (goal.at_least, goal.answer)) in halves), None)

    def proof(self, frontier: int = 0) -> Proof:
        """The strategies that prove the value, or the half of it that is `proven`.

        What the search did not keep is searched again. With a `frontier` positions are left out for which a search of
        so many nodes finds a move, so that a large proof becomes a small file; `verify_proof` then searches them.
        """
        if not 0 <= frontier <= LARGEST_FRONTIER:
            raise BadParameter(f"frontier={frontier} is out of range: from 0 to {LARGEST_FRONTIER:,} nodes")
        proven = self.proven
        if proven is None:
            raise BadParameter(f"there is no proof of an unknown value ({self.reason})")
        if self.position is None or self.solver is None or self._kept is None:
            raise BadParameter("this solution keeps nothing for a proof: it was saved, or solved otherwise")
        return self.solver._proof(self.position, proven, self._kept, frontier)

    def play(self, path: str | os.PathLike[str] | None = None) -> Proven:
        """A player that keeps to the proof, for `kibitz.match` or against people.

        With a `path` the proof is saved there, and processes of a match find it; without, only this process has it.
        """
        proof = self.proof()
        if path is None:
            return Proven(proof=hold(proof))
        proof.save(path)
        return Proven(proof=os.fspath(path))

    def __reduce__(self) -> tuple[Any, ...]:
        # What is kept for proofs stays behind.
        given = [getattr(self, each.name) for each in dataclasses.fields(self)]
        return (Solution, (*given[:-1], None))


_S = TypeVar("_S", bound="Solver")


@dataclass(frozen=True, kw_only=True)
class Solver(Algorithm):
    """What the solvers by proof numbers share; see `ProofNumber`."""

    memory_mb: int = 1024
    database: str | Database | None = None
    goal: Literal["value", "win", "draw"] = "value"
    checkpoint: str | None = None
    checkpoint_seconds: float = 60.0

    def __post_init__(self) -> None:
        if isinstance(self.checkpoint, os.PathLike):
            object.__setattr__(self, "checkpoint", os.fspath(self.checkpoint))
        super().__post_init__()
        if getattr(self, "trace", 0) and getattr(self, "threads", 1) > 1:
            raise BadParameter("the tree of several threads is not written down: trace= needs threads=1")

    def solve(
        self, position: Position, *, progress: Callable[[RootNumbers], object] | None = None, **changes: Any
    ) -> Solution:
        """Finds the value of a position for the player to move. Keyword arguments replace fields for this time.

        `progress` is told the numbers of the root now and then. Ctrl-C raises, as everywhere, after the search was
        saved to its `checkpoint`.
        """
        _position(position, "solve")
        solver = self.replace(**changes) if changes else self
        if solver.options:
            position = seen_with(solver.options, position)
        if position.over:
            raise BadParameter(f"the game is over, with the result {position.result}: there is nothing to solve")
        database = solver._database(position)

        def tell(point: Mapping[str, Any], at_least: Literal["win", "draw"]) -> None:
            if progress is not None:
                progress(RootNumbers(at_least, point["nodes"], point["proof"], point["disproof"], point["seconds"]))

        checkpoint = None
        if solver.checkpoint is not None:
            checkpoint = (solver.checkpoint, solver._identity(position, database), solver.checkpoint_seconds)
        found = position._solve(
            solver.name,
            solver._native(),
            nodes=solver.nodes,
            seconds=solver.seconds,
            database=None if database is None else database._native,
            checkpoint=checkpoint,
            progress=None if progress is None else tell,
        )
        if database is not None and database.damage is not None:
            raise CorruptDatabase(database.damage)
        kept = found.pop("kept")
        goals = tuple(Goal(**{**goal, "curve": tuple(goal["curve"])}) for goal in found.pop("goals"))
        found["pv"] = tuple(found["pv"])
        if "tree" in found:
            found["tree"] = tree_of(found["tree"])
        return Solution(**found, goals=goals, position=position, solver=solver, _kept=kept)

    def _native(self) -> dict[str, Any]:
        """What the native solver is told besides limits, database and checkpoint."""
        apart = ("nodes", "seconds", "options", "database", "checkpoint", "checkpoint_seconds")
        return {name: value for name, value in vars(self).items() if name not in apart}

    def _database(self, position: Position) -> Database | None:
        return None if self.database is None else database_for(self.database, position.game)

    def _identity(self, position: Position, database: Database | None) -> str:
        """What a checkpoint is about: what it must agree in with the search that takes it up."""
        game = position.game
        name = game.spec if isinstance(game, NativeGame) else game.name
        apart = ("memory_mb", "threads", "trace")
        options = ",".join(f"{key}={value}" for key, value in self._native().items() if key not in apart)
        past = " after " + " ".join(map(str, position.past)) if position.past else ""
        known = "no database" if database is None else f"a database of {database.pieces} pieces"
        return f"{name}; {position}{past}; {self.name}:{options}; {known}"

    def _proof(self, position: Position, value: Value, kept: Memory, frontier: int) -> Proof:
        database = self._database(position)
        native = None if database is None else database._native
        strategies = position._strategies(self.name, self._native(), kept, frontier=frontier, database=native)
        name = None if database is None else f"of {database.game} with {database.pieces} pieces"
        return Proof(position, value, tuple(strategies), name)

    def _search(
        self,
        position: Position,
        progress: Callable[[Iteration], object] | None,
        changes: Mapping[str, Any],
        memory: Memory | None,  # noqa: ARG002
    ) -> Report:
        """As a player: the value is 1, 0 or −1 for a win, a draw and a loss."""
        if _position(position, "search").over:
            return Report(best=None, value=(position.result or (0.0,))[0], proven=True)

        def tell(point: RootNumbers) -> None:
            if progress is not None:
                progress(Iteration(0, float("nan"), point.nodes, point.seconds, ()))

        found = self.solve(position, progress=tell if progress else None, **changes)
        return Report(
            best=found.best,
            value={"win": 1.0, "draw": 0.0, "loss": -1.0}.get(found.value, float("nan")),
            pv=found.pv,
            nodes=found.nodes,
            seconds=found.seconds,
            depth=len(found.pv),
            bound="estimate" if found.value == "unknown" else "exact",
            proven=found.value != "unknown",
            tree=found.tree,
            stats={
                f"{goal.at_least}_{name}": getattr(goal, f"{name}_number")
                for goal in found.goals
                for name in ("proof", "disproof")
            },
        )


@dataclass(frozen=True, kw_only=True)
class ProofNumber(Solver):
    """Proof-number search: best-first, always where the least work may settle the question.

    L. V. Allis, M. van der Meulen and H. J. van den Herik, *Proof-Number Search*, Artificial Intelligence 66 (1994).
    `solve` finds the value by two questions: can the player to move win, and if not, can he draw? The tree is a real
    tree, and a repetition is judged on the path to it, so there is no graph-history interaction.

    - `leaf`: the numbers of a new leaf: 1 and 1 (`one`), the number of moves for what takes all of them (`mobility`),
      or mobility weighted by the `evaluation`, as `EfPn` does;
    - `delete_solved`: give back the nodes below solved ones; a proof then has to search for them again;
    - `threads`: all share the top of the tree, and each goes on for some hundred nodes with the part below another leaf
      of it; only one thread is deterministic;
    - `memory_mb`: what the search may use; without room the answer is `"unknown"`;
    - `solved_mb`: the part of it, half at most, for a table of solved positions that is asked before a leaf is
      expanded, so that a position is solved once wherever it comes up; 0 for none, as published;
    - `trace`: write down so many nodes of the tree of the last question; `kb.draw.tree(solution.tree)` draws them; one
      thread only;
    - `database`: an endgame database or its path, which settles the positions that it has;
    - `goal`: ask only whether the player to move wins (`win`) or reaches at least a draw (`draw`);
    - `checkpoint`: a file in which the search is saved every `checkpoint_seconds`, at its end and on Ctrl-C, and from
      which it goes on; `nodes` counts from the first beginning.
    """

    name: ClassVar[str] = "proofnumber"
    leaf: Literal["one", "mobility", "evaluation"] = "one"
    delete_solved: bool = False
    solved_mb: int = 0
    threads: int = 1
    trace: int = 0


@dataclass(frozen=True, kw_only=True)
class Pn2(Solver):
    """PN²: proof-number search whose leaves are searched by a second one, of which little is kept.

    L. V. Allis, *Searching for Solutions in Games and Artificial Intelligence* (1994); D. Breuker, J. Uiterwijk and
    H. J. van den Herik, *The PN²-Search Algorithm* (2001). A tree of *n* nodes in memory stands for about *n*² made.

    - `second`: the size of a second-level tree: as the first (`equal`), or a part of it that grows with its size *x*:
      *x* / (1 + e^((a − *x*) / b)) with `logistic_a` and `logistic_b` (`logistic`);
    - `threads`: so many second levels at once; only one thread is deterministic.

    The other parameters are those of `ProofNumber`.
    """

    name: ClassVar[str] = "pn2"
    leaf: Literal["one", "mobility", "evaluation"] = "one"
    second: Literal["equal", "logistic"] = "equal"
    logistic_a: float = 1_800_000.0
    logistic_b: float = 240_000.0
    delete_solved: bool = False
    solved_mb: int = 0
    threads: int = 1
    trace: int = 0


@dataclass(frozen=True, kw_only=True)
class DfPn(Solver):
    """df-pn: proof-number search depth first, with a table of bounded size.

    A. Nagai, *Df-pn Algorithm for Searching AND/OR Trees and Its Applications* (2002). An answer that rests on a
    repetition is remembered for its path alone until it is complete, so that the graph-history interaction problem
    (A. Kishimoto and M. Müller, 2004) does not arise.

    - `epsilon`: thresholds exceed the second-best number by this part (J. Pawlewicz and L. Lew, *Improving Depth-First
      PN-Search: 1 + ε Trick*, 2006);
    - `memory_mb`: the size of the table; a small one makes the search longer, never wrong;
    - `threads`: all with one table and a small tree of the first moves, in which each takes another leaf
      (J. Pawlewicz and R. Hayward, 2013); only one thread is deterministic.

    The other parameters are those of `ProofNumber`.
    """

    name: ClassVar[str] = "dfpn"
    leaf: Literal["one", "mobility", "evaluation"] = "one"
    epsilon: float = 0.25
    memory_mb: int = 256
    threads: int = 1


@dataclass(frozen=True, kw_only=True)
class EfPn(Solver):
    """EF-PN and EF-PN²: proof-number search whose new leaves get their numbers from an evaluation.

    M. Winands and M. Schadd, *Evaluation-Function Based Proof-Number Search*, Computers and Games 2010. With the step
    *s* of an evaluation for the player who is asked about (1 above `threshold`, −1 below its negative, else 0), a proof
    number is multiplied by 1 + a (1 − *s*) and a disproof number by 1 + b (1 + *s*).

    - `a`, `b`: the weights; `threshold`: in units of the result;
    - `mobility`: whether the numbers that are weighted are those of mobility; else both are 1;
    - `levels`: 1 for EF-PN, 2 for EF-PN²; `threads`: as with `ProofNumber` or `Pn2`.

    The other parameters are those of `ProofNumber`.
    """

    name: ClassVar[str] = "efpn"
    a: int = 1
    b: int = 1
    threshold: float = 0.0
    mobility: bool = True
    levels: int = 2
    delete_solved: bool = False
    solved_mb: int = 0
    threads: int = 1
    trace: int = 0


_ALGORITHMS.update({each.name: each for each in (ProofNumber, Pn2, DfPn, EfPn)})
