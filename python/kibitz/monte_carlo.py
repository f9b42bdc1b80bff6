"""Monte-Carlo tree search: UCT with all of its variants as switches, and HUCT."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from kibitz.database import Database
from kibitz.errors import BadParameter
from kibitz.search import _ALGORITHMS, Algorithm, _some_simulations

__all__ = ["Huct", "Uct"]


@dataclass(frozen=True, kw_only=True)
class Uct(Algorithm):
    """Monte-Carlo tree search with upper confidence bounds, for any number of players and for games of chance.

    L. Kocsis and C. Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML 2006; proven values as in M. Winands,
    Y. Björnsson and J.-T. Saito, *Monte-Carlo Tree Search Solver*, CG 2008; final moves as in G. Chaslot et al. (2008).
    Every variant is a switch, off by default, and all of them combine. Selection and expansion:

    - `selection`: `ucb1` or `ucb1-tuned` (P. Auer, N. Cesa-Bianchi and P. Fischer, *Finite-time Analysis of the
      Multiarmed Bandit Problem*, 2002), which looks at the variance, too;
    - `c`: the weight of exploration; results are scaled to [0, 1], so it means the same in every game;
    - `first_play_urgency`: the bound of a move that was never tried, where a win is 1 and a loss 0 (S. Gelly and
      Y. Wang, 2006); `None` for infinity: every move is tried before any is tried again;
    - `expansion_threshold`: how often a position is visited before its moves enter the tree (R. Coulom, 2007);
    - `progressive_bias`: the weight w of w·H/(n + 1), H the evaluation after the move from −1 to 1, n its visits;
    - `widening`, `widening_visits`, `widening_growth`: so many moves take part at first, the best by H, and the k-th
      joins after visits·growth^(k − first) visits of the position (`None`: all from the beginning);
    - `rave`: judge a move also by games in which it was made later; both means count the same after so many visits.
      `rave_bias` weighs them by the least mean squared error instead, given the bias of those later games;
    - `implicit_minimax`: the weight α of the minimax value of the evaluations in the tree;
    - `proof_numbers`, `proof_rule`: the weight of proof numbers (PN-MCTS) by their `rank`, their share of the `sum`, or
      their distance from the `max`;
    - `heuristic_scale`, `squash`: the evaluation that counts as one, in units of the result (`None`: measured, so that
      a typical one comes to a half), and whether the hyperbolic tangent keeps it between −1 and 1.

    Games of three or more players:

    - `opponents`: each plays for himself (`maxn`), all play against the player at the root (`paranoid`), or only the
      one with the best reply does (`best-reply`; J. Nijssen and M. Winands, *Search Policies in Multi-Player Games*,
      2013); the last two prove nothing and go on with no tree;
    - `opponent_move_abstraction`: judge a move of the player at the root also by all games in which he made it after
      the same moves of his own, whatever the others did; both means count the same after so many visits. With
      `widening` it is MCTS-OMA-PW (H. Baier and M. Kaisers, *Guiding Multiplayer MCTS by Focusing on Yourself*, 2020).

    Games beyond the tree:

    - `playout`: moves at random (`uniform`), the best by `evaluation`, by the mean of all games in which the player
      made them (`mast`), or at random with odds by that mean (`gibbs`);
    - `epsilon`, `temperature`: the share of random moves where there is a preference, and how flat `gibbs` is;
    - `last_good_reply`, `forgetting`: repeat replies that won to the last move (1) or the last two (2), and forget
      those that lost;
    - `horizon`, `playout_bound`, `verdict`: end a game after so many plies, or when the evaluation, from 0 to 1, says
      that it is as good as won; it counts as a win of the better side (`winner`) or as its `evaluation`.

    Back-up, proofs and the end:

    - `back_up`, `mean_weight`: a position is worth the `average` of its games, the value of its best move (`max`), from
      one to the other with the visits of the best move (`mix`; the weight is that of the mean), or an average in which
      often visited moves count for more (`informed-average`);
    - `solver`: prove positions and never visit a proven one again; `score_bounds`: with bounds of the result of every
      position, which prove more, also with many players;
    - `final_move`: `robust` (most visits), `max` (highest mean), `secure` (highest lower bound) or `robust-max` (both
      the most visits and the highest mean: a search may end with it after two thirds of its limit);
    - `memory_mb`: what the tree may use; when it is full, the least visited nodes are given up for new ones;
    - `threads`, `parallel`: as many threads, each with its own tree, added up at the end (`root`), with one tree for
      all (`tree`), or all playing from the same leaf (`leaf`; the first and the last by T. Cazenave and N. Jouandeau,
      2007; one tree with virtual loss by G. Chaslot, M. Winands and J. van den Herik, 2008);
    - `reuse`: in a session, such as a game of a match, go on with the tree of the last search;
    - `trace`: report so many of the most visited positions of the tree; `kb.draw.tree(report)` draws them;
    - `database`: an endgame database or its path; no game is played from a position that it has, and the solver takes
      its value for proven.

    Without limits it stops after 10,000 simulations.
    """

    name: ClassVar[str] = "uct"
    simulations: int | None = None
    selection: Literal["ucb1", "ucb1-tuned"] = "ucb1"
    c: float = math.sqrt(2)
    first_play_urgency: float | None = None
    expansion_threshold: int = 1
    progressive_bias: float = 0.0
    widening: int | None = None
    widening_visits: float = 50.0
    widening_growth: float = 1.3
    rave: float | None = None
    rave_bias: float | None = None
    implicit_minimax: float = 0.0
    proof_numbers: float | None = None
    proof_rule: Literal["rank", "sum", "max"] = "rank"
    heuristic_scale: float | None = None
    squash: bool = True
    opponents: Literal["maxn", "paranoid", "best-reply"] = "maxn"
    opponent_move_abstraction: float | None = None
    playout: Literal["uniform", "evaluation", "mast", "gibbs"] = "uniform"
    epsilon: float = 0.1
    temperature: float = 0.1
    last_good_reply: int = 0
    forgetting: bool = True
    horizon: int | None = None
    playout_bound: float | None = None
    verdict: Literal["winner", "evaluation"] = "winner"
    back_up: Literal["average", "max", "mix", "informed-average"] = "average"
    mean_weight: float = 162.0
    solver: bool = True
    score_bounds: bool = False
    final_move: Literal["robust", "max", "secure", "robust-max"] = "robust"
    memory_mb: int = 256
    seed: int = 0
    threads: int = 1
    parallel: Literal["root", "tree", "leaf"] = "root"
    reuse: bool = False
    trace: int = 0
    database: str | Database | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rave is not None and self.rave_bias is not None:
            raise BadParameter("rave and rave_bias are two ways to weigh the same games: give one of them")
        if self.widening is not None and self.widening_growth < 1:
            raise BadParameter(f"widening_growth={self.widening_growth} must be at least 1")

    def _limits(self) -> dict[str, Any]:
        return _some_simulations(super()._limits())


@dataclass(frozen=True, kw_only=True)
class Huct(Algorithm):
    """Heuristic-guided UCT: the evaluation of the position after a move is part of the bound of that move.

    D. King, *Complexity, Heuristic, and Search Analysis for the Games of Crossings and Epaminondas*, master's thesis,
    Air Force Institute of Technology 2014. The move with the greatest mean + H + C·√(ln n / nᵢ) is followed, with
    C = 0.667 and results from −1 to 1; H is evaluated once, when a position enters the tree, and stays for good.
    Nothing else differs from UCT.

    - `c`: the weight of exploration for results scaled to [0, 1], as for `Uct`: half of the published 0.667;
    - `damped`: divide H by the visits of the move plus one, which is progressive bias (Chaslot et al. 2008);
    - `heuristic_scale`, `squash`: the evaluation that counts as one, in units of the result (`None`: measured, so that
      a typical one comes to a half), and whether the hyperbolic tangent keeps it between −1 and 1. The thesis does not
      give the scale;
    - `final_move`: the thesis plays the move with the highest mean (`max`);
    - `solver`, `memory_mb`, `threads`, `parallel`, `reuse`, `trace`, `database`: as for `Uct`; the thesis has no
      solver.

    Undamped, it need not converge to the best move. Without limits it stops after 10,000 simulations.
    """

    name: ClassVar[str] = "huct"
    simulations: int | None = None
    c: float = 0.667 / 2
    damped: bool = False
    heuristic_scale: float | None = None
    squash: bool = True
    solver: bool = False
    final_move: Literal["robust", "max", "secure", "robust-max"] = "max"
    memory_mb: int = 256
    seed: int = 0
    threads: int = 1
    parallel: Literal["root", "tree", "leaf"] = "root"
    reuse: bool = False
    trace: int = 0
    database: str | Database | None = None

    def _limits(self) -> dict[str, Any]:
        return _some_simulations(super()._limits())


_ALGORITHMS.update({each.name: each for each in (Huct, Uct)})
