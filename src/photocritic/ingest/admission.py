"""Which records enter the tables: known images, unique ids, words in every text."""

import re
from collections import Counter
from dataclasses import dataclass, replace

from photocritic.core.limits import NAME_BYTES, TEXT_CHARACTERS
from photocritic.ingest.records import Comment, Image, Kind, Reference, Rejected, is_unicode, normal, printable
from photocritic.ingest.splits import Splits

DUPLICATE, LEAKED = "duplicate image", "leaked image"

_LEADS_OUT = re.compile(r"(^|[/\\])\.\.([/\\]|$)|^[/\\]|^[A-Za-z]:[/\\]")


@dataclass(frozen=True, slots=True)
class CheckedImage:
    """An image that was decoded, or one that is known by name only (no bytes, sizes 0).

    Attributes
    ----------
    image : Image
        The record it was made from.
    data : bytes
        The encoded image as it was found.
    width, height : int
        Pixels, before any EXIF rotation.
    format : str
        Pillow's name of the format.
    sha256 : str
        Hash of `data`, hexadecimal.
    phash : int or None
        Perceptual hash (`phash.phash`); None without image.
    """

    image: Image
    data: bytes = b""
    width: int = 0
    height: int = 0
    format: str = ""
    sha256: str = ""
    phash: int | None = None

    @property
    def hashes(self) -> list[str | int]:
        """The hashes by which a copy under another name is recognised: of its bytes, and of how it looks."""
        return [one for one in (self.sha256, self.phash) if one]


Checked = CheckedImage | Comment | Reference | Rejected


class Admission:
    """Check records in the order in which they come; an image must come before its comments.

    Parameters
    ----------
    splits : Splits
        Assigns each image to its split.

    Attributes
    ----------
    images : set of str
        The images that were admitted, each with its split.
    comments_of : Counter of str
        Admitted comments by image.
    """

    def __init__(self, splits: Splits) -> None:
        self._splits = splits
        self.images: set[str] = set()
        self.comments_of: Counter[str] = Counter()
        self._rejected_images: set[str] = set()
        self._comment_ids: set[str] = set()
        self._ordinals: Counter[str] = Counter()
        self._duplicate: tuple[str, str] | None = None  # the place of the last image whose name was taken

    def check(self, record: Checked) -> Checked:
        """Admit or reject a record.

        Parameters
        ----------
        record : CheckedImage, Comment, Reference or Rejected
            The record to check.

        Returns
        -------
        CheckedImage, Comment, Reference or Rejected
            The record itself, a comment with an id where it had none, or Rejected with the reason.
        """
        if isinstance(record, Rejected):
            verdict: Checked = record
        elif isinstance(record, CheckedImage):
            image_id = record.image.image_id
            verdict = self._image(
                record
                if image_id.isascii()
                else replace(record, image=replace(record.image, image_id=normal(image_id)))
            )
        else:
            if not record.image_id.isascii():
                record = replace(record, image_id=normal(record.image_id))
            verdict = self._comment(record) if isinstance(record, Comment) else self._written(record) or record
        if isinstance(verdict, Rejected) and verdict.kind == "image" and verdict.image_id is not None:
            self._rejected_images.add(verdict.image_id)
        return verdict

    def _image(self, checked: CheckedImage) -> CheckedImage | Rejected:
        image = checked.image
        reason = flaw_in_name(image.image_id) or (DUPLICATE if image.image_id in self.images else "")
        if not reason:
            reason = next((flaw for label in image.labels if (flaw := _flaw_in_word(label, "label"))), "")
        if reason == DUPLICATE:
            self._duplicate = (image.source, image.position)
        if reason:
            return _rejected("image", image, reason, image.image_id)
        split, twin = self._splits.assign(image.image_id, image.split, checked.hashes)
        if twin:
            where = f"in split {image.split}" if image.split else "like a picture of another split"
            reason = f"{LEAKED}: {where}, but the same picture as '{twin}' in split {split}"
            return _rejected("image", image, reason, image.image_id)
        self.images.add(image.image_id)
        return replace(checked, image=replace(image, split=split))

    def _comment(self, comment: Comment) -> Comment | Rejected:
        rejected = self._written(comment)
        if rejected:
            return rejected
        comment_id = comment.comment_id or self._new_id(comment)
        words = {"style": comment.style or "", "author": comment.author_id or "", "comment id": comment_id}
        reason = next((flaw for what, word in words.items() if (flaw := _flaw_in_word(word, what))), "")
        if not reason and comment_id in self._comment_ids:
            reason = "duplicate comment id"
        if reason:
            content = f"{comment_id}: {comment.text}"
            return _rejected("comment", comment, reason, content)
        self._comment_ids.add(comment_id)
        self.comments_of[comment.image_id] += 1
        return comment if comment.comment_id else replace(comment, comment_id=comment_id)

    def _written(self, record: Comment | Reference) -> Rejected | None:
        reason = self._flaw(record.image_id, record.text)
        if self._duplicate == (record.source, record.position):
            reason = "its image is quarantined"  # it stood under the second image of the name, not under the first
        if not reason:
            return None
        kind: Kind = "comment" if isinstance(record, Comment) else "reference"
        return _rejected(kind, record, reason, f"{record.image_id}: {record.text}")

    def _flaw(self, image_id: str, text: str) -> str:
        flaw = flaw_in_name(image_id)
        if flaw:
            return flaw
        if image_id not in self.images:
            return "its image is quarantined" if image_id in self._rejected_images else "unknown image"
        return flaw_in_text(text)

    def _new_id(self, comment: Comment) -> str:
        """Number the comments of an image, so that those of another image change nothing."""
        stem = f"{comment.image_id}#{comment.style}-" if comment.style else f"{comment.image_id}#"
        while True:
            comment_id = f"{stem}{self._ordinals[stem]}"
            self._ordinals[stem] += 1
            if comment_id not in self._comment_ids:
                return comment_id


def flaw_in_name(image_id: str) -> str:
    """Return what is wrong with an image's name, or nothing.

    Parameters
    ----------
    image_id : str
        A file name or a relative path.

    Returns
    -------
    str
        The reason to reject it; empty where the name is usable.
    """
    if not image_id.strip():
        return "no image name"
    if not is_unicode(image_id):
        return "not UTF-8"
    if len(image_id.encode()) > NAME_BYTES:
        return f"image name too long: more than {NAME_BYTES} bytes"
    if _LEADS_OUT.search(image_id):
        return "image name leads out of its folder"
    return "" if image_id.isprintable() else "image name with control characters"


def flaw_in_text(text: str) -> str:
    """Return what is wrong with a text, or nothing."""
    if not is_unicode(text):
        return "not UTF-8"
    if "\0" in text:
        return "not UTF-8: zeros among the characters, as of UTF-16"
    if "\ufffd" in text:
        return "not UTF-8: what could not be decoded was replaced by U+FFFD before"
    if len(text) > TEXT_CHARACTERS:
        return f"text too long: {len(text)} characters, where {TEXT_CHARACTERS} are allowed"
    return "" if text.strip() else "empty text"


def _flaw_in_word(word: str, what: str) -> str:
    if not is_unicode(word):
        return "not UTF-8"
    return f"{what} too long: more than {NAME_BYTES} characters" if len(word) > NAME_BYTES else ""


def _rejected(kind: Kind, record: Image | Comment | Reference, reason: str, content: str) -> Rejected:
    # A second image of the same name does not reject the first one.
    gone = record.image_id if kind == "image" and reason != DUPLICATE else None
    return Rejected(
        source=record.source,
        position=record.position,
        kind=kind,
        reason=reason,
        content=printable(content),
        image_id=gone,
    )
