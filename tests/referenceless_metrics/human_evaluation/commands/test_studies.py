"""`sample`, `rate` and `agreement` as they are typed; the server itself is tried beside its module."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from command_lines import as_json, done, invoke, typed
from numpy.random import default_rng
from studies import answer
from text_files import read, write

from referenceless_metrics.__main__ import main
from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.reading import read_study


def told(line, *more):
    """Return the output of a command, or the error that it ends with."""
    result = invoke(line, *more)
    return result.output if result.exception is None else str(result.exception)


@pytest.fixture(autouse=True)
def systems(folder):
    """Two systems' files with a column of estimates, and `sources.jsonl`."""
    for name in ("baseline", "ours"):
        pd.DataFrame({"text": [f"{name} {i}" for i in range(40)], "estimate": range(40)}).to_csv(
            f"{name}.csv", index=False
        )
    sources = pd.DataFrame({"source": [[["it", "is", i], ["and", "more"]] for i in range(40)]})
    sources.to_json("sources.jsonl", orient="records", lines=True)


def fill(study):
    """Fill in the sheets: ratings that rise with the item, of `ours` one higher; rater 3 answers 3 always."""
    for sheet in Path(study, "sheets").iterdir():
        rows = pd.read_csv(sheet)
        system, number = rows["text"].str.split(expand=True).to_numpy().T
        rows["rating"] = (1 + number.astype(int) // 10 + (system == "ours")).clip(max=5)
        rows.loc[rows["rater"] == "rater_3", "rating"] = 3
        rows.to_csv(Path(study, "ratings", sheet.name), sep=";", index=False)  # as some spreadsheets save it


SAMPLE = "sample baseline.csv ours.csv -n 20"


def test_from_outputs_to_agreement():
    drawn = done(f"{SAMPLE} --sources sources.jsonl --csv -o study").output
    assert "20 of 40 items, 2 systems, 3 raters: at most 21 screens each, 126 ratings in all." in drawn
    assert (
        "Planned: 20 items find a true difference of two systems of 0.5 (scale 1-5) in 80% of studies, all 40 one of "
        "0.33 (of one comparison" in drawn
    )
    assert "(of one comparison; among these raters)" in drawn
    assert "The 95% interval of a difference (of one comparison, uncorrected) will be about ±0.36 for these" in drawn
    assert "fewer than 5 raters tell nothing of raters in general" in drawn
    assert "study/pages, or their sheet from study/sheets, or run `referenceless rate" in drawn
    assert "Put the files that they send back into study/ratings" in drawn
    alone = done("sample baseline.csv -n 20 -o alone").output
    assert "20 of 40 items, 1 system, 3 raters" in alone
    assert "Planned" not in alone  # there is no difference to plan for
    assert "- [it, is, " in read("study/pages/rater_2.html")
    assert "ratings yet" in told("agreement study")
    fill("study")
    agreed = done("agreement study").output
    assert "Krippendorff's α: nominal 0." in agreed
    assert "] (95% intervals).\n" in agreed
    assert "rater_3 gives 3 in 100% of 40 ratings: look at these ratings before you use them." in agreed
    read_study("study").table[["text", "system", "rater", "rating"]].to_csv("rows.csv", index=False)
    of_rows, of_study = (json.loads(done(f"agreement {place} --format json").output) for place in ("rows.csv", "study"))
    assert {name: each["value"] for name, each in of_rows["coefficients"].items()} == pytest.approx(
        {name: each["value"] for name, each in of_study["coefficients"].items()}
    )
    assert of_study["coefficients"]["alpha interval"]["low"] < of_study["coefficients"]["alpha interval"]["high"]
    assert [row["n_repeats"] for row in of_rows["rows"]] == [2, 2, 2]
    planned = done("sample baseline.csv ours.csv -n 30 --pilot study -o again").output
    assert "fewer than 5 raters tell nothing of raters in general" in planned
    assert "  Assumed: ratings vary as those of study.\n" in planned


def test_a_plan_takes_the_pair_of_the_pilot_that_it_is_for_and_tells_pairs_that_it_pools():
    write("third.csv", ["text", *(f"third {i}" for i in range(40))])
    done("sample baseline.csv ours.csv third.csv -n 40 --raters ann,bob --repeats 0 -o study")
    design, generator = Design.read("study"), default_rng(0)
    spread = {0: 0.4, 1: 0.4, 2: 1.5}

    def rate(rater, screen, output):
        (system,) = screen.outputs["ABC".index(output)]
        return int(np.clip(round(generator.normal(3, spread[system])), 1, 5))

    answer(design, Path("study"), rate)
    two = plans("sample baseline.csv ours.csv -n 40 --raters ann,bob --pilot study --find 0.2 -o two")[0]
    assert two.endswith("Assumed: ratings of baseline and ours vary as those of study.")
    (needed,) = re.findall(r"To find one of 0.2 with 2 raters, draw (\d+) items", two)
    (all_three,) = plans(
        "sample baseline.csv ours.csv third.csv -n 40 --raters ann,bob --pilot study --find 0.2 -o three"
    )
    assert "vary as those of study, of 3 systems together (baseline, ours, third)." in all_three
    (pairs,) = re.findall(
        r"By pair of the pilot's systems, 40 items find (.*); other figures here are of all", all_three
    )
    taken = {tuple(pair): int(n) for *pair, n in re.findall(r"between (\w+) and (\w+) \(one of 0.2 takes (\d+)", pairs)}
    assert list(taken)[-1] == ("baseline", "ours")  # the easiest
    (pooled,) = re.findall(r"To find one of 0.2 with 2 raters, draw (\d+) items", all_three)
    assert int(needed) < int(pooled) < min(taken["baseline", "third"], taken["ours", "third"])
    write("other.csv", ["text", *(f"other {i}" for i in range(40))])
    other = plans("sample baseline.csv other.csv -n 40 --raters ann,bob --pilot study -o other")[0]
    assert "of 3 systems together (baseline, ours, third)" in other


def items_of(study):
    return {item.item for item in Design.read(study).items}


def test_a_further_study_leaves_out_the_items_of_an_earlier_one_or_says_how_many_it_draws_again():
    done(f"{SAMPLE} --csv -o study")
    fill("study")
    again = done("sample baseline.csv ours.csv -n 25 --seed 1 --pilot study -o again").output
    n = len(items_of("study") & items_of("again"))
    assert f"{n} of these items are in study, too: --without-study study draws others.\n" in again
    further = done("sample baseline.csv ours.csv -n 10 --pilot study --without-study study -o further").output
    assert "in 80% of studies, all 20 one of" in " ".join(further.split())
    assert "10 of 40 items (without 20 of earlier studies), 2 systems" in further
    assert "in study, too" not in further
    assert not items_of("study") & items_of("further")
    described = done("study describe further").output
    assert "10 items at random, without the 20 of earlier studies, from 40" in described
    done("sample baseline.csv ours.csv -n 10 --without-study study --without-study further -o last")
    assert len(items_of("study") | items_of("further") | items_of("last")) == 40
    assert "30 items cannot be drawn: baseline has 40 outputs, and 20 are of earlier studies" in told(
        "sample baseline.csv ours.csv -n 30 --without-study study -o more"
    )
    with_estimates = "sample baseline.csv ours.csv -n 10 --along estimate --without-study study -o along"
    assert "leave out --along, or let it draw" in told(with_estimates)


def test_a_study_of_other_items_is_no_earlier_one():
    done(f"{SAMPLE} -o study")
    write("ours.csv", ["text", *(f"better {i}" for i in range(40))])  # one system of two is new
    done("sample baseline.csv ours.csv -n 20 --without-study study -o further")
    assert not items_of("study") & items_of("further")
    write("baseline.csv", ["text", *(f"baseline {i}" for i in reversed(range(40)))])
    refused = told("sample baseline.csv ours.csv -n 10 --without-study study -o other")
    assert "study: its items are not those of these outputs (--without-study)" in refused
    done("sample baseline.csv ours.csv -n 10 --sources sources.jsonl -o with_sources")
    write("ours.csv", ["text", *(f"best {i}" for i in range(40))])
    write("baseline.csv", ["text", *(f"base {i}" for i in range(40))])
    done("sample baseline.csv ours.csv -n 30 --sources sources.jsonl --without-study with_sources -o by_sources")


@pytest.mark.parametrize(
    "options, message",
    [
        ("--scale 5", "expected a scale such as 1-5"),
        ("-n 41", "41 items cannot be drawn: baseline has 40 outputs"),
        ("--pilot nowhere", "nowhere: there is no study.json in it"),
        ("--pilot ours.csv", "referenceless human-score --ratings ours.csv --find DIFFERENCE"),
        ("--sources other.jsonl", "other.jsonl: there is no such file"),
    ],
)
def test_what_is_refused_leaves_nothing(options, message):
    assert message in told(f"{SAMPLE} -o study {options}")
    assert not Path("study").exists()


def plans(line):
    """Return what a draw says of the differences that the study finds: a line for each sentence, joined."""
    told = done(line).output.replace("\n  ", " ")
    return [plan for plan in told.splitlines() if plan.startswith("Planned")]


TWO_ALIKE = '--criterion "fluency=1-5=a" --criterion "adequacy=1-5=b"'


def test_the_plan_is_corrected_for_all_comparisons():
    lines = plans(f'{SAMPLE} --raters 6 --criterion "fluency=1-5=a" --criterion "adequacy=1-6=b" -o study')
    [alone] = plans(f"{SAMPLE} --raters 6 -o alone")
    found = [float(re.search(r"systems of ([0-9.]+) ", line)[1]) for line in (*lines, alone)]
    assert [line.partition(": ")[0] for line in lines] == ["Planned, for fluency", "Planned, for adequacy"]
    assert all("(corrected for 2 comparisons; among raters in general)" in line for line in lines)
    assert found[0] > found[2]
    assert " for raters in general. " in alone
    of_these = float(re.search(r"Among these raters alone 20 items find one of ([0-9.]+)\. ", alone)[1])
    [of_five] = plans(f"{SAMPLE} --raters 5 -o five")
    [of_three] = plans(f"{SAMPLE} --raters 3 -o three")
    three = float(re.search(r"systems of ([0-9.]+) ", of_three)[1])
    assert of_these < float(re.search(r"these raters alone 20 items find one of ([0-9.]+)\. ", of_five)[1]) < three


def test_a_plan_says_how_many_items_find_a_difference():
    [plan] = plans(f"{SAMPLE} --find 0.33 -o study")
    n = int(re.search(r" To find one of 0\.33 with 3 raters, draw (\d+) items, each for all of them", plan)[1])
    assert 35 <= n <= 45  # all 40 find one of .33
    [plan] = plans(f"{SAMPLE} --find 0.1 -o few")
    assert re.search(r"draw \d+ items, each for all of them \(there are 40: have the systems write more\)\. ", plan)
    [plan] = plans(f"{SAMPLE} --raters 5 --overlap 2 --find 0.3 -o five")
    told = (
        r"No number of items finds one of 0\.3 with 5 raters, since raters differ: take (\d+) raters and (\d+) items, "
    )
    raters, items = map(int, re.search(told + "each for 2 of them", plan).groups())
    [plan] = plans(f"{SAMPLE} --raters {raters} --overlap 2 --find 0.3 -o many")
    assert f"To find one of 0.3 with {raters} raters, draw {items} items, each for 2 of them (there are 40" in plan
    [plan] = plans(f"{SAMPLE} --raters 5 --find 0.0001 -o none")
    assert "No number of items and raters finds one of 0.0001." in plan
    [plan] = plans(f"{SAMPLE} --find 3 -o much")
    assert "To find one of 3 with 3 raters, draw 10 items, each for all of them." in plan  # sample draws no fewer


@pytest.mark.parametrize(
    "options, told",
    [
        ("--find 10", "--find 10: on the scale 1-5, give a true difference below 4\n"),
        ("--find 4", "--find 4: on the scale 1-5, give a true difference below 4\n"),
        (
            "--find 10 --scale 0-1",
            "on the scale 0-1, give a true difference below 1, which is one of shares: 0.1 for 10",
        ),
    ],
)
def test_a_difference_as_great_as_the_scale_is_no_plan(options, told):
    assert told in typed(f"{SAMPLE} {options} -o much", 2).err


def test_a_plan_of_yes_and_no_is_of_shares_and_names_what_it_assumes():
    copied = Path("baseline.csv").read_text()
    Path("third.csv").write_text(copied.replace("baseline", "third"))
    [two] = plans(f"{SAMPLE} --scale 0-1 --raters 1 --find 0.3 -o two")
    assert "find a true difference of the shares that are rated 1 of two systems of 0." in two
    assert "(of one comparison; among these raters)" in two
    assert re.search(r"To find one of 0\.3 with 1 rater, draw \d+ items\. ", two)
    assert "Assumed: about half of the answers are 1 (about the middle of the scale, where a share varies most)" in two
    three = done(f"{SAMPLE} third.csv --scale 0-1 --find 0.3 -o three").output
    assert "(corrected for 2 comparisons; among these raters)" in three
    assert "  Over all pairs (human-score --all-pairs, 3 comparisons) 20 items find one of 0." in three
    over_all = re.search(r"Over all pairs .* find one of 0\.\d+, and one of 0\.3 takes (\d+) items\.", three)[1]
    assert int(over_all) > int(re.search(r"To find one of 0\.3 with 3 raters, draw (\d+) items", three)[1])
    assert ", 1 rater: at most" in done(f"{SAMPLE} --raters 1 -o one").output


def test_each_criterion_has_its_own_difference_to_find():
    both = "--criterion fluency=1-5=? --criterion correct=0-1=?"
    refused = typed(f"{SAMPLE} {both} --find 0.5 -o one", 2).err
    assert "different scales (fluency 1-5, correct 0-1): give each one, --find fluency=DIFFERENCE" in refused
    of_fluency, of_correct = plans(f"{SAMPLE} {both} --find fluency=0.5 --find correct=0.3 -o two")
    assert "To find one of 0.5 with 3 raters" in of_fluency
    assert "To find one of 0.3 with 3 raters" in of_correct
    assert "the criteria are fluency, correct" in typed(f"{SAMPLE} {both} --find style=1 -o three", 2).err
    assert "expected a number above 0" in typed(f"{SAMPLE} --find fluency=-1 -o four", 2).err


def test_a_plan_says_what_it_finds_if_raters_agree_more_than_it_assumes():
    [plan] = plans(f"{SAMPLE} --scale 0-1 --find 0.3 -o study")
    told = re.search(
        r"correlate at (0\.\d+); at 0\.4 the same items find one of (0\.\d+), and one of 0\.3 takes (\d+) items; "
        r"at 0\.7 the same items find one of (0\.\d+), and one of 0\.3 takes (\d+) items\.",
        plan,
    )
    assumed, some, n_some, much, n_much = map(float, told.groups())
    assert assumed < 0.4
    planned = float(re.search(r"of two systems of (0\.\d+) ", plan)[1])
    assert planned < some < much
    assert float(re.search(r"draw (\d+) items", plan)[1]) < n_some < n_much
    assert "correlate" not in plans(f"{SAMPLE} --scale 0-1 --raters 1 -o one")[0]


def test_a_pilot_of_several_criteria_asks_which_one_is_meant():
    done(f"{SAMPLE} --criterion fluency=1-5=? --criterion correct=0-1=? -o pilot")
    refused = typed(f"{SAMPLE} --scale 0-1 --pilot pilot -o study", 1).err
    assert "it has the criteria fluency, correct" in refused
    assert "(--criterion fluency=0-1=QUESTION)" in refused


def test_criteria_of_which_the_plan_is_alike_are_planned_in_one_line():
    [plan] = plans(f"{SAMPLE} {TWO_ALIKE} -o study")
    assert plan.startswith("Planned, for each of fluency and adequacy: 20 items find a true difference of ")


@pytest.mark.parametrize(
    "options, named",
    [("-n 10", ["10 items", "20 items", "all 40"]), ("-n 30", ["30 items", "all 40"]), ("-n 40", ["40 items"])],
)
def test_a_plan_names_no_more_items_than_there_are(options, named):
    [plan] = plans(f"{SAMPLE} {options} -o study")
    assert re.findall(r"\d+ items|all \d+", plan) == named


@pytest.mark.parametrize(
    "options, message",
    [
        ("--checks 3", "option --checks goes with scales, and not with preferences: leave it out"),
        ("--checks 3 --metric fluency", "--checks and --metric go with scales, and not with preferences: leave them"),
        ("--overall", "option --overall goes with scales"),
    ],
)
def test_what_preferences_do_not_take_is_named_by_its_option(capsys, options, message):
    with pytest.raises(SystemExit):
        main(shlex.split(f"{SAMPLE} --scale preference {options} -o study"))
    assert message.removeprefix("option ") in capsys.readouterr().err


def test_systems_in_one_table_are_drawn_as_from_a_file_each():
    rows = [(i, name, f"{name} {i}", f"it is {i}") for i in range(40) for name in ("baseline", "ours")]
    pd.DataFrame(rows, columns=["prompt", "system", "answer", "about"]).to_csv("all.csv", index=False)
    several = "sample all.csv -n 20 --text-column answer -o refused"
    assert "column 'system' names 2 systems, whose outputs raters would judge as those of one" in told(several)
    columns = "--system-column system --item-column prompt --source-column about"
    done(f"sample all.csv -n 20 --text-column answer {columns} -o table")
    done(f"{SAMPLE} -o files")
    table, files = (Design.read(name) for name in ("table", "files"))
    assert (table.systems, table.raters) == (files.systems, files.raters)
    assert [item.outputs for item in table.items] == [item.outputs for item in files.items]
    assert all(item.source == f"it is {item.outputs[0].split()[1]}" for item in table.items)
    other = [(*row[:3], f"{row[3]}{row[1]}") for row in rows]
    pd.DataFrame(other, columns=["prompt", "system", "answer", "about"]).to_csv("all.csv", index=False)
    assert "outputs of one item have different sources" in told(f"{several} {columns}")
    refusal = invoke(f"{several} {columns} --along estimate").output
    assert "--along estimate: a column is read from a file of each system" in refusal


def test_systems_in_columns_of_one_table_are_drawn_as_from_a_file_each():
    rows = [(f"baseline {i}", f"ours {i}", f"it is {i}") for i in range(40)]
    pd.DataFrame(rows, columns=["baseline", "ours", "question"]).to_csv("wide.csv", index=False)
    columns = "sample wide.csv -n 20 --text-column baseline --text-column ours"
    done(f"{columns} --source-column question -o table")
    done(f"{SAMPLE} -o files")
    table, files = (Design.read(name) for name in ("table", "files"))
    assert (table.systems, table.raters) == (files.systems, files.raters)
    assert [item.outputs for item in table.items] == [item.outputs for item in files.items]
    assert all(item.source == f"it is {item.outputs[0].split()[1]}" for item in table.items)
    for options, message in (
        ("--system-column baseline", "give either --system-column with one --text-column"),
        ("--along estimate", "--along estimate: a column is read from a file of each system"),
    ):
        assert message in invoke(f"{columns} {options} -o refused").output
    with pytest.warns(InputNote, match="the study names it by its place in the file, from 0, and not by question"):
        done(f"{columns} --source-column question --item-column question -o named")
    assert Design.read("named").study == table.study
    pd.DataFrame([*rows, rows[0]], columns=["baseline", "ours", "question"]).to_csv("wide.csv", index=False)
    refused = str(invoke(f"{columns} --item-column question -o refused").exception)
    assert "2 rows have the item 'it is 0' (--item-column question); leave --item-column out" in refused
    several = columns.replace("wide.csv", "baseline.csv ours.csv")
    assert "several --text-column are for one table" in invoke(f"{several} -o refused").output


def test_notes_of_a_drawing_name_no_option_that_it_lacks(recwarn):
    rows = [(f"d{i // 4}", f"v{i % 4}", s, f"it is {i} of {s}") for i in range(40) for s in "ab"]
    pd.DataFrame(rows, columns=["doc", "variant", "system", "text"]).to_csv("one.csv", index=False)
    done("sample one.csv --system-column system --item-column doc --item-column variant -n 20 -o study")
    assert not any("--cluster-column" in str(each.message) for each in recwarn)


def test_outputs_of_two_files_are_drawn_by_item_and_not_in_two_orders():
    """Raters would else compare outputs for other prompts."""
    rows = [(f"q{i}", f"What is {i}?", f"it is {i}") for i in range(40)]
    for name, order in (("one", rows), ("two", [*rows[7:], *rows[:7]])):
        pd.DataFrame(order, columns=["id", "prompt", "text"]).to_csv(f"{name}.csv", index=False)
    line = "sample one.csv two.csv --source-column prompt -n 20"
    assert "column 'id' of two.csv holds the same values as that of one.csv, in another order" in told(f"{line} -o no")
    done(f"{line} --item-column id -o study")
    for item in Design.read("study").items:
        assert item.source == f"What is {item.outputs[0].split()[2]}?"
        assert item.outputs[0] == item.outputs[1]
    assert "--item-column is for several systems" in invoke("sample one.csv --item-column id -n 20 -o no").output
    refusal = invoke(f"{line} --item-column id --along n -o no").output
    assert "--along n: a column is read in the order of each file: leave --item-column out" in refusal
    pd.DataFrame([(f"Why {i}?", f"so {i}") for i in range(40)], columns=["prompt", "text"]).to_csv(
        "two.csv", index=False
    )
    with pytest.warns(
        InputNote, match="different sources: column 'prompt' of two.csv differs from that of one.csv for 40"
    ):
        done(f"{line} -o other")


def test_a_file_of_sources_in_a_column_of_another_name():
    pd.DataFrame({"mr": [f"it is {i}" for i in range(40)]}).to_csv("mr.csv", index=False)
    assert "there is no column 'source' (--sources); the columns are 'mr'" in told(f"{SAMPLE} --sources mr.csv -o no")
    done(f"{SAMPLE} --sources mr.csv --source-column mr -o study")
    assert Design.read("study").items[0].source.startswith("it is ")


def test_a_sheet_of_preferences_says_what_to_write_and_reads_it_in_any_case():
    done(f"{SAMPLE} --scale preference --raters ann --repeats 0 --csv -o study")
    sheet = pd.read_csv("study/sheets/ann.csv", dtype=str)
    assert set(sheet["answers"]) == {"A or tie or B, or cannot judge"}
    sheet["rating"] = ["b", "Tie", "a", "Cannot judge", "B"] * 4
    sheet.to_csv("study/ratings/ann.csv", index=False)
    ratings = [judgement.rating for judgement in read_study("study").judgements]
    assert sorted(str(rating) for rating in ratings[:5]) == ["0.0", "0.0", "0.5", "1.0", "nan"]


def test_a_sheet_tells_the_words_for_values_of_the_scale():
    write("criteria.yaml", "- {name: right, scale: 0-1, labels: {0: wrong, 1: right}}\n- {name: good, scale: 1-5}\n")
    done(f"{SAMPLE} --criteria criteria.yaml --raters ann --csv -o study")
    assert set(pd.read_csv("study/sheets/ann.csv")["answers"]) == {
        "0 or 1 (0 = wrong, 1 = right), or cannot judge",
        "a whole number from 1 to 5 (1 = worst, 5 = best), or cannot judge",
    }


def test_raters_are_told_to_use_the_whole_of_a_scale_of_three_points_or_more():
    done(f"{SAMPLE} --criterion 'right=0-1=Is it right?' --criterion 'good=1-3=How good is it?' --raters ann -o study")
    page = " ".join(read("study/pages/ann.html").split())
    assert "<strong>Is it right?</strong> Answer with 0 (no) or 1 (yes). </p>" in page
    assert "Answer with a number from 1 (worst) to 3 (best). Use the whole scale. </p>" in page


def test_a_sheet_is_read_by_the_words_that_it_tells_and_by_those_of_values():
    write("criteria.yaml", "- {name: right, scale: 0-1, labels: {1: right}}\n- {name: good, scale: 1-3}\n")
    done(f"{SAMPLE} --criteria criteria.yaml --raters ann --repeats 0 --csv -o study")
    sheet = pd.read_csv("study/sheets/ann.csv", dtype=str)
    assert "0 or 1 (0 = no, 1 = right), or cannot judge" in set(sheet["answers"])
    words = {"right": ["No", "right", "1"], "good": ["best", "2", "Worst"]}
    for name, given in words.items():
        rows = sheet["criterion"] == name
        sheet.loc[rows, "rating"] = [given[at % 3] for at in range(rows.sum())]
    sheet.to_csv("study/ratings/ann.csv", index=False)
    numbers = {"right": set(), "good": set()}
    for judgement in read_study("study").judgements:
        numbers[judgement.criterion].add(judgement.rating)
    assert numbers == {"right": {0, 1}, "good": {1, 2, 3}}
    found = as_json("human-score study")
    expected = found["rows"]
    assert (
        "right: Answers are 0 and 1: a mean is the share of 1, and a difference is one of shares." in found["findings"]
    )
    assert any("in right (difference of the shares rated 1: " in line for line in found["findings"])
    sheet["rating"] = sheet["rating"].replace({"2": "so so"})
    sheet.to_csv("study/ratings/ann.csv", index=False)
    for command in ("human-score", "agreement"):
        refused = typed(f"{command} study", 1).err
        assert "expected a whole number from 1 to 3 (1 = worst, 3 = best) as a rating, but got str 'so so'" in refused
        assert "--values WORD=NUMBER" in refused
        done(f'{command} study --values "so so=2"')
    assert as_json('human-score study --values "so so=2"')["rows"] == expected


def test_a_draw_without_a_number_says_with_which_to_begin(capsys):
    with pytest.raises(SystemExit):
        main(shlex.split("sample baseline.csv ours.csv -o study"))
    assert (
        "Missing option '-n' / '--items'. Items to draw: 50 to begin with; the output says which difference between "
        "systems so many find, and how many --find takes.\n"
    ) in capsys.readouterr().err


def test_the_short_help_of_a_draw_lists_criteria_and_sources():
    shown = done("sample --help").output.partition("Explained by")[0]
    assert "--criterion " in shown
    assert "--sources " in shown


def test_the_agreement_of_answers_with_two_values_is_nominal():
    rows = [
        f"{item},{rater},{item % 2 if rater == 'ann' else item % 3 % 2}"
        for item in range(24)
        for rater in ("ann", "bob")
    ]
    write("long.csv", ["item,rater,rating", *rows])
    told = done("agreement long.csv").stdout
    assert " (nominal) (95% intervals" in told
    assert "(ordinal)" not in told


def test_readers_of_agreement_see_columns_of_repeated_outputs_and_flags_if_there_are_any():
    rows = [(item, rater, (item * (2 + place)) % 5) for item in range(24) for place, rater in enumerate(("ann", "bob"))]
    write("long.csv", ["item,rater,rating", *(",".join(map(str, row)) for row in rows)])
    shown = done("agreement long.csv").stdout
    assert not any(name in shown.partition("one_answer:")[0] for name in ("n_repeats", "distance", "flags"))
    assert {"n_repeats", "same", "distance", "flags"} <= set(as_json("agreement long.csv")["rows"][0])
    write("again.csv", ["item,rater,rating", *(",".join(map(str, row)) for row in [*rows, (0, "ann", 4)])])
    shown = done("agreement again.csv").stdout.partition("one_answer:")[0]
    assert "n_repeats" in shown
    assert "flags" not in shown


def test_a_raters_file_alone_leads_to_the_study(folder):
    done(f"{SAMPLE} --csv -o study")
    fill("study")
    for command in ("human-score", "agreement"):
        told = typed(f"{command} study/ratings/rater_1.csv", 1).err
        assert "error: give study in place of study/ratings/rater_1.csv: this is a rater's file of a study" in told
        assert "--where" not in told  # no proposal takes the raters for systems
    Path("alone").mkdir()
    Path("study/ratings/rater_1.csv").rename("alone/rater_1.csv")
    told = typed("human-score --ratings alone/rater_1.csv", 1).err
    assert "give the study's folder in place of alone/rater_1.csv" in told
