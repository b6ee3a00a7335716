"""Which way scores are better: by their own name, by that of their files, by their rows; else the output says it."""

import json

import pytest
from command_lines import done, typed
from text_files import write, write_table

GOOD, BAD = "aya", "nllb"


def _saved(name, system, more=None):
    rows = [
        {"item": n, "prediction": (n * 7 % 5) / 9 + (1.5 + n % 3 / 9 if system == BAD else 0), **(more or {})}
        for n in range(20)
    ]
    write(name, "\n".join(map(json.dumps, rows)))


@pytest.mark.parametrize(
    "ending, more, lower",
    [
        (".metricx.jsonl", {}, True),
        (".jsonl", {"metric": "metricx-24-hybrid"}, True),
        (".comet.jsonl", {}, False),
        (".jsonl", {}, False),
    ],
)
def test_a_file_or_its_rows_tell_the_direction_of_a_plain_score(folder, ending, more, lower):
    for system in (GOOD, BAD):
        _saved(f"{system}{ending}", system, more)
    told = done(f"compare --scores {GOOD}{ending} --scores {BAD}{ending} --score-column prediction").output
    assert ("By prediction (lower is better), nllb" in told) == lower
    assert ("scores higher (worse) than aya" in told) == lower
    said = "Higher prediction counts as better: if lower is, say --lower-is-better prediction."
    assert (said in " ".join(told.split())) == (not lower)


@pytest.mark.parametrize(
    ("name", "lower"), [("poor_share", True), ("is_bad", True), ("n_faults", True), ("gain", False)]
)
def test_a_gate_on_bad_ones_fails_if_they_grow_and_says_which_way_it_took_others(folder, name, lower):
    rows = [(n, system, float(n % 4 == 0 or (system == "b" and n % 2 == 0))) for n in range(80) for system in "ab"]
    write_table("shares.csv", ["item", "system", name], rows)
    told = typed(f"compare --scores shares.csv --score-column {name} --fail-if-worse", 1 if lower else 0).err
    assert (f"lower {name} counts as better, as its name tells" in told) == lower
    assert ("Higher gain counts as better: if lower is, say --lower-is-better gain." in told) != lower


def test_scores_whose_direction_nothing_tells_are_named_as_the_only_such_ones(folder):
    rows = [(n, system, n % 5, n % 4, n % 3 + (system == "b")) for n in range(20) for system in "ab"]
    write_table("scores.csv", ["item", "system", "gain", "reach", "fluency"], rows)
    options = "--score-column gain --score-column reach --score-column fluency"
    told = " ".join(done(f"compare --scores scores.csv {options}").output.split())
    said = "Nothing tells the direction of gain and reach: higher counts as better; if lower is, say"
    assert f"{said} --lower-is-better gain." in told


def test_look_proposes_no_learning_from_an_error(folder):
    rows = [
        {"source": f"The cat {n} sat.", "hypothesis": f"Die Katze {n} sitzt da.", "prediction": n / 7}
        for n in range(40)
    ]
    write("aya.metricx.jsonl", "\n".join(map(json.dumps, rows)))
    told = done("look aya.metricx.jsonl").output
    assert "--rating-column prediction" not in told
    assert "--score-column prediction --lower-is-better prediction" in " ".join(told.split())
