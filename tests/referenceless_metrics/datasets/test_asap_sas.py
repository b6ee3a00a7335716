"""ASAP-SAS: the format and the real data."""

import pytest
from refusals import refused

from referenceless_metrics import datasets as rated
from referenceless_metrics.datasets.catalogue import MAX_SCORE


def test_training_answers(asap_folder, streaming, rows_of):
    rows = rows_of("asap_sas", "all", asap_folder(), streaming)
    assert rows[1] == {
        "id": 2,
        "essay_set": 1,
        "text": 'He said "no" and\tleft.',
        "score": 0,
        "second_score": 0,
        "max_score": 3,
        "rating": 0.0,
    }
    assert [(row["id"], row["rating"], row["second_score"]) for row in rows] == [(1, 1.0, 2), (2, 0.0, 0), (4, 0.5, 2)]
    assert rows[2]["text"] == "ça va 🙂"


def test_leaderboard_answers_are_joined_with_their_scores(asap_folder, streaming, rows_of):
    rows = rows_of("asap_sas", "all", asap_folder(), streaming, split="test")
    assert [(row["id"], row["text"], row["score"], row["second_score"]) for row in rows] == [
        (10, "one", 0, None),
        (11, "two", 1, None),
        (12, "three", 2, None),
    ]
    assert [row["rating"] for row in rows] == [0.0, 1 / 3, 1.0]


def test_one_set(asap_folder, streaming, rows_of):
    folder = asap_folder()
    assert [row["id"] for row in rows_of("asap_sas", "set_1", folder, streaming)] == [1, 2]
    assert [row["id"] for row in rows_of("asap_sas", "set_3", folder, streaming, split="test")] == [10, 12]
    with refused(r"train_rel_2\.tsv: expected rows of set_5, found none"):
        rows_of("asap_sas", "set_5", folder, streaming)


def test_missing_files_say_where_to_get_them(asap_folder, streaming):
    with refused(r"kaggle\.com/c/asap-sas.*a folder that holds train_rel_2\.tsv, pub", FileNotFoundError):
        rated.load("asap_sas", "set_1", streaming=streaming)
    folder = asap_folder(test=None, solution=None)
    with refused(r"is no public_leaderboard_rel_2\.tsv, public_leaderboard_sol", FileNotFoundError):
        rated.load("asap_sas", "set_1", data_dir=folder, streaming=streaming)


HEADER = "Id\tEssaySet\tScore1\tScore2\tEssayText\n"


@pytest.mark.parametrize(
    "files, message",
    [
        ({"train": HEADER + "1\t1\t3\t3\n"}, r"train_rel_2\.tsv:2: the row ends before 'EssayText'"),
        ({"train": HEADER + "1\tx\t0\t0\ta\n"}, r":2: expected a whole number in 'EssaySet', but got 'x'"),
        ({"train": HEADER + "1\t1\t4\t3\ta\n"}, r":2: expected 'Score1' of set 1 to be from 0 to 3, but got 4"),
        ({"train": HEADER + "1\t3\t0\t3\ta\n"}, r":2: expected 'Score2' of set 3 to be from 0 to 2, but got 3"),
        ({"train": HEADER + "1\t11\t0\t0\ta\n"}, r":2: expected 'EssaySet' to be a set from 1 to 10, but got 11"),
        ({"train": HEADER + "1\t1\t0\t0\ta\n1\t1\t0\t0\tb\n"}, r":3: 'Id' 1 already stands in .*train_rel_2\.tsv:2"),
        ({"solution": "id,essay_set,essay_score\n10,3,0\n"}, r"board_rel_2\.tsv:3: answer 11 has no score in .*sol"),
        ({"solution": "id,essay_set,essay_score\n10,1,0\n"}, r":2: answer 10 is of set 3, but .* says set 1"),
        ({"solution": "id,score\n10,1\n"}, r"solution\.csv:1: no column 'essay_set', 'essay_score' among"),
    ],
)
def test_malformed_files_are_named_with_the_line(asap_folder, files, message, streaming):
    folder = asap_folder(**files)
    with refused(message):  # one load, whose rows are then read
        for rows in rated.load("asap_sas", "all", data_dir=folder, streaming=streaming).values():
            list(rows)


@pytest.mark.long
def test_the_real_files(data_dir):
    splits = rated.load("asap_sas", "all", data_dir=data_dir("asap-sas"))
    rows = {split: own.to_pandas() for split, own in splits.items()}
    assert {split: len(own) for split, own in rows.items()} == {"train": 17043, "test": 5224}
    assert set(rows["train"]["id"]).isdisjoint(rows["test"]["id"])
    for split, own in rows.items():
        # Every set's maximum is reached, by each of its scores: the maxima are not only an upper bound.
        reached = set(zip(own["essay_set"], own["score"], strict=True))
        assert reached == {(s, score) for s, top in MAX_SCORE.items() for score in range(top + 1)}
        assert set(own["rating"]) == {0.0, 1 / 3, 0.5, 2 / 3, 1.0}
        assert (own["rating"] == own["score"] / own["max_score"]).all()
        assert (own["second_score"].notna() == (split == "train")).all()
