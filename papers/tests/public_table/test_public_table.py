"""The public table: sets are read whole items at a time, and the committed page holds the measured figures."""

from dataclasses import replace

import numpy as np
import pytest
from text_files import ROOT, read

from referenceless_papers.public_table import table
from referenceless_papers.public_table.columns import CONTROLS, LENGTH, folds_of
from referenceless_papers.public_table.rated_sets import RatedSet

PAGE = ROOT / "papers" / "docs" / "public_table.md"


def small(n=60, per_item=3):
    texts = [f"text number {number} " + "word " * (number % 7) for number in range(n)]
    ratings = np.array([float(number % 7) for number in range(n)])
    items = np.arange(n) // per_item
    return RatedSet("small", texts, ratings, items, [""] * n, None, None, (texts, ratings))


def test_controls_that_are_fitted_see_no_rating_of_their_fold():
    rated = small()
    found = CONTROLS["length only, fitted"](rated, folds_of(rated))
    assert np.corrcoef(found, rated.ratings)[0, 1] > 0.95
    noise = np.random.default_rng(0).permutation(rated.ratings)
    shuffled = replace(rated, ratings=noise)
    assert abs(np.corrcoef(CONTROLS["all artefacts, fitted"](shuffled, folds_of(shuffled)), noise)[0, 1]) < 0.5


@pytest.mark.long
@pytest.mark.parametrize(("folder", "texts"), [("inlg16", [584] * 2), ("usr", [360, 360]), ("huse", [198])])
def test_the_page_holds_what_is_measured(folder, texts, data_dir, monkeypatch):
    monkeypatch.setattr(table, "METRICS", {})
    monkeypatch.setattr(table, "row_of_systems", lambda rated: None)
    monkeypatch.setattr(
        table, "CONTROLS", {name: CONTROLS[name] for name in (LENGTH, "type-token ratio", "punctuation")}
    )
    base = data_dir(folder).parent
    report = table.public_table(base, [folder])
    page = read(PAGE)
    assert [row["texts"] for row in report.parts["At a glance"].tables[0].rows] == texts
    for name, part in report.parts.items():
        if name != "At a glance":
            section = page.split(f"\n## {name}\n")[1].split("\n## ")[0]
            for row in part.tables[0].rows:
                assert str(row["ρ"]) in section
                assert str(row["metric"]) in section


def test_other_systems_teach_without_a_rating_of_the_system(monkeypatch):
    places = np.arange(120)
    ratings = np.where(places % 2, -(places % 7), places % 7).astype(float)  # of the second system the reverse
    rated = replace(small(120), ratings=ratings, systems=["ab"[place] for place in places % 2])
    monkeypatch.setattr(table, "_BY_SYSTEMS", ("BLEU Neighbors",))
    row = table.row_of_systems(rated)
    assert row["BLEU Neighbors, other systems"].startswith("−0.")
    assert row["systems"] == "2"
    assert table.row_of_systems(small()) is None
