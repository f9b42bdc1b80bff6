"""Work over a Ray cluster. A task is a chunk of units, and Ray does it again elsewhere when its process dies."""

from __future__ import annotations

import importlib
import pickle
import sys
from collections.abc import Callable, Generator, Iterable
from typing import Any

import kibitz as kb
from kibitz.arena.chunks import Chunks
from kibitz.arena.wire import Answer, failure, unpack, work

__all__ = ["execute"]

_RETRIES = 5


def execute(
    function: Callable[[Any], Any], units: Iterable[Any], *, workers: int | None, address: str | None
) -> Generator[tuple[int, Any], None, None]:
    """As `kibitz.arena.executor.execute`, on the cluster of an address, of `RAY_ADDRESS`, or one started here."""
    import cloudpickle

    ray = _connect(address)
    task = ray.remote(max_retries=_RETRIES, num_cpus=1)(_do)
    # Pickled here and read there after the search path is set: on machines that share their files a worker finds the
    # modules that this process finds. Elsewhere they must be installed, or travel with Ray's runtime environment.
    shared = ray.put((sys.path, cloudpickle.dumps(function)))
    chunks = Chunks(units)
    running: list[Any] = []
    try:
        while True:
            # The size of a cluster may change while it works. Twice the cores, so that none waits for the next chunk.
            most = workers or 2 * max(int(ray.cluster_resources().get("CPU", 1)), 1)
            while len(running) < most and (chunk := chunks.next()):
                running.append(task.remote(shared, cloudpickle.dumps(chunk)))
            if not running:
                return
            ended, running = ray.wait(running)
            for each in ended:
                for answer in _answers(ray, each):
                    chunks.took(answer.seconds, len(answer.numbers))
                    yield from unpack(answer)
    finally:
        for each in running:
            ray.cancel(each, force=True)


def _do(shared: tuple[list[str], bytes], chunk: bytes) -> list[Answer]:
    path, function = shared
    sys.path += [each for each in path if each not in sys.path]
    try:
        todo = work(pickle.loads(function), pickle.loads(chunk))
    except Exception as error:  # something that cannot be imported here
        return [failure(0, error)]
    return list(todo)


def _answers(ray: Any, task: Any) -> list[Answer]:
    try:
        answers: list[Answer] = ray.get(task)
        return answers
    except ray.exceptions.RayError as error:
        words = " ".join(str(error).split())
        raise kb.Error(f"Ray gave a unit of work up after {_RETRIES} tries: {words}") from error


def _connect(address: str | None) -> Any:
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise kb.NotSupported("--on ray needs Ray; install it with: pip install 'kibitz[ray]'") from None
    if not ray.is_initialized():
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except Exception as error:
            where = address or "RAY_ADDRESS"
            words = " ".join(str(error).split())
            raise kb.Error(
                f"cannot reach the Ray cluster {where} ({words}); start one with: ray start --head"
            ) from error
    return ray
