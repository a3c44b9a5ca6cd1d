"""CC's Table 3: how many captions of how many words a filter run has left."""

from bisect import bisect_right
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from photocritic import tables

SPLITS = ("train", "val", "test")


def dataset_statistics(captions: Path, images: Path) -> list[dict[str, Any]]:
    """Count the kept captions of each split, as CC does in Table 3.

    Parameters
    ----------
    captions : Path
        The captions table; rejected rows are left out. It is streamed.
    images : Path
        The images table, for the splits; captions of images that it lacks are left out.

    Returns
    -------
    list of dict
        A row a split that has captions, in the order train, val, test: `split`; `examples`; `unique_tokens`; tokens per
        caption as `mean`, `std` (of the population) and `median`.
    """
    splits = pa.Table.from_batches(tables.scan("images", images, ["image_id", "split"])).combine_chunks()
    lengths: dict[str, Counter[int]] = {split: Counter() for split in SPLITS}
    vocabularies: dict[str, set[str]] = {split: set() for split in SPLITS}
    for kept in tables.scan("captions", captions, ["image_id", "tokens"], tables.KEPT):
        of = pc.index_in(kept.column("image_id"), value_set=splits.column("image_id"))
        found = splits.column("split").take(of)
        for split in SPLITS:
            own = kept.column("tokens").filter(pc.fill_null(pc.equal(found, split), fill_value=False))
            lengths[split].update(pc.list_value_length(own).to_pylist())
            vocabularies[split].update(pc.unique(pc.list_flatten(own)).to_pylist())
    return [_split_row(split, lengths[split], len(vocabularies[split])) for split in SPLITS if lengths[split]]


def _split_row(split: str, lengths: Counter[int], unique: int) -> dict[str, Any]:
    """Return a row of the table from how many captions have each length."""
    examples = lengths.total()
    mean = sum(length * count for length, count in lengths.items()) / examples
    variance = sum((length - mean) ** 2 * count for length, count in lengths.items()) / examples
    sizes = sorted(lengths)
    ends = list(accumulate(lengths[size] for size in sizes))
    middle = [sizes[bisect_right(ends, rank)] for rank in ((examples - 1) // 2, examples // 2)]
    return {
        "split": split, "examples": examples, "unique_tokens": unique,
        "mean": mean, "std": variance**0.5, "median": sum(middle) / 2,
    }  # fmt: skip
