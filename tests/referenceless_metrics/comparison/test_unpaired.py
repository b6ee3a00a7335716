"""Outputs of systems for inputs of their own, such as those of two days."""

import html
import json

import numpy as np
import pytest
from command_lines import typed
from text_files import read, write, write_table

from referenceless_metrics import WPSLOR
from referenceless_metrics.comparison.unpaired import scores_of_outputs
from referenceless_metrics.human_evaluation.scores.findings import compare_scores
from referenceless_metrics.human_evaluation.scores.output import finding_lines, finding_rows
from referenceless_metrics.human_evaluation.wording.headline import scores_headline

WORDS = "the small grey cat sat on a warm mat and saw one red bird".split()
MONDAY = [" ".join(WORDS[n % 7 :]) for n in range(30)]
TUESDAY = [" ".join(WORDS[: 5 + n % 6][::-1]) for n in range(24)]


@pytest.fixture(autouse=True)
def days(folder):
    write("monday.txt", MONDAY)
    write("tuesday.txt", TUESDAY)
    days = (("monday", MONDAY), ("tuesday", [*TUESDAY, ""]))
    write_table("days.csv", ("day", "answer"), [(day, text) for day, texts in days for text in texts])


def test_outputs_are_compared_as_their_scores_are():
    """The same figures as of `compare --scores --unpaired` with the values of the metric."""
    values = [WPSLOR().predict(texts).values for texts in (MONDAY, TUESDAY)]
    rows = [(f"{day}{n}", day, v) for day, of in zip("mt", values, strict=True) for n, v in enumerate(of)]
    write_table("scores.csv", ("item", "system", "wpslor"), rows)
    line = "compare {} --unpaired --baseline {} -f json"
    ours = json.loads(typed(line.format("monday.txt tuesday.txt --metric wpslor", "monday")).out)["rows"]
    theirs = json.loads(typed(line.format("--scores scores.csv --score-column wpslor", "m")).out)["rows"]
    for name in ("items", "mean", "low", "high", "difference", "from", "to", "p"):
        known = [(row[name], other[name]) for row, other in zip(ours, theirs, strict=True) if row[name] is not None]
        np.testing.assert_allclose(*zip(*known, strict=True), rtol=1e-9)


def test_one_table_of_all_systems_tells_outputs_without_a_value():
    done = typed("compare days.csv --system-column day --text-column answer --metric slor --unpaired")
    assert "By SLOR, tuesday is lower than monday" in done.out
    heads = [line.split() for line in done.out.splitlines()]
    assert any("mean low high" in " ".join(line) for line in heads)
    assert any("difference from to" in " ".join(line) for line in heads)
    assert "wins" not in done.out
    assert "tuesday: 1 of 25 outputs have no value of SLOR (1 empty text)." in done.out
    assert "that holds if items were assigned to systems at random, or if those of both are alike" in done.out


def test_what_needs_the_same_inputs_is_refused():
    err = typed("compare monday.txt tuesday.txt --metric rouge_lm --unpaired", 2).err
    assert "rouge_lm reads references, and --unpaired reads texts and their sources alone: score the outputs" in err
    err = typed(
        "compare days.csv --system-column day --text-column answer --metric slor --source-column day --unpaired", 2
    ).err
    assert "slor reads no sources: leave out --source-column" in err
    err = typed("compare days.csv --text-column day --text-column answer --unpaired", 2).err
    assert "those of one row are for the same one" in err


def test_a_metric_that_reads_sources_gets_the_column_of_them():
    """The means are those of the values that `score` writes, of one table and of a file each."""
    rows = [(text, f"{text.split()[0]} {n}", len(text) % 5, n) for n, text in enumerate([*MONDAY, *TUESDAY])]
    write_table("rated.csv", ("answer", "made_from", "rating", "item"), rows)
    learned = "--text-column answer --source-column made_from"
    typed(f"fit rated.csv --metric quality_estimation {learned} --group-column item -o learned.npz")
    asked = f"{learned} --metric quality_estimation --model-file learned.npz"
    of_day = ["monday"] * len(MONDAY) + ["tuesday"] * len(TUESDAY)
    table = [(day, answer, made_from) for day, (answer, made_from, *_) in zip(of_day, rows, strict=True)]
    write_table("both.csv", ("day", "answer", "made_from"), table)
    typed(f"score both.csv {asked} -o scores.jsonl")
    values = [json.loads(line)["quality_estimation"] for line in read("scores.jsonl").splitlines()]
    means = [np.mean(values[: len(MONDAY)]), np.mean(values[len(MONDAY) :])]
    for day in ("monday", "tuesday"):
        write_table(f"{day}.csv", ("answer", "made_from"), [row[1:] for row in table if row[0] == day])
    for files in ("both.csv --system-column day", "monday.csv tuesday.csv"):
        found = json.loads(typed(f"compare {files} {asked} --unpaired -f json").out)["rows"]
        assert [row["mean"] for row in found] == pytest.approx(means, abs=1e-6)
    err = typed(
        f"compare both.csv --system-column day {asked} --unpaired".replace("--source-column made_from", ""), 2
    ).err
    assert "quality_estimation reads sources: name their column (--source-column NAME)" in err


def test_a_gate_fails_on_the_worse_day():
    write(
        "bad.txt", [" ".join(np.random.default_rng(n).permutation(text.split())) for n, text in enumerate(MONDAY * 3)]
    )
    write("good.txt", MONDAY * 2)
    err = typed("compare good.txt bad.txt --metric slor --unpaired --fail-if-worse --scale=-9-9", 1).err
    assert "bad (SLOR): worse: The mean score of bad (SLOR) less that of good" in err
    assert "(two-sided, in the table, skewness not taken out: p " in err


def test_no_difference_of_estimates_of_ratings_is_called_shown():
    """As of paired outputs, the order of means is told, and p as a figure of the metric alone."""
    metric = WPSLOR()
    metric.estimates_ratings = True
    scores = scores_of_outputs([("monday", MONDAY), ("tuesday", TUESDAY)], [(None, metric)])
    findings = compare_scores(scores, unpaired=True)
    assert finding_rows(findings)[1]["p"] < 0.001
    assert "the order of means is monday" in scores_headline(findings)
    told = " ".join([scores_headline(findings), *finding_lines(findings)])
    assert not [word for word in ("lower", "higher", "told apart", "shown") if word in told.split("p concerns")[0]]
    assert "the rated texts are as they are: others would give other figures; significance is not marked." in told
    assert findings.groups == {}


@pytest.mark.parametrize(
    ("first", "counts"),
    [(30, "54 items, taken as independent samples"), (20, "44 items, 10 of them of both systems, taken as")],
)
def test_items_that_two_systems_share_are_counted_once_and_told(first, counts):
    rows = [("monday", str(n), text) for n, text in enumerate(MONDAY)]
    rows += [("tuesday", str(n), text) for n, text in enumerate(TUESDAY, start=first)]
    write_table("items.csv", ("day", "item", "answer"), rows)
    line = "compare items.csv --system-column day --text-column answer --metric wpslor --unpaired"
    assert f"Differences from monday on {counts}" in typed(f"{line} -f latex").out
    assert ("Items with scores of both systems (10) count as independent, too." in typed(line).out) is (first == 20)


def test_the_worst_outputs_of_all_systems():
    done = typed("compare monday.txt tuesday.txt --metric slor --unpaired --worst 4 -f json")
    rows = json.loads(done.out)["rows"]
    assert [row["system"] for row in rows] == ["tuesday"] * 4
    assert all(row["text"] in TUESDAY for row in rows)
    assert sorted(row["value"] for row in rows) == [row["value"] for row in rows]
    write("ours.txt", [text[::-1] for text in MONDAY])
    rows = json.loads(typed("compare monday.txt ours.txt --metric slor --worst 2 -f json").out)["rows"]
    assert [(row["system"], row["text"]) for row in rows] == [
        ("ours", MONDAY[int(row["item"]) - 1][::-1]) for row in rows
    ]
    err = typed("compare monday.txt ours.txt --metric slor --worst 2 --all-pairs", 2).err
    assert "--worst shows single outputs, and --all-pairs is of means: leave one out" in err
    err = typed("compare monday.txt ours.txt --metric chrf --worst 2 --references ours.txt", 2).err
    assert "referenceless score FILE --with chrf --references … --worst 10 --worst-by chrf" in err
    err = typed("compare monday.txt ours.txt --metric bleu --worst 2", 2).err
    assert "referenceless score FILE --with bleu --references FILE --worst 10 --worst-by bleu" in err
    err = typed("compare monday.txt ours.txt --metric slor --worst 2 --fail-if-worse", 2).err
    assert "--worst shows single scores, and --fail-if-worse is of means: leave one out" in err


@pytest.mark.parametrize("options", ["--rows-in choices", "--text-column choices.0.text"])
def test_the_worst_outputs_are_called_by_their_ids(options):
    """In files of a system each, and in one table, whose rows inside rows are numbered."""
    calls = [
        {"day": day, "call_id": f"{day[:3]}-{n:02}", "choices": [{"text": text}]}
        for day, texts in (("monday", MONDAY), ("tuesday", TUESDAY))
        for n, text in enumerate(texts)
    ]
    write("both.jsonl", map(json.dumps, calls))
    for day in ("monday", "tuesday"):
        write(f"{day}.jsonl", [json.dumps(call) for call in calls if call["day"] == day])
    text_of = {call["call_id"]: call["choices"][0]["text"] for call in calls}
    for files in ("monday.jsonl tuesday.jsonl", "both.jsonl --system-column day"):
        done = typed(f"compare {files} {options} --metric slor --unpaired --worst 4 -f json")
        for row in json.loads(done.out)["rows"]:
            system, called = row["item"].split("/")
            assert (system, text_of[called]) == (row["system"], row["text"])


def test_the_page_shows_the_worst_outputs_and_the_verdict():
    typed("compare monday.txt tuesday.txt --metric slor --unpaired --scale=-9-9 --fail-if-worse -o page.html", 1)
    page = html.unescape(read("page.html"))
    assert "By the one-sided test of the gate tuesday (SLOR) is worse: exit status 1." in page
    assert "The worst outputs" in page
    assert any(text in page for text in TUESDAY)
    err = typed("report monday.txt tuesday.txt --metric slor -o page.html", 1).err
    assert "`compare --unpaired` compares outputs of other inputs, and writes a page with -o page.html" in err


def test_the_sentence_for_a_paper_and_the_signature_name_the_metric():
    line = "compare monday.txt tuesday.txt --metric fluency_ngram --metric slor --unpaired"
    told = " ".join(typed(line).out.split())
    _, sentence = told.split("For the paper: ")
    assert sentence.startswith("We compared tuesday with monday by Fluency")
    assert (
        "taken as independent samples, p by Welch's t test, corrected for 2 comparisons (Holm); signatures: "
        in sentence
    )
    for name in ("fluency_ngram", "slor"):
        assert f"metric:{name}|" in sentence
    assert sentence.count("compare_scores|level:0.95|") == 1
    note = typed(f"{line} -f markdown").out
    assert "- Signatures: metric:fluency" in note
    bad = " ".join(typed("compare monday.txt tuesday.txt --metric slor --unpaired --bad '<1'").out.split())
    assert "We compared tuesday with monday by the share with SLOR < 1, by SLOR (after Kann et al., 2018)" in bad
    write_table(
        "scores.csv", ("item", "system", "score"), [(n, s, n % 5 + (s == "a")) for n in range(20) for s in "ab"]
    )
    assert "For the paper" not in typed("compare --scores scores.csv").out
