"""The photocritic command."""

import io
import json
import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from photocritic import extras, logs
from photocritic.errors import PhotocriticError
from photocritic.files import atomic_file, refuse_filled, refuse_foreign, refused

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="From what people write under photographs to a model that critiques photographs.",
)
study = typer.Typer(no_args_is_help=True, help="Let people judge captions, blind to where they come from.")
app.add_typer(study, name="study")
logger = logging.getLogger("photocritic")
SHEET = 60  # scenes on a contact sheet
MOST_IMAGES = 1_000_000  # rendered by one command
MOST_SEED = 2**32 - 1  # as in params.yaml
PICTURES = {  # what a contact sheet can be, and how such a file begins
    ".png": b"\x89PNG",
    ".jpg": b"\xff\xd8",
    ".jpeg": b"\xff\xd8",
    ".webp": b"RIFF",
}


def main() -> None:
    """Run the command; a user's mistake, or what the system refuses, ends it with one line and exit status 1."""
    logs.setup()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names of files need not be of the terminal's encoding
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except PhotocriticError as error:
        sys.exit(f"photocritic: {error}")
    except ModuleNotFoundError as error:
        if not (advice := extras.advice(error.name or "")):
            raise
        sys.exit(f"photocritic: {advice}")
    except Exception as error:
        if not (message := refused(error)):
            raise
        sys.exit(f"photocritic: {message}")


@app.command()
def run(
    preset: Annotated[str, typer.Option(help="Write params.yaml from this preset first.")] = "",
    corpus: Annotated[str, typer.Option(help="Folder or file of the corpus to run on.")] = "",
) -> None:
    """Run the whole pipeline (dvc repro) and tell where to look."""
    from photocritic import pipeline

    pipeline.run(preset, corpus)
    sys.stdout.write(pipeline.summary() + "\n")


@app.command()
def summary() -> None:
    """Print the headline metrics and where the report is."""
    from photocritic import pipeline

    sys.stdout.write(pipeline.summary() + "\n")


@app.command()
def caption(
    folder: Annotated[Path, typer.Argument(help="Folder of photographs.")],
    out: Annotated[Path, typer.Option(help="JSON Lines file to write: image, caption, logprob.")] = Path(
        "captions.jsonl"
    ),
    variant: Annotated[str, typer.Option(help="Captioner, as in params.yaml.")] = "cws",
    strategy: Annotated[str, typer.Option(help="greedy, beam, diverse or sample.")] = "",
    beam: Annotated[int | None, typer.Option(help="Hypotheses kept by the strategies beam and diverse.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the strategy sample.")] = None,
    style: Annotated[str, typer.Option(help="A style that the variant has learned, such as humorous.")] = "",
) -> None:
    """Caption a folder of photographs with a trained variant.

    What no option says is as in params.yaml, section evaluate.
    """
    refuse_foreign(out, begins=b"{")
    from photocritic import params
    from photocritic.captioning.folder import caption_folder

    chosen = params.decoding(params.load(), strategy, beam, seed)
    written, unreadable = caption_folder(folder, variant, out, chosen, style)
    sys.stdout.write(f"{written} captions in {out}" + (f"; {unreadable} unreadable images\n" if unreadable else "\n"))


@app.command("ingest")
def ingest_(
    corpus: Annotated[Path, typer.Argument(help="Folder or file of the corpus.")],
    out: Annotated[Path, typer.Argument(help="Folder to write, for evaluate.on.")],
    preset: Annotated[str, typer.Option(help="Whose section ingest tells how to read the corpus.")] = "",
    reader: Annotated[str, typer.Option(help="Its format, such as pccd, where no preset fits.")] = "",
    test_share: Annotated[float | None, typer.Option(help="Share of the images to test on, below 1.")] = None,
) -> None:
    """Read another corpus, to test captioners on that were not trained on it."""
    from photocritic import presets
    from photocritic.corpus import ingest
    from photocritic.corpus.ingest import JOURNAL, WRITTEN

    if not (out / JOURNAL).exists():  # else one that was interrupted goes on
        refuse_filled(out, WRITTEN)
    params = presets.for_ingest(corpus, preset, reader, test_share)
    counts = ingest(params.ingest, params.seed, out).metrics
    sys.stdout.write(
        f"{counts['images']:.0f} images, {counts['comments']:.0f} comments, {counts['references']:.0f} references and "
        f"{counts['quarantine']:.0f} rejected rows in {out}; test on it with `evaluate.on: {out}` in params.yaml\n"
    )


@app.command("filter")
def filter_(
    comments: Annotated[Path, typer.Argument(help="JSON Lines or CSV file: image, text, and what else is known.")],
    out: Annotated[Path, typer.Option(help="Parquet table to write, a row a comment.")] = Path("captions.parquet"),
    chain: Annotated[str, typer.Option(help="Filters of a preset: aic, deja or conceptual.")] = "",
    score: Annotated[str, typer.Option(help="informativeness, agreement or both.")] = "",
    threshold: Annotated[str, typer.Option(help='Least score kept: a number, auto, or "keep 0.3".')] = "",
) -> None:
    """Judge every comment of a file: kept or rejected, with its score and the reason.

    What no option says is as in params.yaml.
    """
    from photocritic import presets
    from photocritic.filtering.file import filter_file

    outcome = filter_file(comments, out, presets.for_filter(chain, score, threshold))
    sys.stdout.write(json.dumps({"out": str(out), **outcome.metrics}, indent=1) + "\n")


@app.command()
def filters() -> None:
    """List the filters that filter.chain can name, with their papers and reasons."""
    from rich.console import Console
    from rich.table import Table

    from photocritic.filtering import registry

    table = Table("filter", "paper", "what it does", "reasons", box=None)
    for name in registry.available():
        kind = registry.find(name)
        table.add_row(name, kind.paper, registry.summary(name), "\n".join(kind.reasons))
    Console().print(table)


@app.command()
def knowledge(
    names: Annotated[Path, typer.Argument(help="CSV file with the columns name and hypernym.")],
    out: Annotated[Path, typer.Argument(help="SQLite file to write.")],
) -> None:
    """Make a knowledge base for the filter hypernyms that is looked up on disk instead of held in memory."""
    from photocritic.filtering.transform import index

    refuse_foreign(out, (names,), begins=b"SQLite format 3")
    sys.stdout.write(f"{index(names, out):,} names in {out}\n")


@app.command()
def topics(
    comments: Annotated[Path, typer.Argument(help="Text file with a comment a line, or CSV or JSON Lines with texts.")],
    model: Annotated[Path, typer.Option(help="Folder of the topic model.")] = Path("data/lda/model"),
    top: Annotated[int, typer.Option(min=1, help="Topics told of a comment, at most.")] = 3,
) -> None:
    """Tell what each comment of a file is about: its likeliest topics with their terms, as JSON Lines."""
    from photocritic import presets
    from photocritic.filtering.reading import comment_ngrams
    from photocritic.topics import TopicModel, tell

    known = TopicModel.load(model)
    for texts, ngrams in comment_ngrams(comments, presets.for_filter()):
        for text, found in zip(texts, tell(known, ngrams, top), strict=True):
            sys.stdout.write(json.dumps({"text": text, "topics": found}, ensure_ascii=False) + "\n")


@app.command()
def sample(
    montage: Annotated[Path | None, typer.Option(help="Picture file to write a contact sheet to.")] = None,
    folder: Annotated[Path | None, typer.Option(help="Write a corpus for the folder reader here.")] = None,
    images: Annotated[int, typer.Option(min=1, max=MOST_IMAGES, help="How many images.")] = 600,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Of the rendering.")] = 7,
) -> None:
    """Render the bundled sample: a contact sheet, or a corpus in a folder."""
    from photocritic.corpus import sample as bundled

    if montage is None and folder is None:
        raise typer.BadParameter("say what to write: --montage FILE or --folder FOLDER")
    if montage is not None and montage.suffix.lower() not in PICTURES:
        raise typer.BadParameter(f"--montage {montage}: the file's name must end in {', '.join(PICTURES)}")
    if folder is not None:
        refuse_filled(folder)
        bundled.write(folder, images, seed)
        sys.stdout.write(f"{images} images and their comments in {folder}\n")
    if montage is not None:
        refuse_foreign(montage, begins=PICTURES[montage.suffix.lower()])
        with atomic_file(montage) as path:
            bundled.montage(bundled.generate(min(images, SHEET), seed)).save(path)
        sys.stdout.write(f"contact sheet in {montage}\n")


_Study = Annotated[str, typer.Argument(help="Name of a study in the folder studies, or the path of a .db file.")]


@study.command("create")
def study_create(
    name: _Study,
    kind: Annotated[
        str, typer.Option(help="rating or informative (AIC), yesno (CC), pairs, creative or multiple (Déjà).")
    ],
    sources: Annotated[
        str,
        typer.Option(help="Variants, human, accepted, discarded, with commas between; what suits the kind by default."),
    ] = "",
    images: Annotated[int | None, typer.Option(min=1, help="Photographs drawn.")] = None,
    training: Annotated[int | None, typer.Option(min=0, help="Training trials, on further photographs.")] = None,
    raters: Annotated[
        int | None, typer.Option(min=0, help="Raters of each trial; 0: everybody rates everything.")
    ] = None,
    split: Annotated[str, typer.Option(help="Of the photographs: train, val or test.")] = "test",
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Of the drawing.")] = 7,
    data: Annotated[Path, typer.Option(help="Folder of the project's tables.")] = Path("data"),
) -> None:
    """Draw photographs and captions into one file that can be served anywhere.

    Counts that no option says are the paper's.
    """
    from photocritic.evaluation.studies import create

    wanted = [part.strip() for part in sources.split(",") if part.strip()]
    made, terms, trials = create(
        name, kind, data, sources=wanted, images=images, training=training, raters=raters, split=split, seed=seed
    )
    each = f"{terms.raters} raters each" if terms.raters else "every rater asked about each"
    sys.stdout.write(
        f"{made}: {trials} trials on captions by {', '.join(terms.sources)}, {each}, {terms.training} training trials\n"
    )


@study.command("invite")
def study_invite(
    name: _Study,
    n: Annotated[int, typer.Option("--n", min=1, max=1000, help="Invitations to make.")] = 1,
    address: Annotated[str, typer.Option(help="Where raters reach the page.")] = "http://127.0.0.1:8700/",
) -> None:
    """Print links to the study's page, one a rater; whoever takes up a link is its rater from then on."""
    from photocritic.evaluation.studies.store import connect, invite, locate

    with connect(locate(name)) as database:
        tokens = invite(database, n)
    sys.stdout.write("".join(f"{address.rstrip('/')}/#{token}\n" for token in tokens))


@study.command("exclude")
def study_exclude(
    name: _Study,
    rater: Annotated[str, typer.Argument(help="A rater's name, or number in raters.csv.")],
    undo: Annotated[bool, typer.Option("--undo", help="Let the answers count again.")] = False,
) -> None:
    """Leave a rater's answers out of all results, and let them rate no more; nothing is deleted."""
    from photocritic.evaluation.studies.store import connect, exclude, locate

    with connect(locate(name)) as database:
        number, answers = exclude(database, rater, not undo)
    sys.stdout.write(f"rater {number}: {answers} answers {'count again' if undo else 'do not count any more'}\n")


@study.command("serve")
def study_serve(
    name: _Study,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8700,
) -> None:
    """Show the study's page to raters until interrupted; any number at once, each goes on where they stopped."""
    from photocritic.evaluation.studies import serve
    from photocritic.evaluation.studies.store import locate

    serve(locate(name), host, port)


@study.command("join")
def study_join(
    names: Annotated[
        list[str] | None, typer.Argument(help="Names or .db files of studies; all in the folder studies by default.")
    ] = None,
    report: Annotated[Path, typer.Option(help="The page that evaluate wrote.")] = Path("reports/report.html"),
    out: Annotated[Path, typer.Option(help="Page to write.")] = Path("studies/report.html"),
    cut: Annotated[float, typer.Option(min=0, max=100, help="Scores from 0 to 100 are good from here on.")] = 50.0,
) -> None:
    """Write the run's report anew with what the raters found at its end."""
    from photocritic.evaluation.studies.joined import write_joined
    from photocritic.evaluation.studies.store import locate

    joined = write_joined([locate(name) for name in names or []], report, out, cut)
    sys.stdout.write(f"{out}: {report} with {', '.join(path.stem for path in joined)}\n")


@study.command("report")
def study_report(
    name: _Study,
    cut: Annotated[float, typer.Option(min=0, max=100, help="Scores from 0 to 100 are good from here on.")] = 50.0,
) -> None:
    """Tell what the raters found, and write it beside the study as CSV, HTML and Markdown."""
    from rich.console import Console

    from photocritic.evaluation.studies.report import shown, write_report
    from photocritic.evaluation.studies.store import locate

    folder, tables = write_report(locate(name), cut)
    for table in shown(tables):
        Console().print(table)
    sys.stdout.write(f"written to {folder}\n")


if __name__ == "__main__":
    main()
