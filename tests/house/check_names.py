#!/usr/bin/env python3
"""Checks that no two types of the library share a name.

All rooms share one namespace. Two classes of one name in two rooms compile, and link to one
destructor: that of whichever came first. Usage: check_names.py SOURCE_DIR.
"""
import collections
import pathlib
import re
import sys

TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: :[^;{]*)? ?\{", re.M)


def outside_unnamed(text):
    """The text without what lies in unnamed namespaces, which nobody else sees."""
    return re.sub(r"^namespace \{$.*?^\}  // namespace$", "", text, flags=re.M | re.S)


def doubles(source):
    places = collections.defaultdict(list)
    for path in sorted((source / "lib").rglob("*")):
        if path.suffix in (".h", ".cc"):
            for name in TYPE.findall(outside_unnamed(path.read_text())):
                places[name].append(path.relative_to(source))
    return {name: found for name, found in places.items() if len(found) > 1}


def main():
    found = doubles(pathlib.Path(sys.argv[1]))
    for name, paths in found.items():
        print(f"{name} is defined in {' and '.join(map(str, paths))}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
