"""The commands `fit` and `evaluate` with `--metric quality_estimation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import numpy as np

from quality_estimation_metric.cli.options import fit_options
from quality_estimation_metric.model_files.source import fitted_on_file
from referenceless_metrics.assessment.agreement import SYSTEMS
from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.fitted_file import uses_of
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.output_options import Output, output_options, plot_option
from referenceless_metrics.command_line.rated_text_options import WORSE_COLUMN
from referenceless_metrics.command_line.text_options import INPUT
from referenceless_metrics.core.files.atomic import check_destination
from referenceless_metrics.core.files.output import FOR_PAPERS, FOR_READERS, write_rows
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.commands.rating_options import BAD

if TYPE_CHECKING:
    from quality_estimation_metric.estimator import QualityEstimator
    from quality_estimation_metric.evaluation import Evaluation
    from referenceless_metrics.human_evaluation.judges.limits import Bad, Limits


@click.command(
    epilog="Example: referenceless fit --metric quality_estimation pool.csv --text-column output --source-column mr "
    "--rating-column naturalness -o model.safetensors"
)
@click.argument("file", type=INPUT)
@click.option("-o", "--output", cls=Output, required=True, help="Model file to write (.safetensors).")
@click.option("--texts/--no-texts", cls=Rare, default=True, help="Keep the rated texts in the file.")
@adding(WORSE_COLUMN)
@fit_options
def fit(file: str, output: str, texts: bool, **options: Any) -> None:
    """Learn to estimate ratings from rated texts, and write the model to a file.

    FILE is a table, such as .csv, with a text and a rating per row, and with the text's source, if there is one. A
    model file without texts explains no estimate by rated neighbours.

    With --worse-column, each row has two texts, of which people prefer that of --text-column. Estimates of such a model
    order texts, and have no unit and no interval.
    """
    if output == "-":
        raise click.UsageError("a model is a binary file: name one with -o")
    check_destination(output)
    estimator = fitted_on_file(file, **options)
    estimator.save(output, texts=texts)
    click.echo(f"{output}: {estimator.learned_from_}  {estimator.signature}", err=True)
    if estimator.preference_accuracy_ is not None:
        click.echo(f"{estimator.preference_accuracy_:.1%} of left-out pairs in the right order", err=True)
    if estimator.verdict_ is not None:
        click.echo(estimator.verdict_.summary, err=True)
    source = options["source_column"]
    click.echo(uses_of(output, "--model-file", ["--source-column", source] if source else []), err=True)


_TWO_RHOS = (
    "The table's ρ is over all ratings, by folds; the verdict's counts equal texts once, by up to ten folds or each "
    "text in turn, and is corrected for the mean of the others, which is low if a text's own rating is high."
)


_FIGURES = (
    "r, ρ: Pearson's and Spearman's correlation of estimates and ratings; MAE, RMSE: the mean absolute error, and the "
    "root of the mean squared error; constant: the RMSE if the mean rating of the others is the estimate; in interval: "
    "the share of ratings within their intervals; width: the mean width of these."
)


@click.command(
    epilog="Example: referenceless evaluate --metric quality_estimation pool.csv --text-column output "
    "--source-column mr --rating-column quality --system-column system"
)
@click.argument("file", type=INPUT)
@click.option(
    "--folds", type=click.IntRange(min=2), default=5, help="Parts, each left out once; of fewer groups, each group."
)
@adding(BAD)
@output_options
@plot_option("ratings over estimates")
@fit_options
def evaluate(
    file: str, folds: int, bad: Bad | None, output: str | None, format: str, plot: str | None, **options: Any
) -> None:
    """Cross-validate quality estimation on rated texts.

    FILE is a table, such as .csv, with a text and a rating per row. Each part of the texts is estimated from the
    others. No group is split between the two sides: the texts of a system (--system-column), the groups of
    --group-column, equal pairs of source and text, and texts that are equal once the source's values are placeholders.
    Two figures are shown for comparison: the agreement of two ratings of the same text, if some texts were rated twice,
    and the result of an estimator that takes the mean rating of a source's other texts and sees no text. --bad tells
    which limits of the estimates catch how many bad texts.
    """
    estimator = fitted_on_file(file, **options)
    evaluation, verdict = estimator.evaluate(folds), estimator.verdict_
    summary = evaluation.as_dict() | (verdict.details if verdict is not None else {})
    rows = evaluation.cells if format in FOR_READERS else summary["agreements"]
    on_limits = []
    if bad is not None:
        limits = _limits(estimator, evaluation, bad)
        on_limits = limits.lines(
            how=f" (by estimates as in the first row, {evaluation.agreements[0].grouping} left out)"
        )
        summary["limits"] = limits.record()
    if plot is not None:
        from referenceless_metrics.pages.drawing import drawing

        assert estimator.ratings_ is not None
        drawing([evaluation.plot(estimator.ratings_)]).save(plot)
    if format in FOR_PAPERS:
        parts = _paper_parts(estimator, evaluation)
        write_rows(rows, summary, format, output, lines=on_limits, **parts)
        return
    lines = ["", *([verdict.summary, _TWO_RHOS] if verdict is not None else []), *evaluation.notes, *on_limits]
    write_rows(rows, summary, format, output, lines=lines)


def _paper_parts(estimator: QualityEstimator, evaluation: Evaluation) -> Record:
    """Return the parts of a table for a paper: the verdict, the basis of the caption, and a note with the signature."""
    verdict = estimator.verdict_
    basis = [
        f"{evaluation.agreements[0].n} ratings: texts that share what a row names are left out together, and estimated "
        "from the others.",
    ]
    note = [_FIGURES]
    if any(each.grouping == SYSTEMS for each in evaluation.agreements):
        note.append("If systems are left out, r and ρ are within systems.")
    return {
        "headline": "Quality estimation, cross-validated." if verdict is None else verdict.summary,
        "basis": basis if verdict is None else [*basis, _TWO_RHOS],
        "note": [*note, *evaluation.notes, f"Signature: {estimator.signature}."],
    }


def _limits(estimator: QualityEstimator, evaluation: Evaluation, bad: Bad) -> Limits:
    """Return limits of estimates that were made by the first way of leaving texts out, on distinct texts.

    A text that was rated several times counts once, with the means of its ratings and estimates.
    """
    from referenceless_metrics.human_evaluation.judges.limits import limits_of

    assert estimator.texts_ is not None
    assert estimator.ratings_ is not None
    _, numbers = np.unique(np.array(estimator.texts_, dtype=object), return_inverse=True)
    counts = np.bincount(numbers)
    of_texts = [
        np.bincount(numbers, weights=each) / counts for each in (evaluation.agreements[0].estimates, estimator.ratings_)
    ]
    return limits_of(of_texts[0], of_texts[1], np.arange(len(counts)), bad, 0.95)
