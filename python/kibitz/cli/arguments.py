"""Games, positions and algorithms as they are written on the command line."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

import kibitz as kb
from kibitz.database import bytes_of
from kibitz.game import parse_call

GameText = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game, such as breakthrough:rows=6,cols=6, or a class in a Python file: nim.py:Nim, nim.py:Nim:size=3.",
        show_default=False,
    ),
]
PositionText = Annotated[
    str | None,
    typer.Argument(metavar="[POSITION]", help="A position in the game's notation (the start).", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Workers = Annotated[
    int | None, typer.Option("--workers", "-j", metavar="N", help="Processes (one for each core).", show_default=False)
]
On = Annotated[str, typer.Option("--on", metavar="WHERE", help="local, ray or ray://HOST:PORT.")]
Threads = Annotated[int, typer.Option("--threads", "-t", metavar="T", help="Threads.")]


def read_game(text: str) -> kb.Game:
    """The game of a text: a native one, or a class in a Python file or module."""
    file = re.fullmatch(r"(.+?\.py)(?::(.*))?", text, re.DOTALL)
    place, rest = (file[1], file[2] or "") if file else text.partition(":")[::2]
    name, _, parameters = rest.partition(":")
    if text.partition(":")[0] in kb.games() or not (file or name.isidentifier()):
        return kb.game(text)
    if "=" in name:
        # The only class of a file needs no name.
        name, parameters = "", rest
    _, given = parse_call(f"{name or Path(place).name}:{parameters}")
    return _python_game(place, name, {key: _value(each) for key, each in given.items()})


def _value(text: str) -> bool | int | float | str:
    """A parameter of a game in Python: a truth, a number, or a text, which quotes keep from being read as either."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text


def megabytes(text: str) -> int:
    """A size in megabytes: 500 or 500M, 4G."""
    return bytes_of(f"{text}M" if text.strip().isdigit() else text, "--memory") >> 20


def game_text(game: kb.Game, given: str) -> str:
    """How the command line writes a game: in full for a native one, as it was given for one in Python."""
    return game.spec if isinstance(game, kb.NativeGame) else given


def read_position(game: kb.Game, text: str | None) -> kb.Position:
    """The position of a text, or the start."""
    start: kb.Position = game.start() if text is None else game.position(text)
    return start


def _python_game(place: str, name: str, given: dict[str, Any]) -> kb.Game:
    module = _import(place)
    if name:
        found = getattr(module, name, None)
        if not (inspect.isclass(found) and issubclass(found, kb.Game)):
            raise kb.UnknownGame(f"{place} has no game {name!r}; {_choice(place, module)}")
    else:
        classes = _classes(module)
        if len(classes) != 1:
            raise kb.UnknownGame(f"{place} needs the name of a class; {_choice(place, module)}")
        found = classes[0]
    _check(found, place, given)
    try:
        game: kb.Game = found(**given)
    except Exception as error:
        call = f"{found.__name__}({', '.join(f'{key}={value!r}' for key, value in given.items())})"
        raise kb.GameError(f"{call} of {place} failed: {_words(error)}") from error
    return game


def _check(found: type[kb.Game], place: str, given: dict[str, Any]) -> None:
    """Refuses parameters that a class does not take, and asks for those that it needs."""
    taken = inspect.signature(found).parameters.values()
    named = [each for each in taken if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    names = [each.name for each in named]
    unknown = [key for key in given if key not in names]
    if unknown and not any(each.kind is each.VAR_KEYWORD for each in taken):
        known = f"it takes {', '.join(names)}" if names else "it takes none"
        raise kb.BadParameter(f"{found.__name__} of {place} has no parameter {unknown[0]!r}; {known}")
    missing = [each.name for each in named if each.default is each.empty and each.name not in given]
    if missing:
        written = ",".join(f"{each}=…" for each in missing)
        raise kb.BadParameter(
            f"{found.__name__} of {place} needs {', '.join(missing)}; write {place}:{found.__name__}:{written}"
        )


def _classes(module: ModuleType) -> list[type[kb.Game]]:
    return [
        each
        for each in vars(module).values()
        if inspect.isclass(each) and issubclass(each, kb.Game) and each.__module__ == module.__name__
    ]


def _choice(place: str, module: ModuleType) -> str:
    names = ", ".join(f"{place}:{each.__name__}" for each in _classes(module))
    return f"write {names}" if names else "a game is a subclass of kibitz.Game"


def _import(place: str) -> ModuleType:
    try:
        if place.endswith(".py"):
            return _import_file(Path(place))
        _search("")
        return importlib.import_module(place)
    except FileNotFoundError as error:
        raise kb.UnknownGame(f"cannot read {place}; give the path of a Python file with a game in it") from error
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name in (place, place.partition(".")[0]):
            raise kb.UnknownGame(
                f"no game and no Python module {place!r}; kibitz games lists the games, a file is written nim.py:Nim"
            ) from error
        raise kb.GameError(f"cannot import {place}: {_words(error)}") from error


def _import_file(path: Path) -> ModuleType:
    """The module of a file, under a name that no other has. What stands beside it can be imported, as in a script."""
    import cloudpickle

    name = f"{path.stem} (kibitz game)"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    _search(str(path.resolve().parent))
    sys.modules[name] = module
    spec.loader.exec_module(module)
    # No other process can import it by this name: what it defines travels by value.
    cloudpickle.register_pickle_by_value(module)
    return module


def _search(folder: str) -> None:
    """Lets modules be found in a folder, after all others: a file there must not stand for a module of Python's."""
    if folder not in sys.path:
        sys.path.append(folder)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def split_algorithms(texts: list[str]) -> list[str]:
    """The algorithms of all options `--with`: commas separate parameters, and algorithms where a name follows."""
    names = "|".join(map(re.escape, kb.algorithms()))
    return [each for text in texts for each in re.split(rf",(?=(?:{names})(?:[:,]|$))", text) if each]


def read_algorithms(texts: list[str], **limits: float | None) -> list[kb.Algorithm]:
    """The algorithms of some texts, with the limits that have a value set on each that knows them."""
    found = [kb.algorithm(text) for text in split_algorithms(texts)]
    if not found:
        raise kb.BadParameter(f"--with needs an algorithm; there are {', '.join(kb.algorithms())}")
    given: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
    for name in given:
        if not any(knows(each, name) for each in found):
            known = sorted({field for each in found for field in limits if knows(each, field)})
            raise kb.BadParameter(
                f"--{name} means nothing to {', '.join(each.name for each in found)}; use --{' or --'.join(known)}"
            )
    return [each.replace(**{name: value for name, value in given.items() if knows(each, name)}) for each in found]


def knows(algorithm: kb.Algorithm, parameter: str) -> bool:
    """Whether an algorithm has a parameter."""
    return any(field.name == parameter for field in dataclasses.fields(algorithm))
