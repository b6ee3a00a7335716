"""The command `reproduce` of Kann, Rothe & Filippova (2018)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from metric_commons.cli.base import output_options
from metric_commons.cli.inputs import reference_columns_option
from metric_commons.files.output import render, write

if TYPE_CHECKING:
    from referenceless_papers.kann.run import Reproduction


@click.command(
    epilog="Example: referenceless reproduce kann ratings.csv --text-column output --quality-column fluency "
    "--reference-columns 'reference_*' --system-column system --plot chart.png"
)
@click.argument("rated_file", required=False)
@click.option("--text-column", default="text", show_default=True, help="Column that holds the texts.")
@click.option("--quality-column", default="quality", show_default=True, help="Column that holds the ratings.")
@click.option("--system-column", help="Column that names the system, for figures by system.")
@click.option("--domain-column", help="Column that names the domain, for figures by domain.")
@click.option("--group-column", help="Column that tells which source a text belongs to, for the regression's folds.")
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Only rows that meet this; may be repeated.")
@click.option("--input-format", help="Format of the input  [default: by suffix]")
@click.option("--stem", is_flag=True, help="Stem tokens for ROUGE (English).")
@reference_columns_option
@click.option("--word-lm", default="word", show_default=True, help="Language model of the Word columns.")
@click.option("--word-unigram", type=click.Path(), help="Its unigram model  [default: the one it carries]")
@click.option("--wordpiece-lm", default="wordpiece", show_default=True, help="Language model of the WP columns.")
@click.option("--wordpiece-unigram", type=click.Path(), help="Its unigram model  [default: the one it carries]")
@click.option("--svr/--no-svr", default=None, help="Regression on ROUGE-L and WPSLOR  [default: with scikit-learn]")
@click.option("--plot", type=click.Path(), help="Write a bar chart, as PNG.")
@output_options
def reproduce(
    rated_file: str | None,
    word_lm: str,
    word_unigram: str | None,
    wordpiece_lm: str,
    wordpiece_unigram: str | None,
    stem: bool,
    svr: bool | None,
    plot: str | None,
    output: str | None,
    format: str,
    input_format: str | None,
    **columns: Any,
) -> None:
    """Evaluate the paper's metrics on rated texts.

    Measured is how well each metric agrees with the ratings, on all texts and by system and by domain.

    RATED_FILE is a .csv, .tsv, .jsonl or .parquet file with a text and a rating a row; or the folder of the
    Microsoft Research Abstractive Text Compression Dataset (Toutanova et al. 2016), whose published figures then
    stand beside the measured ones. Without references, metrics that need them are left out. The table is Markdown.

    Without RATED_FILE, the paper's tables are shown with what each of their figures would need.
    """
    from referenceless_papers.kann.compression_data import read_rated
    from referenceless_papers.kann.paper import paper_cells, paper_markdown
    from referenceless_papers.kann.report import plot as plot_chart
    from referenceless_papers.kann.report import to_json, to_markdown
    from referenceless_papers.kann.run import reproduce
    from slor_metric.estimator import SLOR, WPSLOR

    if rated_file is None:
        _write_paper(None, output, format)
        return
    rated = read_rated(rated_file, format=input_format, **columns)
    word = SLOR(word_lm, unigram=word_unigram, unknown="score")  # the paper's definition
    wordpiece = WPSLOR(wordpiece_lm, unigram=wordpiece_unigram, unknown="score")
    result = reproduce(rated, word=word, wordpiece=wordpiece, stem=stem, svr=svr)
    if plot is not None:
        plot_chart(result, plot)
    if format == "table":
        paper = "\n" + paper_markdown(paper_cells(result)).replace("\n# ", "\n## ") if result.published else ""
        write(to_markdown(result) + paper, output)
    elif format == "json":
        write(json.dumps(to_json(result), ensure_ascii=False, indent=2, allow_nan=False) + "\n", output)
    else:
        write(render(_figures(result), {}, format), output)


def _write_paper(result: Reproduction | None, output: str | None, format: str) -> None:
    """Write the paper's published figures, each beside a measured one or the reason why there is none."""
    from dataclasses import asdict

    from referenceless_papers.kann.paper import paper_cells, paper_markdown

    cells = paper_cells(result)
    if format == "table":
        write(paper_markdown(cells), output)
    else:
        write(render([asdict(cell) for cell in cells], {}, format), output)


def _figures(result: Reproduction) -> list[dict[str, Any]]:
    """One row a metric and set of texts."""
    parts = [("all", result.overall)]
    parts += [("system", section) for section in result.by_system]
    parts += [("domain", section) for section in result.by_domain]
    return [
        {
            "by": by,
            "name": section.name,
            "n": section.n,
            "metric": row.metric,
            "pearson": row.pearson,
            "low": row.interval[0],
            "high": row.interval[1],
            "mse": row.mse,
            "p_below_best": row.p_below_best,
        }
        for by, section in parts
        for row in section.rows
    ]
