"""A small study: two systems, one of which writes equal outputs now and then, with texts that try to be obeyed."""

import pytest
from page_standards import NASTY

from referenceless_metrics.human_evaluation.studies.design import RATINGS
from referenceless_metrics.human_evaluation.studies.drawing import draw_study

SYSTEMS = (f"system_one{NASTY}", "system_two")


@pytest.fixture
def draw(tmp_path):
    """Return a function that draws a study of 12 of 40 items and writes it to `study`; every fifth two are equal."""

    def drawn(scale="1-5", items=12, raters=2, **options):
        ours = [f"A fine text {i}. {NASTY}" for i in range(40)]
        theirs = [text if i % 5 == 0 else f"=bad {i}" for i, text in enumerate(ours)]
        sources = [f"source {i} {NASTY}" for i in range(40)]
        outputs = [(SYSTEMS[0], theirs), (SYSTEMS[1], ours)]
        names = [f"rater_{i + 1}" for i in range(raters)]
        design = draw_study(outputs, items, names, scale=scale, sources=sources, **options)
        (tmp_path / "study" / RATINGS).mkdir(parents=True)
        design.write(tmp_path / "study")
        return design

    return drawn
