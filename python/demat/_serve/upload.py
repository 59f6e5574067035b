"""`Upload`: a file in a form."""

from __future__ import annotations

import io
import os
import sys
from typing import BinaryIO


class Upload:
    """A file that a form sent, for a parameter annotated with this class, `Upload | None` or `list[Upload]`.

    - `filename`: the name that the client gave it. It is the client's text: don't use it as a path.
    - `media_type`: the type that the client gave it, or None
    - `size`: its length in bytes
    - `file`: the open file. Short ones are in memory, others in a temporary file without a name. It is closed after the
      answer.

    >>> from urllib.request import Request, urlopen
    >>> import demat
    >>> def save(photo: demat.Upload) -> list[object]:
    ...     return [photo.filename, photo.size, photo.file.read(3).decode()]
    >>> part = b'Content-Disposition: form-data; name="photo"; filename="a.txt"'
    >>> body = b"--x\\r\\n" + part + b"\\r\\n\\r\\nhello\\r\\n--x--\\r\\n"
    >>> with demat.serve({"/save": save}, port=0, background=True) as server:
    ...     urlopen(Request(server.url + "/save", body, {"Content-Type": "multipart/form-data; boundary=x"})).read()
    b'["a.txt",5,"hel"]'
    """

    __slots__ = ("file", "filename", "media_type", "size")

    filename: str
    media_type: str | None
    size: int
    file: BinaryIO

    def __init__(self, filename: str, media_type: str | None, size: int, file: BinaryIO) -> None:
        self.filename = filename
        self.media_type = media_type
        self.size = size
        self.file = file

    def read(self) -> bytes:
        """The bytes from where the file stands to its end."""
        return self.file.read()

    def __repr__(self) -> str:
        return f"<upload {self.filename!r}, {self.size} bytes>"


def opened(filename: str, media_type: str | None, size: int, held: bytes | int) -> Upload:
    """An upload from the bytes of a file, or from the handle of an open one."""
    if isinstance(held, bytes):
        return Upload(filename, media_type, size, io.BytesIO(held))
    if sys.platform == "win32":
        import msvcrt

        held = msvcrt.open_osfhandle(held, os.O_RDONLY | os.O_BINARY)
    return Upload(filename, media_type, size, os.fdopen(held, "rb"))
