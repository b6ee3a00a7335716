"""Options that a command lacks: the one that was meant is named, or the commands that have it, and nothing unlike."""

import pytest
from command_lines import typed


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "score a.txt --bad '<-2'",
            "No such option: --bad; `referenceless filter FILE --keep 'METRIC > LIMIT' --dropped BAD.jsonl` sets bad "
            "texts apart.",
        ),
        ("compare a.txt b.txt --fail-if", "No such option: --fail-if; did you mean --fail-if-worse? Without --metric"),
        ("compare a.txt b.txt --gate", "No such option: --gate. Without --metric"),
        ("score a.txt --txt-column x", "No such option: --txt-column; did you mean --text-column? Without"),
        ("human-score --rating a.csv", "No such option: --rating; did you mean --ratings or --rating-column? W"),
        ("rate study --host x", "No such option: --host; `referenceless app` and `referenceless serve` have it."),
        (
            "report a.txt b.txt --metric slor --unpaired -o x.html",
            "have it, and this line is read: `referenceless compare a.txt b.txt --metric slor --unpaired -o x.html`.",
        ),
        ("report a.txt b.txt --metric slor --unpaired --foo", "`referenceless human-score` have it."),
        (
            "evaluate --metric slor a.csv --ratings b.csv",
            "`referenceless score OUTPUTS --metric NAME -o SYSTEM.csv` for each system (--text-column names its "
            "column), then `referenceless evaluate --scores SYSTEM.csv --ratings RATINGS` with a --scores for each.",
        ),
        ("evaluate --scores a.csv --ratings b.csv --metric slor", "with --scores no metric is asked: leave it out"),
        ("study describe study --foo", "No such option: --foo."),
    ],
)
def test_an_unknown_option_is_explained(folder, line, message):
    for name in ("a.csv", "b.csv"):
        (folder / name).write_text("text,rating\n")
    assert message in " ".join(typed(line, 2).err.split())


def test_of_many_commands_three_are_named():
    told = " ".join(typed("agreement a.csv --metric slor", 2).err.split())
    assert told.count("`") == 6
    assert " more have it." in told
