"""How fast the machine is that runs the tests: bounds in seconds are meant for an ordinary one."""

import functools
import hashlib
import time

ORDINARY = 600e6
"""Bytes a second of MD5 on one core of an ordinary machine of today."""


@functools.cache
def slowness() -> float:
    """How many times slower than an ordinary machine this one is, and 1 on a faster one.

    MD5 is one chain of additions that wait for each other, so that its speed is that of the processor's clock: caches,
    memory and the compiler have no say. The best of a few looks counts, as other work can only make it slower.
    """
    data = bytes(1 << 21)
    best = min(_seconds(data) for _ in range(5))
    return max(1.0, best * ORDINARY / len(data))


def milliseconds(ordinary: int) -> float:
    """How long to wait here for what takes so many milliseconds on an ordinary machine."""
    return ordinary * slowness()


def _seconds(data: bytes) -> float:
    begin = time.process_time()
    hashlib.md5(data, usedforsecurity=False).digest()
    return time.process_time() - begin
