"""How games begin: every block of a match has its own opening, and all games of the block share it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import kibitz as kb
from kibitz.arena.cycles import Cycle, cycle, whole_weights
from kibitz.arena.playing import derive, outcome

__all__ = ["Opening", "Openings", "RandomPlies", "Schedule", "Stratified"]

_PATIENCE = 200
"""So many drawn lines in a row without a new opening, and the openings are counted instead."""
_COUNTABLE = 100_000
"""The most positions that are visited for counting."""
_DENOMINATOR = 10_000
"""The largest denominator of a probability that is taken for a fraction."""


class Opening(NamedTuple):
    """Moves that a game begins with, and the probabilities of random moves after them (see `GameSpec`)."""

    moves: tuple[str, ...] = ()
    noise: tuple[float, ...] = ()


@dataclass(frozen=True)
class Openings:
    """No opening: every game begins at the start."""

    def draw(self, game: kb.Game, blocks: int, *, seed: int, start: str | None = None) -> tuple[Opening, ...]:
        """An opening for each block. The same seed gives the same ones, and more blocks only add to them."""
        del game, seed, start
        return (Opening(),) * blocks


@dataclass(frozen=True)
class RandomPlies(Openings):
    """So many random moves of the players, with chance's outcomes between them drawn by their probabilities.

    No two blocks begin in the same position, by its key, unless `repeats` allows it; no opening ends a game.
    """

    plies: int
    repeats: bool = False

    def __post_init__(self) -> None:
        if self.plies < 0:
            raise kb.BadParameter(f"plies={self.plies} must be 0 or more")

    def draw(self, game: kb.Game, blocks: int, *, seed: int, start: str | None = None) -> tuple[Opening, ...]:
        """An opening for each block; `BadParameter` says how many there are when there are not enough."""
        root = _Line(game.start() if start is None else game.position(start), ())
        found: list[Opening] = []
        seen: set[int] = set()
        tries = failures = 0
        while len(found) < blocks:
            line = self._walk(root, seed, tries)
            tries += 1
            if line is not None and (self.repeats or line.position.key not in seen):
                seen.add(line.position.key)
                found.append(Opening(line.moves))
                failures = 0
            elif (failures := failures + 1) == _PATIENCE:
                return (*found, *self._rest(root, seed, seen, blocks - len(found), game))
        return tuple(found)

    def _walk(self, root: _Line, seed: int, number: int) -> _Line | None:
        """A random line, or `None` if the game ends on the way."""
        line, plies = root, 0
        while plies < self.plies:
            turn = line.position.turn
            if turn is None:
                return None
            dice = derive(seed, "opening", number, len(line.moves))
            if turn == "chance":
                line = line.after(outcome(line.position, dice)[0])
            else:
                moves = line.position.moves
                line = line.after(moves[dice % len(moves)])
                plies += 1
        return None if line.position.over else line

    def _rest(self, root: _Line, seed: int, seen: set[int], missing: int, game: kb.Game) -> list[Opening]:
        """The openings that are not seen yet, when random lines hardly find one any more."""
        every = self._count(root)
        ways = "take fewer games, more plies or another start" + ("" if self.repeats else ", or allow repeats=True")
        if every is None:
            raise kb.BadParameter(
                f"{len(seen)} distinct openings of {self.plies} plies were found in {game}, and {missing} more are "
                f"needed, which random lines do not find; {ways}"
            )
        left = [line for key, line in every.items() if self.repeats or key not in seen]
        if len(left) < missing and not (left and self.repeats):
            raise kb.BadParameter(
                f"{game} has {len(every)} distinct openings of {self.plies} plies that do not end the game, and "
                f"{len(seen) + missing} are needed; {ways}"
            )
        # Random lines end too early nearly always: the openings there are take turns.
        left.sort(key=lambda line: derive(seed, "order", *line.moves))
        return [Opening(left[number % len(left)].moves) for number in range(missing)]

    def _count(self, root: _Line) -> dict[int, _Line] | None:
        """A line to every position after the opening, by its key; `None` if there are too many on the way."""
        level, visited = {root.position.key: root}, 0
        for _ in range(self.plies):
            following: dict[int, _Line] = {}
            stack = list(level.values())[::-1]
            while stack:
                line = stack.pop()
                position = line.position
                for move in position.moves:
                    visited += 1
                    if visited > _COUNTABLE:
                        return None
                    child = line.after(move)
                    if position.turn == "chance":
                        stack.append(child)
                    else:
                        following.setdefault(child.position.key, child)
            level = following
        return {key: line for key, line in level.items() if not line.position.over}


@dataclass(frozen=True)
class Schedule(Openings):
    """A probability of a random move at each ply, the last one for the rest of the game; else the player moves.

    The random moves come while the game is played, between those of the players, so that nothing can promise distinct
    positions; the games of a block share the seed and so the plies that are random.
    """

    probabilities: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.probabilities or not all(0 <= each <= 1 for each in self.probabilities):
            raise kb.BadParameter(f"probabilities={self.probabilities} must be one number or more from 0 to 1")

    @classmethod
    def halving(cls, first: float = 0.5, floor: float = 0.01) -> Schedule:
        """Halves the probability after each move down to a floor, where it stays.

        D. King, *Complexity, Heuristic, and Search Analysis for the Games of Crossings and Epaminondas*, Air Force
        Institute of Technology (2014), from 0.5 to 0.01.
        """
        if not 0 < floor <= first <= 1:
            raise kb.BadParameter(f"halving from {first} to {floor} needs 0 < floor <= first <= 1")
        steps = [first]
        while steps[-1] > floor:
            steps.append(max(floor, steps[-1] / 2))
        return cls(tuple(steps))

    def draw(self, game: kb.Game, blocks: int, *, seed: int, start: str | None = None) -> tuple[Opening, ...]:
        """No moves, and the probabilities for the game."""
        del game, seed, start
        return (Opening((), self.probabilities),) * blocks


@dataclass(frozen=True)
class Stratified(Openings):
    """All beginnings of `moves` moves in turn, outcomes of chance included, each as often as it is probable.

    B. Sheppard, *Efficient Control of Selective Simulations*, CG 2004: what a sample of deals is enforced to contain,
    luck cannot add to the result. Outcomes of chance have their probabilities and the moves of a player are equally
    probable. The blocks go through a cycle (see `kibitz.arena.cycles`) in which the beginnings are sorted by the
    game's evaluation, then riffled. A game that ends earlier counts as a beginning of its own.

    Whole cycles are exact. The rest of a cycle has a bias, small because strong and weak beginnings alternate;
    `random_start` begins the cycle at a random place, so that any number of blocks is right on average over seeds.
    `cycle` tells the length: in Kuhn poker it is 3 for the first card and 6 for the deal.
    """

    moves: int
    random_start: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.moves, int) or isinstance(self.moves, bool) or self.moves < 1:
            raise kb.BadParameter(f"moves={self.moves} must be a whole number, 1 or more")

    def cycle(self, game: kb.Game, start: str | None = None) -> Cycle[tuple[str, ...]]:
        """The beginnings in their order; a match of a multiple of its length in blocks is exact."""
        root = _Line(game.start() if start is None else game.position(start), ())
        found: list[tuple[_Line, Fraction]] = [(root, Fraction(1))]
        for _ in range(self.moves):
            choices = [(line, chance, _choices(line.position, game)) for line, chance in found]
            if sum(len(each) for *_, each in choices) > _COUNTABLE:
                raise kb.BadParameter(
                    f"{game} has more than {_COUNTABLE} beginnings of {self.moves} moves; stratify fewer moves"
                )
            found = [
                (line if move is None else line.after(move), chance * share)
                for line, chance, each in choices
                for move, share in each
            ]

        def strength(entry: tuple[_Line, Fraction]) -> float:
            position = entry[0].position
            return position.evaluate(0) if position.result is None else position.result[0]

        found.sort(key=strength, reverse=True)
        weights = whole_weights([chance for _, chance in found])
        try:
            return cycle(dict(zip((line.moves for line, _ in found), weights, strict=True)))
        except kb.BadParameter as error:
            raise kb.BadParameter(f"{self.moves} moves of {game}: {error}; or stratify fewer moves") from None

    def draw(self, game: kb.Game, blocks: int, *, seed: int, start: str | None = None) -> tuple[Opening, ...]:
        """The cycle over and over; the seed only matters for a random start."""
        order = self.cycle(game, start)
        first = derive(seed, "cycle") % len(order) if self.random_start else 0
        return tuple(Opening(order[first + number]) for number in range(blocks))


def _choices(position: kb.Position, game: kb.Game) -> list[tuple[object, Fraction]]:
    """What may come next with its probability; `None` where nothing comes."""
    if position.over:
        return [(None, Fraction(1))]
    if position.turn != "chance":
        moves = position.moves
        return [(move, Fraction(1, len(moves))) for move in moves]
    # Games give probabilities as floating-point numbers; what they mean is the fraction with a small denominator.
    outcomes = [(each, Fraction(chance).limit_denominator(_DENOMINATOR)) for each, chance in position.outcomes]
    given = [chance for _, chance in position.outcomes]
    near = all(abs(fraction - chance) < 1e-12 for (_, fraction), chance in zip(outcomes, given, strict=True))
    if not near or sum(fraction for _, fraction in outcomes) != 1:
        raise kb.BadParameter(
            f"the probabilities of chance at {str(position)!r} in {game} are not fractions with denominators up to "
            f"{_DENOMINATOR}, so that no cycle has exactly their proportions; draw them at random instead"
        )
    return [entry for entry in outcomes if entry[1]]


class _Line(NamedTuple):
    position: kb.Position
    moves: tuple[str, ...]

    def after(self, move: object) -> _Line:
        return _Line(self.position.play(move), (*self.moves, self.position.notation(move)))
