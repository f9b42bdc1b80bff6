"""Pictures for papers, slides, lessons and the web lab, as SVG: the same data give the same bytes."""

from kibitz.draw.board import Arrow, board, line, trace
from kibitz.draw.clicks import Clicks, Way
from kibitz.draw.lesson import Lesson, growing, lesson
from kibitz.draw.tree import Drawing, tree

__all__ = ["Arrow", "Clicks", "Drawing", "Lesson", "Way", "board", "growing", "lesson", "line", "trace", "tree"]
