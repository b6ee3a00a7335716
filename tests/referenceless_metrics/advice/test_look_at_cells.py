"""`look` at files whose columns have names of any language: cells tell systems, verdicts, raters and references."""

import json
from itertools import product

import pytest
from command_lines import as_json, done, invoke
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.reading import InputNote

pytestmark = pytest.mark.filterwarnings("ignore")


def parts_of(found):
    return {column.name: column.part for column in found.columns if column.part}


def command(found, name):
    return next(line for line in found.commands if line.split()[1] == name)


def test_columns_of_any_name_hold_two_systems_if_winners_are_theirs(folder):
    pairs = [("ours", "base"), ("ours", "other"), ("other", "base")]
    rows = [
        {"question": f"What is {n // 3}?", "fw_a": a, "fw_b": b, "winner": (a, b, "tie")[n % 5 % 3], "margin": "clear"}
        for n, (a, b) in enumerate(pairs * 8)
    ]
    write("pairs.json", json.dumps(rows))
    found = look("pairs.json")
    assert found.commands == (
        "referenceless human-score --ratings pairs.json --preference-column winner --system-a-column fw_a "
        "--system-b-column fw_b --all-pairs",
    )
    told = done(found.commands[0].partition(" ")[2]).output
    assert all(name in told for name in ("ours", "base", "other"))


def test_verdicts_in_words_are_ratings_and_sparse_comments_no_system(folder):
    said = ("верно", "частично", "неверно")
    rows = [
        (
            system,
            n,
            f"Текст номер {n} для перевода",
            said[(n + len(system)) % 3],
            "это не ошибка вовсе" if n == 3 else "",
        )
        for system, n in product(["первая", "вторая модель"], range(15))
    ]
    write_table("verdicts.csv", ["system", "№", "Текст", "Соответствие", "Комментарии"], rows)
    found = look("verdicts.csv")
    assert parts_of(found)["Соответствие"] == "rating"
    assert "Комментарии" not in " ".join(found.commands)
    line = command(found, "human-score")
    for number, word in enumerate(said):
        line = line.replace(f"{word}=NUMBER", f"{word}={number}")
    assert done(line.partition(" ")[2]).exit_code == 0


def test_labels_that_items_or_systems_have_are_no_verdicts(folder):
    rows = [
        (system, n, f"Text {n} of system {system}", "news" if n < 9 else "sport", "big" if system == "a" else "small")
        for system, n in product("ab", range(15))
    ]
    write_table("outputs.csv", ["system", "item", "text", "area", "build"], rows)
    assert "rating" not in parts_of(look("outputs.csv")).values()


def test_two_raters_with_decimal_commas_are_proposed_together(folder):
    scale = ("1,5", "2", "3,5", "4", "5")
    rows = [
        (n, system, f"Satz {n} von {system}", scale[n % 5], scale[(n + 1) % 5], scale[n % 3], scale[n % 4])
        for n, system in product(range(10), "ab")
    ]
    names = ["Nr.", "System", "Text", "Angemessenheit B1", "Angemessenheit B2", "Flüssigkeit B1", "Flüssigkeit B2"]
    write_table("bewertung.tsv", names, rows, delimiter="\t")
    found = look("bewertung.tsv")
    both = "--rating-column 'Angemessenheit B1' --rating-column 'Angemessenheit B2'"
    assert both in command(found, "human-score")
    assert both in command(found, "agreement")
    assert any("further columns of ratings" in note and "Flüssigkeit B1" in note for note in found.notes)


def test_systems_without_common_items_are_proposed_as_unpaired(folder):
    rows = [(n, "abc"[n % 3], f"r{k}", 1 + (n + k) % 5) for n in range(36) for k in range(2)]
    write_table("apart.csv", ["item", "system", "rater", "rating"], [*rows, (0, "b", "r0", 3), (0, "b", "r1", 4)])
    line = command(look("apart.csv"), "human-score")
    assert "--unpaired" in line
    assert done(line.partition(" ")[2]).exit_code == 0


def test_a_source_of_few_names_parts_the_items(folder):
    rows = [(f"{'KW'[n % 2]}_{n}", f"p{k}", "KW"[n % 2], 1 + (n * k) % 5) for n in range(24) for k in range(3)]
    write_table("groups.csv", ["SENTENCE_ID", "participant", "SOURCE", "rating"], rows)
    line = command(look("groups.csv"), "human-score")
    assert "--system-column SOURCE" in line
    assert "--unpaired" in line


def test_counts_of_ngrams_are_no_ratings_and_texts_of_items_no_outputs(folder):
    rows = [
        (system, n, f"The reference of item {n}.", f"Output {n} of {system}.", n * 1.5 + len(system), n % 4)
        for system, n in product(["lead3", "lora"], range(12))
    ]
    write_table("scores.csv", ["system", "id", "summary", "prediction", "rouge1", "novel_1gram"], rows)
    parts = parts_of(look("scores.csv"))
    assert (parts["summary"], parts["prediction"]) == ("reference", "text")
    assert "novel_1gram" not in parts


def test_references_beside_outputs_are_proposed(folder):
    rows = [(f"Source text {n}", f"The reference text {n}.", f"The predicted text {n}.") for n in range(24)]
    write_table("outputs.csv", ["Source", "Reference", "Prediction"], rows)
    assert "--reference-columns Reference --with bleu,chrf" in command(look("outputs.csv"), "score")


def test_metrics_of_one_system_are_told_without_another_file(folder):
    rows = [(f"What is {n}?", f"It is answer {n}.", n % 5 / 4, n % 7 / 6, n % 3 / 2) for n in range(21)]
    write_table("rag.csv", ["user_input", "response", "faithfulness", "answer_relevancy", "context_recall"], rows)
    line = next(line for line in look("rag.csv").commands if " compare " in line and "OTHER" not in line)
    told = done(line.partition(" ")[2]).output
    assert "There is one system" in told
    assert all(name in told for name in ("faithfulness", "answer_relevancy", "context_recall"))


def test_crosses_are_taken_for_1_and_blank_cells_for_0(folder):
    rows = [
        (
            n,
            system,
            f"Answer {n} of {system}.",
            "xX"[n // 6 % 2] if n % step == 0 else "",
            "x" if n % 7 == 0 else "",
            f"r{n % 2}",
        )
        for n, (system, step) in product(range(24), [("big", 6), ("small", 2)])
    ]
    columns = ["dialog_id", "Model", "Response", "Hallucination", "Repetition", "Annotator"]
    write_table("crosses.csv", columns, rows)
    found = look("crosses.csv")
    assert {name for name, part in parts_of(found).items() if part == "rating"} == {"Hallucination", "Repetition"}
    assert any("'x' is taken for 1 and a blank for 0 (--values x=1,=0)" in note for note in found.notes)
    line = command(found, "human-score").partition(" ")[2]
    assert "--values x=1,=0" in line
    means = {row["system"]: row["mean"] for row in as_json(line)["rows"] if not row["less"]}
    assert means == {"big": pytest.approx(4 / 24), "small": pytest.approx(12 / 24)}


def test_ones_beside_blank_cells_are_crosses_too(folder):
    rows = [
        (n // 2, "ab"[n % 2], f"Answer {n}", "1" if n % 5 == 0 else "", "1" if n % 7 == 0 else "") for n in range(60)
    ]
    write_table("ones.csv", ["id", "model", "answer", "Halluzination", "Widerspruch"], rows)
    line = command(look("ones.csv"), "human-score").partition(" ")[2]
    both = "--rating-column Halluzination --rating-column Widerspruch --columns-are criteria"
    assert f"{both} --values 1=1,=0" in line
    assert [row["mean"] for row in as_json(line)["rows"][:2]] == [pytest.approx(0.2)] * 2


def test_crosses_without_a_meaning_of_blank_cells_are_refused_with_the_line_that_works(folder):
    rows = [(n, "ab"[n % 2], "x" if n % 3 == 0 else "", f"r{n % 2}") for n in range(60)]
    write_table("crosses.csv", ["item", "system", "error", "rater"], rows)
    line = "human-score --ratings crosses.csv --rating-column error --unpaired --scale 0-1"
    for values in ("", " --values x=1"):
        told = str(invoke(line + values).exception)
        assert "each cell holds 'x' or nothing" in told
        assert '--values "x=1,=0" takes it for 0, and --values "x=1,=" for a missing one' in told
    means = [row["mean"] for row in as_json(f"{line} --values X=1,x=1,=0")["rows"][:2]]
    assert means == [pytest.approx(1 / 3)] * 2
    assert [row["mean"] for row in as_json(f"{line} --values x=1,=")["rows"][:2]] == [pytest.approx(1)] * 2


def test_columns_of_any_name_are_of_raters_if_their_mean_stands_beside_them(folder):
    ratings = [(1 + n % 5, 1 + (n + k) % 4, "" if n == 7 else 1 + n * n % 5) for n in range(12) for k in range(2)]
    known = [[number for number in row if number != ""] for row in ratings]
    rows = [
        (n // 2, f"The text of {n // 2}", "ab"[n % 2], *row, round(sum(of) / len(of), 2))
        for n, (row, of) in enumerate(zip(ratings, known, strict=True))
    ]
    columns = ["ID", "Article", "System", "Anna", "Ben", "Chiara"]
    write_table("sheet.csv", [*columns, "Mean"], rows)
    found = look("sheet.csv")
    assert {name for name, part in parts_of(found).items() if part == "rating of a rater"} == {"Anna", "Ben", "Chiara"}
    assert any(
        "'Mean' is the mean of 'Anna', 'Ben', 'Chiara', which are taken for raters" in each for each in found.notes
    )
    raters = "--rating-column Anna --rating-column Ben --rating-column Chiara"
    assert (
        command(found, "agreement")
        == f"referenceless agreement sheet.csv {raters} --item-column ID --system-column System"
    )
    with pytest.warns(InputNote) as notes:
        done(command(found, "human-score").partition(" ")[2])
    assert not any("--cluster-column Article" in str(note.message) for note in notes)  # each holds one item
    write_table("sheet.csv", [*columns, "Mean"], [(*row[:-1], row[-1] + 1) for row in rows])
    assert "rating of a rater" not in parts_of(look("sheet.csv")).values()


def test_the_first_column_without_a_name_is_no_rating_if_its_numbers_all_differ(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"{39 + n * 7919 % 9973}\tthe cat number {n} sat here\t[{n % 3}, {n % 2}, 0]\n" for n in range(60)]
    write("t.tsv", "".join(lines).splitlines())
    found = look("t.tsv")
    assert {column.name: column.part for column in found.columns}["item"] == "item"
    assert not [line for line in found.commands if "--columns rating" in line]


@pytest.fixture(scope="module")
def ranked_answers(tmp_path_factory):
    """Answers of three models to each prompt with their ranks, some tied, and the data set of each prompt."""
    path = tmp_path_factory.mktemp("ranked") / "ranked.jsonl"
    orders = [(1, 2, 3), (1.5, 1.5, 3), (2, 1, 3), (1, 2.5, 2.5), (1, 3, 2)]
    rows = [
        {
            "prompt": f"Why does river number {n} bend to the west near the town?",
            "source": ("sharegpt", "evol")[n % 2],
            "answers": [
                {"answer": f"The river number {n} bends as {name} says.", "model": name, "rank": place}
                for name, place in zip(("one", "two", "three"), orders[n % 5], strict=True)
            ],
        }
        for n in range(30)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_ranks_are_ratings_whose_best_is_told_whatever_their_ties(ranked_answers):
    found = look(ranked_answers)
    assert parts_of(found)["rank"] == "rating"
    line = command(found, "human-score")
    assert "--values 1=3,1.5=2.5,2=2,2.5=1.5,3=1" in line
    means = {row["system"]: row["mean"] for row in as_json(f"{line.partition(' ')[2]} --format json")["rows"][:3]}
    assert means["one"] > means["two"] > means["three"]
    assert "--values 1=1,1.5=1.5,2=2,2.5=2.5,3=3 as the worst" in " ".join(found.notes)
    assert not any(line.split()[1] in ("evaluate", "advise") for line in found.commands)  # a rank is of no text alone


def test_ranks_of_last_places_that_are_tied_are_counted_from_the_last_place(folder):
    names = ("one", "two", "three")
    rows = [[n, names[(n + place) % 3], rank] for n in range(20) for place, rank in enumerate((1, 2))]
    rows += [[n, name, rank] for n in range(20, 25) for name, rank in zip(names, (1, 2.5, 2.5), strict=True)]
    write_table("t.csv", ["item", "system", "rank"], rows)
    assert "--values 1=3,2=2,2.5=1.5,3=1" in command(look("t.csv"), "human-score")


def test_sources_of_few_labels_beside_texts_are_the_data_sets_that_these_are_from(ranked_answers):
    assert parts_of(look(ranked_answers)).items() >= {"prompt": "source", "source": "slice"}.items()


def test_columns_of_nothing_but_marks_of_no_number_are_blank(folder):
    rows = [[n, 40 + n * 7 % 50, "nan", 30 + n * 5 % 60, "NaN"] for n in range(30)]
    write_table("t.csv", ["SEGID", "ANNOTATOR_01", "ANNOTATOR_02", "ANNOTATOR_03", "ANNOTATOR_04"], rows)
    found = look("t.csv")
    kinds = {column.name: column.kind for column in found.columns}
    assert kinds["ANNOTATOR_02"] == kinds["ANNOTATOR_04"] == "blank"
    assert parts_of(found)["ANNOTATOR_03"] == "rating of a rater"
    assert "ANNOTATOR_02" not in " ".join([*found.commands, *found.notes])


def test_errors_of_a_few_rows_are_no_sources(folder):
    rows = [
        [f"How do I export file number {n}?", f"Open the settings of file {n}.", "", 1 - n % 3 // 2] for n in range(40)
    ]
    rows[7][2] = "APITimeoutError('Request timed out.')"
    write_table("t.csv", ["inputs.question", "outputs.answer", "error", "feedback.correctness"], rows)
    assert parts_of(look("t.csv")) == {
        "inputs.question": "source",
        "outputs.answer": "text",
        "feedback.correctness": "rating",
    }


def test_flags_of_the_better_model_are_no_ratings(folder):
    rows = [
        [n, ("one", "two")[n % 2], "three", n % 3 // 2, 1 - n % 3 // 2, 0, "Why?", f"As {n}.", f"So {n}."]
        for n in range(30)
    ]
    names = ["id", "model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie", "prompt"]
    write_table("t.csv", [*names, "response_a", "response_b"], rows)
    assert "rating" not in parts_of(look("t.csv")).values()


def test_numbers_inside_an_object_that_stand_beside_it_too_are_told_once(folder):
    rows = [
        {"id": f"q{n}", "parsed": {"score": n * 7 % 10, "other": n * 3 % 7}, "score": n * 7 % 10, "output": f"As {n}."}
        for n in range(30)
    ]
    write("t.json", json.dumps(rows))
    found = look("t.json")
    assert parts_of(found)["score"] == "score"
    assert "parsed.score" not in parts_of(found)
    assert "parsed.score" not in " ".join(found.commands)


def test_texts_that_each_systems_rows_of_an_item_share_are_its_outputs(folder):
    names = ("Human", "gpt", "fusion")
    written = {(n, name): f"The {name} keeper of tower {n} climbed the stairs." for n in range(20) for name in names}
    rows = [
        (
            n,
            f"Premise {n}: a keeper and a tower.",
            written[n, "Human"],
            written[n, name],
            name,
            1 + (n + rater) % 5,
            rater,
        )
        for n, name, rater in product(range(20), names, range(3))
    ]
    write_table("t.csv", ["item", "premise", "Human", "Story", "Model", "Relevance", "Worker ID"], rows)
    found = look("t.csv")
    assert parts_of(found).items() >= {"Story": "text", "Human": "reference", "Model": "system"}.items()
    line = command(found, "evaluate")
    assert "--text-column Story" in line
    assert done(line.partition(" ")[2]).exit_code == 0


def test_criteria_of_any_usual_name_are_proposed_together(folder):
    rows = [
        (f"q{n}", name, *(1 + (n * place + len(name)) % 5 for place in range(1, 7)))
        for n, name in product(range(20), ("base", "rag"))
    ]
    columns = [f"{criterion}_ann{k}" for criterion in ("factuality", "helpfulness") for k in (1, 2, 3)]
    write_table("t.csv", ["qid", "system", *columns], rows)
    line = command(look("t.csv"), "human-score")
    assert "--rating-column factuality --rating-column helpfulness --columns-are criteria" in line
    assert done(f"{line.partition(' ')[2]} --scale 1-5").exit_code == 0


def test_codes_below_a_scale_are_told_with_the_option_that_leaves_them_out(folder):
    rows = [[n, "ab"[n % 2], f"r{n % 3}", -9 if n % 7 == 0 else 1 + n % 5, n % 5 - 2] for n in range(40)]
    write_table("t.csv", ["id", "system", "rater", "fluency", "warmth"], rows)
    (note,) = (note for note in look("t.csv").notes if "below the scale" in note)
    assert "column 'fluency' stands -9, which counts as a rating" in note
    assert '--values "-9="' in note


def test_flags_of_errors_in_several_runs_are_better_if_lower(folder):
    rows = [
        [f"d{n}", s, run, (n + at + run) % 3 // 2, n % 2]
        for n in range(6)
        for at, s in enumerate("ab")
        for run in (1, 2)
    ]
    write_table("t.csv", ["doc_id", "model_name", "rep_id", "err_facts", "err_readability"], rows)
    found = look("t.csv")
    assert not any("the first system has" in note for note in found.notes)
    line = command(found, "compare")
    assert "--item-column doc_id" in line
    assert "--run-column rep_id" in line
    assert "--lower-is-better err_" in line
    done(line.removeprefix("referenceless "))
    ratings = "human-score --ratings t.csv --rating-column err_facts --rating-column err_readability"
    assert "look like criteria" in str(invoke(ratings).exception)


def test_ratings_of_outputs_in_several_runs_are_of_items_in_clusters(folder):
    rows = [
        [f"d{n}", s, run, 1 + (n * 3 + at + run) % 5] for n in range(12) for at, s in enumerate("ab") for run in (1, 2)
    ]
    write_table("t.csv", ["doc_id", "model_name", "rep_id", "fluency_rating"], rows)
    line = command(look("t.csv"), "human-score")
    assert "--item-column rep_id --cluster-column doc_id" in line
    assert "in 12 clusters" in done(line.removeprefix("referenceless ")).stdout


def test_flags_of_hallucinations_are_better_if_lower(folder):
    rows = [[f"q{n}", s, (n + at) % 3 // 2] for n in range(12) for at, s in enumerate("ab")]
    write_table("t.csv", ["question_id", "system", "has_hallucination"], rows)
    assert "--lower-is-better has_hallucination" in command(look("t.csv"), "compare")
    rated = "human-score --ratings t.csv --rating-column has_hallucination --item-column question_id"
    with pytest.warns(InputNote, match="or errors are counted, it is worse"):
        done(rated)
