"""`human-score` and `agreement` on the shapes of files that people have."""

import pytest
from command_lines import as_json, done, typed
from numpy.random import default_rng
from text_files import read, write_table

from referenceless_metrics.command_line.gating import CANNOT_TELL

SLICES = "human-score --ratings slices.csv --scale 1-5"


@pytest.fixture
def slices(folder):
    """Items that begin again in each topic: ours is better in news, and worse in sport by more."""
    generator = default_rng(0)
    rows = []
    for topic, gain in (("news", 1.2), ("sport", -1.6)):
        for item in range(20):
            of_item = generator.normal(3, 0.5)
            for system, shift in (("base", 0.0), ("ours", gain)):
                rating = min(5, max(1, round(of_item + shift + generator.normal(0, 0.4))))
                rows.append((item, topic, system, rating))
    write_table("slices.csv", ["item", "topic", "system", "rating"], rows)


def test_a_slice_is_no_repetition(slices):
    message = typed(SLICES, 1).err
    assert "item '0' stands in several rows; column 'topic' tells them apart" in message
    content = as_json(f"{SLICES} --slice-column topic")
    differences = {row["slice"]: row for row in content["rows"] if row["less"]}
    assert {part: row["rated"] for part, row in differences.items()} == {"": 40, "news": 20, "sport": 20}
    assert differences["news"]["low"] > 0
    assert differences["sport"]["high"] < 0
    assert any(line.startswith("news: By these ratings, ours is higher than base (p ") for line in content["findings"])


def test_a_slice_of_which_nothing_can_be_said_is_left_out_with_a_sentence(slices):
    table = (line.split(",") for line in read("slices.csv").splitlines())
    head, *rows = table
    write_table("slices.csv", head, [row for row in rows if row[1] == "news" or int(row[0]) < 5])
    lines = as_json(f"{SLICES} --slice-column topic")["findings"]
    assert any(line.startswith("sport: left out, since ") for line in lines)


def test_preferences_on_a_scale_name_the_end_in_the_output(folder):
    rows = [(item, "ours", "base", 2 if item % 4 else -1) for item in range(20)]
    write_table("p.csv", ["item", "system_a", "system_b", "preference"], rows)
    high = as_json("human-score --ratings p.csv --baseline base")
    assert high["rows"][0]["win rate"] == pytest.approx((15 + 5 * 0.25) / 20)
    assert any("2 prefers the first system of a row" in line for line in high["findings"])
    low = as_json("human-score --ratings p.csv --baseline base --a-is low")
    assert low["rows"][0]["win rate"] == pytest.approx(1 - (15 + 5 * 0.25) / 20)


def test_items_that_no_two_systems_share(folder):
    rows = [(f"{kind}{n}", system, n % 4) for kind, system in (("news", "a"), ("chat", "b")) for n in range(15)]
    write_table("r.csv", ["item", "system", "rating"], rows)
    message = typed("human-score --ratings r.csv", 1).err
    assert "a and b have no item in common (a has str 'news0', b has str 'chat0')" in message
    assert as_json("human-score --ratings r.csv --unpaired")["rows"][-1]["made"] == "independent samples"


def test_agreement_of_columns_of_raters_with_blanks(folder):
    rows = [(n, n % 5, n % 5 if n else "") for n in range(20)]
    write_table("wide.csv", ["item", "r1", "r2"], rows)
    content = as_json("agreement wide.csv --rating-column r1 --rating-column r2")
    assert content["coefficients"]["alpha nominal"]["value"] == pytest.approx(1)
    assert {row["rater"]: row["n"] for row in content["rows"]} == {"r1": 20, "r2": 19}
    assert "1 rating is missing, and left out" in typed("agreement wide.csv --rating-column r1 --rating-column r2").err


LABELS = ("good", "bad", "neither")


def test_agreement_checks_ratings_by_the_scale_as_human_score_does(folder):
    rows = [(n, n % 5 + 1, (n + n // 10) % 5 + 1) for n in range(20)]
    write_table("wide.csv", ["item", "r1", "r2"], rows)
    line = "agreement wide.csv --rating-column r1 --rating-column r2"
    assert typed(f"{line} --scale 1-5").out == typed(line).out
    assert "wide.csv: a rating of 1 by r1 lies outside the scale from 2 to 5" in typed(f"{line} --scale 2-5", 1).err
    criteria = f"{line} --columns-are criteria --rater-column who"
    write_table("wide.csv", ["item", "r1", "r2", "who"], [(*row, f"p{n % 2}") for n, row in enumerate(rows)])
    assert "outside the scale from 2 to 5" in typed(f"{criteria} --scale 1-5 --criterion-scale r2=2-5", 1).err
    write_table("labels.csv", ["item", "rater", "rating"], [(n, r, LABELS[n % 3]) for n in range(9) for r in "ab"])
    assert "these are labels" in typed("agreement labels.csv --scale 1-5", 2).err


def test_agreement_has_a_sentence_for_the_paper(folder):
    rows = [(n // 2, "ab"[n % 2], n % 5 + 1, (n + n // 10) % 5 + 1) for n in range(40)]
    write_table("wide.csv", ["item", "system", "r1", "r2"], rows)
    line = "agreement wide.csv --rating-column r1 --rating-column r2"
    found = as_json(line)
    ordinal, interval = (found["coefficients"][f"alpha {kind}"] for kind in ("ordinal", "interval"))
    told = [
        f"{each['value']:.3f} [{each['low']:.3f}, {each['high']:.3f}]".replace("-", "−") for each in (ordinal, interval)
    ]
    assert found["findings"][-1].startswith(
        "For the paper: 2 raters gave 80 ratings, and 40 outputs of 20 items were rated by two raters or more. "
        f"Krippendorff's α was {told[0]} (ordinal) and {told[1]} (interval) (95% intervals for these raters and further"
    )
    assert found["findings"][1].startswith("one_answer: share of the rater's most frequent answer; correlation: ")
    assert found["findings"][2].startswith("Ordinal α takes the order of the ratings alone")
    shown = typed(line).out
    assert "one_answer" in shown
    assert "n_repeats" not in shown  # no rater rated anything twice
    assert "flags" not in shown
    yes_or_no = [(item, system, one > 3, other > 3) for item, system, one, other in rows]
    write_table(
        "two.csv", ["item", "system", "r1", "r2"], [(*key, int(one), int(other)) for *key, one, other in yes_or_no]
    )
    lines = as_json("agreement two.csv --rating-column r1 --rating-column r2")["findings"]
    assert not any(each.startswith("Ordinal α") for each in lines)
    assert lines[-1].count("[") == 1


def test_agreement_on_preferences_whatever_the_order(folder):
    rows = [(n, "ann", "x", "y", "a" if n % 3 else "b") for n in range(12)]
    rows += [(n, "bob", "y", "x", "b" if n % 3 else "a") for n in range(12)]
    write_table("p.csv", ["item", "rater", "system_a", "system_b", "preference"], rows)
    assert as_json("agreement p.csv")["coefficients"]["alpha nominal"]["value"] == pytest.approx(1)


def test_agreement_without_raters(folder):
    write_table("r.csv", ["item", "rating"], [(1, 2)])
    told = typed("agreement r.csv", 1).err
    assert "there is no column of raters: name it (--rater-column NAME)" in told
    assert "let two people or more rate (`sample`, then `rate`)" in told


def test_systems_with_few_outputs_get_means_without_a_verdict(folder):
    rows = [
        (n, system, rater, 1 + n % 3 + shift)
        for n in range(6)
        for system, shift in (("a", 0), ("b", 1))
        for rater in "xy"
    ]
    write_table("few.csv", ["item", "system", "rater", "rating"], rows)
    content = as_json("human-score --ratings few.csv")
    assert content["headline"].startswith("Nothing is shown: no system has more than 6 rated outputs")
    assert content["headline"].endswith("may be chance; the highest is that of b (3).")
    assert content["rows"] == [
        {"system": "a", "outputs": 6, "rated": 6, "ratings": 12, "mean": 2.0},
        {"system": "b", "outputs": 6, "rated": 6, "ratings": 12, "mean": 3.0},
    ]
    assert "too few for an interval" in typed("human-score --ratings few.csv --scale 1-3", 1).err
    assert "no system has the 10" in typed("human-score --ratings few.csv --fail-if-worse", CANNOT_TELL).err


def test_a_criterion_with_few_outputs_stands_beside_one_with_enough(folder):
    rows = [
        (n, system, criterion, 1 + n % 3)
        for criterion, n_items in (("style", 4), ("fluency", 12))
        for n in range(n_items)
        for system in "ab"
    ]
    write_table("t.csv", ["item", "system", "criterion", "rating"], rows)
    content = as_json("human-score --ratings t.csv --scale 1-5")
    rated = {(row["criterion"], row["system"]): row for row in content["rows"] if not row["less"]}
    assert rated["style", "a"]["mean"] == 1.75
    assert rated["style", "a"]["low"] is None
    assert rated["fluency", "a"]["low"] < 2 < rated["fluency", "a"]["high"]


def test_preferences_on_few_items_are_shares_without_a_verdict(folder):
    rows = [(n, "a", other, word) for n, (other, word) in enumerate([("b", "a"), ("b", "a"), ("c", "b"), ("c", "tie")])]
    write_table("p.csv", ["item", "system_a", "system_b", "preference"], rows)
    content = as_json("human-score --ratings p.csv")
    assert "no two of the systems that are compared have preferences on more than 2 items" in content["headline"]
    told = {row["system"]: (row["wins"], row["ties"], row["losses"], row["win rate"]) for row in content["rows"]}
    assert told == {"a": (2, 1, 1, 0.625), "b": (0, 0, 2, 0.0), "c": (1, 1, 0, 0.75)}


def test_files_without_systems_are_of_one_system_each(folder):
    for name, shift in (("ann", 0), ("bob", 1)):
        write_table(f"{name}.csv", ["Fluency", "Style"], [(1 + n % 3 + shift, 1 + n % 4) for n in range(12)])
    line = "human-score --ratings ann.csv --ratings bob.csv --rating-column Fluency --rating-column Style --scale 1-5"
    content = as_json(f"{line} --columns-are criteria")
    means = {(row["criterion"], row["system"]): row["mean"] for row in content["rows"] if not row["less"]}
    assert means == {("Fluency", "ann"): 2, ("Fluency", "bob"): 3, ("Style", "ann"): 2.5, ("Style", "bob"): 2.5}
    assert content["headline"].startswith("If each file is of one system and its n-th row of item n: Fluency and ")
    told = typed(f"{line} --columns-are criteria", 0).err
    assert (
        "each file is of one system (--system-column); if each is of one rater, `agreement` takes them so, given"
        in told
    )
    assert "the n-th row of each file is of item n" in told


def test_files_with_items_are_read_as_raters_by_agreement_as_the_note_says(folder):
    for name, shift in (("ann", 0), ("bob", 1)):
        rows = [(n, 1 + n % 3 + shift, 1 + n % 4) for n in range(12)]
        write_table(f"{name}.csv", ["item", "Fluency", "Style"], rows)
    options = "--rating-column Fluency --rating-column Style --columns-are criteria --scale 1-5"
    read = typed(f"human-score --ratings ann.csv --ratings bob.csv {options}", 0)
    assert read.out.startswith("If each file is of one system: ")
    assert "`agreement` takes them so\n" in read.err
    agreed = as_json(f"agreement ann.csv bob.csv {options}")
    assert {(row["criterion"], row["rater"]) for row in agreed["rows"]} == {
        (criterion, rater) for criterion in ("Fluency", "Style") for rater in ("ann", "bob")
    }


def test_a_column_that_may_name_systems_is_asked_for(folder):
    write_table("t.csv", ["item", "model_id", "rating"], [(n, "ab"[n % 2], 1 + n % 3) for n in range(24)])
    assert "there is no column of systems (--system-column)" in typed("human-score --ratings t.csv", 1).err


def test_agreement_counts_clusters_by_name(folder):
    generator = default_rng(1)
    rows = [
        (document, f"{document}/{i}", rater, i + 1 + (document % 4 == 0) * (rater == "ann"))
        for document in range(12)
        for i in range(3)
        for rater in ("ann", "bob")
    ]
    write_table(
        "documents.csv", ["doc", "item", "rater", "rating"], [rows[i] for i in generator.permutation(len(rows))]
    )
    result = done("agreement documents.csv --cluster-column doc").stdout
    assert "further clusters like these 12" in result
    assert "36 outputs of 12 clusters were rated by two raters or more" in result
    assert "a jackknife over clusters" in result
    assert "further items like these 36" in done("agreement documents.csv").stdout


def test_the_caption_of_agreement_by_several_criteria_says_once_what_holds_for_all(folder):
    rows = [(n, rater, (n * 3 + rater) % 5, (n + rater) % 4) for n in range(20) for rater in range(2)]
    write_table("two.csv", ("item", "rater", "fluency", "adequacy"), rows)
    columns = "--rating-column fluency --rating-column adequacy --columns-are criteria"
    caption, _, rest = done(f"agreement two.csv {columns} -f latex").stdout.partition("tabular")
    assert "one answer: share of the rater's most frequent answer" in rest  # as the heading has it
    assert caption.count("2 raters gave 40 ratings") == 1
    assert "fluency: Krippendorff" in caption
