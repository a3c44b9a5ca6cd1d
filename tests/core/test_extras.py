"""Without the extras texts are still read and judged, and what needs one of them says which in one line."""

import subprocess
import sys
from pathlib import Path

import pytest

from photocritic.core.extras import NotInstalled, advice, refuse_without

# What an installation without extras lacks is not found by this process, though it is there.
WITHOUT = """
import re, sys
from importlib.metadata import packages_distributions, requires

def name(text):
    return re.match(r"[\\w.-]+", text)[0].lower().replace("_", "-")


wanted = requires("photocritic")
base = {name(text) for text in wanted if "extra ==" not in text}
extra = {name(text) for text in wanted if "extra ==" in text} - base
owners = packages_distributions().items()
lacking = {module for module, packages in owners if {name(package) for package in packages} <= extra}


class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in lacking:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Lacking())
from photocritic.cli import main

main()
"""


def command(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def comments(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    rows = "".join(f"{row // 3}.jpg,the soft light on old boat number {row} leads the eye\n" for row in range(30))
    (folder / "comments.csv").write_text(f"image,text\n{rows}")
    return folder


@pytest.mark.parametrize("chain", [[], ["--chain", "critique"]])
def test_comments_are_judged_without_any_extra(comments: Path, chain: list[str]) -> None:
    done = command(comments, "filter", "comments.csv", "--out", "captions.parquet", *chain)
    assert done.returncode == 0, done.stderr
    assert (comments / "captions.parquet").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("caption", ".", "--out", "x.jsonl"), "this needs torch: install 'photocritic[captions]'"),
        (("run",), "this needs dvc: install 'photocritic[pipeline]'"),
    ],
)
def test_what_needs_an_extra_names_it_in_one_line(
    root: Path, comments: Path, arguments: tuple[str, ...], message: str
) -> None:
    for name in ("dvc.yaml", "params.yaml"):
        (comments / name).write_bytes((root / name).read_bytes())
    (comments / "a.jpg").touch()
    trained = comments / "data" / "predict" / "cws"
    trained.mkdir(parents=True, exist_ok=True)
    (trained / "pipeline.json").touch()
    done = command(comments, *arguments)
    assert done.returncode == 1
    assert done.stderr.strip() == f"photocritic: {message} (docs/installing.md)"


def test_advice_is_for_what_an_extra_brings() -> None:
    assert "photocritic[pipeline]" in advice("faiss")  # of faiss-cpu
    assert "photocritic[captions]" in advice("lightning_fabric.strategies")
    assert not advice("numpy")
    assert not advice("nobody_has_this")
    with pytest.raises(NotInstalled, match="nobody_has_this is not installed"):
        refuse_without("nobody_has_this")
