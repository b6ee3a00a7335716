"""Sources on the command line."""

import click
from refusals import refusals, refused
from text_files import write
from toy_metrics import Lengths, Matches

from metric_commons.cli.base import check_beside, check_sources_given, read_sources
from metric_commons.registry import MetricSpec
from metric_commons.support.validation import InputError

READS = MetricSpec("reads", "Reads", make="toy:Toy", needs_sources=True)
BY_SOURCE = Matches(references=False, sources=True)
READS_NOT = MetricSpec("reads_not", "Reads not", make="toy:Toy")


def test_sources_from_a_file(tmp_path):
    texts = tmp_path / "texts.jsonl"
    write(texts, '{"text": "a", "mr": {"food": "thai"}}\n{"text": "b", "mr": "inform()"}\n')
    assert read_sources(str(texts), 2, sources=None) is None
    lines = tmp_path / "mrs.txt"
    write(lines, "one\ntwo\n")
    assert read_sources(str(texts), 2, sources=str(lines)) == ["one", "two"]
    table = tmp_path / "mrs.csv"
    write(table, "source\none\n")
    assert read_sources(str(texts), 1, sources=str(table)) == ["one"]
    with refused(r"mrs\.csv has 1 sources, but .*texts\.jsonl has 2 texts", InputError):
        read_sources(str(texts), 2, sources=str(table))


test_what_is_refused_before_anything_is_read = refusals(
    check_beside,
    [
        (READS, "a.csv", {"sources": "s.txt", "source_column": "mr"}, "not both"),
        (READS_NOT, "a.csv", {"source_column": "mr"}, "reads_not reads no sources"),
        (READS, "-", {"source_column": "mr"}, "needs a file, not standard input"),
    ],
    error=click.UsageError,
)
test_whether_the_metric_reads_them = refusals(
    check_sources_given,
    [(BY_SOURCE, None, "matches needs sources here"), (Lengths(), ["a"], "this lengths was fitted without sources")],
    error=click.UsageError,
)


def test_what_goes_together_passes():
    check_beside(READS, "a.csv", {"sources": "s.txt"})
    check_sources_given(Lengths(), None)
    check_sources_given(BY_SOURCE, ["a"])
