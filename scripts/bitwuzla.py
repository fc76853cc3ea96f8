#!/usr/bin/env python3
"""Bitwuzla as a program that reads SMT-LIB commands from standard input.

The solver comes as a Python module (scripts/bitwuzla-requirements.txt), which
`make setup` unpacks beside this file: .duet/bitwuzla/bin and .duet/bitwuzla/lib.
Each command is handed over as soon as it is complete, so questions can be asked
one after the other.
"""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import bitwuzla  # noqa: E402


def commands(lines):
    """The complete commands of a stream of lines; comments are left out."""
    text, depth, quote = "", 0, ""
    for line in lines:
        for at, char in enumerate(line):
            if quote:
                quote = "" if char == quote else quote
            elif char in '|"':
                quote = char
            elif char == ";":
                line = line[:at] + "\n"
                break
            elif char in "()":
                depth += 1 if char == "(" else -1
        text += line
        if depth == 0 and not quote and text.strip():
            yield text
            text = ""


def main() -> None:
    """Answers commands until the stream ends."""
    if "--version" in sys.argv:
        print(bitwuzla.version())
        return
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    libc = ctypes.CDLL(None)
    for text in commands(sys.stdin):
        try:
            parser.parse(text, False, False)
        except bitwuzla.BitwuzlaException as error:
            print(f'(error "{error}")')
        # The module prints by way of C, past Python's own buffer.
        sys.stdout.flush()
        libc.fflush(None)


main()
