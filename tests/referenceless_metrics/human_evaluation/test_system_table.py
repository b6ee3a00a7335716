"""Systems' outputs from one table: aligned by item, or by order, and refused if neither is sure."""

import re

import pytest
from command_lines import as_json, typed
from refusals import refused
from text_files import write_table

from referenceless_metrics.core.files.reading import BY_SUFFIX, InputNote
from referenceless_metrics.human_evaluation.system_table import systems_of_one_table


def segments(header, rows, item_column=None, **columns):
    write_table("outputs.csv", header, rows)
    how = {"text_column": "text", "system_column": "system", "item_column": item_column, "reading": BY_SUFFIX}
    return systems_of_one_table("outputs.csv", **how, **columns)


def systems(header, rows, item_column=None):
    return segments(header, rows, item_column).systems


def test_items_that_begin_again_in_each_document_are_told_by_it(folder):
    rows = [(d, n, s, f"{s} {d}{n}") for s in ("base", "ours") for d in "xy" for n in (1, 2)]
    found = segments(["doc", "item", "system", "text"], rows, cluster_column="doc")
    assert found.clusters == ["x", "x", "y", "y"]
    assert found.systems[1] == ("ours", ["ours x1", "ours x2", "ours y1", "ours y2"])
    with refused("second output of item '1'"), pytest.warns(InputNote, match="there is a column 'doc'"):
        segments(["doc", "item", "system", "text"], rows)


def test_by_order_systems_have_the_same_clusters(folder):
    rows = [(d, s, f"{s} {d}{n}") for s in ("base", "ours") for d in "xy" for n in (1, 2)]
    with pytest.warns(InputNote, match="no column of items"):
        found = segments(["doc", "system", "text"], rows, cluster_column="doc")
    assert found.clusters == ["x", "x", "y", "y"]
    with pytest.warns(InputNote, match="no column of items"), refused("outputs of ours lie in other clusters"):
        segments(["doc", "system", "text"], [*rows[:4], *rows[:3:-1]], cluster_column="doc")


def test_outputs_are_aligned_by_item(folder):
    rows = [("1", "base", "b1"), ("2", "base", "b2"), ("2", "ours", "o2"), ("1", "ours", "o1")]
    assert systems(["item", "system", "text"], rows) == [("base", ["b1", "b2"]), ("ours", ["o1", "o2"])]
    with refused("base and ours have outputs of other items, such as '2'.*compare --unpaired"):
        systems(["item", "system", "text"], rows[:2] + rows[3:])
    with refused(r"outputs\.csv:6: system 'ours' has a second output of item '1'"):
        systems(["item", "system", "text"], [*rows, rows[3]])


def test_without_items_the_order_is_told(folder):
    rows = [("base", "b1"), ("ours", "o1"), ("base", "b2"), ("ours", "o2")]
    with pytest.warns(InputNote, match="the n-th output of each system is of item n"):
        assert systems(["system", "text"], rows) == [("base", ["b1", "b2"]), ("ours", ["o1", "o2"])]
    with refused(r"different numbers of outputs \(base 2, ours 1\).*compare --unpaired"):
        systems(["system", "text"], rows[:-1])
    with refused(r"outputs\.csv:3: there is nothing in column 'system'"):
        systems(["system", "text"], [rows[0], ("", "x")])


def test_outputs_of_one_item_with_different_sources_are_told(folder):
    """A column that is alike in all rows of a system, such as its instruction, is no source."""
    rows = [(n, s, f"Prompt {(n + (s == 'ours')) % 3}.", s, f"{s} {n}") for s in ("base", "ours") for n in range(12)]
    header = ["item", "system", "prompt", "context", "text"]
    told = (
        "outputs of one item have different sources: column 'prompt' differs for 12 of 12 items; `compare --unpaired`"
    )
    with pytest.warns(InputNote, match=told):
        found = segments(header, rows)
    assert found.condition.startswith("If outputs of one item are of the same input (column 'prompt' differs for 12 of")
    out = typed("compare outputs.csv --system-column system --metric wpslor --n-samples 20").out
    assert "For the paper: If outputs of one item are of the same input (column 'prompt' differs" in out
    assert segments(header, [(n, s, f"Prompt {n}.", *others) for n, s, _, *others in rows]).condition == ""


def test_compare_takes_one_table(folder):
    texts = [f"The cat number {number} sat on the mat." for number in range(12)]
    rows = [(n, system, text) for n, text in enumerate(texts) for system in ("base", "ours")]
    write_table("outputs.csv", ["item", "model", "text"], rows)
    content = as_json("compare outputs.csv --system-column model --metric wpslor --n-samples 50")
    assert [row["system"] for row in content["rows"]] == ["base", "ours"]
    assert "name their column by --system-column" in typed("compare outputs.csv --metric wpslor", 2).err


def test_compare_takes_a_column_per_system(folder):
    rows = [(f"The cat {n} sat on the mat.", f"Mat the {n} on sat cat the.") for n in range(12)]
    write_table("wide.csv", ["base", "ours"], rows)
    for name, texts in zip(("base", "ours"), zip(*rows, strict=True), strict=True):
        (folder / f"{name}.txt").write_text("\n".join(texts) + "\n")
    how = "--metric wpslor --n-samples 50"
    wide = as_json(f"compare wide.csv --text-column base --text-column ours {how}")
    assert wide["rows"] == as_json(f"compare base.txt ours.txt {how}")["rows"]
    assert [row["system"] for row in wide["rows"]] == ["base", "ours"]
    typed(f"report wide.csv --text-column base --text-column ours {how} -o page.html", 0)
    page = (folder / "page.html").read_text()
    assert "Mat the 3 on sat cat the." in page


def test_columns_of_systems_that_do_not_fit_are_refused(folder):
    write_table("wide.csv", ["base", "ours"], [("A cat sat.", "A dog sat.")] * 3)
    columns = "--text-column base --text-column ours"
    assert "are for one table with a column" in typed(f"compare wide.csv wide.csv {columns}", 2).err
    assert "give either --system-column" in typed(f"compare wide.csv {columns} --system-column base", 2).err
    assert "names 'base' twice" in typed("compare wide.csv --text-column base --text-column base", 1).err
    told = " ".join(typed(f"score wide.csv {columns} --metric fluency_ngram", 2).err.split())
    assert "--text-column takes one value here, and is given 2 times (`" in told
    assert re.search(r"\(`referenceless compare`, [^)]* take several\); run the command once", told)
    once = "run the command once for each, with an -o of its own, as `"
    assert once in told
    assert "score wide.csv --text-column base --metric fluency_ngram`" in told


def test_outputs_of_several_systems_are_compared_as_those_of_each(folder):
    rows = [("1", "a b", "x"), ("1", "c", "y"), ("2", "a", "x"), ("2", "b c", "z"), ("3", "b", "w"), ("3", "c a", "v")]
    with pytest.warns(InputNote, match="3 rows name several in column 'system', such as 'a b'"):
        found = systems(["item", "system", "text"], rows)
    assert found == [("a", ["x", "x", "v"]), ("b", ["x", "z", "w"]), ("c", ["y", "z", "v"])]
