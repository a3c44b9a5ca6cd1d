"""A captioner of transformers with the processor of its images and its tokenizer, read without pickle."""

from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from photocritic.core import pretrained_name
from photocritic.core.errors import ParamsError
from photocritic.images.decoding import Pixels


@dataclass(frozen=True)
class SpecialTokens:
    """Numbers of the tokens that begin and end a caption, and of what fills a batch up."""

    start: int
    end: int
    pad: int


class Parts:
    """A model with what makes its inputs.

    Parameters
    ----------
    model : transformers.PreTrainedModel
        It reads pixels and a caption's tokens, as VisionEncoderDecoderModel, GIT and BLIP do.
    processor : transformers.BaseImageProcessor
        Of its images.
    tokenizer : transformers.PreTrainedTokenizerBase
        Of its captions.

    Raises
    ------
    ParamsError
        The model reads images in another way, or a part of it is unknown.
    """

    def __init__(self, model: Any, processor: Any, tokenizer: Any) -> None:
        self.model, self.processor, self.tokenizer = model, processor, tokenizer
        self.side = _side(processor)
        self.special_tokens = _special_tokens(model, tokenizer)
        self.teacher_forcing = TeacherForcing(model)
        _set_special_tokens(model, self.special_tokens)

    def pixel_values(self, pixels: Pixels, device: torch.device) -> Tensor:
        """Prepare images, (B, S, S, 3) uint8, as the model wants them."""
        prepared = self.processor(images=list(pixels), return_tensors="pt", input_data_format="channels_last")
        values: Tensor = prepared["pixel_values"].to(device)
        return values

    def save(self, folder: Path) -> None:
        """Write all three, the weights as safetensors."""
        for part in (self.model, self.processor, self.tokenizer):
            part.save_pretrained(folder)


class TeacherForcing(nn.Module):
    """A model that reads captions as they are written, and scores each next token.

    Parameters
    ----------
    model : transformers.PreTrainedModel
        With an encoder and a decoder, or a decoder that reads images too.
    """

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        known = set(signature(model.forward).parameters)
        self._prefix = "decoder_" if "decoder_input_ids" in known else ""
        prompted = any(getattr(model.config, key, None) is not None for key in ("image_token_id", "image_token_index"))
        if prompted or not {"pixel_values", f"{self._prefix}input_ids"} <= known:
            raise ParamsError(
                f"lstm_train.options.weights: a '{model.config.model_type}' reads images through a prompt or "
                "in a way of its own; take a VisionEncoderDecoderModel, a GIT or a BLIP"
            )

    def forward(self, pixel_values: Tensor, tokens: Tensor, mask: Tensor) -> Tensor:
        """Score every next token.

        Parameters
        ----------
        pixel_values : Tensor
            (B, ...) prepared images.
        tokens : Tensor
            (B, T) int64, beginning with the start mark, padding only at the end.
        mask : Tensor
            (B, T) int64, 0 where there is padding.

        Returns
        -------
        Tensor
            (B, T, V) logits of the token that follows each.
        """
        words = {f"{self._prefix}input_ids": tokens, f"{self._prefix}attention_mask": mask}
        logits: Tensor = self.model(pixel_values=pixel_values, **words).logits
        return logits[:, -tokens.shape[1] :]  # a GIT scores the places of the image before them


def read(weights: str) -> Parts:
    """Read a model by name or from a local folder.

    Parameters
    ----------
    weights : str
        A name on the hub, such as NAME@REVISION, or a folder with config.json, model.safetensors,
        preprocessor_config.json and a tokenizer.

    Raises
    ------
    ParamsError
        It cannot be loaded, is pickled, or is of a kind that cannot be trained here.
    """
    from transformers import AutoImageProcessor, AutoModelForImageTextToText, AutoTokenizer

    try:
        chosen = pretrained_name.split(weights)
        _refuse_pickle(Path(chosen.name))
        pretrained_name.warn_unless_pinned(chosen, "lstm_train.options.weights")
        model = AutoModelForImageTextToText.from_pretrained(chosen.name, use_safetensors=True, **chosen.options)
        processor, tokenizer = (
            kind.from_pretrained(chosen.name, **chosen.options) for kind in (AutoImageProcessor, AutoTokenizer)
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ParamsError(
            f"lstm_train.options.weights={weights}: cannot be loaded ({' '.join(str(error).split())[:200]}); "
            "give the name or the folder of an image-to-text model of transformers, in safetensors"
        ) from None
    return Parts(model, processor, tokenizer)


def _refuse_pickle(folder: Path) -> None:
    if any(folder.glob("*.bin")) and not any(folder.glob("*.safetensors")):
        raise ParamsError(
            f"{folder}: its weights are pickled (.bin), which may run code when read; if you trust them, convert them "
            f"once: AutoModelForImageTextToText.from_pretrained(folder).save_pretrained(folder)"
        )


def _side(processor: Any) -> int:
    """Return the side in pixels of the squares from which the processor need not enlarge anything."""
    size = dict(processor.size or {})
    sides = [size[key] for key in ("height", "width", "shortest_edge") if size.get(key)]
    if not sides:
        raise ParamsError(f"lstm_train.options.weights: its images have no fixed size ({size}); take another model")
    return int(max(sides))


def _special_tokens(model: Any, tokenizer: Any) -> SpecialTokens:
    config, generation = model.config, model.generation_config
    if config.model_type == "blip":  # its `generate` takes other special tokens than its generation_config
        starts, ends = [config.text_config.bos_token_id], [config.text_config.sep_token_id]
    else:
        asked = [getattr(some, "decoder_start_token_id", None) for some in (generation, config)]
        starts = [*asked, _of(config, generation, tokenizer, "bos_token_id"), tokenizer.cls_token_id]
        ends = [_of(config, generation, tokenizer, "eos_token_id"), tokenizer.sep_token_id]
    start, end = (next((token for token in tokens if token is not None), None) for tokens in (starts, ends))
    if start is None or end is None:
        raise ParamsError("lstm_train.options.weights: no token begins or ends a caption; set decoder_start_token_id")
    end = end[0] if isinstance(end, list) else end
    return SpecialTokens(start, end, end if tokenizer.pad_token_id is None else tokenizer.pad_token_id)


def _of(config: Any, generation: Any, tokenizer: Any, key: str) -> Any:
    found = (getattr(some, key, None) for some in (generation, config, tokenizer))
    return next((token for token in found if token is not None), None)


def _set_special_tokens(model: Any, tokens: SpecialTokens) -> None:
    """Leave nothing of how the model was decoded elsewhere: the parameters of predict alone decide it."""
    import transformers

    configuration: Any = transformers.GenerationConfig
    for some in (model, getattr(model, "text_decoder", None)):
        if some is not None:
            some.generation_config = configuration(
                bos_token_id=tokens.start,
                eos_token_id=tokens.end,
                pad_token_id=tokens.pad,
                decoder_start_token_id=tokens.start,
            )
