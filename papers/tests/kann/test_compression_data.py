"""Reading the format of the Toutanova et al. (2016) release, from small files made here."""

import pytest
from refusals import refused
from text_files import write

from referenceless_metrics.core.support.validation import InputError
from referenceless_papers.kann.compression_data import read_compression_data

WORDS = {6: ("Most important meaning", "Flawless language"), 12: ("Much meaning", "Minor errors")}
WORDS |= {24: ("Little or none meaning", "Disfluent or incomprehensible"), 9: ("Most important meaning", "Disfluent")}


def rating(value, fields):
    """A rating as the release writes it: the number, then the words in one field or in two."""
    meaning, grammar = WORDS[value]
    return [str(value), *([f"{meaning} {grammar}"] if fields == 2 else [meaning, grammar])][: max(fields, 1)]


def line(source, *compressions, fields=2):
    parts = ["\t".join(source)]
    for text, judge, values in compressions:
        cells = [cell for value in values for cell in rating(value, fields)]
        parts.append("\t".join([text, judge, str(len(values)), *cells]))
    return " ||| ".join(parts) + "\r\n"


@pytest.fixture(params=[1, 2, 3])
def release(tmp_path, request):
    fields = request.param
    folder = tmp_path / "release" / "RawData"
    folder.mkdir(parents=True)
    first, second = ("1", "Newswire", "A long text ."), ("2_3", "Letters", "Two texts . In one .")
    crowd = line(first, ("A text.", "W1", [6, 6]), ("Text.", "W2 W3", [12]), fields=fields)
    crowd += line(second, ("Two texts.", "W1", [6]), fields=fields)
    (folder / "test.tsv").write_bytes(("\ufeff" + crowd).encode())
    outputs = {
        "test_outut.ilp.tsv": (("long text", "ILP", [12, 24, 9]), ("Two", "ILP", [6])),
        "test_output.t3.tsv": (("A long", "T3", [24]), ("unrated", "T3", [])),
    }
    for name, compressions in outputs.items():
        lines = [line(*pair, fields=fields) for pair in zip((first, second), compressions, strict=True)]
        (folder / name).write_text("".join(lines), encoding="utf-8", newline="")
    return tmp_path / "release"


def test_system_outputs_with_their_grammar_and_references(release):
    for path in (release, release / "RawData"):
        rated = read_compression_data(path)
        assert rated.texts == ["long text", "Two", "A long"]
        assert rated.ratings == pytest.approx([(2 + 1 + 1) / 3, 3.0, 1.0])
        assert rated.systems == ["ilp", "ilp", "t3"]
        assert rated.domains == ["Newswire", "Letters", "Newswire"]
        assert rated.groups == ["1", "2_3", "1"]
        assert rated.references == [["A text.", "Text."], ["Two texts."], ["A text.", "Text."]]
        assert rated.is_compression_test_set


@pytest.mark.parametrize(
    "content, message",
    [
        ("1\tNews\n", "test_output.t3.tsv:1: expected SourceID, Domain and SourceText"),
        ("\n1\tNews\tText ||| short\tT3\t2\t6\tx\t6\n", "test_output.t3.tsv:2: expected 2 ratings, but got 3 fields"),
        ("1\tNews\tText ||| short\tT3\t1\t5\tx\n", r"expected a rating out of \[6, 7.*got '5'"),
        ("7\tNews\tText ||| short\tT3\t1\t6\tx\n", "test.tsv has no compression of source '7'"),
        ("1\tNews\tText ||| short\tT3\t0\n", "hold no rating"),
    ],
)
def test_malformed_files(tmp_path, content, message):
    write(tmp_path / "test.tsv", "1\tNews\tText ||| Tex\tW1\t1\t6\tgood\n")
    write(tmp_path / "test_output.t3.tsv", content)
    with refused(message, InputError):
        read_compression_data(tmp_path)
