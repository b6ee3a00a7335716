"""The commands of `referenceless hub`: `metrics`, `register`, `unregister` and `publish`."""

from __future__ import annotations

import importlib

import click

from referenceless_metrics.core.registry import metric_names, metric_spec, metric_specs
from referenceless_metrics.frameworks.hub.modules import module_names


@click.command(epilog="Example: referenceless hub metrics")
def metrics() -> None:
    """List the metrics that are installed."""
    for spec in metric_specs():
        reads = ["references"] if spec.needs_references else []
        reads += ["sources, unless your rated texts have none"] if spec.needs_sources else []
        told = f" (reads {' and '.join(reads)})" if reads else ""
        click.echo(f"{spec.name:<20} {spec.title}{told}")


def _known(ctx: click.Context, param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Check names when they are given: others may have registered metrics by then."""
    return tuple(click.Choice(module_names()).convert(name, param, ctx) for name in names)


#: The argument of metrics' names; None means all.
_names = click.argument("names", nargs=-1, callback=_known)


def _import_evaluate() -> None:
    """Import `evaluate`, which knows its cache folder, and say so: it may take a minute the first time."""
    click.echo("Importing evaluate, which may take a minute the first time.", err=True)
    importlib.import_module("evaluate")


@click.command(epilog="Example: referenceless hub register wpslor, then evaluate.load('wpslor') in Python")
@_names
def register(names: tuple[str, ...]) -> None:
    """Make evaluate.load know metrics by name, from any directory; all of them if none is named."""
    from referenceless_metrics.frameworks.hub import modules

    chosen = names or module_names()
    _import_evaluate()
    for number, name in enumerate(chosen, start=1):
        click.echo(f"Registering {name} ({number} of {len(chosen)}).", err=True)
        click.echo(f"registered: {modules.register(name)}")
    click.echo("evaluate.load now knows " + ", ".join(f'"{name}"' for name in chosen) + " from any directory.")
    click.echo("Without a network, set HF_EVALUATE_OFFLINE=1: evaluate otherwise waits for the Hub first.")


@click.command(epilog="Example: referenceless hub unregister")
@_names
def unregister(names: tuple[str, ...]) -> None:
    """Undo `register`."""
    from referenceless_metrics.frameworks.hub import modules

    _import_evaluate()
    removed = [folder for name in names or module_names() for folder in modules.unregister(name)]
    for folder in removed:
        click.echo(f"removed: {folder}")
    if not removed:
        click.echo("nothing was registered")


def _metric(context: click.Context, parameter: click.Parameter, name: str) -> str:
    """Check the name of a metric that has a page."""
    return str(click.Choice(metric_names()).convert(name, parameter, context))


@click.command(epilog="Example: referenceless hub publish slor --to OWNER/slor --dry-run space/")
@click.argument("name", callback=_metric)
@click.option("--to", "repo_id", required=True, metavar="OWNER/REPO", help="Repository on the Hub.")
@click.option("--pool", type=click.Path(), help="File that `fit` wrote: publish a metric of your own ratings.")
@click.option("--license", metavar="ID", help="Licence under which that file may be handed on, such as cc-by-4.0.")
@click.option("--dry-run", type=click.Path(), metavar="DIR", help="Write the folder here, try it, and upload nothing.")
@click.option("--no-build", is_flag=True, help="Do not try it: building its environment takes minutes.")
@click.option("--token", help="Token that may write  [default: HF_TOKEN, or the one that `hf auth login` saved]")
@click.option("--private/--public", default=None, help="Visibility of a new repository  [default: the owner's default]")
def publish(
    name: str,
    repo_id: str,
    dry_run: str | None,
    no_build: bool,
    token: str | None,
    private: bool | None,
    **fitted: str | None,
) -> None:
    """Publish a metric as a Space on the Hugging Face Hub.

    With --pool it is a metric of your own, which evaluate.load("OWNER/REPO") finds with its ratings.

    The repository is created or brought up to date; its other files stay. An upload that was interrupted is safe to
    run again. A dry run builds the Space's environment, opens its page there and scores a text, and reports errors.
    """
    from referenceless_metrics.frameworks.hub import publish as publishing
    from referenceless_metrics.frameworks.hub.trial import try_space

    if fitted["pool"] is not None and fitted["license"] is None:
        raise click.UsageError(
            "the Space hands on what was learned from rated texts, and may hold the texts: whose are they, and under "
            "which licence may they be handed on? Give --license"
        )
    if dry_run is None:
        click.echo(f"published: {publishing.publish(name, repo_id, token=token, private=private, **fitted)}")
        return
    folder = publishing.assemble(name, repo_id, dry_run, **fitted)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        click.echo(f"{path}  {path.stat().st_size:,} bytes")
    click.echo(f"not uploaded; on the Hub this would be the space {repo_id}")
    click.echo(f'it loads with evaluate.load("{folder / repo_id.split("/")[1]}.py")')
    if no_build:
        needed = " and ".join((folder / "requirements.txt").read_text(encoding="utf-8").split())
        click.echo(f"not tried: the Space builds only if pip finds {needed} on an index")
        return
    is_scored = fitted["pool"] is not None or metric_spec(name).fit is None  # else there is no pool of rated texts
    for sentence in try_space(folder, repo_id.split("/")[1], is_scored=is_scored):
        click.echo(sentence, err=True)
