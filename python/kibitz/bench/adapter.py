"""What the adapter of games written in Python costs beyond the game's own methods.

The calls that a search makes are recorded once; then the search, a replay of those very calls, and the same search on
native rules, which is the work of the search itself, are timed in turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import kibitz as kb
from kibitz.bench.rows import Asked, Effort, Row, Sample, seconds_of, undisturbed
from kibitz.bench.tic_tac_toe import TicTacToe

TIMES = 8

METHODS = ("turn", "moves", "play", "result")


Call = tuple[str, Any, Any]
"""A method, the state and the move that it was given; no move is `None`."""


class Recorder(TicTacToe):
    """Tic-tac-toe that remembers how it was asked."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        for name in METHODS:
            setattr(self, name, self._recording(name))

    def _recording(self, name: str) -> Callable[..., Any]:
        method = getattr(super(), name)

        def call(state: Any, *move: Any) -> Any:
            self.calls.append((name, state, move[0] if move else None))
            return method(state, *move)

        return call


def replay(game: TicTacToe, calls: list[Call]) -> float:
    """The time of the recorded calls alone, in their order, less the time of the loop that makes them."""
    bound = [(getattr(game, name), state, move) for name, state, move in calls]
    return seconds_of(lambda: _make(bound)) - seconds_of(lambda: _pass_over(bound))


def _make(calls: list[tuple[Callable[..., Any], Any, Any]]) -> None:
    for method, state, move in calls:
        if move is None:
            method(state)
        else:
            method(state, move)


def _pass_over(calls: list[tuple[Callable[..., Any], Any, Any]]) -> None:
    for _method, _state, move in calls:
        if move is None:
            pass
        else:
            pass


def rows(effort: Effort) -> Iterator[Row]:
    """The overhead as a share of the time in the game's methods."""
    n = 2_000
    method = kb.Uct(simulations=n, solver=False, seed=1)
    recorder = Recorder()
    position = recorder.start()
    recorder.calls.clear()
    method.search(position)
    game = TicTacToe()
    start = game.start()
    native = kb.game("tic-tac-toe").start()
    shares: list[float] = []
    searches: list[float] = []
    replays: list[float] = []
    owns: list[float] = []
    with undisturbed():
        for _ in range(effort.rounds):
            # the least of several, because everything that disturbs a measurement makes it longer
            turns = [
                (
                    seconds_of(lambda: method.search(start)),
                    replay(game, recorder.calls),
                    seconds_of(lambda: method.search(native)),
                )
                for _ in range(TIMES)
            ]
            search, python, own = (min(times) for times in zip(*turns, strict=True))
            searches.append(search)
            replays.append(python)
            owns.append(own)
            shares.append((search - own) / python - 1)
    count = len(recorder.calls)
    yield Row(
        "adapter",
        "adapter's overhead over the game's methods, tic-tac-toe in Python",
        "share",
        Sample(tuple(shares)),
        asked=Asked("ours", most=0.20),
        note=f"search {min(searches) * 1e3:.2f} ms, its {count:,} calls in a Python loop {min(replays) * 1e3:.2f} ms, "
        f"the same search on native rules {min(owns) * 1e3:.2f} ms",
        details={"calls": dict(Counter(name for name, _state, _move in recorder.calls))},
    )
