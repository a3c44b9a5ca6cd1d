"""Association graphs of a few captions."""

import pytest

from photocritic import tables
from photocritic.config import AssociateParams, LanguageParams
from photocritic.filtering.association import GraphFiles, associate
from tests.filtering.association.graph_rows import FLY, ROWS, caption, image


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("photocritic.validation.check", lambda *args, **facts: None)


@pytest.fixture
def associated(tmp_path):
    """Associate captions with images a to z; gives the outcome and the rows of both tables."""

    def run(captions, hashes=None, **params):
        tables.save("captions", tmp_path / "c.parquet", tables.from_rows("captions", captions))
        names = [image(name, (hashes or {}).get(name)) for name in "abcdefghijklmnopqrstuvwxyz"]
        tables.save("images", tmp_path / "i.parquet", tables.from_rows("images", names))
        out, chosen = (
            GraphFiles.within(tmp_path / "out"),
            AssociateParams(**({"unit": "comment", "form": "canonical"} | params)),
        )
        outcome = associate(tmp_path / "c.parquet", tmp_path / "i.parquet", out, chosen, LanguageParams())
        return outcome, *(tables.load(*read).to_pylist() for read in (("forms", out.forms), ("edges", out.edges)))

    return run


@pytest.fixture
def corpus(associated):
    """Associate ROWS, with a rejected caption and one that nobody repeats among them."""
    captions = [caption(number, *row) for number, row in enumerate(ROWS)]
    return associated([caption(98, FLY, "Bird flies in sky", "z", "zoe", kept=False), *captions,
                       caption(99, None, "A red barn", "z", "zoe")])  # fmt: skip
