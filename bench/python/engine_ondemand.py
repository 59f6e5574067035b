"""simdjson's On-Demand interface in C++ (python/ondemand.cpp), called once a file."""

import ctypes
from pathlib import Path

try:
    LIBRARY = ctypes.CDLL(str(Path(__file__).parent.parent / "target" / "python" / "libondemand.so"))
except OSError as error:
    raise ImportError(str(error)) from error
LIBRARY.sum_hi.restype = ctypes.c_int64
LIBRARY.sum_hi.argtypes = [ctypes.c_char_p]


def summed(path: str) -> int:
    """One field of each record."""
    return LIBRARY.sum_hi(str(path).encode())


ENGINES = {"simdjson-ondemand": {"json-column-sum": lambda job: (summed, None)}}
