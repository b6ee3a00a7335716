"""Running the code blocks of a document: Python as doctests or programs, commands, and the rest read at least."""

import contextlib
import doctest
import io
import json
import re
import shlex
import subprocess
import tomllib

import yaml
from click.testing import CliRunner
from text_files import ROOT, read, write

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Commands that are checked and not run: they would install, or run this very suite, or build the site that has a test
#: of its own.
_CHECKED = ("pip", "pytest", "mkdocs")
#: Packages that the tests do not bring, since they ask for versions that others do not take; their blocks run if they
#: are there.
_FRAMEWORKS = (
    "autoevals datatrove deepeval dspy evalscope inspect_ai langfuse langsmith lighteval lm_eval mlflow "
    "opencompass opik phoenix polars pydantic_evals pyspark ragas trl unitxt wandb weave"
).split()


def blocks(document):
    """Return the language and the content of each fenced block of a document, or of a part of one."""
    return _BLOCK.findall(document if isinstance(document, str) else read(document))


def run_document(path, folder, **names):
    """Run every block in order, in a folder, and return their number.

    Python blocks share their names, `names` among them. One that begins with `>>>` is a doctest, another a program.
    """
    namespace = dict(names)
    found = blocks(path)
    with contextlib.chdir(folder):
        for language, block in found:
            runner = _RUNNERS.get(language)
            assert runner is not None, f"{path.name}: a block of {language!r} that no test runs"
            runner(block, namespace, path.name)
    return len(found)


def _python(block, namespace, name):
    if not block.startswith(">>> "):
        try:
            exec(compile(block, name, "exec"), namespace)
        except ImportError as error:
            if error.name not in _FRAMEWORKS:
                raise
        return
    _doctest(block, namespace, name, FLAGS)


def _doctest(text, namespace, name, flags):
    test = doctest.DocTestParser().get_doctest(text, namespace, name, name, 0)
    output = []
    result = doctest.DocTestRunner(verbose=False, optionflags=flags).run(test, out=output.append, clear_globs=False)
    namespace.update(test.globs)
    assert result.failed == 0, "".join(output)
    return result.attempted


def _shell(block, _, name):
    extras = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["optional-dependencies"]
    for line in block.splitlines():
        for command in line.split(" && "):
            words = shlex.split(command, comments=True)
            if not words:
                continue
            if words[0] in _CHECKED:
                named = re.search(r"\[([\w,-]+)\]", command)
                assert named is None or set(named[1].split(",")) <= set(extras), f"{name}: no such extra: {command}"
            elif words[0] == "referenceless" and "|" not in words:
                _command(words, name)
            else:
                subprocess.run(["bash", "-euo", "pipefail", "-c", command], check=True, timeout=60)


def _console(block, namespace, name):
    """Run the lines after a prompt; the others are their output."""
    prompts = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    _shell("\n".join(prompts), namespace, name)


def _command(words, name):
    """Run one of the project's commands in this process, with `> FILE` as a shell has it."""
    from referenceless_metrics.cli import cli

    arguments, target = words[1:], None
    if ">" in arguments:
        place = arguments.index(">")
        arguments, target = arguments[:place], arguments[place + 1]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, f"{name}: {shlex.join(words)}\n{done.output[-2000:]}"
    if target is not None:
        write(target, done.stdout)


def _yaml(block, _, name):
    class Loader(yaml.SafeLoader): ...

    Loader.add_constructor("!function", lambda loader, node: _resolved(loader.construct_scalar(node), name))
    yaml.load(io.StringIO(block), Loader)


def _resolved(path, name):
    module, attribute = str(path).rsplit(".", 1)
    import importlib

    return getattr(importlib.import_module(module), attribute)


def _json(block, _, name):
    json.loads(block)


def _nothing(block, _, name):
    """Text is for reading."""


_RUNNERS = {
    "python": _python,
    "sh": _shell,
    "console": _console,
    "yaml": _yaml,
    "json": _json,
    "text": _nothing,
    "": _nothing,
}


def run_examples(path, **names):
    """Run the doctests of a card, with `names` defined, and return their number; every Python block must be one."""
    card = read(path)
    for language, block in blocks(card):
        assert language in ("python", "bibtex"), f"{path.name}: a block of {language!r} that no test runs"
        if language == "python":
            starts = [line[:4] for line in block.splitlines() if line.startswith((">>> ", "... "))]
            assert starts[:1] == [">>> "], f"{path.name}: an example that is no doctest:\n{block}"
    return _doctest(card, names, path.name, 0)
