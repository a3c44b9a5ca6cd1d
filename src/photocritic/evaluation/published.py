"""Published numbers shown beside our own, for orientation: they were measured on other data."""

# AIC Table 1 (a), AVA-Captions: B1-B4, M, R, C (what the COCO caption evaluation calls CIDEr: CIDEr-D), S and S-1.
_KEYS = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "meteor", "rouge_l", "cider_d", "spice", "spice_1")
AIC_TABLE_1A: dict[str, dict[str, float]] = {
    name: dict(zip(_KEYS, row, strict=True))
    for name, row in {
        "NS": (0.379, 0.219, 0.122, 0.061, 0.079, 0.233, 0.038, 0.044, 0.135),
        "CS": (0.500, 0.280, 0.149, 0.073, 0.105, 0.253, 0.060, 0.062, 0.144),
        "CWS": (0.535, 0.282, 0.150, 0.074, 0.107, 0.254, 0.059, 0.061, 0.144),
    }.items()
}

# AIC Table 1 (b), PCCD's validation set: model, what it was trained on, S-1 and its precision and recall.
AIC_TABLE_1B: dict[str, tuple[str, float, float, float]] = {
    "CNN-LSTM-WD": ("PCCD", 0.136, 0.181, 0.156),
    "AO": ("PCCD", 0.127, 0.201, 0.121),
    "AF": ("PCCD", 0.150, 0.212, 0.157),
    "CS": ("AVA-Captions", 0.144, 0.166, 0.166),
    "CWS": ("AVA-Captions", 0.142, 0.162, 0.161),
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
