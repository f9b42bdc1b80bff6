"""The parameters of algorithms and games as fields of a form, and a filled form as the text that all parsers read."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import kibitz as kb
from kibitz.search import _ALGORITHMS, _HIGHEST, _LOWEST, _kinds
from kibitz.web.inputs import FILES, served_games

__all__ = ["LIMITS", "Field", "fields_of_algorithm", "fields_of_game", "summary_of_algorithm", "text_of"]

LIMITS = ("seconds", "depth", "simulations", "nodes")
"""What a search may spend: the first fields of every form."""


@dataclass(frozen=True)
class Field:
    """A parameter: what it may be and what it means.

    A `whole` or a `number` has a lowest and a highest value, a `choice` has words; `none` says that it may be empty.
    """

    name: str
    kind: Literal["whole", "number", "switch", "choice", "text"]
    default: Any
    doc: str = ""
    words: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    none: bool = False


def fields_of_algorithm(name: str) -> tuple[Field, ...]:
    """The fields of an algorithm, limits first; without those that name files of the host."""
    chosen = _ALGORITHMS[name]
    docs: dict[str, str] = {}
    for kind_of in reversed(chosen.__mro__):
        docs.update(_docs(kind_of.__doc__ or ""))
    kinds = dict(_kinds(chosen))

    def field(each: dataclasses.Field[Any]) -> Field:
        kind = kinds[each.name]
        none = "None" in kind.names
        low, high = _LOWEST.get(each.name, 0), _HIGHEST.get(each.name)
        doc = docs.get(each.name, "")
        if each.name == "options":
            return Field("options", "text", "", "Options of the game for this player: evaluation=schadd", none=True)
        if kind.words:
            # some are a switch with more than two settings
            words = (*(("true", "false") if "bool" in kind.names else ()), *kind.words)
            default = _write(each.default) if isinstance(each.default, bool) else each.default
            return Field(each.name, "choice", default, doc, words, none="None" in kind.text)
        if "bool" in kind.names:
            return Field(each.name, "switch", each.default, doc)
        if "float" in kind.names:
            return Field(each.name, "number", each.default, doc, low=low, high=high, none=none)
        if "int" in kind.names:
            return Field(each.name, "whole", each.default, doc, low=low, high=high, none=none)
        default = "" if each.default is None else _write(each.default)
        return Field(each.name, "text", default, doc, none=True)

    found = [field(each) for each in dataclasses.fields(chosen) if each.name not in FILES]
    return tuple(sorted(found, key=lambda each: LIMITS.index(each.name) if each.name in LIMITS else len(LIMITS)))


def summary_of_algorithm(name: str) -> str:
    """The first sentence about an algorithm."""
    return (_ALGORITHMS[name].__doc__ or "").strip().partition("\n\n")[0].replace("\n", " ")


def fields_of_game(name: str) -> tuple[Field, ...]:
    """The fields of a native game; a game in Python has its parameters from whoever started the server."""
    if name in served_games():
        return ()

    def field(each: kb.Parameter) -> Field:
        if each.words:
            return Field(each.name, "choice", each.default, each.doc, each.words)
        if isinstance(each.default, bool):
            return Field(each.name, "switch", each.default, each.doc)
        if isinstance(each.default, tuple):
            return Field(each.name, "text", "-".join(map(str, each.default)), each.doc)
        low, high = each.range or (None, None)
        return Field(each.name, "whole", each.default, each.doc, low=low, high=high)

    return tuple(map(field, kb.games().info(name).parameters))


def text_of(name: str, fields: tuple[Field, ...], values: Mapping[str, Any]) -> str:
    """A filled form as text, with what is not the default: `alphabeta:depth=8`."""
    given = []
    for field in fields:
        value = values.get(field.name, field.default)
        if isinstance(value, str):
            value = value.strip()
        if value in (None, "") and not (field.none and field.default not in (None, "")):
            continue  # an empty field means the default
        if value == field.default:
            continue
        if field.name == "options":
            given += [f"options.{part.strip()}" for part in str(value).split(",")]
        else:
            given.append(f"{field.name}={_write(value)}")
    return name + (":" + ",".join(given) if given else "")


def _write(value: Any) -> str:
    if value is None or value == "":
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    if isinstance(value, tuple):
        return "+".join("/".join(map(str, row)) if isinstance(row, tuple) else str(row) for row in value)
    return str(value)


def _docs(text: str) -> dict[str, str]:
    """What a docstring says about parameters, in lists such as "- `a`, `b`: text"."""
    found: dict[str, str] = {}
    for item in re.findall(r"^ *- (`.+?)(?=^ *- `|^ *$|\Z)", text, re.MULTILINE | re.DOTALL):
        head, _, body = item.partition(":")
        words = " ".join(body.split()).rstrip(";.").replace("`", "")
        for name in re.findall(r"`(\w+)`", head):
            found[name] = words
    return found
