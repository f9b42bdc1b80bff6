"""Searches of games of many players: maxⁿ and opponent models, where everybody counts for himself, and paranoid and
best-reply search, where all others are one opponent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from kibitz.errors import BadParameter
from kibitz.search import _ALGORITHMS, Algorithm

__all__ = [
    "BestReply",
    "BestReplyPlus",
    "CoalitionFamily",
    "MaxN",
    "MpMix",
    "Paranoid",
    "ProbMaxN",
    "RootOnly",
    "SoftMaxN",
]


@dataclass(frozen=True, kw_only=True)
class CoalitionFamily(Algorithm):
    """What paranoid and best-reply search share: all others are one opponent, and the search is alpha-beta.

    - `depth`: plies of this search; in best-reply search all opponents together are one ply;
    - `utility`: what the player makes large, what he has less what all others have (`difference`), or what he has
      (`own`); at the end of the game it is his score in both cases;
    - `deepening`, `step`: depth 1, 2, …, or every `step`-th;
    - `tt_mb`: size of the table in megabytes, 0 for none; `tt_exact`: an unbounded table that forgets nothing instead;
      `replacement`: `two-deep`, `always`, `depth-preferred` or `two-big`;
    - `same_depth`: use only entries of exactly the depth needed;
    - `etc`, `etc_depth`: look all children up first, from this remaining depth on;
    - `hash_move`: the table's move first; `killers`: then moves that cut at this ply; `hints`: then the game's own
      ordering; `history`: then how often a move was good, each player for himself; `history_ageing` is the factor
      between iterations;
    - `null_move`: let the other side move twice, with this reduction; `multi_cut`: try so many moves less deep; a node
      with `multi_cut_cuts` cutoffs is cut; `multi_cut_reduction`;
    - `noise`: add a normally distributed number with this standard deviation, in units of the result, to the
      evaluation: the same for a position throughout a search;
    - `seed`: tries the root's moves in random order, so that ties are broken at random, and draws the noise. In a match
      every search has a seed of its own, if there is one.
    """

    depth: int | None = None
    utility: Literal["difference", "own"] = "difference"
    deepening: bool = True
    step: int = 1
    tt_mb: int = 64
    tt_exact: bool = False
    replacement: Literal["two-deep", "always", "depth-preferred", "two-big"] = "two-deep"
    same_depth: bool = False
    etc: bool = False
    etc_depth: int = 4
    hash_move: bool = True
    killers: bool = True
    hints: bool = True
    history: bool = True
    history_ageing: float = 0.5
    null_move: int = 0
    multi_cut: int = 0
    multi_cut_cuts: int = 3
    multi_cut_reduction: int = 2
    noise: float = 0.0
    seed: int | None = None


@dataclass(frozen=True, kw_only=True)
class Paranoid(CoalitionFamily):
    """Paranoid: all opponents move in their turn and have no other aim than to harm the player.

    N. Sturtevant and R. Korf, *On Pruning Techniques for Multi-Player Games*, AAAI 2000. The value is what the player
    can be held to, whatever the others do. With two players it is alpha-beta.

    - the parameters are what the whole family shares.
    """

    name: ClassVar[str] = "paranoid"


@dataclass(frozen=True, kw_only=True)
class BestReply(CoalitionFamily):
    """Best-reply search: only the opponent with the strongest reply moves, and all others pass.

    M. Schadd and M. Winands, *Best-Reply Search for Multi-Player Games*, IEEE Transactions on Computational
    Intelligence and AI in Games 3 (2011). Moves of the player and of the others alternate, so that he plans further
    ahead, in positions that the rules may not allow. It needs a game in which players can move out of turn, and refuses
    others, such as games of tricks. With two players it is alpha-beta.

    - the parameters are what the whole family shares; a search to depth k looks ⌈k/2⌉ + (n − 1)·⌊k/2⌋ plies ahead.
    """

    name: ClassVar[str] = "bestreply"


@dataclass(frozen=True, kw_only=True)
class BestReplyPlus(CoalitionFamily):
    """Best-reply search by the rules: the opponents who do not reply make the first move of the static ordering.

    M. Esser, M. Gras, M. Winands, M. Schadd and M. Lanctot, *Improving Best-Reply Search*, Computers and Games 2013.
    Nobody is skipped, so that it searches every game. The static ordering is the game's hint, and where there is none
    its list of moves.

    - the parameters are what the whole family shares; a ply of the opponents has a move of each of them.
    """

    name: ClassVar[str] = "bestreplyplus"


@dataclass(frozen=True, kw_only=True)
class RootOnly(CoalitionFamily):
    """A search in which nobody but the player moves: what he could do if all others passed.

    An ablation that M. Schadd and M. Winands name in *Best-Reply Search for Multi-Player Games* (2011): it tells how
    much of the strength of a search comes from looking at the opponents at all.

    - the parameters are what the whole family shares; a ply is a move of the player.
    """

    name: ClassVar[str] = "rootonly"


@dataclass(frozen=True, kw_only=True)
class MaxN(Algorithm):
    """Maxⁿ: every player makes his own value large; the value of a position is a tuple, `report.values`.

    C. Luckhardt and K. Irani, *An Algorithmic Solution of N-Person Games*, AAAI 1986. Which of several equally good
    moves a player makes can change everything, so `ties` is part of the definition. Nothing can be pruned unless the
    game knows the greatest sum of all values, as games of cards do; where it does not, `pruning` means nothing.

    - `ties`: the move that is worst for the player at the root (`worst`; M. Schadd and M. Winands 2011), the first
      (`leftmost`), or that with the greatest tuple (`total`);
    - `pruning`: `none`, `shallow` (R. Korf 1991), `last-branch` or `speculative` (N. Sturtevant 2003), all with the
      value of maxⁿ, or `approximate-deep` (N. Sturtevant 2004), with nearly that;
    - `branch_and_bound`: leave out moves that cannot bring more than another one, by the game's bounds of a position
      (N. Sturtevant and R. Korf 2000);
    - `deepening`, `step`, `tt_mb`, `same_depth`: as for `BestReply`; the table holds exact tuples only (not with
      `approximate-deep`, which believes what it has cut), two-deep;
    - `hash_move`, `killers`, `history`, `history_ageing`, `hints`: the order of moves, which matters for pruning;
    - `best_first`: search everything once without pruning, and again with the best move of every node first, which
      shows how far a better order could go (N. Sturtevant 2004); `report.stats["nodes_before"]` counts the first time;
    - `noise`, `seed`: as for `BestReply`; every player's value has its own noise.
    """

    name: ClassVar[str] = "maxn"
    depth: int | None = None
    ties: Literal["leftmost", "worst", "total"] = "worst"
    pruning: Literal["none", "shallow", "last-branch", "speculative", "approximate-deep"] = "speculative"
    branch_and_bound: bool = False
    deepening: bool = True
    step: int = 1
    tt_mb: int = 64
    same_depth: bool = False
    hash_move: bool = True
    killers: bool = True
    history: bool = True
    history_ageing: float = 0.5
    hints: bool = True
    best_first: bool = False
    noise: float = 0.0
    seed: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.best_first and self.tt_mb == 0:
            raise BadParameter("best_first needs a table for the best moves: tt_mb must not be 0")


@dataclass(frozen=True, kw_only=True)
class SoftMaxN(Algorithm):
    """Soft-maxⁿ: the value of a position is a set of tuples, since nobody knows how others break ties.

    N. Sturtevant and M. Bowling, *Robust Game Play Against Unknown Opponents*, AAMAS 2006. A move goes only if every
    value of another one is better for the player. `report.children` has how many tuples each move of the root may lead
    to.

    - `margin`: … better by more than this, in units of the result, as if smaller differences did not matter to him;
    - `prudence`: the root's moves are compared by the `average` of their sets or by the `worst`;
    - `most`: as many tuples are kept of a position; larger sets are thinned out evenly;
    - `deepening`, `noise`, `seed`: as for `MaxN`. There is no table.
    """

    name: ClassVar[str] = "softmaxn"
    depth: int | None = None
    margin: float = 0.0
    prudence: Literal["worst", "average"] = "average"
    most: int = 64
    deepening: bool = True
    noise: float = 0.0
    seed: int | None = None


@dataclass(frozen=True, kw_only=True)
class ProbMaxN(Algorithm):
    """Prob-maxⁿ: an opponent is of several types, each with a probability, and chooses as his type does.

    N. Sturtevant, M. Zinkevich and M. Bowling, *Prob-Maxⁿ: Playing N-Player Games with Opponent Models*, AAAI 2006. The
    value of a position is the average over what the types choose. With one type it is maxⁿ.

    - `own`, `lead`, `hostile`: how likely an opponent makes large what he has, makes large his lead over the best of
      the others, or makes small what the player at the root has; they need not add up to 1;
    - `root`: what the player at the root himself makes large, `own` or `lead`;
    - `deepening`, `noise`, `seed`: as for `MaxN`. There is no table.
    """

    name: ClassVar[str] = "probmaxn"
    depth: int | None = None
    own: float = 0.5
    lead: float = 0.5
    hostile: float = 0.0
    root: Literal["own", "lead"] = "own"
    deepening: bool = True
    noise: float = 0.0
    seed: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.own + self.lead + self.hostile == 0:
            raise BadParameter("own, lead and hostile are all zero: an opponent must be of some type")


@dataclass(frozen=True, kw_only=True)
class MpMix(MaxN):
    """MP-Mix: paranoid for a player who leads, an attack on the leader for one who is behind, and maxⁿ otherwise.

    I. Zuckerman, A. Felner and S. Kraus, *Mixing Search Strategies for Multi-Player Games*, IJCAI 2009. Who leads is
    what the players have at the root. The attack is maxⁿ in which the player makes the value of the leader small.
    `report.stats` says which search it was.

    - `defend`: by how much the player must lead the second to defend, in units of the result; `None`: by as much as the
      second leads the last. The paper tunes both for each game;
    - `attack`: by how much another player must lead the second to be attacked; `None`: the same;
    - `utility`: as for `Paranoid`; everything else as for `MaxN`.
    """

    name: ClassVar[str] = "mpmix"
    defend: float | None = None
    attack: float | None = None
    utility: Literal["difference", "own"] = "difference"


_ALGORITHMS.update(
    {each.name: each for each in (BestReply, BestReplyPlus, MaxN, MpMix, Paranoid, ProbMaxN, RootOnly, SoftMaxN)}
)
