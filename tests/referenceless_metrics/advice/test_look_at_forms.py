"""Forms of public files: `look` tells systems, raters, items and rows inside rows, and the command that reads them."""

import json

import pytest
from command_lines import as_json, done, typed
from proposed_lines import check_lines
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.support.validation import InputError

pytestmark = pytest.mark.filterwarnings("ignore")

WORDS = "the small grey cat sat on a warm mat and saw one red bird".split()
SYSTEMS = ("base", "ours", "big")
N = 8


def text(*seed):
    start = sum(map(ord, "".join(map(str, seed)))) % 7
    return f"{' '.join(WORDS[start : start + 6])} {'-'.join(map(str, seed))}."


def stars(item, system, rater=0):
    return 1 + (item * 2 + SYSTEMS.index(system) + rater * 3) % 5


def outputs(row):
    return [row(n, s) for n in range(N) for s in SYSTEMS]


FORMS = {
    # a list of answers in a list of sentences
    "sentences.jsonl": (
        [
            {
                "article": text("a", n),
                "sentences": [
                    {
                        "sentence": text("s", n, k),
                        "responses": [{"worker_id": w, "response": ("yes", "no")[(n + w) % 2]} for w in range(3)],
                    }
                    for k in range(1 + n % 2)
                ],
            }
            for n in range(N)
        ],
        "agreement {} --rating-column response --rater-column worker_id --rows-in sentences.responses",
    ),
    # objects under the names of systems, and inside them under those of raters
    "keyed.json": (
        {
            f"dialog-{n}": {
                "responses": {
                    s: {"uttr": text(n, s), "scores": {f"A{w}X": {"Overall": stars(n, s, w)} for w in range(3)}}
                    for s in SYSTEMS
                }
            }
            for n in range(N)
        },
        "human-score --ratings {} --rating-column Overall --system-column responses.key --rater-column scores.key "
        "--rows-in responses.scores",
    ),
    # ratings under the names of raters, which vary; and labels that are keys and values at once
    "workers.json": (
        [
            {"id": n, "output": text(n), "ratings": {f"w{(n + w) % 5}": stars(n, "base", w) for w in range(3)}}
            for n in range(N)
        ],
        "agreement {} --rating-column ratings --rater-column ratings.key --rows-in ratings",
    ),
    "labels.json": (
        [
            {"id": n, "displayed_text": text(n), "labels": {"fluency": {str(v): str(v)}}, "annotator": f"a{w}"}
            for n in range(N)
            for w in range(2)
            for v in [stars(n, "ours", w)]
        ],
        "agreement {} --rating-column fluency --item-column id --rater-column annotator --rows-in labels.fluency",
    ),
    # numbered questions of a passage, each with its systems, and a list of reviews of each
    "reviews.jsonl": (
        [
            {
                "passage": f"p{n}",
                "questions": {
                    str(k): {
                        s: {
                            "response": text(n, k, s),
                            "reviews": [{"worker_id": str(w), "overall-rating": stars(n + k, s, w)} for w in range(3)],
                            "overall": {"overall-rating": 3.5},
                        }
                        for s in SYSTEMS
                    }
                    for k in range(2 + n % 2)
                },
            }
            for n in range(N)
        ],
        "human-score --ratings {} --rating-column overall-rating --item-column key --system-column '*.key' "
        "--rater-column worker_id --cluster-column item --rows-in 'questions.*.*.reviews' --all-pairs",
    ),
    # completions of each instruction, with lists and marks of missing ratings beside the ratings
    "completions.jsonl": (
        [
            {
                "instruction": text("i", n),
                "completions": [
                    {
                        "model": s,
                        "response": text(n, s),
                        "annotations": {
                            "helpfulness": {"Rating": str(stars(n, s)), "Type": ["1", "2"][: 1 + n % 2]},
                            "honesty": {"Rating": str(stars(n, s, 1)) if n else "N/A", "Type": None if n else ["3"]},
                        },
                    }
                    for s in SYSTEMS
                ],
            }
            for n in range(N + 4)
        ],
        "human-score --ratings {} --rating-column annotations.helpfulness.Rating "
        "--rating-column annotations.honesty.Rating --columns-are criteria --system-column model "
        "--rows-in completions --all-pairs",
    ),
    # systems, each with its items
    "scores.json": (
        {s: {str(n): {"bleu": n / 9, "comet": (n * 5 % 7) / 7} for n in range(N)} for s in SYSTEMS},
        "compare --scores {} --score-column bleu --score-column comet --item-column '*.key' --system-column key "
        "--rows-in '*'",
    ),
    # a row per system, with a cell for each item in lists that Python printed
    "systems.csv": (
        [{"Model": s, **{c: str([stars(n, s) + 0.5 for n in range(N)]) for c in ("Fluency", "chrF")}} for s in SYSTEMS],
        "human-score --ratings {} --rating-column Fluency --item-column place --system-column Model "
        "--rows-in Fluency,chrF",
    ),
    # numbers of outputs, and not of their common items
    "numbered.csv": (
        [
            {
                "Story ID": k,
                "Prompt": text("p", k % N),
                "Story": text(k),
                "Model": SYSTEMS[k // N],
                "Worker ID": w,
                "Coherence": stars(k % N, SYSTEMS[k // N], w),
            }
            for k in range(3 * N)
            for w in range(2)
        ],
        "human-score --ratings {} --rating-column Coherence --item-column Prompt --system-column Model "
        "--rater-column 'Worker ID'",
    ),
    # outputs with their criteria in objects, and judges' ratings as text
    "completions.json": (
        [
            {
                "instruction": text("i", n),
                "completions": [
                    {
                        "model": s,
                        "response": text(n, s),
                        "annotations": {
                            c: {"Rating": str(stars(n, s)), "Rationale": "so"} for c in ("honesty", "truth")
                        },
                        "overall_score": 7,
                    }
                    for s in SYSTEMS
                ],
            }
            for n in range(N)
        ],
        "human-score --ratings {} --rating-column annotations.honesty.Rating "
        "--rating-column annotations.truth.Rating --rating-column overall_score --columns-are criteria "
        "--system-column model --rows-in completions",
    ),
    # lists of several raters; the context is the item
    "lists.json": (
        outputs(
            lambda n, s: {
                "context": text("c", n),
                "response": text(n, s),
                "annotations": {"Overall": [stars(n, s, w) for w in range(5)]},
                "system": s,
            }
        ),
        "human-score --ratings {} --rating-column annotations.Overall --item-column context",
    ),
    # systems that no name tells, among columns of a crowd's platform
    "crowd.csv": (
        [
            {
                "_unit_id": 90 + n * 3 + SYSTEMS.index(s),
                "_id": 10 * n + w + 100 * SYSTEMS.index(s),
                "_trust": 0.9,
                "_worker_id": w,
                "_country": "USA",
                "how_fluent": stars(n, s, w),
                "mr_id": n,
                "setup": s,
                "text": text(n, s),
            }
            for n in range(N)
            for s in SYSTEMS
            for w in range(3)
        ],
        "human-score --ratings {} --rating-column how_fluent --item-column mr_id --system-column setup "
        "--rater-column _worker_id",
    ),
    # an experiment: answers as JSON in some rows
    "experiment.csv": (
        [
            row
            for p in range(3)
            for row in [
                {"response": "0", "trial_type": "button", "subject": f"s{p}", "item": "", "condition": ""},
                *outputs(
                    lambda n, s, p=p: {
                        "response": json.dumps({"Q0": stars(n, s, p)}),
                        "trial_type": "likert",
                        "subject": f"s{p}",
                        "item": n,
                        "condition": s,
                    }
                ),
            ]
        ],
        "human-score --ratings {} --rating-column response.Q0 --system-column condition --rater-column subject "
        "--where trial_type=likert",
    ),
    # metrics between 0 and 1 are scores, and no people's ratings
    "metrics.csv": (
        [
            {
                "user_input": text("q", n),
                "response": text(n),
                "faithfulness": n / 9,
                "answer_relevancy": (n * 5 % 7) / 7,
            }
            for n in range(N)
        ],
        "compare --scores {} --scores OTHER --score-column faithfulness --score-column answer_relevancy",
    ),
    # names and values in lists side by side
    "labels.jsonl": (
        [
            {
                "user_id": f"u{n % 3}",
                "text": text(n),
                "labels": {"name": ["spam", "quality"], "value": [0.0, n / 9], "count": [3, 3]},
            }
            for n in range(N)
        ],
        "compare --scores {} --scores OTHER --score-column labels.value --rater-column user_id "
        "--metric-column labels.name --rows-in labels.name,labels.value,labels.count",
    ),
    # columns side by side: two systems by two criteria, and texts with scores
    "wide.csv": (
        [
            {
                "id": n,
                "bart_fluency": stars(n, "base"),
                "bart_style": stars(n, "ours"),
                "t5_fluency": stars(n, "big"),
                "t5_style": stars(n, "big", 1),
            }
            for n in range(N)
        ],
        "human-score --ratings {} --rating-column fluency --rating-column style --columns-are criteria "
        "--system-column key --rows-in '*_fluency,*_style'",
    ),
    "scored.jsonl": (
        [
            {
                "question": text("q", n),
                "tokens_0": {"prefix": [1, 2]},
                "tokens_1": {"prefix": [1, 2]},
                "answer_0": text(n, 0),
                "score_0": n % 3 - 1,
                "answer_1": text(n, 1),
                "score_1": 1 - n % 3,
            }
            for n in range(24)
        ],
        "advise {} --text-column answer --rating-column score --group-column item --source-column question "
        "--rows-in 'answer_*,score_*'",
    ),
}


def write_form(path, content):
    if path.suffix == ".csv":
        write_table(path, content[0], [row.values() for row in content])
    elif path.suffix == ".jsonl":
        write(path, map(json.dumps, content))
    else:
        write(path, json.dumps(content))


@pytest.mark.parametrize("name", FORMS)
def test_the_command_that_fits_a_form(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content, command = FORMS[name]
    write_form(tmp_path / name, content)
    assert f"referenceless {command.format(name)}" in look(name).commands, look(name).commands


@pytest.mark.long
@pytest.mark.parametrize("name", FORMS)
def test_every_line_for_a_form_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_form(tmp_path / name, FORMS[name][0])
    check_lines(look(name).commands, name)


SEGMENTS = {
    "objects.json": (
        lambda d, s: {f"seg{n}": {"text": text(d, s, n), "score": stars(d + n, s)} for n in range(3)},
        "compare --scores {} --item-column '*.*.key' --system-column '*.key' --cluster-column key --rows-in '*.*'",
    ),
    "numbers.json": (
        lambda d, s: {str(n): stars(d + n, s) for n in range(3)},
        "compare --scores {} --score-column value --item-column '*.*.key' --system-column '*.key' --cluster-column key "
        "--rows-in '*.*'",
    ),
    "lists.json": (
        lambda d, s: [{"text": text(d, s, n), "fluency": stars(d + n, s)} for n in range(3)],
        "human-score --ratings {} --rating-column fluency --item-column place --system-column '*.key' "
        "--cluster-column item --rows-in '*' --all-pairs",
    ),
    "ratings.json": (
        lambda d, s: [stars(d + n, s) for n in range(3)],
        "human-score --ratings {} --rating-column base --rating-column ours --rating-column big --columns-are systems "
        "--item-column place --cluster-column key --rows-in base,ours,big --all-pairs",
    ),
}


@pytest.mark.parametrize("name", SEGMENTS)
def test_every_segment_of_a_systems_document_counts(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    held, command = SEGMENTS[name]
    write_form(tmp_path / name, {f"doc{d}": {s: held(d, s) for s in SYSTEMS} for d in range(N)})
    line = f"referenceless {command.format(name)}"
    assert line in look(name).commands, look(name).commands
    column = "outputs" if "human-score" in line else "items"
    found = as_json(f"{line.removeprefix('referenceless ')} -f json")["rows"][0]
    assert found["system"] == "base"
    assert found[column] == 3 * N
    assert found["mean"] == pytest.approx(sum(stars(d + n, "base") for d in range(N) for n in range(3)) / (3 * N))


def test_systems_above_documents_are_told_by_their_names(tmp_path):
    content = {s: {f"doc{d}": {str(n): stars(d + n, s) for n in range(3)} for d in range(N)} for s in SYSTEMS}
    write(tmp_path / "t.json", json.dumps(content))
    found = {column.name: column.part for column in look(tmp_path / "t.json").columns}
    assert (found["key"], found["*.key"], found["*.*.key"], found["value"]) == ("system", "cluster", "item", "score")


def test_counts_of_errors_are_compared_and_never_called_ratings_of_people(tmp_path):
    rows = [[n, s, w, 6 - stars(n, s, w)] for n in range(N) for s in SYSTEMS for w in range(2)]
    write_table(tmp_path / "t.csv", ["item", "system", "rater", "errors"], rows)
    kinds = [line.split()[1] for line in look(tmp_path / "t.csv").commands]
    assert kinds == ["compare", "agreement"]


def test_columns_of_a_system_and_a_rater_each(tmp_path):
    rows = [[n, *(stars(n, s, w) for s in SYSTEMS for w in (1, 2))] for n in range(N)]
    write_table(tmp_path / "t.csv", ["item", *(f"{s}_r{w}" for s in SYSTEMS for w in (1, 2))], rows)
    [first, *_] = look(tmp_path / "t.csv").commands
    assert first.endswith("--rating-column r1 --rating-column r2 --system-column key --rows-in '*_r1,*_r2'")


def test_systems_and_numbers_without_a_header_are_no_measures_of_retrieval(tmp_path):
    rows = [f"{s}\t{n}\t{stars(n, s)}" for s in SYSTEMS for n in range(N)]
    assert "trec_eval" not in look(write(tmp_path / "t.tsv", rows)).form
    for system in ("pegasus", "relevant", "flan"):
        rows = [f"{system}\t{n}\t{1 + n % 5}" for n in range(N)]
        assert "trec_eval" not in look(write(tmp_path / "t.tsv", rows)).form
    measures = [f"{name}\t{n}\t0.5" for name in ("map", "P_10", "ndcg_cut_5", "recip_rank") for n in range(N)]
    assert "trec_eval" in look(write(tmp_path / "m.tsv", measures)).form
    levels = [f"iprec_at_recall_0.{level}0\t{n}\t0.5" for n in range(N) for level in range(10)]
    assert "trec_eval" in look(write(tmp_path / "m.tsv", levels)).form


def test_columns_of_numbers_beside_items_are_systems_or_raters(tmp_path):
    path = tmp_path / "t.csv"
    rows = [[n, *(stars(n, s) for s in SYSTEMS)] for n in range(N)]
    write_table(path, ["item", *SYSTEMS], [*rows, ["Average", 3, 3, 3]])
    found = look(path)
    assert [line.split()[1] for line in found.commands] == ["human-score", "compare", "agreement"]
    assert "--columns-are systems" in found.commands[0]
    assert "if they are raters, only `agreement` fits" in " ".join(found.notes)
    assert "the last row is called 'Average'" in " ".join(found.notes)
    write_table(path, ["item", *SYSTEMS], [[n, *(stars(n, s) / 7 for s in SYSTEMS)] for n in range(N)])
    [line] = look(path).commands
    assert line.endswith("--score-column base --score-column ours --score-column big --all-pairs")
    others = (
        ["fluency", "style", "meaning"],  # criteria
        ["base_ann", "base_bob", "ours_ann", "ours_bob"],  # a system and a rater each
    )
    for names in others:
        write_table(path, ["item", *names], [[n, *(1 + n * (k + 1) % 5 for k in range(len(names)))] for n in range(N)])
        assert not any("systems" in line for line in look(path).commands)
    write_table(path, ["item", "yes", "no"], [[n, n % 4, 5 - n % 4] for n in range(N)])  # counts of five answers
    assert not look(path).commands


def test_preferences_on_a_scale_beside_systems_are_asked_for_their_end(tmp_path):
    rows = [[n, "base", "ours", n % 7 - 3] for n in range(N)]
    write_table(tmp_path / "t.csv", ["item", "system_a", "system_b", "rating"], rows)
    assert [line.rpartition("--a-is ")[2] for line in look(tmp_path / "t.csv").commands] == ["high", "low"]


def test_words_among_numbers_are_missing_ratings_and_no_categories(tmp_path):
    rows = [[n, s, w, "cannot say" if n == w else stars(n, s, w)] for n in range(N) for s in SYSTEMS for w in range(2)]
    write_table(tmp_path / "t.csv", ["item", "system", "rater", "rating"], rows)
    lines = look(tmp_path / "t.csv").commands
    assert all("--values 'cannot say='" in line for line in lines[:2])
    found = as_json(f"{next(line for line in lines if ' agreement ' in line).removeprefix('referenceless ')} -f json")
    assert "alpha interval" in found["coefficients"]


def test_several_ratings_with_bars_between_them(tmp_path):
    rows = [[n, s, "/".join(str(stars(n, s, w)) for w in range(3))] for n in range(12) for s in SYSTEMS]
    write_table(tmp_path / "t.csv", ["id", "system", "scores"], rows)
    assert [line.split()[1] for line in look(tmp_path / "t.csv").commands[:2]] == ["human-score", "agreement"]


def test_results_of_a_harness_are_means(tmp_path):
    content = {"results": {"arc": {"acc,none": 0.4}}, "versions": {"arc": 1}, "config": {"model": "hf"}}
    path = write(tmp_path / "results.json", json.dumps(content))
    with pytest.raises(InputError, match="a mean for each task"):
        look(path)
    content["results"]["arc"]["acc_stderr,none"] = 0.01
    found = look(write(tmp_path / "results.json", json.dumps(content)))
    assert found.commands == (f"referenceless compare --scores {found.file} --scores OTHER",)


def test_a_folder_of_the_harness_tells_its_systems_items_and_scores(tmp_path):
    for model, date in (("base", "2026-01-01T00-00-00.123456"), ("ours", "2026-01-02T00-00-00.123456")):
        rows = [{"doc_id": n, "filter": "none", "metrics": ["acc"], "acc": (n + len(model)) % 2} for n in range(4)]
        (tmp_path / "runs" / model).mkdir(parents=True)
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        write(tmp_path / "runs" / model / f"samples_t_{date}.jsonl", lines)
    assert look(tmp_path / "runs").notes == ("2 systems: base, ours", "4 items", "scores: acc")


def test_of_several_scores_of_a_tool_one_is_taken_by_its_name(tmp_path):
    rows = [
        {"testIdx": n, "provider": {"id": name}, "score": n / 4, "success": n > 1} for n in range(4) for name in "ab"
    ]
    path = write(tmp_path / "r.json", json.dumps({"results": {"version": 3, "results": rows}}))
    assert "scores: score, success" in look(path).notes
    assert any("--score-column NAME takes one alone" in note for note in look(path).notes)


def test_votes_that_repeat_without_a_rater_get_no_line_that_fails_and_no_question_for_systems(tmp_path):
    head = ["timestamp", "session_id", "prompt", "model_a", "response_a", "model_b", "response_b", "vote"]
    votes = ["A is better", "B is better", "Both are bad", "Tie"]
    rows = [
        [f"2025-01-20T09:{n:02}:22", f"s{n}", f"Say {n % 3}.", "base", f"x {n}", "ours", f"y {n}", votes[n % 4]]
        for n in range(12)
    ]
    write_table(tmp_path / "votes.csv", head, rows)
    found = look(tmp_path / "votes.csv")
    assert not found.commands
    assert any("--rater-column session_id if it says who rated" in note for note in found.notes)
    assert not any("are known to name their systems" in note for note in found.notes)


@pytest.mark.parametrize("words, n_lines", [("I prefer {}", 1), ("I favour {}", 0)])
def test_votes_of_an_arena_get_a_line_only_if_their_words_are_understood(words, n_lines, tmp_path):
    rows = [["base", "ours", words.format("AB"[n % 2]), f"c{n}"] for n in range(12)]
    write_table(tmp_path / "votes.csv", ["model_a", "model_b", "winner", "conversation_id"], rows)
    found = look(tmp_path / "votes.csv")
    assert len(found.commands) == n_lines
    assert any('--values "I favour A=…,I favour B=…"' in note for note in found.notes) is (not n_lines)
    check_lines(found.commands, found.file)


def test_runs_in_folders_below_a_folder_are_compared_together(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for model in "ab":
        run = tmp_path / "runs" / "v1" / f"task:model={model}"
        run.mkdir(parents=True)
        stats = [{"instance_id": f"id{n}", "stats": [{"name": {"name": "f1"}, "mean": n / 9}]} for n in range(3)]
        write(run / "per_instance_stats.json", json.dumps(stats))
    told = done("look runs").output
    assert told.endswith(
        "Together:\nreferenceless compare --scores runs/v1/task:model=a --scores runs/v1/task:model=b\n"
    )
    assert "not looked at" not in typed("look runs/v1").err


def test_columns_of_criteria_alone_are_proposed_as_such(tmp_path):
    path = tmp_path / "t.csv"
    write_table(path, ["Fluency", "Style"], [(1 + n % 3, 1 + n % 4) for n in range(12)])
    [line] = look(path).commands
    assert line.endswith("--rating-column Fluency --rating-column Style --columns-are criteria")


def test_a_survey_that_asks_of_outputs_in_words_has_a_pattern_and_its_other_answers_are_no_items(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    products = ("iron pot", "folding bike", "desk lamp")
    named = [f"Product {n}: {name}." for n, name in enumerate(products, 1)]
    asked = [f"{name} How clear is it?_Description {s}" for name in named for s in "AB"]
    habits = ("Weekly", "Monthly", "Less often")
    rows = [
        [f"{n}77", habits[n % 3], *(1 + (n * k + k) % 5 for k in range(1, len(asked) + 1)), "fine" if n % 4 else ""]
        for n in range(15)
    ]
    write_table("survey.csv", ["Respondent ID", "Response", *asked, "Open-Ended Response"], rows)
    found = look("survey.csv")
    line = "human-score --ratings survey.csv --questions 'Product {item}: *. How clear is it?_Description {system}'"
    assert found.commands[0] == f"referenceless {line}"
    assert not [line for line in found.commands if "Response" in line]
    assert {column.part for column in found.columns if column.name == "Response"} == {""}
    assert not [note for note in found.notes if "'Response'" in note]
    assert "survey" in found.shape
    assert typed(line).out


def test_a_survey_in_which_a_column_has_one_value_for_all_respondents_is_not_of_one_rater(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = [f"Abstract {n}, summary {s}: How easy is it?" for n in range(1, 6) for s in "SB"]
    rows = [[n + 1, "anonymous", *(1 + (n * k + n // 2 + k) % 5 for k in range(1, 11))] for n in range(14)]
    write_table("answers.csv", ["ID", "Email", *asked], rows)
    found = look("answers.csv")
    pattern = "'Abstract {item}, summary {system}: How easy is it?'"
    assert found.commands[0] == f"referenceless human-score --ratings answers.csv --questions {pattern}"
    assert not [note for note in found.notes if "one rater" in note or "one system each" in note]
    assert "14 raters" in typed(f"agreement answers.csv --questions {pattern}").out
