"""Captioners of transformers, pretrained elsewhere and fine-tuned here: photographs in, captions out."""

from photocritic.captioning.pretrained.train_pretrained import train

__all__ = ["NAME", "train"]

NAME = "pretrained"  # as in lstm_train.model
