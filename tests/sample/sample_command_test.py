#!/usr/bin/env python3
"""`privpfc sample` from outside: sample_command_test.py PRIVPFC."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv.pop()


class SampleCommand(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.dir = pathlib.Path(self.place.name)

    def run_tool(self, *arguments):
        # The limit stops a run that takes a bad number of rows for a huge one.
        return subprocess.run([TOOL, *map(str, arguments)], cwd=self.dir, capture_output=True, text=True, timeout=60)

    def test_writes_a_table_and_the_schema_that_fits_it(self):
        for classes in (2, 3):
            for extension in ("csv", "parquet"):
                table, schema = f"t{classes}.{extension}", f"{extension}{classes}.yaml"
                done = self.run_tool("sample", "--rows", 500, "--classes", classes, "--out", table, "--schema-out", schema)
                self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
                self.assertEqual(self.run_tool("check", table, "--schema", schema).returncode, 0)

    def test_keeps_quiet_when_told_to(self):
        done = self.run_tool("sample", "--rows", 5, "--out", "t.csv", "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_overwrites_only_by_force(self):
        for precious in ("t.csv", "t.yaml"):
            (self.dir / precious).write_text("precious")
            arguments = ("sample", "--rows", 5, "--out", "t.csv", "--schema-out", "t.yaml")
            self.assertEqual(self.run_tool(*arguments).returncode, 6)
            self.assertEqual((self.dir / precious).read_text(), "precious")
            self.assertEqual([p.name for p in self.dir.iterdir()], [precious])  # neither file is begun
            self.assertEqual(self.run_tool(*arguments, "--force").returncode, 0)
            self.assertNotEqual((self.dir / precious).read_text(), "precious")
            (self.dir / "t.csv").unlink()
            (self.dir / "t.yaml").unlink()

    def test_refuses_what_makes_no_sense_and_writes_nothing(self):
        for arguments in (
            ("--rows", "-5", "--out", "t.csv"),
            ("--rows", "99999999999999999999", "--out", "t.csv"),
            ("--rows", "many", "--out", "t.csv"),
            ("--rows", "5", "--seed", "-1", "--out", "t.csv"),
            ("--rows", "5", "--classes", "4", "--out", "t.csv"),
            ("--rows", "5", "--out", "t.xlsx"),
            ("--rows", "5", "--out", "t.csv", "--schema-out", "t.csv"),
            ("--rows", "5"),
            ("--out", "t.csv"),
        ):
            with self.subTest(arguments):
                self.assertEqual(self.run_tool("sample", *arguments).returncode, 2)
                self.assertEqual(list(self.dir.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
