"""Published numbers shown beside our own, for orientation: they were measured on other data."""

# AIC Table 1 (a), AVA-Captions. Its column C is the COCO caption evaluation's "CIDEr", which is CIDEr-D.
AIC_TABLE_1A: dict[str, dict[str, float]] = {
    "NS": {"bleu_1": 0.379, "bleu_2": 0.219, "bleu_3": 0.122, "bleu_4": 0.061, "rouge_l": 0.233, "cider_d": 0.038},
    "CS": {"bleu_1": 0.500, "bleu_2": 0.280, "bleu_3": 0.149, "bleu_4": 0.073, "rouge_l": 0.253, "cider_d": 0.060},
    "CWS": {"bleu_1": 0.535, "bleu_2": 0.282, "bleu_3": 0.150, "bleu_4": 0.074, "rouge_l": 0.254, "cider_d": 0.059},
}

# AIC Table 2: percent of captions that each group found good, common and bad, and the average of 3, 2 and 1.
AIC_TABLE_2: dict[str, dict[str, tuple[float, float, float, float]]] = {
    "expert": {"NS": (0, 80, 20, 1.80), "CS": (8, 84, 8, 2.0), "CWS": (4, 80, 16, 1.88)},
    "non-expert": {"NS": (0, 84, 16, 1.84), "CS": (28, 68, 4, 2.24), "CWS": (20, 72, 8, 2.12)},
}

# CC Table 4, Flickr 1K: share of captions with 1, 2 and 3 or more GOOD answers of three, by model and training corpus.
CC_TABLE_4: dict[str, tuple[float, float, float]] = {
    "RNN8x8, COCO": (0.390, 0.276, 0.173),
    "T2T8x8, COCO": (0.478, 0.362, 0.275),
    "RNN8x8, Conceptual": (0.571, 0.418, 0.277),
    "T2T8x8, Conceptual": (0.659, 0.506, 0.355),
}

# Déjà Tables 7 to 10: two methods, and the percent of images on which three people's majority chose each.
DEJA_PAIRS: dict[str, list[tuple[str, str, str, int, int]]] = {
    "pairs": [
        ("Table 7, gi", "INSTANCE", "ASSOC", 42, 58),
        ("Table 7, g+t", "INSTANCE", "ASSOC", 50, 50),
        ("Table 7, ti", "INSTANCE", "ASSOC", 46, 54),
        ("Table 8, gi", "ASSOC", "ASSOC para", 45, 55),
        ("Table 8, ti", "ASSOC", "ASSOC para", 45, 55),
        ("Table 9", "ASSOC", "ASSOC creative", 41, 59),
        ("Table 10", "ORIGINAL", "PARA creative", 80, 20),
        ("Table 10", "PARA caption", "PARA creative", 47, 53),
    ],
    "creative": [
        ("Table 9", "ASSOC", "ASSOC creative", 33, 67),
        ("Table 10", "ORIGINAL", "PARA creative", 32, 68),
        ("Table 10", "PARA caption", "PARA creative", 56, 44),
    ],
    "multiple": [
        ("Table 10", "ORIGINAL", "PARA creative", 87, 60),
        ("Table 10", "PARA caption", "PARA creative", 63, 74),
    ],
}
