"""Published numbers shown beside our own, for orientation: they were measured on other data."""

# AIC Table 1 (a), AVA-Captions. Its column C is the COCO caption evaluation's "CIDEr", which is CIDEr-D.
AIC_TABLE_1A: dict[str, dict[str, float]] = {
    "NS": {"bleu_1": 0.379, "bleu_2": 0.219, "bleu_3": 0.122, "bleu_4": 0.061, "rouge_l": 0.233, "cider_d": 0.038},
    "CS": {"bleu_1": 0.500, "bleu_2": 0.280, "bleu_3": 0.149, "bleu_4": 0.073, "rouge_l": 0.253, "cider_d": 0.060},
    "CWS": {"bleu_1": 0.535, "bleu_2": 0.282, "bleu_3": 0.150, "bleu_4": 0.074, "rouge_l": 0.254, "cider_d": 0.059},
}
