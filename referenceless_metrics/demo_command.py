"""The command `referenceless demo`."""

from __future__ import annotations

import sys

import click


@click.command(epilog="Example: referenceless demo --files example/")
@click.option("--files", type=click.Path(), help="Folder to write the example files to, for commands of your own.")
def demo(files: str | None) -> None:
    """Show every metric on packaged examples, in a minute. Needs no network and no data.

    One table a metric, an abstention with its reason, a claim that is refused and why, and what to run next. The first
    use after installation compiles some functions, which takes a part of that minute.
    """
    from referenceless_metrics.demo import HEADING, NEXT, sections, write_example_files

    click.echo(f"{HEADING}\n")
    for section in sections():
        click.echo(section)
        sys.stdout.flush()
    click.echo(NEXT.rstrip())
    if files is not None:
        written = write_example_files(files)
        click.echo(f"\nExample files: {', '.join(str(path) for path in written)}", err=True)
