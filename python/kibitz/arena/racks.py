"""Racks of tiles whose composition stays close to that of the pool they are drawn from.

B. Sheppard, *Efficient Control of Selective Simulations*, CG 2004, section on enforcing uniformity: the first tile of a
rack is the one that is most under-represented so far, the others are drawn at random. Table 1 of the paper has 2718
racks of the program Maven.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from kibitz.errors import BadParameter
from kibitz.search import _shown, _whole

__all__ = ["Rule", "deviations", "racks"]

Rule = Literal["absolute", "relative", "none"]
"""Which tile is most under-represented: by tiles, by tiles in proportion to those expected, or it does not matter."""


def racks(
    pool: Mapping[str, int], count: int, *, seed: int, size: int = 7, rule: Rule = "absolute"
) -> Iterator[tuple[str, ...]]:
    """Draws racks, each from the whole pool.

    The paper does not say whether "under-represented" is absolute or relative; only `absolute` gives deviations as
    small as its table's. `none` is plain sampling.

    >>> ["".join(rack) for rack in racks({"A": 2, "B": 1}, 4, size=1, seed=1)]
    ['A', 'B', 'A', 'A']
    """
    if rule not in get_args(Rule):
        raise BadParameter(f"rule={rule!r} is not one of {', '.join(get_args(Rule))}")
    for tile, copies in pool.items():
        _whole(f"the number of tiles {_shown(tile)}", copies, 0, 10**6)
    tiles = [tile for tile, copies in pool.items() for _ in range(copies)]
    _whole("count", count, 0, 10**9)
    _whole("size", size, 1, len(tiles)) if tiles else _whole("the tiles in the pool", 0, 1, 10**6)
    kinds = [tile for tile, copies in pool.items() if copies]
    # One more copy of a tile than now is due after each rack: what is missing is kept up to date, not counted anew.
    missing = dict.fromkeys(kinds, 0.0)
    due = {tile: size * pool[tile] / len(tiles) for tile in kinds}
    first_of = {tile: tiles.index(tile) for tile in kinds}
    dice = random.Random(seed)

    def most_missing() -> str:
        lack = {tile: missing[tile] / (due[tile] if rule == "relative" else 1) for tile in kinds}
        most = max(lack.values()) - 1e-9
        return dice.choice([tile for tile in kinds if lack[tile] >= most])

    for number in range(count):
        if number == 0 or rule == "none":
            rack = dice.sample(tiles, size)
        else:
            chosen = most_missing()
            place = first_of[chosen]
            rack = [chosen, *dice.sample(tiles[:place] + tiles[place + 1 :], size - 1)]
        for tile in kinds:
            missing[tile] += due[tile]
        for tile in rack:
            missing[tile] -= 1
        yield tuple(rack)


def deviations(pool: Mapping[str, int], drawn: Iterator[tuple[str, ...]]) -> dict[str, tuple[float, float]]:
    """For each tile the expected and the actual number a rack, in percent: tiles, not racks with the tile."""
    counts: Counter[str] = Counter()
    racks = tiles = 0
    for rack in drawn:
        counts.update(rack)
        racks += 1
        tiles += len(rack)
    if not racks:
        raise BadParameter("no racks: draw at least one")
    total = sum(pool.values())
    return {
        tile: (100 * tiles / racks * copies / total, 100 * counts[tile] / racks)
        for tile, copies in pool.items()
        if copies
    }
