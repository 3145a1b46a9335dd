"""What the checks share: which files are ours, and how a finding is shown."""

import pathlib
import subprocess
import sys

CODE = {".h", ".cpp", ".cu"}


def files_of(root):
    """Every file of the project under root, as git sees it (tracked, or new and not ignored); without git, all but build and out."""
    root = pathlib.Path(root)
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True)
    if listed.returncode == 0 and (root / ".git").exists():
        paths = [root / name for name in listed.stdout.decode().split("\0") if name]
    else:
        paths = [p for p in root.rglob("*") if p.relative_to(root).parts[0] not in {"build", "out", ".git"}]
    return sorted(p for p in set(paths) if p.is_file() and not p.is_symlink())


def code_of(root, *folders):
    """The C++ and CUDA files in these folders of root."""
    root = pathlib.Path(root)
    return [p for p in files_of(root) if p.suffix in CODE and p.relative_to(root).parts[0] in folders]


def text_of(path):
    """The text of a file, or None where it is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def finish(name, findings, looked_at):
    """Prints the findings and ends: 0 where there are none, 1 otherwise. A check that saw nothing has failed."""
    for finding in findings:
        print(finding)
    if not looked_at:
        print(f"{name}: found nothing to look at")
        sys.exit(1)
    print(f"{name}: {len(findings)} findings in {looked_at} files")
    sys.exit(1 if findings else 0)
