"""The bundled sample: scenes rendered from a seed, with comments that fit them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from photocritic.config import IngestParams
from photocritic.ingest.records import Comment, Image, Record

INTERLEAVED: Final = True


def read(_source: Path, params: IngestParams, seed: int) -> Iterator[Record]:
    """Render `params.sample_images` scenes; nothing is read from disk. The source names the aspect of a critique."""
    from photocritic.sample import generate

    for scene in generate(params.sample_images, seed):
        yield Image(
            image_id=scene.image_id,
            data=scene.image,
            source="sample",
            position=scene.image_id,
            labels=tuple(scene.labels),
        )
        for comment in scene.comments:
            yield Comment(
                comment_id=comment.comment_id,
                image_id=scene.image_id,
                author_id=comment.author_id,
                text=comment.text,
                style=comment.style,
                source=f"sample:{comment.aspect}" if comment.aspect else "sample",
                position=comment.comment_id,
            )
