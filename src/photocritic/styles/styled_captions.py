"""What styles are learned from: the stylised captions, and one factual caption for each image."""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from photocritic import tables
from photocritic.core.errors import PhotocriticError
from photocritic.styles.word_tokenizer import Words

FACTUAL = "factual"  # the classifiers' name for captions in no style
MIN_WORDS = 4  # fewer leave nothing to split into phrase and content
SPLITS = ("train", "val", "test")


@dataclass(frozen=True)
class Caption:
    """A caption of an image, as lower-case words."""

    image_id: str
    words: Words
    style: str


@dataclass(frozen=True)
class Labelled:
    """Sentences in one style and factual ones.

    Attributes
    ----------
    sentences : list of sequence of str
        Lower-case words.
    in_style : list of bool
        Which of them are in the style.
    """

    sentences: list[Words]
    in_style: list[bool]


@dataclass(frozen=True)
class SplitCaptions:
    """The captions of the images of one split.

    Attributes
    ----------
    styled : list of Caption
        D_s: the stylised captions.
    factual : list of Caption
        P: one factual caption an image.
    """

    styled: list[Caption]
    factual: list[Caption]

    def styles(self) -> list[str]:
        """Return the styles there are, sorted."""
        return sorted({caption.style for caption in self.styled})

    def words(self, style: str) -> list[Words]:
        """Return the words of each caption in a style."""
        return [caption.words for caption in self.styled if caption.style == style]

    def labelled(self, style: str, seed: int) -> Labelled:
        """Put captions together for the classifier of a style.

        Parameters
        ----------
        style : str
            The style.
        seed : int
            Of the choice among factual captions: of them no more are taken than there are captions in the style, so
            that the style is not the rarer class.

        Returns
        -------
        Labelled
            The captions in the style, then the factual ones.
        """
        words = self.words(style)
        order = np.random.default_rng(seed).permutation(len(self.factual))[: len(words)]
        factual = [self.factual[i].words for i in sorted(order)]
        return Labelled([*words, *factual], [True] * len(words) + [False] * len(factual))


def read_styled_captions(images: Path, captions: Path, among: Container[str] | None = None) -> dict[str, SplitCaptions]:
    """Read the kept captions that styles are learned from and tried on.

    Of an image's factual captions the one is taken whose length is nearest to the usual stylised caption of a training
    image, so that length is no sign of a style; among equals the most informative.

    Parameters
    ----------
    images, captions : Path
        The tables.
    among : container of str, optional
        Only the captions of these images.

    Returns
    -------
    dict of str to SplitCaptions
        By split.

    Raises
    ------
    PhotocriticError
        A style has the name that stands for none.
    """
    split = {
        row["image_id"]: row["split"]
        for row in _rows("images", images, ["image_id", "split"])
        if among is None or row["image_id"] in among
    }
    styled = [caption for caption in _styled(captions) if caption.image_id in split]
    usual = [len(caption.words) for caption in styled if split[caption.image_id] == "train"]
    factual = _factual(captions, float(np.mean(usual)) if usual else 0.0, split)
    return {
        name: SplitCaptions(*([one for one in some if split[one.image_id] == name] for some in (styled, factual)))
        for name in SPLITS
    }


def _styled(captions: Path) -> list[Caption]:
    columns = ["comment_id", "image_id", "style", "tokens"]
    rows = list(_rows("captions", captions, columns, tables.KEPT & tables.STYLED))
    rows.sort(key=lambda row: row["comment_id"])
    found = [Caption(row["image_id"], row["tokens"], row["style"]) for row in rows if len(row["tokens"]) >= MIN_WORDS]
    if any(caption.style == FACTUAL for caption in found):
        raise PhotocriticError(f"{captions}: a style is called '{FACTUAL}', which stands for no style; rename it")
    return found


def _factual(captions: Path, usual_length: float, wanted: Container[str]) -> list[Caption]:
    best: dict[str, tuple[tuple[float, float, str], Words]] = {}
    for row in _rows("captions", captions, ["comment_id", "image_id", "tokens", "score"], tables.FACTUAL):
        if len(row["tokens"]) < MIN_WORDS or row["image_id"] not in wanted:
            continue
        rank = (abs(len(row["tokens"]) - usual_length), -row["score"], row["comment_id"])
        if row["image_id"] not in best or rank < best[row["image_id"]][0]:
            best[row["image_id"]] = (rank, row["tokens"])
    return [Caption(image, words, FACTUAL) for image, (_, words) in sorted(best.items())]


def _rows(
    table: str, path: Path, columns: list[str], view: tables.TableView = tables.EVERY_ROW
) -> Iterator[dict[str, Any]]:
    for batch in tables.scan(table, path, columns, view):
        yield from batch.to_pylist()
