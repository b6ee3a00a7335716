"""The tutorials, which are notebooks: the way they are run, and the output that counts.

`python tests/support/notebooks.py` runs them all and stores their new output.
"""

import os
import re
import sys
import sysconfig
import tempfile
from pathlib import Path

from text_files import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "tutorials").glob("*.ipynb"))
_SECONDS = 300  # for one cell, and to start
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:\.\d+)?(?!\w)")
_SIZE = re.compile(r"[\d,]+ bytes")  # of a card, which every change of its sentences alters
_PROGRESS = re.compile(r" *\d+%\|")


def run_notebook(path, folder):
    """Return a notebook after running it in a folder, with the output of each cell.

    Commands run on a terminal of the notebook's; the final view of such a terminal is kept, without its colours.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    scripts = sysconfig.get_path("scripts")
    environment = {
        **os.environ,
        "HF_EVALUATE_OFFLINE": "1",
        "PATH": os.pathsep.join([scripts, os.environ.get("PATH", "")]),
        "PYTHONWARNINGS": "ignore:IProgress not found",  # which tqdm wants of whoever has no ipywidgets
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    seconds = {"timeout": _SECONDS, "startup_timeout": _SECONDS}
    client = NotebookClient(notebook, kernel_name="python3", record_timing=False, coalesce_streams=True, **seconds)
    client.execute(env=environment, cwd=str(folder))
    notebook.metadata["language_info"] = {"name": "python"}  # a version would tell whose machine it was
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if "text" in output:
                output["text"] = on_terminal(output["text"]).strip("\n") + "\n"
    return notebook


def on_terminal(text):
    r"""Return the final view of a text on a terminal, but for progress bars, which stand only if it was slow.

    >>> on_terminal("\x1b[1mtwo\x1b[0m lines\r\n 50%\r100%\r\n")
    'two lines\n100%\n'
    """
    lines = _COLOUR.sub("", text).replace("\r\n", "\n").split("\n")
    shown = (line.rstrip("\r").rpartition("\r")[2].rstrip() for line in lines)
    return "\n".join(line for line in shown if not _PROGRESS.search(line))


def printed(notebook):
    """Return each code cell, with the words and the numbers that it printed or ended with, less the sizes of files."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            text = "".join(each.get("text") or each["data"]["text/plain"] for each in cell.outputs)
            text = _SIZE.sub("some bytes", text)
            found.append(
                (
                    cell.source,
                    _NUMBER.sub("#", text).split(),
                    [float(n.replace("−", "-")) for n in _NUMBER.findall(text)],
                )
            )
    return found


if __name__ == "__main__":
    import nbformat

    for each in [Path(name) for name in sys.argv[1:]] or NOTEBOOKS:
        with tempfile.TemporaryDirectory() as temporary:
            nbformat.write(run_notebook(each, Path(temporary)), each)
