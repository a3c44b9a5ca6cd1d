"""Typed parameters: one model per section of params.yaml; what is unknown or impossible is refused."""

import difflib
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from photocritic.errors import ParamsError

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Positive = Annotated[int, Field(gt=0)]
Rate = Annotated[float, Field(gt=0.0)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]*$")]
AUTO: Final = "auto"  # a value that is chosen for the engine at hand
Features = Literal["weak", "labels", "imagenet", "random", "regions"]
MetricName = Literal["bleu", "rouge_l", "cider", "cider_d", "meteor", "spice"]


class Section(BaseModel):
    """Base of every section: frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


class IngestParams(Section):
    """Which corpus is read, and how it is split."""

    reader: Literal["sample", "folder", "dpc", "pccd", "coco", "ava", "conceptual"] = "sample"
    source: str = "src/photocritic/corpus/sample"
    comments: str = ""
    references: str = ""
    styles: dict[Name, str] = {}
    val_share: Share = 0.1
    test_share: Share = 0.1
    limit: Annotated[int, Field(ge=0)] = 0
    sample_images: Positive = 600

    @model_validator(mode="after")
    def _some_are_left_to_train_on(self) -> "IngestParams":
        if self.val_share + self.test_share >= 1.0:
            raise ValueError("val_share and test_share together must stay below 1")
        return self


class LanguageParams(Section):
    """Which spaCy pipeline tags and lemmatises."""

    model: str = "bundled"


class FilterParams(Section):
    """Which filters judge, in what order, and the score that decides (AIC 3)."""

    chain: list[str | dict[str, dict[str, Any]]] = [
        "clean", "spelling", "empty", "english", "length", "contest", "score",
    ]  # fmt: skip
    score: Literal["informativeness", "agreement", "both"] = "informativeness"
    threshold: float | Literal["auto"] | Annotated[str, Field(pattern=r"^keep (0?\.\d+|1(\.0*)?)$")] = 20.0
    upper: Annotated[float, Field(gt=0)] | None = None
    min_count: Positive = 2


class LdaParams(Section):
    """AIC 4.2-4.3: latent Dirichlet allocation over one document per image."""

    engine: Name = "gensim"
    topics: Annotated[int, Field(ge=2)] = 24
    vocabulary: Positive = 25_000
    max_document_share: Annotated[float, Field(gt=0.0, le=1.0)] = 0.1
    min_documents: Positive = 3
    passes: Positive | Literal["auto"] = AUTO
    iterations: Positive | Literal["auto"] = AUTO
    chunksize: Positive | Literal["auto"] = AUTO
    label: Literal["distribution", "top_topic"] = "distribution"
    words: Annotated[int, Field(ge=0)] = 300


class CnnPretrainParams(Section):
    """AIC 4.4: a CNN trained against the topic distribution, and the features of every image."""

    features: list[Features] = ["weak", "labels"]
    backbone: str = "resnet18"
    weights: str = ""
    image_size: Annotated[int, Field(ge=32)] = 96
    epochs: Positive = 12
    batch_size: Positive = 64
    learning_rate: Rate = 1e-3
    schedule: Literal["one_cycle", "cosine", "constant"] = "one_cycle"
    weight_decay: Annotated[float, Field(ge=0.0)] = 0.05
    accumulate: Positive = 1
    ema: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.0
    patience: Annotated[int, Field(ge=0)] = 0
    label_smoothing: Share = 0.0
    words_weight: Annotated[float, Field(ge=0.0)] = 1.0
    crop_share: Annotated[float, Field(gt=0.0, le=1.0)] = 0.5
    jitter: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.3
    cut_mix: Share = 0.0
    first_size: Annotated[int, Field(ge=0)] = 0
    compile: bool = False
    precision: Literal["32-true", "bf16-mixed", "16-mixed"] = "bf16-mixed"
    grid: Annotated[int, Field(ge=1)] = 1
    detector: str = "fasterrcnn_resnet50_fpn_v2"
    detector_weights: str = ""
    detector_size: Annotated[int, Field(ge=64, multiple_of=32)] = 512
    regions: Positive = 36


class PretrainedOptions(Section):
    """lstm_train.options where its model is pretrained.

    Attributes
    ----------
    weights : str
        Name or folder of an image-to-text model of transformers.
    lora : int
        Rank of the changes that are trained in the place of all weights; 0: all weights.
    """

    weights: Annotated[str, Field(min_length=1)]
    lora: Annotated[int, Field(ge=0)] = 0


# What a variant must not set for itself where its model is pretrained: such a model has sizes and words of its own.
_NOT_OF_PRETRAINED = ("view", "tied", "hidden", "embedding", "dropout", "vocabulary", "min_count")


class LstmTrainParams(Section):
    """AIC 5: the NeuralTalk2-style captioner trained on each variant's captions and features."""

    model: Name = "show_tell"
    options: dict[str, Any] = {}
    view: Literal["pooled", "grid"] = "pooled"
    tied: bool = False
    hidden: Positive = 512
    embedding: Positive = 512
    dropout: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.5
    vocabulary: Positive = 10_000
    min_count: Positive = 4
    max_length: Annotated[int, Field(ge=2)] = 20
    epochs: Positive = 8
    batch_size: Positive = 128
    optimizer: Literal["adamw", "adam", "adagrad"] = "adamw"
    learning_rate: Rate = 3e-3
    schedule: Literal["one_cycle", "cosine", "constant"] = "one_cycle"
    weight_decay: Annotated[float, Field(ge=0.0)] = 0.05
    accumulate: Positive = 1
    average: Positive = 1
    label_smoothing: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.1
    grad_clip: Rate = 5.0
    precision: Literal["32-true", "bf16-mixed", "16-mixed"] = "bf16-mixed"
    scheduled_sampling: Annotated[float, Field(ge=0.0, le=0.25)] = 0.0
    select: Literal["val_loss", "cider_d"] = "val_loss"
    finetune_epochs: Annotated[int, Field(ge=0)] = 0
    finetune_learning_rate: Rate = 1e-5
    self_critical_epochs: Annotated[int, Field(ge=0)] = 0
    self_critical_samples: Positive = 5
    self_critical_baseline: Literal["samples", "greedy"] = "samples"
    self_critical_learning_rate: Rate = 5e-5

    @model_validator(mode="after")
    def _samples_have_others_to_surpass(self) -> "LstmTrainParams":
        if self.self_critical_baseline == "samples" and self.self_critical_samples < 2:
            raise ValueError("self_critical_samples must be 2 or more where self_critical_baseline is samples")
        return self

    @model_validator(mode="after")
    def _the_cnn_is_trained_on_what_images_show(self) -> "LstmTrainParams":
        if self.finetune_epochs and self.options.get("styles"):
            raise ValueError("finetune_epochs must be 0 where options.styles are learned: styles come from text alone")
        return self

    @model_validator(mode="after")
    def _pretrained_captioners_learn_captions_alone(self) -> "LstmTrainParams":
        if self.model != "pretrained":
            return self
        try:
            PretrainedOptions.model_validate(self.options)
        except ValidationError as error:
            problems = (f"options.{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
            raise ValueError("; ".join(problems)) from None
        for key in ("self_critical_epochs", "finetune_epochs", "scheduled_sampling"):
            if getattr(self, key):
                raise ValueError(
                    f"{key} must be 0 where model is pretrained: it learns the captions alone, from pixels"
                )
        if self.select != "val_loss":
            raise ValueError("select must be val_loss where model is pretrained")
        return self


class Variant(Section):
    """A captioner to compare: what it learns from, what it sees, and how it departs from the section lstm_train."""

    captions: Literal["raw", "filtered"]
    features: Features
    lstm_train: dict[str, Any] = {}


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
    beam: Positive = 3
    groups: Positive = 3
    diversity: Annotated[float, Field(ge=0.0)] = 0.5
    top_p: Annotated[float, Field(gt=0.0, le=1.0)] = 0.95
    temperature: Rate = 1.0
    min_length: Positive = 1
    max_length: Positive = 20
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
    champion : str
        The metric that chooses the best variant.
    """

    split: Literal["val", "test"] = "test"
    batch_size: Positive = 256
    positions: Positive = 25
    gallery: Annotated[int, Field(ge=0)] = 200
    metrics: Literal["auto"] | list[MetricName] = ["bleu", "rouge_l", "cider", "cider_d"]
    tokenizer: Literal["simple", "ptb"] = "simple"
    champion: Literal["cider_d", "bleu_4", "rouge_l"] = "cider_d"

    @model_validator(mode="after")
    def _what_the_report_stands_on_is_measured(self) -> "EvaluateParams":
        for name in ("cider_d", self.champion.removesuffix("_4")):
            if self.metrics != "auto" and name not in self.metrics:
                raise ValueError(f"metrics must have {name}, which the report or the champion needs")
        return self


class AugmentParams(Section):
    """ERG: extract style phrases, retrieve similar scenes, generate, accept."""

    classifier: str = "small"
    generator: str = "small"
    features: Features = "weak"
    extract_share: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.4
    neighbours: Positive = 1
    min_similarity: Annotated[float, Field(ge=-1.0, le=1.0)] = 0.6
    max_perplexity: Annotated[float, Field(gt=1.0)] = 80.0
    images: Positive = 200
    epochs: Positive = 10
    batch_size: Positive = 32
    learning_rate: Rate = 3e-3
    classifier_epochs: Positive = 6
    classifier_learning_rate: Rate = 1e-3


class Params(Section):
    """Everything in params.yaml.

    Attributes
    ----------
    variants : dict of str to Variant
        The captioners that are trained and compared, by name.
    """

    seed: Annotated[int, Field(ge=0, lt=2**32)] = 7
    ingest: IngestParams = IngestParams()
    language: LanguageParams = LanguageParams()
    filter: FilterParams = FilterParams()
    lda: LdaParams = LdaParams()
    cnn_pretrain: CnnPretrainParams = CnnPretrainParams()
    lstm_train: LstmTrainParams = LstmTrainParams()
    variants: dict[Name, Variant] = {"cws": Variant(captions="filtered", features="weak")}
    evaluate: EvaluateParams = EvaluateParams()
    augment: AugmentParams = AugmentParams()

    @model_validator(mode="after")
    def _variants_have_their_features(self) -> "Params":
        if not self.variants:
            raise ValueError("variants: name at least one, such as cws: {captions: filtered, features: weak}")
        wanted = {f"variants.{name}.features": variant.features for name, variant in self.variants.items()}
        wanted["augment.features"] = self.augment.features
        for key, features in wanted.items():
            if features not in self.cnn_pretrain.features:
                raise ValueError(
                    f"{key}: '{features}' is not made; "
                    f"add it to cnn_pretrain.features (now: {', '.join(self.cnn_pretrain.features)})"
                )
        return self

    @model_validator(mode="after")
    def _captioners_can_be_trained(self) -> "Params":
        for name, variant in self.variants.items():
            try:
                captioner = self.captioner(name)
            except ValidationError as error:
                problems = (problem | {"loc": ("lstm_train", *problem["loc"])} for problem in error.errors())
                raise ValueError("; ".join(f"variants.{name}.{_explain(problem)}" for problem in problems)) from None
            idle = sorted({*_NOT_OF_PRETRAINED} & variant.lstm_train.keys())
            if captioner.model == "pretrained" and idle:
                raise ValueError(
                    f"variants.{name}.lstm_train: {', '.join(idle)} of a pretrained model cannot be chosen"
                )
            if captioner.finetune_epochs and variant.features == "regions":
                raise ValueError(f"variants.{name}: a detector is not fine-tuned; leave finetune_epochs 0 or take weak")
            if captioner.view == "grid" and self.cnn_pretrain.grid == 1 and variant.features != "regions":
                raise ValueError(f"variants.{name}: view 'grid' needs cnn_pretrain.grid of 2 or more")
        return self

    def captioner(self, variant: str) -> LstmTrainParams:
        """Give the section lstm_train as a variant wants it."""
        changes = self.variants[variant].lstm_train
        return LstmTrainParams.model_validate(self.lstm_train.model_dump() | changes)


def load(path: Path = Path("params.yaml")) -> Params:
    """Read and check params.yaml.

    Parameters
    ----------
    path : Path
        The YAML file.

    Returns
    -------
    Params
        The checked parameters, with defaults where a key is absent.

    Raises
    ------
    ParamsError
        One line a problem: the key's path, what is wrong, and the nearest valid name.
    """
    try:
        with path.open(encoding="utf-8") as stream:
            raw = YAML(typ="safe").load(stream)
    except FileNotFoundError:
        raise ParamsError(f"{path}: no such file; run inside the project's folder") from None
    except (YAMLError, UnicodeDecodeError) as error:
        raise ParamsError(f"{path}: not valid YAML: {' '.join(str(error).split())}") from None
    return check(raw or {}, str(path))


def check(raw: Any, origin: str = "params") -> Params:
    """Check parameters that have been read already.

    Parameters
    ----------
    raw : dict
        Sections by name.
    origin : str
        The file's name, for the message.

    Returns
    -------
    Params
        The checked parameters.

    Raises
    ------
    ParamsError
        As in `load`.
    """
    try:
        return Params.model_validate(raw)
    except ValidationError as error:
        lines = [_explain(problem) for problem in error.errors(include_url=False)]
        raise ParamsError(f"{origin}: " + "; ".join(lines)) from None


def decoding(params: Params, strategy: str = "", beam: int | None = None, seed: int | None = None) -> Params:
    """Change how captions are decoded.

    Parameters
    ----------
    params : Params
        The parameters at hand.
    strategy : str
        Of `evaluate.strategy`; empty: as it is.
    beam : int, optional
        Of `evaluate.beam`, where the strategy searches.
    seed : int, optional
        Of the seed, where the strategy draws.

    Returns
    -------
    Params
        The changed parameters.

    Raises
    ------
    ParamsError
        A value is impossible, or the strategy has no use for it.
    """
    strategy = strategy or params.evaluate.strategy
    for name, value, users in (("beam", beam, ("beam", "diverse")), ("seed", seed, ("sample",))):
        if value is not None and strategy not in users:
            raise ParamsError(f"{name}: strategy '{strategy}' has none; it belongs to {' and '.join(users)}")
    changed = params.model_dump()
    changed["evaluate"] |= {"strategy": strategy} | ({} if beam is None else {"beam": beam})
    return check(changed | ({} if seed is None else {"seed": seed}), "decoding")


def _explain(problem: Any) -> str:
    location = [str(part) for part in problem["loc"]]
    key = ".".join(location)
    if problem["type"] == "extra_forbidden":
        near = difflib.get_close_matches(location[-1], _valid_names(location[:-1]), n=1, cutoff=0.0)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        return f"{key}: unknown key{hint}"
    message = str(problem["msg"]).removeprefix("Value error, ")
    if not key:
        return message
    return f"{key}: {message} (got {problem['input']!r})"


def _valid_names(parents: list[str]) -> list[str]:
    model: type[BaseModel] = Params
    for parent in parents:
        field = model.model_fields.get(parent)
        annotation = field.annotation if field else Variant
        model = annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else Variant
    return list(model.model_fields)
