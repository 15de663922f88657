"""Build of the package: CMake builds the library and the program's code with their own flags, so that
numbers equal the program's bit for bit; the extension module links to them.

CAROM_BUILD_DIR=DIR takes a build of CMake that is already there, if it is one of this checkout.
"""
import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "native"))
# In a checkout the library is one level up, in a source distribution inside.
LIBRARY = HERE / "library" if (HERE / "library").is_dir() else HERE.parent
LIBRARY_PARTS = ("CMakeLists.txt", "LICENSE", "include", "src", "fit", "mechanism", "cli",
                 "cmake", "docs/carom.1")


def read_version() -> str:
    for line in (LIBRARY / "include/carom/status.h").read_text(encoding="utf-8").splitlines():
        if line.startswith('#define CAROM_VERSION "'):
            return line.split('"')[1]
    raise SystemExit("include/carom/status.h: no CAROM_VERSION")


class BuildExtension(build_ext):
    def build_library(self) -> pathlib.Path:
        given = os.environ.get("CAROM_BUILD_DIR")
        if given:
            return pathlib.Path(given).resolve()
        build = pathlib.Path(self.build_temp).resolve() / "library"
        if not shutil.which("cmake"):
            raise SystemExit("carom: CMake is missing (Debian: apt-get install cmake)")
        jansson = subprocess.run(["pkg-config", "--exists", "jansson"], check=False)
        if jansson.returncode != 0:
            raise SystemExit("carom: Jansson is missing (Debian: apt-get install libjansson-dev "
                             "pkg-config)")
        configure = ["cmake", "-S", str(LIBRARY), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
                     "-DCAROM_INSTALL=OFF"]
        jobs = str(len(os.sched_getaffinity(0)))
        subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "carom_cli", "--parallel", jobs],
                       check=True)
        return build

    def build_extension(self, extension: Extension) -> None:
        import extension as native  # native/extension.py

        build = self.build_library()
        source = pathlib.Path(self.build_temp) / "_native.c"
        source.parent.mkdir(parents=True, exist_ok=True)
        native.write_source(source)
        extension.sources = [str(source)] + [os.path.relpath(HERE / "native" / name)
                                             for name in native.SOURCES]
        fit, mechanism = build / "fit/libcarom-fit.a", build / "mechanism/libcarom-mechanism.a"
        archives = [build / "cli/libcarom_cli.a", build / "lab/libcarom_lab_page.a", fit, mechanism,
                    build / "src/libcarom.a"]
        extension.extra_objects = [str(path) for path in archives if path.exists()]
        if fit.exists():
            extension.define_macros.append(("CAROM_HAS_FIT", "1"))
            extension.include_dirs.append(str(LIBRARY / "fit/include"))
            extension.extra_link_args[:0] = flags("--libs", "cminpack")
        if mechanism.exists():  # of the program's commands
            extension.extra_link_args.insert(0, "-lsundials_cvode")
        cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
        if "CAROM_HAS_CHARCONV:INTERNAL=1" in cache:  # the one C++ source of the program
            extension.extra_link_args.append("-lstdc++")
        extension.depends = [*extension.extra_objects, str(HERE / "setup.py"),
                             *(str(path) for path in (HERE / "native").glob("*.h"))]
        super().build_extension(extension)


class SourceDistribution(sdist):
    """With the sources of the library in library/."""

    def make_release_tree(self, base_dir: str, files: "list[str]") -> None:
        super().make_release_tree(base_dir, files)
        for part in LIBRARY_PARTS:
            source, target = LIBRARY / part, pathlib.Path(base_dir) / "library" / part
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)


def flags(option: str, package: str = "jansson") -> "list[str]":
    found = subprocess.run(["pkg-config", option, package], check=False, capture_output=True,
                           text=True)
    return found.stdout.split()


setup(
    version=read_version(),
    cmdclass={"build_ext": BuildExtension, "sdist": SourceDistribution},
    ext_modules=[Extension(
        "carom._native", sources=[],
        include_dirs=[str(HERE / "native"), str(LIBRARY / "include"), str(LIBRARY / "cli")],
        define_macros=[("_POSIX_C_SOURCE", "200809L"), ("NDEBUG", "1")],
        extra_compile_args=["-std=c17", "-O2", "-ffp-contract=off", *flags("--cflags")],
        extra_link_args=[*(flags("--libs") or ["-ljansson"]), "-lpthread", "-lm"])],
)
