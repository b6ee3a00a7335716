"""The commands `metrics`, `register` and `unregister`."""

from __future__ import annotations

import click

from metric_commons.registry import metric_specs


@click.command(epilog="Example: referenceless metrics")
def metrics() -> None:
    """List the metrics that are installed."""
    for spec in metric_specs():
        reads = " and ".join(
            name for name, needed in (("references", spec.needs_references), ("sources", spec.needs_sources)) if needed
        )
        click.echo(f"{spec.name:<20} {spec.title}{f' (reads {reads})' if reads else ''}")


def _names(names: tuple[str, ...]) -> tuple[str, ...]:
    family = getattr(click.get_current_context().find_root().command, "family", None)
    known = tuple(spec.name for spec in metric_specs(family))
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(map(repr, known))}", param_hint="NAME")
    return names or known


@click.command(epilog="Example: referenceless register wpslor, then evaluate.load('wpslor') in Python")
@click.argument("names", nargs=-1)
def register(names: tuple[str, ...]) -> None:
    """Make evaluate.load know metrics by name, from any directory; all of them where none is named."""
    from metric_commons.hub.modules import register

    chosen = _names(names)
    for name in chosen:
        click.echo(f"registered: {register(name)}")
    click.echo("evaluate.load now knows " + ", ".join(f'"{name}"' for name in chosen) + " from any directory.")
    click.echo("Without a network, set HF_EVALUATE_OFFLINE=1: evaluate otherwise waits for the Hub first.")


@click.command(epilog="Example: referenceless unregister")
@click.argument("names", nargs=-1)
def unregister(names: tuple[str, ...]) -> None:
    """Undo `register`."""
    from metric_commons.hub.modules import unregister

    removed = [folder for name in _names(names) for folder in unregister(name)]
    for folder in removed:
        click.echo(f"removed: {folder}")
    if not removed:
        click.echo("nothing was registered")
