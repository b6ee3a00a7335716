"""The rules by which the packages stand on one another: floors, circles, rooms and the size of the whole."""

import ast
import tokenize
from collections import defaultdict
from itertools import product

import pytest
from text_files import ROOT, read

FLOORS = (
    {"metric_commons"},
    {"bleu_neighbors_metric", "slor_metric"},
    {"quality_estimation_metric"},
    {"referenceless_metrics"},
    {"referenceless_papers"},  # below papers/, a distribution of its own
    {"metrics", "examples"},
)
FLOOR = {name: level for level, names in enumerate(FLOORS) for name in names}
MOST_ROOMS = {
    "metric_commons": 13,
    "bleu_neighbors_metric": 14,
    "slor_metric": 14,
    "quality_estimation_metric": 13,
    "referenceless_metrics": 13,
}
MOST_FILES, MOST_TOKENS = 300, 209_500  # of the product, without papers/
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def modules():
    found = {}
    for base, package in product((ROOT, ROOT / "papers"), FLOOR):
        for path in (base / package).rglob("*.py"):
            parts = path.relative_to(base).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()
pytestmark = pytest.mark.skipif("metrics.slor.slor" not in MODULES, reason="needs the project's source tree")


def imports(module):
    """The project's modules that one imports anywhere, lazily too, but not for type checkers alone."""
    path = MODULES[module]
    tree = ast.parse(read(path))
    tree.body = [
        node for node in tree.body if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
    ]
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in MODULES else node.module or "")
    return {name for name in found if name in MODULES and name != module}


def run(module):
    """What an import of a module runs at once: what it imports at its top, and the packages around that."""
    parts = [node for node in ast.parse(read(MODULES[module])).body if isinstance(node, ast.ImportFrom)]
    found = {name for node in parts for alias in node.names for name in (node.module, f"{node.module}.{alias.name}")}
    around = {".".join(name.split(".")[:depth]) for name in found for depth in range(2, name.count(".") + 1)}
    own = {".".join(module.split(".")[:depth]) for depth in range(1, module.count(".") + 2)}
    return {name for name in found | around if name in MODULES} - own


def test_no_package_imports_from_its_own_floor_or_above():
    upward = [
        f"{module} -> {other}"
        for module in MODULES
        for other in imports(module)
        if (here := module.split(".")[0]) != (there := other.split(".")[0]) and FLOOR[there] >= FLOOR[here]
    ]
    assert upward == []


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


@pytest.mark.parametrize("package", MOST_ROOMS)
def test_a_package_has_few_rooms(package):
    rooms = {
        path.relative_to(ROOT / package).parts[0] for path in MODULES.values() if path.is_relative_to(ROOT / package)
    }
    assert len(rooms - {"__init__.py"}) <= MOST_ROOMS[package]


def test_the_product_stays_small():
    shipped = [path for module, path in MODULES.items() if FLOOR[module.split(".")[0]] < FLOOR["referenceless_papers"]]
    assert len(shipped) <= MOST_FILES
    assert sum(map(n_tokens, shipped)) <= MOST_TOKENS


def n_tokens(path):
    """Tokens of code in a file, without comments, layout and strings that stand alone (docstrings)."""
    alone = {
        (node.lineno, node.col_offset)
        for node in ast.walk(ast.parse(read(path)))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    with tokenize.open(path) as file:
        tokens = tokenize.generate_tokens(file.readline)
        return sum(token.type not in LAYOUT and token.start not in alone for token in tokens)
