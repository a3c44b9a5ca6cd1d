"""Addresses without the passwords in them, for messages, logs and links."""

import re

# The user and the password between a scheme and a host; an unencoded "/" or "@" in a password belongs to it.
_LOGIN = re.compile(r"(?<=://)(?:[^/?#\s'\"<>]*@|[^/:?#\s'\"<>]*:(?!\d+/)[^\s'\"<>]*@)")
_VALUE = re.compile(
    r"(?i)([?&;][\w.-]*(?:password|passwd|token|secret|signature|sig|key|credential)[\w.-]*=)[^&;\s'\"<>]+"
)


def redacted(text: str) -> str:
    """Return a text in which addresses have no user, no password and no secret among their options.

    Parameters
    ----------
    text : str
        A message, a line of a log, or an address.

    Returns
    -------
    str
        The same with `scheme://user:password@host` as `scheme://host`, which still leads there as a link, and with
        `***` for the values of options such as `?token=`.
    """
    return _VALUE.sub(r"\1***", _LOGIN.sub("", text))
