"""Errors that raters mark: read back, scored, agreed on, and marked beforehand."""

import json
from itertools import permutations

import numpy as np
import pytest
from command_lines import done, invoke
from hypothesis import given
from hypothesis import strategies as st
from studies import answer
from text_files import write

from referenceless_metrics.comparison.marked import marked_html
from referenceless_metrics.comparison.measuring import with_ratings
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.reading import MarkedOutput, marked_outputs, read_study
from referenceless_metrics.human_evaluation.studies.span_agreement import matched_credits, overlap_f1, span_agreement
from referenceless_metrics.human_evaluation.studies.spans import (
    MarkedSpan,
    SpanTask,
    read_categories,
    read_spans,
    spans_of_json,
)

N_ITEMS = 20


def spans_in(n):
    """Strategy for up to three spans in a text of n characters."""
    ends = st.tuples(st.integers(0, n - 1), st.integers(1, n), st.sampled_from(["minor", "major"]))
    return st.lists(ends.filter(lambda each: each[0] < each[1]).map(lambda each: MarkedSpan(*each)), max_size=3)


@given(spans_in(12), spans_in(12))
def test_f1_is_that_of_characters(one, other):
    first, second = np.zeros((2, 12), dtype=bool)
    for mask, spans in ((first, one), (second, other)):
        for span in spans:
            mask[span.start : span.end] = True
    both = (first & second).sum()
    expected = 1.0
    if first.any() or second.any():
        precision, recall = (both / max(mask.sum(), 1) for mask in (first, second))
        expected = 2 * precision * recall / (precision + recall) if both else 0.0
    assert overlap_f1(one, other) == pytest.approx(expected)
    assert overlap_f1(one, other) == overlap_f1(other, one)


def brute_credits(one, other):
    """Credits of the best matching of all: of each one to one assignment of the fewer errors to the more."""
    fewer, more = sorted((one, other), key=len)
    best = (-1.0, 0.0)
    for chosen in permutations(more, len(fewer)):
        shared = [max(0, min(a.end, b.end) - max(a.start, b.start)) for a, b in zip(fewer, chosen, strict=True)]
        lengths = [(a.end - a.start, b.end - b.start) for a, b in zip(fewer, chosen, strict=True)]
        dice = sum(2 * n / sum(both) for n, both in zip(shared, lengths, strict=True))
        credits = sum(n / a + n / b for n, (a, b) in zip(shared, lengths, strict=True))
        best = max(best, (dice, credits))
    return best[1], len(one) + len(other)


def test_matched_errors_share_what_the_best_matching_gives_them():
    generator = np.random.default_rng(0)

    def drawn():
        starts = generator.integers(0, 12, int(generator.integers(0, 4)))
        return [MarkedSpan(int(start), int(start + generator.integers(1, 9)), "minor") for start in starts]

    for _ in range(60):
        one, other = drawn(), drawn()
        assert matched_credits(one, other) == pytest.approx(brute_credits(one, other))
        assert matched_credits(one, other) == pytest.approx(matched_credits(other, one))
    major = [MarkedSpan(0, 4, "major")]
    assert matched_credits(major, [MarkedSpan(0, 4, "minor")], "minor") == (0.0, 1)


@given(st.lists(st.tuples(spans_in(9), spans_in(9)), min_size=1, max_size=5))
def test_alpha_over_characters_is_krippendorffs(outputs):
    krippendorff = pytest.importorskip("krippendorff")
    marked = [
        MarkedOutput(item, "ours", rater, "x" * 9, tuple(spans), ())
        for item, both in enumerate(outputs)
        for rater, spans in zip(("ann", "bob"), both, strict=True)
    ]
    codes = np.zeros((2, 9 * len(outputs)))
    for item, both in enumerate(outputs):
        for rater, spans in enumerate(both):
            for span in spans:
                part = codes[rater, 9 * item + span.start : 9 * item + span.end]
                part[:] = np.maximum(part, 1 + (span.severity == "major"))
    found = span_agreement(marked).alpha.value
    if len(np.unique(codes)) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(krippendorff.alpha(codes, level_of_measurement="nominal"))


@pytest.fixture
def systems(folder):
    for name in ("base", "ours"):
        write(f"{name}.txt", "".join(f"{name} wrote a text with number {i} 😀 here\n" for i in range(30)))
    return folder


def mark(rater, screen, output, asked, text):
    """Return the answers of two raters: both mark `wrote`, `ann` also the number; `base` is worse."""
    if asked == "score":
        return 40 if text.startswith("base") else 80
    if "3" in text:
        return "[]"
    start = text.index("wrote")
    spans = [{"start": start, "end": start + 5, "severity": "major" if text.startswith("base") else "minor"}]
    if rater == "ann":
        spans.append({"start": text.index("number"), "end": text.index("😀") + 1, "severity": "minor"})
    return json.dumps(spans)


def drawn(folder, options=""):
    done(f"sample base.txt ours.txt -n {N_ITEMS} --raters ann,bob --spans -o study {options}")
    design = Design.read("study")

    def rating(rater, screen, output, asked):
        return mark(rater, screen, output, asked, design.texts(screen)["AB".index(output)])

    answer(design, folder / "study", rating)
    return design


def test_scores_stand_beside_the_sum_of_the_errors(systems):
    design = drawn(systems)
    found = json.loads(done("human-score study -f json").stdout)
    differences = {row["criterion"]: row["mean"] for row in found["rows"] if row["less"]}
    n_wrong = sum("3" not in str(item.item) for item in design.items)
    # a major error weighs 5 and a minor one 1
    assert differences == {"spans": pytest.approx(4.0 * n_wrong / N_ITEMS), "score": 40.0}
    assert any("1 for a minor and 5 for a major one" in note for note in found["notes"])
    marked = marked_outputs(read_study("study"))
    assert len(marked) == 2 * 2 * N_ITEMS
    assert {each.text[span.start : span.end] for each in marked for span in each.spans if span.severity == "major"} == {
        "wrote"
    }
    agreed = json.loads(done("agreement study -f json").stdout)
    assert agreed["spans"]["f1"]["major"] == 1.0
    assert 0 < agreed["spans"]["f1"]["minor"] < agreed["spans"]["f1"]["any"] < 1
    assert 0 < agreed["spans"]["alpha over characters"]["value"] < 1
    assert any("F1 with partial overlap, characters as units" in line for line in agreed["findings"])
    assert agreed["spans"]["matched f1"]["major"] == 1.0
    assert any("F1 of errors matched one to one, with partial credit" in line for line in agreed["findings"])


def test_errors_marked_beforehand_are_accepted_changed_or_rejected(systems, recwarn):
    rows = [f"base wrote a text with number {i} 😀 here,5,10,major" for i in range(30)]
    rows += ["base wrote a text with number 1 😀 here,5,99,major", "no such text,0,2,minor"]
    rows += ["base wrote a text with number 1 😀 here,0,4,awful"] * 2
    write("errors.csv", "text,start,end,severity\n" + "\n".join(rows) + "\n")
    done("sample base.txt ours.txt -n 30 --raters ann,bob --spans --prefill errors.csv --repeats 0 -o study")
    told = " ".join(str(each.message) for each in recwarn)
    assert "1 error is left out, whose text is no output of the systems" in told
    assert "1 error is left out, whose start and end are no places in their text" in told
    assert "2 errors are left out, whose severity is not minor or major" in told
    design = Design.read("study")
    assert design.spans.origin == "errors.csv"

    def rating(rater, screen, output, asked):
        text = design.texts(screen)["AB".index(output)]
        if asked == "score":
            return 50
        before = design.spans.plain_before(text)
        if rater == "bob":
            return json.dumps([{**span, "severity": "minor"} for span in before if "1" in text])
        return json.dumps([*before, {"start": 0, "end": 4, "severity": "minor"}])

    answer(design, systems / "study", rating)
    ann, bob = span_agreement(marked_outputs(read_study("study"))).prefilled
    assert (ann.n, ann.accepted, ann.changed, ann.rejected, ann.added) == (30, 30, 0, 0, 30)
    assert (bob.n, bob.accepted, bob.changed, bob.rejected, bob.added) == (30, 0, 12, 18, 0)
    assert "bob accepted 0, changed 12 and rejected 18" in done("agreement study").output


def test_fluency_marks_its_likeliest_fault(systems):
    write("base.txt", "".join(f"She recieved an an letter on day {i} .\n" for i in range(12)))
    write("ours.txt", "".join(f"She received a letter on day {i} .\n" for i in range(12)))
    done("sample base.txt ours.txt -n 12 --spans --prefill fluency -o study")
    prefilled = Design.read("study").spans.prefilled
    assert len([text for text in prefilled if "recieved" in text]) == 12


@pytest.mark.parametrize(
    "content, told",
    [
        ("so-so", "expected marked errors as JSON"),
        ('{"start": 0}', "expected a list of marked errors"),
        ('[{"start": 0, "end": 5, "severity": "minor"}]', "the error from 0 to 5 is not in the text, which has 4"),
        ('[{"start": 2, "end": 2, "severity": "minor"}]', "the error from 2 to 2 is not in the text"),
        ('[{"start": true, "end": 2, "severity": "minor"}]', "expected `start` of an error to be a whole number"),
        ('[{"start": 0, "end": 2, "severity": "bad"}]', "expected minor or major as a severity"),
        ('[{"start": 0, "end": 2, "severity": "minor", "category": "x"}]', "expected one of Style as the category"),
        ('[{"start": 0, "end": 2, "severity": "minor", "prefilled": 0}]', "span 0 was not marked beforehand: 0 were"),
    ],
)
def test_errors_that_cannot_be_read(content, told):
    with pytest.raises(InputError) as error:
        spans_of_json(content, "text", SpanTask(("Style",)))
    assert told in str(error.value)


def test_errors_are_counted_in_characters():
    assert read_spans([{"start": 1, "end": 2, "severity": "minor"}], "a😀", ()) == (MarkedSpan(1, 2, "minor"),)


def test_one_rater_alone_has_no_partner(systems):
    design = drawn(systems)
    (systems / "study" / "ratings" / "bob.csv").unlink()
    agreed = span_agreement(marked_outputs(read_study("study")))
    assert (agreed.n_alone, agreed.n_outputs, agreed.f1) == (2 * len(design.items), 2 * len(design.items), {})
    assert "marked by one rater only" in done("agreement study").output


@pytest.mark.parametrize(
    "options, told",
    [
        ("--prefill base.txt", "--prefill is for studies in which raters mark errors: give --spans too"),
        ("--spans --prefill slor", "this metric finds no errors; fluency does"),
        ("--spans --span-categories nothing.txt", "expected a text file with a category of errors per line"),
        ("--spans --scale preference", "`spans` goes with scales, and not with preferences: leave it out"),
        ("--spans --criterion spans=1-5", "'spans' names the marked errors"),
    ],
)
def test_marking_that_cannot_be_asked_for(systems, options, told):
    result = invoke(f"sample base.txt ours.txt -n 12 -o study {options}")
    assert told in f"{result.output}{result.exception}"
    assert not (systems / "study").exists()


def test_a_report_shows_segments_as_raters_marked_them(systems):
    drawn(systems)
    table = read_rating_table(["study"], alone=False)
    outputs = [(name, (systems / f"{name}.txt").read_text().splitlines()) for name in ("base", "ours")]
    *_, of_spans, of_score = with_ratings(table, outputs, [])["measures"]
    assert (of_spans.title, of_score.title, of_score.marked) == ("Rating: spans", "Rating: score", None)
    item = next(each.item for each in marked_outputs(read_study("study")) if each.spans)
    base, ours = of_spans.explanations(outputs, np.array([item]))
    assert '<p class="given">ann marked:</p><p class="spans">base <mark class="major">wrote</mark> a text' in base[0]
    assert '<p class="given">bob marked:</p><p class="spans">ours <mark class="minor">wrote</mark> a text' in ours[0]


def test_overlapping_errors_are_told_apart_in_html():
    spans = [MarkedSpan(0, 3, "minor"), MarkedSpan(2, 5, "major")]
    assert marked_html("a<b>c", spans) == (
        '<mark class="minor">a&lt;</mark><mark class="major twice">b</mark><mark class="major">&gt;c</mark>'
    )


def test_a_file_of_categories_may_begin_with_a_mark(tmp_path):
    path = tmp_path / "categories.txt"
    path.write_text("\ufeffFluency/Punctuation\nAccuracy\n", encoding="utf-8")
    assert read_categories(path) == ("Fluency/Punctuation", "Accuracy")
