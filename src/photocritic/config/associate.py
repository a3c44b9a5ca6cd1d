"""The section associate: which captions the association graph of captions and images has (Déjà 2)."""

from typing import Literal

from photocritic.config.values import Positive, Section

CommentUnit = Literal["comment", "sentence"]
CaptionForm = Literal["canonical", "content"]


class AssociateParams(Section):
    """By what captions count as one, and how often they must be repeated (Déjà 2)."""

    unit: CommentUnit
    form: CaptionForm
    images: Positive
    authors: Positive
