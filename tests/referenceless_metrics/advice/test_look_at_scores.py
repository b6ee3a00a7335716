"""A judge's scores beside people's ratings in one file, and tables of systems' means, which no command takes."""

import json
import statistics

import pytest
from command_lines import as_json, done, invoke, typed
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

pytestmark = pytest.mark.filterwarnings("ignore")

SYSTEMS = ("base", "ours", "big")


def judged(path, people, judge, systems=SYSTEMS):
    rows = [
        [n, s, f"a cat {s} sat {n}", 1 + (n + at) % 5, 1 + (n + at + n % 2) % 5]
        for n in range(12)
        for at, s in enumerate(systems)
    ]
    write_table(path, ["id", "model", "output", people, judge], rows)
    return str(path)


@pytest.mark.parametrize(
    ("people", "judge"),
    [("human_rating", "gpt4_score"), ("human", "llm"), ("rating", "judge_rating"), ("expert_label", "auto_label")],
)
def test_a_judge_beside_people_gets_a_report_card(people, judge, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = look(judged("t.csv", people, judge))
    assert {column.name: column.part for column in found.columns}[judge] == "score"
    lines = [line for line in found.commands if "--scores t.csv --ratings t.csv" in line]
    assert [line.split()[1] for line in lines] == ["evaluate", "compare"]
    assert "on 36 of 36 outputs: Pearson r 0." in done(lines[0].removeprefix("referenceless ")).stdout
    assert f"{judge}  " in done(lines[1].removeprefix("referenceless ")).stdout
    alone = [line for line in look(judged("t.csv", people, judge, ("ours",))).commands if "--ratings" in line]
    assert "compare" not in " ".join(alone)  # metrics are judged by three systems or more


@pytest.mark.parametrize(("name", "commands"), [("human", ["human-score"]), ("judged", ["human-score", "compare"])])
def test_scores_that_are_called_as_those_of_people_have_one_test(folder, name, commands):
    """Two tests of one difference may say two things: that of `human-score` is for ratings."""
    rows = [(n, s, f"r{n % 3}", 1 + (n + at) % 5) for n in range(12) for at, s in enumerate(SYSTEMS)]
    columns = ["item", "system", "rater", "score"] if name == "judged" else ["item", "system", "n_raters", "score"]
    write_table(f"{name}.csv", columns, rows if name == "judged" else [(n, s, 3, score) for n, s, _, score in rows])
    assert [line.split()[1] for line in look(f"{name}.csv").commands if "agreement" not in line] == commands


def test_documents_of_one_row_each_are_items(folder):
    texts = "I want a hotel ?", "Which area is it ?", "The bus is late ."
    rows = [(n, texts[n % 3], 1 + n * 7 % 5, (n * 7 % 11) / 11) for n in range(24)]
    write_table("t.csv", ["doc_id", "system_output", "human_rating", "comet"], rows)
    found = look("t.csv")
    assert next(column.part for column in found.columns if column.name == "doc_id") == "item"
    (line,) = [line for line in found.commands if line.split()[1] == "evaluate" and "--scores" in line]
    assert line.endswith("--score-column comet --rating-column human_rating --item-column doc_id")


def test_ratings_of_nobody_knows_whom_have_one_test(folder):
    rows = [(n, s, 1 + (n + at) % 5, 1 + (n * 3 + at) % 5) for n in range(12) for at, s in enumerate(SYSTEMS)]
    write_table("rated.csv", ["item", "system", "conciseness", "accuracy"], rows)
    found = look("rated.csv")
    assert {line.split()[1] for line in found.commands} == {"human-score"}
    assert found.shape == "ratings without texts"
    asked = [(*row, f"How often does bus {row[0]} stop here on a Sunday in May?") for row in rows]
    write_table("asked.csv", ["item", "system", "conciseness", "accuracy", "prompt"], asked)
    assert look("asked.csv").shape == "ratings, and texts of which none are known to be the outputs"


def test_ratings_beside_several_metrics_count_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        [n, s, metric, (n * at + len(metric)) % 7, 1 + (n + at) % 5]
        for n in range(12)
        for at, s in enumerate(SYSTEMS)
        for metric in ("bleu", "comet")
    ]
    write_table("t.csv", ["item", "system", "metric", "score", "rating"], rows)
    (line,) = [line for line in look("t.csv").commands if line.split()[1] == "human-score"]
    assert line.endswith("--where metric=bleu --all-pairs")
    assert "12 " in done(line.removeprefix("referenceless ")).stdout


def test_items_that_begin_again_in_each_document_are_found_in_ratings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        [d, n, s, 1 + (n + at) % 5, (n * at + ord(d)) % 7]
        for d in "xy"
        for n in range(6)
        for at, s in enumerate(SYSTEMS)
    ]
    write_table("t.csv", ["doc", "item", "system", "human", "score"], rows)
    line = "compare --scores t.csv --ratings t.csv --rating-column human --cluster-column doc -f json"
    assert json.loads(done(line).stdout)["rows"][0]["outputs"] == 36


MEANS = {
    "spread.csv": [["system", "fluency"], ["base", "3.4 ± 0.8"], ["ours", "3.9 +/- 0.7"]],
    "mean.csv": [["model", "mean", "sd", "n"], ["base", 3.4, 0.8, 20], ["ours", 3.9, 0.8, 20], ["big", 4.1, 0.7, 20]],
    "scores.csv": [["system", "bleu", "score"], ["base", 20.1, 1], ["ours", 22.4, 2]],
}


@pytest.mark.parametrize("name", MEANS)
def test_a_row_per_system_is_told_as_means(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table(name, MEANS[name][0], MEANS[name][1:])
    found = look(name)
    assert found.shape.startswith("means of systems")
    assert not found.commands
    assert "do not tell whether a difference is more than chance" in found.notes[-1]
    column, systems = MEANS[name][0][-1 if name == "scores.csv" else 1], MEANS[name][0][0]
    ran = invoke(f"compare --scores {name} --score-column {column} --system-column {systems}")
    assert "means of systems do not tell" in str(ran.exception) or "a mean with its spread" in str(ran.exception)


@pytest.mark.parametrize(
    ("content", "columns", "system"),
    [
        ({"chrf": {name: [n + 0.5 for n in range(9)] for name in ("base", "ours")}}, ["base", "ours"], ""),
        ([{"system": s, "marks": [n + 0.5 for n in range(9)]} for s in "ab"], ["marks"], "--system-column system"),
    ],
)
def test_lists_of_scores_are_no_means_of_systems(content, columns, system, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("lists.json", json.dumps(content))
    line = " ".join(["compare --scores lists.json", system, *(f"--score-column {name}" for name in columns)])
    told = str(invoke(line).exception)
    way = f"--rows-in {','.join(columns)} --item-column place"
    assert told.endswith(f"is a list of scores: {way} makes a row of each score")
    assert invoke(f"{line} {way}").exit_code == 0


def test_single_numbers_in_json_are_told_as_means(tmp_path):
    for content in ({"base": 0.71, "ours": 0.75}, {"ours": {"bleu": 20.1, "n": 3}, "task": {"rouge": {"f": 0.4}}}):
        path = write(tmp_path / "t.json", json.dumps({"model": "x", **content}))
        with pytest.raises(InputError, match=r"it holds single numbers by names.* do not tell whether a difference"):
            look(path)
    path = write(tmp_path / "t.json", json.dumps({name: {"bleu": 20, "chrf": 50} for name in SYSTEMS}))
    assert not look(path).commands


def test_names_with_numbers_in_json_are_a_key(tmp_path):
    path = write(tmp_path / "ids.json", json.dumps({"ours.txt": 1, "base.txt": 0, "best.txt": 2}))
    with pytest.raises(InputError, match=r"a key to numbers in other files, which no command reads"):
        look(path)


def test_penalties_are_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for sign, told in ((1, True), (-1, False)):
        rows = [[n, s, sign * ((n + at) % 5)] for n in range(12) for at, s in enumerate(SYSTEMS)]
        write_table("t.csv", ["item", "system", "mqm"], rows)
        notes = read_rating_table(["t.csv"], RatingColumns(ratings=("mqm",))).notes
        assert ("if these are penalties, it is worse" in " ".join(notes)) == told


def test_scores_of_one_system_get_a_line_that_runs_alone_and_keep_the_numbers_of_pandas_index(folder):
    write("series.csv", [",0", *(f"{n},0.{900 - 7 * n % 90}" for n in range(24))])
    lines = look("series.csv").commands
    assert lines[0] == "referenceless compare --scores series.csv --score-column 0"
    assert "the lowest: 12 (0.816), " in done(lines[0].removeprefix("referenceless ")).output


def test_what_score_wrote_holds_scores_and_no_ratings(folder):
    """A metric's values are compared without a word more, and never learned from as if people had given them."""
    for name in "ab":
        write(f"{name}.txt", [f"the {name} text number {n} is here, or near" for n in range(20)])
        done(f"score {name}.txt --metric slor -o {name}.csv")
    (alone, beside, *others) = look("a.csv").commands
    assert alone == "referenceless compare --scores a.csv --score-column slor"
    assert beside == "referenceless compare --scores a.csv --scores OTHER --score-column slor"
    assert not any("human-score" in line for line in others)
    compared = json.loads(done("compare --scores a.csv --scores b.csv -f json").stdout)
    assert {row["score"] for row in compared["rows"]} == {"slor"}


def test_lists_of_a_judges_answers_are_its_scores(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {
            "doc_id": f"d{n}",
            "system_id": system,
            "scores": {"relevance": 1 + (n + place) % 5},
            "all_responses": [
                str(1 + n % 5),
                f"Score: {1 + (n + place) % 5}\n\nThe",
                " 3",
                "It is short" if n % 3 else "3",
            ],
        }
        for n in range(12)
        for place, system in enumerate(("a", "b"))
    ]
    write("judged.json", json.dumps(rows))
    line = (
        "evaluate --scores judged.json --ratings judged.json --score-column all_responses "
        "--rating-column scores.relevance --item-column doc_id --system-column system_id"
    )
    assert f"referenceless {line}" in look("judged.json").commands
    content = as_json(line)
    means = {row["of"]: row["value"] for row in content["rows"] if row["what"] == "mean score"}
    first = [statistics.fmean([1 + n % 5, 1 + n % 5, 3, *([] if n % 3 else [3])]) for n in range(12)]
    assert means["a"] == pytest.approx(statistics.fmean(first))
    with pytest.warns(InputNote, match="16 of 96 answers begin with no number and are left out"):
        done(line)


@pytest.mark.parametrize(
    ("name", "values", "part"),
    [
        ("fluency", [-3.25, 0.5, 1.125], "score"),
        ("wpslor", [0.25, 0.5, 1.125], "score"),
        ("quality_estimation", [2.25, 3.5, 4.125], "score"),
        ("fluency", [1, 3, 5], "rating"),
        ("fluency", [1.333, 3, 4.667], "rating"),
    ],
)
def test_values_of_a_metric_are_no_ratings(name, values, part, tmp_path, monkeypatch):
    """A score of this package is never proposed as a rating; people's ratings of fluency are."""
    monkeypatch.chdir(tmp_path)
    write_table("t.csv", ["text", name], [[f"the cat sat on mat {n} .", values[n % 3]] for n in range(30)])
    found = look("t.csv")
    assert {column.name: column.part for column in found.columns}[name] == part
    proposed = [line.removeprefix("referenceless ") for line in found.commands]
    assert any("--rating-column" in line for line in proposed) == (part == "rating")
    assert not any(line.startswith("filter") for line in proposed)  # a third of the values is the lowest one


def test_what_a_judge_was_asked_is_no_source_and_its_metrics_are_no_ratings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = []
    for n in range(24):
        source, text = f"The long article of number {n} on the town.", f"A short text of number {n} on it."
        rows.append([n, source, text, f"Rate how true it is. {source} Summary: {text}", n % 5 / 4, n % 7 / 6])
    names = ["item", "source", "summary", "prompt", "faithfulness", "answer_relevancy"]
    write_table("judged.csv", names, rows)
    found = look("judged.csv")
    parts = {column.name: column.part for column in found.columns}
    assert (parts["source"], parts["prompt"]) == ("source", "")
    assert {line.split()[1] for line in found.commands} == {"compare", "score"}


def test_scores_of_systems_that_share_few_items_are_compared_unpaired(folder):
    """As the outputs are that were scored."""
    items = {"base": range(40), "ours": range(30, 70), "last": range(60, 95)}
    rows = [
        (item, system, f"the {system} cat sat on mat number {item}", item % 7 / 10)
        for system, of_system in items.items()
        for item in of_system
    ]
    write_table("t.csv", ["item", "system", "output", "fluency"], rows)
    found = look("t.csv")
    line = next(line for line in found.commands if " compare --scores " in line)
    assert "--unpaired" in line.split()
    assert "wins" not in typed(line.removeprefix("referenceless ")).out
    assert any("the first system shares 0 to 10 items with each other one, of 40: --unpaired" in n for n in found.notes)
    items = {"base": range(40), "ours": range(10, 50), "last": range(15, 55)}
    rows = [(item, s, f"the {s} cat sat on mat number {item}", item % 7 / 10) for s in items for item in items[s]]
    write_table("t.csv", ["item", "system", "output", "fluency"], rows)
    assert not any("--unpaired" in line for line in look("t.csv").commands if " compare --scores " in line)


def test_metrics_beside_ratings_are_held_against_them_by_rows_if_items_repeat(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        [f"in {n % 9}", s, f"the {n} {s} says", n % 7 / 7 + at / 10, 1 - n % 7 / 7 - n % 3 / 9, 1 + n % 7 * 5 // 6]
        for n in range(36)
        for at, s in enumerate(SYSTEMS)
    ]
    write_table("medians.csv", ["mr", "system", "output", "bleu", "TER", "informativeness"], rows)
    lines = [line for line in look("medians.csv").commands if line.split()[1] == "evaluate"]
    assert lines
    assert all("--cluster-column mr" in line and "--item-column" not in line for line in lines)
    assert "108 of 108 outputs" in typed(lines[0].removeprefix("referenceless ")).out
    items = lines[0].replace("--cluster-column mr", "--item-column mr").removeprefix("referenceless ")
    told = typed(items, 1).err
    assert f"\n  {lines[0]}\n" in told  # and not with the column that does not tell rows apart


def test_a_metric_of_which_lower_is_better_does_not_agree_worse_for_its_sign(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [[n, 1 + n % 5, n % 5 / 5 + n % 3 / 9, 1 - n % 5 / 5 - n % 3 / 9.5] for n in range(40)]
    write_table("t.csv", ["item", "rating", "bleu", "ter"], rows)
    both = "evaluate --scores t.csv --ratings t.csv --score-column bleu --score-column ter"
    told = as_json(both)["differences"][0]
    assert abs(told["value"]) < 0.1
    shown = typed(both).out
    assert "Lower is better of ter" in shown
    write_table(
        "u.csv", ["item", "rating", "bleu", "ter"], [[*row[:2], row[2] + row[0] % 7 / 3, row[3]] for row in rows]
    )
    better = "evaluate --scores u.csv --ratings u.csv --score-column bleu --score-column ter"
    assert next(row["score"] for row in as_json(better)["rows"] if row["what"] == "Pearson r") == "ter less bleu"
    headline = " ".join(typed(better).out.split())
    assert ": ter (lower is better) -0." in headline
    assert headline.index(": ter (lower is better) -0.") < headline.index(" and bleu 0.")
    assert "bleu agrees better with people than ter" not in shown
    assert "(TER, WER, perplexity), the correlation counts with the other sign" in " ".join(
        typed(f"{both} --help").out.split()
    )


def test_advise_reads_the_sources_beside_a_column_of_each_rater(folder):
    rows = [
        (n, system, f"what number {n} was made from in words", f"the {system} cat sat on mat {n}", 1 + n % 5, 1 + n % 4)
        for n in range(30)
        for system in ("base", "ours")
    ]
    write_table("t.csv", ["item", "system", "source", "output", "rating_r1", "rating_r2"], rows)
    line = next(line for line in look("t.csv").commands if line.split()[1] == "advise")
    assert "--source-column source" in line


def test_a_column_that_counts_raters_holds_no_ratings_and_tells_that_people_gave_the_scores(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        [f"Guten Tag, Nummer {n}.", f"Hello from {system}, number {n}.", system, 50 + (n * 7 + at) % 50, 1 + n % 3]
        for n in range(20)
        for at, system in enumerate(SYSTEMS)
    ]
    for name, people in (("annotators", True), ("n_raters", True), ("year", False)):
        write_table("t.csv", ["src", "mt", "system", "score", name], rows)
        found = look("t.csv")
        assert {column.name: column.part for column in found.columns}[name] == ""
        lines = [line for line in found.commands if line.split()[1] == "human-score"]
        assert [line.split()[5] for line in lines] == (["score"] if people else [])
        assert not any(line.split()[1] == "evaluate" and "--scores" in line for line in found.commands)
        assert all("of the 3 pairs of systems" in typed(line.removeprefix("referenceless ")).out for line in lines)


def test_scores_of_outputs_that_several_people_rated_are_held_against_the_ratings(tmp_path, monkeypatch):
    """A score that changes with the rater is none of the output; raters whose names are hidden are told, too."""
    monkeypatch.chdir(tmp_path)
    rows = [
        [worker, f"The cat of house {n} sat on mat {n % 5}.", n / 7, worker + n / 9, (n * 7 + worker) % 90 + 5]
        for n in range(24)
        for worker in range(3)
    ]
    write_table("t.csv", ["worker_id_anon", "candidate", "nll", "bleu", "human_score"], rows)
    found = look("t.csv")
    assert {column.name: column.part for column in found.columns}["worker_id_anon"] == "rater"
    assert (
        "lower values of 'nll' count as better, by the name; `compare` is told so by --lower-is-better" in found.notes
    )
    (line,) = [line for line in found.commands if line.split()[1:3] == ["evaluate", "--scores"]]
    assert line.endswith("nll --rating-column human_score --item-column candidate --rater-column worker_id_anon")
    assert "with 72 ratings by 3 people" in typed(line.removeprefix("referenceless ")).out


def test_metrics_are_told_by_their_names_in_cells_and_items_by_numbers_of_documents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        [n, metric, system, (n * 7 + len(metric) + at) % 10 / 10]
        for n in range(8)
        for metric in ("Rouge1", "Rouge2", "BERTScore", "OwnGraph")
        for at, system in enumerate(SYSTEMS)
    ]
    write_table("t.csv", ["source_doc", "eval_method", "variant", "score"], rows)
    (line,) = look("t.csv").commands
    assert line.endswith("t.csv --item-column source_doc --system-column variant --metric-column eval_method")
    assert "By BERTScore, " in typed(line.removeprefix("referenceless ")).out
    sets = [[*row[:1], f"set {row[1]}", *row[2:]] for row in rows]
    write_table("t.csv", ["source_doc", "eval_method", "variant", "score"], sets)
    assert "metric" not in {column.part for column in look("t.csv").columns}


def test_a_table_of_scores_beside_ratings_gets_the_lines_that_hold_the_one_against_the_other(folder):
    """The columns of the scores are named, and those that both files need."""
    cells = [(n, s, f"d{n // 3}", (7 * n + p) % 6, (5 * n + p) % 7 / 7) for n in range(18) for p, s in enumerate("abc")]
    write_table("metrics.csv", ("seg_id", "system", "doc", "comet", "bleu"), cells)
    write_table(
        "ratings.csv", ("seg_id", "system", "doc", "rater", "rating"), [(*row[:3], "r", row[3]) for row in cells]
    )
    told = typed("look metrics.csv ratings.csv").out.partition("Together:\n")[2]
    lines = [line.removeprefix("referenceless ") for line in told.splitlines()]
    assert [line.split()[0] for line in lines] == ["compare", "evaluate"]
    for line in lines:
        assert "--scores metrics.csv --ratings ratings.csv --score-column comet --score-column bleu" in line
        assert "on 54 " in typed(line).out.splitlines()[0]


@pytest.mark.parametrize(("sign", "is_told"), [(1, True), (-1, False)])
def test_lower_values_of_turned_scores_are_not_called_better(sign, is_told, folder):
    """As in `compare`, none of the scores is above 0 if their sign was turned."""
    for at, system in enumerate(SYSTEMS):
        rows = [[n, system, sign * ((n * 7 + at) % 9) / 4, (n + at) % 5 / 4] for n in range(12)]
        write_table(f"{system}.csv", ["item", "system", "metricx", "comet"], rows)
        write_table(f"{system}_alone.csv", ["id", "metricx"], [[f"i{row[0]}", row[2]] for row in rows])
    found = look("ours.csv")
    assert any("lower values of 'metricx' count as better" in note for note in found.notes) == is_told
    assert any("--lower-is-better metricx" in line for line in found.commands) == is_told
    assert ("--lower-is-better metricx" in done("look base_alone.csv ours_alone.csv").stdout) == is_told


def test_columns_of_scores_beside_pandas_index_are_of_systems(folder):
    write("wide.csv", [",base,ours", *(f"{n},0.{400 + 7 * n % 90},0.{420 + 11 * n % 90}" for n in range(24))])
    line = look("wide.csv").commands[0]
    assert line == "referenceless compare --scores wide.csv --score-column base --score-column ours"
    rows = json.loads(done(f"{line.removeprefix('referenceless ')} -f json").stdout)["rows"]
    assert {row["system"] for row in rows} == {"base", "ours"}


def test_ratings_beside_pandas_index_alone_are_of_one_system(folder):
    write("series.csv", [",0", *(f"{n},{1 + n * 7 % 5}" for n in range(24))])
    (line,) = look("series.csv").commands
    assert line == "referenceless human-score --ratings series.csv --rating-column 0"
    assert "series 2.96 on average" in done(line.removeprefix("referenceless ")).output


def test_rated_texts_of_one_system_have_lines_for_means_and_the_worst(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [[f"e{n}", f"The essay {n} tells of a long day at school.", 1 + n % 5, 1 + n % 4] for n in range(24)]
    write_table("essays.csv", ["text_id", "full_text", "cohesion", "grammar"], rows)
    lines = look("essays.csv").commands
    both = "--rating-column cohesion --rating-column grammar --columns-are criteria --item-column text_id"
    scores = "--score-column cohesion --score-column grammar --item-column text_id --worst 10"
    assert f"referenceless human-score --ratings essays.csv {both}" in lines
    assert f"referenceless compare --scores essays.csv {scores}" in lines
    assert "The essay 0 tells" in done(f"compare --scores essays.csv {scores} -f csv").stdout


@pytest.mark.parametrize(
    ("score", "of_rater", "part"),
    [
        ("score", lambda rating, place: round(rating / 25 - 2, 3), "rating, rescaled"),  # as z-scores
        ("score", lambda rating, place: round((rating - 50 - 9 * (place % 3)) / 20, 4), "rating, rescaled"),
        ("full_score", lambda rating, place: rating / 4, "rating, rescaled"),
        ("score", lambda rating, place: place * 7 % 12 / 4 - 1.1, "score"),
        ("comet", lambda rating, place: round(rating / 25 - 2, 3), "score"),
    ],
)
def test_ratings_on_another_scale_are_no_scores_to_hold_against_them(tmp_path, monkeypatch, score, of_rater, part):
    monkeypatch.chdir(tmp_path)
    ratings = [20 + place * 37 % 71 for place in range(24)]
    rows = [
        ("The " + " ".join(["cat", "sat", "there"][: 1 + place % 3]) + f" {place}.", of_rater(rating, place), rating)
        for place, rating in enumerate(ratings)
    ]
    write_table("rated.csv", ("mt", score, "raw"), rows)
    found = look("rated.csv")
    assert {column.name: column.part for column in found.columns}[score] == part
    assert any(f"--score-column {score}" in line for line in found.commands) == (part == "score")


def test_ratings_standardised_for_each_rater_are_no_scores_to_hold_against_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = []
    for place in range(24):
        rating, rater = 20 + place * 37 % 71, place % 2
        rows.append((f"The cat sat there {place}.", f"r{rater}", rating / (20 - 15 * rater) - 60 * rater, rating))
    write_table("rated.csv", ("text", "rater", "score", "rating"), rows)
    assert {column.name: column.part for column in look("rated.csv").columns}["score"] == "rating, rescaled"


def test_of_many_scores_those_that_are_asked_about_are_to_be_named(folder):
    rows = [[n, s, n / 7 + at, n % 9 + at / 3, n / 3 - at] for n in range(12) for at, s in enumerate(("base", "ours"))]
    write_table("s.csv", ["sent_id", "system", "bleu", "chrf", "comet22"], rows)
    assert any("a line with 3 scores tests them together (Holm)" in note for note in look("s.csv").notes)


@pytest.mark.parametrize(
    ("file", "column", "are_learned"),
    [
        ("outputs.csv", "score", True),
        ("outputs.csv", "comet", False),
        ("outputs.csv", "judge_score", False),
        ("llm_judge.csv", "score", False),
    ],
)
def test_scores_of_texts_may_be_of_people_unless_a_name_tells_another_giver(
    file, column, are_learned, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    rows = [[s, f"a cat {s} sat {n}", f"{1 + n * 7 % 5 + at / 2}"] for n in range(12) for at, s in enumerate(SYSTEMS)]
    write_table(file, ["system", "output", column], rows)
    found = look(file)
    line = f"referenceless advise {file} --text-column output --rating-column {column} --system-column system"
    note = f"nothing tells who gave '{column}': the line of `advise` is for people's ratings alone"
    assert (line in found.commands, note in found.notes) == (are_learned, are_learned)
    assert any(command.startswith(f"referenceless compare --scores {file}") for command in found.commands)
