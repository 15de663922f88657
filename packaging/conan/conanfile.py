"""Untested. Conan 2: the library from a checkout, `conan create packaging/conan`."""
import pathlib
import re

from conan import ConanFile
from conan.tools.cmake import CMake, cmake_layout
from conan.tools.files import copy


class Carom(ConanFile):
    name = "carom"
    description = "Frictional impact of rigid bodies, solved exactly"
    license = "MIT"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "deterministic": [True, False]}
    default_options = {"shared": False, "deterministic": False}
    generators = "CMakeToolchain"
    root = pathlib.Path(__file__).resolve().parent.parent.parent

    def set_version(self):
        text = (self.root / "include/carom/status.h").read_text(encoding="utf-8")
        self.version = re.search(r'define CAROM_VERSION "([0-9.]+)"', text).group(1)

    def export_sources(self):
        for part in ("CMakeLists.txt", "LICENSE", "CHANGELOG.md", "cmake/*", "include/*", "src/*"):
            copy(self, part, str(self.root), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure(variables={"CAROM_BUILD_PROGRAM": "OFF", "CAROM_BUILD_FIT": "OFF",
                                   "CAROM_DETERMINISTIC": str(self.options.deterministic)})
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_target_name", "carom::carom")
        self.cpp_info.libs = ["carom"]
        if self.options.shared:
            self.cpp_info.defines = ["CAROM_SHARED"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m"]
