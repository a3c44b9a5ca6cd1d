"""How metrics are written and explained, and whether more of one is better."""

_SPELLED = {
    "bleu": "BLEU",
    "bleu_1_no_bp": "BLEU-1 without penalty",
    "self_bleu_4": "mBLEU-4",
    "meteor": "METEOR",
    "rouge_l": "ROUGE-L",
    "cider": "CIDEr",
    "cider_d": "CIDEr-D",
    "spice": "SPICE",
    "spice_precision": "SPICE precision",
    "spice_recall": "SPICE recall",
    "spice_1": "SPICE-1",
    "spice_1_precision": "SPICE-1 precision",
    "spice_1_recall": "SPICE-1 recall",
}

HINTS = {
    "bleu_1": "share of words that a reference has too, with the brevity penalty",
    "bleu_2": "the same with word pairs (geometric mean)",
    "bleu_3": "the same up to 3-grams",
    "bleu_4": "the same up to 4-grams",
    "bleu_1_no_bp": "BLEU-1 without the brevity penalty (Déjà section 4)",
    "meteor": "METEOR 1.5: exact, stem, synonym and paraphrase matches",
    "rouge_l": "longest common subsequence, F-measure with beta 1.2",
    "cider": "plain CIDEr (Eq. 3 of its paper, times ten): no clipping, no length penalty",
    "cider_d": "CIDEr-D; what the COCO caption evaluation and most papers print as CIDEr",
    "spice": "F-measure of objects, attributes and relations, against those of all references together",
    "spice_precision": "share of the caption's tuples that the references have too",
    "spice_recall": "share of the references' tuples that the caption has too",
    "spice_1": "SPICE against each reference alone, the best of an image (AIC Table 1, S-1)",
    "spice_1_precision": "precision against that best reference (AIC Table 1 b, P)",
    "spice_1_recall": "recall against that best reference (AIC Table 1 b, R)",
    "diversity": "share of pairs of captions with hardly a word in common (AIC Figure 5 d)",
    "distinct_1": "different words over all words",
    "distinct_2": "different word pairs over all word pairs",
    "self_bleu_4": "mBLEU: mean BLEU-4 of each caption against all others (Zhu et al. 2018); less is more varied",
    "vocabulary": "different words used",
    "words": "words in a caption, on average",
    "most_frequent_share": "share of the images that get the most frequent caption; less is better",
    "novel_share": "share of the captions that do not stand word for word among the training captions",
}
SHARES = {"diversity", "most_frequent_share", "novel_share"}
LESS_IS_BETTER, NEITHER = {"most_frequent_share", "self_bleu_4"}, {"words"}


def label(key: str) -> str:
    """Write a metric's key as the field does: bleu_4 becomes BLEU-4."""
    return _SPELLED.get(key, key.replace("bleu_", "BLEU-").replace("distinct_", "distinct-").replace("_", " "))
