"""Published tables, measured again: every experiment is a small module of data, units to run and a judgement.

`kibitz reproduce` lists and runs them. An experiment is a frozen `Experiment` in a module of this package; the module
has a tuple `EXPERIMENTS`, and its name stands in `MODULES` below. Nothing else has to know of it.

>>> from kibitz.experiments import experiment
>>> experiment("rutko-table-5").table
'Table 5'
"""

from __future__ import annotations

import difflib
import functools
import importlib

from kibitz.errors import BadParameter
from kibitz.experiments.experiment import SCALES, Experiment, Row, Scale, SelfCheck, Verdict
from kibitz.experiments.running import Outcome, reproduce

__all__ = [
    "MODULES",
    "SCALES",
    "Experiment",
    "Outcome",
    "Row",
    "Scale",
    "SelfCheck",
    "Verdict",
    "experiment",
    "experiments",
    "reproduce",
]

MODULES: tuple[str, ...] = (
    "identities",
    "backgammon_plays",
    "card_plays",
    "rutko_statistics",
    "rutko_distribution",
    "rutko_effort",
    "rutko_fish",
    "rutko_quality",
    "complexity_literature",
    "sheppard_racks",
    "sheppard_arms",
    "sheppard_race",
    "sheppard_kuhn",
    "relative_history",
    "king_states",
    "king_statistics",
    "king_complexity",
    "king_matches",
    "king_puzzles",
    "king_gap",
    "schadd_fanorona_tables",
    "schadd_samegame",
    "schadd_settings",
    "schadd_restarts",
    "schadd_time",
    "schadd_cross_entropy",
    "schadd_standard_set",
    "rosin_morpion",
    "schadd_fanorona",
    "schadd_proof",
    "fanorona_solved",
    "proof_agreement",
    "schadd_chance_games",
    "schadd_chance",
    "hauk_backgammon",
    "helmstetter_gaps",
    "helmstetter_morpion",
    "dao_graph",
    "dao_tables",
    "dao_proofs",
    "wu_disk",
    "schadd_best_reply",
    "sturtevant_cards",
    "sturtevant_models",
    "many_players_league",
)
"""The modules of this package that hold experiments, in the order of the list."""


@functools.cache
def experiments() -> tuple[Experiment, ...]:
    """All experiments, self-checks included."""
    found: list[Experiment] = []
    for name in MODULES:
        module = importlib.import_module(f"{__name__}.{name}")
        for each in module.EXPERIMENTS:
            found.append(each.experiment() if isinstance(each, SelfCheck) else each)
    ids = [each.id for each in found]
    for each in found:
        if ids.count(each.id) > 1:
            raise BadParameter(f"two experiments have the id {each.id!r}; an id names one")
    return tuple(found)


def experiment(id: str) -> Experiment:
    """The experiment of an id."""
    known = {each.id: each for each in experiments()}
    if id in known:
        return known[id]
    near = difflib.get_close_matches(id, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    raise BadParameter(f"no experiment {id!r}; {hint}")
