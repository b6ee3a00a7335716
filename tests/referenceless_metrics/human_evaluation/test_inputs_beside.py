"""Outputs, inputs and ratings as lines in a folder per system: what is of other inputs is not paired by its line."""

import shutil
from pathlib import Path

import pytest
from command_lines import done, typed
from text_files import write

from referenceless_metrics.human_evaluation.inputs_beside import on_other_inputs

N = 24
SCORES = "a/human_score.txt", "b/human_score.txt"
RATED = "--ratings a/human_score.txt --ratings b/human_score.txt"
SCORED = "--scores a/human_score.txt --scores b/human_score.txt"


def write_folders(*, moved):
    """Write the folders of two systems, whose inputs are the same, or moved by some lines."""
    for name, by in (("a", 0), ("b", moved)):
        Path(name).mkdir()
        write(f"{name}/human_ctx.txt", [f"When does train {n + by} come?" for n in range(N)])
        write(f"{name}/human_hyp.txt", [f"The train {n + by} of {name} came late." for n in range(N)])
        write(f"{name}/human_ref.txt", [f"The train {n + by} was late." for n in range(N)])
        write(f"{name}/human_score.txt", [f"{1 + (n + by) % 4}.5" for n in range(N)])


@pytest.mark.parametrize(
    "line", [f"compare {SCORED}", f"human-score {RATED} --scale 1-5", "compare a/human_hyp.txt b/human_hyp.txt"]
)
def test_lines_of_other_inputs_are_not_paired(folder, line):
    write_folders(moved=7)
    told = " ".join(typed(line, 1).err.split())
    assert "are of other inputs: human_ctx.txt beside them has other texts in 24 of 24 lines; --unpaired" in told


def test_lines_of_the_same_inputs_are_paired(folder):
    write_folders(moved=0)
    assert on_other_inputs(SCORES) == ""
    assert "equal scores on all items" in done(f"compare {SCORED}").stdout


def test_inputs_that_are_cut_into_other_words_are_the_same(folder):
    write_folders(moved=0)
    write("b/human_ctx.txt", [f"When does tra@@ in {n} come ?" for n in range(N)])
    assert on_other_inputs(SCORES) == ""


def test_a_file_of_ratings_beside_outputs_is_of_the_system_that_the_folder_names(folder):
    write_folders(moved=7)
    told = typed(f"human-score {RATED} --scale 1-5 --unpaired")
    assert "each line of a/human_score.txt is a rating of the system 'a'" in " ".join(told.err.split())
    assert "rater" not in told.err
    assert "between b and a" in " ".join(told.out.split())


@pytest.mark.parametrize("moved", [0, 7])
def test_look_takes_contexts_for_no_system(folder, moved):
    write_folders(moved=moved)
    together = done("look a b").stdout.partition("Together:\n")[2]
    both = "compare a/human_hyp.txt b/human_hyp.txt"
    if moved:
        assert f"{both} --unpaired\n" in together
        assert "score b/human_hyp.txt --references b/human_ref.txt --with bleu,chrf\n" in together
        assert f"human-score {RATED} --unpaired\n" in together
    else:
        assert f"{both} --references a/human_ref.txt --with bleu,chrf --sources a/human_ctx.txt\n" in together
        assert f"human-score {RATED}\n" in together


def test_files_that_are_called_ratings_are_people_s(folder):
    write_folders(moved=7)
    for name in "ab":
        Path(f"{name}/human_score.txt").rename(f"{name}/ratings.txt")
    assert "human-score --ratings a/ratings.txt --ratings b/ratings.txt --unpaired\n" in done("look a b").stdout


def test_of_three_systems_all_pairs_are_compared(folder):
    write_folders(moved=0)
    shutil.copytree("b", "c")
    assert f"human-score {RATED} --ratings c/human_score.txt --all-pairs\n" in done("look a b c").stdout
