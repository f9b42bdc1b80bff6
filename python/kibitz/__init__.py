"""kibitz: a laboratory for selective search in games.

>>> import kibitz as kb
>>> pos = kb.game("connect-four", rows=4, cols=4).start()
>>> kb.AlphaBeta().search(pos).value
0.0
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from kibitz._core import Position, Trials, __version__
from kibitz.best_first import BStar, Ubfm
from kibitz.chance import ChanceProbCut, Expectimax, MoveFilter, Star1, Star2, Star25
from kibitz.database import Database, build_db, open_db
from kibitz.errors import (
    BadCheckpoint,
    BadParameter,
    BadPosition,
    BadProof,
    BadSolution,
    CorruptDatabase,
    Error,
    GameError,
    IllegalMove,
    NotSupported,
    StoreError,
    UnknownGame,
)
from kibitz.exhaustive import IncrementalTranspositions, Tail, TailStep
from kibitz.game import Game, GameInfo, NativeGame, Parameter, game, games
from kibitz.graph import GameGraph, TableStudy, Visits, graph
from kibitz.hidden import Determinized, IsMcts
from kibitz.many_players import (
    BestReply,
    BestReplyPlus,
    MaxN,
    MpMix,
    Paranoid,
    ProbMaxN,
    RootOnly,
    SoftMaxN,
)
from kibitz.minimax import (
    AlphaBeta,
    BestNode,
    Dual,
    Minimax,
    Mtd,
    MultiProbCut,
    NegaCStar,
    NegaScout,
    ProbCut,
    Pvs,
    Sss,
    king,
    mia,
)
from kibitz.monte_carlo import Huct, Uct
from kibitz.proof import Proof, Proven, Verified, verify_proof
from kibitz.puzzle_solution import PuzzleSolution
from kibitz.retrograde import Perfect, Retrograde, RetrogradeStep, SliceCounts, StrongMove, StrongSolution
from kibitz.search import (
    Algorithm,
    Child,
    FlatMonteCarlo,
    Iteration,
    Playouts,
    Random,
    Report,
    Simulation,
    algorithm,
    algorithms,
    perft,
    playouts,
)
from kibitz.session import Session
from kibitz.single_player import (
    AStar,
    BeamSearch,
    IdaStar,
    NestedMonteCarlo,
    NestedRollout,
    SimulatedAnnealing,
    SpMcts,
    schadd,
)
from kibitz.solve import DfPn, EfPn, Goal, Pn2, ProofNumber, RootNumbers, Solution, Solver

if TYPE_CHECKING:
    from kibitz import chanceprobcut, draw, probcut, stratego
    from kibitz.arena.complexity import Complexity, complexity
    from kibitz.arena.match import match
    from kibitz.arena.table import MatchResult
    from kibitz.notebook import play_widget
    from kibitz.tuning import Tuning, tune

_LATER = {
    "Complexity": "kibitz.arena.complexity",
    "complexity": "kibitz.arena.complexity",
    "MatchResult": "kibitz.arena.table",
    "Tuning": "kibitz.tuning",
    "match": "kibitz.arena.match",
    "play_widget": "kibitz.notebook",
    "tune": "kibitz.tuning",
}
"""What is imported when it is first asked for, so that `import kibitz` stays quick."""


def __getattr__(name: str) -> Any:
    if name in ("chanceprobcut", "draw", "probcut", "stratego"):
        return importlib.import_module(f"kibitz.{name}")
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(_LATER[name]), name)
    return found


__all__ = [
    "AStar",
    "Algorithm",
    "AlphaBeta",
    "BStar",
    "BadCheckpoint",
    "BadParameter",
    "BadPosition",
    "BadProof",
    "BadSolution",
    "BeamSearch",
    "BestNode",
    "BestReply",
    "BestReplyPlus",
    "ChanceProbCut",
    "Child",
    "Complexity",
    "CorruptDatabase",
    "Database",
    "Determinized",
    "DfPn",
    "Dual",
    "EfPn",
    "Error",
    "Expectimax",
    "FlatMonteCarlo",
    "Game",
    "GameError",
    "GameGraph",
    "GameInfo",
    "Goal",
    "Huct",
    "IdaStar",
    "IllegalMove",
    "IncrementalTranspositions",
    "IsMcts",
    "Iteration",
    "MatchResult",
    "MaxN",
    "Minimax",
    "MoveFilter",
    "MpMix",
    "Mtd",
    "MultiProbCut",
    "NativeGame",
    "NegaCStar",
    "NegaScout",
    "NestedMonteCarlo",
    "NestedRollout",
    "NotSupported",
    "Parameter",
    "Paranoid",
    "Perfect",
    "Playouts",
    "Pn2",
    "Position",
    "ProbCut",
    "ProbMaxN",
    "Proof",
    "ProofNumber",
    "Proven",
    "PuzzleSolution",
    "Pvs",
    "Random",
    "Report",
    "Retrograde",
    "RetrogradeStep",
    "RootNumbers",
    "RootOnly",
    "Session",
    "SimulatedAnnealing",
    "Simulation",
    "SliceCounts",
    "SoftMaxN",
    "Solution",
    "Solver",
    "SpMcts",
    "Sss",
    "Star1",
    "Star2",
    "Star25",
    "StoreError",
    "StrongMove",
    "StrongSolution",
    "TableStudy",
    "Tail",
    "TailStep",
    "Trials",
    "Tuning",
    "Ubfm",
    "Uct",
    "UnknownGame",
    "Verified",
    "Visits",
    "__version__",
    "algorithm",
    "algorithms",
    "build_db",
    "chanceprobcut",
    "complexity",
    "draw",
    "game",
    "games",
    "graph",
    "king",
    "match",
    "mia",
    "open_db",
    "perft",
    "play_widget",
    "playouts",
    "probcut",
    "schadd",
    "stratego",
    "tune",
    "verify_proof",
]
