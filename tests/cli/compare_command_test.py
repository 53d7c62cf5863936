#!/usr/bin/env python3
"""`privpfc compare` and `privpfc methods` from outside: compare_command_test.py PRIVPFC."""

import json
import signal
import subprocess
import time
import unittest

from tool_case import TOOL, ToolCase


class CompareCommand(ToolCase):
    @classmethod
    def setUpClass(cls):
        cls.samples = cls.shared_folder()
        cls.make_sample(cls.samples / "rows.csv", cls.samples / "rows.yaml", 600)

    def arguments(self, out, *more, methods="privpfc,majority"):
        return [TOOL, "compare", str(self.samples / "rows.csv"), "--schema", str(self.samples / "rows.yaml"),
                "--epsilon", "0.5,2", "--methods", methods, "--folds", "3", "--repeats", "2", "--out", out, *more]

    def compare(self, out, *more, methods="privpfc,majority"):
        return subprocess.run(self.arguments(out, *more, methods=methods), cwd=self.dir, capture_output=True,
                              text=True, timeout=300)

    def test_files_and_json(self):
        run = self.compare("out", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        summary = json.loads(run.stdout)
        self.assertEqual(json.loads((self.dir / "out/summary.json").read_text()), summary)
        self.assertEqual(sorted(p.name for p in (self.dir / "out").iterdir()),
                         ["report.html", "results.parquet", "summary.json"])
        for line in summary["results"]:
            self.assertEqual({"method", "classifier", "epsilon", "error", "seconds"}, set(line))
            self.assertLessEqual(line["error"]["low"], line["error"]["mean"])
            self.assertLessEqual(line["error"]["mean"], line["error"]["high"])
        self.assertEqual({(line["method"], line["epsilon"]) for line in summary["results"]},
                         {("privpfc", 0.5), ("privpfc", 2.0), ("majority", None)})
        parts = {entry["method"]: entry["parts"] for entry in summary["seconds_by_part"]}
        self.assertLessEqual({"class counts", "distinct rows", "grid scores", "grid selection", "grid histogram",
                              "synthetic rows", "training nb", "training svm", "training tree", "testing svm"},
                             set(parts["privpfc"]))
        self.assertGreater(parts["privpfc"]["training svm"], 0)
        self.assertGreater(summary["reading_seconds"], 0)
        self.assertIn("not a release", run.stderr)
        self.assertIn("An experiment, not a release", (self.dir / "out/report.html").read_text())

    def test_the_same_seed_gives_the_same_errors_on_any_number_of_threads(self):
        def errors(out, *more):
            run = self.compare(out, "--json", *more)
            self.assertEqual(run.returncode, 0, run.stderr)
            return [line["error"] for line in json.loads(run.stdout)["results"]]

        first = errors("one", "--threads", "1")
        self.assertEqual(errors("two", "--threads", "2"), first)
        self.assertNotEqual(errors("three", "--seed", "7"), first)

    def test_an_interrupted_run_goes_on(self):
        self.goes_on_after(signal.SIGINT)

    def test_a_killed_run_goes_on(self):
        self.goes_on_after(signal.SIGKILL)

    def goes_on_after(self, which):
        whole = self.compare("whole", "--json", methods="all")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        process = subprocess.Popen(self.arguments("cut", "--threads", "1", methods="all"), cwd=self.dir,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        journal = self.dir / "cut/unfinished.jsonl"
        while process.poll() is None and not (journal.exists() and journal.read_text().count("\n") > 3):
            time.sleep(0.01)
        process.send_signal(which)
        said = process.communicate()[1]
        if process.returncode == 0:
            self.skipTest("it was done before it could be interrupted")
        if which == signal.SIGINT:
            self.assertEqual(process.returncode, 130)
            self.assertTrue(said.endswith("the same command goes on where this one stopped\n"), said)
        again = self.compare("cut", "--json", methods="all")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("Going on with an unfinished comparison", again.stderr)
        errors = [[line["error"] for line in json.loads(run.stdout)["results"]] for run in (whole, again)]
        self.assertEqual(errors[0], errors[1])
        other = self.compare("cut")
        self.assertEqual(other.returncode, 6, other.stderr)

    def test_mistakes_are_refused(self):
        self.assertEqual(self.compare("out", methods="nonsense").returncode, 2)
        self.assertEqual(self.compare("out", "--fold-column", "nothing").returncode, 2)
        self.assertFalse((self.dir / "out").exists())

    def test_every_method_is_listed_with_its_guarantee(self):
        run = subprocess.run([TOOL, "methods", "--json"], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stderr)
        methods = {method["name"]: method for method in json.loads(run.stdout)}
        self.assertEqual(methods["privpfc"]["promise"], "pure")
        for name, method in methods.items():
            self.assertTrue(method["guarantee"] and method["summary"] and method["source"], name)
            if name.endswith("-as-published"):
                self.assertEqual(method["promise"], "none", name)
                self.assertTrue(method["experiments_only"], name)


if __name__ == "__main__":
    unittest.main()
