"""What the adapter of games written in Python costs beyond the game's own methods.

The calls that a search makes are recorded once; then the search and a replay of those very calls are timed in turns.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import kibitz as kb
from kibitz.bench.rows import Asked, Effort, Row, Sample, seconds_of, undisturbed
from kibitz.bench.tic_tac_toe import TicTacToe

TIMES = 20

METHODS = ("turn", "moves", "play", "result")


class Recorder(TicTacToe):
    """Tic-tac-toe that remembers how it was asked."""

    def __init__(self) -> None:
        self.calls: dict[str, list[tuple[Any, ...]]] = {name: [] for name in METHODS}
        for name in METHODS:
            setattr(self, name, self._recording(name))

    def _recording(self, name: str) -> Callable[..., Any]:
        method = getattr(super(), name)
        calls = self.calls[name]

        def call(*args: Any) -> Any:
            calls.append(args)
            return method(*args)

        return call


def replay(game: TicTacToe, calls: dict[str, list[tuple[Any, ...]]]) -> float:
    """The time of the recorded calls alone, made by a loop in Python, less the time of the empty loop."""
    total = 0.0
    for name, arguments in calls.items():
        method = getattr(game, name)
        timed = _pairs if name == "play" else _singles
        total += seconds_of(lambda: timed(method, arguments))  # noqa: B023
        total -= seconds_of(lambda: timed(None, arguments))  # noqa: B023
    return total


def _singles(method: Callable[..., Any] | None, arguments: list[tuple[Any, ...]]) -> None:
    if method is None:
        for (_state,) in arguments:
            pass
        return
    for (state,) in arguments:
        method(state)


def _pairs(method: Callable[..., Any] | None, arguments: list[tuple[Any, ...]]) -> None:
    if method is None:
        for _state, _move in arguments:
            pass
        return
    for state, move in arguments:
        method(state, move)


def native_replay(game: TicTacToe, calls: dict[str, list[tuple[Any, ...]]]) -> float:
    """The same, made by native code: what no native search can do without."""
    total = 0.0
    for name, arguments in calls.items():
        method = getattr(game, name)
        columns = [list(column) for column in zip(*arguments, strict=True)]
        total += seconds_of(lambda: deque(map(method, *columns), maxlen=0))  # noqa: B023
        total -= seconds_of(lambda: deque(zip(*columns, strict=True), maxlen=0))  # noqa: B023
    return total


def rows(effort: Effort) -> Iterator[Row]:
    """The overhead as a share of the time in the game's methods."""
    n = 300
    method = kb.Uct(simulations=n, solver=False, seed=1)
    recorder = Recorder()
    position = recorder.start()
    for recorded in recorder.calls.values():
        recorded.clear()
    method.search(position)
    game = TicTacToe()
    start = game.start()
    shares: list[float] = []
    searches: list[float] = []
    replays: list[float] = []
    native_shares: list[float] = []
    with undisturbed():
        for _ in range(effort.rounds):
            # the least of several, because everything that disturbs a measurement makes it longer
            turns = [
                (
                    seconds_of(lambda: method.search(start)),
                    replay(game, recorder.calls),
                    native_replay(game, recorder.calls),
                )
                for _ in range(TIMES)
            ]
            search, python, native = (min(times) for times in zip(*turns, strict=True))
            searches.append(search)
            replays.append(python)
            shares.append(search / python - 1)
            native_shares.append(search / native - 1)
    count = sum(map(len, recorder.calls.values()))
    yield Row(
        "adapter",
        "adapter's overhead over the game's methods, tic-tac-toe in Python",
        "share",
        Sample(tuple(shares)),
        asked=Asked("ours", most=0.20),
        note=f"search {min(searches) * 1e3:.2f} ms, its {count:,} calls in a Python loop {min(replays) * 1e3:.2f} ms; "
        f"{statistics.median(native_shares):.0%} over calls from native code",
        details={
            "calls": {name: len(calls) for name, calls in recorder.calls.items()},
            "over_native_calls": Sample(tuple(native_shares)).as_dict(),
        },
    )
