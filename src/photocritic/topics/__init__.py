"""Latent Dirichlet allocation over the comments of each image, and the labels that it gives to images."""

from photocritic.topics.model import TopicModel
from photocritic.topics.relabel import discover
from photocritic.topics.telling import tell

__all__ = ["TopicModel", "discover", "tell"]
