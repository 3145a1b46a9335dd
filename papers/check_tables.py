"""What the closed_forms.py of every family do with their tables."""

import pathlib
import sys


def main(check, folder):
    """Checks all tables of a folder, or of the one named on the command line. check(path): findings, number of rows."""
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else folder
    findings, rows = [], 0
    for path in sorted(folder.glob("*.toml")):
        more, count = check(path)
        findings += more
        rows += count
    print("\n".join(findings + [f"{rows} rows, {len(findings)} wrong"]))
    return 1 if findings or not rows else 0
