"""The bipartite graph of captions and images: built, described and exported (Déjà 2)."""

from photocritic.filtering.association.caption_image_graph import GraphFiles, associate

__all__ = ["GraphFiles", "associate"]
