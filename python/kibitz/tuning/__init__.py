"""Tuning numbers of players: the cross-entropy method, CMA-ES and Optuna over the same games."""

from kibitz.tuning.objective import Function
from kibitz.tuning.result import Comparison, Estimate, Generation, Sample, Tuning
from kibitz.tuning.run import Progress, tune
from kibitz.tuning.space import Range

__all__ = [
    "Comparison",
    "Estimate",
    "Function",
    "Generation",
    "Progress",
    "Range",
    "Sample",
    "Tuning",
    "tune",
]
