"""A look at folders of translations as WMT and mt-metrics-eval lay them out: each line reads the right files."""

from pathlib import Path

import pytest
from command_lines import as_json, done, typed
from numpy.random import default_rng
from text_files import write

from referenceless_metrics import look

pytestmark = pytest.mark.filterwarnings("ignore")

N = 24
SYSTEMS = ("Online-A", "Lan-Bridge", "OpenNMT")
WORDS = "das Haus der Hund die Katze ein Baum sehr schnell lief gestern nach Hause und sah".split()


def put(path, lines):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    write(path, lines)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = default_rng(0)
    references = [" ".join(draw.choice(WORDS, 8)) for _ in range(N)]
    put("set/sources/en-de.txt", [f"The sentence of number {n}." for n in range(N)])
    put("set/references/en-de.refA.txt", references)
    put("set/documents/en-de.docs", [f"news\tdocument{n // 3}" for n in range(N)])
    scores = {}
    for place, system in enumerate(SYSTEMS, 1):
        outputs = [" ".join(draw.choice(WORDS, place)) + " " + text.split(" ", place)[-1] for text in references]
        put(f"set/system-outputs/en-de/{system}.txt", outputs)
        scores[system] = draw.normal(-place, 1, N)
    put("set/system-outputs/en-de/refA.txt", references)
    people = [f"{system}\t{value:.2f}" for system, values in scores.items() for value in values]
    people += ["refA\tNone"] * N
    put("set/human-scores/en-de.mqm.seg.score", people)
    put("set/human-scores/en-de.mqm.sys.score", [f"{system}\t{values.mean():.3f}" for system, values in scores.items()])
    for metric, noise in (("COMET-refA", 0.3), ("BLEU-refA", 3)):
        lines = [f"{name}\t{value + noise * draw.normal():.4f}" for name, of in scores.items() for value in of]
        put(f"set/metric-scores/en-de/{metric}.seg.score", lines)
        put(f"set/metric-scores/en-de/{metric}.sys.score", [f"{name}\t{of.mean():.3f}" for name, of in scores.items()])


def lines_of(command):
    return [line for line in look("set").commands if line.split()[1] == command]


def test_one_line_holds_all_metrics_against_peoples_scores():
    (line,) = lines_of("evaluate")
    found = as_json(line.removeprefix("referenceless "))
    assert set(found["scores"]) == {"COMET-refA", "BLEU-refA"}
    rows = {row["score"]: row for row in found["rows"] if row.get("what") == "Pearson r" and row["of"] == "all"}
    assert {row["n"] for row in rows.values()} == {3 * N}
    assert rows["COMET-refA"]["value"] > rows["BLEU-refA"]["value"]


def test_outputs_are_compared_with_references_which_are_no_systems():
    (line,) = (line for line in lines_of("compare") if "--references" in line)
    found = done(line.removeprefix("referenceless "), "--format", "json").output
    assert all(f'"{system}"' in found for system in SYSTEMS)
    assert '"refA"' not in found
    assert "--references set/references/en-de.refA.txt" in line
    assert "--cluster-column set/documents/en-de.docs" in line


def test_all_lines_work_and_the_others_are_named():
    found = look("set")
    for line in found.commands:
        done(line.removeprefix("referenceless "))
    told = " ".join(found.notes)
    assert "3 systems: Lan-Bridge, Online-A, OpenNMT" in told
    assert "are no systems here: refA" in told
    put("set/system-outputs/en-ja/a.txt", ["x"])
    assert "further pairs of languages, in place of en-de: en-ja" in look("set").notes
    assert typed("look set").out.count("sources/en-de.txt") == 0


def test_outputs_without_scores_are_found_too(tmp_path):
    for name in ("human-scores", "metric-scores"):
        Path("set", name).rename(tmp_path / name)
    (line,) = look("set").commands
    assert line.startswith("referenceless compare set/system-outputs/en-de/Lan-Bridge.txt ")


def test_scores_that_people_gave_are_peoples():
    file = "set/human-scores/en-de.mqm.seg.score"
    found = look(file)
    assert found.commands[0] == f"referenceless human-score --ratings {file} --all-pairs"
    assert not any(line.split()[1] == "agreement" for line in found.commands)
    for line in found.commands:
        told = done(line.removeprefix("referenceless ")).output
        assert "says nothing about people" not in told
    assert "These raters rate" in typed(found.commands[0].removeprefix("referenceless ")).out
    metric = typed("compare --scores set/metric-scores/en-de/COMET-refA.seg.score").out
    assert "says nothing about people" in metric
    (note,) = look("set/human-scores/en-de.mqm.sys.score").notes
    assert "one score per system" in note
    assert look("set/human-scores/en-de.mqm.sys.score").commands == ()


def test_scores_of_a_metric_that_are_given_as_ratings_are_no_peoples():
    told = typed("human-score --ratings set/metric-scores/en-de/COMET-refA.seg.score").out
    assert "By these ratings" in told
    assert "People" not in told


def test_folders_tell_the_part_of_files_of_lines():
    for folder, name in (("outputs/x", "a"), ("outputs/x", "b"), ("references", "c"), ("sources", "d")):
        put(f"other/{folder}/{name}.txt", [f"The {name} of number {n} is here today." for n in range(12)])
    put("other/documents/e.docs", [f"news\tdocument{n // 3}" for n in range(12)])
    told = typed("look other").out
    (line,) = (each for each in told.splitlines() if each.startswith("referenceless compare") and "--with" in each)
    words = line.split()
    assert words[2:4] == ["other/outputs/x/a.txt", "other/outputs/x/b.txt"]
    assert words[words.index("--references") + 1] == "other/references/c.txt"
    assert words[words.index("--sources") + 1] == "other/sources/d.txt"
    assert words[words.index("--cluster-column") + 1] == "other/documents/e.docs"
    assert "12 rows" in told.split("e.docs")[1][:60]  # the first line is no header
    put("other/top.txt", ["a", "b"])
    assert not typed("look other").err
    for n in range(51):  # too many
        put(f"other/many/part{n}.csv", ["a,b", "1,2"])
    assert "folders in it were not looked at: documents, many, outputs" in typed("look other").err


@pytest.mark.parametrize("name", ["{}.comet", "COMET-22.{}.txt"])
def test_scores_and_ratings_beside_outputs_get_a_line_too(tmp_path, name):
    """A score of the whole corpus stands beside them, and is none of the segments'."""
    for system in SYSTEMS:
        write(f"{system}.txt", [f"Output {n} of {system} is here." for n in range(N)])
        write(name.format(system), [f"0.{n}{len(system)}" for n in range(10, 10 + N)])
    write("bleu.json", ['{"name": "BLEU", "score": 30.0, "signature": "nrefs:1|version:2.6.0"}'])
    columns = "system seg_id rater category severity".split()
    rows = [(system, n + 1, "r1", "Style", "Minor") for system in SYSTEMS for n in range(0, N, 2)]
    rows += [(system, n + 1, "r1", "no-error", "no-error") for system in SYSTEMS for n in range(1, N, 2)]
    write("mqm.tsv", ["\t".join(map(str, row)) for row in (columns, *rows)])
    files = [*(f"{system}.txt" for system in SYSTEMS), *map(name.format, SYSTEMS), "mqm.tsv", "bleu.json"]
    told = typed(f"look {' '.join(files)}").out
    for command in ("compare", "evaluate"):
        start = f"referenceless {command} --scores"
        (line,) = (each for each in told.splitlines() if each.startswith(start) and " --ratings " in each)
        assert "pairwise accuracy" in done(line.removeprefix("referenceless ")).stdout
    assert "referenceless compare Online-A.txt Lan-Bridge.txt OpenNMT.txt" in told


def test_annotations_beside_the_folders_of_a_test_set_are_looked_at_and_held_against_its_scores():
    columns = "system doc seg_id rater category severity".split()
    rows = [
        (system, f"document{n // 3}", n + 1, "r1", *(("Style", "Minor") if (n + at) % 2 else ("no-error", "no-error")))
        for at, system in enumerate(SYSTEMS)
        for n in range(N)
    ]
    write("set/mqm.tsv", ["\t".join(map(str, row)) for row in (columns, *rows)])
    shown = typed("look set")
    told = shown.out
    assert "not looked at" not in shown.err
    assert "set/mqm.tsv: MQM annotations" in told
    options = "--scores set/metric-scores/en-de --cluster-column set/documents/en-de.docs --ratings set/mqm.tsv"
    for command in ("compare", "evaluate"):
        assert f"\nreferenceless {command} {options}\n" in told
        done(f"{command} {options}")


@pytest.mark.parametrize("n_systems", [1, 2])
def test_a_text_and_its_translation_are_no_two_systems(n_systems):
    """A file in another language, by its suffix too, holds the sources of several systems."""
    write("t.en", [f"The teacher explained {'another ' * (n % 2)}lesson {n} while it rained." for n in range(N)])
    for system, verb in list({"a": "explicó", "b": "enseñó"}.items())[:n_systems]:
        spanish = [f"La maestra {verb} {'otra' if n % 2 else 'la primera'} lección {n} a los niños." for n in range(N)]
        write(f"{system}.es", spanish)
    files = " ".join(["t.en", "a.es", "b.es"][: n_systems + 1])
    told = typed(f"look {files}").out
    assert "compare t.en" not in told
    together = "compare a.es b.es --references REFERENCES --metric bleu --metric chrf --sources t.en"
    assert (f"Together:\nreferenceless {together}\n" in told) == (n_systems == 2)


@pytest.mark.parametrize("line", ["document{}", "news\tdocument{}"])
@pytest.mark.parametrize("name", ["newstest.docs", "docs.txt"])
def test_the_document_of_each_segment_is_no_text_to_score(line, name):
    write(name, [line.format(n // 3) for n in range(12)])
    found = look(name)
    assert (found.n_rows, found.commands) == (12, ())
    assert found.notes == (f"beside outputs or scores of these segments it is --cluster-column {name}",)
    assert [column.part for column in found.columns] == (["", ""] if "\t" in line else ["cluster"])


def test_tables_of_one_system_each_are_held_against_ratings_by_the_texts_of_the_outputs():
    """MetricX writes no items: source, hypothesis, reference and prediction."""
    rated = [("item", "system", "text", "rating")]
    for at, system in enumerate(SYSTEMS):
        texts = [f"The {system} output {n} is {'very ' * (n % 3)}here." for n in range(N)]
        rows = [("source", "hypothesis", "prediction")]
        rows += [(f"Source number {n} was there.", text, (n * 7 + at) % 5 + n / 7) for n, text in enumerate(texts)]
        write(f"metricx.{system}.tsv", ["\t".join(map(str, row)) for row in rows])
        rated += [(n, system, text, (n * 3 + at) % 5) for n, text in enumerate(texts)]
    write("rated.tsv", ["\t".join(map(str, row)) for row in rated])
    files = [f"metricx.{system}.tsv" for system in SYSTEMS]
    told = typed(f"look {' '.join(files)} rated.tsv").out
    (line,) = (each for each in told.splitlines() if each.startswith("referenceless evaluate --scores"))
    assert line.count("--scores") == len(SYSTEMS)
    assert f"on {3 * N} of {3 * N} outputs" in done(line.removeprefix("referenceless ")).stdout


def test_translations_into_several_languages_have_a_line_for_each():
    """References in another language are none of a system's, and two languages are no two systems."""
    for language, words in (
        ("spa", "el ministro anunció otro plan ayer"),
        ("deu", "der Minister sagte gestern nichts"),
    ):
        write(f"ref.{language}", [f"{words} {'sí ' * (n % 3)}{n}." for n in range(N)])
        for system in ("nllb", "opus"):
            write(f"{system}.eng-{language}.txt", [f"{words} {system} {'sí ' * (n % 3)}{n}." for n in range(N)])
    files = "nllb.eng-deu.txt nllb.eng-spa.txt opus.eng-deu.txt opus.eng-spa.txt ref.deu ref.spa"
    told = typed(f"look {files}").out
    joint = told.partition("Together:\n")[2]
    for language in ("deu", "spa"):
        of_one = f"nllb.eng-{language}.txt opus.eng-{language}.txt --references ref.{language}"
        assert joint.count(f"referenceless compare {of_one} --metric bleu --metric chrf\n") == 1
    assert joint.count("referenceless compare") == 2


def test_a_table_of_scores_is_held_against_ratings_beside_the_files_of_the_outputs():
    for system in SYSTEMS:
        write(f"{system}.txt", [f"Output {n} of {system} is {'very ' * (n % 3)}good." for n in range(N)])
    both = [(n, system, at) for n in range(N) for at, system in enumerate(SYSTEMS)]
    for name, header in (("scores", "item system COMET-22"), ("rated", "item system rating")):
        rows = [(n, s, (n * 7 + at) % 5 + (0.25 if name == "scores" else 0)) for n, s, at in both]
        write(f"{name}.tsv", ["\t".join(map(str, row)) for row in (header.split(), *rows)])
    told = typed(f"look {' '.join(f'{system}.txt' for system in SYSTEMS)} scores.tsv rated.tsv").out
    for command in ("compare", "evaluate"):
        (line,) = (each for each in told.splitlines() if f"{command} --scores scores.tsv --ratings rated.tsv" in each)
        done(line.removeprefix("referenceless "))
