"""The pictures of README, documentation and cards still show the product's output."""

import re
import shutil

import pytest
from command_lines import done
from text_files import ROOT

from referenceless_papers.pictures import DEMO, NEIGHBOURS, PAGES, PLOTS, REPORT, describe, shown, stale

DATA = ROOT.parent / "shared" / "data"


@pytest.mark.long
def test_pictures_show_what_the_product_gives():
    pytest.importorskip("gradio")
    assert stale(ROOT, DATA if DATA.is_dir() else None) == []


def test_the_figure_of_the_card_is_that_of_the_evidence():
    card, page = (ROOT / folder / "figure_1.svg" for folder in ("hub_cards/figures", "papers/docs/figures"))
    assert card.read_bytes() == page.read_bytes()


def test_the_picture_of_the_demonstration_shows_what_the_command_prints():
    printed = " ".join(done("demo").stdout.split())
    for line in shown(ROOT / DEMO).splitlines():
        words = " ".join(line.rstrip("…").split())
        assert words in printed, line


@pytest.mark.long
def test_a_picture_of_other_words_or_figures_is_stale(tmp_path):
    for picture in (DEMO, REPORT, *PLOTS, *PAGES, NEIGHBOURS):
        (tmp_path / picture).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / picture, tmp_path / picture)
    page, plot = "hub_cards/figures/app_slor.png", "docs/pictures/tokens.png"
    describe(tmp_path / page, shown(ROOT / page).replace("Results", "Result"))
    describe(tmp_path / plot, re.sub(r"\d\.\d{4}", "9.9999", shown(ROOT / plot), count=1))
    assert shown(tmp_path / plot) != shown(ROOT / plot)
    assert stale(tmp_path, None) == [plot, page]
