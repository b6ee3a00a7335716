"""Modules for `evaluate.load`: it finds a metric by path, or by bare name after `register`."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.registry import metric_names, metric_spec
from referenceless_metrics.core.support.installation import shipped
from referenceless_metrics.core.support.validation import check_choice

_MARK = "registered-by-referenceless-metrics"
_SCRIPT = '''"""{title} for `evaluate`: the module itself is in the package."""

from referenceless_metrics.frameworks.evaluate import module_class  # From: referenceless-metrics

Module = module_class("{name}")
__test__ = {{"example": Module.example}}  # which evaluate's own tests run
'''


def module_names() -> tuple[str, ...]:
    """Return the names of the modules: of the metrics, and of the scripts that this project ships, such as `huse`."""
    scripts = [script.stem for script in shipped("metrics").glob("*/*.py") if script.stem == script.parent.name]
    return tuple(sorted({*metric_names(), *scripts}))


def script(name: str) -> str:
    """Return the script that `evaluate.load` runs for a module: the same for any metric.

    Raises:
        ValueError: for an unknown module.
    """
    check_choice(name, "name", module_names())
    if name in metric_names():
        return _SCRIPT.format(name=name, title=metric_spec(name).title)
    return shipped("metrics", name, f"{name}.py").read_text(encoding="utf-8")


def module_path(name: str) -> str:
    """Return the folder to give to `evaluate.load`, e.g. `evaluate.load(module_path("bleu_neighbors"))`.

    The script of a metric that another distribution brings is written to evaluate's cache of modules.

    Raises:
        ValueError: for an unknown metric.
    """
    check_choice(name, "name", module_names())
    folder = shipped("metrics", name)
    if not (folder / f"{name}.py").is_file():
        folder = _cache() / "referenceless_metrics" / name
        _write_script(folder, name)
    return str(folder)


def load(name: str, **kwargs: Any) -> Any:
    """Load a metric of this project through `evaluate.load`, with its load arguments; needs no registration."""
    import evaluate

    return evaluate.load(module_path(name), **kwargs)


def register(name: str) -> Path:
    """Make `evaluate.load(name)` work from any directory, offline too, and return the folder that was written.

    `evaluate` looks for a bare name on the Hub and then in its own cache of modules: this writes that cache entry.
    A folder called `name` in the working directory still comes first, as ever. Registering again renews the entry.
    """
    folder = _entries(name) / hashlib.sha256(script(name).encode()).hexdigest()
    _write_script(folder, name)  # also makes it the newest, which is the one that loads
    for package in (folder.parent, folder):
        (package / "__init__.py").touch()
    (folder / _MARK).touch()
    return folder


def unregister(name: str) -> list[Path]:
    """Undo `register` and return the folders that were removed; entries that came from elsewhere stay."""
    check_choice(name, "name", module_names())
    entries = _entries(name)
    removed = [mark.parent for mark in sorted(entries.glob(f"*/{_MARK}"))]
    for folder in removed:
        shutil.rmtree(folder)
    if removed and not any(path.is_dir() and path.name != "__pycache__" for path in entries.iterdir()):
        shutil.rmtree(entries)
    return removed


def _write_script(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / f"{name}.py", "w") as file:
        file.write(script(name))


def _entries(name: str) -> Path:
    return _cache() / "evaluate_modules" / "metrics" / f"evaluate-metric--{name}"


def _cache() -> Path:
    from evaluate import config

    return Path(config.HF_MODULES_CACHE)
