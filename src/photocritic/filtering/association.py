"""The bipartite graph of captions and images, from a captions table with canonical forms."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import tables
from photocritic.config import LanguageParams
from photocritic.core.errors import TableError
from photocritic.core.outcome import Outcome
from photocritic.filtering.association_statistics import association_tables
from photocritic.filtering.caption_description import Description, describe
from photocritic.filtering.out_of_core import ROW, whole_groups, write_arrow
from photocritic.text import tagger

FORMS, EDGES = "captions.parquet", "edges.parquet"

_FORM = tables.from_rows("forms", []).schema
_OBSERVED = pa.schema(
    [
        pa.field(ROW, pa.int64()),
        *(pa.field(name, pa.string()) for name in ("form", "image_id", "author_id", "comment_id", "text")),
    ]
)
_COLUMNS = ["comment_id", "image_id", "author_id", "cleaned", "form"]


def associate(captions: Path, images: Path, out: Path, language: LanguageParams | None = None) -> Outcome:
    """Write which captions are associated with which images, and return statistics of them.

    Streams; memory holds one part of the comments, a line a caption, and two numbers an edge.

    Parameters
    ----------
    captions : Path
        The captions table; what was kept and has a canonical form counts.
    images : Path
        The images table.
    out : Path
        The folder that receives captions.parquet (table `forms`: a canonical form a row, those of most images first)
        and edges.parquet (table `edges`: a comment a row, the comments of a form together).
    language : LanguageParams, optional
        The pipeline that tags; the bundled one by default.

    Returns
    -------
    Outcome
        Numbers of forms, edges and associated images, and the images a form; as `tables` the paper's Tables 1, 2, 4
        and 5 and Figure 3 (`association_statistics`). Without any form both files are empty, and there are no tables.

    Raises
    ------
    TableError
        A kept comment is on an image that is not in the images table.
    GateFailed
        A table does not pass its gate.

    References
    ----------
    Chen et al., "Déjà Image-Captions", NAACL 2015, section 2.
    """
    graph = _Graph(_image_ids(images))
    with TemporaryDirectory(prefix="photocritic-associate-") as folder:
        observed = list(_observed(captions, Path(folder)))
        edges = tables.save("edges", out / EDGES, graph.edges(whole_groups(observed, "form", Path(folder) / "parts")))
    forms, links = graph.all()
    language = language or LanguageParams.model_validate({})
    found = list(describe(forms.column("caption").to_pylist(), tagger(language.model)))
    tables.save("forms", out / FORMS, _described(forms, found), rows=forms.num_rows)
    associated = len(np.unique(links[:, 1]))
    metrics = {"forms": float(forms.num_rows), "edges": float(edges), "associated_images": float(associated)}
    if not found:
        return Outcome(metrics=metrics)
    metrics["images_per_form"] = len(links) / len(found)
    corpus = {"captions": tables.count(captions), "images": len(graph.image_ids)}
    return Outcome(metrics=metrics, tables=association_tables(forms, found, links, corpus))


@dataclass
class _Graph:
    """What is known of the graph while its edges are written.

    Attributes
    ----------
    image_ids : pyarrow.Array
        The images table's images; elsewhere here an image is its row there.
    """

    image_ids: pa.ChunkedArray
    _forms: list[pa.Table] = field(default_factory=list)
    _links: list[NDArray[np.int64]] = field(default_factory=list)

    def edges(self, parts: Iterator[pa.Table]) -> Iterator[pa.Table]:
        """Yield the edges of whole forms, and keep forms and links."""
        yield tables.from_rows("edges", [])
        for part in parts:
            rows = _once_a_comment(part.sort_by([("form", "ascending"), (ROW, "ascending")]))
            self._links.append(self._linked(rows))
            self._forms.append(_summary(rows))
            yield rows.select(["form", "image_id", "comment_id", "text"]).append_column(
                "type", pa.repeat("original", rows.num_rows)
            )

    def all(self) -> tuple[pa.Table, NDArray[np.int64]]:
        """Return the forms, those of most images first, and the links: pairs of a form's place and an image."""
        forms = pa.concat_tables([_summary(_OBSERVED.empty_table()), *self._forms])
        links = np.concatenate([np.empty((0, 2), np.int64), *self._links])
        order = pc.sort_indices(forms, [("images", "descending"), ("form", "ascending")]).to_numpy()
        links[:, 0] = np.argsort(order)[links[:, 0]]
        return forms.take(order), links[np.argsort(links[:, 0], kind="stable")]

    def _linked(self, rows: pa.Table) -> NDArray[np.int64]:
        forms = rows.column("form").combine_chunks().dictionary_encode().indices.to_numpy().astype(np.int64)
        images = pc.index_in(rows.column("image_id"), self.image_ids)
        if images.null_count:
            missing = rows.filter(pc.is_null(images)).column("image_id")[0].as_py()
            raise TableError(f"image '{missing}' has captions, but is not in the images table; run ingest again")
        before = sum(known.num_rows for known in self._forms)
        pairs = np.unique((before + forms) * len(self.image_ids) + images.to_numpy())
        return np.stack(np.divmod(pairs, len(self.image_ids)), axis=1)


def _once_a_comment(rows: pa.Table) -> pa.Table:
    """Return rows, sorted by form and number, without those whose comment has said the form in an earlier sentence."""
    names = [rows.column(name).to_numpy(zero_copy_only=False) for name in ("form", "comment_id")]
    again = [column[1:] == column[:-1] for column in names]
    return rows.filter(pa.array(np.append(True, ~(again[0] & again[1]))[: rows.num_rows]))


def _summary(rows: pa.Table) -> pa.Table:
    """Return a line a form, by the alphabet: counts, and its most frequent wording (of several, the first)."""
    wordings = rows.group_by(["form", "text"]).aggregate([(ROW, "count"), (ROW, "min")])
    ranked = wordings.sort_by([("form", "ascending"), ("row_count", "descending"), ("row_min", "ascending")])
    _, first = np.unique(ranked.column("form").combine_chunks().dictionary_encode().indices, return_index=True)
    counts = rows.group_by("form").aggregate(
        [(ROW, "count"), ("image_id", "count_distinct"), ("author_id", "count_distinct")]
    )
    counts = counts.sort_by("form").rename_columns(["form", "comments", "images", "authors"])
    return counts.append_column("caption", ranked.column("text").take(pa.array(first, pa.int64())))


def _described(forms: pa.Table, found: list[Description]) -> pa.Table:
    for name in ("tokens", "polarity", "syntax"):
        values = pa.array([getattr(description, name) for description in found], _FORM.field(name).type)
        forms = forms.append_column(name, values)
    return forms


def _observed(captions: Path, folder: Path) -> Iterator[Path]:
    """Write the captions that have a form to files of their own, and yield these."""
    start = 0
    for number, batch in enumerate(tables.scan("captions", captions, _COLUMNS, tables.KEPT)):
        table = pa.table(batch).append_column(ROW, pa.array(np.arange(start, start + batch.num_rows)))
        start += batch.num_rows
        repeated = pc.not_equal(pc.fill_null(table.column("form"), ""), "")
        found = table.filter(repeated).rename_columns({"cleaned": "text"}).select(_OBSERVED.names)
        yield write_arrow(folder / f"{number:06d}.arrow", found.cast(_OBSERVED))


def _image_ids(images: Path) -> pa.ChunkedArray:
    return pa.Table.from_batches(tables.scan("images", images, ["image_id"])).column("image_id")
