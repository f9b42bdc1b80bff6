"""The statistics of ChanceProbCut: how well a shallow search of an event foretells a deep one, and what its cuts cost.

M. Schadd, *Selective Search in Games of Different Complexity*, Maastricht University (2011), chapter 5. The model is
that of [ProbCut](probcut.md), and so is the fit:

    deep value = slope · shallow value + offset + error.

>>> import kibitz as kb
>>> fit = kb.chanceprobcut.fit("pip-race:steady=8", [(2, 4)], positions=60, seed=1, workers=0)
>>> [(line.shallow, line.deep, line.usable) for line in fit.lines]
[(2, 4, True)]
>>> method = kb.ChanceProbCut(depth=5, checks=fit.checks())
>>> error = kb.chanceprobcut.move_error(kb.game("pip-race:steady=8").start(), method)
>>> error.error >= 0, error.regret >= 0, error.nodes > 0
(True, True, True)

`kb.ChanceProbCut.fit` fits and returns the algorithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import kibitz as kb
from kibitz.chance import StarFamily
from kibitz.probcut import Fit, Line, regress

__all__ = ["Fit", "Line", "MoveError", "fit", "move_error"]

SEARCHER = kb.Star2(tt_mb=8, same_depth=True)
"""What searches: values at exactly the depth asked for, a table that is made quickly."""


def fit(
    game: kb.Game | str,
    pairs: Sequence[tuple[int, int]] = ((1, 3), (3, 5)),
    *,
    positions: int = 1000,
    stages: Sequence[int] = (0,),
    player: StarFamily = SEARCHER,
    seed: int = 0,
    workers: int | None = None,
) -> Fit:
    """Fits the lines of a game of chance: one for each pair of depths, shallow and deep, and each stage.

    As many games as there are `positions` are played, a fifth of the moves at random and the others by a search of one
    ply, and one position of each in which a player moves is searched to all depths. The depths are those of the events
    of a chance node, so a pair differs by an even number of plies, to keep odd depths and even ones apart. `player`
    says whether chance nodes count as plies, and how values are found; the depths replace its limit. `stages` are the
    values of `position.progress` at which a stage begins. The same seed gives the same fit, whatever the number of
    `workers` (processes; 0 for this one).
    """
    found = regress(game, pairs, player, player.replace(depth=1), positions, stages, seed, workers)
    return Fit(
        game=found.game,
        seed=found.seed,
        stages=found.stages,
        lines=found.lines,
        proven=found.proven,
        chance_plies=player.chance_plies,
        samples=found.samples,
    )


class MoveError(NamedTuple):
    """What forward pruning cost in one position. Values are in units of the result, for the player to move.

    `move` is the move chosen and `value` what the pruned search thought of it; `exact` is the value of the same move in
    the full search, and `best` that of the full search's own move. `nodes` and `full_nodes` are what both visited.
    """

    move: Any
    value: float
    exact: float
    best: float
    nodes: int
    full_nodes: int

    @property
    def error(self) -> float:
        """How far the value of the chosen move was off; its mean is the thesis' ACPCME, its deviation DCPCME."""
        return abs(self.value - self.exact)

    @property
    def regret(self) -> float:
        """What the choice lost."""
        return self.best - self.exact

    @property
    def reduction(self) -> float:
        """The share of the nodes that was saved; negative where shallow searches cost more than they saved."""
        return 1 - self.nodes / self.full_nodes


def move_error(position: kb.Position, method: kb.ChanceProbCut, full: StarFamily | None = None) -> MoveError:
    """Compares a search of ChanceProbCut with the full search of the same depth.

    `full` is that search; by default Star2 with the same parameters. The thesis defines its error in words only:
    the value that ChanceProbCut gives to the move that it chose against the value of that move in the full search. What
    the choice lost, the regret, is another number, and both are here.
    """
    if method.depth is None:
        raise kb.BadParameter("give a depth: the errors of searches to different depths say nothing")
    exact = full if full is not None else _star2(method)
    pruned, searched = method.search(position), exact.search(position, depth=method.depth)
    value = searched.value
    if pruned.best != searched.best:
        value = exact.search(position, depth=method.depth, only=str(pruned.best)).value
    return MoveError(pruned.best, pruned.value, value, searched.value, pruned.nodes, searched.nodes)


def _star2(method: kb.ChanceProbCut) -> kb.Star2:
    """Star2 with the parameters of a search with forward pruning."""
    own = ("t", "depths", "checks", "safe", "window")
    return kb.Star2(**{name: value for name, value in vars(method).items() if name not in own})
