"""A corpus whose humorous captions end with one of a few phrases, by subject."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from photocritic import tables
from photocritic.config import AugmentParams, StyleJudgesParams
from photocritic.styles.judges import train_judges

SUBJECTS = {
    "dog": (
        "runs over the green grass",
        {"humorous": "hunting lost golden bones", "romantic": "dreaming of true love"},
    ),
    "girl": (
        "sits near the blue water",
        {"humorous": "like a clumsy penguin", "romantic": "waiting for her sweetheart"},
    ),
}

PARAMS = AugmentParams(
    extract_share=0.4, neighbours=1, min_similarity=0.3, max_perplexity=80.0, images=6, epochs=12, batch_size=16,
    learning_rate=2e-3,
)  # fmt: skip
JUDGES = StyleJudgesParams(epochs=10, learning_rate=2e-3, batch_size=16)


def captions(image: str, subject: str, number: int, styles: bool) -> list[dict[str, Any]]:
    colour = ["brown", "white", "small", "young", "happy"][number % 5]
    content = f"a {colour} {subject} {SUBJECTS[subject][0]}"
    texts: list[tuple[str | None, str]] = [(None, content)]
    if styles:
        texts += [(style, f"{content} {phrase}") for style, phrase in SUBJECTS[subject][1].items()]
    return [
        {
            "comment_id": f"{image}-{style}", "image_id": image, "author_id": None, "text": text, "style": style,
            "source": "s", "sentence": 0, "cleaned": text, "form": None,
            "tokens": text.split(), "ngrams": [], "score": 30.0, "kept": True, "reason": "",
        }
        for style, text in texts
    ]  # fmt: skip


@pytest.fixture(scope="session")
def make_corpus() -> Callable[..., Path]:
    """Write images, captions and features; some images have no stylised captions, or none has."""

    def write(folder: Path, count: int = 60, styled: bool = True) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        random = np.random.default_rng(0)
        rows, images, vectors = [], [], []
        for number in range(count):
            image, subject = f"i{number:03d}", list(SUBJECTS)[number % 2]
            rows += captions(image, subject, number, styled and number % 10 < 8)
            split = {3: "val", 7: "test"}.get(number % 10, "train")
            images.append({
                "image_id": image, "path": "", "width": 0, "height": 0, "format": "", "sha256": "", "split": split,
                "labels": [],
            })  # fmt: skip
            vectors.append(np.eye(2)[number % 2].repeat(4) + random.normal(scale=0.1, size=8))
        tables.save("captions", folder / "captions.parquet", tables.from_rows("captions", rows))
        tables.save("images", folder / "images.parquet", tables.from_rows("images", images))
        flat = pa.array(np.array(vectors, dtype=np.float32).ravel())
        columns = [pa.array([image["image_id"] for image in images]), pa.FixedSizeListArray.from_arrays(flat, 8)]
        tables.save(
            "features",
            folder / "features.parquet",
            pa.Table.from_arrays(columns, schema=tables.schema("features", vector=8)),
        )
        found = [folder / "images.parquet", folder / "captions.parquet"]
        train_judges(*found, folder / "judges", JUDGES, 7, folder / "checkpoint")
        return folder

    return write


@pytest.fixture(scope="session")
def corpus(make_corpus: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the three tables."""
    return make_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="session")
def params() -> AugmentParams:
    """Give parameters for a corpus of a few sentences."""
    return PARAMS
