"""`study describe`: a paragraph and the data sheet say what the study's files know, and leave the rest open."""

import json

import pytest
from command_lines import done, invoke
from studies import answer
from text_files import read, write

from referenceless_metrics.comparison.from_python import human_score
from referenceless_metrics.human_evaluation.studies.datasheet import QUESTIONS
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.progress import study_progress


@pytest.fixture(autouse=True)
def systems(folder):
    for name in ("base", "ours"):
        write(f"{name}.txt", "".join(f"{name} wrote a text with number {i} here\n" for i in range(30)))
    return folder


def drawn(options):
    done(f"sample base.txt ours.txt -n 20 --raters ann,bob -o study {options}")
    return Design.read("study")


def described(options=""):
    content = json.loads(done(f"study describe study -f json {options}").stdout)
    answers = {}
    for row in content["answers"]:
        answers.setdefault(row["number"], {})[row["criterion"]] = row["answer"]
    return content["paragraph"], answers


def test_before_the_first_rating_it_says_what_is_planned(systems):
    drawn('--criterion "fluency=1-5=How natural is it?" --criterion "adequacy=0-100" --overall --apart')
    paragraph, answers = described()
    assert paragraph.startswith(
        "We drew 20 items at random from 30 and had the outputs of 2 systems (base, ours) judged by 2 raters, "
        "who each judged all of them. Each output was shown alone"
    )
    assert "By fluency, raters answered “How natural is it?” on a scale from 1 (worst) to 5 (best)." in paragraph
    assert "The mean of the criteria was chosen for the analysis before the first rating." in paragraph
    assert paragraph.endswith("Nobody has rated yet.")
    assert list(answers) == list(QUESTIONS)
    assert answers["4.3.3"] == {"fluency": "5", "adequacy": "101"}
    assert answers["4.2.2"] == {"fluency": "absolute", "adequacy": "absolute"}
    assert answers["4.3.11.2"] == {"fluency": "", "adequacy": ""}
    assert answers["3.2.2.2"] == {"": ""}


def test_with_ratings_it_says_who_answered_how_far_they_agree_and_what_does_not_count(systems):
    design = drawn("--checks 2 --repeats 0.1")

    def rating(rater, screen, output):
        if screen == design.raters["ann"][0] and rater == "ann":
            return "cannot judge"
        if screen.check:
            return 1
        return 2 + (screen.item + len(rater)) % 3

    answer(design, systems / "study", rating)
    paragraph, answers = described('--payment "12 euros an hour" --answer "3.2.3=by email"')
    screens = [screen for of_rater in design.raters.values() for screen in of_rater]
    n_asked = sum(len(design.asked_on(screen)) for screen in screens)
    assert f"2 raters gave {n_asked} of the {n_asked} answers that were asked for." in paragraph
    assert "Raters were paid 12 euros an hour." in paragraph
    assert "Krippendorff's α (ordinal) was 1.00." in paragraph
    assert "tested by Student's t for these raters, in a single comparison." in paragraph
    assert "The number of items, 20, was fixed before the first rating, and all of them were judged." in paragraph
    assert (
        "Not counted in the scores: 2 answers “cannot judge”, 8 answers about outputs that were shown again, "
        in paragraph
    )
    assert "4 answers about damaged texts." in paragraph
    assert answers["3.2.2.2"] == {"": "paid: 12 euros an hour"}
    assert answers["3.2.3"] == {"": "by email"}
    assert answers["4.3.12.2"] == {"": "ann 1.00, bob 1.00"}
    (systems / "study" / "ratings" / "bob.csv").unlink()
    paragraph, answers = described("--payment none")
    assert "Raters were not paid." in paragraph
    assert "Without any answer: bob." in paragraph
    assert answers["3.2.1"] == {"": "1"}


def test_a_study_of_all_items_with_equal_outputs_draws_none_and_shows_them_once(systems):
    write("ours.txt", read("base.txt").replace("number 2", "figure 2"))
    write("third.txt", read("base.txt").replace("wrote", "writes"))
    done("sample base.txt ours.txt third.txt -n 30 --raters ann,bob -o study")
    paragraph, answers = described()
    assert paragraph.startswith(
        "We had the outputs of 3 systems (base, ours, third) for all 30 items judged by 2 raters, "
    )
    assert "Equal outputs of an item were shown once, and the answer counted for each of their systems." in paragraph
    assert "in 3 blocks of items whose random order was the same for all raters; the order within" in paragraph
    assert "p is corrected for 2 comparisons by Holm's procedure" in paragraph
    assert "Rating ends when all 30 items are judged." in paragraph
    assert answers["3.1.2"] == {"": "no selection: all 30 items, the same for all systems"}
    looking = described("--every-look --first-look 15")[0]
    assert "hold at every look from 15 complete items on (planned: 30)" in looking
    assert "Rating ends when all 30 items are judged, or at a look at which a difference is shown." in looking
    done("sample base.txt ours.txt -n 12 --raters ann,bob -o small")
    looking = done("study describe small --every-look").stdout
    assert "hold at every look from 20 complete items on (planned: 20)" in looking


def test_after_an_early_stop_the_items_that_count_are_said(systems):
    done("sample base.txt ours.txt -n 30 --raters ann,bob -o study")
    design = Design.read("study")
    early = {
        rater: [screen for screen in screens if not screen.repeat][:21] for rater, screens in design.raters.items()
    }
    answer(design, systems / "study", lambda rater, screen, _: 3 + screen.item % 2 if screen in early[rater] else "")
    paragraph, answers = described()
    n_complete = sum(all(any(s.item == i for s in seen) for seen in early.values()) for i in range(30))
    assert 20 <= n_complete <= 21
    assert "who were each asked to judge all of them" in paragraph
    assert "Differences of mean ratings from base have confidence sequences for these raters" in paragraph
    assert f"Rating ended when {n_complete} of 30 items were complete" in paragraph
    assert answers["3.1.1"] == {"": f"{n_complete} with all ratings, of 30 that were drawn"}
    note = f"Not finished: {n_complete} of 30 items are complete; if you decide while it runs, use --every-look."
    content = json.loads(done("human-score study -f json").stdout)
    assert content["headline"].startswith(f"{note} ")
    assert not any(line.startswith("For the paper") for line in content["findings"])
    assert "Not finished" not in done("human-score study --every-look").stdout
    assert human_score("study").unfinished == note
    done("report base.txt ours.txt --ratings study -o report.html")
    assert note in read("report.html")


def test_preferences_that_are_not_finished_say_so(systems):
    design = drawn("--scale preference")
    answer(design, systems / "study", lambda rater, screen, _: "A" if rater == "ann" or screen.item < 15 else "")
    headline = json.loads(done("human-score study -f json").stdout)["headline"]
    assert headline.startswith(
        "Not finished: 15 of 20 items are complete; a decision while it runs is wrong more often"
    )
    assert study_progress("study").n_complete == 15


def test_marked_errors_are_described_beside_the_score(systems):
    drawn("--spans")
    paragraph, answers = described()
    assert "Raters first marked errors as minor or major." in paragraph
    assert answers["4.3.8"] == {
        "spans": "evaluation through post-editing/annotation",
        "score": "direct quality estimation",
    }


def test_markdown_lists_what_is_left_open(systems):
    drawn("--scale preference")
    done("study describe study -o methods.md")
    page = read("methods.md")
    assert "| 4.3.8 | form of the response | relative quality estimation |" in page
    assert "- 5.1 ethics committee" in page


@pytest.mark.parametrize(
    "options, message",
    [
        ("--answer 9.9=x", "there is no question '9.9' in HEDS 3.0; those are 1.1.1, 1.1.2"),
        ("--answer 5.1", "expected NUMBER=ANSWER"),
    ],
)
def test_answers_to_no_question(systems, options, message):
    drawn("")
    result = invoke(f"study describe study {options}")
    assert message in f"{result.output}{result.exception}"
