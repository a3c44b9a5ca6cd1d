"""Evaluation: from predictions to numbers, and the rule that chooses by them."""
