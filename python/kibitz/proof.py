"""Proofs of values: strategies that the rules alone can check, on disk and at the board.

>>> import kibitz as kb
>>> start = kb.game("breakthrough", rows=4, cols=3).start()
>>> proof = kb.DfPn().solve(start).proof()
>>> kb.verify_proof(proof).positions > proof.size
True
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from kibitz import _core
from kibitz._core import Position
from kibitz.database import Database, database_for
from kibitz.errors import BadParameter, BadProof, Error
from kibitz.game import Game, NativeGame
from kibitz.game import game as read_game
from kibitz.search import Algorithm, Iteration, Report, _position, algorithm

__all__ = ["Proof", "Proven", "Verified", "verify_proof"]

Value = Literal["win", "draw", "loss", "no win", "no loss"]
"""What a proof says about the player to move; the last two are the halves of a draw."""

_MAGIC = b"kibitz proof 2\n"
_KEYS = ("game", "position", "past", "value", "database", "strategies")
_DIGEST = 32

LARGEST_FRONTIER = 1_000_000
"""The most nodes of a search for a move that was left out: they lie in memory."""


class Verified(NamedTuple):
    """What a check of a proof has seen.

    `positions` can come up, of which `from_database` were believed to a database; `repetitions` moves lead back to a
    position of the same line, and no line is longer than `longest` without one. The proof leaves out `frontier`
    positions, of which `searched` were searched, with `nodes` in all.
    """

    positions: int
    from_database: int
    repetitions: int
    longest: int
    frontier: int
    searched: int
    nodes: int

    def __add__(self, other: object) -> Verified:
        """Both together; the longest line is that of either."""
        assert isinstance(other, Verified)
        sums = {name: a + b for name, a, b in zip(self._fields, self, other, strict=True)}
        return Verified(**{**sums, "longest": max(self.longest, other.longest)})


class Proof:
    """A move for every position that can come up while one side keeps to it: that is what proves a value.

    A win needs a strategy of the player to move, a loss one of his opponent, a draw both: each side has a way not to
    lose. Half a draw has a proof as well: `"no loss"` of the player to move, or `"no win"`. `size` counts the positions
    with a move; `database` says what the proof believed at its ends. Where a proof has no move, a search of at most
    `frontier` nodes finds one; it is 0 if all moves are there.
    """

    def __init__(
        self, position: Position, value: Value, strategies: tuple[_core.Strategy, ...], database: str | None = None
    ) -> None:
        self.position = position
        self.value: Value = value
        self.strategies = strategies
        self.database = database

    @property
    def game(self) -> Game:
        """The game."""
        return self.position.game

    @property
    def claim(self) -> str:
        """The value in words: a win, a draw, a loss, no win or no loss."""
        return self.value if self.value.startswith("no ") else f"a {self.value}"

    @property
    def size(self) -> int:
        """The positions that have a move."""
        return sum(map(len, self.strategies))

    @property
    def frontier(self) -> int:
        """The most nodes of a search for a move that was left out."""
        return max((strategy.frontier for strategy in self.strategies), default=0)

    def move(self, position: Position) -> Any:
        """The proven move in a position; `None` where the proof has none."""
        for strategy in self.strategies:
            found = _position(position, "move")._strategy_move(strategy)
            if found is not None:
                return found[0]
        return None

    def line(self, most: int = 1000) -> tuple[Any, ...]:
        """The line of the proof: who has a strategy plays it, the other side resists as long as it can."""
        position = self.position
        moves: list[Any] = []
        while not position.over and len(moves) < most:
            move = self.move(position)
            if move is None:
                move = self._resistance(position)
            if move is None:
                break
            moves.append(move)
            position = position.play(move)
        return tuple(moves)

    def _resistance(self, position: Position) -> Any:
        """The move after which the strategy of the other side takes longest; `None` where no strategy goes on."""
        longest, chosen = -1, None
        for move in position.moves:
            after = position.play(move)
            heights = [
                found[1] for strategy in self.strategies if (found := after._strategy_move(strategy)) is not None
            ]
            if heights and max(heights) > longest:
                longest, chosen = max(heights), move
        return chosen

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the proof; the file is complete or not written at all."""
        if not isinstance(self.game, NativeGame):
            raise BadProof(f"{self.game} is written in Python: a file could not name it")
        place = Path(path)
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=place.name, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(self._bytes())
                file.flush()
                os.fsync(file.fileno())
            # The file is for others to read, unlike one that mkstemp made.
            Path(name).chmod(0o644)
            Path(name).replace(place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _bytes(self) -> bytes:
        records = [strategy.records() for strategy in self.strategies]
        about = [
            {
                "holder": strategy.holder,
                "goal": strategy.goal,
                "frontier": strategy.frontier,
                "bytes": len(each),
            }
            for strategy, each in zip(self.strategies, records, strict=True)
        ]
        assert isinstance(self.game, NativeGame)
        past = list(self.position.past)
        header = dict(
            zip(_KEYS, (self.game.spec, str(self.position), past, self.value, self.database, about), strict=True)
        )
        body = _MAGIC + json.dumps(header).encode() + b"\n" + zlib.compress(b"".join(records), 9)
        return body + hashlib.sha256(body).digest()

    @staticmethod
    def is_one(path: str | os.PathLike[str]) -> bool:
        """Whether a file begins as a proof does."""
        try:
            with Path(path).open("rb") as file:
                return file.read(len(_MAGIC)) == _MAGIC
        except OSError:
            return False

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Proof:
        """The proof of a file, not verified yet; `BadProof` tells what is wrong with the file."""
        data = Path(path).read_bytes()
        body, digest = data[:-_DIGEST], data[-_DIGEST:]
        if not body.startswith(_MAGIC) or hashlib.sha256(body).digest() != digest:
            raise BadProof(f"{path} is damaged or no proof")
        header, _, packed = body[len(_MAGIC) :].partition(b"\n")
        try:
            return cls._read(json.loads(header), zlib.decompress(packed))
        except (Error, KeyError, TypeError, ValueError, OverflowError, zlib.error, RecursionError) as error:
            raise BadProof(f"{path} is not a proof: {' '.join(str(error).split())}") from None

    @classmethod
    def _read(cls, header: Mapping[str, Any], records: bytes) -> Proof:
        game = read_game(header["game"])
        position = game._recall(header["position"], tuple(header["past"]))
        strategies = []
        for about in header["strategies"]:
            if about["frontier"] > LARGEST_FRONTIER:
                raise BadProof(f"it leaves out what takes {about['frontier']:,} nodes to find, which is too much")
            own, records = records[: about["bytes"]], records[about["bytes"] :]
            strategies.append(_core.Strategy(about["holder"], about["goal"], about["frontier"], own))
        if header["value"] not in _NEEDED:
            raise BadProof(f"{header['value']!r} is no value")
        return cls(position, header["value"], tuple(strategies), header["database"])

    def __reduce__(self) -> tuple[Any, ...]:
        parts = tuple((each.holder, each.goal, each.frontier, each.records()) for each in self.strategies)
        return (_unpickled, (self.position, self.value, parts, self.database))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proof) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self.position, self.value, self.size))

    def __repr__(self) -> str:
        return f"<proof of {self.claim} of {self.game} in {self.size:,} positions>"


def _unpickled(
    position: Position, value: Value, parts: tuple[tuple[int, str, int, bytes], ...], database: str | None
) -> Proof:
    return Proof(position, value, tuple(_core.Strategy(*part) for part in parts), database)


_NEEDED: dict[str, set[tuple[bool, str]]] = {
    "win": {(True, "win")},
    "loss": {(False, "win")},
    "draw": {(True, "draw"), (False, "draw")},
    "no win": {(False, "draw")},
    "no loss": {(True, "draw")},
}
"""What a value takes: whether the holder of a strategy is the player to move, and what it must reach."""


def verify_proof(
    proof: Proof | str | os.PathLike[str],
    *,
    database: str | Database | None = None,
    sample: float = 1.0,
    seed: int = 0,
) -> Verified:
    """Checks a proof by the rules: every strategy is played against everything. `BadProof` names what is wrong.

    Nothing of the searches that find proofs takes part. A proof that ends in values of a database needs it here, and
    believes it. Positions that a proof leaves out are searched by a small search of the check's own: all of them, or
    the part `sample` of them, drawn by `seed`.
    """
    if not 0 <= seed < 1 << 64:
        raise BadParameter(f"seed={seed} is out of range: from 0 to 2^64 - 1")
    if not 0 <= sample <= 1:
        raise BadParameter(f"sample={sample} is no part: it is from 0 to 1")
    if not isinstance(proof, Proof):
        proof = Proof.load(proof)
    opened = None if database is None else database_for(database, proof.game)
    found = {(strategy.holder == proof.position.turn, strategy.goal) for strategy in proof.strategies}
    if found != _NEEDED[proof.value]:
        raise BadProof(f"strategies of other sides or for other goals do not prove {proof.claim}")
    total = Verified(0, 0, 0, 0, 0, 0, 0)
    for strategy in proof.strategies:
        try:
            native = None if opened is None else opened._native
            seen = proof.position._verify(strategy, database=native, sample=sample, seed=seed)
        except BadProof as error:
            hint = ""
            if opened is None and proof.database is not None:
                hint = f"; it rests on the database {proof.database}, which must be given"
            raise BadProof(f"the proof does not hold: {error}{hint}") from None
        total += Verified(**seen)
    return total


_HELD: dict[str, Proof] = {}
"""Proofs of this process that players refer to, and those that were read from files, by their text."""


def hold(proof: Proof) -> str:
    """A text for a proof of this process, by which a player refers to it."""
    digest = hashlib.sha256(b"".join(each.records() for each in proof.strategies))
    text = f"#{digest.hexdigest()[:16]}"
    _HELD[text] = proof
    return text


@dataclass(frozen=True, kw_only=True)
class Proven(Algorithm):
    """Plays the strategy of a proof, and searches where the proof has no move.

    `solution.play()` makes one. It never gives away what its proof has proven for it.

    - `proof`: the file of a proof, or what `solution.play()` has put there, which only this process understands;
    - `solver`: the text of the algorithm that searches the positions that are not in the proof.
    """

    name: ClassVar[str] = "proven"
    proof: str = ""
    solver: str = "dfpn:leaf=mobility,nodes=200000"

    @property
    def strategy(self) -> Proof:
        """The proof itself."""
        if self.proof not in _HELD:
            if self.proof.startswith("#") or not self.proof:
                raise BadProof("the proof of this player is in another process: use solution.play(path)")
            _HELD[self.proof] = Proof.load(self.proof)
        return _HELD[self.proof]

    def _search(
        self,
        position: Position,
        progress: Callable[[Iteration], object] | None,
        changes: Mapping[str, Any],
        memory: _core.Memory | None,
    ) -> Report:
        move = self.strategy.move(position)
        if move is not None:
            return Report(best=move, pv=(move,), nodes=1, proven=True)
        return algorithm(self.solver)._search(position, progress, changes, memory)
