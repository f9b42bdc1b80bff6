"""The exceptions of kibitz: one small hierarchy, each with a message that says what to do."""

from __future__ import annotations


class Error(Exception):
    """Everything that kibitz raises on purpose."""


class UnknownGame(Error, LookupError):
    """There is no game of that name."""


class BadParameter(Error, ValueError):
    """A parameter of a game or of an algorithm does not exist or cannot have this value."""


class BadPosition(Error, ValueError):
    """A text does not describe a position of the game."""


class IllegalMove(Error, ValueError):
    """A move is not legal in the position."""


class NotSupported(Error):
    """The method cannot search this game; the message says what is missing."""


class BadSolution(Error, ValueError):
    """A solution is not what it should be: a damaged file, a move that is not legal, another score."""


class CorruptDatabase(Error, ValueError):
    """An endgame database is damaged, or belongs to another game or to other rules."""


class BadProof(Error, ValueError):
    """A proof does not hold, or its file is damaged."""


class BadCheckpoint(Error, ValueError):
    """A checkpoint of a search cannot be used: it is damaged, or of another search."""


class GameError(Error):
    """A game written in Python breaks its contract; the message says where."""


class StoreError(Error):
    """A store of games or a game record cannot be read or written; the message says why."""
