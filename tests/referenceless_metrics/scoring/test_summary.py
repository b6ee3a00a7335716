"""Summaries of a file's scores: notes that stand in a column of their own are counted below a table."""

from command_lines import typed
from text_files import read, write, write_table

TEXTS = [
    "The council approved the plan after a short debate.",
    "Good question. Sie können Ihr Abonnement jederzeit in den Einstellungen kündigen. Let me know if you need help.",
]


def test_notes_on_texts_with_a_score_are_counted(folder):
    write("t.txt", TEXTS)
    told = typed("score t.txt --metric fluency_ngram").out
    assert "texts with a score and a note: 1 another language; -o FILE.csv has them in its column note" in told
    write("t.txt", TEXTS[:1])
    assert "a note" not in typed("score t.txt --metric fluency_ngram").out


def test_a_page_keeps_the_ids_of_the_file(folder):
    write_table("t.csv", ("id", "channel", "text"), [(f"c-{n}", "web", text) for n, text in enumerate(TEXTS)])
    typed("score t.csv --metric fluency_ngram -o page.html")
    page = read("page.html")
    assert "c-1" in page
    assert ">web<" not in page
