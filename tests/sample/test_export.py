"""The sample written as files is a corpus like one's own."""

from pathlib import Path

from photocritic.config import IngestParams
from photocritic.ingest.readers import folder
from photocritic.ingest.records import Comment, Image, Rejected
from photocritic.sample import generate, write


def test_the_folder_reader_reads_back_what_was_generated(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    scenes = list(generate(3, seed=2))
    assert write(corpus, 3, seed=2) == sum(len(scene.comments) for scene in scenes)
    records = list(folder.read(corpus, IngestParams(reader="folder", source=str(corpus)), 0))
    assert not [record for record in records if isinstance(record, Rejected)]
    images = [record for record in records if isinstance(record, Image)]
    assert [Path(str(image.data)).read_bytes() for image in images] == [scene.image for scene in scenes]
    assert [image.labels for image in images] == [scene.labels for scene in scenes]
    found = [record for record in records if isinstance(record, Comment)]
    texts = [(record.comment_id, record.text, record.style) for record in found]
    assert texts == [(c.comment_id, c.text, c.style) for scene in scenes for c in scene.comments]
    aspects = [record.source.partition(":")[2] or None for record in found]
    assert aspects == [c.aspect for scene in scenes for c in scene.comments]


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for _ in range(2):
        write(tmp_path / "corpus", 2, seed=2)
        bytes_now = [path.read_bytes() for path in sorted((tmp_path / "corpus").rglob("*")) if path.is_file()]
    write(tmp_path / "other", 2, seed=2)
    assert bytes_now == [path.read_bytes() for path in sorted((tmp_path / "other").rglob("*")) if path.is_file()]
