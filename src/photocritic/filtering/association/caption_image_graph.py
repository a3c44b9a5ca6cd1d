"""The bipartite graph of captions and images: which captions are written under which images (Déjà 2)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import tables
from photocritic.config import AssociateParams, LanguageParams
from photocritic.core.errors import TableError
from photocritic.core.outcome import Outcome
from photocritic.filtering.association.association_statistics import association_tables
from photocritic.filtering.association.caption_description import Description, describe
from photocritic.filtering.association.caption_forms import OBSERVED, write_observed
from photocritic.filtering.association.graphml import write_graphml
from photocritic.filtering.association.shown_photographs import photographs_of_captions
from photocritic.filtering.out_of_core import ROW, whole_groups
from photocritic.filtering.repetition import count_repetition
from photocritic.text import tagger

_FORM = tables.from_rows("forms", []).schema


@dataclass(frozen=True)
class GraphFiles:
    """Where a graph is written.

    Attributes
    ----------
    forms : Path
        The table `forms`: a caption a row, known by its form, those of most images first.
    edges : Path
        The table `edges`: a comment a row, the comments of a form together.
    graphml : Path
        Both as GraphML.
    """

    forms: Path
    edges: Path
    graphml: Path

    @classmethod
    def within(cls, folder: Path) -> Self:
        """Return the usual names in a folder."""
        return cls(folder / "captions.parquet", folder / "edges.parquet", folder / "graph.graphml")


def associate(
    captions: Path, images: Path, out: GraphFiles, params: AssociateParams, language: LanguageParams
) -> Outcome:
    """Write which captions are associated with which images, and return statistics of them.

    Streams; memory holds one part of the comments, a line a caption, and two numbers an edge.

    Parameters
    ----------
    captions : Path
        The captions table; what was kept, and is in no style, counts.
    images : Path
        The images table; those of all splits count.
    out : GraphFiles
        The files to write.
    params : AssociateParams
        By what form captions count as one, and how many authors and distinctly different images a form needs.
    language : LanguageParams
        The pipeline that tags.

    Returns
    -------
    Outcome
        Numbers of forms, edges and associated images, and the images a form; as `tables` the paper's Tables 1, 2, 4
        and 5 and Figure 3 (`association_statistics`); as `plots` how many forms have how many images, and photographs
        of some (`photographs_of_captions`). Without any form the files are empty, and of the tables there is Table 1.

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
    known = pa.Table.from_batches(tables.scan("images", images, ["image_id", "phash"]))
    graph, tagged_by = _Graph(known["image_id"], known["phash"], params), tagger(language.model)
    with TemporaryDirectory(prefix="photocritic-associate-") as folder:
        observed = list(write_observed(captions, params, tagged_by, Path(folder)))
        edges = tables.save("edges", out.edges, graph.edges(whole_groups(observed, "form", Path(folder) / "parts")))
    forms, links = graph.all()
    found = list(describe(forms.column("caption").to_pylist(), tagged_by))
    tables.save("forms", out.forms, _described(forms, found), rows=forms.num_rows)
    write_graphml(out.graphml, out.forms, out.edges, images)
    corpus = {"captions": tables.count(captions), "images": known.num_rows}
    return _outcome(forms, found, links, edges, corpus) + Outcome(
        plots={"photographs": photographs_of_captions(forms, out.edges)}
    )


def _outcome(
    forms: pa.Table, found: list[Description], links: NDArray[np.int64], edges: int, corpus: dict[str, int]
) -> Outcome:
    """Return the numbers, tables and plots; parameters as in `association_tables`, and the number of edges."""
    associated = len(np.unique(links[:, 1]))
    metrics = {"forms": float(len(found)), "edges": float(edges), "associated_images": float(associated)}
    sizes, counts = np.unique(np.bincount(links[:, 0], minlength=len(found)), return_counts=True)
    rows = [{"images": size, "forms": count} for size, count in zip(sizes.tolist(), counts.tolist(), strict=True)]
    if found:
        metrics["images_per_form"] = len(links) / len(found)
    return Outcome(metrics, {"images_per_form": rows}, tables=association_tables(forms, found, links, corpus))


@dataclass
class _Graph:
    """What is known of the graph while its edges are written.

    Attributes
    ----------
    image_ids, hashes : pyarrow.ChunkedArray
        The images table's images and their perceptual hashes; elsewhere here an image is its row there.
    params : AssociateParams
        Which forms belong to the graph.
    """

    image_ids: pa.ChunkedArray
    hashes: pa.ChunkedArray
    params: AssociateParams
    _forms: list[pa.Table] = field(default_factory=list)
    _links: list[NDArray[np.int64]] = field(default_factory=list)

    def edges(self, parts: Iterator[pa.Table]) -> Iterator[pa.Table]:
        """Yield the edges of whole forms, and keep forms and links."""
        yield tables.from_rows("edges", [])
        for part in parts:
            rows = self._repeated(_once_a_comment(part.sort_by([("form", "ascending"), (ROW, "ascending")])))
            self._links.append(self._linked(rows))
            self._forms.append(_summary(rows))
            yield rows.select(["form", "image_id", "comment_id", "text"]).append_column(
                "type", pa.repeat("original", rows.num_rows)
            )

    def all(self) -> tuple[pa.Table, NDArray[np.int64]]:
        """Return the forms, those of most images first, and the links: pairs of a form's place and an image."""
        forms = pa.concat_tables([_summary(OBSERVED.empty_table()), *self._forms])
        links = np.concatenate([np.empty((0, 2), np.int64), *self._links])
        order = pc.sort_indices(forms, [("images", "descending"), ("form", "ascending")]).to_numpy()
        links[:, 0] = np.argsort(order)[links[:, 0]]
        return forms.take(order), links[np.argsort(links[:, 0], kind="stable")]

    def _repeated(self, rows: pa.Table) -> pa.Table:
        """Return the rows of the forms that enough authors and distinctly different images share."""
        forms, least = _codes(rows.column("form")), (self.params.authors, self.params.images)
        hashes = self.hashes.take(self._places(rows.column("image_id")))
        count = int(forms.max(initial=-1)) + 1
        authors, images = count_repetition(forms, count, rows["author_id"], rows["image_id"], hashes, least)
        return rows.filter(pa.array(((authors >= least[0]) & (images >= least[1]))[forms]))

    def _linked(self, rows: pa.Table) -> NDArray[np.int64]:
        images = self._places(rows.column("image_id")).to_numpy()
        before = sum(known.num_rows for known in self._forms)
        pairs = np.unique((before + _codes(rows.column("form"))) * len(self.image_ids) + images)
        return np.stack(np.divmod(pairs, len(self.image_ids)), axis=1)

    def _places(self, images: pa.ChunkedArray) -> pa.ChunkedArray:
        places = pc.index_in(images, self.image_ids)
        if places.null_count:
            missing = images.filter(pc.is_null(places))[0].as_py()
            raise TableError(f"image '{missing}' has captions, but is not in the images table; run ingest again")
        return places


def _codes(values: pa.ChunkedArray) -> NDArray[np.int64]:
    """Return each value's number, in the order of their first rows."""
    codes: NDArray[np.int64] = values.combine_chunks().dictionary_encode().indices.to_numpy().astype(np.int64)
    return codes


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
