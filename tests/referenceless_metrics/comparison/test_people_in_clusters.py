"""People's ratings of a page count as dependent in the documents that their file tells, as in `human-score`."""

from command_lines import as_json, typed
from numpy.random import default_rng
from text_files import read, write, write_table

N = 15
DOCUMENTS = [f"d{n // 5}" for n in range(N)]


def write_study():
    """Write two systems' outputs, and errors that a rater marked in them."""
    texts = {system: [f"This is output {n} of {system}." for n in range(N)] for system in ("base", "ours")}
    rows = []
    draw = default_rng(0)
    for system, outputs in texts.items():
        write(f"{system}.txt", outputs)
        for n, text in enumerate(outputs):
            severity = str(draw.choice(["Minor", "Major", "Neutral"]))
            rows.append((system, DOCUMENTS[n], n % 5 + 1, n + 1, "r1", text, "Style", severity))
    names = ("system", "doc", "doc_id", "seg_id", "rater", "target", "category", "severity")
    write_table("mqm.tsv", names, rows)
    write("docs.txt", DOCUMENTS)


def test_a_page_has_the_p_of_human_score(folder):
    write_study()
    (expected,) = [row for row in as_json("human-score --ratings mqm.tsv")["rows"] if row.get("less")]
    line = "report base.txt ours.txt --metric fluency_ngram --ratings mqm.tsv -o page.html"
    for option in ("", " --cluster-column docs.txt"):
        err = typed(line + option).err
        page = read("page.html")
        assert "15 items in 3 clusters" in page
        assert f"{expected['p']:.4f}" in page
        assert ("15 items lie in 3 clusters" in err) is not bool(option)
