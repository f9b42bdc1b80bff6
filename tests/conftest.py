"""What all tests share: the examples can be imported, the terminal has no width of its own, and Ctrl-C works."""

import os
import signal
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))
os.environ.pop("COLUMNS", None)
# A shell that runs the tests in the background lets them, and what they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
