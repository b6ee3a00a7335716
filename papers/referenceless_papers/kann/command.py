"""The command `reproduce` of Kann, Rothe & Filippova (2018)."""

from __future__ import annotations

from typing import Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.command_line.references_and_sources import REFERENCE_COLUMNS
from referenceless_metrics.core.files.reading import Reading
from referenceless_papers.common.report import report_options


@click.command(
    cls=ShortHelp,
    epilog="Example: referenceless reproduce kann ratings.csv --text-column output --rating-column fluency "
    "--reference-columns 'reference_*' --system-column system -o out/",
)
@click.argument("rated_file", required=False)
@click.option("--text-column", default="text", show_default=True, help="Column that holds the texts.")
@click.option("--rating-column", default="rating", show_default=True, help="Column that holds the ratings.")
@click.option("--system-column", help="Column that names the system, for figures by system.")
@click.option("--domain-column", help="Column that names the domain, for figures by domain.")
@click.option("--group-column", help="Column that tells which source a text belongs to, for the regression's folds.")
@adding(*READING)
@click.option("--stem", is_flag=True, help="Stem tokens for ROUGE (English).")
@adding(REFERENCE_COLUMNS)
@click.option("--word-lm", default="word", show_default=True, help="Language model of the Word columns.")
@click.option("--word-unigram", type=click.Path(), help="Its unigram model  [default: the one it carries]")
@click.option("--wordpiece-lm", default="wordpiece", show_default=True, help="Language model of the WP columns.")
@click.option("--wordpiece-unigram", type=click.Path(), help="Its unigram model  [default: the one it carries]")
@click.option("--svr/--no-svr", default=None, help="Regression on ROUGE-L and WPSLOR  [default: from ten texts]")
@report_options
def reproduce(
    rated_file: str | None,
    word_lm: str,
    word_unigram: str | None,
    wordpiece_lm: str,
    wordpiece_unigram: str | None,
    stem: bool,
    svr: bool | None,
    output: str | None,
    format: str,
    reading: Reading,
    **columns: Any,
) -> None:
    """Evaluate the paper's metrics on rated texts.

    Each metric's agreement with the ratings is measured on all texts and by system and by domain.

    RATED_FILE is a .csv, .tsv, .jsonl or .parquet file with a text and a rating per row; or the folder of the Microsoft
    Research Abstractive Text Compression Dataset (Toutanova et al. 2016), whose published figures then stand beside the
    measured ones. Without references, metrics that need them are left out.

    Without RATED_FILE, the paper's tables are shown with the data that each of their figures would need. With -o,
    Markdown, JSON and a bar chart are written to a folder.
    """
    from referenceless_papers.kann.compression_data import read_rated
    from referenceless_papers.kann.paper import report
    from referenceless_papers.kann.run import reproduce
    from slor_metric.estimator import SLOR, WPSLOR

    result = None
    if rated_file is not None:
        rated = read_rated(rated_file, reading=reading, **columns)
        word = SLOR(word_lm, unigram=word_unigram, unknown="score")  # the paper's definition
        wordpiece = WPSLOR(wordpiece_lm, unigram=wordpiece_unigram, unknown="score")
        result = reproduce(rated, word=word, wordpiece=wordpiece, stem=stem, svr=svr)
    report(result).show(output, format)
