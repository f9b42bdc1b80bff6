"""What worker processes do: one module a kind of job, each with `run(payload, report) -> result`.

A payload, every report and the result are plain data for JSON; `payload["caps"]` has the caps of the job. `run` is
called in the main thread of a process of its own; a stop arrives there as `KeyboardInterrupt`, which native searches
notice within a tenth of a second. A kind that returns something all the same, such as the best so far, keeps it.
"""

KINDS = ("algorithms", "course", "database", "edits", "lines", "match", "reproduce", "search", "solve", "think")
"""The modules here that a job may name."""
