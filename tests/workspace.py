"""A workspace of its own for tests that run real stages: the project's files, the real params made small."""

import shutil
import subprocess
import sys
from pathlib import Path

from ruamel.yaml import YAML

from photocritic.core.environment import environment

# What is taken off the real params.yaml so that the whole chain runs in two or three minutes.
SMALL = {
    "ingest": {"sample_images": 90},
    "associate": {"images": 1},  # of so few comments hardly a sentence is repeated
    "lda": {"topics": 4, "passes": 3, "words": 40, "min_documents": 2, "max_share": 0.5},
    "cnn_pretrain": {"image_size": 32, "epochs": 2, "batch_size": 16},
    "lstm_train": {"hidden": 32, "embedding": 32, "epochs": 2, "min_count": 2},
    "predict": {"beam": 2},
    "report": {"gallery": 5},
    "promote": {"gate": {}},  # after two epochs all say one sentence
    "augment": {"images": 5, "epochs": 1, "neighbours": 2, "min_similarity": -1.0, "max_perplexity": 1e6},
}


class Workspace:
    """A clone of the project with small parameters.

    Parameters
    ----------
    folder : Path
        Where it stands.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = Path(".venv/bin/python")

    def params(self, changes: dict) -> None:
        """Change values in params.yaml, section by section."""
        yaml = YAML()
        document = yaml.load(self.folder / "params.yaml")
        for section, values in changes.items():
            document[section].update(values)
        yaml.dump(document, self.folder / "params.yaml")

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess:
        """Run a command of the project's environment in the workspace."""
        done = subprocess.run(
            [str(self.python), *command],
            cwd=self.folder,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert not check or done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def copy(self, folder: Path) -> "Workspace":
        """Copy everything but the tracking store into a workspace of its own."""
        shutil.copytree(self.folder, folder, symlinks=True, ignore=shutil.ignore_patterns("mlruns"))
        return Workspace(folder)

    def clone(self, folder: Path) -> "Workspace":
        """Clone what is committed, with the environment that `make` would install."""
        subprocess.run(["git", "clone", "--quiet", self.folder, folder], check=True)
        (folder / ".venv").symlink_to(sys.prefix)
        return Workspace(folder)


def make(root: Path, folder: Path) -> Workspace:
    """Set up a workspace from the project's own files."""
    folder.mkdir(parents=True)
    for name in ("src", "stages", "flows", "presets", "plugins", ".dvc"):
        ignore = shutil.ignore_patterns("__pycache__", "cache", "tmp", "config.local")
        shutil.copytree(root / name, folder / name, ignore=ignore)
    for name in ("dvc.yaml", "params.yaml", "prefect.yaml", ".dvcignore", ".gitignore"):
        shutil.copy(root / name, folder / name)
    (folder / ".venv").symlink_to(sys.prefix)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    workspace = Workspace(folder)
    workspace.params(SMALL)
    return workspace
