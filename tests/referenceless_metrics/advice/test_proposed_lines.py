"""Each command line that `look` proposes runs, and says what the file holds."""

import json
from pathlib import Path

import pytest
from command_lines import done, invoke, typed
from proposed_lines import check_lines
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.advice.look.together.joint import joint_lines
from referenceless_metrics.core.files.reading import InputNote

pytestmark = pytest.mark.filterwarnings("ignore")

SYSTEMS = ("base", "ours")
N = 12


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def parts_of(found):
    return {column.name: column.part for column in found.columns}


def stars(*seed):
    return 1 + sum(seed) % 5


def outputs(row):
    return [row(n, at, s) for n in range(N) for at, s in enumerate(SYSTEMS)]


def lines_of(file, word):
    return [line for line in look(file).commands if line.split()[1] == word]


def test_ratings_of_several_raters_by_several_criteria():
    names = [f"{criterion}_r{rater}" for criterion in ("fluency", "coherence") for rater in (1, 2)]
    rows = outputs(
        lambda n, at, s: [n, s, f"The train {n} of {s} came late.", *(stars(n * k, at, k) for k in range(4))]
    )
    write_table("t.csv", ["item", "system", "output", *names], rows)
    found = look("t.csv")
    told = check_lines(found.commands, "t.csv")
    assert set(told) == {"human-score", "agreement"}
    assert "fluency" in told["human-score"]
    assert "coherence" in told["human-score"]
    of_first = [line.split()[0] for line in told["agreement"].splitlines() if line.split()[1:2] == ["r1"]]
    assert set(of_first) == {"fluency", "coherence"}
    assert not any("--scores" in line for line in found.commands)  # people rated
    for word in ("evaluate", "advise"):
        of_fluency, of_coherence = lines_of("t.csv", word)
        assert "--text-column output --rating-column fluency_r1 --rating-column fluency_r2" in of_fluency
        assert "--text-column output --rating-column coherence_r1 --rating-column coherence_r2" in of_coherence


@pytest.mark.parametrize("form", ["{1} ({0})", "{0} {1}", "{0}_{1}", "{1}_{0}"])
def test_initials_of_raters_stand_before_criteria_behind_them_or_in_brackets(form):
    names = [form.format(rater, criterion) for criterion in ("Fluency", "Factuality") for rater in ("JS", "MK", "AT")]
    rows = outputs(lambda n, at, s: [n, s, *(stars(n * k, at, k) for k in range(6))])
    write_table("t.csv", ["item", "system", *names], rows)
    told = check_lines(look("t.csv").commands, "t.csv")
    rated = {tuple(line.split()[:2]) for line in told["agreement"].splitlines() if line.startswith(("Flu", "Fac"))}
    assert rated >= {(criterion, rater) for criterion in ("Fluency", "Factuality") for rater in ("JS", "MK", "AT")}
    assert set(told) == {"human-score", "agreement"}


def test_what_people_rated_several_times_is_no_tools_score():
    rows = [
        [n, s, stars(n, at, rater), stars(n, rater)]
        for n in range(4)
        for at, s in enumerate(SYSTEMS)
        for rater in range(3)
    ]
    header = ["ArticleID", "System", "CoherenceRating", "FluencyRating"]
    write_table("t.csv", header, rows)
    found = look("t.csv")
    told = check_lines(found.commands, "t.csv")
    assert set(told) == {"human-score", "agreement"}
    each = "each output of a system stands in 3 rows, of a rater each, maybe"
    assert any(note.startswith(each) for note in found.notes)
    write_table("t.csv", [*header, "prompt"], [[*row, f"p{place % 3}"] for place, row in enumerate(rows)])
    assert not any(note.startswith(each) for note in look("t.csv").notes)


def test_answers_about_texts_by_raters_who_are_not_named():
    asked = [f"Answer.{name}.1" for name in ("a-guidelines", "a-syntax", "a-superfluous", "a-wrong")]
    rows = [
        [n // 2, f"The story number {n} is weak here.", (n + r) % 2, r // 2, n % 2, 0]
        for n in range(N + 2)
        for r in range(3)
    ]
    write_table("t.csv", ["Input.story_id", "Input.explanation", *asked], rows)
    found = look("t.csv")
    assert [parts_of(found)[name] for name in asked] == ["rating"] * 4
    assert parts_of(found)["Input.story_id"] == "cluster"  # holds several texts, which were rated
    told = check_lines(found.commands, "t.csv")
    assert set(told) == {"human-score", "agreement"}
    assert "0.5000" in told["human-score"]


def test_agreement_of_unnamed_raters_is_that_of_named_ones():
    rows = [[f"The story number {n} is weak here.", stars(n, r * n), r] for n in range(N) for r in range(3)]
    write_table("t.csv", ["text", "rating", "rater"], rows)
    named = done("agreement t.csv").stdout
    write_table("u.csv", ["text", "rating"], [row[:2] for row in rows])
    with pytest.warns(InputNote, match="no column names the raters"):
        told = done("agreement u.csv").stdout
    assert told.splitlines()[0] == named.splitlines()[0]
    write_table("v.csv", ["text", "rating"], [row[:2] for row in rows[::3]])
    assert "there is no column of raters" in str(invoke("agreement v.csv").exception)


def test_two_rated_outputs_in_a_row_whose_systems_are_named():
    models = ("small", "large", "other")
    rows = [
        {
            "id": str(3 * n),
            "meta": {"model_a": models[n % 3], "model_b": models[(n + 1) % 3], "batch": "x"},
            "label_annotations": {
                "email": f"mail-{n}",
                "instance_id": "0",
                **{
                    f"{asked}_{side}": str(stars(n, at))
                    for asked in ("complexity", "assertive")
                    for at, side in enumerate("ab")
                },
            },
        }
        for n in range(N)
    ]
    write("t.jsonl", map(json.dumps, rows))
    found = look("t.jsonl")
    of = parts_of(found)
    assert (of["label_annotations.email"], of["meta.model"]) == ("rater", "system")
    assert of["label_annotations.assertive"] == "rating"
    told = check_lines(found.commands, "t.jsonl")
    assert set(told) == {"human-score"}
    means = {name: [] for name in models}
    for row in rows:
        for side in "ab":
            means[row["meta"][f"model_{side}"]].append(int(row["label_annotations"][f"complexity_{side}"]))
    for of_model in means.values():
        assert f"{sum(of_model) / len(of_model):.4f}" in told["human-score"]


def test_ways_to_generate_are_systems_and_names_of_files_items():
    rows = [
        [f"{37 * n}.jpg", f"a dog runs {n % 5}", stars(n), ("Beam", "Greedy")[n % 3 > 1], f"a dog {n % 4}"]
        for n in range(36)
    ]
    write_table("t.csv", ["Image Filename", "Caption", "Overall (1-5)", "Generation Method", "Ground Truth"], rows)
    found = look("t.csv")
    assert parts_of(found)["Generation Method"] == "system"
    assert "Greedy" in check_lines(found.commands, "t.csv")["human-score"]
    plain = "human-score --ratings t.csv --rating-column 'Overall (1-5)' --system-column 'Generation Method'"
    assert "12" in done(f"{plain} --item-column 'Image Filename' --unpaired").stdout


def test_a_metric_of_this_package_is_no_rating_of_people():
    rows = outputs(
        lambda n, at, s: [n, s, n / 13 + at / 9, (n * 7 % 11) * 9.1, (n * 5 % 11) / 2 - 3 - at / 7, n / 5 - 2]
    )
    write_table("t.csv", ["seg_id", "system", "comet", "chrf", "fluency", "rouge_lm"], rows)
    found = look("t.csv")
    assert "fluency" not in " ".join(found.notes)
    assert set(check_lines(found.commands, "t.csv")) == {"compare"}


def test_ratings_are_told_from_means_and_bins_beside_them():
    bins = ("bad", "good")
    rows = outputs(lambda n, at, s: [s, n, n / 13, 30.5 + n * 3.7, 2 + (n + at) % 5, bins[(n + at) % 5 > 2]])
    write_table("t.csv", ["system", "item", "TER", "parser.sc.mean", "informativeness", "inf_bin"], rows)
    found = look("t.csv")
    assert (parts_of(found)["parser.sc.mean"], parts_of(found)["inf_bin"]) == ("", "")
    evaluated = lines_of("t.csv", "evaluate")
    assert [line.partition("--rating-column ")[2].split()[0] for line in evaluated] == ["informativeness"]
    check_lines(found.commands, "t.csv")


def test_figures_of_captions_are_compared_together():
    rows = [{"B2": 20 + n * 1.3, "CIDER": 50 + n * 2.1, "B4": n * 1.7, "image_id": 70 + n} for n in range(N)]
    write("t.json", json.dumps(rows))
    lines = look("t.json").commands
    assert [line.count("--score-column") for line in lines] == [3, 3]


def test_agreement_takes_the_slice_in_which_items_begin_again_as_a_cluster():
    rows = [
        [d, n, s, r, stars(n, r, at)] for d in "xy" for n in range(N) for at, s in enumerate(SYSTEMS) for r in range(2)
    ]
    write_table("t.csv", ["dataset", "item", "system", "rater", "rating"], rows)
    found = look("t.csv")
    assert "--slice-column dataset" in lines_of("t.csv", "human-score")[0]
    assert set(check_lines(found.commands, "t.csv")) >= {"human-score", "agreement"}


def test_what_rouge_prints_is_compared():
    lines = ["-----", *(f"1 ROUGE-1 Average_{of}: 0.5 (95%-conf.int. 0.4 - 0.6)" for of in "RPF"), "....."]
    lines += [f"{s} ROUGE-1 Eval D{n}.A.{s} R:0.9 P:0.1 F:0.{3 + n % 4 + s}" for s in (1, 2) for n in range(N)]
    write("rouge.out", lines)
    told = check_lines(look("rouge.out").commands, "rouge.out")["compare"]
    assert told.startswith("By ROUGE-1, 2 is higher than 1")
    assert "0.5500" in told  # the mean of 0.4 to 0.7
    write("means.out", lines[:5])
    assert "with -d for all summaries" in str(invoke("compare --scores means.out").exception)


def test_a_summary_of_opencompass_is_compared_without_its_means_of_groups():
    rows = [[f"task-{n}", f"{n:06x}", "accuracy", "gen", n, n + 1 + n % 3] for n in range(N)]
    rows += [["group", "-", "naive_average", "gen", 90, 1], ["part", "ab", "rouge1", "gen", "-", 7]]
    write_table("summary.csv", ["dataset", "version", "metric", "mode", "small", "large"], rows)
    told = check_lines(look("summary.csv").commands, "summary.csv")["compare"]
    assert told.startswith("By accuracy, large is higher than small")
    assert "naive_average" not in told


def test_preferences_on_a_slider_that_prodigy_exports():
    systems = ("out/base/bs5.txt", "out/ours/bs5.txt")
    rows = [
        {
            "src_text": f"The hotel number {n} was good.",
            **{f"hyp_{side}_id": systems[(n + at) % 2] for at, side in enumerate("ab")},
            **{f"hyp_{side}_text": f"Thank you, guest {side} of {n}." for side in "ab"},
            "score": str((30 + n) * (-1) ** n),
            "_input_hash": 11 * n,
            "_session_id": None,
            "answer": "accept" if n else "ignore",
        }
        for n in range(N + 1)
    ]
    write("db-out.jsonl", map(json.dumps, rows))
    found = look("db-out.jsonl")
    assert [line.partition("--preference-column ")[2] for line in found.commands] == [
        "score --a-is high",
        "score --a-is low",
    ]
    told = done(found.commands[0].removeprefix("referenceless ") + " -f json").stdout
    assert json.loads(told)["rows"][0]["wins"] in (0, N)  # each row prefers the same system
    check_lines(found.commands, "db-out.jsonl")


def test_decisions_of_a_judge_in_both_orders_are_held_against_labels():
    rows = [
        {
            "pair_id": f"p{n}",
            "question": f"What is the number {n} of all?",
            "response_A": f"It is the answer {n} of A.",
            "response_B": f"It is the answer {n} of B.",
            "label": "A>B" if n % 2 else "B>A",
            "judgments": [{"decision": "A>B" if n % 3 else "B>A"}, {"decision": "B>A" if n % 3 else "A>B"}],
        }
        for n in range(N)
    ]
    write("judge.jsonl", map(json.dumps, rows))
    (line,) = lines_of("judge.jsonl", "agreement")
    assert line.endswith("--rating-column label --rating-column judgments.0.decision")
    assert "Both gave the same label to 6 of 12 outputs (50.0%)." in done(line.removeprefix("referenceless ")).stdout


def test_ratings_of_one_group_are_held_against_those_of_another():
    rows = outputs(
        lambda n, at, s: {
            "id": n,
            "model_id": s,
            "experts": {"coherence": [stars(n, at, r) for r in range(3)]},
            "crowd": {"coherence": [stars(n * 3, at, r * r) for r in range(4)]},
        }
    )
    write("t.jsonl", map(json.dumps, rows))
    (line,) = lines_of("t.jsonl", "evaluate")
    assert "--score-column crowd.coherence --rating-column experts.coherence" in line
    check_lines(look("t.jsonl").commands, "t.jsonl")


def test_files_of_texts_together_with_references_sources_and_documents():
    for name in ("base", "ours", "ref", "source"):
        write(f"{name}.txt", [f"The train {n} of {name} came late." for n in range(N + 2)])
    write("docs.txt", [f"news-{n // 4}" for n in range(N + 2)])
    told = done("look base.txt docs.txt ours.txt ref.txt source.txt").stdout
    line = "compare base.txt ours.txt --references ref.txt"
    of_documents = "--cluster-column docs.txt\n"
    assert f"{line} --with bleu,chrf --sources source.txt {of_documents}" in told
    assert f"not English, by metrics with references alone:\nreferenceless {line} --metric bleu --metric chrf" in told
    assert "sample base.txt ours.txt --sources source.txt -n 14 -o study\n" in told
    told = done("look base.txt docs.txt ours.txt").stdout
    assert f"compare base.txt ours.txt {of_documents}" in told
    assert "bleu" not in told
    assert "score base.txt --references ref.txt --with bleu,chrf\n" in done("look base.txt ref.txt").stdout


def test_suffixes_tell_sources_and_post_edits():
    for name in ("dev.mt", "dev.src", "dev.pe"):
        write(name, [f"The train {n} of {name} came {'very ' * (n % 3)}late." for n in range(N + 2)])
    told = done("look dev.mt dev.src dev.pe").stdout
    assert "score dev.mt --references dev.pe --with bleu,chrf\n" in told
    assert "compare dev.mt dev" not in told


def test_a_column_of_references_in_each_file_is_taken_by_compare():
    rows = [(f"The train {n} came late.", f"Train {n} was late.") for n in range(N + 2)]
    for name in ("one", "two"):
        write(f"{name}.jsonl", [json.dumps({"prediction": out, "label": label}) for out, label in rows])
    told = done("look one.jsonl two.jsonl").stdout
    line = "compare one.jsonl two.jsonl --text-column prediction --reference-columns label --with bleu,chrf\n"
    assert line in told
    assert line.replace("--with bleu,chrf", "--metric bleu --metric chrf") in told
    assert "referenceless filter one.jsonl --text-column prediction --keep 'fluency > -2'" in told


@pytest.mark.parametrize("name", ["id", "request_id"])
def test_logs_of_days_share_no_id_and_are_compared_unpaired(name):
    """Ids that begin with dates are no dates; if the prompts are the same in the same order, rows are paired."""
    prompts = {day: [f"What is the number {n} of day {day}?" for n in range(2 * N)] for day in (1, 2)}

    def write_day(day, of):
        rows = [(f"2026-11-0{day}-{n:03}", "bot", of[n], f"It is the answer {n} of day {day}.") for n in range(2 * N)]
        keys = (name, "model", "prompt", "answer")
        write(f"{day}.jsonl", [json.dumps(dict(zip(keys, row, strict=True))) for row in rows])

    write_day(1, prompts[1])
    write_day(2, prompts[2])
    found = look("1.jsonl")
    assert found.shape == "outputs of one system: one row per output"
    assert found.columns[0].kind == "ids"
    assert "compare 1.jsonl 2.jsonl --text-column answer --unpaired\n" in done("look 1.jsonl 2.jsonl").stdout
    write_day(2, prompts[1])
    assert "compare 1.jsonl 2.jsonl --text-column answer\n" in done("look 1.jsonl 2.jsonl").stdout


@pytest.mark.parametrize(
    "cell, kind",
    [
        ("2026-11-{:02}", "dates"),
        ("2026-11-{:02}T08:00:00Z", "dates"),
        ("{:02}.11.2026, 08:00", "dates"),
        ("11/{:02}/2026 8:00:00 PM", "dates"),
        ("2026-11-28-{:03}", "ids"),
        ("2026-11-28_{:03}", "ids"),
    ],
)
def test_a_date_is_all_of_a_cell_or_has_a_time_behind_it(cell, kind):
    write_table("t.csv", ("when", "text"), [(cell.format(n + 1), f"The train {n} came late.") for n in range(2 * N)])
    assert look("t.csv").columns[0].kind == kind


def test_pairs_of_texts_without_a_header_count_all_and_get_names():
    write("bitext.tsv", [f"Der Zug {n} kam an.\tThe train {n} came late." for n in range(N + 2)])
    found = look("bitext.tsv")
    assert found.n_rows == N + 2
    assert found.commands[0] == "referenceless score bitext.tsv --columns source,text"


def test_files_of_other_items_are_compared_as_independent():
    for at, s in enumerate(SYSTEMS):
        write(
            f"{s}.json",
            json.dumps(
                {
                    str(n): {"generated_q": f"What is the thing {n}?", "real_q": f"Where is it, {n}?"}
                    for n in range(100 * at, 100 * at + N + 2)
                }
            ),
        )
    told = done("look base.json ours.json").stdout
    assert "Together:\nreferenceless compare base.json ours.json --text-column generated_q --unpaired\n" in told


def test_unpaired_ratings_need_no_items():
    rows = [[s, 1 + (n + at) % 5] for at, s in enumerate(SYSTEMS) for n in range(N + at)]
    write_table("t.csv", ["system", "rating"], rows)
    told = done("human-score --ratings t.csv --unpaired --scale 1-5").stdout
    assert str(N + 1) in told


def test_rows_that_no_column_of_items_joins_are_independent_samples():
    rows = [
        [s, f"The train {n} of {s} came late.", stars(n, at)] for at, s in enumerate(SYSTEMS) for n in range(N + at)
    ]
    write_table("t.csv", ["model", "output", "quality"], rows)
    (line,) = lines_of("t.csv", "human-score")
    assert line.endswith("--unpaired")
    told = invoke(
        "human-score --ratings t.csv --rating-column quality --system-column model --ratings-text-column output"
    )
    assert "(--unpaired)" in str(told.exception)
    check_lines([line], "t.csv")


def test_the_reasons_of_a_judge_are_no_outputs():
    rows = [
        (
            n,
            s,
            "gemini",
            stars(n, at),
            f"It is right, but step {n} of {s} lacks a reason, as nobody can follow it.",
        )
        for n in range(N)
        for at, s in enumerate(SYSTEMS)
    ]
    write_table("judged.csv", ["packet_id", "model_id", "judge_id", "score", "reason"], rows)
    found = look("judged.csv")
    assert parts_of(found)["reason"] == "comment"
    assert not any("reason" in line for line in found.commands)
    check_lines(found.commands, "judged.csv")


def test_raters_are_told_by_their_roles_and_remarks_are_no_outputs():
    roles = ("linguist", "lawyer", "layman")
    rows = [
        [f"E{n * 3 + at:04}", f"case-{n}", f"R{n * 3 + at:04}", role, stars(n, at), f"Remark {n} of the {role} on it."]
        for n in range(N)
        for at, role in enumerate(roles)
    ]
    write_table("t.csv", ["evaluation_id", "case_id", "evaluator_id", "evaluator_role", "clarity", "comments"], rows)
    found = look("t.csv")
    of = parts_of(found)
    assert [of[name] for name in ("case_id", "evaluator_id", "evaluator_role", "comments")] == [
        "item",
        "",
        "rater",
        "comment",
    ]
    assert not any("two raters" in note for note in found.notes)
    told = check_lines(found.commands, "t.csv")
    assert all(role in told["agreement"] for role in roles)
    assert "12 of 12 outputs were rated by two raters or more" in told["agreement"]


def test_judges_with_a_column_each_are_raters_of_a_system():
    judges = ("gpt-4o", "claude-3-opus")
    rows = [
        {
            "id": n,
            "system": s,
            "response": f"The train {n} of {s} came late.",
            "scores": {j: stars(n, at, k) for k, j in enumerate(judges)},
        }
        for n in range(N)
        for at, s in enumerate(SYSTEMS)
    ]
    write("t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    of = parts_of(look("t.jsonl"))
    assert {of["scores.gpt-4o"], of["scores.claude-3-opus"]} == {"rating of a rater"}
    told = check_lines([line for word in ("human-score", "agreement") for line in lines_of("t.jsonl", word)], "t.jsonl")
    assert "nothing about people" in told["human-score"]
    assert "24 of 24 outputs were rated by two raters or more" in told["agreement"]


def test_columns_of_one_judge_by_criteria_are_no_raters():
    rows = outputs(lambda n, at, s: [n, s, f"The train {n} of {s} came late.", stars(n, at), stars(n)])
    write_table("t.csv", ["item", "system", "output", "gpt4_coherence", "gpt4_fluency"], rows)
    assert "rating of a rater" not in parts_of(look("t.csv")).values()


def test_turns_that_begin_again_in_each_dialogue_are_items_with_it():
    rows = [
        {"dialogue_id": d, "turn": turn, "response": f"I saw {d} of {turn}.", "engaging": [stars(d), stars(d, turn)]}
        for d in range(N)
        for turn in range(3)
    ]
    write("t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    (line,) = lines_of("t.jsonl", "agreement")
    assert "--item-column dialogue_id --item-column turn" in line
    assert "36 of 36 outputs were rated by two raters or more" in check_lines([line], "t.jsonl")["agreement"]


def test_ids_of_rows_with_other_inputs_join_no_items():
    rows = [[f"{s}-{n}", f"What is {n} of {s}?", f"The train {n} of {s} came late."] for s in "ab" for n in range(N)]
    write_table("t.csv", ["id", "prompt", "answer"], rows)
    assert "system" not in parts_of(look("t.csv")).values()
    write_table("t.csv", ["id", "prompt", "answer"], [[name, f"What is {name[2:]}?", text] for name, _, text in rows])
    assert "system" in parts_of(look("t.csv")).values()


QUESTIONS = ("Where is my order?", "How do I pay?", "Is it free?")


def write_log(ids, *, key="model_version", numbers=(N, N)):
    """Write answers of two versions, each to questions of its own, some of which repeat."""
    rows = [
        {
            "id": ids(at, n),
            key: f"bot-1.{at}.0",
            "prompt": QUESTIONS[(n * n + at) % 3],
            "answer": f"It is in box {n} of {at}.",
        }
        for at in range(2)
        for n in range(numbers[at])
    ]
    write("log.jsonl", map(json.dumps, rows))


@pytest.mark.parametrize("key", ["model_version", "model", "version"])
@pytest.mark.parametrize("numbers", [(N, N), (N + 3, N)])
@pytest.mark.parametrize(
    "ids", [lambda at, n: f"{'ab'[at]}-{n:04}", lambda at, n: f"{7 * n + 3:x}{at}f-{n * 31 % 97:02x}"]
)
def test_a_log_of_two_versions_is_compared_unpaired(key, numbers, ids):
    """The prompts tell that rows of one number, or of one place, are of other items."""
    write_log(ids, key=key, numbers=numbers)
    (line,) = lines_of("log.jsonl", "compare")
    assert line == f"referenceless compare log.jsonl --text-column answer --system-column {key} --unpaired"
    told = check_lines([line], "log.jsonl", ("compare",))["compare"]
    assert all(f"{n} " in told for n in numbers)


@pytest.mark.parametrize("ids", [True, False])
def test_rows_of_one_number_with_other_prompts_are_not_paired(ids):
    """In a file of each day, and in one of both: each day counts its own rows."""

    def write_days(prompt):
        rows = [
            {**({"id": n} if ids else {}), "model": f"m{at}", "prompt": prompt(at, n), "answer": f"In box {n} of {at}."}
            for at in range(2)
            for n in range(N)
        ]
        for at in range(2):
            write(f"{at}.jsonl", map(json.dumps, rows[at * N : at * N + N]))
        write("both.jsonl", map(json.dumps, rows))

    write_days(lambda at, n: f"What is the number {n} of day {at}?")
    assert "compare 0.jsonl 1.jsonl --text-column answer --unpaired\n" in done("look 0.jsonl 1.jsonl").stdout
    (line,) = lines_of("both.jsonl", "compare")
    assert line.endswith("--system-column model --unpaired")
    write_days(lambda at, n: f"What is the number {n}?")
    assert "compare 0.jsonl 1.jsonl --text-column answer\n" in done("look 0.jsonl 1.jsonl").stdout
    (line,) = lines_of("both.jsonl", "compare")
    assert "--unpaired" not in line


def test_a_log_without_ids_is_paired_by_no_order():
    rows = [
        [f"bot-1.{at}.0", QUESTIONS[(n * n + at) % 3], f"It is in box {n} of {at}."]
        for at in range(2)
        for n in range(N)
    ]
    write_table("log.csv", ["model_version", "prompt", "answer"], rows)
    (line,) = lines_of("log.csv", "compare")
    assert line.endswith("--system-column model_version --unpaired")


def answered(n, at=0):
    return {"role": "assistant", "content": f"The train {n} of line {at} came late."}


def asked(n):
    return [{"role": "system", "content": "Be kind."}, {"role": "user", "content": f"Where is the train {n}?"}]


LOGS = {
    "choices": lambda n: {"choices": [{"index": 0, "message": answered(n), "finish_reason": "stop"}]},
    "response.choices": lambda n: {
        "request": {"messages": asked(n)},
        "response": {"choices": [{"index": 0, "message": answered(n)}], "usage": {"total_tokens": 9}},
    },
    "response.body.choices": lambda n: {
        "custom_id": f"r{n}",
        "response": {"status_code": 200, "body": {"choices": [{"index": 0, "message": answered(n)}]}},
        "error": None,
    },
}
"""Rows of logs of an API, by the list that holds the answers."""


@pytest.mark.parametrize("path", LOGS)
def test_answers_in_logs_of_an_api_are_scored(path):
    write("log.jsonl", [json.dumps({"id": f"c{n}", "model": "bot", **LOGS[path](n)}) for n in range(N)])
    found = look("log.jsonl")
    (line,) = lines_of("log.jsonl", "score")
    assert line == f"referenceless score log.jsonl --text-column message.content --rows-in {path}"
    assert f"{N} of {N} texts" in check_lines([line], "log.jsonl", ("score",))["score"]
    prompts = [column.name for column in found.columns if column.part == "source"]
    assert prompts == (["request.messages.-1.content"] if path == "response.choices" else [])
    err = typed("score log.jsonl", 1).err
    assert f"  {line}\n" in err


@pytest.mark.parametrize(
    "path, row",
    [
        ("response.content", lambda n: {"response": {"role": "assistant", "content": [{"type": "text", "text": n}]}}),
        (
            "output.content",
            lambda n: {"output": [{"role": "assistant", "content": [{"type": "output_text", "text": n}]}]},
        ),
        ("choices", lambda n: {"prompt": f"Where is it, {n}", "choices": [{"index": 0, "text": n}]}),
    ],
)
def test_answers_in_parts_and_plain_texts_of_an_api_are_scored(path, row):
    write("log.jsonl", [json.dumps({"id": f"c{n}", **row(answered(n)["content"])}) for n in range(N)])
    (line,) = lines_of("log.jsonl", "score")
    assert line == f"referenceless score log.jsonl --rows-in {path}"
    assert f"{N} of {N} texts" in check_lines([line], "log.jsonl", ("score",))["score"]


def test_a_log_of_an_api_with_two_models_is_compared():
    rows = [{"model": f"m{n % 2}", **LOGS["response.choices"](n)} for n in range(2 * N)]
    write("log.jsonl", map(json.dumps, rows))
    (line,) = lines_of("log.jsonl", "compare")
    assert "--system-column model --unpaired --rows-in response.choices" in line
    check_lines([line], "log.jsonl", ("compare",))


def test_turns_of_users_alone_are_no_outputs():
    write("log.jsonl", [json.dumps({"id": n, "messages": asked(n)}) for n in range(N)])
    assert lines_of("log.jsonl", "score") == []
    write("log.jsonl", [json.dumps({"id": n, "messages": [*asked(n), answered(n)]}) for n in range(N)])
    (line,) = lines_of("log.jsonl", "score")
    assert "--rows-in messages --where role=assistant --text-column content" in line
    assert f"{N} of {N} texts" in check_lines([line], "log.jsonl", ("score",))["score"]


@pytest.mark.parametrize(
    "speaker, said, user, assistant",
    [
        ("from", "value", "human", "gpt"),
        ("speaker", "text", "User", "Bot"),
        ("author", "message", "user", "assistant"),
        ("role", "text", "prompter", "assistant"),
    ],
)
def test_turns_are_told_by_their_fields_in_any_form(speaker, said, user, assistant):
    """As ShareGPT's files have them, say."""

    def turns(n, *, are_answered):
        told = [{speaker: user, said: f"Where is the train {n}?"}]
        return [*told, {speaker: assistant, said: f"The train {n} came late."}] if are_answered else told

    write("log.jsonl", [json.dumps({"id": n, "conversations": turns(n, are_answered=False)}) for n in range(N)])
    assert lines_of("log.jsonl", "score") == []
    assert [column.name for column in look("log.jsonl").columns if column.part == "source"] == [
        f"conversations.-1.{said}"
    ]
    write("log.jsonl", [json.dumps({"id": n, "conversations": turns(n, are_answered=True)}) for n in range(N)])
    (line,) = lines_of("log.jsonl", "score")
    assert f"--rows-in conversations --where {speaker}={assistant} --text-column {said}" in line
    assert f"{N} of {N} texts" in check_lines([line], "log.jsonl", ("score",))["score"]


@pytest.mark.parametrize("speaker, said, assistant", [("role", "content", "assistant"), ("from", "value", "gpt")])
def test_turns_of_several_are_no_outputs_of_systems_whatever_stands_beside_them(speaker, said, assistant):
    def turns(n, **further):
        told = [
            ("user", f"Where is it {n}?"),
            (assistant, f"It is at {n} now."),
            ("user", "Thanks!"),
            (assistant, "Bye!"),
        ]
        return [{speaker: who, said: text, **further} for who, text in told]

    write("log.jsonl", [json.dumps({"id": f"c{n}", "conversations": turns(n)}) for n in range(N)])
    (line,) = look("log.jsonl").commands
    assert line == (
        f"referenceless score log.jsonl --rows-in conversations --where {speaker}={assistant} --text-column {said}"
    )
    write("log.jsonl", [json.dumps({"id": f"c{n}", "turns": turns(n, rating=1 + n % 5)}) for n in range(N)])
    assert any(" advise " in line and "--rows-in turns" in line for line in look("log.jsonl").commands)  # rated ones


@pytest.mark.parametrize(
    "speaker, said, user, assistant", [("role", "content", "user", "assistant"), ("from", "value", "human", "gpt")]
)
def test_prompts_beside_pairs_of_answers_are_no_outputs(speaker, said, user, assistant):
    def turn(who, text):
        return {speaker: who, said: text}

    def answers(n):
        return {name: turn(assistant, f"{name}: it is at {n} now.") for name in ("chosen", "rejected")}

    asked = {n: turn(user, f"Where is it {n}?") for n in range(N)}
    write("log.jsonl", [json.dumps({"conversations": [asked[n]], **answers(n)}) for n in asked])
    assert lines_of("log.jsonl", "compare") == [
        f"referenceless compare log.jsonl --text-column chosen.{said} --text-column rejected.{said}"
    ]
    lists = [{name: [asked[n], answer] for name, answer in answers(n).items()} for n in asked]
    rows = [{"prompt": asked[n][said], **of_row, "score_chosen": 8 + n % 3} for n, of_row in enumerate(lists)]
    write("log.jsonl", map(json.dumps, rows))
    assert not any("--text-column prompt" in line for line in look("log.jsonl").commands)


def test_ratings_of_an_assistants_turns_alone_are_read_with_these():
    def turns(n):
        said = [
            ("user", f"Where is it {n}?"),
            ("bot", f"It is at {n} now."),
            ("user", "Thanks!"),
            ("bot", f"See you at {n}, then."),
        ]
        return [{"speaker": w, "text": t, **({"rating": 1 + (n + len(t)) % 5} if w == "bot" else {})} for w, t in said]

    write("log.jsonl", [json.dumps({"id": f"c{n}", "turns": turns(n)}) for n in range(N)])
    found = look("log.jsonl")
    assert any(" advise " in line for line in found.commands)
    assert all("--rows-in turns" in line and "--where speaker=bot" in line for line in found.commands)
    told = check_lines(found.commands, "log.jsonl", ("advise", "score", "evaluate"))
    assert f"{2 * N} of {2 * N} texts" in told["score"]


def test_messages_of_authors_are_no_turns_of_an_assistant():
    authors = ("Ann Lee", "bot")
    rows = [
        {"id": n, "commits": [{"author": a, "message": f"Mend {n} of {a} here"} for a in authors]} for n in range(N)
    ]
    write("log.jsonl", map(json.dumps, rows))
    assert look("log.jsonl").shape != "dialogues: a list of turns in each row"


def test_systems_of_which_some_share_items_are_compared_unpaired():
    rows = [[f"i{n}", s, f"The train {n} of {s} came late."] for at, s in enumerate("xyz") for n in range(at, at + N)]
    write_table("t.csv", ["item", "system", "text"], rows)
    (line,) = lines_of("t.csv", "compare")
    assert line == "referenceless compare t.csv --system-column system --unpaired"
    assert f"{N - 2} of {N + 2} items have outputs of all systems" in " ".join(look("t.csv").notes)
    check_lines([line], "t.csv", ("compare",))
    for more in ("", " --item-column item"):
        err = typed(f"compare t.csv --system-column system --metric slor{more}", 1).err
        assert f"  {line}\n" in err
    assert "`compare --unpaired` compares outputs of other items" in err


def test_a_limit_leaves_out_the_lowest_tenth_of_the_values():
    """Whatever their scale: all estimates of ratings are above 0."""
    rows = [[f"The train {n} came late.", 1.5 + n / 7, 1.0, 4.0] for n in range(2 * N)]
    write_table("t.csv", ["text", "quality_estimation", "lower", "upper"], rows)
    (line,) = lines_of("t.csv", "filter")
    assert "--scored --keep 'quality_estimation > 1.83'" in line
    assert "about the lowest tenth of these values" in " ".join(look("t.csv").notes)
    done(f"{line.removeprefix('referenceless ')} -o kept.csv")
    assert len(Path("kept.csv").read_text().splitlines()) == 1 + 2 * N - 3
    write_table("t.csv", ["text", "quality_estimation"], [[text, 2.5 + (n > 6)] for n, (text, *_) in enumerate(rows)])
    assert lines_of("t.csv", "filter") == []


def test_numbers_of_unknown_origin_are_held_against_ratings_beside_them():
    rows = [[stars(n), n / 13, (7 * n % 11) / 3] for n in range(N)]
    write_table("t.csv", ["creativity", "novel_thing", "other"], rows)
    (line,) = lines_of("t.csv", "evaluate")
    assert "--score-column novel_thing --score-column other --rating-column creativity" in line
    check_lines([line], "t.csv")


def test_controls_are_a_slice_of_their_own_and_told():
    kinds = ("control", "only", "just")
    rows = [[r, f"c{n}", stars(n, r), kinds[n % 3]] for n in range(N) for r in range(3)]
    write_table("t.csv", ["rater", "item", "rating", "word"], rows)
    found = look("t.csv")
    (line,) = lines_of("t.csv", "human-score")
    assert line.endswith("--slice-column word")
    assert "12 of 36 rows" not in check_lines(found.commands, "t.csv")["human-score"]
    with pytest.warns(InputNote, match="12 of 36 rows have 'control' in column 'word', and count with the others"):
        done("human-score --ratings t.csv")


def test_a_slice_without_scores_does_not_stop_the_proposed_line():
    rows = [
        [s, d, n, "" if d == "gleu-set" else n / 7 + at]
        for n in range(N)
        for at, s in enumerate(SYSTEMS)
        for d in ("f-set", "gleu-set")
    ]
    write_table("t.csv", ["system", "dataset", "item", "f1"], rows)
    assert "'gleu-set'" in check_lines(look("t.csv").commands, "t.csv")["compare"]


def test_direct_assessments_of_documents_get_clusters_and_the_scale():
    """Documents are clusters of `human-score`, and numbers up to 100 are on a scale from 0 to 100."""
    rows = [
        [s, f"news.{n // 2}", n, f"r{k}", f"The train {n} of {s} came late.", min(100, 3 + 17 * n + 9 * k + 2 * at)]
        for at, s in enumerate(SYSTEMS)
        for n in range(N)
        for k in range(2)
    ]
    names = ["system", "doc", "seg", "annotator", "target", "score"]
    write_table("da.csv", names, rows)
    (line,) = lines_of("da.csv", "human-score")
    assert line.endswith("--rater-column annotator --cluster-column doc --scale 0-100")
    assert "human-score" in check_lines([line], "da.csv")
    write_table("low.csv", names, [[*row[:-1], row[-1] * 0.9] for row in rows])  # no end of a scale is seen
    (line,) = lines_of("low.csv", "human-score")
    assert line.endswith("--cluster-column doc")
    write_table("few.csv", names, [[*row[:-1], 50 * (row[2] % 3)] for row in rows])  # three points are another scale
    (line,) = lines_of("few.csv", "human-score")
    assert "--scale" not in line


def test_rated_texts_are_left_out_by_item_and_lead_to_estimates_of_further_ones():
    """Texts of one item are left out together, and a metric fitted by `advise` scores further texts."""
    rows = [[f"i{n // 3}", f"The train {n} came late to the town.", stars(n, n // 3)] for n in range(5 * N)]
    write_table("rated.csv", ["item", "text", "rating"], rows)
    (line,) = lines_of("rated.csv", "advise")
    assert line == "referenceless advise rated.csv --group-column item"
    told = done("look rated.csv").stdout
    fitted = f"{line} -o advice\nreferenceless score NEW.txt --advice advice\n"
    assert f"if advise finds that its estimates are worth it:\n{fitted}" in told
    write_table("single.csv", ["item", "text", "rating"], [[n, *row[1:]] for n, row in enumerate(rows)])
    (line,) = lines_of("single.csv", "advise")  # each text is of an item of its own
    assert line == "referenceless advise single.csv"
    write("plain.txt", [row[1] for row in rows])
    assert "advise" not in done("look plain.txt").stdout


def test_segments_of_translations_are_texts_and_sources():
    rows = [
        [f"u{n % 2}", s, n, f"Der Zug {n} kam.", f"The train {n} of {s} came late.", stars(n, at)]
        for at, s in enumerate(SYSTEMS)
        for n in range(N)
    ]
    write_table("esa.csv", ["user_id", "system_id", "segment_id", "source_segment", "target_segment", "score"], rows)
    found = parts_of(look("esa.csv"))
    assert (found["source_segment"], found["target_segment"], found["segment_id"]) == ("source", "text", "item")


@pytest.mark.parametrize("kept", [("line_id", "src"), ("src",)])
def test_a_document_that_holds_several_segments_of_a_system_is_no_item(kept):
    """Each rater rates the segments of a document once: they are no repeated ratings of the document."""
    rows = [
        [
            n,
            f"news_{n // 4}",
            f"Der Zug {n} kam spät.",
            f"The train {n} of {s} came late.",
            s,
            r,
            20 * stars(n, at, r == "b"),
        ]
        for n in range(N)
        for at, s in enumerate(SYSTEMS)
        for r in ("a", "b")
    ]
    names = ["line_id", "doc_id", "src", "tgt", "system", "annotator", "esa_score"]
    held = [at for at, name in enumerate(names) if name in kept or name not in ("line_id", "src")]
    write_table("esa.csv", [names[at] for at in held], [[row[at] for at in held] for row in rows])
    found = look("esa.csv")
    assert (parts_of(found)[kept[0]], parts_of(found)["doc_id"]) == ("item", "cluster")
    (line,) = lines_of("esa.csv", "agreement")
    assert f"2 raters gave {len(rows)} ratings" in done(line.removeprefix("referenceless ")).stdout
    (line,) = lines_of("esa.csv", "human-score")
    assert "--cluster-column doc_id" in line


def test_numbers_of_outputs_are_no_segments_of_their_items():
    rows = [
        [f"topic_{n // 2}", 100 * at + n, s, r, stars(n, at, r == "b")]
        for n in range(N)
        for at, s in enumerate(SYSTEMS)
        for r in ("a", "b")
    ]
    write_table("t.csv", ["topic_id", "output_no", "system", "rater", "rating"], rows)
    found = parts_of(look("t.csv"))
    assert (found["topic_id"], found["output_no"]) == ("item", "")


SPANISH = "La maestra explicó la lección {n} de {s} a los niños mientras llovía sobre la vieja ciudad."
ENGLISH = "The teacher explained lesson {n} of {s} to the children while it rained on the old town."


@pytest.mark.parametrize("text", [SPANISH, ENGLISH])
def test_fluency_is_held_against_ratings_of_english_texts_alone(text):
    rows = outputs(lambda n, at, s: [n, s, text.format(n=n, s=s), stars(n, at)])
    write_table("t.csv", ["item", "system", "output", "rating"], rows)
    is_english = text == ENGLISH
    assert len(lines_of("t.csv", "human-score")) == 1
    assert [len(lines_of("t.csv", command)) for command in ("evaluate", "score")] == [is_english, is_english]
    assert any("do not look English" in note for note in look("t.csv").notes) != is_english


def test_texts_that_are_not_english_are_compared_by_metrics_that_read_any_language():
    """In a column per system, in one column, and in a file for each system: references are in a column or a file."""
    any_language = "--references REFERENCES --metric bleu --metric chrf"
    by_system = {s: [SPANISH.format(n=n, s=s) for n in range(N)] for s in SYSTEMS}
    write_table("wide.csv", ["item", *SYSTEMS], [[n, *(by_system[s][n] for s in SYSTEMS)] for n in range(N)])
    (line,) = lines_of("wide.csv", "compare")
    assert line.endswith(any_language)
    write_table("long.csv", ["item", "system", "output"], outputs(lambda n, at, s: [n, s, by_system[s][n]]))
    (line,) = lines_of("long.csv", "compare")
    assert line.endswith(f"--text-column output --system-column system {any_language}")
    for s in SYSTEMS:
        rows = [[n, by_system[s][n], SPANISH.format(n=n, s="ayer")] for n in range(N)]
        write_table(f"{s}.csv", ["item", "output", "reference"], rows)
    files = [f"{s}.csv" for s in SYSTEMS]
    (line,) = lines_of(files[0], "compare")
    of_both = "--text-column output --reference-columns reference --metric bleu --metric chrf"
    assert line == f"referenceless compare {files[0]} OTHER {of_both}"
    (joint,) = joint_lines([look(file) for file in files])
    assert joint == f"referenceless compare {' '.join(files)} {of_both}"
    assert "Together:\n" in done(f"look {' '.join(files)}").stdout
    assert "By BLEU" in done(joint.removeprefix("referenceless ")).stdout


def test_rated_outputs_of_several_systems_are_compared_with_their_references():
    """One BLEU over the outputs of all systems says nothing of any."""
    english = [(n, at, s, ENGLISH.format(n=n, s=s)) for n in range(40) for at, s in enumerate(SYSTEMS)]
    rows = [[n, s, text, text.replace(s, "art"), stars(n, at)] for n, at, s, text in english]
    write_table("t.csv", ["item", "system", "output", "reference", "rating"], rows)
    by_references = "--reference-columns reference --metric bleu --metric chrf"
    line = f"referenceless compare t.csv --text-column output --system-column system {by_references}"
    assert line in lines_of("t.csv", "compare")
    assert lines_of("t.csv", "score") == ["referenceless score t.csv --text-column output"]
    done(line.removeprefix("referenceless "))
    twice = [[*row[:4], r, row[4]] for row in rows for r in ("a", "b")]
    write_table("t.csv", ["item", "system", "output", "reference", "rater", "rating"], twice)
    assert not any("--reference-columns" in each for each in look("t.csv").commands)


@pytest.mark.parametrize("systems", [("base", "ours", "refA"), ("base", "ours"), ("base", "refA")])
def test_a_reference_among_several_systems_can_be_left_out(systems):
    rows = [[n, s, f"r{r}", stars(n, r, at)] for n in range(N) for at, s in enumerate(systems) for r in range(2)]
    write_table("t.csv", ["item", "model", "rater", "rating"], rows)
    header = "system\tseg_id\trater\tcategory\tseverity"
    marked = [
        f"{s}\t{n}\tr{r}\tStyle\t{('Minor', 'Major')[stars(n, r, at) % 2]}"
        for n in range(N)
        for at, s in enumerate(systems)
        for r in range(2)
    ]
    write("mqm.tsv", [header, *marked])
    for file, column in (("t.csv", "model"), ("mqm.tsv", "system")):
        told = [note for note in look(file).notes if "refA" in note and "--where" in note]
        assert len(told) == (len(systems) == 3)
        if told:
            assert told == [f"'refA' is no system but a reference, by the name: --where '{column}!=refA' leaves it out"]
            (line,) = lines_of(file, "human-score")[:1]
            found = done(f"{line.removeprefix('referenceless ')} --where {column}!=refA").stdout
            assert "refA" not in found


@pytest.mark.parametrize("name", ["{m}:{s}", "{m} {s}", "{m}-{s}", "{m}_{s}", "{s}_{m}", "{m}.{s}"])
@pytest.mark.parametrize("metrics", [("COMET-22", "MetricX-24"), ("COMET", "BLEU")])
def test_columns_of_several_metrics_of_each_system_are_not_one_system_each(name, metrics):
    """A metric was compared with another one, as if both were systems."""
    header = ["seg", *(name.format(m=m, s=s) for m in metrics for s in ("base-v2", "ours", "best"))]
    rows = [[n + 1, *(round(n * (7 + at) % 5 / 5 + at * 0.13, 3) for at in range(6))] for n in range(30)]
    write_table("t.csv", header, rows)
    lines = lines_of("t.csv", "compare")
    assert not any("--all-pairs" in line for line in lines)
    if "." not in name:  # a dot leads into an object
        (line,) = lines
        first, second = metrics
        assert f"--score-column {first} --score-column {second} --system-column key" in line
        told = done(line.removeprefix("referenceless ")).stdout
        assert all(f"\n{s} " in told for s in ("base-v2", "ours", "best"))


@pytest.mark.parametrize("name", ["{s}_score", "score_{s}", "{s} rating"])
@pytest.mark.parametrize("has_raters", [False, True])
@pytest.mark.parametrize("systems", [("Claude-3.5", "ONLINE-B", "nllb"), ("warmth", "humour", "tone")])
def test_columns_that_are_called_as_the_score_of_a_system_each_are_of_systems(name, has_raters, systems):
    """One of them was held against another as if people had given it, and with Fluency of the source."""
    own = ["rater"] if has_raters else []
    rows = [
        [n + 1, f"The train {n} is late.", *(10 * stars(n, at, r) for at in range(3)), *([f"r{r}"] if own else [])]
        for n in range(30)
        for r in range(2 if own else 1)
    ]
    header = ["seg", "source", *(name.format(s=s) for s in systems), *own]
    write_table("t.csv", header, rows)
    lines = look("t.csv").commands
    are_systems = "ONLINE-B" in systems
    assert any(line.endswith("--all-pairs") for line in lines) == are_systems
    if are_systems:
        assert not any("--text-column" in line for line in lines)
        assert lines_of("t.csv", "human-score")[0].count("--rating-column") == 3
        check_lines(lines, "t.csv")
