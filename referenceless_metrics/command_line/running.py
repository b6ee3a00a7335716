"""The run of a command line: exit status, errors in one line, standard streams.

What explains an error is imported when there is one: it needs numpy, which takes longer than the help of a command.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
import warnings
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from referenceless_metrics.command_line.streams import give_up_standard_output, guard_standard_streams
from referenceless_metrics.core.files.escaping import one_line

if TYPE_CHECKING:
    from referenceless_metrics.command_line.proposing import Propose

_GATES = ("--fail-if-worse", "--fail-under")
"""Options that make 1 the status of a verdict; errors then leave with 2."""

_USER_ERRORS = (ValueError, TypeError, OSError, RuntimeError, ImportError)


def run(
    group: click.Group,
    arguments: Sequence[str] | None = None,
    propose: Propose | None = None,
) -> None:
    """Run a command line and leave: 0 done, 1 bad input, 2 wrong usage, 130 interrupted.

    With a gate (`--fail-if-worse`, `--fail-under`) 1 and 3 are verdicts, and 2 is any error.

    Bad input is reported on standard error: notes on assumptions (`note: …`), one line that says why the command left
    (`error: …`), and below it command lines that fit the files, if it is about their content.

    Set the environment variable `METRICS_TRACEBACK=1` to see the traceback behind an error.

    Args:
        group: the command line.
        arguments: the typed arguments; None for the arguments of the process.
        propose: returns command lines that fit some files. They end the message if a command cannot use its files'
            content; options, counts and settings are no fault of the files.
    """
    warnings.showwarning = partial(_show_warning, set())
    guard_standard_streams()
    typed = tuple(sys.argv[1:] if arguments is None else arguments)  # pages name it
    has_gate = any(word.partition("=")[0] in _GATES for word in typed)
    of_errors = 2 if has_gate else 1
    try:
        status = group.main(args=arguments, standalone_mode=False, obj=typed)
        sys.stdout.flush()
    except click.UsageError as error:
        from referenceless_metrics.command_line.proposing import FilesUsageError

        _explained(error).show()
        if isinstance(error, FilesUsageError):
            _propose(error.format_message(), group, typed, propose)
        status = error.exit_code
    except click.ClickException as error:
        error.show()
        status = of_errors
    except (*_USER_ERRORS, MemoryError, click.Abort, KeyboardInterrupt) as error:
        if _was_interrupted(error):
            click.echo("interrupted", err=True)
            sys.exit(130)
        if os.environ.get("METRICS_TRACEBACK"):
            if has_gate:
                _leave_with_traceback(of_errors)
            raise
        message = str(error)
        if isinstance(error, MemoryError):
            message = f"ran out of memory ({message}): give fewer or shorter texts at once, or a smaller pool"
        elif isinstance(error, ModuleNotFoundError) and message.startswith("No module named"):
            message = f"this needs {error.name}, which is not installed: pip install {error.name}"
        click.echo(f"error: {one_line(_with_options(message, group, typed))}", err=True)
        if _is_on_files(error, message, group, typed):
            _propose(message, group, typed, propose)
        status = of_errors
        give_up_standard_output()
    except Exception:
        if not has_gate:
            raise
        _leave_with_traceback(of_errors)
    sys.exit(status if isinstance(status, int) else 0)


def _is_on_files(error: BaseException, message: str, group: click.Group, typed: Sequence[str]) -> bool:
    """Say whether an error is about the content of the files that were given."""
    from referenceless_metrics.command_line.proposing import begins_with_file
    from referenceless_metrics.core.support.validation import ContentsError

    return isinstance(error, ContentsError) or begins_with_file(message, group, typed)


def _explained(error: click.UsageError) -> click.UsageError:
    """Return an error on a missing or unknown option as one that explains the option; any other as it is."""
    if isinstance(error, click.NoSuchOption):
        from referenceless_metrics.command_line.unknown_options import unknown_option

        return click.UsageError(unknown_option(error), error.ctx)
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Option):
        return click.MissingParameter(error.param.help or "", ctx=error.ctx, param=error.param)
    return error


def _leave_with_traceback(status: int) -> None:
    """Show a traceback and leave with a status: Python itself would leave with 1, which is a verdict of a gate."""
    traceback.print_exc()
    sys.exit(status)


def _with_options(message: str, group: click.Group, typed: Sequence[str]) -> str:
    """Return a message with options of the command line in place of arguments of Python."""
    from referenceless_metrics.command_line.proposing import command_context

    flags = set(re.findall(r"(?m)^--[\w-]+", "\n".join(typed)))
    context = command_context(group, typed)
    if context is not None:
        options = context.command.get_params(context)
        flags |= {name for option in options for name in option.opts if name.startswith("--")}
    for flag in flags:
        name = flag[2:].replace("-", "_")
        message = message.replace(f"argument `{name}`", f"option {flag}").replace(f"`{name}`", flag)
    return message


def _propose(message: str, group: click.Group, typed: Sequence[str], propose: Propose | None) -> None:
    """Say which command lines fit the files that a command was given."""
    from referenceless_metrics.command_line.proposing import proposed_lines

    lines = [] if propose is None else proposed_lines(message, group, typed, propose)
    if lines:
        click.echo("\n".join(lines), err=True)


def _was_interrupted(error: BaseException | None) -> bool:
    """Return whether an interrupt caused an error. Some libraries turn one into an ImportError."""
    while error is not None and not isinstance(error, (KeyboardInterrupt, click.Abort)):
        error = error.__cause__ or error.__context__
    return error is not None


def _show_warning(shown: set[str], message: Warning | str, category: type[Warning], *_: Any) -> None:
    """Print a warning that was not shown yet: several metrics may assume the same of one file."""
    from referenceless_metrics.core.files.reading import InputNote

    kind = "note" if issubclass(category, InputNote) else "warning"
    line = f"{kind}: {one_line(str(message))}"
    if line not in shown:
        shown.add(line)
        click.echo(line, err=True)
