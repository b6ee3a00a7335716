"""`look` at rows inside lists, outputs in several files, ids of systems, and metrics beside people's criteria."""

import json
from pathlib import Path

import pytest
from command_lines import as_json, done, invoke, typed
from text_files import write, write_table

from referenceless_metrics.advice.look.looking import look
from referenceless_metrics.advice.look.together.joint import joint_lines
from referenceless_metrics.core.files.reading import Reading, condition
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError

SENTENCES = ["A lake in the north is cold.", "The lake is cold and deep.", "It rains over the lake.", "Nobody swims."]


def claims(path, false):
    """Write outputs with a list of claims each, of which so many are false; the last output has none."""
    rows = [
        {
            "id": n,
            "said": [{"claim": ["a", "is", "b"], "verdict": "false" if k < false[n] else "true"} for k in range(3)],
        }
        for n in range(4)
    ]
    return str(write(path, json.dumps([*rows, {"id": 4, "said": []}])))


def test_claims_of_two_systems_are_compared_as_they_lie_in_outputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    claims(tmp_path / "base.json", [0, 1, 0, 0])
    claims(tmp_path / "ours.json", [3, 1, 2, 0])
    together = done("look base.json ours.json").output.partition("Together:\n")[2].strip()
    found = as_json(together.removeprefix("referenceless "))
    means = {row["system"]: row["mean"] for row in found["rows"][:2]}
    assert (means["base"], means["ours"]) == pytest.approx((11 / 12, 6 / 12))


def test_outputs_of_a_system_in_each_file_are_compared_together(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("base", "ours"):
        rows = [{"out": text, "tokens": {"in": 9, "out": 4 + n}} for n, text in enumerate(SENTENCES)]
        write(tmp_path / f"{name}.json", json.dumps({"model": name, "generated": rows}))
    told = done("look base.json ours.json").output
    assert "referenceless compare base.json ours.json --text-column out" in told.partition("Together:")[2]
    assert {column.name: column.part for column in look("base.json").columns}["tokens.out"] == ""


def test_places_in_lists_of_different_texts_are_no_common_items(tmp_path):
    rows = [
        {
            "source": f"text {n} to make simpler",
            "system": "ab"[n % 2],
            "annotator": f"ann{n}",
            "edits": [{"id": k, "grammar_error": "yes" if k % 2 else "no"} for k in range(1 + n % 3, 5)],
        }
        for n in range(6)
    ]
    found = look(write(tmp_path / "edits.json", json.dumps(rows)))
    assert not [line for line in found.commands if " agreement " in line or "--item-column place" in line]
    assert any("no output was rated by two raters" in note for note in found.notes)


SYSTEMS = {"bert_large": 9, "ptgen": 7, "tconv": 6}


def scores(path):
    """Write scores of three systems, each on items of its own for the most part, with ids that join both."""
    rows = []
    for place, (system, n) in enumerate(SYSTEMS.items()):
        for k in range(n):
            item = 1000 + 50 * place * (k > 0) + k
            rows.append(
                [f"{system}_{item}", k / 10 + 0.011, (k * 3 % 10) / 10 + 0.017, (k * 7 % 10) / 10 + 0.013, k / 9]
            )
    write_table(path, ["system_docid", "ROUGE1", "ROUGE2", "BERTScore", "Faithful"], rows)
    return path


def test_ids_of_a_column_called_as_systems_join_them_with_numbers(tmp_path):
    found = look(scores(tmp_path / "t.csv"))
    parts = {column.name: (column.part, column.distinct) for column in found.columns}
    assert parts["system_docid.head"] == ("system", 3)
    assert parts["system_docid.tail"][0] == "item"
    assert "means of systems" not in found.shape


def test_metrics_are_held_against_a_criterion_beside_them(tmp_path):
    found = look(scores(tmp_path / "t.csv"))
    [line] = [line for line in found.commands if line.split()[1] == "evaluate"]
    values = {row["score"]: row["value"] for row in as_json(line.removeprefix("referenceless "))["rows"][:0:-1]}
    assert {"ROUGE1", "BERTScore"} <= set(values)
    assert "'Faithful' may be of people: `evaluate` holds the others against them" in found.notes


def test_lists_of_ratings_count_as_so_many(tmp_path):
    rows = [{"item": n, "system": s, "grades": [1 + n % 3, 4, 5]} for n in range(3) for s in "ab"]
    path = write(tmp_path / "t.jsonl", map(json.dumps, rows))
    found = as_json(f"human-score --ratings {path} --rating-column grades")["rows"]
    assert [(row["system"], row["rated"], row["ratings"]) for row in found] == [("a", 3, 9), ("b", 3, 9)]


def test_a_file_of_each_annotator_with_lists_of_one_label_gives_their_agreement(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for rater, shift in (("anja", 0), ("bilal", 1), ("carmen", 0)):
        rows = [
            {
                "id": 200 + n,
                "text": f"ARTICLE: The news of day {n // 3}. SUMMARY: It is summary {n}.",
                "article": f"news-{n // 3}",
                "model": "abc"[n % 3],
                "label": [] if (rater, n) == ("bilal", 4) else [str(1 + (n + shift * (n % 5 == 0)) % 5)],
            }
            for n in range(30)
        ]
        write(tmp_path / f"{rater}.jsonl", map(json.dumps, rows))
    kinds = {column.name: (column.kind, column.part) for column in look("bilal.jsonl").columns}
    assert kinds["label"] == ("whole numbers", "rating")
    lines = done("look anja.jsonl bilal.jsonl carmen.jsonl").output.partition("Together:\n")[2].splitlines()
    files = "anja.jsonl bilal.jsonl carmen.jsonl"
    line = f"agreement {files} --rating-column label --item-column article --system-column model"
    assert lines[0] == f"referenceless {line}"
    assert not any(" compare " in each or " sample " in each for each in lines)
    result = typed(line)
    assert "3 raters gave 89 ratings" in " ".join(result.out.split())
    assert "of several raters" not in result.out + result.err


def rated_dialogues(path):
    """Write turns and whole dialogues of three systems, each rated by three raters; wordings repeat in a system."""
    wordings = ("Yes!", "Hi", "I do not know.", "What do you think of it?")
    rows = [
        {
            "context": f"Dialogue {n} of the day.",
            **({"response": wordings[n % 4]} if n % 3 else {}),
            "system": ("human", "big", "small")[n // 20],
            "annotations": {
                asked: [(n + place) % 5, (n * n + place) % 5, (n + 2 * place) % 5]
                for place, asked in enumerate(("Specific", "Fluent", "Overall") if n % 3 else ("Coherent", "Overall"))
            },
        }
        for n in range(60)
    ]
    write(path, json.dumps(rows))


def test_rows_of_two_kinds_are_taken_apart_and_wordings_are_no_items(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rated_dialogues("dialogues.json")
    found = look("dialogues.json")
    assert any("40 (response!=) are rated by annotations.Specific" in note for note in found.notes)
    assert any("20 (response=) are rated by annotations.Coherent" in note for note in found.notes)
    assert not any("--item-column" in line for line in found.commands)
    own = "--rating-column annotations.Overall --where"
    for kind, n in (("response!=", 40), ("response=", 20)):
        lines = [line.partition(" ")[2] for line in found.commands if f"--where {kind}" in line.replace("'", "")]
        assert any(line.startswith(f"human-score --ratings dialogues.json {own}") for line in lines)
        line = next(line for line in lines if line.startswith(f"agreement dialogues.json {own}"))
        told = " ".join(done(line).output.split())
        assert f"{n} of {n} outputs were rated by two raters or more" in told
        assert all(row["n_repeats"] == 0 for row in as_json(line)["rows"])


def test_rows_without_what_names_their_items_are_told_as_another_kind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rated_dialogues("dialogues.json")
    line = "agreement dialogues.json --rating-column annotations.Overall --item-column response"
    told = str(invoke(line).exception)
    assert "20 of 60 rows are blank there: if of another kind, leave them out (--where 'response!=')" in told
    assert "rows repeat an item of their system" in typed(f"{line} --where response!=").err
    pooled = "agreement dialogues.json --rating-column annotations.Overall"
    told = "some hold 'annotations.Coherent', the others 'annotations.Specific'; 'annotations.Overall' of both counts"
    assert told in typed(pooled).err
    for kind in ("response!=", "response="):
        assert "two kinds" not in typed(f"{pooled} --where {kind}").err
    with pytest.raises(InputError, match="there is no column 'respons'"):
        read_table("dialogues.json", Reading(where=(condition("respons="),)))


def test_rows_of_two_kinds_are_taken_by_the_column_that_names_them(tmp_path):
    rated_dialogues(tmp_path / "plain.json")
    rows = json.loads((tmp_path / "plain.json").read_text())
    rows = [{**row, "kind": "turn" if "response" in row else "whole"} for row in rows]
    found = look(write(tmp_path / "named.json", json.dumps(rows)))
    assert any("rows are of two kinds: 40 (kind=turn) are rated by" in note for note in found.notes)
    assert {line.partition(" --where ")[2].split()[0] for line in found.commands} == {"kind=turn", "kind=whole"}


def workers(path, seed, skip=9):
    """Write ratings of items by workers, both keys of objects inside one another; a few have a further field."""
    items = {
        str(100 + n): {
            f"W{(7 * n + 3 * k + seed) % 11}X": {
                "Fluency": 50 + (13 * n + 5 * k + 7 * seed) % 51,
                "Style": 60 + (11 * n + 3 * k) % 41,
                **({"feedback": "It reads well."} if n % skip == 0 else {}),
            }
            for k in range(1 + n % 3)
        }
        for n in range(30)
    }
    write(path, json.dumps(items))


def test_ids_that_are_keys_of_objects_inside_one_another_are_items_and_raters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed, name in enumerate(("REF", "ours", "base")):
        workers(f"ratings_{name}.json", seed)
    found = look("ratings_REF.json")
    parts = {column.name: column.part for column in found.columns}
    assert (found.n_rows, parts["key"], parts["inner_key"], parts["Fluency"]) == (60, "item", "rater", "rating")
    assert set(parts) == {"key", "inner_key", "Fluency", "Style", "feedback"}
    files = [f"ratings_{name}.json" for name in ("REF", "ours", "base")]
    lines = done("look", *files).output.partition("Together:\n")[2].splitlines()
    scored = next(line for line in lines if " human-score " in line).partition(" ")[2]
    assert scored.endswith("--item-column key --rater-column inner_key --all-pairs")
    assert {row["system"] for row in as_json(scored)["rows"]} == {"ratings_REF", "ratings_ours", "ratings_base"}
    agreed = next(line for line in lines if " agreement " in line).partition(" ")[2]
    assert "n_repeats" not in done(agreed).output  # no output is rated twice by one
    assert all(row["n_repeats"] == 0 for row in as_json(agreed)["rows"])


def test_many_columns_with_blank_cells_are_one_note(tmp_path):
    columns = ["item", *(f"r{n}_score" for n in range(8))]
    rows = [(n, *(1 + (n + k) % 5 if (n + k) % 3 else "" for k in range(8))) for n in range(30)]
    write_table(tmp_path / "sparse.csv", columns, rows)
    notes = [note for note in look(str(tmp_path / "sparse.csv")).notes if "blank" in note]
    assert notes == [
        "8 columns are blank in 10 of 30 rows each: 'r0_score', 'r1_score', 'r2_score', 'r3_score', 'r4_score', "
        "'r5_score', 'r6_score', 'r7_score'"
    ]


def test_files_of_the_same_texts_by_other_annotators_are_not_compared(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place, name in enumerate(("lea", "tim")):
        rows = [
            {"id": n, "text": f"The text with the number {n}.", "label": [str(1 + (n + place) % 3)]} for n in range(24)
        ]
        write(tmp_path / f"{name}.jsonl", map(json.dumps, rows))
    together = done("look lea.jsonl tim.jsonl").output.partition("Together:\n")[2]
    assert together == "referenceless agreement lea.jsonl tim.jsonl --rating-column label\n"


def test_answers_on_parts_of_a_task_are_no_raters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        Path(name).mkdir()
        rows = [
            {
                "followed_all": all(answers),
                "followed": answers,
                "names": [f"part:{k}" for k in range(len(answers))],
                "prompt": f"Write the text that has number {n}.",
                "response": f"A text {n} that {name} wrote.",
            }
            for n in range(12)
            for answers in [[(n + k + ord(name)) % 4 > 0 for k in range(1 + n % 3)]]
        ]
        write(f"{name}/strict.jsonl", map(json.dumps, rows))
    parts = {column.name: column.part for column in look("a/strict.jsonl").columns}
    assert (parts["followed_all"], parts["followed"], parts["names"]) == ("score", "", "")
    both = "--scores a/strict.jsonl --scores b/strict.jsonl --score-column followed_all"
    assert f"referenceless compare {both}" in typed("look a b").out
    assert (
        "are no ratings of several raters, but each is on a part of the output: 'followed_all' is true just where all"
        in (typed("agreement a/strict.jsonl b/strict.jsonl --rating-column followed", status=1).err)
    )
    assert [row["score"] for row in as_json(f"compare {both}")["rows"]] == ["followed_all", "followed_all"]


def test_lists_of_true_and_false_alike_in_length_are_of_raters(tmp_path):
    rows = [{"text": f"Text number {n} of these.", "votes": [n % 2 > 0, n % 3 > 0, True]} for n in range(9)]
    file = write(tmp_path / "t.jsonl", map(json.dumps, rows))
    assert next(column.part for column in look(str(file)).columns if column.name == "votes") == "rating"


def test_files_that_are_called_as_raters_are_not_of_systems(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("A", "base"):
        files = [f"{name}{number}-scores.csv" for number in (1, 2, 3)]
        for place, file in enumerate(files):
            write_table(file, ["Fluency", "Adequacy"], [(1 + (n + place) % 5, 1 + n % 4) for n in range(12 + place)])
        together = done("look", *files).output.partition("Together:")[2]
        assert ("human-score" in together) == (name == "base")


def calls(path, numbers, name):
    """Write calls of a chat API, with a prompt and one answer each."""
    rows = [
        {
            "call_id": f"{name}-{n}",
            "request": {
                "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": asked(n)}]
            },
            "response": {"choices": [{"message": {"role": "assistant", "content": f"{name} says this of {n}."}}]},
        }
        for n in numbers
    ]
    return str(write(path, map(json.dumps, rows)))


def asked(n):
    return f"What do you say about number {n}?"


@pytest.mark.parametrize("others", [range(50, 90), range(50, 95)])
def test_calls_of_an_api_share_no_items_by_a_number_that_the_reading_gives_them(others, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    calls("v1.jsonl", range(40), "v1")
    calls("v2.jsonl", others, "v2")
    told = done("look v1.jsonl v2.jsonl").stdout
    together = told.partition("Together:\n")[2].splitlines()
    options = "--text-column message.content --rows-in response.choices --unpaired"
    assert together == [f"referenceless compare v1.jsonl v2.jsonl {options}"]  # and no `sample`
    calls("v2.jsonl", range(40), "v2")
    together = done("look v1.jsonl v2.jsonl").stdout.partition("Together:\n")[2]
    assert "--unpaired" not in together
    assert "referenceless sample" in together


def write_runs(moved, left_out=()):
    """Write a file for each of two versions, whose runs have ids of their own, in another order of the examples."""
    for at, name in enumerate(("v1.csv", "v2.csv")):
        rows = [
            {
                "id": f"run-{at}-{n}",
                "example_id": f"e{n}",
                "question": f"What is number {n}?",
                "answer": f"It is the number {n} of {at}.",
                "correctness": int((n + at) % 3 > 0),
            }
            for n in range(24)
        ]
        kept = [{key: cell for key, cell in row.items() if key not in left_out} for row in rows]
        ordered = kept[::-1] if at and moved else kept
        write_table(name, ["", *kept[0]], [[n, *row.values()] for n, row in enumerate(ordered)])


@pytest.mark.parametrize("left_out", [[], ["id"]])
def test_files_that_share_ids_are_paired_by_these_whatever_the_ids_of_runs(left_out, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_runs(moved=True, left_out=left_out)
    together = done("look v1.csv v2.csv").stdout.partition("Together:\n")[2]
    scores = "compare --scores v1.csv --scores v2.csv --score-column correctness --item-column example_id"
    assert together == f"referenceless {scores}\n"
    assert as_json(scores)["rows"][0]["items"] == 24
    write_runs(moved=True, left_out=[*left_out, "correctness"])
    together = done("look v1.csv v2.csv").stdout.partition("Together:\n")[2].splitlines()
    outputs = "compare v1.csv v2.csv --text-column answer --item-column example_id"
    assert together[0] == f"referenceless {outputs}"
    done(outputs)


def test_files_whose_ids_are_in_one_order_are_paired_by_their_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_runs(moved=False, left_out=["correctness"])
    together = done("look v1.csv v2.csv").stdout.partition("Together:\n")[2].splitlines()
    assert "referenceless compare v1.csv v2.csv --text-column answer" in together


def test_lists_of_scores_for_each_metric_and_system_are_compared_by_each_metric(tmp_path):
    """As scripts write a dictionary of metrics: a list of each system has a score for each segment."""
    shift = {"base": 0, "ours": 2, "big": 1}
    content = {
        metric: {name: [of * ((n * 7 + 3 * more) % 11 + more) for n in range(30)] for name, more in shift.items()}
        for metric, of in (("bleu", 2.5), ("chrf", 3.5), ("comet", 0.05))
    }
    path = write(tmp_path / "scores.json", json.dumps(content))
    found = look(path)
    parts = {column.name: column.part for column in found.columns}
    assert (parts["key"], parts["place"], parts["item"]) == ("metric", "item", "")
    line = found.commands[0]
    assert "--score-column base --score-column ours --score-column big --metric-column key --item-column place" in line
    rows = as_json(line.removeprefix("referenceless "))["rows"]
    means = {(row["system"], row["score"]): row["mean"] for row in rows if row.get("mean") is not None}
    for metric, of_systems in content.items():
        for name, values in of_systems.items():
            assert means[name, metric] == pytest.approx(sum(values) / 30)


def metrics_of_segments(system):
    """Return a row per document, with lists of the scores of its segments by several metrics, as the WMT has them."""
    return [
        {
            "document_id": f"doc{n}",
            "metric_scores": {
                "XCOMET-XL": [0.5 + (n + place + system) % 7 / 20 for place in range(3 + n % 2)],
                "GEMBA-ESA": [60 + (n + place) % 5 * 5 for place in range(3 + n % 2)],
                "MetricX-24": [-5.5 - (n + place) % 4 for place in range(3 + n % 2)],
            },
        }
        for n in range(12)
    ]


def test_lists_of_segments_scores_by_metrics_are_no_raters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place, name in enumerate(("ami", "erlendur")):
        write(f"{name}.jsonl", map(json.dumps, metrics_of_segments(place)))
    looks = [look("ami.jsonl"), look("erlendur.jsonl")]
    scores = {column.name for column in looks[0].columns if column.part == "score"}
    assert scores == {"metric_scores.XCOMET-XL", "metric_scores.GEMBA-ESA", "metric_scores.MetricX-24"}
    assert not [line for line in looks[0].commands if line.split()[1] == "agreement"]
    line = joint_lines(looks)[0].removeprefix("referenceless ")
    assert line.startswith("compare --scores ami.jsonl --scores erlendur.jsonl")
    assert "--item-column document_id" in line
    assert "--lower-is-better" not in line  # the sign was turned
    assert "erlendur" in done(line).output


def test_files_of_systems_with_pass_rates_are_no_raters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("coder", "writer"):
        rows = [
            {
                "title": f"Sum of Gaps {n}",
                "question_id": f"q-{n * 37}",
                "output_list": [f"def {name}_{n}(): pass", f"def {name}_again_{n}(): pass"],
                "graded_list": [n % 2 == 0, n % 3 == 0],
                "pass@1": (n % 2 + n % 3 % 2) / 2,
            }
            for n in range(20)
        ]
        (tmp_path / name).mkdir()
        write(f"{name}/eval_all.json", json.dumps(rows))
    lines = joint_lines([look("coder/eval_all.json"), look("writer/eval_all.json")])
    files = "--scores coder/eval_all.json --scores writer/eval_all.json"
    assert lines == [f"referenceless compare {files} --score-column pass@1 --item-column question_id"]
    told = done(f"compare {files} --score-column pass@1").output
    assert "coder" in told
    assert "if it sums up the others" not in told


def test_systems_are_the_keys_of_one_object_beside_that_of_their_outputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    systems = ["gpt-5.6", "glm-5.3", "kimi-k3"]
    rows = [
        {
            "sentence": f"谓言无罪过，供养卒大恩，其{n}也。",
            "outputs": {system: f"总以为没有什么罪过，{n}{system}" for system in systems},
            "ratings": {system: {"信": str(2 + (n + k) % 4), "达": str(3 + n % 3)} for k, system in enumerate(systems)},
        }
        for n in range(11)
    ]
    write("rated.json", json.dumps(rows, ensure_ascii=False))
    found = look("rated.json")
    line = "referenceless human-score --ratings rated.json --rating-column '信' --system-column ratings.key"
    assert found.commands[0].startswith(line)
    assert "--rows-in ratings" in found.commands[0]
    assert "glm-5.3" in done(found.commands[0].removeprefix("referenceless ")).output


def test_fields_of_marked_spans_are_no_ratings(tmp_path):
    """Neither are the numbers that count the spans of an output, whatever their field is called."""
    rows = []
    for n in range(40):
        errors = [
            {"error_no": k, "error_type": "grammar", "error_severity": "minor", "start": 3 * k, "end": 3 * k + 2}
            for k in range(n % 3)
        ]
        rows.append(
            {"source": f"Satz {n}.", "translation": f"The lake {n} is cold.", "quality": n % 5, "errors": errors}
        )
    found = look(write(tmp_path / "t.jsonl", map(json.dumps, rows)))
    parts = {column.name: column.part for column in found.columns}
    assert parts["quality"] == "rating"
    assert {parts[name] for name in parts if name.startswith("errors.")} == {"span"}
    assert not any("errors." in line for line in found.commands)


def test_the_same_ratings_as_texts_inside_an_object_are_no_second_criterion(folder):
    rows = [
        {"id": n, "esa_score": 12 + 7 * n, "meta": {"esa_score": str(12 + 7 * n), "who": f"a{n % 2}"}}
        for n in range(12)
    ]
    write("r.json", json.dumps(rows))
    told = {column.name: column.part for column in look("r.json").columns}
    assert (told["esa_score"], told["meta.esa_score"]) == ("rating", "")
