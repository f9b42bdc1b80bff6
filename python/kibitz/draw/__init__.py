"""Pictures for papers, slides and lessons, as SVG: the same data give the same bytes."""

from kibitz.draw.lesson import Lesson, growing, lesson
from kibitz.draw.tree import Drawing, tree

__all__ = ["Drawing", "Lesson", "growing", "lesson", "tree"]
