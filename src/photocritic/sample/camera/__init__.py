"""What the photographer and the camera do to a scene: light, framing, focus, color, grain."""
