"""Outputs, and ratings of their items in another file: one line reports on both, and it runs."""

import pytest
from command_lines import typed
from text_files import read, write, write_table

from referenceless_metrics import look
from referenceless_metrics.advice.look.together.joint import joint_lines

pytestmark = pytest.mark.filterwarnings("ignore")

N = 30
SYSTEMS = ("base", "ours")


def text(n, system):
    return f"The {system} cat number {n} sat down by the door of room {n * 7 % 11}."


@pytest.fixture(autouse=True)
def files(folder):
    write_table("wide.csv", ["id", *SYSTEMS], [(f"i{n}", *(text(n, s) for s in SYSTEMS)) for n in range(N)])
    write_table("long.csv", ["id", "system", "output"], [(f"i{n}", s, text(n, s)) for s in SYSTEMS for n in range(N)])
    for system in SYSTEMS:
        write_table(f"{system}.csv", ["id", "output"], [(f"i{n}", text(n, system)) for n in range(N)])
    rated = [
        (f"i{n}", s, who, 1 + (n + at) % 5, 1 + (n * 3 + at + len(who)) % 5)
        for n in range(0, N, 2)
        for at, s in enumerate(SYSTEMS)
        for who in ("ann", "bert")
    ]
    columns = ["id", "system", "annotator", "fluency", "adequacy"]
    write_table("ratings.csv", columns, rated)
    write_table("others.csv", columns, [(f"x{item}", *further) for item, *further in rated])
    write_table("of_others.csv", columns, [(item, f"{system}2", *further) for item, system, *further in rated])


@pytest.mark.parametrize("outputs", ["wide.csv", "long.csv", "base.csv ours.csv"])
def test_outputs_and_ratings_of_their_items_are_reported_on_together(outputs):
    (line,) = joint_lines([look(name) for name in (*outputs.split(), "ratings.csv")])
    assert line.startswith(f"referenceless report {outputs} ")
    criteria = "--rating-column fluency --rating-column adequacy --columns-are criteria --rater-column annotator"
    assert line.endswith(f" --item-column id --ratings ratings.csv {criteria} -o report.html")
    typed(f"{line.removeprefix('referenceless ')} --metric fluency_ngram")
    assert "adequacy" in read("report.html")


@pytest.mark.parametrize("ratings", ["others.csv", "of_others.csv"])
def test_ratings_of_other_items_or_systems_have_no_such_line(ratings):
    assert joint_lines([look("wide.csv"), look(ratings)]) == []


def test_scores_in_a_file_for_each_rated_system_are_held_against_the_ratings():
    for at, system in enumerate(SYSTEMS):
        rows = [(f"i{n}", text(n, system), (n * 7 + at) % 11 / 7) for n in range(N)]
        write_table(f"{system}.csv", ["id", "output", "judge_score"], rows)
    *lines, of_outputs = joint_lines([look(name) for name in ("base.csv", "ours.csv", "ratings.csv")])
    assert [line.split()[1] for line in lines] == ["compare", "evaluate"]
    assert of_outputs.startswith("referenceless report base.csv ours.csv ")
    for line in lines:
        assert "--scores base.csv --scores ours.csv --ratings ratings.csv" in line
        assert "on 30 " in typed(line.removeprefix("referenceless ")).out
    both = "--rating-column fluency --rating-column adequacy --columns-are criteria"
    assert [both in line for line in lines] == [False, True]  # `compare` takes one criterion
    of_others = joint_lines([look(name) for name in ("base.csv", "ours.csv", "of_others.csv")])
    assert not any("--ratings" in line for line in of_others)
    assert joint_lines([look("base.csv"), look("ratings.csv")]) == []


def test_criteria_share_a_line_since_p_is_corrected_for_all_of_them():
    both = "--rating-column fluency --rating-column adequacy --columns-are criteria"
    commands = look("ratings.csv").commands
    assert [line.split()[1] for line in commands] == ["human-score", "agreement"]
    for line in commands:
        assert f" {both} --item-column id --rater-column annotator" in line
        typed(line.removeprefix("referenceless "))


def test_ratings_by_numbers_of_lines_are_reported_on_beside_files_of_lines():
    for system in SYSTEMS:
        write(f"{system}.txt", [text(n, system) for n in range(N)])
    write("triples.txt", [f"There is a cat with number {n}, and a door of room {n * 7 % 11}." for n in range(N)])
    rated = [(n + 1, s, 1 + (n + at) % 5) for n in range(0, N, 2) for at, s in enumerate(SYSTEMS)]
    write_table("lines.csv", ["item", "system", "fluency"], rated)
    lines = joint_lines([look(name) for name in ("base.txt", "ours.txt", "triples.txt", "lines.csv")])
    assert lines[0] == "referenceless compare base.txt ours.txt --sources triples.txt"
    assert lines[1].startswith("referenceless report base.txt ours.txt --sources triples.txt --item-column item ")
    typed(f"{lines[1].removeprefix('referenceless ')} --metric fluency_ngram")
    assert f"{N // 2} items" in read("report.html")


@pytest.fixture
def of_three():
    """Outputs of three systems, one of which is called as a source, and ratings of them."""
    called = ("base", "ours", "knowledge")
    rows = [(f"i{n}", f"What did the cat number {n} do by the door?", *(text(n, s) for s in called)) for n in range(N)]
    write_table("three.csv", ["id", "context", *called], rows)
    rated = [
        (f"i{n}", s, who, 1 + (n * 3 + at + len(who)) % 5)
        for n in range(0, N, 2)
        for at, s in enumerate(called)
        for who in ("ann", "bert")
    ]
    write_table("rated.csv", ["id", "system", "annotator", "fluency"], rated)


@pytest.mark.usefixtures("of_three")
def test_a_column_that_is_called_as_a_source_is_a_rated_system_if_the_ratings_say_so():
    told = typed("look three.csv rated.csv").out
    lines = [line for line in told.splitlines() if line.startswith("referenceless ") and " three.csv " in line]
    assert {line.split()[1] for line in lines} == {"compare", "report", "sample"}
    assert all("--text-column base --text-column ours --text-column knowledge" in line for line in lines)


@pytest.mark.usefixtures("of_three")
def test_a_report_shows_what_outputs_were_made_from_and_hands_it_on_to_raters():
    told = typed("look three.csv rated.csv").out
    (line,) = [line for line in told.splitlines() if line.startswith("referenceless report ")]
    assert " --source-column context " in line
    typed(f"{line.removeprefix('referenceless ')} --metric fluency_ngram")
    page = read("report.html")
    assert "What did the cat number 7 do by the door?" in page
    assert "referenceless sample three.csv " in page
    assert " --source-column context -n " in page
    assert "foretells rests on public judgements, and the sentence above on these ratings" in page


def test_scores_of_metrics_side_by_side_are_held_against_ratings_together():
    header = ["id", "system", "output", "fluency", "unknown_share", "bleu", "chrf"]
    rows = [
        (f"i{n}", s, text(n, s), (n * 7 + at) % 11 / 7 - 1.25, n % 3 / 7, (n * 5 + at) % 13 + 0.5, (n + at) % 17 + 0.5)
        for at, s in enumerate(SYSTEMS)
        for n in range(N)
    ]
    write_table("scores.csv", header, rows)
    lines = joint_lines([look("scores.csv"), look("ratings.csv")])
    (line,) = [line for line in lines if line.split()[1] == "evaluate"]
    assert " --score-column fluency --score-column bleu --score-column chrf --item-column id " in line
    assert "chrf" in typed(line.removeprefix("referenceless ")).out


def test_ratings_without_texts_are_sent_to_report_by_human_score():
    beside = "--ratings ratings.csv --rating-column fluency --rater-column annotator --item-column id"
    told = " ".join(typed(f"human-score wide.csv --text-column base --text-column ours {beside}", 1).err.split())
    assert "leave out the systems' files; `referenceless report` finds outputs by item and system, too" in told


@pytest.mark.usefixtures("of_three")
def test_ratings_of_a_system_without_outputs_are_said_to_be_left_out():
    beside = "--ratings rated.csv --rating-column fluency --rater-column annotator --item-column id"
    for systems in ("base ours", "base ours knowledge"):
        columns = " ".join(f"--text-column {name}" for name in systems.split())
        typed(f"report three.csv {columns} {beside} --metric fluency_ngram -o report.html")
        told = "left out: 30 ratings of systems without outputs here: knowledge; give their outputs, too"
        assert (told in read("report.html")) == ("knowledge" not in systems)
