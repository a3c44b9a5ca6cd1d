"""Reading a captioner's dataset from the tables of captions, images and features."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import tables
from photocritic.captioning.caption_dataset import Booleans, Dataset, Floats, Integers, Pairs, scratch_matrix
from photocritic.captioning.vocabulary import EOS, Vocabulary
from photocritic.core.errors import TrainingError
from photocritic.text import caption_tokens

log = logging.getLogger(__name__)

_NOTHING = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool), np.empty(0, np.int32))

_SPLITS = pa.schema([pa.field("image_id", pa.string(), nullable=False), pa.field("split", pa.string(), nullable=False)])


@dataclass(frozen=True)
class Images:
    """The training and validation images.

    Attributes
    ----------
    ids : pyarrow.Array
        (N,) image ids, in the order of the images table.
    training : ndarray
        (N,) whether an image is of the training split, rather than the validation split.
    """

    ids: pa.Array
    training: Booleans


def load_dataset(
    captions: Path,
    images: Path,
    features: Path,
    kind: Literal["raw", "filtered"],
    min_count: int,
    size: int,
    max_length: int,
    scratch: Path,
    view: tables.Stored = "pooled",
    styles: Sequence[str] = (),
    punctuation: bool = False,
    aspect: str | None = None,
    aspects: Sequence[str] = (),
) -> Dataset:
    """Read the training and validation pairs of a variant.

    Parameters
    ----------
    captions, images, features : Path
        The tables.
    kind : "raw" or "filtered"
        All captions as they were written, or those that the filter kept, as it has left them. Styled comments are in
        neither of `train` and `val`.
    min_count, size : int
        As in `Vocabulary.build`; words are counted in the training captions only, styled ones included.
    max_length : int
        Longer captions are cut to so many words, and then have no end mark.
    scratch : Path
        Folder for a scratch file with the features, gone when the dataset is.
    view : "pooled" or "grid"
        Which features: one vector an image, or one a cell.
    styles : sequence of str
        Styles whose captions are wanted too.
    punctuation : bool
        Whether punctuation marks are words, too.
    aspect : str, optional
        Only captions of this aspect are wanted; those in styles are of none.
    aspects : sequence of str
        Aspects whose captions are wanted by themselves, too.

    Returns
    -------
    Dataset
        Pairs in the order of the captions table.

    Raises
    ------
    TrainingError
        No training caption is left, or none in one of the styles or of the aspects, or no word is frequent enough.
    GateFailed
        The features are not those of the images.
    """
    known = training_images(images)
    matrix = gather_features(known, images, features, scratch, view)
    lexicon = _Lexicon()
    wanted = [(None, aspect), *((style, None) for style in styles), *((None, one) for one in aspects)]
    gathered = [
        _gather(captions_of(captions, kind, known.ids, style, punctuation, of), known, lexicon, max_length)
        for style, of in wanted
    ]
    for (style, of), texts in zip(wanted, gathered, strict=True):
        if not texts.training.any():
            raise TrainingError(no_captions_message(captions, kind, style, of))
    factual, styled, in_aspect = gathered[0], gathered[1 : 1 + len(styles)], gathered[1 + len(styles) :]
    if factual.empty:
        log.warning("%s: %d captions without words are not learned from", captions, factual.empty)
    words = [texts.words[np.repeat(texts.training, texts.lengths)] for texts in (factual, *styled)]
    vocabulary = Vocabulary.build(lexicon.count(np.concatenate(words)), min_count, size)
    numbers = lexicon.numbers(vocabulary)
    has_views = view == "pooled" and tables.has_views(features)
    views = gather_features(known, images, features, scratch, "views") if has_views else None

    def dataset(texts: _Texts, in_style: dict[str, Pairs], by_aspect: dict[str, Dataset]) -> Dataset:
        train, val = (_pairs(matrix, texts, numbers, chosen) for chosen in (texts.training, ~texts.training))
        ids = tuple(known.ids.to_pylist())
        return Dataset(vocabulary, replace(train, views=views), val, texts.empty, in_style, ids, by_aspect)

    in_style = {name: _pairs(matrix, some, numbers, some.training) for name, some in zip(styles, styled, strict=True)}
    by_aspect = {name: dataset(some, {}, {}) for name, some in zip(aspects, in_aspect, strict=True)}
    return dataset(factual, in_style, by_aspect)


def no_captions_message(captions: Path, kind: str, style: str | None = None, aspect: str | None = None) -> str:
    """Return the message that there is no training caption, and what to do."""
    if aspect is not None:
        aspects = ", ".join(tables.aspects_in(captions)) or "none"
        return (
            f"{captions}: no {kind} caption of a training image is of the aspect '{aspect}' (its aspects: {aspects}); "
            "change the variant's aspect or lstm_train.options"
        )
    if style is not None:
        return f"{captions}: no {kind} caption of a training image is {style}; see ingest.styles and lstm_train.options"
    advice = "lower filter.threshold or use captions: raw" if kind == "filtered" else "check ingest and its splits"
    return f"{captions}: no {kind} caption of a training image is left to learn from; {advice}"


def training_images(images: Path) -> Images:
    """Read which images are trained and validated on."""
    splits = pa.Table.from_batches(tables.scan("images", images, ["image_id", "split"]), _SPLITS)
    wanted = splits.filter(pc.is_in(splits["split"], pa.array(["train", "val"]))).combine_chunks()
    ids = pc.cast(wanted["image_id"], pa.string()).combine_chunks()
    return Images(ids, np.asarray(pc.equal(wanted["split"], "train")))


def gather_features(known: Images, images: Path, features: Path, scratch: Path, view: tables.Read) -> Floats:
    """Gather the features of known images, (N, R, C), in a scratch file; raises as `load_dataset`."""
    tables.check_references("features", features, images=images)
    matrix: Floats | None = None
    for found, regions in tables.read_regions(features, view):
        rows = pc.index_in(found, value_set=known.ids)
        if matrix is None:
            matrix = scratch_matrix(scratch, len(known.ids), regions.shape[1:])
        matrix[pc.drop_null(rows).to_numpy()] = regions[np.asarray(pc.is_valid(rows))]
    if matrix is None:
        raise TrainingError(f"{features}: no image has features; run cnn_pretrain")
    return matrix


@dataclass(frozen=True)
class _Texts:
    """Captions of one style, or of none: each one's image and length, whether it was cut, and all words' numbers."""

    images: Integers
    lengths: Integers
    cut: Booleans
    words: NDArray[np.int32]
    training: Booleans
    empty: int


def _gather(
    captions: Iterator[tuple[Integers, pa.Array]], known: Images, lexicon: "_Lexicon", max_length: int
) -> _Texts:
    parts, empty = [_NOTHING], 0
    for images_of, words in captions:
        any_words = pc.list_value_length(words).to_numpy() > 0
        empty += int((~any_words).sum())
        parts.append((images_of[any_words], *lexicon.number(words.filter(pa.array(any_words)), max_length)))
    images, lengths, cut, flat = (np.concatenate(part) for part in zip(*parts, strict=True))
    return _Texts(images, lengths, cut, flat, known.training[images], empty)


def captions_of(
    path: Path,
    kind: str,
    ids: pa.Array,
    style: str | None = None,
    punctuation: bool = False,
    aspect: str | None = None,
) -> Iterator[tuple[Integers, pa.Array]]:
    """Stream the captions of some images, in a style or in none, as (row of the image in `ids`, words).

    The words of raw captions are those of the text as it was written, before any filter has changed it. Where an
    aspect is given, the captions are those of this aspect.
    """
    view = tables.of_style(style) & tables.KEPT if kind == "filtered" else tables.of_style(style)
    view = view if aspect is None else view & tables.of_aspect(aspect)
    column = "text" if kind == "raw" else "cleaned" if punctuation else "tokens"
    for batch in tables.scan("captions", path, ["image_id", column], view):
        rows = pc.index_in(batch["image_id"], value_set=ids)
        words = batch.filter(pc.is_valid(rows))[column]
        if column != "tokens":
            words = pa.array([caption_tokens(text, punctuation) for text in words.to_pylist()], pa.list_(pa.string()))
        yield pc.drop_null(rows).to_numpy().astype(np.int64), words


class _Lexicon:
    """All words met so far, numbered as they come, so that one pass over the captions is enough."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}

    def number(self, words: pa.Array, max_length: int) -> tuple[Integers, Booleans, NDArray[np.int32]]:
        """Turn a column of captions into (lengths, whether each was cut, flat numbers)."""
        full = pc.list_value_length(words).to_numpy().astype(np.int64)
        coded = pc.list_flatten(pc.list_slice(words, 0, max_length)).dictionary_encode()
        own = [self._words.setdefault(word, len(self._words)) for word in coded.dictionary.to_pylist()]
        flat = np.array(own, np.int32)[coded.indices.to_numpy()]
        return np.minimum(full, max_length), full > max_length, flat

    def count(self, flat: NDArray[np.int32]) -> dict[str, int]:
        """Count the words in flat numbers."""
        counts = np.bincount(flat, minlength=len(self._words)).tolist()
        return dict(zip(self._words, counts, strict=True))

    def numbers(self, vocabulary: Vocabulary) -> NDArray[np.int32]:
        """Return the number in the vocabulary of each word met."""
        return np.array(vocabulary.encode(self._words), np.int32)


def _ended(flat: NDArray[np.int32], lengths: Integers, cut: Booleans) -> tuple[NDArray[np.int32], Integers]:
    """Put `EOS` behind every caption that was not cut; return the tokens and where each caption begins."""
    offsets = np.concatenate([[0], np.cumsum(lengths + ~cut)])
    tokens = np.full(offsets[-1], EOS, np.int32)
    places = np.arange(len(flat)) + np.repeat(offsets[:-1] - np.cumsum(lengths) + lengths, lengths)
    tokens[places] = flat
    return tokens, offsets


def _pairs(features: Floats, texts: _Texts, numbers: NDArray[np.int32], chosen: Booleans) -> Pairs:
    tokens, offsets = _ended(numbers[texts.words], texts.lengths, texts.cut)
    lengths = np.diff(offsets)
    starts = np.concatenate([[0], np.cumsum(lengths[chosen])])
    return Pairs(features, texts.images[chosen].astype(np.int32), starts, tokens[np.repeat(chosen, lengths)])
