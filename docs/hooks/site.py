"""What the site is made of besides the pages in docs/: the navigation, the API reference and the commands' help.

Pages that are named here and missing are left out, and pages that stand in docs/ and are not named come last, so that
a page can be added or removed without touching this file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

NAV: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("", ("index.md", "start.md", "gallery.md")),
    (
        "Tutorials",
        (
            "tutorials/ratings.ipynb",
            "tutorials/no_ratings.ipynb",
            "tutorials/mr_to_text.ipynb",
            "tutorials/filter.ipynb",
            "tutorials/publish.ipynb",
        ),
    ),
    (
        "Guides",
        (
            "what_each_metric_counts.md",
            "guides/choose.md",
            "guides/claims.md",
            "guides/studies.md",
            "guides/human_score.md",
            "guides/calibrate_your_judge.md",
            "guides/frameworks.md",
            "guides/reranking.md",
            "guides/language_models.md",
            "languages.md",
            "scoring_1e8_texts.md",
            "guides/data_sets.md",
            "guides/speed.md",
            "guides/installing.md",
        ),
    ),
    (
        "Reproductions",
        (
            "reproductions/bleu_neighbors.md",
            "reproductions/slor.md",
            "reproductions/quality_estimation.md",
            "study_designs.md",
        ),
    ),
)

#: Packages in the order of the reference, each with the rooms that are no API: they are commands, pages or tables.
PACKAGES = (
    "referenceless_metrics",
    "bleu_neighbors_metric",
    "slor_metric",
    "quality_estimation_metric",
    "metric_commons",
)
_NO_API = {"cli", "app", "compiled", "data", "commands"}

#: Pages that hold a file of the repository as it is.
INCLUDED = {
    "reproductions/bleu_neighbors.md": "hub_cards/reproduction.md",
    "reproductions/slor.md": "hub_cards/reproduction_slor.md",
    "reproductions/quality_estimation.md": "hub_cards/reproduction_quality_estimation.md",
    "changelog.md": "CHANGELOG.md",
    "architecture.md": "ARCHITECTURE.md",
}


def on_config(config: Any) -> Any:
    """Write the navigation."""
    docs = Path(config.docs_dir)
    written = {path.relative_to(docs).as_posix() for kind in ("*.md", "*.ipynb") for path in docs.rglob(kind)}
    generated = {page for page, source in INCLUDED.items() if (ROOT / source).is_file()}
    nav: list[Any] = []
    named: set[str] = set()
    for title, pages in NAV:
        there = [page for page in pages if page in written | generated]
        named |= set(there)
        nav += there if not title else [{title: there}] if there else []
    nav.append({"Reference": [f"reference/{name}.md" for name, _ in reference_pages()]})
    rest = sorted((written | generated) - named)
    if rest:
        nav.append({"More": rest})
    config.nav = nav
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made from code and from files of the repository."""
    from mkdocs.structure.files import File

    for page, source in INCLUDED.items():
        path = ROOT / source
        if path.is_file():
            files.append(File.generated(config, page, content=_included(path)))
    for path in sorted((ROOT / "hub_cards" / "figures").glob("*.png")):
        files.append(File.generated(config, f"reproductions/figures/{path.name}", abs_src_path=str(path)))
    for name, text in reference_pages():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def reference_pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page of the reference."""
    yield "commands", commands()
    for package in PACKAGES:
        rooms: dict[str, list[str]] = {}
        for module in public_modules(package):
            parts = module.split(".")
            rooms.setdefault(parts[1] if len(parts) > 2 else "", []).append(module)
        lines = [f"# {package}", "", f"::: {package}", "    options: {show_root_heading: false, members: false}", ""]
        for room, modules in sorted(rooms.items()):
            lines += [f"## {room.replace('_', ' ').capitalize() if room else 'At the top'}", ""]
            for module in sorted(modules):
                lines += [f"::: {module}", ""]
        yield package, "\n".join(lines)


def public_modules(package: str) -> Iterator[str]:
    """Yield the modules of a package that are part of its API."""
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] == "__init__" and len(parts) > 2:  # what a room offers at its door
            parts = parts[:-1]
        if _NO_API & set(parts) or any(part.startswith("_") for part in parts):
            continue
        if parts[-1].endswith("_command") or parts[-1] in ("cli", "__main__"):
            continue
        if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))):
            yield ".".join(parts)


def commands() -> str:
    """Return the help of every command."""
    import click

    from metric_commons.cli.help import EVERYTHING
    from referenceless_metrics.cli import cli

    lines = ["# Commands", ""]

    def describe(command: click.Command, name: str, parent: click.Context | None) -> None:
        sizes = {"terminal_width": 100, "max_content_width": 100}
        if isinstance(command, click.Group):
            context = click.Context(command, info_name=name, parent=parent, **sizes)
        else:  # options may depend on what is given
            context = command.make_context(name, [], parent, resilient_parsing=True, **sizes)
            context.meta[EVERYTHING] = True
        title = f"{parent.command_path} {name}" if parent else name
        lines.extend([f"## {title}", "", "```text", context.get_help(), "```", ""])
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                found = command.get_command(context, each)
                if found is not None:
                    describe(found, each, context)

    describe(cli, "referenceless", None)
    return "\n".join(lines)


def _included(path: Path) -> str:
    """Return a file's text with links that hold on the site: to files that are not part of it, plain text."""
    import re

    text = path.read_text(encoding="utf-8")
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!https?://|#)[^)]*\)", r"\1", text)
