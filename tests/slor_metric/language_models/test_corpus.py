"""Reading corpora."""

import bz2
import gzip
import lzma

import pytest
from refusals import refused

from slor_metric.language_models.unigram import read_lines

LINES = ["a first line", "", "dritte Zeile: ä", "\u2028 is no line end", "last"]


@pytest.mark.parametrize(
    "suffix, opener", [(".txt", open), (".gz", gzip.open), (".bz2", bz2.open), (".xz", lzma.open), ("", open)]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files(tmp_path, suffix, opener, end):
    path = tmp_path / f"corpus{suffix}"
    with opener(path, "wb") as file:
        file.write(("\ufeff" + end.join(LINES)).encode())
    assert list(read_lines(path)) == LINES
    assert list(read_lines(str(path))) == LINES
    assert list(read_lines([path, "between", path])) == [*LINES, "between", *LINES]


def test_refuses(tmp_path):
    with refused("no such file"):
        list(read_lines(tmp_path / "nowhere.txt"))
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"fine\nna\xefve\n")
    with refused(r"latin\.txt:2: not UTF-8"):
        list(read_lines(latin))
    for name in ("foreign.xz", "foreign.gz", "foreign.bz2"):
        foreign = tmp_path / name
        foreign.write_bytes(b"plain text")
        with refused("cannot be read"):
            list(read_lines(foreign))
    cut = tmp_path / "cut.xz"
    cut.write_bytes(lzma.compress(b"line\n" * 1000)[:-20])
    with refused("cannot be read"):
        list(read_lines(cut))
    for bad in (3, None, b"bytes", {"a": 1}):
        with refused("corpus", TypeError):
            list(read_lines(bad))
    with refused("corpus", TypeError):
        list(read_lines(["a", 3]))
    with refused("line 2 of the corpus holds a lone surrogate at position 3"):
        list(read_lines(["fine", "caf" + chr(0xD83D)]))
    with refused("it is a folder"):
        list(read_lines(tmp_path))
