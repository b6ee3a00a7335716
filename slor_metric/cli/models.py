"""What command lines take of SLOR, WPSLOR and ROUGE-LM beside their parameters: a corpus to count pieces in."""

from __future__ import annotations

from typing import Any

import click

from metric_commons.cli.metric_options import MetricOptions
from metric_commons.metric import Metric

CORPUS = click.Option(
    ["--unigram-corpus"], type=click.Path(), help="Text to count the model's tokens in (Hugging Face)."
)


class SLOROptions(MetricOptions):
    """A metric's parameters, and `--unigram-corpus`, which stands for `--unigram`."""

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        first, second, *others = super().parameters()  # the model and its unigram model
        return [first, second, CORPUS, *others]

    def check(self, values: dict[str, Any]) -> None:
        """Refuse two unigram models."""
        if values["unigram"] is not None and values["unigram_corpus"] is not None:
            raise click.UsageError("give --unigram or --unigram-corpus, not both")

    def make(self, values: dict[str, Any], data_dir: str | None = None) -> Metric:
        """Make the metric, with the unigram counts of the corpus."""
        self.check(values)
        corpus = values.pop("unigram_corpus")
        if corpus is not None:
            from slor_metric.language_models import load_language_model

            name = values["lm"] or "default"
            default = self.spec.load("make").default_lm
            model: Any = load_language_model(default if name == "default" else name, **values.pop("lm_options") or {})
            if not hasattr(model, "fit_unigram"):
                raise click.UsageError(
                    "--unigram-corpus is for Hugging Face models; for another model count with `referenceless train "
                    "unigram` and give --unigram"
                )
            model.fit_unigram(corpus)
            values["lm"] = model
        return super().make(values, data_dir)
