"""What tests of a command from outside share: the tool, a folder of their own, made-up tables."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.abspath(sys.argv.pop(1))


class ToolCase(unittest.TestCase):
    @classmethod
    def shared_folder(cls):
        """A folder that lives as long as the tests of this class."""
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        return pathlib.Path(place.name)

    @staticmethod
    def make_sample(path, schema, rows, seed=1):
        subprocess.run([TOOL, "sample", "--rows", str(rows), "--seed", str(seed), "--out", str(path),
                        "--schema-out", str(schema), "--quiet"], check=True)

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.dir = pathlib.Path(place.name)

    def run_tool(self, *arguments):
        return subprocess.run([TOOL, *map(str, arguments)], cwd=self.dir, capture_output=True, text=True, timeout=300)
