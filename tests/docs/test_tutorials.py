"""The tutorials are notebooks: run from top to bottom as they are stored, and run again they print the same."""

import json
import re

import pytest
from notebooks import NOTEBOOKS, on_terminal, printed, run_notebook
from text_files import read

pytestmark = pytest.mark.skipif(not NOTEBOOKS, reason="needs the project's documentation")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_stored_was_run_from_top_to_bottom(path):
    stored = json.loads(read(path))
    code = [cell for cell in stored["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    kinds = {output["output_type"] for cell in code for output in cell["outputs"]}
    assert kinds <= {"stream", "execute_result"}
    assert all(output.get("name") != "stderr" for cell in code for output in cell["outputs"])
    printed_lines = "".join(line for cell in code for output in cell["outputs"] for line in output.get("text", ()))
    assert re.findall(r"^(?:Error|Usage|Traceback|\S*sh): .*", printed_lines, re.MULTILINE) == []  # complaints
    assert stored["metadata"]["language_info"] == {"name": "python"}
    assert "".join(stored["cells"][0]["source"]).startswith("# ")


@pytest.mark.notebooks
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_run_again_it_prints_the_same(path, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    for name in ("nbclient", "ipykernel"):
        pytest.importorskip(name)
    stored = nbformat.read(path, as_version=4)
    nbformat.validate(stored)
    again = printed(run_notebook(path, tmp_path))
    for (source, words, numbers), (_, stored_words, stored_numbers) in zip(again, printed(stored), strict=True):
        assert words == stored_words, source
        assert numbers == pytest.approx(stored_numbers, rel=1e-4, abs=2e-4), source  # another processor's last digits


def test_what_a_terminal_shows():
    assert on_terminal("\x1b[32mgreen\x1b[0m\r\n 1%\r 2%\r\r\ndone \n") == "green\n 2%\ndone\n"
