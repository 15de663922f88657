"""python -m carom: the program."""
from __future__ import annotations

import signal
import sys

from carom import _tables
from carom._native import ffi, lib


def main() -> int:
    if _tables.are_meant(sys.argv[1:]):
        return _tables.run(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    words = [ffi.new("char[]", word.encode(sys.getfilesystemencoding(), "surrogateescape"))
             for word in ["carom", *sys.argv[1:]]]
    status: int = lib.program_main(len(words), ffi.new("char *[]", words + [ffi.NULL]))
    return status


if __name__ == "__main__":
    sys.exit(main())
