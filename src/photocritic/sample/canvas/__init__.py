"""The painter's tools: a square grid of pixels, noise, shapes, relief shading and layers."""
