"""Preferences between two texts whose systems nothing names: raters agree on texts, whichever place these had."""

import json

from command_lines import done
from text_files import write_table

TEXTS = [(f"The cat number {n} sat down.", f"A cat of number {n} was sitting.") for n in range(6)]


def _table():
    """Ann and Bob see each pair in other orders, and prefer the same text of all pairs but the last."""
    rows = []
    for n, (first, second) in enumerate(TEXTS):
        is_first = n % 2 == 0
        rows.append((f"a{n}", "Say it.", first, second, "A" if is_first else "B", "ann"))
        rows.append((f"b{n}", "Say it.", second, first, "B" if is_first != (n == 5) else "A", "bob"))
    write_table("pairs.csv", ["example_id", "prompt", "response_a", "response_b", "preferred", "annotator_id"], rows)


def test_agreement_is_of_texts_and_not_of_places(folder):
    _table()
    for item in ("", " --item-column prompt"):
        found = done(f"agreement pairs.csv --preference-column preferred{item} -f json").stdout
        content = json.loads(found)
        assert (content["outputs"], content["shared"]) == (6, 6)
        assert "Both gave the same answer to 5 of 6 pairs of outputs (83.3%)." in content["findings"]
    told = done("agreement pairs.csv --preference-column preferred").output
    assert "6 of 6 pairs of outputs were rated by two raters or more." in told


def test_places_are_compared_as_they_stood(folder):
    _table()
    out = done("human-score --ratings pairs.csv --preference-column preferred -f json").stdout
    [row] = json.loads(out)["rows"]
    assert {row["wins"], row["losses"]} == {5, 7}
    assert row["items"] == 12
    assert "referenceless agreement pairs.csv" in done("look pairs.csv").output
