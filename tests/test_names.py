"""Every name that code, docstrings and documents point to is there: objects, files, options, commands, parameters."""

import ast
import builtins
import json
import keyword
import pkgutil
import re
import shlex
import sys
import tomllib
from collections import defaultdict
from functools import cache
from importlib.util import find_spec

import click
import pytest
from command_lines import commands
from text_files import ROOT, read

from metric_commons.cli.metric_options import options_for
from metric_commons.registry import metric_names, metric_specs
from referenceless_metrics.cli import cli

FOLDERS = [path.parent for path in (*ROOT.glob("*_[cm]*/__init__.py"), *ROOT.glob("papers/*/__init__.py"))]
PACKAGES = tuple(folder.name for folder in FOLDERS)
pytestmark = pytest.mark.skipif(not (ROOT / "ARCHITECTURE.md").is_file(), reason="needs the project's source tree")

#: What stands in backticks and is a name of other packages or programs, or a word of files, examples and formulas.
FOREIGN = set(
    """
    BLEU_NEIGHBORS_DATA HF_EVALUATE_OFFLINE CXX HF_TOKEN PROMPTFOO_PYTHON PYSPARK_PYTHON app.py torchrun llm
    tabulator viewBox elem_id st_ctime nogil fish_source zsh_source --log_samples P_n p_M w_s n_models mean_slor
    DatasetDict get_dataset_config_names get_dataset_split_names conditional_score score_multi use_stemmer bos_token
    single_meteor_score trigger metric.set_dtype EvalPrediction Seq2SeqTrainer Trainer GRPOTrainer compute_metrics
    mlflow.genai.evaluate mlflow.models.evaluate predict_with_generate include_for_metrics metric_for_best_model
    report_to eval/ eval_bleu eval_bleu_neighbors
    LightevalTaskConfig MetricCollection MetricTracker MinMaxMetric Task assert_test doc_to_target metric_list
    dspy.Evaluate evaluator_config extra_metrics scorers run_experiment filter_reason
    spark.pyspark.python spark.sql.execution.arrow.maxRecordsPerBatch spark.task.resource.gpu.amount
    HUMAN_SUM SUM Input.CTX0 Input.LOGP0 Input.OUT0 Input.TYPE0 W001 W002 set_1 set_10 usr/ ratings/ reference_1
    reset eval_bleu_neighbors_coverage __test__ goodbye name pricerange jiwer wer load_dataset
    dialogue_judgements language_model_judgements cross_val_score cross_val_predict GridSearchCV GroupKFold
    StackingRegressor neg_mean_squared_error r2 one_d_array
    """.split()
)
SUFFIX = re.compile(r"\.(csv|txt|tsv|jsonl?|npz|index|safetensors|html|j2|ya?ml|xz|journal|partial|svg|png)$")
FILE = re.compile(r"[\w./]+(\.py|\.md|\.toml|/)")


@cache
def modules():
    """The nodes of every module of the project by their type, its strings, and the prose of docstrings and comments."""
    found = {}
    for folder in FOLDERS:
        for path in folder.rglob("*.py"):
            name = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
            nodes = found[name] = defaultdict(list)
            for node in ast.walk(ast.parse(source := read(path))):
                nodes[type(node)].append(node)
            strings = {id(node): node.value for node in nodes[ast.Constant] if isinstance(node.value, str)}
            alone = [strings.pop(id(node.value), "") for node in nodes[ast.Expr]]
            nodes["prose"] = [*alone, *re.findall(r"^ *#.*", source, re.MULTILINE)]
            nodes["string"] = strings.values()
    return found


@cache
def there(path):
    """Whether a dotted path leads to a module or to what it holds."""
    try:
        pkgutil.resolve_name(path)
    except (ImportError, AttributeError):
        return path in modules()  # a module whose framework is not installed here
    return True


def places():
    """Every `module:attribute` of the code, with the module that writes it, and those of the entry points."""
    form = re.compile(r"[a-z_]\w*(\.\w+)*:[A-Za-z_]\w*(\.\w+)*")
    for module, nodes in modules().items():
        for text in filter(form.fullmatch, nodes["string"]):
            target, _, attribute = text.partition(":")
            if "." in target or attribute != attribute.lower():  # others are data sets, such as `huse:dialogue`
                yield text, module
    for file in ("pyproject.toml", "papers/pyproject.toml"):
        project = tomllib.loads(read(ROOT / file))["project"]
        for group in (project.get("scripts", {}), *project["entry-points"].values()):
            yield from ((place, "") for place in group.values())


def test_what_a_string_names_is_there():
    """As it is written, or as it is seen from the module that writes it or a package around that."""
    dead = set()
    for place, module in places():
        around = module.split(".") if module else []
        seen = (".".join((*around[:depth], place)) for depth in range(len(around) + 1))
        if not any(there(path) for path in seen if path.startswith(PACKAGES)):
            dead.add(f"{module or 'pyproject.toml'}: {place}")
    assert dead == set()


def options():
    """Every option of every command, with those of each metric."""
    found, context = {"--help", "--help-all", "--version"}, click.Context(cli)
    parameters = [one for _, command in commands() for one in command.get_params(context)]
    for spec in metric_specs():
        parameters += options_for(spec).shown
        parameters += [one for part in ("fit", "evaluate") if getattr(spec, part) for one in spec.load(part).params]
    return found.union(*((*one.opts, *one.secondary_opts) for one in parameters))


class Names:
    """What the code defines: names of modules and objects, members of objects, parameters by callable, and strings."""

    def __init__(self):
        self.modules = {part for module in modules() for part in module.split(".")}
        self.objects, self.members, self.strings, self.own = set(), set(), set(), {}
        self.parameters, self.bases = defaultdict(set), {}
        for module, nodes in modules().items():
            self.strings.update(nodes["string"])
            self.members |= {node.attr for node in nodes[ast.Attribute]}
            stored = {node.id for node in nodes[ast.Name]}
            for function in nodes[ast.FunctionDef]:
                self.parameters[function.name] |= accepted(function)
            for node in nodes[ast.ClassDef]:
                fields = [part.target.id for part in node.body if isinstance(part, ast.AnnAssign)]
                methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
                self.members |= {*fields, *(method.name for method in methods)}
                self.parameters[node.name] = {*fields}.union(*(accepted(m) for m in methods if m.name == "__init__"))
                self.bases[node.name] = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
            self.objects |= stored | {node.name for kind in (ast.ClassDef, ast.FunctionDef) for node in nodes[kind]}
            imported = {alias.name for node in nodes[ast.ImportFrom] for alias in node.names}
            self.own[module] = stored | imported | {node.arg for node in nodes[ast.arg]}
            self.own[module] |= {node.name for kind in (ast.ClassDef, ast.FunctionDef) for node in nodes[kind]}

    def parameters_of(self, name):
        """What a function or class accepts by name, `**` among it where that is anything."""
        return self.parameters[name].union(*(self.parameters_of(base) for base in self.bases.get(name, ())))


def accepted(function):
    given = function.args
    return {"**"} if given.kwarg else {arg.arg for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs)}


def pointers():
    """Every piece of code in backticks of docstrings and documents, with where it stands."""
    code = re.compile(r"(?<!`)`(\w|[^\s`][^`\n]*[^\s`])`(?!`)")
    for module, nodes in modules().items():
        for text in nodes["prose"]:
            examples = re.compile(r"^ *(>>>|\.\.\.) .*$", re.MULTILINE)
            yield from ((module, piece) for piece in code.findall(examples.sub("", text)))
    documents = [
        ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "CONTRIBUTING", "SECURITY", "papers/README")
    ]
    for path in (*documents, *(ROOT / "docs").rglob("*.[mi][dp]*"), *(ROOT / "hub_cards").rglob("*.md")):
        text = read(path)
        if path.suffix == ".ipynb":
            cells = json.loads(text)["cells"]
            text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
        yield from ((path.relative_to(ROOT).as_posix(), piece) for piece in code.findall(text))


class Known:
    """Tells whether what a piece of code points to is there."""

    def __init__(self):
        self.names, self.options = Names(), options()
        self.commands = {" ".join(path) for path, _ in commands()}
        self.files = [f"/{path.relative_to(ROOT)}/" for path in (*ROOT.glob("*"), *ROOT.glob("[!.]*/**/*"))]
        extras = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["optional-dependencies"]
        arguments = set().union(*self.names.parameters.values())
        self.members = self.names.members | self.names.strings
        self.words = (
            self.names.objects
            | self.names.modules
            | self.members
            | arguments
            | {*extras, *dir(builtins), *keyword.kwlist, *FOREIGN}
        )

    def __call__(self, where, code):
        if SUFFIX.search(code) or FOREIGN & {code, re.split(r" ?[=(]", code)[0]}:
            return True
        if FILE.fullmatch(code):
            return "NAME" in code or any(f"/{code.removesuffix('/')}/" in file for file in self.files)
        if re.fullmatch(r"[A-Za-z_][\w.]*", code):
            return self.name(where, *code.split("."))
        program = code.partition(" ")[0]
        if program == "referenceless" or program in self.commands or program.startswith("--"):
            return self.command(shlex.split(code.replace("'", "")))
        return self.expression(where, code)

    def name(self, where, head, *members):
        own = self.names.own.get(where)
        if not members:
            part = re.sub(f"^({'|'.join(metric_names())})?_", "", head)  # such as `slor_reason` or `_reason`
            return head in (own or ()) or not self.words.isdisjoint((part, head)) or installed(head)
        path = ".".join((head, *members))
        if path in self.names.strings or path in modules() or installed(head):
            return True
        if head in PACKAGES:
            return there(path)
        for depth in range(1, len(members) + 1):
            seen, member = ".".join((".", head, *members[: depth - 1]))[1:], members[depth - 1]
            around = [module for module in modules() if f".{module}".endswith(seen)]
            if any(f"{module}.{member}" in modules() or member in self.names.own[module] for module in around):
                return self.members.issuperset(members[depth:])
        if own is not None and head not in own and head in self.names.modules:
            return False
        return self.members.issuperset(members)

    def command(self, words):
        words = words[words[0] == "referenceless" :]
        known = any(" ".join(words[:n]) in self.commands for n in (1, 2))
        named = {re.split("[=/]", word)[0] for word in words if word.startswith("--")}
        return (known or not words or words[0].startswith("-") or words[0] == "NAME") and named <= self.options

    def expression(self, where, code):
        try:
            tree = ast.parse(code.replace("…", "..."))
        except SyntaxError:
            return True
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                foreign = installed(ast.unparse(node.func).partition(".")[0])
                accepted = self.names.parameters_of(called)
                keywords = {keyword.arg for keyword in node.keywords}
                if not foreign and not (self.name(where, called) and ("**" in accepted or keywords <= accepted)):
                    return False
            if isinstance(node, ast.Assign) and not self.name(where, ast.unparse(node.targets[0])):
                return False
        return True


@cache
def installed(module):
    """Whether a name is that of a package of others."""
    return module in sys.stdlib_module_names or (module not in PACKAGES and find_spec(module) is not None)


def test_what_backticks_name_is_there():
    known, dead = Known(), defaultdict(set)
    for where, code in pointers():
        if not known(where, code):
            dead[code].add(where)
    assert not dead, "\n".join(f"`{code}`: {', '.join(sorted(where))}" for code, where in sorted(dead.items()))
