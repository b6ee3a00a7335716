"""The commands of `reproduce` that make the packaged models, choose settings, and measure detected faults."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from referenceless_metrics.command_line.output_options import progress_option
from slor_metric.fluency.constants import LMS


@click.command(
    epilog="Example: referenceless reproduce packaged-models --corpus english.txt.xz --ratings medians.csv -o models"
)
@click.option(
    "--corpus", multiple=True, type=click.Path(), help="What the card of the language models names, english.txt first."
)
@click.option("--ratings", type=click.Path(), help="emnlp_data_medians.csv, the ratings of Novikova et al. (2017).")
@click.option("--small", type=click.Path(), help="A folder of `train small`: the small model is made from it.")
@click.option("--before", type=click.Path(), help="What --small was gone on with: the packaged model lies between.")
@click.option("--gug", type=click.Path(), help="gug_annotations.tsv, for the small model's learning curve.")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder to write the files to.")
@click.option(
    "--evaluate/--no-evaluate",
    default=True,
    show_default=True,
    help="Cross-validate the quality estimator, and let the small model, n-grams and SmolLM2 judge pairs.",
)
@progress_option
def packaged_models(
    corpus: tuple[str, ...],
    ratings: str | None,
    small: str | None,
    before: str | None,
    gug: str | None,
    output: str,
    evaluate: bool,
    progress: bool | None,
) -> None:
    """Make the models that come with the package anew, byte for byte, and report on them as JSON.

    From all --corpus come the n-gram models of SLOR and WPSLOR, from the first the class model of Fluency, in some
    minutes and up to 9 GB of memory; from --ratings the quality estimator; from --small the small model, and with
    --corpus the share in which it tells a sentence of the first from the same with a fault.
    """
    from referenceless_papers.packaged_models.ngrams import train_packaged
    from referenceless_papers.packaged_models.quality import train_default
    from referenceless_papers.packaged_models.small import blend, judged_pairs, learning_curve, make_small
    from referenceless_papers.training.word_classes import train_class_model

    if not corpus and ratings is None and small is None:
        raise click.UsageError("give --corpus, --ratings, --small or several: what the models are made from")
    report: dict[str, Any] = {}
    if small is not None:
        with TemporaryDirectory() as room:
            folder = Path(small)
            if before is not None:
                folder = Path(room)
                blend(Path(small), Path(before), folder)
            report["small"] = make_small(folder, Path(output))
            if corpus and evaluate:
                report["small"] |= judged_pairs(folder, corpus[0])
        if gug is not None:
            report["small"]["curve"] = learning_curve(Path(small), gug)
    elif corpus:
        report |= train_packaged([Path(file) for file in corpus], output, progress=progress)
        report["classes"] = train_class_model(Path(corpus[0]), output, progress=progress)
    if ratings is not None:
        Path(output).mkdir(parents=True, exist_ok=True)
        report["quality"] = train_default(ratings, Path(output) / "default.safetensors", evaluate=evaluate)
    click.echo(json.dumps(report, indent=2))


@click.command(epilog="Example: referenceless reproduce tune-small small --corpus english.txt.xz -o tuned")
@click.argument("start", type=click.Path())
@click.option(
    "--corpus", multiple=True, required=True, type=click.Path(), help="What the small model was trained on; repeatable."
)
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder to write the model to.")
@progress_option
def tune_small(start: str, corpus: tuple[str, ...], output: str, progress: bool | None) -> None:
    """Train the small model further, to tell sentences from faulty ones and to rank them as SmolLM2 does.

    START is a folder of `train small`, or a `small.safetensors`. SmolLM2 scores 93,000 texts first, into `labels.jsonl`
    of the output folder; this takes 35 minutes of a core with bfloat16 (100 without), and the training 18. Both may be
    cut anywhere: the same command goes on.
    """
    from referenceless_papers.packaged_models.labels import LABELS_FILE, write_labels
    from referenceless_papers.packaged_models.tuning import tune_small

    labels = Path(output) / LABELS_FILE
    labels.parent.mkdir(parents=True, exist_ok=True)
    write_labels(Path(start), corpus, labels)
    click.echo(json.dumps(tune_small(Path(start), corpus, labels, Path(output), progress=progress), indent=2))


@click.command(epilog="Example: referenceless reproduce fluency-constants --gug gug.tsv --corpus english.txt.xz -o out")
@click.option("--gug", required=True, type=click.Path(), help="gug_annotations.tsv.")
@click.option(
    "--corpus", multiple=True, required=True, type=click.Path(), help="What the n-grams were trained on; repeatable."
)
@click.option(
    "--lm", "lms", multiple=True, type=click.Choice(LMS), help="For which models; repeatable.  [default: all]"
)
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder to write the files to.")
def fluency_constants(gug: str, corpus: tuple[str, ...], lms: tuple[str, ...], output: str) -> None:
    """Make the files of `Fluency`'s weights and scale anew; some minutes with SmolLM2, half of one without."""
    from referenceless_papers.packaged_models.fluency_constants import write_constants

    Path(output).mkdir(parents=True, exist_ok=True)
    click.echo(json.dumps(write_constants(Path(output), gug, list(map(Path, corpus)), lms or LMS), indent=2))


@click.command(epilog="Example: referenceless reproduce fluency-choice data -o parts")
@click.argument("data", type=click.Path(file_okay=False))
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder to keep features in.")
@click.option("--exponents", is_flag=True, help="Choose the exponents of length and frequency of SLOR instead.")
def fluency_choice(data: str, output: str, exponents: bool) -> None:
    """Choose the weights of `Fluency` on rated sets, and measure each set with weights chosen without it.

    DATA is the folder of the research data. The first run takes two minutes of a core, later ones seconds.
    """
    from referenceless_papers.packaged_models import fluency_choice

    report = fluency_choice.exponents(Path(data)) if exponents else fluency_choice.choices(Path(data), Path(output))
    click.echo(json.dumps(report, indent=2))


@click.command(epilog="Example: referenceless reproduce fluency-scale data -o sentences.csv")
@click.argument("data", type=click.Path(file_okay=False))
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write sentences of each level to read, as CSV.")
@click.option("--size", default=300, show_default=True, help="How many sentences of each level to write.")
@click.option(
    "--corpus",
    multiple=True,
    type=click.Path(),
    help="The n-grams' training corpus: which shares of its held-out sentences limits of FluencyNgram keep.",
)
def fluency_scale(data: str, output: str | None, size: int, corpus: tuple[str, ...]) -> None:
    """Measure the share of people who object to sentences at each level of `Fluency`.

    DATA is the folder of the research data. Ten seconds of a core; with -o, a minute; with --corpus, another.
    """
    from referenceless_papers.packaged_models.fluency_constants import N_PROSE, edited_prose
    from referenceless_papers.packaged_models.scale import (
        development_texts,
        drawn_sentences,
        measured_scale,
        shares_kept,
    )
    from slor_metric.fluency.metric import FluencyNgram

    measured = measured_scale(Path(data))
    if corpus:
        prose = edited_prose(list(map(Path, corpus)), N_PROSE + 4000)[N_PROSE:]  # the first give the scale
        metric = FluencyNgram()
        measured["fluency_ngram keeps"] = shares_kept(lambda texts: metric.predict(texts).values, prose)
    click.echo(json.dumps(measured, indent=2))
    if output is not None:
        drawn_sentences(development_texts(Path(data)), size).to_csv(output, index=False)


@click.command(epilog="Example: referenceless reproduce plain-pairs")
@click.option("--ngram", is_flag=True, help="Measure FluencyNgram.")
def plain_pairs(ngram: bool) -> None:
    """Measure how much Fluency changes if a text is written in another form.

    200 pairs: in a list, a table or a dialogue, quoted, with a formula or a new name, as a headline or a question.
    Seconds.
    """
    from referenceless_papers.packaged_models.plain_pairs import shifts
    from slor_metric.fluency.metric import Fluency, FluencyNgram

    metric = FluencyNgram() if ngram else Fluency()
    click.echo(json.dumps(shifts(lambda texts: metric.predict(texts).values), indent=2))


@click.command(epilog="Example: referenceless reproduce named-faults english.txt.xz english-2.txt.xz")
@click.argument("corpus", nargs=-1, required=True, type=click.Path())
@click.option("--gug", type=click.Path(), help="gug_annotations.tsv: how often its sentences are said to have a fault.")
@click.option("--size", default=480, show_default=True, help="How many faults to make.")
def named_faults(corpus: tuple[str, ...], gug: str | None, size: int) -> None:
    """Measure the share of made faults whose word `likeliest_fault` names, and of sound sentences with one.

    CORPUS is the n-grams' training corpus; its held-out sentences of edited prose are read. Five minutes of a core.
    """
    from referenceless_papers.packaged_models.faults import named_faults
    from referenceless_papers.packaged_models.fluency_constants import N_PROSE, edited_prose

    prose = edited_prose(list(map(Path, corpus)), N_PROSE + 20 * size)[N_PROSE:]  # the first give the scale
    click.echo(json.dumps(named_faults(prose, gug, size), indent=2))


@click.command(epilog="Example: referenceless reproduce german unpacked -o german")
@click.argument("packages", type=click.Path(file_okay=False))
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder to write models to.")
@progress_option
def german(packages: str, output: str, progress: bool | None) -> None:
    """Train Fluency for German on Debian's documentation, and report as JSON which faults it sees.

    PACKAGES is a folder of unpacked Debian packages, each in a folder of its name; the error names what is missing.
    """
    from referenceless_papers.packaged_models.german import german

    click.echo(json.dumps(german(Path(packages), Path(output), progress=progress), indent=2))
