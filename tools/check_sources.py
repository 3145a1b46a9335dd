#!/usr/bin/env python3
"""Checks that every source and every test is named in its CMakeLists.txt, once: a test that is not built cannot fail.

    check_sources.py [ROOT]
"""

import pathlib
import re
import sys

from check_common import code_of, finish


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    findings, looked_at = [], 0
    for folder in ("src", "tests", "bench"):
        sources = [path for path in code_of(root, folder) if path.suffix != ".h"]
        if not sources:
            continue
        lists = re.sub(r"#.*", "", (root / folder / "CMakeLists.txt").read_text(encoding="utf-8"))
        words = [word for word in re.split(r"[\s()\"]+", lists) if word]
        in_properties = re.findall(r"set_source_files_properties\(([^)]*)\)", lists)
        looked_at += len(sources)
        for path in sources:
            name = path.relative_to(root / folder).as_posix()
            times = words.count(name) - sum(group.split().count(name) for group in in_properties)
            if times != 1:
                findings.append(f"{folder}/{name}:1: named {times} times in {folder}/CMakeLists.txt, not once")
    finish("sources", findings, looked_at)


if __name__ == "__main__":
    main()
