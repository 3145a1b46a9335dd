#!/usr/bin/env python3
"""Checks every #include under src/ against the layer block of docs/architecture.md.

    check_layers.py [ROOT]

The block under the heading "Layers" has a line per folder of src/asperity: `name:  folders that it may include`, `-` for none,
`*` for all but other `*`. A line may name only what stands above it, so that no cycle can be written down. The sentences below the
block say where MPI, CUDA, TBB and file I/O may be included; they are read too, so that the page and the check cannot disagree.
"""

import pathlib
import re
import sys

from check_common import code_of, finish, text_of

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LAYER = re.compile(r"^    (\w+):\s+(-|\*|\w+(?: \w+)*)\s*$")
PLACE = re.compile(r"(MPI|CUDA|TBB|file I/O) only in `([^`]+)`")
CONFINED = {
    "MPI": re.compile(r"^mpi(cxx)?\.h$"),
    "CUDA": re.compile(r"^(cuda|cub/|thrust/|cooperative_groups|curand|cufft|nvtx)"),
    "TBB": re.compile(r"^(oneapi/)?tbb/"),
    "file I/O": re.compile(r"^(fstream|filesystem|hdf5.*|H5\w*\.h|fcntl\.h|dirent\.h|sys/stat\.h)$"),
}
GENERATED = {"asperity_version.h"}


def read_page(page):
    """The layers in order, {name: set of folders it may include}, and {what: places} of the confined includes."""
    layers, places, problems = {}, {}, []
    section = page.partition("\n## Layers")[2].partition("\n## ")[0]
    for line in section.splitlines():
        if match := LAYER.match(line):
            name, allowed = match.groups()
            stars = {other for other, uses in layers.items() if uses is None}
            names = None if allowed == "*" else set() if allowed == "-" else set(allowed.split())
            for other in sorted((names or set()) - (layers.keys() - stars)):
                problems.append(f"docs/architecture.md: layer {name} names {other}, which does not stand above it")
            layers[name] = names
    for what, where in PLACE.findall(section):
        places[what] = where.replace("/ ", " ").rstrip("/").split()
    stars = {name for name, uses in layers.items() if uses is None}
    for name in stars:
        layers[name] = layers.keys() - stars
    for what in CONFINED.keys() - places.keys():
        problems.append(f"docs/architecture.md: the layer section does not say where {what} may be used")
    if not layers:
        problems.append("docs/architecture.md: no layer block under the heading Layers")
    return layers, places, problems


def cycle_in(edges):
    """A cycle of folders, as a list that ends where it began, or None."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node) :] + [node]
        if node in done:
            return None
        path.append(node)
        for other in sorted(edges.get(node, ())):
            if found := visit(other):
                return found
        path.pop()
        done.add(node)
        return None

    for node in sorted(edges):
        if found := visit(node):
            return found
    return None


def check_file(path, base, layers, places, edges):
    """Findings in one file; adds the folders that it includes to edges."""
    here = path.relative_to(base)
    folder = here.parts[0]
    place = f"src/asperity/{here.as_posix()}"
    if folder not in layers or len(here.parts) == 1:
        return [f"{place}:1: {folder} is not a layer of docs/architecture.md"]
    findings = []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, name = match.groups()
        where = f"{place}:{number}:"
        for what, pattern in CONFINED.items():
            stem = here.with_suffix("").as_posix()
            if pattern.match(name) and not any(stem == p or stem.startswith(p.rstrip("/") + "/") for p in places.get(what, [])):
                findings.append(f"{where} <{name}>: {what} only in {' '.join(places.get(what, []))}")
        if name.startswith("asperity/"):
            other = name.split("/")[1]
            if not any((base.parent / (name + end)).is_file() for end in ("", ".in")):  # .in: the build writes it
                findings.append(f'{where} "{name}" does not exist')
            if other != folder:
                edges.setdefault(folder, set()).add(other)
                if other not in layers[folder]:
                    findings.append(f'{where} {folder} may not include {other} ("{name}")')
        elif bracket == '"' and name not in GENERATED:
            findings.append(f'{where} "{name}": write the full path from src, "asperity/..."')
    return findings


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    layers, places, findings = read_page((root / "docs/architecture.md").read_text(encoding="utf-8"))
    base = root / "src" / "asperity"
    edges = {}
    files = [path for path in code_of(root, "src") if path.is_relative_to(base)]
    for path in files:
        findings += check_file(path, base, layers, places, edges)
    if cycle := cycle_in(edges):
        findings.append(f"src/asperity: folders include each other in a circle: {' -> '.join(cycle)}")
    finish("layers", findings, len(files))


if __name__ == "__main__":
    main()
