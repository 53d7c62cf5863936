#!/usr/bin/env python3
"""Checks that every room of the house includes only rooms it may, and uses only libraries it owns.

The rooms' order is the NEEDS of each lib/privpfc/<room>/CMakeLists.txt: the same lines that make
the link graph. Usage: check_rooms.py SOURCE_DIR; exit status 1 when a file reaches too far.
"""
import pathlib
import re
import sys

# Third-party headers and the rooms that may see them. A library not listed here is free.
OWNERS = {
    r"arrow/|parquet/": {"io"},
    r"yaml-cpp/": {"schema"},
    r"sodium": {"base", "privacy"},
    r"sqlite3": {"release"},
    r"Eigen/": {"direct"},
    r"CLI/": set(),
    r"doctest/": set(),
}


def direct_needs(cmake_text):
    stage = re.search(r"privpfc_stage\((.*?)\)", cmake_text, re.S)
    words = stage.group(1).split()
    needs, taking = [], False
    for word in words[1:]:
        if word in ("SOURCES", "NEEDS", "USES", "HIDES"):
            taking = word == "NEEDS"
        elif taking:
            needs.append(word)
    return needs


def all_needs(room, direct, seen=None):
    seen = set() if seen is None else seen
    for needed in direct[room]:
        if needed not in seen:
            seen.add(needed)
            all_needs(needed, direct, seen)
    return seen


def violations(source_dir):
    lib = pathlib.Path(source_dir) / "lib" / "privpfc"
    rooms = {p.parent.name: direct_needs(p.read_text()) for p in lib.glob("*/CMakeLists.txt")}
    found = []
    for room in sorted(rooms):
        allowed = all_needs(room, rooms) | {room}
        for path in sorted((lib / room).rglob("*")):
            if path.suffix not in (".h", ".cc"):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                include = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
                if not include:
                    continue
                where = f"{path.relative_to(source_dir)}:{number}"
                target = include.group(1)
                inner = re.match(r"privpfc/([^/]+)/", target)
                if inner and inner.group(1) not in allowed:
                    found.append(f"{where}: '{room}' may not include '{inner.group(1)}'")
                for pattern, owners in OWNERS.items():
                    if re.match(pattern, target) and room not in owners:
                        found.append(f"{where}: '{room}' may not use <{target}>")
        if (lib / room / "CMakeLists.txt").read_text().count("GLOB"):
            found.append(f"lib/privpfc/{room}/CMakeLists.txt: sources are listed, never globbed")
    return found


if __name__ == "__main__":
    problems = violations(sys.argv[1])
    print("\n".join(problems) or "every room keeps to itself")
    sys.exit(1 if problems else 0)
