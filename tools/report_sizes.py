#!/usr/bin/env python3
"""Lists headers, sources and functions that have grown so long that they ask to be read again. Never fails.

    report_sizes.py [ROOT]
"""

import pathlib
import re
import sys

from check_common import code_of, text_of

HEADER, SOURCE, FUNCTION = 250, 500, 50
OPENS = re.compile(r"^( {0,4})\S.*\)[^;]*\{$")
NOT_A_FUNCTION = re.compile(r"^\s*(namespace|struct|class|enum|union|extern|if|for|while|switch|else|do)\b")


def long_functions(lines):
    """(first line, length) of functions longer than the limit, by the layout that clang-format gives: `}` under the first letter."""
    found, start, indent = [], None, ""
    for number, line in enumerate(lines, 1):
        if start is None:
            match = OPENS.match(line)
            if match and not NOT_A_FUNCTION.match(line):
                start, indent = number, match.group(1)
        elif line.rstrip(";") == indent + "}":
            if number - start > FUNCTION:
                found.append((start, number - start + 1))
            start = None
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    for path in code_of(root, "src"):
        lines = text_of(path).splitlines()
        name = path.relative_to(root)
        limit = HEADER if path.suffix == ".h" else SOURCE
        if len(lines) > limit:
            print(f"{name}: {len(lines)} lines; more than {limit} usually means that it does two things")
        for number, length in long_functions(lines):
            print(f"{name}:{number}: function of {length} lines; more than {FUNCTION} usually means that it does two things")


if __name__ == "__main__":
    main()
