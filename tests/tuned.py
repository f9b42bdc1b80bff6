"""Functions and games that are tuned in the tests."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.tuning import Tuning
from kibitz.tuning.methods import METHODS

ALL = list(METHODS)
FOUR = kb.game("connect-four", rows=4, cols=4, k=3)


def noise(*parts: object) -> float:
    """A normal number that depends on everything: independent of sample to sample and of position to position."""
    return random.Random(derive(*parts)).gauss(0, 1)


def sphere(parameters: Mapping[str, float], seed: int) -> float:
    """An optimum at (2, −1), with a noise that all samples share and one of their own."""
    x, y = parameters["x"], parameters["y"]
    return -((x - 2) ** 2) - (y + 1) ** 2 + 3 * noise(seed) + noise(seed, x, y)


PLANE = {"x": (-10, 10), "y": (-10, 10)}


def valley(parameters: Mapping[str, float], seed: int) -> float:
    """A quadratic with its optimum at n = 7, rate = 0.1, x = 1, far from the middle of the ranges."""
    n, rate, x = parameters["n"], math.log10(parameters["rate"]), parameters["x"]
    return -((n - 7) ** 2) / 10 - (rate + 1) ** 2 - (x - 1) ** 2 + 0.3 * noise(seed, n, rate, x)


MIXED = {"n": "1:40:int", "rate": "0.001:1000:log", "x": (-2.0, 2.0)}


def small(method: str = "cross-entropy", **changes: Any) -> Tuning:
    settings: dict[str, Any] = {
        "samples": 20,
        "elite": 5,
        "positions": 4,
        "iterations": 6,
        "validate": 20,
        "workers": 0,
    }
    return kb.tune(valley, vary=MIXED, method=method, **{**settings, **changes})


class Climb(kb.Game):
    """One player goes up or down for ten steps, and gets his height; the wind, after `seed`, carries him on.

    Playouts see through it, so that more simulations find a better path.
    """

    players = 1
    results = (-40.0, 40.0)

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def start(self) -> Any:
        return (0, 0)

    def turn(self, state: tuple[int, int]) -> int | None:
        return 0 if state[0] < 10 else None

    def moves(self, state: tuple[int, int]) -> list[str]:
        return ["a", "b", "c"]

    def play(self, state: tuple[int, int], move: str) -> tuple[int, int]:
        step, height = state
        return step + 1, height + derive(self.seed, step, move, height % 3) % 7 - 3

    def result(self, state: tuple[int, int]) -> float:
        return state[1]
