"""What processes that work for us say and hear: pickles, each after its length."""

from __future__ import annotations

import pickle
import time
import traceback
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

import kibitz as kb

__all__ = ["Answer", "failure", "read", "unpack", "work", "write"]

_FLUSH_SECONDS = 0.05
"""Results that are as old leave the process."""


class Answer(NamedTuple):
    """Units that are done: their numbers, how long they took, and their pickled results.

    `failed` says that what is pickled is instead the exception that ended the work, with its traceback as text.
    """

    numbers: list[int]
    seconds: float
    results: bytes
    failed: bool


class _Remote(Exception):
    """The traceback of an exception, from the process that raised it."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def work(function: Callable[[Any], Any], chunk: list[tuple[int, Any]]) -> Iterator[Answer]:
    """Does units one after the other and answers every now and then; after an exception the rest is left alone."""
    numbers: list[int] = []
    results: list[Any] = []
    began = time.perf_counter()
    for number, unit in chunk:
        try:
            results.append(function(unit))
        except Exception as error:
            if numbers:
                yield _answer(numbers, time.perf_counter() - began, results)
            yield failure(number, error)
            return
        numbers.append(number)
        if (now := time.perf_counter()) - began >= _FLUSH_SECONDS:
            yield _answer(numbers, now - began, results)
            numbers, results, began = [], [], now
    if numbers:
        yield _answer(numbers, time.perf_counter() - began, results)


def _answer(numbers: list[int], seconds: float, results: list[Any]) -> Answer:
    import cloudpickle

    try:
        return Answer(numbers, seconds, cloudpickle.dumps(results), False)
    except Exception as error:
        return failure(numbers[0], kb.Error(f"a result cannot be sent to another process: {error}"))


def failure(number: int, error: Exception) -> Answer:
    """The answer that a unit ended with an exception."""
    import cloudpickle

    trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    try:
        text = cloudpickle.dumps((error, trace))
        pickle.loads(text)  # many exceptions can be written, but not read again
    except Exception:
        text = pickle.dumps((kb.Error(f"{type(error).__name__}: {error}"), trace))
    return Answer([number], 0.0, text, True)


def unpack(answer: Answer) -> Iterator[tuple[int, Any]]:
    """The results of an answer with their numbers; what a unit raised is raised."""
    results = pickle.loads(answer.results)
    if answer.failed:
        error, trace = results
        raise error from _Remote(trace)
    yield from zip(answer.numbers, results, strict=True)


def write(pipe: IO[bytes], data: bytes) -> None:
    """Writes a message."""
    pipe.write(len(data).to_bytes(8, "little") + data)
    pipe.flush()


def read(pipe: IO[bytes] | None) -> bytes:
    """Reads a message; `EOFError` if the other end has gone."""
    assert pipe is not None
    size = int.from_bytes(_exactly(pipe, 8), "little")
    return _exactly(pipe, size)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data
