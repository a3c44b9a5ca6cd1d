"""Subcommands that read and make corpora, and list what filters there are, beside the pipeline."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from photocritic.core.files import atomic_file, refuse_filled, refuse_foreign

app = typer.Typer()
SHEET = 60  # scenes on a contact sheet
MOST_IMAGES = 1_000_000  # rendered by one command
MOST_SEED = 2**32 - 1  # as in params.yaml
SHEET_FORMATS = {  # suffixes of a contact sheet, and how such a file begins
    ".png": b"\x89PNG",
    ".jpg": b"\xff\xd8",
    ".jpeg": b"\xff\xd8",
    ".webp": b"RIFF",
}


@app.command("ingest")
def ingest_(
    corpus: Annotated[Path, typer.Argument(help="Folder or file of the corpus.")],
    out: Annotated[Path, typer.Argument(help="Folder to write, for predict.on.")],
    preset: Annotated[str, typer.Option(help="Its section ingest says how the corpus is read.")] = "",
    reader: Annotated[str, typer.Option(help="Its format, such as pccd, where no preset fits.")] = "",
    test_share: Annotated[float | None, typer.Option(help="Share of the images to test on, below 1.")] = None,
) -> None:
    """Read another corpus, to test captioners on that were not trained on it."""
    from photocritic.config import presets
    from photocritic.ingest import ingest
    from photocritic.ingest.ingestion import JOURNAL, WRITTEN

    if not (out / JOURNAL).exists():  # else one that was interrupted goes on
        refuse_filled(out, WRITTEN)
    params = presets.for_ingest(corpus, preset, reader, test_share)
    counts = ingest(params.ingest, out).metrics
    sys.stdout.write(
        f"{counts['images']:.0f} images, {counts['comments']:.0f} comments, {counts['references']:.0f} references and "
        f"{counts['quarantine']:.0f} rejected rows in {out}; test on it with `predict.on: {out}` in params.yaml\n"
    )


@app.command()
def filters() -> None:
    """List the filters that filter.chain can name, with their papers and reasons."""
    from rich.console import Console
    from rich.table import Table

    from photocritic.filtering import filter_interface

    table = Table("filter", "paper", "what it does", "reasons", box=None)
    for name in filter_interface.available():
        kind = filter_interface.find(name)
        table.add_row(name, kind.paper, filter_interface.summary(name), "\n".join(kind.reasons))
    Console().print(table)


@app.command()
def extensions(kind: Annotated[str, typer.Argument(help="One kind, such as metric; empty: all.")] = "") -> None:
    """List what params.yaml can name, what it does, and where it comes from: photocritic, plugins/ or a package."""
    from rich.console import Console
    from rich.table import Table

    from photocritic.core import plugins

    if kind and kind not in plugins.KINDS:
        raise typer.BadParameter(f"{kind}: there are {', '.join(plugins.KINDS)}")
    table = Table("kind", "name", "from", "what it is", box=None)
    for one in [kind] if kind else plugins.KINDS:
        for name, origin in plugins.available(one).items():
            table.add_row(one, name, origin, plugins.summary(one, name))
    Console().print(table)


@app.command()
def knowledge(
    names: Annotated[Path, typer.Argument(help="CSV file with the columns name and hypernym.")],
    out: Annotated[Path, typer.Argument(help="SQLite file to write.")],
) -> None:
    """Write a knowledge base for the filter hypernyms that is searched on disk instead of held in memory."""
    from photocritic.filtering.hypernyms import index

    refuse_foreign(out, (names,), begins=b"SQLite format 3")
    sys.stdout.write(f"{index(names, out):,} names in {out}\n")


@app.command()
def sample(
    montage: Annotated[Path | None, typer.Option(help="Image file to write a contact sheet to.")] = None,
    folder: Annotated[Path | None, typer.Option(help="Write a corpus for the folder reader here.")] = None,
    images: Annotated[int, typer.Option(min=1, max=MOST_IMAGES, help="How many images.")] = 600,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Of the rendering.")] = 7,
) -> None:
    """Render the bundled sample: a contact sheet, or a corpus in a folder."""
    from photocritic import sample as bundled

    if montage is None and folder is None:
        raise typer.BadParameter("choose what to write: --montage FILE or --folder FOLDER")
    if montage is not None and montage.suffix.lower() not in SHEET_FORMATS:
        raise typer.BadParameter(f"--montage {montage}: the file's name must end in {', '.join(SHEET_FORMATS)}")
    if folder is not None:
        refuse_filled(folder)
        bundled.write(folder, images, seed)
        sys.stdout.write(f"{images} images and their comments in {folder}\n")
    if montage is not None:
        refuse_foreign(montage, begins=SHEET_FORMATS[montage.suffix.lower()])
        with atomic_file(montage) as path:
            bundled.montage(bundled.generate(min(images, SHEET), seed)).save(path)
        sys.stdout.write(f"contact sheet in {montage}\n")
