"""Items that one file counts from 0 and the other from 1 are not joined by their numbers without a word."""

import json

import pytest
from command_lines import typed
from text_files import write, write_table

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.judges.item_numbers import check_count_alike

ONE, ZERO = range(1, 16), range(15)


@pytest.mark.parametrize(
    ("scores", "ratings"),
    [
        (ONE, ZERO),
        (ONE, range(9)),
        ([("news", n) for n in ONE], [("news", n) for n in ZERO]),
        (["news/1", "news/2", "blog/1"], [("news", 0), ("news", 1), ("blog", 0)]),
        ([f"{n}" for n in ONE], [("news", n) for n in ZERO]),
    ],
)
def test_numbers_that_meet_their_neighbours_are_refused_whichever_file_begins_with_0(scores, ratings):
    for sides in ((scores, ratings), (ratings, scores)):
        with pytest.raises(InputError, match=r"files: the \w+ count items from 1 to \d+, and the \w+ from 0"):
            check_count_alike(dict(zip(("scores", "ratings"), sides, strict=True)), "files")


@pytest.mark.parametrize("ratings", [ZERO, range(16), [f"i{n}" for n in ONE], [3, 7], ["i1", *ONE], []])
def test_other_items_are_taken_as_they_are(ratings, recwarn):
    check_count_alike({"scores": ZERO, "ratings": ratings}, "files")
    assert not recwarn


def test_a_file_that_counts_from_1_and_goes_no_further_may_lack_item_0(recwarn):
    check_count_alike({"scores": ZERO, "ratings": range(1, 10)}, "files")
    assert "the ratings count items from 1 to 9, and the scores from 0 to 14: equal numbers" in str(recwarn[0].message)


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_each_command_that_joins_scores_with_ratings_says_so(folder, command):
    for first, name in ((1, "score"), (0, "rating")):
        cells = [(n + first, system, n % 5) for system in "abc" for n in ZERO]
        write_table(f"{name}.csv", ["item", "system", name], cells)
    told = typed(f"{command} --scores score.csv --ratings rating.csv", 1).err
    assert "the scores count items from 1 to 15, and the ratings from 0 to 14" in told


@pytest.mark.parametrize(("command", "figure"), [("evaluate", "Pearson r 1.00"), ("compare", "ties 1.000")])
@pytest.mark.parametrize("first", [0, 1])
def test_lines_of_numbers_are_counted_as_the_ratings_count_them(folder, command, figure, first):
    """Lines bear no numbers: that they are counted from 1 is our own convention, and from 0 the ratings' one."""
    ratings = {system: [(n * 7 + at * 3) % 11 for n in ZERO] for at, system in enumerate("abc")}
    for system, values in ratings.items():
        write(f"{system}.txt", map(str, values))
    rows = [(n + first, system, ratings[system][n]) for system in ratings for n in ZERO]
    write_table("ratings.csv", ["item", "system", "rating"], rows)
    told = typed(f"{command} --scores a.txt --scores b.txt --scores c.txt --ratings ratings.csv")
    assert figure in told.out.replace("\n", " ")
    assert ("are counted from 0, as the items of the ratings are" in told.err) is (first == 0)


@pytest.mark.parametrize(("command", "figure"), [("evaluate", "Pearson r 1.00"), ("compare", "ties 1.000")])
@pytest.mark.parametrize("tool", ["log", "json"])
def test_lines_that_comet_scored_are_counted_as_the_ratings_count_them(folder, command, figure, tool):
    ratings = {system: [(n * 7 + at * 3) % 11 for n in ZERO] for at, system in enumerate("abc")}
    if tool == "log":
        lines = [
            f"{system}.txt\tSegment {n}\tscore: {value}"
            for system in ratings
            for n, value in enumerate(ratings[system])
        ]
        write("comet.log", lines)
    else:
        scored = {
            f"{system}.txt": [{"mt": f"{system} {value}", "COMET": value} for value in ratings[system]]
            for system in ratings
        }
        write("comet.json", [json.dumps(scored)])
    rows = [(f"doc{n % 4}", n, system, ratings[system][n]) for system in ratings for n in ZERO]
    write_table("ratings.csv", ["document", "item", "system", "rating"], rows)
    told = typed(f"{command} --scores comet.{tool} --ratings ratings.csv --cluster-column document")
    assert figure in told.out.replace("\n", " ")
    assert "are counted from 0, as the items of the ratings are" in told.err


def test_lines_of_numbers_and_lines_that_a_tool_numbers_are_one_table(folder):
    scored = {f"{system}.txt": [{"mt": f"{system} {n}", "COMET": n / 20} for n in ZERO] for system in "ab"}
    write("comet.json", [json.dumps(scored)])
    for system in "ab":
        write(f"{system}.txt", [str(n % 7) for n in ZERO])
    told = typed("compare --scores comet.json --scores a.txt --scores b.txt")
    assert "a file's n-th line is item n" in told.err
    assert "COMET" in told.out


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_numbers_that_reach_neither_end_of_the_lines_are_joined_with_a_word(folder, command):
    lines = [f"{system}.txt\tSegment {n}\tscore: {(n * 7) % 11}" for system in "abc" for n in ZERO]
    write("comet.log", lines)
    rows = [(n, system, n % 5) for system in "abc" for n in range(2, 13)]
    write_table("ratings.csv", ["item", "system", "rating"], rows)
    told = typed(f"{command} --scores comet.log --ratings ratings.csv").err
    assert "item 1 of the ratings is taken for the first line of" in told
