"""Scores of one system: means, and the items of the worst ones."""

from command_lines import done, invoke
from text_files import write_table


def test_means_and_worst_items_of_one_system(folder):
    rows = [(f"t{n}", 1 if n % 3 else 0.2, 0.1 * n) for n in range(6)]
    write_table("run.csv", ("item", "f1", "wer"), rows)
    out = done("compare --scores run.csv --score-column f1").output
    assert "There is one system, so that nothing is compared" in out
    assert "f1: 2 of 6 items are not at 1; lowest: t0 (0.2), t3 (0.2)." in out
    out = done("compare --scores run.csv --score-column wer --lower-is-better wer").output
    assert "wer: 5 of 6 items are not at 0; highest (worst): t5 (0.5), t4 (0.4)" in out


def test_a_gate_needs_two_systems(folder):
    write_table("run.csv", ("item", "score"), [(n, n % 2) for n in range(6)])
    assert invoke("compare --scores run.csv --fail-if-worse").exit_code != 0
