"""One game between players: a pure function of its specification, and the unit of work of every match."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import inspect
import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import kibitz as kb
from kibitz.session import Session

__all__ = [
    "GameRecord",
    "GameSpec",
    "MoveRecord",
    "Origin",
    "code_of",
    "derive",
    "game_name",
    "outcome",
    "parameters",
    "play",
]

Origin = Literal["search", "opening", "random", "chance"]
"""Who chose a move: the player, the opening, the noise of the match, or chance."""


def derive(*parts: object) -> int:
    """A seed of 64 bits from seeds, numbers and words: the same in every process and on every machine.

    >>> derive(1, "move", 0)
    9364856556675018547
    """
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def _unit(seed: int) -> float:
    """A number in [0, 1) from a seed."""
    return (seed >> 11) * 2.0**-53


def game_name(game: kb.Game) -> str:
    """A text that is equal for equal games, in every process.

    A native game is its `spec`. A game in Python is its module and class, with the text of its attribute `spec` if its
    author gave it one, else with the arguments of its constructor, which it must then keep under their own names and
    as plain values (`Nim.__init__(self, piles)` keeps `self.piles`). Whatever else an instance holds, a cache perhaps,
    does not count.
    """
    if isinstance(game, kb.NativeGame):
        return game.spec
    own = type(game)
    place = f"{own.__module__}:{own.__qualname__}"
    spec = getattr(game, "spec", None)
    if isinstance(spec, str):
        return f"{place}({spec})"
    given = ", ".join(f"{name}={_plain(game, name)!r}" for name in inspect.signature(own).parameters)
    return f"{place}({given})" if given else place


def code_of(*objects: object) -> str:
    """A digest of the classes in Python that objects are made of; those of kibitz itself belong to its version."""
    sources = []
    for each in objects:
        for kind in type(each).__mro__:
            if kind.__module__.partition(".")[0] not in ("kibitz", "builtins"):
                # A class without a source, of an interactive session perhaps, has only its name.
                with contextlib.suppress(OSError, TypeError):
                    sources.append(inspect.getsource(kind))
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()[:16] if sources else ""


def _plain(game: kb.Game, name: str) -> Any:
    """A constructor's argument as the game keeps it."""

    def is_plain(value: Any) -> bool:
        if isinstance(value, tuple | list):
            return all(map(is_plain, value))
        return value is None or isinstance(value, bool | int | float | str)

    value = getattr(game, name, is_plain)
    if not is_plain(value):
        own = type(game).__name__
        raise kb.BadParameter(
            f"cannot tell one {own} from another: it does not keep its argument {name!r} as a plain value in "
            f"self.{name}; give {own} an attribute spec, a text that says which game it is"
        )
    return value


@dataclass(frozen=True)
class GameSpec:
    """Everything that determines a game, and its place in a match.

    - `players`, `names`: the algorithm in each seat, and what the match calls it;
    - `opening`: moves in notation, outcomes of chance included, played from `start` (the game's own, if `None`);
    - `noise`: the probability that a ply is a random move instead of the player's, the last one for the rest of the
      game; games with one seed draw the same numbers at the same ply;
    - `seed`: of chance, of the noise and of every search;
    - `max_plies`: the game is a draw when the players have made as many moves, those of the opening included;
    - `index`, `block`: the number of the game in its match, and of the block of games that share opening and seed.
    """

    game: kb.Game
    players: tuple[kb.Algorithm, ...]
    names: tuple[str, ...]
    opening: tuple[str, ...] = ()
    start: str | None = None
    seed: int = 0
    max_plies: int | None = None
    index: int = 0
    block: int = 0
    noise: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        seats = self.game.players
        if len(self.players) != seats or len(self.names) != seats:
            raise kb.BadParameter(
                f"{self.game} has {seats} seats; there are {len(self.players)} players and {len(self.names)} names"
            )
        if not 0 <= self.seed < 1 << 64:
            raise kb.BadParameter(f"seed={self.seed} is out of range: 0 to {(1 << 64) - 1}")
        if self.max_plies is not None and self.max_plies < 1:
            raise kb.BadParameter(f"max_plies={self.max_plies} must be at least 1")
        if not all(0 <= each <= 1 for each in self.noise):
            raise kb.BadParameter(f"noise={self.noise} must be probabilities, from 0 to 1")

    @functools.cached_property
    def key(self) -> str:
        """The identity of the game, in hexadecimal: whoever plays it, once or again, it is this one.

        Place and names belong to it, so that a match between a player and itself still has distinct games; all
        parameters of the players belong to it, those with default values too.
        """
        data = [
            game_name(self.game),
            [[each.name, parameters(each)] for each in self.players],
            self.names,
            self.opening,
            self.start,
            self.seed,
            self.max_plies,
            self.index,
            self.block,
            self.noise,
        ]
        return hashlib.sha256(json.dumps(data, separators=(",", ":")).encode()).hexdigest()


def parameters(player: kb.Algorithm) -> dict[str, Any]:
    """All parameters of a player, those with default values too, as plain values."""
    return {each.name: plain(getattr(player, each.name)) for each in dataclasses.fields(player)}


def plain(value: Any) -> Any:
    """A parameter as JSON can write it, dataclasses and mappings by their fields."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise kb.BadParameter(f"the parameter {value!r} of a player cannot be written down; use numbers, texts and tuples")


class MoveRecord(NamedTuple):
    """A move as it was played.

    `seat` is `None` for chance; `value` is the player's own expectation and `None`, like the other figures of the
    search, where no search chose the move; `seconds` is what the player took of the clock; `legal` counts the moves
    (outcomes, for chance) there were.
    """

    seat: int | None
    move: str
    value: float | None
    depth: int | None
    nodes: int | None
    seconds: float | None
    legal: int
    origin: Origin


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """A game as it was played; `game`, `start` and the moves are enough to replay it.

    `result` is in units of the game. `plies` counts the moves of the players, those of the opening included, without
    chance's. `adjudicated` says that the limit of plies ended the game; everybody has the same result then.
    """

    spec_key: str
    index: int
    block: int
    game: str
    names: tuple[str, ...]
    players: tuple[str, ...]
    start: str | None
    seed: int
    moves: tuple[MoveRecord, ...]
    result: tuple[float, ...]
    plies: int
    adjudicated: bool
    seconds: float


def play(spec: GameSpec) -> GameRecord:
    """Plays a game to its end. The same specification gives the same game, unless a player is limited by time.

    A search whose algorithm has a `seed` that is not `None` gets one of its own, derived from the game's seed, the
    algorithm's and the ply. What a player raises comes out as an exception of the same kind, or `Error` if it is none
    of kibitz's, that names the player, the seat, the position and the moves so far.
    """
    began = time.perf_counter()
    position = spec.game.start() if spec.start is None else spec.game.position(spec.start)
    sessions = [each.session() for each in spec.players]
    moves: list[MoveRecord] = []
    plies = 0
    for text in spec.opening:
        turn = position.turn
        legal = len(position.moves)
        position = position.play(text)
        seat = turn if isinstance(turn, int) else None
        plies += seat is not None
        moves.append(MoveRecord(seat, text, None, None, None, None, legal, "opening"))
    result: tuple[float, ...] | None = None
    while (turn := position.turn) is not None:
        if turn == "chance":
            # By the number of the event and not of the move: the games of a block have the same cards and dice even
            # where their players make different numbers of moves in between.
            event = sum(move.seat is None for move in moves)
            position, made = _roll(position, derive(spec.seed, "chance", event))
        elif spec.max_plies is not None and plies >= spec.max_plies:
            result = _shared(spec.game)
            break
        else:
            position, made = _move(spec, sessions[turn], position, turn, plies, moves)
            plies += 1
        moves.append(made)
    ended: tuple[float, ...] = position.result or ()
    return GameRecord(
        spec_key=spec.key,
        index=spec.index,
        block=spec.block,
        game=game_name(spec.game),
        names=spec.names,
        players=tuple(each.spec for each in spec.players),
        start=spec.start,
        seed=spec.seed,
        moves=tuple(moves),
        result=ended if result is None else result,
        plies=plies,
        adjudicated=result is not None,
        seconds=time.perf_counter() - began,
    )


def outcome(position: kb.Position, seed: int) -> tuple[Any, int]:
    """An outcome of chance by its probability, and the number of outcomes there were."""
    outcomes = position.outcomes
    left = _unit(seed)
    for each, probability in outcomes:
        left -= probability
        if left < 0:
            return each, len(outcomes)
    return outcomes[-1][0], len(outcomes)


def _roll(position: kb.Position, seed: int) -> tuple[kb.Position, MoveRecord]:
    chosen, legal = outcome(position, seed)
    made = MoveRecord(None, position.notation(chosen), None, None, None, None, legal, "chance")
    return position.play(chosen), made


def _move(
    spec: GameSpec, session: Session, position: kb.Position, seat: int, plies: int, moves: list[MoveRecord]
) -> tuple[kb.Position, MoveRecord]:
    """The move of the player in a seat, or of the noise in its place."""
    legal = position.moves
    ply = len(moves)
    noise = spec.noise[min(plies, len(spec.noise) - 1)] if spec.noise else 0.0
    if noise > 0 and _unit(derive(spec.seed, "noise", ply)) < noise:
        move = legal[derive(spec.seed, "random", ply) % len(legal)]
        made = MoveRecord(seat, position.notation(move), None, None, None, None, len(legal), "random")
        return position.play(move), made
    player = spec.players[seat]
    own = getattr(player, "seed", None)
    try:
        changes: dict[str, Any] = {} if own is None else {"seed": derive(spec.seed, own, "move", ply)}
        began = time.perf_counter()
        report = session.search(position, **changes)
        # What the player took of the clock, its tables' release included.
        seconds = time.perf_counter() - began
        if report.best is None:
            raise kb.Error("it returned no move")
        after = position.play(report.best)
        # A player in Python may count in NumPy's numbers, which JSON does not know.
        value, depth, nodes = float(report.value), int(report.depth), int(report.nodes)
    except Exception as error:
        ours = isinstance(error, kb.Error)
        kind = type(error) if ours and type(error).__module__ == kb.Error.__module__ else kb.Error
        words = str(error) if ours else f"{type(error).__name__}: {error}"
        line = " ".join(each.move for each in moves) or "no moves"
        raise kind(
            f"{spec.names[seat]} ({player}) in seat {seat} of {game_name(spec.game)} failed: {words}; "
            f"position {str(position)!r} after {line}"
        ) from error
    text = report.best if isinstance(report.best, str) else position.notation(report.best)
    known = value if math.isfinite(value) else None
    return after, MoveRecord(seat, text, known, depth, nodes, seconds, len(legal), "search")


def _shared(game: kb.Game) -> tuple[float, ...]:
    """The result of a game without a winner: everybody has an equal share of what a sole winner would get.

    Two players get the middle of the game's results, n players a win's n-th part. Alone there is nobody to share with,
    and a game that was not finished is not won.
    """
    low, high = game.results
    share = low if game.players == 1 else low + (high - low) / game.players
    return (share,) * game.players
