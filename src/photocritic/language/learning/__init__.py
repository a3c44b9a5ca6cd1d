"""What the training script is made of; nothing here is needed to use the bundled pipeline."""
