"""Retrievers: one file each, found by its name in augment.retriever."""
