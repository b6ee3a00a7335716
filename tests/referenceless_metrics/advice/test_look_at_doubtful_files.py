"""`look` at files that a plain reading would get wrong: keys of lists, joined systems, times, several scales."""

import json
from pathlib import Path

import pytest
from command_lines import done
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.advice.look.forms import tables
from referenceless_metrics.core.files.reading import Condition, Reading
from referenceless_metrics.core.files.tables import read_blocks

pytestmark = pytest.mark.filterwarnings("ignore")

ASKED = ("Fluent", "Overall", "Depth", "Polite")


def parts_of(found):
    return {column.name: column.part for column in found.columns if column.part}


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("reply,2011,2023,mean", lambda n: f"Reply {n} of them all,{n % 3},{n % 2},{n % 2}"),
        ("reply,20110011,20230007", lambda n: f"Reply {n} of them all,{n % 3},{n % 2}"),
        (",0", lambda n: f"{n},0.{n}5"),
    ],
)
def test_names_that_are_numbers_are_no_data(folder, header, row):
    write("named.csv", [header, *map(row, range(12))])
    found = look("named.csv")
    assert found.n_rows == 12
    assert [column.name for column in found.columns] == [name or "column 1" for name in header.split(",")]
    assert not any("--columns " in line for line in (*found.notes, *found.commands))


def test_a_first_line_of_values_like_those_below_is_data(folder):
    for first in ("Reply of them all,,2", "Reply of them all,n/a,3", "Reply of them all,7,1"):
        write("unnamed.csv", [first, *(f"Reply {n} of them all,{n % 3},{n % 2}" for n in range(12))])
        assert look("unnamed.csv").n_rows == 13


def test_keys_of_lists_of_ratings_are_no_raters(folder):
    rows = [
        {
            "response": f"Answer {n} to what was asked.",
            "system": "ab"[n % 2],
            "annotations": {asked: [n % 3, 1, 2] for place, asked in enumerate(ASKED) if (n + place) % 4},
        }
        for n in range(12)
    ]
    write("dialogues.json", json.dumps(rows))
    found = look("dialogues.json")
    assert parts_of(found)["annotations.key"] == "criterion"
    assert "rater" not in parts_of(found).values()
    assert not any("--rater-column" in line for line in found.commands)


def test_a_rater_beside_lists_alone_plays_no_part(folder):
    rows = [{"item": n, "system": "ab"[n % 2], "rater": f"r{n % 3}", "rating": [1, n % 3 + 1]} for n in range(12)]
    write("lists.json", json.dumps(rows))
    assert "rater" not in parts_of(look("lists.json")).values()


def test_lists_without_brackets_and_outputs_of_several_systems(folder):
    rows = [
        (f"Source {n // 2} of them all", f"Output {n} of the system", names, f"{1 + n % 4},3,2", 2 + n % 4 / 3)
        for n, names in enumerate(["a,b", "c", "a", "b,c", "b", "c,a"] * 5)
    ]
    write_table("outputs.csv", ["source", "output", "system", "fluency", "ave_f"], rows)
    found = look("outputs.csv")
    assert parts_of(found)["fluency"] == "rating"
    assert any("15 rows name several in column 'system'" in note for note in found.notes)
    advised = [line for line in found.commands if " advise " in line]
    assert advised
    assert not any("--system-column" in line for line in advised)


def test_systems_with_one_output_in_common_share_its_item(folder):
    names = {0: ["a,b"], 1: ["a"], 2: ["b"]}
    rows = [(n, system, f"Output {n} of {system}", 1 + n % 5) for n in range(12) for system in names[n % 3]]
    write_table("rated.csv", ["item", "system", "text", "rating"], rows)
    found = look("rated.csv")
    assert any("4 rows name several in column 'system'" in note for note in found.notes)
    assert not any("no two systems share an item" in note for note in found.notes)
    assert not any("--unpaired" in line for line in found.commands)


def test_amounts_of_money_are_no_scores(folder):
    for reward, part in (("$1.00", ""), ("good", "score")):
        rows = [(f"w{n % 4}", reward, f"Output {n} of them all") for n in range(24)]
        write_table("paid.csv", ["WorkerId", "Reward", "text"], rows)
        found = look("paid.csv")
        assert parts_of(found).get("Reward", "") == part
        assert any("--score-column Reward" in line for line in found.commands) == bool(part)


def test_texts_that_some_rows_lack_are_in_no_command(folder):
    rows = [{"id": n // 2, "system": "ab"[n % 2], "rating": 1 + n % 5, "text": f"The answer {n}."} for n in range(24)]
    write("rated.json", json.dumps(rows))
    assert any(" score " in line for line in look("rated.json").commands)
    del rows[3]["text"]
    write("rated.json", json.dumps(rows))
    lines = look("rated.json").commands
    assert [line.split()[1] for line in lines] == ["human-score"]
    done(lines[0].removeprefix("referenceless "))


def test_long_numbers_of_items_are_no_times(folder):
    rows = [(1468391946 + n // 2, "ab"[n % 2], n % 5 / 5) for n in range(24)]
    write_table("scores.csv", ["item_id", "system", "quality"], rows)
    assert parts_of(look("scores.csv"))["item_id"] == "item"


def test_lists_of_which_some_are_empty(folder):
    rows = [(n, f"The sentence number {n}", [1 + n % 4, 2] if n < 20 else []) for n in range(22)]
    write_table("rated.csv", ["id", "sentence", "crowd"], rows)
    assert parts_of(look("rated.csv"))["crowd"] == "rating"


def test_times_are_dates_and_turns_are_texts(folder):
    rows = [
        {
            "question_id": n,
            "model_id": "ours",
            "choices": [{"index": 0, "turns": [f"Water the {n} red tomatoes.", "Yes."]}],
            "tstamp": 1.7e9 + n,
        }
        for n in range(12)
    ]
    write("answers.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    found = look("answers.jsonl")
    assert parts_of(found)["tstamp"] == "date"
    assert found.n_rows == 24
    assert found.commands[-1] == "referenceless score answers.jsonl --text-column turns --rows-in choices.turns"
    assert not any("tstamp" in line for line in found.commands)


def test_raters_of_a_criterion_on_several_scales_in_the_encoding_of_windows(folder):
    lines = ["essay_id\tessay_set\tessay\trater1_domain1\trater2_domain1\tdomain1_score"]
    for n in range(24):
        low = 1 + n % 3
        score = low if n % 2 else 4 * low
        lines.append(f"{n}\t{n % 2 + 1}\tThe pupil’s essay number {n}\t{score}\t{score}\t{score}")
    Path("essays.tsv").write_bytes("\n".join(lines).encode("cp1252"))
    found = look("essays.tsv")
    assert found.notes[0].startswith("read as cp1252")
    assert "may be on several scales, by column 'essay_set'" in found.notes[1]
    agreed = next(line for line in found.commands if " agreement " in line)
    both = "--rating-column rater1_domain1 --rating-column rater2_domain1 --item-column essay_id"
    assert agreed == f"referenceless agreement essays.tsv {both} --encoding cp1252 --where essay_set=1"
    done(agreed.removeprefix("referenceless "))


def test_parts_on_several_scales_are_shown_over_all_rows_and_each_has_its_lines(folder, monkeypatch):
    read = []
    monkeypatch.setattr(
        tables, "read_blocks", lambda *words, **options: read.append(1) or read_blocks(*words, **options)
    )
    names = ["rater1_domain1", "rater2_domain1", "rater1_domain2", "rater2_domain2", "rater1_trait1"]
    rows = []
    for n in range(45):
        part = 1 + n % 3
        first = part * (1 + n // 3 % 3)
        second = [1 + n % 4, 1 + n % 5] if part == 2 else ["", ""]
        rows.append([n, part, f"The essay that bears the number {n} of the year", first, first, *second, ""])
    write_table("essays.csv", ["essay_id", "essay_set", "essay", *names], rows)
    found = look("essays.csv")
    n_read = len(read)
    look("essays.csv", Reading(where=(Condition("essay_set", "1"),)))
    assert n_read == len(read) - n_read  # as often for all parts as for one
    assert found.n_rows == 45
    assert {column.name: column.shown for column in found.columns}["rater1_domain1"] == "1–9"
    assert "for another than essay_set=1 put essay_set=2, essay_set=3 in its place" in found.notes[1]
    agreed = [line for line in found.commands if line.split()[1] == "agreement"]
    assert [line.rpartition(" ")[2] for line in agreed] == ["essay_set=1", "essay_set=2"]
    assert "--rating-column rater1_domain2 --rating-column rater2_domain2 " in agreed[1]
    for line in agreed:
        done(*line.split()[1:])


def test_scores_of_systems_that_share_no_item_are_proposed_unpaired(folder):
    rows = [
        (f"{group}{n}", system, n % 7 / 7)
        for group, systems in (("x", "ab"), ("y", "cd"))
        for n in range(6)
        for system in systems
    ]
    write_table("scores.csv", ["item", "system", "factuality"], rows)
    found = look("scores.csv")
    assert any("the first system shares 0 to 6 items with each other one" in note for note in found.notes)
    compared = next(line for line in found.commands if " compare " in line)
    assert "--unpaired" in compared
    done(compared.removeprefix("referenceless "))


def test_outputs_are_counted_in_each_document_in_which_items_begin_again(folder):
    rows = [[d, n, s, 60 + 7 * n] for d in "abcdef" for n in range(1, 9) for s in ("v1", "v2")]
    Path("da.csv").write_text("\n".join(["doc,seg,system,rating", *(",".join(map(str, row)) for row in rows)]))
    notes = " ".join(look("da.csv").notes)
    assert "numbers of column 'seg' begin again in each 'doc'" in notes
    assert "the first system has" not in notes  # 48 outputs, of 8 different numbers
    apart = [[d, n, s, 60 + 7 * n] for d, s in (("a", "v1"), ("b", "v2")) for n in range(1, 13)]
    Path("apart.csv").write_text("\n".join(["doc,seg,system,rating", *(",".join(map(str, row)) for row in apart)]))
    assert "no two systems share an item" in " ".join(look("apart.csv").notes)


def test_ways_with_a_sentence_are_items_in_its_cluster(folder):
    rows = [
        (
            f"The sentence of number {'abcdefghijkl'[n]}",
            system,
            f"v{way}",
            f"{n} {way} by {system} in words",
            1 + (n + way) % 5,
        )
        for n in range(12)
        for way in range(4)
        for system in ("base", "ours")
    ]
    write_table("rated.csv", ["source_sentence", "model", "variant", "translation", "rating"], rows)
    found = look("rated.csv")
    assert (parts_of(found)["source_sentence"], parts_of(found)["variant"]) == ("cluster", "item")
    assert "values of column 'variant' begin again in each 'source_sentence'" in found.notes
    assert "--item-column variant --system-column model --cluster-column source_sentence" in found.commands[0]
    assert "in 12 clusters" in done(found.commands[0].removeprefix("referenceless ") + " --scale 1-5").output


def test_lines_of_text_with_another_suffix_are_texts_as_score_reads_them(folder):
    Path("news.en").write_text(
        "The train came late on Monday.\nFrom May on, trains run daily.\nIn Bonn, too, it rains.\n"
    )
    found = look("news.en")
    assert found.shape == "a text per line"
    assert found.notes == ()
    Path("news.lines").write_bytes(Path("news.en").read_bytes())
    assert look("news.lines").notes == ("news.lines: the suffix '.lines' is not known; read as txt (--input-format)",)
    assert found.commands[0] == "referenceless score news.en"
    Path("rated.dat").write_text(
        "item,system,rating\n" + "".join(f"{n},{s},{n % 5}\n" for n in range(12) for s in "ab")
    )
    assert look("rated.dat").shape == "ratings without texts"


@pytest.mark.parametrize(
    ("numbers", "others", "part"),
    [
        ([55, 90, 80, 30] * 6, "comet", "score"),  # on a scale
        ([0.55, 0.9, 0.8, 0.3] * 6, "comet", "score"),
        ([1, 2, 3, 4] * 6, "comet", "score"),  # a metric's score has no raters
        ([55, 90, 80, 30] * 6, "rating", "score"),
        ([1, 2, 3, 2] * 6, "rating", "rater"),  # numbered
    ],
)
def test_numbers_of_a_judge_are_scores_unless_they_number_raters(folder, numbers, others, part):
    rows = [[n // 2, "ab"[n % 2], number, (n * 7 % 10) / 10 + 3] for n, number in enumerate(numbers)]
    Path("t.csv").write_text("\n".join([f"item,system,judge,{others}", *(",".join(map(str, row)) for row in rows)]))
    found = look("t.csv")
    assert next(column.part for column in found.columns if column.name == "judge") == part
    assert any("--rater-column judge" in line for line in found.commands) == (part == "rater")


def test_numbers_of_judges_in_several_rows_of_an_output_are_raters(folder):
    rows = [[n, s, judge, 1 + (n + judge) % 5] for n in range(12) for s in "ab" for judge in (17, 23, 40)]
    Path("t.csv").write_text("\n".join(["item,system,judge,rating", *(",".join(map(str, row)) for row in rows)]))
    assert next(column.part for column in look("t.csv").columns if column.name == "judge") == "rater"


def test_outputs_in_documents_are_compared_with_them(folder):
    texts = [f"The train number {n} came late on day {d}." for d in range(6) for n in range(4)]
    rows = [(f"d{n // 4}", n % 4, text, text.replace("came", "comes")) for n, text in enumerate(texts)]
    write_table("wide.csv", ("doc", "seg", "v1", "v2"), rows)
    expected = "referenceless compare wide.csv --text-column v1 --text-column v2 --cluster-column doc"
    assert expected in look("wide.csv").commands
    long = [(d, n, s, text) for d, n, *of_systems in rows for s, text in zip(("v1", "v2"), of_systems, strict=True)]
    write_table("long.csv", ("doc", "seg", "system", "text"), long)
    (line,) = [line for line in look("long.csv").commands if " compare " in line]
    assert line.endswith("--system-column system --item-column seg --cluster-column doc")
    assert "24 segments in 6 clusters" in done(line.removeprefix("referenceless ")).output
