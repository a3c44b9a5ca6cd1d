"""How many of the project's files work together when one thing goes through it.

Usage: python -m bench.rooms [--toy] [-v] [--check] [--workspace FOLDER]

Counted are the files of src/photocritic in which a function runs, rather than those that are only imported: for
`photocritic caption` on one photograph, for `photocritic filter` on one comment, and for the first epoch of a captioner
with its data and its tracking. The number is that of its own process; those that only its workers enter are counted
beside it. Without a workspace that a run has finished, all three happen in one that is made of small networks. With
--check a number above its limit is an error.
"""

import argparse
import hashlib
import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

import photocritic
from bench.measuring import ROOT, Row, Size, table

LIMITS = {
    "photocritic caption, one photograph": 20,
    "photocritic filter, one comment": 40,
    "one epoch of a captioner": 15,
}
EPOCH = ("training/loop.py", "_epoch")  # the function in which an epoch begins; it ends when it has been recorded
COMMENT = "I love the soft light on the old boat, and the composition leads the eye to the mountains behind it."

_PACKAGE = f"{Path(photocritic.__file__).parent}/"
_PIPE, _FROM = "ROOMS_PIPE", "ROOMS_FROM"  # where to report the files, and the function to begin at
_IMPORTED = "ROOMS_IMPORTED"  # libraries to import before
_FUNCTION = 0x1  # CO_OPTIMIZED: not the body of a module or of a class
_PARTS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}  # of a function, or of a module's body


class Watch:
    """Reports each file of the package, when a function in it is called first, to a named pipe.

    Parameters
    ----------
    pipe : Path
        The pipe; unlike a file, a process that may write no files can still write to it.
    begin : str
        File and name of the function with which it begins; empty: at once.
    """

    def __init__(self, pipe: Path, begin: str = "") -> None:
        self._pipe, self._begin = os.open(pipe, os.O_WRONLY), begin
        self._codes: dict[int, CodeType] = {}  # kept, so that no other code gets the same number
        self._files: set[str] = set()
        threading.setprofile(self)
        sys.setprofile(self)

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Take note of a call; as `sys.setprofile` wants it."""
        code = frame.f_code
        if event != "call" or id(code) in self._codes or not code.co_filename.startswith(_PACKAGE):
            return
        file = code.co_filename.removeprefix(_PACKAGE)
        if self._begin not in {"", f"{file}:{code.co_name}"}:
            return
        self._begin = ""
        self._codes[id(code)] = code
        if code.co_flags & _FUNCTION and code.co_name not in _PARTS and file not in self._files:
            self._files.add(file)
            os.write(self._pipe, f"{os.getpid()} {file}\n".encode())


if _PIPE in os.environ:  # this process is one of those that are watched
    for library in os.environ.pop(_IMPORTED, "").split():  # by the first; watched, importing takes most of the time
        importlib.import_module(library)
    Watch(Path(os.environ[_PIPE]), os.environ.get(_FROM, ""))


def entered(command: Sequence[str], folder: Path, begin: str = "", libraries: str = "") -> dict[str, bool]:
    """Run Python and return the files of the package that are entered, and whether in this process or one it starts.

    Raises
    ------
    SystemExit
        The command failed.
    """
    with TemporaryDirectory() as hooks:
        pipe = Path(hooks) / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDWR)  # some thousand lines fit into it
        (Path(hooks) / "sitecustomize.py").write_text("import bench.rooms\n")
        paths = [hooks, str(ROOT), str(Path(_PACKAGE).parent), os.environ.get("PYTHONPATH", "")]
        changes = {
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            _PIPE: str(pipe),
            _FROM: begin,
            _IMPORTED: libraries,
        }
        words, streams = [sys.executable, *command], {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        with subprocess.Popen(words, cwd=folder, env=os.environ | changes, text=True, **streams) as process:
            _, message = process.communicate()
        if process.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{message}")
        os.write(reader, b"\n")
        lines = [line.split() for line in os.read(reader, 1 << 20).decode().splitlines() if line]
        os.close(reader)
    found: dict[str, bool] = {}
    for pid, file in sorted(lines, key=lambda line: line[1]):
        found[file] = found.get(file, False) or int(pid) == process.pid
    return found


def train(workspace: Path, scratch: Path) -> None:
    """Train a captioner for an epoch, as the stage lstm_train does; what runs after it is not counted."""
    from photocritic import captioning, config, tracking
    from photocritic.core import paths

    params = config.load(workspace / "params.yaml")
    name = _variant(workspace)
    chosen = params.variants[name]
    short = {"epochs": 1, "finetune_epochs": 0, "self_critical_epochs": 0}
    with tracking.stage_run(f"lstm_train@{name}", {}, []) as run:

        def on_epoch(epoch: int, metrics: dict[str, float]) -> None:
            run.on_epoch(epoch, metrics)
            sys.setprofile(None)

        captioning.train(
            name=name,
            variant=chosen,
            captions=workspace / paths.CAPTIONS,
            images=workspace / paths.IMAGES,
            features=workspace / paths.FEATURES / f"{chosen.features}.parquet",
            out=scratch / "captioner",
            params=params.captioner(name).model_copy(update=short),
            seed=params.seed,
            checkpoint=scratch / "checkpoint.pt",
            on_epoch=on_epoch,
            photographs=captioning.Photographs(workspace / paths.SHARDS, workspace / paths.CNN / chosen.features),
        )


def _variant(workspace: Path) -> str:
    from photocritic import config

    known = config.load(workspace / "params.yaml").variants
    return "cws" if "cws" in known else next(iter(known))


def _write_workspace(folder: Path) -> None:
    """Write what the stages leave of 16 photographs, up to the features of an untrained network."""
    import numpy as np
    import pyarrow as pa
    import torch

    from bench.train import photograph
    from photocritic import tables
    from photocritic.core import paths
    from photocritic.images.shards import ShardWriter
    from photocritic.vision.network import Network, NetworkConfig

    small = "{hidden: 8, embedding: 8, min_count: 1, batch_size: 4, precision: 32-true}"
    variants = "{cws: {captions: filtered, features: weak}}"
    (folder / "params.yaml").write_text(f"lstm_train: {small}\nvariants: {variants}\npredict: {{max_length: 5}}\n")
    rng = np.random.default_rng(0)
    (folder / paths.SHARDS).mkdir(parents=True)
    images, captions = [], []
    with ShardWriter(folder / paths.SHARDS) as writer:
        for number in range(16):
            content, image = photograph(rng), f"im{number:02}"
            known = {"image_id": image, "path": writer.add(content, "JPEG"), "width": 500, "height": 375}
            split = ("train", "train", "val", "test")[number % 4]
            digest = hashlib.sha256(content).hexdigest()
            images.append(known | {"format": "JPEG", "sha256": digest, "split": split, "labels": []})
            words = ["soft", "light", "on", "boat", str(number % 4)]
            row = {"comment_id": image, "image_id": image, "author_id": None, "style": None, "source": "bench"}
            row |= {"form": None, "score": 30.0, "kept": True, "reason": "", "tokens": words, "ngrams": words}
            captions.append(row | {"text": " ".join(words), "cleaned": " ".join(words), "sentence": 0})
    tables.save("images", folder / paths.IMAGES, tables.from_rows("images", images))
    tables.save("captions", folder / paths.CAPTIONS, tables.from_rows("captions", captions))
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rng.random(16 * 512, np.float32)), 512)
    features = pa.table({"image_id": [row["image_id"] for row in images], "vector": vectors})
    tables.save("features", folder / paths.FEATURES / "weak.parquet", features)
    torch.manual_seed(0)
    Network(NetworkConfig("weak", "resnet18", 32, 1, {"topics": 2}, [])).save(folder / paths.CNN / "weak")


def _write_pipeline(workspace: Path, captioner: Path) -> None:
    """Write what predict leaves for a captioner."""
    from photocritic import captioning, config
    from photocritic.core import paths

    weights = (str(captioner), str(workspace / paths.CNN / "weak"))
    settings = captioning.Settings.of(config.load(workspace / "params.yaml"), "cws", *weights)
    settings.save(workspace / paths.PREDICT / "cws")


def _write_photograph(workspace: Path, folder: Path) -> None:
    """Write a photograph of the workspace into a folder of its own."""
    from photocritic import tables
    from photocritic.core import paths
    from photocritic.images.shards import read_images

    batch = next(iter(tables.scan("images", workspace / paths.IMAGES, ["path", "sha256"]))).slice(0, 1).to_pydict()
    folder.mkdir()
    (folder / "a.jpg").write_bytes(next(read_images(batch["path"], workspace / paths.SHARDS, batch["sha256"])))


def count(workspace: Path | None = None) -> dict[str, dict[str, bool]]:
    """Return the files that are entered, as `entered` does, by what goes through them.

    Parameters
    ----------
    workspace : Path, optional
        A folder with params.yaml, in which a run has ended well; nothing is written there. By default a small one.
    """
    with TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        place = workspace.absolute() if workspace else scratch / "workspace"
        if not workspace:
            place.mkdir()
            _write_workspace(place)
        caption, comment, epoch = LIMITS
        found = {}
        script = f"from bench.rooms import train, Path; train(Path({str(place)!r}), Path({temporary!r}))"
        found[epoch] = entered(["-c", script], scratch, ":".join(EPOCH), "torch mlflow")
        if not found[epoch]:
            raise SystemExit(f"no epoch begins in {':'.join(EPOCH)}: name the function in bench/rooms.py, EPOCH")
        if not workspace:
            _write_pipeline(place, scratch / "captioner")
        _write_photograph(place, scratch / "photographs")
        (scratch / "comment.csv").write_text(f'image,text\na.jpg,"{COMMENT}"\n')
        command = ["-m", "photocritic.cli", "caption", str(scratch / "photographs"), "--variant", _variant(place)]
        found[caption] = entered(
            [*command, "--out", str(scratch / "captions.jsonl")], place, libraries="torch torchvision"
        )
        command = ["-m", "photocritic.cli", "filter", str(scratch / "comment.csv")]
        found[comment] = entered(
            [*command, "--out", str(scratch / "captions.parquet")], place, libraries="great_expectations pandas"
        )
        return {what: found[what] for what in LIMITS}


def rows_of(found: dict[str, dict[str, bool]]) -> list[Row]:
    """Return a row for each thing that is followed."""
    return [
        Row(what, float(sum(files.values())), "files entered", f"limit {LIMITS[what]}; {len(files)} with its workers")
        for what, files in found.items()
    ]


def run(_size: Size) -> list[Row]:
    """Count in a small workspace."""
    return rows_of(count())


def main() -> None:
    """Count, print the numbers, and check them where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toy", action="store_true", help="as every benchmark; the small workspace is small anyway")
    parser.add_argument("-v", "--verbose", action="store_true", help="list the files")
    parser.add_argument("--check", action="store_true", help="end with 1 where a number is above its limit")
    parser.add_argument("--workspace", type=Path, help="a folder in which a run has ended well")
    given = parser.parse_args()
    found = count(given.workspace)
    sys.stdout.write(table(rows_of(found)))
    for what, files in found.items() if given.verbose else ():
        listed = [file if own else f"{file} (in a worker)" for file, own in files.items()]
        sys.stdout.write("\n  ".join([f"\n{what}:", *listed]) + "\n")
    over = [what for what, files in found.items() if sum(files.values()) > LIMITS[what]]
    if given.check and over:
        sys.exit(f"above the limit: {', '.join(over)}")


if __name__ == "__main__":
    main()
