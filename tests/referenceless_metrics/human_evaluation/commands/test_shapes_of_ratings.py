"""`human-score` and `agreement` on the shapes of files that people have."""

import pytest
from command_lines import as_json, done, typed
from numpy.random import default_rng
from text_files import read, write_table

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
    assert {part: row["outputs"] for part, row in differences.items()} == {"": 40, "news": 20, "sport": 20}
    assert differences["news"]["low"] > 0
    assert differences["sport"]["high"] < 0
    assert any(line.startswith("news: People rate ours higher than base (p ") for line in content["findings"])


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
    assert (
        "1 ratings are missing, and left out" in done("agreement wide.csv --rating-column r1 --rating-column r2").stderr
    )


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
