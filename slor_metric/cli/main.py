"""The command line `slor`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from metric_commons.cli.base import input_options, output_options, run
from metric_commons.files.output import render, shorten, write
from metric_commons.files.text_io import read_table, read_texts
from metric_commons.support.errors import InputError
from slor_metric.cli.app import app
from slor_metric.cli.compare import compare
from slor_metric.cli.models import make_metric, model_options
from slor_metric.cli.training import fit_unigram, train_lstm, train_ngram, train_packaged

if TYPE_CHECKING:
    from metric_commons.results import MetricResult
    from slor_metric.reproduction.run import Reproduction

METRICS = ("slor", "wpslor", "rouge_lm")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="referenceless-metrics")
def cli() -> None:
    """Score the fluency of texts with a language model, with or without references."""


for command in (app, compare, train_ngram, train_packaged, train_lstm, fit_unigram):
    cli.add_command(command)


def _overlap_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--stem", is_flag=True, help="Stem tokens for ROUGE (English)."),
        click.option(
            "--reference-columns",
            multiple=True,
            metavar="NAME",
            help="Column with references, by name or pattern ('reference_*'); may be repeated.",
        ),
    ):
        command = option(command)
    return command


@cli.command(epilog="Example: slor score outputs.txt --metric wpslor --format csv -o scores.csv")
@click.argument("file")
@click.option("--metric", type=click.Choice(METRICS), help="[default: wpslor, or rouge_lm where references are given]")
@click.option(
    "--references",
    multiple=True,
    type=click.Path(),
    help="File with a reference for each text, in the same order; may be repeated. A blank line is none.",
)
@model_options
@_overlap_options
@input_options
@output_options
def score(
    file: str,
    metric: str | None,
    references: Sequence[str],
    reference_columns: Sequence[str],
    lm: str,
    unigram: str | None,
    unigram_corpus: str | None,
    lm_options: dict[str, Any],
    stem: bool,
    data_dir: str | None,
    input_format: str | None,
    text_column: str,
    output: str | None,
    format: str,
) -> None:
    """Score texts.

    FILE holds the texts: a .txt (a line a text), .csv, .tsv, .jsonl or .parquet file, - for standard input, or a
    data set such as huse:summarization with --data-dir. rouge_lm needs references: from files (--references), or
    from columns of FILE (--reference-columns).
    """
    given = bool(references or reference_columns)
    name = metric or ("rouge_lm" if given else "wpslor")
    if name == "rouge_lm" and not given:
        raise click.UsageError("rouge_lm needs references: give --references or --reference-columns")
    if name != "rouge_lm" and (given or stem):
        raise click.UsageError(f"{name} reads no references; leave them out, or take --metric rouge_lm")
    if references and reference_columns:
        raise click.UsageError("give --references or --reference-columns, not both")
    if file == "-" and reference_columns:
        raise click.UsageError("--reference-columns needs a file, not standard input")
    texts = read_texts(file, text_column=text_column, format=input_format, data_dir=data_dir)
    lists: list[list[str]] = []
    if reference_columns:
        from slor_metric.rated_outputs import references_of

        lists = references_of(read_table(file, format=input_format), reference_columns)
    elif references:
        lists = _references_from_files(references, len(texts))
    model = make_metric(name, lm, unigram, unigram_corpus, lm_options, stem)
    result = model.score(texts, lists) if lists else model.score(texts)  # type: ignore[call-arg]
    write(_render_scores(name, texts, result, format), output)


def _references_from_files(files: Sequence[str], n_texts: int) -> list[list[str]]:
    lists: list[list[str]] = [[] for _ in range(n_texts)]
    for file in files:
        found = read_texts(file, text_column="reference")
        if len(found) != n_texts:
            raise InputError(f"{file}: expected a reference for each of the {n_texts} texts, but got {len(found)}")
        for texts, reference in zip(lists, found, strict=True):
            if reference.strip():
                texts.append(reference)
    for position, texts in enumerate(lists):
        if not texts:
            raise InputError(f"{', '.join(files)}: no reference for text {position + 1}")
    return lists


def _render_scores(name: str, texts: Sequence[str], result: MetricResult, format: str) -> str:
    table = format == "table"
    columns: dict[str, list[Any]] = {
        "text": [shorten(text) if table else text for text in texts],
        name: result.values.tolist(),
    }
    for part in ("rouge_l", "wpslor", "n_tokens", "nce", "perplexity"):
        if hasattr(result, part):
            columns[part] = getattr(result, part).tolist()
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    summary: dict[str, Any] = {"metric": name, "mean": result.mean, "coverage": result.coverage}
    if hasattr(result, "statistics"):
        summary["statistics"] = result.statistics.as_dict()
    summary |= {"n_texts": len(texts), "signature": result.signature}
    n_scored = len(texts) - int((result.values != result.values).sum())
    mean = (
        f"mean {round(result.mean, 4) + 0.0:.4f} over {n_scored} of {len(texts)} texts"
        if n_scored
        else "no mean: no text is scored"
    )
    lines = ["", f"{mean} (coverage {result.coverage:.3f})"]
    if name == "rouge_lm":
        lines.append("these scores rank the texts of this file among one another: their mean is 0 by construction")
    if n_scored < len(texts):
        lines.append(f"not scored: {len(texts) - n_scored} without a token that the model knows")
    return render(rows, summary, format, lines=[*lines, result.signature])


@cli.command(
    epilog="Example: slor reproduce ratings.csv --text-column output --quality-column fluency "
    "--reference-columns 'reference_*' --system-column system --plot chart.png"
)
@click.argument("rated_file")
@click.option("--text-column", default="text", show_default=True, help="Column that holds the texts.")
@click.option("--quality-column", default="quality", show_default=True, help="Column that holds the ratings.")
@click.option("--system-column", help="Column that names the system, for figures by system.")
@click.option("--domain-column", help="Column that names the domain, for figures by domain.")
@click.option("--group-column", help="Column that tells which source a text belongs to, for the regression's folds.")
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Only rows that meet this; may be repeated.")
@click.option("--input-format", help="Format of the input  [default: by suffix]")
@_overlap_options
@click.option("--word-lm", default="word", show_default=True, help="Language model of the Word columns.")
@click.option("--word-unigram", type=click.Path(), help="Its unigram model  [default: the one it carries]")
@click.option("--wordpiece-lm", default="wordpiece", show_default=True, help="Language model of the WP columns.")
@click.option("--wordpiece-unigram", type=click.Path(), help="Its unigram model  [default: the one it carries]")
@click.option("--svr/--no-svr", default=None, help="Regression on ROUGE-L and WPSLOR  [default: with scikit-learn]")
@click.option("--plot", type=click.Path(), help="Write a bar chart, as PNG.")
@output_options
def reproduce(
    rated_file: str,
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
    """
    from slor_metric.rated_outputs import read_rated_outputs
    from slor_metric.reproduction.report import plot as plot_chart
    from slor_metric.reproduction.report import to_json, to_markdown
    from slor_metric.reproduction.run import reproduce

    rated = read_rated_outputs(rated_file, format=input_format, **columns)
    word = make_metric("slor", word_lm, word_unigram, None, {})
    wordpiece = make_metric("wpslor", wordpiece_lm, wordpiece_unigram, None, {})
    result = reproduce(rated, word=word, wordpiece=wordpiece, stem=stem, svr=svr)
    if plot is not None:
        plot_chart(result, plot)
    if format == "table":
        write(to_markdown(result), output)
    elif format == "json":
        write(json.dumps(to_json(result), ensure_ascii=False, indent=2, allow_nan=False) + "\n", output)
    else:
        write(render(_figures(result), {}, format), output)


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


@cli.command(epilog="Example: slor register, then evaluate.load('wpslor') in Python")
def register() -> None:
    """Make evaluate.load know these metrics by name.

    evaluate.load("slor"), ("wpslor") and ("rouge_lm") then work from any directory.
    """
    from metric_commons.hub.modules import register

    for name in METRICS:
        click.echo(f"registered: {register(name)}")
    click.echo("evaluate.load now knows " + ", ".join(f'"{name}"' for name in METRICS) + " from any directory.")
    click.echo("Without a network, set HF_EVALUATE_OFFLINE=1: evaluate otherwise waits for the Hub first.")


@cli.command(epilog="Example: slor unregister")
def unregister() -> None:
    """Undo `register`."""
    from metric_commons.hub.modules import unregister

    removed = [folder for name in METRICS for folder in unregister(name)]
    for folder in removed:
        click.echo(f"removed: {folder}")
    if not removed:
        click.echo("nothing was registered")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit status."""
    run(cli, arguments)
