#!/usr/bin/env python3
"""Checks that no file names a path of one person's machine or leaves a note to do something later.

    check_text.py [ROOT]
"""

import pathlib
import re
import sys

from check_common import files_of, finish, text_of

# Written in pieces, so that this file passes its own check.
MACHINE_PATH = re.compile(r"(?<![\w./-])/(?:" + "|".join(["wo" + "rk", "ho" + "me", "ro" + "ot"]) + r")/\w")
LATER = re.compile(r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME", "HA" + "CK"]) + r")\b")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    findings, looked_at = [], 0
    for path in files_of(root):
        text = text_of(path)
        if text is None:
            continue
        looked_at += 1
        for number, line in enumerate(text.splitlines(), 1):
            where = f"{path.relative_to(root)}:{number}:"
            if match := MACHINE_PATH.search(line):
                findings.append(f"{where} path of one machine: {line[match.start():].split()[0]}")
            if match := LATER.search(line):
                findings.append(f"{where} {match.group()}: do it, or open an issue and leave no trace here")
    finish("text", findings, looked_at)


if __name__ == "__main__":
    main()
