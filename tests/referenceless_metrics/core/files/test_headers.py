"""Titles above a header, headers of two rows, row names of R, triple bars, and tables in Markdown."""

import pytest

from referenceless_metrics import look
from referenceless_metrics.core.files.delimited import HeaderError
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError

pytestmark = pytest.mark.filterwarnings("ignore")


def table(path, content, **reading):
    path.write_text(content)
    return read_table(str(path), Reading(**reading))


def test_titles_with_fewer_cells_than_the_header_are_left_out(tmp_path):
    read = table(tmp_path / "t.csv", "Round 2\nannotator,Ann\n\nitem,system,text,rating\n1,a,x,4\n2,a,y,5\n3,b,z,1\n")
    assert read.columns == ("item", "system", "text", "rating")
    assert [row["rating"] for row in read.rows] == ["4", "5", "1"]
    assert "3 lines above the header" in " ".join(read.notes)


@pytest.mark.parametrize("upper", ["item,base,,ours,", "item,base,base,ours,ours"])
@pytest.mark.parametrize("title", ["", "Results of people,,,,\n"])
def test_a_header_of_two_rows_names_columns_by_both(upper, title, tmp_path):
    rows = "".join(f"{n},{1 + n % 3},4,{2 + n % 3},5\n" for n in range(12))
    read = table(tmp_path / "t.csv", f"{title}{upper}\n,fluency,style,fluency,style\n{rows}")
    assert read.columns == ("item", "base_fluency", "base_style", "ours_fluency", "ours_style")
    assert len(read.rows) == 12
    assert read.rows[1] == dict(zip(read.columns, ["1", "2", "4", "3", "5"], strict=True))
    assert any("--system-column key --rows-in '*_fluency,*_style'" in line for line in look(read.source).commands)


@pytest.mark.parametrize(
    "content",
    ["item,base,,ours\n,fluency,style,fluency\n1,2,3,4\n", "a,b,c,d\nx,y,x,y\n1,2,3,4\n", "item,a,,b,\n1,2,3,2,3\n"],
)
def test_other_second_rows_are_rows(content, tmp_path):
    assert len(table(tmp_path / "t.csv", content).rows) == content.count("\n") - 1


def test_a_third_row_may_name_the_first_column_as_pandas_writes_it(tmp_path):
    upper = "system,base,base,ours,ours\ncriterion,fluency,style,fluency,style\nitem,,,,\n"
    read = table(tmp_path / "t.csv", upper + "".join(f"{n},1,2,3,4\n" for n in range(6)))
    assert read.columns == ("item", "base_fluency", "base_style", "ours_fluency", "ours_style")
    assert [row["item"] for row in read.rows] == list("012345")


R = '"item" "text" "rating"\n"1" "a" "he said \\"no\\"" 4\n"2" "b" "so it is" 5\n"3" "c" "fine" 1\n'


def test_row_names_of_r_are_a_column(tmp_path):
    read = table(tmp_path / "r.txt", R)
    assert read.columns == ("row.names", "item", "text", "rating")
    assert read.rows[0] == {"row.names": "1", "item": "a", "text": 'he said "no"', "rating": "4"}
    for suffix, sign in ((".csv", ","), (".tsv", "\t")):
        lines = ["item", "rating"], ["1", "a", "4"], ["5", "b", "2"], ["9", "c", "3"]
        content = "".join(sign.join(line) + "\n" for line in lines)
        assert table(tmp_path / f"r{suffix}", content).rows[1] == {"row.names": "5", "item": "b", "rating": "2"}


@pytest.mark.parametrize("rows", ["Hello, you,4\nBye, then,5\n", "7,a,4\n3,b,5\n", "1,a,4\n2,b\n"])
def test_a_field_too_many_is_no_row_name(rows, tmp_path):
    """Texts with commas, and numbers that do not grow."""
    with pytest.raises(InputError, match=r"t.csv:2: expected 2 fields \(text, rating\) between commas, but got 3"):
        table(tmp_path / "t.csv", f"text,rating\n{rows}")


def test_triple_bars_separate_fields(tmp_path):
    read = table(tmp_path / "t.txt", "source ||| output ||| rating\na, b ||| c | d ||| 4\n" * 1 + "x ||| y ||| 5\n")
    assert read.rows == [
        {"source": "a, b", "output": "c | d", "rating": "4"},
        {"source": "x", "output": "y", "rating": "5"},
    ]
    for first in ("the cat sat down ||| le chat", "0 ||| the cat"):
        with pytest.raises(HeaderError, match="name them, such as --columns item,system"):
            table(tmp_path / "t.txt", f"{first}\n" * 3)


def test_look_at_lists_of_translations_and_aligned_texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    nbest = [f"{n} ||| a cat sat here {n} {k} ||| LM: -{k}.5 ||| -{k}.25\n" for n in range(8) for k in range(3)]
    (tmp_path / "n.best").write_text("".join(nbest))
    assert look("n.best").commands == (
        "referenceless score n.best --where rank=1",
        "referenceless rerank n.best",
        "referenceless rerank n.best --mbr bleu",
    )
    (tmp_path / "t.txt").write_text("".join(f"what is {n} ||| it is {n} there ||| {1 + n % 5}\n" for n in range(24)))
    found = look("t.txt")
    assert "nothing tells which of 2 columns of texts holds the outputs" in " ".join(found.notes)
    advised = [line for line in found.commands if " advise " in line]
    assert [line.rpartition("--columns ")[2] for line in advised] == [
        "column1,text,rating",
        "text,column2,rating",
    ]


def test_a_table_in_markdown(tmp_path):
    read = table(tmp_path / "t.md", "| item | rating |\n|---|:-:|\n| 1 | 4 |\n| 2 | 5 |\n")
    assert read.rows == [{"item": "1", "rating": "4"}, {"item": "2", "rating": "5"}]


def test_a_header_may_be_the_last_line_of_comments(tmp_path):
    read = table(tmp_path / "t.tsv", "# exported\n# item\tsystem\tscore\n1\ta\t4\n2\tb\t5\n")
    assert read.columns == ("# item", "system", "score")
    assert len(read.rows) == 2
