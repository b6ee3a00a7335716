"""Files of a system each: rows in another order are paired by item, and refused if nobody names a column of items."""

import json

import pytest
from command_lines import typed
from text_files import write, write_table

WORDS = "the small grey cat sat on a warm mat and saw one red bird".split()
LINE = "compare a.csv b.csv --metric slor -f json"


def figures(line):
    return [(row["score"], row["difference"]) for row in json.loads(typed(line).out)["rows"]]


@pytest.fixture
def rows(folder):
    """Write outputs of a system, and return those of another for the same items."""
    base = [(f"i{n}", f"d{n // 3}", " ".join(WORDS[n % 5 :])) for n in range(12)]
    write_table("a.csv", ("id", "doc", "text"), base)
    return [(item, doc, " ".join(text.split()[::-1][n % 4 :])) for n, (item, doc, text) in enumerate(base)]


@pytest.mark.parametrize("clusters", ["", " --cluster-column doc"])
def test_rows_are_paired_by_item(rows, clusters):
    write_table("b.csv", ("id", "doc", "text"), rows)
    expected = figures(LINE + clusters)
    assert figures(f"{LINE}{clusters} --item-column id") == expected
    write_table("b.csv", ("id", "doc", "text"), [*rows[5:], *rows[:5]])
    assert figures(f"{LINE}{clusters} --item-column id") == expected


def test_ids_in_another_order_are_refused(rows):
    write_table("b.csv", ("id", "doc", "text"), [*rows[5:], *rows[:5]])
    told = typed(LINE, 1).err
    assert "column 'id' of b.csv holds the same values as that of a.csv, in another order" in told
    assert "--item-column id pairs them by item" in told
    assert "These command lines" not in told
    assert "column 'id' of b.csv" in typed("report a.csv b.csv --metric slor -o page.html", 1).err
    typed("report a.csv b.csv --metric slor --item-column id -o page.html")


def test_values_in_another_order_that_repeat_are_told(rows):
    write_table("b.csv", ("key", "doc", "text"), [*rows[5:], *rows[:5]])
    assert "column 'doc' of b.csv holds the same values as that of a.csv, in another order" in typed(LINE).err
    told = typed(f"{LINE} --cluster-column doc", 1).err
    assert "column 'doc' of b.csv has the same clusters in another order than that of a.csv" in told
    assert "--item-column NAME" in told
    assert "These command lines" not in told


def test_ids_of_other_items_are_refused_or_told(rows):
    """Ids of which some stand in other rows are of items; ids that are all different may be of outputs."""
    write_table("b.csv", ("id", "doc", "text"), [(f"i{n + 11}", doc, text) for n, (_, doc, text) in enumerate(rows)])
    write_table("a.csv", ("id", "text"), [(item, text) for item, _, text in rows])
    told = typed(LINE, 1).err
    assert "column 'id' of b.csv holds some values of that of a.csv in other rows, and others" in told
    assert "`compare --unpaired` compares outputs of other items" in told
    write_table("b.csv", ("id", "doc", "text"), [(f"j{n}", doc, text) for n, (_, doc, text) in enumerate(rows)])
    done = typed(LINE)
    note = "rows are paired by their place, though column 'id' of b.csv holds other values than that of a.csv"
    assert note in done.err
    of_paper = (
        "For the paper: If row n of each file is of the same input (b.csv holds other values of 'id' than a.csv; "
        "`compare --unpaired` compares outputs of other items): We compared b with a on 12 segments"
    )
    assert of_paper in done.out
    # A column of prompts, say, shows that the rows are of the same items.
    write_table("a.csv", ("id", "doc", "text"), rows)
    done = typed(LINE)
    assert "paired by their place" not in done.err
    assert "For the paper: We compared b with a" in done.out


def test_systems_of_other_lengths_are_told_of_unpaired_ones(rows):
    write_table("b.csv", ("id", "doc", "text"), rows[1:])
    assert (
        "(`compare --unpaired` compares outputs of other inputs, and writes a page with -o page.html)"
        in typed(LINE, 1).err
    )


@pytest.mark.parametrize("header", [("rank", "key", "doc", "text"), ("id", "doc", "text")])
def test_ids_in_the_same_order_pass(rows, header):
    """Values such as ranks may be in another order if a column of ids is not."""
    write_table("a.csv", header, [(n, *row)[-len(header) :] for n, row in enumerate(rows)])
    write_table("b.csv", header, [(11 - n, *row)[-len(header) :] for n, row in enumerate(rows)])
    assert "another order" not in typed(LINE).err


def test_items_that_do_not_fit_are_refused(rows):
    write_table("b.csv", ("id", "doc", "text"), rows[1:])
    told = typed(f"{LINE} --item-column id", 1).err
    assert "a.csv and b.csv have outputs of other items (1 in one file alone), such as 'i0'" in told
    told = typed(f"{LINE} --item-column doc", 1).err
    assert "column 'doc' (--item-column) of a.csv holds 'd0' in 3 rows" in told
    assert "--item-column doc --item-column COLUMN" in told
    write("b.txt", [text for *_, text in rows])
    told = typed("compare a.csv b.txt --metric slor --item-column id", 1).err
    assert "b.txt: lines of text hold no column 'id' (--item-column)" in told
    write_table("b.csv", ("key", "doc", "text"), rows)
    assert "there is no column 'id' (--item-column)" in typed(f"{LINE} --item-column id", 1).err


def test_numbers_that_begin_anew_in_each_cluster_tell_items_with_it(rows):
    numbered = [(n % 3, doc, text) for n, (_, doc, text) in enumerate(rows)]
    write_table("a.csv", ("n", "doc", "text"), numbered)
    write_table("b.csv", ("n", "doc", "text"), numbered[::-1])
    line = f"{LINE} --item-column n --cluster-column doc"
    assert figures(line)[1][1] == 0.0


def test_a_file_may_stand_twice(rows):
    assert json.loads(typed("compare a.csv a.csv --metric slor --cluster-column doc -f json").out)["clusters"] == 4


@pytest.mark.parametrize("items", ["", " --item-column id"])
def test_paired_outputs_with_different_sources_are_told(rows, items):
    """Nothing but the prompts tells that these rows are of other items."""
    header = ("id", "prompt", "text")
    for file, shift in (("a.csv", 0), ("b.csv", 1)):
        write_table(file, header, [(n, f"Prompt {(n + shift) % 5}.", text) for n, (*_, text) in enumerate(rows)])
    done = typed(f"compare a.csv b.csv --metric slor{items}")
    differs = "column 'prompt' of b.csv differs from that of a.csv for 12 of 12"
    assert f"outputs of one item have different sources: {differs} items; `compare --unpaired`" in done.err
    assert f"For the paper: If outputs of one item are of the same input ({differs}; " in done.out
    write_table("b.csv", header, [(n, f"Prompt {n % 5}.", text) for n, (*_, text) in enumerate(rows)])
    done = typed(f"compare a.csv b.csv --metric slor{items}")
    assert "different sources" not in done.err
    assert "For the paper: We compared" in done.out


def test_ratings_without_items_do_not_pair_files_in_two_orders(folder):
    texts = [" ".join(WORDS[n % 5 : 8 + n % 4]) + f" {n}" for n in range(24)]
    for name, shift in (("a", 0), ("b", 7)):
        order = [*range(shift, 24), *range(shift)]
        write_table(f"{name}.csv", ("id", "text"), [(f"i{n}", f"{name} {texts[n]}") for n in order])
    rated = [(f"i{n}", s, f"{s} {texts[n]}", 1 + n % 4 + (s == "b")) for n in range(24) for s in "ab"]
    write_table("rated.csv", ("system", "text", "rating"), [row[1:] for row in rated])
    line = "human-score a.csv b.csv --ratings rated.csv --scale 1-5"
    told = typed(line, 1).err
    assert "column 'id' of b.csv holds the same values as that of a.csv, in another order" in told
    assert "or name the column of items in the ratings (--item-column)" in told
    typed(f"{line} --unpaired")
    write_table("rated.csv", ("id", "system", "text", "rating"), rated)
    assert "paired by item (24 items)" in typed(f"{line} --item-column id").out


def test_calls_of_an_api_with_other_prompts_are_told(folder):
    """The number that --rows-in gives each call is no item, and the prompts stand inside objects."""

    def log(path, numbers, *, ids=True):
        rows = [
            {
                **({"call_id": f"{path} {n}"} if ids else {}),
                "request": {"messages": [{"role": "user", "content": f"What about number {n}?"}]},
                "choices": [{"text": f"{' '.join(WORDS[n % 5 :])} {n}"}],
            }
            for n in numbers
        ]
        write(path, map(json.dumps, rows))

    line = "compare v1.jsonl v2.jsonl --rows-in choices --text-column text --metric slor"
    log("v1.jsonl", range(12))
    log("v2.jsonl", range(20, 32))
    told = typed(line).err
    assert "rows are paired by their place, though column 'call_id' of v2.jsonl holds other values" in told
    log("v1.jsonl", range(12), ids=False)
    log("v2.jsonl", range(20, 32), ids=False)
    told = typed(line).err
    assert "different sources: column 'request.messages.-1.content' of v2.jsonl differs" in told
    log("v1.jsonl", range(12))
    log("v2.jsonl", range(12))
    told = typed(line).err
    assert "different sources" not in told
    assert "paired by their place" not in told
