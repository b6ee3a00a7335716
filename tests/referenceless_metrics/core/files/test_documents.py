"""Folders with a text in each file: outputs of a system, or references, whose names tell the items."""

import json
import re
from pathlib import Path

import pytest
from command_lines import done, typed
from text_files import write

from referenceless_metrics import look
from referenceless_metrics.advice.look.together.joint import joint_lines
from referenceless_metrics.core.files.documents import are_documents
from referenceless_metrics.core.files.text_io import read_texts

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("folder")]

ENDS = ("after a long debate", "on a cold morning", "against all advice")


def put(folder, suffix, texts, first=8):
    """Write each text of several lines into a file of its own, numbered with six digits."""
    Path(folder).mkdir(parents=True)
    for n, lines in enumerate(texts, first):
        write(Path(folder) / f"{n:06}_{suffix}.txt", lines)
    return folder


def texts(ending, n=6):
    return [[f"the city voted on plan {k} {ending} .", "work starts soon ."] for k in range(n)]


def test_each_file_is_a_text_whose_name_tells_the_item():
    put("base/decoded", "decoded", texts(ENDS[0]))
    assert read_texts("base/decoded")[0] == "the city voted on plan 0 after a long debate . work starts soon ."
    found = look("base/decoded")
    assert (found.form, found.shape, found.n_rows) == ("a folder of texts", "a text per file", 6)
    assert found.items == {f"{n:06}" for n in range(8, 14)}
    rows = [json.loads(line) for line in done("score base/decoded --format jsonl").stdout.splitlines()]
    assert [row["item"] for row in rows] == [f"{n:06}" for n in range(8, 14)]  # 000009 before 000010


def test_folders_are_compared_by_item_beside_a_folder_of_references():
    for name, end in zip(("base", "ours"), ENDS, strict=False):
        put(f"runs/{name}/decoded", "decoded", texts(end))
    put("runs/reference", "reference", texts(ENDS[1]))
    looks = [look(file) for file in ("runs/base/decoded", "runs/ours/decoded", "runs/reference")]
    line = next(line for line in joint_lines(looks) if line.endswith("--metric bleu --metric chrf"))
    assert "compare runs/base/decoded runs/ours/decoded --references runs/reference" in line
    assert line in done("look runs").stdout
    told = done(line.removeprefix("referenceless ")).stdout
    assert re.search(r"ours\W+100\.00", told)
    assert "6 segments" in told


@pytest.mark.parametrize(
    "command", ["compare base/decoded ours/decoded --metric chrf", "score base/decoded --with chrf"]
)
def test_references_of_other_items_are_refused(command):
    put("base/decoded", "decoded", texts(ENDS[0]))
    put("ours/decoded", "decoded", texts(ENDS[1]))
    put("reference", "reference", texts(ENDS[1]), first=9)
    assert "lacks 1 of 6 items" in typed(f"{command} --references reference", 1).err


def test_outputs_of_other_items_are_refused():
    put("base/decoded", "decoded", texts(ENDS[0]))
    put("ours/decoded", "decoded", texts(ENDS[1]), first=9)
    assert "have outputs of other items (2 in one file alone)" in typed("compare base/decoded ours/decoded", 1).err


@pytest.mark.parametrize(
    "files",
    [
        {f"run{n}.txt": [f"a reply to question {k}" for k in range(9)] for n in range(4)},  # of a system each
        {f"{name}.txt": ["one text of a system"] for name in ("ours", "base", "big")},
        {f"scores{n}.txt": ["0.5", "0.25"] for n in range(4)},
        {f"rater{n}.txt": ["item\tthe rating of it"] for n in range(4)},
        {f"{n}.csv": ["the first text, and others"] for n in range(4)},
        {"1.txt": ["a text of some words"], "2.txt": ["another text of some words"]},
    ],
)
def test_other_folders_are_none_of_texts(files):
    Path("held").mkdir()
    for name, lines in files.items():
        write(Path("held") / name, lines)
    assert not are_documents("held")
    assert "it is a folder, not a file" in typed("score held", 1).err


def test_a_file_of_another_encoding_is_named():
    put("base", "decoded", texts(ENDS[0]) * 20)
    (Path("base") / "000127_decoded.txt").write_bytes(b"the caf\xe9 is open now")
    assert are_documents("base")  # which looks at the first files
    assert "000127_decoded.txt: not UTF-8 (byte 0xe9)" in typed("score base", 1).err


def test_texts_of_two_kinds_in_one_folder_are_not_taken_for_one_system():
    put("held", "decoded", texts(ENDS[0]))
    for n, lines in enumerate(texts(ENDS[1]), 8):
        write(Path("held") / f"{n:06}_reference.txt", lines)
    for command in ("look held", "score held"):
        told = typed(command, 1).err
        assert "its 12 files hold a text each, of 2 kinds, such as 000008_decoded.txt and 000008_reference.txt" in told
