"""The extension module carom._native: cffi in API mode over native.h and the C files beside it."""
import pathlib
import re

from cffi import FFI

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = ["rows.c", "solve_rows.c", "batch_rows.c", "derivative_rows.c", "body_rows.c", "system_rows.c",
           "geometry_rows.c", "flight_rows.c", "fit_rows.c", "measure_values.c", "aim_search.c",
           "without_fit.c", "sequence_row.c", "scene_text.c", "scene_study.c", "program.c"]

CALLBACKS = """
extern "Python+C" int python_choose(void *context, int count, const int *contacts,
                                    const double *speeds);
extern "Python+C" int python_outcome(void *context, const double *values, double *misses,
                                     char *sequence);
extern "Python+C" int python_slopes(void *context, const double *values, double *slopes);
"""


def declarations() -> str:
    """native.h without comments and directives."""
    text = (HERE / "native.h").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))


def write_source(path: pathlib.Path) -> None:
    ffi = FFI()
    ffi.cdef(declarations() + CALLBACKS)
    ffi.set_source("carom._native", '#include "native.h"')
    ffi.emit_c_code(str(path))
