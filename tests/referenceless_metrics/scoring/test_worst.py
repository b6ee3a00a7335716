"""`score --worst N`: the lowest scores first, in every format, with the columns of the file and the faults."""

import json

import pytest
from command_lines import done, invoke, typed
from text_files import read, write

TEXTS = [
    "The council approved the plan after a short debate.",
    "He go to school yesterday and eat lunch.",
    "",
    "People should to work more for get money.",
    "The informations was gived to all the student.",
]


@pytest.fixture
def file(folder):
    write("t.txt", TEXTS)
    return folder / "t.txt"


def test_the_worst_come_first_and_abstentions_are_counted(file):
    told = typed("score t.txt --worst 2").out
    numbers = [line.split()[0] for line in told.splitlines() if line[:6].strip().isdigit()]
    assert numbers[:2] == ["5", "4"]  # lines of the file
    assert told.startswith("The 2 lowest scores of 4, the worst first.\n")
    assert "fault" in told
    assert "over 4 of 5 texts" in told
    assert "without a value: 1 empty text" in told
    left_out = "1 of 5 texts without a score, 1 of them empty, are not here: without --worst all have a reason"
    assert left_out in told
    assert left_out in typed("score t.txt --worst 2 -f csv").err
    assert "scale: 0 is the mean of edited prose" in told


def test_a_text_that_repeats_stands_once_in_a_table(folder):
    write("t.txt", ["He go home.", TEXTS[0], "He go home.", "It sat.", "He go home."])
    told = typed("score t.txt --worst 2 --metric slor").out
    assert told.startswith(
        "The 4 lowest scores of 5, the worst first; a text that repeats stands once, with ×2 for twice."
    )
    rows = [line.split() for line in told.splitlines() if line[:6].strip().isdigit()]
    assert sorted(row[:2] for row in rows) == [["1", "×3"], ["4", "It"]]
    assert len(json.loads(typed("score t.txt --worst 2 --metric slor -f json").out)["rows"]) == 2


def test_a_table_shows_what_mends_a_fault_and_what_lines_are(file):
    told = typed("score t.txt --worst 2").out
    assert "better: the text after the best small edit of one word, which need not correct it" in told
    assert "line: the number" not in told  # of the texts themselves
    better = json.loads(typed("score t.txt --worst 2 -f json").out)["rows"][0]["better"]
    assert " ".join(better.split()[:3]) in " ".join(told.split())
    write("t.csv", ["text,topic", *(f'"{text}",x' for text in read("t.txt").splitlines() if text)])
    assert "line: the number in the file, whose header, if it has one, is line 1" in typed("score t.csv --worst 2").out
    assert "better" in typed("score t.txt --explain").out


@pytest.mark.parametrize("suffix, first", [("csv", "5,The"), ("html", "informations"), ("tex", "5 & The informations")])
def test_every_format_has_the_worst_alone(file, suffix, first):
    done(f"score t.txt --worst 1 -o w.{suffix}")
    written = read(f"w.{suffix}")
    assert first in written
    assert "He go to school" not in written


def test_json_lines_have_the_columns_of_the_metric_and_of_the_explanation(file):
    done("score t.txt --worst 9 -o w.jsonl")
    rows = [json.loads(line) for line in read("w.jsonl").splitlines()]
    assert [row["line"] for row in rows[:2]] == [5, 4]
    assert len(rows) == 4
    assert [row["fluency"] for row in rows] == sorted(row["fluency"] for row in rows)
    assert {"text", "worst", "fault", "better", "costliest"} <= rows[0].keys()


def test_a_metric_that_names_no_faults_shows_text_and_score(file):
    told = typed("score t.txt --worst 1 --metric slor").out
    assert "fault" not in told
    assert "scale:" not in told


def test_a_metric_that_explains_one_text_at_a_time_shows_text_and_score(file, monkeypatch):
    # as `QualityEstimator.explain` does
    monkeypatch.setattr("slor_metric.estimator.SLOR.explain", lambda self, text: text.strip(), raising=False)
    told = typed("score t.txt --worst 2 --metric slor").out
    assert told.startswith("The 2 lowest scores of 4, the worst first.\n")
    assert "fault" not in told
    refusal = invoke("score t.txt --metric slor --explain")
    assert (refusal.exit_code, "--explain needs --metric fluency" in refusal.output) == (2, True)


def test_nothing_is_the_worst_where_nothing_has_a_score(folder):
    write("t.txt", ["", ""])
    assert typed("score t.txt --worst 3").out.startswith("No text has a score.\n")


def test_worst_does_not_go_on_with_a_run(file):
    refusal = invoke("score t.txt --worst 3 --resume -o w.csv")
    assert (refusal.exit_code, "no --resume" in refusal.output) == (2, True)


def test_an_explanation_says_of_how_many_texts_no_fault_is_named(file):
    faults = [row["fault"] for row in json.loads(typed("score t.txt --worst 9 -f json").out)["rows"]]
    said = f"no fault is named in {faults.count('')} of 4; the underlined word costs most and need not be the error"
    assert said in typed("score t.txt --explain").out


def test_a_table_wraps_texts_and_cuts_none(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    long = "The informations about the new timetable was gived to all the student on a rainy Monday in November."
    write("t.csv", ["doc,seg,topic,text", f"news,3,x,{long}", "news,4,y,The council approved the plan."])
    told = typed("score t.csv --worst 1").out
    table = told.split("\n\n")[1]
    assert max(map(len, table.splitlines())) <= 80 + 20  # marks below letters take no column
    assert "…" not in told
    shown = "".join(letter for letter in " ".join(table.split()) if letter != "\u0332")
    for word in long.split():
        assert word in shown
    head = table.splitlines()[0].split()
    assert head[:4] == ["line", "doc", "seg", "text"]
    assert "topic" not in head


def test_the_column_of_ids_that_is_named_stands_alone(folder):
    write("t.csv", ["doc,seg,topic,text", "news,3,x,He go home.", "news,4,y,The council approved the plan."])
    head = typed("score t.csv --worst 1 --id-column topic").out.splitlines()[2].split()
    assert head[:3] == ["line", "topic", "text"]


@pytest.mark.parametrize(("name", "way"), [("chrf", "lowest"), ("ter", "highest")])
def test_the_worst_may_be_chosen_by_a_metric_with_references(name, way, folder):
    texts = [f"The council of town {n} approved the plan after a short debate." for n in range(6)]
    write("t.txt", texts)
    write("r.txt", [text if n != 2 else "Nobody knows why it rains." for n, text in enumerate(texts)])
    told = typed(f"score t.txt --references r.txt --with bleu,{name} --worst 2 --worst-by {name.upper()}").out
    assert told.startswith(f"The 2 {way} scores of 6 by {name}, the worst first.")
    rows = json.loads(typed(f"score t.txt --references r.txt --with {name} --worst 2 --worst-by {name} -f json").out)
    assert [row["text"] for row in rows["rows"]] == [texts[2], texts[0]]
    err = typed("score t.txt --references r.txt --with bleu --worst 2 --worst-by chrf", 2).err
    assert "--worst-by chrf: --worst N chooses by a metric of --with" in err
