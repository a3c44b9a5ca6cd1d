"""Subcommands that use what the pipeline has trained: captions of photographs, their server, topics of comments."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from photocritic.core.files import refuse_foreign

app = typer.Typer()


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
    from photocritic import config as params
    from photocritic.cli.caption_folder import caption_folder

    chosen = params.decoding(params.load(), strategy, beam, seed)
    written, unreadable = caption_folder(folder, variant, out, chosen, style)
    sys.stdout.write(f"{written} captions in {out}" + (f"; {unreadable} unreadable images\n" if unreadable else "\n"))


@app.command()
def serve(
    model: Annotated[str, typer.Option(help="Address of a registered model.")] = "models:/photocritic@champion",
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 accepts other machines.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 5001,
    timeout: Annotated[float, typer.Option(min=0.001, help="Seconds that an answer may take.")] = 60.0,
) -> None:
    """Answer HTTP requests with the captions of a registered model until interrupted (docs/serving.md)."""
    from photocritic.serving.scoring_app import serve

    serve(model, host, port, timeout)


@app.command()
def topics(
    comments: Annotated[Path, typer.Argument(help="Text file with a comment a line, or CSV or JSON Lines with texts.")],
    model: Annotated[Path, typer.Option(help="Folder of the topic model.")] = Path("data/lda/model"),
    top: Annotated[int, typer.Option(min=1, help="Topics of a comment, at most.")] = 3,
) -> None:
    """Print what each comment of a file is about: its likeliest topics with their terms, as JSON Lines."""
    from photocritic.config import presets
    from photocritic.filtering.reading import comment_ngrams
    from photocritic.topics import TopicModel, likeliest_topics

    known = TopicModel.load(model)
    for texts, ngrams in comment_ngrams(comments, presets.for_filter()):
        for text, found in zip(texts, likeliest_topics(known, ngrams, top), strict=True):
            sys.stdout.write(json.dumps({"text": text, "topics": found}, ensure_ascii=False) + "\n")
