#!/usr/bin/env python3
"""`privpfc evaluate` from outside: evaluate_command_test.py PRIVPFC."""

import json
import os
import subprocess
import unittest

from blocked_output import interrupt_when_done, is_debited
from tool_case import TOOL, ToolCase

NAMES = ["nb", "svm", "tree", "logistic", "histogram", "majority"]


class EvaluateCommand(ToolCase):
    @classmethod
    def setUpClass(cls):
        cls.made = cls.shared_folder()
        for name, rows, seed in (("train.csv", 1500, 1), ("test.csv", 700, 2)):
            cls.make_sample(cls.made / name, cls.made / f"{name}.yaml", rows, seed)
        cls.schema = cls.made / "train.csv.yaml"
        cls.release = cls.made / "release"
        subprocess.run([TOOL, "publish", str(cls.made / "train.csv"), "--schema", str(cls.schema), "--epsilon", "2",
                        "--out", str(cls.release), "--quiet"], check=True)

    def evaluate(self, *options, test="test.csv"):
        return self.run_tool("evaluate", self.release, "--test", self.made / test, *options)

    def ledger(self, cap):
        done = self.run_tool("ledger", "init", "--ledger", "l.db", "--dataset", "held", "--cap", cap)
        self.assertEqual(done.returncode, 0, done.stderr)

    def pay(self, epsilon, *options, test="test.csv"):
        return self.evaluate("--epsilon-eval", epsilon, "--ledger", "l.db", "--dataset", "held", *options, test=test)

    def test_the_table_says_that_it_is_for_internal_use_and_names_every_classifier(self):
        done = self.evaluate()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertTrue(lines[1].startswith("For internal use: computed on real rows. "), lines[1])
        self.assertEqual([line.split()[0] for line in lines[5:11]], NAMES)
        self.assertIn("700 held-out rows.", done.stdout)
        self.assertLess(len(lines), 18)  # short

    def test_json_has_every_figure(self):
        done = self.evaluate("--json", "--train", self.made / "train.csv", "--schema", self.schema)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertIs(report["may_be_published"], False)
        self.assertEqual(sum(report["test_rows"].values()), 700)
        found = [(one["classifier"], one["trained_on"]) for one in report["results"]]
        self.assertEqual(found, [(name, "release") for name in NAMES] + [(name, "real rows") for name in NAMES[:5]])
        for one in report["results"]:
            self.assertLess(one["error"]["low"], one["error"]["value"])
            self.assertGreater(one["error"]["high"], one["error"]["value"])
            for key in ("balanced_error", "auc", "brier", "expected_calibration_error"):
                self.assertGreaterEqual(one[key], 0)
            self.assertEqual(sum(part["rows"] for part in one["reliability"]), 700)
            rows = report["test_rows"]
            wrong = sum(rows[name] * (1 - one["recall"][name]) for name in rows)
            self.assertAlmostEqual(wrong / 700, one["error"]["value"], 9)
        majority = report["results"][5]
        self.assertAlmostEqual(majority["error"]["value"], 1 - max(report["test_rows"].values()) / 700, 9)
        axes = json.loads((self.release / "manifest.json").read_text())["grid"]["axes"]
        self.assertEqual(report["fidelity"]["against"], "training rows")
        self.assertEqual([one["attribute"] for one in report["fidelity"]["attributes"]], [one["attribute"] for one in axes])
        for one in report["fidelity"]["attributes"]:
            self.assertLessEqual(one["alone"], one["with_label"] + 1e-9)
            self.assertLess(one["with_label"], 0.2)

    def test_it_agrees_with_train_and_predict(self):
        report = json.loads(self.evaluate("--json").stdout)
        labels = [line.rsplit(",", 1)[1] for line in (self.made / "test.csv").read_text().splitlines()[1:]]
        for one in report["results"]:
            kind = one["classifier"]
            self.assertEqual(self.run_tool("train", self.release, "--model", kind, "--out", f"{kind}.json").returncode, 0)
            done = self.run_tool("predict", self.made / "test.csv", "--model", f"{kind}.json", "--out", f"{kind}.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            predicted = [line.split(",", 1)[0] for line in (self.dir / f"{kind}.csv").read_text().splitlines()[1:]]
            wrong = sum(a != b for a, b in zip(labels, predicted, strict=True))
            self.assertAlmostEqual(one["error"]["value"], wrong / 700, 12, kind)

    def test_threads_change_nothing(self):
        one = self.evaluate("--json", "--threads", 1)
        three = self.evaluate("--json", "--threads", 3)
        self.assertEqual(one.stdout, three.stdout)

    def test_the_page_is_self_contained_private_to_its_owner_and_never_overwrites(self):
        done = self.evaluate("--html", "r.html", "--train", self.made / "train.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.dir / "r.html").read_text()
        self.assertEqual(os.stat(self.dir / "r.html").st_mode & 0o077, 0)
        for needed in ("For internal use", "<svg", "<title", "<desc", "The chosen grid", "The budget", "Not promised"):
            self.assertIn(needed, page)
        for forbidden in ("http:", "https:", "<script", "src=", "url("):
            self.assertNotIn(forbidden, page)
        done = self.evaluate("--html", "r.html")
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertEqual((self.dir / "r.html").read_text(), page)

    def test_paid_figures_are_debited_first_and_nothing_else_is_told(self):
        self.ledger(1)
        done = self.pay("0.4", "--json", "--html", "p.html")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        report = json.loads(done.stdout)
        self.assertEqual(list(report), ["format", "may_be_published", "notice", "declaration", "release", "privacy",
                                        "interval", "noisy_test_rows", "results"])
        self.assertIs(report["may_be_published"], True)
        self.assertEqual(report["privacy"]["epsilon"], "0.4")
        self.assertIn("were not among those that the release was made from", report["declaration"])
        for one in report["results"]:
            self.assertEqual(list(one), ["classifier", "trained_on", "error", "recall", "noisy_right_predictions", "note"])
        page = (self.dir / "p.html").read_text()
        self.assertIn("May be published", page)
        self.assertNotIn("internal", page)
        self.assertNotIn("near the synthetic table", page)
        shown = self.run_tool("ledger", "show", "--ledger", "l.db", "--json")
        self.assertIn("evaluate", shown.stdout)
        self.assertIn("0.4", shown.stdout)

    def test_the_same_figures_cost_anew_and_the_cap_is_kept(self):
        self.ledger("0.5")
        first = self.pay("0.3")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("May be published", first.stdout)
        done = self.pay("0.3", "--html", "p.html")
        self.assertEqual((done.returncode, done.stdout), (5, ""))
        self.assertFalse((self.dir / "p.html").exists())
        second = self.pay("0.2")
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertNotEqual(first.stdout, second.stdout)

    def test_an_interrupt_after_the_page_says_nothing_of_a_release(self):
        self.ledger(1)
        page = self.dir / "p.html"
        code, said = interrupt_when_done(
            [TOOL, "evaluate", self.release, "--test", self.made / "test.csv", "--epsilon-eval", "0.1",
             "--ledger", self.dir / "l.db", "--dataset", "held", "--html", page, "--quiet"], page.exists)
        self.assertEqual((code, said), (130, f"\nprivpfc: interrupted\nprivpfc: the figures are in {page}, and epsilon 0.1 "
                                             "was debited from 'held'\n"))
        self.assertTrue(page.exists())

    def test_an_interrupt_before_the_figures_are_read_says_what_was_debited(self):
        self.ledger(1)
        code, said = interrupt_when_done(
            [TOOL, "evaluate", self.release, "--test", self.made / "test.csv", "--epsilon-eval", "0.1",
             "--ledger", self.dir / "l.db", "--dataset", "held", "--quiet"],
            lambda: is_debited(self.dir / "l.db", "evaluate"))
        self.assertEqual((code, said), (130, "\nprivpfc: interrupted; the figures were not written\n"
                                        "privpfc: epsilon 0.1 was debited from 'held' and is not paid back\n"))

    def test_a_standard_output_that_fails_does_not_hide_the_debit(self):
        self.ledger(1)
        paid = [TOOL, "evaluate", self.release, "--test", self.made / "test.csv", "--epsilon-eval", "0.1",
                "--ledger", "l.db", "--dataset", "held", "--json", "--quiet"]
        with open("/dev/full", "w") as full:
            lost = subprocess.run(paid, cwd=self.dir, stdout=full, stderr=subprocess.PIPE, text=True)
            kept = subprocess.run([*paid, "--html", "p.html"], cwd=self.dir, stdout=full, stderr=subprocess.PIPE,
                                  text=True)
        self.assertEqual((lost.returncode, kept.returncode), (6, 6))
        self.assertIn("the figures are lost: next time, --html FILE keeps them\n"
                      "privpfc: epsilon 0.1 was debited from 'held' and is not paid back\n", lost.stderr)
        self.assertIn("privpfc: the figures are in p.html, and epsilon 0.1 was debited from 'held'\n", kept.stderr)
        self.assertTrue((self.dir / "p.html").exists())

    def test_nothing_is_spent_on_what_is_refused(self):
        self.ledger(1)
        self.assertEqual(self.pay("0.1", "--train", self.made / "train.csv").returncode, 2)
        self.assertEqual(self.evaluate("--epsilon-eval", "0.1").returncode, 2)
        self.assertEqual(self.evaluate("--ledger", "l.db", "--dataset", "held").returncode, 2)
        self.assertEqual(self.pay("0").returncode, 2)
        self.assertEqual(self.pay("20").returncode, 2)  # promises next to nothing
        self.assertEqual(self.pay("0.1", "--html", self.schema).returncode, 6)
        self.assertEqual(self.pay("0.1", test="nowhere.csv").returncode, 6)
        (self.made / "short.csv").write_text("age,readmitted\n40,yes\n")
        self.assertEqual(self.pay("0.1", test="short.csv").returncode, 3)
        done = self.evaluate("--epsilon-eval", "0.1", "--ledger", "l.db", "--dataset", "other")
        self.assertEqual(done.returncode, 6, done.stderr)
        shown = json.loads(self.run_tool("ledger", "show", "--ledger", "l.db", "--json").stdout)
        self.assertNotIn("evaluate", json.dumps(shown))

    def spoiled(self, name, change):
        """The held-out rows, each line below the header changed."""
        head, *lines = (self.made / "test.csv").read_text().splitlines()
        (self.made / name).write_text("\n".join([head, *map(change, lines)]) + "\n")
        return name

    def test_values_that_cannot_be_read_are_counted_for_internal_figures(self):
        def capitals(line):
            rest, label = line.rsplit(",", 1)
            return f"{rest},{label.upper()}"
        done = self.evaluate(test=self.spoiled("capitals.csv", capitals))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "privpfc: 700 values in 1 column could not be read as the schema says; privpfc "
                         f"check {self.made}/capitals.csv --schema {self.release}/schema.yaml says which\n")
        done = self.evaluate("--train", self.made / "capitals.csv")
        self.assertIn("privpfc: 700 values in 1 column could not", done.stderr)

    def test_paid_figures_do_not_tell_what_could_not_be_read(self):
        self.ledger(1)
        done = self.pay("0.4", test=self.spoiled("spoiled.csv", str.upper))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_rows_that_are_not_held_out_are_noticed(self):
        (self.dir / "link.csv").symlink_to(self.made / "test.csv")
        for train in (self.made / "test.csv", "link.csv"):
            done = self.evaluate("--train", train)
            self.assertEqual(done.returncode, 0)
            self.assertIn("its rows are not held out", done.stderr)

    def test_a_release_is_no_table_of_held_out_rows(self):
        done = self.run_tool("evaluate", self.release, "--test", self.release)
        self.assertEqual(done.returncode, 3)
        self.assertIn("is a release, not a directory of data files", done.stderr)

    def test_a_wrong_separator_is_suspected(self):
        text = (self.made / "test.csv").read_text()
        (self.made / "semi.csv").write_text(text.replace(",", ";"))
        done = self.evaluate(test="semi.csv")
        self.assertEqual(done.returncode, 3)
        self.assertIn("is the separator right?", done.stderr)

    def test_what_is_not_a_release_or_another_schema_is_refused(self):
        done = self.run_tool("evaluate", self.dir, "--test", self.made / "test.csv")
        self.assertEqual(done.returncode, 6, done.stderr)
        other = self.dir / "other.yaml"
        other.write_text(self.schema.read_text().replace("name: readmission", "name: elsewhere"))
        self.assertEqual(self.evaluate("--schema", other).returncode, 4)
        empty = self.made / "empty.csv"
        empty.write_text((self.made / "test.csv").read_text().splitlines()[0] + "\n")
        done = self.evaluate(test="empty.csv")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("there are no held-out rows", done.stderr)

    def test_an_empty_table_is_paid_for_like_any_other(self):
        self.ledger(1)
        empty = self.made / "empty.csv"
        empty.write_text((self.made / "test.csv").read_text().splitlines()[0] + "\n")
        done = self.pay("0.5", "--json", test="empty.csv")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        json.loads(done.stdout)


if __name__ == "__main__":
    unittest.main()
