"""What all tests share: the examples can be imported, and the terminal has no width of its own."""

import os
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))
os.environ.pop("COLUMNS", None)
