"""A tuning run: iterations of samples over processes, every piece of work kept, and an honest comparison at the end."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.search import _whole
from kibitz.tuning.methods import METHODS, Method, best
from kibitz.tuning.objective import Against, Alone, Called, Function, Objective, Unit, measure
from kibitz.tuning.result import Comparison, Generation, Sample, Tuning, compare
from kibitz.tuning.space import Point, Range, Space, parameter, with_parameters

if TYPE_CHECKING:
    from kibitz.store import Store

__all__ = ["Progress", "tune"]

_CHUNK = 5
"""Positions of a piece of work. Fixed: what is stored must not depend on the number of workers."""

_PLIES = 2
"""Random moves at the beginning of a game of several players, unless said otherwise."""


class Progress(NamedTuple):
    """How far a run is, in pieces of work: `fresh` of the `done` were done now and not found in the store.

    `total` is what is left at most: a method may end earlier. `history` are the iterations that are complete.
    """

    done: int
    fresh: int
    total: int
    history: tuple[Generation, ...]


def tune(
    what: kb.Game | str | Function,
    player: kb.Algorithm | str | None = None,
    *,
    vary: Mapping[str, Range | Sequence[float] | str],
    against: kb.Algorithm | str | None = None,
    given: Mapping[str, float] | None = None,
    method: str = "cross-entropy",
    samples: int = 100,
    elite: int = 10,
    positions: int = 30,
    iterations: int = 20,
    seed: int = 0,
    smoothing: float = 1.0,
    tolerance: float = 0.01,
    plies: int | None = None,
    instances: str | None = None,
    max_plies: int | None = None,
    validate: int = 250,
    store: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    on: str = "local",
    progress: Callable[[Progress], object] | None = None,
) -> Tuning:
    """Looks for the values of parameters with which a player scores most.

    What is made large is the mean result of `player` in a game for one, its score `against` an opponent in a game for
    two or more, or a function of parameters and a seed in place of the game. An iteration tries `samples` values, each
    on the same fresh `positions`, and the method learns from them; the defaults are those of the cross-entropy method
    in M. Schadd, *Selective Search in Games of Different Complexity* (2011).

    - `vary`: parameters by name with their ranges: `{"c": (0, 3), "simulations": "10:1000:int:log"}`;
    - `method`: `cross-entropy`, `random` (guessing), `cma` or `optuna`;
    - `elite`, `smoothing`, `tolerance`: how many samples the distribution is fitted to, the share of the fit in the
      new distribution, and the deviation, as a share of the range, at which a parameter has converged;
    - `plies`: random moves from the start to a position (2; 0 in a game for one); `instances`: a parameter of the game
      that is drawn anew for each position; `max_plies`: a longer game is a draw;
    - `validate`: positions of the comparison at the end (0: none); `given`: what a function's parameters are compared
      with (the middle of the ranges); a player's are its own;
    - `store`: a file that keeps every piece of work, from which a run that was stopped goes on to the same result;
    - `workers`, `on`: how many processes (one for each core; 0: this one), and where, `local` or `ray`;
    - `progress`: is told after every piece of work.

    >>> import kibitz as kb
    >>> def hill(parameters, seed):
    ...     return -(parameters["x"] - 2) ** 2
    >>> found = kb.tune(hill, vary={"x": (0, 10)}, positions=1, workers=0)
    >>> round(found.parameters["x"], 1)
    2.0
    """
    if isinstance(player, str):
        player = kb.algorithm(player)
    if isinstance(against, str):
        against = kb.algorithm(against)
    objective = _objective(what, player, against, plies, instances, max_plies)
    space = Space.of(vary, player)
    plan = _Plan(
        objective=objective,
        space=space,
        method=method,
        samples=_whole("samples", samples, 2, 1_000_000),
        elite=_whole("elite", elite, 1, 1_000_000),
        positions=_whole("positions", positions, 1, 1_000_000),
        iterations=_whole("iterations", iterations, 1, 1_000_000),
        validate=_whole("validate", validate, 0, 1_000_000),
        seed=_whole("seed", seed, 0, (1 << 64) - 1),
        smoothing=smoothing,
        tolerance=tolerance,
    )
    before = _given(space, player, given)
    began = time.perf_counter()
    with _Work.open(plan, store, workers, on, progress) as work:
        history, chosen, converged = _iterate(plan, work)
        comparison = _compare(plan, work, space.values(chosen), before) if validate else None
    parameters = space.values(chosen)
    return Tuning(
        objective=_title(what, player, against),
        method=method,
        seed=seed,
        vary=dict(zip(space.names, space.ranges, strict=True)),
        parameters=parameters,
        given=before,
        best=None if player is None else with_parameters(player, parameters),
        player=player,
        history=history,
        converged=converged,
        comparison=comparison,
        seconds=time.perf_counter() - began,
    )


def _objective(
    what: kb.Game | str | Function,
    player: kb.Algorithm | None,
    against: kb.Algorithm | None,
    plies: int | None,
    instances: str | None,
    max_plies: int | None,
) -> Objective:
    """What is made large, with errors for what does not fit together."""
    game = kb.game(what) if isinstance(what, str) else what
    if not isinstance(game, kb.Game):
        if not callable(game):
            raise TypeError(f"tune() takes a game or a function, not {type(game).__name__}")
        if player is not None or against is not None or plies or instances or max_plies:
            raise kb.BadParameter("a function has parameters and a seed; players, openings and limits belong to games")
        return Called(game)
    if not isinstance(player, kb.Algorithm):
        raise kb.BadParameter(f"{game} needs a player to tune, such as kb.Uct(simulations=100)")
    if game.players == 1:
        if against is not None:
            raise kb.BadParameter(f"{game} is a game for one: there is nobody to play against")
        return Alone(game=game, player=player, plies=plies or 0, instances=instances, max_plies=max_plies)
    if not isinstance(against, kb.Algorithm):
        raise kb.BadParameter(f"{game} is a game for {game.players}: name an opponent, the same player perhaps")
    return Against(
        game=game,
        player=player,
        opponent=against,
        plies=_PLIES if plies is None else plies,
        instances=instances,
        max_plies=max_plies,
    )


def _title(what: kb.Game | str | Function, player: kb.Algorithm | None, against: kb.Algorithm | None) -> str:
    if player is None:
        return str(getattr(what, "__name__", what))
    return f"{player} in {what}" + ("" if against is None else f" against {against}")


def _given(space: Space, player: kb.Algorithm | None, given: Mapping[str, float] | None) -> dict[str, float]:
    """The parameters that the result is compared with."""
    if player is not None:
        if given is not None:
            raise kb.BadParameter("a player has its own parameters: given= is for functions")
        return {name: parameter(player, name) for name in space.names}
    if given is None:
        return space.values(space.centre)
    if set(given) != set(space.names):
        raise kb.BadParameter(f"given= needs a value for each of {', '.join(space.names)}")
    return {name: given[name] for name in space.names}


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """What determines a run, checked."""

    objective: Objective
    space: Space
    method: str
    samples: int
    elite: int
    positions: int
    iterations: int
    validate: int
    seed: int
    smoothing: float
    tolerance: float

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise kb.BadParameter(f"no method {self.method!r}; there are {', '.join(METHODS)}")
        if self.elite > self.samples:
            raise kb.BadParameter(
                f"elite={self.elite} is more than samples={self.samples}: the elite are the best of them"
            )
        if not 0 < self.smoothing <= 1:
            raise kb.BadParameter(f"smoothing={self.smoothing} must be above 0 and at most 1")
        if not 0 <= self.tolerance < 1:
            raise kb.BadParameter(f"tolerance={self.tolerance} must be from 0 to less than 1")

    def start(self) -> Method:
        """The method at its beginning."""
        return METHODS[self.method](
            self.space,
            samples=self.samples,
            elite=self.elite,
            seed=derive(self.seed, "method"),
            smoothing=self.smoothing,
            tolerance=self.tolerance,
        )

    def seeds(self, stage: str, count: int) -> tuple[int, ...]:
        """The positions of an iteration, or of the comparison."""
        return tuple(derive(self.seed, stage, number) for number in range(count))

    def identity(self) -> dict[str, Any]:
        """What a run is known by; it may be continued with more iterations or another comparison."""
        return {
            "kind": "tune",
            **self.objective.identity(),
            "vary": {name: dataclasses.astuple(each) for name, each in self._ranges()},
            "method": self.method,
            "samples": self.samples,
            "elite": self.elite,
            "positions": self.positions,
            "seed": str(self.seed),
            "smoothing": self.smoothing,
            "tolerance": self.tolerance,
        }

    def _ranges(self) -> Iterable[tuple[str, Range]]:
        return zip(self.space.names, self.space.ranges, strict=True)

    @property
    def units(self) -> int:
        """The pieces of work at most."""
        pieces = -(-self.positions // _CHUNK) * self.samples * self.iterations
        return pieces + 2 * -(-self.validate // _CHUNK)


@dataclass(kw_only=True)
class _Work:
    """Does pieces of work, unless the store has them."""

    plan: _Plan
    workers: int | None
    on: str
    progress: Callable[[Progress], object] | None
    store: Store | None
    run: int = 0
    known: dict[str, Any] = field(default_factory=dict)
    done: int = 0
    fresh: int = 0
    history: tuple[Generation, ...] = ()

    @classmethod
    @contextlib.contextmanager
    def open(
        cls,
        plan: _Plan,
        path: str | os.PathLike[str] | None,
        workers: int | None,
        on: str,
        progress: Callable[[Progress], object] | None,
    ) -> Any:
        """With the store open, if there is one."""
        if path is None:
            yield cls(plan=plan, workers=workers, on=on, progress=progress, store=None)
            return
        from kibitz.store import Store

        identity = plan.identity()
        digest = hashlib.blake2b(json.dumps(identity, sort_keys=True).encode(), digest_size=6).hexdigest()
        with Store.open(os.fspath(path)) as store:
            run = store.run(f"tune {', '.join(plan.space.names)} {digest}", identity)
            known = store.results(run)
            yield cls(plan=plan, workers=workers, on=on, progress=progress, store=store, run=run, known=known)

    def values(self, samples: Sequence[Mapping[str, float]], seeds: tuple[int, ...]) -> list[list[float]]:
        """The value of each sample on each position. Equal samples are one piece of work."""
        from kibitz.arena.executor import execute

        chunks = [seeds[first : first + _CHUNK] for first in range(0, len(seeds), _CHUNK)]
        pieces = [[Unit(self.plan.objective, tuple(sample.items()), chunk) for chunk in chunks] for sample in samples]
        keys = [[unit.key for unit in row] for row in pieces]
        waiting: dict[str, int] = {}
        missing: dict[str, Unit] = {}
        for row, names in zip(pieces, keys, strict=True):
            for unit, key in zip(row, names, strict=True):
                waiting[key] = waiting.get(key, 0) + 1
                if key not in self.known:
                    missing[key] = unit
        self._tell(sum(count for key, count in waiting.items() if key not in missing), 0)
        order = list(missing)
        with contextlib.closing(execute(measure, list(missing.values()), workers=self.workers, on=self.on)) as results:
            for number, found in results:
                key = order[number]
                self.known[key] = found
                if self.store is not None:
                    self.store.add_result(self.run, key, found)
                self._tell(waiting[key], 1)
        return [[value for key in names for value in self.known[key]] for names in keys]

    def _tell(self, done: int, fresh: int) -> None:
        self.done += done
        self.fresh += fresh
        if self.progress is not None:
            self.progress(Progress(self.done, self.fresh, self.plan.units, self.history))


def _iterate(plan: _Plan, work: _Work) -> tuple[tuple[Generation, ...], Point, bool]:
    """The iterations, the point that the method recommends, and whether it has converged."""
    method, space = plan.start(), plan.space
    history: tuple[Generation, ...] = ()
    for number in range(plan.iterations):
        points = method.ask()
        samples = [space.values(point) for point in points]
        rows = work.values(samples, plan.seeds(f"iteration {number}", plan.positions))
        fitness = [sum(row) / len(row) for row in rows]
        method.tell(points, fitness)
        made = Generation(
            number=number + 1,
            samples=tuple(map(Sample, samples, fitness)),
            elite=tuple(best(fitness, plan.elite)),
            mu={name: each.to_outer(mu) for (name, each), mu in zip(plan._ranges(), method.mean, strict=True)},
            sigma=dict(zip(space.names, method.deviation, strict=True)),
            best=space.values(method.choice),
        )
        history = work.history = (*history, made)
        if method.converged:
            break
    return history, method.choice, method.converged


def _compare(plan: _Plan, work: _Work, tuned: Mapping[str, float], given: Mapping[str, float]) -> Comparison:
    """Both on fresh positions."""
    rows = work.values([tuned, given], plan.seeds("comparison", plan.validate))
    return compare(rows[0], rows[1], plan.objective.bounded)
