"""Notebooks as pages of the site: Markdown like all others, so that code, links and search are the site's own."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cached_property
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

_COMMAND = re.compile(r"^!", re.MULTILINE)


class NotebookPage(File):
    """A notebook that the site shows as a page of the same name."""

    def is_documentation_page(self) -> bool:
        """Say that this is no file to copy."""
        return True

    @cached_property
    def content_string(self) -> str:  # type: ignore[override]  # a property there, whose setter nobody needs
        """The notebook as Markdown, and a link to the notebook itself."""
        path = Path(str(self.src_dir)) / self.src_uri
        return f"{as_markdown(path)}\n---\n\n[This page as a notebook](files/{path.name})\n"


def on_files(files: Any, config: Any) -> Any:
    """Show each notebook among the files as a page, and keep the notebook beside it to take away."""
    for file in [file for file in files if file.src_uri.endswith(".ipynb")]:
        folder, _, name = file.src_uri.rpartition("/")
        files.remove(file)
        files.append(NotebookPage(file.src_uri, file.src_dir, file.dest_dir, file.use_directory_urls))
        files.append(File.generated(config, f"{folder}/files/{name}", abs_src_path=file.abs_src_path))
    return files


def as_markdown(path: Path) -> str:
    """Return a notebook as Markdown: text as it is, code between fences, output indented below."""
    import nbformat
    from nbconvert import MarkdownExporter

    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.source.startswith("!"):
            cell.source = _COMMAND.sub("", cell.source)
            cell.metadata["magics_language"] = "sh"  # how the exporter names the language of a cell
    body, resources = MarkdownExporter().from_notebook_node(notebook)
    for name, picture in resources.get("outputs", {}).items():  # SVG stands in the page itself
        if name.endswith(".svg"):
            said = re.search(rb'aria-label="([^"]*)"', picture)
            source = f"data:image/svg+xml;base64,{b64encode(picture).decode()}"
            alternative = said[1].decode() if said else ""
            body = body.replace(f"![svg]({name})", f'<img alt="{alternative}" src="{source}">')
    return str(body)
