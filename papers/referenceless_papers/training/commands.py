"""The commands `referenceless train …` that train networks and word classes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.command_line.output_options import Output, progress_option
from referenceless_metrics.command_line.parameter_options import options_of
from referenceless_papers.training import lstm as training
from referenceless_papers.training.word_classes import train_class_model, train_ngrams
from slor_metric.cli.training import train_on, trains

_NETWORK_OPTIONS = (
    click.Option(["--device"], help="cpu, cuda, cuda:N or mps  [default: cuda where there is one]"),
    click.Option(["--resume/--restart"], default=True, help="Go on from a checkpoint in the folder."),
)
_OF_A_RUN = ("corpus", "out", "max_grad_norm", "checkpoint_seconds", "device", "resume", "bf16")
_OF_SMALL = ("projection", "cutoffs", "decay", "snapshots", "warm_up", "twins", "start", "from_model")


@click.command(
    "lstm",
    cls=ShortHelp,
    epilog="Example: referenceless train lstm corpus.txt --tokenizer wordpiece -o lstm --epochs 5",
)
@trains("Folder to write; it also holds the checkpoint.")
@adding(*options_of(training.train_lstm, without=(*_OF_A_RUN, *_OF_SMALL)), *_NETWORK_OPTIONS)
def train_lstm(corpus: Sequence[str], output: str, **options: Any) -> None:
    """Train an LSTM model, or resume training.

    The defaults are the paper's: two layers of 512 units, Adam, batches of 128. A run that was interrupted goes on
    from its last checkpoint when the same command is given again. CORPUS is UTF-8 text, one sentence per line; .xz, .gz
    and .bz2 are decompressed; - for standard input.
    """
    train_on(training.train_lstm, corpus, output, options)


@click.command("small", cls=ShortHelp, epilog="Example: referenceless train small english.txt.xz -o small")
@trains("Folder to write; it also holds the checkpoint.")
@click.option(
    "--from", "start", type=click.Path(), help="A small model, or a folder with one, whose weights to go on with."
)
@adding(*options_of(training.train_small, without=(*_OF_A_RUN, "start")), *_NETWORK_OPTIONS)
@click.option(
    "--bf16/--float32",
    default=True,
    help="How to multiply; without bfloat16 in the processor, in float32.",
)
def train_small(corpus: Sequence[str], output: str, **options: Any) -> None:
    """Train a small language model that is read without torch, or go on with it.

    It takes hours on a CPU, minutes on a GPU, and prints its cost at the end. A run that was interrupted goes on from
    its last checkpoint when the same command is given again; with more --epochs a finished one is trained further;
    --from begins with the weights of another model.

    CORPUS is UTF-8 text, one sentence per line, in one file or several; .xz, .gz and .bz2 are decompressed; - for
    standard input.
    """
    train_on(training.train_small, corpus, output, options)


@click.command("fluency", epilog="Example: referenceless train fluency german.txt.xz --language de -o german")
@click.argument("corpus", type=click.Path())
@click.option("-o", "--output", cls=Output, required=True, help="Folder to write the files to.")
@click.option("--language", required=True, help="Code of the corpus's language, such as de.")
@click.option("--small", is_flag=True, help="Train the small model too: see `train small`.")
@progress_option
def train_fluency(corpus: str, output: str, language: str, small: bool, progress: bool | None) -> None:
    """Train all that Fluency reads on a corpus of one language.

    That is n-grams of words, of WordPieces and of word classes, and the language's letters; a report on the classes is
    printed as JSON. It takes some minutes and up to 4 GB of memory.
    """
    text, folder = Path(corpus), Path(output)
    click.echo(json.dumps(train_class_model(text, folder, progress=progress), indent=2))
    train_ngrams(text, folder, language, progress=progress)
    if small:
        training.train_small(text, folder, progress=progress)


@click.command("detector", epilog="Example: referenceless train detector english.txt.xz english-2.txt.xz -o detector")
@click.argument("corpus", nargs=-1, required=True, type=click.Path())
@click.option("-o", "--output", cls=Output, required=True, help="Folder to write to; what was read is kept there too.")
@click.option("--size", default=20_000, show_default=True, help="Sentences to read at most.")
@click.option("--questions", default=2000, show_default=True, help="Questions made from sentences to read at most.")
@click.option("--epochs", default=3, show_default=True, help="How often to read them.")
@click.option("--from", "start", type=click.Path(), help="A checkpoint whose weights to go on with.")
@click.option("--without", multiple=True, help="A fault to leave out, to measure it on texts that have it; repeatable.")
@progress_option
def train_detector(
    corpus: tuple[str, ...],
    output: str,
    size: int,
    questions: int,
    epochs: int,
    start: str | None,
    without: tuple[str, ...],
    progress: bool | None,
) -> None:
    """Train the detector of faults beside the packaged models.

    CORPUS is the n-grams' training corpus: sentences that they hold out are read, and questions made from them, each
    beside texts with made faults. It takes six minutes of a core to read them and two to learn. Both may be cut
    anywhere: the same command goes on. Printed as JSON: after each epoch, how well texts with faults are told from
    sound ones.
    """
    from referenceless_papers.training.detector import DetectorData, train_detector
    from referenceless_papers.training.detector_data import write_detector_data

    folder = Path(output)
    write_detector_data(list(map(Path, corpus)), folder / "data", size, questions=questions, progress=progress)
    data = DetectorData.read(folder / "data")
    begun = None if start is None else Path(start)
    click.echo(json.dumps(train_detector(data, folder, epochs=epochs, without=without, start=begun), indent=2))
