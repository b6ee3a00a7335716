"""The end of a message on files that a command could not use: command lines that fit them."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from referenceless_metrics.command_line.metric_command import pool_option, values_of
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import has_column
from referenceless_metrics.core.registry import metric_spec

Propose = Callable[[Sequence[str], Reading], Sequence[str]]
"""A function that returns command lines which fit some files, which are read in some way."""

_OF_DATA = ("--ratings", "--scores", "--pool")
"""Options whose values are tables of data, as arguments are."""

_LEARNING = {"fit": ("-o", "fitted.pool"), "calibrate": (), "evaluate": ()}
"""Commands that learn from rated texts, as `advise` does, with the further options that they need."""

_KEYS = tuple(f"--{kind}-column" for kind in ("item", "system", "rater", "cluster", "slice", "criterion"))
"""Options for columns that tell rows apart, which only the user may know."""

_CRITERIA = ("--rating-column", "--score-column")
"""Options for columns of which the user knows alone which are meant."""

_KEYS_OF_BOTH = ("--item-column", "--system-column", "--rater-column", "--cluster-column")
"""Options for columns of ratings that are held beside scores: they count in each file that has them."""

_OUTPUT = ("-o", "--output")
"""The option for the file that a command writes, which a line of the same command keeps."""

_BAD = "--bad"
"""The option for what counts as bad, which a line of the same command keeps, too."""

_ASKS_FOR_FIT = re.compile(r"`referenceless fit --metric (\w+)`")
"""The end of a message on a pool that should be a fitted file."""

_ASKS_FOR_ITEMS = re.compile(r"there is no column of items, and .*\(--item-column\), or .*\(--unpaired\)")
"""The part of a message on rows whose order does not tell items."""

_ASKS_FOR_ITEM = re.compile(r"no column (?:'item'|of items) by which")
"""The part of a message on ratings that do not tell the items of scores."""

_ASKS_FOR_UNPAIRED = re.compile(r"no common item.*--unpaired compares them", re.DOTALL)
"""The parts of a message on systems that share no item."""

_OF_OTHER_FILES = re.compile(r"\(--(sources|references)\)")
"""An option of files that stand beside those of texts: a line for these does not mend what a message says of it."""

_HAS_OPTIONS = ", give --rows-in "
"""Part of a message that says itself which options read the file."""

_HAS_ADVICE = "estimates each text from the others"
"""Part of a message that leads to `advise`: the scores that were given can be held against no ratings."""

_STUDY = "study.json"
"""The file that makes a folder a study: a message on another file in it is on an answer there."""

_NAMES_KEY = re.compile(rf"({'|'.join(_KEYS)}) [^N]")
"""An option of keys in a message, with a column that is there behind it."""

_OPTION = re.compile(r"--[a-z][a-z-]*")
"""Options in a message."""

_HEADING = "These command lines fit the file:"

_MOST = 6
"""Most command lines that are shown."""


class FilesUsageError(click.UsageError):
    """Files were given to a command in a way in which it does not take them; other command lines may fit them."""


def begins_with_file(message: str, group: click.Group, typed: Sequence[str]) -> bool:
    """Return whether a message begins with the name of a file that was given: then it is about the file's content.

    Args:
        message: the message, as `ratings.csv: …`, `ratings.csv, row 3: …`, or of a
            file in a folder, `results/run.json: …`.
        group: the command line.
        typed: the typed arguments.
    """
    context = command_context(group, typed)
    files = () if context is None else _files(context, typed[1:])
    return any(message.startswith((f"{file}:", f"{file},", f"{file}/", f"{file} and ")) for file in files)


def proposed_lines(message: str, group: click.Group, typed: Sequence[str], propose: Propose) -> list[str]:
    """Return the lines that end a message: command lines that fit the files that were given, if there are any.

    Those for the command that was typed are shown, or without any those for others, unless the message itself names the
    option that is needed.

    Args:
        message: the message. If it names some of the files, these alone are looked at.
        group: the command line.
        typed: the typed arguments.
        propose: returns command lines that fit files.
    """
    context = command_context(group, typed)
    leads_elsewhere = _OF_OTHER_FILES.search(message) or _HAS_OPTIONS in message or _HAS_ADVICE in message
    if context is None or leads_elsewhere:
        return []
    files = list(dict.fromkeys(_files(context, typed[1:])))
    if any(f"{file}/" in message and Path(file, _STUDY).is_file() for file in files):
        return []
    named = [file for file in files if file in message]
    reading = context.params.get("reading", Reading())
    program = group.name or "referenceless"
    if _is_of_other_file(context, typed, message):
        return []
    if _ASKS_FOR_UNPAIRED.search(message):  # whatever else was typed is read
        return [_HEADING, f"  {shlex.join([program, *typed, '--unpaired'])}"]
    lines = [line for line in propose(named or files, reading) if not _crosses(line, typed)]
    mended = _of_fit(group, lines, [program, *typed], message) or _of_pool(context, lines, [program, *typed])
    mended = mended or _of_ratings(context, lines, [program, *typed], message)
    mended = mended or _of_judged_scores(context, lines, [program, *typed], lambda file: propose([file], reading))
    if not mended:
        lines += _of_learning(context, lines, typed)
        lines = _of_texts(context, lines, [program, *typed]) or lines
        own = [line for line in lines if line.split()[1] == typed[0]]
        lines = own or ([] if _NAMES_KEY.search(message) else lines)
        lines = [_with_keys(line, [program, *typed], message, reading) for line in lines]
    lines = [line for line in mended or lines if not _fails_again(line, [program, *typed], message)]
    lines = [line for line in lines if not _drops_criteria(line, [program, *typed], message)]
    if not lines:
        return []
    return [_HEADING, *(f"  {line}" for line in lines[:_MOST])]


def _is_of_other_file(context: click.Context, typed: Sequence[str], message: str) -> bool:
    """Say whether a message is about a file beside those with data, such as that of sources: it names its option."""
    options = _options_of(context)
    named = [option for option in _OPTION.findall(message) if option in options and option not in _OF_DATA]
    return any(Path(value).exists() for option in named for value in values_of(typed, option))


def _crosses(line: str, typed: Sequence[str]) -> bool:
    """Say whether a line takes files of ratings for scores, or the other way around, if both were typed."""
    words = shlex.split(line)
    scores, ratings = (set(values_of(typed, option)) for option in ("--scores", "--ratings"))
    if not scores or not ratings:
        return False
    are_rated = set(values_of(words, "--scores")) & ratings - scores
    return bool(are_rated or set(values_of(words, "--ratings")) & scores - ratings)


def _fails_again(line: str, typed: Sequence[str], message: str) -> bool:
    """Say whether a line says no more than what was typed: it would fail for the same reason.

    One that leaves out what the message names is another line. If the message asks for items, a line of the same
    command that names none fails, too.
    """
    words = shlex.split(line)
    if _ASKS_FOR_ITEMS.search(message) and words[1] == typed[1] and not {"--item-column", "--unpaired"} & set(words):
        return True
    left_out = Counter(typed) - Counter(words)
    is_mended = any(repr(word) in message or word in _OPTION.findall(message) for word in left_out)
    return not Counter(words) - Counter(typed) and not is_mended


def _drops_criteria(line: str, typed: Sequence[str], message: str) -> bool:
    """Say whether a line of the typed command leaves out a column of ratings or scores that the user named.

    What the message names may be its cause, and is left out rightly.
    """
    words = shlex.split(line)
    named = [(option, value) for option in _CRITERIA for value in values_of(typed, option)]
    return words[1] == typed[1] and any(
        value not in values_of(words, option) and not _is_named(option, value, message) for option, value in named
    )


def _is_named(option: str, value: str, message: str) -> bool:
    """Say whether a message names a column; of those of ratings and scores it may name the one and not the other."""
    told = set(_OPTION.findall(message)) & set(_CRITERIA)
    return repr(str(value)) in message and (option not in _CRITERIA or not told or option in told)


def _with_keys(line: str, typed: Sequence[str], message: str, reading: Reading) -> str:
    """Return a line of the typed command with the columns of keys that were named, and which the line lacks.

    A column that the message names may be its cause, and is left out, as is one that none of the line's files has, or
    that is another key of the line.
    Scores that were typed with ratings keep these. Outputs for inputs of their own have no keys.
    """
    words = shlex.split(line)
    are_apart = "--unpaired" in words and not {"--scores", "--ratings"} & set(words)
    if words[1] != typed[1] or are_apart:
        return line
    of_items, *of_others = _KEYS
    keys = [(of_items, value) for value in values_of(typed, of_items)]
    keys += [(option, value) for option in of_others for value in values_of(typed, option)[-1:]]
    files = [word for word in words[2:] if Path(word).is_file()]
    keys = [
        (option, value)
        for option, value in keys
        if Path(value).is_file() or any(has_column(file, reading, value) for file in files)
    ]
    if values_of(words, "--scores") and set(values_of(words, "--scores")) <= set(values_of(typed, "--scores")):
        of_ratings = ("--ratings", "--rating-column", "--values") if values_of(typed, "--ratings") else ()
        words = [word for word in words if not of_ratings or word != "--unpaired"]  # it compares systems alone
        keys += [(option, value) for option in of_ratings for value in values_of(typed, option)]
    added = [
        (option, value)
        for option, value in keys
        if not values_of(words, option) and not _is_named(option, value, message) and value not in _keys_in(words)
    ]
    further = [*words, *(word for pair in added for word in pair)]
    if not {*_OUTPUT} & {*words}:
        further += [word for option in _OUTPUT for value in values_of(typed, option)[-1:] for word in (option, value)]
    if _BAD not in words:
        further += [word for value in values_of(typed, _BAD)[-1:] for word in (_BAD, value)]
    return line if sorted(further) == sorted(typed) else shlex.join(further)


def _keys_in(words: Sequence[str]) -> list[str]:
    """Return the columns of keys that a line names."""
    return [value for option in _KEYS for value in values_of(words, option)]


def _of_texts(context: click.Context, lines: Sequence[str], typed: Sequence[str]) -> list[str]:
    """Return the typed arguments with the options by which `score` would find the texts, if the command takes these.

    Of a table of several systems they are those of `compare`, if the command takes them. Nothing if there is a line for
    that command already, unless it is `score` itself, and for the file of ratings or scores beside the texts.
    """
    if context.info_name != "score" and _line_of(context.info_name or "", lines) is not None:
        return []
    for line in filter(None, (_line_of("compare", lines), _line_of("score", lines))):
        _, command, file, *options = shlex.split(line)
        names = set(options[::2])
        is_usable = command == "score" or "--system-column" in names
        is_beside = any(file in values_of(typed, option) for option in ("--ratings", "--scores"))
        are_paired = len(options) % 2 == 0  # as those of a line for one file without flags
        if not is_usable or is_beside or not names or not are_paired:
            continue
        pairs = list(zip(options[::2], options[1::2], strict=True))
        lacking = [pair for pair in pairs if not values_of(typed, pair[0])]
        are_as_typed = all(values_of(typed, option)[-1:] in ([], [value]) for option, value in pairs)
        if lacking and are_as_typed and names <= _options_of(context).keys():
            return [shlex.join([*typed, *(word for pair in lacking for word in pair)])]
    return []


def _of_pool(context: click.Context, lines: Sequence[str], typed: Sequence[str]) -> list[str]:
    """Return the typed arguments with the columns by which `advise` would read the pool, if the command takes a pool.

    An option for the columns of texts goes if it can only have been meant for the pool: lines of text have none.
    """
    advised = _line_of("advise", lines) or _line_of("score", lines)
    if advised is None:
        return []
    taken = _options_of(context)
    _, _, file, *options = shlex.split(advised)
    if file not in values_of(typed, "--pool"):
        return []
    columns: list[str] = []
    for option, value in zip(options[::2], options[1::2], strict=True):
        if pool_option(option) in taken:
            columns += [pool_option(option), value]
    given = [value for option in dict.fromkeys(columns[::2]) for value in values_of(typed, option)]
    if given == columns[1::2]:
        return []
    others = list(_files(context, typed[2:]))
    others.remove(file)  # once: it may hold the texts, too
    have_columns = any(Path(other).suffix != ".txt" for other in others)
    replaced = {*columns[::2], *(option for option in options[::2] if option not in taken)}
    if not have_columns:
        replaced.add("--text-column")
    return [shlex.join([*without_options(typed, replaced), *columns])]


def _of_fit(group: click.Group, lines: Sequence[str], typed: Sequence[str], message: str) -> list[str]:
    """Return the line that fits a metric to rated texts, and the typed line with the fitted metric.

    Nothing unless the message asks for a file that `fit` wrote, and the typed pool holds rated texts.
    """
    asked = _ASKS_FOR_FIT.search(message)
    advised = _line_of("advise", lines)
    if asked is None or advised is None:
        return []
    program, _, file, *options = shlex.split(advised)
    if file not in values_of(typed, "--pool"):
        return []
    fit = ["fit", file, "--metric", asked[1]]
    context = command_context(group, [*fit, "-o", "x"])
    taken = set() if context is None else _options_of(context).keys()
    columns = [word for pair in zip(options[::2], options[1::2], strict=True) if pair[0] in taken for word in pair]
    fitted = str(Path(file).with_suffix(".index"))
    again = [word.replace(file, fitted) if word in (file, f"--pool={file}") else word for word in typed]
    return [shlex.join([program, *fit, *columns, "-o", fitted]), shlex.join(again)]


def _of_ratings(context: click.Context, lines: Sequence[str], typed: Sequence[str], message: str) -> list[str]:
    """Return the typed arguments with the columns of ratings that `human-score` would read, if the command takes these.

    `human-score` itself has a line already. The columns that join ratings with scores are taken beside scores, and that
    of items if the message asks for one.
    """
    of_people = [shlex.split(line) for line in lines if line.split()[1] == "human-score"]
    of_criteria = [words for line in of_people for words in _by_each_criterion(line)]
    rated = of_criteria[0] if of_criteria else []
    file = next(iter(values_of(rated, "--ratings")), None)
    if context.info_name == "human-score" or file not in values_of(typed, "--ratings"):
        return []
    scored = shlex.split(_line_of("score", lines) or "")
    found = {option: values_of(rated, option) for option in ("--rating-column", "--values", "--ratings-text-column")}
    if file in scored and not found["--ratings-text-column"]:
        found["--ratings-text-column"] = values_of(scored, "--text-column")
    keys = ["--item-column"] if _ASKS_FOR_ITEM.search(message) else []
    if context.info_name == "evaluate" and values_of(typed, "--scores"):
        keys = [*_KEYS_OF_BOTH]
    found |= {option: values_of(rated, option) for option in keys}
    lacking = [option for option in found if option in _options_of(context) and not values_of(typed, option)]
    others = [other for other in _files(context, typed[2:]) if other != file]
    # Lines of text have no columns: the column can only have been meant for the ratings.
    useless = {"--text-column"} if others and all(Path(other).suffix == ".txt" for other in others) else set()
    mended = []
    for words in of_criteria if "--rating-column" in lacking else of_criteria[:1]:  # any criterion may be meant
        if values_of(words, "--ratings")[:1] == [file]:
            found |= {option: values_of(words, option) for option in ("--rating-column", "--values")}
            further = [word for option in lacking for value in found[option] for word in (option, value)]
            mended += [shlex.join([*without_options(typed, useless), *further])] if further else []
    return list(dict.fromkeys(mended))


def _by_each_criterion(words: Sequence[str]) -> list[list[str]]:
    """Return the words of a line on several criteria with one of them each; of another line as they are.

    >>> _by_each_criterion(["a.csv", "--rating-column", "x", "--rating-column", "y", "--columns-are", "criteria"])
    [['a.csv', '--rating-column', 'x'], ['a.csv', '--rating-column', 'y']]
    """
    if values_of(words, "--columns-are") != ["criteria"] or values_of(words, "--rows-in"):
        return [list(words)]
    plain = without_options(words, {"--rating-column", "--columns-are"})
    return [[*plain, "--rating-column", name] for name in values_of(words, "--rating-column")]


def _of_judged_scores(
    context: click.Context, lines: Sequence[str], typed: Sequence[str], lines_of: Callable[[str], Sequence[str]]
) -> list[str]:
    """Return the typed arguments with the columns by which `compare` would read the scores, if ratings were typed, too.

    Nothing if the scores have their column already. Of several files each has its own.

    Args:
        context: the typed command.
        lines: command lines that fit the files that the message names.
        typed: the typed arguments.
        lines_of: returns command lines that fit one file.
    """
    scored = shlex.split(_line_of("compare", lines) or "")
    files, named = values_of(typed, "--scores"), values_of(typed, "--score-column")
    are_typed = bool(values_of(scored, "--scores")) and set(values_of(scored, "--scores")) <= set(files)
    if not are_typed or not values_of(typed, "--ratings") or (named and len(files) == 1):
        return []
    taken = _options_of(context)
    lacking = [option for option in ("--score-column", "--system-column", "--item-column") if option in taken]
    found = {option: values_of(scored, option) for option in lacking if not values_of(typed, option)}
    if len(files) > 1 and "--score-column" in taken and values_of(scored, "--score-column"):
        reading = context.params.get("reading", Reading())
        others = [file for file in files if not any(has_column(file, reading, name) for name in named)]
        of_files = [shlex.split(_line_of("compare", lines_of(file)) or "") for file in others]
        columns = [name for words in of_files for name in values_of(words, "--score-column")[:1] or ["score"]]
        found["--score-column"] = list(dict.fromkeys(columns))
    further = [word for option, names in found.items() for name in names for word in (option, name)]
    return [shlex.join([*typed, *further])] if further else []


def without_options(typed: Sequence[str], options: Collection[str]) -> list[str]:
    """Return the words of a command line without some options and their values.

    >>> without_options(["serve", "--text-column", "a", "--port=1", "--host", "b"], {"--text-column", "--port"})
    ['serve', '--host', 'b']
    """
    kept = []
    before = ""
    for word in typed:
        if word.partition("=")[0] not in options and before not in options:
            kept.append(word)
        before = word
    return kept


def _of_learning(context: click.Context, lines: Sequence[str], typed: Sequence[str]) -> list[str]:
    """Return the command line of `advise` as one of the typed command, if this reads rated texts, too."""
    command = context.info_name
    advised = _line_of("advise", lines)
    names = values_of(typed, "--metric")[:1]
    if advised is None or command not in _LEARNING or "--scores" in typed:
        return []
    if command == "evaluate" and names and metric_spec(names[0]).evaluate is None:
        return []  # such a metric has learned before
    program, _, file, *options = shlex.split(advised)
    taken = _options_of(context)
    words = [program, command, file]
    for option, value in zip(options[::2], options[1::2], strict=True):
        words += [option, value] if option in taken else []
    words += [word for name in names for word in ("--metric", name)]
    is_output_named = any(values_of(typed, option) for option in _OUTPUT)
    return [shlex.join([*words, *([] if is_output_named else _LEARNING[command])])]


def _line_of(command: str, lines: Sequence[str]) -> str | None:
    """Return the first command line of a command; None if there is none."""
    return next((line for line in lines if line.split()[1] == command), None)


def _options_of(context: click.Context) -> dict[str, Any]:
    """Return the parameters of a command by the names under which they are typed."""
    return {name: each for each in context.command.get_params(context) for name in each.opts}


def command_context(group: click.Group, typed: Sequence[str]) -> click.Context | None:
    """Return the context of the command that was typed, as far as its options can be read; None for no command."""
    with suppress(Exception):  # a message is printed, whatever goes wrong here
        command = group.get_command(click.Context(group), typed[0])
        if command is not None:
            return command.make_context(typed[0], list(typed[1:]), resilient_parsing=True)
    return None


def _files(context: click.Context, words: Sequence[str]) -> Iterator[str]:
    """Yield the files with data among words: arguments, and values of some options."""
    options = _options_of(context)
    before = ""
    for word in words:
        option, equals, value = word.partition("=")
        if equals and option in _OF_DATA and Path(value).exists():
            yield value
        taker = options.get(before)
        is_value = taker is not None and not getattr(taker, "is_flag", False)
        if not word.startswith("-") and (before in _OF_DATA or not is_value) and Path(word).exists():
            yield word
        before = word
