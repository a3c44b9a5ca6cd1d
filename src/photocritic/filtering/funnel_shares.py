"""What each step of Conceptual Captions discards, beside the paper's shares."""

from typing import Any, NamedTuple

Row = dict[str, Any]


class Step(NamedTuple):
    """Filters that the paper counts together.

    Attributes
    ----------
    name : str
        As the paper calls it.
    discarded : float
        The share of its candidates that the paper's step discards.
    filters : frozenset of str
        The filters here that do it.
    """

    name: str
    discarded: float
    filters: frozenset[str]


_IMAGE = {"jpeg_only", "image_size", "aspect_ratio", "content_safety"}
_TEXT = {
    "clean", "spelling", "empty", "english", "length", "boilerplate", "templates", "well_formed", "token_repetition",
    "capitalisation", "rare_tokens", "polarity", "profanity",
}  # fmt: skip

# CC section 3. Of images "more than" 0.65 go; of texts "around" 0.03 stay, and of types "around" 0.55.
CC_STEPS = (
    Step("image-based filtering", 0.65, frozenset(_IMAGE)),
    Step("text-based filtering", 0.97, frozenset(_TEXT)),
    Step("image-text-based filtering", 0.6, frozenset({"image_text"})),
    Step("text transformation", 0.2, frozenset({"hypernyms"})),
    Step("entity types", 0.45, frozenset({"entity_types"})),
)
_OWN = _IMAGE | {"well_formed", "rare_tokens", "image_text", "hypernyms", "entity_types"}  # no other paper's


def funnel_shares(funnel: list[Row]) -> list[Row]:
    """Return what each step of Conceptual Captions has discarded, beside the paper's share.

    Parameters
    ----------
    funnel : list of dict
        `filter`, `rejected` and `left`, in the order of the chain; the first row is what was read.

    Returns
    -------
    list of dict
        A row a step that the chain has filters of: `step`, `entered` (comments left before its first filter),
        `discarded` (by its filters), `share` of those that entered, and the `paper`'s share. Empty where the chain has
        no filter that is this paper's alone.

    References
    ----------
    Sharma et al., "Conceptual Captions", ACL 2018, section 3.
    """
    judged = funnel[1:]
    if _OWN.isdisjoint(row["filter"] for row in judged):
        return []
    return [_share(step, own) for step in CC_STEPS if (own := [row for row in judged if row["filter"] in step.filters])]


def _share(step: Step, own: list[Row]) -> Row:
    entered = own[0]["left"] + own[0]["rejected"]
    discarded = sum(row["rejected"] for row in own)
    share = discarded / entered if entered else 0.0
    return {"step": step.name, "entered": entered, "discarded": discarded, "share": share, "paper": step.discarded}
