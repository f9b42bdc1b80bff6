"""A process that works for another: it is imported, and ends when its input does."""

from __future__ import annotations

import os
import pickle
import queue
import threading

from kibitz.arena.wire import failure, read, work, write


def _main() -> None:
    asked = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # What a game prints must not get between the answers, and nothing may read the questions.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        while True:
            try:
                messages.put(read(asked))
            except EOFError:
                os._exit(0)  # whoever asked has gone, and nobody wants the answer

    threading.Thread(target=listen, daemon=True).start()
    setup = messages.get()
    function = None
    try:
        while True:
            chunk = messages.get()
            try:
                if function is None:
                    function = pickle.loads(setup)
                answers_to = work(function, pickle.loads(chunk))
            except Exception as error:  # something that cannot be imported here
                answers_to = iter([failure(0, error)])
            for answer in answers_to:
                write(answers, pickle.dumps(answer))
    except BrokenPipeError:
        os._exit(0)


_main()
