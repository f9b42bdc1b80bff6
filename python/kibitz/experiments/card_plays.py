"""Hearts and Spades against OpenSpiel: the same legal plays, bids and results in whole hands of random play.

OpenSpiel has four players and the rules with which people play Hearts: `passing` in a direction that chance draws,
`opening=club`, `breaking=queen`, `first=clean`; its results are 26 less the points, as ours. Its Spades are those of
two pairs of partners who may bid nil, with `breaking`. What differs:

- It never notices that spades are broken: who leads may not lead one as long as he has another suit, whatever was
  played. We compare such leads with that in mind.
- Its results of Spades are those of a whole game, and nil counts otherwise; we compare tricks.
- It lists all cards; we do so with `equivalent=false`.
"""

from __future__ import annotations

import importlib.util
import random
from typing import Any

import kibitz as kb
from kibitz.experiments.experiment import Scale, SelfCheck

__all__ = ["EXPERIMENTS", "hearts_hand", "spades_hand"]

_RANKS = "23456789TJQKA"
_SUITS = "CDHS"
_DIRECTIONS = ("none", "left", "across", "right")
_RULES: dict[str, str | bool] = {"opening": "club", "breaking": "queen", "first": "clean", "equivalent": False}


def _hearts_card(action: int) -> str:
    return _RANKS[action // 4] + _SUITS[action % 4]


def _spades_move(action: int) -> str:
    return _RANKS[action % 13] + _SUITS[action // 13] if action < 52 else str(action - 52)


def hearts_hand(seed: int) -> str | None:
    """Plays a random hand of Hearts in both programs; what differs, or nothing."""
    import pyspiel

    chance = random.Random(seed)
    state = pyspiel.load_game("hearts").new_initial_state()
    direction = chance.randrange(4)
    state.apply_action(direction)
    position = kb.game("hearts", passing=_DIRECTIONS[direction], **_RULES).start()
    while not state.is_terminal():
        theirs = {_hearts_card(action): action for action in state.legal_actions()}
        wrong = _different(state, position, theirs)
        if wrong:
            return wrong
        move = chance.choice(sorted(theirs))
        state.apply_action(theirs[move])
        position = position.play(move)
    if position.result is None or list(position.result) != state.returns():
        return f"{position}: the result is {position.result}, and OpenSpiel's {state.returns()}"
    return None


def spades_hand(seed: int) -> str | None:
    """Plays a random hand of Spades in both programs; what differs, or nothing."""
    import pyspiel

    chance = random.Random(seed)
    state = pyspiel.load_game("spades").new_initial_state()
    position = kb.game("spades", breaking=True, nil=True, equivalent=False).start()
    while not state.is_terminal():
        theirs = {_spades_move(action): action for action in state.legal_actions()}
        text = str(position)
        if "broken" in text and "trick" not in text:
            # what it lists are the cards of other suits, if there are any
            listed = [move for move in position.moves if move[1] != "S"] or position.moves
            if sorted(listed) != sorted(theirs):
                return f"{text}: {sorted(listed)} are led, and OpenSpiel's {sorted(theirs)}"
        else:
            wrong = _different(state, position, theirs)
            if wrong:
                return wrong
        move = chance.choice(sorted(theirs))
        state.apply_action(theirs[move])
        position = position.play(move)
    took = [int(line) for line in str(state).split("Tricks taken:")[1].split("West")[1].split()[:4]]
    ours = [int(word) for word in str(position).split("taken ")[1].split(";")[0].split()]
    return None if position.over and ours == took else f"{position}: OpenSpiel counts {took} tricks"


def _different(state: Any, position: kb.Position, theirs: dict[str, int]) -> str | None:
    turn = "chance" if state.is_chance_node() else state.current_player()
    if position.turn != turn:
        return f"{position}: OpenSpiel says that it is the turn of {turn}"
    if sorted(position.moves) != sorted(theirs):
        return f"{position}: {sorted(position.moves)}, and OpenSpiel has {sorted(theirs)}"
    return None


def _cases(scale: Scale) -> list[dict[str, int]]:
    deals = {"quick": 100, "standard": 10_000, "full": 100_000}[scale]
    return [{"first": first, "deals": min(100, deals)} for first in range(0, deals, 100)]


def _hearts(case: dict[str, int]) -> str | None:
    seeds = range(case["first"], case["first"] + case["deals"])
    return next(filter(None, map(hearts_hand, seeds)), None)


def _spades(case: dict[str, int]) -> str | None:
    seeds = range(case["first"], case["first"] + case["deals"])
    return next(filter(None, map(spades_hand, seeds)), None)


EXPERIMENTS = (
    (
        SelfCheck(
            id="hearts-plays-equal-openspiel",
            statement="In whole hands of random play all legal cards and the points are those of OpenSpiel",
            cases=_cases,
            check=_hearts,
            seconds={"quick": 1, "standard": 60, "full": 600},
            seed=1,
        ),
        SelfCheck(
            id="spades-plays-equal-openspiel",
            statement="In whole hands of random play all legal bids and cards and the tricks are those of OpenSpiel",
            cases=_cases,
            check=_spades,
            seconds={"quick": 1, "standard": 60, "full": 600},
            seed=1,
        ),
    )
    if importlib.util.find_spec("pyspiel")
    else ()
)
"""OpenSpiel is not needed by kibitz: without it there is nothing to compare."""
