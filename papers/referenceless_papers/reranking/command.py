"""The command `reproduce reranking`: whether the picked outputs are those that people rate higher."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from referenceless_papers.reranking.gains import Gain


@click.command(epilog="Example: referenceless reproduce reranking --data-dir data --data webnlg --way fluency")
@click.option("--data-dir", required=True, type=click.Path(), help="Folder that holds webnlg-2020/ and nlg-ratings/.")
@click.option("--data", multiple=True, metavar="NAME", help="Rated data; may be repeated  [default: all]")
@click.option("--way", "ways", multiple=True, metavar="NAME", help="Way to pick; may be repeated  [default: all]")
@click.option(
    "--format", type=click.Choice(("markdown", "json")), default="markdown", show_default=True, help="Output format."
)
def reranking(data_dir: str, data: tuple[str, ...], ways: tuple[str, ...], format: str) -> None:
    """Measure the gain in rating from picking a source's best output by a metric instead of one at random.

    The outputs of several systems were rated by people. Metrics that learn from ratings are trained on other sources
    than those that they pick for (five folds); intervals are of 95 %, from resampled sources.
    """
    from referenceless_papers.reranking.gains import DATA, WAYS, gains

    found = gains(data_dir, data or tuple(DATA), ways or tuple(WAYS))
    if format == "json":
        plain = {name: {way: asdict(gain) for way, gain in own.items()} for name, own in found.items()}
        click.echo(json.dumps(plain, indent=2))
    else:
        click.echo(gains_markdown(found))


def gains_markdown(found: dict[str, dict[str, Gain]]) -> str:
    """Return gains as the documentation shows them: one row per way, one column per set of rated data."""
    from referenceless_papers.reranking.gains import DATA, WAYS

    ways = list(next(iter(found.values())))
    first = [next(iter(own.values())) for own in found.values()]
    rows = [
        ["inputs", *(f"{gain.n_inputs:,}" for gain in first)],
        ["at random: mean rating", *(f"{gain.random:.2f}" for gain in first)],
        *([WAYS[way][0], *(_told(own[way]) for own in found.values())] for way in ways),
        ["people's own ratings (noise included)", *(f"+{gain.best - gain.random:.2f}" for gain in first)],
    ]
    head, rule = ["picked by", *(DATA[name][0] for name in found)], "|---" * (len(found) + 1) + "|"
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return "\n".join([lines[0], rule, *lines[1:]])


def _told(gain: Gain) -> str:
    told = f"{gain.gain:+.2f} [{gain.low:+.2f}, {gain.high:+.2f}]".replace("-", "−")
    return f"**{told}**" if gain.low > 0 else told
