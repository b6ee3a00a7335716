"""The rated outputs of generators: the format and the real data."""

from collections import Counter

import pytest
from refusals import refused
from text_files import write

from referenceless_metrics import datasets as rated

HEADER = '"dataset","system","mr","sys_ref","informativeness","naturalness","quality"\n'
ROWS = (
    '"SFHOT","LOLS","inform(name=\'a, b\')","a, b is a hotel.",6,4.5,5\n'
    '"BAGEL","Dusek","inform(name=none)","there is none.",3,3,1\n'
)


def folder_with(folder, content=HEADER + ROWS):
    write(folder / "emnlp_data_medians.csv", content)
    return folder


def test_rows(tmp_path, streaming, rows_of):
    folder = folder_with(tmp_path)
    rows = rows_of("nlg_ratings", "all", folder, streaming)
    assert rows[0] == {
        "dataset": "SFHOT",
        "system": "LOLS",
        "mr": "inform(name='a, b')",
        "text": "a, b is a hotel.",
        "informativeness": 6.0,
        "naturalness": 4.5,
        "quality": 5.0,
    }
    assert len(rows) == 2
    (row,) = rows_of("nlg_ratings", "bagel", folder, streaming)
    assert row["system"] == "Dusek"
    with refused("expected rows of sfres, found none"):
        rows_of("nlg_ratings", "sfres", folder, streaming)


def test_a_folder_must_be_given():
    with refused(r"get emnlp_data_medians\.csv from https://github\.com/jeknov", FileNotFoundError):
        rated.load("nlg_ratings")


@pytest.mark.parametrize(
    "content, message",
    [
        (HEADER + "E2E,a,b,c,1,2,3\n", ":2: expected 'dataset' to be BAGEL, SFHOT or SFRES, but got 'E2E'"),
        (HEADER + "SFHOT,a,b,c,1,2,7\n", ":2: expected 'quality' to be a number from 1 to 6, but got '7'"),
        (HEADER + "SFHOT,a,b,c,x,2,6\n", ":2: expected 'informativeness' to be a number from 1 to 6, but got 'x'"),
        ("dataset,system,mr\n", ":1: no column 'sys_ref'"),
    ],
)
def test_malformed_rows(tmp_path, content, message):
    with refused(message):
        rated.load("nlg_ratings", data_dir=folder_with(tmp_path, content))


def test_the_published_file(data_dir):
    rows = rated.load("nlg_ratings", data_dir=data_dir("nlg-ratings"), split="train")
    assert Counter(rows["dataset"]) == {"BAGEL": 404, "SFHOT": 875, "SFRES": 1181}
    pool = rated.load_rated("nlg_ratings:sfhot", data_dir=data_dir("nlg-ratings"))
    assert len(pool.texts) == 875
