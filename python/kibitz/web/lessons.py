"""The ready-made lessons: small searches, each of which shows one idea."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LESSONS", "Example", "example"]

_PLAIN = "deepening=false,tt_mb=0,etc=false,killers=false,history=false,hints=false,hash_move=false"
"""Nothing but the idea: moves from left to right, no table, no heuristics."""


@dataclass(frozen=True)
class Example:
    """A search with its name, and what to look at."""

    name: str
    title: str
    game: str
    position: str
    algorithm: str
    idea: str


LESSONS: tuple[Example, ...] = (
    Example(
        "first",
        "Alpha-beta: a first tree",
        "random-tree:width=3,depth=2,range=20,seed=377",
        "",
        f"alphabeta:{_PLAIN}",
        "MAX chooses a move, MIN answers, and the leaf says what MAX gets. As soon as one answer of MIN is bad enough "
        "for MAX, the other answers need not be looked at. Press Next and read the sentence of each step.",
    ),
    Example(
        "deeper",
        "Alpha-beta: cuts on every level",
        "random-tree:width=2,depth=4,range=20,seed=15",
        "",
        f"alphabeta:{_PLAIN}",
        "Both players cut: MIN's nodes where MAX has something better elsewhere, MAX's nodes where MIN has. The window "
        "above a node has both bounds.",
    ),
    Example(
        "tic-tac-toe",
        "Alpha-beta: tic-tac-toe",
        "tic-tac-toe",
        "X../OO./XXO X",
        f"alphabeta:{_PLAIN}",
        "Three empty squares, X to move. The first move holds the draw; both others are refuted by the first reply.",
    ),
    Example(
        "scout",
        "NegaScout: guess, and search again",
        "random-tree:width=3,depth=2,range=20,seed=5",
        "",
        f"negascout:{_PLAIN}",
        "After the first move NegaScout only asks whether another one is better: a null window (dashed). If the answer "
        "is yes, the move is searched again with an open window (thick).",
    ),
    Example(
        "mtd",
        "MTD(f): one null window after the other",
        "random-tree:width=2,depth=3,range=20,seed=5",
        "",
        f"mtd:{_PLAIN.replace('tt_mb=0', 'tt_mb=1').replace('hash_move=false', 'hash_move=true')}",
        "Every pass asks one question: is the value at least so much? The answers close in on the value. What a pass "
        "has found out is in the table, so that the next one is short.",
    ),
    Example(
        "best-node",
        "Best-node search: which move, not how much",
        "random-tree:width=3,depth=2,range=20,seed=5",
        "",
        f"bestnode:{_PLAIN.replace('tt_mb=0', 'tt_mb=1')}",
        "The moves are tested against a guess until only one passes. Then it is the best one, and its exact value was "
        "never needed.",
    ),
    Example(
        "star2",
        "Star2: probes at chance nodes",
        "random-tree:width=2,depth=2,chance=uniform,events=2,range=20,seed=3",
        "",
        "star2:deepening=false,tt_mb=0",
        "A node of chance is worth the average of its outcomes. Star2 first probes one move below each outcome: often "
        "that is enough to see that the average cannot matter.",
    ),
    Example(
        "proof",
        "Proof numbers: where the least work may be enough",
        "tic-tac-toe",
        "..O/.XO/X.. X",
        "proofnumber:goal=win",
        "Can X win, though O threatens the right column? Above a position stand two numbers: how many leaves at least "
        "must be won to prove it, and how many lost to disprove it. The search always goes where the least may settle "
        "the root.",
    ),
    Example(
        "uct",
        "UCT: visits follow the good moves",
        "tic-tac-toe",
        "X../OO./XXO X",
        "uct:simulations=60,seed=1",
        "Above a position stand its visits, inside the mean result. Every simulation goes where the mean and a bonus "
        "for few visits are greatest, plays a random game, and adds a position.",
    ),
)
"""In the order in which they are best seen."""


def example(name: str) -> Example | None:
    """The example of a name, as links have it."""
    return next((each for each in LESSONS if each.name == name), None)
