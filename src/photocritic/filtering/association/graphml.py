"""The association graph as GraphML, which networkx, Gephi, igraph and others read."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from photocritic import tables
from photocritic.core.files import atomic_file

# By what they are of and their name: GraphML's type. `bipartite` is networkx's convention: 0 captions, 1 images.
_KEYS = {
    "node": {
        "bipartite": "int", "form": "string", "caption": "string", "comments": "int", "images": "int", "authors": "int",
        "image_id": "string", "split": "string",
    },
    "edge": {"type": "string", "comment_id": "string"},
}  # fmt: skip
_CAPTION = ["form", "caption", "comments", "images", "authors"]
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0 has no way to write these


def write_graphml(path: Path, forms: Path, edges: Path, images: Path) -> None:
    """Write the graph as GraphML: nodes for captions and images, and an edge a comment.

    Streams the edges; memory holds the forms' and the images' ids. Characters that XML cannot have become U+FFFD.

    Parameters
    ----------
    path : Path
        The file to write.
    forms, edges, images : Path
        The tables. Nodes are in the order of `forms` and `images`, edges in that of `edges`; only images that have an
        edge are there.

    References
    ----------
    U. Brandes et al., "GraphML progress report", Graph Drawing 2001.
    """
    known = pa.Table.from_batches(tables.scan("images", images, ["image_id", "split"]))
    with atomic_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        )
        for of, names in _KEYS.items():
            for name, kind in names.items():
                stream.write(f'<key id="{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>\n')
        stream.write('<graph id="associations" edgedefault="undirected">\n')
        stream.writelines(_caption_nodes(forms))
        stream.writelines(_image_nodes(known, edges))
        stream.writelines(_edges(forms, known["image_id"], edges))
        stream.write("</graph>\n</graphml>\n")


def _caption_nodes(forms: Path) -> Iterator[str]:
    place = 0
    for batch in tables.scan("forms", forms, _CAPTION):
        for row in batch.to_pylist():
            yield _node(f"c{place}", {"bipartite": 0, **row})
            place += 1


def _image_nodes(known: pa.Table, edges: Path) -> Iterator[str]:
    is_linked = np.zeros(known.num_rows, bool)
    for batch in tables.scan("edges", edges, ["image_id"]):
        is_linked[_places(batch["image_id"], known["image_id"])] = True
    places = np.flatnonzero(is_linked)
    for batch in known.take(pa.array(places)).to_batches(max_chunksize=tables.ROW_GROUP):
        for place, row in zip(places, batch.to_pylist(), strict=False):
            yield _node(f"i{place}", {"bipartite": 1, **row})
        places = places[batch.num_rows :]


def _edges(forms: Path, image_ids: pa.ChunkedArray, edges: Path) -> Iterator[str]:
    captions = pa.chunked_array([batch["form"] for batch in tables.scan("forms", forms, ["form"])], pa.string())
    number = 0
    for batch in tables.scan("edges", edges, ["form", "image_id", "type", "comment_id"]):
        sources, targets = _places(batch["form"], captions), _places(batch["image_id"], image_ids)
        for source, target, row in zip(sources, targets, batch.select(["type", "comment_id"]).to_pylist(), strict=True):
            ends = f'id="e{number}" source="c{source}" target="i{target}"'
            yield f"<edge {ends}>{_data(row)}</edge>\n"
            number += 1


def _places(values: pa.Array, among: pa.ChunkedArray) -> NDArray[np.int64]:
    places: NDArray[np.int64] = pc.index_in(values, value_set=among).to_numpy().astype(np.int64)
    return places


def _node(name: str, values: Mapping[str, str | int]) -> str:
    return f'<node id="{name}">{_data(values)}</node>\n'


def _data(values: Mapping[str, str | int]) -> str:
    return "".join(f'<data key="{key}">{_text(value)}</data>' for key, value in values.items())


def _text(value: str | int) -> str:
    """Return a value as XML text that is read back as it is; parsers take a carriage return for a line end."""
    return escape(_NO_XML.sub("\ufffd", value), {"\r": "&#13;"}) if isinstance(value, str) else str(value)
