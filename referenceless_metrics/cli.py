"""The command `referenceless`: every command with its place, and a sentence on it."""

from __future__ import annotations

import click

from referenceless_metrics.command_line.help import LazyGroup, Place
from referenceless_metrics.core.support.installation import COMMANDS_GROUP, TRAIN_COMMANDS_GROUP, project_version

_PAPERS = "pip install ./papers (in a checkout)"
"""Command that installs the distribution `referenceless-papers`, whose commands are named here."""

_TRAIN = LazyGroup(
    name="train",
    elsewhere=dict.fromkeys(("lstm", "small", "fluency", "detector"), _PAPERS),
    help="Train language models, and fit how they score texts.",
    epilog="The distribution referenceless-papers brings lstm, small and fluency.",
    group=TRAIN_COMMANDS_GROUP,
    sections={
        "Commands": {
            "ngram": ("slor_metric.cli.training:train_ngram", "Train an n-gram model with its unigram counts."),
            "unigram": ("slor_metric.cli.training:fit_unigram", "Count tokens: the unigram model of SLOR."),
            "measure": (
                "slor_metric.cli.training:fit_measure",
                "Fit log-probabilities to ratings, and report the gain beyond text length.",
            ),
        }
    },
)
_HUB = LazyGroup(
    name="hub",
    help="List the metrics, and make them known to evaluate and the Hub.",
    sections={
        "Commands": {
            "register": (
                "referenceless_metrics.frameworks.commands.hub:register",
                "Make evaluate.load know metrics by name, from any directory; all of them if none is named.",
            ),
            "unregister": ("referenceless_metrics.frameworks.commands.hub:unregister", "Undo `register`."),
            "publish": (
                "referenceless_metrics.frameworks.commands.hub:publish",
                "Publish a metric as a Space on the Hugging Face Hub.",
            ),
            "metrics": (
                "referenceless_metrics.frameworks.commands.hub:metrics",
                "List the metrics that are installed.",
            ),
        }
    },
)
_STUDY = LazyGroup(
    name="study",
    help="Describe a rating study.",
    sections={
        "Commands": {
            "describe": (
                "referenceless_metrics.human_evaluation.commands.describe:describe",
                "Describe a study for a paper: a paragraph for its methods, and a data sheet.",
            ),
        }
    },
)
_SECTIONS: dict[str, dict[str, Place]] = {
    "Begin here": {
        "look": (
            "referenceless_metrics.advice.look.command:look",
            "Say what is in files, and which commands fit them.",
        ),
    },
    "Score texts and systems": {
        "score": ("referenceless_metrics.scoring.score:score", "Score texts."),
        "filter": (
            "referenceless_metrics.scoring.filter:filter_command",
            "Keep the texts that meet conditions on a metric.",
        ),
        "compare": (
            "referenceless_metrics.comparison.command:compare",
            "Compare systems by a metric, with intervals and p-values.",
        ),
        "report": (
            "referenceless_metrics.comparison.report_command:report",
            "Write a report on systems as one page of HTML.",
        ),
        "rerank": (
            "referenceless_metrics.selection.command:rerank_command",
            "Choose the best of each input's candidates.",
        ),
    },
    "Learn from ratings": {
        "advise": (
            "referenceless_metrics.advice.command:advise",
            "Say which metric your ratings allow, and what to expect of it.",
        ),
        "calibrate": (
            "bleu_neighbors_metric.cli.calibrate:calibrate",
            "Measure the worth of a pool's estimates, by leaving texts out.",
        ),
        "fit": (
            "referenceless_metrics.command_line.per_metric_commands:fit",
            "Learn from rated texts, and write a file to score with.",
        ),
        "evaluate": (
            "referenceless_metrics.human_evaluation.commands.evaluate:evaluate",
            "Say how well a metric or a judge estimates ratings.",
        ),
    },
    "Ask people": {
        "sample": (
            "referenceless_metrics.human_evaluation.commands.studies:sample",
            "Draw outputs of systems for people to rate, and write the pages.",
        ),
        "rate": (
            "referenceless_metrics.human_evaluation.commands.studies:rate",
            "Show a study's pages in the browser, and gather the ratings.",
        ),
        "agreement": (
            "referenceless_metrics.human_evaluation.commands.agreement:agreement",
            "Measure how far raters agree with one another and with themselves.",
        ),
        "human-score": (
            "referenceless_metrics.human_evaluation.commands.human_score:human_score",
            "Say which systems people rate higher, with intervals.",
        ),
        "study": _STUDY,
    },
    "See it, set it up": {
        "app": (
            "referenceless_metrics.command_line.per_metric_commands:app",
            "Serve a web page that scores and explains texts (extra `app`).",
        ),
        "serve": ("referenceless_metrics.frameworks.commands.serve:serve", "Score texts over HTTP (extra `serve`)."),
        "demo": ("referenceless_metrics.demo:demo", "Show metrics on packaged examples."),
        "cite": (
            "referenceless_metrics.command_line.per_metric_commands:cite",
            "Print a metric's signature, a sentence for a paper, and BibTeX.",
        ),
    },
    "Models and metrics": {"train": _TRAIN, "hub": _HUB},
}


def _show_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from referenceless_metrics.core.support.native import instruction_set

        click.echo(f"{context.info_name}, version {project_version()}, kernels {instruction_set()}")
        context.exit()


cli = click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, and the instruction set whose kernels run.",
)(
    LazyGroup(
        name="referenceless",
        help="Judge texts without references: fluency, and the quality that people would see.",
        sections=_SECTIONS,
        group=COMMANDS_GROUP,
        elsewhere=dict.fromkeys(("reproduce", "huse"), _PAPERS),
    )
)
