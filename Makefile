# The commands of this project; the build itself is CMake with the presets of CMakePresets.json.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help packages build demo pictures test browser validate bench asan tsan separate format clean

jobs := $(shell tools/jobs)
export CMAKE_BUILD_PARALLEL_LEVEL := $(jobs)
export CTEST_PARALLEL_LEVEL := $(jobs)

help:
	@echo "make demo      build, deploy 100 landers to asteroid Itokawa, say where the report is"
	@echo "make test      build, run the fast tests and the checks"
	@echo "make pictures  draw the pictures of README again, from the demo"
	@echo "make browser   look at reports with chromium, which is installed first"
	@echo "make validate  all tests, the slow ones too, then every published table, slow ones with a few runs"
	@echo "make bench     time, error and hash of the benchmark scenes"
	@echo "make asan      the fast tests under the address and undefined-behaviour sanitizers"
	@echo "make tsan      the threaded tests under the thread sanitizer"
	@echo "make separate  compile each source by itself: it must include what it uses"
	@echo "make format    lay out the code with clang-format"
	@echo "make clean     remove build/ and out/"
	@echo
	@echo "Debian packages that are missing are installed first (packages.txt), and three.js and Observable Plot by npm."

packages:
	@tools/install-packages packages.txt

build: packages
	@cmake --preset release
	@cmake --build --preset release

demo: packages
	@cmake --preset release
	@cmake --build --preset release --target asperity
	@rm -rf out/demo
	@build/release/asperity campaign scenarios/landers/itokawa-deploy.toml --out out/demo
	@echo
	@echo "Open out/demo/report.html in a browser; the numbers are in out/demo/summary.json."

# as root chromium needs to be told that there is no sandbox
pictures: demo
	@tools/install-packages packages-browser.txt
	@chromium --headless $$([ $$(id -u) -ne 0 ] || echo --no-sandbox) --disable-gpu --enable-unsafe-swiftshader --hide-scrollbars --window-size=1280,1560 \
	    --virtual-time-budget=4000 --screenshot=docs/pictures/itokawa-report.png "file://$(CURDIR)/out/demo/report.html"

test: packages
	@cmake --workflow --preset release

browser: build
	@tools/install-packages packages-browser.txt
	@ctest --test-dir build/release --output-on-failure -R '^browser'

validate: build
	@ctest --preset validate
	@build/release/asperity reproduce --slow --runs 4

bench: packages
	@cmake --preset release -DASPERITY_BENCH=ON
	@cmake --build --preset release --target asperity asperity_bench asperity_bench_gravity asperity_bench_ternary asperity_bench_grains asperity_bench_contacts
	@build/release/bench/asperity_bench
	@build/release/bench/asperity_bench_gravity
	@build/release/bench/asperity_bench_ternary
	@build/release/bench/asperity_bench_grains
	@build/release/bench/asperity_bench_contacts
	@bench/campaign.py build/release/asperity

asan: packages
	@cmake --workflow --preset asan

tsan: packages
	@cmake --workflow --preset tsan

separate: packages
	@cmake --preset separate
	@cmake --build --preset separate

format: packages
	@tools/check_format.py --fix

clean:
	rm -rf build out
