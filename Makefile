# A thin front end for CMake and CTest. `make help` lists the targets.
BUILD ?= build
PREFIX ?= /usr/local
CMAKE_FLAGS ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
MAKEFLAGS += --no-print-directory

SCENE := scenes/icosahedron_tetrahedron.json
# Sanitized code is about ten times slower: fewer random cases, with assertions. Without the copy of the
# solver for FMA, so that the plain one is tested.
SANITIZE_FLAGS := -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g" -DCAROM_SANITIZE=ON \
	-DCAROM_FMA=OFF
SANITIZE_SCALE ?= 0.1
CHECK_SCALE ?= 0.02
# Of each kind as many random problems as an hour takes at most: 180 rigid impacts, 136 compliant ones, 60 and 118 of
# several contacts, times this
CAMPAIGN_SCALES ?= rigid=10 rigid_differences=560 compliant=100 impulse=200 multiple=60 chain=28
FUZZ_FLAGS := -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang -DCAROM_FUZZ=ON \
	-DCAROM_BUILD_PROGRAM=OFF
CTEST := ctest --output-on-failure --parallel $(JOBS)

.PHONY: all help setup check demo figures lab python test test-release test-sanitize test-fuzz test-portable \
	amalgamation npm archive debian release campaign validation bench install \
	format check-format tidy clean

all: ## build only, into build/ (the program is build/carom)
	cmake -S . -B $(BUILD) $(CMAKE_FLAGS)
	cmake --build $(BUILD) --parallel $(JOBS)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

setup: ## install what is missing for all of the below (as root, or with sudo)
	tools/setup test bench

# Left out: tests with the label slow (oracle and reference scenes of several contacts, the solver
# without FMA, builds of a shared and of a link-time-optimised library, the laboratory in a browser),
# all but CHECK_SCALE of the random cases, sanitizers, fuzzers.
check: ## build and run the quick tests, for daily work: two minutes, installs nothing
	$(MAKE) all CMAKE_FLAGS="-DCAROM_BUILD_TESTS=ON $(CMAKE_FLAGS)"
	CAROM_TEST_SCALE=$(CHECK_SCALE) $(CTEST) --test-dir $(BUILD) --label-exclude slow

demo: ## install what is missing, build, solve a scene and draw it
	tools/setup build plot
	$(MAKE) all
	$(BUILD)/carom solve $(SCENE)
	$(BUILD)/carom plot $(SCENE) -o $(BUILD)/demo.svg
	@echo "The picture is in $(BUILD)/demo.svg"

figures: ## install what is missing and compute the figures of the papers, as a gallery
	tools/setup build plot
	$(MAKE) all
	$(BUILD)/carom figures --out $(BUILD)/figures

lab: ## install what is missing and build the laboratory, a page for the browser
	tools/setup build lab
	$(MAKE) all CMAKE_FLAGS="-DCAROM_BUILD_LAB=ON $(CMAKE_FLAGS)"
	@echo "The laboratory is in $(BUILD)/lab.html: open it in a browser"

python: ## install what is missing and build the Python package, in build/python/lib
	tools/setup build python
	$(MAKE) all CMAKE_FLAGS="-DCAROM_BUILD_PYTHON=ON $(CMAKE_FLAGS)"
	@echo "Try it: PYTHONPATH=$(BUILD)/python/lib /usr/bin/python3; install it: see docs/python.md"

test: ## install what is missing, then run every test
	tools/setup test
	$(MAKE) test-release
	$(MAKE) test-sanitize
	$(MAKE) test-fuzz

test-release: ## the tests, the installed library, headers, README, layout
	$(MAKE) all CMAKE_FLAGS="-DCAROM_BUILD_TESTS=ON -DCAROM_BUILD_LAB=ON -DCAROM_BUILD_PYTHON=ON \
		$(CMAKE_FLAGS)"
	$(CTEST) --test-dir $(BUILD)

test-sanitize: ## the tests again, every memory access and operation checked
	cmake -S . -B $(BUILD)-sanitize -DCAROM_BUILD_TESTS=ON $(SANITIZE_FLAGS) $(CMAKE_FLAGS)
	cmake --build $(BUILD)-sanitize --parallel $(JOBS)
	CAROM_TEST_SCALE=$(SANITIZE_SCALE) $(CTEST) --test-dir $(BUILD)-sanitize

test-fuzz: ## a short run of the fuzzers
	cmake -S . -B $(BUILD)-fuzz $(FUZZ_FLAGS) $(CMAKE_FLAGS)
	cmake --build $(BUILD)-fuzz --parallel $(JOBS)
	$(CTEST) --test-dir $(BUILD)-fuzz

test-portable: ## other platforms: the same bits with CAROM_DETERMINISTIC on each
	tools/setup portable
	tools/check-portable

amalgamation: ## the library as one header and one source, build/amalgamation/carom.{h,c}
	tools/amalgamate $(BUILD)/amalgamation

npm: ## install what is missing and put the npm package of the engine together, in build/npm
	tools/setup build lab
	cmake -S . -B $(BUILD) -DCAROM_BUILD_LAB=ON $(CMAKE_FLAGS)
	cmake --build $(BUILD) --parallel $(JOBS) --target npm_package

archive: all ## library and program as an archive, build/carom-*.tar.gz
	cd $(BUILD) && cpack

debian: ## install what is missing, build the Debian packages of what is committed and run lintian
	tools/setup debian
	tools/package-debian $(BUILD)/debian

release: ## archives, checksums, changes, bill of materials of a release, in build/release
	tools/setup build lab python
	tools/release $(BUILD)/release

campaign: ## derivatives against differences on 1e5 random problems, coverage of fits, 1e9 impacts in batches: hours
	$(MAKE) all CMAKE_FLAGS="-DCAROM_BUILD_TESTS=ON $(CMAKE_FLAGS)"
	printf '%s\n' $(CAMPAIGN_SCALES) | xargs -P $(JOBS) -I{} sh -c 'part={}; \
		CAROM_TEST_SCALE=$${part#*=} $(BUILD)/test/derivative_$${part%=*}'
	CAROM_TEST_SCALE=20 $(BUILD)/test/fit_estimate
	CAROM_TEST_SCALE=100 $(BUILD)/test/solve_batch_laws

validation: ## measured impacts beside carom and physics engines: make validation DATA=DIR
	tools/setup build plot validation
	$(MAKE) all CMAKE_FLAGS="-DCAROM_BUILD_VALIDATION=ON $(CMAKE_FLAGS)"
	validation/run $(BUILD) "$(DATA)"

bench: ## run the benchmark and write build/bench.json
	tools/setup bench tables python
	$(MAKE) all CMAKE_FLAGS="-DCAROM_BUILD_BENCH=ON -DCAROM_BUILD_PYTHON=ON $(CMAKE_FLAGS)"
	cmake --build $(BUILD) --target run_bench
	for part in python/bench.py bench/tables.py; do CAROM_PROGRAM=$(BUILD)/carom \
		PYTHONPATH=$(BUILD)/python/lib /usr/bin/python3 $$part $(BUILD)/bench.json || exit 1; done

install: all ## install under PREFIX (/usr/local)
	cmake --install $(BUILD) --prefix $(abspath $(PREFIX))

format: ## lay out the sources
	tools/format

check-format: ## say which sources are not laid out
	tools/format --check

tidy: ## look for suspicious code with clang-tidy
	cmake -S . -B $(BUILD) $(CMAKE_FLAGS)
	run-clang-tidy -quiet -p $(BUILD) -j $(JOBS) '/(src|fit|cli)/'

clean: ## remove everything that was built
	rm -rf $(BUILD) $(BUILD)-sanitize $(BUILD)-fuzz lab/node_modules
