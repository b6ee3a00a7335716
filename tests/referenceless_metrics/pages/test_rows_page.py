"""Pages of commands that write rows: the finding first, then charts, the table, and next steps."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from random import Random

from command_lines import typed
from page_standards import Tags
from text_files import read, write, write_table

from referenceless_metrics.comparison.measuring import with_ratings
from referenceless_metrics.comparison.page import systems_page
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table


def ratings(n_items, lead):
    """Write ratings of two systems by six raters, the second one ahead by so much."""
    noise = Random(0)
    rated = [
        (item, system, rater, noise.choice([0, 1, 1, 2]) + lead * (system == "b"))
        for item in range(n_items)
        for system in "ab"
        for rater in range(6)
    ]
    write_table("ratings.csv", ("item", "system", "rater", "rating"), rated)


def test_the_parts_stand_in_the_order_in_which_they_are_read(folder):
    ratings(30, 2)
    typed("human-score --ratings ratings.csv --scale 0-4 -o page.html")
    html = read("page.html")
    finding = "People rate b higher than a"
    places = [html.index(part) for part in (finding, "<svg", "<table", "Sentences for the paper", "What next")]
    assert places == sorted(places)
    assert "Every difference is shown: report" in html


def test_a_system_has_one_colour_in_the_table_and_in_the_charts(folder):
    ratings(30, 2)
    typed("human-score --ratings ratings.csv -o page.html")
    html = read("page.html")
    assert re.search(r'<span class="name s1">.*?b</span>', html, re.DOTALL)
    _, _, after_label = html.partition(">b (30 of 30 rated)")
    assert after_label.partition("<g")[2].startswith(' class="s1"')


def test_what_is_not_shown_names_the_items_that_would_find_less(folder):
    ratings(12, 0)
    typed("human-score --ratings ratings.csv -o page.html")
    html = read("page.html")
    assert (
        "No difference is shown between b and a: one may still exist. Ratings of 12 items find a difference of" in html
    )
    assert "four times in five, and of 4 times as many one of" in html


def rated_by_two_criteria(lead_of_c):
    """Write ratings of three systems: in fluency b and c are ahead of a; in style b is ahead, and c by so much."""
    noise = Random(1)
    leads = {"fluency": {"a": 0, "b": 2, "c": 2}, "style": {"a": 0, "b": 2, "c": lead_of_c}}
    rated = [
        (item, system, rater, criterion, noise.choice([0, 1, 1, 2]) + lead, f"the {system} text number {item}")
        for criterion, of_criterion in leads.items()
        for item in range(20)
        for system, lead in of_criterion.items()
        for rater in range(2)
    ]
    write_table("ratings.csv", ("item", "system", "rater", "criterion", "rating", "text"), rated)


def report_on(ratings, **asked):
    """Return the page on three systems by people's ratings alone."""
    outputs = [(name, [f"the {name} text number {item}" for item in range(20)]) for name in "abc"]
    rated = with_ratings(read_rating_table([ratings], RatingColumns(), alone=False, scale=(0, 4)), outputs, [], **asked)
    return systems_page(outputs, **rated)


def test_what_next_looks_at_all_criteria_and_names_them(folder):
    """A difference that is shown by the first criterion alone is not "every difference"."""
    rated_by_two_criteria(0)
    typed("human-score --ratings ratings.csv --scale 0-4 -o page.html")
    assert "By style, no difference is shown between c and a: one may still exist." in read("page.html")
    assert "By style, no difference is shown between c and a" in report_on("ratings.csv")
    rated_by_two_criteria(2)
    typed("human-score --ratings ratings.csv --scale 0-4 -o page.html")
    assert "Every difference from a by fluency and style is shown: report" in read("page.html")


def test_all_pairs_stand_on_the_report_by_each_criterion_with_their_family(folder):
    rated_by_two_criteria(1)
    html = report_on("ratings.csv")
    family = "(Holm over all 6 pairs by 2 criteria together)"
    for criterion in ("fluency", "style"):
        assert f"All pairs by {criterion}: how much higher the row is rated than the column {family}" in html
    why = "elsewhere on the page for the 4 comparisons with a alone: so it may differ"
    assert f"p of a pair is corrected here for all pairs {family}, and {why}" in html
    assert "Holm over 4 comparisons" in html
    html = report_on("ratings.csv", all_pairs=True)
    finding = (
        "fluency: Rated highest of 3 systems: c or b, between which no difference is shown. These raters rate c higher "
        "than a; b higher than a; no difference is shown between c and b"
    )
    assert f"{finding} (95%, Holm over 6 comparisons)" in html
    assert "so it may differ" not in html
    assert "Holm over 4 comparisons" not in html


def test_tables_are_copied_by_the_only_script_that_the_policy_allows(folder):
    ratings(12, 1)
    typed("agreement ratings.csv -o page.html")
    html = read("page.html")
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'" in html
    (table,) = [attributes for tag, attributes in Tags(html).elements if tag == "table"]
    assert table["data-csv"].startswith("rater,n,mean")
    assert r"\begin{tabular}" in table["data-latex"]
    assert "referenceless human-score --ratings ratings.csv" in html


def test_the_line_after_agreement_reads_the_ratings_as_agreement_does(folder):
    rows = [{"part": n, "system": s, "who": r, "fluency": n % 5} for n in range(12) for s in "ab" for r in "xyz"]
    write("ratings.jsonl", map(json.dumps, rows))
    columns = "--item-column part --rater-column who --rating-column fluency --scale 0-4"
    typed(f"agreement ratings.jsonl {columns} -o page.html")
    (line,) = re.findall(r"referenceless (human-score --ratings [^<]*)<", read("page.html"))
    assert sorted(line.split()) == sorted(f"human-score --ratings ratings.jsonl {columns}".split())
    typed(f"{line} -f json")


def test_a_page_is_shown_if_that_is_asked_for(folder, monkeypatch):
    shown = []
    monkeypatch.setattr("click.launch", shown.append)
    ratings(12, 1)
    typed("agreement ratings.csv -o page.html --open")
    typed("agreement ratings.csv -o page.html")
    typed("agreement no_such_file.csv -o page.html --open", 1)  # and not the page of before
    assert shown == [(folder / "page.html").resolve().as_uri()]
