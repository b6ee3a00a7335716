"""The documentation's page of claims agrees with its command's measurements on real ratings."""

import pytest
from command_lines import typed
from text_files import ROOT, read

from referenceless_metrics.human_evaluation.inference.output_ratings import FROM_OTHERS
from referenceless_papers.claims.command import BEGIN, END
from referenceless_papers.claims.lols_wen import read_systems, same_inputs
from referenceless_papers.claims.other_systems import from_other_systems

PAGE = ROOT / "docs" / "claims.md"


@pytest.mark.long
def test_readme_holds_what_the_command_writes(data_dir):
    for name in ("usr", "fluency", "webnlg-2020"):
        data_dir(name)
    told = typed(f"reproduce claims --data-dir {data_dir('nlg-ratings').parent}").out
    section = read(PAGE).split(BEGIN)[1].split(END)[0]
    assert section.strip() == told.strip()


@pytest.mark.long
def test_messages_quote_what_ratings_of_other_systems_were_measured_to_hold(data_dir):
    found = from_other_systems(data_dir("webnlg-2020").parent)
    assert found.n_systems == 16
    assert set(found.covered) == {"fluency", "correctness"}
    assert f"held a system's human mean in {100 * found.mean:.0f} % of the draws" in FROM_OTHERS


def test_outputs_are_paired_by_their_input(data_dir):
    systems = read_systems(data_dir("nlg-ratings").parent)
    lols, wen = systems["SFRES/LOLS"], systems["SFRES/WEN"]
    left, right = same_inputs(lols, wen)
    assert len(left) == len(right) == 580
    inputs = dict(zip(wen.texts, wen.inputs, strict=True))
    assert sum(inputs[text] == source for text, source in zip(right, lols.inputs, strict=False)) > 300
