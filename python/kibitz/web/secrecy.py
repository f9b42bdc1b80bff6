"""What a move tells: in a game with hidden information, whose page may show its notation."""

from __future__ import annotations

import kibitz as kb

__all__ = ["kept_from"]

_WORLDS = 4
"""Guesses of what a player cannot see. One is enough to find another card that might have been passed as well."""


def kept_from(before: kb.Position, text: str, after: kb.Position) -> frozenset[int]:
    """The players who cannot tell from what they see that it was this move.

    A player who sees the same after another move, in a position that might be the true one, does not know which of them
    it was: a card passed face down, a piece placed behind a screen. Chance deals what is hidden, so that its moves are
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
    try:
        for seed in range(_WORLDS):
            world = before.guess(player, seed=seed)
            for move in world.moves:
                if world.notation(move) != text and world.play(move).view(player) == seen:
                    return False
    except kb.Error:
        return False
    return True
