"""The command `kibitz`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

import kibitz as kb
from kibitz.cli import (
    analyze,
    bench,
    complexity,
    db,
    games,
    match,
    measure,
    optimise,
    play,
    reproduce,
    serve,
    show,
    solve,
    stored,
    tour,
    tournament,
    train,
    tune,
    verify,
)
from kibitz.cli.terminal import err, out, reason

__all__ = ["app", "main"]

# The class of all errors of usage, in Typer's own Click and, before Typer had one, in the package click.
_Usage = cast("type[Exception]", typer.BadParameter.__mro__[2])


class _Commands(TyperGroup):
    """Commands whose failures are one line and an exit code: 2 for what the user can mend, 130 for Ctrl-C."""

    def main(self, *args: Any, **extra: Any) -> Any:
        standalone = extra.pop("standalone_mode", True)
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except (kb.Error, OSError) as error:
            code = _fail(reason(error))
        except _Usage as error:
            code = _fail(_usage(error))
        except typer.Abort:
            code = 130
        if code == 130:
            err.print("kibitz: interrupted")
        if standalone:
            sys.exit(code if isinstance(code, int) else 0)
        return code


def _usage(error: Any) -> str:
    where = error.ctx.command_path if getattr(error, "ctx", None) else "kibitz"
    return f"{error.format_message().rstrip('.')}; see {where} --help"


def _fail(message: str) -> int:
    line = " ".join(message.split())
    err.print(f"kibitz: {line}", markup=False, style="red", soft_wrap=True)
    return 2


app = typer.Typer(
    name="kibitz",
    cls=_Commands,
    help="A laboratory for selective search in games.",
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_COMMANDS: tuple[Callable[..., None], ...] = (
    games.games,
    show.show,
    analyze.analyze,
    play.play,
    serve.serve,
    match.match,
    tournament.tournament,
    stored.games_of,
    stored.export,
    complexity.complexity,
    reproduce.reproduce,
    tune.tune,
    train.train,
    optimise.optimise,
    solve.solve,
    measure.perft,
    measure.playouts,
    verify.verify,
    bench.bench,
    tour.demo,
)
for command in _COMMANDS:
    app.command()(command)
app.add_typer(db.app, name="db")


def _version(wanted: bool) -> None:
    if wanted:
        out.print(f"kibitz {kb.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def kibitz(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """A laboratory for selective search in games."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """Runs the command line."""
    app()
