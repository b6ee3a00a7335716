"""`referenceless human-score`: scores of systems from ratings and estimates, and refusals."""

import csv
import html
import math
import re
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from command_lines import as_json, done, invoke, typed
from numpy.random import default_rng
from studies import answer
from text_files import read, write, write_table

from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.scores.of_ratings import scores_of_ratings
from referenceless_metrics.human_evaluation.studies.design import Design
from referenceless_metrics.human_evaluation.studies.drawing import draw_study

N = 120
FILES = "base.csv ours.csv --ratings rated.csv"
GIVEN = f"human-score {FILES} --estimates-column guess"
LONG = "human-score --ratings long.csv --item-column doc --system-column model --rater-column who"


@pytest.fixture
def rated(folder):
    """Two systems whose second is rated a point lower, with estimates that follow the ratings."""
    rng = default_rng(0)
    rated = []
    for name, shift in (("base", 0.0), ("ours", -1.0)):
        truth = np.clip(rng.normal(4 + shift, 0.7, N), 1, 6)
        texts = [f"{name} says that number {i} is fine" for i in range(N)]
        write_table(f"{name}.csv", ["text", "guess"], zip(texts, truth + rng.normal(0, 0.4, N), strict=True))
        rated += [(texts[i], truth[i], name) for i in range(40)]
    write_table("rated.csv", ["text", "rating", "system"], rated)


def spoil(name, change):
    write(name, change(read(name)))


def test_scores_and_difference(rated):
    content = as_json(GIVEN)
    base, ours, difference = content["rows"]
    assert base["system"] == difference["less"] == "base"
    assert base["rated"] == ours["rated"] == 40
    assert base["low"] < 4 < base["high"]
    assert difference["high"] < -0.5
    assert difference["p"] < 0.001
    assert 0.1 < base["narrower"] < 0.5  # r is about .87
    assert any("By these ratings, ours is lower than base" in line for line in content["findings"])
    assert any("such a study finds a true difference of" in line for line in content["findings"])


def test_a_metric_that_learned_from_the_ratings_is_refused(rated):
    rows = list(csv.DictReader(done(f"human-score {FILES} --metric wpslor --format csv").stdout.splitlines()))
    assert 3 < float(rows[0]["mean"]) < 5
    assert "learned from 80 of the rated outputs" in typed(f"human-score {FILES} --pool rated.csv", 1).err


def test_one_table_of_outputs_names_its_systems_by_the_column_that_the_ratings_have(rated):
    """The same as of a file each; before, the name of the file counted as that of a system."""
    texts = {
        name: [row["text"] for row in csv.DictReader(read(f"{name}.csv").splitlines())] for name in ("base", "ours")
    }
    write_table("all.csv", ["system", "text"], [(name, text) for name, of in texts.items() for text in of])
    line = "human-score all.csv --ratings rated.csv --metric wpslor"
    of_files = as_json(f"human-score {FILES} --metric wpslor")["rows"]
    assert as_json(f"{line} --system-column system")["rows"] == of_files
    assert as_json(f"{line} --system-column system --baseline ours")["rows"][0]["system"] == "ours"
    assert "there are no outputs of it" in typed(f"{line} --system-column system --baseline x", 1).err
    assert "name its column of them" in typed(line, 1).err
    rows = [(name, *row.values()) for name in texts for row in csv.DictReader(read(f"{name}.csv").splitlines())]
    write_table(
        "all.csv", ["system", "text", "guess"], [row for pair in zip(rows[:N], rows[N:], strict=True) for row in pair]
    )
    judged = "human-score all.csv --ratings rated.csv --system-column system --estimates-column guess"
    assert as_json(judged)["rows"] == as_json(GIVEN)["rows"]
    assert "(estimates: column guess of the systems' table)" in done(f"{judged} -f latex").stdout
    assert "there is no column 'none'" in typed(judged.replace("guess", "none"), 1).err
    assert "systems in a file each" in typed(f"{line} --system-column system --name a=all.csv", 2).err


def test_ratings_of_other_systems_are_refused(rated):
    spoil("rated.csv", lambda rated: rated.replace(",base", ",x").replace(",ours", ",y"))
    assert "ratings of other systems say nothing" in typed(GIVEN, 1).err


@pytest.mark.parametrize(
    "options, message",
    [
        ("--scale 5", "LOW-HIGH"),
        ("--metric rouge_lm", "needs references"),
        ("--scale 1:inf", "two finite ends of a scale"),
        ("--margin nan", "a finite number above 0, but got 'nan'\n"),  # and nothing of metrics
        ("--margin 0.05", "add --fail-if-worse (referenceless human-score … --fail-if-worse --margin 0.05)"),
        ("--level 0.4", "not in the range 0.5<x<1"),
    ],
)
def test_usage(rated, options, message):
    assert message in invoke(f"human-score {FILES} {options}").output


@pytest.fixture
def long_table(folder):
    """Ratings of two systems on 15 items by two of nine raters each, 1 to 5; ours is a point better."""
    generator = default_rng(4)
    raters = [f"rater {number}" for number in range(9)]
    rows = []
    for item in range(15):
        of_item = generator.normal()
        for rater in generator.choice(raters, 2, replace=False):
            for system, mean in (("base", 2.6), ("ours", 3.8)):
                rating = int(np.clip(round(mean + of_item + generator.normal(0, 0.6)), 1, 5))
                rows.append((f"item {item}", system, rater, rating, float(rating + generator.normal())))
    generator.shuffle(rows)
    write_table("long.csv", ["doc", "model", "who", "rating", "judge"], rows)


def test_a_long_table_alone_is_paired_by_item_and_rater(long_table):
    content = as_json(f"{LONG} --baseline base --scale 1e-0:5 --estimates-column judge")
    difference = content["rows"][-1]
    assert (content["level"], content["correction"], content["scale"]) == (0.95, "holm", [1.0, 5.0])
    assert (difference["system"], difference["less"]) == ("ours", "base")
    assert difference["made"].startswith("paired by item and rater")
    assert difference["low these raters"] <= difference["mean"] <= difference["high others"]
    said = next(line for line in content["findings"] if line.startswith("People rate ours higher than base"))
    assert "95% interval" in said
    assert any(line.startswith("For the paper: ") for line in content["findings"])
    done(f"{LONG} --cluster-column doc")


def test_the_page_opens_with_the_sentence_and_draws_the_means(rated):
    done(f"{GIVEN} -o page.html")
    page = read("page.html")
    assert "By these ratings, ours is lower than base (p &lt; 0.0001, one comparison)." in page
    assert page.index("headline") < page.index("<svg") < page.index("On 40 items, with estimates of 160 further")


def test_few_raters_are_spoken_of_as_themselves(long_table):
    spoil("long.csv", partial(re.compile(r"rater \d").sub, "ann"))
    stdout = done(f"{LONG} --baseline base").stdout
    assert "This rater rates ours higher than base" in stdout
    assert "One rater says nothing of how others would rate." in stdout


@pytest.mark.parametrize("differ", [0, 1])
@pytest.mark.parametrize("n_raters", [2, 4, 5])
def test_of_other_raters_nothing_is_said_from_fewer_than_five(folder, n_raters, differ):
    rows = [
        (f"item {i}", s, r, 1 + (i + (s == "b") * ((i % 3 == 0) + differ * (r % 3) * (i % 2))) % 5)
        for i in range(12)
        for s in "ab"
        for r in range(n_raters)
    ]
    write_table("few.csv", ["item", "system", "rater", "rating"], rows)
    line = "human-score --ratings few.csv --scale 1-5"
    told = f"Nothing is said of raters other than these: {n_raters} are too few; have at least 5."
    assert (told in done(line).stdout) == (n_raters < 5)
    assert {row["low others"] is None for row in as_json(line)["rows"]} == {n_raters < 5}


@pytest.mark.parametrize(
    "old, new, message",
    [
        (",4,", ",four,", "column 'rating' (--rating-column): expected a number, but got str 'four'"),
        (",4,", ",9,", "lies outside the scale from 1 to 5"),
        ("item 3,", ",", "there is nothing in column 'doc' (--item-column)"),
    ],
)
def test_cells_that_are_no_ratings_are_named(long_table, old, new, message):
    spoil("long.csv", lambda text: text.replace(old, new, 1))
    assert message in str(invoke(f"{LONG} --scale 1-5").exception)


@pytest.fixture
def draw(folder):
    """Return a function that draws a study of two systems and has all of it rated: ours higher."""
    outputs = [(name, [f"{name} writes {item}" for item in range(60)]) for name in ("base", "ours")]
    for name, texts in outputs:
        write(folder / f"{name}.txt", texts)
    generator = default_rng(0)

    def rating(_, screen, output):
        ours = screen.outputs["AB".index(output[0])] == (1,)
        preferred = "A" if ours == (generator.random() < 0.9) else "B"
        return preferred if len(output) > 1 else int(3 + ours + generator.integers(0, 2))

    def drawn(name="study", **options):
        design = draw_study(outputs, 20, ["ann", "bob", "cem"], **options)
        (folder / name / "ratings").mkdir(parents=True)
        design.write(folder / name)
        answer(design, folder / name, rating)

    return drawn


@pytest.mark.parametrize("files, n", [("", 20), ("base.txt ours.txt", 60)])
def test_a_study_is_read_with_its_design(draw, files, n):
    draw()
    content = as_json(f"human-score {files} study")
    assert content["scale"] == [1.0, 5.0]
    assert "the study drew the outputs at random" in content["findings"][0]
    assert content["rows"][-1]["made"].startswith("paired by item and rater")
    assert any(line.startswith("These 3 raters rate ours higher") for line in content["findings"])
    assert content["rows"][0]["outputs"] == n


def test_preferences_have_win_rates(draw):
    draw("preferences", scale="preference")
    content = as_json("human-score base.txt ours.txt preferences")
    (row,) = content["rows"]
    assert (row["system"], row["against"], row["items"]) == ("ours", "base", 20)
    assert 0.5 < row["low"] < row["win rate"] < row["high"] <= 1
    assert any("raters prefer ours to base" in line for line in content["findings"])
    assert "these are preferences" in invoke("human-score base.txt ours.txt preferences --metric slor").output


def test_systems_of_a_study_stand_in_its_order_and_blanks_leave_it_no_condition(folder):
    names = ("old", "zeta", "best", "mid")
    systems = [(name, [f"The {name} train number {i} came late." for i in range(20)]) for name in names]
    design = draw_study(systems, 20, ["ann", "bob"], scale="1-5", repeats=0, checks=0)
    (folder / "study" / "ratings").mkdir(parents=True)
    design.write(folder / "study")
    draw = default_rng(0)

    def rated(blank):
        return lambda rater, screen, _: "" if (rater, screen.item) == ("bob", blank) else draw.integers(1, 6)

    first, last = (design.raters["bob"][place].item for place in (0, -1))
    answer(design, folder / "study", rated(first))
    content = as_json("human-score study")
    assert [row["system"] for row in content["rows"]] == [*names, *names[1:]]
    assert "All raters have come to the end, with blanks: 19 of 20 items are complete." in " ".join(content["findings"])
    assert content["findings"][-1].startswith('For the paper: "On 20 items by 2 raters (19 of 20 items complete; ')
    assert "Of 20 items 19 have all answers; all rated outputs count." in done("human-score study -f latex").stdout
    for name, outputs in systems:
        write(f"{name}.txt", outputs)
    page = f"report {' '.join(f'{name}.txt' for name in names)} --metric slor --ratings study -o page.html"
    done(page)
    assert "The study is not finished" not in read("page.html")
    answer(design, folder / "study", rated(last))
    done(page)
    assert "The study is not finished" in read("page.html")
    findings = as_json("human-score study")["findings"]
    assert "Not finished: 19 of 20 items are complete." in " ".join(findings)
    assert findings[-1].startswith("For the paper, if no more answers come and nobody looked in order to stop: ")


def test_preferences_have_their_places_their_power_and_a_sentence_for_the_paper(folder):
    for name in ("base", "ours"):
        write(f"{name}.txt", "".join(f"{name} {i}\n" for i in range(20)))
    design = draw_study(
        [(name, read(f"{name}.txt").splitlines()) for name in ("base", "ours")],
        20,
        ["ann", "bob"],
        scale="preference",
        repeats=0.1,
    )
    (folder / "study" / "ratings").mkdir(parents=True)
    design.write(folder / "study")
    # bob's first outputs win always, and ann prefers ours on 16 items
    answer(
        design,
        folder / "study",
        lambda rater, screen, _: (
            "A" if rater == "bob" else "tie" if screen.item < 4 else "AB"[screen.outputs.index((1,))]
        ),
    )
    screens = [screen for screen in design.raters["ann"] if not screen.repeat and screen.item >= 4]
    first = sum(screen.outputs[0] == (1,) for screen in screens)
    findings = as_json("human-score study")["findings"]
    assert (
        f"Places: the first output was preferred in {20 + first} answers, the second in {16 - first}, neither in 4."
    ) in findings
    assert any(line.startswith("ours against base: such a study finds a true win rate of 0.") for line in findings)
    assert findings[-1].startswith('For the paper: "On 20 items by 2 raters, ours was ')
    assert " ties, " in findings[-1]
    assert (
        "; Jeffreys' interval of a share, whose p is greater than that of Student's t against one half, for "
        "these raters alone; 2" in findings[-1]
    )
    agreed = as_json("agreement study")
    meaning = "mean: share of preferences for ours over base, ties half each"
    assert sum(line.startswith(meaning) for line in agreed["findings"]) == 1
    assert agreed["rows"][0]["mean"] == pytest.approx((16 + 4 / 2) / 20)  # ann
    assert any(line.startswith("20 of 20 pairs of outputs were rated") for line in agreed["findings"])


def test_a_study_s_declared_scale_is_not_named_anew(draw):
    draw()
    assert (
        "declared the scale as 1-5, and --scale says 1-6: leave --scale out"
        in typed("human-score study --scale 1-6", 1).err
    )
    assert as_json("human-score study --scale 1-5")["scale"] == [1.0, 5.0]


def test_the_score_of_marked_errors_has_no_scale_to_name(folder):
    for name in ("base", "ours"):
        write(f"{name}.txt", "".join(f"{name} wrote {i}\n" for i in range(20)))
    done("sample base.txt ours.txt -n 20 --raters ann,bob --spans --repeats 0 -o study")
    spans = '[{"start": 0, "end": 4, "severity": "minor"}]'

    def rating(rater, screen, output, criterion):
        if criterion != "spans":
            return 40 + screen.item
        return spans if (screen.item + screen.outputs["AB".index(output)][0]) % 3 else "[]"

    answer(Design.read("study"), folder / "study", rating)
    caution = next(line for line in as_json("human-score study")["findings"] if "Caution" in line)
    assert caution.startswith("spans: ")
    assert caution.endswith(" Rate more items: a sum of errors has no lowest end that --scale could name.")
    assert "whose lowest end nobody can name" in typed("human-score study --criterion-scale spans=-25-0", 1).err
    assert "declared the scale of score as 0-100" in typed("human-score study --scale -25-0", 1).err


def test_the_metric_of_the_analysis_is_fixed_before_the_ratings(draw):
    def last_finding(files):
        findings = as_json(f"human-score base.txt ours.txt {files}")["findings"]
        return [line for line in findings if not line.startswith("For the paper: ")][-1]

    draw()
    assert last_finding("study") == "Ratings alone: no metric was asked for."
    unused = "Estimates took no part: estimates are used from 30 rated outputs of a system on. These are the ratings"
    assert last_finding("study --metric slor").startswith(unused)
    several = last_finding("study --metric slor --metric wpslor")
    assert "2 metrics as one, by ridge regression, cross-fitted by item (weights: slor " in several
    draw("named", metric="slor+wpslor")
    assert last_finding("named --metric wpslor --metric slor").startswith(f"The study names this analysis. {unused}")
    assert last_finding("named --metric slor").startswith("Exploratory: the study names slor and wpslor")
    assert last_finding("named").startswith("Exploratory: the study names slor and wpslor")


def test_a_caption_says_what_a_paper_needs_in_sixty_words_and_a_note_the_rest(folder):
    rng = default_rng(1)
    rows = [
        (item, system, rater, int(np.clip(round(mean + rng.normal()), 1, 5)))
        for item in range(20)
        for system, mean in (("base", 3), ("ours", 4), ("last", 2))
        for rater in "abcde"
    ]
    write_table("three.csv", ["item", "system", "rater", "rating"], rows)
    command = "human-score --ratings three.csv --scale 1-5"
    told = done(f"{command} -f latex").stdout
    caption = re.search(r"\\caption\{(.*)\}", told)[1]
    assert len(caption.split()) <= 60
    for part in ("20 items by 5 raters", r"95\% intervals", "p by Student's t", "corrected for 2 comparisons (Holm)"):
        assert part in caption
    inside, below = told.split(r"\end{table}")
    note = inside.partition(r"\end{tabular}")[2]
    assert r"\footnotesize Means are over the rated outputs" in note
    for part in ("Holm's level: an interval", "Signature: human"):
        assert part in note
        assert part not in caption + below
    markdown = done(f"{command} -f markdown").stdout
    opening, _, rest = markdown.partition("| system |")
    assert len(opening.split()) <= 60
    assert rest.count("Holm's level: an interval") == 1
    assert "- Signature: " in rest


def test_all_raters_whose_ratings_take_part_are_counted_not_those_of_one_pair(folder):
    rng = default_rng(1)
    raters = {"base": "abc", "ours": "cde", "last": "efa", "more": "ace"}  # at most five in a pair of systems
    rows = [
        (item, system, rater, int(rng.integers(1, 4)) + 2 * (system == "ours"))
        for item in range(20)
        for system, of_system in raters.items()
        for rater in of_system
    ]
    write_table("parts.csv", ["item", "system", "rater", "rating"], rows)
    told = done("human-score --ratings parts.csv --scale 1-5 --all-pairs").stdout
    quoted = next(line for line in told.splitlines() if line.startswith("For the paper: "))
    assert "n 20 items by 6 raters" in quoted
    caption = re.search(r"\\caption\{(.*)\}", done("human-score --ratings parts.csv --all-pairs -f latex").stdout)[1]
    assert " by 6 raters with " in caption


def test_the_note_of_a_paper_says_how_unequal_raters_are_weighted_as_the_lines_do(folder):
    rng = default_rng(1)
    rows = [
        (item, system, "abcde"[max(0, item - 15)], int(rng.integers(1, 6)))
        for item in range(20)
        for system in ("base", "ours")
    ]
    write_table("unequal.csv", ["item", "system", "rater", "rating"], rows)
    meaning = "of the ratings, weighted so that raters who gave many do not decide alone (generalised least squares)"
    inside, _ = done("human-score --ratings unequal.csv -f latex").stdout.split(r"\end{table}")
    assert f"Means are {meaning}, each mean" in inside
    assert f"mean: {meaning}, with" in " ".join(done("human-score --ratings unequal.csv").stdout.split())


@pytest.fixture
def unequal(folder):
    """Two systems of which the rater who gave most ratings prefers one, and six others the other."""
    rng = default_rng(0)
    rows = []
    for item in range(42):
        rater = "a" if item < 30 else "bcdefg"[item % 6]
        for system, mean in (("x", 4 if rater == "a" else 2), ("y", 3 if rater == "a" else 4)):
            rows.append((item, system, rater, int(np.clip(round(rng.normal(mean, 0.7)), 1, 5))))
    write_table("unequal.csv", ["item", "system", "rater", "rating"], rows)


def test_plain_means_stand_beside_weighted_ones_and_another_order_is_told(unequal):
    command = "human-score --ratings unequal.csv --scale 1-5"
    found = as_json(command)
    x, y, difference = found["rows"]
    scores = as_json("compare --scores unequal.csv --score-column rating")["rows"]
    assert [x["plain mean"], y["plain mean"]] == pytest.approx([row["mean"] for row in scores[:2]])
    assert difference["plain mean"] == pytest.approx(y["plain mean"] - x["plain mean"])
    assert x["mean"] < y["mean"]
    order = (
        f"Other order by the plain means: y stands above x by the means ({y['mean']:.4f} and {x['mean']:.4f}) and "
        f"below it by the plain means ({y['plain mean']:.4f} and {x['plain mean']:.4f})."
    )
    gap = (
        f"y less x: {difference['mean']:.4f}, and the means in the rows above differ by {y['mean'] - x['mean']:.4f}. "
        f"Raters are weighted anew in each mean and each difference; the plain means differ by "
        f"{y['plain mean'] - x['plain mean']:.4f}."
    )
    assert found["findings"][:2] == [order, gap]
    assert "with raters weighted by generalised least squares" in found["findings"][-1]
    assert "plain mean" in done(command).stdout.partition("Other order")[0]
    note = done(f"{command} -f latex").stdout.partition(r"\end{tabular}")[2].partition(r"\end{table}")[0]
    assert "stands above x by the means" in note
    assert "plain means are over the rated outputs" in note
    for system in "xy":
        rated = [row for row in csv.DictReader(read("unequal.csv").splitlines()) if row["system"] == system]
        write_table(f"{system}.csv", ["text"], [(f"{system} of {row['item']}",) for row in rated])
    texts = [
        (*row.values(), f"{row['system']} of {row['item']}") for row in csv.DictReader(read("unequal.csv").splitlines())
    ]
    write_table("texts.csv", ["item", "system", "rater", "rating", "text"], texts)
    done("report x.csv y.csv --metric wpslor --ratings texts.csv --scale 1-5 -o page.html")
    page = html.unescape(read("page.html"))
    assert f"plain mean {x['plain mean']:.2f}" in page
    assert "stands above x by the means" in page


def test_raters_who_rated_alike_leave_no_column_of_plain_means(three_systems):
    assert "plain mean" not in done(THREE).stdout


def test_single_answers_of_0_and_1_on_other_items_are_compared_as_shares(folder):
    """The figures are those of `compare --scores --unpaired`; several raters or other ratings have Student's t."""
    rows = [
        (f"{system}{item}", system, rater, int(item % 10 < share))
        for system, share in (("base", 7), ("ours", 4))
        for item in range(50)
        for rater in ("ann",)
    ]
    columns = ["item", "system", "rater", "rating"]
    write_table("shares.csv", columns, rows)
    found = as_json("human-score --ratings shares.csv --unpaired --scale 0-1")
    of_scores = as_json("compare --scores shares.csv --score-column rating --unpaired")["rows"][1]
    *_, difference = found["rows"]
    names = {"mean": "difference", "low": "from", "high": "to", "p": "p"}
    assert {name: difference[name] for name in names} == pytest.approx(
        {name: of_scores[other] for name, other in names.items()}
    )
    assert "Newcombe's interval of two shares, independent samples, for this rater alone)" in found["findings"][-1]
    write_table("two.csv", columns, [(*row[:2], "bob" if at % 2 else "ann", row[3]) for at, row in enumerate(rows)])
    write_table("three.csv", columns, [(*row[:3], 0.5 if row[0] == "base3" else row[3]) for row in rows])
    for name in ("two", "three"):
        assert "Newcombe" not in done(f"human-score --ratings {name}.csv --unpaired -f json").stdout


def test_a_finding_stands_once_on_a_page(three_systems):
    for command in (THREE, f"{THREE} --all-pairs"):
        done(f"{command} -o page.html")
        page = (
            html.unescape(read("page.html")).partition("<table data-latex")[0]
            + html.unescape(read("page.html")).partition("</table>")[2]
        )
        findings = [
            line for line in as_json(command)["findings"] if line.startswith(("These 3 raters", "It is not shown"))
        ]
        assert len(findings) >= 2
        assert not [line for line in findings if line in page]
        assert "These raters rate ours higher than" in page
        assert '"On 40 items by 3 raters, ours was rated higher than base (mean difference' in page
        assert "Nothing is said of raters other than these" in page


def test_systems_may_be_columns_of_one_table(rated):
    texts = {}
    for name in ("base", "ours"):
        texts[name] = [row["text"] for row in csv.DictReader(read(f"{name}.csv").splitlines())]
    write_table("wide.csv", list(texts), list(zip(*texts.values(), strict=True)))
    columns = "--text-column base --text-column ours"
    assert as_json(f"human-score wide.csv {columns} --ratings rated.csv") == as_json(f"human-score {FILES}")
    assert "for one table with a column" in typed(f"human-score {FILES} {columns}", 2).err
    assert "systems in a file each" in typed(f"human-score wide.csv {columns} --ratings rated.csv --name a=b", 2).err


def test_it_says_whether_estimates_took_part(folder):
    texts = [f"text {number}" for number in range(100)]
    estimates = [1 + number * 7 % 5 for number in range(100)]
    write_table(folder / "ours.csv", ["text", "estimate"], list(zip(texts, estimates, strict=True)))

    def on_estimates(rated, options=""):
        rows = [(texts[at], estimates[at] + at % 2, "ann") for at in range(rated)]
        write_table(folder / "long.csv", ["text", "rating", "rater"], rows)
        found = as_json(f"human-score ours.csv --ratings long.csv --estimates-column estimate {options}")
        return next(line for line in found["findings"] if "column estimate" in line), found["rows"][0]["narrower"]

    told, narrower = on_estimates(40)
    assert told.startswith("Exploratory: this analysis was not named before")
    assert "the columns `ratings alone`, `low alone` and `high alone` hold that without estimates. estimates: " in told
    assert narrower > 0.1
    told, narrower = on_estimates(100)
    assert told == (
        "Estimates took no part: estimates tell something of unrated outputs alone, and all outputs are rated. These "
        "are the ratings alone (estimates: column estimate of each system's file)."
    )
    assert narrower == 0
    assert on_estimates(29)[0].startswith("Estimates took no part: estimates are used from 30 rated outputs")


def test_what_a_paper_quotes_names_the_estimates_that_take_part(rated):
    command = f"human-score {FILES} --estimates-column guess"
    further = f"{2 * N - 80} further outputs"
    exploratory = "exploratory: this analysis was not named before the ratings"
    (quoted,) = [line for line in as_json(command)["findings"] if line.startswith("For the paper: ")]
    assert f", with estimates of {further} (column guess; {exploratory}), ours was rated lower than base" in quoted
    paper = done(f"{command} -f latex").stdout
    assert f"With estimates of {further} (column guess); {exploratory}." in paper
    assert "estimates:exploratory" in paper
    done(f"{command} -o page.html")
    assert f"With estimates of {further} (column guess); {exploratory}." in read("page.html")
    assert f"with estimates of {further} (column guess; {exploratory})" in read("page.html")


def test_a_gap_between_a_difference_and_the_means_is_laid_to_the_estimates_that_make_it(rated):
    base, ours, difference = as_json(GIVEN)["rows"]
    of_means, alone = (ours[figure] - base[figure] for figure in ("mean", "ratings alone"))
    assert abs(of_means - difference["mean"]) > 1e-4
    assert as_json(GIVEN)["findings"][0] == (
        f"ours less base: {difference['mean']:.4f}, and the means in the rows above differ by {of_means:.4f}, since "
        "estimates move each mean and each difference by a weight of its own. By the ratings alone it is "
        f"{difference['ratings alone']:.4f}, and the means differ by {alone:.4f}."
    )
    assert "ours less base" not in as_json(f"human-score {FILES}")["findings"][0]


def test_it_says_why_estimates_of_means_take_no_part_in_a_difference(rated):
    rows = list(csv.DictReader(read("rated.csv").splitlines()))
    columns = ["text", "rating", "system", "id"]
    places = {
        name: [line.partition(",")[0] for line in read(f"{name}.csv").splitlines()[1:]] for name in ("base", "ours")
    }
    ids = [places[row["system"]].index(row["text"]) for row in rows]
    write_table("rated.csv", columns, [(*list(row.values())[:3], at) for row, at in zip(rows, ids, strict=True)])
    header, *outputs = read("ours.csv").splitlines()
    write("ours.csv", [header, *outputs[::-1]])
    (told,) = [line for line in as_json(f"{GIVEN} --item-column id")["findings"] if "column guess" in line]
    assert "Estimates take no part in ours less base: it is not known which unrated outputs are of one item" in told
    assert "take no part" not in " ".join(as_json(f"human-score {FILES} --estimates-column guess")["findings"])


def test_spaces_around_names_part_no_pairs_and_what_is_unpaired_is_counted(long_table):
    lines = read("long.csv").splitlines()
    spaced = [line.replace(",ours,", " , ours,") for line in lines]
    write("spaced.csv", spaced)
    expected, same = (
        as_json(line.replace("long.csv", name)) for line, name in ((LONG, "long.csv"), (LONG, "spaced.csv"))
    )
    assert same["rows"] == expected["rows"]
    write("fewer.csv", [line for line in lines if not line.startswith("item 3,base")])
    command = LONG.replace("long.csv", "fewer.csv")
    assert "2 ratings unpaired and left out" in done(command).stdout
    found = as_json(command)
    base, ours, difference = (row["mean"] for row in found["rows"])
    assert abs(ours - base - difference) > 1e-3
    assert found["findings"][0].startswith(
        f"ours less base: {difference:.4f} is of pairs of ratings (2 ratings in no pair are left out), and the means "
        f"in the rows above differ by {ours - base:.4f}. Raters are weighted anew in each mean and each difference"
    )
    assert (
        "Differences are without 2 ratings in no pair, so not quite the difference of the means."
        in done(f"{command} -f latex").stdout
    )
    assert "is of pairs of ratings" not in as_json(LONG)["findings"][0]


@pytest.fixture
def gaps(folder):
    """Ratings of two systems on 20 items by three raters, of which some are missing; and yes or no by one rater."""
    generator = default_rng(3)
    missing = {(0, "ann", "base"), (0, "bob", "base"), (1, "ann", "ours"), (2, "cyn", "ours"), (2, "bob", "base")}
    rows, answers = [], []
    for item in range(20):
        for system, mean in (("base", 2.6), ("ours", 3.4)):
            answers.append((item, system, "ann", "" if (item, "ann", system) in missing else generator.choice([0, 1])))
            for rater in ("ann", "bob", "cyn"):
                rating = int(np.clip(round(generator.normal(mean, 1)), 1, 5))
                rows.append((item, system, rater, "" if (item, rater, system) in missing else rating))
    columns = ["item", "system", "rater", "rating"]
    write_table("gaps.csv", columns, rows)
    write_table("answers.csv", columns, answers)


def test_the_numbers_of_a_difference_are_those_of_its_pairs(gaps):
    frame = pd.read_csv("gaps.csv").pivot(index=["item", "rater"], columns="system", values="rating")
    pairs = (frame["ours"] - frame["base"]).dropna()
    of_items = pairs.groupby("item").mean()
    outputs = frame.groupby("item").mean()
    of_means = outputs["ours"].mean() - outputs["base"].mean()
    assert len({f"{value:.4f}" for value in (of_items.mean(), pairs.mean(), of_means)}) == 3
    found = as_json("human-score --ratings gaps.csv --scale 1-5 --baseline base")
    assert found["findings"][0] == (
        f"ours less base: {of_items.mean():.4f} is the mean over {len(of_items)} items, of the mean difference of each "
        "one's pairs of ratings (5 ratings in no pair are left out); the means in the rows above are over all rated "
        f"outputs, of the mean of each one's ratings, and differ by {of_means:.4f}."
    )
    assert (
        "Differences are over the items rated of both, of the mean difference of each one's pairs of ratings, without "
        "5 ratings in no pair, so" in done("human-score --ratings gaps.csv --baseline base -f latex").stdout
    )


def test_the_row_of_a_difference_counts_its_own_items(gaps):
    command = "human-score --ratings answers.csv --scale 0-1 --baseline base"
    rows = as_json(command)["rows"]
    assert [(row["outputs"], row["rated"]) for row in rows] == [(20, 19), (20, 19), (None, 18)]
    latex = done(f"{command} -f latex").stdout
    assert "Mean ratings of 19 outputs of each system, differences on 18 items by 1 rater with" in latex
    assert "ours less base & {--} & 18 &" in latex
    samples = as_json(f"{command} --unpaired")["rows"]
    assert [(row["outputs"], row["rated"]) for row in samples] == [(20, 19), (20, 19), (None, None)]


def test_answers_of_0_and_1_on_their_scale_are_shares_whoever_gave_them(gaps):
    lines = read("gaps.csv").splitlines()
    write("two.csv", [re.sub(r"[345]$", "1", re.sub(r"[12]$", "0", line)) for line in lines])
    command = "human-score --ratings two.csv --scale 0-1 --baseline base --plot two.svg"
    findings = as_json(command)["findings"]
    assert "Answers are 0 and 1: a mean is the share of 1, and a difference is one of shares." in findings
    assert "(difference of the shares rated 1: " in findings[-1]
    assert "Share rated 1" in read("two.svg")
    write("half.csv", [*read("two.csv").splitlines()[:-1], "19,ours,cyn,0.5"])
    assert "share" not in as_json(command.replace("two", "half"))["findings"][-1]


def test_no_rating_of_a_complete_item_is_unpaired(gaps):
    command = "human-score --ratings gaps.csv --scale 1-5 --baseline base --every-look --first-look 10"
    found = as_json(command)
    assert [row["rated"] for row in found["rows"]] == [17] * 3
    told = " ".join(found["findings"])
    assert "3 items are not complete, and no value here" in told
    assert "wait for more items." in told  # the ends of the scale are named
    latex = done(f"{command} -f latex").stdout
    assert "Mean ratings on 17 items by 3 raters" in latex
    assert "in no pair" not in latex


def test_documents_that_nobody_named_are_pointed_out(folder):
    rng = default_rng(0)
    header = ["item", "system", "rating", "Document"]
    rows = [
        (f"text {document}/{sentence}", system, round(rng.normal(4, 1), 1), document)
        for system in "ab"
        for document in range(5)
        for sentence in range(4)
    ]
    write_table("documents.csv", header, rows)
    said = "name it (--cluster-column Document)"
    command = "human-score --ratings documents.csv"
    assert any(said in line for line in as_json(command)["notes"])
    assert not any("--cluster-column" in line for line in as_json(f"{command} --cluster-column Document")["notes"])
    write_table("parts.csv", header[:3], [row[:3] for row in rows])
    notes = as_json("human-score --ratings parts.csv")["notes"]
    assert any("(text 0/0, text 0/1, …: 5 groups)" in line for line in notes)
    write_table("alone.csv", header[:3], [(row[0].replace("/", "0"), *row[1:3]) for row in rows])
    assert not any("groups" in line for line in as_json("human-score --ratings alone.csv")["notes"])


@pytest.fixture
def three_systems(folder):
    """Ratings of three systems on 40 items of eight documents by three raters: ours is better, and big is not."""
    rng = default_rng(0)
    rows = [
        (item, item // 5, system, rater, int(np.clip(round(rng.normal(mean, 1)), 1, 5)))
        for item in range(40)
        for rater in ("ann", "bob", "cem")
        for system, mean in (("base", 3.0), ("ours", 3.6), ("big", 3.1))
    ]
    write_table("three.csv", ["item", "part", "system", "rater", "rating"], rows)


THREE = "human-score --ratings three.csv --scale 1-5"


def test_intervals_at_holms_level_are_not_called_simultaneous(three_systems):
    content = as_json(THREE)
    findings = "\n".join(content["findings"])
    assert "(97.5% interval, Holm's level of 2 comparisons)" in findings
    assert "(95% interval, Holm's level of 2 comparisons)" in findings
    assert "leaves out 0 if and only if its p, corrected for 2 comparisons, is at most 0.05" in content["findings"][0]
    for each in content["rows"][-2:]:
        assert (each["p holm"] <= 0.05) == (each["low holm"] > 0 or each["high holm"] < 0)
    for format in ("table", "latex", "markdown", "html"):
        said = done(f"{THREE} -f {format}").stdout
        assert "simultaneous" not in said
        assert "Holm" in said


def test_a_table_for_a_paper_rounds_values_and_intervals_alike(three_systems):
    row = next(line for line in done(f"{THREE} -f latex").stdout.splitlines() if line.startswith("base &"))
    assert re.match(r"base & 40 & 40 & \d\.\d\d & \[\d\.\d\d, \d\.\d\d\] &", row)
    assert "interval, Holm's level" in done(f"{THREE} -f latex").stdout


def test_clusters_are_said_wherever_the_figures_stand(three_systems):
    plain, clustered = (done(f"{THREE}{more} -f latex").stdout for more in ("", " --cluster-column part"))
    assert "cluster" not in plain
    caption = next(line for line in clustered.splitlines() if "caption" in line)
    on = "Mean ratings on 40 items in 8 clusters by 3 raters"
    assert f"{on} with 95\\% intervals, which allow for clusters." in caption
    assert "clusters:8" in clustered.partition("\\end{tabular}")[2]
    said = done(f"{THREE} --cluster-column part").stdout
    assert "paired by item and rater (40 items in 8 clusters)" in said
    assert 'For the paper: "On 40 items in 8 clusters by 3 raters, ' in said


def test_the_page_gives_the_same_table_for_a_paper(three_systems):
    for more in ("", " --cluster-column part", " --every-look --planned-items 40"):
        done(f"{THREE}{more} -o page.html")
        table = done(f"{THREE}{more} -f latex").stdout
        assert table.strip() in html.unescape(read("page.html"))


def test_looks_are_said_wherever_the_figures_stand(three_systems):
    said = done(f"{THREE} --every-look --planned-items 40 -f latex").stdout
    caption = next(line for line in said.splitlines() if "caption" in line)
    assert "Student" not in caption
    assert "(95\\% at every look, Holm over 2 comparisons)" in caption
    assert "confidence sequences, which hold at every look from 20 complete items on (planned: 40)" in caption
    assert "looks:every,first=20,planned=40" in said.partition("\\end{table}")[0]
    assert "confidence sequences, which hold at every look from 20 items on" in said


def test_the_scale_of_each_criterion_stands_in_the_signature(folder):
    rng = default_rng(0)
    rows = [
        (item, system, name, top * int(rng.integers(1, 6)))
        for item in range(20)
        for system in ("base", "ours")
        for name, top in (("fluency", 1), ("adequacy", 20))
    ]
    write_table("criteria.csv", ["item", "system", "criterion", "rating"], rows)
    line = "human-score --ratings criteria.csv --criterion-scale fluency=1-5 --criterion-scale adequacy="
    assert "scale:fluency=1-5+adequacy=0-100" in done(f"{line}0-100 -f markdown").stdout.replace("\\", "")
    assert "scale:none" not in done(f"{line}0-100 -f latex").stdout


def test_before_the_first_look_nothing_is_claimed(three_systems):
    rows = [line for line in read("three.csv").splitlines() if not line[0].isdigit() or int(line.split(",")[0]) < 12]
    write("early.csv", rows)
    line = "human-score --ratings early.csv --scale 1-5 --every-look"
    content = as_json(line)
    assert content["headline"] == "Too early: 12 of the 20 items of the first look are complete."
    assert [row["p"] for row in content["rows"]] == [None] * 5
    said = done(line).stdout
    assert "no difference is shown" not in said
    assert "1.0000" not in said
    write("earlier.csv", [row for row in rows if not row[0].isdigit() or int(row.split(",")[0]) < 5])
    content = as_json(line.replace("early", "earlier"))
    assert content["headline"].startswith("Too early: 5 of the 20 items of the first look are complete. Nothing is")
    assert [row["rated"] for row in content["rows"]] == [5] * 3
    gate = typed(f"{line.replace('early', 'earlier')} --fail-if-worse", 3).err
    assert "cannot be told whether a system is worse: no system has the 10 rated outputs that intervals need" in gate


def test_one_mean_is_printed_alike_whichever_command_sums_it(folder):
    """Sums in another order differ in the last bits, which decide how -1.51375 is rounded."""
    rng = default_rng(2)
    base, ours = rng.integers(20, 50, 80), rng.integers(10, 40, 80)
    ours[0] += -1211 - (ours - base).sum()
    rows = [(i, name, values[i] / 10) for i in range(80) for name, values in (("base", base), ("ours", ours))]
    write_table("ties.csv", ["item", "system", "rating"], rows)
    mean = re.compile(r"-1\.513\d")
    printed = {
        match
        for line in ("human-score --ratings ties.csv", "compare --scores ties.csv --score-column rating")
        for match in mean.findall(done(line).stdout)
    }
    assert len(printed) == 1


def test_it_is_said_why_an_interval_of_a_mean_is_lopsided(folder):
    rows = [(n, s, 5 - (n % 6 == 0) * 3 - (s == "base") * (n % 4 == 0)) for n in range(24) for s in ("base", "ours")]
    write_table("skewed.csv", ("item", "system", "rating"), rows)
    told = typed("human-score --ratings skewed.csv").out
    why = "reaches further to one side if the ratings are skewed: the skewness of the mean is taken out of Student's t"
    assert why in told
    assert "Korn" not in told
    assert (
        "is at least that of a share of it (Korn & Graubard 1998)"
        in typed("human-score --ratings skewed.csv --scale 1-5").out
    )
    even = [(n, s, 1 + (n + (s == "base")) % 5) for n in range(40) for s in ("base", "ours")]
    write_table("even.csv", ("item", "system", "rating"), even)
    assert why not in typed("human-score --ratings even.csv").out


def test_clusters_of_ratings_may_be_the_lines_of_a_file(folder):
    """A line per item gives the figures of a column, whatever the number of systems and raters."""
    rows = [
        (n, system, rater, f"d{n // 2}", 1 + (n * (3 + rater) + at) % 5)
        for at, system in enumerate(("base", "ours"))
        for n in range(24)
        for rater in range(2)
    ]
    write_table("rated.csv", ("item", "system", "rater", "doc", "rating"), rows)
    write("docs.txt", [f"d{n // 2}" for n in range(24)])
    line = "human-score --ratings rated.csv --scale 1-5 --cluster-column"
    assert as_json(f"{line} docs.txt")["rows"] == as_json(f"{line} doc")["rows"]
    write("few.txt", ["d"] * 23)
    err = " ".join(typed(f"{line} few.txt", 1).err.split())
    assert "few.txt (--cluster-column) has 23 lines, but rated.csv has 24 items in 96 rows: give 24 lines" in err


def test_shares_of_outputs_that_people_rate_as_bad_are_compared_as_those_of_scores(long_table):
    options = "--item-column doc --system-column model --rater-column who --bad '<=2.5'"
    found = as_json(f"human-score --ratings long.csv {options}")
    of_scores = as_json(f"compare --scores long.csv --score-column rating {options}")
    assert found["rows"] == of_scores["rows"]
    told = " ".join(done(f"human-score long.csv {options}").stdout.split())
    assert "By share with rating <= 2.5 (lower is better), " in told
    assert "An output is bad by the mean of its ratings; how raters differ is not counted." in told
    assert "nothing about people" not in told
    caption = done(f"human-score long.csv {options} -f latex").stdout.partition("tabular")[0]
    assert "how raters differ is not counted." in caption
    assert "If people gave these scores" not in caption


def test_shares_of_bad_outputs_stand_in_the_order_of_the_study():
    rows = [(item, system, item % 5 + 1.0) for item in range(12) for system in ("theirs", "base", "ours")]
    frame = pd.DataFrame(rows, columns=["item", "system", "rating"])
    order = ("base", "ours", "theirs")
    assert scores_of_ratings(RatingTable("study", frame, systems=order)).systems == order
    assert scores_of_ratings(RatingTable("t.csv", frame)).systems == ("theirs", "base", "ours")


def test_a_study_tells_shares_of_bad_outputs_and_has_a_gate(draw):
    draw()
    told = as_json("human-score study --bad '<=3'")
    assert {row["score"] for row in told["rows"]} == {"share with rating <= 3"}
    assert told["rows"][0]["system"] == "base"
    assert "of which lower is better, is " in invoke("human-score study --bad '<=3' --fail-if-worse").output


@pytest.mark.parametrize(
    "line, message",
    [
        (f"human-score {FILES} --bad '<=2'", "human-score --ratings FILE --bad '<=2'"),
        ("human-score --ratings rated.csv --bad low", 'expected what counts as bad, such as "<=2"'),
    ],
)
def test_bad_needs_ratings_alone_and_items(rated, line, message):
    assert message in " ".join(invoke(line).output.split())


def test_estimates_of_one_s_own_can_be_named_before_the_ratings(draw, folder):
    draw("named", estimates_column="judge")
    for name in ("base", "ours"):
        write_table(
            f"{name}.csv", ["text", "judge", "other"], [(f"{name} writes {n}", n % 3, n % 4) for n in range(60)]
        )

    def on_estimates(options):
        findings = as_json(f"human-score base.csv ours.csv named {options}")["findings"]
        return [line for line in findings if not line.startswith("For the paper: ")][-1]

    assert on_estimates("--estimates-column judge").startswith("The study names this analysis. ")
    assert on_estimates("--estimates-column other").startswith("Exploratory: the study names column judge for its")
    assert "give the systems' files and --estimates-column judge" in on_estimates("")
    assert "--ratings named --estimates-column judge`" in done("agreement named").stdout
    described = done("study describe named")
    assert "estimates of column judge were named for the analysis" in described.stdout
    assert "human-score OUTPUTS --ratings named --estimates-column judge`" in described.output
    options = "base.txt ours.txt -n 20 --raters 2 --estimates-column judge"
    done(f"sample {options} -o again")
    assert Design.read("again").estimates_column == "judge"
    assert "leave one of them out" in typed(f"sample {options} --metric slor -o both", 1).err


@pytest.fixture
def six_systems(folder):
    """Ratings of six systems on 40 items by three raters, and preferences between all pairs of their outputs."""
    rng = default_rng(0)
    means = {"base": 2.5, "ours": 3.4, "big": 2.6, "small": 2.5, "old": 1.9, "best": 4.2}
    rows, preferred = [], []
    for item in range(40):
        for rater in ("ann", "bob", "cem"):
            given = {name: int(np.clip(round(rng.normal(mean, 0.8)), 1, 5)) for name, mean in means.items()}
            rows += [(item, name, rater, rating) for name, rating in given.items()]
            for first, second in combinations(given, 2):
                lead = given[first] - given[second]
                preferred.append((item, first, second, "tie" if not lead else "a" if lead > 0 else "b", rater))
    write_table("six.csv", ["item", "system", "rater", "rating"], rows)
    write_table("pairs.csv", ["item", "system_a", "system_b", "preference", "rater"], preferred)
    return list(means)


@pytest.mark.parametrize("table, verb", [("six.csv --scale 1-5", "rated higher than"), ("pairs.csv", "preferred to")])
def test_many_comparisons_have_one_sentence_that_names_all_pairs(six_systems, table, verb):
    command = f"human-score --ratings {table} --all-pairs"
    findings = as_json(command)["findings"]
    (sentence,) = [line for line in findings if line.startswith("For the paper: ")]
    apart = {
        frozenset((row["system"], row.get("less") or row["against"])): row["p holm"] <= 0.05
        for row in as_json(command)["rows"]
        if row.get("less", row.get("against"))
    }
    found, rest = sentence.partition("; no ")[::2]
    for pair, is_apart in apart.items():
        one, other = pair
        named = [part for part in found.split("; ") if one in part and other in part]
        assert any(re.search(rf"\b{one}\b.* {verb}.*\b{other}\b", part) for part in named) == is_apart or any(
            re.search(rf"\b{other}\b.* {verb}.*\b{one}\b", part) for part in named
        )
        assert (f"between {one} and {other}" in rest or f"between {other} and {one}" in rest) != is_apart
    assert "by Holm's procedure for 15 comparisons, largest p" in sentence
    assert len(findings) < 16  # of preferences, five are strengths
    assert len({line for line in findings if "uch a study finds" in line}) == 1
    latex = done(f"{command} -f latex").stdout
    assert latex.partition(r"\end{table}")[2].count("\n%") < 18


def test_preferences_have_a_figure_of_win_rates(six_systems):
    done("human-score --ratings pairs.csv --plot rates.svg")
    drawn = read("rates.svg")
    assert "Win rates" in drawn
    assert "ours against base" in drawn
    shown = {row["system"]: row["p holm"] <= 0.05 for row in as_json("human-score --ratings pairs.csv")["rows"]}
    for system, is_shown in shown.items():
        of_pair = drawn.partition(f"{system} against base ")[2].partition(";")[0]
        assert ("not shown" in of_pair) != is_shown
    lines = read("pairs.csv").splitlines()
    write("few.csv", [line for line in lines if line.partition(",")[0] in ("item", *map(str, range(5)))])
    told = typed("human-score --ratings few.csv --plot few.svg", status=1).err
    assert "or judge at least 10 items a pair" in told


def test_many_comparisons_of_independent_samples_have_one_sentence_too(six_systems):
    rows = [
        (f"{row['system']} {row['item']}", *list(row.values())[1:])
        for row in csv.DictReader(read("six.csv").splitlines())
    ]
    write_table("own.csv", ["item", "system", "rater", "rating"], rows)
    told = as_json("human-score --ratings own.csv --scale 1-5 --unpaired")["findings"][-1]
    assert told.startswith('For the paper: "On 40 outputs of each system by 3 raters: ')
    assert "(independent samples, p by Student's t" in told


@pytest.fixture
def of_two_minds(folder):
    """Ratings of four systems on 30 items by six raters, some of whom rate two systems far higher and some do not."""
    rng = default_rng(0)
    lead = {"ann": 3.0, "bob": 2.6, "cem": 2.2, "dan": 0.1, "eve": 0.0, "fay": -0.3}
    rows = []
    for item in range(30):
        level = rng.normal(50, 1)
        for rater, of_rater in lead.items():
            given = {"base": level, "same": level, "ours": level + of_rater / 2, "best": level + 5 + of_rater}
            rows += [(item, system, rater, value + rng.normal(0, 0.3)) for system, value in given.items()]
    pair = [row for row in rows if row[1] in ("base", "ours")]
    two = [row for row in pair if row[2] in ("ann", "bob")]
    for name, part in (("minds.csv", rows), ("pair.csv", pair), ("two.csv", two)):
        write_table(name, ["item", "system", "rater", "rating"], part)


def test_what_these_raters_tell_and_raters_in_general_do_not_is_said_both(of_two_minds):
    command = "human-score --ratings minds.csv"
    general = "for raters in general (raters as a random factor)"
    rows = [row for row in as_json(f"{command} --all-pairs")["rows"] if row["less"]]
    alone = [row for row in rows if row["p holm"] > 0.05 and row["low these raters"] > 0]
    assert {(row["system"], row["less"]) for row in alone} == {("ours", "base"), ("ours", "same")}
    told = " ".join(typed(f"{command} --all-pairs").out.split())
    assert f"p and intervals of differences are {general}." in told
    both = re.search(r"For these 6 raters alone (.*?); for raters in general that is not shown\.", told)[1]
    assert re.fullmatch(
        r"ours is rated higher than base \(p [=<] [\d.]+\) and ours is rated higher than same \(p [=<] [\d.]+\) "
        r"\(Holm over 6 comparisons\)",
        both,
    )
    assert f", {general}; by Holm's procedure" in told.partition("For the paper: ")[2]
    sizes = re.search(
        r"More items alone, four times as many, find ([\d.]+); more raters alone, .* as many, ([\d.]+)\.", told
    )
    by_items, by_raters = map(float, sizes.groups())
    assert by_raters < 0.7 * by_items
    inside, after = typed(f"{command} --all-pairs -f latex").out.split(r"\end{table}")
    assert f"p and intervals of differences are {general}." in inside
    assert "for raters in general that is not shown." in inside
    assert f", {general}; by Holm's" in after


def test_systems_that_share_a_letter_are_those_that_no_pair_tells_apart(of_two_minds):
    line = "human-score --ratings minds.csv"
    rows = as_json(f"{line} --all-pairs")["rows"]
    letters = {row["system"]: row["letters"] for row in rows if not row["less"]}
    assert letters == {"best": "a", "ours": "b", "base": "b", "same": "b"}
    for row in rows:
        if row["less"]:
            assert set(letters[row["system"]]).isdisjoint(letters[row["less"]]) == (row["p holm"] <= 0.05)
    told = as_json(f"{line} --all-pairs")["findings"][-1]
    pairs = re.findall(r"between (\w+) and (\w+)", told.partition("no difference was shown ")[2])
    mean = {row["system"]: row["mean"] for row in rows if not row["less"]}
    ranked = sorted(mean, key=lambda name: -mean[name])
    places = [sorted(map(ranked.index, pair)) for pair in pairs]
    assert places == sorted(places)
    assert len(places) == 3
    means = "letters: of systems that share a letter no two are shown to differ."
    assert means in typed(f"{line} --all-pairs").out
    table, note = typed(f"{line} --all-pairs -f latex").out.split(r"\end{tabular}")
    assert " letters " in table
    assert means in note.partition(r"\end{table}")[0]
    assert "letters" not in typed(f"{line} -f json").out
    done(f"{line} --plot minds.svg")
    assert "Mean human rating" in read("minds.svg")


def test_the_sentence_on_one_difference_says_whose_it_is(of_two_minds):
    pair = typed("human-score --ratings pair.csv").out
    told = " ".join(pair.split())
    assert "For these 6 raters alone ours is rated higher than base (p < 0.0001); for raters in general" in told
    assert "paired by item and rater, for raters in general (raters as a random factor))" in told
    few = " ".join(typed("human-score --ratings two.csv").out.split())
    assert "paired by item and rater, for these raters alone)" in few
    assert "in general" not in few


def test_a_further_study_that_finds_a_difference_is_told_by_items_and_raters(of_two_minds):
    line = "human-score --ratings pair.csv"
    told = " ".join(typed(f"{line} --find 0.5").out.split())
    found = re.search(r"with a probability of 80% take about (\d+) items and (\d+) raters \(here 30 and 6\); by", told)
    n_items, n_raters = map(int, found.groups())
    assert n_raters == math.ceil(6 * n_items / 30)
    assert 60 < n_items < 200
    assert "by the same 6 raters no number of items is enough." in told
    assert "the 30 items are enough." in " ".join(typed(f"{line} --find 3").out.split())
    of_two = " ".join(typed("human-score --ratings two.csv --find 0.01").out.split())
    assert re.search(r"take about \d+ items \(here 30\)\.", of_two)
    many = " ".join(typed("human-score --ratings minds.csv --all-pairs --find 0.5").out.split())
    assert many.count("To find a true difference of 0.5 between ") == 1
    assert "leave out --errors, --bad and --every-look" in typed(f"{line} --find 1 --bad '<=2'", 2).err
    assert "--find style=1: the criteria are without names" in typed(f"{line} --find style=1", 2).err


def test_a_win_rate_that_a_further_study_finds_is_above_one_half(six_systems):
    line = "human-score --ratings pairs.csv --where system_a=base --where system_b=ours"
    assert "To find a true win rate of 0.6 between ours and base" in " ".join(typed(f"{line} --find 0.6").out.split())
    assert "give a win rate above 0.5 and below 1" in typed(f"{line} --find 0.4", 2).err


def test_many_gaps_between_differences_and_means_have_one_sentence(unequal):
    rows = [tuple(row.values()) for row in csv.DictReader(read("unequal.csv").splitlines())]
    more = [(*row[:1], f"{row[1]}{copy}", *row[2:]) for copy in range(3) for row in rows]
    write_table("more.csv", ["item", "system", "rater", "rating"], more)
    found = as_json("human-score --ratings more.csv --scale 1-5 --all-pairs")
    (told,) = [line for line in found["findings"] if "differences are not those of the means" in line]
    mean = {row["system"]: row["mean"] for row in found["rows"] if not row["less"]}
    turned = [
        f"{row['system']} less {row['less']}"
        for row in found["rows"]
        if row["less"] and row["mean"] * (mean[row["system"]] - mean[row["less"]]) < 0
    ]
    assert ("of another sign for" in told) == bool(turned)
    assert told.endswith("raters are weighted anew in each mean and each difference.")
    assert "in the rows above differ by" not in " ".join(found["findings"])
    assert "; and so 6 further pairs." in found["findings"][0]


def test_the_share_of_bad_outputs_of_one_system_is_told_without_a_comparison(folder):
    rows = [(n, rater, 1 + n % 5) for n in range(40) for rater in ("ann", "bob")]
    write_table("one.csv", ["item", "rater", "rating"], rows)
    command = "human-score --ratings one.csv --bad '<=2'"
    (row,) = as_json(command)["rows"]
    assert (row["items"], row["mean"]) == (40, pytest.approx(0.4))
    told = " ".join(done(command).stdout.split())
    assert "on 40 outputs: share with rating <= 2 0.400 [0." in told


def test_shares_of_criteria_with_other_outputs_each_tell_their_number(folder):
    rows = [(n, "ann", 1 + n % 5, "" if n < 15 else 1 + n % 5) for n in range(40)]
    write_table("one.csv", ["item", "rater", "fluency", "adequacy"], rows)
    command = "human-score --ratings one.csv --rating-column fluency --rating-column adequacy --columns-are criteria"
    told = " ".join(done(f"{command} --bad '<=2'").stdout.split())
    assert re.search(
        r"fluency <= 2 0\.400 \[[^]]*\] on 40 outputs; [^;]*adequacy <= 2 0\.400 \[[^]]*\] on 25 outputs", told
    )


def test_a_baseline_that_nobody_named_is_told_beside_several_systems(three_systems, six_systems):
    told = "systems are compared with base, the first of the table (--baseline NAME"
    for command in (THREE, "human-score --ratings pairs.csv"):
        assert told in typed(command).err
        assert told not in typed(f"{command} --baseline base").err
        assert told not in typed(f"{command} --all-pairs").err


def test_what_counts_as_bad_is_named_by_criterion_if_criteria_have_scales_of_their_own(folder):
    draw = default_rng(0)
    rows = [
        (n, system, int(draw.integers(low, 6)), int(draw.integers(0, 2)))
        for n in range(30)
        for system, low in (("a", 1), ("b", 2))
    ]
    write_table("both.csv", ["item", "system", "fluency", "correct"], rows)
    line = "human-score --ratings both.csv --rating-column fluency --rating-column correct --columns-are criteria"
    told = typed(f"{line} --bad '<=2'", status=1).err
    assert "--bad '<=2' is for all criteria (fluency, correct), and all outputs are <= 2 by correct" in told
    assert "say which one it is of (--bad 'fluency<=2'; may be repeated)" in told
    scales = "--criterion-scale fluency=1-5 --criterion-scale correct=0-1"
    assert "they have scales of their own" in typed(f"{line} {scales} --bad '<1'", status=1).err
    rows = as_json(f"{line} --bad 'fluency<=2'")["rows"]
    assert {row["score"] for row in rows} == {"share with fluency <= 2"}
    rows = as_json(f"{line} --bad 'fluency<=2' --bad 'correct < 1'")["rows"]
    assert {row["score"] for row in rows} == {"share with fluency <= 2", "share with correct < 1"}
    assert "--bad names 'style'" in typed(f"{line} --bad 'style<=2'", status=1).err
    assert "give either" in typed(f"{line} --bad '<=2' --bad 'fluency<=1'", status=2).err
    assert "give one of each criterion" in typed(f"{line} --bad 'fluency<=2' --bad 'fluency<=1'", status=2).err


def test_items_in_clusters_are_named_with_the_test_and_with_a_further_study(folder):
    """Four systems of 36 items in 12 documents: errors are cluster-robust, and further items come in documents."""
    draw = default_rng(0)
    rows = [
        (f"d{item // 3}", item, system, round(float(shift + item // 3 % 4 + draw.normal()), 2))
        for item in range(36)
        for shift, system in enumerate("abcd")
    ]
    write_table("ratings.csv", ("doc", "item", "system", "rating"), rows)
    line = "human-score --ratings ratings.csv --all-pairs"
    told = typed(f"{line} --cluster-column doc").out
    assert "Student's t with cluster-robust errors" in told
    assert re.search(r"in place of \S+ \([a-d] and [a-d]\), one of four times as many clusters finds ", told)
    alone = typed(line).out
    assert "cluster-robust" not in alone
    assert "one of four times as many items finds " in alone
