"""The notebooks run from top to bottom; their own assertions hold."""
import pathlib

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat is not here (python3-nbclient)")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not here (python3-nbclient)")
pytest.importorskip("ipykernel", reason="ipykernel is not here (python3-ipykernel)")
pytest.importorskip("matplotlib")

pytestmark = pytest.mark.slow
NOTEBOOKS = sorted((pathlib.Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "saved without outputs"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                            resources={"metadata": {"path": str(tmp_path)}}).execute()


def test_there_are_three():
    assert [path.stem for path in NOTEBOOKS] == ["first_impacts", "foot_strike", "identify_a_contact"]
