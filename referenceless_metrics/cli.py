"""The command `referenceless`, and `bleu-neighbors` and `slor`, which are the same commands for their own metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from metric_commons.cli.base import run
from metric_commons.cli.lazy import LazyGroup
from metric_commons.registry import COMMANDS_GROUP
from metric_commons.support.installation import DISTRIBUTION

_ANY_METRIC = {
    "score": "metric_commons.cli.score:score",
    "compare": "metric_commons.cli.compare:compare",
    "human-score": "metric_commons.cli.human_score:human_score",
    "app": "metric_commons.cli.app:app",
    "compile": "referenceless_metrics.compiling:compile_command",
    "metrics": "metric_commons.cli.register:metrics",
    "register": "metric_commons.cli.register:register",
    "unregister": "metric_commons.cli.register:unregister",
    "publish": "metric_commons.cli.publish:publish",
}

_ADVICE = {"advise": "referenceless_metrics.advice.command:advise"}
_SELECTION = {"rerank": "referenceless_metrics.selection.command:rerank_command"}
_VERBS = {"fit": "metric_commons.cli.verbs:fit", "evaluate": "metric_commons.cli.verbs:evaluate"}

_NEIGHBORS = {
    "fit": "bleu_neighbors_metric.cli.fit:fit",
    "calibrate": "bleu_neighbors_metric.cli.calibrate:calibrate",
    "report": "bleu_neighbors_metric.cli.report:report",
    "sweep": "bleu_neighbors_metric.cli.sweep:sweep",
    "learning-curve": "bleu_neighbors_metric.cli.sweep:learning_curve",
    "subsample": "bleu_neighbors_metric.cli.subsample:subsample",
    "demo": "referenceless_metrics.demo:demo",
}

_LANGUAGE_MODELS = {
    "train-ngram": "slor_metric.cli.training:train_ngram",
    "train-lstm": "slor_metric.cli.training:train_lstm",
    "fit-unigram": "slor_metric.cli.training:fit_unigram",
    "fit-measure": "slor_metric.cli.training:fit_measure",
}


def _group(name: str, help: str, commands: dict[str, str], **attributes: Any) -> LazyGroup:
    group = LazyGroup(name=name, help=help, commands_at=commands, **attributes)
    return click.version_option(package_name=DISTRIBUTION)(group)


cli = _group(
    "referenceless",
    "Judge texts without references: fluency, and the quality that people would see.",
    {
        **_ADVICE,
        **_ANY_METRIC,
        **_SELECTION,
        **_NEIGHBORS,
        **_VERBS,
        **_LANGUAGE_MODELS,
        "demo": "referenceless_metrics.demo:demo",
    },
    group=COMMANDS_GROUP,
)

bleu_neighbors_cli = _group(
    "bleu-neighbors",
    "Estimate the quality of texts without references, from rated texts that resemble them.",
    {**_ANY_METRIC, **_NEIGHBORS},
    family="bleu-neighbors",
)

slor_cli = _group(
    "slor",
    "Score the fluency of texts with a language model, with or without references.",
    {**_ANY_METRIC, **_LANGUAGE_MODELS},
    family="slor",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `referenceless` and leave with its exit status."""
    run(cli, arguments)


def bleu_neighbors(arguments: Sequence[str] | None = None) -> None:
    """Run `bleu-neighbors` and leave with its exit status."""
    run(bleu_neighbors_cli, arguments)


def slor(arguments: Sequence[str] | None = None) -> None:
    """Run `slor` and leave with its exit status."""
    run(slor_cli, arguments)
