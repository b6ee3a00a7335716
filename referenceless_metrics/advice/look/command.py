"""The command `look`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from shlex import quote

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.command_line.output_options import output_options_of
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.core.files.documents import are_documents, check_one_kind
from referenceless_metrics.core.files.output import write
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.validation import InputError, shortened

_TOGETHER = "Together:"
_OTHER_LANGUAGES = "If they are not English, by metrics with references alone:"
"""Words before the line for outputs in any language."""

_DEEPEST = 6  # levels of folders in which runs are looked for
_MOST_RUNS = 50


@click.command(cls=ShortHelp, epilog="Example: referenceless look ratings.csv")
@click.argument("files", nargs=-1, required=True)
@adding(*READING)
@output_options_of(("table", "json"))
def look(files: tuple[str, ...], output: str | None, format: str, reading: Reading) -> None:
    """Say what is in files, and which commands fit them.

    FILES are tables, texts, logs and exports of tools, or folders. Shown are the format, the rows, each column with its
    kind and the part that it may play, doubts about a plain reading, and complete command lines, to be copied. Nothing
    else is computed; of a long file the beginning is read.
    """
    import json

    from referenceless_metrics.advice.look.forms.description import Look
    from referenceless_metrics.advice.look.looking import look as look_at
    from referenceless_metrics.advice.look.looking import look_together
    from referenceless_metrics.advice.look.rating import TO_RATE, line_to_rate
    from referenceless_metrics.advice.look.together.joint import joint_lines
    from referenceless_metrics.advice.look.wording import look_lines

    looks: list[Look] = []
    problems: list[str] = []
    for file in _files(files):
        try:
            looks.append(look_at(file, reading))
        except InputError as error:
            if files == (file,) and not Path(file).is_dir():
                raise
            problems.append(str(error))
    looks = look_together(looks, reading)
    opened = {folder for each in looks if Path(each.file).is_file() for folder in list(Path(each.file).parents)}
    problems += [told for file in files if Path(file) in opened for told in _on_folders(file, opened)]
    if format == "json":
        text = json.dumps([each.as_dict() for each in looks], ensure_ascii=False, indent=2) + "\n"
    else:
        blocks = ["\n".join(look_lines(each)) for each in looks]
        joint = joint_lines(looks)
        to_rate = line_to_rate(looks, joint)
        if joint:
            others = [line for line in joint if _twin(line) in joint]
            first = [line for line in joint if line not in others]
            parts = [(_TOGETHER, first), (_OTHER_LANGUAGES, others), (TO_RATE, [to_rate] if to_rate else [])]
            blocks.append("\n".join(line for heading, lines in parts if lines for line in (heading, *lines)))
        text = "\n\n".join(blocks) + "\n"
    write(text, output)
    for problem in problems:
        click.echo(f"note: {problem}", err=True)


def _twin(line: str) -> str:
    """Return the line for English texts in place of one by metrics with references alone; "" for another line."""
    from referenceless_metrics.advice.look.lines.options_of_parts import ALONE, WITH_REFERENCES

    alone = " ".join(ALONE)
    return line.replace(alone, " ".join(WITH_REFERENCES)) if alone in line else ""


def _files(files: tuple[str, ...]) -> list[str]:
    """Return files, and the files in folders that are not one thing themselves."""
    from referenceless_metrics.advice.look.lines.layout import is_layout
    from referenceless_metrics.human_evaluation.exports.reading import SCORE_FORMS
    from referenceless_metrics.human_evaluation.exports.sighting import sight
    from referenceless_metrics.human_evaluation.forms import form_of
    from referenceless_metrics.human_evaluation.ratings.study_ratings import is_study

    found: list[str] = []
    for file in files:
        is_one = not Path(file).is_dir() or is_study(file) or is_layout(Path(file)) or are_documents(file)
        if is_one or form_of(sight(file), SCORE_FORMS) is not None:
            found.append(file)
            found += _beside(Path(file)) if is_layout(Path(file)) else []
            continue
        check_one_kind(file)
        held = sorted(each for each in Path(file).iterdir() if each.is_file())
        inside = [str(each) for each in held if not each.name.startswith(".")]
        inside += _few_below(Path(file)) if inside else []
        inside = inside or [str(each) for each in held if each.suffix in (".json", ".jsonl", ".csv", ".tsv")]
        inside = inside or _runs_below(Path(file), lambda folder: form_of(sight(folder), SCORE_FORMS) is not None)
        inside = inside or _files_below(Path(file))
        if not inside:
            raise InputError(f"{file}: the folder holds no files, nor do the folders in it")
        found += inside
    return found


def _files_below(folder: Path) -> list[str]:
    """Return the files in the folders of a folder, such as one for each system, and in those of these.

    A folder of texts counts as one file.

    Raises:
        InputError: for more files than are looked at.
    """
    files: list[str] = []
    level = [folder]
    for _ in range(_DEEPEST):
        level = [
            each for parent in level for each in sorted(parent.iterdir()) if each.is_dir() and not _is_hidden(each)
        ]
        files += [str(each) for each in level if are_documents(str(each))]
        level = [each for each in level if str(each) not in files]
        held = [each for parent in level for each in sorted(parent.iterdir()) if each.is_file()]
        files += [str(each) for each in held if not _is_hidden(each)]
        if len(files) > _MOST_RUNS:
            raise InputError(
                f"{folder}: its folders hold {len(files)} files or more; name those to look at, such as {files[0]}"
            )
    return sorted(files)


def _few_below(folder: Path) -> list[str]:
    """Return the files in the folders of a folder that holds files of its own; none if they are many."""
    try:
        return _files_below(folder)
    except InputError:
        return []


def _beside(folder: Path) -> list[str]:
    """Return the files that stand in a folder beside the folders that tell its layout, such as annotations."""
    return [str(each) for each in sorted(folder.iterdir()) if each.is_file() and not _is_hidden(each)]


def _is_hidden(file: Path) -> bool:
    return file.name.startswith(".")


def _on_folders(file: str, opened: Collection[Path]) -> list[str]:
    """Return the remark on the folders in a folder with files of its own, which nobody looked at, in a list."""
    from referenceless_metrics.advice.look.lines.layout import is_layout

    if not Path(file).is_dir() or is_layout(Path(file)):
        return []
    folders = [each for each in sorted(Path(file).iterdir()) if each.is_dir() and not _is_hidden(each)]
    inside = [each for each in folders if each not in opened]
    named = shortened(", ".join(each.name for each in inside), 120)
    return [f"{file}: folders in it were not looked at: {named} (look {quote(str(inside[0]))})"] if inside else []


def _runs_below(folder: Path, is_run: Callable[[str], bool]) -> list[str]:
    """Return the folders of a tool's runs below a folder without files, as HELM nests them; none for other folders."""
    level = [folder]
    for _ in range(_DEEPEST):
        level = sorted(each for parent in level for each in parent.iterdir() if each.is_dir())[:_MOST_RUNS]
        runs = [str(each) for each in level if is_run(str(each))]
        if runs or any(each.is_file() for parent in level for each in parent.iterdir()):
            return runs
    return []
