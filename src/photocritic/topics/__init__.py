"""Latent Dirichlet allocation over the comments of each image, and the labels that it gives to images."""

from photocritic.topics.topic_labels import likeliest_topics
from photocritic.topics.topic_model import TopicModel
from photocritic.topics.train_lda import train_lda

__all__ = ["TopicModel", "likeliest_topics", "train_lda"]
