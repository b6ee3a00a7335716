"""`referenceless reproduce …`: the output of the commands, and bad input in one line."""

import json

import pytest
from command_lines import typed
from text_files import read, write

from referenceless_papers.commands import reproduce

COMMANDS = """ethayarajh kann dusek claims study-designs speed reranking pictures public-table open-questions lstm
packaged-models tune-small fluency-constants fluency-choice fluency-scale plain-pairs named-faults german"""


def test_what_is_published_has_its_commands():
    assert reproduce.list_commands(None) == COMMANDS.split()


@pytest.mark.parametrize(
    "line, status, message",
    [
        ("ethayarajh --data-dir nowhere", 1, "error: nowhere: it holds neither huse/, asap-sas/ nor nlg-ratings/"),
        ("kann none.csv", 1, "none.csv"),
        ("dusek --data-dir nowhere", 1, "nowhere: it holds no nlg-ratings/"),
        ("speed --data-dir nowhere", 1, "nowhere: it holds no lm-corpus/english.txt.xz"),
        ("german nowhere -o models", 1, "nowhere holds no libreoffice-help-de: unpack the package with dpkg-deb -x"),
        ("packaged-models -o models", 2, "give --corpus, --ratings, --small or several"),
    ],
)
def test_bad_input(line, status, message):
    assert message in typed(f"reproduce {line}", status).err


@pytest.mark.long
def test_kann_on_rated_texts_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "the cat sat on the mat .".split()
    rows = ["output,score,system,topic,item,split,ref_0,ref_1", "x,1,S0,T0,0,train,y,z"]
    for i in range(24):
        text = " ".join(words[i % 4 :] + words[: i % 4])
        rows.append(f"{text},{10 - (i % 4) + i / 100},S{i % 2},T{i // 12},{i // 2},test,the cat sat on the rug .,")
    write("rated.csv", rows)
    command = "reproduce kann rated.csv --text-column output --rating-column score --system-column system"
    command += " --domain-column topic --group-column item --reference-columns ref_* --where split=test"
    written = "out/figures/correlations.png out/reproduction.md out/reproduction.json"
    assert typed(f"{command} -o out").out.split() == written.split()
    text = read("out/reproduction.md")
    assert "| ROUGE-LM " in text
    assert "## By system" in text
    assert "cross-validation, sources of a fold unseen" in text
    whole, by_system, by_domain = json.loads(typed(f"{command} --format json --no-svr").out)["parts"]
    assert whole["notes"][0].endswith("rated.csv: 24 texts, mean rating 8.615, variance 1.230.")
    assert "SVR(ROUGE-L-mult, WPSLOR)" not in [row["metric"] for row in whole["tables"][0]["rows"]]
    for part, labels in ((by_system, ["S0", "S1"]), (by_domain, ["T0", "T1"])):
        assert [table["caption"].split(",")[0] for table in part["tables"]] == labels
