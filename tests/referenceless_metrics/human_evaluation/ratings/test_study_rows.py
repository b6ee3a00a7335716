"""A metric learns from a study's folder as from a table of its ratings, by one criterion."""

from pathlib import Path

import pytest
from command_lines import done, typed
from studies import answer
from text_files import write

from referenceless_metrics import look
from referenceless_metrics.core.files.reading import Condition, Reading
from referenceless_metrics.core.files.text_io import read_rated
from referenceless_metrics.human_evaluation.studies.design import Design

GROUPINGS = {"groups": "item", "systems": "system"}


@pytest.fixture
def outputs(folder):
    base = [f"the text number {item} is here" for item in range(12)]
    write("base.txt", base)
    write("ours.txt", [text if item < 3 else f"ours {item}" for item, text in enumerate(base)])
    write("sources.txt", [f"source {item}" for item in range(12)])


def rated(sample):
    typed(f"sample base.txt ours.txt -n 12 --raters ann,bob --sources sources.txt -o study {sample}")
    design = Design.read("study")

    def rate(rater, screen, output, criterion=""):
        if (rater, screen.item, criterion) == ("bob", 0, ""):
            return None
        return 1 + (screen.item + len(criterion)) % 5

    answer(design, Path("study"), rate)


def test_a_study_gives_texts_with_ratings_groups_systems_and_sources(outputs):
    rated("--repeats 0.2")
    texts = read_rated("study", groupings=GROUPINGS, source_column="source")
    n_of_first = len(set(Design.read("study").items[0].outputs))  # which bob did not rate
    assert len(texts.ratings) == 2 * (24 - 3) - n_of_first
    assert set(texts.groupings["systems"]) == {"base", "ours"}
    assert all(
        f"source {item}" == source for item, source in zip(texts.groupings["groups"], texts.sources, strict=True)
    )
    lines = [
        "referenceless advise study --group-column item --source-column source",
        "referenceless advise study --system-column system --group-column item --source-column source",
    ]
    assert [line for line in look("study").commands if " advise " in line] == lines
    told = typed("advise study --group-column item --no-quality-estimator --no-fluency").err
    assert "raters saw what the texts were made from: with --source-column source a metric may learn from it" in told


def test_one_of_several_criteria_has_to_be_named(outputs):
    rated('--criterion "fluency=1-5=Fluent?" --criterion "truth=1-5=True?"')
    refused = typed("calibrate study", 1).err
    assert "study: raters answered by 2 criteria (fluency, truth), and a metric learns from one of them" in refused
    assert ": --where criterion=fluency\n" in refused
    assert "referenceless calibrate study --group-column item --where criterion=fluency" in refused
    of_truth = read_rated("study", reading=Reading(where=(Condition("criterion", "truth"),)))
    assert len(of_truth.ratings) == 42
    calibrated = done("calibrate study --where criterion=truth")
    assert "distinct texts (42 ratings)" in calibrated.stdout
    assert "study: equal outputs of an item were shown once, and count once here" in calibrated.stderr
    write("new.txt", ["a text"])
    refused = typed("score new.txt --metric bleu_neighbors --pool study", 1).err
    assert "fit it first, referenceless fit study --where criterion=fluency -o POOL, and give --pool POOL" in refused


def test_preferences_teach_no_metric_of_single_texts(outputs):
    typed("sample base.txt ours.txt -n 12 --raters ann --scale preference -o study")
    answer(Design.read("study"), Path("study"), lambda rater, screen, output: "A")
    refused = typed("advise study", 1).err
    assert "study: these are preferences, and this takes ratings of single texts; quality estimation learns" in refused
    assert "PAIRS.csv --text-column BETTER --worse-column WORSE -o" in refused
    assert "advise" not in done("look study").stdout
