"""Test sets of translations in XML as tables: a row for each output, numbered in its document."""

import pytest
from refusals import refused
from text_files import write

from referenceless_metrics import look
from referenceless_metrics.core.files.test_sets import test_set_rows as rows_of

HEAD = "<?xml version='1.0' encoding='utf-8'?>\n"


def segments(*texts):
    return "<p>" + "".join(f'<seg id="{n}">{text}</seg>' for n, text in enumerate(texts, 1)) + "</p>"


def document(name, *, systems=("A", "B"), references=("refA",), n=2):
    of_references = (
        f'<ref lang="en" translator="{each}">{segments(*[f"{name} {each} {i}" for i in range(n)])}</ref>'
        for each in references
    )
    outputs = (
        f'<hyp system="{each}" language="en">{segments(*[f"{name} by {each} {i}" for i in range(n)])}</hyp>'
        for each in systems
    )
    source = f'<src lang="de">{segments(*[f"Satz {i} &amp; mehr von {name}" for i in range(n)])}</src>'
    return f'<doc id="{name}" domain="news">{source}{"".join(of_references)}{"".join(outputs)}</doc>'


def test_set(*documents):
    return f'{HEAD}<dataset id="wmt"><collection id="general">{"".join(documents)}</collection></dataset>\n'


def test_each_output_has_a_row_with_source_and_reference():
    rows = rows_of(test_set(document("a"), document("b")), "x.xml")
    assert len(rows) == 8
    assert rows[0] == {
        "document": "a",
        "domain": "news",
        "segment": "a#1",
        "source": "Satz 0 & mehr von a",
        "reference": "a refA 0",
        "system": "A",
        "text": "a by A 0",
    }
    assert [row["segment"] for row in rows if row["system"] == "B"] == ["a#1", "a#2", "b#1", "b#2"]


def test_references_of_several_translators_have_a_column_each():
    (first, *_) = rows_of(test_set(document("a", references=("refA", "refB"))), "x.xml")
    assert (first["reference refA"], first["reference refB"]) == ("a refA 0", "a refB 0")


def test_a_set_without_outputs_has_a_row_for_each_source():
    rows = rows_of(test_set(document("a", systems=())), "x.xml")
    assert [(row["segment"], row["source"]) for row in rows] == [
        ("a#1", "Satz 0 & mehr von a"),
        ("a#2", "Satz 1 & mehr von a"),
    ]
    assert "text" not in rows[0]


def test_a_segment_that_a_system_lacks_is_missing():
    short = document("a").replace('<seg id="2">a by B 1</seg>', "")
    assert rows_of(test_set(short), "x.xml")[-1]["text"] is None


def test_other_xml_damaged_xml_and_entities_are_refused():
    with refused("it is XML, but no test set.*as a table with a row for each"):
        rows_of(f"{HEAD}<all><one rank='1'/></all>", "x.xml")
    with refused("x.xml:2: not XML"):
        rows_of(f"{HEAD}<dataset><doc>", "x.xml")
    with refused("declares entities"):
        rows_of('<!DOCTYPE a [<!ENTITY b "c">]><dataset/>', "x.xml")


@pytest.mark.parametrize("name", ["wmt.xml", "wmt"])
def test_look_proposes_to_compare_its_systems_by_the_reference(folder, name):
    write(name, test_set(*(document(f"news.{n}") for n in range(12))))
    found = look(name)
    assert {column.name: column.part for column in found.columns} == {
        "document": "cluster",
        "domain": "slice",
        "segment": "item",
        "source": "source",
        "reference": "reference",
        "system": "system",
        "text": "text",
    }
    assert found.commands[0] == (
        f"referenceless compare {name} --system-column system --item-column segment --cluster-column document "
        "--reference-columns reference --metric bleu --metric chrf"
    )
    assert found.n_rows == 48
