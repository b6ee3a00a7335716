"""Sources on the command line."""

import click
import pytest
from toy_metrics import Lengths, Matches

from metric_commons.cli.base import check_beside, check_sources_given, read_sources
from metric_commons.registry import MetricSpec
from metric_commons.support.validation import InputError

READS = MetricSpec("reads", "Reads", make="toy:Toy", needs_sources=True)
READS_NOT = MetricSpec("reads_not", "Reads not", make="toy:Toy")


def test_sources_from_a_file(tmp_path):
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"text": "a", "mr": {"food": "thai"}}\n{"text": "b", "mr": "inform()"}\n', encoding="utf-8")
    assert read_sources(str(texts), 2, sources=None) is None
    lines = tmp_path / "mrs.txt"
    lines.write_text("one\ntwo\n", encoding="utf-8")
    assert read_sources(str(texts), 2, sources=str(lines)) == ["one", "two"]
    table = tmp_path / "mrs.csv"
    table.write_text("source\none\n", encoding="utf-8")
    assert read_sources(str(texts), 1, sources=str(table)) == ["one"]
    with pytest.raises(InputError, match=r"mrs\.csv has 1 sources, but .*texts\.jsonl has 2 texts"):
        read_sources(str(texts), 2, sources=str(table))


def test_what_is_refused_before_anything_is_read():
    check_beside(READS, "a.csv", {"sources": "s.txt"})
    with pytest.raises(click.UsageError, match="not both"):
        check_beside(READS, "a.csv", {"sources": "s.txt", "source_column": "mr"})
    with pytest.raises(click.UsageError, match="reads_not reads no sources"):
        check_beside(READS_NOT, "a.csv", {"source_column": "mr"})
    with pytest.raises(click.UsageError, match="needs a file, not standard input"):
        check_beside(READS, "-", {"source_column": "mr"})


def test_whether_the_metric_reads_them():
    check_sources_given(Lengths(), None)
    check_sources_given(Matches(references=False, sources=True), ["a"])
    with pytest.raises(click.UsageError, match="matches needs sources here"):
        check_sources_given(Matches(references=False, sources=True), None)
    with pytest.raises(click.UsageError, match="this lengths was fitted without sources"):
        check_sources_given(Lengths(), ["a"])
