"""Captions and images of small association graphs."""

# form, text, image, author
FLY = "bird fly IN sky"
HOME = "home sweet home"
ROWS = [
    (FLY, "A bird flies in the sky", "a", "ann"),
    (FLY, "Birds flying in the sky", "b", "bob"),
    (FLY, "Birds flying in the sky", "c", "cat"),
    (HOME, "Home sweet home", "b", "ann"),
    (HOME, "home sweet home", "d", None),
    ("IN bridge", "Under the bridge", "a", "ann"),
    ("IN bridge", "under a bridge", "a", "bob"),
    ("IN bridge", "Under the bridge", "e", "bob"),
    ("bad day IN office", "Bad day at the office", "f", "ann"),
    ("bad day IN office", "Bad day at the office", "a", "bob"),
]


def caption(number, form, text, image, author, kept=True):
    return {
        "comment_id": f"c{number}", "image_id": image, "author_id": author, "text": f"<b>{text}</b>", "style": None,
        "source": "s", "sentence": 0, "tokens": [], "ngrams": [], "cleaned": text, "form": form, "score": 0.0,
        "kept": kept, "reason": "" if kept else "score",
    }  # fmt: skip


def image(name, phash=None):
    path = "" if phash is None else f"0.tar/{name}.jpg"
    return {
        "image_id": name, "path": path, "width": 0, "height": 0, "format": "", "sha256": "", "phash": phash,
        "split": "test" if name == "c" else "train", "labels": [],
    }  # fmt: skip
