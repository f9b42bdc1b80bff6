"""kibitz: a laboratory for selective search in games.

>>> import kibitz as kb
>>> pos = kb.game("connect-four", rows=4, cols=4).start()
>>> kb.AlphaBeta().search(pos).value
0.0
"""

from kibitz._core import Position, __version__
from kibitz.errors import (
    BadParameter,
    BadPosition,
    Error,
    GameError,
    IllegalMove,
    NotSupported,
    StoreError,
    UnknownGame,
)
from kibitz.game import Game, GameInfo, NativeGame, Parameter, game, games
from kibitz.search import (
    Algorithm,
    AlphaBeta,
    Child,
    Iteration,
    Minimax,
    Playouts,
    Random,
    Report,
    Uct,
    algorithm,
    algorithms,
    perft,
    playouts,
)

__all__ = [
    "Algorithm",
    "AlphaBeta",
    "BadParameter",
    "BadPosition",
    "Child",
    "Error",
    "Game",
    "GameError",
    "GameInfo",
    "IllegalMove",
    "Iteration",
    "Minimax",
    "NativeGame",
    "NotSupported",
    "Parameter",
    "Playouts",
    "Position",
    "Random",
    "Report",
    "StoreError",
    "Uct",
    "UnknownGame",
    "__version__",
    "algorithm",
    "algorithms",
    "game",
    "games",
    "perft",
    "playouts",
]
