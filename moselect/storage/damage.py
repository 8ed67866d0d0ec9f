"""What libraries raise for archives and workbooks that are damaged, or of other kinds."""

from __future__ import annotations

import tokenize
import zipfile
import zlib
from xml.etree.ElementTree import ParseError

# zipfile, numpy, skops and openpyxl check little of what they read: what they stumble over later
# is whatever Python raises for it. RuntimeError: encrypted, or nested too deeply; SyntaxError: the
# type of an array.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    tokenize.TokenError,
    ParseError,
    ArithmeticError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
