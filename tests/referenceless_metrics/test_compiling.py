"""The command `compile` leaves machine code where the package is, and says so."""

from click.testing import CliRunner

from referenceless_metrics.cli import cli


def test_functions_are_compiled_for_every_kernel_that_is_installed():
    result = CliRunner().invoke(cli, ["compile"])
    assert result.exit_code == 0, result.output
    counts = {line.split()[-1]: int(line.split()[0]) for line in result.output.splitlines()}
    assert sum(counts.values()) >= 15
    from bleu_neighbors_metric.kernels import matching, ngrams

    assert matching.__name__
    assert ngrams._extract.signatures
