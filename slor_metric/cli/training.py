"""The commands of `slor` that make models: train-ngram, train-lstm, fit-unigram."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from metric_commons.cli.base import numbers, progress_option
from metric_commons.files.atomic import check_destination
from metric_commons.support.errors import InputError


def _corpus(files: Sequence[str]) -> Any:
    """Return files as a corpus; standard input is read as a stream, line by line."""
    if "-" not in files:
        return str(files[0]) if len(files) == 1 else [Path(file) for file in files]
    if len(files) > 1:
        raise click.UsageError("standard input stands by itself, without other files")
    return _standard_input()


def _standard_input() -> Iterator[str]:
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise InputError(f"standard input:{number}: not UTF-8") from None


@click.command(
    "ngram",
    epilog="Example: referenceless train ngram corpus.txt.xz --tokenizer wordpiece --order 4 -o model.npz",
)
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--output", required=True, type=click.Path(), help="Model file to write (.npz).")
@click.option("--language", metavar="CODE", help="Language of the corpus, such as ru or ja; settles the tokenizer.")
@click.option("--order", type=int, help="Length of the longest n-grams  [default: 6 of characters, else 4]")
@click.option(
    "--tokenizer",
    type=click.Choice(("words", "wordpiece", "whitespace", "characters")),
    help="How text is cut into tokens; whitespace for text that is tokenised already  "
    "[default: by --language, else words]",
)
@click.option("--vocab-size", type=int, help="Tokens that the model knows  [default: all; 8000 WordPieces]")
@click.option(
    "--prune", callback=numbers(int), metavar="N,N,…", help="For each order, drop n-grams seen at most so often."
)
@click.option("--max-ngrams", type=int, help="Keep so many n-grams of orders 2 and up, by entropy.")
@click.option("--quantise/--no-quantise", default=None, help="Store in 8 bits  [default: with --max-ngrams]")
@click.option("--oov", type=click.Choice(("unk", "skip")), default="unk", show_default=True, help="Unknown tokens.")
@click.option("--arpa", type=click.Path(), help="Write the n-grams as an ARPA file too.")
@progress_option
def train_ngram(corpus: Sequence[str], output: str, arpa: str | None, progress: bool | None, **options: Any) -> None:
    """Train an n-gram model with its unigram counts.

    The estimates are modified Kneser-Ney.

    CORPUS is UTF-8 text, a sentence a line; .xz, .gz and .bz2 are decompressed; - for standard input.
    """
    from slor_metric.language_models.ngram import train_ngram

    if arpa is not None:
        check_destination(arpa)
    model = train_ngram(_corpus(corpus), output, progress=progress, **options)
    if arpa is not None:
        model.to_arpa(arpa, progress=progress)
    click.echo(f"{output}: {model!r}  {model.signature}", err=True)


@click.command("classes", epilog="Example: referenceless train classes english.txt.xz -o models")
@click.argument("corpus", type=click.Path())
@click.option("-o", "--output", required=True, type=click.Path(), help="Folder to write the files to.")
@progress_option
def train_classes(corpus: str, output: str, progress: bool | None) -> None:
    """Train word classes and class n-grams on a corpus, and report on them as JSON.

    It takes some minutes and up to 3 GB of memory.
    """
    from slor_metric.fluency.class_training import train_class_model

    click.echo(json.dumps(train_class_model(Path(corpus), Path(output), progress=progress), indent=2))


@click.command(
    "unigram",
    epilog="Example: referenceless train unigram corpus.txt --tokenizer HuggingFaceTB/SmolLM2-135M -o counts.npz",
)
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--output", required=True, type=click.Path(), help="Unigram file to write (.npz).")
@click.option(
    "--tokenizer",
    required=True,
    help="words, whitespace, wordpiece (the packaged model's), or the name or path of a Hugging Face tokeniser.",
)
@click.option("--smoothing", type=float, default=1.0, show_default=True, help="Added to each count.")
@progress_option
def fit_unigram(corpus: Sequence[str], output: str, tokenizer: str, smoothing: float, progress: bool | None) -> None:
    """Count tokens: the unigram model of SLOR.

    CORPUS is UTF-8 text, a sentence a line; .xz, .gz and .bz2 are decompressed; - for standard input.
    """
    text = _corpus(corpus)
    if tokenizer in ("words", "whitespace", "wordpiece"):
        from slor_metric.language_models.unigram import fit_unigram

        rule: Any = tokenizer
        vocabulary = None
        if tokenizer == "wordpiece":
            from slor_metric.language_models import load_language_model

            packaged: Any = load_language_model("wordpiece")
            rule, vocabulary = packaged.tokenizer, packaged.unigram.tokens
        table = fit_unigram(text, rule, output, vocabulary=vocabulary, smoothing=smoothing, progress=progress)
    else:
        from metric_commons.support.installation import import_extra
        from slor_metric.language_models.hf.loading import open_tokenizer
        from slor_metric.language_models.hf.unigram import fit_unigram as fit_hf_unigram

        import_extra("transformers", "hf", "This language model")
        table = fit_hf_unigram(open_tokenizer(tokenizer), text, smoothing=smoothing, cache=False, progress=progress)
        table.save(output)
    click.echo(f"{output}: {len(table)} token types, {int(table.counts.sum())} tokens  {table.signature}", err=True)


@click.command("lstm", epilog="Example: referenceless train lstm corpus.txt --tokenizer wordpiece -o lstm --epochs 5")
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--output", required=True, type=click.Path(), help="Folder to write; it also holds the checkpoint.")
@click.option(
    "--tokenizer",
    type=click.Choice(("words", "wordpiece", "whitespace")),
    default="words",
    show_default=True,
    help="How text is cut into tokens.",
)
@click.option("--vocab-size", type=int, help="Tokens that the model knows  [default: 32000 words, 8000 WordPieces]")
@click.option("--min-count", type=int, default=2, show_default=True, help="Rarer words are unknown.")
@click.option("--layers", type=int, default=2, show_default=True, help="LSTM layers.")
@click.option("--hidden", type=int, default=512, show_default=True, help="Units a layer.")
@click.option("--embedding", type=int, default=512, show_default=True, help="Width of the embeddings.")
@click.option("--dropout", type=float, default=0.0, show_default=True, help="Share of values dropped.")
@click.option("--batch-size", type=int, default=128, show_default=True, help="Sentences a batch.")
@click.option("--lr", type=float, default=1e-3, show_default=True, help="Step size of Adam.")
@click.option("--epochs", type=int, default=10, show_default=True, help="Passes over the corpus, at most.")
@click.option("--patience", type=int, default=2, show_default=True, help="Validations without improvement to end at.")
@click.option("--max-length", type=int, default=100, show_default=True, help="Tokens of a sentence to train on.")
@click.option("--validation", type=float, default=0.01, show_default=True, help="Share of sentences held out.")
@click.option("--validate-every", type=int, help="Batches between validations  [default: an epoch]")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything random.")
@click.option("--device", help="cpu, cuda, cuda:N or mps  [default: cuda where there is one]")
@click.option("--resume/--restart", default=True, show_default=True, help="Go on from a checkpoint in the folder.")
@progress_option
def train_lstm(corpus: Sequence[str], output: str, progress: bool | None, **options: Any) -> None:
    """Train an LSTM model, or resume training.

    The defaults are the paper's: two layers of 512 units, Adam, batches of 128. A run that was interrupted goes on
    from its last checkpoint when the same command is given again. CORPUS is UTF-8 text, a sentence a line; .xz, .gz
    and .bz2 are decompressed; - for standard input.
    """
    from slor_metric.language_models.lstm.training import train_lstm

    model = train_lstm(_corpus(corpus), output, progress=progress, **options)
    click.echo(f"{output}: {model!r}  {model.signature}", err=True)
