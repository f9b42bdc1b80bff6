"""Ratings for matches among more than two players."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kibitz.errors import BadParameter

__all__ = ["Rating", "rate"]


@dataclass(frozen=True)
class Rating:
    """The strength of a player as a normal belief, and `ordinal` = mu − 3 sigma, by which players are ranked."""

    mu: float
    sigma: float
    ordinal: float


def rate(games: Iterable[tuple[Sequence[str], Sequence[float]]]) -> dict[str, Rating]:
    """The ratings after games, each given by the players' names and their results, seat by seat; the best first.

    R. Weng and C.-J. Lin, *A Bayesian Approximation Method for Online Ranking*, JMLR 12 (2011), with the model of
    Plackett and Luce, as in openskill. A game ranks its players by their results, equal results are ties. Games are
    taken one by one, so that their order matters a little: keep it fixed, and the ratings are.

    >>> list(rate([(("a", "b", "c"), (1, -1, -1)), (("b", "c", "a"), (1, -1, 1))]))
    ['a', 'b', 'c']
    """
    from openskill.models import PlackettLuce

    # Players do not learn during a match: no uncertainty is added between games.
    model = PlackettLuce(tau=0.0)
    beliefs = {}
    for names, results in games:
        _check(names, results)
        for name in names:
            if name not in beliefs:
                beliefs[name] = model.rating(name=name)
        best_first = sorted(set(results), reverse=True)
        ranks = [float(best_first.index(each)) for each in results]
        rated = model.rate([[beliefs[name]] for name in names], ranks=ranks)
        beliefs.update((name, team[0]) for name, team in zip(names, rated, strict=True))
    found = {name: Rating(each.mu, each.sigma, each.ordinal()) for name, each in beliefs.items()}
    return dict(sorted(found.items(), key=lambda entry: (-entry[1].ordinal, entry[0])))


def _check(names: Sequence[str], results: Sequence[float]) -> None:
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise BadParameter(f"the players {names!r} must be a sequence of names")
    if len(names) != len(results):
        raise BadParameter(f"{len(names)} players have {len(results)} results; there is one for each seat")
    if len(names) < 2:
        raise BadParameter("a game of fewer than two players rates nobody")
    if len(set(names)) < len(names):
        raise BadParameter(f"a player sits in two seats: {', '.join(names)}; a game rates distinct players")
    for each in results:
        if isinstance(each, bool) or not isinstance(each, (int, float)) or not math.isfinite(each):
            raise BadParameter(f"the result {each!r} must be a finite number")
