"""Runs the tests on instrumented builds, in a copy of the checkout, and prints the table of `coverage_table`.

    make coverage, or: python tests/measure_coverage.py [--json]

C is covered by the C tests and by Python's tests of the extension, C++ and the addon's JavaScript by tests/node, the
rest of the JavaScript by the apps and load generators that Python's tests start. With --json the table is JSON, and all
else goes to standard error. The exit code is 1 when a test failed: the table is of what ran.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import coverage_table
from helpers import node_tests

from pyprof.nodes import Cache, Npm, Store

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build/coverage"
TREE = WORK / "tree"
RAW_JS = WORK / "v8"


def run(*command: str | Path, folder: Path = TREE, **environment: str | Path) -> bool:
    """Whether a program, shown by its last name and arguments, succeeds."""
    print("+", *(os.fspath(part) for part in command), file=sys.stderr, flush=True)
    env = {**os.environ, **{name: os.fspath(value) for name, value in environment.items()}}
    return subprocess.run(command, cwd=folder, env=env, stdout=sys.stderr, check=False).returncode == 0


def must(succeeded: bool) -> None:
    """Stop where nothing could be measured."""
    if not succeeded:
        sys.exit("coverage: the command above failed")


def copy_checkout() -> None:
    """The working files, with git's knowledge of them, which a test asks for."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    must(run("git", "clone", "--quiet", "--shared", "--no-checkout", ROOT, TREE, folder=ROOT))
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():  # not one that is being removed
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, TREE / name)
    if (inputs := ROOT.parent / "shared").is_dir():  # which some tests read, beside the checkout
        (WORK / "shared").symlink_to(inputs.resolve())


def build(store: Store) -> None:
    """The extension in its place in the copy, and the addon for the tool Node in its own."""
    must(run(sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", PYPROF_COVERAGE="1"))
    node = store.find(os.fspath(store.npm.node))
    headers = node.root or store.find(node.version).exec_path.parent.parent
    tools = store.tools()
    flags = "--coverage -fprofile-update=atomic -O0"
    must(
        run(
            store.npm.node, tools / "node-gyp/bin/node-gyp.js", "rebuild", "--silent", f"--nodedir={headers}",
            folder=TREE / "node_addon", npm_config_nodedir=headers, NODE_PATH=tools, CFLAGS=flags, CXXFLAGS=flags,
            LDFLAGS="--coverage", PATH=os.pathsep.join([str(store.npm.node.parent), os.environ["PATH"]]),
        )
    )  # fmt: skip


def run_tests(store: Store) -> bool:
    """Whether all pass: the C tests, those of the addon, and the rest by pytest."""
    pytest = [sys.executable, "-m", "coverage", "run", "-m", "pytest", "-q", "--ignore=tests/python/test_node_addon.py"]
    environment = {"PYPROF_V8_COVERAGE": RAW_JS, "PYTHONPATH": TREE}
    results = [
        run("make", "--silent", "-C", "tests/c", "COVERAGE=1"),
        run(store.npm.node, "tests/node/run.js"),
        run(*pytest, f"--numprocesses={os.cpu_count()}", "--dist=worksteal", "-m", "not alone", **environment),
        run(*pytest, "-m", "alone", **environment),
    ]
    # Once more, and not judged: V8 that measures coverage shows its profiler other names than usual.
    run(store.npm.node, "tests/node/run.js", NODE_V8_COVERAGE=RAW_JS)
    return all(results)


def keep_our_javascript(cache: Path) -> None:
    """V8's reports without Node's and other packages' scripts; what ran in the cache counts for the file it copies."""
    for report in RAW_JS.glob("coverage-*.json"):
        scripts = json.loads(report.read_text(encoding="utf-8"))["result"]
        for script in scripts:
            script["url"] = original(script["url"], cache)
        ours = [script for script in scripts if script["url"].startswith(f"file://{TREE}/")]
        report.write_text(json.dumps({"result": ours}), encoding="utf-8")


def original(url: str, cache: Path) -> str:
    """The file in the copy of which a cache entry (``addons/KEY/…``, ``workloads/NAME-KEY/…``) holds another copy."""
    prefix = f"file://{cache}/"
    if not url.startswith(prefix):
        return url
    part, entry, *rest = url.removeprefix(prefix).split("/")
    home = {"addons": "", "workloads": f"pyprof/workloads/{entry.rpartition('-')[0]}/"}.get(part)
    return url if home is None else f"file://{TREE}/{home}{'/'.join(rest)}"


def report(store: Store) -> None:
    """The three tools' own reports, as JSON."""
    python = (sys.executable, "-m")
    must(run(*python, "coverage", "combine", "--quiet"))
    # Not that which a test has installed elsewhere.
    must(run(*python, "coverage", "json", "--quiet", "--include=pyprof/*", "-o", WORK / "python.json"))
    sources = ("csrc/", "pyprof/binding/", "node_addon/src/")
    must(
        run(
            *python, "gcovr", "--root", TREE, *(f"--filter={TREE}/{folder}" for folder in sources),
            f"--exclude={TREE}/csrc/profile\\.pb-c\\.", "--json-summary", WORK / "native.json",
            "--merge-mode-functions=separate",
        )
    )  # fmt: skip
    keep_our_javascript(store.cache.root)
    must(
        run(
            store.npm.node, "tests/node/node_modules/c8/bin/c8.js", "report", f"--temp-directory={RAW_JS}",
            f"--reports-dir={WORK / 'js'}", "--reporter=json-summary", "--all", "--include=pyprof/**/*.js",
            "--include=node_addon/**/*.js",
        )
    )  # fmt: skip


def main(arguments: list[str]) -> int:
    cache = Cache()
    store = Store(cache, Npm(cache), lambda line: print(line, file=sys.stderr))
    copy_checkout()
    node_tests.install(store)
    (TREE / "tests/node/node_modules").symlink_to(node_tests.FOLDER / "node_modules")
    build(store)
    passed = run_tests(store)
    report(store)
    rows = coverage_table.read(WORK)
    print(json.dumps(rows, indent=1) if "--json" in arguments else coverage_table.text(rows))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
