"""Several criteria: studies drawn with them, and `human-score`, `agreement` and `report` of their ratings."""

import json
import re

import pandas as pd
import pytest
from command_lines import done, invoke, typed
from studies import answer
from text_files import read, write, write_table

import referenceless_metrics as rm
from referenceless_metrics.core.metric import score_texts
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.commands import estimates
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.reading import read_study

N_ITEMS = 24
TWO = '--criterion "fluency=1-5=How natural is it?" --criterion "adequacy=0-100=Does it say all?"'


@pytest.fixture(autouse=True)
def systems(folder):
    """Files of two systems, and a study of two criteria in which two raters rate `ours` higher by fluency alone."""
    for name in ("baseline", "ours"):
        write(f"{name}.txt", "".join(f"{name} writes text {i} here\n" for i in range(40)))


def rate(study):
    """Rate a study by both criteria, and return its design."""
    design = Design.read(study)

    def rating(rater, screen, output, criterion):
        is_ours = design.texts(screen)["AB".index(output)].startswith("ours")
        if criterion == "adequacy":
            return 50 + (screen.item * 7 + len(rater)) % 20
        return 2 + (screen.item + len(rater)) % 2 + (2 if is_ours else 0)

    answer(design, study, rating)
    return design


def drawn(folder, options=""):
    done(f"sample baseline.txt ours.txt -n {N_ITEMS} --raters ann,robert {TWO} -o study {options}")
    return rate(folder / "study")


def as_json(line):
    return json.loads(done(f"{line} -f json").stdout)


def test_each_criterion_has_its_part_corrected_for_all_comparisons(folder):
    drawn(folder)
    table = read_study("study").table
    assert set(table["criterion"]) == {"fluency", "adequacy"}
    found = as_json("human-score study")
    differences = {row["criterion"]: row for row in found["rows"] if row["less"]}
    assert list(differences) == ["fluency", "adequacy"]
    assert differences["fluency"]["mean"] == 2
    assert differences["adequacy"]["mean"] == 0
    by_fluency = differences["fluency"]
    assert by_fluency["p holm"] == pytest.approx(2 * by_fluency["p"])
    assert "corrected for all 2 comparisons by 2 criteria (fluency, adequacy) together (Holm)" in found["findings"][0]
    assert found["scales"] == {"fluency": [1, 5], "adequacy": [0, 100]}


def test_a_table_with_a_column_of_criteria_or_a_column_each_gives_the_same(folder):
    drawn(folder)
    table = read_study("study").table
    rows = table[~table["repeat"]]
    rows.to_csv("long.csv", index=False, columns=["item", "system", "rater", "criterion", "rating"])
    wide = rows.pivot_table(index=["item", "system", "rater"], columns="criterion", values="rating").reset_index()
    wide.to_csv("wide.csv", index=False)
    scales = "--criterion-scale fluency=1-5 --criterion-scale adequacy=0-100 --baseline baseline"
    of_long = as_json(f"human-score --ratings long.csv {scales}")["rows"]
    columns = "--rating-column fluency --rating-column adequacy --columns-are criteria"
    of_wide = as_json(f"human-score --ratings wide.csv {columns} {scales}")["rows"]
    assert of_long == of_wide
    shown = [row["mean"] for row in as_json("human-score study")["rows"]]
    assert [row["mean"] for row in of_long] == shown
    both = {"fluency": (1, 5), "adequacy": (0, 100)}
    python = rm.human_score_by_criterion(pd.read_csv("long.csv"), scale=both)
    assert [difference.p_adjusted for scores in python.values() for difference in scores.differences] == [
        row["p holm"] for row in of_long if row["less"]
    ]
    with pytest.raises(InputError, match="use `human_score_by_criterion`"):
        rm.human_score("long.csv")
    of_study, of_table = (as_json(f"agreement {place}")["criteria"] for place in ("study", "long.csv"))
    assert list(of_study) == ["fluency", "adequacy"]
    assert of_study["fluency"]["coefficients"] == of_table["fluency"]["coefficients"]


def test_the_overall_mean_is_chosen_beforehand_or_exploratory(folder):
    drawn(folder, "--overall")
    found = as_json("human-score study")
    overall = next(row for row in found["rows"] if row["criterion"] == "overall" and row["less"])
    assert overall["mean"] == pytest.approx((2 / 4 + 0) / 2)
    assert not any("exploratory" in note for note in found["notes"])
    assert "3 comparisons by 3 criteria" in found["findings"][0]
    table = read_study("study").table
    table[~table["repeat"]].to_csv("long.csv", index=False)
    scales = "--criterion-scale fluency=1-5 --criterion-scale adequacy=0-100"
    again = as_json(f"human-score --ratings long.csv --overall {scales}")
    assert any("chosen for the analysis, and not before the ratings: it is exploratory" in n for n in again["notes"])


def test_a_gate_looks_at_all_criteria_together(folder):
    drawn(folder)
    result = invoke("human-score study --baseline ours --fail-if-worse")
    assert result.exit_code == 1
    assert "baseline (fluency): worse: " in result.output
    assert "baseline (adequacy): " in result.output


def test_a_criterion_without_ratings_is_left_out_with_a_sentence(folder):
    design = drawn(folder)
    answer(design, folder / "study", lambda *place: "" if place[-1] == "adequacy" else 3)
    found = as_json("human-score study")
    assert {row["criterion"] for row in found["rows"]} == {"fluency"}
    n = 2 * 2 * N_ITEMS
    assert f"adequacy: left out, since none of its {n} ratings is given" in found["notes"]
    assert "adequacy: left out, since it has no ratings." in done("agreement study").output
    gate = invoke("human-score study --fail-if-worse")
    assert gate.exit_code == 3
    assert "adequacy: cannot be told whether a system is worse: no difference has an interval" in gate.output
    assert "ours (fluency): " in gate.output


def test_a_report_has_the_criteria_side_by_side(folder):
    drawn(folder)
    done("report baseline.txt ours.txt --ratings study --metric slor -o report.html")
    page = read("report.html")
    assert "go by the first criterion, fluency; all criteria stand" in page
    assert "mean human rating by fluency, 95% intervals" in page
    for name in ("fluency", "adequacy"):
        assert f"Differences of mean human ratings, {name}" in page
    for shown in ("By criterion", "Rating: fluency", "Rating: adequacy", "fluency: These raters rate ours higher"):
        assert shown in page
    assert "corrected for all 2 comparisons by 2 criteria together" in page


def test_the_caption_begins_with_the_finding_and_sentences_to_quote_stand_last(folder):
    drawn(folder)
    told = done("human-score study -f latex").stdout
    assert r"\caption{fluency: These raters rate ours higher than baseline" in told
    findings = as_json("human-score study")["findings"]
    assert all(line.startswith('For the paper: "On 24 items by ') for line in findings[-2:]), findings[-2:]
    assert [re.search(r" in (fluency|adequacy) \(mean difference", line)[1] for line in findings[-2:]] == [
        "fluency",
        "adequacy",
    ]
    assert not any("For the paper" in line for line in findings[:-2])
    assert findings[-3] == "Ratings alone: no metric was asked for."  # of both, behind what is of each
    done("human-score study -o scores.html")
    assert "For the paper: " not in read("scores.html").partition("</table>")[2].partition("data-latex")[0]
    (folder / "study" / "ratings" / "robert.csv").write_text(
        "".join(read("study/ratings/robert.csv").splitlines(keepends=True)[:60])
    )
    told = done("human-score study -f latex").stdout
    assert r"\caption{fluency: " in told
    assert "% Not finished: " in told


def test_agreement_is_headed_by_all_criteria(folder):
    drawn(folder)
    done("agreement study -o agreement.html")
    page = read("agreement.html")
    heading = page.partition('class="headline"')[2].partition("Fleiss")[0]
    assert "fluency: Krippendorff" in heading
    assert "adequacy: Krippendorff" in heading
    assert done("agreement study").stdout.count("Krippendorff's α: nominal") == 2


def test_notes_of_charts_fit_them(folder):
    drawn(folder)
    done("human-score study -o scores.html --plot scores.svg")
    for picture in (read("scores.html"), read("scores.svg")):
        labels = re.findall(r'<text class="middle"[^>]*>([^<]*)</text>', picture)
        assert any("Holm" in label for label in labels)
        assert max(map(len, labels)) <= 52


def test_texts_are_scored_once_for_all_criteria(folder, monkeypatch):
    drawn(folder)
    scored = []

    def counted(metric, texts, references=None):
        scored.append(len(texts))
        return score_texts(metric, texts, references)

    monkeypatch.setattr(estimates, "score_texts", counted)
    found = as_json("human-score baseline.txt ours.txt --ratings study --metric slor")
    assert {row["criterion"] for row in found["rows"]} == {"fluency", "adequacy"}
    assert scored == [40, 40]


def test_criteria_of_a_file_have_labels_and_examples_of_their_own(folder):
    write(
        "criteria.yaml",
        """
- name: fluency
  scale: 1-5
  question: How natural is it?
  labels: {1: unreadable, 3: readable, 5: native}
  examples: [{text: it well is, rating: 2}]
- {name: adequacy, scale: 0-100}
""",
    )
    write("anchors.csv", "text,rating,criterion\nall of it,90,adequacy\n")
    done("sample baseline.txt ours.txt -n 12 --criteria criteria.yaml --examples anchors.csv -o study")
    fluency, adequacy = Design.read("study").criteria
    assert (fluency.label(1), fluency.label(2), fluency.label(3)) == ("unreadable", "", "readable")
    assert fluency.examples == (("it well is", "2"),)
    assert (adequacy.question, adequacy.examples) == ("How good is this text?", (("all of it", "90"),))
    assert "unreadable" in read("study/pages/rater_1.html")


@pytest.mark.parametrize(
    "options, message",
    [
        ("--criterion fluency", "expected a criterion as NAME=SCALE=QUESTION, such as 'fluency=1-5="),
        ("--criterion a=1-5 --criterion A=1-5", "two criteria have one name: a, A"),
        ("--criterion overall=1-5", "'overall' names the mean of all criteria"),
        ("--criterion a=1-5 --criterion b=preference", "some criteria are ratings and some preferences"),
        ("--criterion a=1-5 --scale 1-6", "`scale`, `question` and examples are of a single criterion"),
        ("--criterion a=1-5 --overall", "`overall` is the mean of two criteria or more"),
        ("--criterion a=1-5 --criteria-apart", "`criteria_apart` is for two criteria or more, and there is one"),
        ("--criteria nothing.yaml", "nothing.yaml: there is no such file of criteria"),
        ("--criteria broken.yaml", "a criterion has name, scale, question, labels, examples, but got scales"),
        ("--criteria off.yaml", "the criterion 'a': its label is of 7, which is not on the scale 1-5"),
        ("--criterion a=1-5 --examples anchors.csv", "expected one of a as the criterion of an example, but got 'b'"),
    ],
)
def test_criteria_that_cannot_be_asked_for(folder, options, message):
    write("broken.yaml", "- {name: a, scales: 1-5}\n")
    write("off.yaml", "- {name: a, scale: 1-5, labels: {7: fine}}\n")
    write("anchors.csv", "text,rating,criterion\nall of it,3,b\n")
    result = invoke(f"sample baseline.txt ours.txt -n 12 -o study {options}")
    assert message in f"{result.output}{result.exception}"
    assert not (folder / "study").exists()


def test_criteria_with_one_finding_share_a_sentence(folder):
    rows = [
        (item, system, criterion, 1 + (item * 3 + len(system) * (criterion == "style")) % 5)
        for item in range(20)
        for system in ("a", "other")
        for criterion in ("fluency", "form", "style")
    ]
    rows = [(*row[:3], 5 if row[1] == "other" and row[2] == "style" else row[3]) for row in rows]
    write_table("long.csv", ["item", "system", "criterion", "rating"], rows)
    told = done("human-score --ratings long.csv --scale 1-5").stdout
    assert told.count("no difference is shown between other and a") == 1
    assert told.startswith("fluency and form: ")
    assert "style: By these ratings, other is higher than a" in told.replace("\n", " ")


def test_of_more_than_three_comparisons_by_all_criteria_each_criterion_has_one_sentence(folder):
    rows = [
        (item, system, rater, criterion, 1 + (item * 7 + place * (criterion == "fluency") + len(rater)) % 5)
        for item in range(20)
        for place, system in enumerate(("a", "b", "c"))
        for rater in ("ann", "robert")
        for criterion in ("fluency", "adequacy")
    ]
    write_table("long.csv", ["item", "system", "rater", "criterion", "rating"], rows)
    command = "human-score --ratings long.csv --scale 1-5 --baseline a"
    findings = as_json(command)["findings"]
    quoted = [line for line in findings if line.startswith("For the paper")]
    assert len(quoted) == 2  # of four comparisons
    assert "in fluency: " in quoted[0]
    assert "by Holm's procedure for 4 comparisons" in quoted[0]
    assert not any("these 2 raters rate" in line.lower() for line in findings)
    write_table("two.csv", ["item", "system", "rater", "criterion", "rating"], [row for row in rows if row[1] != "c"])
    of_two = as_json(command.replace("long", "two"))["findings"]
    assert sum("rate b and a differently" in line or "rate b higher" in line for line in of_two) == 2


def test_ratings_by_further_criteria_are_told_beside_those_that_are_named(folder):
    drawn(folder)
    rows = read_study("study").table.query("not repeat")
    wide = rows.pivot_table(index=["item", "system", "rater"], columns="criterion", values="rating").reset_index()
    wide.to_csv("wide.csv", index=False)
    told = typed("human-score --ratings wide.csv --rating-column fluency --scale 1-5").err
    assert "column 'adequacy' may hold ratings by a further criterion: p and intervals are corrected for" in told
    both = "--rating-column fluency --rating-column adequacy --columns-are criteria"
    assert f"({both})" in told
    scales = "--criterion-scale fluency=1-5 --criterion-scale adequacy=0-100"
    assert "further criteri" not in typed(f"human-score --ratings wide.csv {both} {scales}").err
