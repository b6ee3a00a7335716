"""Command lines that read outputs, references, sources and answers from several files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_kinds import LISTS_OF_TEXTS
from referenceless_metrics.advice.look.forms.clusters import may_be_of_clusters, names_of_part
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.doubts import REFERENCE_NAME
from referenceless_metrics.advice.look.forms.other_languages import OF_OTHER_LANGUAGE
from referenceless_metrics.advice.look.forms.shapes import A_NUMBER_PER_LINE, A_TEXT_PER_LINE
from referenceless_metrics.advice.look.lines.options_of_parts import ALONE, BY_CHARACTERS, WITH_REFERENCES
from referenceless_metrics.advice.look.lines.parts import EVERY_PAIR, REFERENCES, command_line, every_pair
from referenceless_metrics.advice.look.together.shared_ids import OF_NO_SYSTEM, shared_ids, shared_item
from referenceless_metrics.command_line.proposing import without_options
from referenceless_metrics.core.files.json_rows import TEXT
from referenceless_metrics.human_evaluation.inputs_beside import INPUTS, folder_of_ratings, on_other_inputs
from referenceless_metrics.human_evaluation.ratings.model_raters import names_people
from referenceless_metrics.human_evaluation.source_columns import names_source

A_TEXT_PER_FILE = "a text per file"
"""The shape of a folder of texts."""

_POST_EDITS = "pe"
"""The suffix of outputs that people mended, which are references, in data sets of quality estimation."""


def _may_be_sources(name: str) -> bool:
    """Say whether a file is called as one of sources, or as a column of them is.

    >>> _may_be_sources("test.src"), _may_be_sources("triples"), _may_be_sources("ours")
    (True, True, False)
    """
    return INPUTS.fullmatch(name) is not None or names_source(name)


def of_texts(looks: Sequence[Look]) -> list[str]:
    """Return the line that compares files of a text per line, the n-th of each for one input: those of as many lines.

    Files that are called as those of sources or references are no systems, and neither are labels, such as documents.
    A single system is scored. Translations into several languages have a line for each.
    """
    texts = _plain_texts(looks)
    names = {each.file: names_of_part(each.file, texts) for each in texts}
    references = [
        file
        for file, of_file in names.items()
        if any(map(REFERENCE_NAME.fullmatch, of_file)) or Path(file).suffix == f".{_POST_EDITS}"
    ]
    sources = [file for file, of_file in names.items() if any(map(_may_be_sources, of_file))]
    sources = [file for file in sources if file not in references]
    references += [file for file in _numbered_beside(sources, names) if file not in references]
    outputs = [each for each in texts if each.file not in (*references, *sources)]
    labels = [each.file for each in outputs if each.columns[0].kind == "labels"]
    systems = [each.file for each in outputs if each.file not in labels or len(labels) == len(outputs)]
    translated = _in_one_language(systems, texts)
    sources = sources or [file for file in systems if file not in translated and translated]
    systems = translated
    if not references and len(sources) == 1:
        references = _called_as_source(sources[0], systems)
        systems = [file for file in systems if file not in references]
    systems = sorted(systems, key=lambda file: not _BASELINE.search(Path(file).name))
    is_other = any(OF_OTHER_LANGUAGE in each.notes for each in texts if each.file in systems)
    if on_other_inputs(systems):
        return [] if is_other else _of_other_inputs(systems, references)
    if len({each.n_rows for each in texts}) != 1 or not systems:
        return []
    sources, references = (_without_copies(files, texts) for files in (sources, references))
    by_references = [word for file in references for word in ("--references", file)]
    if not references:
        references, by_references = _references_in_table(looks, texts)
    if is_other and len(systems) == 1:
        return []
    if len(systems) == 1:
        return [command_line("score", *systems, *by_references, *WITH_REFERENCES)] if references else []
    of_clusters = [each.file for each in looks if each.file not in systems and may_be_of_clusters(each, texts)]
    clusters = ["--cluster-column", of_clusters[0]] if len(of_clusters) == 1 else []
    by_sources = ["--sources", sources[0]] if len(sources) == 1 else []
    metrics = [*(WITH_REFERENCES if references else []), *by_sources]
    if is_other:
        by_references, metrics = by_references or ["--references", REFERENCES], [*ALONE, *by_sources]
    if by_language := _by_language(systems, references):
        pairs = [(of_one, reference) for reference, of_one in by_language.items() if len(of_one) > 1]
        return [
            command_line("compare", *each, "--references", of, *metrics, *clusters, *_every_pair(each))
            for each, of in pairs
        ]
    return [command_line("compare", *systems, *by_references, *metrics, *clusters, *_every_pair(systems))]


_BASELINE = re.compile(r"(?<![a-z])baseline(?![a-z])", re.IGNORECASE)
"""The name of the system with which others are compared."""


def _called_as_source(source: str, files: Sequence[str]) -> list[str]:
    """Return the file that is called as that of sources but for its suffix, its language: the reference; else none.

    So `test.en` stands by `test.de`, beside outputs with the same suffix and other names, as `ours.en`, and
    `test.target` by `test.source` beside any outputs.
    """
    found = [file for file in files if Path(file).with_suffix("") == Path(source).with_suffix("")]
    suffixes = {Path(file).suffix for file in files}
    are_of_language = len(suffixes) == 1 and Path(source).suffix not in suffixes
    are_told = len(found) == 1 and len(files) > 1 and (are_of_language or Path(found[0]).suffix in _OF_TARGETS)
    return found if are_told else []


_OF_TARGETS = (".target", ".tgt", ".trg")
"""Suffixes of the file that says what outputs for a file of sources should be."""


def _every_pair(systems: Sequence[str]) -> list[str]:
    """Return the option that compares all pairs of three systems or more."""
    return [EVERY_PAIR] if len(systems) > 2 else []


def _of_other_inputs(systems: Sequence[str], references: Sequence[str]) -> list[str]:
    """Return the lines on outputs for other inputs, in a folder of each system: compared apart, and each scored.

    The references in the folder of a system are of its outputs alone.
    """
    lines = [command_line("compare", *systems, "--unpaired")]
    for system in systems:
        beside = [file for file in references if Path(file).parent == Path(system).parent]
        by_references = [word for file in beside for word in ("--references", file)]
        lines += [command_line("score", system, *by_references, *WITH_REFERENCES)] if beside else []
    return lines


def of_numbers_beside(looks: Sequence[Look]) -> list[str]:
    """Return the line on files of a number per line beside outputs, one of the same name in the folder of each system.

    They are called as people's ratings, or are scores.
    """
    texts = [each for each in looks if each.shape == A_TEXT_PER_LINE]
    numbers = [each for each in looks if each.shape == A_NUMBER_PER_LINE]
    files = [each.file for each in numbers]
    lines_of = {(Path(each.file).parent, each.n_rows) for each in texts}
    are_beside = lines_of == {(Path(each.file).parent, each.n_rows) for each in numbers}
    if (
        len(lines_of) < 2
        or len(numbers) != len(lines_of)
        or not are_beside
        or len({Path(file).name for file in files}) > 1
    ):
        return []
    apart = ["--unpaired"] if on_other_inputs(files) else []
    stems = [Path(file).stem for file in files]
    are_rated = all(map(folder_of_ratings, files)) and all(names_people(name) or _RATED.search(name) for name in stems)
    command, option = ("human-score", "--ratings") if are_rated else ("compare", "--scores")
    pairs = every_pair(len(files)) if are_rated else []
    return [command_line(command, *(word for file in files for word in (option, file)), *apart, *pairs)]


_RATED = re.compile(r"(?<![a-z])(?:ratings?|judge?ments?)(?![a-z])", re.IGNORECASE)
"""A word for ratings in the name of a file."""


def _without_copies(files: Sequence[str], texts: Sequence[Look]) -> list[str]:
    """Return files of lines without those of an earlier one's name and lines, as in a folder of each system."""
    orders = {each.file: each.orders.get(TEXT) for each in texts}
    keys = {file: (Path(file).name, orders[file]) for file in files}
    first = {keys[file]: file for file in reversed(files)}
    return [file for file in files if first[keys[file]] == file]


def _plain_texts(looks: Sequence[Look]) -> list[Look]:
    """Return the files of a text per line, or else the folders of a text per file, if all are of the same items."""
    of_lines = [each for each in looks if each.shape == A_TEXT_PER_LINE and not each.is_part]
    of_files = [each for each in looks if each.shape == A_TEXT_PER_FILE]
    return of_lines or (of_files if len({each.items for each in of_files}) == 1 else [])


def _by_language(systems: Sequence[str], references: Sequence[str]) -> dict[str, list[str]]:
    """Return the outputs of each of several references, told by a part of the name that no other reference has.

    Such a part is the language, as in `ours.eng-deu.txt` beside `ref.deu` and `ref.spa`. There are none if outputs are
    of no reference, or of several.
    """
    parts = {file: set(re.split(r"[._-]+", Path(file).name.lower())) for file in (*systems, *references)}
    found = {}
    for reference in references:
        others = [parts[other] for other in references if other != reference]
        own = parts[reference].difference(*others)
        found[reference] = [system for system in systems if own & parts[system]]
    are_told = sorted(chain.from_iterable(found.values())) == sorted(systems)
    return found if len(references) > 1 and are_told and all(found.values()) else {}


def _in_one_language(systems: Sequence[str], texts: Sequence[Look]) -> list[str]:
    """Return the files of outputs: without the one in another language, by its suffix too, which holds the sources.

    Of two such files nothing tells which holds translations, and none is returned.
    """
    foreign = [each.file for each in texts if each.file in systems and OF_OTHER_LANGUAGE in each.notes]
    fewer, more = sorted((foreign, [file for file in systems if file not in foreign]), key=len)
    suffixes = {Path(file).suffix for file in more}
    if len(fewer) != 1 or len(suffixes) > 1 or Path(fewer[0]).suffix in suffixes:
        return list(systems)
    return more if len(more) > 1 else []


def _numbered_beside(sources: Sequence[str], files: Collection[str]) -> list[str]:
    """Return the files that are called as one of sources, with numbers: `test.simp.0` to `test.simp.3` by `test.orig`.

    Those of systems are called as these.
    """
    found = []
    for source in sources:
        start = f"{source.removesuffix(Path(source).suffix)}."
        numbered = [file for file in files if file.startswith(start) and Path(file).suffix[1:].isdecimal()]
        found += numbered if len({Path(file).stem for file in numbered}) == 1 and len(numbered) > 1 else []
    return found


def of_answers(looks: Sequence[Look]) -> list[str]:
    """Return the line that compares outputs in some files with the references in another, by the ids that all share."""
    held = {each.file: _column_of_references(each) for each in looks}
    beside = [each for each in looks if held[each.file] and not _names_text(each)]
    outputs = [each for each in looks if _names_text(each) and not held[each.file]]
    if not beside:
        held = {each.file: _column_of_right_texts(each) for each in looks}
        beside = [each for each in looks if held[each.file]]
        outputs = [each for each in outputs if each not in beside and _holds_one_text(each)]
    if len(beside) != 1 or not outputs or len(outputs) + 1 < len(looks):
        return []
    files = [*outputs, beside[0]]
    texts = {text_in(each) for each in outputs}
    name = shared_ids(files)
    known = {each.file: each.ids[name] if name else each.items for each in files}
    name = name or shared_item(files)
    asked = {known[each.file] for each in outputs}
    if not name or len(texts) != 1 or len(asked) != 1 or not asked.pop() <= known[beside[0].file]:
        return []
    text = texts.pop()
    options = [*(["--text-column", text] if text != TEXT else []), "--item-column", name]
    options += ["--references", beside[0].file, "--reference-columns", held[beside[0].file], *BY_CHARACTERS]
    return [command_line("compare", *(each.file for each in outputs), *options)] if len(outputs) > 1 else []


def of_several_references(looks: Sequence[Look]) -> list[str]:
    """Return the line that compares outputs, one of each id, with the texts in one file that has several of each id.

    So people's captions of images stand beside those of systems, in a column of the same name.
    """
    for beside in looks:
        outputs = [each for each in looks if each is not beside]
        text = text_in(beside)
        if len(outputs) < 2 or not text or any(text_in(each) != text or not _names_text(each) for each in outputs):
            continue
        for name, ids in beside.repeated_ids.items():
            asked = {each.ids.get(name, frozenset()) for each in outputs}
            if len(asked) == 1 and (shared := asked.pop()) and shared <= ids:
                options = [*(["--text-column", text] if text != TEXT else []), "--item-column", name]
                options += ["--references", beside.file, "--reference-columns", text, *BY_CHARACTERS]
                return [command_line("compare", *(each.file for each in outputs), *options)]
    return []


def _column_of_references(found: Look) -> str:
    return next((column.name for column in found.columns if column.part == "reference"), "")


_RIGHT = re.compile(
    r"(?:.*[^a-z])?(?:summar(?:y|ies)|highlights?|abstract|headline|translation|simplification|paraphrase|caption|target|"
    r"answer|response|completion)",
    re.IGNORECASE,
)
"""Names of columns that hold references beside what outputs were made from, in a file without outputs."""


def _column_of_right_texts(found: Look) -> str:
    """Return the only column of texts that is called as outputs are, beside texts that are not: "" for none."""
    texts = [column.name for column in found.columns if column.kind == "text" and not column.blank]
    named = [name for name in texts if _RIGHT.fullmatch(name)]
    return named[0] if len(named) == 1 and len(texts) > 1 and all(_may_be_read(each) for each in found.columns) else ""


def _may_be_read(column: Column) -> bool:
    """Say whether a column may stand in a file of inputs and references, without outputs and their values."""
    return column.part not in (*OF_NO_SYSTEM, "rating", "score", "prediction")


def _holds_one_text(found: Look) -> bool:
    return sum(column.holds_texts for column in found.columns) == 1


def text_in(found: Look) -> str:
    """Return the column of texts of a file; "" for none."""
    return next((column.name for column in found.columns if column.part == "text"), "")


def _names_text(found: Look) -> bool:
    return text_in(found) != "" and all(column.part not in OF_NO_SYSTEM for column in found.columns)


def _references_in_table(looks: Sequence[Look], texts: Sequence[Look]) -> tuple[list[str], list[str]]:
    """Return the table of references, and none of outputs, for the lines of files of texts, and its options; or none.

    Args:
        looks: all files.
        texts: the files of a text per line.
    """
    found = []
    for each in looks:
        named = [column.name for column in each.columns if (column.part, column.kind) == ("reference", "text")]
        is_of_lines = each not in texts and not each.is_part and each.n_rows == texts[0].n_rows
        if named and is_of_lines and not each.commands:
            found.append([each.file, named[0]])
    if len(found) != 1:
        return [], []
    file, name = found[0]
    return [file], ["--references", file, "--reference-columns", name]


def with_references(line: str, looks: Sequence[Look]) -> str:
    """Return a line that compares outputs in pairs, with a column of references that is the same in all their files."""
    words = shlex.split(line)
    are_told = {"--unpaired", "--scores", "--system-column", "--metric", *WITH_REFERENCES} & set(words)
    if words[1] != "compare" or are_told:
        return line
    for kind, by in (("text", WITH_REFERENCES), (LISTS_OF_TEXTS, BY_CHARACTERS)):
        named = [[each.name for each in of.columns if (each.part, each.kind) == ("reference", kind)] for of in looks]
        if named[0] and all(names == named[0] for names in named):
            return command_line(*words[1:], "--reference-columns", named[0][0], *by)
    return line


def with_own_texts(line: str, looks: Sequence[Look]) -> str:
    """Return a line that compares outputs by the column whose texts differ between files, if theirs are the same.

    A column with the same texts in the files of all systems is no output of theirs, but holds references, or inputs.
    """
    words = shlex.split(line)
    named = {text_in(each) for each in looks}
    are_same = len(named) == len({each.text_order for each in looks}) == 1 and len(looks) > 1
    told = {"--scores", "--unpaired", "--system-column", "--reference-columns", *WITH_REFERENCES}
    if words[1] != "compare" or not are_same or told & set(words):
        return line
    texts = [{each.name for each in of.columns if each.kind == "text" and each.part in ("", "text")} for of in looks]
    others = set.intersection(*texts) - named
    differing = [name for name in others if len({each.orders.get(name) for each in looks}) == len(looks)]
    if len(differing) != 1:
        return line
    (same,) = named
    plain = without_options(words[1:], ("--text-column",))
    return command_line(*plain, "--text-column", differing[0], *_right_texts(same, looks))


def _right_texts(name: str, looks: Sequence[Look]) -> list[str]:
    """Return the options for a column of the same texts in all files as references; none if it may hold the inputs.

    It may, unless another column is called as these, or its name is that of what was asked for, as `summary`.
    """
    have_sources = all(any(column.part == "source" for column in each.columns) for each in looks)
    return ["--reference-columns", name, *WITH_REFERENCES] if have_sources or _RIGHT.fullmatch(name) else []


def of_own_texts(looks: Sequence[Look]) -> list[str]:
    """Return the line on tables of one system each whose columns of texts are the same but for one, the outputs.

    One other column holds references, or inputs. There are none if anything else tells systems.
    """
    if len(looks) < 2 or any(column.part in OF_NO_SYSTEM for each in looks for column in each.columns):
        return []
    texts = [{each.name for each in of.columns if each.kind == "text" and each.part in ("", "text")} for of in looks]
    if len(set(map(frozenset, texts))) > 1 or any(text_in(each) for each in looks):
        return []
    orders = {name: {each.orders.get(name) for each in looks} for name in texts[0]}
    same = [name for name, of in orders.items() if len(of) == 1 and None not in of]
    own = [name for name, of in orders.items() if len(of) == len(looks) and None not in of]
    if len(same) != 1 or len(own) != 1 or len(orders) != 2:
        return []
    options = ["--text-column", own[0], *_right_texts(same[0], looks)]
    return [command_line("compare", *(each.file for each in looks), *options)]
