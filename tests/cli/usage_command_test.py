#!/usr/bin/env python3
"""Commands that are not there, and help: usage_command_test.py PRIVPFC."""

import subprocess
import unittest

from tool_case import TOOL, ToolCase


class Usage(ToolCase):
    def test_a_command_that_is_not_there_is_named_and_the_near_one_suggested(self):
        for arguments, message in {
                ("pubish",): "there is no command 'pubish'; did you mean 'publish'?",
                ("schema", "lnt", "x"): "there is no command 'schema lnt'; did you mean 'lint'?",
                ("help", "schema", "drft"): "there is no command 'schema drft'; did you mean 'draft'?",
                ("ledger", "remove"): "there is no command 'ledger remove'; there are: init, show, verify"}.items():
            with self.subTest(arguments=arguments):
                run = self.run_tool(*arguments)
                self.assertEqual((run.returncode, run.stdout, run.stderr), (2, "", f"privpfc: {message}\n"))
        run = self.run_tool("nosuch")
        self.assertEqual(run.returncode, 2)
        self.assertIn("there is no command 'nosuch'; there are: publish, check, ", run.stderr)

    def test_help_is_a_command_too(self):
        for command in ([], ["schema"], ["schema", "lint"]):
            with self.subTest(command=command):
                asked = self.run_tool("help", *command)
                self.assertEqual(asked.returncode, 0)
                self.assertEqual(asked.stdout, self.run_tool(*command, "--help").stdout)

    def test_what_does_not_arrive_on_standard_output_is_an_error(self):
        self.make_sample(self.dir / "rows.csv", self.dir / "rows.yaml", 200)
        publish = self.run_tool("publish", "rows.csv", "--schema", "rows.yaml", "--epsilon", "1", "--out", "release")
        self.assertEqual(publish.returncode, 0, publish.stderr)
        ledger = ("--ledger", "privpfc-ledger.db")
        for arguments in (("--version",), ("--help",), ("help", "publish"), ("verify", "release"), ("inspect", "release"),
                          ("ledger", "show", *ledger), ("ledger", "show", *ledger, "--json"),
                          ("ledger", "verify", *ledger), ("schema", "lint", "rows.yaml"), ("schema", "show", "rows.yaml"),
                          ("ledger", "init", *ledger, "--dataset", "d", "--cap", "1", "--json"), ("methods",)):
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                run = subprocess.run([TOOL, *arguments], cwd=self.dir, stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(run.returncode, 6)
                self.assertIn("privpfc: cannot write to standard output", run.stderr)

    def test_every_help_has_an_example(self):
        for command in (["schema"], ["schema", "draft"], ["publish"]):
            self.assertIn("Example:\n  privpfc ", self.run_tool(*command, "--help").stdout)


if __name__ == "__main__":
    unittest.main()
