"""What a move tells: in a game with hidden information, whose page may show its notation."""

from __future__ import annotations

from collections.abc import Iterator

import kibitz as kb

__all__ = ["kept_from"]

_WORLDS = 12
"""Guesses of what a player cannot see."""


def kept_from(before: kb.Position, text: str, after: kb.Position) -> frozenset[int]:
    """The players who cannot tell from what they see that it was this move.

    A player who sees the same after another move, in a position that might be the true one, does not know which of them
    it was: a card passed face down, a piece set up behind a screen. Chance deals what is hidden, so that its moves are
    kept from all.
    """
    game = before.game
    if not game.hidden:
        return frozenset()
    if before.turn == "chance":
        return frozenset(range(game.players))
    return frozenset(
        player for player in range(game.players) if player != before.turn and not _told(before, text, after, player)
    )


def _told(before: kb.Position, text: str, after: kb.Position, player: int) -> bool:
    seen = after.view(player)
    worlds = 0
    for world in _worlds(before, player):
        worlds += 1
        for move in world.moves:
            if world.notation(move) != text and world.play(move).view(player) == seen:
                return False
    # The true position alone says nothing about what else it might have been.
    return worlds > 1


def _worlds(position: kb.Position, player: int) -> Iterator[kb.Position]:
    """The true position, and some that look the same to a player. A guess is open; its text is read as hidden again."""
    yield position
    view = position.view(player)
    for seed in range(_WORLDS):
        try:
            world = position.game.position(str(position.guess(player, seed=seed)))
            if world.view(player) == view:
                yield world
        except kb.Error:
            continue
