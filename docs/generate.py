"""Writes the pages that come from the code: one for each game and each algorithm, and the pictures of the README.

MkDocs loads this file as a hook, so every build of the documentation starts with it; `python docs/generate.py` does the
same by hand. A page that has not changed is left alone.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import inspect
import io
import re
from pathlib import Path
from typing import Any

import kibitz as kb

DOCS = Path(__file__).resolve().parent
PERFT = DOCS.parent / "crates" / "kibitz-games" / "tests" / "perft"

IMAGES = {
    "breakthrough": ("breakthrough", ".bbbbbbb/bbb...../....bb../....w.../.w....../.....ww./.www..../wwwwwww. w"),
    "othello": ("othello", "......../x......./xoooo.../xoooo.x./xxooooo./.xxxox../o.xxxx../.xxxxx.. x"),
    "connect-four": ("connect-four", "...O.../.O.X.O./.X.O.X./.O.X.O./.X.O.X./.XOXXO. X"),
}

# The games that stand for a kind of game which no native game is with its default parameters.
KINDS = {"a game of chance": "random-tree:chance=uniform,depth=4", "three players": "random-tree:players=3,depth=4"}


def lines() -> dict[str, list[tuple[str, list[str], str]]]:
    """Lines of moves that the page of a game shows with their numbers: the game, the moves, and what they are."""
    from kibitz.experiments.helmstetter_morpion import records

    words = "{} moves in {}, found by nested rollout policy adaptation"
    return {
        "morpion": [
            (f"morpion:variant={variant}", moves, words.format(len(moves), variant))
            for variant, moves in records().items()
        ]
    }


MOVES = {
    "chinese-checkers": [
        (
            "A/../.BA/......B.../....A..../.....B../.....A./...AB.../......A../.....B..../.../.B/. A 22",
            "5-72",
            "a chain of five jumps, from the own corner to the tip of the goal",
        )
    ],
    "focus": [
        (
            "..../.RG.GR/.G.RR.G./.(GRGRR)..(GGR).R./.G.R.RG./.R.GGR../GG.RG./.... 0:0 0:0 R 16",
            "b5E3",
            "three of five pieces go three squares and make a stack of six: its bottom piece, a green one, is captured",
        )
    ],
    "fanorona": [
        (
            "........./..b..wbwb/........./.w.bb.b../......... w",
            "f4-e3A-e4W-d4A",
            "a chain of three captures: by approach d2, by withdrawal e2, by approach c4",
        )
    ],
}
"""Moves that the page of a game shows: the position, the move, and what it is."""


def write(path: Path, text: str) -> None:
    """Writes a file, unless it says this already."""
    text = text.rstrip() + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def classes() -> dict[str, type[kb.Algorithm]]:
    """The algorithms by their name on the command line."""
    return {name: type(kb.algorithm(name)) for name in kb.algorithms()}


def solvers() -> dict[str, type[Any]]:
    """The methods that solve a game instead of searching a position, by the names of their pages."""
    return {"retrograde": kb.Retrograde}


def refusal(algorithm: type[kb.Algorithm], game: kb.Game) -> str | None:
    """Why an algorithm cannot search a game; `None` when it can."""
    try:
        algorithm(nodes=100).search(game.start())
    except kb.NotSupported as error:
        return str(error)
    except kb.BadParameter:
        # a fit that comes with the package is for other parameters, with which the algorithm can
        return None
    return None


def perft_table(name: str) -> str:
    """The counts that the tests of a game's rules are held against, with their source."""
    path = PERFT / f"{name}.perft"
    if not path.exists():
        return ""
    lines = path.read_text(encoding="utf-8").splitlines()
    # the first line of comment explains the columns, the others say where the counts come from
    source = " ".join(line.lstrip("# ") for line in [line for line in lines if line.startswith("#")][1:])
    rows = []
    for line in lines:
        if not line.startswith("#") and line.strip():
            params, position, counts = (part.strip() for part in line.split("|"))
            rows.append([f"`{params}`" if params else "", f"`{position}`", ", ".join(counts.split())])
    return (
        "## Counts that prove the rules\n\n"
        "The number of sequences of 1, 2, 3, … moves, as the tests check it "
        "([what perft is](../index.md#counting)). "
        f"{source}\n\n" + table(["parameters", "position", "sequences"], rows)
    )


def game_page(info: kb.GameInfo) -> str:
    """The page of a native game."""
    game = kb.game(info.name)
    start = game.start()
    parts = [f"# {info.name}", f"*{info.summary[0].upper()}{info.summary[1:]}.*"]
    parts.append(f'<div class="board">{start.svg()}</div>')
    if info.preset_of:
        parts.append(f"A preset of [{info.preset_of}]({info.preset_of}.md): the same rules with other defaults.")
    parts += ["## Rules", info.rules]
    parts += ["## Parameters"]
    if info.parameters:
        rows = [[f"`{each.name}`", f"`{_shown(each.default)}`", each.allowed(), each.doc] for each in info.parameters]
        parts.append(table(["name", "default", "allowed", "meaning"], rows))
        first = info.parameters[0]
        parts.append(
            f"In Python `kb.game({info.name!r}, {first.name}={first.default!r})`, "
            f"on the command line `{info.name}:{first.name}={_shown(first.default)}`."
        )
    else:
        parts.append("None.")
    moves = ", ".join(f"`{move}`" for move in start.moves[:8]) + (", …" if len(start.moves) > 8 else "")
    parts += [
        "## At the start",
        f"The position is written `{start}`. "
        + ("Chance begins" if start.turn == "chance" else f"Player {start.turn} begins")
        + f" with one of {len(start.moves)}: {moves}.",
        "```text\n" + start.board() + "\n```",
    ]
    for text, move, words in MOVES.get(info.name, []):
        parts += [
            f"## `{move}`",
            f"{words[0].upper()}{words[1:]}.",
            f'<div class="board">{game.position(text).svg(move)}</div>',
        ]
    for call, line, words in lines().get(info.name, []):
        parts += [
            f"## {words[0].upper()}{words[1:]}",
            f'<div class="board">{kb.game(call).start().svg_of_line(line)}</div>',
        ]
    kinds = [
        f"{game.players} players" if game.players > 1 else "one player",
        "hidden information" if game._rules.hidden else "nothing hidden",
        "an evaluation of its own" if game._rules.informed else "no evaluation: searches see the middle of the range",
    ]
    parts += ["## Who can play it", "; ".join(kinds) + "."]
    rows = []
    for name, algorithm in classes().items():
        reason = refusal(algorithm, game)
        rows.append([f"[{algorithm.__name__}](../algorithms/{name}.md)", "no: " + reason if reason else "yes"])
    parts.append(table(["algorithm", "searches it"], rows))
    if info.preset_of:
        parts.append(f"The counts that prove the rules are on the page of [{info.preset_of}]({info.preset_of}.md).")
    else:
        parts.append(perft_table(info.name))
    return "\n\n".join(parts)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "-".join(map(str, value)) if isinstance(value, tuple) else str(value)


def run(source: str) -> str:
    """What a script prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(ast.parse(source), "example", "exec"), {"kb": kb})
    return out.getvalue()


def with_output(text: str) -> str:
    """A page whose examples (fences opened with `python run`) are followed by what they print now.

    What a fence opened with `python draw` prints is a picture.
    """

    def shown(match: re.Match[str]) -> str:
        source = match[1]
        return f"```python\n{source}```\n\nprints\n\n```text\n{run(source)}```"

    def drawn(match: re.Match[str]) -> str:
        source = match[1]
        return f'```python\n{source}```\n\n<div class="board">{run(source).strip()}</div>'

    text = re.sub(r"```python draw\n(.*?)```", drawn, text, flags=re.DOTALL)
    return re.sub(r"```python run\n(.*?)```", shown, text, flags=re.DOTALL)


def algorithm_page(name: str, algorithm: type[kb.Algorithm]) -> str:
    """The page of an algorithm."""
    doc = inspect.getdoc(algorithm) or ""
    parts = [f"# {algorithm.__name__}", doc]
    written = DOCS / "algorithms" / f"_{name}.md"
    parts.append(with_output(written.read_text(encoding="utf-8").strip()))
    rows = [
        [f"`{each.name}`", f"`{each.type}`", f"`{_shown(getattr(algorithm(), each.name))}`"]
        for each in dataclasses.fields(algorithm)
    ]
    parts += [
        "## Parameters",
        "All are keyword arguments, of the class and of `search`, and keys on the command line.",
        table(["name", "type", "default"], rows),
        "## Games it searches",
    ]
    games = {f"[{game}](../games/{game}.md)": kb.game(game) for game in kb.games()}
    games |= {f"{kind} (`{game}`)": kb.game(game) for kind, game in KINDS.items()}
    rows = [[link, f"no: {reason}" if (reason := refusal(algorithm, game)) else "yes"] for link, game in games.items()]
    parts.append(table(["game", "searches it"], rows))
    return "\n\n".join(parts)


def solver_page(name: str, solver: type[Any]) -> str:
    """The page of a method that solves."""
    written = (DOCS / "algorithms" / f"_{name}.md").read_text(encoding="utf-8").strip()
    missing = dataclasses.MISSING
    rows = [
        [f"`{each.name}`", f"`{each.type}`", "" if each.default is missing else f"`{_shown(each.default)}`"]
        for each in dataclasses.fields(solver)
    ]
    parts = [f"# {solver.__name__}", inspect.getdoc(solver) or "", with_output(written), "## Parameters"]
    return "\n\n".join([*parts, table(["name", "type", "default"], rows)])


def game_index() -> str:
    """The list of games."""
    rows = []
    for name in kb.games():
        info = kb.games().info(name)
        parameters = ", ".join(f"`{each.name}`" for each in info.parameters) or "none"
        rows.append([f"[{name}]({name}.md)", info.summary, parameters])
    return (
        "# Games\n\n`kb.games()` lists them, `kb.game(name, …)` makes one, and `kibitz games` prints this table.\n\n"
        + table(["name", "", "parameters"], rows)
        + "\n\nA game of your own takes [a few lines of Python](../python-games.md)."
    )


def algorithm_index() -> str:
    """The list of algorithms."""
    rows = []
    for name, algorithm in classes().items():
        first = (inspect.getdoc(algorithm) or "").partition("\n")[0]
        rows.append([f"[{algorithm.__name__}]({name}.md)", f"`{name}`", first])
    for name, solver in solvers().items():
        rows.append([f"[{solver.__name__}]({name}.md)", "", (inspect.getdoc(solver) or "").partition("\n")[0]])
    return (
        "# Algorithms\n\nAn algorithm is a frozen object with keyword arguments; `search(position)` returns a "
        "[report](../api.md). `kb.algorithms()` lists them.\n\n" + table(["class", "on the command line", ""], rows)
    )


def command_list() -> str:
    """Every command with its arguments and options, as the command line itself knows them."""
    from kibitz.cli import app
    from typer.main import get_command

    parts = []
    commands: dict[str, Any] = getattr(get_command(app), "commands", {})
    for name, command in commands.items():
        parts += [f"### kibitz {name}", (command.help or "").strip()]
        rows = []
        for each in command.params:
            optional = each.param_type_name == "option"
            spelled = ", ".join(each.opts) if optional else (each.metavar or each.name).strip("[]")
            shown = optional and not isinstance(each.default, (bool, tuple)) and each.default is not None
            default = f"`{each.default}`" if shown else ""
            rows.append([f"`{spelled}`", getattr(each, "help", None) or "", default])
        parts.append(table(["argument", "meaning", "default"], rows) if rows else "")
    return "\n\n".join(parts)


def generate(docs: Path = DOCS) -> dict[str, list[str]]:
    """Writes all pages below `docs` and returns their names by section."""
    for file, (game, text) in IMAGES.items():
        write(docs / "images" / f"{file}.svg", kb.game(game).position(text).svg())
    write(docs / "games" / "index.md", game_index())
    for game in kb.games():
        write(docs / "games" / f"{game}.md", game_page(kb.games().info(game)))
    write(docs / "algorithms" / "index.md", algorithm_index())
    for name, algorithm in classes().items():
        write(docs / "algorithms" / f"{name}.md", algorithm_page(name, algorithm))
    for name, solver in solvers().items():
        write(docs / "algorithms" / f"{name}.md", solver_page(name, solver))
    return {"games": list(kb.games()), "algorithms": [*classes(), *solvers()]}


def on_config(config: Any) -> Any:
    """The hook of MkDocs: writes the pages and puts them into the navigation."""
    sections = generate(Path(config.docs_dir))
    pages = {
        "Games": [{name: f"games/{name}.md"} for name in sections["games"]],
        "Algorithms": [
            {(classes() | solvers())[name].__name__: f"algorithms/{name}.md"} for name in sections["algorithms"]
        ],
    }
    for entry in config.nav:
        for title in pages.keys() & entry.keys():
            entry[title] = [entry[title], *pages[title]]
    return config


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The hook of MkDocs: puts the list of commands into the page of the command line."""
    return markdown.replace("<!-- commands -->", command_list()) if page.file.src_uri == "command-line.md" else markdown


if __name__ == "__main__":
    generate()
