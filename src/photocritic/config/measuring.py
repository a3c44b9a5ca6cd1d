"""The section evaluate: how captions are decoded, measured and shown."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from photocritic.config.champion import ChampionParams
from photocritic.config.values import Local, Positive, Rate, Section

HOME = Path("data/ingest")  # where the stage ingest leaves the corpus that is trained on
MetricName = Literal["bleu", "rouge_l", "cider", "cider_d", "meteor", "spice"]


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
        Log-probability that a word loses for each time that earlier groups have just said it (diverse).
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
        No n-gram of so many words stands twice in a caption; 0: any may.
    """

    strategy: Literal["greedy", "beam", "diverse", "sample"] = "beam"
    beam: Annotated[int, Field(gt=0, le=256)] = 3
    groups: Annotated[int, Field(gt=0, le=256)] = 3
    diversity: Annotated[float, Field(ge=0.0)] = 0.5
    top_p: Annotated[float, Field(gt=0.0, le=1.0)] = 0.95
    temperature: Rate = 1.0
    min_length: Positive = 1
    max_length: Annotated[int, Field(gt=0, le=1_000)] = 20
    length_penalty: Annotated[float, Field(ge=0.0)] = 0.0
    no_repeat_ngram: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _lengths_leave_room(self) -> "Decoding":
        if self.min_length > self.max_length:
            raise ValueError(f"min_length {self.min_length} is above max_length {self.max_length}")
        return self


class EvaluateParams(Decoding):
    """How captions are decoded, scored and shown.

    Attributes
    ----------
    metrics : "auto" or list of str
        The overlap metrics: all that are installed, or these.
    tokenizer : "simple" or "ptb"
        What splits captions and references into the words that these compare: this package's own, or Stanford's.
    on : Path
        The folder of an ingested corpus to test on as well: by default the one that was trained on, which adds nothing.
    champion : ChampionParams
        What chooses the best variant, and when it is promoted.
    """

    split: Literal["val", "test"] = "test"
    batch_size: Positive = 256
    positions: Positive = 25
    gallery: Annotated[int, Field(ge=0)] = 200
    metrics: Literal["auto"] | list[MetricName] = ["bleu", "rouge_l", "cider", "cider_d"]
    tokenizer: Literal["simple", "ptb"] = "simple"
    on: Local[Path] = HOME
    champion: ChampionParams = ChampionParams()

    @model_validator(mode="after")
    def _what_the_report_stands_on_is_measured(self) -> "EvaluateParams":
        for name in ("cider_d", *self.champion.families()):
            if self.metrics != "auto" and name not in self.metrics:
                raise ValueError(f"metrics must have {name}, which the report or the champion needs")
        return self
