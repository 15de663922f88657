"""The package as people install it: source distribution, wheel, a fresh environment."""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest
from support import ROOT

import carom

pytestmark = pytest.mark.slow


def run(*arguments, **options):
    done = subprocess.run([str(word) for word in arguments], capture_output=True, text=True,
                          check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def clean():
    """The environment without the package of the build."""
    return {key: value for key, value in os.environ.items()
            if key not in ("PYTHONPATH", "CAROM_BUILD_DIR")}


def test_install_from_source_distribution(tmp_path, clean):
    run(sys.executable, "setup.py", "-q", "egg_info", "--egg-base", tmp_path, "sdist", "--dist-dir",
        tmp_path, cwd=ROOT / "python", env=clean)
    archive, = tmp_path.glob("carom-*.tar.gz")
    assert archive.name == f"carom-{carom.__version__}.tar.gz"
    with tarfile.open(archive) as file:
        names = {str(pathlib.PurePath(*pathlib.PurePath(name).parts[1:])) for name in file.getnames()}
    assert {"library/include/carom/carom.h", "library/src/solve/solve.c", "library/LICENSE",
            "library/cli/main.c", "native/native.h", "src/carom/py.typed"} <= names
    # outside the checkout: nothing but the archive is there
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index",
        "--wheel-dir", tmp_path, archive, cwd=tmp_path, env=clean)
    wheel, = tmp_path.glob("carom-*.whl")
    with zipfile.ZipFile(wheel) as file:
        assert any(name.startswith("carom/_native.") for name in file.namelist())
        assert "carom/py.typed" in file.namelist()
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv", env=clean)
    python = tmp_path / "venv/bin/python"
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel, env=clean)
    said = run(python, "-c", "import carom, numpy as np; print(carom.__file__); "
               "print(carom.solve(np.eye(3), [0, 0, -1.0], e=.5).velocity.tolist())",
               cwd=tmp_path, env=clean).splitlines()
    assert said[0].startswith(str(tmp_path / "venv")) and said[1] == "[0.0, 0.0, 0.5]"
    assert run(python, "-m", "carom", "--version", cwd=tmp_path, env=clean).split()[0] == "carom"


def test_install_from_the_root_of_a_checkout(tmp_path, clean):
    """`pip install .` there, in a copy, as it writes files. The compiled library is that of the
    build, which the test above compiles itself."""
    copy = tmp_path / "checkout"
    keep_out = shutil.ignore_patterns("build*", "*.egg-info", "__pycache__", "lab", ".git", "test",
                                      "docs", "fuzz", "bench", "figures")
    shutil.copytree(ROOT, copy, ignore=keep_out)
    build = pathlib.Path(carom.__path__[0]).parents[2]
    run(sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index",
        "--target", tmp_path / "target", ".", cwd=copy, env=dict(clean, CAROM_BUILD_DIR=str(build)))
    said = run(sys.executable, "-c", "import carom; print(carom.__file__)", cwd=tmp_path,
               env=dict(clean, PYTHONPATH=str(tmp_path / "target")))
    assert said.startswith(str(tmp_path / "target"))
