"""Captioners by retrieval: captions that people wrote under similar photographs (Déjà 3)."""

SETTINGS = "retrieval.json"  # in the folder of a captioner by retrieval, and of no other
