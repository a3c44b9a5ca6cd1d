"""Some photographs of the captions that most images share, for a look at the graph (Déjà Figure 1)."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from photocritic import tables

CAPTIONS, PHOTOGRAPHS = 6, 6  # of the graph, and of each caption, at most


def photographs_of_captions(forms: pa.Table, edges: Path) -> list[dict[str, Any]]:
    """Return the first photographs of the captions with most images; streams the edges.

    Parameters
    ----------
    forms : pyarrow.Table
        A form a row, those of most images first.
    edges : Path
        The edges table.

    Returns
    -------
    list of dict
        A row a photograph, those of a caption together: `form`, `caption`, `images` (how many the caption has),
        `image_id`, and `text`, the caption as it was written under this photograph.
    """
    first = forms.slice(0, CAPTIONS).select(["form", "caption", "images"])
    texts: dict[str, dict[str, str]] = {form: {} for form in first["form"].to_pylist()}
    for batch in tables.scan("edges", edges, ["form", "image_id", "text"]):
        for row in batch.filter(pc.is_in(batch["form"], value_set=first["form"])).to_pylist():
            of_form = texts[row["form"]]
            if len(of_form) < PHOTOGRAPHS:
                of_form.setdefault(row["image_id"], row["text"])
    return [
        {**caption, "image_id": image, "text": text}
        for caption in first.to_pylist()
        for image, text in texts[caption["form"]].items()
    ]
