"""What can be tuned: parameters by name, their ranges, and what is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import kibitz as kb
import pytest
from kibitz.search import Report
from kibitz.tuning import Range
from kibitz.tuning.space import Space, numeric, with_parameters
from tuned import FOUR, Climb, sphere


@dataclass(frozen=True)
class Weights:
    material: float = 1.0
    mobility: int = 2


@dataclass(frozen=True, kw_only=True)
class Weighted(kb.Algorithm):
    """A player with an evaluation."""

    name: ClassVar[str] = "weighted"
    weights: Weights = Weights()
    table: Any = None
    title: str = ""

    def __post_init__(self) -> None:
        pass


@dataclass(frozen=True, kw_only=True)
class Stones(kb.Algorithm):
    """Takes as many stones as its weight says, or as there are."""

    name: ClassVar[str] = "stones"
    share: Any = None

    def __post_init__(self) -> None:
        pass

    def search(self, position: kb.Position, *, progress: Any = None, **changes: Any) -> Report:
        number = round(self.share["stones"])
        best = position.moves[min(number, len(position.moves)) - 1]
        return Report(best, 0.0, (best,), 1, 1, 0.0, {}, "estimate")


def test_parameters_of_parts_have_names_with_dots() -> None:
    player = Weighted(table={"edge": 1, "corner": 2.5, "on": True})
    known = numeric(player)
    assert known == {
        "nodes": True,
        "seconds": False,
        "weights.material": False,
        "weights.mobility": True,
        "table.edge": False,
        "table.corner": False,
    }
    changed = with_parameters(player, {"weights.material": 3.5, "table.edge": 0.25})
    assert changed == Weighted(weights=Weights(material=3.5), table={"edge": 0.25, "corner": 2.5, "on": True})
    found = kb.tune(
        "nim:piles=7",
        Stones(share={"stones": 1.0}),
        vary={"share.stones": (1, 7)},
        against=kb.Random(),
        samples=30,
        elite=4,
        positions=8,
        iterations=3,
        plies=0,
        workers=0,
    )
    # Taking all seven stones wins at once.
    assert found.best == Stones(share=found.best.share)  # type: ignore[union-attr]
    assert round(found.parameters["share.stones"]) == 7


def test_the_numbers_of_the_algorithms_are_known() -> None:
    whole = numeric(kb.Uct())
    assert [whole[name] for name in ("nodes", "simulations", "memory_mb", "threads", "widening")] == [True] * 5
    assert [whole[name] for name in ("seconds", "c", "rave", "first_play_urgency")] == [False] * 4
    assert "seed" not in whole
    assert "playout" not in whole
    assert "replacement" not in numeric(kb.AlphaBeta())
    assert "etc" not in numeric(kb.AlphaBeta())
    assert numeric(kb.AlphaBeta())["depth"]


def test_a_field_of_whole_numbers_gets_whole_numbers_without_being_asked() -> None:
    where = Space.of({"etc_depth": (1, 9), "nodes": "1:100:int"}, kb.AlphaBeta())
    assert all(each.integer for each in where.ranges)
    assert where.values((3.7, 50.2)) == {"etc_depth": 4, "nodes": 50}


@pytest.mark.parametrize("text", ["0:3", "1:100:int", "0.01:10:log", "1:123456789:int:log", "-5:0.123456789"])
def test_ranges_are_texts_both_ways(text: str) -> None:
    assert str(Range.parse(text)) == text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"vary": {"x": (0, 1)}},
            "Uct has no parameter 'x'; its numbers are c, epsilon, expansion_threshold",
        ),
        ({"vary": {"solver": (0, 1)}}, "solver of Uct is not a number"),
        ({"vary": {"seed": (0, 1)}}, "seed cannot be tuned"),
        ({"vary": {}}, "nothing to vary"),
        ({"vary": {"c": (1, 1)}}, "c: the range 1:1 is empty"),
        ({"vary": {"c": (2, 1)}}, "empty"),
        ({"vary": {"c": "0:x"}}, "'x' in the range '0:x' is not a number"),
        ({"vary": {"c": "0"}}, "is not a range; write LOW:HIGH"),
        ({"vary": {"c": "0:1:odd"}}, "is not a range; write LOW:HIGH"),
        ({"vary": {"c": 3}}, "is not a range"),
        ({"vary": {"c": (0, math.inf)}}, "high=inf is none"),
        ({"vary": {"c": "0:1:log"}}, "no logarithm at 0"),
        ({"vary": {"c": (-1, 1)}}, "c=-1.0 must be a finite number, zero or more"),
        ({"vary": {"threads": (0, 4)}}, "threads=0 is out of range"),
        ({"vary": {"memory_mb": (0.5, 4)}}, "whole numbers cannot begin or end at 0.5"),
        ({"against": None}, "is a game for 2: name an opponent"),
        ({"player": None}, "needs a player"),
        ({"player": "utc"}, "no algorithm 'utc'"),
        ({"against": "nobody"}, "no algorithm 'nobody'"),
        ({"method": "guess"}, "no method 'guess'; there are cross-entropy, random, cma, optuna"),
        ({"elite": 21}, "elite=21 is more than samples=20"),
        ({"samples": 1}, "samples=1 must be a whole number"),
        ({"positions": 0}, "positions=0"),
        ({"iterations": 0}, "iterations=0"),
        ({"validate": -1}, "validate=-1"),
        ({"seed": -1}, "seed=-1"),
        ({"smoothing": 0}, "smoothing=0 must be above 0"),
        ({"tolerance": 1}, "tolerance=1 must be"),
        ({"plies": -1}, "plies=-1 must be 0 or more"),
        ({"max_plies": 0}, "max_plies=0"),
        ({"instances": "seed"}, "connect-four has no parameter 'seed' that is a number; it has rows, cols, k"),
        ({"given": {"c": 1}}, "given= is for functions"),
        ({"what": Climb(), "against": "random"}, "nobody to play against"),
        ({"what": sphere}, "a function has parameters and a seed"),
        ({"what": "no-game"}, "no game 'no-game'"),
        ({"workers": -1}, "workers=-1"),
        ({"on": "mars"}, "on='mars'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(changes: dict[str, Any], message: str) -> None:
    arguments = {"what": FOUR, "player": "uct:simulations=5", "vary": {"c": (0, 3)}, "against": "random"}
    settings = {"samples": 20, "elite": 5, "iterations": 1, "workers": 0, "positions": 1, "validate": 0}
    call = {**arguments, **settings, **changes}
    with pytest.raises(kb.Error) as raised:
        kb.tune(call.pop("what"), call.pop("player"), **call)
    assert message in str(raised.value)


def test_a_function_must_return_finite_numbers() -> None:
    for wrong in (math.nan, math.inf, None, "x"):
        with pytest.raises(kb.BadParameter, match="finite number"):
            kb.tune(lambda parameters, seed, wrong=wrong: wrong, vary={"x": (0, 1)}, workers=0)  # type: ignore[misc]
    with pytest.raises(TypeError, match="a game or a function"):
        kb.tune(7, vary={"x": (0, 1)})  # type: ignore[arg-type]
