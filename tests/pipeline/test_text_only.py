"""A corpus without images: its comments are filtered and its topics found, and the CNN says why it cannot be."""

import json

from photocritic import tables
from photocritic.sample import generate


def test_a_corpus_without_images_filters_and_finds_topics_but_trains_no_cnn(fresh):
    workspace = fresh()
    corpus = {scene.image_id: [comment.text for comment in scene.comments] for scene in generate(60, seed=3)}
    (workspace.folder / "dpc.json").write_text(json.dumps(corpus))
    workspace.params({"ingest": {"reader": "dpc", "source": "dpc.json"}})
    done = workspace.run("-m", "photocritic.cli", "run", check=False)
    assert tables.load("topics", workspace.folder / "data/lda/topics.parquet").num_rows > 0
    assert done.returncode != 0
    told = [line for line in (done.stdout + done.stderr).splitlines() if "no images at hand" in line]
    assert told, done.stderr
