"""The site's navigation, its API reference, its help of commands, and the pages that stand outside of docs/.

A page that is named here and missing is left out. A page of docs/ that is not named comes last, so a page can be added
or removed without touching this file. Links between files are written as they hold in a checkout; this hook turns those
that lead out of docs/ into links between the site's pages.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority

ROOT = Path(__file__).resolve().parents[2]

#: The metrics' cards, in the order of the tables that choose among them.
CARDS = ("fluency", "slor", "wpslor", "bleu_neighbors", "quality_estimation", "rouge_lm")

#: The pages of papers/docs/, in the order of its first page.
EVIDENCE = (
    "index",
    "bleu_neighbors",
    "slor",
    "quality_estimation",
    "open_questions",
    "public_table",
    "human_score",
    "study_designs",
    "theory",
    "what_each_metric_counts",
    "scoring_1e8_texts",
    "roofline",
)

#: Evidence on speed, which stands behind the other pages.
_OF_SPEED = ("scoring_1e8_texts", "roofline")

#: The sections of the side bar with their pages. What the bar shows at once, these titles and the pages of one section,
#: is to be `MOST_ENTRIES` at most.
NAV: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("", ("index.md", "start.md", "questions.md", "glossary.md", "gallery.md")),
    (
        "Tutorials",
        (
            "tutorials/no_ratings.ipynb",
            "tutorials/ratings.ipynb",
            "tutorials/mr_to_text.ipynb",
            "tutorials/filter.ipynb",
            "tutorials/publish.ipynb",
        ),
    ),
    (
        "Score texts",
        (
            "guides/installing.md",
            "guides/from_your_file.md",
            "guides/choose.md",
            "guides/reranking.md",
            "guides/language_models.md",
            "languages.md",
            "guides/speed.md",
            "guides/data_sets.md",
        ),
    ),
    (
        "In your tools",
        (
            "guides/frameworks.md",
            "guides/evaluators.md",
            "guides/scikit_learn.md",
            "guides/data_frames.md",
            "guides/service.md",
            "guides/gates.md",
        ),
    ),
    (
        "Ask people",
        (
            "guides/studies.md",
            "guides/criteria.md",
            "guides/error_spans.md",
            "guides/describe_study.md",
            "guides/human_score.md",
            "guides/looking.md",
            "guides/spending_ratings.md",
        ),
    ),
    (
        "Compare systems",
        (
            "guides/reports.md",
            "guides/compare_scores.md",
            "guides/calibrate_your_judge.md",
            "guides/judging_metrics.md",
        ),
    ),
    ("Metrics", ("formulas.md", "claims.md", *(f"cards/{name}.md" for name in CARDS))),
    ("Evidence", tuple(f"evidence/{name}.md" for name in EVIDENCE if name not in _OF_SPEED)),
    ("Speed in depth", tuple(f"evidence/{name}.md" for name in _OF_SPEED)),
)

#: Most entries that the side bar, or the contents of one page beside it, show at once.
MOST_ENTRIES = 25

#: Weight of a page in the search, by its folder or its name; 1 for others.
_BOOSTS = {
    "questions.md": 6.0,
    **dict.fromkeys(("tutorials", "guides", "start.md"), 3.0),
    **dict.fromkeys(("cards", "evidence", "architecture.md", "contributing.md", "changelog.md"), 0.5),
    "reference": 0.2,
}

#: Methods that a user calls first, and the reference shows first.
_FIRST = ("fit", "predict", "score", "evaluate", "explain", "leave_one_out", "kneighbors", "save", "load")

#: Packages in the order of the reference, each with the rooms that are no API: they are commands, pages or tables.
PACKAGES = (
    "referenceless_metrics",
    "bleu_neighbors_metric",
    "slor_metric",
    "quality_estimation_metric",
)
_NO_API = {"cli", "app", "compiled", "data", "commands"}

#: Names for writing a metric of one's own, beside those that the packages offer at their doors.
PROTOCOL = (
    "referenceless_metrics.core.metric.Metric",
    "referenceless_metrics.core.results.MetricResult",
    "referenceless_metrics.core.registry.MetricSpec",
)

#: Pages that hold a file of the repository as it is.
INCLUDED = {
    **{f"cards/{name}.md": f"hub_cards/metrics/{name}.md" for name in CARDS},
    **{f"evidence/{name}.md": f"papers/docs/{name}.md" for name in EVIDENCE},
    "contributing.md": "CONTRIBUTING.md",
    "architecture.md": "ARCHITECTURE.md",
    "changelog.md": "CHANGELOG.md",
}
_PAGE_OF = {source: page for page, source in INCLUDED.items()}

#: Folders of pictures on the site, each with the folder of the repository that holds them.
FIGURES = {"cards/figures": "hub_cards/figures", "evidence/figures": "papers/docs/figures"}

_CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(
    r"(?P<image>!?)\[(?P<label>[^\]]*)\]\((?!https?://|mailto:|#)(?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)"
)


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
        nav += [{"Home": there[0]}, *there[1:]] if not title else [{title: there}] if there else []
    nav.append({"Reference": ["reference/index.md", "reference/commands.md"]})  # it lists all its other pages
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
            files.append(File.generated(config, page, content=_included(source, page)))
    for folder, source in FIGURES.items():
        for path in sorted((ROOT / source).glob("*.[ps][nv]g")):
            files.append(File.generated(config, f"{folder}/{path.name}", abs_src_path=str(path)))
    for name, text in reference_pages():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let the search show questions, tutorials and guides first, and mend a page's links out of docs/."""
    uri = page.file.src_uri
    is_room = uri.startswith("reference/") and "." in uri.removeprefix("reference/").removesuffix(".md")
    boost = _BOOSTS.get(uri.partition("/")[0], 1.0)
    page.meta["search"] = (
        {"exclude": True} if is_room else {"boost": boost}
    )  # rooms repeat what names have of their own
    page.meta.pop("tags", None)  # the Hub's, which would count more than any title
    return markdown if uri in INCLUDED else links_on_site(markdown, f"docs/{uri}", uri)


@event_priority(-100)  # after the search has read which parts a page has
def on_page_context(context: Any, page: Any, **_: Any) -> Any:
    """Show as many levels of a page's contents beside it as have `MOST_ENTRIES` entries at most.

    A page with more entries on its first level, such as a room of many files, has no contents beside it.
    """
    shown = page.toc.items
    if shown and shown[0].level == 1:
        shown = shown[0].children
    for depth in (2, 1, 0):
        _cut(shown, depth)
        if _count(shown) <= MOST_ENTRIES:
            return context
    shown.clear()
    return context


def _cut(entries: list[Any], depth: int) -> None:
    """Take away the entries that lie deeper than `depth` levels below these."""
    for entry in entries:
        if depth:
            _cut(entry.children, depth - 1)
        else:
            entry.children = []


def _count(entries: list[Any]) -> int:
    """Return the number of entries, with those below them."""
    return sum(1 + _count(entry.children) for entry in entries)


def on_post_page(output: str, **_: Any) -> str:
    """Name the theme's search and its folders of pages for screen readers; `site.js` does the rest."""
    output = output.replace('role="dialog"', 'role="dialog" aria-label="Search"')
    return re.sub(
        r'(<label class="md-nav__link " for="\w+")(?= id="\w+" tabindex="">)', r'\1 aria-label="Pages"', output
    )


def reference_pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page: of each public name, each room, each module at a package's top."""
    names = public_names()
    shown_elsewhere: dict[str, list[str]] = {}
    lines = ["# Reference", "", "What you import, each on a page of its own; [the commands](commands.md).", ""]
    source = ""
    for name, place in names.items():
        found = _imported(place)
        summary = (inspect.getdoc(found) or "").split("\n")[0].replace("|", "\\|")
        package = place.rpartition(".")[0]
        if package.partition(".")[0] != source:
            source = package.partition(".")[0]
            lines += ["", f"## From {source}", "", "| name | what |", "|---|---|"]
        lines.append(f"| [`{name}`]({name}.md) | {summary} |")
        shown_elsewhere.setdefault(found.__module__, []).append(found.__name__)
        order = f", group_by_category: false, members: [{', '.join(_members(found))}]" if inspect.isclass(found) else ""
        options = f"options: {{heading_level: 2{order}}}"
        head = f"[Reference](index.md) · `from {package} import {name}`"
        yield name, f"# {name}\n\n{head}\n\n::: {place}\n    {options}\n"
    lines += ["", "## Adapters of frameworks, from referenceless_metrics", "", "| name | what |", "|---|---|"]
    for name, adapter in sorted(_adapters().items()):
        room = adapter.path.rpartition(".")[0].rpartition(".")[0]
        lines.append(f"| [`{name}`]({room}.md#{adapter.path}) | {adapter.docstring.lines[0]} |")
    yield "commands", commands()
    for package in PACKAGES:
        lines += ["", f"## All of {package}", "", (_imported(package).__doc__ or "").split("\n")[0], ""]
        for room, modules in rooms(package).items():
            lines.append(f"- [`{room}`]({room}.md)")
            page = [f"# {room}", "", "[Reference](index.md)", ""]
            for module in modules:
                hidden = shown_elsewhere.get(module, [])
                links = ", ".join(f"[`{name}`]({_page_of(name, module, names)}.md)" for name in hidden)
                filters = ", ".join(f'"{each}"' for each in ("!^_", *(f"!^{name}$" for name in hidden)))
                page += [f"On a page of its own: {links}.", ""] if hidden else []
                page += [
                    f"::: {module}",
                    f"    options: {{heading_level: 2, filters: [{filters}], inherited_members: false}}",
                    "",
                ]
            yield room, "\n".join(page)
    yield "index", "\n".join(lines)


def public_names() -> dict[str, str]:
    """Return the import path of each public class and function: its page's name, and its dotted name."""
    places: dict[str, str] = {}
    for package in PACKAGES:
        for name in _imported(package).__all__:
            if callable(_imported(f"{package}.{name}")):
                places.setdefault(name, f"{package}.{name}")
    return places | {place.rpartition(".")[2]: place for place in PROTOCOL}


def _members(kind: type) -> list[str]:
    """Return the names that a class's page shows: methods that are called first, then its own, then inherited ones."""
    attributes = [both for each in kind.__mro__[:-1] for both in vars(each).items()]
    named = [name for name, each in attributes if name[0] != "_" and (callable(each) or hasattr(each, "__get__"))]
    return list(dict.fromkeys([*(name for name in _FIRST if name in named), *named]))


def _adapters() -> dict[str, Any]:
    """Return the front door's adapters of frameworks that may be missing here, as `griffe` reads it."""
    import griffe

    door = griffe.load("referenceless_metrics", search_paths=[str(ROOT)], resolve_aliases=True, resolve_external=True)
    package = importlib.import_module("referenceless_metrics")
    names = set(dir(package)) - set(package.__all__)
    return {name: door[name].final_target for name in names if name in door.members and door[name].is_alias}


def rooms(package: str) -> dict[str, list[str]]:
    """Return the modules of a package by their room; a module at the package's top is a room of its own."""
    found: dict[str, list[str]] = {}
    for module in public_modules(package):
        parts = module.split(".")
        is_room = (ROOT / Path(*parts)).is_dir()
        found.setdefault(module if is_room or len(parts) == 2 else ".".join(parts[:-1]), []).append(module)
    return dict(sorted(found.items()))


def _imported(place: str) -> Any:
    """Return a module, or the object that stands in one under a name."""
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError:
        module, _, name = place.rpartition(".")
        return getattr(importlib.import_module(module), name)


def _page_of(name: str, module: str, names: dict[str, str]) -> str:
    """Return the page of an object that may be imported under another name than its own."""
    return next(
        page
        for page, place in names.items()
        if (found := _imported(place)).__name__ == name and found.__module__ == module
    )


def public_modules(package: str) -> Iterator[str]:
    """Yield the modules of a package that are part of its API."""
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] == "__init__":  # what a room offers at its door
            parts = parts[:-1]
        if len(parts) < 2 or _NO_API & set(parts) or any(part.startswith("_") for part in parts):
            continue
        if parts[-1].endswith("_command") or parts[-1] in ("cli", "__main__"):
            continue
        if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))):
            yield ".".join(parts)


def commands() -> str:
    """Return the help of every command."""
    import click

    from referenceless_metrics.cli import cli
    from referenceless_metrics.command_line.help import EVERYTHING

    lines = ["# Commands", ""]

    def describe(command: click.Command, name: str, parent: click.Context | None) -> None:
        sizes = {"terminal_width": 100, "max_content_width": 100}
        if isinstance(command, click.Group):
            context = click.Context(command, info_name=name, parent=parent, **sizes)
        else:  # options may depend on what is given
            context = command.make_context(name, [], parent, resilient_parsing=True, **sizes)
            context.meta[EVERYTHING] = True
        title = f"{parent.command_path} {name}" if parent else name
        heading = "#" * max(2, len(title.split()))
        lines.extend([f"{heading} {title}", "", "```text", context.get_help(), "```", ""])
        if isinstance(command, click.Group):
            for each in command.list_commands(context):
                found = command.get_command(context, each)
                if found is not None:
                    describe(found, each, context)

    describe(cli, "referenceless", None)
    return "\n".join(lines)


def _included(source: str, page: str) -> str:
    """Return a file's text with links that hold on the site, and a card under its metric's name.

    Args:
        source: the file, from the repository's root.
        page: the page of the site that shows it.
    """
    text = links_on_site((ROOT / source).read_text(encoding="utf-8"), source, page)
    return re.sub("^# Metric card for (.)", lambda card: f"# {card[1].upper()}", text, flags=re.MULTILINE)


def links_on_site(text: str, source: str, page: str) -> str:
    """Return Markdown whose relative links lead from a page of the site to others.

    A link to a file that the site does not show becomes plain text.

    Args:
        text: the Markdown, with links as they hold in the repository.
        source: the file that holds it, from the repository's root.
        page: the page of the site that shows it.

    Example:
        >>> links_on_site("[Evidence](../../papers/docs/index.md#all)", "docs/guides/speed.md", "guides/speed.md")
        '[Evidence](../evidence/index.md#all)'
        >>> links_on_site("[a test](tests/test_house.py)", "CONTRIBUTING.md", "contributing.md")
        'a test'
    """

    def moved(link: re.Match[str]) -> str:
        target = _on_site(posixpath.normpath(posixpath.join(posixpath.dirname(source), link["path"])))
        if target is None:
            return link["label"]
        path = posixpath.relpath(target, posixpath.dirname(page) or ".")
        return f"{link['image']}[{link['label']}]({path}{link['anchor'] or ''})"

    parts = _CODE.split(text)  # every second part is a block of code
    return "".join(part if number % 2 else _LINK.sub(moved, part) for number, part in enumerate(parts))


def _on_site(path: str) -> str | None:
    """Return the site's path of a file of the repository; None if it does not show it."""
    if path in _PAGE_OF:
        return _PAGE_OF[path]
    for folder, source in FIGURES.items():
        if path.startswith(f"{source}/"):
            return f"{folder}/{posixpath.basename(path)}"
    return path.removeprefix("docs/") if path.startswith("docs/") else None
