"""`study describe`: a paragraph and the data sheet give the facts of the study's files, and leave the rest open."""

import json
from dataclasses import replace

import pytest
from command_lines import done, invoke
from studies import answer
from text_files import read, write

from referenceless_metrics.comparison.from_python import human_score
from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.human_evaluation.studies.datasheet import QUESTIONS
from referenceless_metrics.human_evaluation.studies.description import analysis_of
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
    assert "Krippendorff's α (interval) was 1.00." in paragraph
    assert "tested by Student's t for these raters, in a single comparison." in paragraph
    of_three = replace(design, systems=("base", "ours", "theirs"))
    (pairs,) = analysis_of(of_three, None, all_pairs=True)
    assert "Differences of mean ratings of all pairs of systems, paired by item and rater" in pairs
    assert "p is corrected for 3 comparisons" in pairs
    assert "from base, paired by item and rater" in analysis_of(of_three, None)[0]
    assert "The number of items, 20, was fixed before the first rating, and all of them were judged." in paragraph
    assert (
        "Not counted in the scores: 2 answers “cannot judge”, 8 answers about outputs that were shown again, "
        in paragraph
    )
    assert "4 answers about damaged texts." in paragraph
    assert " were below those about the whole ones (" in paragraph
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
    plan = done("sample base.txt ours.txt third.txt -n 30 --raters ann,bob -o study").stdout
    assert "Over all pairs (human-score --all-pairs, 3 comparisons) 30 items find one of 0." in plan
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
    paragraph, answers = described("--every-look")
    n_complete = sum(all(any(s.item == i for s in seen) for seen in early.values()) for i in range(30))
    assert 20 <= n_complete <= 21
    assert "who were each asked to judge all of them" in paragraph
    assert "Differences of mean ratings from base have confidence sequences for these raters" in paragraph
    assert f"Rating ended when {n_complete} of 30 items were complete" in paragraph
    assert answers["3.1.1"] == {"": f"{n_complete} with all ratings, of 30 that were drawn"}
    note = (
        f"Not finished: {n_complete} of 30 items are complete. These figures are of all rated outputs; if you look in "
        "order to stop, use --every-look."
    )
    content = json.loads(done("human-score study -f json").stdout)
    assert content["headline"].endswith(" (p = 1.0000, one comparison).")
    assert content["findings"][0] == note
    assert not any(line.startswith("For the paper: ") for line in content["findings"])
    assert "Not finished" not in done("human-score study --every-look").stdout
    assert human_score("study").unfinished == note
    done("report base.txt ours.txt --ratings study -o report.html")
    assert note in read("report.html")


@pytest.fixture
def left_by_bob(systems):
    """A study that bob left after 12 of 20 items; on these and no others ann and bob agree."""
    design = drawn("--repeats 0")

    def rating(rater, screen, output):
        system = screen.outputs["AB".index(output)][0]
        if screen.item < 12:
            return 1 + screen.item % 4 + system
        return 1 + (3 * screen.item + system) % 5 if rater == "ann" else ""

    answer(design, systems / "study", rating)
    return systems


def test_a_study_that_a_rater_never_finished_is_described_as_its_plain_table(left_by_bob):
    paragraph, answers = described()
    assert "tested by Student's t for these raters, in a single comparison." in paragraph
    assert (
        "Answers are missing: bob gave 24 of 40. All rated outputs count, of 20 items, of which 12 are complete, with "
        "all outputs answered by all of their raters (rated, or called impossible to judge)."
    ) in paragraph
    assert answers["3.1.1"] == {"": "20 of 20 that were drawn; 12 of them with all ratings"}
    with pytest.warns(InputNote, match="describes `referenceless human-score study`, of all rated outputs; if you"):
        done("study describe study")
    rows = json.loads(done("human-score study -f json").stdout)["rows"]
    assert [row["rated"] for row in rows] == [20, 20, 20]


def test_items_of_equal_outputs_count_in_a_study_of_preferences(systems):
    write("ours.txt", read("base.txt").replace("number 2", "figure 2"))  # 11 of 30 differ
    drawn_told = done("sample base.txt ours.txt -n 30 --raters ann,bob --scale preference --repeats 0 -o study").stdout
    assert "19 pairs of outputs are equal and not shown: each rater of the item counts as saying tie." in drawn_told
    design = Design.read("study")
    last = max(screen.item for screen in design.raters["bob"])
    answer(design, systems / "study", lambda who, screen, _: "" if (who, screen.item) == ("bob", last) else "A")
    paragraph, answers = described()
    assert "All answers count, of 30 items, of which 29 are complete" in paragraph
    assert answers["3.1.1"] == {"": "30 of 30 that were drawn; 29 of them with all ratings"}
    assert "All raters have come to the end, with blanks: 29 of 30 items" in done("human-score study").stdout


def test_a_study_that_a_rater_left_has_its_sentence_for_the_paper_with_its_condition(left_by_bob):
    content = json.loads(done("human-score study -f json").stdout)
    last = content["findings"][-1]
    assert last.startswith("For the paper, if no more answers come and nobody looked in order to stop: ")
    assert '"On 20 items by 2 raters (12 of 20 items complete; all rated outputs count), ours was ' in last
    assert not any("one of four times as many items" in line for line in content["findings"])
    assert "one of all 30 items finds" in " ".join(content["findings"])


def test_repeats_that_a_rater_who_left_was_not_shown_are_not_counted_as_shown(systems):
    design = drawn("--repeats 0.2")
    n_repeats = {rater: sum(screen.repeat for screen in screens) for rater, screens in design.raters.items()}
    answer(design, systems / "study", lambda rater, screen, _: 3 if rater == "ann" or not screen.repeat else "")
    _, answers = described()
    assert n_repeats["ann"]
    assert n_repeats["bob"]
    assert answers["3.3.3.1"][""].endswith(
        f"{sum(n_repeats.values())} screens planned to be shown a second time, of which {n_repeats['ann']} were"
    )
    assert answers["4.3.9"] == {"": "mean over items of each item's mean rating, for each system"}


def test_a_look_is_described_by_figures_of_the_items_that_count(left_by_bob):
    of_look = described("--every-look --first-look 10")
    assert (
        "Rating ended when 12 of 20 items were complete, with all outputs rated by all of their raters (" in of_look[0]
    )
    assert "Krippendorff's α (interval) was 1.00" in of_look[0]
    assert of_look[1]["4.3.11.2"] == {"": "1.00"}
    with pytest.warns(InputNote, match="human-score study --every-look`, of complete items; if nobody looked in order"):
        done("study describe study --every-look --first-look 10")


def test_an_item_that_a_rater_could_not_judge_does_not_count_at_a_look(systems):
    """An answer that is no rating counts as answered in a plain table; at a look ratings alone make an item count."""
    design = drawn("--repeats 0")

    def rating(rater, screen, output):
        return "cannot judge" if screen.item < 3 else 3 + screen.item % 2 if screen.item < 15 or rater == "ann" else ""

    answer(design, systems / "study", rating)
    told = (
        "12 of 20 items were complete, with all outputs rated by all of their raters (one that a rater could not judge"
    )
    assert told in described("--every-look --first-look 10")[0]
    assert "of which 15 are complete, with all outputs answered by all of their raters (rated, or" in described()[0]
    assert "12 items are complete" in done("human-score study --every-look --first-look 10").stdout


def test_a_rater_who_is_left_out_makes_no_item_complete_that_lacks_another_rater(systems):
    done("sample base.txt ours.txt -n 30 --raters ann,bob,cleo --overlap 2 --repeats 0 -o study")
    design = Design.read("study")
    answer(design, systems / "study", lambda rater, screen, _: "" if rater == "bob" and screen.item > 11 else 3)
    (systems / "study" / "left_out").mkdir()
    assert "judged by 3 raters, of whom 2 were asked for each item. All outputs" in described()[0]
    (systems / "study" / "ratings" / "cleo.csv").rename(systems / "study" / "left_out" / "cleo.csv")
    n_complete = sum("bob" not in item.raters or place <= 11 for place, item in enumerate(design.items))
    assert n_complete < 30
    assert "judged by 2 raters (1 more left out), of whom 1 to 2 were asked for each item. All" in described()[0]
    assert f"{n_complete} items are complete" in done("human-score study --every-look --first-look 10").stdout
    assert f"Rating ended when {n_complete} of 30 items were complete" in described("--every-look --first-look 10")[0]
    assert study_progress("study").n_complete == n_complete


def test_agreement_is_of_the_items_that_the_analysis_takes(systems):
    """Raters disagree on an item of which a third rater's answers are missing: it counts without looks alone."""
    done("sample base.txt ours.txt -n 20 --raters ann,bob,cleo --repeats 0 -o study")
    design = Design.read("study")

    def rating(rater, screen, output):
        if screen.item < 12:
            return 1 + screen.item % 4
        return {"ann": 1 + screen.item % 2, "bob": 5 - screen.item % 3, "cleo": ""}[rater]

    answer(design, systems / "study", rating)
    assert "α (interval) was 1.00" in described("--every-look --first-look 10")[0]
    assert "α (interval) was 1.00" not in described()[0]


def test_criteria_of_which_other_items_are_complete_are_counted_apart(systems):
    done(
        'sample base.txt ours.txt -n 20 --raters ann --criterion "fluency=1-5=a" --criterion "adequacy=1-5=b" '
        "--criteria-apart --repeats 0 -o study"
    )
    limits = {"fluency": 15, "adequacy": 11}

    def rating(rater, screen, output, criterion):
        return 1 + screen.item % 5 if screen.item < limits[criterion] else ""

    answer(Design.read("study"), systems / "study", rating)
    paragraph = described("--every-look --first-look 10")[0]
    assert "Rating ended when 15 of 20 items were complete by fluency, 11 by adequacy, with all outputs" in paragraph


def test_the_analysis_of_all_pairs_is_named_by_its_line(left_by_bob):
    with pytest.warns(InputNote, match="describes `referenceless human-score study --all-pairs`, of all rated outputs"):
        done("study describe study --all-pairs")


def test_preferences_of_five_raters_are_told_to_be_of_raters_in_general(systems):
    asked = '--criterion "fluency=preference=a" --criterion "adequacy=preference=b"'
    done(f"sample base.txt ours.txt -n 12 --raters 5 {asked} -o study")
    paragraph = described()[0]
    assert "are tested for raters in general by Student's t against one half" in paragraph
    assert "each interval of a win rate is at the level" in paragraph


def test_a_study_of_all_items_tells_by_how_many_raters(systems):
    done("sample base.txt ours.txt -n 20 --raters 5 --repeats 0 -o study")

    def rating(rater, screen, output):
        system = screen.outputs["AB".index(output)][0]
        return 1 + (screen.item * (1 + system) + int(rater[-1]) * screen.item) % 5

    answer(Design.read("study"), systems / "study", rating)
    told = json.loads(done("human-score study -f json").stdout)["findings"]
    assert "one of all 30 items by 8 raters (here 5) finds" in " ".join(told)


def test_missing_preferences_are_counted_by_each_criterion(systems):
    design = drawn('--criterion "fluency=preference=a" --criterion "adequacy=preference=b" --repeats 0')
    answer(design, systems / "study", lambda who, screen, *_: "cannot judge" if screen.item < 2 else "A")
    findings = json.loads(done("human-score study -f json").stdout)["findings"]
    missing = "Missing preferences (blank, or a rater could not judge): 4 by fluency, 4 by adequacy."
    assert missing in findings
    assert findings.index(missing) < min(place for place, line in enumerate(findings) if line.startswith("For the p"))


def test_what_to_do_next_says_which_of_two_analyses_the_figures_are(left_by_bob):
    done("human-score study -o plain.html")
    page = read("plain.html")
    assert "These figures are of all rated outputs. They are right if no more answers come and nobody looked" in page
    done("human-score study --every-look --first-look 10 -o looks.html")
    assert "These figures are of complete items, as it must be if you look in order to stop." in read("looks.html")


def test_preferences_have_no_looks_to_describe(systems):
    drawn("--scale preference")
    result = invoke("study describe study --every-look")
    assert "these are preferences: --every-look is for ratings" in f"{result.output}{result.exception}"


def test_preferences_that_are_not_finished_say_so(systems):
    design = drawn("--scale preference --repeats 0")
    answer(design, systems / "study", lambda rater, screen, _: "A" if rater == "ann" or screen.item < 15 else "")
    findings = json.loads(done("human-score study -f json").stdout)["findings"]
    assert findings[0].startswith(
        "Not finished: 15 of 20 items are complete. These figures are of all answers; a decision while it runs is "
        "wrong more often"
    )
    assert study_progress("study").n_complete == 15
    assert "half a win, are tested for these raters by Student's t against one half, or Jeffreys'" in described()[0]
    assert "Answers are missing: bob gave 15 of 20. All answers count, of 20 items, of which 15" in described()[0]


def test_ties_of_equal_outputs_that_nobody_was_shown_are_counted(systems):
    write("ours.txt", read("base.txt").replace("ours", "base").replace("number 2", "figure 2"))
    design = drawn('--criterion "fluency=preference=a" --criterion "adequacy=preference=b" --repeats 0')
    n_equal = sum(item.outputs[0] == item.outputs[1] for item in design.items)
    answer(design, systems / "study", lambda *_: "A")
    content = json.loads(done("human-score study -f json").stdout)
    told = f"Equal outputs were not shown, and count as a tie of each rater of the item: {2 * n_equal} of the ties by"
    assert 0 < n_equal < 20
    assert [row["ties"] for row in content["rows"]] == [2 * n_equal] * 2
    assert content["findings"][0] == f"{told} each criterion."
    (systems / "study" / "ratings" / "bob.csv").unlink()
    findings = json.loads(done("human-score study -f json").stdout)["findings"]
    assert f"Not finished: {n_equal} of 20 items are complete." in " ".join(findings)
    note = done("human-score study -f latex").stdout.partition(r"\end{tabular}")[2].partition(r"\end{table}")[0]
    assert f"{told} each criterion." in note


def test_a_rater_who_takes_damaged_texts_for_whole_ones_is_flagged_in_the_table(systems):
    design = drawn('--checks 2 --repeats 0 --criterion "fluency=1-5=a" --criterion "adequacy=1-5=b"')

    def rating(rater, screen, output, criterion):
        return 1 if screen.check and (rater, criterion) != ("bob", "fluency") else 2 + screen.item % 4

    answer(design, systems / "study", rating)
    content = json.loads(done("agreement study -f json").stdout)
    flag = "rated 2 of 2 damaged texts as high as the whole ones"
    flags = {(row["criterion"], row["rater"]): row["flags"] for row in content["rows"]}
    assert flags == {
        ("fluency", "ann"): "",
        ("fluency", "bob"): flag,
        ("adequacy", "ann"): "",
        ("adequacy", "bob"): "",
    }
    assert f"fluency: bob {flag}: look at these ratings before you use them." in content["findings"]


def test_marked_errors_are_described_beside_the_score(systems):
    drawn("--spans")
    paragraph, answers = described()
    assert (
        "Raters first marked errors as minor or major. An output's score by them is the negative sum of the errors' "
        "weights: 1 for a minor and 5 for a major one"
    ) in paragraph
    assert answers["4.3.8"] == {
        "spans": "evaluation through post-editing/annotation",
        "score": "direct quality estimation",
    }


def test_each_criterion_has_answers_of_its_own(systems):
    design = drawn('--criterion "fluency=1-5=How natural is it?" --criterion "adequacy=0-1=Is it right?"')
    assert "(say which were used)" in described()[1]["3.3.2"][""]
    answer(design, systems / "study", lambda *_: 1)
    assert described()[1]["4.2.1"] == {"fluency": "", "adequacy": ""}
    answers = described('--answer "4.2.1=subjective" --answer "4.2.1 / adequacy=objective"')[1]
    assert answers["4.2.1"] == {"fluency": "subjective", "adequacy": "objective"}
    assert answers["3.3.2"][""].startswith("sheets (CSV), one for each evaluator")
    assert answers["4.3.5"]["fluency"].endswith("an empty cell of the sheet")
    assert answers["3.2.4"] == {"": ""}
    assert (
        '--answer "1.1.1=ANSWER"; of one criterion: --answer "4.1.1/fluency=ANSWER"'
        in done("study describe study").stdout
    )


def test_markdown_lists_what_is_left_open(systems):
    drawn("--scale preference")
    done("study describe study -o methods.md")
    page = read("methods.md")
    assert "| 4.3.8 | form of the response | relative quality estimation |" in page
    assert "- 5.1 ethics committee" in page


@pytest.mark.parametrize(
    "options, message",
    [
        ("--answer 9.9=x", "there is no question '9.9' in HEDS 3.0: expected one from 1.1.1 to 5.4, as"),
        (
            '--answer "4.2.1 fluency=x"',
            "as the sheet lists them; that of one criterion is answered by 4.2.1/fluency=ANSWER",
        ),
        ("--answer 4.9=x", "expected one from 4.1.1 to 4.3.12.2, as the sheet lists them"),
        ("--answer 5.1/fluency=x", "question 5.1 is not asked for each criterion: answer it by 5.1=ANSWER"),
        ("--answer 4.2.1/style=x", "no criterion 'style' (4.2.1/style); those are fluency, adequacy"),
        ("--answer 5.1", "expected NUMBER=ANSWER"),
    ],
)
def test_answers_to_no_question(systems, options, message):
    drawn("--criterion fluency=1-5=a --criterion adequacy=1-5=b")
    result = invoke(f"study describe study {options}")
    assert message in f"{result.output}{result.exception}"


def test_a_rater_whose_file_is_moved_is_left_out_and_all_sentences_say_so(systems):
    done("sample base.txt ours.txt -n 20 --raters ann,bob,cy --repeats 0 -o study")
    design = Design.read("study")
    answer(design, systems / "study", lambda rater, screen, _: 3 if rater == "cy" else 2 + screen.item % 3)
    folder = systems / "study"
    assert "move the file from" in done("agreement study").stdout  # cy gives one answer
    (folder / "left_out").mkdir()
    (folder / "ratings" / "cy.csv").rename(folder / "left_out" / "cy.csv")
    with pytest.warns(InputNote, match="left out: cy, whose ratings lie in the study's folder left_out/"):
        found = json.loads(done("human-score study -f json").stdout)
    assert found["findings"][-1].startswith('For the paper: "On 20 items by 2 raters (1 more left out), ours was not')
    paragraph, answers = described()
    assert "judged by 2 raters (1 more left out), who each judged all of them." in paragraph
    assert "2 raters gave 80 of the 80 answers that were asked for." in paragraph
    assert "The analysis leaves out 1 rater: cy." in paragraph
    assert answers["3.2.1"] == {"": "2, and 1 more who are left out"}
    (folder / "ratings" / "cy.csv").write_bytes((folder / "left_out" / "cy.csv").read_bytes())
    assert "'cy' is left out by a file in left_out/" in str(invoke("agreement study").exception)
