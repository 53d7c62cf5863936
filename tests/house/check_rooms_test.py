#!/usr/bin/env python3
"""Shows that check_rooms.py sees what it is there to see, on a small house made for the purpose."""
import pathlib
import tempfile
import unittest

from check_rooms import violations

ROOMS = {"base": "", "schema": "NEEDS base", "io": "NEEDS schema"}


class CheckRooms(unittest.TestCase):
    def house(self, room, line):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        lib = pathlib.Path(directory.name) / "lib" / "privpfc"
        for name, needs in ROOMS.items():
            (lib / name).mkdir(parents=True)
            (lib / name / "CMakeLists.txt").write_text(f"privpfc_stage({name}\n  SOURCES x.cc {needs})\n")
        (lib / room / "x.cc").write_text(line + "\n")
        return violations(directory.name)

    def test_an_earlier_room_is_fine_also_through_another(self):
        self.assertEqual(self.house("io", '#include "privpfc/schema/schema.h"'), [])
        self.assertEqual(self.house("io", '#include "privpfc/base/result.h"'), [])

    def test_a_later_room_is_refused(self):
        found = self.house("schema", '#include "privpfc/io/table_reader.h"')
        self.assertEqual(found, ["lib/privpfc/schema/x.cc:1: 'schema' may not include 'io'"])

    def test_a_library_of_another_room_is_refused(self):
        self.assertEqual(len(self.house("schema", "#include <arrow/api.h>")), 1)
        self.assertEqual(len(self.house("io", "#include <yaml-cpp/yaml.h>")), 1)
        self.assertEqual(self.house("io", "#include <arrow/api.h>"), [])


if __name__ == "__main__":
    unittest.main()
