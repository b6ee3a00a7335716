"""Outputs of several models in one row, with what was said of each beside them; and answers of judges as they stand."""

import json
import statistics
import warnings
from itertools import permutations

import pytest
from command_lines import as_json, typed
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.advice.look.together.joint import joint_lines

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("folder")]


def output(n, mark):
    return f"the {mark} cat sat on mat number {n}"


def with_notes(line):
    """Type a command line whose notes are told."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        return typed(line)


def parts(found):
    return {column.name: column.part for column in found.columns}


def test_ratings_by_raters_of_texts_that_are_called_as_models():
    rows = [[n, f"a question {n}", output(n, "a"), output(n, "b"), 3 + n % 3, 1 + n % 2, 4, 2] for n in range(12)]
    names = ["no", "Sentence", "Model A", "Model B", "R1_A", "R1_B", "R2_A", "R2_B"]
    write_table("t.csv", names, rows)
    found = look("t.csv")
    assert {name: parts(found)[name] for name in ("key", "Model", "Sentence")} == {
        "key": "system",
        "Model": "text",
        "Sentence": "source",
    }
    line = next(line for line in found.commands if " human-score " in line)
    rated = as_json(f"{line.removeprefix('referenceless ')} --scale 1-5 --format json")
    assert [row["mean"] for row in rated["rows"][:2]] == pytest.approx([4.0, 1.75])


@pytest.mark.parametrize(
    ("reference", "outputs"),
    [
        ("reference_summary", ["bart_summary", "t5_summary", "pegasus_summary"]),
        ("gold_story", ["gpt2_story", "lstm_story"]),
        ("target_summary", ["bart_summary", "t5_summary"]),
        ("ref", ["bart", "t5"]),
    ],
)
def test_references_beside_outputs_are_no_system(reference, outputs):
    names = ["n", "article", reference, *outputs]
    rows = [[n, f"The article number {n} is long.", *(output(n, name) for name in names[2:])] for n in range(24)]
    write_table("t.csv", names, rows)
    found = look("t.csv")
    assert parts(found)[reference] == "reference"
    columns = " ".join(f"--text-column {name}" for name in outputs)
    line = f"referenceless compare t.csv {columns} --reference-columns {reference} --metric bleu --metric chrf"
    assert found.commands[0] == line + (" --all-pairs" if len(outputs) > 2 else "")
    compared = with_notes(found.commands[0].removeprefix("referenceless "))
    assert f"{reference} (baseline)" not in compared.out
    assert "note: outputs that share at least half" in compared.err
    assert "there is a column 'article'" not in compared.err  # each row has its own
    drawn = typed("look t.csv").out.splitlines()[-1]
    assert f"sample t.csv {columns} --source-column article" in drawn


def test_a_target_is_a_reference_beside_two_other_texts():
    rows = [[n, output(n, "first"), output(n, "second")] for n in range(24)]
    write_table("t.csv", ["n", "target_text", "bart_text"], rows)
    assert parts(look("t.csv"))["target_text"] == "text"
    write_table("t.csv", ["n", "summary_a", "reference_notes"], rows)
    assert parts(look("t.csv"))["reference_notes"] == ""


def test_a_value_is_of_the_output_that_it_is_called_after():
    rows = [[f"question {n}", output(n, "x"), n % 2 == 0, output(n, "y"), n % 4 == 0] for n in range(12)]
    write_table("t.csv", ["input", "gpt", "gpt_correct", "llama", "llama_correct"], rows)
    (line,) = [line for line in look("t.csv").commands if " compare " in line]
    compared = as_json(f"{line.removeprefix('referenceless ')} --format json")
    assert [(row["system"], row["mean"]) for row in compared["rows"]] == [("gpt", 0.5), ("llama", 0.25)]


@pytest.mark.parametrize("end", ["Rating: [[{}]]", "[RESULT] {}", "**Score:** {}/10"])
def test_the_answers_of_a_judge_are_scores(end):
    rows = [
        {
            "question_id": n,
            "model": model,
            "response": output(n, model),
            "judgment": f"It reads well, {n} times.\n\n{told}",
        }
        for n in range(12)
        for model, told in (("base", end.format(3 + n % 2)), ("ours", end.format(7)))
    ]
    write("t.jsonl", "\n".join(map(json.dumps, rows)))
    found = look("t.jsonl")
    assert (parts(found)["judgment"], parts(found)["response"]) == ("score", "text")
    line = next(line for line in found.commands if " compare --scores " in line)
    compared = as_json(f"{line.removeprefix('referenceless ')} --format json")
    assert [row["mean"] for row in compared["rows"]] == [3.5, 7.0]


def test_c_is_a_tie_of_a_judge_that_was_asked_as_mt_bench_asks():
    words = ["[[A]]", "[[B]]", "[[C]]"]
    rows = [
        {
            "id": n,
            "answer_a": output(n, "a"),
            "answer_b": output(n, "b"),
            "model_a": "x",
            "model_b": "y",
            "verdict": words[n % 3],
        }
        for n in range(12)
    ]
    write("t.jsonl", "\n".join(map(json.dumps, rows)))
    found = look("t.jsonl")
    assert "'[[C]]' counts as a tie" in found.notes
    (line,) = found.commands
    assert [row["ties"] for row in as_json(f"{line.removeprefix('referenceless ')} --format json")["rows"]] == [4]


def test_raters_that_are_asked_the_same_are_raters():
    rows = [
        [n, system, *("Yes" if (n + rater) % 3 else "No" for rater in range(3))] for n in range(12) for system in "xy"
    ]
    asked = [f"Annotator {number}: Faithful?" for number in (1, 2, 3)]
    write_table("t.csv", ["Article", "System", *asked], rows)
    assert [parts(look("t.csv"))[name] for name in asked] == ["rating of a rater"] * 3
    two = [f"Annotator {number}: {question}?" for number in (1, 2) for question in ("Faithful", "Fluent")]
    write_table("t.csv", ["Article", "System", *two], [[*row[:2], *row[2:4], *row[2:4]] for row in rows])
    of_raters = [name for name, part in parts(look("t.csv")).items() if part == "rating of a rater"]
    assert of_raters == ["Annotator 1: Faithful?", "Annotator 2: Faithful?"]


def test_metrics_of_code_are_compared_together():
    rows = [
        {"task_id": f"t{n}", "model": model, "code": output(n, model), "metrics": {"codebleu": n / x, "pass@1": n % y}}
        for n in range(20)
        for model, x, y in (("small", 30, 2), ("large", 25, 3))
    ]
    for row in rows:
        row["metrics"]["pass@1"] = min(row["metrics"]["pass@1"], 1)
    write("t.jsonl", "\n".join(map(json.dumps, rows)))
    line = next(line for line in look("t.jsonl").commands if " compare --scores " in line)
    assert "--score-column metrics.codebleu --score-column metrics.pass@1" in line


def test_columns_of_one_name_as_pandas_writes_them_are_raters():
    rows = [
        [output(n, system), system, n % 2, (n + 1) % 2, int(n % 3 > 0)]
        for n in range(12)
        for system in ("gpt2", "gpt3")
    ]
    write_table("t.csv", ["text", "generated_by", "is_fluent", "is_fluent.1", "is_fluent.2"], rows)
    found = parts(look("t.csv"))
    assert [found[name] for name in ("is_fluent", "is_fluent.1", "is_fluent.2")] == ["rating of a rater"] * 3
    assert found["generated_by"] == "system"


def test_the_scale_may_stand_in_the_name_of_a_column():
    rows = [[n, system, output(n, system), 2 + n % 3] for n in range(12) for system in "xy"]
    write_table("t.csv", ["item", "system", "text", "Fluency (1-7)"], rows)
    found = look("t.csv")
    assert any("--scale 1-7" in line for line in found.commands if " human-score " in line)
    assert not any("do not tell the ends" in note for note in found.notes)
    write_table("t.csv", ["item", "system", "text", "Fluency (5-7)"], rows)
    assert not any("--scale" in line for line in look("t.csv").commands)  # 2 is not on it


def test_numbers_of_two_systems_are_compared_together():
    for name in ("a.txt", "b.txt"):
        write(name, "".join(f"{n / 7:.3f}\n" for n in range(20)))
    assert joint_lines([look("a.txt"), look("b.txt")]) == ["referenceless compare --scores a.txt --scores b.txt"]


@pytest.mark.parametrize("form", ["{}", "```json\n{}\n```", "Here is my answer:\n\n{}\n\nI hope this helps."])
def test_a_judge_may_answer_in_json(form):
    answers = [form.format(json.dumps({"score": 1 + n % 5, "reason": "It reads well."})) for n in range(20)]
    rows = [
        {
            "custom_id": f"r{n}",
            "response": {"body": {"choices": [{"message": {"role": "assistant", "content": answer}}]}},
        }
        for n, answer in enumerate(answers)
    ]
    write("t.jsonl", "\n".join(map(json.dumps, rows)))
    if form[0] in "{`":
        (score,) = [column for column in look("t.jsonl").columns if column.part == "score"]
        assert score.name == "response.body.choices.message.content.score"
    name = "response.body.choices.message.content.score"
    told = as_json(f"compare --scores t.jsonl --score-column {name} --item-column custom_id --format json")
    assert told["rows"][0]["mean"] == 3.0


def test_columns_that_are_called_by_names_are_raters_with_a_remark():
    rows = [[n, system, output(n, system), 2 + n % 3, 1 + n % 4, 2 + n % 2] for n in range(12) for system in "xy"]
    write_table("t.csv", ["id", "system", "output", "Jana", "Tim", "Ola"], rows)
    found = look("t.csv")
    assert [parts(found)[name] for name in ("Jana", "Tim", "Ola")] == ["rating of a rater"] * 3
    assert any("nothing tells whether 'Jana', 'Tim', 'Ola' are raters or criteria" in note for note in found.notes)
    write_table("t.csv", ["id", "system", "output", "Fluency", "Tim", "Ola"], rows)
    assert "rating of a rater" not in parts(look("t.csv")).values()


def test_a_score_of_another_name_among_metrics_is_a_metric():
    rows = [[n, system, n / x, n / 50, (n + x) / 60] for n in range(20) for system, x in (("a", 30), ("b", 40))]
    write_table("t.csv", ["id", "model", "bleu", "rougeL", "temporal_f1"], rows)
    line = next(line for line in look("t.csv").commands if " compare --scores " in line)
    assert "--score-column bleu --score-column rougeL --score-column temporal_f1" in line


def test_metrics_of_outputs_side_by_side_are_of_the_systems_that_they_are_called_after():
    rows = [[n, output(n, "x"), output(n, "y"), n / 30, n / 25, n / 60, n / 50] for n in range(20)]
    names = ["id", "mt_a", "mt_b", "mt_a_bleu", "mt_b_bleu", "mt_a_comet", "mt_b_comet"]
    write_table("t.csv", names, rows)
    line = next(line for line in look("t.csv").commands if " compare --scores " in line)
    compared = as_json(f"{line.removeprefix('referenceless ')} --format json")
    assert {row["system"] for row in compared["rows"]} == {"mt_a", "mt_b"}
    assert {row["score"] for row in compared["rows"]} == {"bleu", "comet"}


def test_columns_that_rank_one_another_are_systems_beside_raters():
    orders = list(permutations((1, 2, 3)))
    rows = [
        [n, f"Sentence number {n} of the text.", rater, *orders[(n + k) % 3]]
        for n in range(12)
        for k, rater in enumerate(("Frau Kern", "Herr Adam"))
    ]
    write_table("t.csv", ["Nr.", "Satz", "Person", "Rang A", "Rang B", "Rang C"], rows)
    found = look("t.csv")
    columns = "--rating-column 'Rang A' --rating-column 'Rang B' --rating-column 'Rang C' --columns-are systems"
    keys = "--rater-column Person --item-column Nr. --values 1=3,2=2,3=1"
    assert list(found.commands) == [
        f"referenceless human-score --ratings t.csv {columns} {keys} --all-pairs",
        f"referenceless agreement t.csv {columns} {keys}",
    ]
    assert not any("--lower-is-better" in note for note in found.notes)
    scored = with_notes(found.commands[0].removeprefix("referenceless "))
    assert "Rated highest of 3 systems: Rang A." in scored.out
    assert "if 1 is the best rank" not in scored.err


def test_numbered_ratings_are_of_raters_and_a_captioning_model_is_a_system():
    rows = [
        [f"v{n}", model, output(n, model), n / 9 + x, 1 + n % 5, 1 + (n + x) % 5, f"r{n % 3}@x.org"]
        for n in range(12)
        for x, model in enumerate(("m1", "m2"))
    ]
    names = ["video_id", "caption_model", "caption", "CIDEr", "human_score_1", "human_score_2", "note"]
    write_table("t.csv", names, rows)
    found = look("t.csv")
    wanted = {"caption_model": "system", "human_score_1": "rating of a rater", "human_score_2": "rating of a rater"}
    assert {name: parts(found)[name] for name in wanted} == wanted
    assert any("--scores t.csv --ratings t.csv --score-column CIDEr" in line for line in found.commands)


def test_the_address_of_an_annotator_names_the_rater():
    rows = [[n, system, 10 * n % 97, f"r{n % 3}@x.org"] for n in range(20) for system in "xy"]
    write_table("t.csv", ["id", "system", "direct_assessment", "annotator_email"], rows)
    found = parts(look("t.csv"))
    assert (found["direct_assessment"], found["annotator_email"]) == ("rating", "rater")


def test_columns_of_two_names_and_ties_are_verdicts_of_judges_and_their_majority():
    def majority(verdicts):
        return next((name for name in ("ours", "base", "Tie") if verdicts.count(name) > 1), "Tie")

    words = ("ours", "base", "Tie")
    judged = [[words[n % 3], words[n % 2], words[n % 5 // 2]] for n in range(24)]
    write_table("t.csv", ["gpt", "llama", "qwen", "all"], [[*row, majority(row)] for row in judged])
    found = look("t.csv")
    lines = [f"referenceless human-score --ratings t.csv --preference-column {n}" for n in ("all", "gpt", "llama")]
    assert list(found.commands[:3]) == lines
    columns = "--rating-column gpt --rating-column llama --rating-column qwen"
    assert found.commands[-1] == f"referenceless agreement t.csv {columns}"
    assert "column 'all' is the majority of 'gpt', 'llama', 'qwen' in each row, and no judge beside them" in found.notes
    assert "column 'all' holds the majority of the others in each row: it is no rater" in (
        with_notes(f"agreement t.csv {columns} --rating-column all").err
    )
    assert f"fit the file:\n  {lines[0]}\n" in typed("human-score --ratings t.csv", status=1).err
    for command in ("human-score --ratings", "agreement"):
        told = typed(f"{command} t.csv", status=1).err
        assert "the columns are 'gpt', 'llama', 'qwen', 'all'; a column of preferences is named by " in told
    several = "--preference-column gpt --preference-column llama"
    assert "times; run the command once for each" in typed(f"human-score --ratings t.csv {several}", status=2).err
    write_table("t.csv", ["n", "combined"], [[n, ("ours", "base")[n % 2]] for n in range(24)])
    (note,) = look("t.csv").notes
    assert note.endswith(": referenceless human-score --ratings t.csv --preference-column combined")
    write_table("t.csv", ["n", "outcome"], [[n, ("win", "loss", "tie")[n % 3]] for n in range(24)])
    assert not any("--preference-column" in line for line in look("t.csv").commands)  # of which system is not told


def test_the_example_of_a_scale_is_that_of_the_ratings():
    def told(low, high):
        rows = [[n, system, low + (n + k) % (high - low + 1)] for n in range(12) for k, system in enumerate("xy")]
        write_table("t.csv", ["item", "system", "rating"], rows)
        return next(note for note in look("t.csv").notes if "add --scale LOW-HIGH" in note)

    assert told(1, 5).endswith("such as --scale 1-5")
    assert told(2, 5).endswith("add --scale LOW-HIGH")


def test_columns_of_experts_beside_criteria_are_of_raters():
    rows = [[n, output(n, "a"), *(1 + (n * k) % 5 for k in range(1, 7))] for n in range(14)]
    names = [f"{criterion}_expert{number}" for criterion in ("coherence", "fluency") for number in (1, 2, 3)]
    write_table("t.csv", ["id", "summary", *names], rows)
    found = look("t.csv")
    assert "system" not in parts(found).values()
    assert any(" agreement " in line for line in found.commands)


def test_a_table_of_results_has_no_items():
    rows = [[name, 10 + place, 20 + place / 3, 0.9 + place / 90] for place, name in enumerate(("base", "ours", "big"))]
    write_table("t.csv", ["", "BLEU", "ROUGE-L", "BERTScore"], rows)
    found = look("t.csv")
    assert found.commands == ()
    assert any("each system has one row" in note for note in found.notes)


def test_numbers_of_direct_assessment_are_peoples():
    rows = [
        [s, f"doc{n}_{k}.", 60 + n + k, (n - 6 + k) / 7, 1 + n % 2] for k, s in enumerate("ab") for n in range(12 + k)
    ]
    write_table("t.csv", ["SYS", "SID", "RAW.SCR", "Z.SCR", "N"], rows)
    found = look("t.csv")
    assert (parts(found)["RAW.SCR"], parts(found)["Z.SCR"], parts(found)["N"]) == ("rating", "rating", "")
    lines = [line for line in found.commands if " human-score " in line]
    assert [name in line for name, line in zip(("RAW.SCR", "Z.SCR"), lines, strict=True)] == [True, True]
    assert "nothing about people" not in typed(lines[0].removeprefix("referenceless ")).out


def test_raters_columns_of_each_system_by_several_criteria_are_read_by_one_way_to_rows():
    """A second `--rows-in` would take the place of the first; each line is tried before it is told."""
    names = [f"{s}_{c}_r{n}" for s in ("bart", "rules") for c in ("fluency", "accuracy") for n in (1, 2, 3)]
    rows = [
        [n, output(n, "red"), output(n, "grey"), *(50 + (7 * n + 3 * place) % 50 for place in range(len(names)))]
        for n in range(30)
    ]
    write_table("t.csv", ["item", "bart", "rules", *names], rows)
    lines = [line for line in look("t.csv").commands if line.split()[1] in ("human-score", "agreement")]
    assert {line.split()[1] for line in lines} == {"human-score", "agreement"}
    for line in lines:
        assert line.count("--rows-in") == 1
        typed(line.removeprefix("referenceless "))
    compared = [line for line in look("t.csv").commands if line.split()[1] == "compare"]  # rows inside repeat outputs
    assert compared == ["referenceless compare t.csv --text-column bart --text-column rules"]
    assert "referenceless sample t.csv --text-column bart --text-column rules -n 30 -o study" in typed("look t.csv").out


def test_a_dialogue_of_one_item_each_is_a_source_and_no_cluster():
    rows = [
        [100 + n, f"A: hello {n}, how are you? B: I am well.", model, output(n, model), 1 + (n + x) % 5]
        for n in range(12)
        for x, model in enumerate("xy")
    ]
    write_table("t.csv", ["id", "dialogue", "model_id", "summary", "fluency"], rows)
    found = look("t.csv")
    assert parts(found)["dialogue"] == "source"
    assert not any("--cluster-column" in line for line in found.commands)


@pytest.mark.parametrize(
    "beside", [["src", "ref"], ["src"], ["src", "ref", "deepl_mt", "ours_mt"], ["deepl_mt", "ours_mt"]]
)
def test_columns_of_numbers_beside_sources_are_scores_of_a_system_each(beside):
    rows = [
        [n, f"news.{n // 4}", *(output(n, name) for name in beside), 0.7 + n % 7 / 50, 0.75 + n % 5 / 40, 0.6 + n / 99]
        for n in range(24)
    ]
    write_table("t.csv", ["seg_id", "doc_id", *beside, "deepl", "google", "ours"], rows)
    columns = "--score-column deepl --score-column google --score-column ours"
    line = f"compare --scores t.csv {columns} --item-column seg_id --cluster-column doc_id --all-pairs"
    found = look("t.csv")
    assert (found.shape, found.commands) == ("a column of numbers per system", (f"referenceless {line}",))
    assert "Highest mean score" in typed(line).out
    assert f"  referenceless {line}\n" in typed("compare --scores t.csv", 1).err
    told = typed(f"{line} --columns-are systems", 2).err
    assert "several --score-column of one file are the scores of a system each" in " ".join(told.split())


def test_numbers_beside_a_source_and_its_output_are_of_no_systems():
    rows = [[n, output(n, "old"), output(n, "new"), n / 31, n / 17] for n in range(24)]
    write_table("t.csv", ["id", "source", "rewritten", "novelty_index", "CLiN"], rows)
    assert "per system" not in look("t.csv").shape


def test_one_metric_of_outputs_side_by_side_is_of_the_systems_that_both_are_called_after():
    rows = [[n, output(n, "old"), output(n, "x"), output(n, "y"), n / 30, n / 25] for n in range(20)]
    write_table("t.csv", ["id", "src", "google_mt", "deepl_mt", "google_comet", "deepl_comet"], rows)
    line = next(line for line in look("t.csv").commands if " compare --scores " in line)
    compared = as_json(f"{line.removeprefix('referenceless ')} --format json")
    assert {row["system"] for row in compared["rows"]} == {"google", "deepl"}


def test_a_source_beside_a_reference_is_no_output():
    rows = [[output(n, "old"), output(n, "new"), output(n, "made")] for n in range(24)]
    write_table("t.csv", ["src", "ref"], [row[:2] for row in rows])
    assert not any("--text-column src" in line for line in look("t.csv").commands)
    write_table("t.csv", ["src", "ref", "mt"], rows)
    assert any("--text-column mt --reference-columns ref" in line for line in look("t.csv").commands)


def answer(n, at, rater):
    """Return one of three answers; of five outputs raters differ in one."""
    return ("y", "n", "Partly")[(n + at + (n % 5 == rater)) % 3]


def test_answers_with_a_word_between_yes_and_no_are_of_raters_and_have_numbers():
    rows = [
        [n, s, output(n, s), answer(n, at, 0), answer(n, at, 1).upper(), "" if n == 7 else answer(n, at, 2)]
        for n in range(12)
        for at, s in enumerate(("Atlas", "Bolt"))
    ]
    write_table("t.csv", ["No.", "Bot", "Answer", "Mira", "Jonas", "Pelle"], rows)
    found = look("t.csv")
    assert [parts(found)[name] for name in ("Mira", "Jonas", "Pelle")] == ["rating of a rater"] * 3
    assert any("nothing tells whether 'Mira', 'Jonas', 'Pelle' are raters or criteria" in note for note in found.notes)
    columns = "--rating-column Mira --rating-column Jonas --rating-column Pelle"
    agreed, scored = found.commands[:2]
    assert agreed.startswith(f"referenceless agreement t.csv {columns} --values ")
    assert scored.startswith(f"referenceless human-score --ratings t.csv {columns} --values ")
    assert scored.endswith("--item-column No. --system-column Bot --scale 0-1")
    numbers = {"y": 1, "n": 0, "Partly": 0.5}
    means = [[numbers[answer(n, at, r)] for r in range(3) if (n, r) != (7, 2)] for at in range(2) for n in range(12)]
    expected = [sum(map(statistics.fmean, means[:12])) / 12, sum(map(statistics.fmean, means[12:])) / 12]
    rated = as_json(f"{scored.removeprefix('referenceless ')} --format json")
    assert [row["mean"] for row in rated["rows"][:2]] == pytest.approx(expected)
    typed(agreed.removeprefix("referenceless "))
    keys = "--item-column No. --system-column Bot"
    told = typed(f"human-score --ratings t.csv --rating-column Mira {keys}", 1).err
    assert '--values "n=0,Partly=0.5,y=1"' in told


def test_words_that_nothing_puts_between_others_are_to_be_filled_in():
    rows = [
        [n, s, output(n, s), ("yes", "no", "purple")[n % 3], f"r{r}"] for n in range(12) for s in "ab" for r in "xy"
    ]
    write_table("t.csv", ["item", "system", "output", "correct", "rater"], rows)
    assert any("--values no=0,purple=NUMBER,yes=1" in line for line in look("t.csv").commands)


def test_answers_in_columns_that_are_called_by_words_but_do_not_agree_are_no_raters():
    rows = [[n, s, output(n, s), "yn"[n % 2], "yn"[n // 2 % 2]] for n in range(24) for s in ("Atlas", "Bolt")]
    write_table("t.csv", ["No.", "Bot", "Answer", "Passed", "Refused"], rows)
    assert "rating of a rater" not in parts(look("t.csv")).values()


def test_metrics_of_each_system_beside_its_output_and_a_row_of_means_are_compared(tmp_path, monkeypatch):
    """The numbers of words beside them are no scores, and the row of means is none of the items."""
    monkeypatch.chdir(tmp_path)
    systems, metrics = ("base", "ours"), ("rougeL", "bertscore_f1")
    rows = []
    for n in range(12):
        texts = [f"The {system} bridge {n} opened on Monday." for system in systems]
        scores = [(n * at % 7 + 1 + at) / 10 + len(metric) / 1000 for metric in metrics for at, _ in enumerate(systems)]
        rows.append([n, f"x-{n}", *texts, *scores, *(7 + n % 2 for _ in systems)])
    means = [sum(row[place] for row in rows) / 12 for place in range(4, 10)]
    names = [f"{what}_{system}" for what in ("output", *metrics, "len") for system in systems]
    write_table("t.csv", ["", "id", *names], [*rows, ["mean", "", "", "", *means]])
    (line,) = [line for line in look("t.csv").commands if "--scores" in line]
    assert "--rows-in 'output_*,rougeL_*,bertscore_f1_*'" in line
    told = typed(line.removeprefix("referenceless ")).out
    assert [row.split()[:3] for row in told.splitlines() if row.startswith("base")][:1] == [["base", "rougeL", "12"]]


def _write_tasks(source, reference):
    """Write inputs with references, as data sets have them, and what two systems made of them."""
    words = "the small grey cat sat on a warm mat and saw one red bird near an old house".split()
    texts = [f"The {' '.join(words[n % 7 : n % 7 + 6 + n % 4])} {n}." for n in range(12)]
    write_table("dev.csv", [source, reference], [(f"{text} as a whole story", text) for text in texts])
    for name, outputs in {"a": texts[::-1], "b": texts[1:] + texts[:1]}.items():
        write(f"{name}.txt", outputs)


@pytest.mark.parametrize("source, reference", [("mr", "reference"), ("input", "target"), ("src", "gold")])
def test_inputs_with_references_are_no_outputs_and_the_line_for_outputs_is_told(source, reference):
    _write_tasks(source, reference)
    found = look("dev.csv")
    beside = f"--references dev.csv --reference-columns {reference} --with bleu,chrf"
    assert found.commands == ()
    assert found.notes[-1] == (
        f"{source!r} holds inputs and {reference!r} references, and no column outputs: write what a system makes of "
        f"each row into a file, a text per line, for referenceless score OUTPUTS.txt {beside}"
    )
    typed(f"score a.txt {beside}")
    assert joint_lines([found, look("a.txt")]) == [f"referenceless score a.txt {beside}"]
    assert joint_lines([found, look("a.txt"), look("b.txt")])[0] == f"referenceless compare a.txt b.txt {beside}"
    typed(f"compare a.txt b.txt {beside}")


def test_a_column_that_no_name_tells_beside_references_is_told_as_a_guess():
    _write_tasks("facts", "reference")
    told = "column 'facts' is taken for outputs; if it holds what these are made from, the file has no outputs"
    assert told in look("dev.csv").notes
    _write_tasks("output", "reference")
    assert not any("taken for outputs" in note for note in look("dev.csv").notes)


def test_numbered_files_that_are_called_as_that_of_the_sources_are_references():
    """As in data sets of simplification; sentences that all have a comma, with a blank behind it, are no table."""
    for name, verb in (("bart", "opened"), ("t5", "was opened"), ("set.test.orig", "has been inaugurated")):
        write(f"{name}.txt" if "." not in name else name, [f"Late in year {n}, the bridge {verb}." for n in range(24)])
    for number in range(3):
        write(
            f"set.test.simp.{number}", [f"The bridge {'is' if number else 'was'} open in town t{n}." for n in range(24)]
        )
    files = ("bart.txt", "set.test.orig", "set.test.simp.0", "set.test.simp.1", "set.test.simp.2", "t5.txt")
    looks = [look(file) for file in files]
    assert {each.form for each in looks} == {".txt"}
    references = " ".join(f"--references set.test.simp.{number}" for number in range(3))
    line = joint_lines(looks)[0]
    assert line == (f"referenceless compare bart.txt t5.txt {references} --with bleu,chrf --sources set.test.orig")
    assert "chrF" in typed(line.removeprefix("referenceless ")).out
