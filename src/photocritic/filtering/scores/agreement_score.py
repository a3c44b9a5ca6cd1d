"""Agreement: how far a comment's words are those of the other people who wrote under its photograph."""

import logging
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic.filtering import out_of_core
from photocritic.filtering.comment_batch import CommentBatch
from photocritic.filtering.comment_score import CommentScore, Observed
from photocritic.filtering.informativeness import Floats, content_words, ngram_order, ngrams
from photocritic.filtering.out_of_core import (
    ROW,
    count_values,
    decide_by_group,
    load_decisions,
    merge_counts,
    read_arrow,
    stream_arrow,
    write_arrow,
)
from photocritic.text import Tagged

log = logging.getLogger(__name__)

# Prior weight of the corpus's share in an image's, in words (Dirichlet smoothing). Small: a word that two people use
# under one photograph says much. Between 1 and 1000 the area under the ROC curve changes by .002.
_PRIOR = 1.0
_GAINS = "gains.arrow"
# Uses of the average word that a word's own mean gain is shrunk by.
_SHRINK = 5.0


class Agreement(CommentScore):
    """Scores comments by how far their words are this photograph's own.

    The gain of a word under an image is the positive logarithm of its share in the image's other comments over its
    share in the corpus, Dirichlet-smoothed. A comment's score is the sum, over its different content words and bigrams,
    of the word's gain here and its mean gain wherever it is used. "nice" gains nothing anywhere; "dog" gains much under
    most photographs where it is used, and counts for something where nobody else has mentioned it; under an image with
    one comment the mean gains alone decide.
    """

    def observe(self, batch: CommentBatch) -> dict[str, pa.Array]:
        """Return each row's different content words and bigrams, and the number of its comment."""
        return {
            "words": pa.array(map(_words, batch.tagged()), pa.list_(pa.string())),
            "comment": pa.array(batch.start + batch.comments),
        }

    def fit(self, observed: Observed) -> None:
        """Compute each word's mean gain, and each comment's gain under its image."""
        batches = observed.batches
        counting = (table.filter(pc.and_(table["counts"], table["fits"])) for table in stream_arrow(batches))
        uses = merge_counts(
            (count_values(pc.list_flatten(table.column("words")), "word") for table in counting), "word"
        )
        self._words = pc.cast(uses.column("word"), pa.string()).combine_chunks()
        self._uses = uses.column("count").to_numpy().astype(np.float64)
        self._gains = np.zeros(len(self._words))
        self._comments = self._alone = 0
        self._folder = observed.folder
        decide_by_group(batches, "image_id", self._gain_here, self._folder)
        if self._alone > self._comments / 2:
            log.warning(
                "agreement: %d of %d comments have no other comment on their image to agree with; "
                "filter.score: specificity or learned suits such a corpus better",
                self._alone,
                self._comments,
            )
        average = self._gains.sum() / max(self._uses.sum(), 1.0)
        self._mean_gain = (self._gains + _SHRINK * average) / (self._uses + _SHRINK)
        write_arrow(self._folder / _GAINS, pa.table({"word": self._words, "gain": self._mean_gain}))

    def restore(self, observed: Observed) -> None:
        """Load the words' mean gains."""
        gains = read_arrow(observed.folder / _GAINS)
        self._words, self._mean_gain = gains.column("word").combine_chunks(), gains.column("gain").to_numpy()

    def explain(self, batch: CommentBatch, scores: list[float]) -> list[dict[str, float]]:
        """Return the mean gain of each word, and what all of them gain under this photograph."""
        explained = []
        for tagged, score in zip(batch.tagged(), scores, strict=True):
            words = _words(tagged)
            places = pc.index_in(pa.array(words, pa.string()), value_set=self._words).to_pylist()
            gains = {
                word: float(self._mean_gain[place])
                for word, place in zip(words, places, strict=True)
                if place is not None
            }
            here = {"under this photograph": max(score - sum(gains.values()), 0.0)}
            explained.append(here | dict(sorted(gains.items(), key=lambda entry: -entry[1])))
        return explained

    def scores(self, table: pa.Table) -> Floats:
        """Return the scores of the comments in some observed tables that follow each other, (N,), at least 0."""
        here = np.zeros(table.num_rows)
        rows = table.column(ROW).to_numpy()
        begins = np.flatnonzero(np.diff(rows // out_of_core.SPAN, prepend=-1))  # of the batches
        for start, end in pairwise([*begins.tolist(), len(rows)]):
            part = here[start:end]
            found = load_decisions(self._folder, int(rows[start]), len(part))
            part[:] = 0 if found is None else found.column("gain").to_numpy()
        word, owner = self._coded(table)
        everywhere = np.where(word >= 0, self._mean_gain[word] if len(self._words) else 0.0, 0.0)
        return here + np.bincount(owner, everywhere, minlength=table.num_rows)

    def _gain_here(self, table: pa.Table) -> pa.Table:
        """Sum each comment's gains under its image; the table holds all comments of its images."""
        word, owner = self._coded(table)
        images = table.column("image_id").combine_chunks().dictionary_encode()
        image = images.indices.to_numpy(zero_copy_only=False)
        counts = table.column("counts").to_numpy(zero_copy_only=False).astype(bool)
        known = (word >= 0) & counts[owner]
        pair = image[owner].astype(np.int64) * (len(self._words) + 1) + word
        words_of_image = np.bincount(image[owner[known]], minlength=len(images.dictionary))
        comment = table.column("comment").combine_chunks().dictionary_encode().indices.to_numpy()
        own = np.bincount(comment[owner[known]], minlength=table.num_rows)[comment]

        own_pair = comment[owner].astype(np.int64) * (len(self._words) + 1) + word
        others = _uses(pair, known) - _uses(own_pair, known)
        words_of_others = words_of_image[image] - own
        self._comments += int(counts.sum())
        self._alone += int((counts & (words_of_others == 0)).sum())
        all_others = words_of_others[owner]
        share = np.where(word >= 0, self._uses[word] if len(self._words) else 1.0, 1.0) / max(self._uses.sum(), 1.0)
        ratio = (others + _PRIOR * share) / (all_others + _PRIOR) / share
        gain = np.log(np.maximum(ratio, 1.0))
        learned = known & table.column("fits").to_numpy(zero_copy_only=False).astype(bool)[owner]
        self._gains += np.bincount(word[learned], gain[learned], minlength=len(self._words))
        return pa.table({ROW: table.column(ROW), "gain": np.bincount(owner, gain, minlength=table.num_rows)})

    def _coded(self, table: pa.Table) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return each use of a word as (the word's number, -1 where it is in no comment that counts; its comment)."""
        lists = table.column("words").combine_chunks()
        numbers = pc.fill_null(pc.index_in(pc.list_flatten(lists), value_set=self._words), -1)
        owners = pc.list_parent_indices(lists)
        return (
            numbers.to_numpy(zero_copy_only=False).astype(np.int64),
            owners.to_numpy(zero_copy_only=False).astype(np.int64),
        )


def _uses(pairs: NDArray[np.int64], counted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how often each pair is among those that count."""
    _, codes = np.unique(pairs, return_inverse=True)
    return np.bincount(codes[counted], minlength=len(pairs))[codes]


def _words(tagged: Tagged) -> list[str]:
    """Return a comment's different content words, and the bigrams among its n-grams."""
    words = [lemma for lemma, _ in content_words(tagged)]
    return list(dict.fromkeys([*words, *(ngram for ngram in ngrams(tagged) if ngram_order(ngram) == 2)]))
