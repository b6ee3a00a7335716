"""Systems, items and raters that the design of a study tells: names crossed with items, joined ids, numbered slots."""

import pytest
from command_lines import done, typed
from text_files import write_table

from referenceless_metrics import look

pytestmark = pytest.mark.filterwarnings("ignore")

TEAMS = ("lab-1", "lab-2", "north")


def parts(found):
    return {column.name: column.part for column in found.columns}


def runs(found, word):
    line = next(line for line in found.commands if line.split()[1] == word)
    return done(line.removeprefix("referenceless ")).stdout


def refused(line):
    return typed(line, status=1).err


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_names_that_tell_each_row_of_an_item_apart_are_taken_for_systems():
    rows = [[t, n, (n * 7 + at) / 20, (n * 3 + at) / 9 - 0.5] for n in range(12) for at, t in enumerate(TEAMS)]
    write_table("t.csv", ["entry_id", "sample_id", "Fluency", "Adequacy"], rows)
    found = look("t.csv")
    assert parts(found)["entry_id"] == "system"
    assert any("--rater-column entry_id" in note for note in found.notes)
    assert "lab-2" in runs(found, "human-score")
    message = refused("human-score --ratings t.csv --rating-column Fluency --item-column sample_id")
    assert "'entry_id' tells them apart: --system-column entry_id if it names systems" in message


@pytest.mark.parametrize("text", ["story", "output"])
def test_names_that_all_have_the_same_text_of_an_item_are_taken_for_raters(text):
    rows = [
        [t, n, f"The {n}th story is of a fox.", n % 5, (n + at) % 4] for n in range(12) for at, t in enumerate(TEAMS)
    ]
    write_table("t.csv", ["entry_id", "item", text, "Fluency", "Adequacy"], rows)
    found = look("t.csv")
    assert parts(found)["entry_id"] == "rater"
    assert any("it is --system-column entry_id" in note for note in found.notes)
    assert "lab-2" in runs(found, "agreement")
    assert not any("--system-column" in line for line in found.commands)


def test_names_beside_one_column_of_ratings_are_no_systems_if_they_may_be_criteria():
    rows = [[n, q, 1 + n % 5] for n in range(12) for q in ("fluency", "adequacy")]
    write_table("t.csv", ["item", "asked", "rating"], rows)
    assert parts(look("t.csv"))["asked"] == "criterion"


def test_respondents_texts_and_versions_are_told_by_their_names():
    rows = [[100 + r, f"T{t}", ("Old", "New")[(r + t) % 2], 1 + (r * t) % 5] for r in range(12) for t in range(1, 4)]
    write_table("t.csv", ["RespondentID", "TextID", "Version", "clear"], rows)
    found = look("t.csv")
    assert parts(found) == {"RespondentID": "rater", "TextID": "item", "Version": "system", "clear": "rating"}


def test_outputs_of_systems_side_by_side_are_read_beside_remarks():
    header = [
        "Nr.",
        *(f"{system}_{what}" for system in ("Alpha", "Beta", "Gamma") for what in ("Text", "Fluency", "Tone", "Notiz")),
    ]
    rows = [
        [
            n,
            *(
                cell
                for k in (1, 2, 3)
                for cell in (f"Text {n} by {k} is here.", 1 + n * k % 5, 1 + n % 4, "gut" * (n == k))
            ),
        ]
        for n in range(12)
    ]
    write_table("t.csv", header, rows)
    found = look("t.csv")
    assert parts(found)["key"] == "system"
    assert "--system-column key --rows-in '*_Text,*_Fluency,*_Tone'" in found.commands[0]
    assert "Beta" in runs(found, "human-score")


@pytest.mark.parametrize(
    "names, asked",
    [
        (("Fluency", "Coherence"), "if all ratings are of one system: {} --columns-are criteria"),
        (
            ("Fluency", "Wert"),
            "if they are of a system each: {} --columns-are systems; if of a criterion each: the same",
        ),
    ],
)
def test_lines_for_several_columns_of_ratings_are_told_and_remarks_name_no_systems(names, asked):
    rows = [[n, "gut" if n == 3 else "schwach" if n == 5 else "", 1 + n % 5, 1 + n * 7 % 4] for n in range(12)]
    write_table("t.csv", ["item", "Bemerkt", *names], rows)
    found = look("t.csv")
    named = " ".join(f"--rating-column {name}" for name in names)
    told = " ".join(found.notes)
    assert asked.format(f"referenceless human-score --ratings t.csv {named}") in told
    assert "which this table seems to lack" in told
    assert "COLUMN being one of" not in told


def test_where_nothing_tells_systems_the_line_names_what_is_asked():
    write_table("t.csv", ["item", "colour", "shade", "rating"], [[1, "x", "a", 4], [1, "y", "b", 5], [2, "x", "b", 3]])
    found = look("t.csv")
    assert not found.commands
    told = "human-score --ratings t.csv --rating-column rating --system-column COLUMN, COLUMN being one of 'colour'"
    assert told in " ".join(found.notes)


def test_ids_that_join_a_system_and_an_item_are_read_as_both():
    rows = [[f"{s}_{n}", (n * 3 + at) / 60, n / 20] for n in range(30, 42) for at, s in enumerate(("a_b", "a_c"))]
    write_table("t.csv", ["system_doc", "R1", "RL"], rows)
    found = look("t.csv")
    of = parts(found)
    assert (of["system_doc.head"], of["system_doc.tail"], of["R1"]) == ("system", "item", "score")
    assert "a_c" in runs(found, "compare")
    message = refused("compare --scores t.csv --score-column R1 --system-column system_doc")
    assert "--system-column COLUMN.head --item-column COLUMN.tail" in message


def test_numbered_columns_beside_those_of_systems_are_slots():
    header = [
        "worker_id",
        "item_id",
        *(f"{name}{k}" for name in ("quality", "sys") for k in (1, 2, 3)),
        "quality1_gold",
    ]
    names = ("base", "ours", "big")
    rows = []
    for n in range(12):
        for w in range(2):
            slots = [(n + w + k) % 3 for k in range(3)]
            rows.append([f"w{w}", n, *(60 + 7 * at + n + w for at in slots), *(names[at] for at in slots), ""])
    write_table("t.csv", header, rows)
    found = look("t.csv")
    assert (parts(found)["sys"], parts(found)["quality"], parts(found)["item_id"]) == ("system", "rating", "item")
    table = runs(found, "human-score")
    assert "66.0000" in table  # of base: 60, and the means of n and w
    assert "73.0000" in table


def test_numbered_ratings_play_one_part_though_one_has_more_values():
    rows = [[f"a cat sat {n}", 1 + n % 5, 1 + n % 4, n % 3, n] for n in range(30)]
    write_table("t.csv", ["note", "quality1", "quality2", "quality3", "quality4"], rows)
    assert len({part for name, part in parts(look("t.csv")).items() if name.startswith("quality")}) == 1


def test_few_outputs_put_agreement_first_and_the_means_are_told():
    rows = [[n, s, r, 1 + (n + r + at) % 5] for n in range(8) for at, s in enumerate(TEAMS) for r in range(2)]
    write_table("t.csv", ["item", "system", "rater", "rating"], rows)
    found = look("t.csv")
    assert [line.split()[1] for line in found.commands][:2] == ["agreement", "human-score"]
    told = done("human-score --ratings t.csv").output
    assert "no system has more than 8 rated outputs" in told
    assert "2.8125" in told


def test_outputs_of_several_systems_in_one_row_count_for_each():
    rows = [[n, "base,ours" if n % 2 else s, 1 + n % 5] for n in range(12) for s in ("base", "ours")[: 2 - n % 2]]
    write_table("t.csv", ["item", "system", "rating"], rows[::-1])
    assert look("t.csv").commands[0].split()[1] == "human-score"


def test_a_score_of_errors_is_proposed_as_one_of_which_lower_is_better():
    rows = [[n, s, 5 + (n * 3 + at) / 7] for n in range(12) for at, s in enumerate(TEAMS)]
    write_table("t.csv", ["item", "system", "fkgl"], rows)
    found = look("t.csv")
    assert found.commands[0].endswith("--lower-is-better fkgl")
    assert "north" in runs(found, "compare")


def test_lists_whose_means_stand_beside_them_are_ratings_of_several():
    rows = [[n, f"a cat sat {n}", f"[{60 + n}, {70 + n}]", 65 + n] for n in range(30)]
    write_table("t.csv", ["item", "text", "scores", "mean"], rows)
    assert "mean" in runs(look("t.csv"), "agreement")


def test_columns_of_raters_under_criteria_are_ratings_of_raters():
    header = ["item", "system", *(f"{c}_{r}" for c in ("Adequacy", "Fluency") for r in ("Ann", "Bo"))]
    rows = [[n, s, *(1 + (n * k + at) % 5 for k in range(4))] for n in range(12) for at, s in enumerate(TEAMS)]
    write_table("t.csv", header, rows)
    found = look("t.csv")
    assert [parts(found)[name] for name in header[2:]] == ["rating of a rater"] * 2 + [""] * 2
    assert any("--rating-column Fluency_Ann --rating-column Fluency_Bo" in note for note in found.notes)
    assert "Bo" in runs(found, "agreement")


def test_columns_of_systems_under_criteria_are_no_raters():
    header = ["item", *(f"{c}_{s}" for c in ("Adequacy", "Fluency") for s in ("base", "ours"))]
    write_table("t.csv", header, [[n, *(1 + (n * k) % 5 for k in range(1, 5))] for n in range(12)])
    assert "rating of a rater" not in parts(look("t.csv")).values()


def answers_of_two_criteria(with_cannot_judge=False):
    """Yield item, system, rater, a rating from 1 to 5, and yes or no; one of each may be *cannot judge*."""
    for item in range(12):
        for at, system in enumerate(("base", "big", "ours")):
            for place, rater in enumerate(("ann", "bob")):
                is_missing = with_cannot_judge and (item, at) == (3, 1)
                fluency, clear = 1 + (item + at + place) % 5, ("no", "yes")[(item * 5 + at + place) % 2]
                yield (item, system, rater, *(("cannot judge",) * 2 if is_missing else (fluency, clear)))


def test_words_of_a_criterion_get_their_numbers_and_its_scale_and_no_answer_is_missing():
    rows = []
    for item, system, rater, fluency, clear in answers_of_two_criteria(with_cannot_judge=True):
        rows += [(item, system, rater, "fluency", fluency), (item, system, rater, "clarity", clear)]
    write_table("long.csv", ["item", "system", "rater", "criterion", "rating"], rows)
    found = look("long.csv")
    assert (
        "referenceless human-score --ratings long.csv --values 'cannot judge=,no=0,yes=1' --criterion-scale "
        "clarity=0-1 --all-pairs" in found.commands
    )
    assert "clarity" in runs(found, "human-score")
    assert "nothing behind = is a missing rating" in " ".join(found.notes)
    assert "clarity" in runs(found, "agreement")


def test_words_of_which_nothing_is_known_are_never_proposed_as_missing():
    words = (*range(1, 5), "great", "cannot judge")
    rows = [(n, s, r, words[(n + len(s) + k) % 6]) for n in range(24) for s in ("a", "bb") for k, r in enumerate("xy")]
    write_table("words.csv", ["item", "system", "rater", "rating"], rows)
    (line,) = [line for line in look("words.csv").commands if line.split()[1] == "human-score"]
    assert "--values 'cannot judge=,great=NUMBER'" in line


def test_columns_of_criteria_and_raters_are_proposed_together_if_some_hold_words():
    cells = {}
    for item, system, _, *answers in answers_of_two_criteria(with_cannot_judge=True):
        cells.setdefault((item, system), []).extend(answers)
    header = ["item", "system", "fluency_ann", "clarity_ann", "fluency_bob", "clarity_bob"]
    write_table("wide.csv", header, [(*key, *answers) for key, answers in cells.items()])
    found = look("wide.csv")
    assert found.commands == (
        "referenceless human-score --ratings wide.csv --rating-column fluency --rating-column clarity --columns-are "
        "criteria --rater-column key --values 'cannot judge=,no=0,yes=1' --rows-in 'fluency_*,clarity_*' "
        "--criterion-scale clarity=0-1 --all-pairs",
        "referenceless agreement wide.csv --rating-column fluency --rating-column clarity --columns-are criteria "
        "--rater-column key --values 'cannot judge=,no=0,yes=1' --rows-in 'fluency_*,clarity_*'",
    )
    assert "clarity" in runs(found, "human-score")
    assert "by 2 raters" in done(found.commands[0].removeprefix("referenceless ") + " -f latex").stdout


def test_columns_of_one_criterion_on_one_scale_are_proposed_together_with_the_assumption():
    rows = [(n, s, *(1 + (n + k * len(s)) % 5 for k in range(3)), "") for n in range(12) for s in ("a", "bb", "ccc")]
    columns = [f"fluency_{rater}" for rater in ("ann", "bob", "cyn")]
    write_table("t.csv", ["item", "system", *columns, "fluency_sd"], [(*row[:-1], 0.25 + row[0]) for row in rows])
    assert "rating of a rater" not in parts(look("t.csv")).values()  # which are no whole numbers
    write_table("t.csv", ["item", "system", *columns], [row[:-1] for row in rows])
    found = look("t.csv")
    named = " ".join(f"--rating-column {column}" for column in columns)
    assert f"referenceless human-score --ratings t.csv {named} --all-pairs" in found.commands
    assert f"referenceless agreement t.csv {named}" in found.commands
    assert not any(line.count("--rating-column") == 1 for line in found.commands)
    assert any("are taken for the ratings of a rater each" in note for note in found.notes)


def test_means_over_columns_tell_that_these_are_of_raters():
    rows = []
    for n in range(12):
        of = {(who, asked): 1 + (n * who + asked * n // 2 + who) % 5 for who in (1, 2, 3) for asked in (1, 2)}
        means = [round(sum(of[who, asked] for who in (1, 2, 3)) / 3, 2) for asked in (1, 2)]
        remarks = [f"It is {'good' if n % who else 'rather'} long." for who in (1, 2, 3)]
        rows.append([f"T{n}x", *of.values(), *means, *remarks])
    answers = [f"T{who}_C{asked}" for who in (1, 2, 3) for asked in (1, 2)]
    remarks = [f"T{who}_Comment" for who in (1, 2, 3)]
    write_table("t.csv", ["Text_ID", *answers, "Mean_C1", "Mean_C2", *remarks], rows)
    found = look("t.csv")
    assert all(parts(found)[name] == "comment" for name in remarks)
    assert parts(found)["Mean_C1"] == ""
    assert any(note.startswith("'Mean_C1' is the mean of 'T1_C1', 'T2_C1', 'T3_C1'") for note in found.notes)
    assert not any("--questions" in line or "--system-column" in line for line in found.commands)
    assert "T_C2: These raters rate t " in runs(found, "human-score")
    told = runs(found, "agreement")
    assert "12 of 12 outputs were rated by two raters or more" in told
    assert "T_C2" in told


def test_means_over_columns_that_may_be_criteria_tell_no_raters():
    names = ("ana", "ben", "cleo")
    rows = []
    for n in range(12):
        of = [[1 + (n * at + k) % 5 for k in range(3)] for at in range(1, 4)]
        rows.append([n, *(each for of_one in of for each in of_one), *(round(sum(of_one) / 3, 2) for of_one in of)])
    answers = [f"{name}_{asked}" for name in names for asked in ("clear", "true", "kind")]
    write_table("t.csv", ["id", *answers, *(f"{name}_mean" for name in names)], rows)
    assert "rating of a rater" not in parts(look("t.csv")).values()


WORDS = ("wrong", "roughly", "right")


def test_an_age_is_no_rating_and_the_number_that_tells_the_text_of_an_item_may_be_the_system():
    rows = []
    for who, age in (("v0", 24), ("v1", 66), ("v2", 26)):
        for n in range(6):
            for level in (1, 2, 3):
                shown = f"Text {n} is told here in {level * 'very '}plain words."
                rows.append([age, who, n, level, shown, WORDS[(n + level + len(who) + age) % 3], age % 4 + 1])
    write_table("t.csv", ["age in years", "participant_id", "sample_id", "cl", "shown", "says it", "children"], rows)
    found = look("t.csv")
    told = parts(found)
    assert told["children"] == "about raters"
    assert (told["cl"], told["shown"], told["says it"]) == ("system", "text", "rating")
    assert any(
        "if it numbers the outputs of one system: --item-column sample_id --item-column cl" in n for n in found.notes
    )
    assert "3 raters gave 54 labels" in runs(found, "agreement")
    (line,) = [line for line in found.commands if "human-score" in line]
    assert "--values right=NUMBER,roughly=NUMBER,wrong=NUMBER" in line


def test_several_answers_in_words_on_which_raters_differ_are_ratings_and_words_about_raters_are_none():
    rows = [
        [f"p{p}", "ab"[p % 2], n, f"m{m}", WORDS[(n + m + p) % 3], ("never", "often")[(n * m + p) % 2]]
        for p in range(4)
        for n in range(5)
        for m in range(2)
    ]
    write_table("t.csv", ["participant", "school", "item", "system", "it says that", "adds"], rows)
    told = parts(look("t.csv"))
    assert (told["school"], told["it says that"], told["adds"]) == ("", "rating", "rating")


def test_criteria_of_any_name_beside_raters_are_no_systems_of_one_text():
    rows = [[n, f"The {n}th text is about a fox.", *(1 + (n * k + k) % 5 for k in range(1, 5))] for n in range(12)]
    names = [f"{asked}_Rater{who}" for asked in ("Klarheit", "Treue") for who in (1, 2)]
    write_table("t.csv", ["id", "text", *names], rows)
    found = look("t.csv")
    assert not any("--system-column" in line or "--rows-in" in line for line in found.commands)
    assert any(
        line.endswith("--rating-column Treue_Rater1 --rating-column Treue_Rater2 --item-column id")
        for line in found.commands
    )
    write_table("u.csv", ["id", *names], [[row[0], *row[2:]] for row in rows])
    assert any("if it names criteria, it is --criterion-column key" in note for note in look("u.csv").notes)


def test_answers_on_the_scale_of_a_named_one_are_ratings_too():
    words = ("Agree", "Disagree", "Strongly agree")
    rows = [
        [f"p{p}", n, f"m{m}", words[(n + m + p) % 2], words[(n * m + p) % 3], ("cat", "dog")[n % 2]]
        for p in range(3)
        for n in range(6)
        for m in range(2)
    ]
    names = ["participant_id", "item", "system", "It keeps the meaning", "It is easy to read", "pet"]
    write_table("t.csv", names, rows)
    told = parts(look("t.csv"))
    assert (told["It keeps the meaning"], told["It is easy to read"], told["pet"]) == ("rating", "rating", "")


def test_columns_that_number_questions_are_of_no_system_each():
    rows = [[n, *(1 + (n * k + k) % 5 for k in range(1, 4))] for n in range(12)]
    write_table("t.csv", ["item", "T_Q1", "T_Q2", "T_Q3"], rows)
    found = look("t.csv")
    assert not any("are taken for one system each" in note for note in found.notes)
    assert not any("--columns-are systems" in line for line in found.commands)
