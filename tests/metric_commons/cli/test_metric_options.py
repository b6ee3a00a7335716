"""Commands that take any metric: each brings its own options."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner

from metric_commons.cli.lazy import LazyGroup
from metric_commons.cli.metric_options import MetricCommand, check_options, metric_from, metric_option
from metric_commons.registry import MetricSpec, metric_spec


@click.command(cls=MetricCommand, epilog="Example: group show")
@metric_option
@click.option("--own", default="own")
def show(spec: MetricSpec, **options: Any) -> None:
    """Show."""
    check_options(spec, options)
    click.echo(f"{spec.name} {sorted(options)}")


def run(*arguments: str) -> Any:
    return CliRunner().invoke(LazyGroup(name="group", commands_at={"show": show}), ["show", *arguments])


def test_the_metric_decides_which_options_there_are() -> None:
    assert run("--own", "x").output.startswith("fluency ['lm', 'lm_options', 'max_unknown', 'measure', ")
    output = run("--metric", "bleu_neighbors", "--pool", "p.csv", "--threshold", "0.1").output
    assert output.startswith("bleu_neighbors ")
    assert "'threshold'" in output
    assert "'lm'" not in output
    assert (
        "'--threshold'. That is so with --metric fluency, the default; --metric NAME" in run("--threshold=0.1").output
    )
    assert "No such option" in run("--metric=bleu_neighbors", "--lm", "word").output


def test_an_unknown_metric_is_refused() -> None:
    result = run("--metric", "bleu")
    assert result.exit_code == 2
    assert "'bleu' is not one of 'bleu_neighbors', 'fluency', " in result.output


def test_help_shows_the_options_of_the_metric() -> None:
    assert "--lm [default|smollm2]" in run("--help").output
    assert "--lm TEXT" in run("--metric", "slor", "--help").output
    output = run("--metric", "bleu_neighbors", "--help").output
    assert "--kernel-option NAME=VALUE" in output
    assert "options with --metric bleu_neighbors" in " ".join(output.split())


def test_what_a_metric_refuses() -> None:
    assert "give --pool FILE" in run("--metric", "bleu_neighbors").output
    assert "No such option" in run("--stem").output
    assert (
        "give --unigram or --unigram-corpus, not both"
        in run("--metric=slor", "--unigram=u", "--unigram-corpus=c").output
    )


def test_the_metric_that_options_describe() -> None:
    spec = metric_spec("slor")
    options = {"lm": "word", "unigram": None, "unigram_corpus": None, "lm_options": {"oov": "skip"}}
    options |= dict.fromkeys(("unknown", "max_unknown", "measure"))
    metric = metric_from(spec, {**options, "own": 1})
    assert metric.name == "slor"
    assert "skip" in metric.signature


@pytest.mark.parametrize("argument", ["--", "--metric"])
def test_a_metric_that_is_not_named(argument: str) -> None:
    assert run(argument).exit_code in (0, 2)
