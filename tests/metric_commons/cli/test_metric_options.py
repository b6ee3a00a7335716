"""Commands that take any metric: each brings its own options."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner

from metric_commons.cli import metric_options
from metric_commons.cli.help import LazyGroup
from metric_commons.cli.metric_options import MetricCommand, check_options, metric_option, options_for
from metric_commons.registry import MetricSpec, metric_spec


@click.command(cls=MetricCommand, epilog="Example: group show")
@metric_option
@click.option("--own", default="own")
def show(spec: MetricSpec, **options: Any) -> None:
    """Show."""
    check_options(options)
    click.echo(f"{spec.name} {sorted(options)}")


def run(*arguments, default=""):
    with pytest.MonkeyPatch.context() as patch:
        if default:
            patch.setattr(metric_options, "_DEFAULT", default)
        return _run(*arguments)


def _run(*arguments):
    return CliRunner().invoke(LazyGroup(name="group", commands_at={"show": show}), ["show", *arguments])


def test_the_metric_decides_which_options_there_are():
    assert run("--own", "x").output.startswith("fluency ['lm', 'lm_options', 'max_unknown', 'measure', ")
    output = run("--metric", "bleu_neighbors", "--pool", "p.csv", "--threshold", "0.1").output
    assert output.startswith("bleu_neighbors ")
    assert "'threshold'" in output
    assert "'lm'" not in output
    assert run("--threshold", "0.1", "--pool", "p.csv").output == output  # the one metric that takes a pool
    assert "--lm: add the metric that it is for" not in run("--lm", "word").output
    assert "No such option" in run("--metric=bleu_neighbors", "--lm", "word").output


def test_an_unknown_metric_is_refused():
    result = run("--metric", "bleu")
    assert result.exit_code == 2
    assert "'bleu' is not one of 'bleu_neighbors', 'fluency', " in result.output


def test_help_shows_the_options_of_the_metric():
    short, full = (run("--metric", "slor", flag).output for flag in ("--help", "--help-all"))
    assert "--lm TEXT" in short
    assert "Explained by --help-all: --unigram, " in short
    assert "--unigram TEXT" in full
    assert "--lm" not in run("--help").output  # of a metric that is not named
    output = run("--metric", "bleu_neighbors", "--help-all").output
    assert "Options of bleu_neighbors:" in output
    assert "--kernel-option NAME=VALUE" in output
    for zero in ("--random-state INTEGER", "--resample SHARE"):
        assert zero in output
    assert "[default: 0]" in output


def test_what_a_metric_refuses():
    assert "give --pool FILE" in run("--metric", "bleu_neighbors").output
    assert run("--stem").output.startswith("rouge_lm ")
    assert "No such option" in run("--stems").output
    told = "--unigram: add the metric that it is for, --metric rouge_lm or slor or wpslor"
    assert told in run("--unigram", "u").output
    assert "That is so with --metric fluency, which is meant" in run("--lm", "model.npz").output
    assert (
        "give --unigram or --unigram-corpus, not both"
        in run("--metric=slor", "--unigram=u", "--unigram-corpus=c").output
    )


def test_the_metric_that_options_describe():
    spec = metric_spec("slor")
    options = {"lm": "word", "unigram": None, "unigram_corpus": None, "lm_options": {"oov": "skip"}}
    options |= dict.fromkeys(("unknown", "max_unknown", "measure"))
    metric = options_for(spec).make(options, None)
    assert metric.name == "slor"
    assert "skip" in metric.signature


@pytest.mark.parametrize("argument", ["--", "--metric"])
def test_a_metric_that_is_not_named(argument):
    assert run(argument).exit_code in (0, 2)
