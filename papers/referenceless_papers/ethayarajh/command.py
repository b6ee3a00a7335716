"""The command `referenceless reproduce ethayarajh`."""

from __future__ import annotations

from pathlib import Path

import click

from metric_commons.files.output import OUTPUT_FORMATS, render, write

PART_NAMES = (
    "settings",
    "humans",
    "table-1",
    "table-2",
    "low-hanging-fruit",
    "table-3",
    "references",
    "figures-2-3",
    "figure-4",
    "kernels",
    "subsampling",
    "huse",
    "beyond-huse",
    "beyond-nlg",
)


@click.command(epilog="Example: referenceless reproduce ethayarajh --data-dir data -o out/")
@click.option(
    "--data-dir", required=True, type=click.Path(), help="Folder that holds huse/, asap-sas/ and nlg-ratings/."
)
@click.option("-o", "--output", type=click.Path(file_okay=False), help="Folder to write Markdown, JSON and figures to.")
@click.option("--part", "parts", multiple=True, type=click.Choice(PART_NAMES), help="Part to measure; repeatable.")
@click.option("--embeddings", type=click.Path(), help="Word vectors (GloVe, word2vec text), for mover's similarity.")
@click.option("--encoder", help="Local encoder, for BERTScore.")
@click.option(
    "--format",
    type=click.Choice(OUTPUT_FORMATS),
    default="table",
    show_default=True,
    help="Format on standard output.",
)
def reproduce(
    data_dir: str,
    output: str | None,
    parts: tuple[str, ...],
    embeddings: str | None,
    encoder: str | None,
    format: str,
) -> None:
    """Measure the paper's tables and figures beside the published ones.

    With -o, all parts (or those that --part names) are written to a folder. Without it, cells are printed: of the
    parts named, or else of BLEU Neighbors' rows in Tables 1 and 3.
    """
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from referenceless_papers.ethayarajh.run import Sources, mean_difference, reproduce_parts
    from referenceless_papers.ethayarajh.run import reproduce as quick

    if output is None and not parts:
        cells, missing = quick(data_dir)
    else:
        sources = Sources(Path(data_dir), embeddings, encoder)
        results = reproduce_parts(sources, parts or None, tell=lambda line: click.echo(line, err=True))
        if output is not None:
            from referenceless_papers.ethayarajh.report import write_reproduction

            written, _ = write_reproduction(results, BLEUNeighbors().signature, output)
            for path in written:
                click.echo(path)
            return
        cells = [cell for result in results.values() for cell in result.cells]
        missing = [f"missing: {each}" for result in results.values() for each in result.missing]
    lines = ["", *missing]
    if any(cell.table.startswith("Table 3, trained") for cell in cells):
        difference = mean_difference(cells, "Table 3", "Spearman")
        lines.append(f"Table 3: mean absolute difference of Spearman {difference:.4f}")
    write(render([cell.as_row() for cell in cells], {"missing": missing}, format, lines=lines), None)
