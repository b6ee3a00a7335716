"""A key in a file of its own beside blind ratings: it tells which system is on which side."""

import warnings

import pytest
from command_lines import done, typed
from text_files import write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.human_evaluation.ratings.columns import CRITERIA, RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

SIDES = [("ours", "base") if n % 3 else ("base", "ours") for n in range(12)]


@pytest.fixture(autouse=True)
def key(folder):
    write_table("key.csv", ["id", "A_is", "B_is"], [(f"E{n}", *SIDES[n]) for n in reversed(range(12))])


def read(files, columns, **how):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", InputNote)
        frame = read_rating_table(files, columns, **how).frame
    return frame, "\n".join(str(note.message) for note in told)


def test_ratings_of_two_sides_are_of_the_systems_that_the_key_tells():
    rows = [(f"E{n}", 1 + n % 5, 1 + n % 4, 1 + n % 3, 2 + n % 2) for n in range(12)]
    write_table("r.csv", ["id", "fluency_A", "correct_A", "fluency_B", "correct_B"], rows)
    columns = RatingColumns(ratings=["fluency", "correct"], columns_are=CRITERIA)
    frame, told = read(["r.csv", "key.csv"], columns, by_file=True)
    rated = {(each.item, each.system, each.criterion): each.rating for each in frame.itertuples()}
    assert len(rated) == 48
    for row, (first, second) in zip(rows, SIDES, strict=True):
        assert rated[row[0], first, "fluency"] == row[1]
        assert rated[row[0], second, "correct"] == row[4]
    assert "key.csv tells the system of each side, by column 'id' (base, ours)" in told.replace(
        "ours, base", "base, ours"
    )


def test_the_files_of_several_raters_share_a_key():
    for name in ("ann", "bo"):
        write_table(f"{name}.csv", ["id", "style (left)", "style (right)"], [(f"E{n}", 1, 2) for n in range(12)])
    frame, _ = read(["ann.csv", "bo.csv", "key.csv"], RatingColumns(ratings=["style"]), repeats=True, alone=False)
    assert frame.groupby("rater").size().to_dict() == {"ann": 24, "bo": 24}
    ours = frame[frame["system"] == "ours"]
    assert ours["rating"].mean() == pytest.approx((1 * 8 + 2 * 4) / 12)


def test_a_preference_between_sides_is_between_the_systems_of_the_key():
    write_table("p.csv", ["id", "better"], [(f"E{n}", "AB"[n % 2]) for n in range(12)])
    frame, _ = read(["p.csv", "key.csv"], RatingColumns(preference="better"))
    won = {(each.item, each.system_a if each.preference == 1 else each.system_b) for each in frame.itertuples()}
    assert won == {(f"E{n}", SIDES[n][n % 2]) for n in range(12)}


def test_files_that_no_key_fits_stay_as_they_are():
    write_table("r.csv", ["id", "rating"], [(f"E{n}", 1 + n % 5) for n in range(12)])
    write_table("pairs.csv", ["id", "system_a", "system_b"], [(f"X{n}", "ours", "base") for n in range(12)])
    frame, told = read(["r.csv", "r.csv"], RatingColumns(), repeats=True, alone=False)
    assert len(frame) == 24
    assert "tells the system" not in told


def test_a_key_alone_names_no_winners_and_sides_alone_no_raters():
    told = typed("human-score --ratings key.csv --preference-column A_is", status=1).err
    assert "tell which system is on which side, and not which one is better" in told
    notes = look("key.csv").notes
    assert any("as a key does; give both: referenceless human-score --ratings ANSWERS.csv" in note for note in notes)
    of_three = [(f"E{n}", "ours", ("base", "big")[n % 2]) for n in range(12)]
    write_table("three.csv", ["id", "A", "B"], of_three)
    (note,) = [note for note in look("three.csv").notes if "no command fits" in note]
    assert "as a key does" in note
    names = ["fluency_A", "correct_A", "fluency_B", "correct_B"]
    write_table("r.csv", ["id", *names], [(f"E{n}", 1 + n % 5, 1 + n % 4, 1 + n % 3, 2 + n % 2) for n in range(12)])
    found = look("r.csv")
    (note,) = [note for note in found.notes if "nothing tells who wrote the two outputs" in note]
    assert "--ratings r.csv --ratings KEY.csv --rating-column fluency --rating-column correct" in note
    fixed = note.partition("in all rows: referenceless ")[2].partition(";")[0]
    assert "B" in done(fixed).stdout
    of_one = " ".join(f"--rating-column {name}" for name in names)
    told = typed(f"human-score --ratings r.csv {of_one} --columns-are criteria", status=1).err
    assert "--rows-in 'fluency_*,correct_*'" in told


def test_ratings_and_preferences_in_one_file_are_both_joined():
    rows = [(who, f"E{n}", 1 + n % 5, 1 + n % 3, "AB"[n % 2]) for who in ("ann", "bo") for n in range(12)]
    write_table("r.csv", ["annotator", "id", "style_A", "style_B", "better"], rows)
    told = typed("look r.csv key.csv").out.partition("Together:")[2]
    line = "human-score --ratings r.csv --ratings key.csv"
    for option in ("--rating-column style", "--preference-column better"):
        assert f"referenceless {line} {option} --rater-column annotator" in told
        assert "ours" in done(f"{line} {option} --rater-column annotator").stdout
    frame, _ = read(["r.csv", "key.csv"], RatingColumns(preference="better", rater="annotator"))
    assert len(frame) == 24


def test_look_joins_blind_answers_with_their_key():
    rows = [(f"E{n}", 1 + n % 5, 1 + n % 3, "AB"[n % 2]) for n in range(12)]
    write_table("r.csv", ["id", "style_A", "style_B"], [row[:3] for row in rows])
    write_table("p.csv", ["id", "better"], [row[::3] for row in rows])
    for file, option in (("r.csv", "--rating-column style"), ("p.csv", "--preference-column better")):
        told = typed(f"look {file} key.csv").out
        line = f"human-score --ratings {file} --ratings key.csv {option}"
        assert f"\nreferenceless {line}\n" in f"{told.partition('Together:')[2]}\n"
        assert "ours" in done(line).stdout


def test_sides_may_be_numbered_in_both_files():
    write_table("key.csv", ["id", "System 1", "System 2"], [(f"E{n}", *SIDES[n]) for n in range(12)])
    rows = [(f"E{n}", "x", "y", 2, 4 + n % 2) for n in range(12)]
    write_table("r.csv", ["id", "Text 1", "Text 2", "Style 1", "Style 2"], rows)
    frame, _ = read(["r.csv", "key.csv"], RatingColumns(ratings=["Style"]))
    rated = {(each.item, each.system): each.rating for each in frame.itertuples()}
    for (item, *_, first, second), (one, other) in zip(rows, SIDES, strict=True):
        assert (rated[item, one], rated[item, other]) == (first, second)
