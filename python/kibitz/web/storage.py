"""The data directory: all that the web lab writes, and all that a visitor can make it read."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import sys
import tempfile
from pathlib import Path
from typing import Any

import kibitz as kb

__all__ = ["DataDirectory", "default_directory", "new_id"]

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
"""Names of files that we make: no dots, no slashes, no capitals that a disk may not tell apart."""


def default_directory() -> Path:
    """Where the platform keeps the data of applications."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "kibitz"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "kibitz"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "kibitz"


def new_id() -> str:
    """A name that nobody can guess, for a link."""
    return secrets.token_hex(8)


class DataDirectory:
    """A directory with one folder for each kind of thing: games, databases, stores…

    Names come from links, so each is checked before it becomes part of a path.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.expanduser().resolve()
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise kb.Error(f"cannot use {self.path} for data: {error.strerror}; choose another with --data") from None

    def folder(self, kind: str) -> Path:
        """The folder of a kind, which exists afterwards."""
        found = self.path / _checked(kind)
        found.mkdir(mode=0o700, exist_ok=True)
        return found

    def file(self, kind: str, name: str, suffix: str = ".json") -> Path:
        """The path of a thing, whether or not it exists. A name that is no name is `BadParameter`."""
        if not re.fullmatch(r"(\.[a-z0-9]+)*", suffix):
            raise kb.BadParameter(f"{suffix[:20]!r} is not an ending of a file")
        return self.folder(kind) / (_checked(name) + suffix)

    def names(self, kind: str, suffix: str = ".json") -> list[str]:
        """The names of all things of a kind, the newest first."""

        def age(path: Path) -> float:
            with contextlib.suppress(OSError):
                return -path.stat().st_mtime
            return 0.0

        files = sorted(self.folder(kind).glob(f"*{suffix}"), key=age)
        names = [path.name.removesuffix(suffix) for path in files]
        return [name for name in names if _NAME.fullmatch(name)]

    def write(self, kind: str, name: str, data: Any) -> None:
        """Writes plain data in one step: whoever kills us leaves the old file or the new one."""
        path = self.file(kind, name)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(data, file, ensure_ascii=False, allow_nan=False)
            Path(temporary).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise

    def read(self, kind: str, name: str) -> Any:
        """The data of a thing, or `None` where there is none."""
        path = self.file(kind, name)
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError):
            raise kb.Error(f"{kind}/{name} in the data directory is damaged") from None

    def remove(self, kind: str, name: str) -> None:
        """Removes a thing, if it is there."""
        self.file(kind, name).unlink(missing_ok=True)

    def prune(self, kind: str, keep: int) -> None:
        """Removes the oldest things of a kind beyond a number, so that visitors cannot fill the disk."""
        for name in self.names(kind)[keep:]:
            self.remove(kind, name)

    def secret(self) -> str:
        """What signs the cookies, made once and kept, so that visitors are known again after a restart."""
        path = self.path / "secret"
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(32))
        except FileExistsError:
            pass
        return path.read_text().strip() or secrets.token_hex(32)


def _checked(name: str) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise kb.BadParameter(f"{str(name)[:40]!r} is not a name of the data directory")
    return name
