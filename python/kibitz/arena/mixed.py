"""Players with mixed strategies, their exact expectation, and accounting for what they do with some probability.

B. Sheppard, *Efficient Control of Selective Simulations*, CG 2004, section on end evaluation: a fold that comes with
probability F need not be sampled. The pot goes to the opponent with weight F, and the game goes on with weight 1 − F.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import kibitz as kb
from kibitz.arena.playing import GameSpec, derive, outcome
from kibitz.errors import BadParameter, NotSupported
from kibitz.search import Iteration, Report, _shown

__all__ = ["Mixed", "Policy", "accounted", "expectation"]


@runtime_checkable
class Policy(Protocol):
    """Whoever can say how probable each of its moves is."""

    def probabilities(self, position: kb.Position) -> Sequence[tuple[Any, float]]:
        """Every legal move with its probability, in the order of `position.moves`."""


Rows = tuple[tuple[str, tuple[tuple[str, float], ...]], ...]


@dataclass(frozen=True, kw_only=True)
class Mixed(kb.Algorithm):
    """Moves by a table: for each view of the player to move, the probabilities of moves; none is equal ones.

    `Mixed.of({"K?": {"bet": 1}, "J?": {"bet": 1/3}})`: moves that are not named share what is left. A view that is not
    in the table is played at random. One number is drawn for a move, and the moves lie in the order of the game, so
    that two tables with the same probabilities and the same seed choose alike (Sheppard's synchronised generators).
    """

    name: ClassVar[str] = "mixed"
    rows: Rows = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or not 0 <= self.seed < 1 << 64:
            raise BadParameter(f"seed={_shown(self.seed)} is out of range: 0 to {(1 << 64) - 1}")
        for view, entries in self.rows:
            given = [chance for _, chance in entries]
            if not all(math.isfinite(each) and each >= 0 for each in given) or math.fsum(given) > 1 + 1e-9:
                raise BadParameter(f"the probabilities in the view {view!r} must be 0 or more and at most 1 together")

    @classmethod
    def of(cls, table: Mapping[str, Mapping[str, float]], seed: int = 0) -> Mixed:
        """The player of a table from views to moves to probabilities."""
        rows = ((view, tuple((move, float(chance)) for move, chance in row.items())) for view, row in table.items())
        return cls(rows=tuple(rows), seed=seed)

    @property
    def spec(self) -> str:
        """The table as text."""
        rows = (f"{view}={'/'.join(f'{move} {chance:.4g}' for move, chance in row)}" for view, row in self.rows)
        return f"mixed:{';'.join(rows)}" + (f",seed={self.seed}" if self.seed else "")

    def probabilities(self, position: kb.Position) -> Sequence[tuple[Any, float]]:
        """Every legal move with its probability."""
        view = position.view()
        return _chances(self.rows, view, tuple(position.moves), tuple(map(position.notation, position.moves)))

    def search(
        self, position: kb.Position, *, progress: Callable[[Iteration], object] | None = None, **changes: Any
    ) -> Report:
        """Draws a move."""
        del progress
        chosen = self if changes.keys() <= {"seed"} else self.replace(**changes)
        seed = changes.get("seed", self.seed)
        best = None
        if isinstance(position.turn, int):
            best = _drawn(chosen.probabilities(position), derive(seed, "mixed"))
        pv = () if best is None else (best,)
        return Report(best=best, value=0.0, pv=pv, nodes=1, depth=0, seconds=0.0, stats={}, bound="estimate")


@functools.lru_cache(1 << 12)
def _chances(rows: Rows, view: str, moves: tuple[Any, ...], names: tuple[str, ...]) -> tuple[tuple[Any, float], ...]:
    given = dict(dict(rows).get(view, ()))
    unknown = given.keys() - set(names)
    if unknown:
        raise BadParameter(f"{', '.join(sorted(unknown))} in the view {view!r} of the table is not a move there")
    others = [name for name in names if name not in given]
    rest = 1 - math.fsum(given.values())
    if not others and rest > 1e-9:
        raise BadParameter(f"the probabilities in the view {view!r} must be 1 together, not {1 - rest:.6g}")
    return tuple((move, given.get(name, rest / max(1, len(others)))) for move, name in zip(moves, names, strict=True))


def _drawn(choices: Sequence[tuple[Any, float]], seed: int) -> Any:
    """One of the choices by its probability, from a single number between 0 and 1."""
    left = (seed >> 11) * 2.0**-53
    last = None
    for choice, chance in choices:
        if chance > 0:
            last = choice
            left -= chance
            if left < 0:
                break
    return last


def _policy(player: object, seat: int) -> Policy:
    if not isinstance(player, Policy):
        raise NotSupported(f"{player} in seat {seat} has no probabilities(position); Mixed is a player that has")
    return player


def expectation(position: kb.Position, players: Sequence[object]) -> tuple[float, ...]:
    """The exact expected result of each seat, over all chance and all choices: for games small enough to enumerate.

    Positions that are reached in several ways are looked at once.
    """
    known: dict[kb.Position, tuple[float, ...]] = {}

    seats = range(position.game.players)

    def expected(position: kb.Position) -> tuple[float, ...]:
        if position.result is not None:
            return tuple(position.result)
        found = known.get(position)
        if found is None:
            parts = [(chance, expected(position.play(move))) for move, chance in _choices(position, players) if chance]
            found = tuple(math.fsum([chance * part[seat] for chance, part in parts]) for seat in seats)
            known[position] = found
        return found

    return expected(position)


def _choices(position: kb.Position, players: Sequence[object]) -> Sequence[tuple[Any, float]]:
    turn = position.turn
    if turn == "chance":
        return position.outcomes
    moves = position.moves
    if len(moves) == 1:
        return [(moves[0], 1.0)]
    return _policy(players[_seat(turn)], _seat(turn)).probabilities(position)


def _seat(turn: object) -> int:
    if not isinstance(turn, int):
        raise NotSupported("only players and chance move")
    return turn


def accounted(spec: GameSpec) -> tuple[float, ...]:
    """Plays a game like `play`, but moves that end it are not drawn: their results count with their probabilities.

    The expected result is that of `play`. The variance is not larger: given chance and the moves that go on, what is
    drawn by `play` is replaced by its expectation (the theorem of Rao and Blackwell). Chance and the moves that go on
    are drawn with the game's seed, so that the games of a block share the deal here too. All players must be policies.
    """
    position = spec.game.start() if spec.start is None else spec.game.position(spec.start)
    events = 0
    for text in spec.opening:
        events += position.turn == "chance"
        position = position.play(text)
    weight, totals = 1.0, [0.0] * spec.game.players
    ply = len(spec.opening)

    def settle(result: Sequence[float], share: float) -> None:
        for seat, each in enumerate(result):
            totals[seat] += share * each

    while position.result is None:
        if position.turn == "chance":
            position = position.play(outcome(position, derive(spec.seed, "chance", events))[0])
            events += 1
        else:
            seat = _seat(position.turn)
            player = spec.players[seat]
            onwards: list[tuple[kb.Position, float]] = []
            for move, chance in _policy(player, seat).probabilities(position):
                after = position.play(move)
                if after.result is None:
                    onwards.append((after, chance))
                else:
                    settle(after.result, weight * chance)
            going = math.fsum(chance for _, chance in onwards)
            if going <= 0:
                return tuple(totals)
            weight *= going
            seed = derive(spec.seed, getattr(player, "seed", None), "accounted", ply)
            position = _drawn([(after, chance / going) for after, chance in onwards], seed)
        ply += 1
    settle(position.result, weight)
    return tuple(totals)
