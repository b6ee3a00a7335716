"""`look`: its findings on files of every shape, and that each command line that it proposes runs."""

import json
from pathlib import Path

import pytest
from command_lines import done, invoke, typed
from text_files import read, write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.core.support.validation import InputError

pytestmark = pytest.mark.filterwarnings("ignore")

WORDS = "the small grey cat sat on a warm mat and saw one red bird fly over its house at noon".split()
TEXTS = [" ".join(WORDS[n % 5 : n % 5 + 6 + n % 7]) + f" {'very ' * (n % 4)}late number {n}." for n in range(24)]
SYSTEMS = ("base", "ours")


def rows_of(*columns, texts=True):
    rows = [
        {"item": item, "system": system, "rater": rater, "rating": 1 + (item + at + len(rater) * 3 + item // 5) % 5}
        for item in range(12)
        for at, system in enumerate(SYSTEMS)
        for rater in ("ann", "bert")
    ]
    for row in rows:
        row["text"] = TEXTS[row["item"] * 2 + SYSTEMS.index(row["system"])]
    return [{name: row[name] for name in columns} for row in rows]


def csv(rows, delimiter=",", header=True):
    lines = [delimiter.join(rows[0])] if header else []
    return "\n".join(lines + [delimiter.join(map(str, row.values())) for row in rows]) + "\n"


LONG = rows_of("item", "system", "rater", "rating")
RATED = [{"sentence": text, "fluency": 1 + len(text) % 5} for text in TEXTS]
SCORES = [{"item": n, "model": s, "bleu": (n * 7 + i) % 10 / 10} for n in range(12) for i, s in enumerate(SYSTEMS)]
WIDE = [
    {"id": n, "system": s, "r1": 1 + (n + i) % 5, "r2": 1 + (2 * n + i) % 5}
    for n in range(12)
    for i, s in enumerate(SYSTEMS)
]
PAIRS = [
    {"item": n, "system_a": "ours", "system_b": "base", "rater": r, "preference": ("a", "b", "tie")[(n + len(r)) % 3]}
    for n in range(12)
    for r in ("ann", "bob", "carla")
]
FILES = {
    "long.csv": (csv(LONG), "one row per rating", "human-score --ratings long.csv"),
    "long.tsv": (csv(LONG, "\t"), "one row per rating", "agreement long.tsv"),
    "semicolons.csv": (csv(LONG, ";"), "one row per rating", "agreement semicolons.csv"),
    "long.jsonl": ("".join(json.dumps(row) + "\n" for row in LONG), "one row per rating", "agreement long.jsonl"),
    "my file.json": (json.dumps(LONG), "one row per rating", "agreement 'my file.json'"),
    "rated.csv": (csv(RATED), "rated texts", "advise rated.csv --text-column sentence --rating-column fluency"),
    "headless.tsv": (csv(RATED, "\t", header=False), "rated texts", "score headless.tsv --columns text,rating"),
    "scores.csv": (
        csv(SCORES),
        "scores: one row",
        "compare --scores scores.csv --score-column bleu --system-column model",
    ),
    "wide.csv": (
        csv(WIDE),
        "a column per rater",
        "human-score --ratings wide.csv --rating-column r1 --rating-column r2",
    ),
    "pairs.csv": (csv(PAIRS), "preferences", "human-score --ratings pairs.csv"),
    "texts.txt": ("\n".join(TEXTS) + "\n", "a text per line", "score texts.txt"),
    "lists.jsonl": (
        "".join(json.dumps({"id": n, "candidates": TEXTS[n : n + 3]}) + "\n" for n in range(4)),
        "a list of candidates",
        "rerank lists.jsonl",
    ),
    "beams.jsonl": (
        "".join(json.dumps({"src": TEXTS[n], "beams": TEXTS[n : n + 3]}) + "\n" for n in range(4)),
        "a list of candidates",
        "rerank beams.jsonl --candidates-column beams",
    ),
    "nbest.jsonl": (
        "".join(json.dumps({"candidates": TEXTS[n : n + 3], "scores": [-1.5, -n, -9.2]}) + "\n" for n in range(8)),
        "a list of candidates",
        "rerank nbest.jsonl",
    ),
    "nested.json": (
        json.dumps(
            [
                {
                    "context": TEXTS[n],
                    "responses": [
                        {"model": s, "response": TEXTS[(n + i) % 24], "Natural": [1 + (n + i) % 3, 1 + n % 3]}
                        for i, s in enumerate(SYSTEMS)
                    ],
                }
                for n in range(12)
            ]
        ),
        "rated texts",
        "human-score --ratings nested.json --rating-column Natural --system-column model --rows-in responses",
    ),
    "parallel.jsonl": (
        "".join(json.dumps({"texts": TEXTS[n : n + 3], "ratings": [1, n % 5, 5]}) + "\n" for n in range(21)),
        "rated texts",
        "advise parallel.jsonl --text-column texts --rating-column ratings --rows-in texts,ratings",
    ),
    "turns.jsonl": (
        "".join(
            json.dumps({"messages": [{"role": "user", "content": t}, {"role": "assistant", "content": t}]}) + "\n"
            for t in TEXTS
        ),
        "dialogues",
        "score turns.jsonl --rows-in messages --where role=assistant --text-column content",
    ),
    "columns.csv": (
        csv([{"article": t, "bart": TEXTS[n - 1], "human": TEXTS[n - 2]} for n, t in enumerate(TEXTS)]),
        "several columns of texts",
        "compare columns.csv --text-column bart --text-column human",
    ),
    "outputs.csv": (
        csv([{"id": n, "model": s, "output": TEXTS[n + i]} for n in range(12) for i, s in enumerate(SYSTEMS)]),
        "outputs of several systems",
        "compare outputs.csv --text-column output --system-column model --item-column id",
    ),
}


def test_candidates_are_chosen_by_fluency_or_by_what_they_agree_on(folder):
    write("lists.jsonl", FILES["lists.jsonl"][0])
    line = "referenceless rerank lists.jsonl"
    assert look("lists.jsonl").commands == (line, f"{line} --mbr bleu")


@pytest.mark.parametrize("name", FILES)
def test_each_proposed_command_line_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content, shape, command = FILES[name]
    Path(name).write_text(content)
    found = look(name)
    assert found.shape.startswith(shape)
    assert any(line.startswith(f"referenceless {command}") for line in found.commands), found.commands
    for line in found.commands:
        ran = invoke(line.removeprefix("referenceless "))
        assert ran.exit_code == 0, f"{line}: {ran.output} {ran.exception!r}"


def test_what_speaks_against_a_plain_reading(tmp_path):
    file = tmp_path / "t.csv"
    rows = [
        {"doc": d, "item": n, "system": s, "rater": "ann" if n else r, "rating": 1 + n % 3}
        for d in "xy"
        for n in range(6)
        for s in SYSTEMS
        for r in ("ann", "bob", "carla")
    ]
    rows[3]["rating"] = ""
    file.write_text(csv(rows))
    notes = " ".join(look(file).notes)
    assert "column 'rating' is blank in 1 of 72 rows" in notes
    assert "rows repeat the values of 'item', 'system', 'rater', 'doc'" in notes
    assert "numbers of column 'item' begin again in each 'doc'" in notes
    assert "one rater of 3 gave 89% of the ratings" in notes
    file.write_text(csv([{"item": f"{s}{n}", "system": s, "rating": n} for n in range(3) for s in SYSTEMS]))
    assert "no two systems share an item" in " ".join(look(file).notes)


def test_items_that_begin_again_in_each_document_are_told_by_it(tmp_path):
    rows = [{"sys": s, "doc": d, "seg": n, "comet": n / 7} for s in "ab" for d in "xyz" for n in range(10)]
    (tmp_path / "t.csv").write_text(csv(rows))
    (line,) = look(tmp_path / "t.csv").commands
    assert line.endswith("--score-column comet --item-column seg --system-column sys --cluster-column doc")


@pytest.mark.parametrize(
    "lines",
    [
        ["The Eagle is in the centre, near a café. It is quiet.", "A pub, by the river. It is loud.", "A pub."],
        ["first, I would like to know more", "no commas here", "nor here", "nor in this one"],
    ],
)
def test_sentences_that_hold_commas_are_no_table(folder, lines):
    """Nothing reads a file of lines as a table whose header is its first sentence."""
    (folder / "a.txt").write_text("\n".join(lines * 9))
    found = look("a.txt")
    assert (found.n_rows, found.commands) == (9 * len(lines), ("referenceless score a.txt",))
    assert "a .txt file holds no ratings" in str(invoke("agreement a.txt").exception)
    (folder / "a.txt").write_text(
        "item,system,rating\n" + "".join(f"{n},{s},{n % 5}\n" for n in range(9) for s in "ab")
    )
    assert look("a.txt").form == ".txt that holds a table"


def test_a_column_for_each_rater_by_letter_or_number_is_read_with_the_others(tmp_path):
    for names in (["rater_A", "rater_B"], ["Annotator 1", "Annotator 2"], ["expert_a", "expert_b", "expert_c"]):
        rows = [{"item": n, "system": s} | dict.fromkeys(names, 1 + n % 5) for n in range(12) for s in SYSTEMS]
        (tmp_path / "t.csv").write_text(csv(rows))
        (rated, agreed) = look(tmp_path / "t.csv").commands
        for command, line in (("human-score", rated), ("agreement", agreed)):
            assert f" {command} " in line
            assert line.count("--rating-column") == len(names)


def test_texts_are_the_items_of_agreement_where_no_column_holds_items_and_none_stands_twice(folder):
    rows = [{"response": f"the reply number {n} is here", "rater1": 1 + n % 5, "rater2": 1 + n % 4} for n in range(12)]
    Path("t.csv").write_text(csv(rows))
    raters = "--rating-column rater1 --rating-column rater2"
    assert f"referenceless agreement t.csv {raters} --item-column response" in look("t.csv").commands
    rows[11]["response"] = rows[0]["response"]
    Path("t.csv").write_text(csv(rows))
    assert f"referenceless agreement t.csv {raters}" in look("t.csv").commands
    with pytest.warns(
        InputNote, match="nothing names items: each row, which holds all ratings of an output, is an item"
    ):
        assert "12 of 12 outputs were rated by two raters" in done(f"agreement t.csv {raters}").output
    with pytest.warns(InputNote) as notes:
        done(f"agreement t.csv {raters} --item-column response")
    told = " ".join(str(note.message) for note in notes)
    assert "the first counts" in told
    assert "equal to another row" not in told


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("long.csv").write_text(csv(LONG))
    Path("texts.txt").write_text("\n".join(TEXTS))
    ran = invoke("look .")
    assert "long.csv: .csv, 48 rows" in ran.output
    assert "texts.txt: .txt, 24 rows" in ran.output
    found = json.loads(invoke("look long.csv -f json").output)
    assert found[0]["columns"][3]["part"] == "rating"
    assert found[0]["commands"][0] == "referenceless human-score --ratings long.csv"
    with pytest.raises(InputError, match="there is no such file"):
        look("nothing.csv")


def test_a_study_without_ratings_is_to_be_rated_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in SYSTEMS:
        Path(f"{name}.txt").write_text("\n".join(f"{text} {name}" for text in TEXTS))
    assert invoke("sample base.txt ours.txt -n 10 --raters ann -o study").exit_code == 0
    found = look("study")
    assert (found.commands, found.notes) == (("referenceless rate study",), ("there are no ratings yet",))


SHARED = {
    "huse/summarization_raw_outputs.csv": "advise huse:summarization --data-dir",
    "asap-sas/train_rel_2.tsv": "advise asap_sas:set_1 --data-dir",
    "nlg-ratings/emnlp_data_medians.csv": "advise nlg_ratings:",
    "nlg-ratings/with_references.jsonl": "advise {file} --text-column output --rating-column informativeness",
    "webnlg-2020/judgements_en.csv": "human-score --ratings {file} --rating-column correctness "
    "--rating-column data_coverage --rating-column fluency --rating-column relevance --rating-column text_structure "
    "--columns-are criteria --rater-column worker",
    "usr/topical_chat.json": "advise {file} --text-column system_output --rating-column scores.overall",
    "e2e-ratings/judgements.csv": "agreement {file} --rating-column magnitude --item-column output",
    "e2e-ratings/outputs.csv": "score {file}",
    "inlg16/rated_texts.csv": "advise {file} --rating-column informativeness --group-column mr_id --source-column mr",
    "gug/gug_annotations.tsv": "advise {file} --text-column Sentence --rating-column Average",
    "fluency/simplicity_da_with_references.csv": "human-score --ratings {file} --rating-column meaning "
    "--rating-column fluency --columns-are criteria --item-column",
    "lm-corpus/english.txt.xz": "train ngram {file}",
    "cola/in_domain_train.tsv": "advise {file} --columns column1,rating,column3,text",
    "lau-2015/wikipedia_100.tsv": "advise {file} --text-column sentence",
}


@pytest.mark.parametrize("name", SHARED)
def test_research_data_get_the_command_of_their_documentation(name, data_dir):
    folder, _, file = name.partition("/")
    path = data_dir(folder) / file
    expected = "referenceless " + SHARED[name].format(file=path)
    assert any(line.startswith(expected) for line in look(path).commands), look(path).commands


def test_files_of_texts_with_equally_many_lines_may_be_compared(folder):
    for name, n in (("a", 12), ("b", 12), ("c", 12), ("longer", 14)):
        write(
            f"{name}.txt", [f"The {name} hotel has {line} rooms, and it is near the old bridge." for line in range(n)]
        )
    write("rows.csv", ["text,rating", "one,1"])
    told = done("look a.txt b.txt c.txt rows.csv").stdout
    assert "Together:\nreferenceless compare a.txt b.txt c.txt --all-pairs\n" in told
    assert told.endswith("referenceless sample a.txt b.txt c.txt -n 12 -o study\n")
    assert "referenceless score a.txt" in told
    assert "compare" not in done("look a.txt longer.txt").stdout
    assert "compare" not in done("look a.txt").stdout


@pytest.mark.parametrize("n_items, systems, is_told", [(20, "ab", True), (60, "ab", False), (20, "abc", False)])
def test_the_ends_of_the_scale_are_asked_for_where_human_score_asks(folder, n_items, systems, is_told):
    rows = [
        (item, system, 2 + item * (5 + 2 * place) % 6, 2 + item % 6)
        for item in range(n_items)
        for place, system in enumerate(systems)
    ]
    write_table("r.csv", ["item", "system", "rater_A", "rater_B"], rows)
    told = done("look r.csv").stdout
    asked = "ratings do not tell the ends of their scale ('rater_A' has 2–7)"
    assert (asked in " ".join(told.split())) == is_told
    line = "human-score --ratings r.csv --rating-column rater_A --rating-column rater_B"
    assert line in told
    assert ("Name the ends of the scale (--scale LOW-HIGH)" in done(line).stdout) == is_told


def test_a_null_among_texts_hides_them_not(folder):
    texts = [None, "", "", *(f"The cat number {number} sat on the mat." for number in range(6))]
    rows = [{"id": f"w-{n}", "response": text, "ts": f"2026-11-{n + 10}"} for n, text in enumerate(texts)]
    write("log.jsonl", map(json.dumps, rows))
    found = look("log.jsonl")
    assert "referenceless score log.jsonl --text-column response" in found.commands
    assert "repeat" not in " ".join(found.notes)


def test_outputs_for_prompts_that_repeat_are_not_compared_in_pairs(folder):
    rows = [
        {"prompt": f"Say {n % 3} again, please.", "model": "ab"[n % 2], "response": f"The cat sat on the mat {n}."}
        for n in range(24)
    ]
    write("log.jsonl", map(json.dumps, rows))
    found = look("log.jsonl")
    assert found.commands[0].endswith("--system-column model --unpaired")
    write("log.jsonl", map(json.dumps, rows[:6]))
    assert look("log.jsonl").commands[0].endswith("--system-column model --item-column prompt")


@pytest.mark.parametrize(
    "files, line",
    [
        (
            ["columns.csv"],
            "sample columns.csv --text-column bart --text-column human --source-column article -n 24 -o study",
        ),
        (
            ["outputs.csv"],
            "sample outputs.csv --text-column output --system-column model --item-column id -n 12 -o study",
        ),
        (["base.txt", "ours.txt"], "sample base.txt ours.txt -n 24 -o study"),
        (
            ["v1.csv", "v2.csv"],
            "sample v1.csv v2.csv --text-column answer --source-column prompt -n 24 -o study",
        ),
        (["ratings.csv"], ""),
    ],
)
def test_outputs_of_systems_can_be_rated_by_people(files, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = "\n".join(TEXTS) + "\n"
    contents = {name: content for name, (content, *_) in FILES.items()}
    contents |= {"base.txt": lines, "ours.txt": lines.upper(), "ratings.csv": csv(PAIRS)}
    for name, texts in (("v1.csv", TEXTS), ("v2.csv", [text.upper() for text in TEXTS])):
        contents[name] = csv([{"prompt": f"Say {n} of it.", "answer": text} for n, text in enumerate(texts)])
    for file in files:
        Path(file).write_text(contents[file])
    told = done(f"look {' '.join(files)}").stdout
    assert told.count("To let people rate some of these outputs:\nreferenceless sample ") == bool(line)
    if line:
        assert f"\nreferenceless {line}\n" in told
        done(line)


def test_texts_of_another_language_are_told_and_get_lines_that_need_no_model_of_english(folder):
    """German outputs: `compare` by the default metric would refuse them."""
    nouns = "Regierung Stadt Gemeinde Schule Kirche Zeitung Mannschaft Polizei Gewerkschaft Universität".split()
    write("a.de", [f"Die {noun} hat den neuen Entwurf gestern Abend nach langer Beratung abgelehnt." for noun in nouns])
    write(
        "b.de",
        [f"Die {noun} hat gestern den Entwurf nach der Beratung am Abend doch noch gebilligt." for noun in nouns],
    )
    write("ref.de", [f"Die {noun} lehnte den neuen Entwurf gestern Abend nach langer Beratung ab." for noun in nouns])
    told = typed("look a.de b.de").out
    assert "most of these texts do not look English" in told
    assert "fluency" not in told
    assert "compare a.de b.de --references REFERENCES --metric bleu --metric chrf" in told
    assert "sample a.de b.de -n 10 -o study" in told
    line = "compare a.de b.de --references ref.de --metric bleu --metric chrf"
    assert f"\nreferenceless {line}\n" in typed("look a.de b.de ref.de").out
    write("c.de", read("b.de").replace("gestern", "heute"))
    of_three = line.replace("b.de", "b.de c.de")
    assert f"\nreferenceless {of_three} --all-pairs\n" in typed("look a.de b.de c.de ref.de").out
    assert "By BLEU" in typed(line).out
