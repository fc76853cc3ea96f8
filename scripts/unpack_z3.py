"""Unpacks the program, the library and the headers of z3 from its Python wheel.

Usage: unpack_z3.py WHEEL FOLDER

Leaves FOLDER/bin/z3, FOLDER/lib/libz3.so, FOLDER/include/*.h and, if the wheel has
one, FOLDER/LICENSE; the Python binding itself is not needed.
"""

import pathlib
import sys
import zipfile


def target_of(name: str, folder: pathlib.Path) -> pathlib.Path | None:
    """Where an entry of the wheel goes, or None if it is not wanted."""
    base = pathlib.PurePosixPath(name).name
    if name.endswith(".data/data/bin/z3"):
        return folder / "bin" / "z3"
    if name.startswith("z3/include/") and base.endswith(".h"):
        return folder / "include" / base
    if ".dist-info/" in name and base.upper().startswith(("LICENSE", "COPYING")):
        return folder / "LICENSE"
    if name.startswith("z3/lib/") and base.startswith("libz3.so."):
        return folder / "lib" / base
    return None


def unpack(wheel: pathlib.Path, folder: pathlib.Path) -> None:
    """Writes the wanted entries of the wheel below the folder."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            target = target_of(name, folder)
            if target is None:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(name))
    (folder / "bin" / "z3").chmod(0o755)
    # The wheel holds the library twice; a link does for the plain name.
    for library in (folder / "lib").glob("libz3.so.*"):
        (folder / "lib" / "libz3.so").symlink_to(library.name)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    unpack(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
