"""Ratings and preferences of language models: the findings, and the sentences to quote, name no people."""

import json

import pytest
from command_lines import done, typed
from text_files import read, write, write_table

from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.human_evaluation.wording.headline import MAY_BE_OF_PEOPLE, NOT_OF_PEOPLE, OF_RATERS


def _rows(rated, **more):
    return [
        {"item": n, "system": system, rated: 1 + (n * 7 + n // 3) % 4 + (system == "b" and n % 5 > 0), **more}
        for n in range(30)
        for system in "ab"
    ]


@pytest.mark.parametrize(
    "name, rated, more, said, by",
    [
        (
            "ratings.jsonl",
            "rating",
            {"rater": "gpt-4"},
            "The judge rates b higher than a",
            "a judge that is a language model",
        ),
        ("ratings.jsonl", "rating", {"judge": "claude-3-opus"}, "The judge rates b higher than a", "a judge that is a"),
        ("ratings.jsonl", "rating", {"rated_by": "gpt-4o"}, "The judge rates b higher than a", "a judge that is a"),
        (
            "ratings.jsonl",
            "rating",
            {"annotator": "weighted_gpt4"},
            "The judge rates b higher than a",
            "a judge that is a",
        ),
        ("ratings.jsonl", "rating", {"annotator": "Phil"}, "These raters rate b higher than a", "On 30 items, b was"),
        (
            "ratings.jsonl",
            "rating",
            {"judge": "gpt-4", "worker": "w7"},
            "These raters rate b higher than a",
            "On 30 items, b was",
        ),
        (
            "ratings.jsonl",
            "rating",
            {"price_per_example": 0.01},
            "The judge rates b higher than a",
            "by a judge, b was",
        ),
        ("ratings.jsonl", "judge_score", {}, "The judge rates b higher than a", "by a judge, b was"),
        ("judgements.jsonl", "rating", {}, "By these ratings, b is higher than a", "On 30 items, b was"),
        ("llm_judge_results.jsonl", "rating", {}, "The judge rates b higher than a", "by a judge, b was"),
        ("human_and_llm_judges.jsonl", "rating", {}, "By these ratings, b is higher than a", "On 30 items, b was"),
        ("llm_outputs.jsonl", "rating", {}, "By these ratings, b is higher than a", "On 30 items, b was"),
        (
            "ratings.jsonl",
            "rating",
            {"rationale": "It is fine."},
            "By these ratings, b is higher than a",
            "On 30 items, b",
        ),
        ("human_judgments.jsonl", "rating", {}, "These raters rate b higher than a", "On 30 items, b was"),
        ("ratings.jsonl", "rating", {}, "By these ratings, b is higher than a", "On 30 items, b was"),
        ("ratings.jsonl", "human_rating", {}, "These raters rate b higher than a", "On 30 items, b was"),
        (
            "ratings.jsonl",
            "human_average_rating",
            {},
            "By these means of people's ratings, b is higher than a",
            "On 30 items by an unknown number of people each, b was",
        ),
    ],
)
def test_who_rated_is_told_by_names(folder, name, rated, more, said, by):
    write(name, map(json.dumps, _rows(rated, **more)))
    told = " ".join(done(f"human-score --ratings {name} --rating-column {rated} --scale 1-5").output.split())
    assert told.count(said) == 2  # as headline and as finding
    assert by in told.partition("For the paper")[2]
    is_model = "language model" in told
    assert ("This says nothing about people." in told) == is_model
    assert "eople rate" not in told  # of raters who are not told nothing is said of others
    of_others = "Nothing is said of raters other than these, who are not told (--rater-column NAME"
    assert (of_others in told) == said.startswith("These raters")
    done(f"human-score --ratings {name} --rating-column {rated} --scale 1-5 -o page.html")
    assert ("Mean human rating" in read("page.html")) == ("raters" in said or "eople" in said)
    are_means = "means of people" in said
    assert ("nothing is said of people in general" in told) == are_means
    assert ("give their single ratings, with a column of raters" in read("page.html")) == are_means


def test_a_note_tells_that_a_judge_rated_its_own_outputs(folder):
    rows = [(n, s, r, (n * 7 + len(s)) % 5) for n in range(12) for s in ("gpt-4", "qwen") for r in ("gpt-4", "ann")]
    write_table("rated.csv", ["item", "system", "rater", "rating"], rows)
    pairs = [(n, "gpt-4", "qwen", r, "ab"[n % 2]) for n in range(12) for r in ("gpt-4", "ann")]
    write_table("pairs.csv", ["item", "system_a", "system_b", "rater", "preference"], pairs)
    of = "outputs whose system is called as the rater, 'gpt-4': raters may favour their own outputs"
    for line in ("human-score --ratings rated.csv", "agreement rated.csv"):
        assert f"note: 12 of 48 ratings are of {of}" in typed(line).err
        assert f"note: 12 of 24 preferences are of {of}" in typed(line.replace("rated", "pairs")).err


def test_a_judge_prefers(folder):
    rows = [
        {"question_id": n, "turn": turn, "model_1": "a", "model_2": "b", "judge": ["gpt-4", "pair-v2"]}
        | {"g1_winner": "model_2" if n % 5 else "tie", "g2_winner": "model_2" if n % 7 else "model_1"}
        for n in range(20)
        for turn in (1, 2)
    ]
    write("gpt-4_pair.jsonl", map(json.dumps, rows))
    told = " ".join(done("human-score --ratings gpt-4_pair.jsonl").output.split())
    assert "The judge prefers b to a" in told
    assert "eople prefer" not in told
    assert "judge that is a language model" in told
    assert "40 items in 20 clusters" in told
    assert "referenceless human-score --ratings gpt-4_pair.jsonl" in done("look gpt-4_pair.jsonl").output


@pytest.mark.parametrize("option", ["", " --rater-column annotator"])
def test_an_annotator_that_is_a_model_is_a_judge(folder, option):
    rows = [
        {"instruction": f"Task {n}", "generator_1": "base", "generator_2": "ours", "annotator": "weighted_gpt4_turbo"}
        | {"preference": 1.9 if n % 4 else 1.2}
        for n in range(40)
    ]
    write("annotations.json", [json.dumps(rows)])
    line = (
        "human-score --ratings annotations.json --system-a-column generator_1 --system-b-column generator_2 "
        f"--item-column instruction{option} --scale 1-2 --a-is low"
    )
    told = " ".join(done(line).output.split())
    assert "The judge prefers ours to base" in told
    assert "This says nothing about people." in told
    assert "eople prefer" not in told
    assert ("referenceless " + line in done("look annotations.json").output) == bool(option)


def test_what_judges_find_stands_before_what_it_does_not_say(folder):
    rows = [{**row, "criterion": "fluency", "rater": "gpt-4"} for row in _rows("rating")]
    rows += [{**row, "criterion": "coherence", "rating": 6 - row["rating"]} for row in rows]
    write("ratings.jsonl", map(json.dumps, rows))
    told = " ".join(done("human-score --ratings ratings.jsonl --scale 1-5").output.split())
    headline, limit, _ = told.partition("This says nothing about people.")
    assert limit
    assert told.count(limit) == 1
    assert "fluency: The judge rates b higher than a" in headline
    assert "coherence: The judge rates b lower than a" in headline


def test_verdicts_of_nobody_knows_whom_are_no_people_s(folder):
    rows = [
        {"question_id": n, "model_a": "base", "model_b": "ours", "winner": winner}
        for n in range(30)
        for winner in ("model_b", "model_b" if n % 3 else "tie")
    ]
    write("battles.jsonl", map(json.dumps, rows))
    told = " ".join(done("human-score --ratings battles.jsonl").output.split())
    assert told.count("By these verdicts, ours is preferred to base") == 2
    assert "pairs of outputs have several verdicts, and nothing tells who gave them" in told
    assert "eople" not in told
    write("votes.jsonl", [json.dumps({**row, "worker": f"w{at % 6}"}) for at, row in enumerate(rows)])
    assert "People prefer ours to base" in done("human-score --ratings votes.jsonl --rater-column worker").output


def test_of_all_pairs_and_of_one_system_it_is_the_ratings_that_tell(folder):
    columns = ["item", "system", "rating"]
    rows = [(n, name, 1 + (n * 7 + n // 3) % 3 + 2 * (name == "c")) for n in range(30) for name in "abc"]
    write_table("three.csv", columns, rows)
    told = " ".join(done("human-score --ratings three.csv --scale 1-5 --all-pairs").output.split())
    assert "By these ratings, c is higher than a and b; no difference is shown between a and b" in told
    write_table("one.csv", columns, [row for row in rows if row[1] == "a"])
    assert "These ratings give a 2 on average" in done("human-score --ratings one.csv --scale 1-5").output


@pytest.mark.parametrize(
    "column, limit",
    [
        ("rating", MAY_BE_OF_PEOPLE),
        ("score", MAY_BE_OF_PEOPLE),
        ("human_score", OF_RATERS),
        ("RAW.SCR", OF_RATERS),
        ("Z.SCR", OF_RATERS),
        ("bleu", NOT_OF_PEOPLE),
        ("exact_match", NOT_OF_PEOPLE),
        ("judge_score", NOT_OF_PEOPLE),
        ("BLEURT max", NOT_OF_PEOPLE),
    ],
)
def test_the_limit_of_scores_claims_what_their_name_tells(folder, column, limit):
    rows = [(n, name, n % 4 + (name == "b")) for n in range(30) for name in "ab"]
    write_table("scores.csv", ["item", "system", column], rows)
    told = " ".join(done(f"compare --scores scores.csv --score-column '{column}'").output.split())
    assert [each for each in (MAY_BE_OF_PEOPLE, NOT_OF_PEOPLE, OF_RATERS) if each in told] == [limit]


def test_scores_held_against_a_judge_s_ratings_name_no_people(folder):
    rows = [{**row, "score": row["rating"] + row["item"] % 2, "other": row["item"] % 3} for row in _rows("rating")]
    write("scores.jsonl", map(json.dumps, rows))
    for rater, givers, told_by in (("gpt-4", "the judges", "by a judge"), ("ann", "people", "by one person")):
        write("ratings.jsonl", map(json.dumps, _rows("rating", rater=rater)))
        one = done("evaluate --scores scores.jsonl --ratings ratings.jsonl").stdout
        assert one.startswith(f"scores and {givers}, on 60 of 60 outputs: ")
        assert told_by in " ".join(one.partition("For the paper")[2].split())
        two = done("evaluate --scores scores.jsonl --score-column score --score-column other --ratings ratings.jsonl")
        assert f"score agrees better with {givers} than other" in two.stdout
        assert ("eople" in one + two.stdout) == (rater == "ann")


def test_scores_held_against_ratings_of_nobody_knows_whom_name_no_people(folder):
    rows = [{**row, "score": row["rating"] + row["item"] % 2, "other": row["item"] % 3} for row in _rows("rating")]
    write("scores.jsonl", map(json.dumps, rows))
    write("ratings.jsonl", map(json.dumps, _rows("rating")))
    one = done("evaluate --scores scores.jsonl --ratings ratings.jsonl").stdout
    assert one.startswith("scores and these ratings, on 60 of 60 outputs: ")
    assert "of 30 items with 60 ratings, scores of" in " ".join(one.split())
    two = done("evaluate --scores scores.jsonl --score-column score --score-column other --ratings ratings.jsonl")
    assert "score agrees better with these ratings than other" in two.stdout
    assert "eople" not in one + two.stdout
    write("ratings.jsonl", map(json.dumps, _rows("human_mean")))
    means = done("evaluate --scores scores.jsonl --ratings ratings.jsonl --rating-column human_mean").stdout
    assert means.startswith("scores and people, on 60 of 60 outputs: ")
    assert "of 30 items with 60 mean ratings by people, scores of" in " ".join(means.split())


@pytest.mark.parametrize("judge", ["gpt-4_", ""])
def test_the_reviewer_of_reviews_is_one_language_model_and_no_people(judge, tmp_path):
    """The number of a reviewer is that of its prompt."""
    answers = {"answer1_id": "k", "answer2_id": "f"}
    scores = [[6 + n % 3, 8 + n % 2] for n in range(12)]
    reviews = [{**answers, "question_id": n, "reviewer_id": 1 + n // 8, "score": scores[n]} for n in range(12)]
    path = write(tmp_path / f"{judge}review_a-13b_b-13b.jsonl", map(json.dumps, reviews))
    shown = typed(f"human-score --ratings {path}")
    assert "This says nothing about people." in shown.out
    assert "by a judge that is a language model" in shown.out
    assert "'a-13b' stands first in every review" in shown.err
    twice = [*reviews, *({**each, "reviewer_id": 3} for each in reviews)]
    path = write(tmp_path / "review_a-13b_b-13b.jsonl", map(json.dumps, twice))
    assert "This says nothing about people." in typed(f"human-score --ratings {path}").out


def test_scores_that_score_wrote_are_no_peoples(folder):
    """People rate fluency, too: the columns beside it tell who gave the numbers."""
    write("a.txt", [f"The train {n} came late." for n in range(12)])
    done("score a.txt --metric fluency -o a.csv")
    done("score a.txt --metric fluency -o b.csv")
    assert NOT_OF_PEOPLE in done("compare --scores a.csv --scores b.csv --score-column fluency").output


@pytest.mark.parametrize("judge, limit", [("gpt-4o-mini", NOT_OF_PEOPLE), ("ann", MAY_BE_OF_PEOPLE)])
def test_a_column_of_the_judge_s_model_tells_that_no_people_gave_scores(folder, judge, limit):
    rows = [(n, name, n % 4 + (name == "b"), judge) for n in range(30) for name in "ab"]
    write_table("scores.csv", ["item", "system", "score", "judge_model"], rows)
    told = " ".join(done("compare --scores scores.csv").output.split())
    assert [each for each in (MAY_BE_OF_PEOPLE, NOT_OF_PEOPLE, OF_RATERS) if each in told] == [limit]


@pytest.mark.parametrize("name, limit", [("llm_judge.csv", NOT_OF_PEOPLE), ("judges.csv", MAY_BE_OF_PEOPLE)])
def test_a_file_s_name_tells_that_a_judge_gave_scores(folder, name, limit):
    rows = [(n, system, n % 4 + (system == "b")) for n in range(30) for system in "ab"]
    write_table(name, ["item", "system", "score"], rows)
    told = " ".join(done(f"compare --scores {name}").output.split())
    assert [each for each in (MAY_BE_OF_PEOPLE, NOT_OF_PEOPLE, OF_RATERS) if each in told] == [limit]


@pytest.mark.parametrize("rater, limit", [("w1", OF_RATERS), ("gpt-4", NOT_OF_PEOPLE)])
def test_raters_tell_who_gave_scores(folder, rater, limit):
    rows = [(n, name, rater, n % 4 + (name == "b")) for n in range(30) for name in "ab"]
    write_table("scores.csv", ["item", "system", "rater", "score"], rows)
    told = " ".join(done("compare --scores scores.csv --rater-column rater").output.split())
    assert [each for each in (MAY_BE_OF_PEOPLE, NOT_OF_PEOPLE, OF_RATERS) if each in told] == [limit]


@pytest.mark.parametrize(
    "column, said", [("RAW.SCR", "These raters rate b higher than a"), ("score", "By these ratings, b")]
)
def test_names_of_direct_assessment_tell_people(folder, column, said):
    rows = [(f"i{n}", name, 60 + n * 7 % 20 + (name == "b") * (8 + n % 3)) for n in range(30) for name in "ab"]
    write_table("t.csv", ["SID", "SYS", column], rows)
    line = f"human-score --ratings t.csv --rating-column {column} --item-column SID --system-column SYS --scale 0-100"
    assert said in " ".join(done(line).output.split())


def test_criteria_of_one_judge_are_no_ratings_of_judges(folder):
    rows = [[n, 1 + n % 5, 1 + n % 4] for n in range(30)]
    write_table("scored.csv", ["item", "gpt_faithfulness_score", "gpt_style_score"], rows)
    both = "--scores scored.csv --ratings scored.csv --score-column gpt_faithfulness_score"
    with pytest.warns(InputNote, match="'gpt_faithfulness_score' and 'gpt_style_score' are called as of one judge"):
        told = done(f"evaluate {both} --rating-column gpt_style_score").output
    assert "and these ratings, on 30 of 30 outputs" in told
    assert "by judges" not in told
