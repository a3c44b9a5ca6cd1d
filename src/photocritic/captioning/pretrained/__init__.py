"""Captioners of transformers, pretrained elsewhere and fine-tuned here: photographs in, captions out."""

from photocritic.captioning.pretrained.speaker import Speaker, is_one, load, save
from photocritic.captioning.pretrained.train_pretrained import train

__all__ = ["NAME", "Speaker", "is_one", "load", "save", "train"]

NAME = "pretrained"  # as in lstm_train.model
