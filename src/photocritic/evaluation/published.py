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
