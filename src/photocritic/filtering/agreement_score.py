"""Agreement: how far a comment's words are those of the other people who wrote under its photograph."""

import logging
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic.filtering import out_of_core
from photocritic.filtering.informativeness import Floats
from photocritic.filtering.out_of_core import (
    ROW,
    count_values,
    decide_by_group,
    load_decisions,
    merge_counts,
    stream_arrow,
)

log = logging.getLogger(__name__)

# Prior weight of the corpus's share in an image's, in words (Dirichlet smoothing). Small: a word that two people use
# under one photograph says much. Between 1 and 1000 the area under the ROC curve changes by .002.
_PRIOR = 1.0
# Uses of the average word that a word's own mean gain is shrunk by.
_SHRINK = 5.0


class Agreement:
    """Scores comments by how far their words are this photograph's own.

    The gain of a word under an image is the positive logarithm of its share in the image's other comments over its
    share in the corpus, Dirichlet-smoothed. A comment's score is the sum, over its different content words and bigrams,
    of the word's gain here and its mean gain wherever it is used. "nice" gains nothing anywhere; "dog" gains much under
    most photographs where it is used, and counts for something where nobody else has mentioned it; under an image with
    one comment the mean gains alone decide.

    Parameters
    ----------
    observed : list of Path
        Arrow files, one a batch of comments, with the columns `row` (int64), `image_id`, `words` (list<string>: a
        comment's different content words and bigrams) and `counts` (bool: whether the comment counts for others).
    folder : Path
        Scratch space.
    """

    def __init__(self, observed: list[Path], folder: Path) -> None:
        counting = (table.filter(table.column("counts")) for table in stream_arrow(observed))
        uses = merge_counts(
            (count_values(pc.list_flatten(table.column("words")), "word") for table in counting), "word"
        )
        self._words = pc.cast(uses.column("word"), pa.string()).combine_chunks()
        self._uses = uses.column("count").to_numpy().astype(np.float64)
        self._gains = np.zeros(len(self._words))
        self._comments = self._alone = 0
        self._folder = folder
        decide_by_group(observed, "image_id", self._gain_here, folder)
        if self._alone > self._comments / 2:
            log.warning(
                "agreement: %d of %d comments have no other comment on their image to agree with; "
                "filter.score: informativeness suits such a corpus better",
                self._alone,
                self._comments,
            )
        average = self._gains.sum() / max(self._uses.sum(), 1.0)
        self._mean_gain = (self._gains + _SHRINK * average) / (self._uses + _SHRINK)

    def scores(self, table: pa.Table) -> Floats:
        """Return the scores of the comments in some observed tables that follow each other, (N,), at least 0."""
        here = np.zeros(table.num_rows)
        rows = table.column(ROW).to_numpy()
        for start in range(0, len(rows), out_of_core.SHARD):
            part = here[start : start + out_of_core.SHARD]
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
        pairs, pair_uses = np.unique(pair[known], return_counts=True)
        words_of_image = np.bincount(image[owner[known]], minlength=len(images.dictionary))
        own = np.bincount(owner[known], minlength=table.num_rows)

        place = np.searchsorted(pairs, pair)
        found = (place < len(pairs)) & (np.append(pairs, -1)[np.minimum(place, len(pairs))] == pair)
        others = np.where(found, np.append(pair_uses, 0)[np.minimum(place, len(pairs))], 0) - known
        words_of_others = words_of_image[image] - own
        self._comments += int(counts.sum())
        self._alone += int((counts & (words_of_others == 0)).sum())
        all_others = words_of_others[owner]
        share = np.where(word >= 0, self._uses[word] if len(self._words) else 1.0, 1.0) / max(self._uses.sum(), 1.0)
        ratio = (others + _PRIOR * share) / (all_others + _PRIOR) / share
        gain = np.log(np.maximum(ratio, 1.0))
        self._gains += np.bincount(word[known], gain[known], minlength=len(self._words))
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
