#!/usr/bin/env python3
"""Each check under tools/ must pass a small sound project and see the fault that is planted in it."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
import check_docs  # noqa: E402

PAGE = """# Architecture

## Layers (dependency goes down this list only)
    core:      -
    geometry:  core
    record:    core geometry
    batch:     core record
    cli:       *
    python:    *
MPI only in `batch/`; CUDA only in `cuda/`; TBB only in `core/parallel`; file I/O only in `record batch cli`.

## Folders
"""
SOUND = {
    "docs/architecture.md": PAGE,
    "src/asperity/core/vec3.h": "#pragma once\n#include <cmath>\n",
    "src/asperity/core/parallel.cpp": '#include <tbb/parallel_for.h>\n\n#include "asperity/core/vec3.h"\n',
    "src/asperity/geometry/mesh.h": '#pragma once\n#include "asperity/core/vec3.h"\n',
    "src/asperity/record/writer.cpp": '#include <hdf5.h>\n\n#include <fstream>\n\n#include "asperity/geometry/mesh.h"\n',
    "src/asperity/batch/ranks.cpp": "#include <mpi.h>\n",
    "src/asperity/cli/main.cpp": '#include "asperity/geometry/mesh.h"\n',
}


class Project(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.root = pathlib.Path(self.temporary.name)
        for name, text in SOUND.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self, script, *arguments):
        done = subprocess.run(
            [sys.executable, "-B", str(TOOLS / script), *arguments, str(self.root)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        return done.returncode, done.stdout

    def expect_pass(self, script, *arguments):
        status, said = self.check(script, *arguments)
        self.assertEqual(status, 0, said)

    def expect_finding(self, finding, script, *arguments):
        status, said = self.check(script, *arguments)
        self.assertEqual(status, 1, said)
        self.assertIn(finding, said)


class Layers(Project):
    def expect(self, finding):
        self.expect_finding(finding, "check_layers.py")

    def test_a_sound_project_passes(self):
        self.expect_pass("check_layers.py")

    def test_a_dependency_that_goes_up_is_found_with_its_line(self):
        self.write("src/asperity/core/vec3.h", '#pragma once\n\n#include "asperity/geometry/mesh.h"\n')
        self.expect('src/asperity/core/vec3.h:3: core may not include geometry ("asperity/geometry/mesh.h")')
        self.expect("in a circle: geometry -> core -> geometry")

    def test_a_dependency_that_the_block_does_not_name_is_found(self):
        self.write("src/asperity/batch/ranks.cpp", '#include "asperity/geometry/mesh.h"\n')
        self.expect("src/asperity/batch/ranks.cpp:1: batch may not include geometry")

    def test_cli_may_not_include_python(self):
        self.write("src/asperity/python/module.h", "")
        self.write("src/asperity/cli/main.cpp", '#include "asperity/python/module.h"\n')
        self.expect("src/asperity/cli/main.cpp:1: cli may not include python")

    def test_confined_headers_are_found_elsewhere(self):
        for header, what in [
            ("mpi.h", "MPI only in batch"),
            ("cuda_runtime.h", "CUDA only in cuda"),
            ("tbb/parallel_for.h", "TBB only in core/parallel"),
            ("oneapi/tbb/parallel_for.h", "TBB only in core/parallel"),
            ("fstream", "file I/O only in record batch cli"),
            ("filesystem", "file I/O only in record batch cli"),
            ("hdf5.h", "file I/O only in record batch cli"),
            ("hdf5/serial/hdf5.h", "file I/O only in record batch cli"),
        ]:
            with self.subTest(header):
                self.write("src/asperity/geometry/mesh.h", f"#pragma once\n#  include <{header}>\n")
                self.expect(f"src/asperity/geometry/mesh.h:2: <{header}>: {what}")

    def test_tbb_beside_parallel_in_the_same_folder_is_found(self):
        self.write("src/asperity/core/parallel_sort.h", "#include <tbb/parallel_sort.h>\n")
        self.expect("src/asperity/core/parallel_sort.h:1: <tbb/parallel_sort.h>: TBB only in core/parallel")

    def test_a_short_path_and_a_missing_file_are_found(self):
        self.write("src/asperity/geometry/mesh.h", '#include "vec3.h"\n#include "asperity/core/gone.h"\n')
        self.expect('src/asperity/geometry/mesh.h:1: "vec3.h": write the full path')
        self.expect('src/asperity/geometry/mesh.h:2: "asperity/core/gone.h" does not exist')

    def test_a_folder_outside_the_block_is_found(self):
        self.write("src/asperity/misc/a.h", "")
        self.expect("src/asperity/misc/a.h:1: misc is not a layer")

    def test_a_block_that_names_a_later_layer_is_found(self):
        self.write("docs/architecture.md", PAGE.replace("core:      -", "core:      geometry"))
        self.expect("layer core names geometry, which does not stand above it")

    def test_a_page_without_the_block_is_found(self):
        self.write("docs/architecture.md", "# Architecture\n")
        self.expect("no layer block")


class Sources(Project):
    LISTS = """add_library(lib
        # core
        asperity/core/parallel.cpp
        asperity/record/writer.cpp
        asperity/batch/ranks.cpp)
    add_executable(asperity asperity/cli/main.cpp)
    set_source_files_properties(asperity/core/parallel.cpp PROPERTIES COMPILE_OPTIONS "-O1")
    """

    def test_a_sound_project_passes(self):
        self.write("src/CMakeLists.txt", self.LISTS)
        self.expect_pass("check_sources.py")

    def test_a_source_that_is_forgotten_commented_out_or_named_twice_is_found(self):
        line = "asperity/record/writer.cpp"
        for change, times in [("", 0), ("# " + line, 0), (line + "\n" + line, 2)]:
            self.write("src/CMakeLists.txt", self.LISTS.replace(line, change))
            self.expect_finding(f"src/asperity/record/writer.cpp:1: named {times} times", "check_sources.py")

    def test_a_message_that_could_end_a_run_is_found(self):
        self.write("src/CMakeLists.txt", self.LISTS)
        for line in ('fmt::print(stderr, "x");', 'std::cerr << "x";'):
            self.write("src/asperity/record/writer.cpp", f"int a;\n{line}  // fmt::print(stderr) in a comment is none\n")
            self.expect_finding("src/asperity/record/writer.cpp:2: write messages with tell() of core/tell.h", "check_sources.py")
        self.write("src/asperity/record/writer.cpp", "// fmt::print(stderr, ...) throws\n")
        self.expect_pass("check_sources.py")

    def test_a_forgotten_test_is_found(self):
        self.write("src/CMakeLists.txt", self.LISTS)
        self.write("tests/CMakeLists.txt", "")
        self.write("tests/unit/core/vec3_test.cpp", "")
        self.expect_finding("tests/unit/core/vec3_test.cpp:1: named 0 times in tests/CMakeLists.txt", "check_sources.py")


class Text(Project):
    def test_a_sound_project_passes(self):
        self.write("README.md", "See https://example.org/wo" + "rk/x and ../shared/data.\n")
        self.expect_pass("check_text.py")

    def test_machine_paths_are_found(self):
        for folder in ("wo" + "rk", "ho" + "me"):
            self.write("docs/a.md", f"first\nsee `/{folder}/someone/data`\n")
            self.expect_finding(f"docs/a.md:2: path of one machine: /{folder}/someone/data", "check_text.py")

    def test_notes_for_later_are_found(self):
        for word in ("TO" + "DO", "FIX" + "ME"):
            self.write("src/asperity/core/vec3.h", f"// {word}: later\n")
            self.expect_finding(f"src/asperity/core/vec3.h:1: {word}", "check_text.py")


class Format(Project):
    def setUp(self):
        super().setUp()
        self.write(".clang-format", (TOOLS.parent / ".clang-format").read_text(encoding="utf-8"))

    def test_a_sound_project_passes(self):
        self.expect_pass("check_format.py")

    def test_another_layout_is_found_and_mended(self):
        self.write("src/asperity/core/vec3.h", "#pragma once\nint  f( );\n")
        self.expect_finding("src/asperity/core/vec3.h:2: ", "check_format.py")
        self.check("check_format.py", "--fix")
        self.expect_pass("check_format.py")


class Flags(unittest.TestCase):
    def check(self, flags, source="a.cpp"):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump([{"file": source, "command": f"c++ {flags} -c {source}"}], file)
            file.flush()
            done = subprocess.run([sys.executable, "-B", str(TOOLS / "check_flags.py"), file.name], capture_output=True, text=True)
            return done.returncode, done.stdout

    def test_the_right_flags_pass(self):
        self.assertEqual(self.check("-O2 -march=x86-64-v3 -ffp-contract=off -fno-tree-slp-vectorize")[0], 0)

    def test_each_wrong_flag_is_found(self):
        for flags, finding in [
            ("-O2 -march=x86-64-v3 -fno-tree-slp-vectorize", "a.cpp: compiled without -ffp-contract=off"),
            ("-O2 -march=x86-64-v3 -ffp-contract=off", "a.cpp: compiled without -fno-tree-slp-vectorize"),
            ("-O2 -march=x86-64-v3 -ffp-contract=off -fno-tree-slp-vectorize -ffast-math", "a.cpp: compiled with -ffast-math"),
            ("-Ofast -march=x86-64-v3 -ffp-contract=off -fno-tree-slp-vectorize", "a.cpp: compiled with -Ofast"),
            ("-O2 -march=native -ffp-contract=off -fno-tree-slp-vectorize", "a.cpp: compiled with -march=native"),
            ("-O2 -ffp-contract=off -fno-tree-slp-vectorize", "a.cpp: compiled with no -march, not -march=x86-64-v3"),
            ("-O2 -march=x86-64-v3 -march=x86-64 -ffp-contract=off -fno-tree-slp-vectorize", "a.cpp: compiled with ['-march=x86-64']"),
        ]:
            with self.subTest(flags):
                status, said = self.check(flags)
                self.assertEqual(status, 1, said)
                self.assertIn(finding, said)

    def test_the_file_that_checks_the_cpu_is_below_the_baseline(self):
        flags = "-O2 -march=x86-64-v3 -ffp-contract=off -fno-tree-slp-vectorize -march=x86-64"
        self.assertEqual(self.check(flags, "src/asperity/core/cpu.cpp")[0], 0)


class Docs(Project):
    def setUp(self):
        super().setUp()
        self.write("Makefile", "test: build\n\techo\n")
        self.write("bin/asperity", '#!/bin/bash\nif [[ $1 == fail ]]; then echo "error: no" >&2; exit 2; fi\necho "ran $*"; echo "took $RANDOM s"; echo done\n')
        os.chmod(self.root / "bin/asperity", 0o755)

    def page(self, *lines):
        self.write("README.md", "# Title\n\n```console\n" + "\n".join(lines) + "\n```\n")

    def expect_page(self, *lines):
        self.page(*lines)
        self.expect_pass("check_docs.py", "--binary", str(self.root / "bin/asperity"))

    def expect_fault(self, finding, *lines):
        self.page(*lines)
        self.expect_finding(finding, "check_docs.py", "--binary", str(self.root / "bin/asperity"))

    def test_what_is_printed_may_be_shown_in_full_or_in_part(self):
        self.expect_page("$ asperity run a.toml", "ran run a.toml", "took [..] s", "done")
        self.expect_page("$ asperity run a.toml", "ran [..]", "...")
        self.expect_page("$ asperity run a.toml", "...", "done")
        self.expect_page("$ build/release/asperity run \\", "    a.toml", "ran run a.toml", "...")

    def test_blocks_share_a_folder_and_a_shell(self):
        self.expect_page("$ cd docs && echo 3 > x", "```", "", "```console", "$ cat x", "3")

    def test_other_text_is_found(self):
        self.expect_fault("README.md:4: `asperity run a` prints something else", "$ asperity run a", "ran run b", "...")
        self.expect_fault("prints something else", "$ asperity run a", "ran run a", "took [..] s")
        self.expect_fault("prints something else", "$ asperity run a", "ran run a", "...", "finished")

    def test_a_failing_command_is_found_unless_its_status_is_shown(self):
        self.expect_fault("`asperity fail` ended with 2", "$ asperity fail", "error: no")
        self.expect_page("$ asperity fail", "error: no", "$ echo $?", "2")
        self.expect_fault("prints something else", "$ asperity fail", "error: no", "$ echo $?", "0")

    def test_a_command_that_does_not_exist_is_found(self):
        self.expect_fault("ended with 127", "$ asperite run", "...")

    def test_make_is_not_run_but_its_target_must_exist(self):
        self.expect_page("$ make test", "...")
        self.expect_fault("the Makefile has no target tset", "$ make tset")

    def test_tutorials_are_read_too(self):
        self.page("$ echo 1", "1")
        self.write("docs/tutorials/a.md", "```console\n$ echo 1\n2\n```\n")
        self.expect_finding("docs/tutorials/a.md:2:", "check_docs.py", "--binary", str(self.root / "bin/asperity"))

    def test_pieces_match_in_order_and_do_not_overlap(self):
        self.assertTrue(check_docs.matches(["a", "...", "b", "...", "c"], ["a", "x", "b", "y", "b", "c"]))
        self.assertFalse(check_docs.matches(["a", "...", "c", "...", "b"], ["a", "b", "c"]))
        self.assertFalse(check_docs.matches(["a", "...", "a"], ["a"]))
        self.assertTrue(check_docs.matches([], []))
        self.assertFalse(check_docs.matches([], ["a"]))


class Sizes(Project):
    def test_long_files_and_functions_are_listed_and_nothing_fails(self):
        body = "".join(f"    x += {i};\n" for i in range(60))
        self.write("src/asperity/core/long.cpp", f"int f(int x) {{\n{body}    return x;\n}}\n" + "// line\n" * 500)
        self.write("src/asperity/core/short.cpp", "int g(int x) {\n    return x;\n}\n")
        status, said = self.check("report_sizes.py")
        self.assertEqual(status, 0, said)
        self.assertIn("src/asperity/core/long.cpp:1: function of 63 lines", said)
        self.assertIn("src/asperity/core/long.cpp: 563 lines", said)
        self.assertNotIn("short.cpp", said)


class Packages(unittest.TestCase):
    """tools/install-packages with stand-ins for dpkg-query, apt-get and sudo."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        self.program("dpkg-query", '[[ ${*: -1} == here ]] && printf "install ok installed"')
        self.program("apt-get", f'echo "$@" >> {self.folder}/called; [[ ! -e {self.folder}/broken ]]')
        (self.folder / "list").write_text("# a list\nhere   # why\ngone   # why\nlost\n", encoding="utf-8")

    def program(self, name, body):
        path = self.folder / name
        path.write_text(f"#!/bin/bash\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def install(self):
        for name in ("bash", "env", "mktemp", "rm", "cat"):
            if not (self.folder / name).exists():
                (self.folder / name).symlink_to(f"/usr/bin/{name}")
        done = subprocess.run(
            ["bash", str(TOOLS / "install-packages"), str(self.folder / "list")], env={"PATH": str(self.folder)}, capture_output=True, text=True
        )
        called = self.folder / "called"
        return done, called.read_text(encoding="utf-8") if called.exists() else ""

    def test_only_what_is_missing_is_installed_after_an_update(self):
        if os.geteuid() != 0:
            self.program("sudo", '"$@"')
        done, called = self.install()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(called, "-q update\n-q install -y --no-install-recommends gone lost\n")
        self.assertIn("Installing 2 packages that are missing: gone lost", done.stdout)

    def test_nothing_missing_asks_for_nothing(self):
        (self.folder / "list").write_text("here\n", encoding="utf-8")
        done, called = self.install()
        self.assertEqual((done.returncode, done.stdout, called), (0, "", ""))

    def test_a_tool_from_elsewhere_will_do(self):
        self.program("gone", "")
        self.program("lost", "")
        done, called = self.install()
        self.assertEqual((done.returncode, done.stdout, called), (0, "", ""))

    def test_a_failure_of_apt_is_a_failure(self):
        if os.geteuid() != 0:
            self.program("sudo", '"$@"')
        (self.folder / "broken").touch()
        done, _ = self.install()
        self.assertEqual(done.returncode, 4)
        self.assertIn("could not install", done.stderr)


if __name__ == "__main__":
    unittest.main()
