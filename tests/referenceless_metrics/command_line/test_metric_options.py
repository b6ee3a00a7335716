"""Commands that take any metric: each brings its own options."""

import click
import pytest
from click.testing import CliRunner

from referenceless_metrics.cli import cli
from referenceless_metrics.command_line.help import LazyGroup
from referenceless_metrics.command_line.metric_command import MetricCommand, metric_option


@click.command(cls=MetricCommand, epilog="Example: group show")
@metric_option
@click.option("--own", default="own")
def show(chosen, **options):
    """Show."""
    chosen.check(options)
    click.echo(f"{chosen.spec.name} {sorted(options)}")


def run(line):
    group = LazyGroup(name="group", sections={"Commands": {"show": show}})
    return CliRunner().invoke(group, ["show", *line.split()]).output


def test_the_metric_decides_which_options_there_are():
    assert run("--own x").startswith("fluency ['lm', 'lm_options', 'max_unknown', 'measure', ")
    output = run("--metric bleu_neighbors --pool p.csv --threshold 0.1")
    assert output.startswith("bleu_neighbors ")
    assert "'threshold'" in output
    assert "'lm'" not in output
    assert run("--threshold 0.1 --pool p.csv") == output  # a pool means the metric that takes one


def test_help_shows_the_options_of_the_metric():
    short, full = (run(f"--metric slor {flag}") for flag in ("--help", "--help-all"))
    assert "--lm TEXT" in short
    assert "Explained by --help-all: --unigram, " in short
    assert "--unigram TEXT" in full
    assert "--lm" not in run("--help")  # of a metric that is not named
    output = run("--metric bleu_neighbors --help-all")
    for shown in (
        "Options of bleu_neighbors:",
        "--kernel-option NAME=VALUE",
        "--n-jobs INTEGER",
        "[default: 5]",
    ):
        assert shown in output


def test_a_command_that_needs_no_metric_says_so():
    runner = CliRunner()
    assert "Without --metric there is no metric." in runner.invoke(cli, ["human-score", "--help"]).output
    assert "Without --metric there is no metric." in runner.invoke(cli, ["human-score", "--unigram", "u"]).output
    assert "Without --metric the metric is fluency." in runner.invoke(cli, ["compare", "--help"]).output


@pytest.mark.parametrize(
    "line, told",
    [
        ("--metric rougeL", "'rougeL' is not computed here: let its own tool (such as rouge-score) compute it"),
        ("--metric bertscore", "`referenceless compare --scores FILE --score-column bertscore` compares systems by it"),
        ("--metric bleu", "'bleu' is not one of 'bleu_neighbors', 'fluency', "),
        ("--metric bleu", "did you mean `--with bleu` of `referenceless compare` and `score`"),
        ("--metric bleu_neighbors", "give --pool FILE"),
        ("--metric=bleu_neighbors --lm word", "No such option"),
        ("--unigram u", "the metric is fluency. For options of a metric add --metric NAME."),
        ("--lm model.npz", "Without --metric the metric is fluency."),
        ("--metric", "requires an argument"),
        ("--metric slor --metric=fluency", "show takes one metric, but got slor, fluency: give each a run of its own"),
        ("-- --metric slor", "unexpected extra argument"),  # words after `--` name no metric
    ],
)
def test_what_is_refused(line, told):
    assert told in run(line)
