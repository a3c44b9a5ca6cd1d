"""Vision: CNNs trained on the topics or labels of photographs, and their features.

Import from the modules, which load torch.
"""
