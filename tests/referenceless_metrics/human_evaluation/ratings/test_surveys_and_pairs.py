"""Surveys with a key to their questions, sheets of several raters, and logs of judges that compare answers."""

import json
import re
import subprocess

import pytest
from command_lines import done, invoke
from refusals import refused
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.number_words import parse_values
from referenceless_metrics.core.files.reading import InputNote, Reading
from referenceless_metrics.core.files.scales_in_words import usual_scale
from referenceless_metrics.core.files.text_io import read_texts
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows
from referenceless_metrics.human_evaluation.ratings.exports.questions import numbers_of_questions
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

pytestmark = pytest.mark.filterwarnings("ignore")

OUTPUTS = [(item, system) for item in range(10) for system in ("base", "ours")]


def key_of(names, path):
    rows = [f"{name},{system},i{item},fluency\n" for name, (item, system) in zip(names, OUTPUTS, strict=True)]
    path.write_text("question,system,item,criterion\n" + "".join(rows))
    return str(path)


def answer(person, place):
    return 1 + (person + place * 3) % 5


SURVEYS = {
    "plain.csv": (["id", *(f"Fluency_{n}" for n in range(20))], lambda p: [f"p{p}"], 1),
    "forms.csv": (
        ["Timestamp", *(f"How fluent is text {n}?" for n in range(20))],
        lambda p: [f"2024/05/0{p + 1} 9:08"],
        1,
    ),
    "results-survey.csv": (
        ["id. ID", "lastpage. Page", "startlanguage. Language", *(f"Q{n}. How fluent is text {n}?" for n in range(20))],
        lambda p: [str(p), "5", "en"],
        3,
    ),
}


WORDS = ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")
ALIKE = {
    "words": ([f"Q1_{n}" for n in range(20)], lambda p, n: WORDS[answer(p, n) - 1]),
    "brackets": ([f"How fluent is it? [Text {'ABCDEFGHIJKLMNOPQRST'[n]}]" for n in range(20)], answer),
}


@pytest.mark.parametrize("name", ALIKE)
def test_questions_in_words_and_in_brackets_are_a_survey(name, tmp_path):
    questions, cell = ALIKE[name]
    write_table(
        tmp_path / "t.csv", ["Respondent", *questions], [[f"p{p}", *(cell(p, n) for n in range(20))] for p in range(4)]
    )
    assert [line.rpartition(" --")[2] for line in look(tmp_path / "t.csv").commands] == ["questions KEY.csv"] * 2
    key = key_of(questions, tmp_path / "key.csv")
    read = read_rating_rows(str(tmp_path / "t.csv"), Reading(questions=key))
    got = {(row["item"], row["system"], row["rater"]): int(row["rating"]) for row in read.rows}
    assert got == {
        (f"i{item}", system, f"p{p}"): answer(p, n) for n, (item, system) in enumerate(OUTPUTS) for p in range(4)
    }
    ran = invoke(f"agreement {tmp_path / 't.csv'} --questions {tmp_path / 'none.csv'}")
    assert "write it, a table with the columns question,system,item" in ran.output


@pytest.mark.parametrize("name", SURVEYS)
def test_a_key_names_the_system_and_item_of_each_question(name, tmp_path):
    header, about, n_about = SURVEYS[name]
    survey = tmp_path / name
    rows = [[*about(p), *(str(answer(p, n)) for n in range(20))] for p in range(4)]
    survey.write_text("\n".join(",".join(row) for row in [header, *rows]) + "\n")
    asked = [column.split(". ")[0] for column in header[n_about:]]  # of LimeSurvey the code is enough
    key = key_of(asked, tmp_path / "key.csv")
    table = read_rating_rows(str(survey), Reading(questions=key))
    got = {(row["item"], row["system"], str(row["rater"])[-1]): int(row["rating"]) for row in table.rows}
    first = 1 if name == "forms.csv" else 0  # its raters are `response 1` and so on
    assert got == {
        (f"i{item}", system, str(p + first)): answer(p, n) for n, (item, system) in enumerate(OUTPUTS) for p in range(4)
    }
    assert all(line.endswith("--questions KEY.csv") for line in look(str(survey)).commands)
    found = done(f"human-score --ratings {survey} --questions {key} --where criterion=fluency -f csv").stdout
    mean = sum(answer(p, n) for n in range(0, 20, 2) for p in range(4)) / 40
    assert f"base,,10,10,{mean}" in found


def test_a_key_that_does_not_fit_is_refused(tmp_path):
    survey = tmp_path / "s.csv"
    survey.write_text("id,Fluency_1,Fluency_2\na,1,2\n")
    key = tmp_path / "key.csv"
    key.write_text("question,system,item\nFluency_1,a,1\nFluency_9,b,1\n")
    with pytest.raises(InputError, match=r"no question 'Fluency_9'.*did you mean 'Fluency_"):
        read_rating_rows(str(survey), Reading(questions=str(key)))
    key.write_text("question,system,item\nFluency_1,a,1\nFluency_1,b,1\n")
    with pytest.raises(InputError, match="stands twice"):
        read_rating_rows(str(survey), Reading(questions=str(key)))
    key.write_text("question,system\nFluency_1,a\n")
    with pytest.raises(InputError, match="no column 'item'"):
        read_rating_rows(str(survey), Reading(questions=str(key)))


def test_sheets_of_one_header_are_read_together_below_their_titles(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for place, rater in enumerate(("Ann", "Bob")):
        sheet = book.create_sheet(rater)
        for row in [["Round 2"], [], ["ID", "System", "Fluency (1-5)"], *([n, s, 1 + place] for n, s in OUTPUTS)]:
            sheet.append(row)
    path = tmp_path / "t.xlsx"
    book.save(path)
    table = read_rating_rows(str(path), Reading(sheet="*"))
    assert table.columns == ("sheet", "ID", "System", "Fluency (1-5)")
    assert [(row["sheet"], row["Fluency (1-5)"]) for row in table.rows] == [("Ann", 1)] * 20 + [("Bob", 2)] * 20
    assert "the line above the header is a title, 'Round 2'" in " ".join(table.notes)
    book["Bob"]["C3"] = "Adequacy"
    book.save(path)
    with pytest.raises(InputError, match="sheets that are read together have the same columns"):
        read_rating_rows(str(path), Reading(sheet="*"))


def rows_of(path, text):
    path.write_text(text)
    return read_rating_rows(str(path)).rows


def test_judgments_of_mt_bench_are_of_both_orders_and_all_turns(tmp_path):
    """A model wins if both orders name it; an error in one leaves the pair out."""
    verdicts = [
        ("model_1", "model_1"),
        ("model_1", "model_2"),
        ("tie", "model_2"),
        ("error", "model_2"),
        ("tie", "tie"),
    ]
    pair = {"model_1": "x", "model_2": "y", "judge": ["gpt-4", "pair-v2"]}
    lines = [
        {"question_id": 81, "turn": n, "g1_winner": first, "g2_winner": second, **pair}
        for n, (first, second) in enumerate(verdicts)
    ]
    path = write(tmp_path / "gpt-4_pair.jsonl", map(json.dumps, lines))
    table = read_rating_rows(str(path))
    assert [(row["item"], row["preference"]) for row in table.rows] == [
        *(("81/0", "a"), ("81/1", "tie")),
        *(("81/2", "tie"), ("81/4", "tie")),
    ]
    assert {(row["rater"], row["system_a"], row["system_b"]) for row in table.rows} == {("gpt-4", "x", "y")}
    told = " ".join(table.notes)
    assert "2 of 4 pairs have two verdicts" in told
    assert "of 8 verdicts, 4 are for the answer that stood first, 1 for the second, and 3 are ties" in told
    assert "all turns count (--where turn=1 for one)" in told
    assert "left out: 1 pairs without a verdict in both orders" in told


def test_judgments_of_arena_hard_change_places(tmp_path):
    games = [{"score": "A>>B"}, {"score": "A>B"}]
    line = {"question_id": "q", "model": "ours", "judge": "j", "games": games}
    first, second = rows_of(tmp_path / "ours.jsonl", json.dumps(line) + "\n")
    assert [first[name] for name in ("system_a", "system_b", "preference")] == ["baseline", "ours", "a"]
    assert [second[name] for name in ("system_a", "system_b", "preference")] == ["ours", "baseline", "a"]
    assert first["rater"] == second["rater"] == "j"  # so that both orders are one preference
    line["games"] = [{"score": None}, {"score": "B>A"}]
    [only] = rows_of(tmp_path / "ours.jsonl", json.dumps(line) + "\n")
    assert only["preference"] == "b"


def test_columns_of_ranks_may_name_the_systems(tmp_path):
    lines = ["item,judge,rank_1,rank_2,rank_3", "7,j,ours,base,big", "8,j,big,ours,base", "9,j,,ours,base"]
    rows = rows_of(tmp_path / "t.csv", "\n".join(lines) + "\n")
    pairs = [[row[name] for name in ("item", "system_a", "system_b", "preference")] for row in rows]
    ours, big, base = pairs[:3], pairs[3:6], pairs[6:]
    assert [str(item) for item, *_ in (ours[0], big[0], base[0])] == ["7", "8", "9"]
    assert [pair[1:] for pair in ours] == [["ours", "base", "a"], ["ours", "big", "a"], ["base", "big", "a"]]
    assert [pair[1:3] for pair in big] == [["big", "ours"], ["big", "base"], ["ours", "base"]]
    assert [pair[1:] for pair in base] == [["ours", "base", "a"]]


def test_rankings_are_preferences_for_lower_ranks(tmp_path):
    header = "srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank"
    rows = rows_of(tmp_path / "r.csv", f"{header}\n7,j,x,y,z,2,1,2\n8,j,x,y,z,1,-1,3\n")
    got = [(row["item"], row["system_a"], row["system_b"], row["preference"]) for row in rows]
    assert got == [("7", "x", "y", "b"), ("7", "x", "z", "tie"), ("7", "y", "z", "a"), ("8", "x", "z", "a")]


@pytest.mark.parametrize("cells", [(["ours", "big", "base"], ["big", "ours"]), ("ours>big > base", "big > ours")])
def test_orders_of_systems_are_preferences(cells, tmp_path):
    path = write(tmp_path / "t.jsonl", [json.dumps({"id": n, "ranking": cell}) for n, cell in enumerate(cells)])
    told = [
        (row["item"], row["system_a"], row["system_b"], row["preference"]) for row in read_rating_rows(str(path)).rows
    ]
    pairs = [(0, "ours", "big", "a"), (0, "ours", "base", "a"), (0, "big", "base", "a"), (1, "big", "ours", "a")]
    assert told == pairs
    tied = write(tmp_path / "u.jsonl", [json.dumps({"id": 1, "order": "ours > base = big"})])
    assert [row["preference"] for row in read_rating_rows(str(tied)).rows] == ["a", "a", "tie"]
    for other in ([1, 2, 3], "b > a", "a comment > more"):  # numbers tell no order of names, and two are a pair
        path = write(tmp_path / "v.jsonl", [json.dumps({"id": 1, "ranking": other})])
        assert "preference" not in read_rating_rows(str(path)).columns


def test_reviews_hold_the_scores_of_two_answers_and_not_of_two_raters(tmp_path):
    review = {"question_id": 1, "answer1_id": "k", "answer2_id": "f", "reviewer_id": 1, "score": [8.0, 9.0]}
    failed = {**review, "question_id": 2, "score": [-1, -1]}
    text = json.dumps(review) + "\n" + json.dumps(failed) + "\n"
    rows = rows_of(tmp_path / "review_alpaca-13b_vicuna-13b.jsonl", text)
    assert [(row["system"], row["rating"]) for row in rows] == [("alpaca-13b", 8.0), ("vicuna-13b", 9.0)]
    assert rows_of(tmp_path / "t.jsonl", text)[0]["system"] == "answer1"


def test_responses_of_toloka(tmp_path):
    header = [
        "INPUT:text",
        "INPUT:model",
        "OUTPUT:fluency",
        "GOLDEN:fluency",
        "ASSIGNMENT:worker_id",
        "ASSIGNMENT:status",
    ]
    lines = [
        header,
        ["a", "m", "4", "", "w", "APPROVED"],
        ["b", "m", "1", "5", "w", "APPROVED"],
        ["a", "m", "2", "", "v", ""],
    ]
    rows = rows_of(tmp_path / "t.tsv", "".join("\t".join(line) + "\n" for line in lines))
    assert [(row["item"], row["rater"], row["model"], row["rating"]) for row in rows] == [
        (1, "w", "m", "4"),
        (1, "v", "m", "2"),
    ]


def test_what_fairseq_prints_is_no_list_of_texts(tmp_path):
    log = tmp_path / "gen.txt"
    log.write_text("".join(f"S-{n}\ta b\nH-{n}\t-0.1\tc d\nD-{n}\t-0.1\tc d\n" for n in range(9)))
    ran = invoke(f"score {log}")
    assert ran.exit_code == 1
    assert "grep ^D-" in str(ran.exception)
    assert "grep ^T-" not in str(ran.exception)
    assert look(str(log)).shape == "lines that are no texts alone"


@pytest.mark.parametrize("end, says", [(".", "the references: grep ^T-"), (" .", "(T-) are tokenised, as H- are")])
def test_references_in_the_log_of_fairseq_are_told_with_outputs_of_their_form(tmp_path, end, says):
    log = tmp_path / "gen.txt"
    log.write_text("".join(f"T-{n}\tc{end}\nH-{n}\t-0.1\td{end}\nD-{n}\t-0.1\td.\n" for n in range(9)))
    with refused(re.escape(says)):
        read_texts(str(log))


def test_what_comet_score_prints_is_no_list_of_texts(tmp_path):
    log = write(tmp_path / "scores.txt", ["Global seed set to 1", "a.txt\tSegment 0\tscore: 0.5"])
    with refused("referenceless compare --scores"):
        read_texts(str(log))


def test_sgml_of_a_test_set_is_no_list_of_texts_and_the_line_that_takes_them_works(tmp_path):
    """BLEU was computed with the marks as words."""
    segments = ["El ministro anunció el plan.", "El alcalde lo rechazó."]
    marked = [f'<seg id="{n}">{text}</seg>' for n, text in enumerate(segments, 1)]
    head = ['<tstset setid="t" srclang="any" trglang="es">', '<doc sysid="ours" docid="d"><p>']
    file = write(tmp_path / "ours.sgm", [*head, *marked, "</p></doc></tstset>"])
    with refused("it is SGML"):
        read_texts(str(file))
    (note,) = look(str(file)).notes
    subprocess.run(note.partition("the segments: ")[2], shell=True, check=True, cwd=tmp_path)
    assert read_texts(str(tmp_path / "ours.txt")) == segments


SAFE = {"prompt": "p", "response_0": "a b c", "response_1": "d e f", "better_response_id": 1, "safer_response_id": 0}
SOURCES = {"response_0_source": "Alpaca-7B", "response_1_source": "Alpaca3-8B"}
SIDES = {
    "ids": ([SAFE, {**SAFE, "better_response_id": 0}], [("response_0", "b"), ("response_0", "a")]),
    "sources": ([{**SAFE, **SOURCES}, {**SAFE, **SOURCES, "response_1_source": "Alpaca-7B"}], [("Alpaca-7B", "b")]),
    "one and two": (
        [{"output_1": "a", "output_2": "b", "preference": p} for p in (2.0, 1)],
        [("output_1", "b"), ("output_1", "a")],
    ),
    "names": (
        [{"response_a": "a", "response_b": "b", "winner": w} for w in ("response_b", "tie")],
        [("response_a", "b"), ("response_a", "tie")],
    ),
    "relations": (
        [{"response_A": "a b c", "response_B": "d e f", "label": w} for w in ("B>A", "A>>B", "A=B")],
        [("response_A", "b"), ("response_A", "a"), ("response_A", "tie")],
    ),
    "a list of two": (
        [{"summaries": [{"text": "a b c", "policy": s} for s in ("x", "y")], "choice": n} for n in (1, 0)],
        [("x", "b"), ("x", "a")],
    ),
    "winners and losers": (
        [{"prompt_id": n, "winner": w, "loser": o} for n, (w, o) in enumerate(("xy", "yx", "xy"))],
        [("x", "a"), ("y", "a"), ("x", "a")],
    ),
    "better and worse models": (
        [
            {"prompt": f"p{n % 2}", "chosen-model": w, "rejected-model": o}
            for n, (w, o) in enumerate(("xy", "yx", "xy"))
        ],
        [("x", "a"), ("y", "a"), ("x", "a")],
    ),
    "models inside objects": (
        [{"id": n, "chosen": {"model": w}, "rejected": {"model": o}} for n, (w, o) in enumerate(("xy", "yx", "xy"))],
        [("x", "a"), ("y", "a"), ("x", "a")],
    ),
    "annotators": (
        [{"idx": 7, "response1": "a b c", "response2": "d e f", "annotator1": 2, "annotator2": 0, "annotator3": 1}],
        [("response1", "b"), ("response1", "tie"), ("response1", "a")],
    ),
}


@pytest.mark.parametrize("cells", [(-2, 3), (0, 1)])
def test_numbers_whose_direction_nothing_tells_are_asked_for(cells, tmp_path):
    rows = [
        {"response_1": f"a b {n}", "response_2": f"c d {n}", "preference_strength": c} for n in range(20) for c in cells
    ]
    if cells == (0, 1):
        rows = [{name.replace("1", "a").replace("2", "b"): cell for name, cell in row.items()} for row in rows]
    file = write(tmp_path / "pairs.jsonl", map(json.dumps, rows))
    line = f"human-score --ratings {file} --preference-column preference_strength"
    assert "--a-is high" in str(invoke(line).exception)
    low, high = (
        done(command.removeprefix("referenceless ")).stdout for command in sorted(look(str(file)).commands)[::-1]
    )
    assert low != high
    assert "preference" not in rows_of(file, file.read_text())[0]


def test_codes_of_preferences_are_named(tmp_path):
    rows = "".join(f"{n},x,y,{n % 3}\n" for n in range(30))
    file = tmp_path / "p.csv"
    file.write_text("item,system_left,system_right,choice\n" + rows)
    line = look(str(file)).commands[0].removeprefix("referenceless ")
    assert line.endswith("--values 0=SHARE,1=SHARE,2=SHARE")
    told = line.replace("0=SHARE,1=SHARE,2=SHARE", "1=1,2=0,0=0.5")
    assert "x,y,30,10,10,10" in done(f"{told} --baseline y -f csv").stdout
    assert "1 for the first system of a row" in str(invoke(line.partition(" --values")[0]).exception)


def test_ranks_in_a_column_for_each_system_are_preferences(tmp_path):
    text = "item,annotator,rank_x,rank_y\n1,a,1,2\n2,a,2,1\n3,a,1,1\n"
    rows = rows_of(tmp_path / "r.csv", text)
    assert [(row["item"], row["rater"], row["system_a"], row["preference"]) for row in rows] == [
        ("1", "a", "x", "a"),
        ("2", "a", "x", "b"),
        ("3", "a", "x", "tie"),
    ]
    assert "rank_x" in rows_of(tmp_path / "r.csv", text.replace("1,a,1,2", "1,a,5,2"))[0]  # no ranks of two


def test_files_of_one_rater_each(tmp_path):
    for name, shift in (("ann", 0), ("bob", 1)):
        lines = [json.dumps({"text": f"a text {n}", "label": [str(1 + (n + shift * (n % 3)) % 5)]}) for n in range(12)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    found = done(f"agreement {tmp_path / 'ann.jsonl'} {tmp_path / 'bob.jsonl'} --rating-column label -f csv").stdout
    assert [line.split(",")[0] for line in found.splitlines()[1:3]] == ["ann", "bob"]


def test_several_ratings_in_a_cell_and_words_of_several_scales(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("item,system,rating\n" + "".join(f'{n},{s},"{1 + n % 4},2,3"\n' for n in range(12) for s in "ab"))
    mean = sum((1 + n % 4 + 5) / 3 for n in range(12)) / 12
    assert f"a,,12,12,{mean}" in done(f"human-score --ratings {file} -f csv").stdout
    file.write_text("item,r1,r2\n1,yes,agree\n2,no,disagree\n3,no,agree\n")
    line = f"agreement {file} --rating-column r1 --rating-column r2"
    assert "of different scales" in str(invoke(line).exception)


def test_words_of_one_scale_are_read_whatever_columns_are_called(tmp_path):
    words = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")
    rows = [f"{n},{words[n % 5]},{words[(n + n // 5) % 5]}" for n in range(20)]
    file = write(tmp_path / "t.csv", ["item,Q1: fluent,Q2: clear", *rows])
    found = done(f"agreement {file} --rating-column 'Q1: fluent' --rating-column 'Q2: clear' -f csv").stdout
    assert [line.split(",")[0] for line in found.splitlines()[1:3]] == ["Q1: fluent", "Q2: clear"]


def test_pairs_with_a_word_that_names_no_side(tmp_path):
    rows = [{"response_1": f"a b {n}", "response_2": f"c d {n}", "winner": "12"[n % 2]} for n in range(160)]
    rows[140] |= {"winner": "unclear"}
    with pytest.raises(InputError, match="row 141: expected 1 or 2 in column 'winner', got 'unclear'"):
        rows_of(tmp_path / "late.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    early = [*rows[:40], rows[140], *rows[41:60]]  # behind the sample that tells the form: the file is then a table
    assert "preference" not in rows_of(tmp_path / "early.jsonl", "".join(json.dumps(row) + "\n" for row in early))[0]
    sound = [{**row, "winner": "1", "safer_choice": row["winner"]} for row in rows]
    found = rows_of(tmp_path / "other.jsonl", "".join(json.dumps(row) + "\n" for row in sound))
    assert (found[0]["preference"], found[140]["safer_choice"]) == ("a", "unclear")  # a column that is not used


@pytest.mark.parametrize("name", SIDES)
def test_the_better_of_two_texts_in_a_row(name, tmp_path):
    rows, expected = SIDES[name]
    found = rows_of(tmp_path / "pairs.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert [(row["system_a"], row["preference"]) for row in found] == expected


@pytest.mark.parametrize("better", [2, 0.5, "both"])
def test_a_number_that_names_neither_text_is_no_preference(better, tmp_path):
    rows = rows_of(tmp_path / "pairs.jsonl", json.dumps({**SAFE, "better_response_id": better}) + "\n")
    assert "preference" not in rows[0]


def _output(text, rating):
    return {"output": text, "fluency": rating}


KEYED = {
    "fields of a row": (
        lambda n: {"id": f"i{n}", "history": ["a b"], "ours": _output("a b", 1), "base": _output("c d", 2)},
        ["fluency", "item", "key", None, "*"],
    ),
    "fields of an object": (
        lambda n: {"prompt": "p q", "gen": {"ours": _output("a b", 1), "base": _output("c d", 2)}},
        ["fluency", "item", "gen.key", None, "gen"],
    ),
    "in a list, with reviews": (
        lambda n: {
            "id": f"i{n}",
            "questions": [
                {
                    s: {"output": f"a b {s}{q}", "reviews": [{"worker_id": w, "fluency": w} for w in (1, 2)]}
                    for s in ("ours", "base")
                }
                for q in range(2)
            ],
        },
        ["fluency", "item", "key", "worker_id", "questions.*.reviews"],
    ),
    "with the model inside": (
        lambda n: {
            "id": f"i{n}",
            **{
                f"summary {s}": {"text": ["a b.", "c d."], "model": m, "fluency": 3 - s}
                for s, m in enumerate(("ours", "base"))
            },
        },
        ["fluency", "item", "model", None, "*"],
    ),
}


@pytest.mark.parametrize("name", KEYED)
def test_ratings_in_objects_under_the_names_of_systems(name, tmp_path):
    row, (rating, item, system, rater, path) = KEYED[name]
    file = tmp_path / "t.jsonl"
    file.write_text("".join(json.dumps(row(n)) + "\n" for n in range(3)))
    told = {"rating": rating, "item": item, "system": system, "rater": rater}
    options = [f"--{part}-column {column}" for part, column in told.items() if column not in (None, part)]
    line = " ".join(["--ratings", str(file), *options, "--rows-in", f"'{path}'" if "*" in path else path])
    assert f"referenceless human-score {line}" in look(str(file)).commands
    rows = read_rating_rows(str(file), Reading(rows_in=path)).rows
    assert {each[system] for each in rows} == {"ours", "base"}
    assert len({each[item] for each in rows}) == (6 if rater else 3)


@pytest.mark.parametrize("name", ["table.txt", "table.tsv"])
def test_columns_without_names_are_not_guessed_if_several_may_be_ratings(name, tmp_path):
    file = tmp_path / name
    file.write_text("".join(f"{n % 4}\tthe cat sat {n}\ta cat sat {n}\t{n}.5\n" for n in range(30)))
    found = look(str(file))
    assert (found.n_rows, found.commands) == (30, ())
    assert "--columns" in found.notes[0]


def test_meaning_representations_are_no_outputs(tmp_path):
    rows = [[f"inform(name='{n}')", f"the place is called {n}", f"it is called {n}"] for n in range(9)]
    file = tmp_path / "dialogue.json"
    file.write_text(json.dumps(rows))
    assert look(str(file)).commands[0].endswith("--text-column column2 --text-column column3")


LOOKS = {
    "aspects.csv": (
        "original,simplification,original_sentence_id,aspect,worker_id,rating\n"
        + "".join(
            f"the cat sat {n},a cat sat {n},{n},{a},w{w},{w + n}\n" for n in range(9) for a in "mf" for w in (1, 2)
        ),
        "agreement aspects.csv --item-column original_sentence_id --rater-column worker_id --criterion-column aspect",
    ),
    "pairs.csv": (
        "code,system1,system2,best_coh,worst_coh\n" + "".join(f"{n},a,b,{'AB'[n % 2]},A\n" for n in range(9)),
        "human-score --ratings pairs.csv --preference-column best_coh",
    ),
    "nested.jsonl": (
        "".join(
            json.dumps({"instance_id": n, "summarizer_id": s, "metrics": {"rouge-1": {"f1": n / 9}}}) + "\n"
            for n in range(9)
            for s in "ab"
        ),
        "compare --scores nested.jsonl --score-column metrics.rouge-1.f1 --item-column instance_id --system-column",
    ),
    "details.json": (
        json.dumps(
            {"accuracy": 5, "details": {"type": "GEN", **{str(n): {"pred": "A", "correct": True} for n in range(9)}}}
        ),
        "compare --scores details.json --scores OTHER --score-column correct --item-column key",
    ),
    "grades.jsonl": (
        "".join(json.dumps({"question_id": f"q{n}", "grade": "ABC"[n % 3]}) + "\n" for n in range(9)),
        "compare --scores grades.jsonl --scores OTHER --score-column grade --item-column question_id --values A=NUMBER",
    ),
}


@pytest.mark.parametrize("name", LOOKS)
def test_look_tells_parts_by_the_words_of_names(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, command = LOOKS[name]
    (tmp_path / name).write_text(text)
    assert any(line.startswith(f"referenceless {command}") for line in look(name).commands), look(name).commands


def test_numbered_parts_of_an_assignment_by_different_systems_are_of_one_item(tmp_path):
    inputs = [f"Input.{name}{n}" for n in (1, 2) for name in ("system", "text")]
    header = ["HITId", "WorkerId", *inputs, "Answer.fluency1", "Answer.fluency2"]
    text = ",".join(header) + "\n" + "".join(f"H{n},w,a,x {n},b,y {n},1,5\n" for n in range(3))
    rows = rows_of(tmp_path / "t.csv", text)
    assert [(row["item"], row["system"], row["rating"]) for row in rows][:2] == [("H0", "a", "1"), ("H0", "b", "5")]
    text = text.replace(",b,y", ",a,y")
    assert rows_of(tmp_path / "t.csv", text)[1]["item"] == "H0/2"


def sheets_of(tmp_path, names, header, row):
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name in names:
        sheet = book.create_sheet(name)
        sheet.append(header)
        for item in range(12):
            sheet.append(row(item))
    path = tmp_path / "t.xlsx"
    book.save(path)
    return look(str(path)).commands


def test_look_at_workbooks(tmp_path):
    lines = sheets_of(tmp_path, ["base", "ours"], ["Item", "Fluency"], lambda item: [item, 1 + item % 5])
    assert lines[0].endswith("--rating-column Fluency --item-column Item --system-column sheet --sheet '*'")
    header = ["Item", "System", "Fluency_A1", "Fluency_A2", "Adequacy_A1", "Adequacy_A2"]
    lines = sheets_of(tmp_path, ["one"], header, lambda item: [item // 2, "ab"[item % 2], 1, 2, 3, 4])
    of_criteria = "--rating-column Fluency --rating-column Adequacy --columns-are criteria --rater-column key"
    assert f"{of_criteria} --item-column Item --system-column System --rows-in 'Fluency_*,Adequacy_*'" in lines[0]
    asked = [f"How fluent is text {n}?" for n in range(8)]
    lines = sheets_of(tmp_path, ["Form"], ["ID", "Start time", *asked], lambda n: [n, "2024-01-01", *["4 - good"] * 8])
    assert lines[0].endswith("--questions KEY.csv")


def test_sheets_with_the_same_texts_are_of_raters_and_a_comparison_of_sheets_says_what_it_assumes(tmp_path):
    header = ["Item", "Story", "Fluency"]
    names = ["Anna", "Björn"]
    lines = sheets_of(tmp_path, names, header, lambda item: [item, f"Once there was a fox, {item}.", 1 + item % 5])
    assert lines[0].endswith("--rating-column Fluency --item-column Item --rater-column sheet --sheet '*'")
    assert lines[0].startswith("referenceless agreement ")
    assert not any("--system-column" in line for line in lines)
    line = f"human-score --ratings {tmp_path}/t.xlsx --rating-column Fluency --item-column Item --sheet * --scale 1-5"
    compared = done(f"{line} --system-column sheet").output
    assert "If each sheet is of one system: By these ratings, no difference is shown between Björn and Anna" in compared
    criteria = ["Fluency", "Adequacy"]
    lines = sheets_of(tmp_path, criteria, ["Item", "Story", "Score"], lambda item: [item, f"A fox, {item}.", item % 5])
    assert lines
    assert all("--where sheet=Fluency" in line and "--system-column" not in line for line in lines)
    other = iter(range(99))  # each system wrote a text of its own
    lines = sheets_of(tmp_path, names, header, lambda item: [item, f"Once there was a fox, {next(other)}.", item % 5])
    assert "--item-column Item --system-column sheet --sheet '*'" in lines[0]


def test_sheets_of_raters_with_a_column_per_system_and_criterion(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for rater in ("Anna", "Björn"):
        sheet = book.create_sheet(rater)
        sheet.append(["Nr.", "T5-base", None, "Mensch", None])
        sheet.append([None, "Verständlichkeit", "Grammatik", "Verständlichkeit", "Grammatik"])
        rows = [[n, 1 + n % 3, 2 if n else "–", 3 + n % 2 / 2, 4 + n % 2] for n in range(12)]
        for row in [*rows, ["Mittelwert", 2, 2, 3.25, 4.5]]:
            sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    found = look(str(tmp_path / "t.xlsx"))
    parts = {column.part: column.name for column in found.columns if column.part != "rating"}
    assert (parts["item"], parts["system"], parts["rater"]) == ("Nr.", "key", "sheet")
    assert [column.name for column in found.columns if column.part == "rating"] == ["Verständlichkeit", "Grammatik"]
    assert found.n_rows == 48
    assert "--rows-in '*_Verständlichkeit,*_Grammatik'" in found.commands[0]


@pytest.mark.parametrize("sign", ["_", " vs "])
def test_the_names_of_both_systems_stand_joined_in_a_column(tmp_path, sign):
    pairs = [("llama-7b", "opt-7b"), ("opt-7b", "bloom"), ("bloom", "llama-7b"), ("opt-7b", "llama-7b")]
    rows = [
        {"idx": n, "pair": sign.join(pair), "response1": f"a b {n}", "response2": f"c d {n}", "annotator1": n % 2 + 1}
        for n, pair in enumerate(pairs)
    ]
    path = tmp_path / "t.json"
    path.write_text(json.dumps(rows))
    table = read_rating_rows(str(path))
    assert [(row["system_a"], row["system_b"]) for row in table.rows] == pairs
    assert f"'pair' joins the names of both systems by {sign!r}" in " ".join(table.notes)
    rows[0]["pair"] = "llama"
    path.write_text(json.dumps(rows))
    assert {row["system_a"] for row in read_rating_rows(str(path)).rows} == {"response1"}


def test_answers_in_other_words_that_count_as_ties_are_told(folder):
    words = ("model_a", "tie", "tie (bothbad)", "model_b")
    rows = [(f"Question {n}?", "x", "y", f"Yes, {n}.", f"No, {n}.", words[n % 4]) for n in range(12)]
    head = ["prompt", "model_a", "model_b", "response_a", "response_b", "winner"]
    write_table("battles.csv", head, rows)
    assert "'tie (bothbad)' counts as a tie" in read_rating_rows("battles.csv").notes
    write_table("battles.csv", head, [row for row in rows if row[-1] != words[2]])
    assert "as a tie" not in " ".join(read_rating_rows("battles.csv").notes)


HELPFUL = ("Not at all helpful", "Slightly helpful", "Moderately helpful", "Very helpful", "Extremely helpful")
CLEAR = ("Strongly disagree", "Somewhat disagree", "Neither agree nor disagree", "Somewhat agree", "Strongly agree")


def looped_survey(path, words=HELPFUL, n_items=4):
    """Write a Qualtrics survey that asks two questions of each of some answers, in choice texts."""
    asked = [f"{item}_{question}" for item in range(1, n_items + 1) for question in ("Q3_1", "Q4")]
    head = ["Status", "ResponseId", "Q1", *asked]
    worded = ["Type", "ID", "Consent?", *(f"Question {name}" for name in asked)]
    ids = [f'{{"ImportId":"{name}"}}' for name in ("status", "_recordId", "QID1", *(f"{n}_QID3" for n in asked))]
    rows = [
        ["IP Address", f"R_{n}", "I agree to it"]
        + [word for item in range(n_items) for word in (words[(n + item) % 5], CLEAR[(n + 2 * item) % 5])]
        for n in range(12)
    ]
    write_table(path, head, [worded, ids, *rows])


def test_words_of_degree_before_what_is_asked_are_numbers(folder):
    looped_survey("survey.csv")
    table = read_rating_rows("survey.csv", Reading(questions="{item}_Q3_1"))
    assert [row["rating"] for row in table.rows[:4]] == [1, 2, 3, 4]
    lines = [line.partition(" ")[2] for line in look("survey.csv").commands]
    assert lines[:3:2] == [f"human-score --ratings survey.csv --questions '{{item}}_{q}'" for q in ("Q3_1", "Q4")]
    assert "12 raters gave 48 ratings" in " ".join(done(lines[1]).output.split())


def test_words_that_the_user_gives_numbers_are_read_beside_usual_ones(folder):
    words = ("useless", "poor", "so so", "fine", "great")
    looped_survey("survey.csv", words)
    line = "agreement survey.csv --questions {item}_Q3_1"
    told = invoke(line)
    assert "no question fits '{item}_Q3_1'" in str(told.exception)
    assert "--values WORD=NUMBER,…" in str(told.exception)
    values = ",".join(f"{word}={number}" for number, word in enumerate(words, 1))
    with pytest.warns(InputNote, match='such as --values "useless=…,poor=…,so so=…,fine=…,great=…"'):
        read_rating_rows("survey.csv")
    assert "12 raters gave 48 ratings" in " ".join(done(line, "--values", values).output.split())
    columns = RatingColumns(words=parse_values(values))
    ratings = read_rating_table(["survey.csv"], columns, reading=Reading(questions="{item}_Q3_1")).frame["rating"]
    assert ratings.tolist()[:4] == [1, 2, 3, 4]


def test_few_words_of_degree_may_be_a_scale_of_their_own(folder):
    for words in (["not at all", "somewhat", "very"], ["not at all clear", "very clear"]):
        assert usual_scale(words) is None
    six = ["strongly disagree", "disagree", "somewhat disagree", "somewhat agree", "agree", "strongly agree"]
    assert usual_scale(six) is None  # 5 or 4 for somewhat agree, as the middle is an answer or not
    assert usual_scale([*six, "neutral"])["somewhat agree"] == 5
    read = numbers_of_questions(
        {"a": ["very dissatisfied", "dissatisfied", "satisfied", "very satisfied"], "b": ["satisfied"]}
    )
    assert [of.values.tolist() for of in read.values()] == [[1, 2, 4, 5], [4]]


def test_a_question_of_which_few_answers_are_there_has_the_scale_of_the_others():
    seven = ("strongly disagree", "disagree", "somewhat disagree", "neutral", "somewhat agree", "agree")
    read = numbers_of_questions({"Q1": [*seven, "strongly agree"], "Q2": ["agree", "strongly agree"], "Q3": ["Agree"]})
    assert [of.values.tolist() for of in read.values()] == [[1, 2, 3, 4, 5, 6, 7], [6, 7], [6]]


def test_prompts_that_repeat_are_items_and_ratings_beside_choices_have_a_line(tmp_path):
    rows = [
        {"source": "web", "prompt": f"What is {n % 10}?", "chosen-model": w, "rejected-model": o}
        | {"chosen": f"It is the {n} of all.", "rejected": f"I do not know {n}."}
        | {"chosen-rating": 4.5 - n % 2, "rejected-rating": 2.5 + n % 2 / 2}
        for n, (w, o) in enumerate(["xy", "yx", "xy", "zx"] * 10)
    ]
    file = write(tmp_path / "pairs.jsonl", map(json.dumps, rows))
    assert {row["item"] for row in rows_of(file, file.read_text())} == {f"What is {n}?" for n in range(10)}
    found = look(str(file))
    assert not [column.name for column in found.columns if column.part == "system"]
    assert not [note for note in found.notes if "rows repeat the values" in note]
    lines = found.commands
    assert lines[0].endswith("pairs.jsonl --all-pairs")
    assert any("--rows-in" in line and line.split()[1] == "human-score" for line in lines)
