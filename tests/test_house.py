"""The rules by which the rooms stand on one another: floors, circles and names."""

import ast
import re
from collections import defaultdict
from functools import cache
from itertools import product

import pytest
from text_files import ROOT, read

HOUSE = "referenceless_metrics"  # its folders are rooms; each other package is one room

#: Rooms from the ground up: a room imports from floors below its own, never from its own floor or above.
FLOORS = (
    {"core"},
    {"assessment"},
    {"pages"},
    {"command_line"},
    {"human_evaluation", "datasets"},
    {"frameworks"},
    {"bleu_neighbors_metric", "slor_metric"},
    {"quality_estimation_metric"},
    {"comparison"},
    {"scoring"},
    {"selection", "advice", "huse"},
    {"front door"},  # the files of the house itself
    {"referenceless_papers"},  # below papers/, a distribution of its own
    {"metrics", "examples"},
)
FLOOR = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
PACKAGES = [HOUSE, "bleu_neighbors_metric", "slor_metric", "quality_estimation_metric"]
EVERY_PACKAGE = [*PACKAGES, "referenceless_papers", "metrics", "examples"]

#: Modules that name others in strings by design: the front door's list of commands, and the two doors out of core.
NAMES_ROOMS_ABOVE = {"referenceless_metrics.core.seams"}


def modules():
    found = {}
    for base, package in product((ROOT, ROOT / "papers"), EVERY_PACKAGE):
        for path in (base / package).rglob("*.py"):
            parts = path.relative_to(base).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()
pytestmark = pytest.mark.skipif("metrics.slor.slor" not in MODULES, reason="needs the project's source tree")


_FOR_TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t].*\n|\n)*", re.MULTILINE)
_IMPORT = re.compile(r"^( *)(?:from ([\w.]+) import (\([^)]*\)|.+)|import ([\w.]+))", re.MULTILINE)


@cache
def statements(module):
    """The imports of a module: whether each stands at its top, the module that it names, and the names it takes.

    Those for type checkers alone are left out.
    """
    found = []
    for indent, package, names, whole in _IMPORT.findall(_FOR_TYPES.sub("", read(MODULES[module]))):
        assert not (package or whole).startswith("."), f"{module}: imports are absolute here"
        listed = re.sub("#.*", "", names).strip("() ").split(",")
        found.append((indent == "", package or whole, [name.split()[0] for name in listed if name.strip()]))
    return found


@cache
def imports(module):
    """The project's modules that one imports anywhere, lazily too, but not for type checkers alone."""
    found = set()
    for _, package, names in statements(module):
        wholes = [f"{package}.{name}" for name in names]
        found |= {whole if whole in MODULES else package for whole in wholes} or {package}
    return {name for name in found if name in MODULES and name != module}


def run(module):
    """The imports of a module that run at once: those at its top, and the packages around them."""
    parts = [(package, names) for at_top, package, names in statements(module) if at_top]
    found = {name for package, names in parts for each in names for name in (package, f"{package}.{each}")}
    around = {".".join(name.split(".")[:depth]) for name in found for depth in range(2, name.count(".") + 1)}
    own = {".".join(module.split(".")[:depth]) for depth in range(1, module.count(".") + 2)}
    return {name for name in found | around if name in MODULES} - own


def room(module):
    package, _, rest = module.partition(".")
    if package != HOUSE:
        return package
    first, _, inner = rest.partition(".")
    return first if inner or first in FLOOR else "front door"


def named_in_strings(module):
    """The project's modules that stand in strings `module` or `module:attribute`."""
    names = set(re.findall(r"""["']((?:\w+\.)+\w+)(?::[\w.]+)?["']""", read(MODULES[module])))
    return {name for name in names if name in MODULES and name != module}


def strings_outside_docstrings(path):
    """The texts of a module that a user may come to read."""
    tree = ast.parse(read(path))
    described = [node for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    docstrings = {id(node.value) for node in described}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings)
    return [node.value for node in constants if isinstance(node.value, str)]


def upward(module, others):
    here = room(module)
    return [f"{module} -> {other}" for other in others if room(other) != here and FLOOR[room(other)] >= FLOOR[here]]


def test_every_room_stands_on_a_floor():
    assert {room(module) for module in MODULES} <= FLOOR.keys()


def test_no_room_imports_from_its_own_floor_or_above():
    assert [arrow for module in MODULES for arrow in upward(module, imports(module))] == []


def test_no_room_names_a_module_of_its_own_floor_or_above_in_a_string():
    named = [
        arrow for module in MODULES.keys() - NAMES_ROOMS_ABOVE for arrow in upward(module, named_in_strings(module))
    ]
    assert named == []


def test_no_message_names_a_path_that_a_clone_alone_has():
    paths = re.compile(
        r"(?<![\w/.-])(?:docs|papers|tests|hub_cards)/[\w/]+\.md|(?:ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md"
    )
    suspects = [
        path for module, path in MODULES.items() if module.split(".")[0] in PACKAGES and paths.search(read(path))
    ]
    templates = [path for package in PACKAGES for path in (ROOT / package).rglob("*.j2")]
    named = [text for path in suspects for text in strings_outside_docstrings(path) if paths.search(text)]
    assert named == []
    assert [path for path in templates if paths.search(read(path))] == []


def test_no_room_is_called_after_what_all_share():
    vague = {"common", "commons", "utils", "util", "misc", "helpers"}
    shipped = [module for module in MODULES if module.split(".")[0] in PACKAGES]
    assert [module for module in shipped if vague & set(module.split("."))] == []


@pytest.mark.parametrize("imports", [imports, run])
def test_no_modules_import_one_another_in_a_circle(imports):
    waiting = {module: imports(module) for module in MODULES}
    importers = defaultdict(set)
    for module, others in waiting.items():
        for other in others:
            importers[other].add(module)
    free = [module for module, others in waiting.items() if not others]
    while free:  # take away whoever imports nothing that is left, until only circles remain
        gone = free.pop()
        del waiting[gone]
        for module in importers[gone]:
            waiting[module].discard(gone)
            if not waiting[module]:
                free.append(module)
    assert sorted(waiting) == []


ARCHITECTURE = ROOT / "ARCHITECTURE.md"
needs_architecture = pytest.mark.skipif(not ARCHITECTURE.is_file(), reason="needs the project's documentation")


@needs_architecture
def test_the_architecture_shows_the_floors_as_they_are():
    shown = {}
    for level, rooms in re.findall(r"^\| (\d+) \| ([^|]+) \|", read(ARCHITECTURE), re.MULTILINE):
        shown[int(level)] = {"front door"} if "front door" in rooms else set(re.findall(r"`(\w+)/`", rooms))
    shown[FLOOR["referenceless_papers"] + 1] = {"referenceless_papers"}  # which lies in papers/
    assert shown == dict(enumerate(FLOORS, start=1))


@needs_architecture
def test_the_files_that_the_architecture_names_are_there():
    named = re.findall(r"`([\w/]+\.(?:py|cpp|toml))`", read(ARCHITECTURE))
    rooms = [ROOT / room for room in (*EVERY_PACKAGE, "native", "papers", "tests", "docs")]
    paths = [*ROOT.glob("*.*"), *(path for room in rooms for path in room.rglob("*.*"))]
    files = {path.relative_to(ROOT).as_posix() for path in paths}
    assert [name for name in named if not any(f"/{file}".endswith(f"/{name}") for file in files)] == ["kernels/NAME.py"]
