"""The command `compile`."""

from __future__ import annotations

import click


@click.command("compile", epilog="Example: RUN referenceless compile, as the last line of a Dockerfile")
def compile_command() -> None:
    """Compile all functions now, so that no process waits for it later.

    The machine code goes beside the package where that can be written, as when an image is built; processes read it
    there also where it cannot, or as another user. It holds for the kind of processor that it was compiled on:
    set NUMBA_CPU_NAME=generic, here and later, for machines that differ.
    """
    from referenceless_metrics.compiling import compile_all

    for folder, count in sorted(compile_all().items()):
        click.echo(f"{count:>3} functions in {folder}")
