"""The plays of backgammon against OpenSpiel's: the same positions after every throw, on positions of random games.

Its form differs from ours: one action is two half-moves, so that doublets are two turns of a player, of which only the
longest plays count; the same position is reached by several actions. What a play does is told by its checker moves.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Iterator
from typing import Any

import kibitz as kb
from kibitz.experiments.experiment import Scale, SelfCheck

__all__ = ["EXPERIMENTS", "Board", "board_of", "differences", "our_results", "positions", "their_results"]

Board = tuple[tuple[int, ...], tuple[int, ...]]
"""The checkers of A and of B, each in their own numbering: 0 off, 25 the bar."""

BAR = 100
"""OpenSpiel's place for checkers on the bar."""
PASS = -1
"""OpenSpiel's source of a half-move that is not made."""


def own_point(player: int, place: int) -> int:
    """A place of OpenSpiel in the player's own numbering: x, who is A here, moves up."""
    if place == BAR:
        return 25
    return 24 - place if player == 0 else place + 1


def board_of(state: Any) -> Board:
    """The checkers of one of its states."""
    sides = []
    for player in (0, 1):
        side = [0] * 26
        for place in (*range(24), BAR):
            side[own_point(player, place)] = state.board(player, place)
        side[0] = 15 - sum(side)
        sides.append(tuple(side))
    return sides[0], sides[1]


def text_of(board: Board, player: int) -> str:
    """Our text of a position in which a player throws."""

    def side(counts: tuple[int, ...]) -> str:
        places = [f"{'bar' if place == 25 else place}:{counts[place]}" for place in range(25, 0, -1) if counts[place]]
        return " ".join(places) or "-"

    return f"{side(board[0])} / {side(board[1])} / {'AB'[player]} rolls"


def board_of_text(text: str) -> Board:
    """The checkers of our text."""
    sides = []
    for words in text.split(" / ")[:2]:
        side = [0] * 26
        for word in words.split() if words != "-" else []:
            place, count = word.split(":")
            side[25 if place == "bar" else int(place)] = int(count)
        side[0] = 15 - sum(side)
        sides.append(tuple(side))
    return sides[0], sides[1]


_STEPS: dict[tuple[str, int, int], tuple[tuple[int, int], ...]] = {}
"""What an action means depends on the throw, the player and nothing else; asking for it is slow."""


def steps_of(state: Any, throw: str, player: int, action: int) -> tuple[tuple[int, int], ...]:
    """The checker moves of an action: sources in the player's own numbering, and dice."""
    key = throw, player, action
    if key not in _STEPS:
        moves = state.spiel_move_to_checker_moves(player, action)
        _STEPS[key] = tuple((own_point(player, move.pos), move.num) for move in moves if move.pos != PASS)
    return _STEPS[key]


def after(board: Board, player: int, steps: tuple[tuple[int, int], ...]) -> Board:
    """The checkers after some checker moves."""
    sides = [list(board[0]), list(board[1])]
    for source, die in steps:
        target = max(source - die, 0)
        sides[player][source] -= 1
        sides[player][target] += 1
        if target and sides[1 - player][25 - target] == 1:
            sides[1 - player][25 - target] = 0
            sides[1 - player][25] += 1
    return tuple(sides[0]), tuple(sides[1])


def their_results(state: Any, board: Board, throw: str, player: int) -> set[Board]:
    """The positions after the longest plays of one of its states in which a player has thrown."""
    halves: dict[Board, tuple[int, int]] = {}
    for action in state.legal_actions():
        steps = steps_of(state, throw, player, action)
        end = after(board, player, steps)
        if end not in halves or len(steps) > halves[end][1]:
            halves[end] = action, len(steps)
    found: dict[Board, int] = {}
    for end, (action, made) in halves.items():
        child = state.child(action) if throw[0] == throw[1] else None
        if child is None or child.is_terminal() or child.current_player() != player:
            found[end] = max(made, found.get(end, 0))
            continue
        for second in child.legal_actions():
            steps = steps_of(child, throw, player, second)
            last = after(end, player, steps)
            found[last] = max(made + len(steps), found.get(last, 0))
    longest = max(found.values())
    return {end for end, made in found.items() if made == longest or _won(end, player)}


def _won(board: Board, player: int) -> bool:
    """Whether a player has borne off all checkers: then no die is left to play."""
    return board[player][0] == 15


def our_results(position: kb.Position) -> list[Board]:
    """The positions after our plays."""
    return [board_of_text(str(position.play(move))) for move in position.moves]


def positions(seed: int) -> Iterator[Any]:
    """OpenSpiel's states of one random game in which the dice are about to fall, but for the first."""
    import pyspiel

    chance = random.Random(seed)
    state = pyspiel.load_game("backgammon(scoring_type=full_scoring)").new_initial_state()
    state.apply_action(chance.choice(state.legal_actions()))
    while not state.is_terminal():
        if state.is_chance_node():
            yield state.clone()
        state.apply_action(chance.choice(state.legal_actions()))


def differences(state: Any, game: kb.Game) -> str | None:
    """What differs after any of the 21 throws from one of its states, or nothing."""
    throws = {}
    for outcome, _ in state.chance_outcomes():
        dice = state.action_to_string(outcome)[-3:-1]
        throws["".join(sorted(dice, reverse=True))] = outcome
    if len(throws) != 21:
        return f"{len(throws)} throws and not 21"
    player = state.child(throws["21"]).current_player()
    board = board_of(state)
    before = game.position(text_of(board, player))
    for throw, outcome in throws.items():
        ours = our_results(before.play(throw))
        theirs = their_results(state.child(outcome), board, throw, player)
        if len(ours) != len(set(ours)):
            return f"{before}: a position comes twice after {throw}"
        if set(ours) != theirs:
            return f"{before}: {len(ours)} plays of {throw} and OpenSpiel's {len(theirs)} differ"
    return None


def _cases(scale: Scale) -> list[dict[str, int]]:
    games = {"quick": 5, "standard": 2_000, "full": 20_000}[scale]
    return [{"seed": seed} for seed in range(1, games + 1)]


POSITIONS = 10
"""Positions that are compared of one random game."""


def _same_plays(case: dict[str, int]) -> str | None:
    game = kb.game("backgammon", evaluation="pips")
    states = list(positions(case["seed"]))
    chance = random.Random(-case["seed"])
    for state in chance.sample(states, min(POSITIONS, len(states))):
        found = differences(state, game)
        if found:
            return found
    return None


EXPERIMENTS = (
    (
        SelfCheck(
            id="backgammon-plays-equal-openspiel",
            statement="After each of the 21 throws our plays lead to the positions of OpenSpiel's longest plays",
            cases=_cases,
            check=_same_plays,
            seconds={"quick": 2, "standard": 600, "full": 6000},
            seed=1,
        ),
    )
    if importlib.util.find_spec("pyspiel")
    else ()
)
"""OpenSpiel is not needed by kibitz: without it there is nothing to compare."""
