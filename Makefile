# A thin front for CMake. See README.md.
BUILD ?= build
PREFIX ?= /usr/local

.PHONY: all
all:
	cmake -S . -B $(BUILD) $(CMAKE_FLAGS)
	cmake --build $(BUILD) --parallel
