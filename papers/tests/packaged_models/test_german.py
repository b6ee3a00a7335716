"""German sentences from packages' files, and pairs of a sentence and one fault."""

import gzip

from referenceless_papers.packaged_models.german import SOURCES, read_corpus

PAGE = """<html><script>Das ist ein Skript und kein Satz.</script><p>Die Datei ist <b>nicht</b> in der Liste.</p>
<li>Short text</li><p>This is not a sentence of that language.</p><p>Sie wird auf &amp; mit dem Rechner gelesen.</p>"""
MANUAL = '.\\" Das ist nicht zu sehen.\n.SH NAME\n.B Das Programm\nliest die \\fIDatei\\fP und ist \\(aqfrei\\(aq.\n'


def test_what_is_read_of_packages(tmp_path):
    for source, part in SOURCES.items():
        (tmp_path / source / part.strip("/")).mkdir(parents=True)
    (tmp_path / "gimp-help-de" / "page.html").write_text(PAGE, "utf-8")
    (tmp_path / "debian-handbook" / "page.html").write_text(PAGE.replace("Liste", "Mappe"), "utf-8")  # not of de-DE
    (tmp_path / "debian-handbook" / "de-DE" / "page.html").write_text(PAGE, "utf-8")
    (tmp_path / "manpages-de" / "one.1.gz").write_bytes(gzip.compress(MANUAL.encode()))
    folder = tmp_path / "fortunes-de" / "games" / "fortunes"
    folder.mkdir(parents=True)
    (folder / "words").write_text("Das Leben ist eine Reise und kein Ziel.\n        -- Niemand\n%\n", "utf-8")
    assert read_corpus(tmp_path) == [
        ("gimp-help-de", "Die Datei ist nicht in der Liste."),
        ("gimp-help-de", "Sie wird auf & mit dem Rechner gelesen."),
        ("manpages-de", "Das Programm liest die Datei und ist 'frei'."),
        ("fortunes-de", "Das Leben ist eine Reise und kein Ziel."),
    ]
