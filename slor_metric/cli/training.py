"""The commands `referenceless train …`: n-grams, unigram tables, measures fitted to ratings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.command_line.output_options import Output, progress_option
from referenceless_metrics.command_line.parameter_options import given, options_of
from referenceless_metrics.command_line.rated_text_options import RATING_COLUMN
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.command_line.text_options import INPUT, TEXT_COLUMN
from referenceless_metrics.core.files.atomic import check_destination
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.registry import metric_spec
from slor_metric.estimator import SLOR
from slor_metric.language_models.ngram.training import train_ngram as train_ngram_model


def corpus_of(files: Sequence[str]) -> Any:
    """Return files as a corpus; standard input is read as a stream, line by line."""
    from slor_metric.language_models.unigram import read_stream

    if "-" not in files:
        return str(files[0]) if len(files) == 1 else [Path(file) for file in files]
    if len(files) > 1:
        raise click.UsageError("standard input stands by itself, without other files")
    return read_stream(sys.stdin.buffer, "standard input")


def trains(output: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the parameters of every command on a corpus: CORPUS, --output and --progress."""
    file = Output(["-o", "--output"], required=True, help=output)
    taken = adding(click.Argument(["corpus"], nargs=-1, required=True), file)
    return lambda command: taken(progress_option(command))


def train_on(train: Callable[..., Any], corpus: Sequence[str], output: str, options: dict[str, Any]) -> Any:
    """Train a model, print a summary of it, and return it."""
    model = train(corpus_of(corpus), output, **given(options))
    click.echo(f"{output}: {model!r}  {model.signature}", err=True)
    return model


@click.command(
    "ngram",
    cls=ShortHelp,
    epilog="Example: referenceless train ngram corpus.txt.xz --order 4 -o model.safetensors",
)
@trains("Model file to write (.safetensors).")
@adding(*options_of(train_ngram_model, without=("corpus", "out")))
@click.option("--arpa", cls=Output, help="Write the n-grams as an ARPA file too.")
def train_ngram(corpus: Sequence[str], output: str, arpa: str | None, **options: Any) -> None:
    """Train an n-gram model with its unigram counts.

    The estimates are modified Kneser-Ney.

    CORPUS is UTF-8 text, one sentence per line; .xz, .gz and .bz2 are decompressed; - for standard input.
    """
    if arpa is not None:
        check_destination(arpa)
    model = train_on(train_ngram_model, corpus, output, options)
    if arpa is not None:
        model.to_arpa(arpa)


@click.command(
    "unigram",
    epilog="Example: referenceless train unigram corpus.txt --tokenizer openai-community/gpt2 -o counts.safetensors",
)
@trains("Unigram file to write (.safetensors).")
@click.option(
    "--tokenizer",
    required=True,
    help="words, whitespace, wordpiece (the packaged model's), or the name or path of a Hugging Face tokeniser.",
)
def fit_unigram(corpus: Sequence[str], output: str, tokenizer: str, progress: bool | None) -> None:
    """Count tokens: the unigram model of SLOR.

    CORPUS is UTF-8 text, one sentence per line; .xz, .gz and .bz2 are decompressed; - for standard input.
    """
    text = corpus_of(corpus)
    if tokenizer in ("words", "whitespace", "wordpiece"):
        from slor_metric.language_models.unigram import fit_unigram

        rule, vocabulary = tokenizer, ()
        if tokenizer == "wordpiece":
            from slor_metric.language_models import load_language_model

            packaged: Any = load_language_model("wordpiece")
            rule, vocabulary = packaged.tokenizer, packaged.unigram.tokens
        table = fit_unigram(text, rule, output, vocabulary=vocabulary, progress=progress)
    else:
        from slor_metric.language_models.hf.base import fit_unigram as fit_hf_unigram
        from slor_metric.language_models.hf.loading import open_tokenizer

        table = fit_hf_unigram(open_tokenizer(tokenizer), text, progress=progress)
        table.save(output)
    click.echo(f"{output}: {len(table)} token types, {int(table.counts.sum())} tokens  {table.signature}", err=True)


@click.command(
    "measure",
    cls=ShortHelp,
    epilog="Example: referenceless train measure pool.csv --metric wpslor -o measure.safetensors",
)
@click.argument("rated_file", type=INPUT)
@click.option("-o", "--output", cls=Output, required=True, help="File to write (.safetensors).")
@click.option(
    "--metric",
    type=click.Choice(("slor", "wpslor", "fluency", "fluency_ngram")),
    default="wpslor",
    help="The metric that it is for.",
)
@adding(
    TEXT_COLUMN,
    RATING_COLUMN,
    *READING,
    *options_of(SLOR, without=("unknown", "max_unknown", "measure")),
)
def fit_measure(
    rated_file: str,
    output: str,
    metric: str,
    text_column: str,
    rating_column: str,
    reading: Reading,
    **models: Any,
) -> None:
    """Fit log-probabilities to ratings, and report the gain beyond text length.

    RATED_FILE is a table, such as .csv, with a text and a rating per row.
    """
    from slor_metric.fluency.constants import NEURAL_LMS

    check_destination(output)
    make: Any = metric_spec(metric).maker()
    if metric == "fluency" and (models.pop("unigram") is not None or models["lm"] not in (None, *NEURAL_LMS)):
        raise click.UsageError(f"fluency has models of its own: --lm {' or '.join(NEURAL_LMS)}, and no unigram model")
    if metric == "fluency_ngram" and (models.pop("unigram") is not None or models.pop("lm") is not None):
        raise click.UsageError("fluency_ngram has models of its own: it takes neither --lm nor --unigram")
    table = read_table(rated_file, reading)
    texts, scorer = table.texts(text_column), make(**given(models))
    scorer.fit(texts, table.numbers(rating_column, "--rating-column"))
    scorer.measure_.save(output)
    click.echo(f"{output}: {scorer.measure_.summary}", err=True)
