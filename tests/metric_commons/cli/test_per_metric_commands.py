"""Commands that each metric brings itself."""

from click.testing import CliRunner

from metric_commons.cli.help import LazyGroup
from metric_commons.cli.per_metric_commands import evaluate, fit

GROUP = LazyGroup(name="group", sections={"Commands": {"fit": fit, "evaluate": evaluate}})


def run(*arguments):
    return CliRunner().invoke(GROUP, arguments)


def test_the_metric_decides_what_the_command_is():
    assert "--threshold" in run("fit", "--help").output
    output = run("fit", "--metric", "quality_estimation", "--help").output
    assert "--rating-column" in output
    assert "--threshold" not in output
    assert "Learn to estimate ratings" in output
    assert "one of bleu_neighbors, quality_estimation" in " ".join(output.split())
    assert "--folds" in run("evaluate", "--help").output


def test_metrics_that_do_not_bring_it():
    result = run("fit", "--metric", "wpslor", "pool.csv")
    assert result.exit_code == 2
    assert "'wpslor' is not one of 'bleu_neighbors', 'quality_estimation'" in result.output


def test_the_list_of_commands_says_what_it_is():
    assert "Learn from rated texts" in run("--help").output
