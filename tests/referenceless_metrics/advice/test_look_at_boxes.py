"""Check boxes of raters in a column per system and rater, beside a column per system with its texts."""

import pytest
from command_lines import as_json
from text_files import write_table

from referenceless_metrics import look

SYSTEMS = {"Lead-3": 5, "mBART": 2, "GPT-4o": 4}
N = 20


def test_boxes_beside_texts_are_of_the_systems_that_the_texts_are_called_after(folder):
    """True and false are answers, and no names that stand now in one column and now in another."""
    texts = [f"Summary {name}" for name in SYSTEMS]
    boxes = [f"error-free {name} ({rater})" for name in SYSTEMS for rater in ("Lena", "Marek")]
    rows = [
        (
            n,
            f"The council of town {n} met to talk of bridge {n}.",
            *(f"Town {n} has a bridge, {name} says." for name in SYSTEMS),
            *(str((n + late) % 6 < good) for good in SYSTEMS.values() for late in (0, n % 5 == 0)),
        )
        for n in range(1, N + 1)
    ]
    write_table("t.csv", ["No.", "Article", *texts, *boxes], rows)
    found = look("t.csv")
    parts = {column.name: column.part for column in found.columns}
    assert (parts["key"], parts["Article"]) == ("system", "source")
    assert [name for name, part in parts.items() if part == "rating of a rater"] == [
        "error-free_(Lena)",
        "error-free_(Marek)",
    ]
    first = found.commands[0]
    assert first.startswith("referenceless human-score ")
    means = {
        row["system"]: row["mean"] for row in as_json(first.removeprefix("referenceless "))["rows"] if not row["less"]
    }
    shares = {name: [row[5 + 2 * at + late] for row in rows for late in (0, 1)] for at, name in enumerate(SYSTEMS)}
    assert means == pytest.approx({name: cells.count("True") / len(cells) for name, cells in shares.items()})
    assert any(line.startswith("referenceless agreement ") for line in found.commands)
