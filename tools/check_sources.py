#!/usr/bin/env python3
"""Checks that every source and every test is named in its CMakeLists.txt, once: a test that is not built cannot fail. And that messages go
through core/tell, which never ends a run, and not to the standard error stream by themselves.

    check_sources.py [ROOT]
"""

import pathlib
import re
import sys

from check_common import code_of, finish, text_of


# A stream that throws, or that leaves an error for later, where nobody can read it any more.
MESSAGE = re.compile(r"fmt::print\(\s*stderr|std::cerr|std::clog|perror\(")


def check_messages(root):
    findings = []
    for path in code_of(root, "src"):
        for number, line in enumerate(text_of(path).splitlines(), 1):
            if MESSAGE.search(line.partition("//")[0]):
                findings.append(f"{path.relative_to(root).as_posix()}:{number}: write messages with tell() of core/tell.h")
    return findings


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    findings, looked_at = check_messages(root), 0
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
