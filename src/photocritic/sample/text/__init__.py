"""What people write under the photographs: critique, politeness, noise, and stylised captions."""
