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

# ERG Table 2: B-1, B-3, M, C and cls. (percentages there) and ppl., by style and model, trained on the original and on
# the augmented captions.
_ERG_KEYS = ("bleu_1", "bleu_3", "meteor", "cider_d", "cls", "ppl")
ERG_TABLE_2: dict[str, dict[tuple[str, str], dict[str, float]]] = {
    style: {
        (model, data): {
            key: value if key == "ppl" else round(value / 100, 3) for key, value in zip(_ERG_KEYS, row, strict=True)
        }
        for model, (original, augmented) in rows.items()
        for data, row in (("original captions", original), ("augmented captions", augmented))
    }
    for style, rows in {
        "humorous": {
            "NIC": ((27.3, 8.3, 10.9, 39.2, 82.8, 6.0), (28.4, 9.6, 11.8, 45.2, 97.5, 9.2)),
            "Up-Down": ((29.9, 9.9, 12.2, 50.5, 80.7, 8.6), (30.3, 10.7, 13.3, 54.2, 98.6, 8.7)),
            "StyleNet": ((24.6, 7.3, 10.3, 34.7, 42.5, 7.3), (24.6, 6.8, 9.8, 28.3, 96.2, 7.6)),
            "SAN": ((27.6, 8.1, 11.2, 38.7, 87.8, 8.4), (29.5, 9.9, 12.5, 47.2, 99.4, 13.7)),
            "VinVL": ((26.5, 7.6, 11.3, 38.2, 89.1, 12.9), (28.9, 9.0, 12.2, 44.4, 99.7, 12.2)),
        },
        "romantic": {
            "NIC": ((28.1, 8.7, 11.2, 41.6, 86.5, 5.4), (31.0, 9.9, 12.4, 47.2, 97.5, 8.0)),
            "Up-Down": ((30.7, 10.7, 12.9, 55.5, 86.4, 7.7), (32.8, 11.5, 13.6, 57.9, 97.4, 8.6)),
            "StyleNet": ((24.8, 7.4, 10.3, 34.4, 57.1, 6.9), (25.8, 7.0, 10.2, 30.3, 92.7, 5.9)),
            "SAN": ((28.3, 8.7, 11.5, 42.1, 90.9, 9.1), (30.9, 10.9, 13.0, 53.3, 99.6, 13.1)),
            "VinVL": ((28.7, 8.3, 11.8, 41.2, 96.6, 10.1), (31.1, 10.1, 13.1, 52.1, 96.8, 11.0)),
        },
        "positive": {
            "NIC": ((40.3, 15.2, 11.8, 29.9, 99.4, 5.2), (50.5, 22.6, 17.3, 69.1, 100.0, 12.2)),
            "Up-Down": ((49.6, 20.7, 15.9, 52.3, 92.8, 9.8), (52.4, 24.4, 18.1, 77.7, 100.0, 10.3)),
            "StyleNet": ((43.9, 13.0, 11.6, 30.8, 0.0, 10.3), (33.2, 8.7, 8.3, 14.9, 100.0, 4.9)),
            "SAN": ((44.0, 17.2, 13.5, 41.5, 93.2, 6.4), (53.0, 23.4, 18.1, 72.0, 100.0, 11.7)),
            "VinVL": ((45.6, 15.6, 14.4, 43.3, 76.9, 12.6), (53.4, 23.4, 18.0, 75.9, 100.0, 12.4)),
        },
        "negative": {
            "NIC": ((44.5, 15.7, 14.2, 33.2, 96.0, 5.8), (51.4, 19.9, 17.4, 62.2, 100.0, 12.5)),
            "Up-Down": ((51.0, 19.6, 16.5, 50.8, 91.7, 11.3), (52.6, 21.6, 18.0, 68.3, 100.0, 8.5)),
            "StyleNet": ((43.5, 12.9, 11.7, 27.8, 10.1, 8.5), (36.3, 8.2, 10.6, 13.6, 100.0, 9.0)),
            "SAN": ((44.6, 15.2, 14.0, 36.0, 92.3, 8.0), (51.2, 20.5, 17.6, 67.0, 100.0, 14.8)),
            "VinVL": ((44.6, 14.6, 15.5, 41.4, 88.1, 15.1), (53.1, 21.2, 18.6, 70.0, 100.0, 13.7)),
        },
    }.items()
}

# ERG section 4.4: the style classifiers' accuracy and the language models' perplexity on the test captions.
ERG_JUDGES: dict[str, tuple[float, float]] = {
    "humorous": (0.965, 76),
    "romantic": (0.974, 61),
    "negative": (0.993, 47),
    "positive": (0.988, 52),
}
