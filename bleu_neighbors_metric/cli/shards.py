"""The commands `tally` and `merge`: pools that one machine does not hold."""

from __future__ import annotations

from typing import Any

import click

from bleu_neighbors_metric.cli.options import parameter_options, quality_option
from metric_commons.cli.base import input_options, output_options, progress_option
from metric_commons.cli.metric_options import given
from metric_commons.cli.score import result_lines
from metric_commons.files.output import ROWS_ALONE, render, write
from metric_commons.files.tables import FORMATS
from metric_commons.files.text_io import read_rated, read_texts


@click.command(epilog="Example: referenceless tally outputs.txt --pool ratings.parquet --shard 2/7 -o 2.tally")
@click.argument("file", required=False)
@click.option("--pool", required=True, help="Rated texts: the whole pool, in the same order for every shard.")
@click.option("--pool-format", type=click.Choice(FORMATS), help="Format of the pool  [default: by suffix]")
@click.option("--pool-text-column", default="text", show_default=True, help="Column of the pool's texts.")
@quality_option
@click.option("--shard", "shard_text", required=True, metavar="I/K", help="Which of K shards, counted from 1.")
@click.option("-o", "--output", required=True, type=click.Path(), help="Tally file to write.")
@input_options
@parameter_options
@progress_option
def tally(
    file: str | None,
    pool: str,
    pool_format: str | None,
    pool_text_column: str,
    quality_column: str,
    shard_text: str,
    output: str,
    input_format: str | None,
    text_column: str,
    data_dir: str | None,
    **parameters: Any,
) -> None:
    """Tally the neighbours of texts in one shard of a pool, for `merge`.

    FILE holds the texts; without it, each distinct text of the pool is estimated from all others. The shards of a pool
    can be tallied one after another or on many machines: merged, they give the numbers of one machine, bit for bit
    (weights by similarity: up to rounding).
    """
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.shards.tally import Shard, tally_shard
    from bleu_neighbors_metric.shards.tally_file import write_tally

    if output == "-":
        raise click.UsageError("a tally is a binary file: name one with -o")
    if file == "-" and pool == "-":
        raise click.UsageError("standard input can be read once: as the texts or the pool")
    shard = Shard.parse(shard_text)
    rated = read_rated(
        pool, text_column=pool_text_column, quality_column=quality_column, format=pool_format, data_dir=data_dir
    )
    reading = {"text_column": text_column, "format": input_format, "data_dir": data_dir}
    candidates = None if file is None else read_texts(file, **reading)  # type: ignore[arg-type]  # strings or None
    found = tally_shard(BLEUNeighbors(**given(parameters)), rated.texts, rated.quality, shard, candidates)
    write_tally(output, found)
    click.echo(f"{output}: shard {shard}, {len(found.empty)} texts  {found.whole.signature}", err=True)


@click.command(epilog="Example: referenceless merge *.tally --format csv -o estimates.csv")
@click.argument("tallies", nargs=-1, required=True)
@output_options
def merge(tallies: tuple[str, ...], output: str | None, format: str) -> None:
    """Merge the tallies of all shards of a pool to estimates.

    A row a text, in the order in which `tally` read them; rows are counted from 1.
    """
    from bleu_neighbors_metric.shards.tally import merge as merged
    from bleu_neighbors_metric.shards.tally_file import read_tally

    result = merged([read_tally(path) for path in tallies])
    columns = zip(result.values.tolist(), result.n_neighbors.tolist(), result.reasons, strict=True)
    rows = [
        {"row": row, "value": value, "n_neighbors": n, "reason": reason or ("" if format == "table" else None)}
        for row, (value, n, reason) in enumerate(columns, start=1)
    ]
    summary = {
        "mean": result.mean,
        "coverage": result.coverage,
        "n_texts": len(result),
        "abstentions": dict(result.abstentions),
        **result.details,
        "signature": result.signature,
    }
    lines = result_lines(result)
    write(render(rows, summary, format, lines=["", *lines]), output)
    if format in ROWS_ALONE:
        click.echo("\n".join(lines), err=True)
