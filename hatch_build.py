"""Build of the distribution: its description on PyPI, and its compiled kernels.

Links and images of the README are relative, so that they work in a checkout. PyPI shows the README alone: there they
become absolute addresses in the repository, at the tag of the version. The repository is `repository` under
`[tool.hatch.metadata.hooks.custom]`, or else the environment variable `PROJECT_REPOSITORY`, which the release workflow
sets to its own. If neither is set, links to files become their labels and images are left out: nothing leads nowhere.

The kernels in `native/` become one shared library, which no version of Python is part of. It is compiled by the
compiler that `CXX` names, else by the machine's own, else by zig, which then comes from the package index for the time
of the build. `REFERENCELESS_TARGET`, one of `TARGETS`, makes zig compile for another platform. The library is left in
the source tree too, for imports from there.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?P<image>!?)\[(?P<label>[^][]*)\]\((?!https?:|mailto:|#)(?P<target>[^()\s]+)\)")
_KINDS = {True: "raw", False: "blob"}  # for images, and for pages to read


def absolute(markdown: str, repository: str, version: str) -> str:
    """Return Markdown with absolute links and images; without a repository, with none to files.

    >>> absolute("![A page](a.png) of [docs](docs/start.md)", "https://example.org/me/it", "1.0")
    '![A page](https://example.org/me/it/raw/v1.0/a.png) of [docs](https://example.org/me/it/blob/v1.0/docs/start.md)'
    >>> absolute("![A page](a.png) of [docs](docs/start.md)", "", "1.0")
    ' of docs'
    """

    def replaced(link: re.Match[str]) -> str:
        image, label, target = link["image"], link["label"], link["target"]
        if repository:
            return f"{image}[{label}]({repository}/{_KINDS[bool(image)]}/v{version}/{target})"
        return "" if image else label

    parts = _CODE.split(markdown)
    return "".join(part if place % 2 else _LINK.sub(replaced, part) for place, part in enumerate(parts))


class ProjectMetadata(MetadataHookInterface):
    """Adds `readme` and `urls` to the metadata."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the fields that a checkout does not know."""
        repository = (self.config.get("repository") or os.environ.get("PROJECT_REPOSITORY", "")).rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = absolute(text, repository, str(metadata["version"]))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        own = {}
        if repository:
            changes = f"{repository}/blob/v{metadata['version']}/CHANGELOG.md"
            own = {"Repository": repository, "Issues": f"{repository}/issues", "Changelog": changes}
        metadata["urls"] = {**own, **self.config["urls"]}


TARGETS = {
    "x86_64-linux-gnu.2.28": "manylinux_2_28_x86_64",
    "aarch64-linux-gnu.2.28": "manylinux_2_28_aarch64",
    "x86_64-linux-musl": "musllinux_1_2_x86_64",
    "aarch64-linux-musl": "musllinux_1_2_aarch64",
    "x86_64-macos.11.0": "macosx_11_0_x86_64",
    "aarch64-macos.11.0": "macosx_11_0_arm64",
    "x86_64-windows-gnu": "win_amd64",
}
"""Platforms by zig's names, and their wheels' names."""

_TARGET = os.environ.get("REFERENCELESS_TARGET", "")
_FLAGS = ["-O3", "-std=c++17", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti"]
_FLAGS += ["-fno-math-errno", "-ffp-contract=off"]  # the same bits, whatever a processor could do in one step
_INTERFACE = Path("referenceless_metrics", "core", "support", "native_interface.py")
_LEVELS = (2, 3, 4)  # of x86-64; other processors have one set of kernels


def _own_compiler() -> list[str]:
    """Return the command of the machine's compiler; an empty one if there is none, or another platform is wanted."""
    named = os.environ.get("CXX") or next(filter(shutil.which, ("c++", "g++", "clang++")), "")
    return [] if _TARGET else shlex.split(named)


def _platform() -> tuple[str, str]:
    """Return the processor and the operating system to compile for, in zig's names."""
    if _TARGET:
        if _TARGET not in TARGETS:
            raise ValueError(f"Expected REFERENCELESS_TARGET to be one of {', '.join(TARGETS)}, but got {_TARGET!r}")
        processor, system = _TARGET.split("-", 1)
        return processor, system
    processor = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    libc = "gnu" if platform.libc_ver()[0] == "glibc" else "musl"
    return processor, {"linux": f"linux-{libc}", "darwin": "macos.11.0", "win32": "windows-gnu"}[sys.platform]


def _tag() -> str:
    """Return the platform's part of a wheel's name."""
    if sys.platform == "darwin" and not _TARGET:  # Python's own name may stand for both processors
        return f"macosx_11_0_{platform.machine()}"
    return TARGETS.get(_TARGET) or sysconfig.get_platform().replace("-", "_").replace(".", "_")


def compile_kernels(root: Path, library: Path) -> None:
    """Compile `native/`: its files once, those in `levels/` once for each level of processor.

    Raises:
        RuntimeError: if there is neither a compiler nor zig.
        subprocess.CalledProcessError: if a file does not compile.
    """
    processor, system = _platform()
    compiler, linker, flags, spelled = _own_compiler(), _own_compiler(), list(_FLAGS), "x86-64-v"
    if not compiler:
        if importlib.util.find_spec("ziglang") is None:
            raise RuntimeError(
                "Compiling the kernels needs a C++ compiler (install g++ or clang, or set CXX) or the package ziglang"
            )
        zig = [sys.executable, "-m", "ziglang"]
        compiler, linker, spelled = [*zig, "c++"], [*zig, "cc"], "x86_64_v"
        flags += ["-target", f"{processor}-{system}"]
    elif system.startswith("macos"):
        flags.append("-mmacosx-version-min=11.0")
    table = (root / _INTERFACE).read_bytes()
    checksum = zlib.crc32(b"\n".join(table.splitlines()))  # as referenceless_metrics.core.support.native computes it
    flags.append(f"-DINTERFACE={checksum}")
    tasks = [(file, list[str]()) for file in sorted((root / "native").glob("*.cpp"))]
    for file in sorted((root / "native" / "levels").glob("*.cpp")):
        for level in _LEVELS if processor == "x86_64" else ():
            wide = ["-mprefer-vector-width=512"] if level == 4 else []
            tasks.append((file, [f"-DLEVEL={level}", f"-march={spelled}{level}", *wide]))
        if processor != "x86_64":
            tasks.append((file, []))

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as threads:

        def compile_one(number: int) -> str:
            file, more = tasks[number]
            out = str(Path(folder) / f"{number}.o")
            subprocess.run([*compiler, *flags, *more, "-c", str(file), "-o", out], check=True)
            return out

        objects = list(threads.map(compile_one, range(len(tasks))))
        bare = ["-nostdlib"] if linker != compiler and "linux" in system else []  # zig's own library has other bits
        libraries = ["-lc", "-lm"] if "linux" in system else []
        made = Path(folder) / library.name
        stripped = [] if system.startswith("macos") else ["-s"]
        subprocess.run(
            [*linker, *flags, "-shared", *stripped, *bare, "-o", str(made), *objects, *libraries], check=True
        )
        library.unlink(missing_ok=True)  # processes that have it open keep it
        shutil.copy(made, library)


def _newer(library: Path, sources: list[Path]) -> bool:
    """Tell whether a library is newer than all that it is made from: pip asks for an editable installation twice."""
    return library.exists() and library.stat().st_mtime > max(source.stat().st_mtime for source in sources)


class Kernels(BuildHookInterface[Any]):
    """Compiles the kernels, puts them into the wheel and names it after its platform."""

    PLUGIN_NAME = "custom"
    _folder = ""

    def dependencies(self) -> list[str]:
        """Return the requirements of the build beside hatchling."""
        return [] if _own_compiler() else ["ziglang>=0.13"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, into the source tree for an editable installation."""
        name = "_kernels.dll" if "windows" in _platform()[1] else "_kernels.so"
        inside, root = f"referenceless_metrics/core/support/{name}", Path(self.root)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_tag()}"
        if _TARGET:
            self._folder = tempfile.mkdtemp()
            library = Path(self._folder) / name
        else:  # beside its module, which imports from a checkout find too
            library = root / inside
        sources = [root / _INTERFACE, root / "hatch_build.py", *(root / "native").rglob("*")]
        if version != "editable" or not _newer(library, sources):
            compile_kernels(root, library)
        if version != "editable":
            build_data["force_include"][str(library)] = inside

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove a library for another platform, which the wheel holds now."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
