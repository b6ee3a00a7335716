"""`--plot FILE` of every command that has it."""

import json
from pathlib import Path

import pytest
from command_lines import done, typed
from text_files import read

from referenceless_metrics.demo import write_example_files

COMMANDS = (
    "calibrate pool.csv",
    "calibrate --sweep pool.csv",
    "calibrate --learning-curve pool.csv",
    "compare baseline.txt ours.txt --metric wpslor --n-samples 100",
    "score outputs.txt",
    "score outputs.txt --metric fluency",
    "score outputs.txt --metric bleu_neighbors --pool pool.index",
    "human-score baseline.txt ours.txt --ratings ratings.csv --metric wpslor",
)


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("examples"))
        write_example_files(Path())
        done("fit pool.csv -o pool.index")
        yield


@pytest.mark.parametrize("command", COMMANDS)
def test_a_picture_is_written(command):
    done(f"{command} --plot plot.svg")
    assert "<title>" in read("plot.svg")


def test_the_page_of_a_calibration_opens_with_its_finding_and_draws_it():
    done("calibrate pool.csv -o page.html")
    page, finding = read("page.html"), done("calibrate pool.csv --format json").stdout
    assert '<p class="headline">' in page
    assert json.loads(finding)["verdict"] in page.partition("<svg")[0].lower()
    assert page.count('<svg class="chart') == 4
    assert "<td>&lt; 0.0001</td>" in page  # p, as everywhere


@pytest.mark.parametrize(
    "options, told",
    [
        ("--plot plot.jpeg", "'.svg', '.png', '.pdf'"),
        ("--metric bleu_neighbors --pool pool.csv --plot plot.png", "nothing to --plot"),
    ],
)
def test_another_suffix_and_a_metric_without_tokens_are_refused(options, told):
    assert told in typed(f"score outputs.txt {options}", 2).err
