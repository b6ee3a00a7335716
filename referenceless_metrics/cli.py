"""The command `referenceless`."""

from __future__ import annotations

import click

from metric_commons.cli.help import LazyGroup
from metric_commons.registry import COMMANDS_GROUP, TRAIN_COMMANDS_GROUP
from metric_commons.support.installation import project_version

_TRAIN = {
    "ngram": "slor_metric.cli.training:train_ngram",
    "unigram": "slor_metric.cli.training:fit_unigram",
    "measure": "slor_metric.cli.training:fit_measure",
}

_HUB = {
    "register": "metric_commons.cli.hub:register",
    "unregister": "metric_commons.cli.hub:unregister",
    "publish": "metric_commons.cli.hub:publish",
    "metrics": "metric_commons.cli.hub:metrics",
}


def _show_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from metric_commons.support.native import level_name

        click.echo(f"{context.info_name}, version {project_version()}, kernels {level_name()}")
        context.exit()


cli = click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, and the level of processor whose kernels run.",
)(
    LazyGroup(
        name="referenceless",
        help="Judge texts without references: fluency, and the quality that people would see.",
        commands_at={
            "score": "metric_commons.cli.score:score",
            "compare": "metric_commons.cli.compare:compare",
            "report": "metric_commons.cli.compare:report",
            "rerank": "referenceless_metrics.selection.command:rerank_command",
            "advise": "referenceless_metrics.advice.command:advise",
            "calibrate": "bleu_neighbors_metric.cli.calibrate:calibrate",
            "fit": "metric_commons.cli.per_metric_commands:fit",
            "evaluate": "metric_commons.cli.per_metric_commands:evaluate",
            "sample": "metric_commons.cli.studies:sample",
            "rate": "metric_commons.cli.studies:rate",
            "agreement": "metric_commons.cli.studies:agreement",
            "human-score": "metric_commons.cli.human_score:human_score",
            "app": "metric_commons.cli.per_metric_commands:app",
            "demo": "referenceless_metrics.demo:demo",
            "cite": "metric_commons.cli.per_metric_commands:cite",
            "compile": "referenceless_metrics.compiling:compile_command",
            "train": LazyGroup(
                name="train",
                help="Train language models, and fit how they score texts.",
                epilog="The distribution referenceless-papers brings lstm, small and fluency.",
                commands_at=_TRAIN,
                group=TRAIN_COMMANDS_GROUP,
            ),
            "hub": LazyGroup(
                name="hub", help="List the metrics, and make them known to evaluate and the Hub.", commands_at=_HUB
            ),
        },
        headings={
            "score": "Score texts and systems",
            "advise": "Learn from ratings",
            "sample": "Ask people",
            "app": "See it, set it up",
            "train": "Models and metrics",
        },
        group=COMMANDS_GROUP,
    )
)
