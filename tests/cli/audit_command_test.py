#!/usr/bin/env python3
"""`privpfc audit` from outside: audit_command_test.py PRIVPFC."""

import hashlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import time
import unittest

from tool_case import TOOL, ToolCase


SCHEMA = """
name: two
label: {column: y, classes: ["no", "yes"]}
attributes:
  a: {type: categorical, other: left, tree: [left, right]}
  x: {type: integer, domain: [0, 9], levels: [2], missing: [""]}
"""
ROWS = "a,x,y\n" + "left,1,no\n" * 8 + "right,7,yes\n" * 8


class AuditCommand(ToolCase):
    def audit(self, *more):
        return self.run_tool("audit", *more)

    def write_pair(self, more):
        (self.dir / "schema.yaml").write_text(SCHEMA)
        (self.dir / "without.csv").write_text(ROWS)
        (self.dir / "with.csv").write_text(ROWS + more)

    def test_a_table_a_page_and_json(self):
        run = self.audit("--runs", "400", "--json", "--html", "audit.html", "--out", "audit.json")
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)
        self.assertEqual(json.loads((self.dir / "audit.json").read_text()), report)
        self.assertEqual(report["verdict"], "holds")
        names = [line["pair"] for line in report["results"]]
        for wanted in ("empty", "canary", "edge", "rare", "not-a-number", "class-counts", "histogram"):
            self.assertIn(wanted, names)
        for line in report["results"]:
            self.assertEqual(line["runs_per_table"], 400)
            self.assertEqual(line["epsilon_claimed"], 1)
            self.assertLessEqual(line["epsilon_at_least"], 1)
            self.assertEqual(line["verdict"], "holds")
            self.assertEqual(line["runs_for_choosing"], 400)
        # What was audited, and how sure each bound is.
        (program,) = report["files"]
        self.assertEqual(program["sha256"], hashlib.sha256(pathlib.Path(TOOL).read_bytes()).hexdigest())
        self.assertAlmostEqual(report["chance_of_each_bound"], 1e-6 / (16 * len(names)), delta=1e-12)
        self.assertIs(report["may_be_published"], True)
        self.assertIn("made-up tables", report["notice"])
        page = (self.dir / "audit.html").read_text()
        self.assertIn(program["sha256"], page)
        self.assertIn(report["notice"], page)
        self.assertIn("No attack refutes what is promised", page)
        self.assertNotIn("<script", page)
        self.assertEqual([text for text in re.findall(r'(?:src|href)="([^"#]*)"', page) if text != "data:,"], [])
        self.assertIn("no ledger touched", run.stderr)
        # No release, no ledger: nothing but what was asked for.
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["audit.html", "audit.json"])
        self.assertEqual((self.dir / "audit.html").stat().st_mode & 0o777, 0o600)
        again = self.audit("--runs", "100", "--html", "audit.html", "--quiet")
        self.assertEqual(again.returncode, 6)
        self.assertEqual((self.dir / "audit.html").read_text(), page)

    def test_a_pair_of_ones_own_in_either_order(self):
        self.write_pair("right,2,no\n")
        for files in (("without.csv", "with.csv"), ("with.csv", "without.csv")):
            run = self.audit("--pair", *files, "--schema", "schema.yaml", "--runs", "300", "--epsilon", "0.5", "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("see in full", run.stderr)
            report = json.loads(run.stdout)
            self.assertIsNone(report["least_share_reached"])  # no pair has nearly all of epsilon in one step
            (line,) = report["results"]
            self.assertEqual((line["pair"], line["epsilon_claimed"]), ("your pair", 0.5))
            self.assertEqual([file["file"] for file in report["files"][1:]], [*files, "schema.yaml"])

    def test_several_pairs_of_ones_own_beside_the_made_up_ones(self):
        self.write_pair("right,2,no\n")
        (self.dir / "other.csv").write_text(ROWS + "left,9,yes\n")
        own = ("--pair", "without.csv", "with.csv", "--pair", "other.csv", "without.csv", "--schema", "schema.yaml",
               "--runs", "100", "--json")
        names = lambda run: [line["pair"] for line in json.loads(run.stdout)["results"]]
        alone = self.audit(*own)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.assertEqual(names(alone), ["your pair 1", "your pair 2"])
        report = json.loads(alone.stdout)
        self.assertEqual([line["tables"] for line in report["results"]],
                         ["without.csv and with.csv", "other.csv and without.csv"])
        self.assertEqual([file["file"] for file in report["files"][1:]],
                         ["without.csv", "with.csv", "other.csv", "without.csv", "schema.yaml"])
        beside = self.audit(*own, "--made-up-too", "--method", "nb-laplace")
        self.assertEqual(beside.returncode, 0, beside.stderr)
        self.assertEqual(names(beside), ["empty", "canary", "against", "not-a-number", "label",
                                         "your pair 1", "your pair 2"])
        self.assertIs(json.loads(beside.stdout)["may_be_published"], False)

    def test_figures_on_ones_own_tables_are_for_internal_use_and_say_so(self):
        self.write_pair("right,2,no\n")
        options = ("--pair", "without.csv", "with.csv", "--schema", "schema.yaml", "--runs", "100", "--quiet")
        run = self.audit(*options, "--json", "--html", "audit.html")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        report = json.loads(run.stdout)
        self.assertIs(report["may_be_published"], False)
        self.assertIn("not private", report["notice"])
        head = (self.dir / "audit.html").read_text().split("<main>")[0]
        self.assertIn("For internal use: computed on real rows", head)
        self.assertIn("not private", head)
        self.assertTrue(self.audit(*options).stdout.startswith("For internal use: computed on real rows. "))

    def test_too_few_runs_to_tell_anything_are_not_called_a_success(self):
        run = self.audit("--runs", "100", "--json", "--html", "audit.html")
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)
        self.assertEqual(report["verdict"], "too few runs")
        self.assertEqual({line["verdict"] for line in report["results"]}, {"too few runs"})
        self.assertIn("Too few runs to tell anything", report["in_words"])
        self.assertNotIn("No attack refutes", report["in_words"])
        page = (self.dir / "audit.html").read_text()
        self.assertIn("Too few runs to tell anything</h2>", page)
        self.assertNotIn("No attack refutes", page)
        self.assertNotIn("<td>holds</td>", page)

    def test_direct_methods(self):
        self.write_pair("right,2,no\n")
        run = self.audit("--pair", "without.csv", "with.csv", "--schema", "schema.yaml", "--runs", "100",
                         "--method", "nb-laplace,tree-cart", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([line["method"] for line in json.loads(run.stdout)["results"]], ["nb-laplace", "tree-cart"])
        text = self.audit("--runs", "100", "--method", "nb-smooth-delta")
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertRegex(text.stdout, r"nb-smooth-delta +canary .* too few runs")

    def eventually(self, name, pattern):
        """Whether the system comes to say that of a command that has begun; all begin alike."""
        process = subprocess.Popen([TOOL, "audit", "--runs", "100000000", "--quiet"], cwd=self.dir,
                                   preexec_fn=lambda: os.umask(0o022))
        try:
            for _ in range(500):
                said = pathlib.Path(f"/proc/{process.pid}/{name}").read_text()
                if re.search(pattern, said):
                    return True
                time.sleep(0.01)
            return False
        finally:
            process.kill()
            process.wait()

    def test_a_crash_would_leave_no_core_dump(self):
        if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
            self.skipTest("core dumps are off here already")
        self.assertTrue(self.eventually("limits", r"Max core file size +0 +0 "))

    def test_files_are_for_their_owner_whoever_makes_them(self):
        self.assertTrue(self.eventually("status", r"Umask:\s+0077"))

    def test_an_interrupt_is_said_and_leaves_nothing(self):
        for which in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([TOOL, "audit", "--thorough", "--html", "audit.html", "--out", "audit.json"],
                                       cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertIn("made-up tables", process.stderr.readline())  # it is at work
            process.send_signal(which)
            printed, said = process.communicate(timeout=60)
            self.assertEqual((process.returncode, printed), (130, ""))
            self.assertTrue(said.endswith("\nprivpfc: interrupted; the audit had not come to its end\n"), said)
            self.assertEqual(list(self.dir.iterdir()), [])

    def test_refusals(self):
        self.write_pair("right,2,no\nsecret-value,3,yes\n")
        apart = self.audit("--pair", "without.csv", "with.csv", "--schema", "schema.yaml", "--runs", "100")
        self.assertEqual(apart.returncode, 3)
        self.assertIn("no neighbours", apart.stderr)
        self.assertNotIn("secret-value", apart.stderr)
        for wrong in (["--pair", "without.csv", "with.csv"], ["--schema", "schema.yaml"], ["--method", "nothing"],
                      ["--epsilon", "0"], ["--quick", "--thorough"], ["--made-up-too"],
                      ["--pair", "without.csv", "--schema", "schema.yaml"],
                      ["--pair", "without.csv", "with.csv", "without.csv", "with.csv", "--schema", "schema.yaml"]):
            self.assertEqual(self.audit("--runs", "100", *wrong).returncode, 2, wrong)


if __name__ == "__main__":
    unittest.main()
