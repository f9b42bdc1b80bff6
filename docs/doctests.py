"""Shows the examples of docstrings as code: a paragraph that begins with `>>>` is put between fences."""

import re
from typing import Any

from griffe import Extension, Object


class Doctests(Extension):
    """The extension that MkDocs loads."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Fences the examples of one object."""
        if obj.docstring:
            obj.docstring.value = re.sub(
                r"^(>>> .*?)(?=\n\n|\Z)", r"```python\n\1\n```", obj.docstring.value, flags=re.DOTALL | re.MULTILINE
            )
