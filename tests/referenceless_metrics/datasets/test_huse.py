"""HUSE: the format, the real data, the download."""

import numpy as np
import pytest
from lazily import lazily
from refusals import refused
from text_files import write

from referenceless_metrics import datasets as rated

huse = lazily("referenceless_metrics.datasets.huse")


@pytest.mark.parametrize("task", ["summarization", "dialogue", "language_model"])
def test_one_row_a_sentence(huse_folder, task, streaming, rows_of):
    rows = rows_of("huse", task, huse_folder(task=task), streaming)
    names = "id text context source system log_probability rating num_judgements".split()
    assert rows == [
        dict(zip(names, values, strict=True))
        for values in (
            ("HIT1-00", "the cat, sat", "a cat sat", "model", "LM", -3.5, 0.9, 2),
            ("HIT1-01", "naïve 🙂", "", "human", "HUMAN_LM", -np.inf, 0.1, 2),
            ("HIT2-00", 'say "hi"', "ctx", "model", "LM", -1.0, 0.6, 1),
            ("HIT2-01", "", "ctx", "human", "HUMAN_LM", 0.0, 0.4, 1),
        )
    ]


def test_one_row_a_judgement(huse_folder, streaming, rows_of):
    rows = rows_of("huse", "language_model_judgements", huse_folder(), streaming)
    shown = [(row["id"], row["annotator"], row["label"], row["label_index"], row["rating"]) for row in rows]
    assert shown == [
        ("HIT1-00", "W001", "Typical", 4, 0.8),
        ("HIT1-01", "W001", "Invalid", 0, 0.0),
        ("HIT1-00", "W002", "Very Typical", 5, 1.0),
        ("HIT1-01", "W002", "Rare", 1, 0.2),
        ("HIT2-00", "W001", "Average", 3, 0.6),
        ("HIT2-01", "W001", "Specific", 2, 0.4),
    ]
    assert [row["text"] for row in rows[:2]] == ["the cat, sat", "naïve 🙂"]


def test_more_than_ten_slots_keep_their_own_answers(huse_folder, rows_of):
    # Mechanical Turk writes the answers as 0, 1, 10, 11, 2, …
    systems = {"LOGP_0.7.txt": "model", "HUMAN_REDDIT0.7": "human", "SUMRET": "model"}
    slots = [("c", [*systems][i % 3], f"text {i}", "-1") for i in range(12)]
    answers = [huse.LABELS[i % 6] for i in range(12)]
    rows = rows_of("huse", "language_model", huse_folder([("H", "w", slots, answers)]))
    assert [(row["text"], row["rating"]) for row in rows] == [(f"text {i}", (i % 6) / 5) for i in range(12)]
    assert {row["system"]: row["source"] for row in rows} == systems


@pytest.mark.parametrize(
    "place, value, message",
    [
        ((1, 3, 0), "Good", r":3: expected 'Answer\.0' to be one of \{'Invalid', .*\}, but got 'Good'"),
        ((2, 3, 1), "", r":4: expected 'Answer\.1' to be one of .*, but got ''"),
        ((0, 2, 0, 3), "high", r":2: expected 'Input\.LOGP0' to be a log-probability, but got 'high'"),
        ((0, 2, 0, 3), "nan", r":2: expected 'Input\.LOGP0' to be a log-probability, but got 'nan'"),
        ((1, 2, 0, 2), "other", r":3: sentence 0 of HIT 'HIT1' is not the same as in .*:2"),
    ],
)
def test_malformed_rows_are_named(huse_folder, assignments, place, value, message, streaming, rows_of):
    inner = assignments
    for index in place[:-1]:
        inner = inner[index]
    inner[place[-1]] = value
    with refused(r"language_model_raw_outputs\.csv" + message):
        rows_of("huse", "language_model", huse_folder(assignments), streaming)


@pytest.mark.parametrize(
    "content, message",
    [
        ("text,score\nx,1\n", r":1: no column 'Input\.OUT0': this is not the raw output of Mechanical Turk"),
        ("HITId,Input.OUT0\nH,x\n", r":1: no column 'WorkerId', 'Input\.CTX0', 'Input\.TYPE0' and 2 more"),
        (
            "HITId,WorkerId,Input.OUT0,Input.CTX0,Input.TYPE0,Input.LOGP0,Answer.0\n",
            ": expected rows of dialogue, found none",
        ),
        ("", ": it is empty"),
    ],
)
def test_other_files_are_not_taken_for_raw_outputs(tmp_path, content, message, rows_of):
    write(tmp_path / "dialogue_raw_outputs.csv", content)
    with refused(r"dialogue_raw_outputs\.csv" + message):
        rows_of("huse", "dialogue", tmp_path)


def test_missing_files_and_unpublished_tasks_say_what_is_needed(tmp_path, streaming):
    with refused(r"holds dialogue_raw_outputs\.csv for .*, but there is no dialogue", FileNotFoundError):
        rated.load("huse", "dialogue", data_dir=tmp_path, streaming=streaming)
    with refused(r"not in the authors' repository.*dialogue_raw_outputs\.csv as", FileNotFoundError):
        rated.load("huse", "dialogue", streaming=streaming)


def download(monkeypatch, folder, streaming):
    """Load the headlines from the authors' address: here a folder, which `datasets` reads as any address."""
    monkeypatch.setattr(
        "referenceless_metrics.datasets.huse.SUMMARIZATION_URL", str(folder / "summarization_raw_outputs.csv")
    )
    return list(rated.load("huse", "summarization", split="train", streaming=streaming))


def test_the_download_gives_the_rows_of_the_local_file(data_dir, monkeypatch, streaming, rows_of):
    folder = data_dir("huse")
    downloaded = download(monkeypatch, folder, streaming)
    assert downloaded == rows_of("huse", "summarization", folder, streaming)


def test_a_download_with_other_content_is_refused(huse_folder, monkeypatch, streaming):
    folder = huse_folder(task="summarization")
    with refused(r"the content is not what was published: expected the judgements' SHA-256"):
        download(monkeypatch, folder, streaming)


def test_a_download_that_fails_says_what_to_do(tmp_path, monkeypatch, streaming):
    with refused(r"Cannot download .*pass data_dir=, the folder's path", ConnectionError):
        download(monkeypatch, tmp_path, streaming)
