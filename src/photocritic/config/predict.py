"""The section predict: which images are captioned, and how captions are decoded."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from photocritic.config.values import Local, Positive, Rate, Section

HOME = Path("data/ingest")  # where the stage ingest leaves the corpus that is trained on


class Decoding(Section):
    """How captions are decoded.

    Attributes
    ----------
    strategy : "greedy", "beam", "diverse" or "sample"
        The likeliest word at every step; beam search; beam search in groups that avoid each other's words; nucleus
        sampling.
    beam : int
        Hypotheses kept (beam), in each group (diverse).
    groups : int
        Groups of hypotheses (diverse).
    diversity : float
        Log-probability that a word loses for each earlier group with that word at the same step (diverse).
    consensus : int
        Nearest training photographs by whose captions one of the captions is chosen; 0: the likeliest (diverse).
    top_p : float
        Share of the probability that words are drawn from, the likeliest first; 1 is all of it (sample).
    temperature : float
        Log-probabilities are divided by it before a word is drawn (sample).
    min_length, max_length : int
        Words in a caption.
    length_penalty : float
        Exponent of the length by which a caption's log-probability is divided; 0 ranks by probability alone, which
        favours short captions (beam, diverse).
    no_repeat_ngram : int
        No n-gram of so many words occurs twice in a caption; 0: no limit.
    """

    section: ClassVar[str] = "predict"
    ordered: ClassVar[tuple[str, ...]] = ("min_length", "max_length")

    strategy: Literal["greedy", "beam", "diverse", "sample"]
    beam: Annotated[int, Field(gt=0, le=256)]
    groups: Annotated[int, Field(gt=0, le=256)]
    diversity: Annotated[float, Field(ge=0.0)]
    consensus: Annotated[int, Field(ge=0, le=10_000)]
    top_p: Annotated[float, Field(gt=0.0, le=1.0)]
    temperature: Rate
    min_length: Positive
    max_length: Annotated[int, Field(gt=0, le=1_000)]
    length_penalty: Annotated[float, Field(ge=0.0)]
    no_repeat_ngram: Annotated[int, Field(ge=0)]


class PredictParams(Decoding):
    """Which images are captioned, and how captions are decoded.

    Attributes
    ----------
    split : "val" or "test"
        The images that are held back from training.
    on : Path
        The folder of an ingested corpus to test on as well: by default the one that was trained on, which adds nothing.
    batch_size : int
        Images captioned at once.
    """

    split: Literal["val", "test"]
    on: Local[Path]
    batch_size: Positive
