"""Pages that commands write, in a browser: axe finds nothing, they fit the screen, and print has few sheets."""

import base64
import json
import random
import re

import pytest
from command_lines import done
from page_standards import all_findings, widest
from studies import answer
from text_files import write
from web_pages import show

from referenceless_metrics.demo import write_example_files
from referenceless_metrics.human_evaluation.studies.design import Design

_RATINGS = "--ratings ratings.csv --scale 1-6"
_BESIDE = "--sources sources.txt --references references.txt --with bleu,chrf"
_ALL = f"--metric fluency --metric bleu_neighbors --pool pool.csv {_RATINGS} {_BESIDE}"
_MARKED = (
    "sample baseline.txt ours.txt -n 12 --raters ann,bob --spans --span-categories categories.txt "
    '--criterion "fluency=1-5=How natural is it?" --criterion "adequacy=0-100=Does it say all?" -o marked'
)
#: Each page with the command that writes it, and the sheets of paper that it takes at most.
PAGES = {
    "report.html": (f"report baseline.txt ours.txt {_ALL} -o report.html", 6),
    "compare.html": ("compare baseline.txt ours.txt --metric fluency --metric wpslor -o compare.html", 4),
    "scores.html": ("compare --scores scores.csv --score-column comet --score-column judge -o scores.html", 1),
    "human.html": (f"human-score baseline.txt ours.txt {_RATINGS} -o human.html", 1),
    "looks.html": ("human-score --ratings rated.csv --scale 1-5 --every-look -o looks.html", 1),
    "card.html": ("evaluate --scores scores.csv --score-column judge --ratings rated.csv -o card.html", 2),
    "metrics.html": (
        "compare --scores scores.csv --score-column comet --score-column judge --ratings rated.csv -o metrics.html",
        1,
    ),
    "agreement.html": ("agreement rated.csv -o agreement.html", 2),
    "calibrate.html": ("calibrate pool.csv -o calibrate.html", 3),
    "curve.html": ("calibrate pool.csv --learning-curve -o curve.html", 1),
    "advice/advice.html": ("advise pool.csv -o advice", 4),
    "study/pages/rater_1.html": ("sample baseline.txt ours.txt -n 12 --raters 3 -o study", 1),
    "marked/pages/ann.html": (_MARKED, 1),
    "marked.html": ("report baseline.txt ours.txt --metric slor --ratings marked -o marked.html", 6),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("pages")
    write_example_files(found)
    draw = random.Random(1)
    rated, scores = ["system,item,rater,rating"], ["system,item,comet,judge"]
    for item in range(20):
        for place, system in enumerate(("a_model_of_ours", "baseline", "c")):
            scores.append(f"{system},{item},{draw.gauss(0.8 + 0.05 * place, 0.03):.4f},{draw.gauss(3 + place, 1):.2f}")
            rated += [
                f"{system},{item},{rater},{min(5, max(1, round(draw.gauss(3 + place / 2, 1))))}" for rater in "xyz"
            ]
    write(found / "rated.csv", rated)
    write(found / "scores.csv", scores)
    write(found / "categories.txt", "Fluency\nOmission\n")
    return found


def mark(folder):
    """Answer the study of marked errors: each rater marks a word or two of each output, and rates it."""

    def rating(rater, screen, output, criterion):
        if criterion != "spans":
            return 1 + (screen.item + len(rater)) % 5
        minor = {"start": 0, "end": 3 + len(rater), "severity": "minor", "category": "Fluency"}
        major = {"start": 4, "end": 9, "severity": "major", "category": "Omission"}
        return json.dumps([minor, major][: 1 + screen.item % 2])

    answer(Design.read(folder / "marked"), folder / "marked", rating)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_accessible_fits_and_prints(folder, browser, monkeypatch, page):
    command, most_sheets = PAGES[page]
    monkeypatch.chdir(folder)
    if page == "marked.html":
        if not (folder / "marked").exists():
            done(_MARKED)
        mark(folder)
    done(command)
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            show(browser, (folder / page).as_uri(), width, scheme)
            assert all_findings(browser) == []
            assert widest(browser) <= width
            assert names_broken(browser) == []
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})["data"]
    assert len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed))) <= most_sheets


def names_broken(browser):
    """Return names of systems that a table shows on more lines than two."""
    names = "[...document.querySelectorAll('.scrolls td .name')]"
    return browser.execute_script(f"return {names}.filter(e => e.offsetHeight > 60).map(e => e.innerText)")
