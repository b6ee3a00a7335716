"""Pages of commands that write rows: the finding first, then charts, the table, and next steps."""

import re
from base64 import b64encode
from hashlib import sha256
from random import Random

from command_lines import typed
from page_standards import Tags
from text_files import read, write_table


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
    assert "No difference is shown between b and a: one may still exist. 12 items find a difference of" in html
    assert "about 48 items one of" in html


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


def test_a_page_is_shown_if_that_is_asked_for(folder, monkeypatch):
    shown = []
    monkeypatch.setattr("click.launch", shown.append)
    ratings(12, 1)
    typed("agreement ratings.csv -o page.html --open")
    typed("agreement ratings.csv -o page.html")
    assert shown == [(folder / "page.html").resolve().as_uri()]
