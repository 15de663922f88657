"""Examples in docstrings and documents run; types check."""
import doctest
import importlib
import importlib.util
import os
import pkgutil
import re
import subprocess
import sys

import pytest
from support import ROOT

import carom

MODULES = ["carom"] + [f"carom.{module.name}" for module in pkgutil.iter_modules(carom.__path__)
                       if module.name not in ("_native", "__main__")]


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    yield
    carom.set_threads(2)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    if name == "carom.plot":
        pytest.importorskip("matplotlib")
    if name == "carom.torch":
        pytest.importorskip("torch")
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_every_public_function_has_an_example():
    for module in (carom, carom.measure):
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing) and not isinstance(thing, type):
                assert ">>>" in (thing.__doc__ or ""), f"{name} has no example"


@pytest.mark.parametrize("path", ["README.md", "docs/python.md", "python/README.md"])
def test_documents(path):
    """Python blocks are sessions with >>>, or run as they are, in one name space."""
    text = (ROOT / path).read_text(encoding="utf-8")
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    assert blocks
    for block in blocks:
        if "import torch" in block and not importlib.util.find_spec("torch"):
            continue
        if ">>>" in block:
            parser = doctest.DocTestParser()
            test = parser.get_doctest(block, names, path, path, 0)
            runner = doctest.DocTestRunner()
            runner.run(test, clear_globs=False)
            assert runner.failures == 0
            names.update(test.globs)
        else:
            exec(compile(block, path, "exec"), names)


def test_types():
    pytest.importorskip("mypy", reason="mypy is not here (python3-mypy)")
    environment = dict(os.environ, MYPYPATH=os.path.dirname(carom.__path__[0]))
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(ROOT / "python/pyproject.toml"),
                           "--cache-dir", os.devnull], env=environment, cwd=ROOT / "python",
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


#: Names that NumPy 2 has removed or deprecated, by its migration guide.
GONE = set("""
    geterrobj seterrobj cast source lookfor who fastCopyAndTranspose set_numeric_ops NINF PINF NZERO PZERO
    add_newdoc add_docstring add_newdoc_ufunc compat safe_eval float_ complex_ longfloat singlecomplex cfloat
    longcomplex clongfloat string_ unicode_ Inf Infinity NaN infty issctype maximum_sctype obj2sctype sctype2char
    sctypeDict sctypes issubsctype set_string_function asfarray issubclass_ tracemalloc_domain mat recfromcsv
    recfromtxt deprecate deprecate_with_doc disp find_common_type round_ nbytes get_array_wrap DataSource row_stack
    in1d trapz product cumproduct sometrue alltrue msort core object float int bool str complex long byte_bounds
""".split())


def test_written_for_numpy_2():
    """No removed name or method, and no copy=False, which raises now."""
    files = [*(ROOT / "python/src/carom").glob("*.py"), *(ROOT / "python/notebooks").glob("*.ipynb"),
             ROOT / "python/bench.py"]
    assert len(files) > 15
    for path in files:
        text = path.read_text(encoding="utf-8")
        used = set(re.findall(r"\b(?:np|numpy)\.([A-Za-z_]\w*)", text))
        assert not used & GONE, path
        assert not re.search(r"copy=False|\.ptp\(|\.newbyteorder\(|\.itemset\(|\.tostring\(", text), path
