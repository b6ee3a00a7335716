"""The command `compile` leaves machine code where the package is, and says so."""

from command_lines import done


def test_functions_are_compiled_for_every_metric_that_is_installed():
    counts = {line.split()[-1]: int(line.split()[0]) for line in done("compile").output.splitlines()}
    assert sum(counts.values()) >= 5
