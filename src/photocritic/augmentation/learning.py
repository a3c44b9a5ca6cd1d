"""Training the caption generator: a GPT-2 by name, or a small one on the corpus itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from photocritic.augmentation.extraction import Extracted
from photocritic.augmentation.generator import POSITIONS, CaptionGenerator
from photocritic.core import pretrained_name
from photocritic.core.errors import PhotocriticError
from photocritic.styles.learning import SMALL, optimisation
from photocritic.styles.tokens import CLS, PAD, SEP, Words, word_tokenizer
from photocritic.training.loop import History, OnEpoch, Plan, fit


@dataclass(frozen=True)
class Lessons:
    """Captions and the two parts each is to be rebuilt from."""

    parts: list[Extracted]
    captions: list[Words]


def train(
    pretrained: str,
    lessons: Lessons,
    held_out: Lessons,
    practice: Lessons,
    words: Sequence[Words],
    plan: Plan,
    learning_rate: float,
    checkpoint: Path,
    *,
    key: str = "",
    on_epoch: OnEpoch | None = None,
) -> tuple[CaptionGenerator, History]:
    """Teach a generator to rebuild stylised captions from their style phrase and the rest.

    Parameters
    ----------
    pretrained : str
        `small`: a small GPT-2 from scratch. Otherwise the name, such as NAME@REVISION, or the local folder of a model
        that transformers loads from safetensors.
    lessons : Lessons
        What to learn from.
    held_out : Lessons
        What chooses the best epoch; it may be empty, and then the last epoch stays.
    practice : Lessons
        Factual captions, in place of pretraining: together with the lessons they are rebuilt for `plan.epochs`, and
        the lessons alone for half as many after that. Without this end the generator would answer a factual content
        with itself and leave the style phrase out. It may be empty; then the lessons alone are learnt.
    words : sequence of sequence of str
        All captions whose words a small generator shall know.
    plan : Plan
        Epochs, batch size, seed.
    learning_rate : float
        Of AdamW, warmed up over a tenth of the steps and falling linearly to 0.
    checkpoint, key, on_epoch
        As in `training.loop.fit`.

    Returns
    -------
    (CaptionGenerator, History)
        The generator, and its learning curve with `val_loss` in nats a token.

    Raises
    ------
    PhotocriticError
        The pretrained model cannot be loaded.
    """
    torch.manual_seed(plan.seed)
    generator = _small(words) if pretrained == SMALL else _pretrained(pretrained)
    if practice.captions:
        both = Lessons([*lessons.parts, *practice.parts], [*lessons.captions, *practice.captions])
        first = replace(plan, label=f"{plan.label}: practice")
        _fit(generator, both, Lessons([], []), first, learning_rate, practice_checkpoint(checkpoint), key, None)
        plan = replace(plan, epochs=max(plan.epochs // 2, 1))
    return generator, _fit(generator, lessons, held_out, plan, learning_rate, checkpoint, key, on_epoch)


def practice_checkpoint(checkpoint: Path) -> Path:
    """Name the checkpoint of the practice that comes before the training with this checkpoint."""
    return checkpoint.with_name(f"{checkpoint.name}-practice")


def _fit(
    generator: CaptionGenerator,
    lessons: Lessons,
    held_out: Lessons,
    plan: Plan,
    learning_rate: float,
    checkpoint: Path,
    key: str,
    on_epoch: OnEpoch | None,
) -> History:
    prompts, targets = _encode(generator, lessons)
    held_prompts, held_targets = _encode(generator, held_out)

    def loss(model: nn.Module, index: NDArray[np.int64]) -> Tensor:
        return generator.losses(model, [prompts[i] for i in index], [targets[i] for i in index])

    def validate(model: nn.Module) -> dict[str, float]:
        return {"val_loss": _held_out_loss(generator, model, held_prompts, held_targets, plan.batch_size)}

    optimizer, scheduler = optimisation(generator.model, learning_rate, plan.epochs * plan.steps(len(prompts)))
    measured = bool(held_prompts)
    return fit(
        generator.model,
        optimizer,
        scheduler,
        len(prompts),
        loss,
        plan,
        checkpoint,
        key=key,
        validate=validate if measured else None,
        best=("val_loss", "min") if measured else None,
        on_epoch=on_epoch,
    )


def _encode(generator: CaptionGenerator, lessons: Lessons) -> tuple[list[list[int]], list[list[int]]]:
    prompts = generator.prompts([p.phrase for p in lessons.parts], [p.content for p in lessons.parts])
    return prompts, generator.targets(lessons.captions)


def _held_out_loss(
    generator: CaptionGenerator, model: nn.Module, prompts: list[list[int]], targets: list[list[int]], size: int
) -> float:
    total = tokens = 0.0
    for start in range(0, len(prompts), size):
        part = targets[start : start + size]
        weight = sum(len(target) for target in part)
        total += weight * float(generator.losses(model, prompts[start : start + size], part))
        tokens += weight
    return total / tokens


def _small(words: Sequence[Words]) -> CaptionGenerator:
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = word_tokenizer(words)
    shape: dict[str, Any] = {
        "vocab_size": len(tokenizer),
        "n_positions": POSITIONS,
        "n_embd": 128,
        "n_layer": 3,
        "n_head": 4,
        "attn_pdrop": 0.0,  # copying from the prompt is what it must learn first, and dropped attention delays it
        "embd_pdrop": 0.0,
        "bos_token_id": tokenizer.cls_token_id,
        "eos_token_id": tokenizer.sep_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    return CaptionGenerator(GPT2LMHeadModel(GPT2Config(**shape)), tokenizer)


def _pretrained(name: str) -> CaptionGenerator:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        chosen = pretrained_name.split(name)
        pretrained_name.warn_unless_pinned(chosen, "augment.generator")
        tokenizer = AutoTokenizer.from_pretrained(chosen.name, use_fast=True, add_prefix_space=True, **chosen.options)
        model = AutoModelForCausalLM.from_pretrained(chosen.name, use_safetensors=True, **chosen.options)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise PhotocriticError(
            f"augment.generator={name}: cannot be loaded ({reason}); give a local folder or '{SMALL}'"
        ) from None
    tokenizer.add_special_tokens({"cls_token": CLS, "sep_token": SEP, "pad_token": PAD})
    model.resize_token_embeddings(len(tokenizer))
    return CaptionGenerator(model, tokenizer)
