"""Telling critique from noise: what a comment's words say of it, and a small model that judged comments teach."""
