"""The command line: `ninefold COMMAND`. Each command is a module of this package, read when it is needed."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import NoReturn

import rich_click as click

from ninefold import __version__

__all__ = ["COMMANDS", "main"]

# In the order of the help. A command is the function `command` of the module of its name; to keep `--help` quick such a
# module imports nothing but click at its top.
COMMANDS = (
    "play", "best", "explain", "solve", "match", "review", "balance", "deal", "show", "check", "puzzle", "analyze",
    "perft", "bench", "plugins", "serve",
)  # fmt: skip


class _Commands(click.RichGroup):
    """The commands of `COMMANDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = import_module(f"ninefold.cli.{cmd_name}").command
        assert isinstance(found, click.Command)
        return found


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="ninefold %(version)s")
def cli() -> None:
    """Best moves, exact solutions and fast search for four modern tabletop games.

    \b
    A position is a small file that says what lies on the table:
      ninefold deal donuts --players 3 > mine.toml    make one, and edit it
      ninefold show mine.toml                         look at it
      ninefold check mine.toml                        is it possible?
      ninefold best mine.toml                         what should I do?
      ninefold explain mine.toml                      why that, and not another one?
      ninefold solve mine.toml                        what could be had, proven?
      ninefold play donuts                            play against the engine
      ninefold puzzle daily                           a puzzle a day
      ninefold match greedy random --game donuts      who plays better?
      ninefold review game.toml                       what did each move give away?
      ninefold balance donuts                         what are seats and cards worth?

    Players are numbered from 0, places from 1. "-" as a file is the standard input.
    """


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 2 for bad input (one or two lines on stderr), 130 after Ctrl-C."""
    from ninefold.errors import NinefoldError

    try:
        code = cli.main(arguments, prog_name="ninefold", standalone_mode=False)
        sys.stdout.flush()
    except NinefoldError as error:
        _exit(str(error), 2)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "ninefold"
        _exit(f"{error.format_message()}\nfor help: {where} --help", 2)
    except click.ClickException as error:
        _exit(error.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        _exit("stopped", 130)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)


def _exit(message: str, code: int) -> NoReturn:
    print(f"ninefold: {message}", file=sys.stderr)
    sys.exit(code)
