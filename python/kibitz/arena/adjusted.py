"""The table of a finished match with the luck taken out: compensation and class weighting, one or both."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from kibitz.arena.compensation import Fit, Luck, fortune, residuals
from kibitz.arena.playing import GameRecord
from kibitz.arena.variance import Estimate, blocks_of, mean, result_of
from kibitz.arena.weighting import weighted
from kibitz.errors import BadParameter

__all__ = ["adjusted"]


def adjusted(
    records: Iterable[GameRecord],
    *,
    luck: Luck | None = None,
    coefficient: float | Fit = "leave-one-out",
    classify: Callable[[GameRecord], Sequence[Hashable]] | None = None,
    weights: Mapping[Hashable, float] | None = None,
) -> dict[str, Estimate]:
    """What every player of a match wins a game, by name.

    `luck` is subtracted first (see `compensation`), then the blocks get the weights of their classes (see `weighting`;
    for the errors of a stratified match its strata are the classes). Without either these are the means of blocks.
    """
    if (classify is None) != (weights is None):
        raise BadParameter("classes need weights and weights need classes: give both, or neither")
    blocks = blocks_of(records)
    games = sum(map(len, blocks))
    names = dict.fromkeys(name for block in blocks for game in block for name in game.names)
    found: dict[str, Estimate] = {}
    for name in names:
        if any(name not in game.names for block in blocks for game in block):
            raise BadParameter(
                f"{name} did not play in every game; adjust the match of each pair of players on its own"
            )
        values = [math.fsum(result_of(game, name) for game in block) / len(block) for block in blocks]
        if luck is not None:
            lucks = [math.fsum(fortune(game, name, luck) for game in block) / len(block) for block in blocks]
            values, _ = residuals(values, lucks, coefficient)
        if classify is None or weights is None:
            found[name] = mean(values, games=games)
        else:
            classes = [tuple(classify(block[0])) for block in blocks]
            found[name] = weighted(values, *zip(*classes, strict=True), weights=weights, games=games)
    return found
