"""A look at tools' exports: columns, and the numbers of systems, items and raters; of few systems all are compared."""

import json

import pytest
from command_lines import done
from text_files import write, write_table

from referenceless_metrics import look

pytestmark = pytest.mark.filterwarnings("ignore")

SYSTEMS = ("base", "ours", "big")
SIDES = ("model_a", "model_b", "tie")


def battles(systems):
    pairs = [(one, other) for one in systems for other in systems if one != other]
    return [
        {
            "model_a": one,
            "model_b": other,
            "winner": ("model_a", "model_b", "tie")[(n + len(one)) % 3],
            "judge": f"j{n}",
        }
        for n in range(6)
        for one, other in pairs
    ]


@pytest.mark.parametrize(("n", "ending"), [(2, "votes.jsonl"), (3, "votes.jsonl --all-pairs")])
def test_votes_have_columns_and_of_three_systems_all_pairs_are_compared(n, ending, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = battles(SYSTEMS[:n])
    write("votes.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    found = look("votes.jsonl")
    assert found.n_rows == len(rows)
    assert {column.part for column in found.columns} >= {"system_a", "system_b", "preference", "rater"}
    assert f"{n} systems: {', '.join(SYSTEMS[:n])}" in found.notes
    (line,) = found.commands
    assert line.endswith(ending)
    done(*line.split()[1:])


def test_scores_have_numbers_of_systems_and_items(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content = {name: [{"src": "s", "mt": "m", "COMET": n / 20} for n in range(12)] for name in SYSTEMS}
    write("comet.json", json.dumps(content))
    assert look("comet.json").notes == ("3 systems: base, ours, big", "12 items", "scores: COMET")


def test_columns_of_an_export_stand_once_and_each_answered_question_has_a_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    grades = [f"flow:::scale_{grade}" for grade in range(1, 4)]
    columns = ["user", "instance_id", "displayed_text", *grades, "wrong:::Yes", "wrong:::No"]
    rows = []
    for n in range(16):
        for rater in range(3):
            chosen = [int(grade == 1 + (n + rater) % 3) for grade in range(1, 4)]
            wrong = (n + rater) % 2
            cells = [f"scale_{at}" if one else "" for at, one in enumerate(chosen, 1)]
            text = f"The text of number {n} is here."
            rows.append([f"u{rater}", f"i{n}", text, *cells, "Yes" if wrong else "", "" if wrong else "No"])
    write_table("annotated.tsv", columns, rows, delimiter="\t")
    found = look("annotated.tsv")
    assert [column.name for column in found.columns] == ["text", "item", "rater", "flow", "wrong"]
    assert "text is 'displayed_text', item is 'instance_id', rater is 'user'" in found.notes
    agreed = [line for line in found.commands if line.split()[1] == "agreement"]
    values = "--values scale_1=1,scale_2=2,scale_3=3"
    assert agreed == [
        f"referenceless agreement annotated.tsv --rating-column flow {values}",
        "referenceless agreement annotated.tsv --rating-column wrong",
    ]
    for line in agreed:
        done(*line.split()[1:])


@pytest.mark.parametrize(
    "rater_of, further, agreed",
    [
        (lambda n, _: f"r{n % 2}", "no output was rated by two raters", []),
        (lambda n, _: "r1", "all ratings are of one rater, 'r1'", ["referenceless agreement mqm.tsv OTHER"]),
        (lambda n, again: f"r{again}", "2 raters", ["referenceless agreement mqm.tsv"]),
    ],
)
def test_agreement_of_marked_errors_takes_two_raters_of_an_output(folder, rater_of, further, agreed):
    header = ["system", "doc", "doc_id", "seg_id", "rater", "target", "category", "severity"]
    rows = {
        (system, "news", n, n, rater_of(n, again), f"Output {n} of {system}.", "Style", "Minor"): None
        for system in ("ours", "base")
        for n in range(1, 13)
        for again in range(2)
    }
    write("mqm.tsv", ["\t".join(map(str, row)) for row in (header, *rows)])
    found = look("mqm.tsv")
    assert any(further in note for note in found.notes)
    assert [line for line in found.commands if line.split()[1] == "agreement"] == agreed


def test_keys_that_a_reader_makes_of_several_columns_play_their_parts_alone(folder):
    words = ("model_1", "model_2", "tie")
    rows = [
        (n, a, b, turn, *(words[(n * turn + r) % 3] for r in range(2)))
        for n in range(8)
        for a, b in (("ours", "base"), ("big", "base"))
        for turn in (1, 2)
    ]
    write_table("pairs.csv", ["question_id", "model_1", "model_2", "turn", "winner1", "winner2"], rows)
    found = look("pairs.csv")
    parts = {column.name: column.part for column in found.columns}
    assert (parts["item"], parts["question_id"]) == ("item", "")
    assert not any("asks for more" in note or "no columns are known" in note for note in found.notes)
    assert found.commands == (
        "referenceless human-score --ratings pairs.csv --all-pairs",
        "referenceless agreement pairs.csv",
    )


def test_messages_under_ids_in_an_export_of_chats_make_no_columns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    systems = ("qwen2.5:14b", "gemma2:9b")
    rows = []
    for row in range(24):
        asked = {f"{row:08d}-4c1f": {"role": "user", "content": "Why is the sky blue?", "parentId": None}}
        told = {f"{row:08d}-{n}a7e": {"role": "assistant", "content": "It is.", "model": systems[n]} for n in range(2)}
        data = {"rating": 1 - 2 * (row % 3 == 0), "model_id": systems[row % 2]}
        chat = {"models": list(systems), "history": {"messages": {**asked, **told}}}
        rows.append({"id": f"f{row}", "user_id": f"u{row % 5}", "data": data, "snapshot": {"chat": chat}})
    write("feedback.json", json.dumps(rows))
    found = look("feedback.json")
    names = [column.name for column in found.columns]
    expected = ["id", "user_id", "data.rating", "data.model_id", "snapshot.chat.models"]
    assert names == [*expected, "snapshot.chat.history.messages"]
    assert (
        "the keys of the objects in 'snapshot.chat.history.messages' are other ones in each row, as ids are: they make "
        "no columns" in found.notes
    )
    assert not any("messages" in str(line) for line in found.commands)


def test_names_with_the_ends_of_a_scale_are_of_ratings_on_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    head = ["question_id", "system", "token_f1", "answer_correct_0_1", "answer_grounded_0_1", "quality_1_5", "note"]
    rows = [
        [f"Q{n}", system, (n + k) * 7 % 10 / 10 + 0.01, (n + k) % 2, (n * k) % 2, 1 + (n + k) % 4, f"line {n} said {k}"]
        for n in range(20)
        for k, system in enumerate(("base", "ours"))
    ]
    write_table("rated.csv", head, rows)
    found = look("rated.csv")
    parts = {column.name: column.part for column in found.columns}
    assert [parts[name] for name in head[2:6]] == ["score", "rating", "rating", "rating"]
    scales = {"answer_correct_0_1": "0-1", "answer_grounded_0_1": "0-1", "quality_1_5": "1-5"}
    for name, ends in scales.items():
        assert any(f"--rating-column {name} " in line and line.endswith(f"--scale {ends}") for line in found.commands)
    assert not any("--score-column answer" in line for line in found.commands)
    assert not any("do not tell the ends" in note for note in found.notes)


def test_numbers_of_questions_are_no_ends_of_scales(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    head = ["item", "system", "score_1_1", "score_1_2", "score_1_7"]
    rows = [[n, system, 1, 1 + n % 2, 1 + n % 5] for n in range(20) for system in ("base", "ours")]
    write_table("numbered.csv", head, rows)
    assert not any("--scale" in line for line in look("numbered.csv").commands)


def test_a_verdict_of_true_and_false_on_a_model_is_the_score_and_probabilities_are_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    head = ["question", "answer", "base_correct", "base_choiceA_probs", "base_choiceB_probs"]
    rows = [[f"Which one is number {n}?", "AB"[n % 2], n % 3 == 0, n / 31, 1 - n / 31] for n in range(30)]
    write_table("run.csv", head, rows)
    found = look("run.csv")
    assert [column.name for column in found.columns if column.part == "score"] == ["base_correct"]
    assert "referenceless compare --scores run.csv --score-column base_correct" in map(str, found.commands)
    assert not any("probs" in line for line in found.commands)


def test_flags_of_errors_are_of_one_part_and_lower_ones_are_better(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    head = ["model_name", "doc_id", "err_hallucination", "err_fact_data", "err_language", "err_readability"]
    rows = [
        [system, f"D{n}", (n + k) % 2, n * (k + 1) % 3 % 2, (n + 2 * k) % 5 % 2, (n - k) % 4 % 2]
        for n in range(12)
        for k, system in enumerate(("base", "ours"))
    ]
    write_table("flags.csv", head, rows)
    flags = [column for column in look("flags.csv").columns if column.name.startswith("err_")]
    assert {column.part for column in flags} == {"rating"}
    assert all(column.is_lower_better("flags.csv") for column in flags)
