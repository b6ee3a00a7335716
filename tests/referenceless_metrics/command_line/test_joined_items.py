"""Several columns that together tell an item, in every command that reads items."""

import json

import pytest
from command_lines import typed
from numpy.random import default_rng
from text_files import write_table

BOTH = "--item-column part --item-column seg"
ONE = "--item-column whole"
LINES = {
    "scores": "compare --scores scores.csv -f json",
    "outputs": "compare scores.csv --system-column system --metric slor -f json",
    "ratings": "human-score --ratings ratings.csv -f json",
    "raters": "agreement ratings.csv -f json",
    "judge": "evaluate --scores scores.csv --ratings ratings.csv -f json",
    "metric": "evaluate --metric slor ratings.csv -f json",
}


@pytest.fixture
def tables(folder):
    """Scores and ratings of two systems, whose segments are numbered anew in each of three parts."""
    draw = default_rng(0)
    words = "the small grey cat sat on a warm mat and saw one red bird".split()
    scores, ratings = [], []
    for part in "abc":
        for seg in range(1, 6):
            for system in ("v1", "v2"):
                text = " ".join(draw.permutation(words)[:9])
                score = int(draw.integers(1, 100))
                scores.append((part, seg, f"{part}-{seg}", system, text, score))
                ratings += [
                    (part, seg, f"{part}-{seg}", system, text, rater, score + int(draw.integers(1, 30)))
                    for rater in ("anna", "ben")
                ]
    draw.shuffle(scores)
    write_table("scores.csv", ("part", "seg", "whole", "system", "text", "score"), scores)
    write_table("ratings.csv", ("part", "seg", "whole", "system", "text", "rater", "rating"), ratings)


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_two_columns_tell_items_as_one_does(tables, line):
    joined, whole = (json.loads(typed(f"{line} {items}").out) for items in (BOTH, ONE))
    for name in ("rows", "raters", "kinds"):
        assert joined.get(name) == whole.get(name)
    assert joined.get("rows") or joined.get("raters")


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_numbers_that_begin_again_are_told_with_the_columns_that_tell_them_apart(tables, line):
    told = typed(f"{line} --item-column seg", 1).err
    assert "--item-column part --item-column seg" in told or "(--item-column seg --item-column COLUMN)" in told
    proposed = told.partition("These command lines fit the file:\n")[2].splitlines()
    assert {each.split()[1] for each in proposed} <= {line.split()[0]}


def test_a_column_that_is_not_there_is_named_alone(tables):
    told = typed("compare --scores scores.csv --item-column part --item-column nothing", 1).err
    assert "there is no column 'nothing' (--item-column)" in told


def test_items_of_a_value_that_several_share_count_as_dependent(folder):
    draw = default_rng(0)
    rows = []
    for concept in range(12):
        for system in ("v1", "v2"):
            shift = draw.normal()
            for strategy in ("free", "sports", "cooking"):
                text = (
                    f"The train {concept} was {round(9 * shift)} minutes late, said the {strategy} report of {system}."
                )
                rows.append((f"c{concept}", strategy, system, shift + draw.normal() / 5, "x", text))
    write_table("scores.csv", ("concept", "strategy", "system", "score", "rater", "text"), rows)
    key, told = "--item-column concept --item-column strategy", {}
    for line in (
        "compare --scores scores.csv",
        "compare scores.csv --system-column system --metric slor",
        "human-score --rating-column score --ratings scores.csv",
    ):
        for cluster in ("", "--cluster-column concept", "--cluster-column 'concept + strategy'"):
            found = typed(f"{line} {key} {cluster}")
            told[cluster] = found.out
            assert ("items of one 'concept' (12) count as dependent" in found.err) == (not cluster)
        assert told[""] == told["--cluster-column concept"] != told["--cluster-column 'concept + strategy'"]


@pytest.mark.parametrize("line", ["compare --scores t.csv", "human-score --ratings t.csv --rating-column score"])
def test_a_note_names_ids_of_inputs_that_hold_several_items(folder, line):
    rows = [(f"i{n}", f"p{n // 3}", s, (n * 7 + len(s)) % 5) for n in range(30) for s in ("v1", "other")]
    write_table("t.csv", ("item", "prompt_id", "system", "score"), rows)
    told = typed(line)
    assert "olumn 'prompt_id' groups items. If outputs of one group are rated alike" in told.err + told.out
    single = [(item, item, *others) for item, _, *others in rows]
    write_table("t.csv", ("item", "prompt_id", "system", "score"), single)
    told = typed(line)
    assert "groups items" not in told.err + told.out


def test_if_nothing_tells_which_part_holds_items_together_both_are_named(tables):
    told = typed(f"human-score --ratings ratings.csv {BOTH}")
    assert "if items of one 'part', or of one 'seg', are rated alike, name this column (--cluster-column)" in told.err
    assert "clusters" not in told.out


def test_a_blank_part_is_no_item(folder):
    write_table("scores.csv", ("part", "seg", "system", "score"), [("a", "", s, n) for n in range(6) for s in "xy"])
    told = typed(f"compare --scores scores.csv {BOTH}", 1).err
    assert "scores.csv:2: there is nothing in column 'part + seg' (--item-column)" in told
