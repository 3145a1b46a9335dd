#!/usr/bin/env python3
"""Runs every ```console block of README.md, docs/tutorials/*.md and docs/reference/matrix.md and compares what it prints with what the page says.

    check_docs.py --binary BUILD/asperity [ROOT]

In a block, a line that starts with "$ " is a command (a "\\" at its end continues it on the next line), the lines below it are what
it prints, errors too. "..." alone on a line stands for any number of lines, "[..]" within a line for any text. A page is one shell
session in a copy of the project; the blocks of a page see the files of the blocks above them. A command must succeed unless the next
command is `echo $?`. `make` and `git` are not run (the tests run under make); their targets must exist.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from check_common import files_of, finish

FENCE = re.compile(r"^```(\w*)\s*$")
MARK = "=====asperity-check====="


class Step:
    def __init__(self, line, command):
        self.line = line
        self.command = command
        self.expected = []


def steps_of(text):
    """The commands of a page's console blocks, each with its line and what should come out."""
    steps, inside, step, continued = [], None, None, False
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence and (inside is None or not fence.group(1)):
            inside = (fence.group(1) or "text") if inside is None else None
            step, continued = None, False
        elif inside == "console":
            if continued:
                step.command += "\n" + line
            elif line.startswith("$ "):
                step = Step(number, line[2:])
                steps.append(step)
            elif step is not None:
                step.expected.append(line)
            continued = step is not None and step.command.endswith("\\") and not step.expected
    return steps


def line_matches(expected, got):
    pattern = ".*".join(re.escape(part) for part in expected.rstrip().split("[..]"))
    return re.fullmatch(pattern, got.rstrip()) is not None


def matches(expected, got):
    """Whether the lines got are the lines expected, with "..." for any number of lines."""
    pieces, piece = [], []
    for line in expected:
        if line.strip() == "...":
            pieces.append(piece)
            piece = []
        else:
            piece.append(line)
    pieces.append(piece)

    def fits(piece, at):
        return at + len(piece) <= len(got) and all(line_matches(e, g) for e, g in zip(piece, got[at:]))

    if len(pieces) == 1:
        return len(expected) == len(got) and fits(expected, 0)
    if not fits(pieces[0], 0):
        return False
    at = len(pieces[0])
    for piece in pieces[1:-1]:  # the first place where a piece fits leaves most room for the rest
        at = next((i + len(piece) for i in range(at, len(got) + 1) if fits(piece, i)), None)
        if at is None:
            return False
    last = len(got) - len(pieces[-1])
    return last >= at and fits(pieces[-1], last)


def trimmed(lines):
    """Without empty lines at the end: a page need not show them."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def run(steps, folder, environment):
    """Runs the commands in one shell; gives (exit status, lines printed) of each."""
    script = "".join(f"{step.command}\n__s=$?; printf '\\n{MARK} %d\\n' $__s; (exit $__s)\n" for step in steps)
    done = subprocess.run(
        ["stdbuf", "-oL", "bash", "-c", f"exec 2>&1\n{script}"],  # by lines, so that results and errors keep their order
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=600,
    )
    parts = re.split(rf"\n{MARK} (\d+)\n", done.stdout.decode("utf-8", "replace"))
    results = [(int(status), printed.splitlines()) for printed, status in zip(parts[0::2], parts[1::2])]
    return results + [(-1, parts[-1].splitlines())] * (len(steps) - len(results))


def make_target_missing(command, root):
    words = command.split()
    if words[0] != "make":
        return None
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    return next((w for w in words[1:] if not re.search(rf"^{re.escape(w)}:", makefile, re.MULTILINE)), None)


def check_page(page, root, folder, environment):
    findings = []
    name = page.relative_to(root)
    steps = []
    for step in steps_of(page.read_text(encoding="utf-8")):
        if step.command.split()[0] in {"make", "git"}:
            if missing := make_target_missing(step.command, root):
                findings.append(f"{name}:{step.line}: the Makefile has no target {missing}")
        else:
            steps.append(step)
    results = run(steps, folder, environment) if steps else []
    for i, (step, (status, got)) in enumerate(zip(steps, results)):
        asked = i + 1 < len(steps) and steps[i + 1].command.strip() == "echo $?"
        expected, got = trimmed(step.expected), trimmed(got)
        if status != 0 and not asked:
            findings.append(f"{name}:{step.line}: `{step.command}` ended with {status} and printed\n" + "\n".join("    " + l for l in got))
        elif not matches(expected, got):
            shown = ["  the page says:", *("    " + l for l in expected), "  it printed:", *("    " + l for l in got)]
            findings.append(f"{name}:{step.line}: `{step.command}` prints something else\n" + "\n".join(shown))
    return findings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("root", nargs="?", default=".", type=pathlib.Path)
    options = parser.parse_args()
    root = options.root.resolve()
    pages = [p for p in [root / "README.md", *sorted(root.glob("docs/tutorials/*.md")), root / "docs/reference/matrix.md"] if p.is_file()]
    findings = []
    for page in pages:
        with tempfile.TemporaryDirectory(prefix="asperity-docs-") as temporary:
            folder = pathlib.Path(temporary) / "asperity"
            for path in files_of(root):
                target = folder / path.relative_to(root)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, target)
            (folder / "build/release").mkdir(parents=True)
            (folder / "build/release/asperity").symlink_to(options.binary.resolve())
            environment = dict(os.environ, PATH=f"{folder}/build/release:{os.environ['PATH']}", LC_ALL="C.UTF-8")
            if (root.parent / "shared").is_dir():
                environment.setdefault("ASPERITY_DATA", str(root.parent / "shared"))
            findings += check_page(page, root, folder, environment)
    finish("docs", findings, len(pages))


if __name__ == "__main__":
    main()
