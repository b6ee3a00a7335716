"""A judge's report card: figures by their definitions, intervals that hold, and files that fit together or do not."""

import json
import re
from dataclasses import astuple

import numpy as np
import pandas as pd
import pytest
from command_lines import as_json, typed
from numpy.random import default_rng
from text_files import write, write_table

from referenceless_metrics.assessment.meta_evaluation import fisher_interval, pearson
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.estimated_means import holm
from referenceless_metrics.human_evaluation.judges.compared_agreement import agreement_differences
from referenceless_metrics.human_evaluation.judges.judged_outputs import judged_outputs
from referenceless_metrics.human_evaluation.judges.report_card import MOST_PARTS, cohen_kappa, jackknife, report_card
from referenceless_metrics.human_evaluation.scores.mean_intervals import mean_interval
from slor_metric import FluencyNgram


def verdicts(n=60, seed=0):
    """A judge's verdicts on two systems' outputs of n items, who errs on long texts; half of them rated by three."""
    generator = default_rng(seed)
    rows, rated = [], []
    for item in range(n):
        for system in ("base", "ours"):
            truth, n_words = int(generator.random() < 0.5), int(generator.integers(1, 30))
            judge = truth if generator.random() < 0.8 else int(n_words > 15)
            rows.append({"item": item, "system": system, "judge": judge, "text": "word " * n_words})
            rows[-1] |= {"slice": "even" if item % 2 == 0 else "odd", "position": int(generator.integers(1, 3))}
            if item < n // 2:
                rated += [
                    {"item": str(item), "system": system, "rating": truth if generator.random() < 0.9 else 1 - truth}
                    for _ in range(3)
                ]
    return pd.DataFrame(rows), pd.DataFrame(rated)


def figure(card, what, of="all"):
    (found,) = [each for each in card.figures if (each.what, each.of) == (what, of)]
    return found


def test_figures_of_verdicts_are_those_of_the_joined_table():
    scores, ratings = verdicts()
    judged = judged_outputs(scores, ratings)
    card = report_card(judged)
    rows = judged.rated
    yes = rows[rows["human"] == 1]
    sensitivity = figure(card, "sensitivity")
    assert sensitivity.value == pytest.approx((yes["judge"] == 1).mean())
    clusters = np.unique(yes["item"], return_inverse=True)[1]
    ends = mean_interval(yes["judge"].to_numpy(dtype=float), clusters, 0.95)
    assert (sensitivity.low, sensitivity.high) == pytest.approx(ends)
    assert figure(card, "Cohen's κ").value == pytest.approx(
        cohen_kappa(rows["judge"].to_numpy(float), rows["human"].to_numpy(float))
    )
    even = rows[rows["slice"] == "even"]
    assert figure(card, "accuracy", "even").value == pytest.approx((even["judge"] == even["human"]).mean())
    assert figure(card, "r of length and error").value > 0
    first = rows[rows["position"] == 1]
    assert figure(card, "mean error", "position 1").value == pytest.approx((first["judge"] - first["human"]).mean())
    error = even["judge"] - even["human"]
    assert figure(card, "mean error", "even").value == pytest.approx(error.mean())
    lengths = even["text"].str.split().str.len()
    assert figure(card, "r of length and error", "even").value == pytest.approx(np.corrcoef(lengths, error)[0, 1])
    assert figure(card, "mean error", "even, position 1").value == pytest.approx(error[even["position"] == 1].mean())


def test_a_corrected_rate_is_nearer_to_people_than_the_judge():
    generator = default_rng(1)
    truth = generator.random(400) < 0.5
    judge = np.where(truth, 1, generator.random(400) < 0.4).astype(int)  # generous
    scores = pd.DataFrame({"item": range(400), "judge": judge})
    ratings = pd.DataFrame({"item": range(100), "rating": truth[:100].astype(float)})
    card = report_card(judged_outputs(scores, ratings))
    corrected, plain = figure(card, "corrected mean"), figure(card, "mean score")
    assert (corrected.n, corrected.unit, plain.unit) == (100, "rating", "score")
    assert corrected.low <= truth.mean() <= corrected.high < plain.value
    share = truth[:100].mean()
    assert corrected.high - corrected.low < 2 * 1.96 * np.sqrt(share * (1 - share) / 100)


def test_drift_is_told_of_the_outputs_that_were_scored_twice():
    scores, ratings = verdicts()
    before = scores.assign(judge=np.where(np.arange(len(scores)) % 10 == 0, 1 - scores["judge"], scores["judge"]))
    card = report_card(judged_outputs(scores, ratings, before.iloc[:100]))
    assert figure(card, "share changed").value == pytest.approx(0.1)
    assert figure(card, "accuracy", "now, scored twice").value == figure(card, "accuracy").value


@pytest.mark.parametrize("draws, most", [(60, 1.0), pytest.param(150, 0.99, marks=pytest.mark.long)])
def test_other_scores_have_a_correlation_whose_interval_holds(draws, most):
    inside = []
    for seed in range(draws):
        generator = default_rng(seed)
        of_item = generator.normal(size=40).repeat(2)  # two outputs per item, which are alike
        human = of_item + generator.normal(size=80)
        judge = of_item + generator.normal(size=80)
        _, low, high = jackknife(pearson, (judge, human), np.arange(80) // 2, 0.95)
        inside.append(low <= 0.5 <= high)
    assert 0.9 <= np.mean(inside) <= most


def test_a_tie_of_raters_is_no_verdict():
    scores, ratings = verdicts()
    tied = pd.DataFrame({"item": "50", "system": "ours", "rating": [0, 1]})
    judged = judged_outputs(scores, pd.concat([ratings, tied]))
    assert judged.notes == ("1 outputs are left out, since as many raters say yes as no.",)
    assert len(judged.rated) == 60


def test_tables_that_do_not_fit_together_are_named():
    scores, ratings = verdicts()
    with pytest.raises(InputError, match="system 'base', item '0'; ratings: system 'base', item 'q0'"):
        judged_outputs(scores, ratings.assign(item="q" + ratings["item"]))
    with pytest.raises(InputError, match="item '3' of system 'ours' twice"):
        judged_outputs(pd.concat([scores, scores.iloc[7:8]]), ratings)


def test_the_command_writes_one_page_and_one_json(folder):
    scores, ratings = verdicts()
    scores.rename(columns={"judge": "score"}).to_csv("judge.csv", index=False)
    ratings.to_csv("ratings.csv", index=False)
    line = "evaluate --scores judge.csv --ratings ratings.csv"
    found = json.loads(typed(f"{line} --format json").out)
    assert (found["outputs"], found["rated"], found["verdicts"]) == (120, 60, True)
    assert {"sensitivity", "Cohen's κ", "corrected mean"} <= {row["what"] for row in found["rows"]}
    typed(f"{line} -o card.html")
    assert "judge and these ratings, on 60 of 120 outputs: Cohen&#39;s κ" in (folder / "card.html").read_text(
        encoding="utf-8"
    )


def graded(n=40, seed=0):
    """Scores and two raters' ratings of three systems' outputs: a judge who tells systems apart, and outputs less."""
    generator = default_rng(seed)
    rows = []
    for item in range(n):
        for place, system in enumerate(("base", "ours", "best")):
            quality = generator.normal()
            judge = 2 * place + quality / 2 + generator.normal()
            ann, bob = (2 * place + quality + generator.normal(0, 0.7) for _ in range(2))
            rows.append((item, system, f"Output {item} of {system}.", judge, ann, bob, item // 4))
    return pd.DataFrame(rows, columns=["item", "system", "text", "judge", "ann", "bob", "doc"])


@pytest.fixture
def one_file(folder):
    """All that is known of each output in one row; in two files by item, and by text; and a row for each rating."""
    frame = graded()
    frame.to_csv("one.csv", index=False)
    frame.rename(columns={"judge": "fluency", "item": "segment"})[["segment", "system", "fluency"]].to_csv(
        "scores.csv", index=False
    )
    frame.rename(columns={"judge": "fluency"})[["text", "fluency"]].to_csv("texts.csv", index=False)
    long = frame.melt(["item", "system", "text", "judge"], ["ann", "bob"], "rater", "rating")
    long.to_csv("long.csv", index=False)
    long.drop(columns="item").to_csv("unnamed.csv", index=False)
    return frame


def test_figures_are_told_over_all_systems_and_within_them(one_file):
    found = as_json(
        "evaluate --scores one.csv --ratings one.csv --score-column judge --rating-column ann --rating-column bob"
    )
    of_all = {row["what"]: row for row in found["rows"] if row["of"] == "all"}
    human = (one_file["ann"] + one_file["bob"]) / 2
    centred = (
        one_file.assign(human=human)
        .groupby("system")[["judge", "human"]]
        .transform(lambda values: values - values.mean())
    )
    assert of_all["Pearson r"]["value"] == pytest.approx(np.corrcoef(one_file["judge"], human)[0, 1])
    assert of_all["Spearman ρ"]["value"] == pytest.approx(one_file["judge"].corr(human, "spearman"))
    within = of_all["Pearson r within systems"]
    assert within["value"] == pytest.approx(np.corrcoef(centred["judge"], centred["human"])[0, 1])
    assert within["high"] < of_all["Pearson r"]["low"]
    assert of_all["Spearman ρ"]["value"] < of_all["ceiling of ρ"]["value"] < 1
    assert of_all["ceiling of ρ within systems"]["value"] < of_all["ceiling of ρ"]["value"]
    own = {row["of"]: row["value"] for row in found["rows"] if row["what"] == "Pearson r"}
    of_base = one_file["system"] == "base"
    assert own["base"] == pytest.approx(np.corrcoef(one_file["judge"][of_base], human[of_base])[0, 1])
    assert {row["what"]: row["unit"] for row in found["rows"] if row["unit"]} == {
        "mean score": "score",
        "mean rating": "rating",
    }


@pytest.mark.parametrize(
    "files",
    [
        "--scores long.csv --ratings long.csv --score-column judge",
        "--scores unnamed.csv --ratings unnamed.csv --score-column judge",
        "--scores scores.csv --ratings long.csv --item-column segment",
        "--scores texts.csv --ratings long.csv",
        "--scores texts.csv --ratings one.csv --rating-column ann --rating-column bob",
        "--scores one.csv --ratings long.csv --score-column judge",
    ],
)
def test_files_are_joined_whatever_their_form(one_file, files):
    found = as_json(f"evaluate {files}")
    assert (found["outputs"], found["rated"]) == (120, 120)
    first = found["rows"][0]
    human = (one_file["ann"] + one_file["bob"]) / 2
    assert first["value"] == pytest.approx(np.corrcoef(one_file["judge"], human)[0, 1])


def test_outputs_of_a_cluster_are_dependent(one_file):
    judged = judged_outputs(one_file.assign(cluster=one_file["doc"]), one_file.assign(rating=one_file["ann"]))
    found = as_json(
        "evaluate --scores one.csv --ratings one.csv --score-column judge --rating-column ann --cluster-column doc"
    )
    first = report_card(judged).figures[0]
    assert tuple(found["rows"][0].values()) == pytest.approx(astuple(first)[:-1])
    alone = as_json("evaluate --scores one.csv --ratings one.csv --score-column judge --rating-column ann")
    assert alone["rows"][0]["low"] != found["rows"][0]["low"]
    told = typed(
        "evaluate --scores one.csv --ratings one.csv --score-column judge --rating-column ann --cluster-column doc"
    )
    assert "take clusters as independent" in told.out
    assert "--cluster-column" not in told.err


def test_items_that_are_called_as_their_systems_are_no_parts_of_documents(folder):
    rows = [(f"{system}-{item}", system, item % 7, item % 5) for system in "abc" for item in range(12)]
    write_table("named.csv", ["item", "system", "score", "rating"], rows)
    assert "documents" not in typed("evaluate --scores named.csv --ratings named.csv").err
    assert "documents" not in typed("compare --scores named.csv --unpaired").out


def test_a_metric_that_learns_nothing_is_held_against_ratings(folder):
    rows = [(f"The {noun} {verb} {place}.", i % 5, i % 3) for i, (noun, verb, place) in enumerate(_WORDS)]
    write_table("rated.csv", ["output", "ann", "bob"], rows)
    line = "evaluate --metric fluency_ngram rated.csv --text-column output --rating-column ann --rating-column bob"
    found = as_json(line)
    values = FluencyNgram().predict([text for text, *_ in rows]).values
    human = [(ann + bob) / 2 for _, ann, bob in rows]
    assert found["rows"][0]["value"] == pytest.approx(np.corrcoef(values, human)[0, 1])
    assert typed(line).out.startswith("Fluency by n-grams and people, on 27 of 27 outputs: Pearson r ")
    typed("score rated.csv --metric fluency_ngram --text-column output -o scored.csv")
    told = typed(
        "evaluate --scores scored.csv --ratings rated.csv --rating-column ann --rating-column bob --text-column output"
    )
    assert "scores stand in column 'fluency_ngram'" in told.err
    assert told.out.splitlines()[2:-1] == typed(line).out.splitlines()[2:-1]
    quoted = typed(line).out.splitlines()[-1]
    r, rho = (f"{row['value']:.2f} [{row['low']:.2f}, {row['high']:.2f}]" for row in found["rows"][:2])
    assert quoted.startswith("For the paper: On 27 outputs with 54 ratings by 2 people, scores of Fluency by n-grams (")
    assert f") had Pearson r {r} and Spearman ρ {rho} with mean ratings (95% intervals take items" in quoted
    assert f"; signature: {FluencyNgram().signature})." in quoted
    assert told.out.startswith("fluency_ngram and people, on 27 of 27 outputs: Pearson r ")
    assert "did you mean 'fluency'" in typed("evaluate --metric flency rated.csv", 2).err
    references = typed("evaluate --metric rouge_lm rated.csv --text-column output --rating-column ann", 2).err
    elsewhere = "`referenceless evaluate --scores scores.csv --ratings rated.csv`"
    assert elsewhere in " ".join(references.split())
    write_table("ids.csv", ["item", "system", "rating"], [(n, s, n % 5) for n in range(12) for s in "ab"])
    assert elsewhere.replace("rated", "ids") in typed("evaluate --metric fluency_ngram ids.csv", 1).err


def test_texts_without_a_score_are_counted_once(folder):
    rows = [(f"The {noun} {verb} {place}.", i % 5) for i, (noun, verb, place) in enumerate(_WORDS)]
    write_table("rated.csv", ["text", "rating"], [*rows, ("", 3), ("7 8 9", 2)])
    notes = as_json("evaluate --metric fluency_ngram rated.csv")["notes"]
    assert typed("evaluate --metric fluency_ngram rated.csv").out.startswith(
        "Fluency by n-grams and these ratings, on 27 of 27 outputs with a score: "
    )
    told = typed("evaluate --metric fluency_ngram rated.csv --bad '<=2'").out
    assert "Of the 2 rated outputs without a score 1 count as bad; `filter` drops all 2 at any limit." in told
    assert notes == ["2 of 29 outputs have no score, and do not count: fluency_ngram abstains."]


def test_equal_texts_count_as_one_output_and_that_is_said(folder):
    rows = [(i, f"The {noun} {verb} {place}.", i % 5) for i, (noun, verb, place) in enumerate(_WORDS)]
    write_table("rated.csv", ["id", "text", "rating"], [*rows, *[(27 + i, text, 3) for i, text, _ in rows[:4]]])
    line = "evaluate --metric fluency_ngram rated.csv"
    note = (
        "31 ratings are of 27 different texts: equal texts count as one output, with their mean rating (--item-column "
    )
    found = as_json(line)
    assert found["notes"][0].startswith(note)
    assert found["outputs"] == 27
    assert as_json(f"{line} --item-column id")["outputs"] == 31
    assert not as_json(f"{line} --item-column id")["notes"]
    # Ratings of several people are of one text, and no text is merged.
    raters = [(rater, text, rating) for rater in "ab" for _, text, rating in rows]
    write_table("raters.csv", ["rater", "text", "rating"], raters)
    of_raters = as_json(f"{line.replace('rated', 'raters')} --rater-column rater")["notes"]
    assert not any("equal texts" in note for note in of_raters)


_WORDS = [
    (noun, verb, place)
    for noun in ("cat", "dog", "bird")
    for verb in ("sat", "ran", "slept")
    for place in ("here", "on mat the", "outside")
]


def test_one_help_names_all_uses():
    told = " ".join(typed("evaluate --help").out.split())
    for use in ("evaluate --scores FILE --ratings FILE", "evaluate --metric NAME RATINGS", "evaluate RATINGS"):
        assert use in told
    for option in (
        "--scores",
        "--ratings",
        "--score-column",
        "--rating-column",
        "--metric",
        "--text-column",
        "--folds",
    ):
        assert f" {option} " in told
    assert "--cluster-column" in typed("evaluate --help-all").out


@pytest.mark.parametrize(
    "line, told",
    [
        (
            "--scores one.csv --ratings long.csv",
            "name that of the scores (--score-column NAME); the columns of numbers are",
        ),
        ("--scores texts.csv --ratings long.csv --item-column no", "there is no column 'no' (--item-column)"),
        ("--scores texts.csv --ratings bare.csv", "no column of items by which scores and ratings are joined"),
        ("--scores one.csv --ratings one.csv --score-column judge", "there is no column 'rating'"),
    ],
)
def test_files_that_do_not_fit_together_are_told(one_file, line, told):
    write_table("bare.csv", ["system", "rating"], [("base", i % 5) for i in range(20)])
    assert told in typed(f"evaluate {line}", 1).err


def test_times_are_no_scores_of_a_judge(folder):
    rows = [(item, system, 1.7e9 + item, item % 5) for item in range(12) for system in ("a", "b")]
    write_table("times.csv", ["item", "system", "score", "rating"], rows)
    assert "column 'score' holds times" in typed("evaluate --scores times.csv --ratings times.csv", 1).err


def test_words_in_scores_are_told_as_numbers(folder):
    rows = [(item, "yes" if item % 3 else "no", item % 2) for item in range(24)]
    write_table("words.csv", ["item", "score", "rating"], rows)
    assert (
        "words are read as numbers: no is 0, yes is 1" in typed("evaluate --scores words.csv --ratings words.csv").err
    )
    samples = [
        {"id": str(item), "epoch": 1, "scores": {"match": {"value": word}}, "metadata": {}} for item, word, _ in rows
    ]
    log = {"version": 2, "status": "success", "eval": {"task": "t", "model": "openai/a"}, "samples": samples}
    write("log.json", json.dumps(log).replace("yes", "fine"))
    write_table("ratings.csv", ["item", "rating"], [(item, rating) for item, _, rating in rows])
    line = "evaluate --scores log.json --ratings ratings.csv --score-column match"
    assert "log.json: score 'match': expected a number, but got str 'fine'; say" in typed(line, 1).err
    assert as_json(f"{line} --values fine=1")["outputs"] == 24


@pytest.mark.parametrize("samples", [[], [{"id": "1", "epoch": 1, "metadata": {}}]])
def test_a_log_without_scores_is_named(folder, samples):
    log = {"version": 2, "status": "success", "eval": {"task": "t", "model": "openai/a"}, "samples": samples}
    write("log.json", json.dumps(log))
    write_table("ratings.csv", ["item", "rating"], [(item, item % 5) for item in range(12)])
    for line in ("evaluate --scores log.json --ratings ratings.csv", "compare --scores log.json"):
        assert "log.json: there are no scores in it (Inspect log)" in typed(line, 1).err


def test_many_items_are_left_out_in_parts():
    generator = default_rng(0)
    human = generator.normal(size=MOST_PARTS * 4)
    judge = human + generator.normal(size=len(human))
    _, low, high = jackknife(pearson, (judge, human), np.arange(len(human)), 0.95)
    expected = fisher_interval(pearson(judge, human), len(human))
    assert (low, high) == pytest.approx(expected, abs=0.005)


def in_documents(folder, n=8, size=5):
    """Two scores of outputs in documents, of which one follows people more closely; some outputs are not rated."""
    generator = default_rng(3)
    rows = []
    for document in range(n):
        shift = generator.normal(0, 0.5)
        for segment in range(size):
            for system in ("v1", "v2"):
                quality = shift + generator.normal() + (system == "v2")
                close, far = quality + generator.normal(0, 0.3), quality + generator.normal(0, 2)
                rating = 60 + 10 * quality if segment else None
                rows.append((f"d{document}", segment, system, close, far, close + 0.01, rating))
    header = ["doc", "seg", "system", "close", "far", "near", "rating"]
    pd.DataFrame(rows, columns=header).to_csv("all.csv", index=False)
    pd.DataFrame(rows, columns=header).dropna().to_csv("rated.csv", index=False)
    return "evaluate --scores all.csv --ratings rated.csv --item-column seg --cluster-column doc"


def test_an_interval_that_is_missing_has_its_reason(folder):
    line = f"{in_documents(folder, 5)} --score-column close"
    told = typed(line).out
    assert "nan" not in told
    assert "Pearson r 0.9" in told
    assert "(no interval: 5 clusters, 6 are needed); within systems" in told
    notes = as_json(line)["notes"]
    assert any(
        note.startswith("No interval of Pearson r, ") and note.endswith(": 5 clusters, 6 are needed.") for note in notes
    )
    assert "No interval" not in typed(f"{in_documents(folder, 12)} --score-column close").out


def test_a_mean_that_nothing_corrects_is_not_called_corrected(folder):
    line = f"{in_documents(folder)} --score-column close"
    found = as_json(line)
    whats = {row["what"] for row in found["rows"]}
    assert "mean rating" in whats
    assert "corrected mean" not in whats
    why = "is of the rated outputs alone, not corrected by scores: estimates are not used with clusters."
    assert f"The mean rating of v1, v2 {why}" in found["notes"]
    told = typed(line).out
    assert "Corrected means" not in told
    assert "Errors are of scores" not in told  # no row is of errors


def test_which_of_several_scores_agrees_better_has_an_interval_over_clusters(folder):
    line = in_documents(folder, 14)
    found = as_json(f"{line} --score-column close --score-column far")
    assert {row["score"] for row in found["rows"]} == {"close", "far", "close less far", "ratings"}
    one, two = found["differences"]
    assert (one["what"], two["what"]) == ("Pearson r", "Spearman ρ")
    r = {row["score"]: row for row in found["rows"] if row["what"] == "Pearson r" and row["of"] == "all"}
    assert one["value"] == pytest.approx(r["close"]["value"] - r["far"]["value"])
    assert 0 < one["low"] < one["value"] < one["high"]
    assert one["p"] == one["p_adjusted"] < 0.05
    alone = as_json(f"{line} --score-column close")
    of_close = next(row for row in found["rows"] if row["score"] == "close")
    assert alone["rows"][0].items() <= of_close.items()
    told = typed(f"{line} --score-column close --score-column far")
    assert "Pearson r: close agrees better with these ratings than far (difference +0." in told.out
    assert told.err.count("note: ") == len(set(told.err.splitlines()))


def test_sentences_for_the_paper_name_the_criterion_that_the_column_of_ratings_is_called_as(folder):
    """Those of a run on fluency and of one on adequacy would else read alike; `rating` says nothing of a criterion."""
    rows = [(n, s, 1 + (n + at) % 5, 1 + (n * 3 + at) % 5, n % 5) for n in range(12) for at, s in enumerate("abc")]
    write_table("rated.csv", ["item", "system", "fluency", "human_score", "rating"], rows)
    write_table("score.csv", ["item", "system", "judge"], [(n, s, n * 7 % 11) for n in range(12) for s in "abc"])
    files = "--scores score.csv --score-column judge --ratings rated.csv"
    named = {"human-score --ratings rated.csv": " in fluency", f"evaluate {files}": " of 'fluency'"}
    named[f"compare {files}"] = " rated in fluency"
    for line, told in named.items():
        quoted = {
            name: [each for each in typed(f"{line} --rating-column {name}").out.splitlines() if "For the paper" in each]
            for name in ("fluency", "human_score", "rating")
        }
        assert all(told in sentence for sentence in quoted["fluency"])
        assert quoted["fluency"]
        for name in ("human_score", "rating"):
            assert not any(f" in {name}" in sentence or repr(name) in sentence for sentence in quoted[name])


def test_columns_of_ratings_may_be_criteria_beside_a_column_of_raters(folder):
    rows = [
        (n, s, who, n % 5, (n * 3 + at) % 5) for n in range(12) for at, s in enumerate("ab") for who in ("ann", "bob")
    ]
    write_table("rated.csv", ["item", "system", "rater", "fluency", "adequacy"], rows)
    write_table("score.csv", ["item", "system", "score"], [(n, s, n * 7 % 11) for n in range(12) for s in "ab"])
    line = "evaluate --scores score.csv --ratings rated.csv"
    both = "--rating-column fluency --rating-column adequacy"
    assert "give --columns-are systems or criteria" in typed(f"{line} {both}", 1).err
    found = as_json(f"{line} {both} --columns-are criteria")
    for name in ("fluency", "adequacy"):
        (first, *_) = [row for row in found["rows"] if row["criterion"] == name]
        alone = as_json(f"{line} --rating-column {name}")["rows"][0]
        assert (first["what"], first["value"]) == (alone["what"], alone["value"])


@pytest.fixture
def files_of_scores(folder):
    """Two scores in a file each, one in a column called as the other's too, and ratings of their outputs."""
    in_documents(folder, 14)
    for name in ("all.csv", "rated.csv"):
        table = pd.read_csv(name)
        table.assign(item=table.pop("doc") + "-" + table.pop("seg").astype(str)).to_csv(name, index=False)
    both = pd.read_csv("all.csv")
    keys = ["item", "system"]
    both[[*keys, "close"]].rename(columns={"close": "score"}).to_csv("comet.csv", index=False)
    shuffled = both[[*keys, "far"]].sample(frac=1, random_state=0)
    shuffled.rename(columns={"far": "score"}).to_csv("judge.csv", index=False)
    return "--ratings rated.csv"


def test_scores_in_files_of_their_own_are_those_of_one_table(files_of_scores):
    found = as_json(f"evaluate --scores comet.csv --scores judge.csv {files_of_scores}")
    names = {"comet": "close", "judge": "far", "comet less judge": "close less far", "ratings": "ratings"}
    line = "evaluate --scores all.csv --score-column close --score-column far"
    expected = as_json(f"{line} {files_of_scores}")
    found_of, expected_of = (
        {(names.get(row["score"], row["score"]), row["what"], row["of"]): row for row in each["rows"]}
        for each in (found, expected)
    )
    assert found_of.keys() == expected_of.keys()
    for key, row in expected_of.items():
        for name in ("n", "value", "low", "high", "p holm"):
            assert found_of[key][name] == (None if row[name] is None else pytest.approx(row[name]))
    assert found["rows"][0]["p holm"] == found["differences"][0]["p_adjusted"] < 0.05
    told = typed(f"evaluate --scores comet.csv --scores judge.csv {files_of_scores}").out
    assert "Pearson r: comet agrees better with these ratings than judge (difference +0." in told
    r = next(row for row in found["rows"] if (row["score"], row["what"], row["of"]) == ("judge", "Pearson r", "all"))
    (shown,) = [line for line in told.splitlines() if line.startswith("judge  ")]
    assert f"{r['value']:.2f} [{r['low']:.2f}, {r['high']:.2f}]" in shown
    assert [line.split()[0] for line in told.splitlines()[4:6]] == ["comet", "judge"]


def test_scores_of_several_files_are_called_as_their_columns_if_these_differ(files_of_scores):
    pd.read_csv("comet.csv").rename(columns={"score": "COMET"}).to_csv("a.csv", index=False)
    pd.read_csv("judge.csv").rename(columns={"score": "COMET"}).to_csv("b.csv", index=False)
    for files, names in (("a.csv judge.csv", ["COMET", "judge"]), ("a.csv b.csv", ["a", "b"])):
        given = " ".join(f"--scores {file}" for file in files.split())
        assert list(as_json(f"evaluate {given} {files_of_scores}")["scores"]) == names
    given = "--scores all.csv --scores b.csv --score-column close --score-column far --score-column COMET"
    assert list(as_json(f"evaluate {given} {files_of_scores}")["scores"]) == ["close", "far", "COMET"]


def test_scores_that_score_wrote_are_found_though_a_criterion_of_the_ratings_is_called_as_the_metric(folder):
    rows = [(n, f"text {n}", n % 7 + n % 3 / 3, 0.0, n % 5, "", n % 7) for n in range(30)]
    names = ["item", "text", "fluency", "unknown_share", "log_odds_per_word", "reason"]
    write_table("scored.csv", names, [row[:6] for row in rows])
    write_table("rated.csv", ["item", "fluency"], [(row[0], row[6]) for row in rows])
    line = "evaluate --scores scored.csv --ratings rated.csv --rating-column fluency"
    assert as_json(line)["rows"][0]["value"] == pytest.approx(
        pearson(np.array([row[2] for row in rows]), np.array([float(row[6]) for row in rows]))
    )
    write_table("both.csv", [*names, "style"], rows)  # here nothing tells whether fluency is the score or a criterion
    both = "evaluate --scores both.csv --ratings both.csv --rating-column fluency"
    assert "name that of the scores (--score-column NAME)" in typed(both, 1).err


def test_what_is_of_people_alone_stands_once(files_of_scores):
    pd.concat([pd.read_csv("rated.csv")] * 2).assign(
        rater=np.repeat(["ann", "bob"], len(pd.read_csv("rated.csv")))
    ).to_csv("rated.csv", index=False)
    rows = as_json(f"evaluate --scores comet.csv --scores judge.csv {files_of_scores} --rater-column rater")["rows"]
    of_people = [row["what"] for row in rows if row["score"] == "people"]
    assert {"ceiling of ρ", "ceiling of ρ within systems"} <= set(of_people)
    others = [row["what"] for row in rows if row["score"] != "people"]
    assert not {"ceiling of ρ", "ceiling of ρ within systems"} & set(others)


@pytest.mark.parametrize(
    "line, status, told",
    [
        ("--scores comet.csv --scores judge.csv --earlier all.csv", 1, "--earlier is of the scores in one file"),
        ("--scores comet.csv --scores judge.csv --score-column far", 1, "there is no column 'far' (--score-column)"),
        (
            "--scores comet.csv --scores no_doc.csv --cluster-column doc",
            1,
            "no_doc.csv: there is no column 'doc' (--cluster-column), by which its outputs would be joined",
        ),
    ],
)
def test_files_of_scores_that_do_not_fit_together_are_told(files_of_scores, line, status, told):
    pd.read_csv("judge.csv").to_csv("no_doc.csv", index=False)
    for name in ("comet.csv", "rated.csv"):
        table = pd.read_csv(name)
        table.assign(doc=table["item"].str.rpartition("-")[0]).to_csv(name, index=False)
    assert told in typed(f"evaluate {line} --ratings rated.csv", status).err


def test_the_help_says_that_two_scores_can_be_compared_and_how():
    shown = " ".join(typed("evaluate --scores x --help").out.split())
    assert "--scores a.csv --scores b.csv" in shown
    assert "--score-column A --score-column B" in shown


def test_several_pairs_of_scores_are_corrected_together(folder):
    line = f"{in_documents(folder, 14)} --score-column close --score-column far --score-column near"
    found = [each for each in as_json(line)["differences"] if each["what"] == "Pearson r"]
    assert [(each["first"], each["second"]) for each in found] == [("close", "far"), ("close", "near"), ("near", "far")]
    assert all(each["value"] >= 0 for each in found)
    assert found[1]["missing"] == "the two agree alike on all outputs"
    assert found[0]["p_adjusted"] == pytest.approx(2 * min(found[0]["p"], found[2]["p"]), rel=0.5)
    assert "p of differences is corrected for 3 pairs of scores (Holm)" in typed(line).out


def test_an_end_of_a_mean_rating_that_a_single_rating_moves_is_named(folder):
    skewed = [1] * 8 + [2] * 4 + [4]
    rows = [(n, rating + 0.1 * (n % 3), rating) for n, rating in enumerate(skewed)]
    write_table("skewed.csv", ["item", "judge", "rating"], rows)
    told = typed("evaluate --scores skewed.csv --ratings skewed.csv --score-column judge").out
    assert "one end of the interval of the mean lies more than twice as far off" in " ".join(told.split())


def test_pairs_of_scores_by_several_criteria_are_corrected_together_as_in_human_score(one_file):
    noise = default_rng(0).normal(size=len(one_file))
    long = pd.concat(
        [
            one_file[["item", "system", "text", "judge"]].assign(
                other=one_file["judge"] + 0.8 * noise, criterion=name, rating=one_file[name]
            )
            for name in ("ann", "bob")
        ]
    )
    long.to_csv("criteria.csv", index=False)
    line = "evaluate --scores criteria.csv --ratings criteria.csv --score-column judge --score-column other"
    found = [each for each in as_json(line)["differences"] if each["what"] == "Pearson r"]
    assert [each["criterion"] for each in found] == ["ann", "bob"]
    assert [each["p_adjusted"] for each in found] == pytest.approx(holm([each["p"] for each in found]))
    assert max(each["p_adjusted"] for each in found) > min(each["p"] for each in found)
    told = " ".join(typed(line).out.split())
    assert "p of differences is corrected for all 2 pairs of scores by 2 criteria together (Holm)" in told


def test_a_headline_tells_its_intervals_and_the_score_that_is_first_by_ranks(folder):
    """An exponential of the ratings orders outputs best, and a noisy line has the higher linear correlation."""
    rows = [(item, 2.0**item, item + 4 * (-1) ** item, item) for item in range(20)]
    pd.DataFrame(rows, columns=["item", "curved", "noisy", "rating"]).to_csv("all.csv", index=False)
    line = "evaluate --scores all.csv --ratings all.csv --score-column curved --score-column"
    first = typed(f"{line} noisy").out.splitlines()[0]
    assert first.startswith("Scores and these ratings, on 20 of 20 outputs, by Pearson r: noisy 0.8")
    assert "] (95% intervals). By Spearman ρ, curved is first. " in first
    assert "is first" not in typed(f"{line} item").out.splitlines()[0]  # a copy of the ratings


def test_few_clusters_say_nothing_of_a_difference(folder):
    told = typed(f"{in_documents(folder, 5)} --score-column close --score-column far").out
    assert "Pearson r: nothing can be said of close and far (difference +0." in told
    assert "no interval: 5 clusters, 6 are needed)" in told


def test_six_to_nine_clusters_give_an_interval_with_a_note(folder):
    line = f"{in_documents(folder)} --score-column close --score-column far"
    found = as_json(line)
    rows = [row for row in found["rows"] if row["what"] in ("Pearson r", "Spearman ρ")]
    assert rows
    assert all(row["low"] < row["value"] < row["high"] for row in rows)
    assert "8 clusters: in simulations with so few, 95% intervals of ρ" in typed(line).out
    assert (
        "in simulations with so few"
        not in typed(
            line.replace("--cluster-column doc", "--cluster-column 'doc + seg'").replace(
                "--item-column", "--item-column doc --item-column"
            )
        ).out
    )


def test_verdicts_take_ten_clusters(folder):
    scores, ratings = verdicts(40)
    scores.assign(doc=scores["item"] % 8).to_csv("judge.csv", index=False)
    ratings.to_csv("ratings.csv", index=False)
    line = "evaluate --scores judge.csv --ratings ratings.csv --score-column judge --cluster-column doc"
    assert "Cohen's κ" in typed(line).out
    assert "(no interval: 8 clusters, 10 are needed)" in typed(line).out


@pytest.mark.long
@pytest.mark.parametrize("n_clusters", [6, 8])
def test_the_interval_of_a_correlation_over_few_clusters_holds(n_clusters):
    held, clusters = 0, np.arange(n_clusters).repeat(8)
    for seed in range(400):
        draw = default_rng(seed)
        quality = draw.normal(0, 0.6, n_clusters)[clusters] + draw.normal(0, 0.8, len(clusters))
        judge, human = quality + draw.normal(0, 0.75, (2, len(clusters)))
        _, low, high = jackknife(pearson, (judge, human), clusters, 0.95, fewest=6)
        held += low <= 1 / (1 + 0.75**2) <= high
    assert held >= 370


def test_verdicts_of_two_judges_are_compared_by_kappa(folder):
    scores, ratings = verdicts()
    scores.assign(coin=np.arange(len(scores)) % 2).to_csv("judges.csv", index=False)
    ratings.to_csv("ratings.csv", index=False)
    line = "evaluate --scores judges.csv --ratings ratings.csv --score-column judge --score-column coin"
    assert [each["what"] for each in as_json(line)["differences"]] == ["Cohen's κ"]
    assert "Cohen's κ: judge agrees better with these ratings than coin (difference +0." in typed(line).out


@pytest.mark.parametrize("draws, least", [(10, 0.8), pytest.param(400, 0.92, marks=pytest.mark.long)])
def test_the_interval_of_a_difference_holds(draws, least):
    """Two scores that agree alike, whose errors have a part in common, of outputs in clusters that are alike."""
    inside = 0
    clusters = np.arange(20).repeat(4)
    for seed in range(draws):
        generator = default_rng(seed)
        quality = generator.normal(0, 0.5, 20)[clusters] + generator.normal(size=80)
        human = quality + generator.normal(0, 0.7, 80)
        common = generator.normal(0, 0.4, 20)[clusters]
        ours, other = (quality + common + generator.normal(size=80) for _ in range(2))
        frames = [pd.DataFrame({"item": range(80), "judge": values, "cluster": clusters}) for values in (ours, other)]
        rated = pd.DataFrame({"item": range(80), "rating": human})
        found = agreement_differences({"": [judged_outputs(frame, rated) for frame in frames]}, 0.95)[""][0]
        inside += found.low <= 0 <= found.high
    assert least <= inside / draws


def test_scores_in_several_files_are_compared_and_a_number_per_line_needs_no_suffix_of_a_format(tmp_path):
    human = default_rng(0).normal(size=30)
    write(tmp_path / "test.en-de.mqm_z_score", map(str, human.tolist()))
    segments = [f"en-de\tens\t{n}\t{value}" for n, value in enumerate((human + 0.1).tolist())]
    write(tmp_path / "good.txt", ["1000", "200", "1", *segments])
    write(tmp_path / "poor.txt", map(str, default_rng(1).normal(size=30).tolist()))
    files = [tmp_path / "good.txt", tmp_path / "poor.txt"]
    asked = f"evaluate --scores {files[0]} --scores {files[1]} --ratings {tmp_path / 'test.en-de.mqm_z_score'} -f json"
    found = as_json(asked)
    values = {(row["score"], row["what"]): row["value"] for row in found["rows"]}
    assert values["good", "Pearson r"] == pytest.approx(1.0)
    assert abs(values["poor", "Pearson r"]) < 0.5
    assert {(each["first"], each["second"], each["n"]) for each in found["differences"]} == {("good", "poor", 30)}
    assert "give --scores once" in typed(f"{asked} --earlier {files[0]}", status=1).err


def test_ratings_by_several_criteria_are_held_against_scores_one_by_one(one_file):
    long = pd.concat(
        [
            one_file[["item", "system", "text", "judge"]].assign(criterion=name, rating=one_file[name])
            for name in ("ann", "bob")
        ]
    )
    long.to_csv("criteria.csv", index=False)
    line = "evaluate --scores criteria.csv --ratings criteria.csv --score-column judge"
    rows = {(row["criterion"], row["what"], row["of"]): row["value"] for row in as_json(line)["rows"]}
    for name in ("ann", "bob"):
        assert rows[name, "Pearson r", "all"] == pytest.approx(np.corrcoef(one_file["judge"], one_file[name])[0, 1])
    told = typed(line).out
    assert told.startswith("ann: judge and these ratings, on 120 of 120 outputs: Pearson r ")
    assert "On 120 outputs of 40 items with 120 ratings of 'bob', " in told
    of_ann = [row["value"] for row in as_json(f"{line} --where criterion=ann")["rows"]]
    assert of_ann[0] == rows["ann", "Pearson r", "all"]
    alone = typed(f"{line} --where criterion=ann").out
    assert alone.startswith("ann: judge and these ratings, on 120 of 120 outputs: Pearson r ")
    assert "with 120 ratings of 'ann', " in alone


def test_a_value_that_rests_on_its_own_rating_is_not_held_against_it(folder):
    rows = [(f"The {noun} {verb} {place}.", i % 5) for i, (noun, verb, place) in enumerate(_WORDS)]
    write_table("rated.csv", ["text", "rating"], rows)
    write_table("copy.csv", ["text", "rating"], rows)
    write_table("half.csv", ["text", "rating"], rows[:14])
    line = "evaluate --metric bleu_neighbors --min-neighbors 1 --max-fraction 1 --threshold 0.1 rated.csv"
    for pool in ("", " --pool rated.csv", " --pool copy.csv"):
        told = typed(line + pool, 1 if "copy" in pool else 2)
        assert "`referenceless advise rated.csv" in told.err
        assert "For the paper" not in told.out
        assert "These command lines fit" not in told.err
    told = typed(f"{line} --pool half.csv")
    assert "14 of 27 texts are left out: the metric learned from them" in told.err
    assert told.out.startswith("BLEU Neighbors and these ratings, on 13 of 13 outputs")


def test_a_rater_who_agrees_with_none_lowers_the_ceiling_and_is_named(folder):
    generator = default_rng(2)
    rows, scores = [], []
    for item in range(40):
        quality = item % 8
        of_raters = {"ann": quality, "bob": quality + item % 2, "cy": int(generator.integers(0, 8))}
        for criterion in ("fluency", "style"):
            rows += [(item, "ours", rater, criterion, rating) for rater, rating in of_raters.items()]
        scores.append((item, "ours", quality))
    pd.DataFrame(rows, columns=["item", "system", "rater", "criterion", "rating"]).to_csv("ratings.csv", index=False)
    pd.DataFrame(scores, columns=["item", "system", "score"]).to_csv("slots.csv", index=False)
    out = typed("evaluate --scores slots.csv --ratings ratings.csv").out
    assert "scores of slots had Pearson r" in out
    assert "is above" in next(line for line in out.splitlines() if "Rater noise caps" in line)
    named = next(line for line in out.splitlines() if "Rater cy agrees with none of the others" in line)
    assert "Without these ratings: rater noise caps" in named


def test_scores_beside_ratings_of_a_criterion_that_is_called_as_the_metric_have_another_name(folder):
    words = "the small grey cat sat on a warm mat and saw one red bird".split()
    rows = [
        (n, s, " ".join(words[n % 9 :][:: 1 if s == "ours" else -1]), n % 5) for n in range(40) for s in ("ours", "b")
    ]
    write_table("rated.csv", ("item", "system", "text", "fluency"), rows)
    err = typed("score rated.csv --metric fluency -o fluency.csv", 1).err
    assert "it has a column 'fluency' already, as the scores will have; call that of the scores another way" in err
    assert "(--score-name fluency_score)" in err
    told = typed("evaluate --metric fluency --metric slor rated.csv", 2).err
    for line in re.findall("`referenceless ([^`]*)`", " ".join(told.split())):
        more = " --rating-column fluency" if line.startswith("evaluate") else ""
        out = typed(f"{line.replace('RATINGS', 'rated.csv')}{more}").out
    assert "fluency_score" in out
    assert "slor_score" in out


@pytest.mark.parametrize("first", ["fluency", "quality_estimation"])
def test_several_metrics_are_led_to_the_comparison_of_their_scores(folder, first):
    write_table("rated.csv", ("text", "rating"), [(f"text number {n} is here", n % 5) for n in range(20)])
    told = " ".join(typed(f"evaluate --metric {first} --metric slor rated.csv", 2).err.split())
    assert f"evaluate takes one metric, but got {first}, slor: score the texts by each" in told
    assert f"`referenceless score RATINGS --metric {first} --score-name {first}_score -o {first}.csv`" in told
    scores = f"--scores {first}.csv --scores slor.csv --score-column {first}_score --score-column slor_score"
    assert f"then `referenceless evaluate {scores} --ratings RATINGS`" in told
    assert (
        "fit takes one metric" in typed("fit rated.csv --metric bleu_neighbors --metric quality_estimation -o x", 2).err
    )


def test_ids_that_both_files_have_join_them_if_systems_have_other_items(folder):
    rows = [
        (n, system, f"{system} says {n}", n * 7 % 5, n * 7 % 5 + n % 2)
        for system, first in (("a", 0), ("b", 15))
        for n in range(first, first + 25)
    ]
    write_table("scores.csv", ("sent_id", "system", "output", "score"), [row[:4] for row in rows])
    write_table("rated.csv", ("sent_id", "system", "rating"), [(row[0], row[1], row[4]) for row in rows[::-1]])
    found = typed("evaluate --scores scores.csv --ratings rated.csv")
    assert found.out == typed("evaluate --scores scores.csv --ratings rated.csv --item-column sent_id").out
    assert "items are told by column 'sent_id' of both files (--item-column names another)" in found.err


def test_scores_of_as_many_outputs_that_are_other_ones_say_how_many_are_common(folder):
    rated = [(n, "ours", n * 7 % 5) for n in range(40)]
    write_table("rated.csv", ("item", "system", "rating"), rated)
    for name, without in (("one", 3), ("two", 4)):
        rows = [(n, s, value + n % without) for n, s, value in rated if n != without]
        write_table(f"{name}.csv", ("item", "system", name), rows)
    line = "evaluate --scores one.csv --scores two.csv --score-column one --score-column two --ratings rated.csv"
    told = typed(line).out
    assert "Scores and these ratings, on 39 of 39 outputs each, 38 of them in common, by " in told
    assert told.count(", on the 38 outputs that have both scores)") == 3  # in the first line, and for each figure


def test_outputs_without_a_score_are_no_matter_of_names(folder):
    """A metric that abstains is told with its reason; names are to blame if each side has some that the other lacks."""
    texts = [f"La maestra explicó la lección {n} a los niños mientras llovía sobre la vieja ciudad." for n in range(24)]
    write_table("rated.csv", ("item", "output", "rating"), [(n, text, n % 5) for n, text in enumerate(texts)])
    told = typed("evaluate --metric fluency rated.csv --text-column output --item-column item", 1).err
    assert "fluency gives a score to 0 of 24 rated outputs, and at least 10 are needed: " in told
    assert "called alike" not in told
    scores = pd.DataFrame({"item": range(9), "judge": np.arange(9.0)})
    ratings = pd.DataFrame({"item": range(24), "rating": np.arange(24.0)})
    with pytest.raises(
        InputError, match=r"9 outputs have .*, and at least 10 are needed: 9 have a score, and 24 a rat"
    ):
        judged_outputs(scores, ratings)
    blank = ratings.assign(rating=np.where(np.arange(24) < 12, np.nan, 3.0))
    with pytest.raises(InputError, match="9 have a score, of which 9 stand without a rating in the file of ratings"):
        judged_outputs(scores, blank)
    with pytest.raises(InputError, match=r"alike in both \(scores: .*item 's'; ratings: .*item '9'\)"):
        judged_outputs(pd.concat([scores, pd.DataFrame({"item": ["s"], "judge": [1.0]})]), ratings)


def test_the_column_of_outputs_in_scores_without_items_is_found_by_the_rated_outputs(folder):
    """MetricX writes source, hypothesis and prediction, a file for each system."""
    rated = [(n, s, f"the {s} output {n}", n * 7 % 5 + at) for n in range(20) for at, s in enumerate(("base", "ours"))]
    write_table("rated.csv", ("item", "system", "text", "rating"), rated)
    for s in ("base", "ours"):
        rows = [(f"source {n}", text, 9 - rating) for n, name, text, rating in rated if name == s]
        write_table(f"{s}.csv", ("source", "hypothesis", "prediction"), rows)
    told = typed("evaluate --scores base.csv --scores ours.csv --score-column prediction --ratings rated.csv")
    assert "column 'hypothesis' of the scores holds the outputs (--text-column hypothesis)" in told.err
    assert "on 40 of 40 outputs: Pearson r -1.00" in told.out
